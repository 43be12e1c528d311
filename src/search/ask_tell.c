/* Ask and tell: banyan_search_select() hands out leaves, banyan_search_update() takes their
 * values. */
#include "search/profile.h"
#include "search/workers.h"

/* Makes room in the tree for one more simulation.  If compaction frees too little, the tree grows no more, and
 * simulations go on.  False: none can begin now, because the tree is full, and leaves that wait for their values
 * hold references into it, so that it cannot be compacted. */
bool search_make_room(struct banyan_search *search)
{
    int nodes = search->game->players, legal = search->action_room;
    if (search->root.is_full || tree_has_room(&search->tree, nodes, legal))
        return true;
    if (search->worker)
        return worker_stops(search);
    if (search->flights.waiting)
        return false;
    double begin = profile_begin(search);
    uint64_t compactions = 0; /* the tree counts them itself */
    tree_compact(&search->tree, search->root.edges, search->trees);
    profile_end(search, begin, &search->profile.compact_ms, &compactions, 1);
    search->root.is_full = !tree_has_room(&search->tree, nodes, legal);
    return true;
}

void search_fill_leaf(struct banyan_search *search, struct simulation *simulation,
                      struct banyan_leaf *leaf)
{
    leaf->game = search->game;
    leaf->state = simulation->state;
    leaf->movers = simulation->movers;
    leaf->rng = &search->rng;
    leaf->exact = false;
    leaf->stop = search->run.stop;
    leaf->deadline_ms = search->run.deadline_ms;
    leaf->playout = search->amaf ? &simulation->log : NULL;
    leaf->score = search_score(search);
    leaf->ticket = (uint32_t)(simulation - search->flights.slots);
    if (!search->evaluator->wants_actions)
        return;
    for (int p = 0; p < search->game->players; ++p) {
        leaf->count[p] = 0;
        if (!(simulation->movers >> p & 1))
            continue;
        leaf->count[p] =
            search->game->legal(search->game, simulation->state, p, simulation->actions[p]);
        leaf->actions[p] = simulation->actions[p];
        leaf->priors[p] = simulation->priors[p];
        memset(leaf->priors[p], 0, (size_t)leaf->count[p] * sizeof *leaf->priors[p]);
    }
}

static struct simulation *ask_free_slot(struct banyan_search *search)
{
    for (int i = 0; i < search->flights.slot_count; ++i)
        if (!search->flights.slots[i].busy)
            return &search->flights.slots[i];
    return NULL;
}

void banyan_search_plan(struct banyan_search *search, int64_t simulations, bool explore)
{
    search->run.planned = simulations;
    search->run.end = simulations > 0 ? search->simulations + (uint64_t)simulations : 0;
    search->gumbel->halving.alive = 0;
    search->root.without_noise = !explore;
}

static void ask_backup(struct banyan_search *search, struct simulation *simulation,
                       enum leaf_kind kind)
{
    int last = (int)(sizeof search->profile.depth / sizeof *search->profile.depth) - 1;
    double begin = profile_begin(search);
    search_backup(search, simulation, kind);
    profile_end(search, begin, &search->profile.backup_ms, &search->profile.backups, 1);
    ++search->profile.depth[simulation->depth < last ? simulation->depth : last];
}

int banyan_search_select(struct banyan_search *search, struct banyan_leaf *leaves, int max)
{
    int found = 0;
    if (!search->root.is_set)
        return 0;
    for (int tries = 0; tries < max; ++tries) {
        struct simulation *simulation = ask_free_slot(search);
        if (!simulation)
            break;
        if (!search->root.has_noise)
            search_add_root_noise(search);
        if (!search_make_room(search))
            break;
        simulation->exact = false;
        enum leaf_kind kind = search_descend(search, simulation);
        if (kind == LEAF_COLLISION) {
            search_take_back(search, simulation);
            break;
        }
        if (kind == LEAF_OPEN) {
            simulation->busy = true;
            ++search->flights.waiting;
            search_fill_leaf(search, simulation, &leaves[found++]);
            continue;
        }
        if (search->trace.fn)
            search_trace_simulate(search, simulation);
        ask_backup(search, simulation, kind);
        if (search->trace.fn)
            search_trace_backup(search, simulation);
    }
    return found;
}

void banyan_search_update(struct banyan_search *search, const struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i) {
        struct simulation *simulation = &search->flights.slots[leaves[i].ticket];
        memcpy(simulation->values, leaves[i].values, sizeof simulation->values);
        simulation->exact = leaves[i].exact;
        if (search->trace.fn)
            search_trace_simulate(search, simulation);
        ask_backup(search, simulation, LEAF_OPEN);
        simulation->busy = false;
        --search->flights.waiting;
        if (search->trace.fn)
            search_trace_backup(search, simulation);
    }
}
