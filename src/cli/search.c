/* banyan search: one search, its table of root moves. */
#include "base/input.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/searcher.h"
#include "cli/show.h"
#include "cli/showdown_replay.h"
#include "cli/timing.h"
#include "players/book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct searcher searcher;
    struct result_effort effort;
    bool json;
    const char *save_path;              /* NULL: no book is written */
    const char *write_path, *read_path; /* a search with its tree; NULL: none */
    uint32_t min_visits; /* least number of visits of the book's lines; 0: not given */
    const char *replay;  /* decisions of `banyan showdown --save`; NULL: none */
    int replay_line;
    bool has_seed; /* the command line gives a seed */
};

/* Stands for no seed while the command line is read. */
#define SEARCH_NO_SEED (UINT64_C(1) << 63 | 1)

enum {
    SEARCH_JSON = 'j',
    SEARCH_SAVE = 0x1000,
    SEARCH_VISITS,
    SEARCH_REPLAY,
    SEARCH_LINE,
    SEARCH_WRITE,
    SEARCH_READ,
    SEARCH_MIN_VISITS = 100
};

static const struct argp_option search_options[] = {
    {"json", SEARCH_JSON, NULL, 0, "Print JSON (docs/json.md)", 0},
    {"save-book", SEARCH_SAVE, "FILE", 0,
     "Write the upper part of the tree to FILE, as an opening book (docs/book.md)", 0},
    {"min-visits", SEARCH_VISITS, "N", 0,
     "Write only lines with at least N visits into the book; default 100", 0},
    {"save", SEARCH_WRITE, "FILE", 0,
     "Write the search with its tree to FILE, so that --load goes on with it later", 0},
    {"load", SEARCH_READ, "FILE", 0,
     "Go on with a search of the same game and options that --save has written", 0},
    {"replay", SEARCH_REPLAY, "FILE", 0,
     "pokemon: search again the decisions in this .jsonl file of `banyan showdown --save`; with "
     "--seed or --simulations the same positions are searched in another way",
     0},
    {"line", SEARCH_LINE, "N", 0, "Search only line N of the --replay file", 0},
    {0}};

/* Checks that --replay stands with options only that it takes: a decision is searched with its recorded settings. */
static void search_check_replay(const struct search *search, const struct argp_state *state)
{
    const struct searcher *s = &search->searcher;
    if (strcmp(s->position.game->name, "pokemon") != 0)
        cli_usage(state, "--replay: only decisions of pokemon are kept in files");
    if (s->has_more || s->position.setup || s->position.moves || search->save_path ||
        search->write_path || search->read_path)
        cli_usage(
            state,
            "--replay searches with the recorded settings: it takes --line, --seed, --simulations "
            "and --json only");
}

/* Checks that --load stands without options that the saved search answers, which would have no effect. */
static void search_check_load(const struct search *search, const struct argp_state *state)
{
    const struct searcher *s = &search->searcher;
    if (s->position.setup || s->position.moves || s->as || s->book_path || s->allowed.count ||
        s->avoided.count)
        cli_usage(state, "--load goes on with the saved position and player: it takes none of "
                         "--position, --moves, --as, --book, --allow, --avoid");
}

static void search_check(const struct search *search, const struct argp_state *state)
{
    if (search->replay)
        search_check_replay(search, state);
    else if (search->replay_line)
        cli_usage(state, "--line is for --replay");
    if (search->read_path)
        search_check_load(search, state);
    if (search->min_visits && !search->save_path)
        cli_usage(state, "--min-visits is for --save-book");
}

static error_t search_option(int key, char *arg, struct argp_state *state)
{
    struct search *search = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &search->searcher;
        return 0;
    case SEARCH_JSON:
        search->json = true;
        return 0;
    case SEARCH_SAVE:
        search->save_path = arg;
        return 0;
    case SEARCH_VISITS:
        search->min_visits = (uint32_t)cli_integer(state, "--min-visits", arg, 1, UINT32_MAX);
        return 0;
    case SEARCH_WRITE:
        search->write_path = arg;
        return 0;
    case SEARCH_READ:
        search->read_path = arg;
        return 0;
    case SEARCH_REPLAY:
        search->replay = arg;
        return 0;
    case SEARCH_LINE:
        search->replay_line = (int)cli_integer(state, "--line", arg, 1, INT32_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        search->searcher.position.game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            cli_usage(state, "needs a GAME; `banyan list` names them");
        search_check(search, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status search_print(struct search *search, struct banyan_error *err)
{
    struct searcher *s = &search->searcher;
    if (search->json) {
        json_t *out;
        enum banyan_status status =
            result_json(s->game, s->search, s->state, &search->effort, &out, err);
        if (status != BANYAN_OK)
            return status;
        json_object_set_new(out, "interrupted", json_boolean(searcher_interrupted(s)));
        if (s->options.profile)
            json_object_set_new(out, "profile", result_profile_json(s->search));
        show_json(out);
        return BANYAN_OK;
    }
    printf("%s\n", s->game->title);
    show_board(s->game, s->state, searcher_eyes(s), stdout);
    enum banyan_status status =
        result_print(s->game, s->search, s->state, &search->effort, stdout, err);
    if (status == BANYAN_OK && s->options.profile)
        result_print_profile(s->search, stdout);
    return status;
}

/* The bytes of a file that are not read yet. */
struct search_bytes {
    const char *at;
    size_t left;
};

static bool search_take(void *ctx, void *bytes, size_t length)
{
    struct search_bytes *file = ctx;
    if (length > file->left)
        return false;
    memcpy(bytes, file->at, length);
    file->at += length;
    file->left -= length;
    return true;
}

static enum banyan_status search_load(struct search *search, struct banyan_error *err)
{
    struct searcher *s = &search->searcher;
    struct search_bytes file;
    struct banyan_error cause;
    char *text;
    if (!search->read_path)
        return BANYAN_OK;
    enum banyan_status status = input_read(search->read_path, "", &text, &file.left, err);
    if (status != BANYAN_OK)
        return status;
    file.at = text;
    status = banyan_search_load(s->search, search_take, &file, &cause);
    if (status != BANYAN_OK)
        banyan_fail(err, status, "%s: %.300s", search->read_path, cause.message);
    else if (file.left)
        status = banyan_fail(err, BANYAN_CORRUPT, "%s: %zu more bytes follow the saved search",
                             search->read_path, file.left);
    else
        memcpy(s->state, banyan_search_root(s->search), s->game->state_size);
    free(text);
    return status;
}

static bool search_put(void *ctx, const void *bytes, size_t length)
{
    return fwrite(bytes, 1, length, ctx) == length;
}

static enum banyan_status search_save(const struct search *search, struct banyan_error *err)
{
    struct output output;
    if (!search->write_path)
        return BANYAN_OK;
    enum banyan_status status = output_open(&output, search->write_path, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_save(search->searcher.search, search_put, output.stream, err);
    return output_close(&output, status, err);
}

/* Repeats the decisions; exit code 1 if one differs. */
static int search_replay(const struct search *search, const char *name)
{
    struct banyan_error err;
    bool same;
    int64_t simulations = search->searcher.limits.simulations; /* negative: not given */
    const struct showdown_question question = {.path = search->replay,
                                               .line = search->replay_line,
                                               .has_seed = search->has_seed,
                                               .seed = search->searcher.options.seed,
                                               .simulations = simulations > 0 ? simulations : 0,
                                               .json = search->json};
    enum banyan_status status = showdown_replay(&question, &same, &err);
    if (status != BANYAN_OK)
        return cli_end(name, status, &err);
    return same ? CLI_OK : CLI_FAILURE;
}

/* Runs the search, prints its result and writes the files that the options name; returns the exit code. */
static int search_answer(struct search *search, const char *name)
{
    struct searcher *searcher = &search->searcher;
    struct banyan_error err;
    struct banyan_search_stats stats;
    searcher->limits.stop = interrupt_watch();
    banyan_search_stats(searcher->search, &stats, sizeof stats);
    search->effort.loaded = search->read_path ? stats.simulations : 0;
    double begin_s = timing_cpu_s();
    enum banyan_status status = banyan_search_run(searcher->search, &searcher->limits, &err);
    search->effort.cpu_ms = (timing_cpu_s() - begin_s) * 1000;
    banyan_search_stats(searcher->search, &stats, sizeof stats);
    search->effort.threads = stats.threads;
    if (status == BANYAN_OK || status == BANYAN_INTERRUPTED)
        status = search_print(search, &err);
    searcher_tell_interrupted(searcher, name);
    if (status == BANYAN_OK && search->save_path)
        status = book_save(&(struct book_source){searcher->search, searcher->game, searcher->state},
                           search->min_visits ? search->min_visits : SEARCH_MIN_VISITS,
                           search->save_path, NULL, &err);
    if (status == BANYAN_OK)
        status = search_save(search, &err);
    return cli_end(name, status, &err);
}

int cli_search(int argc, char **argv)
{
    struct search search = {0};
    struct searcher *searcher = &search.searcher;
    struct banyan_error err;
    searcher_init(searcher, 10000);
    const struct argp_child children[] = {{&searcher->argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        search_options,
        search_option,
        "GAME",
        "Searches a position and prints the root moves: visits, mean return of the mover, prior, "
        "proven bounds, and the principal variation.\v"
        "Ctrl-C stops the search and prints its result so far. Example: banyan search othello "
        "--moves=\"f5 d6 c3\" --time=1s",
        children,
        NULL,
        NULL};
    uint64_t seed = searcher->options.seed;
    searcher->options.seed = SEARCH_NO_SEED;
    cli_parse(&argp, argc, argv, &search);
    search.has_seed = searcher->options.seed != SEARCH_NO_SEED;
    if (!search.has_seed)
        searcher->options.seed = seed;
    if (search.replay) {
        searcher_close(searcher);
        return search_replay(&search, argv[0]);
    }
    if (searcher_open(searcher, &err) != BANYAN_OK || search_load(&search, &err) != BANYAN_OK) {
        searcher_close(searcher);
        return cli_fail(argv[0], CLI_USAGE, &err);
    }
    int code = search_answer(&search, argv[0]);
    searcher_close(searcher);
    return code;
}
