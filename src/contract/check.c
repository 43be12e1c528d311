/* banyan_game_check: plays a game at random and tells which promises of <banyan/game.h> it breaks. */
#include "base/struct_size.h"
#include "contract/contract.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void banyan_check_options_init(struct banyan_check_options *options, size_t struct_size)
{
    const struct banyan_check_options all = {
        .struct_size = struct_size, .seed = 1, .games = 1000, .state_bytes = 3e5};
    struct_size_copy(options, struct_size, &all, sizeof all);
}

static enum banyan_status check_options(const struct banyan_check_options *options,
                                        struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_check("banyan_check_options", options->struct_size, sizeof *options, err);
    if (status != BANYAN_OK)
        return status;
    if (options->first < 0 || options->games < 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "first is %d and games %d: the check needs both to be 0 or more",
                           options->first, options->games);
    if (options->first > INT_MAX - options->games)
        return banyan_fail(err, BANYAN_INVALID,
                           "first is %d and games %d: their sum must be at most %d", options->first,
                           options->games, INT_MAX);
    return BANYAN_OK;
}

/* Checks the table, plays the games unless the table is wrong, and fills in the report. */
static enum banyan_status check_games(struct contract *c, struct banyan_check_report *report,
                                      struct banyan_error *err)
{
    if (contract_check_card(c) && c->options->games > 0) {
        if (!contract_open(c))
            return banyan_fail(err, BANYAN_NO_MEMORY,
                               "%s: there is no memory for states of %zu bytes and lists of %d "
                               "actions",
                               c->game->name, c->game->state_size, c->game->max_legal);
        report->games = contract_run(c);
    }
    report->positions = c->positions;
    report->keys = c->seen_count;
    report->faults = c->faults;
    report->last_game = c->index;
    report->last_ply = c->ply;
    if (contract_stopped(c))
        return banyan_fail(err, BANYAN_INTERRUPTED, "%s: the check was stopped", c->game->name);
    return c->faults ? banyan_fail(err, BANYAN_INVALID, "%s", c->first) : BANYAN_OK;
}

enum banyan_status banyan_game_check(const struct banyan_game *game,
                                     const struct banyan_check_options *options,
                                     struct banyan_check_report *out, struct banyan_error *err)
{
    struct banyan_check_options all;
    struct banyan_check_report report = {.games = 0};
    banyan_check_options_default(&all);
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status == BANYAN_OK && options)
        status = check_options(options, err);
    if (status == BANYAN_OK && out)
        status = struct_size_check("banyan_check_report", out->struct_size, sizeof *out, err);
    if (status != BANYAN_OK)
        return status;
    if (options)
        struct_size_copy(&all, sizeof all, options, options->struct_size);
    struct contract *c = calloc(1, sizeof *c);
    if (!c)
        return banyan_fail(err, BANYAN_NO_MEMORY, "there is no memory to check a game");
    c->game = game;
    c->options = &all;
    status = check_games(c, &report, err);
    contract_close(c);
    free(c);
    if (out) {
        report.struct_size = out->struct_size;
        struct_size_copy(out, out->struct_size, &report, sizeof report);
    }
    return status;
}
