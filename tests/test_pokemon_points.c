/* The points of Pokémon's agent as options: each of them matters, by sums that are done by hand. */
#include "base/rng.h"
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/priors.h"
#include "pokemon_battle.h"

#include <banyan/player.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 8192, POSITIONS = 20000 };

/* All points 0. */
#define VALUE(feature, name, weight, text) ",value-" name "=0"
#define PRIOR(member, name, points, text)  ",prior-" name "=0"
static const char nothing[] =
#include "games/pokemon/players/points.def"
    "";
#undef VALUE
#undef PRIOR

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

static struct points points_of(const char *text)
{
    struct points points;
    struct banyan_error err;
    if (points_parse(&points, text, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return points;
}

/* These points, and all others 0. */
static const char *only(const char *points)
{
    static char text[ROOM];
    snprintf(text, sizeof text, "%s%s%s", nothing + 1, *points ? "," : "", points);
    return text;
}

/* The value for player 0 by these points, "" for the usual ones. */
static double value_by(const char *points, const struct pokemon *s)
{
    char text[ROOM];
    struct banyan_evaluator evaluator;
    struct banyan_leaf leaf = {.game = game(), .state = s};
    struct banyan_error err;
    snprintf(text, sizeof text, "position:%s", points);
    if (banyan_evaluator_create(game(), text, NULL, &evaluator, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(evaluator.evaluate(evaluator.ctx, &leaf, 1, NULL), BANYAN_OK);
    banyan_evaluator_close(&evaluator);
    assert_true(leaf.values[1] == -leaf.values[0]);
    return (double)leaf.values[0];
}

/* --- positions of games in which both players choose at random --- */

struct walk {
    struct pokemon s;
    struct banyan_rng rng;
    struct banyan_dice dice;
};

static void walk_begin(struct walk *walk)
{
    assert_int_equal(game()->init(game(), &walk->s, NULL, &walk->rng, NULL), BANYAN_OK);
}

static void walk_on(struct walk *walk)
{
    banyan_action joint[2] = {0, 0}, legal[16];
    unsigned movers = game()->movers(game(), &walk->s);
    for (int p = 0; p < 2; ++p)
        if (movers >> p & 1)
            joint[p] = legal[rng_below(&walk->rng, (uint32_t)legal_actions(&walk->s, p, legal))];
    game()->apply(game(), &walk->s, joint, &walk->dice);
    if (!game()->movers(game(), &walk->s))
        walk_begin(walk);
}

static bool priors_differ(const struct points *points, const struct pokemon *s)
{
    banyan_action legal[16];
    float usual[16], other[16];
    for (int p = 0; p < 2; ++p) {
        if (!(game()->movers(game(), s) >> p & 1))
            continue;
        int count = legal_actions(s, p, legal);
        priors_pokemon(game(), s, p, legal, count, usual);
        priors_by(&points->prior, s, p, legal, count, other);
        if (memcmp(usual, other, (size_t)count * sizeof *usual) != 0)
            return true;
    }
    return false;
}

/* In some position this option changes the value, or a prior, and never the other one. */
static void option_matters(const char *name, double usual, bool is_value)
{
    char text[64];
    struct walk walk;
    snprintf(text, sizeof text, "%s=%g", name, usual + 0.5);
    struct points points = points_of(text);
    banyan_rng_seed(&walk.rng, 1);
    banyan_dice_drawn(&walk.dice, &walk.rng);
    walk_begin(&walk);
    for (int i = 0; i < POSITIONS; ++i, walk_on(&walk)) {
        bool value = value_by(text, &walk.s) != value_by("", &walk.s);
        bool prior = priors_differ(&points, &walk.s);
        assert_false(is_value ? prior : value);
        if (value || prior)
            return;
    }
    fail_msg("option %s changes nothing", name);
}

static void every_option_matters(void **unused)
{
    (void)unused;
#define VALUE(feature, name, weight, text) option_matters("value-" name, weight, true);
#define PRIOR(member, name, points, text)  option_matters("prior-" name, points, false);
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
}

/* --- sums by hand --- */

/* The start of a game in which one side has lost two Pokémon on the bench and the other one none. */
static struct pokemon two_are_lost(void)
{
    struct pokemon s;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    assert_int_equal(game()->init(game(), &s, NULL, &rng, NULL), BANYAN_OK);
    for (int i = 4; i < POKEMON_TEAM; ++i) {
        s.sides[1].mons[i].hp = 0;
        s.sides[1].mons[i].flags |= MON_FAINTED;
    }
    s.sides[1].left = POKEMON_TEAM - 2;
    return s;
}

static void values_are_sums(void **unused)
{
    (void)unused;
    struct pokemon s = two_are_lost();
    assert_true(value_by(only(""), &s) == 0);
    /* in this range the approximation of tanh is exact to four digits */
    assert_true(fabs(value_by(only("value-alive=0.05"), &s) - tanh(2 * 0.05)) < 1e-4);
    s.sides[0].mons[2].status = STATUS_BRN;
    assert_true(fabs(value_by(only("value-alive=0.05,value-burn=-0.02"), &s) -
                     tanh(2 * 0.05 - 0.02)) < 1e-4);
}

/* The part of each choice is its part of the sum of e^points. */
static void priors_are_parts(void **unused)
{
    (void)unused;
    struct pokemon s = two_are_lost();
    banyan_action legal[16];
    float priors[16];
    int count = legal_actions(&s, 0, legal), switches = 0;
    struct points none = points_of(only("")), rarely = points_of(only("prior-switch=-2"));
    for (int i = 0; i < count; ++i)
        switches += (int)(legal[i] >> 16) == ACTION_SWITCH;
    assert_true(switches > 0 && switches < count);
    priors_by(&none.prior, &s, 0, legal, count, priors);
    for (int i = 0; i < count; ++i)
        assert_true(fabs((double)priors[i] - 1.0 / count) < 1e-5);
    priors_by(&rarely.prior, &s, 0, legal, count, priors);
    double sum = count - switches + switches * exp(-2);
    for (int i = 0; i < count; ++i) {
        double part = (int)(legal[i] >> 16) == ACTION_SWITCH ? exp(-2) : 1;
        assert_true(fabs((double)priors[i] - part / sum) < 2e-3);
    }
}

/* --- moves that do nothing --- */

/* How much less likely than Protect, which has no points here, the first player is to use this move against this Pokémon. */
static double less_likely(const char *move, const char *foe, int attack, uint64_t conditions)
{
    struct pokemon s;
    char own[128], names[2][32];
    float priors[16];
    banyan_action legal[16], actions[2];
    snprintf(own, sizeof own, "species=snorlax ability=gluttony moves=protect,%s,none,none", move);
    open_battle(&s,
                (const char *const[2]){
                    own, "species=wailord ability=pressure moves=protect,none,none,none"},
                foe);
    s.sides[0].active.boosts[BOOST_ATK] = (int8_t)attack;
    s.sides[1].active.volatiles |= conditions;
    struct points points = points_of(only("prior-useless=-2"));
    int count = legal_actions(&s, 0, legal);
    for (int i = 0; i < 2; ++i) {
        snprintf(names[i], sizeof names[i], "move %s", i ? move : "protect");
        assert_int_equal(game()->action_parse(game(), &s, 0, names[i], &actions[i], NULL),
                         BANYAN_OK);
    }
    priors_by(&points.prior, &s, 0, legal, count, priors);
    double part[2] = {0, 0};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 2; ++k)
            part[k] += legal[i] == actions[k] ? (double)priors[i] : 0;
    return part[1] / part[0];
}

#define SEEDED     ((uint64_t)1 << VOLATILE_LEECHSEED)
#define SUBSTITUTE ((uint64_t)1 << VOLATILE_SUBSTITUTE)
#define TAUNTED    ((uint64_t)1 << VOLATILE_TAUNT)

static void useless_moves_have_their_points(void **unused)
{
    static const struct {
        const char *move, *foe;
        int attack;
        uint64_t conditions;
        bool useless;
    } rows[] = {
        {"bodyslam", "gengar", 0, 0, true}, /* Normal into Ghost */
        {"bodyslam", "wailord", 0, 0, false},
        {"earthquake", "altaria", 0, 0, true},
        {"counter", "gengar", 0, 0, false}, /* its damage is not known before the turn */
        {"bellydrum", "wailord", 0, 0, false},
        {"swordsdance", "wailord", 5, 0, false},
        {"swordsdance", "wailord", 6, 0, true},
        {"curse", "wailord", 6, 0, false}, /* Defence can rise */
        {"leechseed", "wailord", 0, 0, false},
        {"leechseed", "wailord", 0, SEEDED, true},
        {"leechseed", "eldegoss", 0, 0, true},
        {"leechseed", "wailord", 0, SUBSTITUTE, true},
        {"taunt", "wailord", 0, SUBSTITUTE, false}, /* goes past it */
        {"taunt", "wailord", 0, TAUNTED, true},
        {"toxic", "registeel", 0, 0, true},
        {"toxic", "gengar", 0, 0, true}, /* Poison */
        {"toxic", "wailord", 0, 0, false},
        {"willowisp", "charizard", 0, 0, true},
        {"thunderwave", "pikachu", 0, 0, true},
        {"thunderwave", "garchomp", 0, 0, true}, /* Ground */
        {"thunderwave", "gyarados", 0, 0, false},
        {"glare", "gengar", 0, 0, false},
        {"sleeppowder", "eldegoss", 0, 0, true},
        {"spore", "wailord", 0, 0, false},
        {"recover", "gengar", 0, SUBSTITUTE, false}, /* not at the foe */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char foe[128];
        snprintf(foe, sizeof foe, "species=%s ability=pressure moves=protect,none,none,none",
                 rows[i].foe);
        double part = less_likely(rows[i].move, foe, rows[i].attack, rows[i].conditions);
        if (fabs(part - (rows[i].useless ? exp(-2) : 1)) > 0.02)
            fail_msg("%s against %s: %.3f times as likely", rows[i].move, rows[i].foe, part);
    }
}

/* --- texts --- */

static void options_are_checked(void **unused)
{
    struct points points = points_of("value-hp=0.5,prior-switch=-3");
    struct banyan_error err;
    (void)unused;
    assert_true(points.value[FEATURE_HP] == 0.5f && points.prior.switch_out == -3);
    assert_true(points.value[FEATURE_ALIVE] == points_usual.value[FEATURE_ALIVE]);
    assert_int_equal(points_parse(&points, "value-ph=1", &err), BANYAN_NOT_FOUND);
    assert_int_equal(points_parse(&points, "prior-swich=1", &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "did you mean 'prior-switch'?"));
    assert_int_equal(points_parse(&points, "value-hp=101", &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "-100..100"));
}

/* The first choice of a game by the player of this text; 0: text is refused. */
static banyan_action choice_of(const char *text, struct banyan_error *err)
{
    struct banyan_player player;
    struct banyan_player_move move;
    struct pokemon s = two_are_lost();
    if (banyan_player_create(game(), text, NULL, 1, &player, err) != BANYAN_OK)
        return 0;
    assert_int_equal(player.open(player.ctx, &s, 0, 1, err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, &s, NULL, &move, err), BANYAN_OK);
    banyan_player_close(&player);
    return move.action;
}

static void the_agent_takes_points(void **unused)
{
    struct banyan_error err = {.message = ""};
    (void)unused;
    banyan_action eager = choice_of("agent:simulations=40,prior-switch=50", &err);
    assert_int_equal(eager >> 16, ACTION_SWITCH);
    assert_true(choice_of("agent:prior-switch=50,evaluator=position,simulations=40", &err) ==
                eager);
    assert_true(choice_of("mcts:simulations=40,worlds=100,rule=puct,cpuct=0.8,"
                          "evaluator=(position:prior-switch=50)",
                          &err) >>
                    16 ==
                ACTION_SWITCH);
    assert_true(choice_of("agent:simulations=40,prior-switch=-50", &err) >> 16 != ACTION_SWITCH);
    assert_true(choice_of("agent:prior-switch=1,evaluator=learned", &err) == 0);
    assert_string_equal(err.message,
                        "'prior-switch=1' needs evaluator=position, not evaluator=learned");
    assert_true(choice_of("agent:simulations=9,value-hpp=1", &err) == 0);
    assert_string_equal(err.message, "no option 'value-hpp'; did you mean 'value-hp'?");
    assert_true(choice_of("agent:simulatons=9,value-hp=1", &err) == 0);
    assert_string_equal(err.message, "no option 'simulatons'; did you mean 'simulations'?");
    assert_true(choice_of("agent:prior-switch=x", &err) == 0);
    assert_non_null(strstr(err.message, "prior-switch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_matters),   cmocka_unit_test(values_are_sums),
        cmocka_unit_test(priors_are_parts),       cmocka_unit_test(options_are_checked),
        cmocka_unit_test(the_agent_takes_points), cmocka_unit_test(useless_moves_have_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
