/* The root: sets it, moves it to the next position, and reads its statistics. */
#include "base/least.h"
#include "base/movers.h"
#include "base/struct_size.h"
#include "search/amaf.h"
#include "search/profile.h"
#include "search/search.h"

static void root_forget_values(struct banyan_search *search)
{
    memset(search->root.sum, 0, sizeof search->root.sum);
    search->root.visits = 0;
}

void search_forget_root(struct banyan_search *search)
{
    if (search->amaf)
        amaf_clear(search->amaf);
    search->flights.waiting = 0;
    for (int i = 0; i < search->flights.slot_count; ++i)
        search->flights.slots[i].busy = false;
    tree_clear(&search->tree);
    memset(search->root.edges, 0, sizeof search->root.edges);
    root_forget_values(search);
    search->root.is_walked = false;
    search->root.bounds = (struct tree_bounds){search->game->return_min, search->game->return_max};
}

static int root_first_mover(const struct banyan_search *search, const void *state)
{
    int first = movers_first(search->game->movers(search->game, state));
    return first < 0 ? 0 : first;
}

static void root_place(struct banyan_search *search, const void *state)
{
    memcpy(search->root.state, state, search->game->state_size);
    if (search->draws_all)
        memcpy(search->root.drawn, state, search->game->state_size);
    search_unlimit(search);
    search_forget_root_priors(search);
    search->root.worlds_drawn = 0;
    search_forget_worths(search);
    search->root.is_set = true;
    search->simulations = 0;
    search->run.end = 0;
    search->depth_sum = 0;
    search->max_depth = 0;
    search->root.is_full = false;
    search->root.has_noise = false;
    search->root.noise_movers = 0;
    search->root.without_noise = false;
    search->gumbel->halving.alive = 0;
    memset(search->root.nodes, 0, sizeof search->root.nodes);
    search->gumbel->noise_count = 0;
}

static void root_set_viewer(struct banyan_search *search, int viewer)
{
    search->root.viewer = viewer;
    search_set_weights(search);
}

const void *banyan_search_root(const struct banyan_search *search)
{
    return search->root.is_set ? search->root.state : NULL;
}

bool search_chooses(const struct banyan_search *search, int player)
{
    return search->root.is_set && player >= 0 && player < search->game->players &&
           (search->game->movers(search->game, search->root.state) >> player & 1);
}

enum banyan_status search_needs_root(const struct banyan_search *search, struct banyan_error *err)
{
    return search->root.is_set ? BANYAN_OK
                               : banyan_fail(err, BANYAN_INVALID,
                                             "the search has no root: call banyan_search_set_root "
                                             "first");
}

enum banyan_status banyan_search_set_root(struct banyan_search *search, const void *state,
                                          int viewer, struct banyan_error *err)
{
    if (!search->game->movers(search->game, state))
        return banyan_fail(err, BANYAN_INVALID, "this game of %s is over: nothing to search",
                           search->game->name);
    if (viewer >= search->game->players)
        return banyan_fail(err, BANYAN_INVALID, "%s has no player of index %d: 0 to %d",
                           search->game->name, viewer, search->game->players - 1);
    search_forget_root(search);
    root_place(search, state);
    search->root.viewer_follows = viewer < 0;
    root_set_viewer(search, viewer >= 0 ? viewer : root_first_mover(search, state));
    for (int i = 0; i < search->parallel.member_count; ++i) {
        enum banyan_status status =
            banyan_search_set_root(search->parallel.members[i], state, viewer, err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

struct tree_node *search_root_node(const struct banyan_search *search, int player)
{
    const struct tree *tree = &search->tree;
    uint32_t ref = search->root.edges[search->trees > 1 ? player : 0].child;
    if (tree->layout.keyed && ref) {
        ref = tree_look_outcome(tree, ref, search_node_key(search, search->root.state, player));
        ref = ref ? tree_outcome(tree, ref)->node : 0;
    }
    if (!ref || tree_node(tree, ref)->mover != player)
        return NULL;
    return tree_node(tree, ref);
}

/* Adds the values of the simulations through an edge to the root's values.  If one player's
 * utility does not determine the values of all players, the edge has a column of values by
 * player (settle.c). */
static void root_add_edge(struct banyan_search *search, const struct tree_node *node, int index)
{
    const struct tree_edge *edge = &tree_edges(&search->tree, node)[index];
    int players = search->game->players;
    double sum = tree_edge_sum(edge);
    search->root.visits += edge->visits;
    if (tree_has(&search->tree, TREE_VECTOR)) {
        const double *vector = tree_column(&search->tree, node, TREE_VECTOR);
        for (int p = 0; p < players; ++p)
            search->root.sum[p] += vector[index * players + p];
        return;
    }
    for (int p = 0; p < players; ++p)
        search->root.sum[p] += p == node->mover ? sum : search->constant_sum * edge->visits - sum;
}

void search_recount_root(struct banyan_search *search)
{
    unsigned movers = search->game->movers(search->game, search->root.state);
    bool hidden = search->game->traits & BANYAN_HIDDEN;
    int player = movers >> search->root.viewer & 1 ? search->root.viewer
                                                   : root_first_mover(search, search->root.state);
    root_forget_values(search);
    if (search->root.is_walked || (hidden && player != search->root.viewer))
        return;
    const struct tree_node *node = search_root_node(search, player);
    for (int i = 0; node && i < node->tried; ++i)
        root_add_edge(search, node, i);
}

/* Makes the edge of player's action the root of that player's tree.  With full keys the other
 * players have one node for each hand that they may hold, and the viewer cannot know which of
 * them is the right one: their trees begin anew. */
static bool root_follow(struct banyan_search *search, int player, int viewer, banyan_action action)
{
    if (search->masked && !search->coarse && player != viewer) {
        search->root.edges[player] = (struct tree_edge){0};
        return true;
    }
    struct tree_node *node = search_root_node(search, player);
    int index = node ? tree_find_action(&search->tree, node, action) : -1;
    if (index < 0 || index >= node->tried)
        return false;
    root_forget_values(search);
    root_add_edge(search, node, index);
    struct tree_edge edge = tree_edges(&search->tree, node)[index];
    search->root.edges[search->trees > 1 ? player : 0] = edge;
    return true;
}

/* In a keyed tree the edge leads to all outcomes that were possible: only the real one is kept. */
static void root_keep_actual(struct banyan_search *search, int player)
{
    struct tree *tree = &search->tree;
    struct tree_edge *root = &search->root.edges[search->trees > 1 ? player : 0];
    uint32_t ref =
        tree_look_outcome(tree, root->child, search_node_key(search, search->root.state, player));
    if (ref)
        tree_outcome(tree, ref)->left = tree_outcome(tree, ref)->right = 0;
    root->child = ref;
    root->visits = ref ? tree_arrivals(tree, tree_outcome(tree, ref)) : 0;
}

/* Makes the kept node a root: it gets all legal actions.  The root's bounds are the node's,
 * because the bounds of the edge to it do not say which action to take. */
static void root_settle(struct banyan_search *search)
{
    int mover = root_first_mover(search, search->root.state);
    struct tree_node *node = search_root_node(search, mover);
    search->root.bounds = (struct tree_bounds){search->game->return_min, search->game->return_max};
    if (!node)
        return;
    search_complete_node(search, node, search->root.state);
    if (search->solver)
        search->root.bounds = search_node_bounds(search, node);
}

/* Leaves that wait for values are no longer in flight: their values will not be used. */
static void root_take_back(struct banyan_search *search)
{
    for (int i = 0; i < search->flights.slot_count && search->flights.waiting; ++i) {
        if (!search->flights.slots[i].busy)
            continue;
        search_take_back(search, &search->flights.slots[i]);
        search->flights.slots[i].busy = false;
        --search->flights.waiting;
    }
}

/* Whether the tree found for the last viewer can serve another one.  It cannot if full states
 * were drawn from the last viewer's knowledge, or if paranoid opponents minimised that player's
 * return. */
static bool root_serves(const struct banyan_search *search, int viewer)
{
    const struct banyan_game *game = search->game;
    bool constant = game->players == 2 && game->traits & BANYAN_ZERO_SUM;
    bool paranoid = search->options.opponents == BANYAN_OPPONENTS_PARANOID && !constant;
    return viewer == search->root.viewer || ((!search->masked || search->draws_all) && !paranoid);
}

bool banyan_search_advance(struct banyan_search *search, const banyan_action joint[],
                           const void *state)
{
    if (!search->root.is_set)
        return false;
    const struct banyan_game *game = search->game;
    unsigned movers = game->movers(game, search->root.state), next = game->movers(game, state);
    int viewer =
        search->root.viewer_follows && next ? root_first_mover(search, state) : search->root.viewer;
    bool kept = search->options.reuse && next && root_serves(search, viewer);
    root_take_back(search);
    for (int p = 0; p < game->players && kept; ++p)
        if (movers >> p & 1)
            kept = root_follow(search, p, viewer, joint[p]);
    root_set_viewer(search, viewer);
    if (!kept) {
        search_forget_root(search);
        root_place(search, state);
    } else {
        root_place(search, state);
        if (search->tree.layout.keyed && !(game->traits & BANYAN_HIDDEN))
            for (int p = 0; p < game->players; ++p)
                if (next >> p & 1)
                    root_keep_actual(search, p);
        if (search->tree.layout.keyed)
            search_recount_root(search);
        tree_compact(&search->tree, search->root.edges, search->trees);
        if (search->amaf)
            amaf_make_room(search->amaf);
        root_settle(search);
    }
    for (int i = 0; i < search->parallel.member_count; ++i)
        kept |= banyan_search_advance(search->parallel.members[i], joint, state);
    return kept;
}

void search_fill_row(const struct banyan_search *search, const struct tree_node *node, int index,
                     const struct offer *offer, struct banyan_search_move *row)
{
    const struct tree_edge *edge =
        index < node->tried ? &tree_edges(&search->tree, node)[index] : NULL;
    *row = (struct banyan_search_move){.action = tree_action(&search->tree, node, index),
                                       .visits = edge ? edge->visits : 0,
                                       .mean = edge && edge->visits ? edge->mean : NAN,
                                       .prior = NAN,
                                       .lo = search->game->return_min,
                                       .hi = search->game->return_max,
                                       .score = NAN};
    if (tree_has(&search->tree, TREE_PRIORS) && !(node->flags & TREE_PENDING))
        row->prior = tree_priors(&search->tree, node)[index];
    if (search->solver && edge) {
        struct tree_bounds bounds = *search_edge_bounds(search, node, index);
        bool first = node->mover == 0;
        row->lo = first ? bounds.lo : (float)search->constant_sum - bounds.hi;
        row->hi = first ? bounds.hi : (float)search->constant_sum - bounds.lo;
    }
    if (edge && edge->visits)
        row->score = search->rule->score(search, node, index, offer);
}

/* The trees of an ensemble: number 0 is search itself. */
static const struct banyan_search *root_tree(const struct banyan_search *search, int number)
{
    return number ? search->parallel.members[number - 1] : search;
}

/* Whether one of the trees before `number` has the action, and so made its row. */
static bool root_known_before(const struct banyan_search *search, int player, int number,
                              banyan_action action)
{
    for (int i = 0; i < number; ++i) {
        const struct banyan_search *one = root_tree(search, i);
        const struct tree_node *node = search_root_node(one, player);
        if (node && tree_find_action(&one->tree, node, action) >= 0)
            return true;
    }
    return false;
}

/* Adds the statistics of tree `number` to the row of the action. */
static void root_add(const struct banyan_search *search, int player, int number,
                     struct banyan_search_move *row)
{
    const struct banyan_search *one = root_tree(search, number);
    const struct tree_node *node = search_root_node(one, player);
    int index = node ? tree_find_action(&one->tree, node, row->action) : -1;
    struct banyan_search_move more = {.visits = 0};
    if (index >= 0)
        search_fill_row(one, node, index, NULL, &more);
    if (!more.visits)
        return;
    if (!row->visits)
        row->score = more.score;
    double sum =
        (row->visits ? row->mean * (double)row->visits : 0) + more.mean * (double)more.visits;
    uint64_t visits = (uint64_t)row->visits + more.visits;
    row->visits = tree_counted(visits);
    row->mean = sum / (double)visits;
    row->lo = fmaxf(row->lo, more.lo);
    row->hi = fminf(row->hi, more.hi);
}

/* Rows that are being collected: at[count], room for max. */
struct root_rows {
    struct banyan_search_move *at;
    int count, max;
};

/* The order of rows: most visited first, then by action. */
static bool root_before(const struct banyan_search_move *a, const struct banyan_search_move *b)
{
    return a->visits != b->visits ? a->visits > b->visits : a->action < b->action;
}

/* Inserts row among the sorted rows; if there are more than max, the last one is dropped. */
static int root_insert(struct banyan_search_move *rows, int count, int max,
                       const struct banyan_search_move *row)
{
    int at = count < max ? count++ : max;
    for (; at > 0 && root_before(row, &rows[at - 1]); --at)
        if (at < max)
            rows[at] = rows[at - 1];
    if (at < max)
        rows[at] = *row;
    return count;
}

/* Inserts the row of action number index of the root's node in tree `number`, with the statistics of all
 * trees, unless an earlier tree has the action. */
static int root_take(const struct banyan_search *search, const struct tree_node *node, int number,
                     int index, struct root_rows rows)
{
    const struct banyan_search *one = root_tree(search, number);
    int player = node->mover;
    struct banyan_search_move row;
    if (root_known_before(search, player, number, tree_action(&one->tree, node, index)))
        return rows.count;
    search_fill_row(one, node, index, NULL, &row);
    for (int other = number + 1; other <= search->parallel.member_count; ++other)
        root_add(search, player, other, &row);
    return root_insert(rows.at, rows.count, rows.max, &row);
}

int banyan_search_root_moves(const struct banyan_search *search, int player,
                             struct banyan_search_move *rows, int max)
{
    struct root_rows found = {.at = rows, .max = max};
    for (int number = 0; number <= search->parallel.member_count; ++number) {
        const struct tree_node *node = search_root_node(root_tree(search, number), player);
        for (int i = 0; node && i < node->count; ++i)
            found.count = root_take(search, node, number, i, found);
    }
    return found.count;
}

int search_choice_rows(struct banyan_search *search, int player, struct banyan_search_move *rows)
{
    struct root_rows found = {.at = rows, .max = search->game->max_legal};
    if (!search->masked)
        return banyan_search_root_moves(search, player, rows, found.max);
    int legal = search_root_legal(search, search->root.state, player, search->scratch.legal);
    uint16_t *places = search->scratch.offers[0];
    for (int number = 0; number <= search->parallel.member_count; ++number) {
        const struct banyan_search *one = root_tree(search, number);
        const struct tree_node *node = search_root_node(one, player);
        int known = node ? tree_find_actions(&one->tree, node, search->scratch.legal, legal,
                                             &search->scratch.lookup, places)
                         : 0;
        for (int k = 0; k < known; ++k)
            found.count = root_take(search, node, number, places[k], found);
    }
    return found.count;
}

void banyan_search_root_values(const struct banyan_search *search, float *out)
{
    double visits = (double)search->root.visits, sums[BANYAN_MAX_PLAYERS];
    memcpy(sums, search->root.sum, sizeof sums);
    for (int i = 0; i < search->parallel.member_count; ++i) {
        visits += (double)search->parallel.members[i]->root.visits;
        for (int p = 0; p < search->game->players; ++p)
            sums[p] += search->parallel.members[i]->root.sum[p];
    }
    for (int p = 0; p < search->game->players; ++p)
        out[p] = visits > 0 ? (float)(sums[p] / visits) : NAN;
}

static int root_most_visited(const struct banyan_search *search, const struct tree_node *node)
{
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    int best = -1;
    for (int i = 0; i < node->tried; ++i)
        if (edges[i].visits && (best < 0 || edges[i].visits > edges[best].visits))
            best = i;
    return best;
}

uint32_t search_most_visited_outcome(const struct tree *tree, uint32_t ref)
{
    if (!ref)
        return 0;
    uint32_t best = ref, sides[2] = {tree_outcome(tree, ref)->left, tree_outcome(tree, ref)->right};
    for (int i = 0; i < 2; ++i) {
        uint32_t other = search_most_visited_outcome(tree, sides[i]);
        if (other && tree_arrivals(tree, tree_outcome(tree, other)) >
                         tree_arrivals(tree, tree_outcome(tree, best)))
            best = other;
    }
    return best;
}

/* The principal variation; where each player has a tree, that of the player who searches. */
int banyan_search_pv(const struct banyan_search *search, banyan_action *actions, int *movers,
                     int max)
{
    if (!search->root.is_set)
        return 0;
    const struct tree *tree = &search->tree;
    int player =
        search->trees > 1 ? search->root.viewer : root_first_mover(search, search->root.state);
    const struct tree_node *node = search_root_node(search, player);
    int length = 0;
    while (node && length < max) {
        int index = root_most_visited(search, node);
        if (index < 0)
            break;
        actions[length] = tree_action(tree, node, index);
        movers[length++] = node->mover;
        uint32_t child = tree_edges(tree, node)[index].child;
        if (tree->layout.keyed && child)
            child = tree_outcome(tree, search_most_visited_outcome(tree, child))->node;
        node = child ? tree_node(tree, child) : NULL;
    }
    return length;
}

void banyan_search_stats(const struct banyan_search *search, struct banyan_search_stats *out,
                         size_t out_size)
{
    struct banyan_search_stats all = {.elapsed_ms = search->elapsed_ms};
    uint64_t depths = 0;
    for (int i = -1; i < search->parallel.member_count; ++i) {
        const struct banyan_search *one = i < 0 ? search : search->parallel.members[i];
        all.simulations += one->simulations;
        all.nodes += one->tree.nodes;
        all.edges += one->tree.edges;
        all.outcomes += one->tree.outcomes;
        all.bytes_used += tree_bytes_used(&one->tree);
        all.bytes_allocated += tree_bytes_allocated(&one->tree);
        all.compactions += one->tree.compactions;
        all.threads += one->options.threads;
        all.max_depth = most_int(one->max_depth, all.max_depth);
        depths += one->depth_sum;
    }
    all.mean_depth = all.simulations ? (double)depths / (double)all.simulations : 0;
    struct_size_copy(out, out_size, &all, sizeof all);
}

void banyan_search_profile(const struct banyan_search *search, struct banyan_search_profile *out,
                           size_t out_size)
{
    struct banyan_search_profile all = search->profile;
    for (int i = 0; i < search->parallel.member_count; ++i)
        profile_add(&all, &search->parallel.members[i]->profile);
    struct_size_copy(out, out_size, &all, sizeof all);
}

/* Hashes what users could read of a node: mover, visits, and for each edge action, visits and
 * sum. References are left out, so that compaction does not change the hash. */
static uint64_t root_hash_node(const struct tree *tree, const struct tree_node *node, uint64_t hash)
{
    const struct tree_edge *edges = tree_edges(tree, node);
    hash = rng_mix(hash ^ (node->visits * 256ull + node->mover));
    for (int i = 0; i < node->tried; ++i) {
        double sum = tree_edge_sum(&edges[i]);
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        hash = rng_mix(hash ^ bits) + edges[i].visits;
        hash = rng_mix(hash ^ tree_action(tree, node, i));
    }
    return hash;
}

/* Hashes everything below a reference, depth first. */
static uint64_t root_hash_child(const struct tree *tree, uint32_t child, uint64_t hash)
{
    if (!child)
        return hash;
    uint32_t ref = child;
    if (tree->layout.keyed) {
        const struct tree_outcome *outcome = tree_outcome(tree, child);
        hash = root_hash_child(tree, outcome->left, hash);
        hash = root_hash_child(tree, outcome->right, hash);
        hash = rng_mix(hash ^ outcome->key) + tree_arrivals(tree, outcome);
        ref = outcome->node;
    }
    if (!ref)
        return hash;
    const struct tree_node *node = tree_node(tree, ref);
    hash = root_hash_node(tree, node, hash);
    for (int i = 0; i < node->tried; ++i)
        hash = root_hash_child(tree, tree_edges(tree, node)[i].child, hash);
    return hash;
}

uint64_t banyan_search_signature(const struct banyan_search *search)
{
    const struct tree *tree = &search->tree;
    uint64_t hash = rng_mix(search->root.visits), sum = 0;
    for (int t = 0; t < search->trees && !tree->table; ++t)
        hash =
            root_hash_child(tree, search->root.edges[t].child, hash + search->root.edges[t].visits);
    /* with transpositions the tree is a graph: the sum does not depend on the order */
    for (uint32_t i = 0; tree->table && i < tree->table_size; ++i)
        if (tree->table[i])
            sum += root_hash_node(tree, tree_node(tree, tree->table[i]),
                                  tree_node(tree, tree->table[i])->key);
    hash = rng_mix(hash + sum);
    for (int i = 0; i < search->parallel.member_count; ++i)
        hash = rng_mix(hash ^ banyan_search_signature(search->parallel.members[i]));
    return hash;
}
