/* The points by which the scripted coach of Blood Bowl compares plans: each of them matters, and assists and fouls
 * are planned where they pay. */
#include "base/rng.h"
#include "bloodbowl_position.h"
#include "games/bloodbowl/players/bot.h"

static struct bot_points points_of(const char *text)
{
    struct bot_points points;
    struct banyan_error err;
    if (bot_points_parse(&points, text, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return points;
}

/* Both teams play by these points; returns a number that depends on all actions. */
static uint64_t game_by(const struct bot_points *points, int variant, uint64_t seed)
{
    struct bb_state s;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    uint64_t hash = 1;
    assert_int_equal(bb_parse(&s, variant, "mode=step", NULL), BANYAN_OK);
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
        struct bb_action a = bot_next(points, &s, &plan[team], &planned[team]);
        banyan_action packed = bb_action_pack(&a);
        assert_true(bot_legal(&s, &packed) || s.frame[s.depth - 1].procedure == BB_SETUP);
        hash = rng_mix(hash ^ packed);
        a = bb_action_unpack(&s, packed);
        bb_apply(&s, &a, &dice);
    }
    return hash;
}

static void option_matters(const char *name, double least, double most)
{
    double value[2] = {least, most};
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        uint64_t usual = game_by(&bot_usual, 4, seed);
        for (int i = 0; i < 2; ++i) {
            char text[64];
            snprintf(text, sizeof text, "%s=%g", name, value[i]);
            struct bot_points points = points_of(text);
            if (game_by(&points, 4, seed) != usual)
                return;
        }
    }
    fail_msg("option %s changes nothing", name);
}

static void every_option_matters(void **unused)
{
    (void)unused;
#define X(member, name, value, least, most, text) option_matters(name, least, most);
#include "games/bloodbowl/players/bot_points.def"
#undef X
}

static void options_are_checked(void **unused)
{
    struct bot_points points = points_of("knock=7,run-on=0.5");
    struct banyan_error err;
    (void)unused;
    assert_true(points.knock == 7 && points.run_on == 0.5f && points.way == bot_usual.way);
    assert_int_equal(bot_points_parse(&points, "knok=7", &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "did you mean 'knock'?"));
    assert_int_equal(bot_points_parse(&points, "sure=1.5", &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "0..1"));
}

/* Points for sums by hand. */
#define HAND \
    "turnover=4,turnover-idle=0.8,turnover-carrier=3,fall=2,knock=5,knock-armour=0.7,shove=0.8,"

/* A turn of home with nobody on the pitch, and the ball in a far corner. */
static struct bb_state empty_pitch(void)
{
    struct bb_state s = position("mode=step");
    s.team[BB_HOME].rerolls = 0;
    s.ball_out = s.ball_on_ground = 1;
    s.ball = (uint16_t)bb_square(24, 14);
    return s;
}

static void player_at(struct bb_state *s, int player, int x, int y, unsigned flags)
{
    struct bb_player *who = &s->player[player];
    bb_put(s, player, bb_square(x, y));
    who->flags = (uint16_t)flags;
    who->moves = who->used = 0;
    who->ma = 6;
    who->st = who->ag = 3;
    who->av = 8;
    memset(who->skills, 0, sizeof who->skills);
}

/* The best plan of this kind and player; NULL: none. */
static const struct bot_plan *plan_of(const struct bot_plans *plans, int start, int player)
{
    const struct bot_plan *best = NULL;
    for (int i = 0; i < plans->count; ++i)
        if (plans->plan[i].start == start && plans->plan[i].player == player &&
            (!best || plans->plan[i].points > best->points))
            best = &plans->plan[i];
    return best;
}

static void list_by(const struct bot_points *points, const struct bb_state *s,
                    struct bot_plans *out)
{
    struct bot_view view;
    bot_look(&view, points, s, BB_HOME);
    bot_list(&view, 8, false, out);
}

/* Home's player 0 stands beside an opponent, a block of one die; player 1 can come and assist.  Without
 * a ball all squares are equal but for assists. */
static struct bb_state beside_an_opponent(void)
{
    struct bb_state s = empty_pitch();
    s.ball_out = 0;
    player_at(&s, 0, 10, 7, BB_UP);
    player_at(&s, 1, 13, 9, BB_UP);
    player_at(&s, bb_first(BB_AWAY), 9, 7, BB_UP);
    return s;
}

static void a_free_player_assists(void **unused)
{
    static struct bot_plans plans;
    struct bb_state s = beside_an_opponent();
    struct bot_points with = points_of(HAND "assist=1"), without = points_of(HAND "assist=0");
    int victim = bb_first(BB_AWAY);
    (void)unused;
    list_by(&without, &s, &plans);
    assert_null(plan_of(&plans, BB_DO_START_MOVE, 1));
    list_by(&with, &s, &plans);
    const struct bot_plan *plan = plan_of(&plans, BB_DO_START_MOVE, 1);
    assert_non_null(plan);
    /* the block gains 0.93 points with one die, and 3.50 with two */
    assert_float_equal(plan->points, 2.57f, 0.1f);
    assert_true(bb_adjacent(plan->stand, s.player[victim].square));
    bb_put(&s, 1, plan->stand);
    assert_int_equal(bb_block_dice(&s, 0, victim, s.player[0].square, false, false), 2);
    /* nobody assists their own block */
    assert_null(plan_of(&plans, BB_DO_START_MOVE, 0));
}

/* What it is worth to move player 1 away, to this square. */
static float move_away(const struct bot_points *points, const struct bb_state *s, int square)
{
    static struct bot_plans plans;
    struct bot_view view;
    bot_look(&view, points, s, BB_HOME);
    bot_list(&view, 100, false, &plans);
    for (int i = 0; i < plans.count; ++i)
        if (plans.plan[i].start == BB_DO_START_MOVE && plans.plan[i].player == 1 &&
            plans.plan[i].stand == square)
            return plans.plan[i].points;
    fail_msg("there is no such plan");
    return 0;
}

/* A player who assists leaves only for more than the block loses; one who lies does not assist. */
static void who_assists_stays(void **unused)
{
    struct bb_state s = beside_an_opponent();
    struct bot_points with = points_of(HAND "assist=1,least=-50"),
                      without = points_of(HAND "assist=0,least=-50");
    (void)unused;
    int away = bb_square(9, 10);
    player_at(&s, 1, 9, 8, BB_UP);
    /* a dodge away succeeds twice in three times */
    assert_float_equal(move_away(&without, &s, away) - move_away(&with, &s, away), 2.57f * 2 / 3,
                       0.05f);
    s.player[1].flags = 0;
    assert_true(move_away(&without, &s, away) == move_away(&with, &s, away));
}

/* Two blockers have one strong victim: a third square gains an assist for both, but each of them moves
 * there for the other's block alone, 0.93 points, which is no reason to dodge. */
static void blockers_assist_one_another(void **unused)
{
    static struct bot_plans plans;
    struct bb_state s = beside_an_opponent();
    struct bot_points with = points_of(HAND "assist=1");
    (void)unused;
    player_at(&s, 2, 8, 7, BB_UP);
    s.player[bb_first(BB_AWAY)].st = 5;
    list_by(&with, &s, &plans);
    assert_true(plan_of(&plans, BB_DO_START_MOVE, 0)->points < 0);
    assert_true(plan_of(&plans, BB_DO_START_MOVE, 2)->points < 0);
    const struct bot_plan *helper = plan_of(&plans, BB_DO_START_MOVE, 1);
    assert_non_null(helper);
    /* one die at strength 5 against 5; three players have not acted */
    assert_float_equal(helper->points, 0.66f, 0.1f);
}

/* A player whom another opponent marks gives no assist. */
static void a_marked_square_gives_no_assist(void **unused)
{
    static struct bot_plans with_plans, without_plans;
    struct bb_state s = beside_an_opponent();
    struct bot_points with = points_of(HAND "assist=1"), without = points_of(HAND "assist=0");
    int victim = bb_first(BB_AWAY);
    (void)unused;
    /* these four mark all other squares next to the victim */
    player_at(&s, victim + 1, 8, 6, BB_UP);
    player_at(&s, victim + 2, 8, 8, BB_UP);
    player_at(&s, victim + 3, 10, 9, BB_UP);
    player_at(&s, victim + 4, 10, 5, BB_UP);
    list_by(&with, &s, &with_plans);
    list_by(&without, &s, &without_plans);
    const struct bot_plan *a = plan_of(&with_plans, BB_DO_START_MOVE, 1);
    const struct bot_plan *b = plan_of(&without_plans, BB_DO_START_MOVE, 1);
    assert_true(!a == !b);
    assert_true(!a || (a->stand == b->stand && a->points == b->points));
}

/* An opponent lies beside two of our players: one fouls, the other one helps. */
static void fouls_a_player_who_lies(void **unused)
{
    static struct bot_plans plans;
    struct bb_state s = empty_pitch();
    struct bot_points foul = points_of("foul=10,sent-off=0"), none = points_of("foul=0");
    struct bot_plan plan;
    struct banyan_rng rng;
    struct banyan_dice dice;
    bool planned = false, fouled = false;
    int victim = bb_first(BB_AWAY);
    (void)unused;
    player_at(&s, 0, 10, 7, BB_UP);
    player_at(&s, 1, 9, 8, BB_UP);
    player_at(&s, victim, 9, 7, 0);
    list_by(&none, &s, &plans);
    assert_null(plan_of(&plans, BB_DO_START_FOUL, 0));
    list_by(&foul, &s, &plans);
    const struct bot_plan *best = plan_of(&plans, BB_DO_START_FOUL, 0);
    assert_non_null(best);
    /* armour 8, one assist: 8 or more with two dice, 15 of 36 */
    float gain = 15 / 36.0f * 10 * (foul.knock + 2 * foul.knock_armour);
    assert_true(best->points > gain - 3 && best->points < gain + 3);
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    while (bb_asked(&s) == BB_HOME && s.current == BB_HOME && !fouled) {
        struct bb_action a = bot_next(&foul, &s, &plan, &planned);
        banyan_action packed = bb_action_pack(&a);
        assert_true(bot_legal(&s, &packed));
        fouled = a.type == BB_DO_FOUL;
        bb_apply(&s, &a, &dice);
    }
    assert_true(fouled);
    while (!bot_plans_now(&s))
        bot_rollout(&s, 1, &dice);
    if (bb_asked(&s) == BB_HOME) { /* a team fouls once in a turn */
        list_by(&foul, &s, &plans);
        assert_null(plan_of(&plans, BB_DO_START_FOUL, 1));
    }
}

/* Of six faces one fells the blocker, one both players, two push, and two fell the opponent. */
static void assists_add_dice(void **unused)
{
    static const struct {
        int more, down, push, turnover, of;
    } row[] = {{-2, 69, 56, 152, 216}, {-1, 13, 12, 20, 36}, {0, 3, 2, 2, 6},
               {1, 23, 12, 4, 36},     {3, 23, 12, 4, 36},   {4, 159, 56, 8, 216}};
    struct bb_state s = empty_pitch();
    struct bot_view view;
    int victim = bb_first(BB_AWAY);
    (void)unused;
    player_at(&s, 0, 10, 7, BB_UP);
    player_at(&s, victim, 9, 7, BB_UP);
    bot_look(&view, &bot_usual, &s, BB_HOME);
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        struct bot_odds odds = bot_block(&view, 0, victim, s.player[0].square, false, row[i].more);
        float of = (float)row[i].of;
        assert_float_equal(odds.down, (float)row[i].down / of, 1e-6f);
        assert_float_equal(odds.push, (float)row[i].push / of, 1e-6f);
        assert_float_equal(odds.turnover, (float)row[i].turnover / of, 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_matters),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(a_free_player_assists),
        cmocka_unit_test(who_assists_stays),
        cmocka_unit_test(blockers_assist_one_another),
        cmocka_unit_test(a_marked_square_gives_no_assist),
        cmocka_unit_test(fouls_a_player_who_lies),
        cmocka_unit_test(assists_add_dice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
