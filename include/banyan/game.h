/* A game: rules over plain data.
 *
 *      init --> state --movers--> who must choose now (a set; empty: the game is over)
 *                 ^       |
 *                 |     legal --> actions of one mover
 *                 |       |
 *                 +---- apply (joint action, dice)
 *
 * A state is one struct of fixed size without pointers: it is copied by memcpy, and equal states
 * have equal bytes (padding zeroed).  It is aligned for any type, as memory of malloc is.
 *
 * A game is a table, struct banyan_game: numbers, texts and functions.  The library knows nothing
 * else of the game.  The rules and their texts are required.  The members after them may be 0 or
 * NULL; they are grouped by what they are for: hidden cards, search, learning, people, players.
 *
 * Every function gets the table first, so that one function can serve several games, and find in
 * ctx what it needs besides the state.
 *
 * Threads: a function of a game changes nothing but its output parameters, so any number of
 * threads may use one game.  A table must not change while it is in use.
 */
#ifndef BANYAN_GAME_H
#define BANYAN_GAME_H

#include <banyan/dice.h>
#include <banyan/rng.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BANYAN_MAX_PLAYERS = 8,  /* movers are a set of bits, so <= 8 * sizeof(unsigned) */
    BANYAN_TEXT_MAX = 8192,  /* bytes, enough for any format(), action_format() or draw() */
    BANYAN_STATE_MAX = 8192, /* bytes of the largest state */
    BANYAN_LEGAL_MAX = 65534 /* most actions that max_legal may name */
};

/* What an action means is up to the game.  The meaning must not depend on what the mover cannot
 * see: a move or a species, never a slot whose content is hidden. */
typedef uint64_t banyan_action;

enum banyan_trait {
    BANYAN_CHANCE = 1u << 0,       /* apply() uses its dice */
    BANYAN_SIMULTANEOUS = 1u << 1, /* movers() may have several bits */
    BANYAN_HIDDEN = 1u << 2,       /* players see different things; determinize() is required */
    BANYAN_ZERO_SUM = 1u << 3 /* returns() always sum to players * (return_min + return_max) / 2 */
};

struct banyan_board;   /* board.h */
struct banyan_offer;   /* evaluator.h */
struct banyan_feature; /* observe.h */

/* The moves of a playout, in any order; a move is player * action_count + action. */
struct banyan_playout {
    uint32_t *moves; /* [room] */
    int count, room; /* a move for which there is no room is left out */
};

/* One step of a game: in the state `before` its movers played `joint`, and the result was
 * `after`. */
struct banyan_step {
    const void *before, *after;
    const banyan_action *joint; /* [players] */
};

struct banyan_game {
    /* --- what the game is --- */

    size_t struct_size; /* sizeof(struct banyan_game): which version of this struct it is */
    void *ctx;          /* for the game's own use; may be NULL */
    const char *name;   /* "othello-6x6": lower case, what a user types */
    const char *title;  /* "Othello (6x6)" */
    int players;        /* 1..BANYAN_MAX_PLAYERS */
    const char *const *player_names; /* [players] "X", "O"; NULL: "player 1", "player 2", ... */
    unsigned traits;                 /* enum banyan_trait */
    size_t state_size;               /* bytes: 1..BANYAN_STATE_MAX */
    int max_legal;                   /* most legal actions of one mover in any state */
    int max_plies;                /* most apply() calls from init to the end: a bound that no game
                                     exceeds; books, MCCFR and exact values reserve memory for so many */
    float return_min, return_max; /* range of each entry of returns() */

    /* 1, 2, 4 or 8: every action < 256^action_bytes; the tree stores this many bytes for an
     * action. */
    int action_bytes;

    /* Every action < action_count, and a player's action is the same move in all states, so its
     * value in one state is evidence for its value in another.  0: 256 if action_bytes is 1, else
     * there is no such number.  rule=grave, progressive-history and the evaluator mast need it. */
    int action_count;

    /* Names of the kinds of dice, NULL at the end; with BANYAN_CHANCE only. */
    const char *const *dice_kinds;

    /* --- the rules (required) --- */

    /* Writes the first state of a new game.  setup: NULL or "" for the usual start, else a text
     * of the game's own; everything that format() writes is such a text.  rng: for random setups
     * (deals, boards); may be NULL if setup says everything; a game that needs random numbers and
     * gets NULL uses a fixed stream. */
    enum banyan_status (*init)(const struct banyan_game *game, void *state, const char *setup,
                               struct banyan_rng *rng, struct banyan_error *err);

    /* Returns the set of players (bit p = player p) who must choose now; 0: the game is over. */
    unsigned (*movers)(const struct banyan_game *game, const void *state);

    /* Writes player's legal actions to out[max_legal] in a fixed order, and returns their number,
     * which is 1 or more.  Precondition: player is a mover. */
    int (*legal)(const struct banyan_game *game, const void *state, int player, banyan_action *out);

    /* Plays joint[p] for every mover p (other entries are not read).  Precondition: each is legal.
     * dice: required with BANYAN_CHANCE, otherwise may be NULL. */
    void (*apply)(const struct banyan_game *game, void *state, const banyan_action joint[],
                  struct banyan_dice *dice);

    /* Writes the result of each player to out[players], in return_min..return_max.
     * Precondition: movers() == 0. */
    void (*returns)(const struct banyan_game *game, const void *state, float *out);

    /* Returns a hash of what `viewer` knows of this state.  Where viewer is a mover, states of equal
     * keys must have the same movers and the same legal actions of viewer, who cannot tell them apart.
     * All 64 bits must be well mixed, because the tree compares keys, not states.  With BANYAN_HIDDEN the key covers
     * all that viewer knows, also what the other players cannot see.  In other games different
     * states may have equal keys, if the game's documentation says so.
     *
     * What a wrong key does: with dice, choices at the same time or transpositions=on the search finds nodes by their
     * keys, and without BANYAN_HIDDEN it does not ask again what is legal there.  If states of equal keys have
     * different legal actions, apply() gets an action that is not legal; banyan_game_check finds such keys.  If only
     * the values of these states differ, the search mixes them, and nothing reports it. */
    uint64_t (*key)(const struct banyan_game *game, const void *state, int viewer);

    /* --- states and actions as text (required) --- */

    /* Writes the state as one line of text that init() reads back to equal bytes: at most size
     * bytes with the closing 0.  Returns the full length, as snprintf does; size may be 0, and out is
     * then NULL. */
    int (*format)(const struct banyan_game *game, const void *state, char *out, size_t size);

    /* Writes an action as people write it ("d3", "pass"); size and the result are as in
     * format().  Precondition: player is a mover, and the action is legal. */
    int (*action_format)(const struct banyan_game *game, const void *state, int player,
                         banyan_action action, char *out, size_t size);

    /* Reads what action_format() writes.  BANYAN_INVALID: the text is not an action.
     * BANYAN_ILLEGAL: the action is not legal for player in this state. */
    enum banyan_status (*action_parse)(const struct banyan_game *game, const void *state,
                                       int player, const char *text, banyan_action *out,
                                       struct banyan_error *err);

    /* --- hidden cards (optional, as everything below) --- */

    /* Draws anew everything that viewer cannot see, from what is possible given what viewer
     * knows. Keeps key(state, viewer); states of equal key have the same draws from the same
     * rng.  Required with BANYAN_HIDDEN.
     *
     * With draw=all (BANYAN_DRAW_ALL) the search calls it for viewer 0, 1, ... in turn, again and again, each time on
     * the state that the call before has left.  So it must serve every player, whoever is to move, read nothing
     * that viewer cannot see, and draw everything that is possible with its true probability.  Then the states
     * that it makes are distributed as chance could have dealt them. */
    void (*determinize)(const struct banyan_game *game, void *state, int viewer,
                        struct banyan_rng *rng);

    /* With BANYAN_HIDDEN: writes to out[p], for every player p in `viewers` (bits), a hash of a part of
     * what key(state, p) covers: usually of what all players see, perhaps rounded.  States with equal
     * key() must have equal coarse keys, and states with equal coarse keys must have equal
     * movers; legal actions may differ, since the search asks for them at every visit.  With the
     * option keys=coarse (the default) the search finds nodes by these keys.  That helps where hidden cards, drawn
     * anew for each simulation, and dice make so many keys that a node is seldom visited twice;
     * the price is that the other players in the tree choose as if they did not know their own
     * cards. */
    void (*coarse_keys)(const struct banyan_game *game, const void *state, unsigned viewers,
                        uint64_t out[]);

    /* --- for a search: speed --- */

    /* Plays state on with the game's own fast policy until the end or for max_plies more plies.
     * policy: index into rollout_policies; 0 is uniformly random. */
    void (*rollout)(const struct banyan_game *game, void *state, int policy, int max_plies,
                    struct banyan_rng *rng);
    const char *const *rollout_policies; /* names, NULL at the end; NULL: only "random" */

    /* Does what rollout() does, with the same random numbers, and adds every move to playout. */
    void (*rollout_logged)(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng, struct banyan_playout *playout);

    /* Returns the number of actions that legal() would write.  Counting positions (perft) needs
     * only this number at the last ply, and a game may know it much sooner than the actions. */
    int (*legal_count)(const struct banyan_game *game, const void *state, int player);

    /* Counts two plies at once, in games without BANYAN_CHANCE and BANYAN_SIMULTANEOUS: each legal action of player
     * leads to another state.  Returns the number of legal actions in each of these states, all added up; a state in
     * which the game is over adds 0.  Writes to *ended in how many of them the game is over.
     * With this function perft lists and plays no actions at the last two plies, and a game may count several states
     * at the same time. */
    uint64_t (*legal_count_after)(const struct banyan_game *game, const void *state, int player,
                                  int *ended);

    /* --- for a search: what is known of a position --- */

    /* Decisive and anti-decisive moves (Teytaud and Teytaud 2010), in games without dice, hidden cards
     * and simultaneous moves: writes a part of legal(), in its order, that holds a best action, and
     * returns its size.  There are two cases, in this order:
     *   1. player can win at once: an action ends the game with return_max for player.  Writes one such action,
     *      returns 1.
     *   2. the other player threatens to win with their next action (two players, constant sum): writes all
     *      actions after which they cannot do so, or any one action if there are none of these.
     * Returns 0 if neither is the case, or if it is not known.  With the option decisive=on (the default) the search
     * calls this for every new node below the root, so it must be quick. */
    int (*decisive)(const struct banyan_game *game, const void *state, int player,
                    banyan_action *out);

    /* Returns an estimate of returns()[player], in the same units. */
    float (*heuristic)(const struct banyan_game *game, const void *state, int player);

    /* Writes bounds that are already certain, whatever the players do from here on: *lo <= final
     * return of player <= *hi. */
    void (*bounds)(const struct banyan_game *game, const void *state, int player, float *lo,
                   float *hi);

    /* Writes how promising each of player's n actions looks: out[n] >= 0, sums to 1. */
    void (*priors)(const struct banyan_game *game, const void *state, int player,
                   const banyan_action *actions, int n, float *out);

    /* --- for learning --- */

    int planes[3];   /* C, H, W of encode(); 0,0,0: none */
    int policy_size; /* width of a policy head; 0: none */

    /* Writes planes[C][H][W] for a network, as seen from viewer's side: only what viewer knows. */
    void (*encode)(const struct banyan_game *game, const void *state, int viewer, float *planes);

    /* Returns the index of player's action in a policy head, 0..policy_size-1, from player's
     * side. */
    int (*policy_index)(const struct banyan_game *game, const void *state, int player,
                        banyan_action action);

    /* The table that says what the numbers of an observation are (observe.h), in their order; name
     * NULL at the end.  NULL: an observation is the planes, and nothing more is said about them. */
    const struct banyan_feature *features;

    /* Writes what viewer may know of the state, as the features say; equal for states of equal
     * key(state, viewer).  NULL: encode() writes it. */
    void (*observe)(const struct banyan_game *game, const void *state, int viewer, float *out);

    /* Writes the targets of a network's auxiliary heads, computed from the final state: the score,
     * and ownership[H][W], where H and W are those of planes, from viewer's side. */
    void (*targets)(const struct banyan_game *game, const void *final, int viewer, float *score,
                    float *ownership);

    /* Symmetries 0..symmetries-1, 0 = identity: symmetry writes the image of state to out, which may
     * not overlap state; symmetry_action maps an action of state to one of the image. */
    int symmetries;
    void (*symmetry)(const struct banyan_game *game, const void *state, int k, void *out);
    banyan_action (*symmetry_action)(const struct banyan_game *game, const void *state, int k,
                                     banyan_action action);

    /* mirror writes the same position with the two players exchanged: colours swapped, sides mirrored.
     * Tests use it (check.h).  mirror_action maps an action of state to one of the image. */
    void (*mirror)(const struct banyan_game *game, const void *state, void *out);
    banyan_action (*mirror_action)(const struct banyan_game *game, const void *state,
                                   banyan_action action);

    /* --- for people (functions with out and size write text as format() does) --- */

    /* Write a picture as plain text, without control characters other than line ends and tabs, and as
     * SVG; viewer -1 sees everything. */
    int (*draw)(const struct banyan_game *game, const void *state, int viewer, char *out,
                size_t size);
    int (*svg)(const struct banyan_game *game, const void *state, int viewer, char *out,
               size_t size);

    /* Writes an action of player, who is a mover, as people say it, and after a tab a note that
     * helps to choose: "move to 12,5\tdodge 3+: 67 %".  The tab may be missing.  Tells only what
     * player knows. */
    int (*describe)(const struct banyan_game *game, const void *state, int player,
                    banyan_action action, char *out, size_t size);

    /* Writes what viewer saw in a step, as lines of text; viewer -1 sees everything.  Writes "" if
     * viewer saw nothing. */
    int (*tell)(const struct banyan_game *game, const struct banyan_step *step, int viewer,
                char *out, size_t size);

    /* Writes what viewer knows and the picture does not show, as lines of text: values of players,
     * moves, items. */
    int (*sheet)(const struct banyan_game *game, const void *state, int viewer, char *out,
                 size_t size);

    /* Writes what each player has scored so far, in the game's own points (touchdowns, discs), to
     * out[players].  Points are shown beside results; returns() alone decides. */
    void (*points)(const struct banyan_game *game, const void *state, float *out);

    /* Writes the board that people click (board.h), as viewer sees it; viewer -1 sees everything. */
    void (*board)(const struct banyan_game *game, const void *state, int viewer,
                  struct banyan_board *out);

    /* Writes the cells that choose a legal action of player, who is a mover, in the order of the
     * clicks, to out[BANYAN_BOARD_CLICKS]; returns their number; 0: the action is not on the board.
     * If several actions have the same cells, a person who clicks them then chooses from a list.
     * Needs board(). */
    int (*board_cells)(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, int out[]);

    /* The setup of games that people play, for example one in which an action is a whole path and
     * not one step; NULL: the usual start. */
    const char *person_setup;

    /* --- its players --- */

    /* Players and evaluators that only this game has (evaluator.h); name == NULL at the end. */
    const struct banyan_offer *offers;

    /* The strongest player of this game as text for banyan_player_create ("mcts:rule=puct"); the
     * player "best" stands for it.  It decides within the clock that it is given.  NULL: "mcts". */
    const char *best;

    /* Texts of players of growing strength, NULL at the end: the players "level:1", "level:2", ...;
     * each wins at least 60 % of the games against the one before it.  NULL: levels that serve
     * for every game. */
    const char *const *levels;
};

/* --- games by name --- */

/* Returns game number index (0, 1, ...), NULL for every other number: first the games of the library in a
 * fixed order, then those that were registered. */
const struct banyan_game *banyan_game_at(int index);

/* Returns what people call player 0..players-1 of game: its own name ("X", "black", "home"), else
 * "player 1" for 0, and so on; "nobody" for any other number.  Static storage. */
const char *banyan_game_player_name(const struct banyan_game *game, int player);

/* Finds a game of the library, or a registered one, by its name.  BANYAN_NOT_FOUND: the message has
 * the nearest name, if one is near. */
enum banyan_status banyan_game_find(const char *name, const struct banyan_game **out,
                                    struct banyan_error *err);

/* Registers a game: from now on banyan_game_find and banyan_game_at know it like the library's own.
 * Only a program that finds games by name needs this; a search takes the table itself.
 *
 * Ownership: the table and all that it points to are borrowed for ever; a game cannot be removed.
 * Threads: any thread, also while others look for games.
 * Errors: BANYAN_INVALID: the table breaks a promise that can be checked without playing (check.h),
 * or the name is taken.  BANYAN_UNSUPPORTED: the table is that of another version, or 64 games are
 * registered already. */
enum banyan_status banyan_game_register(const struct banyan_game *game, struct banyan_error *err);

/* --- playouts --- */

/* Plays state on with the game's rollout(), or uniformly at random if it has none: to the end,
 * or for max_plies more plies.  policy: index into rollout_policies.  Without memory for a list of more than 512
 * legal actions nothing is played. */
void banyan_game_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                         struct banyan_rng *rng);

/* Returns the game's action_count; if that is 0, returns 256 if action_bytes is 1, else 0. */
int banyan_game_action_count(const struct banyan_game *game);

/* Plays state on with the game's rollout_logged(), or uniformly at random (whatever the policy) if it
 * has none, and adds every move to playout.  Precondition: banyan_game_action_count(game) > 0. */
void banyan_game_rollout_logged(const struct banyan_game *game, void *state, int policy,
                                int max_plies, struct banyan_rng *rng,
                                struct banyan_playout *playout);

#ifdef __cplusplus
}
#endif
#endif
