/* Writes the result of a search as JSON. */
#include "json/result.h"

#include "json/show.h"

#include <stdlib.h>
#include <string.h>

enum { RESULT_PV_MAX = 64, RESULT_TEXT = 128 };

struct result_row_list result_rows(const struct banyan_game *game,
                                   const struct banyan_search *search, int player)
{
    struct result_row_list list = {.rows = NULL};
    for (int room = game->max_legal + 1;; room *= 2) {
        list.rows = calloc((size_t)room, sizeof *list.rows);
        list.count = list.rows ? banyan_search_root_moves(search, player, list.rows, room) : 0;
        if (list.count < room)
            return list;
        free(list.rows); /* hidden cards: the root has the actions of all states that were drawn */
    }
}

double *result_strategy(const struct banyan_search *search, int player,
                        const struct result_row_list *list)
{
    size_t room = (size_t)list->count + 1;
    banyan_action *actions = calloc(room, sizeof *actions);
    double *found = calloc(room, sizeof *found), *out = calloc(room, sizeof *out);
    int count =
        actions && found && out && list->rows
            ? banyan_search_average_strategy(search, NULL, player, actions, found, list->count)
            : 0;
    for (int i = 0; i < list->count && count > 0; ++i)
        for (int k = 0; k < count; ++k)
            if (actions[k] == list->rows[i].action)
                out[i] = found[k];
    free(actions);
    free(found);
    if (count > 0)
        return out;
    free(out);
    return NULL;
}

json_t *result_pv_json(const struct banyan_game *game, const struct banyan_search *search,
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

double result_rate(const struct banyan_search_stats *stats, const struct result_effort *effort)
{
    double ms = effort->threads == 1 ? effort->cpu_ms : stats->elapsed_ms;
    return ms > 0 ? (double)(stats->simulations - effort->loaded) / ms * 1000 : 0;
}

json_t *result_rows_json(const struct banyan_game *game, const struct banyan_search *search,
                         const void *state)
{
    json_t *root = json_array();
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct result_row_list list = result_rows(game, search, p);
        list.strategy = result_strategy(search, p, &list);
        for (int i = 0; i < list.count; ++i) {
            const struct banyan_search_move *row = &list.rows[i];
            char action[RESULT_TEXT];
            json_t *line =
                json_pack("{s:i, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "player", p, "action",
                          show_action(game, state, p, row->action, action, sizeof action), "visits",
                          (json_int_t)row->visits, "mean", show_number(row->mean), "prior",
                          show_number(row->prior), "lo", show_number(row->lo), "hi",
                          show_number(row->hi), "score", show_number(row->score));
            if (list.strategy)
                json_object_set_new(line, "strategy", show_number(list.strategy[i]));
            json_array_append_new(root, line);
        }
        free(list.strategy);
        free(list.rows);
    }
    return root;
}

json_t *result_values_json(const struct banyan_game *game, const struct banyan_search *search)
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
