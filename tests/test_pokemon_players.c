/* Pokémon: scripted players, priors, the value of a position, and the searching player. */
#include "games/pokemon/players/baselines.h"
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/learned.h"
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

/* --- the evaluator "learned" --- */

static void expect_near(float is, float wanted)
{
    if (fabsf(is - wanted) > 1e-5f)
        fail_msg("%g instead of %g", (double)is, (double)wanted);
}

static struct pokemon garchomps(void)
{
    return begin(LEAD(1, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"),
                 LEAD(2, "garchomp", "roughskin", "dragonclaw,earthquake,stoneedge,swordsdance"));
}

static void test_duel(void **unused)
{
    (void)unused;
    /* the attacker needs one hit and survives one */
    expect_near(learned_duel(1, 0.5f, true), 1.5f / 3);
    /* each needs four hits, and the first to be hit loses */
    expect_near(learned_duel(0.3f, 0.3f, false), -0.5f / 3);
    expect_near(learned_duel(0.5f, 1, false), -1.5f / 3);
    expect_near(learned_duel(0.01f, 1, true), -1);
    expect_near(learned_duel(2, 0, false), 1);
}

static void test_inputs_team(void **unused)
{
    (void)unused;
    struct pokemon s = garchomps();
    struct pokemon_side *side = &s.sides[0];
    float x[2][INPUT_COUNT];
    learned_inputs(&s, x);
    assert_memory_equal(x[0], x[1], sizeof x[0]); /* alike */
    expect_near(x[0][INPUT_LEFT], 1);
    expect_near(x[0][INPUT_HP], 1);
    expect_near(x[0][INPUT_HEALERS], 3.0f / 6); /* Softboiled, Rest, Recover */
    expect_near(x[0][INPUT_ENTRY], 0);
    side->mons[1].hp = side->mons[1].max_hp / 10;
    side->mons[2].hp = 0;
    side->mons[2].flags |= MON_FAINTED;
    side->mons[3].status = STATUS_TOX;
    side->left = 5;
    side->condition[SIDE_STEALTHROCK] = 1;
    side->condition[SIDE_SPIKES] = 1;
    side->condition[SIDE_TOXICSPIKES] = 1;
    learned_inputs(&s, x);
    float tenth = (float)side->mons[1].hp / (float)side->mons[1].max_hp;
    expect_near(x[0][INPUT_LEFT], 5.0f / 6);
    expect_near(x[0][INPUT_HP], (4 + tenth) / 6);
    expect_near(x[0][INPUT_WEAK], 1.0f / 6);
    expect_near(x[0][INPUT_POISONED], 1.0f / 6);
    /* three lose a quarter; Blissey loses what it has, and faints */
    expect_near(x[0][INPUT_ENTRY], 0.2f * (3 * 0.25f + tenth));
    expect_near(x[0][INPUT_ENTRY_FAINT], 0.2f);
    expect_near(x[0][INPUT_TOXIC_SPIKES], 0.2f * 3); /* Gengar is poisoned already */
    expect_near(x[1][INPUT_ENTRY], 0);
}

static void test_inputs_front(void **unused)
{
    (void)unused;
    struct pokemon s = garchomps();
    struct pokemon_active *active = &s.sides[0].active;
    float x[2][INPUT_COUNT];
    active->boosts[BOOST_ATK] = 2;
    active->volatiles |= (uint64_t)1 << VOLATILE_LEECHSEED;
    s.sides[0].mons[0].status = STATUS_BRN;
    s.sides[0].mons[0].slots.pp[1] = 0;
    learned_inputs(&s, x);
    expect_near(x[0][INPUT_ATTACK], 2.0f / 6);
    expect_near(x[0][INPUT_SEEDED], 1);
    expect_near(x[0][INPUT_LOSS], 4 * (1.0f / 8 + 1.0f / 16));
    expect_near(x[0][INPUT_FASTER], 0.5f);
    expect_near(x[0][INPUT_SETS_UP], 1);
    expect_near(x[0][INPUT_RECOVERS], 0);
    const struct pokemon_slots *slots = &s.sides[0].mons[0].slots;
    float all = (float)(slots->max_pp[0] + slots->max_pp[1] + slots->max_pp[2]);
    expect_near(x[0][INPUT_PP], (float)(slots->pp[0] + slots->pp[2]) / all);
    expect_near(x[0][INPUT_NO_PP], 0);
    /* Dragon Claw with and without two stages of Attack and a burn: 2 * 0.5 */
    assert_true(fabsf(x[0][INPUT_THREAT] - x[1][INPUT_THREAT]) < 0.02f);
    active->speed = (uint16_t)(s.sides[1].active.speed + 1);
    s.sides[1].mons[0].hp = 1;
    learned_inputs(&s, x);
    expect_near(x[0][INPUT_FASTER], 1);
    expect_near(x[0][INPUT_KO_FIRST], 1);
    expect_near(x[1][INPUT_KO_SECOND], x[1][INPUT_THREAT] >= 1 ? 1 : 0);
    assert_true(x[0][INPUT_DUEL] > 0 && x[1][INPUT_DUEL] < 0);
}

/* The formula of learned.h, in the simplest way. */
static double plain_hidden(const float mine[INPUT_COUNT], const float theirs[INPUT_COUNT], int h)
{
    double sum = (double)learned_bias[h];
    for (int i = 0; i < INPUT_COUNT; ++i)
        sum += (double)learned_mine[i][h] * (double)mine[i] +
               (double)learned_theirs[i][h] * (double)theirs[i];
    return sum > 0 ? sum : 0;
}

static double plain_second(const float mine[INPUT_COUNT], const float theirs[INPUT_COUNT], int g)
{
    double sum = (double)learned_second_bias[g];
    for (int h = 0; h < LEARNED_HIDDEN; ++h)
        sum += (double)learned_second[0][h][g] * plain_hidden(mine, theirs, h) +
               (double)learned_second[1][h][g] * plain_hidden(theirs, mine, h);
    return sum > 0 ? sum : 0;
}

static void test_network(void **unused)
{
    (void)unused;
    struct pokemon s = garchomps();
    float x[2][INPUT_COUNT], swapped[2][INPUT_COUNT];
    s.sides[0].mons[1].hp /= 2;
    s.sides[1].mons[4].hp = 0;
    s.sides[1].mons[4].flags |= MON_FAINTED;
    s.sides[1].left = 5;
    learned_inputs(&s, x);
    double z = 0;
    for (int g = 0; g < LEARNED_SECOND; ++g)
        z += (double)learned_out[g] * (plain_second(x[0], x[1], g) - plain_second(x[1], x[0], g));
    for (int i = 0; i < INPUT_COUNT; ++i)
        z += (double)learned_linear[i] * ((double)x[0][i] - (double)x[1][i]);
    float value = learned_value((const float(*)[INPUT_COUNT])x);
    assert_true(fabs((double)value - tanh(z)) < 0.002);
    assert_true(value > 0.1f);
    memcpy(swapped[0], x[1], sizeof x[1]);
    memcpy(swapped[1], x[0], sizeof x[0]);
    assert_true(learned_value((const float(*)[INPUT_COUNT])swapped) == -value);
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
    assert_int_not_equal(
        banyan_player_create(game(), "agent:evaluator=learned:x", NULL, 1, &player, &err),
        BANYAN_OK);
    assert_non_null(strstr(err.message, "takes no options"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_heuristic),
        cmocka_unit_test(test_priors),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_duel),
        cmocka_unit_test(test_inputs_team),
        cmocka_unit_test(test_inputs_front),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_order_of_strength),
        cmocka_unit_test(test_bad_options),
    };
    return cmocka_run_group_tests_name("pokemon players", tests, NULL, NULL);
}
