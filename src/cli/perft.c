/* banyan perft: counts the game tree through the game interface.
 *
 * A leaf is a position at exactly the given ply, finished or not; a pass is a
 * ply.  Where movers choose at once every joint action counts, and with dice
 * every outcome.  At the last ply joint actions are counted, not played, unless
 * dice decide how many outcomes each has.
 */
#include "cli/cli.h"
#include "cli/position.h"
#include "cli/show.h"
#include "cli/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERFT_MAX_DEPTH = 64 };

struct perft {
    struct position position;
    int depth;
    bool json, divide;
    /* scratch: one slice per ply */
    const struct banyan_game *game;
    unsigned char *states;  /* [depth + 1][state_size] */
    banyan_action *actions; /* [depth + 1][players][max_legal] */
    uint64_t ended;         /* games that ended before the last ply */
    bool overflow;          /* dice that cannot be enumerated */
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
            perft->depth = (int)cli_integer(state, "DEPTH", arg, 0, PERFT_MAX_DEPTH);
        else
            cli_usage(state, "'%s' is one word too many", arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            cli_usage(state, "wants GAME and DEPTH, as in `banyan perft othello 9`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The legal actions of all movers at one ply. */
struct perft_choices {
    int movers, player[BANYAN_MAX_PLAYERS], count[BANYAN_MAX_PLAYERS];
    const banyan_action *actions[BANYAN_MAX_PLAYERS];
    uint64_t joint; /* number of joint actions */
};

static struct perft_choices perft_choose(const struct perft *perft, const void *state, int ply)
{
    const struct banyan_game *game = perft->game;
    size_t stride = (size_t)game->max_legal;
    banyan_action *room = perft->actions + (size_t)ply * (size_t)game->players * stride;
    unsigned movers = game->movers(state);
    struct perft_choices choices = {.movers = 0, .joint = movers != 0};
    for (int p = 0; p < game->players; ++p, room += stride) {
        if (!(movers >> p & 1))
            continue;
        int at = choices.movers++;
        choices.player[at] = p;
        choices.count[at] = game->legal(state, p, room);
        choices.actions[at] = room;
        choices.joint *= (uint64_t)choices.count[at];
    }
    return choices;
}

/* Joint action number index, the first mover's choice counting fastest. */
static void perft_joint(const struct perft_choices *choices, uint64_t index, banyan_action joint[])
{
    for (int m = 0; m < choices->movers; ++m) {
        uint64_t count = (uint64_t)choices->count[m];
        joint[choices->player[m]] = choices->actions[m][index % count];
        index /= count;
    }
}

static uint64_t perft_count(struct perft *perft, const void *state, int ply, int depth);

/* Leaves below one joint action: over all outcomes when there are dice. */
static uint64_t perft_after(struct perft *perft, const void *state, const banyan_action joint[],
                            int ply, int depth)
{
    const struct banyan_game *game = perft->game;
    unsigned char *next = perft->states + (size_t)(ply + 1) * game->state_size;
    bool chance = game->traits & BANYAN_CHANCE;
    uint64_t leaves = 0;
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        memcpy(next, state, game->state_size);
        game->apply(next, joint, chance ? &dice : NULL);
        leaves += depth == 1 ? 1 : perft_count(perft, next, ply + 1, depth - 1);
    } while (chance && banyan_dice_advance(&dice));
    perft->overflow |= dice.failed;
    return leaves;
}

static uint64_t perft_count(struct perft *perft, const void *state, int ply, int depth)
{
    if (depth == 0)
        return 1;
    struct perft_choices choices = perft_choose(perft, state, ply);
    if (choices.movers == 0) {
        ++perft->ended;
        return 0;
    }
    if (depth == 1 && !(perft->game->traits & BANYAN_CHANCE))
        return choices.joint;
    uint64_t leaves = 0;
    for (uint64_t i = 0; i < choices.joint; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        perft_joint(&choices, i, joint);
        leaves += perft_after(perft, state, joint, ply, depth);
    }
    return leaves;
}

static void perft_format_joint(const struct perft *perft, const void *state,
                               const banyan_action joint[], char *out, size_t size)
{
    unsigned movers = perft->game->movers(state);
    size_t length = 0;
    for (int p = 0; p < perft->game->players; ++p) {
        if (!(movers >> p & 1) || length + 2 >= size)
            continue;
        if (length)
            out[length++] = '|';
        show_action(perft->game, state, p, joint[p], out + length, size - length);
        length += strlen(out + length);
    }
}

/* As perft_count at the root, with a line or an entry of `rows` per first move. */
static uint64_t perft_divide(struct perft *perft, const void *state, json_t *rows)
{
    struct perft_choices choices = perft_choose(perft, state, 0);
    uint64_t leaves = 0;
    for (uint64_t i = 0; i < choices.joint && perft->depth > 0; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        char text[256] = "";
        perft_joint(&choices, i, joint);
        uint64_t below = perft_after(perft, state, joint, 0, perft->depth);
        perft_format_joint(perft, state, joint, text, sizeof text);
        if (!perft->json)
            printf("%-12s %15" PRIu64 "\n", text, below);
        json_array_append_new(rows,
                              json_pack("{s:s, s:I}", "action", text, "leaves", (json_int_t)below));
        leaves += below;
    }
    return leaves;
}

static void perft_print(const struct perft *perft, uint64_t leaves, double seconds, json_t *rows)
{
    double rate = seconds > 0 ? (double)leaves / seconds : 0;
    if (perft->json) {
        json_t *out = json_pack(
            "{s:s, s:i, s:I, s:I, s:I, s:f, s:f}", "game", perft->game->name, "depth", perft->depth,
            "leaves", (json_int_t)leaves, "ended_before", (json_int_t)perft->ended, "sum",
            (json_int_t)(leaves + perft->ended), "seconds", seconds, "leaves_per_s", rate);
        if (perft->divide)
            json_object_set(out, "divide", rows);
        show_json(out);
        return;
    }
    char text[32];
    printf("%s, ply %d: %" PRIu64 " leaves, %" PRIu64 " games ended before, %" PRIu64
           " together\n%.3f s of processor time, %s leaves/s, 1 thread\n",
           perft->game->name, perft->depth, leaves, perft->ended, leaves + perft->ended, seconds,
           timing_rate(rate, text, sizeof text));
}

static int perft_run(struct perft *perft, const char *name, const void *state)
{
    json_t *rows = json_array();
    double start = timing_cpu_s();
    uint64_t leaves = perft->divide && perft->depth > 0
                          ? perft_divide(perft, state, rows)
                          : perft_count(perft, state, 0, perft->depth);
    double seconds = timing_cpu_s() - start;
    int code = CLI_OK;
    if (perft->overflow) {
        struct banyan_error err;
        banyan_fail(&err, BANYAN_UNSUPPORTED,
                    "an action of %s asks for more than %d dice; its outcomes cannot be counted",
                    perft->game->name, BANYAN_DICE_MAX_ODOMETER);
        code = cli_fail(name, CLI_FAILURE, &err);
    } else {
        perft_print(perft, leaves, seconds, rows);
    }
    json_decref(rows);
    return code;
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
        "A pass is a ply. Where players choose at once all joint actions count; with dice, all "
        "outcomes. Time is processor time of one thread.",
        children,
        NULL,
        NULL};
    struct banyan_error err;
    void *state;
    cli_parse(&argp, argc, argv, &perft);
    perft.game = perft.position.game;
    if (position_create(&perft.position, &state, &err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_USAGE, &err);
    size_t plies = (size_t)perft.depth + 1;
    perft.states = malloc(plies * perft.game->state_size);
    perft.actions = malloc(plies * (size_t)perft.game->players * (size_t)perft.game->max_legal *
                           sizeof *perft.actions);
    int code = CLI_FAILURE;
    if (perft.states && perft.actions) {
        code = perft_run(&perft, argv[0], state);
    } else {
        banyan_fail(&err, BANYAN_NO_MEMORY, "no memory for depth %d", perft.depth);
        cli_fail(argv[0], code, &err);
    }
    free(perft.actions);
    free(perft.states);
    free(state);
    return code;
}
