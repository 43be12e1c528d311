/* Prints the result of a search, as a table and as JSON. */
#include "cli/result.h"

#include "cli/show.h"
#include "cli/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_PV_MAX = 64, RESULT_TEXT = 128, RESULT_ACTION = 14 };

struct result_row_list result_rows(const struct banyan_game *game,
                                   const struct banyan_search *search, int player)
{
    struct result_row_list list = {.rows = calloc((size_t)game->max_legal, sizeof *list.rows)};
    if (list.rows)
        list.count = banyan_search_root_moves(search, player, list.rows, game->max_legal);
    return list;
}

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

/* Columns that the longest action of the rows needs. */
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
                       const struct banyan_search_move *rows, int count, FILE *out)
{
    double total = 0;
    int width = result_action_width(game, state, player, rows, count);
    for (int i = 0; i < count; ++i)
        total += (double)rows[i].visits;
    fprintf(out, "%-*s %10s %7s %9s %9s %9s %12s\n", width, "action", "visits", "share", "mean",
            "prior", "score", "proven");
    for (int i = 0; i < count; ++i) {
        const struct banyan_search_move *row = &rows[i];
        char action[RESULT_TEXT], mean[32], prior[32], score[32], bounds[64];
        fprintf(out, "%-*s %10" PRIu64 " %5.1f %% %9s %9s %9s %12s\n", width,
                show_action(game, state, player, row->action, action, sizeof action), row->visits,
                total > 0 ? 100 * (double)row->visits / total : 0,
                result_cell(row->mean, mean, sizeof mean),
                result_cell(row->prior, prior, sizeof prior),
                result_cell(row->score, score, sizeof score),
                result_bounds(game, row, bounds, sizeof bounds));
    }
}

/* Follows the principal variation and writes the text of each move to a JSON array. It ends where
 * dice or hidden choices make the position uncertain. */
static json_t *result_pv_json(const struct banyan_game *game, const struct banyan_search *search,
                              const void *root)
{
    json_t *pv = json_array();
    banyan_action actions[RESULT_PV_MAX];
    int movers[RESULT_PV_MAX];
    int count = banyan_search_pv(search, actions, movers, RESULT_PV_MAX);
    void *state = malloc(game->state_size);
    if (!state)
        return pv;
    memcpy(state, root, game->state_size);
    for (int i = 0; i < count; ++i) {
        char text[RESULT_TEXT];
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        if (game->movers(game, state) != 1u << movers[i]) {
            if (i == 0) /* the viewer's own choice among simultaneous ones */
                json_array_append_new(pv, json_string(show_action(game, state, movers[0],
                                                                  actions[0], text, sizeof text)));
            break;
        }
        json_array_append_new(
            pv, json_string(show_action(game, state, movers[i], actions[i], text, sizeof text)));
        if (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN))
            break;
        joint[movers[i]] = actions[i];
        game->apply(game, state, joint, NULL);
    }
    free(state);
    return pv;
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

enum banyan_status result_format_best(const struct banyan_game *game, struct banyan_search *search,
                                      const void *state, char *out, size_t size,
                                      struct banyan_error *err)
{
    unsigned movers = game->movers(game, state);
    size_t length = 0;
    for (int p = 0; p < game->players; ++p) {
        struct banyan_search_move choice;
        char text[RESULT_TEXT];
        if (!(movers >> p & 1))
            continue;
        enum banyan_status status = banyan_search_choose(search, p, &choice, err);
        if (status != BANYAN_OK)
            return status;
        length += (size_t)snprintf(out + length, size - length, "%s%s", length ? "|" : "",
                                   show_action(game, state, p, choice.action, text, sizeof text));
        if (length >= size)
            break;
    }
    return BANYAN_OK;
}

/* Simulations per second: of processor time when one thread searched, else of wall clock. */
static double result_rate(const struct banyan_search_stats *stats,
                          const struct result_effort *effort)
{
    double ms = effort->threads == 1 ? effort->cpu_ms : stats->elapsed_ms;
    return ms > 0 ? (double)stats->simulations / ms * 1000 : 0;
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
        fprintf(out, "%s\n", banyan_game_player_name(game, p));
        result_print_rows(game, state, p, list.rows, list.count, out);
        free(list.rows);
    }
    banyan_search_stats(search, &stats, sizeof stats);
    result_format_pv(game, search, state, pv, sizeof pv);
    fprintf(out,
            "mean: expected result, from %g to %g; score: decides where the search "
            "looks next\n",
            (double)game->return_min, (double)game->return_max);
    fprintf(out, "best %s\npv   %s\n", best, pv);
    fprintf(out,
            "%" PRIu64 " simulations in %.1f ms (%s/s, %d thread%s), %" PRIu64
            " nodes, depth %d (mean %.1f), %.2f MiB\n",
            stats.simulations, stats.elapsed_ms,
            timing_rate(result_rate(&stats, effort), rate, sizeof rate), effort->threads,
            effort->threads == 1 ? "" : "s", stats.nodes, stats.max_depth, stats.mean_depth,
            (double)stats.bytes_used / 0x1p20);
    return BANYAN_OK;
}

static json_t *result_rows_json(const struct banyan_game *game, const struct banyan_search *search,
                                const void *state)
{
    json_t *root = json_array();
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct result_row_list list = result_rows(game, search, p);
        for (int i = 0; i < list.count; ++i) {
            const struct banyan_search_move *row = &list.rows[i];
            char action[RESULT_TEXT];
            json_array_append_new(
                root, json_pack("{s:i, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "player", p, "action",
                                show_action(game, state, p, row->action, action, sizeof action),
                                "visits", (json_int_t)row->visits, "mean", show_number(row->mean),
                                "prior", show_number(row->prior), "lo", show_number(row->lo), "hi",
                                show_number(row->hi), "score", show_number(row->score)));
        }
        free(list.rows);
    }
    return root;
}

static json_t *result_values_json(const struct banyan_game *game,
                                  const struct banyan_search *search)
{
    float values[BANYAN_MAX_PLAYERS];
    json_t *out = json_array();
    banyan_search_root_values(search, values);
    for (int p = 0; p < game->players; ++p)
        json_array_append_new(out, show_number(values[p]));
    return out;
}

enum banyan_status result_json(const struct banyan_game *game, struct banyan_search *search,
                               const void *state, const struct result_effort *effort, json_t **out,
                               struct banyan_error *err)
{
    struct banyan_search_stats stats;
    char best[512], text[BANYAN_TEXT_MAX];
    enum banyan_status status = result_format_best(game, search, state, best, sizeof best, err);
    if (status != BANYAN_OK)
        return status;
    banyan_search_stats(search, &stats, sizeof stats);
    game->format(game, state, text, sizeof text);
    *out = json_pack(
        "{s:s, s:s, s:I, s:f, s:f, s:i, s:f, s:s, s:o, s:o, s:o, s:I, s:I, s:i, s:f, s:I, s:I}",
        "game", game->name, "position", text, "simulations", (json_int_t)stats.simulations,
        "elapsed_ms", stats.elapsed_ms, "cpu_ms", effort->cpu_ms, "threads", effort->threads,
        "simulations_per_s", result_rate(&stats, effort), "best", best, "root",
        result_rows_json(game, search, state), "pv", result_pv_json(game, search, state), "values",
        result_values_json(game, search), "nodes", (json_int_t)stats.nodes, "edges",
        (json_int_t)stats.edges, "max_depth", stats.max_depth, "mean_depth", stats.mean_depth,
        "bytes_used", (json_int_t)stats.bytes_used, "compactions", (json_int_t)stats.compactions);
    return BANYAN_OK;
}
