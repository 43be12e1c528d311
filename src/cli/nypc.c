/* banyan nypc: the mushroom player, which speaks the protocol of the contest's judge. */
#include "cli/cli.h"
#include "nypc/player.h"
#include "players/program/offers.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct argp_option nypc_options[] = {
    {"nodes", 'n', "N", 0, "Search N positions a move and do not look at the clock", 0},
    {"full-width", 'f', NULL, 0, "Play as the player 'alphabeta' does", 0},
    {"player", 'p', "PLAYER", 0,
     "Let this player decide, for example net:FILE, greedy, mcts:evaluator=heuristic (`banyan "
     "list`); default: the engine of 'tournament'",
     0},
    {"report", 'r', NULL, 0, "Write depth, value and time of every move to standard error", 0},
    {"memory", 'm', "BYTES", 0, "Size of the table of positions; default 128M", 0},
    {0}};

struct nypc {
    struct nypc_options options;
    const char *player; /* NULL: the built-in engine */
    const char *engine; /* an option of the command line that only this engine takes; NULL: none */
};

static error_t nypc_option(int key, char *arg, struct argp_state *state)
{
    struct nypc *nypc = state->input;
    struct nypc_options *options = &nypc->options;
    switch (key) {
    case 'p':
        nypc->player = cli_text(state, arg);
        return 0;
    case 'n':
        nypc->engine = "--nodes";
        options->nodes = cli_integer(state, "--nodes", arg, 1, INT64_MAX);
        return 0;
    case 'f':
        nypc->engine = "--full-width";
        options->full_width = true;
        return 0;
    case 'r':
        options->report = true;
        return 0;
    case 'm':
        nypc->engine = "--memory";
        options->table_bytes = (size_t)cli_size(state, "--memory", arg, 1024, UINT64_C(1) << 40);
        return 0;
    case ARGP_KEY_ARG:
        if (strcmp(arg, "NYPC") == 0 && state->arg_num == 0)
            return 0; /* the judge starts every program with this word */
        cli_usage(state,
                  "unexpected argument '%s': the judge starts every program with the word NYPC",
                  arg);
    case ARGP_KEY_END:
        if (nypc->player && nypc->engine)
            cli_usage(state, "%s is for the built-in engine: --player has options of its own",
                      nypc->engine);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_nypc(int argc, char **argv)
{
    struct nypc nypc = {.player = NULL};
    struct banyan_player player = {.struct_size = sizeof(struct banyan_player), .ctx = NULL};
    struct banyan_error err;
    const struct argp argp = {nypc_options,
                              nypc_option,
                              "[NYPC]",
                              "Plays the mushroom game on standard input and output, as the judge "
                              "of NYPC 2025 asks: READY, INIT, TIME, OPP, FINISH.",
                              NULL,
                              NULL,
                              NULL};
    nypc_options_default(&nypc.options);
    cli_parse(&argp, argc, argv, &nypc);
    if (nypc.player) {
        const struct banyan_game *game;
        enum banyan_status made = banyan_game_find("mushroom", &game, &err);
        if (made == BANYAN_OK)
            made = banyan_player_create(game, nypc.player, program_offers, 1, &player, &err);
        if (made != BANYAN_OK)
            return cli_fail(argv[0], CLI_USAGE, &err);
        nypc.options.player = &player;
    }
    signal(SIGPIPE, SIG_IGN); /* a judge that has ended is treated like the end of input */
    enum banyan_status status = nypc_player(stdin, stdout, stderr, &nypc.options, &err);
    if (nypc.player)
        banyan_player_close(&player);
    return status == BANYAN_OK ? CLI_OK : cli_fail(argv[0], CLI_FAILURE, &err);
}
