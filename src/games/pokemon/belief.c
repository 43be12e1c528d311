/* A player's belief about the other's Pokémon (weighted sets), and states drawn from it. */
#include "games/pokemon/belief.h"

#include "games/pokemon/battle.h"
#include "games/pokemon/redraw.h"

#include "base/rng.h"

#include <string.h>

/* --- candidates --- */

/* The species in whose entry a forme is listed: the crowned formes are listed under Zacian and
 * Zamazenta, which become them by their items. */
static int belief_listed(int species)
{
    return species == SPECIES_ZACIANCROWNED      ? SPECIES_ZACIAN
           : species == SPECIES_ZAMAZENTACROWNED ? SPECIES_ZAMAZENTA
                                                 : species;
}

/* The index of the first entry of a species, or where it would be: entries are sorted by species.
 */
static int belief_first_entry(int species)
{
    int low = 0, high = dex_entry_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (dex_entries[middle].species < species)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct belief_candidates belief_candidates(const struct pokemon_mon *mon)
{
    struct belief_candidates of = {0};
    int species = belief_listed(mon->set_species);
    for (int i = belief_first_entry(species); i < dex_entry_count && !of.entry; ++i) {
        if (dex_entries[i].species != species)
            return of;
        if (dex_entries[i].level == mon->level)
            of.entry = &dex_entries[i];
    }
    if (!of.entry)
        return of;
    of.first = of.entry->first_set;
    of.count = of.plain = of.entry->sets;
    const struct dex_entry *next = of.entry + 1;
    if (next < dex_entries + dex_entry_count && next->species == of.entry->species &&
        next->level == of.entry->level && next->first_set == of.first + of.count)
        of.count += next->sets;
    if (of.count > BELIEF_SETS)
        of.count = BELIEF_SETS;
    return of;
}

const struct dex_entry *belief_entry_of(const struct belief_candidates *of, int candidate)
{
    return of->entry + (candidate >= of->plain);
}

void belief_start(struct belief *belief, int viewer)
{
    memset(belief, 0, sizeof *belief);
    belief->viewer = viewer;
    belief->trapped = -1;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        for (int k = 0; k < BELIEF_SETS; ++k)
            belief->mons[i].factor[k] = 1;
}

/* --- what was seen --- */

static bool belief_has_move(const struct dex_set *set, int move)
{
    for (int i = 0; i < 4; ++i)
        if (set->moves[i] == move)
            return true;
    return false;
}

static bool belief_brought(const struct belief_mon *belief, const struct pokemon_mon *mon,
                           int *item)
{
    *item = belief->brought_known ? belief->brought : mon->item ? mon->item : mon->last_item;
    return belief->brought_known || ((mon->seen & SEEN_ITEM) && *item); /* item 0: taken away */
}

static bool belief_fits(const struct belief_mon *belief, const struct pokemon_mon *mon,
                        const struct dex_set *set)
{
    int item;
    for (int i = 0; i < mon->slots.count; ++i)
        if ((mon->seen >> i & 1) && !belief_has_move(set, mon->slots.id[i]))
            return false;
    if (belief_brought(belief, mon, &item) && set->item != item)
        return false;
    return !(mon->seen & SEEN_ABILITY) || set->ability == mon->set_ability ||
           mon->set_species != belief_listed(mon->set_species);
}

void belief_weights(const struct belief_mon *belief, const struct pokemon_mon *mon,
                    const struct belief_candidates *of, float *weight)
{
    float total = 0;
    for (int i = 0; i < of->count; ++i) {
        const struct dex_set *set = &dex_sets[of->first + i];
        weight[i] = belief_fits(belief, mon, set) ? (float)set->count * belief->factor[i] : 0;
        total += weight[i];
    }
    for (int i = 0; total > 0 && i < of->count; ++i)
        weight[i] /= total;
}

double belief_fit(const struct belief_mon *belief, const struct pokemon_mon *mon)
{
    struct belief_candidates of = belief_candidates(mon);
    double fits = 0;
    for (int i = 0; i < of.count; ++i)
        if (belief_fits(belief, mon, &dex_sets[of.first + i]))
            fits += (double)belief->factor[i] * dex_sets[of.first + i].count;
    return fits;
}

/* --- combinations that were never drawn: probabilities of their parts --- */

/* How many of the drawn sets have the move. */
static double belief_move_count(const struct belief_candidates *of, int move)
{
    double count = 0;
    for (int i = 0; i < of->count; ++i)
        if (belief_has_move(&dex_sets[of->first + i], move))
            count += dex_sets[of->first + i].count;
    return count;
}

/* The probability that the moves of the set `left` (bits) are drawn one after the other, in any order.
 * count[]: how often each was drawn; total: the sum of the counts of all moves that are still possible. */
static double belief_orders(const double *count, unsigned left, double total)
{
    if (!left)
        return 1;
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        if (left >> i & 1)
            sum += count[i] / total * belief_orders(count, left & ~(1u << i), total - count[i]);
    return sum;
}

static double belief_strange_moves(const struct pokemon_mon *mon,
                                   const struct belief_candidates *of, const struct dex_set *truth)
{
    double count[4] = {0}, total = 0;
    unsigned left = 0;
    for (int i = 0; i < of->count; ++i)
        for (int k = 0; k < 4; ++k)
            total += dex_sets[of->first + i].moves[k] ? dex_sets[of->first + i].count : 0;
    for (int i = 0; i < 4 && truth->moves[i]; ++i) {
        bool seen = false;
        count[i] = belief_move_count(of, truth->moves[i]);
        for (int k = 0; k < mon->slots.count; ++k)
            seen |= (mon->seen >> k & 1) && mon->slots.id[k] == truth->moves[i];
        if (seen)
            total -= count[i];
        else
            left |= 1u << i;
    }
    return total > 0 ? belief_orders(count, left, total) : 1;
}

static double belief_strange_rest(const struct belief_mon *belief, const struct pokemon_mon *mon,
                                  const struct belief_candidates *of, const struct dex_set *truth)
{
    double items = 0, abilities = 0, total = 0;
    int item;
    for (int i = 0; i < of->count; ++i) {
        const struct dex_set *set = &dex_sets[of->first + i];
        total += set->count;
        items += set->item == truth->item ? set->count : 0;
        abilities += set->ability == truth->ability ? set->count : 0;
    }
    double share = 1;
    if (!belief_brought(belief, mon, &item))
        share *= items / total;
    if (!(mon->seen & SEEN_ABILITY))
        share *= abilities / total;
    return share;
}

static bool belief_same_set(const struct dex_set *a, const struct dex_set *b)
{
    bool same = a->item == b->item && a->ability == b->ability;
    for (int i = 0; i < 4; ++i)
        same &= belief_has_move(b, a->moves[i]);
    return same;
}

double belief_probability(const struct belief_mon *belief, const struct pokemon_mon *mon,
                          const struct dex_set *truth)
{
    float weight[BELIEF_SETS];
    struct belief_candidates of = belief_candidates(mon);
    if (!of.count)
        return BELIEF_ALIEN;
    belief_weights(belief, mon, &of, weight);
    double share = 0, drawn = 0;
    for (int i = 0; i < of.count; ++i) {
        drawn += (double)weight[i];
        if (belief_same_set(&dex_sets[of.first + i], truth))
            share += (double)weight[i];
    }
    double strange = drawn > 0 ? BELIEF_STRANGE : 1;
    share = (1 - strange) * share + strange * belief_strange_moves(mon, &of, truth) *
                                        belief_strange_rest(belief, mon, &of, truth);
    return share > BELIEF_ALIEN ? share : BELIEF_ALIEN;
}

/* --- drawing --- */

/* Draws a candidate by its count.  possible[]: by candidate, at least one is true; NULL: all are
 * possible. */
static int belief_by_count(const struct belief_candidates *of, const bool *possible,
                           struct banyan_rng *rng)
{
    uint32_t total = 0;
    for (int i = 0; i < of->count; ++i)
        total += !possible || possible[i] ? dex_sets[of->first + i].count : 0;
    uint32_t at = rng_below(rng, total);
    for (int i = 0;; ++i) {
        uint32_t count = !possible || possible[i] ? dex_sets[of->first + i].count : 0;
        if (at < count)
            return i;
        at -= count;
    }
}

static int belief_by_weight(const float *weight, int count, struct banyan_rng *rng)
{
    float at = (float)(rng_next(rng) >> 40) * (1.0f / 16777216.0f);
    int last = -1;
    for (int i = 0; i < count; ++i) {
        if (weight[i] <= 0)
            continue;
        last = i;
        if (at < weight[i])
            return i;
        at -= weight[i];
    }
    return last;
}

/* Draws moves and item from different candidates. */
static void belief_mix(const struct belief_candidates *of, const struct pokemon_mon *mon,
                       struct dex_set *set, struct banyan_rng *rng)
{
    set->item = dex_sets[of->first + belief_by_count(of, NULL, rng)].item;
    int count = 0;
    uint16_t moves[4] = {0};
    for (int k = 0; k < mon->slots.count; ++k)
        if (mon->seen >> k & 1)
            moves[count++] = (uint16_t)mon->slots.id[k];
    for (int tries = 0; count < 4 && tries < 64; ++tries) {
        int move = dex_sets[of->first + belief_by_count(of, NULL, rng)].moves[rng_below(rng, 4)];
        bool known = false;
        for (int k = 0; k < count; ++k)
            known |= moves[k] == move;
        if (move && !known)
            moves[count++] = (uint16_t)move;
    }
    memcpy(set->moves, moves, sizeof moves);
}

/* Draws a set and returns the candidate's index.  possible[]: by candidate; NULL: all are possible.
 */
static int belief_draw_set(const struct belief_mon *belief, const struct pokemon_mon *mon,
                           const struct belief_candidates *of, const bool *possible,
                           struct dex_set *set, struct banyan_rng *rng)
{
    float weight[BELIEF_SETS];
    belief_weights(belief, mon, of, weight);
    float total = possible ? 0 : 1;
    for (int i = 0; possible && i < of->count; ++i)
        total += weight[i] = possible[i] ? weight[i] : 0;
    for (int i = 0; total > 0 && i < of->count; ++i)
        weight[i] /= total;
    bool strange = rng_below(rng, 1000) < (uint32_t)(1000 * BELIEF_STRANGE);
    int chosen = strange ? -1 : belief_by_weight(weight, of->count, rng);
    if (chosen >= 0) {
        *set = dex_sets[of->first + chosen];
        return chosen;
    }
    chosen = belief_by_count(of, possible, rng);
    *set = dex_sets[of->first + chosen];
    if (!possible)
        set->ability = dex_sets[of->first + belief_by_count(of, NULL, rng)].ability;
    belief_mix(of, mon, set, rng);
    return chosen;
}

int belief_hp(int hp, int max_hp, int new_max)
{
    if (hp <= 0 || hp >= max_hp || max_hp == new_max)
        return hp >= max_hp ? new_max : hp;
    int percent = (100 * hp + max_hp - 1) / max_hp;
    int value = percent * new_max / 100;
    if (value < 1)
        value = 1;
    if (value >= new_max)
        value = new_max - 1;
    if ((100 * value + new_max - 1) / new_max < percent && value + 1 < new_max)
        ++value;
    return value;
}

/* Takes over the effort and individual values of the set, from which stats and hp follow. */
static void belief_take_spread(struct pokemon_mon *mon, struct pokemon_active *active,
                               const struct dex_spread *spread)
{
    uint16_t stats[STAT_COUNT];
    if (memcmp(mon->evs, spread->evs, sizeof mon->evs) == 0 &&
        memcmp(mon->ivs, spread->ivs, sizeof mon->ivs) == 0)
        return;
    memcpy(mon->evs, spread->evs, sizeof mon->evs);
    memcpy(mon->ivs, spread->ivs, sizeof mon->ivs);
    dex_stats(mon->base_species, mon->level, mon->evs, mon->ivs, stats);
    bool large = mon->max_hp > mon->base_max_hp;
    int full = large ? 2 * stats[STAT_HP] : stats[STAT_HP];
    mon->hp = (uint16_t)belief_hp(mon->hp, mon->max_hp, full);
    mon->base_max_hp = stats[STAT_HP];
    mon->max_hp = (uint16_t)full;
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
    if (active)
        memcpy(active->stats, stats + 1, sizeof active->stats);
}

static void belief_take_moves(struct pokemon_mon *mon, const struct dex_set *set)
{
    struct pokemon_slots *slots = &mon->slots;
    uint16_t rest[4];
    int count = 0, next = 0;
    for (int i = 0; i < 4; ++i) {
        bool known = !set->moves[i];
        for (int k = 0; k < slots->count; ++k)
            known |= (mon->seen >> k & 1) && slots->id[k] == set->moves[i];
        if (!known)
            rest[count++] = set->moves[i];
    }
    for (int k = 0; k < 4 && next < count; ++k) {
        if (k < slots->count && (mon->seen >> k & 1))
            continue;
        slots->id[k] = rest[next++];
        slots->pp[k] = slots->max_pp[k] = dex_moves[slots->id[k]].pp;
        if (k >= slots->count)
            slots->count = (uint8_t)(k + 1);
    }
}

void belief_assume(struct pokemon_mon *mon, struct pokemon_active *active,
                   const struct dex_set *set)
{
    belief_take_spread(mon, active, &dex_spreads[set->spread]);
    belief_take_moves(mon, set);
    if (!(mon->seen & SEEN_ITEM))
        mon->item = set->item;
    if (!conceal_hides_ability(mon))
        return;
    if (mon->ability == mon->set_ability)
        mon->ability = set->ability;
    mon->base_ability = mon->set_ability = set->ability;
}

/* Draws the set of a Pokémon.  possible[]: by candidate; NULL: all are possible.  Its hp are drawn
 * among those that are shown as the same percentage of the set's maximum. */
static void belief_redraw(const struct belief_mon *belief, struct pokemon_mon *mon,
                          const bool *possible, struct banyan_rng *rng)
{
    struct belief_candidates of = belief_candidates(mon);
    struct dex_set set = {.spread = 0};
    int percent = hp_percent(mon->hp, mon->max_hp);
    if (of.count) {
        int chosen = belief_draw_set(belief, mon, &of, possible, &set, rng);
        if (belief->brought_known)
            set.item = belief->brought;
        belief_assume(mon, NULL, &set);
        if (of.count > of.plain && belief_entry_of(&of, chosen)->gmax)
            mon->flags |= MON_GIGANTAMAX;
    } else if (!mon->slots.count) { /* no entry has this species and level */
        mon->slots =
            (struct pokemon_slots){.id = {MOVE_STRUGGLE}, .pp = {1}, .max_pp = {1}, .count = 1};
    }
    mon->hp = (uint16_t)redraw_hp(percent, mon->max_hp, rng);
}

/* --- Pokémon that were not seen --- */

static bool belief_may_join(const struct pokemon_side *side, int upto, int species)
{
    const struct dex_species *row = &dex_species[species];
    int same[2] = {0, 0};
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        const struct dex_species *other = &dex_species[mon->set_species];
        if (!mon->set_species || i == upto)
            continue;
        if (other->base == row->base)
            return false;
        for (int t = 0; t < 2; ++t)
            same[t] += row->types[t] != TYPE_NONE &&
                       (other->types[0] == row->types[t] || other->types[1] == row->types[t]);
    }
    return same[0] < 2 && same[1] < 2; /* at most two Pokémon of the same type */
}

static void belief_new_mon(struct pokemon_side *side, int index, struct banyan_rng *rng)
{
    const struct dex_entry *entry = setup_draw_entry(rng);
    for (int tries = 0; tries < 1000 && !belief_may_join(side, index, entry->species); ++tries)
        entry = setup_draw_entry(rng);
    uint32_t at = rng_below(rng, entry->count);
    const struct dex_set *set = &dex_sets[entry->first_set];
    while (at >= set->count)
        at -= (set++)->count;
    setup_from_set(&side->mons[index], entry, set, rng);
}

/* --- the active Pokémon --- */

/* Whether the foe's active Pokémon, if it had this ability, would trap the viewer's exactly if the
 * viewer's is trapped (`trapped`). */
static bool belief_traps_as_known(struct pokemon *s, const struct belief *belief, int ability,
                                  int trapped)
{
    struct pokemon_side *foe = &s->sides[!belief->viewer];
    struct pokemon_mon *mon = &foe->mons[foe->order[0]];
    uint8_t keep = mon->ability;
    mon->ability = (uint8_t)ability;
    bool same = legal_trapped(s, belief->viewer) == (trapped != 0);
    mon->ability = keep;
    return same;
}

/* Whether a candidate could have used the Max move that was last seen. */
static bool belief_makes_max(const struct pokemon_side *foe, const struct belief_candidates *of,
                             int candidate)
{
    struct pokemon_mon mon = foe->mons[foe->order[0]];
    const struct dex_set *set = &dex_sets[of->first + candidate];
    if (foe->active.flags & ACTIVE_TRANSFORMED)
        return true;
    if (of->count > of->plain && belief_entry_of(of, candidate)->gmax)
        mon.flags |= MON_GIGANTAMAX;
    for (int i = 0; i < 4 && set->moves[i]; ++i)
        if (redraw_becomes(&mon, set->moves[i], foe->active.last_move))
            return true;
    return false;
}

/* The candidates that agree with what the viewer sees; NULL if all or none do. */
static const bool *belief_possible(struct pokemon *s, const struct belief *belief, int trapped,
                                   bool possible[BELIEF_SETS])
{
    const struct pokemon_side *foe = &s->sides[!belief->viewer];
    const struct pokemon_mon *mon = &foe->mons[foe->order[0]];
    struct belief_candidates of = belief_candidates(mon);
    bool asked = s->request[belief->viewer] == REQUEST_MOVE && conceal_hides_ability(mon) &&
                 mon->ability == mon->set_ability;
    bool large = foe->active.volatiles >> VOLATILE_DYNAMAX & 1, any = false, all = true;
    for (int i = 0; i < of.count; ++i) {
        possible[i] = true;
        if (asked)
            possible[i] = belief_traps_as_known(s, belief, dex_sets[of.first + i].ability, trapped);
        if (possible[i] && foe->active.last_base)
            possible[i] = belief_makes_max(foe, &of, i);
        if (possible[i] && large && of.count > of.plain)
            possible[i] = belief_entry_of(&of, i)->gmax == ((mon->flags & MON_GIGANTAMAX) != 0);
        any |= possible[i];
        all &= possible[i];
    }
    return any && !all ? possible : NULL;
}

static void belief_redraw_active(const struct belief *belief, struct pokemon *s, int trapped,
                                 struct banyan_rng *rng)
{
    struct pokemon_side *foe = &s->sides[!belief->viewer];
    struct pokemon_active *active = &foe->active;
    struct pokemon_mon *mon = &foe->mons[foe->order[0]];
    bool possible[BELIEF_SETS];
    int percent = hp_percent(active->hurt, mon->max_hp), hp = mon->hp, least, most;
    int arrived = hp_percent(active->arrival.hp, mon->base_max_hp);
    belief_redraw(&belief->mons[foe->order[0]], mon, belief_possible(s, belief, trapped, possible),
                  rng);
    bool asked = s->request[belief->viewer] == REQUEST_MOVE && belief->trapped < 0;
    if (asked && conceal_hides_ability(mon) && mon->ability == mon->set_ability &&
        !belief_traps_as_known(s, belief, mon->ability, trapped)) /* the set is in no table */
        mon->ability = mon->base_ability = mon->set_ability =
            trapped ? ABILITY_SHADOWTAG : ABILITY_NONE;
    hp_percent_range(percent, mon->max_hp, &least, &most);
    active->hurt = active->hurt == hp ? mon->hp : (uint16_t)most;
    hp_percent_range(arrived, mon->base_max_hp, &least, &most);
    active->arrival.hp = (uint16_t)most;
    if (!(active->flags & ACTIVE_TRANSFORMED))
        memcpy(active->stats, mon->stats, sizeof active->stats);
}

/* --- the whole state --- */

static void belief_redraw_team(const struct belief *belief, struct pokemon *s, int trapped,
                               struct banyan_rng *rng)
{
    struct pokemon_side *foe = &s->sides[!belief->viewer];
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (!foe->mons[i].set_species)
            belief_new_mon(foe, i, rng);
        else if (i != foe->order[0])
            belief_redraw(&belief->mons[i], &foe->mons[i], NULL, rng);
    belief_redraw_active(belief, s, trapped, rng);
    redraw_bench_order(foe, rng);
    if (foe->wish_there)
        foe->wish_hp = foe->mons[foe->wish_source].base_max_hp;
}

void belief_draw(const struct belief *belief, const struct pokemon *root, struct pokemon *out,
                 struct banyan_rng *rng)
{
    int viewer = belief->viewer;
    bool asked = root->request[viewer] == REQUEST_MOVE;
    int trapped = belief->trapped >= 0 ? belief->trapped : asked && legal_trapped(root, viewer);
    if (out != root)
        memcpy(out, root, sizeof *out);
    conceal(out, viewer);
    belief_disguise(belief, out, rng);
    belief_redraw_team(belief, out, trapped, rng);
    for (int side = 0; side < 2; ++side)
        redraw_lengths(&out->sides[side], rng);
    redraw_active(out, !viewer, rng);
    redraw_queue(out, !viewer, rng);
    redraw_derived(out);
}
