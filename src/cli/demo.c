/* banyan demo: five games from their middle, each with its own best player, in less than a minute. */
#include "cli/demo.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether the team on turn has the ball and none of its players has acted, in the second half from its turn 4 on. */
static bool demo_in_drive(const void *state)
{
    const struct bb_state *s = state;
    int carrier = s->ball_out && s->ball_carried ? bb_at(s, s->ball) : BB_NONE;
    if (!bot_plans_now(s) || carrier == BB_NONE || bb_team_of(carrier) != s->current)
        return false;
    for (int player = 0; player < BB_PLAYERS; ++player)
        if (bb_team_of(player) == s->current && bb_is(s, player, BB_USED))
            return false;
    return s->half == 2 && s->team[s->current].turn >= 4;
}

static const struct demo_row demo_rows[] = {
    {"connect4", NULL, "mcts:simulations=100", 6, NULL, "simulations=20000", "mcts:simulations=30",
     0, true},
    {"othello", NULL, "mcts:simulations=100", 16, NULL, "simulations=8000", "mcts:simulations=100",
     0, false},
    {"mushroom", NULL, "greedy", 8, NULL, "nodes=500000", "greedy", 0, false},
    {"bloodbowl-5", NULL, "scripted", 40, demo_in_drive, "simulations=500",
     "tutorial:simulations=50", 11, false},
    {"pokemon", NULL, "heuristic", 10, NULL, "simulations=4000", "maxpower", 9, false},
};

enum { DEMO_ROWS = sizeof demo_rows / sizeof *demo_rows };

static void demo_table(const struct demo_result results[], const int shown[], int count)
{
    printf("\n%-13s %-24s %14s %10s %16s\n", "game", "best against", "won-drawn-lost", "ms a move",
           "searched a move");
    for (int i = 0; i < count; ++i) {
        const struct demo_result *result = &results[i];
        const struct demo_row *row = &demo_rows[shown[i]];
        char score[32];
        double decisions = result->decisions ? (double)result->decisions : 1;
        if (*result->problem) {
            printf("%-13s failed: %s\n", row->game, result->problem);
            continue;
        }
        snprintf(score, sizeof score, "%d-%d-%d", result->wins, result->draws, result->losses);
        printf("%-13s %-24s %14s %10.1f %16.0f\n", row->game, row->other, score,
               result->elapsed_ms / decisions, (double)result->simulations / decisions);
    }
}

static void demo_close(void)
{
    puts("\nTry this:\n"
         "  banyan play othello                            you against its best player\n"
         "  banyan explain tictactoe                       a search, simulation by simulation\n"
         "  banyan match bloodbowl-5 best scripted -n 10   a match with its statistics");
}

/* --- the command --- */

enum {
    DEMO_TIME = 't',
    DEMO_SEED = 's',
    DEMO_DEFAULT_SEED = 14 /* with a touchdown in the game that is printed */
};

struct demo_words {
    struct demo demo;
    int only; /* row that is shown; -1: all */
};

static const struct argp_option demo_options[] = {
    {"seed", DEMO_SEED, "N", 0, "Seed of positions, dice and moves; default 14", 0},
    {"time", DEMO_TIME, "TIME", 0,
     "Time of a decision of the best players; default: a fixed number of simulations, so that "
     "every run shows the same games",
     0},
    {0}};

static int demo_find_row(const struct argp_state *state, const char *name)
{
    char names[160] = "";
    for (int i = 0; i < DEMO_ROWS; ++i) {
        if (strcmp(demo_rows[i].game, name) == 0)
            return i;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 demo_rows[i].game);
    }
    cli_usage(state, "'%s' is not shown; the games of the demonstration are %s", name, names);
}

static error_t demo_option(int key, char *arg, struct argp_state *state)
{
    struct demo_words *words = state->input;
    if (key == DEMO_TIME)
        words->demo.time_ms = cli_time(state, "--time", arg, 1, 1e9);
    else if (key == DEMO_SEED)
        words->demo.seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_MAX);
    else if (key == ARGP_KEY_ARG && state->arg_num == 0)
        words->only = demo_find_row(state, arg);
    else if (key == ARGP_KEY_ARG)
        cli_too_many(state, arg);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int cli_demo(int argc, char **argv)
{
    struct demo_words words = {.demo = {.seed = DEMO_DEFAULT_SEED, .stop = interrupt_watch()},
                               .only = -1};
    const struct argp argp = {
        demo_options,
        demo_option,
        "[GAME]",
        "Shows five games from their middle, each played by its best player from both "
        "sides; ends with a table.",
        NULL,
        NULL,
        NULL};
    struct demo_result results[DEMO_ROWS] = {{0}};
    int shown[DEMO_ROWS], done = 0, failed = 0;
    cli_parse(&argp, argc, argv, &words);
    for (int i = 0; i < DEMO_ROWS; ++i) {
        struct banyan_error err = {.message = ""};
        if (words.only >= 0 && words.only != i)
            continue;
        enum banyan_status status =
            demo_game_show(&words.demo, &demo_rows[i], &results[done], &err);
        if (status == BANYAN_INTERRUPTED)
            break;
        if (status != BANYAN_OK)
            memcpy(results[done].problem, err.message, sizeof err.message);
        failed += status != BANYAN_OK;
        shown[done++] = i;
    }
    demo_table(results, shown, done);
    if (!interrupt_seen() && words.only < 0)
        demo_close();
    cli_tell_interrupted(argv[0], (uint64_t)done, words.only < 0 ? DEMO_ROWS : 1, "games");
    return failed ? CLI_FAILURE : CLI_OK;
}
