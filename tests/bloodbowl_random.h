/* Random games of Blood Bowl: any size, race or skills, with both modes of movement, of requests and of play.
 *
 * Each game is played twice, once as it is and once mirrored, with the same dice; at every decision
 * the two states must be mirror images of each other.
 */
#ifndef TESTS_BLOODBOWL_RANDOM_H
#define TESTS_BLOODBOWL_RANDOM_H

#include "games/bloodbowl/bloodbowl.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <stdio.h>
#include <string.h>

enum { RANDOM_LEGAL = BB_MAX_LEGAL + 64, RANDOM_LOG = 8192 };

struct random_game {
    struct banyan_rng rng;
    struct bb_state state, image, other;
    banyan_action legal[RANDOM_LEGAL], mirrored[RANDOM_LEGAL];
    struct banyan_die log[RANDOM_LOG];
    char setup[BANYAN_TEXT_MAX];
    char failure[256]; /* empty: there was no failure */
    long decisions;
};

static inline const char *random_word(struct random_game *g, const char *const words[], int n)
{
    return words[banyan_rng_below(&g->rng, (uint32_t)n)];
}

/* A roster, or humans with up to four extra skills each. */
static inline void random_team(struct random_game *g, int variant, const char *key)
{
    size_t at = strlen(g->setup), room = sizeof g->setup - at;
    int rosters = 0;
    while (bb_rosters[rosters].name)
        ++rosters;
    if (banyan_rng_below(&g->rng, 2)) {
        int roster = bb_variants[variant].number == 11
                         ? 4 + (int)banyan_rng_below(&g->rng, (uint32_t)rosters - 4)
                         : variant;
        snprintf(g->setup + at, room, " %s=%s", key, bb_rosters[roster].name);
        return;
    }
    int players = bb_variants[variant].pitch_max + 1 + (int)banyan_rng_below(&g->rng, 3);
    at += (size_t)snprintf(g->setup + at, room, " %s={%u %u 1 2 %u %u", key,
                           banyan_rng_below(&g->rng, 4), banyan_rng_below(&g->rng, 9),
                           banyan_rng_below(&g->rng, 2), banyan_rng_below(&g->rng, 2));
    for (int i = 1; i <= players; ++i) {
        at += (size_t)snprintf(g->setup + at, sizeof g->setup - at, "; %d %u %u %u %u", i,
                               2 + banyan_rng_below(&g->rng, 8), 1 + banyan_rng_below(&g->rng, 6),
                               1 + banyan_rng_below(&g->rng, 6), 6 + banyan_rng_below(&g->rng, 5));
        for (uint32_t k = banyan_rng_below(&g->rng, 5); k > 0; --k)
            at += (size_t)snprintf(g->setup + at, sizeof g->setup - at, " %s",
                                   random_word(g, bb_skill_names, BB_SKILLS));
    }
    snprintf(g->setup + at, sizeof g->setup - at, "}");
}

static inline bool random_start(struct random_game *g, uint64_t seed)
{
    static const char *const modes[] = {"step", "path"}, *const asks[] = {"bot", "human"};
    char some[24];
    const char *const quirks[] = {"botbowl", "rules", some}; /* some: a random set of deviations */
    struct banyan_error err;
    banyan_rng_seed(&g->rng, seed);
    int variant = (int)banyan_rng_below(&g->rng, BB_VARIANTS);
    g->failure[0] = 0;
    uint64_t bits = banyan_rng_below(&g->rng, 1u << 20);
    bits = bits << 20 | (banyan_rng_below(&g->rng, 1u << 20) & ~1u);
    snprintf(some, sizeof some, "%llu", (unsigned long long)bits);
    snprintf(g->setup, sizeof g->setup, "mode=%s ask=%s quirks=%s", random_word(g, modes, 2),
             random_word(g, asks, 2), random_word(g, quirks, 3));
    random_team(g, variant, "home");
    random_team(g, variant, "away");
    if (bb_parse(&g->state, variant, g->setup, &err) != BANYAN_OK) {
        snprintf(g->failure, sizeof g->failure, "%.200s", err.message);
        return false;
    }
    bb_mirror(&g->state, &g->image);
    return true;
}

static inline bool random_fails(struct random_game *g, const char *what)
{
    snprintf(g->failure, sizeof g->failure, "%s after %ld decisions, %s asks", what, g->decisions,
             g->state.depth ? bb_procedure_names[g->state.frame[g->state.depth - 1].procedure]
                            : "nobody");
    return false;
}

/* The image must offer the mirrored actions, in any order. */
static inline bool random_same_choices(struct random_game *g, int n)
{
    if (bb_legal(&g->image, g->mirrored) != n)
        return false;
    for (int i = 0; i < n; ++i) {
        banyan_action wanted = bb_mirror_action(&g->state, g->legal[i]);
        int k = i; /* usually in the same order */
        if (g->mirrored[k] != wanted)
            for (k = 0; k < n && g->mirrored[k] != wanted;)
                ++k;
        if (k == n)
            return false;
    }
    return true;
}

/* Whether bb_random_action, which makes no list, draws one of the n legal actions. */
static inline bool random_draws_from(const struct random_game *g, int n)
{
    struct banyan_rng rng = g->rng;
    struct bb_action action = bb_random_action(&g->state, &rng);
    banyan_action packed = bb_action_pack(&action);
    int i = 0;
    while (i < n && g->legal[i] != packed)
        ++i;
    return i < n;
}

static inline bool random_decide(struct random_game *g)
{
    struct banyan_dice dice, again;
    int n = bb_legal(&g->state, g->legal);
    if (n < 1)
        return random_fails(g, "no legal action");
    if (!random_same_choices(g, n))
        return random_fails(g, "the mirrored state offers other actions");
    if (!random_draws_from(g, n))
        return random_fails(g, "bb_random_action draws an action that is not in the list");
    banyan_action chosen = g->legal[banyan_rng_below(&g->rng, (uint32_t)n)];
    struct bb_action action = bb_action_unpack(&g->state, chosen);
    struct bb_action image = bb_action_unpack(&g->image, bb_mirror_action(&g->state, chosen));
    if (bb_action_pack(&action) != chosen)
        return random_fails(g, "an action does not survive unpacking");
    banyan_dice_drawn(&dice, &g->rng);
    dice.log = g->log;
    dice.log_max = RANDOM_LOG;
    bb_apply(&g->state, &action, &dice);
    banyan_dice_recorded(&again, g->log, dice.log_count);
    bb_apply(&g->image, &image, &again);
    if (again.failed || again.next != again.count)
        return random_fails(g, "the mirrored state rolls other dice");
    bb_mirror(&g->image, &g->other);
    if (memcmp(&g->state, &g->other, sizeof g->state) != 0)
        return random_fails(g, "the mirrored game goes another way");
    ++g->decisions;
    return true;
}

/* True when the game of this seed was played to its end without a failure. */
static inline bool random_play(struct random_game *g, uint64_t seed)
{
    if (!random_start(g, seed))
        return false;
    for (long left = BB_MAX_PLIES; bb_asked(&g->state) != BB_NOBODY; --left) {
        if (left == 0)
            return random_fails(g, "no end");
        if (!random_decide(g))
            return false;
    }
    return g->state.over || random_fails(g, "nobody is asked, but it is not over");
}

#endif
