/* The root: setting it, moving it to the next position, and adding lines of an opening book. */
#include "reference/inside.h"

#include "base/rng.h"

#include <string.h>

struct plain_node *plain_root(const struct plain *r, int player)
{
    const struct plain_outcome *outcome = r->root[r->trees > 1 ? player : 0].outcomes;
    uint64_t key = r->keyed ? plain_node_key(r, r->root_state, player) : 0;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    return outcome && outcome->node && outcome->node->mover == player ? outcome->node : NULL;
}

static void place_root(struct plain *r, const void *state)
{
    memcpy(r->root_state, state, r->game->state_size);
    memcpy(r->drawn, state, r->game->state_size);
    r->worlds_drawn = 0;
    r->by_world = (struct plain_results){0};
    r->simulated = 0;
    r->end = 0;
    r->decisions = r->deepest = 0;
    r->noise_drawn = 0;
    memset(r->limits, 0, sizeof r->limits);
    r->gumbel_count = 0;
    memset(r->gumbel, 0, sizeof r->gumbel);
    r->explores = true;
    r->gumbel_done = 0;
    r->through_root = (struct plain_results){0};
}

static void forget(struct plain *r)
{
    r->passings = NULL;
    memset(r->root, 0, sizeof r->root);
    for (int t = 0; t < r->trees; ++t)
        r->root[t].known = plain_all_returns(r);
    r->nodes = NULL;
}

static int first_mover(unsigned movers)
{
    int p = 0;
    while (!(movers >> p & 1))
        ++p;
    return p;
}

void plain_set_root(struct plain *r, const void *state, int viewer)
{
    forget(r);
    place_root(r, state);
    r->follows = viewer < 0;
    r->viewer = viewer >= 0 ? viewer : first_mover(r->game->movers(r->game, state));
}

/* Lists the nodes below edge that were not met before in this round. */
static void list_nodes(struct plain *r, const struct plain_edge *edge)
{
    for (struct plain_outcome *outcome = edge->outcomes; outcome; outcome = outcome->next) {
        struct plain_node *node = outcome->node;
        if (!node || node->round == r->round)
            continue;
        node->round = r->round;
        node->next = r->nodes;
        r->nodes = node;
        for (int i = 0; i < node->count; ++i)
            list_nodes(r, node->edges[i]);
    }
}

void plain_list_nodes(struct plain *r)
{
    ++r->round;
    r->nodes = NULL;
    for (int t = 0; t < r->trees; ++t)
        list_nodes(r, &r->root[t]);
}

void plain_forget_below(struct plain_edge *edge, struct plain_outcome *outcome, bool outcome_too)
{
    struct plain_outcome **link = &edge->outcomes;
    if (edge->node)
        edge->known = plain_edge_bounds(edge);
    outcome->node = NULL;
    while (*link != outcome)
        link = &(*link)->next;
    if (outcome_too)
        *link = outcome->next;
}

/* The results that passed through the root before it was the root.  In a game without chance
 * they are those of the edge that led to it; in other games those that went on from its node,
 * since the edge leads to other states too.  With hidden cards only the node of the player who
 * searches stands for what that player knows. */
static void count_through_root(struct plain *r, const struct plain_edge *edge)
{
    bool viewer_moves = r->game->movers(r->game, r->root_state) >> r->viewer & 1;
    int player = viewer_moves ? r->viewer : first_mover(r->game->movers(r->game, r->root_state));
    const struct plain_node *node = r->keyed ? plain_root(r, player) : NULL;
    const struct plain_results *back = node ? &node->back : r->keyed ? NULL : &edge->back;
    if (r->game->traits & BANYAN_HIDDEN && !viewer_moves)
        return;
    for (const struct plain_result *i = back ? back->first : NULL; i; i = i->next)
        plain_add(r, &r->through_root, i);
}

/* Keeps, of all outcomes of the edge, only the one that happened. */
static void keep_actual(struct plain *r, int player)
{
    struct plain_edge *root = &r->root[r->trees > 1 ? player : 0];
    uint64_t key = plain_node_key(r, r->root_state, player);
    while (root->outcomes && root->outcomes->key != key)
        root->outcomes = root->outcomes->next;
    if (root->outcomes)
        root->outcomes->next = NULL;
}

/* With hidden cards a kept tree is right only for the player who searched; paranoid opponents
 * too were computed for that player. */
static bool serves(const struct plain *r, int viewer)
{
    bool constant = r->game->players == 2 && r->game->traits & BANYAN_ZERO_SUM;
    bool paranoid = r->options.opponents == BANYAN_OPPONENTS_PARANOID && !constant;
    bool secrets = r->game->traits & BANYAN_HIDDEN && !plain_draws_all(r);
    return viewer == r->viewer || (!secrets && !paranoid);
}

/* The viewer cannot tell which of its nodes the player is at. */
static bool is_secret(const struct plain *r, int player, int viewer)
{
    bool coarse = r->options.keys == BANYAN_KEYS_COARSE && r->game->coarse_keys;
    return r->game->traits & BANYAN_HIDDEN && !coarse && player != viewer;
}

/* A node of decisive actions gets the others, too; then the priors of all of them sum to 1. */
static void complete_decisive(struct plain_node *node, const void *state, bool at_root)
{
    int before = node->count;
    plain_complete_node(node, state, at_root);
    if (node->count > before && node->search->priors)
        plain_normalise(node);
}

bool plain_advance(struct plain *r, const banyan_action joint[], const void *state)
{
    unsigned movers = r->game->movers(r->game, r->root_state),
             next = r->game->movers(r->game, state);
    struct plain_edge *edges[BANYAN_MAX_PLAYERS], *edge = NULL, nothing = {.tried = true};
    int viewer = r->follows && next ? first_mover(r->game->movers(r->game, state)) : r->viewer;
    bool kept = r->options.reuse && next && serves(r, viewer);
    plain_take_back(r);
    for (int p = 0; p < r->game->players && kept; ++p) {
        struct plain_node *node = movers >> p & 1 ? plain_root(r, p) : NULL;
        edges[p] = node ? plain_find_edge(node, joint[p]) : NULL;
        if (is_secret(r, p, viewer))
            edges[p] = &nothing;
        kept = !(movers >> p & 1) || (edges[p] && edges[p]->tried);
    }
    if (!kept)
        forget(r);
    place_root(r, state);
    r->viewer = viewer;
    for (int p = 0; p < r->game->players && kept; ++p)
        if (movers >> p & 1)
            r->root[r->trees > 1 ? p : 0] = *(edge = edges[p]);
    for (int p = 0; p < r->game->players && kept; ++p)
        if (r->keyed && !(r->game->traits & BANYAN_HIDDEN) && next >> p & 1)
            keep_actual(r, p);
    struct plain_node *node = kept ? plain_root(r, first_mover(next)) : NULL;
    if (node && r->decisive && !node->waiting)
        complete_decisive(node, state, true);
    if (kept)
        count_through_root(r, edge);
    plain_list_nodes(r);
    return kept;
}

/* --- lines of an opening book --- */

/* The node behind edge, with its priors. */
static struct plain_node *book_node(struct plain *r, struct plain_simulation *simulation,
                                    struct plain_edge *edge)
{
    unsigned movers = simulation->movers = r->game->movers(r->game, simulation->state);
    struct plain_outcome *outcome = plain_outcome_of(r, edge, 0);
    if (!outcome->node)
        outcome->node = plain_make_node(r, simulation, movers & 1 ? 0 : 1, outcome->arrivals);
    if (outcome->node->waiting) {
        struct banyan_leaf leaf;
        plain_fill_leaf(r, simulation, &leaf);
        r->evaluator->evaluate(r->evaluator->ctx, &leaf, 1, NULL);
        plain_receive_priors(outcome->node, simulation, simulation->priors[outcome->node->mover]);
    }
    if (r->decisive)
        complete_decisive(outcome->node, simulation->state, false);
    return outcome->node;
}

/* The last edge of a line whose nodes and edges are made. */
static struct plain_edge *follow_line(struct plain *r, const banyan_action *line, int length)
{
    struct plain_simulation *simulation = r->simulations;
    struct plain_edge *edge = &r->root[0];
    banyan_action joint[BANYAN_MAX_PLAYERS];
    memcpy(simulation->state, r->root_state, r->game->state_size);
    simulation->depth = 0; /* a line may continue with any action */
    for (int i = 0; i < length; ++i) {
        struct plain_node *node = book_node(r, simulation, edge);
        edge = plain_find_edge(node, line[i]);
        joint[node->mover] = line[i];
        r->game->apply(r->game, simulation->state, joint, &r->dice);
        if (r->solver && r->game->bounds && !edge->tried)
            r->game->bounds(r->game, simulation->state, 0, &edge->known.lo, &edge->known.hi);
        if (r->options.implicit_minimax > 0 && !edge->tried)
            edge->implicit = plain_guess(r, simulation->state);
        plain_try_edge(node, edge);
    }
    return edge;
}

/* Gives a node at least as many visits as the edge to it has. */
static void arrive_by_book(struct plain *r, struct plain_edge *edge, uint64_t visits)
{
    struct plain_outcome *outcome = plain_outcome_of(r, edge, 0);
    outcome->arrivals += visits;
    if (outcome->node && plain_edge_visits(edge) > plain_node_visits(outcome->node))
        outcome->node->before += plain_edge_visits(edge) - plain_node_visits(outcome->node);
}

/* Adds visits to the last action of a line.  A node's visits are those of the edge to it or the
 * sum over its own edges, whichever is larger. */
void plain_add_line(struct plain *r, const banyan_action *line, int length, uint32_t visits,
                    double mean)
{
    struct plain_edge *edge = follow_line(r, line, length);
    struct plain_node *node = edge->node;
    if (visits == 0)
        return;
    struct plain_result result = {.edge = edge, .visits = visits, .from_book = true};
    result.values[node->mover] = (float)mean;
    result.values[1 - node->mover] = (float)(plain_constant_sum(r) - mean);
    uint64_t before = plain_node_visits(node), own = 0;
    plain_add(r, &edge->back, &result);
    plain_add(r, &node->back, &result);
    for (int i = 0; i < node->count; ++i)
        own += plain_edge_visits(node->edges[i]);
    node->before += (own > before ? own : before) - plain_node_visits(node);
    arrive_by_book(r, edge, visits);
    if (length == 1) {
        plain_add(r, &r->through_root, &result);
        plain_outcome_of(r, &r->root[0], 0)->arrivals += visits;
    }
}
