/* banyan showdown: battles on a Pokemon Showdown server. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/showdown_exec.h"
#include "cli/showdown_pipe.h"
#include "cli/showdown_view.h"

#include "showdown/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct showdown_words {
    struct client_settings settings;
    struct decide decide;
    struct showdown_view view;
    const char *server, *player, *login, *password_file;
    double throttle_ms; /* below 0: the default for the server */
    bool pipe;
    const char
        *for_server; /* an option of the command line that --pipe does not take; NULL: none */
};

enum {
    SHOWDOWN_SERVER = 's',
    SHOWDOWN_GAMES = 'n',
    SHOWDOWN_CONCURRENT = 'j',
    SHOWDOWN_QUIET = 'q',
    SHOWDOWN_VERBOSE = 'v',
    SHOWDOWN_NAME = 0x100,
    SHOWDOWN_PASSWORD,
    SHOWDOWN_NO_PASSWORD,
    SHOWDOWN_CHALLENGE,
    SHOWDOWN_REPEAT,
    SHOWDOWN_ACCEPT,
    SHOWDOWN_LADDER,
    SHOWDOWN_FORMAT,
    SHOWDOWN_PIPE,
    SHOWDOWN_PLAYER,
    SHOWDOWN_TIME,
    SHOWDOWN_SEED,
    SHOWDOWN_SAVE,
    SHOWDOWN_LOSSES,
    SHOWDOWN_NO_TIMER,
    SHOWDOWN_LOGIN,
    SHOWDOWN_CA,
    SHOWDOWN_THROTTLE,
    SHOWDOWN_SILENCE,
    SHOWDOWN_PATIENCE,
    SHOWDOWN_DROP,
    SHOWDOWN_JSON
};

static const struct argp_option showdown_options[] = {
    {NULL, 0, NULL, 0, "Where and who:", 1},
    {"server", SHOWDOWN_SERVER, "ADDRESS", 0,
     "HOST[:PORT], ws://... or wss://...; 'showdown' is the public server; default localhost:8000",
     1},
    {"name", SHOWDOWN_NAME, "NAME", 0, "Play under this name", 1},
    {"password-file", SHOWDOWN_PASSWORD, "FILE", 0,
     "File whose first line is the password of NAME; default: the environment variable "
     "BANYAN_SHOWDOWN_PASSWORD",
     1},
    {"password", SHOWDOWN_NO_PASSWORD, "", OPTION_HIDDEN, "", 1},
    {"login", SHOWDOWN_LOGIN, "URL", 0,
     "The login server, or 'none'; default: the public one, none for a server on this machine", 1},
    {"ca-file", SHOWDOWN_CA, "FILE", 0, "Trust these certificate authorities too (PEM)", 1},
    {NULL, 0, NULL, 0, "Whom to play:", 2},
    {"challenge", SHOWDOWN_CHALLENGE, "USER", 0, "Challenge this user, again and again", 2},
    {"repeat", SHOWDOWN_REPEAT, "TIME", 0,
     "Withdraw a challenge that is not answered within this time, and make it again; default 1m",
     2},
    {"accept", SHOWDOWN_ACCEPT, "USER", OPTION_ARG_OPTIONAL,
     "Accept challenges, of this user or of everybody", 2},
    {"ladder", SHOWDOWN_LADDER, NULL, 0, "Look for opponents on the ladder", 2},
    {"pipe", SHOWDOWN_PIPE, NULL, 0,
     "Decide in one battle of another program: the lines of its room come from standard input, and "
     "an empty line is answered by a line with the choice",
     2},
    {"games", SHOWDOWN_GAMES, "N", 0, "Number of games; default 1; 0: until Ctrl-C", 2},
    {"concurrent", SHOWDOWN_CONCURRENT, "N", 0, "Battles at the same time; default 1", 2},
    {"format", SHOWDOWN_FORMAT, "FORMAT", 0, "gen8randombattle; there is no other yet", 2},
    {NULL, 0, NULL, 0, "How to play:", 3},
    {"player", SHOWDOWN_PLAYER, "PLAYER", 0, "Player that decides (listed below); default mcts", 3},
    {"time", SHOWDOWN_TIME, "TIME", 0,
     "Time per decision, less when the server's clock runs low; default 1s", 3},
    {"seed", SHOWDOWN_SEED, "S", 0, "Seed of all random numbers; default 1", 3},
    {"no-timer", SHOWDOWN_NO_TIMER, NULL, 0, "Do not ask the server for its timer", 3},
    {NULL, 0, NULL, 0, "Output:", 4},
    {"save", SHOWDOWN_SAVE, "FOLDER", 0,
     "Write a replay (.html), the log (.log) and the decisions (.jsonl) of every battle", 4},
    {"save-losses", SHOWDOWN_LOSSES, "FOLDER", 0,
     "The same, only for battles that are neither won nor tied", 4},
    {"json", SHOWDOWN_JSON, NULL, 0, "Print the result as JSON (docs/json.md)", 4},
    {"quiet", SHOWDOWN_QUIET, NULL, 0, "Print only warnings and the result", 4},
    {"verbose", SHOWDOWN_VERBOSE, NULL, 0,
     "Also print notes about unexpected but harmless messages", 4},
    {NULL, 0, NULL, 0, "The connection:", 5},
    {"throttle", SHOWDOWN_THROTTLE, "TIME", 0,
     "Shortest time between two messages; default 650ms, 0ms for a server on this machine", 5},
    {"silence", SHOWDOWN_SILENCE, "TIME", 0,
     "Ping the server after this time without a message; after the same time again, reconnect; "
     "default 20s",
     5},
    {"patience", SHOWDOWN_PATIENCE, "TIME", 0,
     "Give up after this time without a connection; default 2m", 5},
    {"drop-every", SHOWDOWN_DROP, "N", 0, "For tests: break the connection after every N decisions",
     5},
    {0}};

static const char showdown_doc[] =
    "Plays battles of the format gen8randombattle on a Pokemon Showdown server.\v"
    "After a lost connection the program connects again and open battles go on.  Ctrl-C stops at "
    "once: open battles are lost when the server's clock runs out; exit code 130.\n\nPlayers:\n";

static void showdown_copy(const struct argp_state *state, const char *what, const char *text,
                          char out[PROTOCOL_NAME])
{
    char id[PROTOCOL_ID];
    protocol_id(protocol_text(text), id, sizeof id);
    if (!id[0] || strlen(text) > 18 || strpbrk(text, ",|\n"))
        cli_usage(state,
                  "%s is a user's name, of at most 18 characters and with a letter or a digit, "
                  "not '%s'",
                  what, text);
    snprintf(out, PROTOCOL_NAME, "%s", text);
}

static void showdown_accept(struct showdown_words *words, const struct argp_state *state,
                            const char *user)
{
    if (!words->settings.lobby.accept || words->settings.lobby.accept_from[0])
        cli_too_many(state, user);
    showdown_copy(state, "--accept", user, words->settings.lobby.accept_from);
}

static void showdown_format(const struct argp_state *state, const char *text)
{
    if (strcmp(text, lobby_format) != 0)
        cli_usage(state, "--format must be %s, the only format, not '%s'", lobby_format, text);
}

/* Checks options that depend on each other, and sets the defaults that depend on the server. */
static void showdown_check(struct showdown_words *words, const struct argp_state *state)
{
    struct client_settings *settings = &words->settings;
    const struct lobby_settings *lobby = &settings->lobby;
    struct banyan_error err;
    if (!lobby->name[0])
        cli_usage(state, "needs --name NAME");
    int ways = (lobby->challenge[0] != 0) + lobby->accept + lobby->ladder + words->pipe;
    if (ways == 0)
        cli_usage(state, "needs --challenge USER, --accept [USER], --ladder or --pipe");
    if (ways > 1)
        cli_usage(state, "give only one of --challenge, --accept, --ladder and --pipe");
    if (words->pipe && words->for_server)
        cli_usage(state,
                  "--%s is for battles on a server: --pipe takes --name, --player, --time, --seed, "
                  "--format, --save and --save-losses",
                  words->for_server);
    if (client_settings_server(settings, words->server, &err) != BANYAN_OK)
        cli_usage(state, "%s", err.message);
    if (words->throttle_ms >= 0)
        settings->throttle_ms = words->throttle_ms;
    if (words->login) {
        settings->lobby.assertion = strcmp(words->login, "none") != 0;
        if (settings->lobby.assertion &&
            link_address_parse(words->login, "/", &settings->login, &err) != BANYAN_OK)
            cli_usage(state, "--login: %s", err.message);
        if (settings->lobby.assertion && !settings->login.tls &&
            !link_address_local(&settings->login))
            cli_usage(state, "--login=%s: a password is sent over https:// only", words->login);
    }
}

/* Options about opponents and play. */
static bool showdown_play_option(struct showdown_words *words, struct argp_state *state, int key,
                                 char *arg)
{
    struct lobby_settings *lobby = &words->settings.lobby;
    switch (key) {
    case SHOWDOWN_NAME:
        showdown_copy(state, "--name", arg, lobby->name);
        return true;
    case SHOWDOWN_CHALLENGE:
        showdown_copy(state, "--challenge", arg, lobby->challenge);
        return true;
    case SHOWDOWN_REPEAT:
        lobby->repeat_ms = cli_time(state, "--repeat", arg, 1e3, 86400e3);
        return true;
    case SHOWDOWN_ACCEPT:
        lobby->accept = true;
        if (arg)
            showdown_accept(words, state, arg);
        return true;
    case SHOWDOWN_LADDER:
        return lobby->ladder = true;
    case SHOWDOWN_PIPE:
        lobby->battle.timer = false;
        return words->pipe = true;
    case SHOWDOWN_GAMES:
        lobby->games = (int)cli_integer(state, "--games", arg, 0, 1000000);
        return true;
    case SHOWDOWN_CONCURRENT:
        lobby->concurrent = (int)cli_integer(state, "--concurrent", arg, 1, LOBBY_BATTLES);
        return true;
    case SHOWDOWN_FORMAT:
        showdown_format(state, arg);
        return true;
    case SHOWDOWN_PLAYER:
        words->player = cli_text(state, arg);
        return true;
    case SHOWDOWN_TIME:
        lobby->battle.time_ms = cli_time(state, "--time", arg, 1, 1e6);
        return true;
    case SHOWDOWN_SEED:
        lobby->battle.seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return true;
    case SHOWDOWN_NO_TIMER:
        lobby->battle.timer = false;
        return true;
    default:
        return false;
    }
}

/* Options about server, output and connection. */
static bool showdown_other_option(struct showdown_words *words, struct argp_state *state, int key,
                                  char *arg)
{
    struct client_settings *settings = &words->settings;
    switch (key) {
    case SHOWDOWN_SERVER:
        words->server = arg;
        return true;
    case SHOWDOWN_PASSWORD:
        words->password_file = arg;
        return true;
    case SHOWDOWN_NO_PASSWORD:
        cli_usage(state,
                  "--password would show it to everybody on this machine: use --password-file, "
                  "or the environment variable BANYAN_SHOWDOWN_PASSWORD");
    case SHOWDOWN_LOGIN:
        words->login = arg;
        return true;
    case SHOWDOWN_CA:
        settings->ca_file = arg;
        return true;
    case SHOWDOWN_SAVE:
    case SHOWDOWN_LOSSES:
        if (settings->lobby.battle.folder)
            cli_usage(state, "--save or --save-losses, one of them and once");
        settings->lobby.battle.folder = arg;
        settings->lobby.battle.only_losses = key == SHOWDOWN_LOSSES;
        return true;
    case SHOWDOWN_JSON:
        return words->view.json = true;
    case SHOWDOWN_QUIET:
        return words->view.quiet = true;
    case SHOWDOWN_VERBOSE:
        return words->view.verbose = true;
    case SHOWDOWN_THROTTLE:
        words->throttle_ms = cli_time(state, "--throttle", arg, 0, 60000);
        return true;
    case SHOWDOWN_SILENCE:
        settings->silence_s = (int)(cli_time(state, "--silence", arg, 1e3, 3600e3) / 1000);
        return true;
    case SHOWDOWN_PATIENCE:
        settings->patience_s = (int)(cli_time(state, "--patience", arg, 1e3, 86400e3) / 1000);
        return true;
    case SHOWDOWN_DROP:
        settings->drop_every = (int)cli_integer(state, "--drop-every", arg, 1, 1000000);
        return true;
    default:
        return false;
    }
}

/* The name of an option that has no effect with --pipe; NULL: it has one, or the key is of no option. */
static const char *showdown_for_server(int key)
{
    static const int pipes[] = {SHOWDOWN_PIPE,   SHOWDOWN_NAME,   SHOWDOWN_PLAYER,
                                SHOWDOWN_TIME,   SHOWDOWN_SEED,   SHOWDOWN_SAVE,
                                SHOWDOWN_LOSSES, SHOWDOWN_FORMAT, SHOWDOWN_CHALLENGE,
                                SHOWDOWN_ACCEPT, SHOWDOWN_LADDER};
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; ++i)
        if (pipes[i] == key)
            return NULL;
    for (const struct argp_option *option = showdown_options; option->name || option->doc; ++option)
        if (option->name && option->key == key)
            return option->name;
    return NULL;
}

static error_t showdown_option(int key, char *arg, struct argp_state *state)
{
    struct showdown_words *words = state->input;
    if (!words->for_server)
        words->for_server = showdown_for_server(key);
    if (key == ARGP_KEY_ARG) /* "--accept USER", as well as "--accept=USER" */
        showdown_accept(words, state, arg);
    else if (key == ARGP_KEY_END)
        showdown_check(words, state);
    else if (!showdown_play_option(words, state, key, arg) &&
             !showdown_other_option(words, state, key, arg))
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* --help ends with the players. */
static char *showdown_filter(int key, const char *text, void *input)
{
    enum { SIZE = 4096 };
    (void)input;
    char *whole = key == ARGP_KEY_HELP_POST_DOC && text ? malloc(SIZE) : NULL;
    if (!whole)
        return (char *)(uintptr_t)text;
    int length = snprintf(whole, SIZE, "%s", text);
    length += decide_help(whole + length, (size_t)(SIZE - length));
    snprintf(whole + length, (size_t)(SIZE - length), "  %-16s %s\n", showdown_exec.name,
             showdown_exec.help);
    return whole;
}

static enum banyan_status showdown_password(struct showdown_words *words, struct banyan_error *err)
{
    const char *from_environment = getenv("BANYAN_SHOWDOWN_PASSWORD");
    char *password = words->settings.password;
    if (words->password_file)
        return login_password_file(words->password_file, password, err);
    if (!from_environment)
        return BANYAN_OK;
    if (strlen(from_environment) >= LOGIN_PASSWORD)
        return banyan_fail(err, BANYAN_INVALID, "BANYAN_SHOWDOWN_PASSWORD is too long");
    snprintf(password, LOGIN_PASSWORD, "%s", from_environment);
    return BANYAN_OK;
}

static enum banyan_status showdown_player(struct showdown_words *words, struct banyan_error *err)
{
    if (strncmp(words->player, "exec:", 5) != 0)
        return decide_open(&words->decide, words->player, err);
    words->decide.chooser = &showdown_exec;
    return showdown_exec.open(words->player + 5, &words->decide.self, err);
}

static enum banyan_status showdown_prepare(struct showdown_words *words, struct banyan_error *err)
{
    const char *folder = words->settings.lobby.battle.folder;
    if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return banyan_fail(err, BANYAN_IO, "cannot make the folder %s: %s", folder,
                           strerror(errno));
    enum banyan_status status = showdown_password(words, err);
    if (status == BANYAN_OK)
        status = showdown_player(words, err);
    words->settings.lobby.battle.decide = &words->decide;
    return status;
}

int cli_showdown(int argc, char **argv)
{
    struct showdown_words words = {.server = "localhost:8000", .player = "mcts", .throttle_ms = -1};
    const struct argp argp = {
        showdown_options, showdown_option, NULL, showdown_doc, NULL, showdown_filter, NULL};
    client_settings_default(&words.settings);
    cli_parse(&argp, argc, argv, &words);
    struct banyan_error err;
    enum banyan_status status = showdown_prepare(&words, &err);
    if (status != BANYAN_OK)
        return cli_end(argv[0], status, &err);
    if (words.pipe) {
        status = showdown_pipe(&words.settings.lobby.battle, words.settings.lobby.name, &err);
        decide_close(&words.decide);
        return cli_end(argv[0], status, &err);
    }
    showdown_view_start(&words.view);
    const struct client_events events = {&words.view, showdown_view_say, showdown_view_moved,
                                         showdown_view_over};
    struct lobby_count count;
    status = client_run(&words.settings, &events, interrupt_watch(), &count, &err);
    if (status == BANYAN_OK || count.finished || count.started)
        showdown_view_result(&words.view, &words.settings, words.player, &count);
    decide_close(&words.decide);
    if (status == BANYAN_INTERRUPTED)
        return CLI_INTERRUPTED; /* the result tells how many games were played */
    return cli_end(argv[0], status, &err);
}
