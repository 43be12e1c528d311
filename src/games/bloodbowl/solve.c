/* Computes exact values on the smallest pitch, with one player a side. */
#include "games/bloodbowl/solve.h"
#include "base/rng.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

#include <stdlib.h>
#include <string.h>

enum { SOLVE_LEGAL = 512 };

struct solve_entry {
    uint64_t key; /* 0: empty */
    double value;
};

struct solve {
    struct solve_entry *entry; /* [mask + 1] */
    size_t mask, count;
    int score[2], half; /* at the start of the drive */
    bool full;
    double least;
    uint8_t coarse[BB_DICE];
    uint16_t cuts[BB_DICE];
};

enum banyan_status solve_create(struct solve **out, size_t entries, double least,
                                struct banyan_error *err)
{
    struct solve *solve = *out = calloc(1, sizeof *solve);
    if (solve)
        solve->entry = calloc(entries, sizeof *solve->entry);
    if (!solve || !solve->entry) {
        solve_destroy(solve);
        *out = NULL;
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the table of exact values");
    }
    solve->mask = entries - 1;
    solve->least = least;
    solve->coarse[BB_DIE_CASUALTY] = 1;
    solve->coarse[BB_DIE_ARMOR] = solve->coarse[BB_DIE_INJURY] = BANYAN_DICE_PAIR;
    solve->cuts[BB_DIE_ARMOR] = 1 << 9;            /* an armour of 8 holds, or it breaks */
    solve->cuts[BB_DIE_INJURY] = 1 << 8 | 1 << 10; /* stunned, knocked out, casualty */
    return BANYAN_OK;
}

void solve_destroy(struct solve *solve)
{
    if (!solve)
        return;
    free(solve->entry);
    free(solve);
}

size_t solve_count(const struct solve *solve)
{
    return solve->count;
}

/* --- memory --- */

static uint64_t solve_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

static uint64_t solve_team(const struct bb_state *s, int team, uint64_t hash)
{
    const struct bb_team *t = &s->team[team];
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        const struct bb_player *who = &s->player[i];
        if (bb_on_pitch(s, i))
            hash = solve_mix(hash, (uint64_t)i << 48 | (uint64_t)who->square << 32 |
                                       (uint64_t)who->flags << 16 | (uint64_t)who->moves << 8 |
                                       who->used);
    }
    return solve_mix(hash, (uint64_t)t->turn << 24 | (uint64_t)t->rerolls << 16 |
                               (uint64_t)t->reroll_used << 8 | t->bribes);
}

/* The key: everything that the rest of the drive depends on. */
static uint64_t solve_key(const struct bb_state *s)
{
    uint64_t hash = 0x2545f4914f6cdd1du, words[2];
    hash = solve_team(s, BB_HOME, hash);
    hash = solve_team(s, BB_AWAY, hash);
    hash = solve_mix(hash, (uint64_t)s->ball | (uint64_t)s->ball_carried << 16 |
                               (uint64_t)s->ball_out << 17 | (uint64_t)s->ball_on_ground << 18 |
                               (uint64_t)s->round << 24 | (uint64_t)s->weather << 32 |
                               (uint64_t)s->current << 40 | (uint64_t)s->active << 48 |
                               (uint64_t)s->activation << 56);
    hash = solve_mix(hash, (uint64_t)s->order << 8 | s->kick_drive);
    for (int i = 0; i < s->depth; ++i) {
        memcpy(words, &s->frame[i], sizeof words);
        hash = solve_mix(hash, words[0]);
        hash = solve_mix(hash, words[1]);
    }
    hash = rng_mix(hash);
    return hash ? hash : 1;
}

/* The entry of key, or the free entry for it. */
static struct solve_entry *solve_find(struct solve *solve, uint64_t key)
{
    size_t at = (size_t)key & solve->mask;
    while (solve->entry[at].key && solve->entry[at].key != key)
        at = (at + 1) & solve->mask;
    return &solve->entry[at];
}

/* --- expectimax --- */

static double solve_look(struct solve *solve, const struct bb_state *s);

static double solve_chance(struct solve *solve, const struct bb_state *s, banyan_action packed)
{
    struct bb_action action = bb_action_unpack(s, packed);
    struct banyan_dice dice;
    double sum = 0;
    banyan_dice_enumerated(&dice, solve->coarse, BB_DICE);
    dice.least = solve->least;
    dice.cuts = solve->cuts;
    do {
        struct bb_state copy = *s;
        bb_apply(&copy, &action, &dice);
        sum += dice.probability * solve_look(solve, &copy);
    } while (banyan_dice_advance(&dice));
    return sum;
}

/* Whether the action is considered.  Left out are passes, hand-offs and fouls, and START_MOVE of a
 * standing player while a blitz is left: a blitz without its block does the same. */
static bool solve_counts(const struct bb_state *s, banyan_action action)
{
    int type = action & 63, player = (int)(action >> 6 & 63) - 1;
    const struct bb_frame *turn = bb_turn_frame(s);
    if (type == BB_DO_START_MOVE && turn && turn->bits & BB_TURN_BLITZ && bb_is(s, player, BB_UP))
        return false;
    return type != BB_DO_START_PASS && type != BB_DO_START_HANDOFF && type != BB_DO_START_FOUL;
}

static double solve_best(struct solve *solve, const struct bb_state *s)
{
    banyan_action legal[SOLVE_LEGAL];
    bool home = bb_asked(s) == BB_HOME;
    double best = home ? -2 : 2;
    int n = bb_legal(s, legal);
    for (int i = 0; i < n && !solve->full; ++i) {
        if (!solve_counts(s, legal[i]))
            continue;
        double value = solve_chance(solve, s, legal[i]);
        if (home ? value > best : value < best)
            best = value;
    }
    return best;
}

static double solve_look(struct solve *solve, const struct bb_state *s)
{
    if (s->team[BB_HOME].score != solve->score[BB_HOME])
        return 1;
    if (s->team[BB_AWAY].score != solve->score[BB_AWAY])
        return -1;
    if (s->over || s->half != solve->half || solve->full)
        return 0;
    uint64_t key = solve_key(s);
    struct solve_entry *entry = solve_find(solve, key);
    if (entry->key)
        return entry->value;
    if (4 * solve->count >= 3 * solve->mask) {
        solve->full = true;
        return 0;
    }
    entry->key = key;
    entry->value = 0; /* while the position is being evaluated */
    ++solve->count;
    return entry->value = solve_best(solve, s);
}

static enum banyan_status solve_open(struct solve *solve, const struct bb_state *s,
                                     struct banyan_error *err)
{
    if (s->variant != 0 || s->paths)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "exact values can only be computed for bloodbowl-1 in step mode");
    if (s->over || !s->ball_out || !bb_turn_frame(s))
        return banyan_fail(err, BANYAN_INVALID, "the ball must be in play");
    solve->score[BB_HOME] = s->team[BB_HOME].score;
    solve->score[BB_AWAY] = s->team[BB_AWAY].score;
    solve->half = s->half;
    return BANYAN_OK;
}

static enum banyan_status solve_close(const struct solve *solve, struct banyan_error *err)
{
    return solve->full
               ? banyan_fail(err, BANYAN_NO_MEMORY,
                             "the table of exact values is full: %zu positions", solve->count)
               : BANYAN_OK;
}

enum banyan_status solve_value(struct solve *solve, const struct bb_state *state, double *value,
                               struct banyan_error *err)
{
    enum banyan_status status = solve_open(solve, state, err);
    if (status != BANYAN_OK)
        return status;
    *value = solve_look(solve, state);
    return solve_close(solve, err);
}

enum banyan_status solve_action(struct solve *solve, const struct bb_state *state,
                                banyan_action action, double *value, struct banyan_error *err)
{
    enum banyan_status status = solve_open(solve, state, err);
    if (status != BANYAN_OK)
        return status;
    *value = solve_chance(solve, state, action);
    return solve_close(solve, err);
}
