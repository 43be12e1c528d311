/* Reads a search from a command line: game, position, evaluator, limits, options. */
#include "cli/searcher.h"

#include "base/movers.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/setup.h"
#include "cli/show.h"
#include "players/book.h"
#include "players/program/offers.h"

#include <banyan/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEARCHER_SIMULATIONS = 'n',
    SEARCHER_TIME = 't',
    SEARCHER_EVALUATOR = 'e',
    SEARCHER_OPTIONS = 'o',
    SEARCHER_EARLY = 0x2000,
    SEARCHER_AS,
    SEARCHER_BOOK,
    SEARCHER_ALLOW,
    SEARCHER_AVOID,
    SEARCHER_ROW = 0x3000 /* + index into the table of search options */
};

static const struct argp_option searcher_fixed[] = {
    {"simulations", SEARCHER_SIMULATIONS, "N", 0, "Stop after N simulations (suffixes k, M, G)", 0},
    {"time", SEARCHER_TIME, "TIME", 0, "Stop after this time: 50ms, 2s", 0},
    {"early", SEARCHER_EARLY, NULL, 0,
     "Stop when the most visited action cannot be overtaken any more", 0},
    {"evaluator", SEARCHER_EVALUATOR, "TEXT", 0,
     "How a leaf gets its value: uniform, rollout[:count=1,cutoff=0,policy=random], heuristic, "
     "mixture:weight=0.5,A|B, cache:size=N,A, script:V V ... (A, B: evaluators; V: values that are "
     "returned in turn), or one of the game's own; default rollout",
     0},
    {"as", SEARCHER_AS, "PLAYER", 0,
     "The player who searches: 1, 2, ... or a name such as black; default: the first mover", 0},
    {"book", SEARCHER_BOOK, "FILE", 0,
     "Start from the lines of an opening book, with their visits and means (docs/book.md)", 0},
    {"allow", SEARCHER_ALLOW, "ACTION", 0,
     "Let the player choose only this action at the root; the option may be repeated", 0},
    {"avoid", SEARCHER_AVOID, "ACTION", 0,
     "Leave this action out at the root; the option may be repeated", 0},
    {"option", SEARCHER_OPTIONS, "NAME=VALUE,...", 0, "Set several of the search options below",
     0}};

enum { SEARCHER_FIXED = sizeof searcher_fixed / sizeof *searcher_fixed };

static void searcher_set(struct searcher *searcher, const struct argp_state *state,
                         const char *name, const char *value)
{
    struct banyan_error err;
    enum banyan_status status =
        name ? banyan_options_set(banyan_search_option_table(), &searcher->options, name, value,
                                  &err)
             : banyan_options_parse(banyan_search_option_table(), &searcher->options, value, &err);
    if (status != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

static void searcher_name(struct searcher_actions *actions, const struct argp_state *state,
                          const char *text)
{
    if (actions->count == SEARCHER_ACTIONS)
        cli_usage(state, "at most %d actions can be named", SEARCHER_ACTIONS);
    actions->texts[actions->count++] = text;
}

/* Whether the key is one of an option, and of another one than --simulations and --seed. */
static bool searcher_is_more(const struct searcher *searcher, int key)
{
    int row = key - SEARCHER_ROW;
    if (row >= 0 && row < searcher->row_count)
        return strcmp(banyan_search_option_table()[row].name, "seed") != 0;
    for (int i = 0; i < SEARCHER_FIXED; ++i)
        if (searcher_fixed[i].key == key)
            return key != SEARCHER_SIMULATIONS;
    return false;
}

static error_t searcher_option(int key, char *arg, struct argp_state *state)
{
    struct searcher *searcher = state->input;
    searcher->has_more |= searcher_is_more(searcher, key);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &searcher->position;
        return 0;
    case SEARCHER_SIMULATIONS:
        searcher->limits.simulations = cli_integer(state, "--simulations", arg, 1, (int64_t)1e15);
        return 0;
    case SEARCHER_TIME:
        searcher->limits.time_ms = cli_time(state, "--time", arg, 0.001, 1e12);
        return 0;
    case SEARCHER_EARLY:
        searcher->limits.early = true;
        return 0;
    case SEARCHER_EVALUATOR:
        searcher->evaluator_text = cli_text(state, arg);
        return 0;
    case SEARCHER_AS:
        searcher->as = arg;
        return 0;
    case SEARCHER_BOOK:
        searcher->book_path = arg;
        return 0;
    case SEARCHER_ALLOW:
        searcher_name(&searcher->allowed, state, arg);
        return 0;
    case SEARCHER_AVOID:
        searcher_name(&searcher->avoided, state, arg);
        return 0;
    case ARGP_KEY_END:
        if (searcher->allowed.count && searcher->avoided.count)
            cli_usage(state, "--allow and --avoid cannot both be given");
        return 0;
    case SEARCHER_OPTIONS:
        searcher_set(searcher, state, NULL, cli_text(state, arg));
        return 0;
    default:
        if (key < SEARCHER_ROW || key >= SEARCHER_ROW + searcher->row_count)
            return ARGP_ERR_UNKNOWN;
        searcher_set(searcher, state, banyan_search_option_table()[key - SEARCHER_ROW].name,
                     arg ? arg : "on");
        return 0;
    }
}

static const char *searcher_argument(const struct banyan_option *row)
{
    static const char *const names[] = {
        [BANYAN_OPTION_INT] = "N",       [BANYAN_OPTION_INT64] = "N",
        [BANYAN_OPTION_SIZE] = "BYTES",  [BANYAN_OPTION_REAL] = "X",
        [BANYAN_OPTION_BOOL] = "on|off", [BANYAN_OPTION_CHOICE] = "NAME",
        [BANYAN_OPTION_TEXT] = "TEXT",   [BANYAN_OPTION_TIME] = "TIME",
        [BANYAN_OPTION_SEED] = "N",
    };
    return names[row->type];
}

/* "what it does; one of a, b, c; default a" */
static char *searcher_doc(const struct banyan_option *row, const struct banyan_search_options *set)
{
    const struct banyan_option alone[] = {*row, {.name = NULL}};
    char choices[256] = "", value[256] = "", doc[1024];
    size_t length = 0;
    for (int i = 0; row->type == BANYAN_OPTION_CHOICE && row->choices[i]; ++i)
        length += (size_t)snprintf(choices + length, sizeof choices - length, "%s%s",
                                   i ? ", " : "; one of ", row->choices[i]);
    banyan_options_dump(alone, set, NULL, value, sizeof value);
    const char *text = strchr(value, '=');
    snprintf(doc, sizeof doc, "%s%s; default %s", row->help, choices, text ? text + 1 : value);
    return strdup(doc);
}

void searcher_init(struct searcher *searcher, int64_t simulations)
{
    static const struct argp_child children[] = {{&position_argp, 0, NULL, 0}, {0}};
    memset(searcher, 0, sizeof *searcher);
    banyan_search_options_default(&searcher->options);
    searcher->limits.struct_size = sizeof searcher->limits;
    searcher->limits.simulations = -simulations; /* negative: not yet set by the user */
    searcher->evaluator_text = "rollout";
    searcher->viewer = -1;
    int count = 0;
    while (banyan_search_option_table()[count].name)
        ++count;
    searcher->row_count = count;
    searcher->docs = calloc((size_t)count, sizeof *searcher->docs);
    searcher->rows = calloc((size_t)count + SEARCHER_FIXED + 2, sizeof *searcher->rows);
    if (!searcher->docs || !searcher->rows)
        abort(); /* no memory for a few kilobytes */
    struct argp_option *row = searcher->rows;
    memcpy(row, searcher_fixed, sizeof searcher_fixed);
    row += SEARCHER_FIXED;
    *row++ = (struct argp_option){
        .doc = "Options of the search (n: visits of the node, n_j: of the action):", .group = 5};
    for (int i = 0; i < count; ++i) {
        const struct banyan_option *option = &banyan_search_option_table()[i];
        searcher->docs[i] = searcher_doc(option, &searcher->options);
        *row++ = (struct argp_option){
            .name = option->name,
            .key = SEARCHER_ROW + i,
            .arg = searcher_argument(option),
            .flags = option->type == BANYAN_OPTION_BOOL ? OPTION_ARG_OPTIONAL : 0,
            .doc = searcher->docs[i],
            .group = 5};
    }
    searcher->argp =
        (struct argp){.options = searcher->rows, .parser = searcher_option, .children = children};
}

static enum banyan_status searcher_read_book(struct searcher *searcher, struct banyan_error *err)
{
    struct book book;
    enum banyan_status status = book_read(&book, searcher->book_path, err);
    if (status != BANYAN_OK)
        return status;
    status = book_apply(&book, searcher->game, searcher->state, searcher->search, err);
    book_free(&book);
    return status;
}

/* The player that --as names. */
static enum banyan_status searcher_viewer(struct searcher *searcher, struct banyan_error *err)
{
    const struct banyan_game *game = searcher->game;
    if (!searcher->as)
        return BANYAN_OK;
    searcher->viewer = setup_seat(game, searcher->as);
    if (searcher->viewer >= 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_INVALID, "--as=%.40s: the players of %s are 1 (%s) to %d (%s)",
                       searcher->as, game->name, banyan_game_player_name(game, 0), game->players,
                       banyan_game_player_name(game, game->players - 1));
}

/* Restricts the root to what --allow and --avoid say. */
static enum banyan_status searcher_restrict(const struct searcher *searcher,
                                            struct banyan_error *err)
{
    const struct banyan_game *game = searcher->game;
    bool avoids = searcher->avoided.count > 0;
    const struct searcher_actions *named = avoids ? &searcher->avoided : &searcher->allowed;
    unsigned movers = game->movers(game, searcher->state);
    int player = searcher->viewer >= 0 && movers >> searcher->viewer & 1 ? searcher->viewer
                                                                         : movers_first(movers);
    banyan_action actions[SEARCHER_ACTIONS];
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < named->count && status == BANYAN_OK; ++i)
        status =
            game->action_parse(game, searcher->state, player, named->texts[i], &actions[i], err);
    if (status != BANYAN_OK || !named->count)
        return status;
    return (avoids ? banyan_search_avoid : banyan_search_allow)(searcher->search, player, actions,
                                                                named->count, err);
}

static enum banyan_status searcher_make(struct searcher *searcher, struct banyan_error *err)
{
    const struct banyan_game *game = searcher->game;
    enum banyan_status status = position_create(&searcher->position, &searcher->state, err);
    if (status != BANYAN_OK)
        return status;
    if (game->movers(game, searcher->state) == 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "the game is over here: there is nothing to search");
    status = searcher_viewer(searcher, err);
    if (status != BANYAN_OK)
        return status;
    if (!searcher->evaluator.evaluate)
        status = banyan_evaluator_create(game, searcher->evaluator_text, program_offers,
                                         &searcher->evaluator, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_create(&searcher->search, game, &searcher->options, &searcher->evaluator,
                                  err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_set_root(searcher->search, searcher->state, searcher->viewer, err);
    if (status == BANYAN_OK && searcher->book_path)
        status = searcher_read_book(searcher, err);
    return status == BANYAN_OK ? searcher_restrict(searcher, err) : status;
}

enum banyan_status searcher_open(struct searcher *searcher, struct banyan_error *err)
{
    if (searcher->limits.simulations < 0)
        searcher->limits.simulations =
            searcher->limits.time_ms > 0 ? 0 : -searcher->limits.simulations;
    searcher->game = searcher->position.game;
    searcher->position.seed = searcher->options.seed;
    return searcher_make(searcher, err);
}

int searcher_eyes(const struct searcher *searcher)
{
    if (!(searcher->game->traits & BANYAN_HIDDEN))
        return -1;
    return searcher->viewer >= 0
               ? searcher->viewer
               : movers_first(searcher->game->movers(searcher->game, searcher->state));
}

/* How much of the limit is done, in ms where the time is limited, else in simulations. */
static void searcher_progress(const struct searcher *searcher, uint64_t *done, uint64_t *wanted)
{
    struct banyan_search_stats stats;
    const struct banyan_search_limits *limits = &searcher->limits;
    banyan_search_stats(searcher->search, &stats, sizeof stats);
    *done = limits->time_ms > 0 ? (uint64_t)stats.elapsed_ms : stats.simulations;
    *wanted = limits->time_ms > 0 ? (uint64_t)limits->time_ms : (uint64_t)limits->simulations;
}

bool searcher_interrupted(const struct searcher *searcher)
{
    uint64_t done, wanted;
    searcher_progress(searcher, &done, &wanted);
    return interrupt_seen() && done < wanted;
}

void searcher_tell_interrupted(const struct searcher *searcher, const char *name)
{
    uint64_t done, wanted;
    searcher_progress(searcher, &done, &wanted);
    cli_tell_interrupted(name, done, wanted, searcher->limits.time_ms > 0 ? "ms" : "simulations");
}

void searcher_close(struct searcher *searcher)
{
    if (searcher->search)
        banyan_search_destroy(searcher->search);
    if (searcher->evaluator.evaluate)
        banyan_evaluator_close(&searcher->evaluator);
    free(searcher->state);
    for (int i = 0; i < searcher->row_count; ++i)
        free(searcher->docs[i]);
    free(searcher->docs);
    free(searcher->rows);
}
