/* The contract of <banyan/game.h> as a test: plays a game at random, and checks at
 * every position what the header promises.
 *
 *     contract_open(&c, game, setups)   setups: start texts, the last one NULL; or NULL
 *     contract_game(&c, index)  ...     one random game; its stream depends on name and index
 *     contract_close(&c)                the checks over all games
 *     c.failures, c.report              "pig game 17 ply 5: legal() gave the action 3 twice"
 *
 * The checks are in contract_rules.h (movers to key), contract_text.h (texts
 * in and out), contract_hooks.h (the optional functions); contract_run.h puts
 * them together.  This file has what they share: guarded memory, streams, the
 * report, and plain random play.
 */
#ifndef TESTS_CONTRACT_H
#define TESTS_CONTRACT_H

#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/observe.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONTRACT_GUARD = 64,     /* bytes or entries behind every buffer that must not change */
    CONTRACT_LOG = 2048,     /* dice of one apply */
    CONTRACT_TEXTS = 64,     /* action texts remembered to be tried elsewhere */
    CONTRACT_TEXT = 256,     /* bytes of the longest action text that is remembered */
    CONTRACT_KEYS = 1 << 16, /* positions remembered to compare keys */
    CONTRACT_OUTCOMES = 3000 /* passes of an enumeration before it is abandoned */
};

/* Memory for one state with a guard behind it. */
enum contract_slot {
    SLOT_STATE, /* the state of the game that is played */
    SLOT_NEXT,  /* the state after the move */
    SLOT_COPY,  /* scratch for single checks */
    SLOT_OTHER,
    SLOT_IMAGE, /* image of SLOT_STATE under a symmetry, or mirrored */
    SLOT_IMAGE_NEXT,
    SLOT_PLAY, /* plain random play from some position */
    SLOTS
};

struct contract_seen { /* a position that was met, as one viewer sees it */
    const char *name;  /* of the full key; NULL: this place is empty */
    uint64_t key, state;
    uint64_t legal, coarse; /* hash of movers and actions, which follow from a full key; else 0 */
    unsigned movers;
    int viewer;
};

struct contract {
    const struct banyan_game *game;
    const char *const *setups; /* borrowed; NULL at the end */
    int setup_count;
    int index, ply; /* the present game and ply, for messages */
    struct banyan_rng rng;

    int failures;
    char report[4096]; /* one line for each of the first failures */

    unsigned char *slot[SLOTS];
    banyan_action *legal[BANYAN_MAX_PLAYERS]; /* of SLOT_STATE: [max_legal + guard] */
    int count[BANYAN_MAX_PLAYERS];
    banyan_action *actions, *mapped; /* scratch of the same size */
    char *text, *text_2;             /* [BANYAN_TEXT_MAX + guard] */
    float *planes, *planes_2;        /* [C * H * W, or an observation, + guard] */
    struct banyan_die log[CONTRACT_LOG];

    char texts[CONTRACT_TEXTS][CONTRACT_TEXT];
    int text_count;
    struct contract_seen *seen; /* open addressing by key */
    int seen_count;
    float lo[BANYAN_MAX_PLAYERS], hi[BANYAN_MAX_PLAYERS]; /* what bounds() promised in this game */
    long positions;
    long keyed, merged; /* number of keys looked at; number of those that an earlier, different
                           state had */
    long determinized, determinized_changed;
};

static inline void *contract_alloc(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

/* Notes a failure unless ok; returns ok.  format and the rest say what was wrong. */
static inline bool contract_check(struct contract *c, bool ok, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
static inline bool contract_check(struct contract *c, bool ok, const char *format, ...)
{
    if (ok)
        return true;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t used = strlen(c->report);
    if (++c->failures <= 20)
        snprintf(c->report + used, sizeof c->report - used, "%s game %d ply %d: %s\n",
                 c->game->name, c->index, c->ply, message);
    return false;
}

/* True with probability 1/n. */
static inline bool contract_sometimes(struct contract *c, uint32_t n)
{
    return banyan_rng_below(&c->rng, n) == 0;
}

static inline uint64_t contract_hash(const void *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* --- slots --- */

static inline void *contract_slot(struct contract *c, enum contract_slot to)
{
    return c->slot[to];
}

static inline void *contract_copy(struct contract *c, enum contract_slot to, const void *state)
{
    return memcpy(c->slot[to], state, c->game->state_size);
}

static inline bool contract_same(const struct contract *c, const void *a, const void *b)
{
    return memcmp(a, b, c->game->state_size) == 0;
}

/* Fills a slot with garbage, so that init() has to define every byte. */
static inline void *contract_soil(struct contract *c, enum contract_slot to, int byte)
{
    return memset(c->slot[to], byte, c->game->state_size);
}

static inline void contract_check_guards(struct contract *c)
{
    for (int s = 0; s < SLOTS; ++s)
        for (int i = 0; i < CONTRACT_GUARD; ++i)
            if (!contract_check(c, c->slot[s][c->game->state_size + (size_t)i] == 0xa5,
                                "something wrote behind the state"))
                c->slot[s][c->game->state_size + (size_t)i] = 0xa5;
}

/* --- plain random play, with which rollouts are compared --- */

static inline int contract_first(unsigned movers)
{
    int player = 0;
    while (movers && !(movers >> player & 1))
        ++player;
    return player;
}

/* Chooses for every mover at random; the entries of the others are garbage. */
static inline void contract_choose(struct contract *c, const void *state, struct banyan_rng *rng,
                                   banyan_action joint[])
{
    unsigned movers = c->game->movers(c->game, state);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p) {
        joint[p] = UINT64_MAX;
        if (p >= c->game->players || !(movers >> p & 1))
            continue;
        int n = c->game->legal(c->game, state, p, c->actions);
        joint[p] = c->actions[n > 0 ? banyan_rng_below(rng, (uint32_t)n) : 0];
    }
}

/* Plays state to its end.  Returns the number of plies, or -1 if the game does not end within
 * max_plies or a position has no legal actions. */
static inline int contract_play_out(struct contract *c, void *state, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    banyan_dice_drawn(&dice, rng);
    for (int ply = 0; ply <= c->game->max_plies; ++ply) {
        unsigned movers = c->game->movers(c->game, state);
        if (movers == 0)
            return ply;
        for (int p = 0; p < c->game->players; ++p)
            if (movers >> p & 1) {
                int n = c->game->legal(c->game, state, p, c->actions);
                if (n < 1 || n > c->game->max_legal)
                    return -1;
            }
        contract_choose(c, state, rng, joint);
        c->game->apply(c->game, state, joint, &dice);
    }
    return -1;
}

/* --- opening and closing --- */

static inline size_t contract_planes(const struct banyan_game *game)
{
    return (size_t)game->planes[0] * (size_t)game->planes[1] * (size_t)game->planes[2];
}

/* Room for planes or for an observation. */
static inline float *contract_alloc_planes(const struct banyan_game *game)
{
    size_t planes = contract_planes(game), size = (size_t)banyan_observation_size(game);
    return contract_alloc(sizeof(float) * ((planes > size ? planes : size) + CONTRACT_GUARD));
}

static inline void contract_open(struct contract *c, const struct banyan_game *game,
                                 const char *const *setups)
{
    memset(c, 0, sizeof *c);
    c->game = game;
    c->setups = setups;
    while (setups && setups[c->setup_count])
        ++c->setup_count;
    for (int s = 0; s < SLOTS; ++s) {
        c->slot[s] = contract_alloc(game->state_size + CONTRACT_GUARD);
        memset(c->slot[s], 0xa5, game->state_size + CONTRACT_GUARD);
    }
    size_t actions = sizeof(banyan_action) * ((size_t)game->max_legal + CONTRACT_GUARD);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        c->legal[p] = contract_alloc(actions);
    c->actions = contract_alloc(actions);
    c->mapped = contract_alloc(actions);
    c->text = contract_alloc(BANYAN_TEXT_MAX + CONTRACT_GUARD);
    c->text_2 = contract_alloc(BANYAN_TEXT_MAX + CONTRACT_GUARD);
    c->planes = contract_alloc_planes(game);
    c->planes_2 = contract_alloc_planes(game);
    c->seen = calloc(CONTRACT_KEYS, sizeof *c->seen);
    if (!c->seen)
        abort();
}

static inline void contract_free(struct contract *c)
{
    for (int s = 0; s < SLOTS; ++s)
        free(c->slot[s]);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        free(c->legal[p]);
    free(c->actions);
    free(c->mapped);
    free(c->text);
    free(c->text_2);
    free(c->planes);
    free(c->planes_2);
    free(c->seen);
}

#endif
