/* Prints the result of a search as a table. */
#include "cli/result.h"

#include "cli/show.h"
#include "cli/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_TEXT = 128, RESULT_ACTION = 14 };

/* A number, or "-" where there is none. */
static const char *result_cell(double value, char *out, size_t size)
{
    if (isnan(value))
        snprintf(out, size, "-");
    else
        snprintf(out, size, "%+.4f", value);
    return out;
}

static const char *result_bounds(const struct banyan_game *game,
                                 const struct banyan_search_move *row, char *out, size_t size)
{
    if (row->lo <= game->return_min && row->hi >= game->return_max)
        snprintf(out, size, "-");
    else if (row->lo == row->hi)
        snprintf(out, size, "= %g", (double)row->lo);
    else
        snprintf(out, size, "%g..%g", (double)row->lo, (double)row->hi);
    return out;
}

/* Columns that the longest action of the rows needs, at least RESULT_ACTION. */
static int result_action_width(const struct banyan_game *game, const void *state, int player,
                               const struct banyan_search_move *rows, int count)
{
    char action[RESULT_TEXT];
    int width = RESULT_ACTION;
    for (int i = 0; i < count; ++i) {
        int length =
            (int)strlen(show_action(game, state, player, rows[i].action, action, sizeof action));
        width = length > width ? length : width;
    }
    return width;
}

void result_print_rows(const struct banyan_game *game, const void *state, int player,
                       const struct result_row_list *list, FILE *out)
{
    const struct banyan_search_move *rows = list->rows;
    int count = list->count;
    double total = 0;
    int width = result_action_width(game, state, player, rows, count);
    for (int i = 0; i < count; ++i)
        total += (double)rows[i].visits;
    fprintf(out, "%-*s %10s %7s %9s %9s %9s %12s%s\n", width, "action", "visits", "share", "mean",
            "prior", "score", "proven", list->strategy ? "  strategy" : "");
    for (int i = 0; i < count; ++i) {
        const struct banyan_search_move *row = &rows[i];
        char action[RESULT_TEXT], mean[32], prior[32], score[32], bounds[64];
        fprintf(out, "%-*s %10" PRIu64 " %5.1f %% %9s %9s %9s %12s", width,
                show_action(game, state, player, row->action, action, sizeof action), row->visits,
                total > 0 ? 100 * (double)row->visits / total : 0,
                result_cell(row->mean, mean, sizeof mean),
                result_cell(row->prior, prior, sizeof prior),
                result_cell(row->score, score, sizeof score),
                result_bounds(game, row, bounds, sizeof bounds));
        if (list->strategy)
            fprintf(out, " %7.1f %%", 100 * list->strategy[i]);
        fprintf(out, "\n");
    }
}

void result_format_pv(const struct banyan_game *game, const struct banyan_search *search,
                      const void *state, char *out, size_t size)
{
    json_t *pv = result_pv_json(game, search, state), *move;
    size_t i, length = 0;
    out[0] = 0;
    json_array_foreach(pv, i, move)
    {
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? " " : "",
                                   json_string_value(move));
        if (length >= size)
            break;
    }
    json_decref(pv);
}

/* Prints the proven return of the best action, if no other action can give more: the position is
 * solved. */
static void result_print_proof(const struct banyan_game *game, int player,
                               const struct banyan_search_move *rows, int count, FILE *out)
{
    float most = game->return_min, open = game->return_min;
    for (int i = 0; i < count; ++i) {
        most = rows[i].lo > most ? rows[i].lo : most;
        open = rows[i].hi > open ? rows[i].hi : open;
    }
    if (count > 0 && open <= most)
        fprintf(out, "proven: %s gets %g; the mean of an action is that of its simulations\n",
                banyan_game_player_name(game, player), (double)most);
}

enum banyan_status result_print(const struct banyan_game *game, struct banyan_search *search,
                                const void *state, const struct result_effort *effort, FILE *out,
                                struct banyan_error *err)
{
    struct banyan_search_stats stats;
    char best[512], pv[2048], rate[32];
    enum banyan_status status = result_format_best(game, search, state, best, sizeof best, err);
    if (status != BANYAN_OK)
        return status;
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct result_row_list list = result_rows(game, search, p);
        list.strategy = result_strategy(search, p, &list);
        fprintf(out, "%s\n", banyan_game_player_name(game, p));
        result_print_rows(game, state, p, &list, out);
        if (movers == 1u << p)
            result_print_proof(game, p, list.rows, list.count, out);
        free(list.strategy);
        free(list.rows);
    }
    banyan_search_stats(search, &stats, sizeof stats);
    uint64_t done = stats.simulations - effort->loaded;
    result_format_pv(game, search, state, pv, sizeof pv);
    fprintf(out,
            "mean: expected result, from %g to %g; score: decides where the search "
            "looks next\n",
            (double)game->return_min, (double)game->return_max);
    fprintf(out, "best %s\npv   %s\n", best, pv);
    if (effort->loaded)
        fprintf(out, "%" PRIu64 " simulations were loaded\n", effort->loaded);
    fprintf(out,
            "%" PRIu64 " simulation%s in %.1f ms (%s/s, %d thread%s), %" PRIu64
            " nodes, depth %d (mean %.1f), %.2f MiB\n",
            done, done == 1 ? "" : "s", stats.elapsed_ms,
            timing_rate(result_rate(&stats, effort), rate, sizeof rate), effort->threads,
            effort->threads == 1 ? "" : "s", stats.nodes, stats.max_depth, stats.mean_depth,
            (double)stats.bytes_used / 0x1p20);
    return BANYAN_OK;
}
