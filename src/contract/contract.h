/* The contract of <banyan/game.h>: plays a game at random, and checks at every position what the
 * header promises.
 *
 *     check.c               banyan_game_check: checks the options, and fills in the report
 *      |
 *     contract.h, contract.c        what the checks share: guarded memory, streams, the report, plain
 *      |                            random play
 *     contract_run.c        plays each game, ply by ply, and calls the checks
 *     contract_card.c       the constants of the table
 *     contract_rules.c      movers, legal, apply, returns, key; dice replayed and enumerated
 *     contract_counts.c     functions that count actions
 *     contract_text.c       init, format, action_format, action_parse; malformed texts
 *     contract_hooks.c      the functions that a game may leave out
 *     contract_board.c      boards that people click
 *     contract_images.c     symmetries and mirrors
 *     contract_rollout.c    rollouts
 *
 * States lie between guards, which are checked at every ply; lists, texts and planes are checked for what was
 * written past their ends.
 * What a function returns is checked before it is used as a size or an index. */
#ifndef CONTRACT_CONTRACT_H
#define CONTRACT_CONTRACT_H

#include <banyan/board.h>
#include <banyan/check.h>
#include <banyan/game.h>

#include <stdarg.h>

enum {
    CONTRACT_GUARD = 256,     /* bytes on both sides of a state, and after texts and planes */
    CONTRACT_ACTIONS = 4096,  /* room after a list of actions */
    CONTRACT_LOG = 2048,      /* dice of one apply */
    CONTRACT_TEXTS = 64,      /* action texts remembered to be tried elsewhere */
    CONTRACT_TEXT = 256,      /* bytes of the longest action text that is remembered */
    CONTRACT_KEYS = 1 << 16,  /* positions remembered to compare keys */
    CONTRACT_OUTCOMES = 3000, /* passes of an enumeration before it is abandoned */
    CONTRACT_PLIES = 1000000, /* no game is followed further */
    CONTRACT_FAULTS = 20,     /* broken promises before the check stops */
    CONTRACT_MESSAGE = 400    /* bytes of a message without its place */
};

/* Memory for one state between guards. */
enum contract_slot {
    SLOT_STATE, /* the state of the game that is played */
    SLOT_NEXT,  /* the state after the move */
    SLOT_COPY,  /* scratch for single checks */
    SLOT_OTHER,
    SLOT_IMAGE, /* image of SLOT_STATE under a symmetry, or mirrored */
    SLOT_IMAGE_NEXT,
    SLOT_PLAY, /* plain random play from some position */
    SLOT_KEPT, /* SLOT_STATE before functions that must only read it */
    SLOTS
};

struct contract_seen { /* a position that was met, as one viewer sees it */
    const char *name;  /* "key()" or "coarse_keys()"; NULL: this place is empty */
    uint64_t key, state;
    uint64_t legal, coarse; /* with key(): hash of the legal actions, and the coarse key; else 0 */
    unsigned movers;
    int viewer;
};

struct contract_bounds { /* what bounds() promised in this game */
    float lo, hi;
    int ply;
};

struct contract {
    const struct banyan_game *game;
    const struct banyan_check_options *options;
    int setup_count;
    int index, ply; /* the present game and ply, for messages; -1: outside of single games */
    struct banyan_rng rng;

    bool endless;  /* a game did not end in CONTRACT_PLIES: nothing more is played */
    bool too_long; /* a game was longer than max_plies */
    char why[128]; /* why contract_play_out could not go on */
    int faults;
    uint64_t told[CONTRACT_FAULTS]; /* hashes of the messages without their numbers */
    char first[BANYAN_MESSAGE_MAX]; /* the first message */

    unsigned char *slot[SLOTS];
    banyan_action *legal[BANYAN_MAX_PLAYERS]; /* of SLOT_STATE: [max_legal + CONTRACT_ACTIONS] */
    int count[BANYAN_MAX_PLAYERS];
    banyan_action *actions, *mapped; /* scratch of the same size */
    char *text, *text_2;             /* [BANYAN_TEXT_MAX + guard] */
    float *planes, *planes_2;        /* [C * H * W, or an observation, + guard] */
    float *priors;                   /* [max_legal + guard] */
    unsigned char *taken;            /* [policy_size] */
    struct banyan_board *board, *board_2;
    struct banyan_die log[CONTRACT_LOG];

    char texts[CONTRACT_TEXTS][CONTRACT_TEXT];
    int text_count;
    struct contract_seen *seen; /* open addressing by key */
    int seen_count;
    struct contract_bounds low[BANYAN_MAX_PLAYERS], high[BANYAN_MAX_PLAYERS]; /* the narrowest */
    int64_t positions;
    long keyed, merged;     /* number of keys looked at; number of those that an earlier, different
                           state had */
    long rolled, rolled_on; /* moves with enumerated dice; those that may roll for ever */
    long determinized, determinized_changed, determinized_apart; /* apart: two draws differed */
    uint64_t deal;                                               /* hash of the first usual start */
    int deals;                                                   /* usual starts that were met */
    bool deals_differ;    /* not all of them are the same state */
    bool deals_uncertain; /* determinize() changed the first state of a game */
};

/* --- contract.c --- */

/* Reserves the memory; false: there is not enough.  contract_close frees it in either case. */
bool contract_open(struct contract *c);
void contract_close(struct contract *c);

/* Notes a broken promise unless ok; returns ok.  format and the rest say what was wrong. */
bool contract_check(struct contract *c, bool ok, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Tells the caller of the check that this function of the game is called now; returns the game. */
const struct banyan_game *contract_calls(const struct contract *c, const char *function);

/* Whether the caller has stopped the check. */
bool contract_stopped(const struct contract *c);

/* True with probability 1/n. */
bool contract_sometimes(struct contract *c, uint32_t n);
uint64_t contract_hash(const void *bytes, size_t size);

/* Slots. */
void *contract_copy(struct contract *c, enum contract_slot to, const void *state);
bool contract_same(const struct contract *c, const void *a, const void *b);
/* Fills a slot with garbage, so that a function has to define every byte. */
void *contract_soil(struct contract *c, enum contract_slot to, int byte);
/* Whether every one of these bytes is `byte`. */
bool contract_all(const void *bytes, int byte, size_t size);
/* Checks that nothing was written around the slot; name: the function that may have done so. */
void contract_check_guard(struct contract *c, enum contract_slot slot, const char *name);
/* Repairs the guards and reports nothing. */
void contract_mend_guards(struct contract *c, enum contract_slot slot);
/* Copies SLOT_STATE to SLOT_KEPT. */
void contract_keep(struct contract *c);
/* Checks that SLOT_STATE is still the same; if it is not, restores it. */
void contract_check_kept(struct contract *c, const char *name);

/* Plain random play. */
size_t contract_planes(const struct banyan_game *game);
int contract_first(unsigned movers);
/* legal() of a position that has not been checked; returns the number of actions, limited to 0..max_legal. */
int contract_legal(struct contract *c, const void *state, int player, banyan_action *out);
/* returns() of a position that has no movers: out[players]. */
void contract_returns(const struct contract *c, const void *final, float *out);
/* Chooses for every mover at random; the entries of the others are garbage. */
void contract_choose(struct contract *c, const void *state, struct banyan_rng *rng,
                     banyan_action joint[]);
/* Plays state to its end, or until the check is stopped.  Returns the number of plies; or -1 if the game does not
 * end within max_plies or CONTRACT_PLIES, or if a result of movers() or legal() is impossible:
 * c->why says why (as the end of a sentence about the game).  Precondition: not c->endless. */
int contract_play_out(struct contract *c, void *state, struct banyan_rng *rng);

/* --- contract_card.c --- */

bool contract_check_card(struct contract *c);

/* --- contract_rules.c --- */

/* Whether two lists hold the same actions; sorts both if they are equally long. */
bool contract_same_set(banyan_action *a, int n, banyan_action *b, int m);
/* Writes the movers; false: a mover is not one of the players. */
bool contract_check_movers(struct contract *c, const void *state, unsigned *movers);
/* The legal actions of a mover of SLOT_STATE into c->legal[player]; false when they cannot be used. */
bool contract_check_legal(struct contract *c, const void *state, int player);
/* The coarse key; 0 in a game without coarse keys. */
uint64_t contract_coarse_key(const struct contract *c, const void *state, int viewer);
void contract_check_key(struct contract *c, const void *state, unsigned movers);
/* After all games: checks that at most a quarter of the moves roll again and again until the dice
 * fit.  Some moves must: a ball bounces until it lies still. */
void contract_check_rolls(struct contract *c);
/* Applies joint to SLOT_STATE, result in SLOT_NEXT; returns how many dice fell. */
int contract_check_apply(struct contract *c, banyan_action joint[]);
/* False when a player's result cannot be used. */
bool contract_check_returns(struct contract *c, const void *state);
/* After all games: checks all keys together. */
void contract_check_keys(struct contract *c);

/* --- contract_text.c --- */

/* A function that writes text as snprintf does: fn(state, which, out, size). */
typedef int contract_writer(struct contract *c, const void *state, int which, char *out,
                            size_t size);

/* Writes the text into out[BANYAN_TEXT_MAX + guard]; checks its length, and that a small buffer
 * is not exceeded. */
int contract_write(struct contract *c, contract_writer *fn, const void *state, int which, char *out,
                   const char *name);
/* Starts a game in SLOT_STATE; checks that init() writes every byte of it. */
bool contract_check_init(struct contract *c);
/* Plays a few games without looking at them closely, because all other checks need games that begin
 * and end; false: they have no first move, or the check was stopped. */
bool contract_check_starts(struct contract *c);
/* Checks that init() reads the text of a state back to the same bytes, and refuses this text
 * followed by more. */
void contract_check_format(struct contract *c, const void *state);
void contract_check_actions(struct contract *c, const void *state, int player);
void contract_check_garbage_setups(struct contract *c);
/* Spoils the text of the present state; init() must refuse it, or give a position that works. */
void contract_check_spoiled_setups(struct contract *c, int times);

/* --- contract_counts.c --- */

void contract_check_legal_count(struct contract *c, const void *state, int player);
void contract_check_legal_count_after(struct contract *c, const void *state, int player);

/* --- contract_hooks.c --- */

/* Whether value is in the range of returns, up to rounding errors. */
bool contract_in_range(const struct contract *c, float value);
void contract_check_determinize(struct contract *c, const void *state, unsigned movers, int viewer);
/* After all games: checks that deals and draws are not always the same. */
void contract_check_deals(struct contract *c);
void contract_check_decisive(struct contract *c, const void *state, int player);
/* Remembers what bounds() promises; at the end it is compared with returns(). */
void contract_check_bounds(struct contract *c, const void *state);
void contract_check_bounds_kept(struct contract *c, const void *final);
void contract_check_heuristic(struct contract *c, const void *state);
void contract_check_priors(struct contract *c, const void *state, int player);
void contract_check_encode(struct contract *c, const void *state, int viewer);
/* Checks that the numbers of an observation are those that the table of features promises. */
void contract_check_observation(struct contract *c, const void *state, int viewer);
void contract_check_policy_index(struct contract *c, const void *state, int player);
void contract_check_targets(struct contract *c, const void *final);
void contract_check_pictures(struct contract *c, const void *state);

/* --- contract_board.c --- */

/* Checks that rows, names, cells and owners are in range; viewer: -1 sees everything. */
void contract_check_board(struct contract *c, const void *state, int viewer);
/* Checks that the cells of player's legal actions are on the board. */
void contract_check_board_cells(struct contract *c, const void *state, int player);
/* Checks that the boards of two states that viewer cannot tell apart are the same. */
void contract_check_board_look(struct contract *c, const void *a, const void *b, int viewer);

/* --- contract_images.c --- */

enum { CONTRACT_MIRROR = -1 }; /* stands for the mirror, beside the numbers of symmetries */

/* Makes the image of SLOT_STATE in SLOT_IMAGE, and checks movers and legal actions. */
void contract_check_image(struct contract *c, unsigned movers, int k);
void contract_check_image_values(struct contract *c, int k, bool over);
/* Checks that exchanged players see the same: the observation of one is that of the other in the mirrored state,
 * and their actions have the same policy indices. */
void contract_check_mirror_look(struct contract *c, unsigned movers);
/* Checks that playing and then taking the image gives the same state as the reverse; called
 * only if no dice fell. */
void contract_check_image_apply(struct contract *c, const banyan_action joint[], int k);

/* --- contract_rollout.c --- */

int contract_policies(const struct banyan_game *game);
/* Checks a rollout policy: it ends the game, the same stream gives the same state, and 0 plies change nothing. */
void contract_check_rollout(struct contract *c, const void *state, int policy);
/* Checks that one ply of the rollout gives a state that apply() also gives; for games without dice, where one
 * player moves. */
void contract_check_rollout_ply(struct contract *c, const void *state, int policy);
/* Checks that the random policy has the same mean results as random play by legal() and apply(), from SLOT_STATE on.
 * The number of games depends on the length of one game and not on time, so the outcome is always the same. */
void contract_check_random_policy(struct contract *c);

/* --- contract_run.c --- */

/* Plays game number index.  With the same seed the same index is always the same game. */
void contract_game(struct contract *c, int index);
/* Plays the games that the options ask for.  Returns their number. */
int contract_run(struct contract *c);

#endif
