/* The contract: movers, legal, apply, returns, key; dice replayed and enumerated. */
#include "contract/contract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int contract_compare(const void *a, const void *b)
{
    banyan_action x = *(const banyan_action *)a, y = *(const banyan_action *)b;
    return x < y ? -1 : x > y;
}

bool contract_same_set(banyan_action *a, int n, banyan_action *b, int m)
{
    if (n != m)
        return false;
    qsort(a, (size_t)n, sizeof *a, contract_compare);
    qsort(b, (size_t)n, sizeof *b, contract_compare);
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* --- movers and legal --- */

/* What legal() and returns() find in their buffers: every byte is CONTRACT_FILL. */
enum { CONTRACT_FILL = 0xee };
#define CONTRACT_UNWRITTEN 0xeeeeeeeeeeeeeeeeu

bool contract_check_movers(struct contract *c, const void *state, unsigned *movers)
{
    const struct banyan_game *g = c->game;
    *movers = contract_calls(c, "movers")->movers(g, state);
    contract_check(c, (*movers & (*movers - 1)) == 0 || (g->traits & BANYAN_SIMULTANEOUS),
                   "movers() is %#x in a game without BANYAN_SIMULTANEOUS", *movers);
    return contract_check(c, *movers >> g->players == 0, "movers() is %#x for %d players", *movers,
                          g->players);
}

static bool contract_distinct(struct contract *c, const banyan_action *actions, int n)
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
                          "legal() gave the action %llu, which does not fit into action_bytes = %d",
                          (unsigned long long)most, c->game->action_bytes);
}

/* Whether legal() of state gives c->legal[player] again. */
static bool contract_same_legal(struct contract *c, const void *state, int player)
{
    int n = c->count[player];
    return contract_calls(c, "legal")->legal(c->game, state, player, c->actions) == n &&
           memcmp(c->actions, c->legal[player], (size_t)n * sizeof *c->actions) == 0;
}

bool contract_check_legal(struct contract *c, const void *state, int player)
{
    const struct banyan_game *g = c->game;
    banyan_action *out = c->legal[player];
    size_t most = (size_t)g->max_legal;
    memset(out, CONTRACT_FILL, (most + CONTRACT_GUARD) * sizeof *out);
    int n = c->count[player] = contract_calls(c, "legal")->legal(g, state, player, out);
    if (!contract_check(c, n >= 1 && n <= g->max_legal, "legal() gave %d actions, max_legal is %d",
                        n, g->max_legal))
        return false;
    contract_check_kept(c, "legal()");
    int written = 0;
    for (int i = 0; i < n; ++i)
        written += out[i] != CONTRACT_UNWRITTEN;
    if (!contract_check(c, written == n, "legal() returned %d but wrote only %d actions", n,
                        written))
        return false;
    for (size_t i = most; i < most + CONTRACT_GUARD; ++i)
        if (!contract_check(c, out[i] == CONTRACT_UNWRITTEN,
                            "legal() wrote past the end of out[max_legal]"))
            return false;
    contract_check(c, contract_same_legal(c, contract_copy(c, SLOT_COPY, state), player),
                   "legal() of the same state came out differently the second time");
    return contract_distinct(c, out, n);
}

/* --- keys --- */

/* Checks that states of equal keys have equal movers, and that states of equal full keys also have
 * equal legal actions and equal coarse keys. */
static void contract_remember_key(struct contract *c, const struct contract_seen *now)
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

uint64_t contract_coarse_key(const struct contract *c, const void *state, int viewer)
{
    uint64_t keys[BANYAN_MAX_PLAYERS] = {0};
    if (c->game->coarse_keys)
        contract_calls(c, "coarse_keys")->coarse_keys(c->game, state, 1u << viewer, keys);
    return keys[viewer];
}

void contract_check_key(struct contract *c, const void *state, unsigned movers)
{
    const struct banyan_game *g = c->game;
    const void *copy = contract_copy(c, SLOT_COPY, state);
    static const char full[] = "key()", rough[] = "coarse_keys()";
    uint64_t coarse[BANYAN_MAX_PLAYERS] = {0};
    if (g->coarse_keys)
        contract_calls(c, "coarse_keys")->coarse_keys(g, state, movers, coarse);
    for (int viewer = 0; viewer < g->players; ++viewer) {
        uint64_t key = contract_calls(c, "key")->key(g, state, viewer);
        contract_check_kept(c, "key()");
        contract_check(c, contract_calls(c, "key")->key(g, copy, viewer) == key,
                       "key() of a copy differs");
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

static void contract_check_log(struct contract *c, const struct banyan_dice *dice)
{
    int kinds = 0;
    while (c->game->dice_kinds && c->game->dice_kinds[kinds])
        ++kinds;
    contract_check(c, dice->log_count == 0 || (c->game->traits & BANYAN_CHANCE),
                   "apply() used dice in a game without BANYAN_CHANCE");
    for (int i = 0; i < dice->log_count; ++i)
        if (!contract_check(c, dice->log[i].kind >= 0 && dice->log[i].kind < kinds,
                            "apply() rolled dice of kind %d, dice_kinds names %d",
                            dice->log[i].kind, kinds))
            return;
}

/* Checks that the recorded dice give the same state when they are read from the record. */
static void contract_check_replay(struct contract *c, const banyan_action joint[], int log_count)
{
    struct banyan_dice dice;
    void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
    banyan_dice_recorded(&dice, c->log, log_count);
    contract_calls(c, "apply")->apply(c->game, copy, joint, &dice);
    contract_check(c, !dice.failed, "recorded dice do not fit: %s", dice.message);
    contract_check(c, dice.next == log_count, "%d of %d recorded dice were used", dice.next,
                   log_count);
    contract_check(c, contract_same(c, copy, c->slot[SLOT_NEXT]),
                   "apply() with the recorded dice gave another state");
}

/* Counts a move, and whether it may roll for ever: it needed few dice, but asks for too many when
 * every die shows its lowest face.  Many dice alone are no fault. */
static void contract_count_dice(struct contract *c, bool failed, int drawn)
{
    ++c->rolled;
    c->rolled_on += failed && drawn <= BANYAN_DICE_MAX_ODOMETER / 2;
}

void contract_check_rolls(struct contract *c)
{
    contract_check(c, 4 * c->rolled_on <= c->rolled,
                   "apply() asks for more than %d dice: pick among what is possible instead of "
                   "rolling again",
                   BANYAN_DICE_MAX_ODOMETER);
}

/* Checks that all outcomes together have probability 1, and that the one that came up is among them. */
static void contract_check_outcomes(struct contract *c, const banyan_action joint[], int drawn)
{
    struct banyan_dice dice;
    double sum = 0;
    bool found = false, more = true;
    banyan_dice_enumerated(&dice, NULL, 0);
    for (int pass = 0; more; ++pass) {
        void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
        contract_calls(c, "apply")->apply(c->game, copy, joint, &dice);
        if (pass == 0)
            contract_count_dice(c, dice.failed, drawn);
        if (dice.failed || pass == CONTRACT_OUTCOMES)
            return;
        contract_check(c, dice.probability > 0 && dice.probability <= 1,
                       "an outcome has probability %g", dice.probability);
        sum += dice.probability;
        found = found || contract_same(c, copy, c->slot[SLOT_NEXT]);
        more = banyan_dice_advance(&dice);
    }
    contract_check(c, fabs(sum - 1) < 1e-9, "the probabilities of all outcomes sum to %.12f", sum);
    contract_check(c, found, "the outcome that came up is not among the enumerated ones");
}

/* Applies joint again with the same dice: the state must be the same, whatever joint has for players who do not
 * move. */
static void contract_check_again(struct contract *c, banyan_action joint[], struct banyan_rng luck,
                                 bool dice_needed)
{
    const struct banyan_game *g = c->game;
    unsigned movers = contract_calls(c, "movers")->movers(g, c->slot[SLOT_STATE]);
    struct banyan_dice dice;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        if (p >= g->players || !(movers >> p & 1))
            joint[p] = 0x5555555555555555u;
    void *copy = contract_copy(c, SLOT_COPY, c->slot[SLOT_STATE]);
    banyan_dice_drawn(&dice, &luck);
    contract_calls(c, "apply")->apply(g, copy, joint, dice_needed ? &dice : NULL);
    contract_check(c, contract_same(c, copy, c->slot[SLOT_NEXT]),
                   "apply() of the same action with the same dice gave another state");
}

/* Plays another move in a copy of the state, and then joint in a second copy: the other move may leave no trace
 * outside its copy. */
static void contract_check_alone(struct contract *c, const banyan_action joint[],
                                 struct banyan_rng luck)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    banyan_action other[BANYAN_MAX_PLAYERS];
    struct banyan_rng own;
    struct banyan_dice dice;
    banyan_rng_seed(&own, luck.s[0]);
    contract_choose(c, state, &own, other);
    banyan_dice_drawn(&dice, &own);
    contract_calls(c, "apply")->apply(g, contract_copy(c, SLOT_COPY, state), other, &dice);
    unsigned movers = contract_calls(c, "movers")->movers(g, state);
    for (int p = 0; p < g->players; ++p)
        contract_check(c, !(movers >> p & 1) || contract_same_legal(c, state, p),
                       "legal() changes when apply() plays in a copy of the state: all that a game "
                       "remembers must be in the state");
    void *copy = contract_copy(c, SLOT_COPY, state);
    banyan_dice_drawn(&dice, &luck);
    contract_calls(c, "apply")->apply(g, copy, joint, &dice);
    contract_check(c, contract_same(c, copy, c->slot[SLOT_NEXT]),
                   "apply() gives another state after another action was played in a copy: all "
                   "that a game remembers must be in the state");
}

int contract_check_apply(struct contract *c, banyan_action joint[])
{
    const struct banyan_game *g = c->game;
    struct banyan_rng before = c->rng;
    struct banyan_dice dice;
    bool chance = g->traits & BANYAN_CHANCE;
    void *next = contract_copy(c, SLOT_NEXT, c->slot[SLOT_STATE]);
    banyan_dice_drawn(&dice, &c->rng);
    dice.log = c->log;
    dice.log_max = CONTRACT_LOG;
    contract_calls(c, "apply")->apply(g, next, joint, &dice);
    contract_check_guard(c, SLOT_NEXT, "apply()");
    int dice_count = dice.log_count;
    contract_check_log(c, &dice);
    bool used = memcmp(&before, &c->rng, sizeof before) != 0;
    contract_check(c, !used || dice_count > 0,
                   "apply() drew from the generator without using its dice");
    contract_check_again(c, joint, before, chance || dice_count > 0);
    if (c->index < 4 || (c->index + c->ply) % 4 == 0)
        contract_check_alone(c, joint, before);
    if (chance && dice_count < CONTRACT_LOG) {
        contract_check_replay(c, joint, dice_count);
        if (contract_sometimes(c, 8) || c->index < 2)
            contract_check_outcomes(c, joint, dice_count);
    }
    return dice_count;
}

/* --- the end --- */

/* Whether player's result was written, and is in the range of returns. */
static bool contract_check_return(struct contract *c, int player, float out)
{
    const struct banyan_game *g = c->game;
    return contract_check(c, !contract_all(&out, CONTRACT_FILL, sizeof out),
                          "returns() did not write the result of player %d", player) &&
           contract_check(c, out >= g->return_min && out <= g->return_max,
                          "returns() gave player %d %g, outside return_min..return_max, which is "
                          "%g..%g",
                          player, (double)out, (double)g->return_min, (double)g->return_max);
}

bool contract_check_returns(struct contract *c, const void *state)
{
    const struct banyan_game *g = c->game;
    float out[BANYAN_MAX_PLAYERS + CONTRACT_GUARD];
    double sum = 0, even = g->players * ((double)g->return_min + (double)g->return_max) / 2;
    bool right = true;
    memset(out, CONTRACT_FILL, sizeof out);
    contract_calls(c, "returns")->returns(g, state, out);
    for (int p = 0; p < g->players; ++p) {
        right = contract_check_return(c, p, out[p]) && right;
        sum += (double)out[p];
    }
    size_t rest = (size_t)(BANYAN_MAX_PLAYERS + CONTRACT_GUARD - g->players) * sizeof *out;
    contract_check(c, contract_all(out + g->players, CONTRACT_FILL, rest),
                   "returns() wrote past the end of its players");
    contract_check(
        c, !right || !(g->traits & BANYAN_ZERO_SUM) || fabs(sum - even) < 1e-4 * (1 + fabs(even)),
        "returns() sum to %g; with BANYAN_ZERO_SUM they must sum to %g", sum, even);
    return right;
}

/* --- over all games --- */

/* Checks that at most three of four keys are those of an earlier, different position (not in games with hidden
 * information), and that every bit is set in about half of the keys. */
void contract_check_keys(struct contract *c)
{
    int bits[64] = {0}, n = 0;
    for (int i = 0; i < CONTRACT_KEYS; ++i) {
        if (!c->seen[i].name)
            continue;
        ++n;
        for (int b = 0; b < 64; ++b)
            bits[b] += (int)(c->seen[i].key >> b & 1);
    }
    c->index = c->ply = -1;
    contract_check(c, (c->game->traits & BANYAN_HIDDEN) || c->merged * 4 <= c->keyed * 3,
                   "key() of %ld in %ld positions is that of a different one", c->merged, c->keyed);
    for (int b = 0; b < 64 && n >= 500; ++b)
        contract_check(
            c, fabs(bits[b] - n / 2.0) < 6 * sqrt(n) / 2,
            "bit %d is set in %d of %d different keys: the hash does not mix its input well", b,
            bits[b], n);
}
