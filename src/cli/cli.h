/* The program `banyan`: one file per command.
 *
 *     banyan COMMAND ...  -->  main.c (the table of commands)  -->  cli_COMMAND(argc, argv)
 *
 * A command parses its words with argp, calls the library and returns an exit
 * code.  argv[0] is the command's name.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <banyan/game.h>
#include <banyan/status.h>

#include <argp.h>
#include <stdint.h>

enum cli_exit {
    CLI_OK = 0,
    CLI_FAILURE = 1, /* the command failed, or its answer is "no" */
    CLI_USAGE = 2,   /* the command line is wrong */
    /* Ctrl-C ended the command; a shell reports this code for a program that SIGINT killed */
    CLI_INTERRUPTED = 130
};

struct cli_command {
    const char *name; /* NULL ends a table */
    const char *help; /* one line */
    int (*run)(int argc, char **argv);
};

int cli_bench(int argc, char **argv);
int cli_bloodbowl(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_demo(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_gtp(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_match(int argc, char **argv);
int cli_judge(int argc, char **argv);
int cli_nypc(int argc, char **argv);
int cli_nboard(int argc, char **argv);
int cli_analyze(int argc, char **argv);
int cli_net(int argc, char **argv);
int cli_page(int argc, char **argv);
int cli_perft(int argc, char **argv);
int cli_pokemon(int argc, char **argv);
int cli_play(int argc, char **argv);
int cli_queue(int argc, char **argv);
int cli_samples(int argc, char **argv);
int cli_search(int argc, char **argv);
int cli_serve(int argc, char **argv);
int cli_showdown(int argc, char **argv);
int cli_suite(int argc, char **argv);
int cli_tune(int argc, char **argv);
int cli_train(int argc, char **argv);
int cli_tree(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_web(int argc, char **argv);
int cli_worker(int argc, char **argv);

/* argp_parse for the command argv[0], whose name reads "banyan NAME" in every message.  An unknown
 * option ends the program with CLI_USAGE and the nearest name. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Ends the program with CLI_USAGE and one line "banyan NAME: message". */
_Noreturn void cli_usage(const struct argp_state *state, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* cli_usage for a word that the command does not expect. */
_Noreturn void cli_too_many(const struct argp_state *state, const char *word);

/* Prints "banyan NAME: message" and returns code. */
int cli_fail(const char *name, int code, const struct banyan_error *err);

/* The end of a command: CLI_OK for BANYAN_OK; else prints as cli_fail, and the code is CLI_USAGE if
 * an argument was wrong (BANYAN_INVALID, _NOT_FOUND, _UNSUPPORTED), CLI_INTERRUPTED, or
 * CLI_FAILURE. */
int cli_end(const char *name, enum banyan_status status, const struct banyan_error *err);

/* Prints "banyan NAME: stopped after DONE of WANTED WHAT" if Ctrl-C ended the command before it was done. */
void cli_tell_interrupted(const char *name, uint64_t done, uint64_t wanted, const char *what);

/* Reads an integer in min..max, with suffixes k, M, G; else cli_usage. what: its name in
 * messages. */
int64_t cli_integer(const struct argp_state *state, const char *what, const char *text, int64_t min,
                    int64_t max);

/* A number in min..max; else cli_usage. */
double cli_number(const struct argp_state *state, const char *what, const char *text, double min,
                  double max);

/* A time in min_ms..max_ms, in milliseconds: "50ms", "2s", "1m"; else cli_usage. */
double cli_time(const struct argp_state *state, const char *what, const char *text, double min_ms,
                double max_ms);

/* A number of bytes in min..max: "4096", "128M" (powers of 1024); else cli_usage. */
uint64_t cli_size(const struct argp_state *state, const char *what, const char *text, uint64_t min,
                  uint64_t max);

/* Returns text; cli_usage if it is not UTF-8, which JSON and records of games need. */
const char *cli_utf8(const struct argp_state *state, const char *text);

/* Returns text (options, a player or an evaluator; UTF-8, else cli_usage) in today's spelling; if text
 * has the spelling of an earlier version, tells the user. The result lives as long as text does. */
const char *cli_text(const struct argp_state *state, const char *text);

/* The index of text in names (NULL at the end); else cli_usage with all names. */
int cli_choice(const struct argp_state *state, const char *what, const char *text,
               const char *const *names);

/* The name of a file or folder; cli_usage if it is empty.  what: the option. */
const char *cli_path(const struct argp_state *state, const char *what, const char *text);

/* The name of a database's file; cli_usage also for SQLite's ":memory:", which keeps nothing. */
const char *cli_database(const struct argp_state *state, const char *what, const char *text);

/* The URL of a queue that other processes reach; else cli_usage. */
const char *cli_queue_url(const struct argp_state *state, const char *text);

/* The game called text; else cli_usage with the nearest name. */
const struct banyan_game *cli_game(const struct argp_state *state, const char *text);

#endif
