/* Pokémon: scripted players, priors, the value of a position, and the searching player. */
#include "games/pokemon/players/baselines.h"
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/priors.h"

#include <banyan/player.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

#define TEAM(side)                                                                               \
    " | p" #side ".1 species=blissey level=80 ability=naturalcure moves=softboiled,seismictoss," \
    "toxic,stealthrock evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"                              \
    " | p" #side ".2 species=snorlax level=80 ability=thickfat moves=bodyslam,curse,earthquake," \
    "rest evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"                                           \
    " | p" #side ".3 species=gengar level=80 ability=cursedbody moves=shadowball,sludgewave,"    \
    "focusblast,trick evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"                               \
    " | p" #side ".4 species=milotic level=80 ability=marvelscale moves=scald,recover,icebeam,"  \
    "haze evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"                                           \
    " | p" #side ".5 species=pikachu level=80 ability=static moves=thunderbolt,surf,fakeout,"    \
    "knockoff evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"

#define LEAD(side, species, ability, moves)                                         \
    " | p" #side ".0 species=" species " level=80 ability=" ability " moves=" moves \
    " evs=85,85,85,85,85,85 ivs=31,31,31,31,31,31"

static struct pokemon begin(const char *first, const char *second)
{
    struct pokemon s;
    struct banyan_error err = {.message = ""};
    char text[4000];
    snprintf(text, sizeof text, "teams%s%s%s%s", first, TEAM(1), second, TEAM(2));
    if (game()->init(game(), &s, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return s;
}

static void expect(const struct pokemon *s, int player, baseline_choice *choice, const char *text)
{
    struct banyan_rng rng;
    char chosen[100];
    banyan_rng_seed(&rng, 1);
    game()->action_format(game(), s, player, choice(s, player, &rng), chosen, sizeof chosen);
    assert_string_equal(chosen, text);
}

static void test_power(void **unused)
{
    (void)unused;
    struct pokemon s =
        begin(LEAD(1, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"),
              LEAD(2, "skarmory", "sturdy", "bravebird,ironhead,roost,spikes"));
    expect(&s, 0, baseline_power, "move earthquake"); /* chosen although it does nothing here */
    expect(&s, 1, baseline_power, "move bravebird");
}

static void test_heuristic(void **unused)
{
    (void)unused;
    /* hazards first, while three are left */
    struct pokemon s =
        begin(LEAD(1, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,stealthrock"),
              LEAD(2, "heatran", "flashfire", "magmastorm,earthpower,taunt,toxic"));
    expect(&s, 0, baseline_heuristic, "move stealthrock");
    s.sides[1].condition[SIDE_STEALTHROCK] = 1;
    s.sides[1].stamp[SIDE_STEALTHROCK] = 1;
    /* power 100 * 1.5 * 4; with Dynamax, since the match-up is good and both are healthy */
    expect(&s, 0, baseline_heuristic, "move earthquake dynamax");
    s.sides[1].mons[0].hp /= 2;
    expect(&s, 0, baseline_heuristic, "move earthquake");
    /* a hurt foe that an attack hits with four times the effect is left to another Pokémon */
    struct pokemon bad =
        begin(LEAD(1, "scizor", "technician", "bulletpunch,uturn,roost,swordsdance"),
              LEAD(2, "heatran", "flashfire", "magmastorm,earthpower,taunt,toxic"));
    bad.sides[0].active.boosts[BOOST_DEF] = -3;
    expect(&bad, 0, baseline_heuristic, "switch Milotic");
}

static void test_priors(void **unused)
{
    (void)unused;
    struct pokemon s =
        begin(LEAD(1, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"),
              LEAD(2, "heatran", "flashfire", "magmastorm,earthpower,taunt,toxic"));
    banyan_action legal[16];
    float priors[16], sum = 0;
    int count = legal_actions(&s, 0, legal), best = 0;
    priors_pokemon(NULL, &s, 0, legal, count, priors);
    for (int i = 0; i < count; ++i) {
        assert_true(priors[i] > 0);
        sum += priors[i];
        best = priors[i] > priors[best] ? i : best;
    }
    assert_true(fabsf(sum - 1) < 1e-4f);
    assert_int_equal(legal[best] & 0xffff, MOVE_EARTHQUAKE);
}

static void test_value(void **unused)
{
    (void)unused;
    struct pokemon s =
        begin(LEAD(1, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"),
              LEAD(2, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"));
    assert_true(fabsf(evaluate_heuristic(NULL, &s, 0)) < 1e-6f); /* alike */
    struct pokemon less = s;
    less.sides[1].mons[1].hp = 0;
    less.sides[1].mons[1].flags |= MON_FAINTED;
    less.sides[1].left = 5;
    assert_true(evaluate_heuristic(NULL, &less, 0) > 0.1f);
    assert_true(fabsf(evaluate_heuristic(NULL, &less, 0) + evaluate_heuristic(NULL, &less, 1)) <
                1e-6f);
    less = s;
    less.sides[0].dynamax_used = 1;
    assert_true(evaluate_heuristic(NULL, &less, 0) < 0);
}

/* Share of points of one player against another, sides alternating. */
static double play(const char *first, const char *second, int games)
{
    double points = 0;
    for (int i = 0; i < games; ++i) {
        struct banyan_player players[2];
        struct pokemon s, before;
        struct banyan_rng rng;
        struct banyan_dice dice;
        float returns[2];
        int seat = i % 2;
        banyan_rng_seed(&rng, banyan_rng_child(5, "players", (uint64_t)(i / 2)));
        banyan_dice_drawn(&dice, &rng);
        game()->init(game(), &s, NULL, &rng, NULL);
        for (int p = 0; p < 2; ++p) {
            assert_int_equal(banyan_player_create(game(), p == seat ? first : second, NULL, 1,
                                                  &players[p], NULL),
                             BANYAN_OK);
            assert_int_equal(players[p].open(players[p].ctx, &s, p, (uint64_t)i, NULL), BANYAN_OK);
        }
        for (unsigned movers; (movers = game()->movers(game(), &s)) != 0;) {
            banyan_action joint[2] = {0, 0};
            for (int p = 0; p < 2; ++p) {
                struct banyan_player_move move;
                if (!(movers >> p & 1))
                    continue;
                assert_int_equal(players[p].choose(players[p].ctx, &s, NULL, &move, NULL),
                                 BANYAN_OK);
                joint[p] = move.action;
            }
            before = s;
            game()->apply(game(), &s, joint, &dice);
            for (int p = 0; p < 2; ++p)
                if (players[p].observe)
                    players[p].observe(players[p].ctx, &before, joint, &s, NULL);
        }
        game()->returns(game(), &s, returns);
        points += (double)(returns[seat] + 1) / 2;
        banyan_player_close(&players[0]);
        banyan_player_close(&players[1]);
    }
    return points / games;
}

static void test_order_of_strength(void **unused)
{
    (void)unused;
    assert_true(play("maxpower", "random", 200) > 0.75);
    assert_true(play("heuristic", "random", 100) > 0.9);
    assert_true(play("heuristic", "maxpower", 200) > 0.8);
    assert_true(play("agent:simulations=200", "heuristic", 20) > 0.6);
    assert_true(play("tutorial:simulations=100", "random", 40) > 0.7);
    assert_true(play("agent:simulations=100", "tutorial:simulations=100", 20) > 0.7);
}

static void test_bad_options(void **unused)
{
    (void)unused;
    struct banyan_player player;
    struct banyan_error err;
    assert_int_not_equal(banyan_player_create(game(), "maxpower:x", NULL, 1, &player, &err),
                         BANYAN_OK);
    assert_int_not_equal(banyan_player_create(game(), "heuristic:x", NULL, 1, &player, &err),
                         BANYAN_OK);
    assert_int_not_equal(banyan_player_create(game(), "agent:worlds=no", NULL, 1, &player, &err),
                         BANYAN_OK);
    assert_int_not_equal(
        banyan_player_create(game(), "tutorial:simulations=0", NULL, 1, &player, &err), BANYAN_OK);
    assert_int_not_equal(
        banyan_player_create(game(), "agent:evaluator=none", NULL, 1, &player, &err), BANYAN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_heuristic),
        cmocka_unit_test(test_priors),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_order_of_strength),
        cmocka_unit_test(test_bad_options),
    };
    return cmocka_run_group_tests_name("pokemon players", tests, NULL, NULL);
}
