/* The belief: drawn states keep what was seen, every set keeps a weight, and the events of recorded
 * games make the true sets more likely.
 *
 *     test_pokemon_belief             a few games in tests/data/pokemon
 *     test_pokemon_belief FILE...     games that tools/showdown_trace.js recorded
 */
#include "games/pokemon/calc.h"
#include "showdown/evidence.h"
#include "showdown/position_parts.h"
#include "showdown_traces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int file_count;
static char **files;

/* --- by itself --- */

static const struct banyan_game *rules(void)
{
    const struct banyan_game *game;
    struct banyan_error err;
    assert_int_equal(banyan_game_find("pokemon", &game, &err), BANYAN_OK);
    return game;
}

static void play_on(struct pokemon *s, int turns, struct banyan_rng *rng)
{
    const struct banyan_game *game = rules();
    banyan_action joint[2] = {0, 0}, legal[16];
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    for (int i = 0; i < turns && game->movers(game, s); ++i) {
        for (int p = 0; p < 2; ++p)
            if (game->movers(game, s) >> p & 1)
                joint[p] = legal[banyan_rng_below(rng, (uint32_t)game->legal(game, s, p, legal))];
        game->apply(game, s, joint, &dice);
    }
}

static void draws_keep_what_was_seen(void **state)
{
    (void)state;
    const struct banyan_game *game = rules();
    struct banyan_rng rng;
    struct banyan_error err;
    banyan_rng_seed(&rng, 11);
    int drawn = 0;
    for (int g = 0; g < 200; ++g) {
        struct pokemon s, out;
        assert_int_equal(game->init(game, &s, NULL, &rng, &err), BANYAN_OK);
        play_on(&s, g % 40, &rng);
        if (!game->movers(game, &s))
            continue;
        for (int viewer = 0; viewer < 2; ++viewer)
            for (int i = 0; i < 10; ++i, ++drawn) {
                struct belief belief;
                belief_start(&belief, viewer);
                belief_draw(&belief, &s, &out, &rng);
                assert_true(game->key(game, &s, viewer) == game->key(game, &out, viewer));
            }
    }
    assert_true(drawn > 1000);
}

/* What a draw must agree with by itself: stats follow from species, level, effort and individual points;
 * the active Pokémon has its own stats unless it has transformed, and then those of its model, which
 * the viewer knows. */
static void check_stats(const struct pokemon *out, const struct pokemon *before, int foe,
                        int seen[2])
{
    const struct pokemon_side *side = &out->sides[foe];
    const struct pokemon_active *active = &side->active;
    const struct pokemon_mon *lead = &side->mons[side->order[0]];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        uint16_t stats[STAT_COUNT];
        dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
        if (memcmp(mon->stats, stats + 1, sizeof mon->stats) != 0)
            fail_msg("Pokemon %d does not have the stats of its set", i);
        assert_true(mon->hp <= mon->max_hp);
    }
    bool transformed = active->flags & ACTIVE_TRANSFORMED;
    const uint16_t *model = transformed ? before->sides[foe].active.stats : lead->stats;
    if (lead->hp)
        assert_memory_equal(active->stats, model, sizeof active->stats);
    ++seen[transformed];
}

static void draws_agree_with_themselves(void **state)
{
    (void)state;
    const struct banyan_game *game = rules();
    struct banyan_rng rng;
    int seen[2] = {0}, changed = 0;
    banyan_rng_seed(&rng, 12);
    for (int g = 0; g < 1500; ++g) {
        struct pokemon s, out;
        assert_int_equal(game->init(game, &s, NULL, &rng, NULL), BANYAN_OK);
        play_on(&s, g % 6, &rng);
        if (!game->movers(game, &s))
            continue;
        for (int viewer = 0; viewer < 2; ++viewer) {
            struct belief belief;
            bool transformed = s.sides[!viewer].active.flags & ACTIVE_TRANSFORMED;
            for (int i = 0; i < (transformed ? 10 : 1); ++i) {
                belief_start(&belief, viewer);
                belief_draw(&belief, &s, &out, &rng);
                check_stats(&out, &s, !viewer, seen);
                changed += memcmp(out.sides[!viewer].active.stats, s.sides[!viewer].active.stats,
                                  sizeof s.sides[0].active.stats) != 0;
            }
        }
    }
    assert_true(seen[0] > 1000 && seen[1] > 0 && changed > 50);
}

/* belief_fit is the number of sets that have all moves that were seen: counted here one by one. */
static void sets_that_fit_are_counted(void **state)
{
    (void)state;
    struct belief belief;
    belief_start(&belief, 0);
    for (int i = 0; i < dex_entry_count; i += 3) {
        struct pokemon_mon mon = {.set_species = dex_entries[i].species,
                                  .level = dex_entries[i].level};
        struct belief_candidates of = belief_candidates(&mon);
        for (int seen = 0; seen <= 2 && of.count; ++seen) {
            const struct dex_set *model = &dex_sets[of.first + of.count / 2];
            double expected = 0;
            mon.slots.count = (uint8_t)seen;
            mon.seen = (uint8_t)((1 << seen) - 1);
            for (int k = 0; k < seen; ++k)
                mon.slots.id[k] = model->moves[k];
            for (int k = 0; k < of.count; ++k) {
                int has = 0;
                for (int m = 0; m < 4; ++m)
                    for (int n = 0; n < seen; ++n)
                        has += dex_sets[of.first + k].moves[m] == model->moves[n];
                expected += has == seen ? dex_sets[of.first + k].count : 0;
            }
            double fit = belief_fit(&belief.mons[0], &mon);
            if (fabs(fit - expected) > 1e-6 * expected)
                fail_msg("entry %d, %d moves: %g instead of %g", i, seen, fit, expected);
        }
    }
}

static void probabilities_sum_to_one(void **state)
{
    (void)state;
    struct belief belief;
    belief_start(&belief, 0);
    for (int i = 0; i < dex_entry_count; ++i) {
        const struct dex_entry *entry = &dex_entries[i];
        struct pokemon_mon mon = {.set_species = entry->species, .level = entry->level};
        struct belief_candidates of = belief_candidates(&mon);
        double sum = 0;
        if (of.entry != entry || of.count != entry->sets)
            continue; /* the second of two sets of one level */
        for (int k = 0; k < of.count; ++k) {
            bool again = false; /* sets that differ only in their spread count as one here */
            for (int l = 0; l < k; ++l)
                again |= dex_sets[of.first + l].item == dex_sets[of.first + k].item &&
                         dex_sets[of.first + l].ability == dex_sets[of.first + k].ability &&
                         memcmp(dex_sets[of.first + l].moves, dex_sets[of.first + k].moves,
                                sizeof dex_sets[0].moves) == 0;
            double share = belief_probability(&belief.mons[0], &mon, &dex_sets[of.first + k]);
            assert_true(share > 0);
            sum += again ? 0 : share;
        }
        assert_true(sum > 0.995 && sum < 1.0001);
        struct dex_set alien = {.item = ITEM_LEFTOVERS, .moves = {MOVE_STRUGGLE}};
        assert_true(belief_probability(&belief.mons[0], &mon, &alien) > 0);
    }
}

/* How often each move of a set was drawn, for all sets of the kind, and all moves together. */
static double counts_of(const struct belief_candidates *of, const uint16_t moves[4], double out[4])
{
    double total = 0;
    memset(out, 0, 4 * sizeof *out);
    for (int i = 0; i < of->count; ++i)
        for (int k = 0; k < 4; ++k) {
            const struct dex_set *set = &dex_sets[of->first + i];
            total += set->moves[k] ? set->count : 0;
            for (int m = 0; m < 4; ++m)
                out[m] += moves[m] && set->moves[k] == moves[m] ? set->count : 0;
        }
    return total;
}

/* The probability that moves with these counts are drawn from all, the first `seen` of which are known: the sum over
 * the orders of the others, each written as a number of four digits to the base 4. */
static double drawn_in_any_order(const double count[4], double total, int seen)
{
    double sum = 0;
    for (int k = 0; k < seen; ++k)
        total -= count[k];
    for (int order = 0; order < 256; ++order) {
        double product = 1, left = total;
        unsigned used = (1u << seen) - 1;
        for (int at = seen; at < 4; ++at) {
            int k = order >> (2 * at) & 3;
            product = used >> k & 1 ? 0 : product * count[k] / left;
            left -= count[k];
            used |= 1u << k;
        }
        if ((order & ((1 << (2 * seen)) - 1)) == 0) /* the digits of the known ones do not count */
            sum += product;
    }
    return sum;
}

static bool was_drawn(const struct belief_candidates *of, const struct dex_set *set)
{
    for (int i = 0; i < of->count; ++i) {
        const struct dex_set *drawn = &dex_sets[of->first + i];
        int same = drawn->item == set->item && drawn->ability == set->ability;
        for (int k = 0; k < 16; ++k)
            same += drawn->moves[k / 4] == set->moves[k % 4];
        if (same >= 5)
            return true;
    }
    return false;
}

/* A set with moves that were never drawn together: a share BELIEF_STRANGE of the probability is for those, by how
 * often their moves, items and abilities were drawn. */
static void strange_sets_by_hand(void **state)
{
    (void)state;
    int met = 0;
    struct belief belief;
    belief_start(&belief, 0);
    for (int i = 0; i < dex_entry_count; ++i) {
        struct pokemon_mon mon = {.set_species = dex_entries[i].species,
                                  .level = dex_entries[i].level};
        struct belief_candidates of = belief_candidates(&mon);
        const struct dex_set *last = &dex_sets[of.first + of.count - 1];
        struct dex_set truth = dex_sets[of.first];
        bool known = !truth.moves[3];
        for (int k = 0; k < 4; ++k)
            known |= truth.moves[k] == last->moves[0];
        if (of.count < 2 || known)
            continue;
        double items = 0, abilities = 0, all = 0, count[4];
        for (int k = 0; k < of.count; ++k) {
            const struct dex_set *set = &dex_sets[of.first + k];
            all += set->count;
            items += set->item == last->item ? set->count : 0;
            abilities += set->ability == truth.ability ? set->count : 0;
        }
        truth.item = last->item;
        truth.moves[3] = last->moves[0];
        for (int seen = 0; seen <= 2; ++seen) {
            mon.slots.count = (uint8_t)seen;
            mon.seen = (uint8_t)((1 << seen) - 1);
            for (int k = 0; k < seen; ++k)
                mon.slots.id[k] = truth.moves[k];
            double total = counts_of(&of, truth.moves, count);
            double expected = BELIEF_STRANGE * drawn_in_any_order(count, total, seen) * items /
                              all * abilities / all;
            double share = belief_probability(&belief.mons[0], &mon, &truth);
            if (was_drawn(&of, &truth) || expected < 2 * BELIEF_ALIEN)
                continue;
            if (fabs(share - expected) > 1e-9 * expected)
                fail_msg("entry %d, %d moves: %g, not %g", i, seen, share, expected);
            ++met;
        }
    }
    assert_in_range(met, 100, 100000);
}

/* Behemoth Blade is in the sets of the crowned forme: after it was seen, some sets are still
 * possible. */
static void crowned_moves_fit(void **state)
{
    (void)state;
    struct belief belief;
    int crowned = 0;
    belief_start(&belief, 0);
    for (int i = 0; i < dex_set_count; ++i) {
        const struct dex_set *set = &dex_sets[i];
        bool sword = set->moves[0] == MOVE_BEHEMOTHBLADE,
             shield = set->moves[0] == MOVE_BEHEMOTHBASH;
        if (!sword && !shield)
            continue;
        float weight[BELIEF_SETS], total = 0;
        struct pokemon_mon mon = {.set_species =
                                      sword ? SPECIES_ZACIANCROWNED : SPECIES_ZAMAZENTACROWNED,
                                  .level = sword ? 62 : 67,
                                  .slots = {.id = {set->moves[0]}, .count = 1},
                                  .seen = SEEN_SPECIES | SEEN_MOVE};
        struct belief_candidates of = belief_candidates(&mon);
        belief_weights(&belief.mons[0], &mon, &of, weight);
        for (int k = 0; k < of.count; ++k)
            total += weight[k];
        assert_true(total > 0.999f);
        ++crowned;
    }
    assert_true(crowned > 0);
}

static void text_round_trip(void **state)
{
    (void)state;
    struct belief a, b;
    struct banyan_error err;
    char text[32768];
    belief_start(&a, 1);
    a.trapped = 1;
    a.mons[2].brought_known = true;
    a.mons[2].brought = ITEM_LEFTOVERS;
    a.mons[2].factor[3] = 0.1f / 3;
    a.mons[5].factor[0] = 1e-6f;
    a.mons[5].brought_known = true;
    assert_true(belief_format(&a, text, sizeof text) < (int)sizeof text);
    assert_int_equal(belief_parse(&b, text, &err), BANYAN_OK);
    assert_memory_equal(&a.mons[2].factor, &b.mons[2].factor, sizeof a.mons[2].factor);
    assert_memory_equal(&a.mons[5].factor, &b.mons[5].factor, sizeof a.mons[5].factor);
    assert_int_equal(b.mons[2].brought, ITEM_LEFTOVERS);
    assert_true(b.mons[5].brought_known && b.viewer == 1 && b.trapped == 1);
    assert_int_equal(belief_parse(&b, "viewer=2", &err), BANYAN_INVALID);
    assert_int_equal(belief_parse(&b, "| 1 900:1", &err), BANYAN_INVALID);
    assert_int_equal(belief_parse(&b, "| 1 brought=nothing", &err), BANYAN_INVALID);
}

/* The damage of an attack follows the formula, computed by hand: level 100, 100 power, 299
 * attack against 236 defence, no bonus: 107 to 126. */
static void damage_by_hand(void **state)
{
    (void)state;
    struct pokemon s;
    struct calc calc;
    struct banyan_error err;
    int least, most;
    const char *text =
        "teams | p1.0 species=garchomp level=100 ability=roughskin moves=crunch,none,none,none "
        "evs=0,0,0,0,0,0 ivs=31,31,31,31,31,31 "
        "| p1.1 species=snorlax level=82 moves=rest,none,none,none "
        "| p1.2 species=mew level=79 moves=rest,none,none,none "
        "| p1.3 species=blissey level=84 moves=rest,none,none,none "
        "| p1.4 species=scizor level=80 moves=rest,none,none,none "
        "| p1.5 species=entei level=78 moves=rest,none,none,none "
        "| p2.0 species=mew level=100 ability=synchronize moves=rest,none,none,none "
        "evs=0,0,0,0,0,0 ivs=31,31,31,31,31,31 "
        "| p2.1 species=snorlax level=82 moves=rest,none,none,none "
        "| p2.2 species=entei level=79 moves=rest,none,none,none "
        "| p2.3 species=blissey level=84 moves=rest,none,none,none "
        "| p2.4 species=scizor level=80 moves=rest,none,none,none "
        "| p2.5 species=garchomp level=78 moves=rest,none,none,none";
    if (rules()->init(rules(), &s, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    calc_attack(&s, 0, MOVE_CRUNCH, false, &calc);
    /* attack 296 of 130 base, defence 236: (42 * 80 * 296 / 236) / 50 + 2 = 86; dark on psychic x2 */
    assert_true(calc_range(&calc, false, &least, &most));
    assert_int_equal(least, 86 * 85 / 100 * 2);
    assert_int_equal(most, 86 * 2);
    assert_true(calc_range(&calc, true, &least, &most));
    assert_int_equal(most, 129 * 2);
    double sum = 0;
    for (int i = 0; i < calc.count; ++i)
        sum += calc.amounts[i].chance;
    assert_true(fabs(sum - 1) < 1e-6 && fabs(calc.hits - 1) < 1e-6);
    assert_true(calc_knock_out(&calc, 1) == 0);
    assert_true(calc_knock_out(&calc, 3) > 0.99);
}

/* --- recorded games --- */

struct loss {
    double prior, seen,
        all; /* sums of -ln(probability): by the species alone, with what was seen, with evidence */
    int count, unlisted;
};

static struct loss total;

struct seat {
    struct tracker tracker;
    struct chronicle chronicle;
    struct position_memory memory;
    struct evidence evidence;
};

static void hear(void *at, const char *text)
{
    struct seat *seat = at;
    struct protocol_line line;
    protocol_parse(protocol_text(text), &line);
    tracker_line(&seat->tracker, &line);
    chronicle_line(&seat->chronicle, &seat->tracker, &line);
    evidence_line(&seat->evidence, &seat->tracker, &seat->chronicle, &seat->memory, &line);
}

static int id_of(const json_t *object, const char *key, int (*find)(const char *))
{
    return find(json_string_value(json_object_get(object, key)));
}

static void read_truth(const json_t *set, struct dex_set *out)
{
    memset(out, 0, sizeof *out);
    out->item = (uint8_t)id_of(set, "item", position_item);
    out->ability = (uint8_t)id_of(set, "ability", position_ability);
    for (size_t i = 0; i < 4; ++i) {
        const char *move = json_string_value(json_array_get(json_object_get(set, "moves"), i));
        out->moves[i] = (uint16_t)(move ? position_move(move) : 0);
    }
}

/* For each foe that was seen: the weight that the belief gives to its true set. */
static void judge(const json_t *team, const struct seat *seat, const struct pokemon *state,
                  const struct belief *belief, int foe)
{
    const struct tracker_side *side = &seat->tracker.sides[foe];
    struct belief nothing;
    belief_start(&nothing, !foe);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &state->sides[foe].mons[i];
        const json_t *set = NULL;
        for (size_t k = 0; !set && (mon->seen & SEEN_SPECIES) && k < POKEMON_TEAM; ++k) {
            const json_t *one = json_array_get(team, k);
            if (dex_species[id_of(one, "species", position_species)].number ==
                dex_species[mon->set_species].number)
                set = one;
        }
        if (!set || (mon->flags & MON_FAINTED) || side->transformed)
            continue;
        struct dex_set truth;
        struct pokemon_mon blank = *mon;
        blank.seen = SEEN_SPECIES;
        read_truth(set, &truth);
        double all = belief_probability(&belief->mons[i], mon, &truth);
        assert_true(all > 0);
        struct belief_mon seen = nothing.mons[0];
        seen.brought_known = belief->mons[i].brought_known;
        seen.brought = belief->mons[i].brought;
        total.unlisted += all <= BELIEF_ALIEN;
        total.all -= log(all);
        total.seen -= log(belief_probability(&seen, mon, &truth));
        total.prior -= log(belief_probability(&nothing.mons[0], &blank, &truth));
        ++total.count;
    }
}

static void no_choice_twice(const struct pokemon *s, const char *text)
{
    banyan_action legal[16];
    for (int p = 0; p < 2; ++p) {
        int count = rules()->movers(rules(), s) >> p & 1 ? rules()->legal(rules(), s, p, legal) : 0;
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < i; ++k)
                if (legal[i] == legal[k])
                    fail_msg("player %d has choice %llx twice: %s", p, (unsigned long long)legal[i],
                             text);
    }
}

/* States drawn from the belief are complete, and can be played. */
static void draw_from(const struct pokemon *state, const struct belief *belief,
                      struct banyan_rng *rng)
{
    char text[BANYAN_TEXT_MAX];
    struct banyan_error err;
    for (int i = 0; i < 4; ++i) {
        struct pokemon out, again;
        belief_draw(belief, state, &out, rng);
        assert_true(rules()->format(rules(), &out, text, sizeof text) < (int)sizeof text);
        if (rules()->init(rules(), &again, text, NULL, &err) != BANYAN_OK)
            fail_msg("%s: %s", err.message, text);
        assert_memory_equal(&out, &again, sizeof out);
        for (int turn = 0; turn < 3 && rules()->movers(rules(), &out);
             ++turn, play_on(&out, 1, rng))
            no_choice_twice(&out, text);
    }
}

static void step_of(const json_t *game, const json_t *step, struct seat *seat, int side)
{
    struct request request;
    struct pokemon state;
    struct belief belief;
    struct banyan_rng rng;
    struct banyan_error err;
    traces_tell(step, side, hear, seat);
    const json_t *rq = json_array_get(json_object_get(step, "rq"), (size_t)side);
    bool forced = json_object_get(rq, "force") != NULL; /* somebody must come in */
    if (json_is_null(rq) || seat->tracker.over)
        return;
    traces_request(game, step, side, &request);
    position_remember(&seat->memory, &request, &seat->tracker);
    banyan_rng_seed(&rng, 5);
    struct position_source source = {&request, &seat->tracker, &seat->chronicle, &seat->memory,
                                     seat->evidence.mons};
    if (position_build(&source, &state, &belief, &rng, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    draw_from(&state, &belief, &rng);
    if (forced)
        return;
    evidence_request(&seat->evidence, &request, &state);
    judge(json_array_get(json_object_get(game, "teams"), (size_t)!side), seat, &state, &belief,
          !side);
}

static struct seat seats[2];

static void start_game(void)
{
    for (int side = 0; side < 2; ++side) {
        memset(&seats[side], 0, sizeof seats[side]);
        tracker_start(&seats[side].tracker);
        chronicle_start(&seats[side].chronicle);
        evidence_start(&seats[side].evidence);
        seats[side].tracker.viewer = side;
    }
}

static void play_step(const json_t *game, const json_t *step, const char *file)
{
    (void)file;
    for (int side = 0; side < 2; ++side)
        step_of(game, step, &seats[side], side);
}

static void evidence_finds_the_truth(void **state)
{
    (void)state;
    const struct traces_reader reader = {start_game, play_step};
    traces_read(&reader, files, file_count);
    double n = total.count;
    print_message("%d judgements of seen Pokemon, %d of sets with a part that was never drawn\n"
                  "log loss: %.4f by species, %.4f with moves, item and ability seen, %.4f with "
                  "what else happened\n",
                  total.count, total.unlisted, total.prior / n, total.seen / n, total.all / n);
    assert_true(total.count > 1000);
    assert_true(total.seen < 0.7 * total.prior);
    assert_true(total.all < 0.97 * total.seen);
}

/* belief_candidates() finds them by binary search. */
static void entries_are_in_order(void **unused)
{
    (void)unused;
    for (int i = 1; i < dex_entry_count; ++i)
        assert_true(dex_entries[i - 1].species <= dex_entries[i].species);
    for (int i = 0; i < dex_entry_count; ++i) {
        struct pokemon_mon mon = {.set_species = dex_entries[i].species,
                                  .level = dex_entries[i].level};
        const struct dex_entry *found = belief_candidates(&mon).entry;
        assert_non_null(found);
        assert_int_equal(found->species, mon.set_species);
        assert_int_equal(found->level, mon.level);
    }
}

int main(int argc, char **argv)
{
    file_count = argc - 1;
    files = argv + 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_keep_what_was_seen),
                                       cmocka_unit_test(draws_agree_with_themselves),
                                       cmocka_unit_test(sets_that_fit_are_counted),
                                       cmocka_unit_test(probabilities_sum_to_one),
                                       cmocka_unit_test(strange_sets_by_hand),
                                       cmocka_unit_test(text_round_trip),
                                       cmocka_unit_test(damage_by_hand),
                                       cmocka_unit_test(evidence_finds_the_truth),
                                       cmocka_unit_test(entries_are_in_order),
                                       cmocka_unit_test(crowned_moves_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
