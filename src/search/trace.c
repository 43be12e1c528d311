/* Telling an onlooker what a simulation does. */
#include "search/search.h"

static int trace_rows(struct banyan_search *search, struct tree_node *node)
{
    for (int i = 0; i < node->count; ++i)
        search_fill_row(search, node, i, &search->trace_rows[i]);
    return node->count;
}

static void trace_send(struct banyan_search *search, struct banyan_search_trace *trace)
{
    trace->simulation = search->simulations + (trace->event != BANYAN_TRACE_BACKUP);
    trace->rows = search->trace_rows;
    search->trace(search->trace_ctx, trace);
}

void search_trace_select(struct banyan_search *search, const struct simulation *simulation,
                         const void *state, struct tree_node *node, int chosen, bool expand)
{
    struct banyan_search_trace trace = {.event = expand ? BANYAN_TRACE_EXPAND : BANYAN_TRACE_SELECT,
                                        .depth = simulation->depth,
                                        .player = node->mover,
                                        .state = state,
                                        .parent_visits = node->visits,
                                        .count = trace_rows(search, node),
                                        .chosen = chosen};
    trace_send(search, &trace);
}

void search_trace_simulate(struct banyan_search *search, const struct simulation *simulation)
{
    struct banyan_search_trace trace = {.event = BANYAN_TRACE_SIMULATE,
                                        .depth = simulation->depth,
                                        .state = simulation->state,
                                        .chosen = -1,
                                        .values = simulation->values};
    trace_send(search, &trace);
}

void search_trace_backup(struct banyan_search *search, const struct simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i) {
        const struct path_step *step = &simulation->path[i];
        struct tree_node *node = tree_node(&search->tree, step->node);
        struct banyan_search_trace trace = {.event = BANYAN_TRACE_BACKUP,
                                            .depth = i,
                                            .player = step->mover,
                                            .parent_visits = node->visits,
                                            .count = trace_rows(search, node),
                                            .chosen = step->edge,
                                            .values = simulation->values};
        trace_send(search, &trace);
    }
}

void banyan_search_set_trace(struct banyan_search *search, banyan_search_trace_fn *fn, void *ctx)
{
    search->trace = fn;
    search->trace_ctx = ctx;
}
