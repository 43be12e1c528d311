/* Opening books and the tree: adds the lines of a book to the tree with their visits, and writes
 * the tree's upper part as lines of a book.
 *
 *     root --f5--> node --d6--> (node)         "f5 d6 : 60 0.4"
 *      |            |     \__ this edge gets 60 visits with mean 0.4
 *      |            \__ visits: those of the edge to it, or the sum over its edges if that is more
 *      \__ likewise; its edge f5 gets nothing, another line may give it visits
 *
 * A line counts for its last action alone and a node's visits follow from edges,
 * so the order of lines does not matter.
 */
#include "search/search.h"

#include <assert.h>
#include <stdlib.h>

/* A limit on visits, so that a search can go on for long before its 32-bit counts are full and
 * its means begin to forget (tree.h). */
enum { BOOK_MOST_VISITS = 1 << 30 };

/* --- which games and rules can use a book --- */

static enum banyan_status book_check_game(const struct banyan_game *game, struct banyan_error *err)
{
    if (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s has dice, hidden cards or choices at the same time: a line of "
                           "actions does not lead to one position there",
                           game->name);
    if (game->players > 2 || (game->players == 2 && !(game->traits & BANYAN_ZERO_SUM)))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a book needs a game of one player, or of two whose returns have a "
                           "constant sum; %s is different",
                           game->name);
    return BANYAN_OK;
}

static enum banyan_status book_check(const struct banyan_search *search, struct banyan_error *err)
{
    enum banyan_search_rule rule = search->options.rule;
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (rule == BANYAN_RULE_GUMBEL || rule == BANYAN_RULE_REGRET)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "rule=%s cannot start from the visits of a book: use ucb1, "
                           "ucb1-tuned, puct or grave",
                           rule == BANYAN_RULE_GUMBEL ? "gumbel" : "regret");
    if (search->own_backup.back)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a book cannot be used with options.own_backup: the visits of a "
                           "book do not pass through that function");
    if (!search->plain_utility)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "a book needs opponents=maxn");
    return book_check_game(search->game, err);
}

/* --- adding a line to the tree --- */

/* The statistics of the line that is being added. */
struct book_line {
    const banyan_action *actions;
    int length;
    uint32_t visits;
    double mean;
};

/* Asks the evaluator for the priors of a node that no simulation has visited. */
static enum banyan_status book_ask_priors(struct banyan_search *search,
                                          struct simulation *simulation, uint32_t ref, int mover,
                                          struct banyan_error *err)
{
    struct banyan_leaf *leaf = search->flights.leaves;
    simulation->movers = 1u << mover;
    search_fill_leaf(search, simulation, leaf);
    enum banyan_status status = search->evaluator->evaluate(search->evaluator->ctx, leaf, 1, err);
    if (status == BANYAN_OK)
        search_receive_priors(search, ref, simulation, simulation->priors[mover]);
    else /* the node must not wait for priors for ever */
        search_default_priors(search, ref, simulation);
    return status;
}

/* The node below edge, made if there is none; 0: no room.  *status: of the evaluator, if it was asked for priors. */
static uint32_t book_node(struct banyan_search *search, struct simulation *simulation,
                          struct tree_edge *edge, enum banyan_status *status,
                          struct banyan_error *err)
{
    int mover = search->game->movers(search->game, simulation->state) & 1u ? 0 : 1;
    if (edge->child)
        return edge->child;
    bool wait = search->evaluator->wants_actions;
    simulation->all_actions = true; /* the line may go on with any */
    uint32_t ref = search_expand(search, simulation, simulation->state, mover, edge->visits, wait);
    simulation->all_actions = false;
    edge->child = ref;
    if (ref && (tree_node(&search->tree, ref)->flags & TREE_PENDING))
        *status = book_ask_priors(search, simulation, ref, mover, err);
    simulation->made[mover] = 0;
    return ref;
}

/* The edge of an action, with statistics; NULL: no room. */
static struct tree_edge *book_edge(struct banyan_search *search, struct tree_node *node, int index,
                                   const void *after)
{
    if (index >= node->tried) {
        index = tree_try(&search->tree, node, index);
        if (index < 0)
            return NULL;
        node->flags |= TREE_UNVISITED;
        if (search->solver) {
            search_new_bounds(search, after, search_edge_bounds(search, node, index));
            node->flags |= TREE_NARROWED;
        }
        if (tree_has(&search->tree, TREE_IMPLICIT))
            search_first_implicit(search, node, index, after);
    }
    return &tree_edges(&search->tree, node)[index];
}

static void book_raise_visits(const struct banyan_search *search, struct tree_node *node,
                              uint64_t visits)
{
    if (visits > node->visits)
        node->visits = (uint32_t)visits;
    search_keep_sqrt_ln(search, node);
}

static uint64_t book_edge_visits(const struct tree *tree, const struct tree_node *node)
{
    uint64_t sum = 0;
    for (int i = 0; i < node->tried; ++i)
        sum += tree_edges(tree, node)[i].visits;
    return sum;
}

/* Adds the visits of the line to the edge, and updates what is counted beside the edge. */
static void book_credit(struct banyan_search *search, struct tree_node *node,
                        struct tree_edge *edge, const struct book_line *line)
{
    struct tree *tree = &search->tree;
    double sum = line->visits * line->mean;
    ptrdiff_t index = edge - tree_edges(tree, node);
    double before = tree_edge_sum(edge);
    edge->visits += line->visits;
    edge->mean = (before + sum) / edge->visits;
    search_keep_roots(tree, node, (int)index);
    if (tree_has(tree, TREE_SQUARES)) {
        /* the line does not give the variance: take the largest that this mean allows */
        double low = search->game->return_min, high = search->game->return_max;
        double *squares = tree_column(tree, node, TREE_SQUARES);
        squares[index] += sum * (low + high) - line->visits * low * high;
    }
    book_raise_visits(search, node, book_edge_visits(tree, node));
    if (edge->child)
        book_raise_visits(search, tree_node(tree, edge->child), edge->visits);
    if (line->length > 1)
        return;
    search->root.edges[0].visits =
        tree_counted((uint64_t)search->root.edges[0].visits + line->visits);
    search->root.visits += line->visits;
    for (int p = 0; p < search->game->players; ++p)
        search->root.sum[p] += p == node->mover ? sum : search->constant_sum * line->visits - sum;
}

static enum banyan_status book_full(const struct banyan_search *search, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "the tree is full (%llu bytes): raise memory",
                       (unsigned long long)tree_bytes_allocated(&search->tree));
}

/* Whether an action can be chosen in state. */
static bool book_lists(struct banyan_search *search, const void *state, int mover, bool at_root,
                       banyan_action action)
{
    int count = search_list_legal(search, state, mover, at_root);
    for (int i = 0; i < count; ++i)
        if (search->scratch.legal[i] == action)
            return true;
    return false;
}

/* Says why a node of state does not have action number `at` of the line. */
static enum banyan_status book_missing(struct banyan_search *search, const void *state, int mover,
                                       const struct book_line *line, int at,
                                       struct banyan_error *err)
{
    banyan_action action = line->actions[at];
    bool is_legal = book_lists(search, state, mover, false, action);
    if (is_legal && book_lists(search, state, mover, at == 0, action))
        return book_full(search, err);
    return banyan_fail(err, BANYAN_ILLEGAL, "action %d of the line, number %llu, is not %s", at + 1,
                       (unsigned long long)action,
                       is_legal ? "allowed at the root" : "legal there");
}

/* Passes the bounds that the rules give for positions of the line up to the root. */
static void book_raise_bounds(struct banyan_search *search, const struct tree_edge *edge,
                              struct tree_bounds *bounds, const struct book_line *line, int at)
{
    if (at == line->length || !edge->child)
        return;
    struct tree_node *node = tree_node(&search->tree, edge->child);
    int index = tree_find_action(&search->tree, node, line->actions[at]);
    node->flags |= TREE_NARROWED;
    book_raise_bounds(search, &tree_edges(&search->tree, node)[index],
                      search_edge_bounds(search, node, index), line, at + 1);
    search_narrow_bounds(bounds, search_node_bounds(search, node));
}

/* Follows the line from the root, and adds its visits to its last edge. */
static enum banyan_status book_add(struct banyan_search *search, const struct book_line *line,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    struct simulation *simulation = search->flights.slots;
    struct tree_edge *edge = &search->root.edges[0];
    struct tree_node *node = NULL;
    assert(!search->flights.waiting); /* paths of leaves that wait are not counted yet */
    memcpy(simulation->state, search->root.state, game->state_size);
    for (int i = 0; i < line->length; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        enum banyan_status status = BANYAN_OK;
        if (!game->movers(game, simulation->state))
            return banyan_fail(err, BANYAN_ILLEGAL, "the game is over before action %d of the line",
                               i + 1);
        simulation->depth = i; /* limits of the root are for the root alone */
        uint32_t ref = book_node(search, simulation, edge, &status, err);
        if (!ref || status != BANYAN_OK)
            return ref ? status : book_full(search, err);
        node = tree_node(&search->tree, ref);
        search_complete_node(search, node, simulation->state);
        int index = tree_find_action(&search->tree, node, line->actions[i]);
        if (index < 0)
            return book_missing(search, simulation->state, node->mover, line, i, err);
        joint[node->mover] = line->actions[i];
        apply_joint(game, simulation->state, joint, &search->dice);
        edge = book_edge(search, node, index, simulation->state);
        if (!edge)
            return book_full(search, err);
    }
    if (book_edge_visits(&search->tree, node) + line->visits > BOOK_MOST_VISITS)
        return banyan_fail(err, BANYAN_INVALID, "more than %d visits of one position",
                           BOOK_MOST_VISITS);
    if (line->visits)
        book_credit(search, node, edge, line);
    if (search->solver)
        book_raise_bounds(search, &search->root.edges[0], &search->root.bounds, line, 0);
    return BANYAN_OK;
}

enum banyan_status banyan_search_add_line(struct banyan_search *search, const banyan_action *line,
                                          int length, uint64_t visits, double mean,
                                          struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    const struct book_line added = {line, length, tree_counted(visits), visits ? mean : 0};
    enum banyan_status status = book_check(search, err);
    if (status != BANYAN_OK)
        return status;
    if (length < 1)
        return banyan_fail(err, BANYAN_INVALID, "a line of a book has at least one action");
    if (visits && !(mean >= game->return_min && mean <= game->return_max))
        return banyan_fail(err, BANYAN_INVALID, "a mean of %g is not within %g..%g of %s", mean,
                           (double)game->return_min, (double)game->return_max, game->name);
    status = book_add(search, &added, err);
    for (int i = 0; i < search->parallel.member_count && status == BANYAN_OK; ++i)
        status = book_add(search->parallel.members[i], &added, err);
    return status;
}

/* --- writing the tree as lines --- */

struct book_walk {
    const struct banyan_search *search;
    uint64_t min_visits;
    banyan_search_line_fn *fn;
    void *ctx;
    banyan_action *line;  /* [max_plies] */
    unsigned char *known; /* with transpositions: a bit for every node that was written already */
};

/* Whether edge a is written before edge b: first the more visited, then the smaller action. */
static bool book_before(const struct tree *tree, const struct tree_node *node, int a, int b)
{
    const struct tree_edge *edges = tree_edges(tree, node);
    if (edges[a].visits != edges[b].visits)
        return edges[a].visits > edges[b].visits;
    return tree_action(tree, node, a) < tree_action(tree, node, b);
}

/* The edge that is written after `last` (-1: the first one); -1: there is none. */
static int book_next(const struct tree *tree, const struct tree_node *node, int last)
{
    int best = -1;
    for (int i = 0; i < node->tried; ++i)
        if ((last < 0 || book_before(tree, node, last, i)) &&
            (best < 0 || book_before(tree, node, i, best)))
            best = i;
    return best;
}

/* Calls fn for the lines through a node.  An edge inside a book's line may have no visits of its own: fn is not
 * called for it, but for the edges below it. */
static void book_walk_node(struct book_walk *walk, uint32_t ref, int depth)
{
    const struct tree *tree = &walk->search->tree;
    const struct tree_node *node = tree_node(tree, ref);
    if (depth >= walk->search->game->max_plies || (walk->known && tree_mark(walk->known, ref)))
        return;
    for (int i = -1; (i = book_next(tree, node, i)) >= 0;) {
        const struct tree_edge *edge = &tree_edges(tree, node)[i];
        if (edge->visits && edge->visits < walk->min_visits)
            continue;
        walk->line[depth] = tree_action(tree, node, i);
        if (edge->visits)
            walk->fn(walk->ctx, walk->line, depth + 1, edge->visits, edge->mean);
        if (edge->child)
            book_walk_node(walk, edge->child, depth + 1);
    }
}

static bool book_walk_tree(struct book_walk *walk, const struct banyan_search *search)
{
    const struct tree *tree = &search->tree;
    walk->search = search;
    walk->known = tree->table ? calloc(tree->used / 8 + 1, 1) : NULL;
    if (tree->table && !walk->known)
        return false;
    if (search->root.edges[0].child)
        book_walk_node(walk, search->root.edges[0].child, 0);
    free(walk->known);
    return true;
}

enum banyan_status banyan_search_each_line(const struct banyan_search *search, uint64_t min_visits,
                                           banyan_search_line_fn *fn, void *ctx,
                                           struct banyan_error *err)
{
    struct book_walk walk = {.min_visits = min_visits, .fn = fn, .ctx = ctx};
    enum banyan_status status = book_check(search, err);
    if (status != BANYAN_OK)
        return status;
    walk.line = malloc((size_t)search->game->max_plies * sizeof *walk.line);
    bool enough = walk.line && book_walk_tree(&walk, search);
    for (int i = 0; i < search->parallel.member_count && enough; ++i)
        enough = book_walk_tree(&walk, search->parallel.members[i]);
    free(walk.line);
    return enough ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a book");
}
