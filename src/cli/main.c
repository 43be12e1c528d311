/* The main program: the table of all commands, and how one is started. */
#include "base/cpu.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/plugin.h"

#include <banyan/options.h>
#include <banyan/version.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command commands[] = {
    {"demo", "show five games from their middle, each by its best player", cli_demo},
    {"list", "list the games, their players and evaluators", cli_list},
    {"play", "play a game against its best player, or a weaker one", cli_play},
    {"search", "search a position: table of moves, principal variation", cli_search},
    {"explain", "show every simulation of a search, step by step", cli_explain},
    {"tree", "write the tree of a search as text, XML, JSON, DOT, SVG, HTML", cli_tree},
    {"perft", "count the positions of the game tree", cli_perft},
    {"check", "test whether a game does what banyan/game.h requires", cli_check},
    {"suite", "test a player on positions with known answers", cli_suite},
    {"bench", "measure speed; print the behaviour signature", cli_bench},
    {"verify", "replay recorded games and compare them with the rules", cli_verify},
    {"page", "write a recorded game as a page for the browser", cli_page},
    {"match", "play many games between players, with statistics", cli_match},
    {"tune", "find good values of a player's options by playing games", cli_tune},
    {"train", "train a network for a game by self-play", cli_train},
    {"worker", "play games for train, match or tune on another machine", cli_worker},
    {"samples", "write the positions of a run as arrays for other programs", cli_samples},
    {"net", "describe, measure, check and export networks (ONNX)", cli_net},
    {"analyze", "answer questions about many positions over a pipe, as JSON", cli_analyze},
    {"serve", "play over a pipe, by a line protocol", cli_serve},
    {"gtp", "play over a pipe, in the Go Text Protocol", cli_gtp},
    {"nboard", "play and analyse Othello over a pipe, in the NBoard protocol", cli_nboard},
    {"showdown", "play Pokemon on a Showdown server", cli_showdown},
    {"pokemon", "compute damage, list sets, play a battle without a server", cli_pokemon},
    {"nypc", "play the mushroom game in the protocol of NYPC 2025", cli_nypc},
    {"judge", "referee games of mushroom between programs", cli_judge},
    {"bloodbowl", "Blood Bowl: write recorded games as pages, positions as JSON", cli_bloodbowl},
    {"web", "serve a page for the browser: play games, watch searches", cli_web},
    {"queue", "show or change a queue of jobs for many machines", cli_queue},
    {"doctor", "describe this machine and this build", cli_doctor},
    {NULL, NULL, NULL}};

static void main_help(void)
{
    printf("Banyan: Monte Carlo tree search in C. One search, many games.\n\n"
           "Usage: banyan [--game FILE.so] COMMAND [WORD...]\n\n");
    for (const struct cli_command *c = commands; c->name; ++c)
        printf("  %-9s %s\n", c->name, c->help);
    printf("\n`banyan COMMAND --help` explains a command; `banyan list` names the games.\n"
           "Exit code: 0 done, 1 failed, 2 not understood, 130 ended by Ctrl-C.\n");
}

/* Tells what replaces a command of an earlier version; NULL: no earlier command had this name. */
static const char *main_earlier(const char *name)
{
    static const char *const earlier[] = {"selfplay", "learn", "gate"};
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; ++i)
        if (strcmp(name, earlier[i]) == 0)
            return "is a part of `banyan train GAME --run DIR`: `--play threads=N` shares the "
                   "work, "
                   "and with `--queue URL` any number of `banyan worker --queue URL` play";
    return NULL;
}

static int main_unknown(const char *name)
{
    const char *now = main_earlier(name);
    if (now) {
        fprintf(stderr, "banyan: '%s' %s\n", name, now);
        return CLI_USAGE;
    }
    const char *names[64];
    int count = 0;
    for (const struct cli_command *c = commands; c->name; ++c)
        names[count++] = c->name;
    names[count] = NULL;
    const char *near = banyan_options_nearest(name, names);
    fprintf(stderr, "banyan: no command is called '%s'", name);
    if (near)
        fprintf(stderr, ": did you mean '%s'?", near);
    fprintf(stderr, "%s `banyan --help` names all\n", near ? "" : ";");
    return CLI_USAGE;
}

static bool main_returned; /* the command has ended by returning, not by exit() */

static bool main_flushed(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

static void main_tell_unwritten(void)
{
    fprintf(stderr, "banyan: the output could not be written: %s\n",
            errno ? strerror(errno) : "is there room on the disk?");
}

/* The exit code of the program for the code of a command: CLI_INTERRUPTED if Ctrl-C ended the
 * command, CLI_FAILURE in place of CLI_OK if its output could not be written. */
static int main_written(int code)
{
    main_returned = true;
    if (interrupt_seen() && code != CLI_USAGE)
        code = CLI_INTERRUPTED;
    if (main_flushed() || code != CLI_OK)
        return code;
    main_tell_unwritten();
    return CLI_FAILURE;
}

/* What argp prints for --help ends in exit(): its output is checked, too. */
static void main_at_exit(void)
{
    if (main_returned || main_flushed())
        return;
    main_tell_unwritten();
    _exit(CLI_FAILURE);
}

/* Applies BANYAN_CPU_LEVEL: instructions beyond that level are not used (docs/building.md). */
static bool main_limit(void)
{
    struct banyan_error err;
    const char *level = getenv("BANYAN_CPU_LEVEL");
    if (!level || !*level || cpu_limit_named(level, &err) == BANYAN_OK)
        return true;
    fprintf(stderr, "banyan: BANYAN_CPU_LEVEL: %s\n", err.message);
    return false;
}

/* The plugin that argv[1] names, "--game=FILE" or "--game FILE"; NULL: none.  used: how many words. */
static const char *main_plugin(int argc, char **argv, int *used)
{
    static const char option[] = "--game";
    size_t length = strlen(option);
    const char *word = argc > 1 ? argv[1] : "";
    bool begins = strncmp(word, option, length) == 0;
    *used = begins && word[length] == 0 ? 2 : 1;
    if (begins && word[length] == '=')
        return word + length + 1;
    if (begins && word[length] == 0)
        return argc > 2 ? argv[2] : "";
    return NULL;
}

/* Loads the plugins at the beginning of the command line and removes them from it.  Their games are checked,
 * except for `banyan check`, which does that itself. */
static enum banyan_status main_load(int *argc, char ***argv, struct banyan_error *err)
{
    const char *paths[16], *path;
    int count = 0, used;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && (path = main_plugin(*argc, *argv, &used))) {
        if (count == 16 || !*path)
            return banyan_fail(err, BANYAN_INVALID,
                               *path ? "--game can be given 16 times at most"
                                     : "--game needs a file, as in `banyan --game ./nim.so list`");
        paths[count++] = path;
        *argc -= used;
        *argv += used;
    }
    bool checks = *argc > 1 && strcmp((*argv)[1], "check") == 0;
    for (int i = 0; status == BANYAN_OK && i < count; ++i)
        status = plugin_load(paths[i], !checks, err);
    return status;
}

int main(int argc, char **argv)
{
    struct banyan_error err;
    atexit(main_at_exit);
    if (!main_limit())
        return CLI_USAGE;
    if (main_load(&argc, &argv, &err) != BANYAN_OK)
        return cli_fail("banyan", CLI_USAGE, &err);
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        main_help();
        return main_written(CLI_OK);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("banyan %s\n", banyan_version_text());
        return main_written(CLI_OK);
    }
    for (const struct cli_command *c = commands; c->name; ++c)
        if (strcmp(c->name, name) == 0)
            return main_written(c->run(argc - 1, argv + 1));
    if (argc > 1)
        return main_unknown(name);
    main_help();
    return CLI_USAGE;
}
