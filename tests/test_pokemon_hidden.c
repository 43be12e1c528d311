/* Pokémon: what determinize() draws does not depend on anything that its viewer cannot see,
 * follows the distributions of the rules, and leaves fainted Pokémon where they are; a key holds
 * what its viewer knows. */
#include "games/pokemon/pokemon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DRAWS = 3000, FOE = 1 };

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

static const struct dex_entry *entry_of(int species)
{
    for (int i = 0; i < dex_entry_count; ++i)
        if (dex_entries[i].species == species)
            return &dex_entries[i];
    fail_msg("no entry of species %d", species);
    return NULL;
}

static bool has_species(const struct pokemon_side *side, int species)
{
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (side->mons[i].set_species == species)
            return true;
    return false;
}

/* Starts a battle in which both leads have come in; the foe's lead is `lead`, 0: any. */
static void start(struct pokemon *s, int lead, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    memset(s, 0, sizeof *s);
    for (int side = 0; side < 2; ++side)
        do
            setup_team(&s->sides[side], rng);
        /* not the lead's species, since a choice names a species */
        while (has_species(&s->sides[side], lead));
    if (lead) {
        const struct dex_entry *entry = entry_of(lead);
        setup_from_set(&s->sides[FOE].mons[0], entry, &dex_sets[entry->first_set], rng);
    }
    banyan_dice_drawn(&dice, rng);
    setup_start(s, &dice);
}

static bool play(struct pokemon *s, struct banyan_rng *rng)
{
    banyan_action joint[2] = {0, 0}, legal[16];
    struct banyan_dice dice;
    unsigned movers = game()->movers(game(), s);
    banyan_dice_drawn(&dice, rng);
    for (int p = 0; p < 2; ++p)
        if (movers >> p & 1)
            joint[p] = legal[banyan_rng_below(rng, (uint32_t)game()->legal(game(), s, p, legal))];
    if (movers)
        game()->apply(game(), s, joint, &dice);
    return game()->movers(game(), s) != 0;
}

static struct pokemon_mon *foe_in_play(struct pokemon *s)
{
    return &s->sides[FOE].mons[s->sides[FOE].order[0]];
}

typedef int read_number(const struct pokemon *s);

/* How often each number from 0 to 7 comes up in draws for player 0. */
static void count_draws(const struct pokemon *s, read_number *read, int counts[8])
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 77);
    memset(counts, 0, 8 * sizeof counts[0]);
    for (int i = 0; i < DRAWS; ++i) {
        struct pokemon drawn = *s;
        game()->determinize(game(), &drawn, 0, &rng);
        int value = read(&drawn);
        assert_in_range(value, 0, 7);
        ++counts[value];
    }
}

/* Checks that each of the numbers least..most was drawn equally often, and no other. */
static void check_even(const int counts[8], int least, int most)
{
    int share = DRAWS / (most - least + 1);
    for (int i = 0; i < 8; ++i)
        if (i < least || i > most)
            assert_int_equal(counts[i], 0);
        else
            assert_in_range(counts[i], share - share / 6, share + share / 6);
}

static int sleep_left(const struct pokemon *s)
{
    return s->sides[FOE].mons[s->sides[FOE].order[0]].status_time;
}

static int own_sleep_left(const struct pokemon *s)
{
    return s->sides[0].mons[s->sides[0].order[0]].status_time;
}

/* A number of two, three or four turns is drawn; one has passed: one, two or three are left. */
static void test_sleep(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    banyan_rng_seed(&rng, 1);
    start(&s, SPECIES_SNORLAX, &rng);
    for (int side = 0; side < 2; ++side) {
        struct pokemon_mon *mon = &s.sides[side].mons[s.sides[side].order[0]];
        mon->status = STATUS_SLP;
        mon->flags |= MON_FOE_STATUS;
    }
    for (int left = 1; left <= 3; ++left) {
        int counts[8];
        for (int side = 0; side < 2; ++side) {
            struct pokemon_mon *mon = &s.sides[side].mons[s.sides[side].order[0]];
            mon->status_time = (uint8_t)left;
            mon->status_start = (uint8_t)(left + 1);
        }
        count_draws(&s, sleep_left, counts);
        check_even(counts, 1, 3);
        count_draws(&s, own_sleep_left, counts);
        check_even(counts, 1, 3);
    }
    foe_in_play(&s)->status_start = 4; /* it has slept twice: three or four turns were drawn */
    foe_in_play(&s)->status_time = 2;
    int counts[8];
    count_draws(&s, sleep_left, counts);
    check_even(counts, 1, 2);
    /* the sleep of Rest is public, and its length is fixed */
    foe_in_play(&s)->flags &= (uint8_t)~MON_FOE_STATUS;
    foe_in_play(&s)->status_start = 3;
    foe_in_play(&s)->status_time = 2;
    count_draws(&s, sleep_left, counts);
    check_even(counts, 2, 2);
}

static int confusion_left(const struct pokemon *s)
{
    return s->sides[FOE].active.confusion;
}

static void test_confusion(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    int counts[8];
    banyan_rng_seed(&rng, 2);
    start(&s, SPECIES_SNORLAX, &rng);
    s.sides[FOE].active.volatiles |= (uint64_t)1 << VOLATILE_CONFUSION;
    for (int left = 2; left <= 5; ++left) {
        s.sides[FOE].active.confusion = (uint8_t)left;
        count_draws(&s, confusion_left, counts);
        check_even(counts, 2, 5);
    }
}

static int hp_step(const struct pokemon *s)
{
    const struct pokemon_mon *mon = &s->sides[FOE].mons[s->sides[FOE].order[0]];
    assert_int_equal((100 * mon->hp + mon->max_hp - 1) / mon->max_hp, 50);
    return mon->max_hp * 50 / 100 - mon->hp;
}

/* 50 per cent of 550 to 599 are six hp at most. */
static void test_hp(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    int counts[8], other[8];
    banyan_rng_seed(&rng, 3);
    start(&s, SPECIES_BLISSEY, &rng);
    struct pokemon_mon *mon = foe_in_play(&s);
    assert_in_range(mon->max_hp, 550, 599);
    mon->hp = (uint16_t)(mon->max_hp * 50 / 100);
    count_draws(&s, hp_step, counts);
    mon->hp = (uint16_t)(mon->hp - 3);
    count_draws(&s, hp_step, other);
    assert_memory_equal(counts, other, sizeof counts);
    for (int i = 0; i < 6; ++i)
        assert_in_range(counts[i], DRAWS / 9, DRAWS / 5);
}

static int is_disguised(const struct pokemon *s)
{
    int in_play = s->sides[FOE].order[0];
    return s->sides[FOE].mons[in_play].set_species == SPECIES_ZOROARK;
}

/* A foe that has shown nothing may be a disguised Zoroark, but usually is not. */
static void test_illusion(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    int counts[8];
    banyan_rng_seed(&rng, 4);
    start(&s, SPECIES_ZOROARK, &rng);
    assert_int_equal(s.sides[FOE].active.illusion, POKEMON_TEAM);
    count_draws(&s, is_disguised, counts);
    assert_in_range(counts[1], 1, DRAWS / 20);
}

/* Two battles that look the same to player 0: the foe's lead is Snorlax, or a Zoroark disguised
 * as it, which is last on the bench.  Player 0's lead is faster than both, so the order of
 * switches tells nothing. */
static void start_with_lead(struct pokemon *s, bool disguised, uint64_t seed)
{
    const int leads[2] = {SPECIES_DRAGAPULT, SPECIES_SNORLAX};
    struct banyan_rng rng;
    struct banyan_dice dice;
    memset(s, 0, sizeof *s);
    banyan_rng_seed(&rng, seed);
    for (int side = 0; side < 2; ++side)
        do
            setup_team(&s->sides[side], &rng);
        while (has_species(&s->sides[side], SPECIES_ZOROARK) ||
               has_species(&s->sides[side], SPECIES_SNORLAX) ||
               has_species(&s->sides[side], SPECIES_DRAGAPULT));
    const struct dex_entry *entry = entry_of(leads[0]), *zoroark = entry_of(SPECIES_ZOROARK);
    setup_from_set(&s->sides[0].mons[0], entry, &dex_sets[entry->first_set], &rng);
    entry = entry_of(leads[1]);
    int last = POKEMON_TEAM - 1;
    setup_from_set(&s->sides[FOE].mons[disguised ? last : 0], entry, &dex_sets[entry->first_set],
                   &rng);
    setup_from_set(&s->sides[FOE].mons[disguised ? 0 : last], zoroark,
                   &dex_sets[zoroark->first_set], &rng);
    banyan_dice_drawn(&dice, &rng);
    setup_start(s, &dice);
}

/* Both players switch to the second Pokémon of their teams. */
static void both_switch(struct pokemon *s, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    banyan_action joint[2];
    banyan_dice_drawn(&dice, rng);
    for (int p = 0; p < 2; ++p)
        joint[p] = POKEMON_ACTION(ACTION_SWITCH, s->sides[p].mons[1].set_species);
    game()->apply(game(), s, joint, &dice);
}

static struct pokemon_mon *foe_of(struct pokemon *s, int species)
{
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (s->sides[FOE].mons[i].set_species == species)
            return &s->sides[FOE].mons[i];
    fail_msg("the foe has none of species %d", species);
    return NULL;
}

static int zoroarks_seen(const struct pokemon *s)
{
    int count = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        count += s->sides[FOE].mons[i].set_species == SPECIES_ZOROARK &&
                 (s->sides[FOE].mons[i].seen & SEEN_SPECIES) != 0;
    return count;
}

static int zoroarks(const struct pokemon *s)
{
    return has_species(&s->sides[FOE], SPECIES_ZOROARK);
}

/* A disguise leaves before anybody has seen it end: then player 0 has seen the Pokémon that it
 * showed.  Player 0 knows the same as if that Pokémon had been there, and what is drawn is the
 * same too. */
static void test_disguise_that_left(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        struct pokemon truth, story;
        struct banyan_rng rng;
        int counts[2][8];
        start_with_lead(&truth, true, seed);
        start_with_lead(&story, false, seed);
        assert_int_equal(truth.sides[FOE].active.illusion, POKEMON_TEAM);
        assert_true(game()->key(game(), &truth, 0) == game()->key(game(), &story, 0));
        banyan_rng_seed(&rng, seed);
        both_switch(&truth, &rng);
        banyan_rng_seed(&rng, seed);
        both_switch(&story, &rng);
        if (game()->movers(game(), &truth) != 3) /* a Pokémon that came in has already left */
            continue;
        assert_false(foe_of(&truth, SPECIES_ZOROARK)->seen & SEEN_SPECIES);
        assert_true(foe_of(&truth, SPECIES_SNORLAX)->seen & SEEN_SPECIES);
        if (game()->key(game(), &truth, 0) != game()->key(game(), &story, 0))
            fail_msg("seed %d: player 0 can tell who left", (int)seed);
        count_draws(&truth, zoroarks, counts[0]);
        count_draws(&story, zoroarks, counts[1]);
        assert_in_range(counts[0][1], 0, DRAWS / 10);
        assert_in_range(counts[0][1] + 100, counts[1][1], counts[1][1] + 200);
    }
}

/* A disguise that an attack has ended is no secret, also after Zoroark has left. */
static void test_disguise_that_broke(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int broken = 0;
    banyan_rng_seed(&rng, 8);
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        struct pokemon s;
        start_with_lead(&s, true, seed);
        bool ended = false;
        for (int turn = 0; turn < 8 && play(&s, &rng); ++turn) {
            const struct pokemon_side *foe = &s.sides[FOE];
            ended |= is_disguised(&s) && !foe->active.illusion;
            if (ended)
                assert_int_equal(zoroarks_seen(&s), 1);
        }
        broken += ended;
    }
    assert_true(broken > 20);
}

/* The foe's set is in no table and its ability traps: the player knows that it traps, but not
 * the set. */
static void test_set_of_no_table(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    banyan_rng_seed(&rng, 5);
    start(&s, SPECIES_SNORLAX, &rng);
    struct pokemon_mon *mon = foe_in_play(&s);
    mon->ability = mon->base_ability = mon->set_ability = ABILITY_SHADOWTAG;
    mon->seen &= (uint8_t)~SEEN_ABILITY;
    mon->item = ITEM_LIGHTBALL;
    bool trapped = legal_trapped(&s, 0);
    for (int i = 0; i < 200; ++i) {
        struct pokemon drawn = s;
        game()->determinize(game(), &drawn, 0, &rng);
        assert_true(legal_trapped(&drawn, 0) == trapped);
        assert_true(foe_in_play(&drawn)->item != ITEM_LIGHTBALL);
    }
}

static int fainted(const struct pokemon_side *side)
{
    int count = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        count += (side->mons[i].flags & MON_FAINTED) != 0;
    return count;
}

/* A fainted Pokémon stays fainted, also a Zoroark that nobody has noticed; and the drawn state
 * is valid. */
static void test_fainted_stay(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct banyan_error err;
    char text[BANYAN_TEXT_MAX];
    int zoroarks = 0;
    banyan_rng_seed(&rng, 6);
    for (int g = 0; g < 60; ++g) {
        struct pokemon s, drawn, again;
        start(&s, SPECIES_ZOROARK, &rng);
        while (play(&s, &rng))
            for (int viewer = 0; viewer < 2; ++viewer) {
                drawn = s;
                game()->determinize(game(), &drawn, viewer, &rng);
                for (int side = 0; side < 2; ++side)
                    assert_int_equal(fainted(&drawn.sides[side]), fainted(&s.sides[side]));
                assert_true(game()->format(game(), &drawn, text, sizeof text) < (int)sizeof text);
                if (game()->init(game(), &again, text, NULL, &err) != BANYAN_OK)
                    fail_msg("%s: %s", err.message, text);
                zoroarks += (s.sides[FOE].mons[0].flags & MON_FAINTED) != 0;
            }
    }
    assert_true(zoroarks > 100);
}

/* --- keys --- */

static void change_move(struct pokemon *s)
{
    struct pokemon_mon *mon = foe_in_play(s);
    assert_int_equal(mon->seen & SEEN_MOVE << 3, 0);
    mon->slots.id[3] = mon->slots.id[3] == MOVE_PROTECT ? MOVE_WISH : MOVE_PROTECT;
}

static void change_bench_move(struct pokemon *s)
{
    uint16_t *move = &s->sides[FOE].mons[3].slots.id[0];
    *move = *move == MOVE_PROTECT ? MOVE_WISH : MOVE_PROTECT;
}

static void change_item(struct pokemon *s)
{
    assert_int_equal(foe_in_play(s)->seen & SEEN_ITEM, 0);
    foe_in_play(s)->item = ITEM_LIGHTBALL;
}

static void change_ability(struct pokemon *s)
{
    struct pokemon_mon *mon = &s->sides[FOE].mons[2];
    mon->ability = mon->base_ability = mon->set_ability = ABILITY_BERSERK;
}

static void change_pp(struct pokemon *s)
{
    --foe_in_play(s)->slots.pp[3];
}

static void change_hp(struct pokemon *s)
{
    --foe_in_play(s)->hp; /* shown as the same per cent */
}

static void change_order(struct pokemon *s)
{
    uint8_t *order = s->sides[FOE].order, keep = order[4];
    order[4] = order[5];
    order[5] = keep;
}

static void change_sleep(struct pokemon *s)
{
    ++foe_in_play(s)->status_time;
    ++foe_in_play(s)->status_start;
}

/* Only the foe knows which status it has; nobody knows for how many turns a sleep was drawn. */
static void test_keys(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        void (*change)(struct pokemon *s);
        bool known; /* known to its owner */
    } rows[] = {{"a move that was not seen", change_move, true},
                {"a move on the bench", change_bench_move, true},
                {"an item", change_item, true},
                {"an ability", change_ability, true},
                {"PP", change_pp, true},
                {"hp", change_hp, true},
                {"the order of the bench", change_order, true},
                {"the length of a sleep", change_sleep, false}};
    struct banyan_rng rng;
    struct pokemon s;
    banyan_rng_seed(&rng, 8);
    start(&s, SPECIES_BLISSEY, &rng);
    struct pokemon_mon *mon = foe_in_play(&s);
    mon->hp = (uint16_t)(mon->max_hp * 50 / 100);
    mon->status = STATUS_SLP;
    mon->flags |= MON_FOE_STATUS;
    mon->status_start = 3;
    mon->status_time = 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon other = s;
        rows[i].change(&other);
        if ((game()->key(game(), &s, FOE) != game()->key(game(), &other, FOE)) != rows[i].known)
            fail_msg("the foe's key and %s", rows[i].name);
        if (game()->key(game(), &s, 0) != game()->key(game(), &other, 0))
            fail_msg("the other player's key and %s", rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sleep),
                                       cmocka_unit_test(test_confusion),
                                       cmocka_unit_test(test_hp),
                                       cmocka_unit_test(test_illusion),
                                       cmocka_unit_test(test_disguise_that_left),
                                       cmocka_unit_test(test_disguise_that_broke),
                                       cmocka_unit_test(test_set_of_no_table),
                                       cmocka_unit_test(test_fainted_stay),
                                       cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
