/* banyan samples: recorded self-play as arrays, for learning in other programs. */
#include "train/samples.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

#include <stdio.h>
#include <unistd.h>

struct samples_words {
    const struct banyan_game *game;
    char **files; /* the words after GAME, borrowed */
    int file_count;
};

static const char samples_doc[] =
    "Writes the positions of recorded self-play to standard output, as arrays to learn from.\v"
    "FILES are those in the folder records of a run of `banyan train`, which may go on meanwhile. "
    "docs/nn.md describes the output; `banyan.Run` of the Python package reads it.";

static error_t samples_option(int key, char *arg, struct argp_state *state)
{
    struct samples_words *words = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        words->game = cli_game(state, arg);
        words->files = state->argv + state->next;
        words->file_count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!words->game || words->file_count == 0)
            cli_usage(state,
                      "needs GAME and FILES, as in `banyan samples othello run/records/*.rec`");
        if (isatty(STDOUT_FILENO))
            cli_usage(state, "writes numbers, not text: give the output to a file or a pipe");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Writes a game: its numbers, how many rows it has, and the arrays one after the other.  A game without rows
 * is left out. */
static void samples_put(const struct samples *samples, const struct record *record)
{
    const int64_t head[] = {record->generation, record->number, samples->count};
    size_t rows = (size_t)samples->count, players = (size_t)samples->game->players;
    if (!rows)
        return;
    fwrite(head, sizeof *head, 3, stdout);
    fwrite(samples->observations, sizeof(float), rows * (size_t)samples->width, stdout);
    fwrite(samples->policies, sizeof(float), rows * (size_t)samples->policy, stdout);
    fwrite(samples->results, sizeof(float), rows * players, stdout);
    fwrite(samples->searched, sizeof(float), rows, stdout);
    fwrite(samples->choices, sizeof(int32_t), rows, stdout);
}

static enum banyan_status samples_file(struct samples *samples, const char *path,
                                       struct banyan_error *err)
{
    struct record_reader *reader;
    struct record record = {.start = NULL};
    enum banyan_status status = record_reader_open(&reader, path, samples->game->name, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && !interrupt_seen() && !ferror(stdout) &&
           record_reader_next(reader, &record)) {
        status = samples_read(samples, &record, err);
        if (status == BANYAN_OK)
            samples_put(samples, &record);
    }
    record_free(&record);
    record_reader_close(reader);
    return status;
}

int cli_samples(int argc, char **argv)
{
    struct samples_words words = {.game = NULL};
    const struct argp argp = {NULL, samples_option, "GAME FILE...", samples_doc, NULL, NULL, NULL};
    struct samples samples;
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &words);
    (void)interrupt_watch();
    enum banyan_status status = samples_begin(&samples, words.game, &err);
    if (status == BANYAN_OK)
        printf("{\"samples\": 1, \"game\": \"%s\", \"observation\": %d, \"policy\": %d, "
               "\"players\": %d}\n",
               words.game->name, samples.width, samples.policy, words.game->players);
    for (int i = 0; status == BANYAN_OK && i < words.file_count; ++i)
        status = samples_file(&samples, words.files[i], &err);
    samples_end(&samples);
    return cli_end(argv[0], status, &err);
}
