/* banyan web: the page in the browser. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "web/files.h"
#include "web/server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

struct web {
    struct server_settings settings;
    bool open; /* in the browser */
};

enum {
    WEB_PORT = 'p',
    WEB_OPEN = 'o',
    WEB_DIR = 0x1000,
    WEB_LISTEN,
    WEB_HOST,
    WEB_GAMES,
    WEB_DB,
    WEB_SHOWDOWN,
    WEB_RUN
};

static const struct argp_option web_options[] = {
    {"port", WEB_PORT, "N", 0, "Listen on this port; 0 (default): a free one", 0},
    {"open", WEB_OPEN, NULL, 0, "Open the page in the browser (xdg-open)", 0},
    {"games", WEB_GAMES, "DIR", 0,
     "Show the recorded games of this folder: .jsonl, .jsonl.gz and .log files", 0},
    {"db", WEB_DB, "FILE", 0,
     "Show the matches of this file of `banyan match --db`, also while they are played; pages may "
     "start matches, which are stored there",
     0},
    {"showdown", WEB_SHOWDOWN, "DIR", 0,
     "Show the battles of this folder of `banyan showdown --save`, also while they are played", 0},
    {"run", WEB_RUN, "DIR", 0,
     "Show this run of `banyan train`, also while it is being trained; may be repeated", 0},
    {"web-dir", WEB_DIR, "DIR", 0,
     "Serve the page's files from DIR, not those of the program: for work on the page", 0},
    {"listen", WEB_LISTEN, "ADDRESS", 0,
     "Listen on this address in place of 127.0.0.1; needs --allow-host. The connection is plain "
     "HTTP: whoever can read the network can read the token",
     0},
    {"allow-host", WEB_HOST, "NAME", 0, "The name by which other machines reach this one", 0},
    {0}};

/* Returns path if it is a folder that can be read; otherwise ends the program with a message. */
static const char *web_folder(const struct argp_state *state, const char *option, const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        cli_usage(state, "%s: cannot open the folder '%s': %s", option, path, strerror(errno));
    closedir(folder);
    return path;
}

static void web_add_run(struct sources *sources, const struct argp_state *state, const char *path)
{
    if (sources->run_count == SOURCES_RUNS)
        cli_usage(state, "--run: at most %d runs are shown", SOURCES_RUNS);
    if (!sources_add_run(sources, web_folder(state, "--run", path)))
        cli_usage(state, "--run: two runs cannot have folders of the same name, as '%s' has", path);
}

static error_t web_option(int key, char *arg, struct argp_state *state)
{
    struct web *web = state->input;
    switch (key) {
    case WEB_PORT:
        web->settings.port = (int)cli_integer(state, "--port", arg, 0, 65535);
        return 0;
    case WEB_OPEN:
        web->open = true;
        return 0;
    case WEB_DIR:
        web->settings.folder = web_folder(state, "--web-dir", arg);
        return 0;
    case WEB_GAMES:
        web->settings.sources.games = web_folder(state, "--games", arg);
        return 0;
    case WEB_SHOWDOWN:
        web->settings.sources.showdown = web_folder(state, "--showdown", arg);
        return 0;
    case WEB_DB:
        web->settings.sources.db = arg;
        return 0;
    case WEB_RUN:
        web_add_run(&web->settings.sources, state, arg);
        return 0;
    case WEB_LISTEN:
        web->settings.address = arg;
        return 0;
    case WEB_HOST:
        web->settings.allowed_host = arg;
        return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "takes no word, got '%s'", arg);
    case ARGP_KEY_END:
        if (strcmp(web->settings.address, "127.0.0.1") != 0 && !web->settings.allowed_host)
            cli_usage(state,
                      "--listen=%s needs --allow-host=NAME, the name by which other machines "
                      "reach this one",
                      web->settings.address);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the browser --- */

static void web_tell_no_browser(void)
{
    fprintf(stderr, "banyan web: xdg-open does not work here; open the link by hand\n");
}

/* Starts xdg-open in a process group of its own, so that Ctrl-C does not end the browser.  No shell reads the
 * link, which contains the name of --allow-host.  Returns an error number; 0: it was started. */
static int web_spawn(char *link, pid_t *id)
{
    char program[] = "xdg-open";
    char *const words[] = {program, link, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    for (int file = 0; file <= 2; ++file)
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", file ? O_WRONLY : O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(id, program, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Starts the browser and waits for xdg-open, which may run as long as the browser does; a thread, because the
 * server must answer meanwhile.  link: freed here. */
static void *web_browse(void *link)
{
    pid_t id;
    int ended = 0;
    bool started = web_spawn(link, &id) == 0;
    free(link);
    while (started && waitpid(id, &ended, 0) < 0 && errno == EINTR)
        ;
    if (!started || (WIFEXITED(ended) && WEXITSTATUS(ended) != 0))
        web_tell_no_browser();
    return NULL;
}

static void web_show(const char *link)
{
    pthread_t thread;
    char *copy = strdup(link);
    if (copy && pthread_create(&thread, NULL, web_browse, copy) == 0) {
        pthread_detach(thread);
        return;
    }
    free(copy);
    web_tell_no_browser();
}

int cli_web(int argc, char **argv)
{
    static const struct argp argp = {
        web_options,
        web_option,
        "",
        "Serves a page for the browser: every game, and a search to watch while it runs.\v"
        "Prints the link to open and runs until Ctrl-C. Without --listen only this machine "
        "can reach it, and only with the link, which holds a token. docs/web.md describes the "
        "page.",
        NULL,
        NULL,
        NULL};
    struct web web = {.settings = {.address = "127.0.0.1"}};
    struct server *server;
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &web);
    if (!web.settings.folder && !files_are_built_in()) {
        fprintf(stderr, "banyan web: this program was built without the page, which needs npm "
                        "(docs/web.md, \"Building\")\n");
        return CLI_FAILURE;
    }
    web.settings.stop = interrupt_watch();
    if (server_create(&server, &web.settings, &err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_FAILURE, &err);
    printf("%s\nOpen this link in a browser; Ctrl-C ends.\n", server_link(server));
    fflush(stdout);
    if (web.open)
        web_show(server_link(server));
    server_run(server);
    server_destroy(server);
    return CLI_OK;
}
