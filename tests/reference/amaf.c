/* GRAVE (Cazenave 2015): what moves were worth wherever they were played later, computed from a list of
 * all simulations that passed a position since it was first watched.
 *
 * A position is watched from the first simulation on that finds its node with a quarter of
 * grave-visits visits; the root's always is.  A node reads the last position on its path, itself
 * included, that at least grave-visits simulations have passed while it was watched, or the root's. */
#include "reference/inside.h"

#include "base/numeric.h"

#include <math.h>

/* A move of a simulation. */
struct plain_played {
    int player;
    banyan_action action;
};

/* A simulation that passed a position: what was played from there on, every move once. */
struct plain_passing {
    struct plain_passing *next; /* the one before */
    uint64_t key;
    int count;
    float values[BANYAN_MAX_PLAYERS]; /* what the players want to be high */
    struct plain_played *moves;
};

static uint64_t position_key(const struct plain *r, const void *state, int mover)
{
    return r->game->key(r->game, state, mover) ^ (uint64_t)mover << 60;
}

static bool is_watched(const struct plain *r, const struct plain_node *node, int depth)
{
    return depth == 0 || (r->options.rule == BANYAN_RULE_GRAVE &&
                          plain_node_visits(node) >= (uint64_t)(r->options.grave_visits / 4));
}

/* How many simulations have passed the position of this key. */
static int passings(const struct plain *r, uint64_t key)
{
    int count = 0;
    for (const struct plain_passing *one = r->passings; one; one = one->next)
        count += one->key == key;
    return count;
}

void plain_meet_position(struct plain *r, struct plain_simulation *simulation,
                         const struct plain_node *node)
{
    int at = simulation->length;
    uint64_t key = position_key(r, simulation->state, node->mover);
    simulation->watched[at] = is_watched(r, node, at);
    simulation->keys[at] = key;
    if (at == 0 || (simulation->watched[at] && passings(r, key) >= r->options.grave_visits))
        r->read_key = key;
}

/* Adds a move unless the passing has it. */
static void add_move(struct plain_passing *passing, int player, banyan_action action)
{
    for (int i = 0; i < passing->count; ++i)
        if (passing->moves[i].player == player && passing->moves[i].action == action)
            return;
    passing->moves[passing->count++] = (struct plain_played){player, action};
}

/* The simulation passed its position number `at`: the playout's moves, and those of the path from
 * there on. */
static void add_passing(struct plain *r, const struct plain_simulation *simulation, int at)
{
    struct plain_passing *passing = plain_take(r, sizeof *passing);
    int most = simulation->log.count + simulation->length, actions = 256;
    passing->next = r->passings;
    passing->key = simulation->keys[at];
    passing->moves = plain_take(r, (size_t)most * sizeof *passing->moves);
    for (int p = 0; p < r->game->players; ++p)
        passing->values[p] = (float)plain_utility(r, simulation->values, p);
    for (int i = 0; i < simulation->log.count; ++i)
        add_move(passing, (int)simulation->log.moves[i] / actions,
                 simulation->log.moves[i] % (unsigned)actions);
    for (int i = at; i < simulation->length; ++i)
        add_move(passing, simulation->steps[i].node->mover, simulation->steps[i].edge->action);
    r->passings = passing;
}

void plain_pass_positions(struct plain *r, const struct plain_simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i)
        if (simulation->watched[i])
            add_passing(r, simulation, i);
}

/* The sum of what an action was worth to player, and how often it was played.  Sums are single
 * precision, so they are added in the search's order: from the oldest passing on. */
static float played(const struct plain_passing *one, uint64_t key, int player, banyan_action action,
                    int *visits)
{
    if (!one)
        return 0;
    float sum = played(one->next, key, player, action, visits);
    for (int i = 0; one->key == key && i < one->count; ++i)
        if (one->moves[i].player == player && one->moves[i].action == action) {
            ++*visits;
            return sum + one->values[player];
        }
    return sum;
}

bool plain_notes_moves(const struct plain *r)
{
    return r->options.rule == BANYAN_RULE_GRAVE ||
           (r->options.rule == BANYAN_RULE_UCB1 && r->options.progressive_history > 0);
}

double plain_history(const struct plain *r, const struct plain_edge *edge, double mean,
                     double visits)
{
    int count = 0;
    double low = (double)r->game->return_min, range = (double)r->game->return_max - low;
    float sum = played(r->passings, r->read_key, edge->node->mover, edge->action, &count);
    double lost = visits * (1 - (mean - low) / range);
    return count ? r->options.progressive_history * ((double)sum / count - low) / range / (lost + 1)
                 : 0;
}

/* The mean reward of the visits that a prior counts as: the odds of an action against an average one. */
static double prior_mean(const struct plain *r, const struct plain_edge *edge)
{
    double odds = (double)edge->prior * edge->node->count;
    return (double)(r->options.raw_rewards ? 0 : r->game->return_min) +
           plain_reward_width(r) * odds / (1 + odds);
}

static double grave(const struct plain *r, const struct plain_edge *edge, double unvisited,
                    double spread)
{
    int visits = 0, player = edge->node->mover;
    float sum = played(r->passings, r->read_key, player, edge->action, &visits);
    double own = plain_edge_arrivals(edge), bias = r->options.grave_bias;
    double by_prior = r->priors ? r->options.grave_prior : 0, all = own + by_prior;
    if (edge->tried && r->solver && plain_proven(plain_edge_bounds(edge)))
        return plain_edge_mean(edge, 0);
    if (all <= 0 && visits == 0)
        return INFINITY;
    double mean = own > 0 ? plain_edge_mean(edge, unvisited) : 0;
    if (by_prior > 0)
        mean = (own * mean + by_prior * prior_mean(r, edge)) / all;
    double share = visits / (visits + all + bias * visits * all);
    if (visits)
        mean += share * ((double)sum / visits - mean);
    return mean + spread * sqrt(1 / (own + 1));
}

void plain_score_grave(struct plain *r, const struct plain_node *node, double *scores)
{
    double visits = plain_node_arrivals(node), ln = visits > 1 ? numeric_ln(visits) : 0;
    double spread = 2 * r->options.grave_exploration * plain_reward_width(r) * sqrt(ln);
    for (int i = 0; i < node->count; ++i)
        scores[i] = plain_pruned(node->edges[i])
                        ? -INFINITY
                        : grave(r, node->edges[i], plain_node_mean(node), spread);
}
