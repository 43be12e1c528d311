/* Pokémon: what is drawn of the other player's team: sets, abilities, choices, whole teams. */
#include "games/pokemon/belief.h"
#include "games/pokemon/redraw.h"
#include "pokemon_whole.h"

#include <math.h>

enum { DRAWS = 400 };

/* --- sets --- */

static bool has_move(const struct dex_set *set, int move)
{
    for (int i = 0; i < 4; ++i)
        if (set->moves[i] == move)
            return true;
    return false;
}

/* The probability that these counts are drawn from total one after another, in any order. */
static double in_any_order(const double *count, int n, double total)
{
    double sum = n ? 0 : 1;
    for (int i = 0; i < n; ++i) {
        double rest[4];
        for (int k = 0, at = 0; k < n; ++k)
            if (k != i)
                rest[at++] = count[k];
        sum += count[i] / total * in_any_order(rest, n - 1, total - count[i]);
    }
    return sum;
}

/* A Pokémon of the entry of which the first `seen` moves of a set are known, and nothing else. */
static struct pokemon_mon mon_of_entry(const struct dex_entry *entry, const struct dex_set *set,
                                       int seen)
{
    struct banyan_rng rng;
    struct pokemon_mon mon;
    banyan_rng_seed(&rng, 1);
    memset(&mon, 0, sizeof mon);
    setup_from_set(&mon, entry, &dex_sets[entry->first_set], &rng);
    memset(&mon.slots, 0, sizeof mon.slots);
    mon.slots.count = (uint8_t)seen;
    for (int i = 0; i < seen; ++i) {
        mon.slots.id[i] = set->moves[i];
        mon.slots.pp[i] = mon.slots.max_pp[i] = 3;
    }
    mon.seen = (uint8_t)(SEEN_SPECIES | ((1 << seen) - 1));
    return mon;
}

struct shown {
    int item, ability; /* 0: not seen */
};

static bool agrees(const struct dex_set *set, const struct pokemon_mon *mon, struct shown shown)
{
    for (int i = 0; i < mon->slots.count; ++i)
        if (!has_move(set, mon->slots.id[i]))
            return false;
    return (!shown.item || set->item == shown.item) &&
           (!shown.ability || set->ability == shown.ability);
}

/* By the definition: the share of the drawn sets that agree, and 0.4 % for all other combinations, each as
 * likely as its parts; the parts that were seen are certain. */
static double probability_of(const struct belief_candidates *of, const struct pokemon_mon *mon,
                             const struct dex_set *truth, struct shown shown)
{
    double fit = 0, same = 0, all = 0, draws = 0, items = 0, abilities = 0, count[4];
    int n = 0;
    for (int i = 0; i < of->count; ++i) {
        const struct dex_set *set = &dex_sets[of->first + i];
        bool equal = set->item == truth->item && set->ability == truth->ability;
        for (int k = 0; k < 4; ++k) {
            equal = equal && has_move(truth, set->moves[k]) && has_move(set, truth->moves[k]);
            draws += set->moves[k] ? set->count : 0;
        }
        fit += agrees(set, mon, shown) ? set->count : 0;
        same += equal && agrees(set, mon, shown) ? set->count : 0;
        all += set->count;
        items += set->item == truth->item ? set->count : 0;
        abilities += set->ability == truth->ability ? set->count : 0;
    }
    for (int k = 0; k < 4 && truth->moves[k]; ++k) {
        double with = 0;
        bool known = false;
        for (int i = 0; i < of->count; ++i)
            with += has_move(&dex_sets[of->first + i], truth->moves[k])
                        ? dex_sets[of->first + i].count
                        : 0;
        for (int i = 0; i < mon->slots.count; ++i)
            known |= mon->slots.id[i] == truth->moves[k];
        if (known)
            draws -= with;
        else
            count[n++] = with;
    }
    double parts = draws > 0 ? in_any_order(count, n, draws) : 1;
    parts *= (shown.item ? 1 : items / all) * (shown.ability ? 1 : abilities / all);
    double strange = fit > 0 ? 0.004 : 1;
    double sum = (fit > 0 ? (1 - strange) * same / fit : 0) + strange * parts;
    return sum > 1e-9 ? sum : 1e-9;
}

/* A set with parts of two others; false: they have too few moves. */
static bool mixed_set(const struct dex_set *a, const struct dex_set *b, struct dex_set *out)
{
    int count = 2;
    *out = *a;
    for (int k = 3; k >= 0 && count < 4; --k)
        if (b->moves[k] && b->moves[k] != out->moves[0] && b->moves[k] != out->moves[1] &&
            (count < 3 || b->moves[k] != out->moves[2]))
            out->moves[count++] = b->moves[k];
    out->item = b->item;
    return count == 4 && out->moves[1];
}

static void check_probability(const struct dex_entry *entry, const struct dex_set *truth, int way)
{
    struct belief belief;
    struct pokemon_mon mon = mon_of_entry(entry, truth, way % 3);
    struct belief_candidates of = belief_candidates(&mon);
    struct shown shown = {way & 4 ? truth->item : 0, way & 8 ? truth->ability : 0};
    belief_start(&belief, 0);
    mon.item = way & 16 ? ITEM_NONE : truth->item; /* taken away: it is the last item */
    mon.last_item = truth->item;
    mon.set_ability = truth->ability;
    mon.seen |= (uint8_t)((shown.item ? SEEN_ITEM : 0) | (shown.ability ? SEEN_ABILITY : 0));
    double right = probability_of(&of, &mon, truth, shown);
    double found = belief_probability(&belief.mons[0], &mon, truth);
    if (fabs(found - right) > 1e-5 * right)
        fail_msg("entry %d, case %d: %.9g, not %.9g", (int)(entry - dex_entries), way, found,
                 right);
}

static void probabilities_of_sets(void **unused)
{
    (void)unused;
    int mixed = 0;
    for (int i = 0; i < dex_entry_count; i += 2) {
        const struct dex_entry *entry = &dex_entries[i];
        const struct dex_set *first = &dex_sets[entry->first_set], *last = first + entry->sets - 1;
        struct pokemon_mon mon = mon_of_entry(entry, first, 0);
        struct dex_set truth;
        if (belief_candidates(&mon).entry != entry)
            continue;
        for (int way = 0; way < 24; ++way) {
            if (first->moves[2])
                check_probability(entry, first, way);
            if (mixed_set(first, last, &truth)) {
                check_probability(entry, &truth, way);
                ++mixed;
            }
        }
    }
    assert_true(mixed > 1000);
}

/* A Pokémon takes over the unseen parts of a set, and its hp stay the same share of the maximum. */
static void check_assumed(const struct dex_entry *entry, const struct dex_set *set, bool large)
{
    const struct dex_spread *spread = &dex_spreads[set->spread];
    struct pokemon_mon mon = mon_of_entry(entry, set, 2);
    struct pokemon_active active;
    uint16_t stats[STAT_COUNT];
    memset(&active, 0, sizeof active);
    memset(mon.evs, 1, sizeof mon.evs);
    mon.max_hp = (uint16_t)(large ? 2 * mon.base_max_hp : mon.base_max_hp);
    mon.hp = (uint16_t)(mon.max_hp / 3);
    int percent = hp_percent(mon.hp, mon.max_hp);
    mon.item = ITEM_LIGHTBALL;
    mon.seen |= large ? SEEN_ITEM : 0;
    belief_assume(&mon, &active, set);
    dex_stats(entry->species, entry->level, spread->evs, spread->ivs, stats);
    assert_memory_equal(mon.evs, spread->evs, sizeof mon.evs);
    assert_memory_equal(mon.ivs, spread->ivs, sizeof mon.ivs);
    assert_memory_equal(mon.stats, stats + 1, sizeof mon.stats);
    assert_memory_equal(active.stats, stats + 1, sizeof active.stats);
    assert_int_equal(mon.base_max_hp, stats[STAT_HP]);
    assert_int_equal(mon.max_hp, large ? 2 * stats[STAT_HP] : stats[STAT_HP]);
    assert_int_equal(hp_percent(mon.hp, mon.max_hp), percent);
    assert_int_equal(mon.item, large ? ITEM_LIGHTBALL : set->item);
    assert_int_equal(mon.ability, set->ability);
    for (int k = 0; k < 4 && set->moves[k]; ++k) {
        assert_int_equal(mon.slots.count, k < 3 && !set->moves[k + 1] ? k + 1 : mon.slots.count);
        bool there = false;
        for (int i = 0; i < mon.slots.count; ++i)
            there |= mon.slots.id[i] == set->moves[k];
        assert_true(there);
    }
    for (int i = 0; i < mon.slots.count; ++i) {
        int pp = i < 2 ? 3 : dex_moves[mon.slots.id[i]].pp;
        assert_true(mon.slots.pp[i] == pp && mon.slots.max_pp[i] == pp);
    }
}

static void assumed_sets(void **unused)
{
    (void)unused;
    for (int i = 0; i < dex_entry_count; ++i) {
        const struct dex_entry *entry = &dex_entries[i];
        const struct dex_set *set = &dex_sets[entry->first_set] + i % entry->sets;
        if (!set->moves[2] || dex_species[entry->species].flags & SPECIES_IS_ONE_HP)
            continue;
        struct pokemon_mon mon = mon_of_entry(entry, set, 0);
        if (!conceal_hides_ability(&mon) || mon.base_max_hp < 100)
            continue;
        check_assumed(entry, set, false);
        check_assumed(entry, set, true);
    }
}

/* The bench is shuffled: each Pokémon is as often in each place; a disguise shows the last that has not
 * fainted. */
static void benches_are_shuffled(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    int counts[6][6];
    memset(counts, 0, sizeof counts);
    banyan_rng_seed(&rng, 3);
    start(&s, 9);
    for (int i = 0; i < 10 * DRAWS; ++i) {
        struct pokemon_side side = s.sides[0];
        redraw_bench_order(&side, &rng);
        for (int k = 0; k < 6; ++k)
            ++counts[k][side.order[k]];
    }
    assert_int_equal(counts[0][0], 10 * DRAWS);
    for (int k = 1; k < 6; ++k)
        for (int i = 1; i < 6; ++i)
            assert_in_range(counts[k][i], 7 * DRAWS / 4, 9 * DRAWS / 4);
    for (int shown = 0; shown < 6; ++shown)
        for (int gone = 0; gone < 6; ++gone) {
            struct pokemon_side side = s.sides[0];
            int first = shown == 0 ? 1 : 0, at = 5;
            for (int k = 0; k < 6; ++k)
                if (side.order[k] == first)
                    side.order[k] = side.order[0];
            side.order[0] = (uint8_t)first;
            side.active.illusion = (uint8_t)(shown + 1);
            if (gone != shown && gone != first)
                side.mons[gone].flags |= MON_FAINTED;
            redraw_bench_order(&side, &rng);
            while (side.mons[side.order[at]].flags & MON_FAINTED)
                --at;
            if (shown != first)
                assert_int_equal(side.order[at], shown);
        }
}

/* A Choice item locks its holder into the move that was seen, but not while it is Dynamaxed; no other item
 * does.  Whoever holds it can use no other move. */
static void choice_items_lock(void **unused)
{
    static const int items[] = {ITEM_CHOICEBAND, ITEM_CHOICESCARF, ITEM_CHOICESPECS,
                                ITEM_LEFTOVERS};
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 4);
    for (int way = 0; way < 16; ++way) {
        struct pokemon s;
        bool choice = way % 4 < 3, large = way & 4, gorilla = way & 8;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        mon->item = (uint8_t)items[way % 4];
        mon->ability = gorilla ? ABILITY_GORILLATACTICS : ABILITY_STURDY;
        a->last_move = mon->slots.id[2];
        a->volatiles = large ? bit(VOLATILE_DYNAMAX) : 0;
        redraw_active(&s, FOE, &rng);
        bool locked = choice && !large;
        assert_int_equal((a->volatiles & bit(VOLATILE_CHOICELOCK)) != 0, locked);
        assert_int_equal(a->choice_move, locked ? mon->slots.id[2] : 0);
        assert_int_equal(a->gorilla_move, gorilla ? mon->slots.id[2] : 0);
        banyan_action legal[16];
        int count = legal_actions(&s, FOE, legal), moves = 0;
        for (int i = 0; i < count; ++i)
            moves += legal[i] >> 16 == ACTION_MOVE;
        assert_int_equal(moves, !large && (locked || gorilla) ? 1 : 4);
    }
}

/* Unburden has doubled the speed if the Pokémon was seen to lose its item; Gluttony is active from
 * the start; whether Berserk was tried follows from a hit. */
static void drawn_abilities_have_worked(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 8);
    for (int way = 0; way < 16; ++way) {
        struct pokemon s;
        bool holds = way & 1, is_seen = way & 2, was_seen = way & 4, had = way & 8;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        mon->ability = mon->set_ability = mon->base_ability = ABILITY_UNBURDEN;
        mon->item = holds ? ITEM_LEFTOVERS : ITEM_NONE;
        mon->seen = (uint8_t)(SEEN_SPECIES | (is_seen ? SEEN_ITEM : 0));
        a->arrival.seen = (uint8_t)(SEEN_SPECIES | (was_seen ? SEEN_ITEM : 0));
        a->arrival.item = had ? ITEM_LEFTOVERS : ITEM_NONE;
        redraw_active(&s, FOE, &rng);
        /* it came in without one if that was seen then */
        bool lost = !holds && is_seen && (!was_seen || had);
        assert_int_equal((a->volatiles & bit(VOLATILE_UNBURDEN)) != 0, lost);
    }
    for (int way = 0; way < 6; ++way) {
        struct pokemon s;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        int ability = way % 3 == 0   ? ABILITY_GLUTTONY
                      : way % 3 == 1 ? ABILITY_BERSERK
                                     : ABILITY_STURDY;
        mon->ability = mon->set_ability = mon->base_ability = (uint8_t)ability;
        mon->seen = SEEN_SPECIES;
        a->ability_flags = 0;
        a->arrival.struck = way >= 3;
        redraw_active(&s, FOE, &rng);
        int right = ability == ABILITY_GLUTTONY ? ABILITY_GLUTTONY_AWAKE
                    : ability == ABILITY_BERSERK && way >= 3
                        ? ABILITY_BERSERK_KNOWN | ABILITY_CHECKED_BERSERK
                        : 0;
        assert_int_equal(a->ability_flags, right);
    }
}

static bool traps(const struct dex_set *set)
{
    return set->ability == ABILITY_SHADOWTAG || set->ability == ABILITY_ARENATRAP ||
           set->ability == ABILITY_MAGNETPULL;
}

static bool is_ability_of(const struct dex_entry *entry, int ability)
{
    for (int k = 0; k < entry->sets; ++k)
        if (dex_sets[entry->first_set + k].ability == ability)
            return true;
    return false;
}

/* A player who was asked to move knows whether the foe traps; drawn sets agree, also where the moves that were
 * seen are in no set, so that one is mixed. */
static void drawn_sets_trap_as_known(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int seen[2] = {0, 0};
    banyan_rng_seed(&rng, 9);
    for (int e = 0; e < dex_entry_count; ++e) {
        const struct dex_entry *entry = &dex_entries[e];
        const struct dex_set *of[2] = {NULL, NULL};
        for (int k = 0; k < entry->sets; ++k)
            of[traps(&dex_sets[entry->first_set + k])] = &dex_sets[entry->first_set + k];
        for (int way = 0; way < 2 && of[0] && of[1]; ++way) {
            struct belief belief;
            struct pokemon s, out;
            start(&s, 1);
            setup_from_set(lead(&s, FOE), entry, of[way], &rng);
            s.sides[0].active.types[0] = TYPE_STEEL, s.sides[0].active.types[1] = TYPE_NONE;
            lead(&s, 0)->item = ITEM_NONE;
            lead(&s, FOE)->slots.id[0] = MOVE_STRUGGLE;
            lead(&s, FOE)->seen = SEEN_SPECIES | 1;
            belief_start(&belief, 0);
            bool trapped = legal_trapped(&s, 0);
            for (int i = 0; i < 50; ++i) {
                belief_draw(&belief, &s, &out, &rng);
                assert_int_equal(legal_trapped(&out, 0), trapped);
                assert_true(out.sides[FOE].active.illusion || /* it may be another, disguised */
                            is_ability_of(entry, lead(&out, FOE)->ability));
            }
            ++seen[trapped];
        }
    }
    assert_true(seen[0] && seen[1]);
}

/* A Pokémon of no known species and level has nothing but Struggle. */
static void unknown_sets_are_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    struct pokemon s, out;
    start(&s, 11);
    banyan_rng_seed(&rng, 5);
    belief_start(&belief, 0);
    lead(&s, FOE)->level = 3;
    lead(&s, FOE)->seen = SEEN_SPECIES;
    belief_draw(&belief, &s, &out, &rng);
    struct pokemon known = s;
    conceal(&known, 0);
    for (int i = 0; i < STAT_COUNT; ++i) /* what most sets have */
        assert_true(lead(&known, FOE)->evs[i] == 85 && lead(&known, FOE)->ivs[i] == 31);
    const struct pokemon_slots struggle = {
        .id = {MOVE_STRUGGLE}, .pp = {1}, .max_pp = {1}, .count = 1};
    assert_memory_equal(&lead(&out, FOE)->slots, &struggle, sizeof struggle);
    for (int i = 1; i < POKEMON_TEAM; ++i) { /* those that were not seen are drawn whole */
        const struct pokemon_mon *mon = &out.sides[FOE].mons[i];
        assert_true(mon->set_species && mon->hp == mon->max_hp && mon->slots.count >= 1);
    }
}

/* The move that the foe has chosen and not yet made is drawn among the moves of the drawn Pokémon. */
static void waiting_moves_are_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    banyan_rng_seed(&rng, 7);
    belief_start(&belief, 0);
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        struct pokemon s, out;
        start(&s, seed);
        if (s.request[0] != REQUEST_MOVE || s.request[FOE] != REQUEST_MOVE)
            continue;
        wait_for_foe(&s, 1);
        s.queue[1] = (struct pokemon_action){.choice = CHOICE_RESIDUAL, .side = FOE};
        s.queued = 2;
        s.sides[0].active.last_move = MOVE_UTURN;
        belief_draw(&belief, &s, &out, &rng);
        const struct pokemon_mon *mon = lead(&out, FOE);
        bool own = false;
        assert_int_equal(out.queued, 2);
        assert_true(out.queue[0].side == FOE && out.queue[0].mon == out.sides[FOE].order[0]);
        assert_int_equal(out.queue[1].choice, CHOICE_RESIDUAL);
        for (int i = 0; i < mon->slots.count; ++i)
            own |= mon->slots.id[i] == out.queue[0].move;
        if (!own)
            fail_msg("seed %d: the foe waits with move %d", (int)seed, out.queue[0].move);
        assert_true(dex_moves[out.queue[0].move].priority <= 0);
    }
}

/* Of each drawn bench no species comes twice, and no type more than twice. */
static void drawn_teams_are_teams(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    belief_start(&belief, 0);
    banyan_rng_seed(&rng, 6);
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        struct pokemon s, out;
        start(&s, seed);
        belief_draw(&belief, &s, &out, &rng);
        int of_type[TYPE_COUNT] = {0};
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &out.sides[FOE].mons[i];
            const struct dex_species *row = &dex_species[mon->set_species];
            for (int k = 0; k < i; ++k)
                assert_int_not_equal(row->base,
                                     dex_species[out.sides[FOE].mons[k].set_species].base);
            ++of_type[row->types[0]];
            if (row->types[1] != TYPE_NONE)
                ++of_type[row->types[1]];
            assert_true(mon->gender == 'M' || mon->gender == 'F' || mon->gender == 0 ||
                        mon->gender == 'N');
        }
        for (int type = 0; type < TYPE_NONE; ++type)
            assert_in_range(of_type[type], 0, 2);
    }
}

/* How many of a team an attack of this type hurts doubly (steps 1) or four times (steps 2), or more. */
static int weak_to(const struct pokemon_side *side, int type, int steps)
{
    int count = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const uint8_t *types = dex_species[side->mons[i].set_species].types;
        int sum = 0;
        bool immune = false;
        for (int k = 0; k < 2; ++k)
            if (types[k] != TYPE_NONE) {
                sum += dex_effectiveness[type][types[k]];
                immune |= dex_immune_types[type] >> types[k] & 1;
            }
        count += !immune && sum >= steps;
    }
    return count;
}

/* The generator's rules for a team: each species once, each type at most twice, at most three Pokémon weak and one
 * doubly weak to a type, at most one of level 100; sets and genders are those of the tables. */
static void teams_keep_the_rules(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int most_weak = 0, most_doubly = 0, genders[2] = {0, 0};
    banyan_rng_seed(&rng, 9);
    for (int n = 0; n < 600; ++n) {
        struct pokemon_side side = {.left = 0};
        setup_team(&side, &rng);
        assert_int_equal(side.left, POKEMON_TEAM);
        int of_type[TYPE_COUNT] = {0}, hundreds = 0;
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &side.mons[i];
            const struct dex_species *row = &dex_species[mon->set_species];
            assert_int_equal(side.order[i], i);
            for (int k = 0; k < i; ++k)
                assert_int_not_equal(row->base, dex_species[side.mons[k].set_species].base);
            ++of_type[row->types[0]];
            of_type[row->types[1]] += row->types[1] != TYPE_NONE;
            hundreds += mon->level == 100;
            assert_true(mon->hp == mon->max_hp && mon->max_hp == mon->base_max_hp);
            if (!row->gender)
                ++genders[mon->gender == 'F'];
            assert_true(mon->gender == 'M' || mon->gender == 'F' || row->gender == 'N');
        }
        assert_in_range(hundreds, 0, 1);
        for (int type = 0; type < TYPE_NONE; ++type) {
            int weak = weak_to(&side, type, 1), doubly = weak_to(&side, type, 2);
            assert_in_range(of_type[type], 0, 2);
            assert_in_range(weak, 0, 3);
            assert_in_range(doubly, 0, 1);
            most_weak = weak > most_weak ? weak : most_weak;
            most_doubly = doubly > most_doubly ? doubly : most_doubly;
        }
    }
    assert_true(most_weak == 3 && most_doubly == 1);
    assert_in_range(genders[0], genders[1] * 4 / 5, genders[1] * 5 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_of_sets),       cmocka_unit_test(assumed_sets),
        cmocka_unit_test(benches_are_shuffled),        cmocka_unit_test(choice_items_lock),
        cmocka_unit_test(drawn_abilities_have_worked), cmocka_unit_test(drawn_sets_trap_as_known),
        cmocka_unit_test(unknown_sets_are_drawn),      cmocka_unit_test(waiting_moves_are_drawn),
        cmocka_unit_test(drawn_teams_are_teams),       cmocka_unit_test(teams_keep_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
