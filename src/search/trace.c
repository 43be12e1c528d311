/* Reports each step of a simulation to a callback. */
#include "search/search.h"

static int trace_rows(struct banyan_search *search, struct tree_node *node,
                      const struct offer *offer)
{
    for (int i = 0; i < node->count; ++i)
        search_fill_row(search, node, i, offer, &search->scratch.rows[i]);
    return node->count;
}

static void trace_send(struct banyan_search *search, struct banyan_search_trace *trace)
{
    trace->simulation = search->simulations + (trace->event != BANYAN_TRACE_BACKUP);
    trace->rows = search->scratch.rows;
    search->trace.fn(search->trace.ctx, trace);
}

void search_trace_select(struct banyan_search *search, const struct simulation *simulation,
                         struct tree_node *node, const struct path_choice *chosen)
{
    struct banyan_search_trace trace = {.event = chosen->is_new ? BANYAN_TRACE_EXPAND
                                                                : BANYAN_TRACE_SELECT,
                                        .depth = simulation->depth,
                                        .player = node->mover,
                                        .state = simulation->state,
                                        .parent_visits = node->visits,
                                        .count = trace_rows(search, node, chosen->offer),
                                        .chosen = chosen->edge};
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
    int depth = simulation->depth - 1;
    for (int i = simulation->length - 1; i >= 0; --i) {
        const struct path_step *step = &simulation->path[i];
        struct tree_node *node = tree_node(&search->tree, step->node);
        struct banyan_search_trace trace = {.event = BANYAN_TRACE_BACKUP,
                                            .depth = depth,
                                            .player = step->mover,
                                            .parent_visits = node->visits,
                                            .count = trace_rows(search, node, NULL),
                                            .chosen = step->edge,
                                            .values = simulation->values};
        trace_send(search, &trace);
        depth -= !step->is_joint;
    }
}

void banyan_search_set_trace(struct banyan_search *search, banyan_search_trace_fn *fn, void *ctx)
{
    search->trace.fn = fn;
    search->trace.ctx = ctx;
}
