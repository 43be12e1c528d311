/* banyan serve: one of Banyan's players behind the line protocol (docs/protocol.md), so that any
 * program, Banyan included, can play against it. */
#include "cli/cli.h"
#include "cli/setup.h"

#include "players/budget.h"
#include "players/player.h"
#include "players/program/offers.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVE_PROTOCOL = 1, SERVE_LINE_MAX = 32768 };

struct serve {
    const struct banyan_game *game;
    const char *spec;
    uint64_t seed;

    struct banyan_player player;
    void *state, *next; /* [state_size] */
    int seat;           /* -1: no game yet */
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned heard; /* bits: players whose action since the last state is in joint */
    struct banyan_player_clock clock;
};

static const struct argp_option serve_options[] = {
    {"player", 'p', "PLAYER", 0, "Player that plays; default mcts", 0},
    {"seed", 's', "S", 0, "Seed of the player until a game brings its own; default 1", 0},
    {0}};

static error_t serve_option(int key, char *arg, struct argp_state *state)
{
    struct serve *serve = state->input;
    switch (key) {
    case 'p':
        serve->spec = cli_text(state, arg);
        return 0;
    case 's':
        serve->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        serve->game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (!serve->game)
            cli_usage(state, "needs a GAME; `banyan list` names them");
        if (strcmp(serve->spec, "human") == 0)
            cli_usage(state, "a human cannot answer here: standard input is the protocol");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- one function per word of the protocol; args: the rest of the line --- */

static enum banyan_status serve_banyan(struct serve *serve, const char *args,
                                       struct banyan_error *err)
{
    char *end;
    long version = strtol(args, &end, 10);
    end += *end == ' ';
    if (version != SERVE_PROTOCOL)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "protocol %.20s: this program knows %d", args,
                           SERVE_PROTOCOL);
    if (strcmp(end, serve->game->name) != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "this program plays '%s', not '%.60s'",
                           serve->game->name, end);
    printf("ready %s\n", serve->player.name);
    return BANYAN_OK;
}

static enum banyan_status serve_read(const struct serve *serve, const char *text, void *state,
                                     struct banyan_error *err)
{
    char buffer[BANYAN_TEXT_MAX];
    const char *setup;
    enum banyan_status status = setup_text(serve->game, text, buffer, &setup, err);
    return status == BANYAN_OK ? serve->game->init(serve->game, state, setup, NULL, err) : status;
}

static enum banyan_status serve_new(struct serve *serve, const char *args, struct banyan_error *err)
{
    int seat, used = 0;
    char *end;
    bool good = sscanf(args, "%d %n", &seat, &used) == 1 && used && seat >= 0 &&
                seat < serve->game->players && isdigit((unsigned char)args[used]);
    errno = 0;
    uint64_t seed = good ? strtoull(args + used, &end, 10) : 0;
    if (!good || errno || (*end && *end != ' '))
        return banyan_fail(
            err, BANYAN_INVALID,
            "new: expects SEAT SEED STATE, SEAT from 0 to %d, SEED a whole number below 2^64",
            serve->game->players - 1);
    enum banyan_status status = serve_read(serve, end + strspn(end, " "), serve->state, err);
    if (status == BANYAN_OK)
        status = serve->player.open(serve->player.ctx, serve->state, seat, seed, err);
    serve->seat = status == BANYAN_OK ? seat : -1;
    serve->heard = 0;
    serve->clock = budget_per_move(-1);
    return status;
}

static enum banyan_status serve_play(struct serve *serve, const char *args,
                                     struct banyan_error *err)
{
    int player, used = 0;
    if (sscanf(args, "%d %n", &player, &used) < 1 || !used || player < 0 ||
        player >= serve->game->players ||
        !(serve->game->movers(serve->game, serve->state) >> player & 1))
        return banyan_fail(err, BANYAN_INVALID, "play: expects PLAYER ACTION of one who moves now");
    enum banyan_status status = serve->game->action_parse(serve->game, serve->state, player,
                                                          args + used, &serve->joint[player], err);
    if (status == BANYAN_OK)
        serve->heard |= 1u << player;
    return status;
}

/* Makes a new state the present one, and reports the step to the player if all its actions came before. */
static enum banyan_status serve_state(struct serve *serve, const char *args,
                                      struct banyan_error *err)
{
    enum banyan_status status = serve_read(serve, args, serve->next, err);
    if (status != BANYAN_OK)
        return status;
    unsigned movers = serve->game->movers(serve->game, serve->state);
    if (serve->player.observe && movers && serve->heard == movers)
        status =
            serve->player.observe(serve->player.ctx, serve->state, serve->joint, serve->next, err);
    memcpy(serve->state, serve->next, serve->game->state_size);
    serve->heard = 0;
    return status;
}

static enum banyan_status serve_clock(struct serve *serve, const char *args,
                                      struct banyan_error *err)
{
    char *end;
    serve->clock = budget_per_move(-1);
    serve->clock.increment_ms = strtod(args, &end);
    for (int p = 0; p < serve->game->players; ++p) {
        const char *start = end;
        serve->clock.left_ms[p] = strtod(start, &end);
        if (end == start)
            return banyan_fail(err, BANYAN_INVALID, "clock: expects INCREMENT and %d times",
                               serve->game->players);
    }
    return BANYAN_OK;
}

static enum banyan_status serve_choose(struct serve *serve, const char *args,
                                       struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    struct banyan_player_move move;
    (void)args;
    if (!(serve->game->movers(serve->game, serve->state) >> serve->seat & 1))
        return banyan_fail(err, BANYAN_INVALID, "choose: %s does not move now",
                           banyan_game_player_name(serve->game, serve->seat));
    enum banyan_status status =
        serve->player.choose(serve->player.ctx, serve->state, &serve->clock, &move, err);
    if (status != BANYAN_OK)
        return status;
    serve->game->action_format(serve->game, serve->state, serve->seat, move.action, text,
                               sizeof text);
    if (move.simulations || !isnan(move.value)) {
        printf("info simulations=%" PRIu64, move.simulations);
        if (!isnan(move.value))
            printf(" value=%.6g", move.value);
        printf("\n");
    }
    printf("action %s\n", text);
    return BANYAN_OK;
}

struct serve_word {
    const char *name;
    bool in_game; /* the command is valid only after "new" */
    enum banyan_status (*run)(struct serve *serve, const char *args, struct banyan_error *err);
};

static const struct serve_word serve_words[] = {{"banyan", false, serve_banyan},
                                                {"new", false, serve_new},
                                                {"play", true, serve_play},
                                                {"state", true, serve_state},
                                                {"clock", true, serve_clock},
                                                {"choose", true, serve_choose},
                                                {NULL, false, NULL}};

/* Answers one line. */
static enum banyan_status serve_line(struct serve *serve, char *line, struct banyan_error *err)
{
    char *args = line + strcspn(line, " ");
    if (*args)
        *args++ = 0;
    if (!*line)
        return BANYAN_OK;
    for (const struct serve_word *word = serve_words; word->name; ++word)
        if (strcmp(word->name, line) == 0)
            return word->in_game && serve->seat < 0
                       ? banyan_fail(err, BANYAN_INVALID, "%s: no game; send 'new' first", line)
                       : word->run(serve, args, err);
    return banyan_fail(err, BANYAN_INVALID,
                       "unknown word '%.40s'; expected banyan, new, play, state, clock, choose or "
                       "quit",
                       line);
}

static int serve_loop(struct serve *serve)
{
    static char line[SERVE_LINE_MAX];
    struct banyan_error err;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        if (length + 1 == sizeof line && line[length - 1] != '\n') {
            printf("error a line of more than %d bytes\n", SERVE_LINE_MAX - 2);
            fflush(stdout);
            return CLI_FAILURE;
        }
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = 0;
        if (strcmp(line, "quit") == 0)
            break;
        if (serve_line(serve, line, &err) != BANYAN_OK)
            printf("error %s\n", err.message);
        if (fflush(stdout) != 0)
            return CLI_FAILURE;
    }
    return CLI_OK;
}

static enum banyan_status serve_open(struct serve *serve, struct banyan_error *err)
{
    serve->seat = -1;
    serve->state = calloc(1, serve->game->state_size);
    serve->next = calloc(1, serve->game->state_size);
    if (!serve->state || !serve->next)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
    return banyan_player_create(serve->game, serve->spec, program_offers, serve->seed,
                                &serve->player, err);
}

int cli_serve(int argc, char **argv)
{
    struct serve serve = {.spec = "mcts", .seed = 1};
    struct banyan_error err;
    const struct argp argp = {serve_options,
                              serve_option,
                              "GAME",
                              "Plays GAME over standard input and output in the line protocol of "
                              "docs/protocol.md.  In `banyan match` and other commands the player "
                              "`exec:\"banyan serve GAME\"` starts this command.",
                              NULL,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &serve);
    int code = CLI_OK;
    if (serve_open(&serve, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_USAGE, &err);
    else
        code = serve_loop(&serve);
    banyan_player_close(&serve.player);
    free(serve.state);
    free(serve.next);
    return code;
}
