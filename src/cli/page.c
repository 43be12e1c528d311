/* banyan page: a recorded game as a page. */
#include "records/page.h"
#include "base/output.h"
#include "cli/cli.h"
#include "nypc/log.h"
#include "records/bloodbowl_record.h"
#include "records/records.h"
#include "records/sgf.h"
#include "showdown/battle_page.h"
#include "showdown/decisions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page_words {
    const char *path, *out;
    int game; /* from 1 */
    bool sgf; /* writes SGF in place of a page */
};

enum { PAGE_GAME = 'g', PAGE_OUT = 'o', PAGE_SGF = 's' };

static const struct argp_option page_options[] = {
    {"game", PAGE_GAME, "N", 0, "The Nth game of the file; default 1", 0},
    {"output", PAGE_OUT, "PAGE", 0, "Write the page to PAGE; default: standard output", 0},
    {"sgf", PAGE_SGF, NULL, 0, "Write a game of Go in the Smart Game Format, not as a page", 0},
    {0}};

static error_t page_option(int key, char *arg, struct argp_state *state)
{
    struct page_words *words = state->input;
    switch (key) {
    case PAGE_GAME:
        words->game = (int)cli_integer(state, "--game", arg, 1, INT32_MAX);
        return 0;
    case PAGE_OUT:
        words->out = arg;
        return 0;
    case PAGE_SGF:
        words->sgf = true;
        return 0;
    case ARGP_KEY_ARG:
        if (words->path)
            cli_too_many(state, arg);
        words->path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!words->path)
            cli_usage(state, "needs a FILE, such as `banyan match --save FILE` writes");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status page_read_log(const struct page_words *words,
                                        struct records_source *source, struct game_record *record,
                                        struct banyan_error *err)
{
    char *bytes;
    size_t length;
    if (words->game > 1)
        return banyan_fail(err, BANYAN_NOT_FOUND, "%s is a log of one game", words->path);
    enum banyan_status status = records_rest(source, &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    FILE *in = fmemopen(bytes, length, "r");
    status = in ? nypc_log_read(in, words->path, record, err)
                : banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read %s", words->path);
    if (in)
        fclose(in);
    free(bytes);
    return status;
}

static enum banyan_status page_read_sgf(const struct page_words *words,
                                        struct records_source *source, struct game_record *record,
                                        struct banyan_error *err)
{
    char *bytes;
    size_t length;
    struct banyan_error why;
    enum banyan_status status = records_rest(source, &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    status = sgf_record(bytes, length, words->game - 1, record, &why);
    free(bytes);
    return status == BANYAN_OK
               ? status
               : banyan_fail(err, status, "%s, game %d: %s", words->path, words->game, why.message);
}

/* What a page shows: a record, or the log of a Showdown battle. */
struct page_input {
    struct game_record record;
    char *log; /* owned; NULL: a record */
    size_t log_length;
};

static enum banyan_status page_read_source(const struct page_words *words,
                                           struct records_source *source, struct page_input *input,
                                           struct banyan_error *err)
{
    char first[64];
    struct game_record *record = &input->record;
    enum banyan_status status = records_peek(source, first, sizeof first, err);
    if (status != BANYAN_OK)
        return status;
    if (strncmp(first, "INIT", 4) == 0 || strncmp(first, "ABORT", 5) == 0)
        return page_read_log(words, source, record, err);
    if (strncmp(first, "{\"t\":\"head\"", 11) == 0)
        return bloodbowl_record_read_from(source, words->game - 1, record, err);
    if (sgf_claims(first))
        return page_read_sgf(words, source, record, err);
    if (*first == '{')
        return game_record_read_from(record, source, words->game - 1, err);
    if (*first == '|' && words->game == 1)
        return records_rest(source, &input->log, &input->log_length, err);
    return banyan_fail(err, *first == '|' ? BANYAN_NOT_FOUND : BANYAN_CORRUPT,
                       *first == '|' ? "%s is a log of one battle"
                                     : "%s: neither a record of games (docs/records.md) nor a log "
                                       "of the judge or of a Showdown battle",
                       words->path);
}

/* Reads the file, which is opened only once, so that it may be a pipe. */
static enum banyan_status page_read(const struct page_words *words, struct page_input *input,
                                    struct banyan_error *err)
{
    struct records_source *source;
    *input = (struct page_input){.log = NULL};
    enum banyan_status status = records_open(words->path, &source, err);
    if (status != BANYAN_OK)
        return status;
    status = page_read_source(words, source, input, err);
    records_close(source);
    return status;
}

static enum banyan_status page_put_sgf(const struct page_words *words, struct page_input *input,
                                       FILE *out, struct banyan_error *err)
{
    char bytes[2 * BANYAN_TEXT_MAX];
    struct text text = text_start(bytes, sizeof bytes);
    if (input->log || !sgf_serves(input->record.game))
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s: only games of Go can be written as SGF",
                           words->path);
    enum banyan_status status = sgf_write_record(&text, &input->record, err);
    if (status == BANYAN_OK)
        fputs(bytes, out);
    return status;
}

/* The path of a battle's decisions, beside its log: ROOM.log, ROOM.jsonl.  False: the log has
 * another ending. */
static bool page_beside(const char *path, char *out, size_t size)
{
    size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".log") != 0 || length + 3 > size)
        return false;
    snprintf(out, size, "%.*s.jsonl", (int)length - 4, path);
    return true;
}

/* Writes the page of a battle, with the bot's decisions if their file lies beside the log and can
 * be used. */
static void page_put_battle(const struct page_words *words, const struct page_input *input,
                            FILE *out)
{
    char path[4096];
    struct decisions decisions = {.rows = NULL};
    struct banyan_error err;
    if (page_beside(words->path, path, sizeof path)) {
        if (decisions_read(path, input->log, input->log_length, &decisions, &err) != BANYAN_OK)
            fprintf(stderr, "warning: %s; the page is without decisions\n", err.message);
        else if (decisions.left_out)
            fprintf(stderr, "warning: %s: %d of %d decisions do not fit the log\n", path,
                    decisions.left_out, decisions.count);
    }
    battle_page_write(input->log, input->log_length, decisions.rows, out);
    decisions_free(&decisions);
}

static enum banyan_status page_put(const struct page_words *words, struct page_input *input,
                                   FILE *out, struct banyan_error *err)
{
    char source[512];
    struct banyan_error why;
    const char *slash = strrchr(words->path, '/');
    if (words->sgf)
        return page_put_sgf(words, input, out, err);
    if (input->log) {
        page_put_battle(words, input, out);
        return BANYAN_OK; /* errors of writing are found when the caller closes out */
    }
    snprintf(source, sizeof source, "%.400s, game %d", slash ? slash + 1 : words->path,
             words->game);
    enum banyan_status status = page_write(&input->record, source, out, &why);
    return status == BANYAN_OK
               ? status
               : banyan_fail(err, status, "%s, game %d: %s", words->path, words->game, why.message);
}

static enum banyan_status page_run(const struct page_words *words, struct banyan_error *err)
{
    struct page_input input;
    struct output output;
    enum banyan_status status = page_read(words, &input, err);
    if (status != BANYAN_OK)
        return status;
    if (!words->out) {
        status = page_put(words, &input, stdout, err);
    } else if ((status = output_open(&output, words->out, err)) == BANYAN_OK) {
        status = page_put(words, &input, output.stream, err);
        status = output_close(&output, status, err);
    }
    if (!input.log)
        game_record_free(&input.record);
    free(input.log);
    return status;
}

int cli_page(int argc, char **argv)
{
    struct page_words words = {.game = 1};
    struct banyan_error err;
    const struct argp argp = {
        page_options,
        page_option,
        "FILE",
        "Writes a recorded game as one page, to be opened in a browser: boards, moves, times.\v"
        "FILE, or - for standard input, is a record of games, of `match --save` or `judge --save`, "
        "a log of `judge --log`, a "
        "recording of botbowl, the log of a Showdown battle, or a game of Go in the Smart Game "
        "Format. The page needs no network. With ROOM.log of a battle, ROOM.jsonl "
        "beside it is read: what the bot expected. Example: banyan page games.jsonl --game 3 -o "
        "game.html",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &words);
    enum banyan_status status = page_run(&words, &err);
    return cli_end(argv[0], status, &err);
}
