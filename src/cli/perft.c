/* banyan perft: counts the game tree. */
#include "cli/cli.h"
#include "cli/count.h"
#include "cli/position.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perft {
    struct position position;
    int depth;
    bool json, divide;
    struct count count;
};

enum { PERFT_DIVIDE = 'd', PERFT_JSON = 'j' };

static const struct argp_option perft_options[] = {
    {"divide", PERFT_DIVIDE, NULL, 0, "Print the count below each first move", 0},
    {"json", PERFT_JSON, NULL, 0, "Print JSON (docs/json.md)", 0},
    {0}};

static error_t perft_option(int key, char *arg, struct argp_state *state)
{
    struct perft *perft = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &perft->position;
        return 0;
    case PERFT_DIVIDE:
        perft->divide = true;
        return 0;
    case PERFT_JSON:
        perft->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            perft->position.game = cli_game(state, arg);
        else if (state->arg_num == 1)
            perft->depth = (int)cli_integer(state, "DEPTH", arg, 0, COUNT_MAX_DEPTH);
        else
            cli_too_many(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            cli_usage(state, "needs GAME and DEPTH, as in `banyan perft othello 9`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "d3", or "rock|paper" if players choose at the same time. */
static void perft_format_joint(const struct banyan_game *game, const void *state,
                               const banyan_action joint[], char *out, size_t size)
{
    unsigned movers = game->movers(game, state);
    size_t length = 0;
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1) || length + 2 >= size)
            continue;
        if (length)
            out[length++] = '|';
        show_action(game, state, p, joint[p], out + length, size - length);
        length += strlen(out + length);
    }
}

/* As count_leaves at the root, with a line (--divide) and an entry of `rows` per first move. */
static uint64_t perft_divide(struct perft *perft, const void *state, json_t *rows)
{
    struct count_choices choices = count_choose(&perft->count, state, 0);
    struct progress progress;
    uint64_t leaves = 0;
    progress_start(&progress, "first moves", choices.joint);
    perft->count.ended += choices.joint == 0;
    for (uint64_t i = 0; i < choices.joint; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        char text[256] = "";
        count_joint(&choices, i, joint);
        perft_format_joint(perft->count.game, state, joint, text, sizeof text);
        progress_step(&progress, i, text);
        uint64_t below = count_after(&perft->count, state, joint, 0, perft->depth);
        if (perft->divide && !perft->json)
            printf("%-12s %15" PRIu64 "\n", text, below);
        json_array_append_new(rows,
                              json_pack("{s:s, s:I}", "action", text, "leaves", (json_int_t)below));
        leaves += below;
    }
    progress_end(&progress);
    return leaves;
}

static void perft_print(const struct perft *perft, uint64_t leaves, double seconds, json_t *rows)
{
    const char *name = perft->count.game->name;
    uint64_t ended = perft->count.ended;
    double rate = seconds > 0 ? (double)leaves / seconds : 0;
    if (perft->json) {
        json_t *out =
            json_pack("{s:s, s:i, s:I, s:I, s:I, s:f, s:f}", "game", name, "depth", perft->depth,
                      "leaves", (json_int_t)leaves, "ended_before", (json_int_t)ended, "sum",
                      (json_int_t)(leaves + ended), "seconds", seconds, "leaves_per_s", rate);
        if (perft->divide)
            json_object_set(out, "divide", rows);
        show_json(out);
        return;
    }
    char text[32];
    printf("%s, ply %d: %" PRIu64 " leaves, %" PRIu64 " games ended before, %" PRIu64
           " together\n%.3f s of processor time, %s leaves/s, 1 thread\n",
           name, perft->depth, leaves, ended, leaves + ended, seconds,
           timing_rate(rate, text, sizeof text));
}

static enum banyan_status perft_run(struct perft *perft, const void *state,
                                    struct banyan_error *err)
{
    const struct banyan_game *game = perft->position.game;
    enum banyan_status status = count_open(&perft->count, game, perft->depth, err);
    if (status != BANYAN_OK)
        return status;
    json_t *rows = json_array();
    double start = timing_cpu_s();
    uint64_t leaves = perft->depth > (perft->divide ? 0 : 2)
                          ? perft_divide(perft, state, rows)
                          : count_leaves(&perft->count, state, 0, perft->depth);
    double seconds = timing_cpu_s() - start;
    if (perft->count.overflow)
        status = banyan_fail(err, BANYAN_UNSUPPORTED,
                             "an action of %s asks for more than %d dice; its outcomes cannot be "
                             "counted",
                             game->name, BANYAN_DICE_MAX_ODOMETER);
    else
        perft_print(perft, leaves, seconds, rows);
    json_decref(rows);
    count_close(&perft->count);
    return status;
}

int cli_perft(int argc, char **argv)
{
    struct perft perft = {.json = false};
    static const struct argp_child children[] = {{&position_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        perft_options,
        perft_option,
        "GAME DEPTH",
        "Counts the positions at exactly ply DEPTH, and the games that ended before.\v"
        "A pass is a ply. Where players choose at the same time, every joint action counts; with "
        "dice, every outcome. Time is processor time of one thread.",
        children,
        NULL,
        NULL};
    struct banyan_error err;
    void *state;
    cli_parse(&argp, argc, argv, &perft);
    if (position_create(&perft.position, &state, &err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_USAGE, &err);
    enum banyan_status status = perft_run(&perft, state, &err);
    free(state);
    return status == BANYAN_OK ? CLI_OK : cli_fail(argv[0], CLI_FAILURE, &err);
}
