/* Compares the agent's choices on the one-player board with exact values. */
#include "games/bloodbowl/players/agent.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/solve.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds an ordinary decision in the second half, with so many turns left and nice weather. The
 * script has played up to here, with one action in five drawn at random. */
static void position(struct bb_state *s, int turns, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    struct banyan_error err;
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    banyan_action legal[BB_MAX_LEGAL];
    banyan_dice_drawn(&dice, rng);
    for (;;) {
        if (bb_asked(s) == BB_NOBODY || !s->depth)
            assert_int_equal(bb_parse(s, 0, "mode=step", &err), BANYAN_OK);
        int team = bb_asked(s);
        const struct bb_frame *turn = bb_turn_frame(s);
        if (s->half == 2 && turn && bot_plans_now(s) && s->ball_out &&
            !(turn->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP)) &&
            s->team[team].turn == bb_variant(s)->turns - turns + 1)
            break;
        struct bb_action a = bot_next(&bot_usual, s, &plan[team], &planned[team]);
        banyan_action packed = bb_action_pack(&a);
        bot_legal(s, &packed);
        if (banyan_rng_below(rng, 5) == 0)
            packed = legal[banyan_rng_below(rng, (uint32_t)bb_legal(s, legal))];
        a = bb_action_unpack(s, packed);
        bb_apply(s, &a, &dice);
    }
    s->weather = BB_NICE;
    s->team[BB_HOME].score = s->team[BB_AWAY].score = 0;
    s->team[BB_HOME].rerolls = s->team[BB_AWAY].rerolls = 0;
}

/* --- the agent against exact values --- */

struct loss {
    double sum, worst, shown; /* shown: loss from which a decision is printed */
    int positions, decisions;
};

static double value_of(struct solve *solve, const struct bb_state *s, const banyan_action *action)
{
    struct banyan_error err;
    double value = 0;
    enum banyan_status status = action ? solve_action(solve, s, *action, &value, &err)
                                       : solve_value(solve, s, &value, &err);
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
    return bb_asked(s) == BB_HOME ? value : -value;
}

/* Prints a decision that loses much: the position, the chosen action and the best one. */
static void show(struct solve *solve, const struct bb_state *s, banyan_action chosen, double lost)
{
    static char draw[8192];
    char text[200];
    banyan_action legal[BB_MAX_LEGAL];
    int n = bb_legal(s, legal);
    bb_draw(s, draw, sizeof draw);
    printf("%s\n%s to move, lost %.3f:\n", draw, bb_asked(s) == BB_HOME ? "home" : "away", lost);
    for (int i = 0; i < n; ++i) {
        struct bb_action a = bb_action_unpack(s, legal[i]);
        int type = a.type;
        if (type == BB_DO_START_PASS || type == BB_DO_START_HANDOFF || type == BB_DO_START_FOUL)
            continue;
        bb_action_format(s, &a, text, sizeof text);
        printf("  %+.4f %s%s\n", value_of(solve, s, &legal[i]), text,
               legal[i] == chosen ? " (chosen)" : "");
    }
}

/* The loss of the agent in the rest of this team turn. */
static void play_turn(struct solve *solve, struct banyan_player *agent, struct bb_state s,
                      struct banyan_rng *rng, struct loss *loss)
{
    banyan_action legal[BB_MAX_LEGAL];
    struct banyan_error err;
    struct banyan_dice dice;
    struct banyan_player_clock clock = {.left_ms = {-1, -1}};
    int team = bb_asked(&s), turn = s.team[team].turn;
    int scores = s.team[BB_HOME].score + s.team[BB_AWAY].score;
    double lost = 0;
    banyan_dice_drawn(&dice, rng);
    assert_int_equal(agent->open(agent->ctx, &s, team, 1, &err), BANYAN_OK);
    while (bb_turn_frame(&s) && s.current == team && s.team[team].turn == turn &&
           s.team[BB_HOME].score + s.team[BB_AWAY].score == scores) {
        struct banyan_player_move move;
        if (bb_asked(&s) != team)
            break; /* the defender's coach chooses: the turn is nearly over */
        assert_int_equal(agent->choose(agent->ctx, &s, &clock, &move, &err), BANYAN_OK);
        if (bb_legal(&s, legal) > 1) {
            double now = value_of(solve, &s, NULL) - value_of(solve, &s, &move.action);
            if (now > loss->shown)
                show(solve, &s, move.action, now);
            lost += now;
            ++loss->decisions;
        }
        struct bb_action a = bb_action_unpack(&s, move.action);
        bb_apply(&s, &a, &dice);
    }
    loss->sum += lost;
    loss->worst = lost > loss->worst ? lost : loss->worst;
    ++loss->positions;
}

/* slow_bloodbowl_solve [POSITIONS [TURNS [LEAST [PLAYER [SHOWN]]]]] */
int main(int argc, char **argv)
{
    int positions = argc > 1 ? atoi(argv[1]) : 200, turns = argc > 2 ? atoi(argv[2]) : 1;
    double least = argc > 3 ? atof(argv[3]) : 1e-3;
    const char *spec = argc > 4 ? argv[4] : "agent:time=100ms";
    struct solve *solve;
    struct banyan_error err;
    struct banyan_rng rng;
    struct banyan_player agent;
    struct loss loss = {.shown = argc > 5 ? atof(argv[5]) : 2};
    struct bb_state s = {.depth = 0};
    banyan_rng_seed(&rng, 1);
    if (solve_create(&solve, (size_t)1 << 24, least, &err) != BANYAN_OK ||
        banyan_player_create(bloodbowl_variant(0), spec, NULL, 1, &agent, &err) != BANYAN_OK) {
        printf("%s\n", err.message);
        return 1;
    }
    while (loss.positions < positions) {
        struct bb_state next;
        position(&s, turns, &rng);
        next = s;
        play_turn(solve, &agent, s, &rng, &loss);
        struct bb_action end = {.type = BB_DO_END_TURN, .player = BB_NONE, .square = BB_NOWHERE};
        struct banyan_dice dice;
        banyan_dice_drawn(&dice, &rng);
        bb_apply(&next, &end, &dice); /* chance has brought another position */
        s = next;
        if (loss.positions % 20 == 0) {
            printf("%s: %d positions, %d decisions, mean loss of a turn %.4f, of a decision %.4f, "
                   "worst turn %.3f, %zu values in memory\n",
                   spec, loss.positions, loss.decisions, loss.sum / loss.positions,
                   loss.sum / loss.decisions, loss.worst, solve_count(solve));
            fflush(stdout);
        }
    }
    solve_destroy(solve);
    banyan_player_close(&agent);
    return loss.sum / loss.positions <= 0.02 ? 0 : 1;
}
