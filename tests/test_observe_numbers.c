/* Observations of Blood Bowl and Pokémon: each number says what stands in a position made by hand. */
#include "bloodbowl_position.h"
#include "games/pokemon/battle.h"

#include <banyan/observe.h>

#include <stdlib.h>

enum { NUMBERS = 1 << 15 };

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

/* What viewer sees of a feature; *size: how many numbers it has. */
static const float *seen(const struct banyan_game *game, const void *state, int viewer,
                         const char *feature, int *size)
{
    static float numbers[NUMBERS];
    const float *at = numbers;
    assert_in_range(banyan_observation_size(game), 1, NUMBERS);
    banyan_observe(game, state, viewer, numbers);
    for (const struct banyan_feature *f = game->features; f->name; ++f) {
        *size = f->shape[0] * f->shape[1] * f->shape[2];
        if (strcmp(f->name, feature) == 0)
            return at;
        at += *size;
    }
    fail_msg("there is no feature '%s'", feature);
    return NULL;
}

static void check(const struct banyan_game *game, const void *state, int viewer,
                  const char *feature, int index, double right)
{
    int size;
    const float *at = seen(game, state, viewer, feature, &size);
    assert_in_range(index, 0, size - 1);
    if ((double)at[index] < right - 1e-6 || (double)at[index] > right + 1e-6)
        fail_msg("%s, number %d for player %d: %g, not %g", feature, index, viewer,
                 (double)at[index], right);
}

static double sum_of(const struct banyan_game *game, const void *state, int viewer,
                     const char *feature)
{
    int size;
    double sum = 0;
    const float *at = seen(game, state, viewer, feature, &size);
    for (int i = 0; i < size; ++i)
        sum += (double)at[i];
    return sum;
}

/* --- Blood Bowl --- */

enum { WIDTH = 28, HEIGHT = 17 };

/* The number of a square in a plane: away sees columns from the other end. */
static int cell(int viewer, int x, int y)
{
    return y * WIDTH + (viewer ? WIDTH - 1 - x : x);
}

static struct bb_state scene(void)
{
    struct bb_state s = position("home={4 3 2 1 1 0; 1 6 3 4 8 DODGE; 2 5 2 3 7 BLOCK} "
                                 "away={2 5 3 2 0 1; 7 4 5 1 9; 9 8 2 4 7}");
    int runner = stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    stand(&s, BB_AWAY, 2, 13, 9);
    bb_to_list(&s, 1, BB_KO);
    bb_unlist(&s, 1, BB_RESERVES);
    bb_prone(&s, BB_TEAM_MAX + 1);
    give_ball(&s, runner);
    s.team[BB_HOME].score = 2;
    s.team[BB_AWAY].reroll_used = 1;
    s.team[BB_AWAY].bribes = 3;
    s.team[BB_AWAY].forfeits = 1;
    s.half = 2, s.round = 5, s.weather = BB_BLIZZARD, s.spectators = 31;
    s.player[0].injuries = BB_INJURY_MNG | BB_INJURY_AG << 4;
    s.player[0].used = BB_USED_DODGE | BB_USED_PRO;
    s.player[0].moves = 2;
    return s;
}

static void squares_of_blood_bowl(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("bloodbowl-11");
    struct bb_state s = scene();
    for (int viewer = 0; viewer < 2; ++viewer) {
        int home = cell(viewer, 14, 8), one = cell(viewer, 13, 8), two = cell(viewer, 13, 9);
        check(game, &s, viewer, viewer ? "other" : "own", home, 1);
        check(game, &s, viewer, viewer ? "own" : "other", one, 1);
        check(game, &s, viewer, viewer ? "own" : "other", two, 1);
        assert_true(sum_of(game, &s, viewer, "own") == (viewer ? 2 : 1));
        assert_true(sum_of(game, &s, viewer, "other") == (viewer ? 1 : 2));
        check(game, &s, viewer, "up", home, 1);
        check(game, &s, viewer, "up", two, 0);
        assert_true(sum_of(game, &s, viewer, "up") == 2);
        check(game, &s, viewer, "ball", home, 1);
        assert_true(sum_of(game, &s, viewer, "ball") == 1);
        assert_true(sum_of(game, &s, viewer, "bomb") == 0);
        const int stats[] = {6, 3, 4, 8};
        for (int k = 0; k < 4; ++k)
            check(game, &s, viewer, "stats", k * WIDTH * HEIGHT + home, stats[k]);
        check(game, &s, viewer, "moves-left", home, 4);
        assert_true(sum_of(game, &s, viewer, "pitch") == (WIDTH - 2) * (HEIGHT - 2));
        assert_true(sum_of(game, &s, viewer, "end-zones") == 2 * (HEIGHT - 2));
        check(game, &s, viewer, "end-zones", 8 * WIDTH + 1, 1);
        check(game, &s, viewer, "end-zones", WIDTH * HEIGHT + 8 * WIDTH + WIDTH - 2, 1);
        /* the one standing player of each side has a tackle zone on the eight squares around */
        for (int y = 1; y < HEIGHT - 1; ++y)
            for (int x = 1; x < WIDTH - 1; ++x) {
                bool near_home = abs(x - 14) <= 1 && abs(y - 8) <= 1 && !(x == 14 && y == 8);
                bool near_away = abs(x - 13) <= 1 && abs(y - 8) <= 1 && !(x == 13 && y == 8);
                check(game, &s, viewer, "zones", cell(viewer, x, y),
                      viewer ? near_away : near_home);
                check(game, &s, viewer, "zones", WIDTH * HEIGHT + cell(viewer, x, y),
                      viewer ? near_home : near_away);
            }
    }
}

static void players_of_blood_bowl(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("bloodbowl-11");
    struct bb_state s = scene();
    for (int viewer = 0; viewer < 2; ++viewer) {
        int home = viewer ? BB_TEAM_MAX : 0, away = BB_TEAM_MAX - home;
        assert_true(sum_of(game, &s, viewer, "there") == 4);
        check(game, &s, viewer, "there", home + 1, 1);
        check(game, &s, viewer, "there", home + 2, 0);
        check(game, &s, viewer, "place", home, 0);
        check(game, &s, viewer, "place", home + 1, 1 + BB_KO);
        check(game, &s, viewer, "place", away, 0);
        check(game, &s, viewer, "square", 2 * home, viewer ? WIDTH - 1 - 14 : 14);
        check(game, &s, viewer, "square", 2 * home + 1, 8);
        check(game, &s, viewer, "square", 2 * (away + 1) + 1, 9);
        const int stats[] = {4, 5, 1, 9};
        for (int k = 0; k < 4; ++k)
            check(game, &s, viewer, "player-stats", 4 * away + k, stats[k]);
        check(game, &s, viewer, "moved", home, 2);
        for (int k = 0; k < 16; ++k) {
            check(game, &s, viewer, "flags", 16 * home + k, s.player[0].flags >> k & 1);
            check(game, &s, viewer, "flags", 16 * (away + 1) + k, 0); /* not standing */
        }
        check(game, &s, viewer, "flags", 16 * home, 1); /* standing */
        for (int k = 0; k < 6; ++k)
            check(game, &s, viewer, "spent", 6 * home + k, k == 0 || k == 5);
        for (int k = 0; k < BB_SKILLS; ++k) {
            check(game, &s, viewer, "skills", BB_SKILLS * home + k, k == BB_SKILL_DODGE);
            check(game, &s, viewer, "skills", BB_SKILLS * (home + 1) + k, k == BB_SKILL_BLOCK);
        }
        const int injuries[] = {BB_INJURY_MNG, BB_INJURY_AG, 0, 0};
        for (int k = 0; k < 4; ++k)
            check(game, &s, viewer, "injuries", 4 * home + k, injuries[k]);
    }
}

static void game_of_blood_bowl(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("bloodbowl-11");
    struct bb_state s = scene();
    for (int viewer = 0; viewer < 2; ++viewer) {
        int home = viewer, away = 1 - viewer; /* the viewer's team is first */
        check(game, &s, viewer, "score", home, 2);
        check(game, &s, viewer, "score", away, 0);
        check(game, &s, viewer, "team-turn", home, 1);
        check(game, &s, viewer, "rerolls", 2 * home, 4);
        check(game, &s, viewer, "rerolls", 2 * away + 1, 2);
        check(game, &s, viewer, "reroll-used", home, 0);
        check(game, &s, viewer, "reroll-used", away, 1);
        /* bribes, apothecaries, coaches, cheerleaders, fan factor, fame */
        const int own[] = {0, 1, 2, 1, 3, 0}, other[] = {3, 0, 3, 2, 5, 0};
        for (int k = 0; k < 6; ++k) {
            check(game, &s, viewer, "staff", 6 * home + k, own[k]);
            check(game, &s, viewer, "staff", 6 * away + k, other[k]);
        }
        check(game, &s, viewer, "undead", home, 0);
        check(game, &s, viewer, "undead", away, 1);
        check(game, &s, viewer, "forfeits", home, 0);
        check(game, &s, viewer, "forfeits", away, 1);
        check(game, &s, viewer, "half", 0, 2);
        check(game, &s, viewer, "half", 1, 5);
        check(game, &s, viewer, "weather", 0, BB_BLIZZARD);
        check(game, &s, viewer, "sides", 0, viewer ? 2 : 1); /* home's turn */
        check(game, &s, viewer, "sides", 2, viewer ? 1 : 2); /* away kicked */
        check(game, &s, viewer, "spectators", 0, 31);
        const int ball[] = {1, 1, 1, 0, 0};
        for (int k = 0; k < 5; ++k)
            check(game, &s, viewer, "ball-state", k, ball[k]);
        for (int k = 0; k < 6; ++k)
            check(game, &s, viewer, "turn-actions", k, k < 4);
        check(game, &s, viewer, "procedure", 0, 1 + BB_TURN);
    }
    CHOOSE(&s, START_PASS, 0, BB_NOWHERE);
    check(game, &s, BB_HOME, "active", cell(0, 14, 8), 1);
    check(game, &s, BB_HOME, "activation", 0, BB_ACT_PASS);
    check(game, &s, BB_HOME, "turn-actions", 1, 0); /* no other pass in this turn */
    check(game, &s, BB_HOME, "turn-actions", 0, 1);
    check(game, &s, BB_HOME, "decision-players", 0, 1);
    check(game, &s, BB_AWAY, "decision-players", 0, BB_TEAM_MAX + 1);
    assert_true(sum_of(game, &s, BB_HOME, "active") == 1);
}

/* --- Pokémon --- */

static void battle_of_two(struct pokemon *s)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 21);
    assert_int_equal(find("pokemon")->init(find("pokemon"), s, NULL, &rng, NULL), BANYAN_OK);
}

static void sides_of_pokemon(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("pokemon");
    struct pokemon s;
    battle_of_two(&s);
    struct pokemon_active *a = &s.sides[0].active;
    for (int i = 0; i < BOOST_COUNT; ++i)
        a->boosts[i] = (int8_t)(i - 3);
    a->volatiles = (uint64_t)1 << VOLATILE_TAUNT | (uint64_t)1 << VOLATILE_SUBSTITUTE |
                   (uint64_t)1 << VOLATILE_CONFUSION | (uint64_t)1 << VOLATILE_YAWN;
    a->taunt_turns = 2, a->dynamax_turns = 1, a->encore_turns = 3, a->disable_turns = 4;
    a->throat_turns = 5, a->yawn_turns = 6, a->magnet_turns = 7;
    a->confusion = 1, a->confusion_start = 3;
    a->substitute = s.sides[0].mons[0].max_hp / 4;
    a->encore_move = MOVE_SURF, a->last_move = MOVE_ICEBEAM, a->disable_move = MOVE_PSYCHIC;
    a->turns = 4, a->stall_counter = 9;
    s.sides[0].condition[SIDE_SPIKES] = 2;
    s.sides[0].condition[SIDE_REFLECT] = 3;
    s.sides[0].left = 5;
    s.sides[0].dynamax_used = 1;
    s.sides[0].wish_there = 1;
    s.sides[0].future_move = 1;
    for (int viewer = 0; viewer < 2; ++viewer) {
        int side = viewer, other = !viewer; /* the viewer's side is first */
        for (int i = 0; i < BOOST_COUNT; ++i) {
            check(game, &s, viewer, "boosts", BOOST_COUNT * side + i, i - 3);
            check(game, &s, viewer, "boosts", BOOST_COUNT * other + i, 0);
        }
        for (int i = 0; i < VOLATILE_COUNT; ++i)
            check(game, &s, viewer, "conditions", VOLATILE_COUNT * side + i,
                  i == VOLATILE_TAUNT || i == VOLATILE_SUBSTITUTE || i == VOLATILE_CONFUSION ||
                      i == VOLATILE_YAWN);
        const int timers[] = {1, 3, 2, 4, 5, 6, 7};
        for (int i = 0; i < 7; ++i)
            check(game, &s, viewer, "timers", 7 * side + i, timers[i]);
        check(game, &s, viewer, "lasting", 3 * side, 2);
        check(game, &s, viewer, "lasting", 3 * side + 1, 0);
        check(game, &s, viewer, "bound-moves", 5 * side + 3, MOVE_SURF);
        check(game, &s, viewer, "bound-moves", 5 * side + 4, MOVE_PSYCHIC);
        check(game, &s, viewer, "last-move", side, MOVE_ICEBEAM);
        check(game, &s, viewer, "substitute", side, 2);
        check(game, &s, viewer, "substitute", other, 0);
        check(game, &s, viewer, "active-turns", side, 4);
        check(game, &s, viewer, "stall", side, 9);
        for (int i = 0; i < SIDE_COUNT; ++i)
            check(game, &s, viewer, "side", SIDE_COUNT * side + i,
                  i == SIDE_SPIKES    ? 2
                  : i == SIDE_REFLECT ? 3
                                      : 0);
        check(game, &s, viewer, "left", side, 5);
        check(game, &s, viewer, "left", other, 6);
        check(game, &s, viewer, "dynamax-used", side, 1);
        check(game, &s, viewer, "wish", 2 * side, 1);
        check(game, &s, viewer, "wish", 2 * side + 1, 0);
        check(game, &s, viewer, "future-move", side, MOVE_FUTURESIGHT);
        check(game, &s, viewer, "future-move", other, 0);
        check(game, &s, viewer, "request", side, REQUEST_MOVE);
        check(game, &s, viewer, "waits", side, 0);
    }
    a->substitute -= 1;
    check(game, &s, 0, "substitute", 0, 1); /* hit; nobody knows how much is left */
    check(game, &s, 1, "substitute", 1, 1);
}

static void field_of_pokemon(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("pokemon");
    struct pokemon s;
    battle_of_two(&s);
    s.turn = 17;
    s.weather = WEATHER_HAIL, s.weather_turns = 3;
    s.terrain = TERRAIN_MISTYTERRAIN, s.terrain_turns = 4;
    s.trick_room = 2, s.ion_deluge = 1;
    const int turns[] = {3, 4, 2, 1};
    for (int viewer = 0; viewer < 2; ++viewer) {
        check(game, &s, viewer, "turn", 0, 17);
        check(game, &s, viewer, "weather", 0, WEATHER_HAIL);
        check(game, &s, viewer, "terrain", 0, TERRAIN_MISTYTERRAIN);
        for (int i = 0; i < 4; ++i)
            check(game, &s, viewer, "field-turns", i, turns[i]);
        check(game, &s, viewer, "mid-turn", 0, 0);
        check(game, &s, viewer, "result", 0, 0);
    }
    s.winner = WINNER_SECOND;
    check(game, &s, 0, "result", 0, 2);
    check(game, &s, 1, "result", 0, 1);
    s.winner = WINNER_TIE;
    check(game, &s, 1, "result", 0, 3);
}

/* The own team is known; of the foe what was seen, in the order of species behind the active one. */
static void teams_of_pokemon(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("pokemon");
    struct pokemon s;
    battle_of_two(&s);
    struct pokemon_side *foe = &s.sides[1];
    int first = foe->order[0], shown[2] = {2, 4};
    for (int i = 0; i < 2; ++i)
        foe->mons[shown[i]].seen |= SEEN_SPECIES;
    if (foe->mons[2].set_species > foe->mons[4].set_species)
        shown[0] = 4, shown[1] = 2;
    struct pokemon_mon *lead = &foe->mons[first];
    lead->seen = SEEN_SPECIES | SEEN_ITEM;
    lead->hp = (uint16_t)(lead->max_hp / 3);
    lead->status = STATUS_TOX, lead->status_time = 3;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *own = &s.sides[0].mons[s.sides[0].order[i]];
        check(game, &s, 0, "species", i, own->species);
        check(game, &s, 0, "level", i, own->level);
        check(game, &s, 0, "gender", i, own->gender == 'M' ? 1 : own->gender == 'F' ? 2 : 0);
        check(game, &s, 0, "hp", i, 1);
        check(game, &s, 0, "max-hp", i, own->max_hp);
        for (int k = 0; k < 5; ++k)
            check(game, &s, 0, "stats", 5 * i + k, own->stats[k]);
        check(game, &s, 0, "item", i, own->item);
        check(game, &s, 0, "ability", i, own->ability);
        check(game, &s, 0, "gigantamax", i, (own->flags & MON_GIGANTAMAX) != 0);
        for (int k = 0; k < own->slots.count; ++k) {
            check(game, &s, 0, "moves", 4 * i + k, own->slots.id[k]);
            check(game, &s, 0, "pp", 4 * i + k, own->slots.pp[k]);
            check(game, &s, 0, "max-pp", 4 * i + k, own->slots.max_pp[k]);
        }
    }
    check(game, &s, 0, "species", 6, lead->species);
    check(game, &s, 0, "species", 7, foe->mons[shown[0]].species);
    check(game, &s, 0, "species", 8, foe->mons[shown[1]].species);
    for (int i = 9; i < 12; ++i)
        check(game, &s, 0, "species", i, BANYAN_UNKNOWN);
    check(game, &s, 0, "hp", 6, hp_percent(lead->hp, lead->max_hp) / 100.0);
    check(game, &s, 0, "max-hp", 6, BANYAN_UNKNOWN);
    check(game, &s, 0, "stats", 5 * 6, BANYAN_UNKNOWN);
    check(game, &s, 0, "status", 6, STATUS_TOX);
    check(game, &s, 0, "status-turns", 6, 3);
    check(game, &s, 0, "item", 6, lead->item);
    check(game, &s, 0, "item", 7, BANYAN_UNKNOWN);
    check(game, &s, 0, "gigantamax", 6, BANYAN_UNKNOWN);
    check(game, &s, 0, "moves", 4 * 6, BANYAN_UNKNOWN);
    check(game, &s, 0, "shown", 3 * 6, 1);
    check(game, &s, 0, "shown", 3 * 6 + 1, 1);
    check(game, &s, 0, "shown", 3 * 6 + 2, 0);
}

/* The foe's bench stands in the order of the numbers of its species. */
static void the_order_of_the_foe(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("pokemon");
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    for (int n = 0; n < 30; ++n) {
        struct pokemon s;
        int size, count = 1;
        assert_int_equal(game->init(game, &s, NULL, &rng, NULL), BANYAN_OK);
        struct pokemon_side *foe = &s.sides[1];
        for (int i = 0; i < POKEMON_TEAM; ++i)
            if (i != foe->order[0] && (n + i) % 4) {
                foe->mons[i].seen |= SEEN_SPECIES;
                ++count;
            }
        if (foe->active.illusion)
            continue;
        const float *species = seen(game, &s, 0, "species", &size) + POKEMON_TEAM;
        assert_true((int)species[0] == foe->mons[foe->order[0]].species);
        for (int i = 2; i < count; ++i)
            assert_true(species[i - 1] < species[i]);
        for (int i = count; i < POKEMON_TEAM; ++i)
            assert_true((int)species[i] == BANYAN_UNKNOWN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_of_blood_bowl), cmocka_unit_test(players_of_blood_bowl),
        cmocka_unit_test(game_of_blood_bowl),    cmocka_unit_test(sides_of_pokemon),
        cmocka_unit_test(field_of_pokemon),      cmocka_unit_test(teams_of_pokemon),
        cmocka_unit_test(the_order_of_the_foe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
