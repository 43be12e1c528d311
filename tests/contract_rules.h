/* The contract: movers, legal, apply, returns, key; dice replayed and enumerated. */
#ifndef TESTS_CONTRACT_RULES_H
#define TESTS_CONTRACT_RULES_H

#include "contract.h"

static inline int contract_compare(const void *a, const void *b)
{
    banyan_action x = *(const banyan_action *)a, y = *(const banyan_action *)b;
    return x < y ? -1 : x > y;
}

/* Whether two lists hold the same actions; sorts both. */
static inline bool contract_same_set(banyan_action *a, int n, banyan_action *b, int m)
{
    if (n != m)
        return false;
    qsort(a, (size_t)n, sizeof *a, contract_compare);
    qsort(b, (size_t)n, sizeof *b, contract_compare);
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* --- the table of the game: its constants --- */

static inline bool contract_plain_name(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && n == strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
}

/* Checks the table of features: names, bounds, and that it covers the planes where it describes them. */
static inline void contract_check_features(struct contract *c)
{
    const struct banyan_game *g = c->game;
    int size = banyan_observation_size(g);
    for (const struct banyan_feature *f = g->features; f && f->name; ++f) {
        contract_check(c, contract_plain_name(f->name), "the name of feature '%s' is not plain",
                       f->name);
        contract_check(c, f->help && *f->help, "feature %s has no help", f->name);
        contract_check(c, f->shape[0] > 0 && f->min < f->max, "feature %s: shape or bounds",
                       f->name);
        contract_check(c, f->kind != BANYAN_FEATURE_FLAG || (f->min >= 0 && f->max <= 1),
                       "feature %s is a flag of %g..%g", f->name, (double)f->min, (double)f->max);
        for (const struct banyan_feature *other = g->features; other != f; ++other)
            contract_check(c, strcmp(other->name, f->name) != 0, "two features are called %s",
                           f->name);
    }
    contract_check(c, !g->observe || g->features, "observe() without features");
    contract_check(c, g->observe || !g->features || (size_t)size == contract_planes(g),
                   "the features have %d numbers, and the planes %zu", size, contract_planes(g));
}

static inline void contract_check_card(struct contract *c)
{
    const struct banyan_game *g = c->game;
    contract_check(c, contract_plain_name(g->name), "the name is not lower case, digits and '-'");
    contract_check(c, g->title && *g->title, "there is no title");
    for (int p = 0; g->player_names && p < g->players; ++p)
        contract_check(c, g->player_names[p] && *g->player_names[p], "player_names[%d] is empty",
                       p);
    contract_check(c, g->players >= 1 && g->players <= BANYAN_MAX_PLAYERS, "%d players",
                   g->players);
    int bytes = g->action_bytes;
    contract_check(c, bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "action_bytes is %d",
                   bytes);
    contract_check(c, g->max_legal >= 1 && g->max_plies >= 1, "max_legal %d, max_plies %d",
                   g->max_legal, g->max_plies);
    contract_check(c, g->return_min < g->return_max, "returns of %g..%g", (double)g->return_min,
                   (double)g->return_max);
    bool chance = (g->traits & BANYAN_CHANCE) != 0, hidden = (g->traits & BANYAN_HIDDEN) != 0;
    contract_check(c, chance == (g->dice_kinds != NULL),
                   "CHANCE without dice_kinds or the reverse");
    contract_check(c, g->struct_size == sizeof *g, "struct_size is not the size of the table");
    contract_check(c, !hidden || g->determinize, "HIDDEN without determinize()");
    contract_check(c, hidden || !g->coarse_keys, "coarse_keys() without HIDDEN");
    contract_check(c, (g->policy_size > 0) == (g->policy_index != NULL),
                   "policy_size without policy_index() or the reverse");
    contract_check(c, (contract_planes(g) > 0) == (g->encode != NULL),
                   "planes without encode() or the reverse");
    contract_check_features(c);
    contract_check(c, !g->symmetry == !g->symmetry_action && (g->symmetry || g->symmetries <= 1),
                   "symmetries without symmetry() or symmetry_action()");
    contract_check(c, !g->mirror == !g->mirror_action, "mirror() without mirror_action()");
    contract_check(c, !g->mirror || g->players == 2, "mirror() is for two players");
    for (const struct banyan_offer *offer = g->offers; offer && offer->name; ++offer)
        contract_check(c, offer->help && (offer->evaluator || offer->player),
                       "the offer '%s' has no help or offers nothing", offer->name);
}

/* --- movers and legal --- */

static inline unsigned contract_check_movers(struct contract *c, const void *state)
{
    const struct banyan_game *g = c->game;
    unsigned movers = g->movers(g, state);
    contract_check(c, movers >> g->players == 0, "movers() is %#x for %d players", movers,
                   g->players);
    contract_check(c, (movers & (movers - 1)) == 0 || (g->traits & BANYAN_SIMULTANEOUS),
                   "movers() is %#x in a game that is not SIMULTANEOUS", movers);
    return movers & ((1u << g->players) - 1);
}

static inline bool contract_distinct(struct contract *c, const banyan_action *actions, int n)
{
    memcpy(c->mapped, actions, (size_t)n * sizeof *actions);
    qsort(c->mapped, (size_t)n, sizeof *actions, contract_compare);
    for (int i = 1; i < n; ++i)
        if (!contract_check(c, c->mapped[i] != c->mapped[i - 1],
                            "legal() gave the action %llu twice", (unsigned long long)c->mapped[i]))
            return false;
    int bits = 8 * c->game->action_bytes;
    banyan_action most = n > 0 ? c->mapped[n - 1] : 0;
    return contract_check(c, bits == 64 || most >> bits == 0,
                          "legal() gave the action %llu, more than %d bytes hold",
                          (unsigned long long)most, c->game->action_bytes);
}

/* The legal actions of a mover into c->legal[player]; false when they cannot be used. */
static inline bool contract_check_legal(struct contract *c, const void *state, int player)
{
    const struct banyan_game *g = c->game;
    size_t room = (size_t)g->max_legal + CONTRACT_GUARD;
    memset(c->legal[player], 0xee, room * sizeof(banyan_action));
    int n = c->count[player] = g->legal(g, state, player, c->legal[player]);
    if (!contract_check(c, n >= 1 && n <= g->max_legal, "legal() gave %d actions, max_legal is %d",
                        n, g->max_legal))
        return false;
    for (size_t i = (size_t)g->max_legal; i < room; ++i)
        if (!contract_check(c, c->legal[player][i] == 0xeeeeeeeeeeeeeeeeu,
                            "legal() wrote behind out[max_legal]"))
            return false;
    int again = g->legal(g, contract_copy(c, SLOT_COPY, state), player, c->actions);
    contract_check(c,
                   again == n &&
                       memcmp(c->actions, c->legal[player], (size_t)n * sizeof(banyan_action)) == 0,
                   "legal() of the same state came out differently the second time");
    return contract_distinct(c, c->legal[player], n);
}

/* --- keys --- */

/* Checks that states of equal keys have equal movers, and those of equal full keys equal legal
 * actions and equal coarse keys. */
static inline void contract_remember_key(struct contract *c, const struct contract_seen *now)
{
    size_t at = (size_t)now->key % CONTRACT_KEYS;
    for (; c->seen[at].name; at = (at + 1) % CONTRACT_KEYS) {
        const struct contract_seen *old = &c->seen[at];
        if (old->key != now->key || old->viewer != now->viewer || old->name != now->name)
            continue;
        contract_check(c, old->movers == now->movers && old->legal == now->legal,
                       "%s equals that of a position with other movers or legal actions",
                       now->name);
        contract_check(c, old->coarse == now->coarse,
                       "coarse_keys() differ where key() of player %d is the same", now->viewer);
        c->merged += old->state != now->state;
        return;
    }
    if (c->seen_count < CONTRACT_KEYS * 3 / 4) {
        c->seen[at] = *now;
        ++c->seen_count;
    }
}

/* The coarse key; 0 in a game without. */
static inline uint64_t contract_coarse_key(const struct contract *c, const void *state, int viewer)
{
    uint64_t keys[BANYAN_MAX_PLAYERS] = {0};
    if (c->game->coarse_keys)
        c->game->coarse_keys(c->game, state, 1u << viewer, keys);
    return keys[viewer];
}

static inline void contract_check_key(struct contract *c, const void *state, unsigned movers)
{
    const struct banyan_game *g = c->game;
    const void *copy = contract_copy(c, SLOT_COPY, state);
    static const char full[] = "key()", rough[] = "coarse_keys()";
    uint64_t coarse[BANYAN_MAX_PLAYERS] = {0};
    if (g->coarse_keys)
        g->coarse_keys(g, state, movers, coarse);
    for (int viewer = 0; viewer < g->players; ++viewer) {
        uint64_t key = g->key(g, state, viewer);
        contract_check(c, g->key(g, copy, viewer) == key, "key() of a copy differs");
        if (!(movers >> viewer & 1))
            continue;
        contract_check(c, coarse[viewer] == contract_coarse_key(c, copy, viewer),
                       "coarse_keys() of player %d alone and with others differ", viewer);
        struct contract_seen now = {
            .name = full, .key = key, .coarse = coarse[viewer], .movers = movers, .viewer = viewer};
        size_t bytes = (size_t)c->count[viewer] * sizeof(banyan_action);
        now.state = contract_hash(state, g->state_size);
        now.legal = contract_hash(c->legal[viewer], bytes);
        contract_remember_key(c, &now);
        ++c->keyed;
        now = (struct contract_seen){
            .name = rough, .key = coarse[viewer], .movers = movers, .viewer = viewer};
        if (g->coarse_keys)
            contract_remember_key(c, &now);
    }
}

/* --- apply, with dice drawn, replayed and enumerated --- */

static inline void contract_check_log(struct contract *c, const struct banyan_dice *dice)
{
    int kinds = 0;
    while (c->game->dice_kinds && c->game->dice_kinds[kinds])
        ++kinds;
    contract_check(c, dice->log_count == 0 || (c->game->traits & BANYAN_CHANCE),
                   "apply() used dice in a game without CHANCE");
    for (int i = 0; i < dice->log_count; ++i)
        if (!contract_check(c, dice->log[i].kind >= 0 && dice->log[i].kind < kinds,
                            "apply() rolled dice of kind %d, dice_kinds names %d",
                            dice->log[i].kind, kinds))
            return;
}

/* Checks that the recorded dice give the same state when they are read from the record. */
static inline void contract_check_replay(struct contract *c, const banyan_action joint[],
                                         int log_count)
{
    struct banyan_dice dice;
    void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
    banyan_dice_recorded(&dice, c->log, log_count);
    c->game->apply(c->game, copy, joint, &dice);
    contract_check(c, !dice.failed, "recorded dice do not fit: %s", dice.message);
    contract_check(c, dice.next == log_count, "%d of %d recorded dice were used", dice.next,
                   log_count);
    contract_check(c, contract_same(c, copy, c->slot[SLOT_NEXT]),
                   "apply() with the recorded dice gave another state");
}

/* All outcomes together have probability 1, and the one that came up is among them. */
static inline void contract_check_outcomes(struct contract *c, const banyan_action joint[])
{
    struct banyan_dice dice;
    double sum = 0;
    bool found = false, more = true;
    banyan_dice_enumerated(&dice, NULL, 0);
    for (int pass = 0; more; ++pass) {
        void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
        c->game->apply(c->game, copy, joint, &dice);
        if (dice.failed || pass == CONTRACT_OUTCOMES)
            return; /* too many dice to enumerate, which is no fault */
        contract_check(c, dice.probability > 0 && dice.probability <= 1,
                       "an outcome has probability %g", dice.probability);
        sum += dice.probability;
        found = found || contract_same(c, copy, c->slot[SLOT_NEXT]);
        more = banyan_dice_advance(&dice);
    }
    contract_check(c, fabs(sum - 1) < 1e-9, "the probabilities of all outcomes sum to %.12f", sum);
    contract_check(c, found, "the outcome that came up is not among the enumerated ones");
}

/* Applies joint to SLOT_STATE, result in SLOT_NEXT; returns how many dice fell. */
static inline int contract_check_apply(struct contract *c, banyan_action joint[])
{
    const struct banyan_game *g = c->game;
    struct banyan_rng before = c->rng, again = c->rng;
    struct banyan_dice dice;
    void *next = contract_copy(c, SLOT_NEXT, c->slot[SLOT_STATE]);
    banyan_dice_drawn(&dice, &c->rng);
    dice.log = c->log;
    dice.log_max = CONTRACT_LOG;
    g->apply(g, next, joint, &dice);
    int dice_count = dice.log_count;
    contract_check_log(c, &dice);
    bool used = memcmp(&before, &c->rng, sizeof before) != 0;
    contract_check(c, !used || dice_count > 0, "apply() drew from the generator past its dice");

    unsigned movers = g->movers(g, c->slot[SLOT_STATE]);
    /* the entries of players who do not move are not read */
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        if (p >= g->players || !(movers >> p & 1))
            joint[p] = 0x5555555555555555u;
    void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
    banyan_dice_drawn(&dice, &again);
    g->apply(g, copy, joint, (g->traits & BANYAN_CHANCE) || dice_count > 0 ? &dice : NULL);
    contract_check(c, contract_same(c, copy, next),
                   "apply() of the same action with the same dice gave another state");
    if ((g->traits & BANYAN_CHANCE) && dice_count < CONTRACT_LOG) {
        contract_check_replay(c, joint, dice_count);
        if (contract_sometimes(c, 8) || c->index < 2)
            contract_check_outcomes(c, joint);
    }
    return dice_count;
}

/* --- the end --- */

static inline void contract_check_returns(struct contract *c, const void *state)
{
    const struct banyan_game *g = c->game;
    float out[BANYAN_MAX_PLAYERS + 1];
    double sum = 0, even = g->players * ((double)g->return_min + (double)g->return_max) / 2;
    for (int p = 0; p <= BANYAN_MAX_PLAYERS; ++p)
        out[p] = 12345;
    g->returns(g, state, out);
    for (int p = 0; p < g->players; ++p) {
        contract_check(c, out[p] >= g->return_min && out[p] <= g->return_max,
                       "returns() gave player %d %g, outside %g..%g", p, (double)out[p],
                       (double)g->return_min, (double)g->return_max);
        sum += (double)out[p];
    }
    contract_check(c, out[g->players] == 12345, "returns() wrote behind its players");
    contract_check(c, !(g->traits & BANYAN_ZERO_SUM) || fabs(sum - even) < 1e-4 * (1 + fabs(even)),
                   "returns() sum to %g, ZERO_SUM says %g", sum, even);
}

#endif
