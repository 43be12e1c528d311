/* Exact values on the one-player board, and the search of the tutorial. */
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/tutorial.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/solve.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Plays a scripted game to its last turn, where the mover's turn and the other team's are left.
 * False: the game ended before. */
static bool last_turn(struct bb_state *s, uint64_t seed)
{
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_error err;
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    assert_int_equal(bb_parse(s, 0, "mode=step", &err), BANYAN_OK);
    for (;;) {
        int team = bb_asked(s);
        const struct bb_frame *turn = bb_turn_frame(s);
        if (team == BB_NOBODY)
            return false;
        if (s->half == 2 && turn && bot_plans_now(s) && s->team[team].turn == 8 && s->ball_out &&
            s->team[0].listed[BB_RESERVES] + s->team[1].listed[BB_RESERVES] == 2)
            break;
        struct bb_action a = bot_next(&bot_usual, s, &plan[team], &planned[team]);
        banyan_action packed = bb_action_pack(&a);
        bot_legal(s, &packed);
        a = bb_action_unpack(s, packed);
        bb_apply(s, &a, &dice);
    }
    s->weather = BB_NICE;
    s->team[BB_HOME].rerolls = s->team[BB_AWAY].rerolls = 0;
    return true;
}

static int player_of(const struct bb_state *s, int team)
{
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (bb_on_pitch(s, i))
            return i;
    return BB_NONE;
}

static void stand(struct bb_state *s, int player, int square, unsigned flags)
{
    s->pitch[s->player[player].square] = 0;
    s->pitch[square] = (uint8_t)(player + 1);
    s->player[player].square = (uint16_t)square;
    s->player[player].flags = (uint16_t)flags;
    s->player[player].moves = 0;
}

/* The mover is in the middle; the opponent is stunned in a far corner and cannot act any more. */
static bool lonely(struct bb_state *s, int *mine)
{
    int team = bb_asked(s), theirs = player_of(s, bb_opponent(team));
    *mine = player_of(s, team);
    if (*mine == BB_NONE || theirs == BB_NONE)
        return false;
    int end = team == BB_HOME ? 1 : 4; /* the end zone where the mover scores */
    s->pitch[s->player[*mine].square] = s->pitch[s->player[theirs].square] = 0;
    s->player[*mine].square = s->player[theirs].square = BB_NOWHERE;
    stand(s, theirs, bb_square(5 - end, 1), BB_STUNNED);
    stand(s, *mine, bb_square(team == BB_HOME ? 3 : 2, 3), BB_UP);
    s->pitch[BB_NOWHERE] = 0;
    return true;
}

static double exact(struct solve *solve, const struct bb_state *s)
{
    double value = 0;
    struct banyan_error err;
    if (solve_value(solve, s, &value, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return bb_asked(s) == BB_HOME ? value : -value;
}

/* The value may be a little above the chance of picking up the ball: the ball may also be thrown
 * in, and then caught in the end zone. */
static void assert_float_near(double value, double chance)
{
    if (value < chance - 1e-9 || value > chance + 0.05 * (1 - chance))
        fail_msg("%.6f is not about %.6f", value, chance);
}

static void positions_have_their_value(void **unused)
{
    struct solve *solve;
    struct banyan_error err;
    int seen = 0;
    (void)unused;
    assert_int_equal(solve_create(&solve, 1 << 20, 1e-3, &err), BANYAN_OK);
    for (uint64_t seed = 1; seed <= 40 && seen < 3; ++seed) {
        struct bb_state s;
        int mine;
        if (!last_turn(&s, seed) || !lonely(&s, &mine))
            continue;
        ++seen;
        s.ball_on_ground = 1; /* walking into the end zone is certain */
        s.ball = s.player[mine].square;
        s.ball_carried = 1;
        assert_true(fabs(exact(solve, &s) - 1) < 1e-9);
        s.ball_carried = 0; /* the ball is in the end zone: picked up there on 3+ */
        s.ball = (uint16_t)bb_square(bb_asked(&s) == BB_HOME ? 1 : 4, 2);
        double once = 4 / 6.0,
               chance = bb_skilled(&s, mine, BB_SKILL_SURE_HANDS) ? once * (2 - once) : once;
        assert_float_near(exact(solve, &s), chance);
    }
    assert_true(seen >= 3);
    solve_destroy(solve);
}

/* The value of a position is that of its best action. */
static void best_actions_have_the_value(void **unused)
{
    struct solve *solve;
    struct banyan_error err;
    struct bb_state s;
    banyan_action legal[BB_MAX_LEGAL];
    int mine;
    (void)unused;
    assert_int_equal(solve_create(&solve, 1 << 20, 1e-3, &err), BANYAN_OK);
    for (uint64_t seed = 1; !last_turn(&s, seed) || !lonely(&s, &mine); ++seed)
        assert_true(seed < 100);
    s.ball_on_ground = 1;
    s.ball_carried = 0;
    s.ball = (uint16_t)bb_square(bb_asked(&s) == BB_HOME ? 1 : 4, 2);
    double best = -2, sign = bb_asked(&s) == BB_HOME ? 1 : -1;
    int n = bb_legal(&s, legal);
    for (int i = 0; i < n; ++i) {
        double value;
        int type = legal[i] & 63;
        if (type == BB_DO_START_PASS || type == BB_DO_START_HANDOFF || type == BB_DO_START_FOUL)
            continue;
        assert_int_equal(solve_action(solve, &s, legal[i], &value, &err), BANYAN_OK);
        best = fmax(best, sign * value);
    }
    assert_true(fabs(best - exact(solve, &s)) < 1e-9);
    solve_destroy(solve);
}

static void other_games_are_refused(void **unused)
{
    struct solve *solve;
    struct banyan_error err;
    struct bb_state s;
    double value;
    (void)unused;
    assert_int_equal(solve_create(&solve, 1 << 10, 1e-3, &err), BANYAN_OK);
    assert_int_equal(bb_parse(&s, 1, "mode=step", &err), BANYAN_OK);
    assert_int_equal(solve_value(solve, &s, &value, &err), BANYAN_UNSUPPORTED);
    assert_int_equal(bb_parse(&s, 0, "mode=path", &err), BANYAN_OK);
    assert_int_equal(solve_value(solve, &s, &value, &err), BANYAN_UNSUPPORTED);
    assert_int_equal(bb_parse(&s, 0, "mode=step", &err), BANYAN_OK);
    assert_int_equal(solve_value(solve, &s, &value, &err), BANYAN_INVALID);
    solve_destroy(solve);
}

/* With a new hash for each outcome hardly any outcome is recognised, and the tree is one action deep;
 * with the hash of the state it grows. */
static void a_new_hash_flattens_the_tree(void **unused)
{
    struct tutorial_rate never, state;
    struct banyan_error err;
    (void)unused;
    assert_int_equal(tutorial_measure(2, "", 1, &never, &err), BANYAN_OK);
    assert_int_equal(tutorial_measure(2, "hash=state", 1, &state, &err), BANYAN_OK);
    assert_true(never.actions > 5 && never.iterations > 100);
    assert_true(never.nodes * 50 <
                never.iterations); /* a hash repeats by chance once in many thousand iterations */
    assert_true(state.nodes * 50 > state.iterations);
    assert_int_equal(tutorial_measure(2, "hash=newer", 0.05, &state, &err), BANYAN_INVALID);
}

static bool is_formation(banyan_action action)
{
    int type = (int)(action & 63);
    return type >= BB_DO_SETUP_FORMATION_WEDGE && type <= BB_DO_SETUP_FORMATION_SPREAD;
}

static int count_formations(const banyan_action *actions, int n)
{
    int count = 0;
    for (int i = 0; i < n; ++i)
        count += is_formation(actions[i]);
    return count;
}

/* All options lead to legal actions, and values stay within their bounds.  Teams are set up by formations. */
static void tutorial_plays_on(void **unused)
{
    static const char *const words[] = {"simulations=20", "simulations=20,rollout=on,hash=state",
                                        "simulations=20,order=random,value=bounded"};
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        const struct banyan_game *game = bloodbowl_variant(i);
        struct banyan_player player;
        struct banyan_error err;
        struct banyan_player_clock clock = {.left_ms = {-1, -1}};
        struct banyan_rng rng;
        struct banyan_dice dice;
        struct bb_state s;
        banyan_action legal[BB_MAX_LEGAL];
        int formations = 0;
        banyan_rng_seed(&rng, (uint64_t)i + 1);
        banyan_dice_drawn(&dice, &rng);
        assert_int_equal(game->init(game, &s, "mode=path ask=human", &rng, &err), BANYAN_OK);
        assert_int_equal(tutorial_player(game, words[i], NULL, 1, &player, &err), BANYAN_OK);
        assert_int_equal(player.open(player.ctx, &s, BB_HOME, 1, &err), BANYAN_OK);
        for (int ply = 0; ply < 300 && bb_asked(&s) != BB_NOBODY; ++ply) {
            struct banyan_player_move move = {.value = 0};
            int n = bb_legal(&s, legal);
            banyan_action action = legal[banyan_rng_below(&rng, (uint32_t)n)];
            if (bb_asked(&s) == BB_HOME) {
                assert_int_equal(player.choose(player.ctx, &s, &clock, &move, &err), BANYAN_OK);
                action = move.action;
                assert_true(bot_legal(&s, &move.action));
                if (s.idle == 0 && count_formations(legal, n) > 0) {
                    assert_true(is_formation(move.action));
                    ++formations;
                }
                assert_true(isnan(move.value) || (move.value >= -1 && move.value <= 2));
                if (i == 2)
                    assert_true(isnan(move.value) || (move.value >= 0 && move.value <= 1));
            }
            struct bb_action a = bb_action_unpack(&s, action);
            bb_apply(&s, &a, &dice);
        }
        player.close(player.ctx);
        assert_true(formations > 0);
    }
}

/* A table takes new positions until three quarters of it are used, and then gives no value. */
static void a_full_table_is_refused(void **unused)
{
    struct solve *solve;
    struct banyan_error err = {.message = ""};
    struct bb_state s;
    uint64_t seed = 1;
    double value;
    (void)unused;
    while (!last_turn(&s, seed))
        ++seed;
    for (int bits = 6; bits <= 8; ++bits) {
        char expected[64];
        assert_int_equal(solve_create(&solve, (size_t)1 << bits, 1e-3, &err), BANYAN_OK);
        assert_int_equal(solve_value(solve, &s, &value, &err), BANYAN_NO_MEMORY);
        snprintf(expected, sizeof expected, "full: %d positions", 3 << (bits - 2));
        assert_non_null(strstr(err.message, expected));
        solve_destroy(solve);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_have_their_value),
        cmocka_unit_test(best_actions_have_the_value),
        cmocka_unit_test(other_games_are_refused),
        cmocka_unit_test(a_full_table_is_refused),
        cmocka_unit_test(a_new_hash_flattens_the_tree),
        cmocka_unit_test(tutorial_plays_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
