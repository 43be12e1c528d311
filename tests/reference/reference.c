/* A plain Monte Carlo tree search: the textbook's algorithms over lists of results. */
#include "reference/reference.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MAX = 64 /* of a node: a set of them is 64 bits */ };

static const double equal_scores = 1e-9;

/* --- the search --- */

enum ending { OPEN, FINISHED, KNOWN, COLLISION, GOES_ON };

struct step {
    struct reference_node *node;
    struct reference_edge *edge;
    struct reference_outcome *outcome; /* by which the node was found */
    float probability;
    uint64_t offered;
};

/* One simulation, from the root to its leaf and back. */
struct simulation {
    bool busy;
    unsigned char *state;
    struct step *steps; /* [length] */
    int length, depth;
    unsigned movers;
    bool exact;
    float values[BANYAN_MAX_PLAYERS];
    struct reference_edge *above[BANYAN_MAX_PLAYERS];      /* by tree: the last edge taken */
    struct reference_outcome *arrived[BANYAN_MAX_PLAYERS]; /* by mover, at the leaf */
    struct reference_node *made[BANYAN_MAX_PLAYERS];       /* by mover, where it ended */
    banyan_action *actions[BANYAN_MAX_PLAYERS];
    float *priors[BANYAN_MAX_PLAYERS];
};

struct block {
    struct block *next;
    _Alignas(16) unsigned char bytes[];
};

struct reference {
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator *evaluator;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct block *memory;
    size_t block_used;

    int trees;   /* one, or one for every player */
    bool keyed;  /* outcomes are told apart */
    bool priors; /* actions have them */
    bool solver;
    bool short_ucb1; /* with 1/sqrt(n_j) in single precision */
    int expand_visits;

    unsigned char *root_state;
    int viewer;
    struct reference_edge root[BANYAN_MAX_PLAYERS]; /* by tree: leads to the root's node */
    struct reference_results root_back;
    struct reference_node *nodes; /* all of them */
    int round;                    /* of listing them */
    unsigned char *worlds;
    int worlds_drawn;
    bool noise_drawn, explores;
    double gumbel[ACTIONS_MAX];          /* by id of the root's edges */
    uint64_t gumbel_before[ACTIONS_MAX]; /* their visits when halving began */
    int gumbel_drawn;                    /* the first of the root's actions have noise */
    int64_t gumbel_done, planned;
    struct simulation *simulations; /* [batch] */

    const struct reference_told *told;
    int told_count, told_next;
    const struct reference_node *disputed; /* where the other search chose otherwise */
    banyan_action own_choice;
    uint64_t choices, ties;
};

enum { BLOCK_BYTES = 1 << 16 };

/* Zeroed memory that lives as long as the search. */
static void *take(struct reference *r, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!r->memory || r->block_used + bytes > BLOCK_BYTES) {
        struct block *block =
            calloc(1, sizeof *block + (bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES));
        assert(block);
        block->next = r->memory;
        r->memory = block;
        r->block_used = 0;
    }
    void *taken = r->memory->bytes + r->block_used;
    r->block_used += bytes;
    return taken;
}

/* --- what lists of results say --- */

static void results_add(struct reference *r, struct reference_results *results,
                        const struct reference_result *result)
{
    struct reference_result *copy = take(r, sizeof *copy);
    *copy = *result;
    copy->next = NULL;
    if (results->last)
        results->last->next = copy;
    else
        results->first = copy;
    results->last = copy;
}

static uint64_t results_count(const struct reference_results *results)
{
    uint64_t count = 0;
    for (const struct reference_result *i = results->first; i; i = i->next)
        ++count;
    return count;
}

/* Of the returns of two players; half of it is the middle of the range. */
static double constant_sum(const struct reference *r)
{
    return (double)r->game->return_min + (double)r->game->return_max;
}

/* What player wants to be high, in return units: max^n: the own return; paranoid: all others want
 * the searching player's to be low; coalition: the mean return of the own side. */
static double utility(const struct reference *r, const float *values, int player)
{
    const int *side = r->options.side;
    double sum = 0, friends = 0;
    switch (r->options.opponents) {
    case BANYAN_OPPONENTS_PARANOID:
        return player == r->viewer ? (double)values[player]
                                   : constant_sum(r) - (double)values[r->viewer];
    case BANYAN_OPPONENTS_COALITION:
        for (int q = 0; q < r->game->players; ++q)
            friends += side[q] == side[player];
        for (int q = 0; q < r->game->players; ++q)
            sum += side[q] == side[player] ? 1.0 / friends * (double)values[q] : 0;
        return sum;
    default:
        return values[player];
    }
}

uint64_t reference_edge_visits(const struct reference_edge *edge)
{
    return edge->book_visits + results_count(&edge->back);
}

double reference_edge_sum(const struct reference *r, const struct reference_node *node,
                          const struct reference_edge *edge)
{
    double sum = edge->book_sum;
    for (const struct reference_result *i = edge->back.first; i; i = i->next)
        sum += utility(r, i->values, node->mover);
    return sum;
}

static double edge_squares(const struct reference *r, const struct reference_node *node,
                           const struct reference_edge *edge)
{
    double sum = edge->book_squares;
    for (const struct reference_result *i = edge->back.first; i; i = i->next)
        sum += utility(r, i->values, node->mover) * utility(r, i->values, node->mover);
    return sum;
}

uint64_t reference_node_visits(const struct reference_node *node)
{
    return node->before + node->ended + results_count(&node->back);
}

/* Visits and those in flight: what exploration counts (WU-UCT, Liu et al. 2020). */
static double edge_arrivals(const struct reference_edge *edge)
{
    return (double)(reference_edge_visits(edge) + edge->in_flight);
}

static double node_arrivals(const struct reference_node *node)
{
    return (double)(reference_node_visits(node) + node->in_flight);
}

/* --- rewards: utilities scaled to [0,1], unless options.raw_rewards --- */

static double reward_width(const struct reference *r)
{
    double range = (double)r->game->return_max - (double)r->game->return_min;
    return r->options.raw_rewards || range <= 0 ? 1 : range;
}

static double reward(const struct reference *r, double value)
{
    return r->options.raw_rewards ? value : (value - r->game->return_min) / reward_width(r);
}

/* --- proven bounds (Cazenave and Saffidine 2010) --- */

static struct reference_bounds all_returns(const struct reference *r)
{
    return (struct reference_bounds){r->game->return_min, r->game->return_max};
}

static struct reference_bounds narrower(struct reference_bounds a, struct reference_bounds b)
{
    return (struct reference_bounds){fmaxf(a.lo, b.lo), fminf(a.hi, b.hi)};
}

static bool proven(struct reference_bounds bounds)
{
    return bounds.lo >= bounds.hi;
}

/* What node's mover can enforce, and what the others cannot prevent: the best of all actions; one
 * that is not visited may still be worth anything. */
static struct reference_bounds node_bounds(const struct reference *r,
                                           const struct reference_node *node)
{
    bool first = node->mover == 0;
    float worst = first ? r->game->return_min : r->game->return_max;
    struct reference_bounds best = {worst, worst};
    for (int i = 0; i < node->count; ++i) {
        const struct reference_edge *edge = node->edges[i];
        struct reference_bounds bounds =
            reference_edge_visits(edge) > 0 ? reference_edge_bounds(r, edge) : all_returns(r);
        best.lo = first ? fmaxf(best.lo, bounds.lo) : fminf(best.lo, bounds.lo);
        best.hi = first ? fmaxf(best.hi, bounds.hi) : fminf(best.hi, bounds.hi);
    }
    return best;
}

struct reference_bounds reference_edge_bounds(const struct reference *r,
                                              const struct reference_edge *edge)
{
    if (proven(edge->known) || !edge->outcomes || !edge->outcomes->node)
        return edge->known;
    return narrower(edge->known, node_bounds(r, edge->outcomes->node));
}

struct reference_bounds reference_root_bounds(const struct reference *r)
{
    const struct reference_outcome *outcome = r->root[0].outcomes;
    return outcome && outcome->node ? node_bounds(r, outcome->node) : all_returns(r);
}

/* The value of a proven edge for the mover of its node. */
static double proven_value(const struct reference *r, const struct reference_node *node,
                           struct reference_bounds bounds)
{
    float values[2] = {bounds.lo, (float)(constant_sum(r) - (double)bounds.lo)};
    return utility(r, values, node->mover);
}

/* The return of player 0 that node's mover can have for certain by one of the tried actions. */
static float guaranteed(const struct reference *r, const struct reference_node *node)
{
    bool first = node->mover == 0;
    float best = first ? -INFINITY : INFINITY;
    for (int i = 0; i < node->count && node->edges[i]->tried; ++i) {
        struct reference_bounds bounds = reference_edge_bounds(r, node->edges[i]);
        best = first ? fmaxf(best, bounds.lo) : fminf(best, bounds.hi);
    }
    return best;
}

/* Whether edge cannot give more than what another one guarantees. */
static bool pruned(const struct reference *r, const struct reference_node *node,
                   const struct reference_edge *edge)
{
    if (!r->solver || !edge->tried)
        return false;
    struct reference_bounds bounds = reference_edge_bounds(r, edge);
    float sure = guaranteed(r, node);
    float most = node->mover == 0 ? bounds.hi : -bounds.lo;
    float least = node->mover == 0 ? bounds.lo : -bounds.hi;
    sure = node->mover == 0 ? sure : -sure;
    return most < sure || (most <= sure && least < sure);
}

/* --- means --- */

/* Of all that went on from here; where nothing came back yet, the middle of the range. */
static double node_mean(const struct reference *r, const struct reference_node *node)
{
    double sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        sum += reference_edge_sum(r, node, node->edges[i]);
        visits += (double)reference_edge_visits(node->edges[i]);
    }
    return visits > 0 ? sum / visits : constant_sum(r) / 2;
}

/* Of an edge: its proven value, else the mean of what came back, else what its node expects. */
static double edge_mean(const struct reference *r, const struct reference_node *node,
                        const struct reference_edge *edge, double unvisited)
{
    struct reference_bounds bounds =
        edge->tried && r->solver ? reference_edge_bounds(r, edge) : (struct reference_bounds){0, 1};
    if (proven(bounds))
        return proven_value(r, node, bounds);
    uint64_t visits = reference_edge_visits(edge);
    return visits ? reference_edge_sum(r, node, edge) / (double)visits : unvisited;
}

/* --- choosing --- */

static void draw_noise(struct reference *r);

static bool is_offered(const struct reference_edge *edge, uint64_t offered)
{
    return offered >> edge->id & 1;
}

/* The action that the other search chose next; NULL: it was not said. */
static const struct reference_told *told_next(const struct reference *r)
{
    return r->told_next < r->told_count ? &r->told[r->told_next] : NULL;
}

/* The highest score, the first of equal ones; one that the other search chose counts as equal
 * within 1e-9. -1: all are -INFINITY. */
static int best_of(struct reference *r, const struct reference_node *node, const double *scores)
{
    const struct reference_told *told = told_next(r);
    int best = -1;
    for (int i = 0; i < node->count; ++i)
        if (scores[i] > (best < 0 ? -INFINITY : scores[best]))
            best = i;
    for (int i = 0; told && best >= 0 && i < node->count; ++i)
        if (i != best && node->edges[i]->action == told->action &&
            (scores[i] >= scores[best] || scores[best] - scores[i] < equal_scores)) {
            ++r->ties;
            return i;
        }
    return best;
}

/* The action that is tried next if any is: of highest prior, or first in the list; -1: none.  Where
 * all are offered it changes places with the first that was not tried. */
static int next_untried(struct reference *r, struct reference_node *node, uint64_t offered)
{
    double scores[ACTIONS_MAX];
    int first = 0;
    for (int i = 0; i < node->count; ++i) {
        bool may = !node->edges[i]->tried && is_offered(node->edges[i], offered);
        scores[i] = !may ? -INFINITY : r->priors ? (double)node->edges[i]->prior : -(double)i;
        first += node->edges[i]->tried;
    }
    int next = best_of(r, node, scores);
    if (next < 0 || ~offered & (UINT64_MAX >> (64 - node->count)))
        return next;
    struct reference_edge *edge = node->edges[next];
    node->edges[next] = node->edges[first];
    node->edges[first] = edge;
    return first;
}

/* Progressive widening (Coulom 2007): whether one more action may be tried. */
static bool widening_admits(const struct reference *r, const struct reference_node *node)
{
    const struct banyan_search_options *options = &r->options;
    int tried = 0;
    while (tried < node->count && node->edges[tried]->tried)
        ++tried;
    double visits = (double)reference_node_visits(node);
    return options->widen_factor <= 0 || tried == 0 ||
           tried < options->widen_factor * numeric_pow(visits, options->widen_power);
}

/* The next untried action, if progressive widening admits it. */
static int admitted(struct reference *r, struct reference_node *node, uint64_t offered)
{
    return widening_admits(r, node) ? next_untried(r, node, offered) : -1;
}

static const double before_all_tried = 1e200, unvisited_first = 1e100;

/* UCB1 (Auer et al. 2002): mean + 2 Cp sqrt(ln n / n_j), and the progressive bias of Chaslot et al.
 * 2008. */
static double ucb1(const struct reference *r, const struct reference_edge *edge, double mean,
                   double visits, double edge_visits)
{
    double ln = visits > 1 ? numeric_ln(visits) : 0, width = sqrt(1 / edge_visits);
    if (r->short_ucb1)
        width = (double)(float)width;
    return reward(r, mean) + 2 * r->options.exploration * sqrt(ln) * width +
           r->options.progressive_bias * (double)edge->prior / (edge_visits + 1);
}

static void score_ucb1(struct reference *r, struct reference_node *node, uint64_t offered,
                       double *scores)
{
    double visits = node_arrivals(node), mean = node_mean(r, node);
    int fresh = admitted(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct reference_edge *edge = node->edges[i];
        double arrivals = edge_arrivals(edge);
        if (i == fresh && r->options.children_first)
            scores[i] = before_all_tried;
        else if (!is_offered(edge, offered) || (!edge->tried && i != fresh) ||
                 pruned(r, node, edge))
            scores[i] = -INFINITY;
        else if (arrivals == 0)
            scores[i] =
                r->options.children_first ? unvisited_first : ucb1(r, edge, mean, visits, 1);
        else
            scores[i] = ucb1(r, edge, edge_mean(r, node, edge, mean), visits, arrivals);
    }
}

/* UCB1-tuned (Auer et al. 2002, section 4): the variance bounds the exploration. */
static double tuned(const struct reference *r, const struct reference_node *node,
                    const struct reference_edge *edge, double mean, double visits)
{
    double ln = visits > 1 ? numeric_ln(visits) : 0, arrivals = edge_arrivals(edge);
    double done = (double)reference_edge_visits(edge), width = reward_width(r), variance = 0.25;
    if (done > 0) {
        double own = reference_edge_sum(r, node, edge) / done;
        variance = (edge_squares(r, node, edge) / done - own * own) / (width * width);
    }
    double bound = (variance > 0 ? variance : 0) + sqrt(2 * ln / arrivals);
    return reward(r, edge_mean(r, node, edge, mean)) +
           sqrt(ln / arrivals * (bound < 0.25 ? bound : 0.25));
}

static void score_tuned(struct reference *r, struct reference_node *node, uint64_t offered,
                        double *scores)
{
    double visits = node_arrivals(node), mean = node_mean(r, node);
    int fresh = admitted(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct reference_edge *edge = node->edges[i];
        if (i == fresh)
            scores[i] = before_all_tried;
        else if (!is_offered(edge, offered) || !edge->tried || pruned(r, node, edge))
            scores[i] = -INFINITY;
        else
            scores[i] =
                edge_arrivals(edge) == 0 ? unvisited_first : tuned(r, node, edge, mean, visits);
    }
}

/* KataGo's forced playouts (Wu 2019, section 3.2): at the root, n_j >= sqrt(2 P n). */
static bool forced(const struct reference *r, const struct simulation *simulation,
                   const struct reference_edge *edge, double visits)
{
    double arrivals = edge_arrivals(edge);
    return r->options.forced_playouts && r->explores && simulation->depth == 0 && arrivals > 0 &&
           arrivals * arrivals < 2 * (double)edge->prior * visits;
}

/* PUCT (Silver et al. 2017): Q + c(n) P sqrt(n) / (1 + n_j). A child that was never visited has the
 * mean of its node less fpu * sqrt(sum of the priors of the visited ones) (Leela Chess Zero). */
static void score_puct(struct reference *r, const struct simulation *simulation,
                       struct reference_node *node, uint64_t offered, double *scores)
{
    const struct banyan_search_options *options = &r->options;
    double visits = node_arrivals(node), base = options->puct_log_base, mass = 0;
    double c = options->cpuct + (base > 0 ? numeric_ln((visits + base + 1) / base) : 0);
    for (int i = 0; i < node->count; ++i)
        mass += edge_arrivals(node->edges[i]) > 0 ? (double)node->edges[i]->prior : 0;
    double unvisited = reward(r, node_mean(r, node)) - options->fpu * sqrt(mass);
    int fresh = admitted(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct reference_edge *edge = node->edges[i];
        bool may = is_offered(edge, offered) && (edge->tried || i == fresh);
        double q = reference_edge_visits(edge) ? reward(r, edge_mean(r, node, edge, 0)) : unvisited;
        scores[i] = q + c * (double)edge->prior * sqrt(visits) / (1 + edge_arrivals(edge));
        if (!may || pruned(r, node, edge))
            scores[i] = -INFINITY;
        else if (edge->tried && forced(r, simulation, edge, visits))
            scores[i] = before_all_tried;
    }
}

/* --- Gumbel (Danihelka et al. 2022) --- */

static double logit(const struct reference_edge *edge)
{
    return edge->prior > 0 ? numeric_ln((double)edge->prior + 1e-30) : -69;
}

/* sigma(q) of every edge, unvisited ones completed with the mean of the node. */
static double sigma(const struct reference *r, const struct reference_node *node,
                    const struct reference_edge *edge)
{
    uint64_t most = 0;
    for (int i = 0; i < node->count; ++i)
        if (reference_edge_visits(node->edges[i]) > most)
            most = reference_edge_visits(node->edges[i]);
    double mean = node_mean(r, node);
    bool visited = reference_edge_visits(edge) > 0;
    double q = reward(r, visited ? edge_mean(r, node, edge, mean) : mean);
    return (r->options.gumbel_visit + (double)most) * r->options.gumbel_scale * q;
}

/* Sequential halving: how often those that are still considered have been visited when simulation
 * number `index` of `planned` begins, with `considered` actions at first. */
static uint64_t halving_visits(int considered, int64_t planned, int64_t index)
{
    int halvings = 0;
    while (1 << halvings < considered)
        ++halvings;
    if (considered <= 1)
        return (uint64_t)index;
    uint64_t visits = 0;
    for (int64_t begin = 0, alive = considered;; alive = alive / 2 > 2 ? alive / 2 : 2) {
        int64_t extra = planned / (halvings * alive);
        for (int64_t k = 0; k < (extra > 1 ? extra : 1); ++k, ++visits, begin += alive)
            if (index < begin + alive)
                return visits;
    }
}

/* Noise of the root's actions, of those that came later too. */
static void draw_gumbel(struct reference *r, const struct reference_node *node)
{
    for (; r->gumbel_drawn < node->count; ++r->gumbel_drawn)
        r->gumbel[node->edges[r->gumbel_drawn]->id] =
            -numeric_ln(-numeric_ln(rng_unit(&r->rng) * (1 - 0x1p-52) + 0x1p-60));
}

static void score_gumbel_root(struct reference *r, const struct reference_node *node,
                              uint64_t offered, double *scores)
{
    draw_gumbel(r, node);
    int m = r->options.gumbel_actions < node->count ? r->options.gumbel_actions : node->count;
    for (int i = 0; i < node->count && r->gumbel_done == 0; ++i)
        r->gumbel_before[node->edges[i]->id] = (uint64_t)edge_arrivals(node->edges[i]);
    int64_t planned = r->planned > 0 ? r->planned : 16 * (int64_t)m;
    double target = (double)halving_visits(m, planned, r->gumbel_done++);
    bool any = false;
    for (int pass = 0; pass < 2 && !any; ++pass) { /* visited so often; if there is none, less */
        for (int i = 0; i < node->count; ++i) {
            const struct reference_edge *edge = node->edges[i];
            double visits = edge_arrivals(edge) - (double)r->gumbel_before[edge->id];
            bool may = is_offered(edge, offered) && !pruned(r, node, edge) &&
                       (visits == target || (pass && visits < target));
            scores[i] = may ? r->gumbel[edge->id] + logit(edge) + sigma(r, node, edge) : -INFINITY;
            any = any || may;
        }
    }
}

/* The improved policy, softmax(logit + sigma), less the share of the visits that an action has. */
static void score_gumbel_inside(struct reference *r, const struct reference_node *node,
                                uint64_t offered, double *scores)
{
    double top = -INFINITY, sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        if (is_offered(node->edges[i], offered))
            top = fmax(top, logit(node->edges[i]) + sigma(r, node, node->edges[i]));
        visits += edge_arrivals(node->edges[i]);
    }
    for (int i = 0; i < node->count; ++i) {
        scores[i] = numeric_exp(logit(node->edges[i]) + sigma(r, node, node->edges[i]) - top);
        sum += is_offered(node->edges[i], offered) ? scores[i] : 0;
    }
    for (int i = 0; i < node->count; ++i) {
        const struct reference_edge *edge = node->edges[i];
        bool may = is_offered(edge, offered) && !pruned(r, node, edge);
        scores[i] = may ? scores[i] / sum - edge_arrivals(edge) / (1 + visits) : -INFINITY;
    }
}

/* --- regret matching (Hart and Mas-Colell 2000; Lanctot et al. 2013) --- */

/* In proportion to positive regret, by id. */
static void match_regrets(const double *regrets, int count, uint64_t offered, double *strategy)
{
    double sum = 0, allowed = 0;
    for (int i = 0; i < count; ++i) {
        strategy[i] = offered >> i & 1 && regrets[i] > 0 ? regrets[i] : 0;
        sum += strategy[i];
        allowed += (double)(offered >> i & 1);
    }
    for (int i = 0; i < count; ++i)
        strategy[i] = !(offered >> i & 1) ? 0 : sum > 0 ? strategy[i] / sum : 1 / allowed;
}

/* One more result: every action's regret grows by what it would have earned more than the strategy
 * did.  For the action played that is an importance weighted sample with its mean as a control
 * variate (Schmid et al. 2019), for the others their mean. */
static void add_regret(const struct reference_result *result, double earned, int count,
                       const double *means, double *regrets)
{
    double strategy[ACTIONS_MAX], values[ACTIONS_MAX], expected = 0;
    match_regrets(regrets, count, result->offered, strategy);
    for (int i = 0; i < count; ++i) {
        values[i] = means[i];
        if (i == result->edge->id)
            values[i] += (earned - means[i]) / (double)result->probability;
        expected += strategy[i] * values[i];
    }
    for (int i = 0; i < count; ++i)
        regrets[i] += result->offered >> i & 1 ? values[i] - expected : 0;
}

/* The regrets of node by id of the edge: its results once more, from the first. */
void reference_regrets(const struct reference *r, const struct reference_node *node, double *out)
{
    double sums[ACTIONS_MAX] = {0}, visits[ACTIONS_MAX] = {0}, means[ACTIONS_MAX] = {0};
    for (int i = 0; i < node->count; ++i)
        out[i] = 0;
    for (const struct reference_result *i = node->back.first; i; i = i->next) {
        int id = i->edge->id;
        double earned = utility(r, i->values, node->mover);
        add_regret(i, earned, node->count, means, out);
        sums[id] += earned;
        ++visits[id];
        means[id] = sums[id] / visits[id];
    }
}

/* Draws an action: the strategy mixed with a share of uniform play that falls with the visits. */
static int sample_regret(struct reference *r, struct reference_node *node, uint64_t offered,
                         float *probability)
{
    double regrets[ACTIONS_MAX], allowed = 0;
    struct reference_play *play =
        take(r, sizeof *play + (size_t)node->count * sizeof *play->strategy);
    reference_regrets(r, node, regrets);
    match_regrets(regrets, node->count, offered, play->strategy);
    play->next = node->plays;
    node->plays = play;
    for (int i = 0; i < node->count; ++i) {
        node->edges[i]->tried = true;
        allowed += (double)(offered >> i & 1);
    }
    double explore =
        r->options.regret_explore / sqrt(1 + (double)reference_node_visits(node) * 1e-3);
    double draw = rng_unit(&r->rng);
    int chosen = -1;
    for (int i = 0; i < node->count && draw >= 0; ++i) {
        const struct reference_edge *edge = node->edges[i];
        if (!is_offered(edge, offered))
            continue;
        chosen = i;
        *probability = (float)((1 - explore) * play->strategy[edge->id] + explore / allowed);
        draw -= (double)*probability;
    }
    return chosen;
}

/* The mean of the strategies that were played, by id; the number of actions. */
int reference_average_strategy(const struct reference *r, const struct reference_node *node,
                               double *out)
{
    (void)r;
    double total = 0;
    for (int i = 0; i < node->count; ++i)
        out[i] = 0;
    for (const struct reference_play *play = node->plays; play; play = play->next)
        for (int i = 0; i < node->count; ++i)
            out[i] += play->strategy[i];
    for (int i = 0; i < node->count; ++i)
        total += out[i];
    for (int i = 0; i < node->count; ++i)
        out[i] = total > 0 ? out[i] / total : 1.0 / node->count;
    return node->count;
}

/* --- one decision --- */

/* By the rule; an index into the node's edges. */
static int choose_by_rule(struct reference *r, const struct simulation *simulation,
                          struct reference_node *node, uint64_t offered, float *probability)
{
    double scores[ACTIONS_MAX];
    switch (r->options.rule) {
    case BANYAN_RULE_UCB1_TUNED:
        score_tuned(r, node, offered, scores);
        break;
    case BANYAN_RULE_PUCT:
        score_puct(r, simulation, node, offered, scores);
        break;
    case BANYAN_RULE_GUMBEL: /* noise and halving are those of the player who searches */
        if (simulation->depth == 0 && node->mover == r->viewer)
            score_gumbel_root(r, node, offered, scores);
        else
            score_gumbel_inside(r, node, offered, scores);
        break;
    case BANYAN_RULE_REGRET:
        return sample_regret(r, node, offered, probability);
    default:
        score_ucb1(r, node, offered, scores);
    }
    int best = best_of(r, node, scores);
    for (int i = 0; best < 0 && i < node->count; ++i)
        best = is_offered(node->edges[i], offered) ? i : best; /* nothing is worth a visit */
    return best;
}

/* A visit of a proven edge tells nothing new: every second of them goes to an action that may still
 * be better, the one visited least. */
static int instead_of_proven(const struct reference *r, const struct reference_node *node,
                             int index)
{
    const struct reference_edge *chosen = node->edges[index];
    if (!r->solver || !chosen->tried || !proven(reference_edge_bounds(r, chosen)) ||
        reference_node_visits(node) % 2 != 0)
        return index;
    int least = -1;
    for (int i = 0; i < node->count && node->edges[i]->tried; ++i) {
        const struct reference_edge *edge = node->edges[i];
        if (!proven(reference_edge_bounds(r, edge)) && !pruned(r, node, edge) &&
            (least < 0 || reference_edge_visits(edge) < reference_edge_visits(node->edges[least])))
            least = i;
    }
    return least < 0 ? index : least;
}

/* The edge moves behind those tried before it. */
static void move_to_tried(struct reference_node *node, int index)
{
    struct reference_edge *edge = node->edges[index];
    for (; index > 0 && !node->edges[index - 1]->tried; --index)
        node->edges[index] = node->edges[index - 1];
    node->edges[index] = edge;
    edge->tried = true;
}

static struct reference_edge *choose(struct reference *r, struct simulation *simulation,
                                     struct reference_node *node, struct reference_outcome *outcome,
                                     uint64_t offered)
{
    float probability = 1;
    if (simulation->depth == 0)
        draw_noise(r);
    int index = node->count == 1 ? 0 : choose_by_rule(r, simulation, node, offered, &probability);
    index = instead_of_proven(r, node, index);
    struct reference_edge *edge = node->edges[index];
    const struct reference_told *told = told_next(r);
    ++r->choices;
    ++r->told_next;
    if (told && (told->player != node->mover || told->action != edge->action) && !r->disputed) {
        r->disputed = node;
        r->own_choice = edge->action;
    }
    if (!edge->tried)
        move_to_tried(node, index);
    simulation->steps[simulation->length++] =
        (struct step){node, edge, outcome, probability, offered};
    ++node->in_flight;
    ++edge->in_flight;
    return edge;
}

/* --- making nodes --- */

static uint64_t node_key(const struct reference *r, const void *state, int mover)
{
    if (!r->keyed && !r->options.transpositions)
        return 0;
    uint64_t key = r->game->key(state, mover); /* two movers who see the same are still two */
    return rng_mix(key + 0x9e3779b97f4a7c15u * (uint64_t)(mover + 1));
}

static void default_priors(const struct reference *r, const void *state, int mover,
                           const banyan_action *actions, int count, float *out)
{
    for (int i = 0; i < count; ++i)
        out[i] = 1.0f / (float)count;
    if (r->game->priors)
        r->game->priors(state, mover, actions, count, out);
}

static void add_edge(struct reference *r, struct reference_node *node, banyan_action action,
                     float prior)
{
    struct reference_edge **edges = take(r, (size_t)(node->count + 1) * sizeof(void *));
    if (node->count)
        memcpy(edges, node->edges, (size_t)node->count * sizeof(void *));
    node->edges = edges;
    edges[node->count] = take(r, sizeof **edges);
    *edges[node->count] = (struct reference_edge){
        .action = action, .prior = prior, .id = node->count, .known = all_returns(r)};
    ++node->count;
}

/* The node of this key, wherever in the tree it is. */
static struct reference_node *known_node(const struct reference *r, uint64_t key)
{
    struct reference_node *node = r->options.transpositions ? r->nodes : NULL;
    while (node && node->key != key)
        node = node->next;
    return node;
}

static void shuffle(struct banyan_rng *rng, banyan_action *actions, int count)
{
    for (int i = count; i > 1; --i) {
        uint32_t j = rng_below(rng, (uint32_t)i);
        banyan_action action = actions[i - 1];
        actions[i - 1] = actions[j];
        actions[j] = action;
    }
}

/* A node for mover; it waits for priors if the evaluator writes some. */
static struct reference_node *make_node(struct reference *r, const void *state, int mover,
                                        uint64_t before)
{
    banyan_action actions[ACTIONS_MAX];
    float priors[ACTIONS_MAX];
    bool waits = r->evaluator->wants_actions;
    int count = r->game->legal(state, mover, actions);
    struct reference_node *node = take(r, sizeof *node);
    node->key = node_key(r, state, mover);
    node->mover = mover;
    node->before = before;
    node->waiting = waits;
    node->state = take(r, r->game->state_size);
    memcpy(node->state, state, r->game->state_size);
    bool ordered = waits || (r->priors && r->game->priors);
    if (r->options.order == BANYAN_ORDER_RANDOM && !ordered)
        shuffle(&r->rng, actions, count);
    default_priors(r, state, mover, actions, count, priors);
    for (int i = 0; i < count; ++i)
        add_edge(r, node, actions[i], priors[i]);
    node->next = r->nodes;
    r->nodes = node;
    return node;
}

static void receive_priors(struct reference_node *node, const float *priors)
{
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->prior = priors[node->edges[i]->id];
    node->waiting = false;
}

/* Which of node's actions are legal in state: a set of ids.  What node did not know is added. */
static uint64_t offered_actions(struct reference *r, struct reference_node *node, const void *state)
{
    banyan_action actions[ACTIONS_MAX];
    float priors[ACTIONS_MAX];
    uint64_t offered = 0;
    int count = r->game->legal(state, node->mover, actions);
    default_priors(r, state, node->mover, actions, count, priors);
    for (int i = 0; i < count; ++i) {
        int at = 0;
        while (at < node->count && node->edges[at]->action != actions[i])
            ++at;
        if (at == node->count)
            add_edge(r, node, actions[i], priors[i]);
        offered |= (uint64_t)1 << node->edges[at]->id;
    }
    return offered;
}

/* --- the way down --- */

static struct reference_outcome *outcome_of(struct reference *r, struct reference_edge *edge,
                                            uint64_t key)
{
    struct reference_outcome *outcome = edge->outcomes;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    if (outcome)
        return outcome;
    outcome = take(r, sizeof *outcome);
    outcome->key = key;
    outcome->next = edge->outcomes;
    return edge->outcomes = outcome;
}

/* On which visit the node of here is made.  Noise is drawn between simulations, so that a root with
 * priors stands before its first choice. */
static int expand_visits(const struct reference *r, const struct simulation *simulation)
{
    return simulation->depth == 0 && r->priors ? 1 : r->expand_visits;
}

enum arrival { READY, NEW, EARLY };

/* Mover comes to the outcome of the last edge, and a node is made there if it is time. */
static enum arrival arrive(struct reference *r, struct simulation *simulation, int mover)
{
    struct reference_edge *above = simulation->above[r->trees > 1 ? mover : 0];
    uint64_t key = r->keyed ? node_key(r, simulation->state, mover) : 0;
    struct reference_outcome *outcome = outcome_of(r, above, key);
    uint64_t before = outcome->arrivals++;
    int at = expand_visits(r, simulation);
    bool prebuilt = simulation->depth < r->options.prebuild_depth, makes = false;
    simulation->arrived[mover] = outcome;
    if (!outcome->node && (before + 1 >= (uint64_t)at || prebuilt)) {
        outcome->node = known_node(r, node_key(r, simulation->state, mover));
        makes = !outcome->node;
    }
    if (makes)
        outcome->node = make_node(r, simulation->state, mover, before);
    if (makes && (r->evaluator->wants_actions || (at == 1 && before == 0 && !prebuilt))) {
        simulation->made[mover] = outcome->node;
        return NEW;
    }
    return outcome->node ? READY : EARLY;
}

/* Where others go on, so does a mover who has no node yet, or one that is only just made. */
static void settle(struct reference *r, struct simulation *simulation, int mover)
{
    struct reference_outcome *outcome = simulation->arrived[mover];
    struct reference_node *node = simulation->made[mover];
    if (!outcome->node) {
        outcome->node = known_node(r, node_key(r, simulation->state, mover));
        if (!outcome->node)
            node = outcome->node = make_node(r, simulation->state, mover, outcome->arrivals - 1);
    }
    if (node && node->waiting) {
        banyan_action actions[ACTIONS_MAX];
        float priors[ACTIONS_MAX];
        int count = r->game->legal(simulation->state, mover, actions);
        default_priors(r, simulation->state, mover, actions, count, priors);
        receive_priors(node, priors);
    }
    simulation->made[mover] = NULL;
}

/* All movers arrive.  The simulation goes on where one of them has a node already. */
static enum ending meet(struct reference *r, struct simulation *simulation)
{
    enum arrival arrivals[BANYAN_MAX_PLAYERS];
    bool ready = false;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        arrivals[p] = arrive(r, simulation, p);
        ready = ready || arrivals[p] == READY;
    }
    if (!ready)
        return OPEN;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        if (arrivals[p] != READY)
            settle(r, simulation, p);
        if (simulation->arrived[p]->node->waiting)
            return COLLISION;
    }
    return GOES_ON;
}

/* What the rules say at once about the position behind a new edge. */
static void ask_bounds(struct reference *r, struct reference_edge *edge, const void *state)
{
    if (r->solver && r->game->bounds)
        r->game->bounds(state, 0, &edge->known.lo, &edge->known.hi);
}

static enum ending descend(struct reference *r, struct simulation *simulation)
{
    const struct banyan_game *game = r->game;
    unsigned movers = simulation->movers = game->movers(simulation->state);
    memset(simulation->arrived, 0, sizeof simulation->arrived);
    if (!movers) {
        game->returns(simulation->state, simulation->values);
        return FINISHED;
    }
    if (r->solver && simulation->length > 0) {
        struct reference_bounds bounds = reference_edge_bounds(r, simulation->above[0]);
        if (proven(bounds)) {
            simulation->arrived[0] = outcome_of(r, simulation->above[0], 0);
            ++simulation->arrived[0]->arrivals;
            simulation->values[0] = bounds.lo;
            simulation->values[1] = (float)(constant_sum(r) - (double)bounds.lo);
            return KNOWN;
        }
    }
    enum ending ending = meet(r, simulation);
    if (ending != GOES_ON)
        return ending;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    bool fresh = false;
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct reference_node *node = simulation->arrived[p]->node;
        uint64_t offered = offered_actions(r, node, simulation->state);
        struct reference_edge *edge = choose(r, simulation, node, simulation->arrived[p], offered);
        fresh = edge_arrivals(edge) <= 1;
        joint[p] = edge->action;
        simulation->above[r->trees > 1 ? p : 0] = edge;
    }
    game->apply(simulation->state, joint, &r->dice);
    if (fresh)
        ask_bounds(r, simulation->above[0], simulation->state);
    ++simulation->depth;
    return descend(r, simulation);
}

/* --- the way up --- */

static void back_up(struct reference *r, struct simulation *simulation, enum ending ending)
{
    struct reference_result result = {0};
    memcpy(result.values, simulation->values, sizeof result.values);
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->made[p])
            ++simulation->made[p]->ended;
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->arrived[p])
            results_add(r, &simulation->arrived[p]->back, &result);
    for (int i = 0; i < simulation->length; ++i) {
        struct step *step = &simulation->steps[i];
        result.edge = step->edge;
        result.probability = step->probability;
        result.offered = step->offered;
        results_add(r, &step->edge->back, &result);
        results_add(r, &step->node->back, &result);
        results_add(r, &step->outcome->back, &result);
        --step->node->in_flight;
        --step->edge->in_flight;
    }
    results_add(r, &r->root_back, &result);
    for (int t = 0; t < r->trees; ++t)
        results_add(r, &r->root[t].back, &result);
    bool exact = ending == FINISHED || simulation->exact;
    if (r->solver && exact && simulation->length > 0)
        simulation->steps[simulation->length - 1].edge->known =
            (struct reference_bounds){simulation->values[0], simulation->values[0]};
}

/* As if it had never begun. */
static void take_back(struct reference *r, struct simulation *simulation)
{
    for (int i = 0; i < simulation->length; ++i) {
        --simulation->steps[i].node->in_flight;
        --simulation->steps[i].edge->in_flight;
        --simulation->steps[i].outcome->arrivals;
    }
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->arrived[p])
            --simulation->arrived[p]->arrivals;
}

/* --- noise at the root --- */

/* Marsaglia's polar method. */
static double draw_normal(struct banyan_rng *rng)
{
    for (;;) {
        double u = 2 * rng_unit(rng) - 1, v = 2 * rng_unit(rng) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * numeric_ln(s) / s);
    }
}

/* Gamma(alpha, 1): Marsaglia and Tsang 2000. */
static double draw_gamma(struct banyan_rng *rng, double alpha)
{
    if (alpha < 1) {
        double u = rng_unit(rng) + 0x1p-60;
        return draw_gamma(rng, alpha + 1) * numeric_pow(u, 1 / alpha);
    }
    double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = draw_normal(rng), v = 1 + c * x;
        v = v * v * v;
        if (v <= 0)
            continue;
        double u = rng_unit(rng) + 0x1p-60;
        if (numeric_ln(u) < 0.5 * x * x + d - d * v + d * numeric_ln(v))
            return d * v;
    }
}

/* Dirichlet noise in the priors (Silver et al. 2017). */
static void add_dirichlet(struct reference *r, struct reference_node *node)
{
    double noise[ACTIONS_MAX], sum = 0, weight = r->options.noise_weight;
    for (int i = 0; i < node->count; ++i)
        sum += noise[i] = draw_gamma(&r->rng, r->options.noise_alpha);
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->prior = (float)((1 - weight) * (double)node->edges[i]->prior +
                                        weight * (sum > 0 ? noise[i] / sum : 0));
}

static void draw_noise(struct reference *r)
{
    unsigned movers = r->game->movers(r->root_state);
    for (int p = 0; p < r->game->players && !r->noise_drawn; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct reference_node *node = reference_root(r, p);
        if (!node || node->waiting)
            return;
        if (r->options.noise_weight > 0 && r->explores && r->priors)
            add_dirichlet(r, node);
        if (r->options.rule == BANYAN_RULE_GUMBEL && p == r->viewer) {
            r->gumbel_drawn = 0;
            draw_gumbel(r, node);
        }
    }
    r->noise_drawn = true;
}

/* --- ask and tell --- */

/* A full state that the searching player must hold possible. */
static void draw_state(struct reference *r, void *out)
{
    const struct banyan_sampler *sampler = &r->options.sampler;
    memcpy(out, r->root_state, r->game->state_size);
    if (sampler->sample)
        sampler->sample(sampler->ctx, r->root_state, r->viewer, out, &r->rng);
    else
        r->game->determinize(out, r->viewer, &r->rng);
}

static void begin(struct reference *r, struct simulation *simulation)
{
    size_t size = r->game->state_size;
    int worlds = r->options.worlds;
    simulation->length = simulation->depth = 0;
    simulation->exact = false;
    memset(simulation->made, 0, sizeof simulation->made);
    for (int t = 0; t < r->trees; ++t)
        simulation->above[t] = &r->root[t];
    memcpy(simulation->state, r->root_state, size);
    if (!(r->game->traits & BANYAN_HIDDEN))
        return;
    if (worlds == 0) {
        draw_state(r, simulation->state);
        return;
    }
    int world = r->worlds_drawn < worlds ? r->worlds_drawn : -1;
    if (world >= 0)
        draw_state(r, r->worlds + size * (size_t)r->worlds_drawn++);
    else
        world = (int)rng_below(&r->rng, (uint32_t)worlds);
    memcpy(simulation->state, r->worlds + size * (size_t)world, size);
}

static void fill_leaf(struct reference *r, struct simulation *simulation, struct banyan_leaf *leaf)
{
    memset(leaf, 0, sizeof *leaf);
    leaf->game = r->game;
    leaf->state = simulation->state;
    leaf->movers = simulation->movers;
    leaf->rng = &r->rng;
    leaf->ticket = (uint32_t)(simulation - r->simulations);
    for (int p = 0; p < r->game->players && r->evaluator->wants_actions; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        leaf->count[p] = r->game->legal(simulation->state, p, simulation->actions[p]);
        leaf->actions[p] = simulation->actions[p];
        leaf->priors[p] = simulation->priors[p];
    }
}

void reference_tell(struct reference *r, const struct reference_told *told, int count)
{
    r->told = told;
    r->told_count = count;
    r->told_next = 0;
}

int reference_select(struct reference *r, struct banyan_leaf *leaves, int max)
{
    int found = 0;
    for (int i = 0; i < max; ++i) {
        struct simulation *simulation = r->simulations;
        while (simulation < r->simulations + r->options.batch && simulation->busy)
            ++simulation;
        if (simulation == r->simulations + r->options.batch)
            break;
        draw_noise(r);
        begin(r, simulation);
        enum ending ending = descend(r, simulation);
        if (ending == COLLISION) { /* a leaf that waits is not asked for twice */
            take_back(r, simulation);
            break;
        }
        if (ending == OPEN) {
            simulation->busy = true;
            fill_leaf(r, simulation, &leaves[found++]);
            continue;
        }
        back_up(r, simulation, ending);
    }
    return found;
}

void reference_update(struct reference *r, const struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i) {
        struct simulation *simulation = &r->simulations[leaves[i].ticket];
        memcpy(simulation->values, leaves[i].values, sizeof simulation->values);
        simulation->exact = leaves[i].exact;
        for (int p = 0; p < r->game->players; ++p)
            if (simulation->made[p] && simulation->made[p]->waiting)
                receive_priors(simulation->made[p], simulation->priors[p]);
        back_up(r, simulation, OPEN);
        simulation->busy = false;
    }
}

void reference_plan(struct reference *r, int64_t simulations, bool explore)
{
    r->planned = simulations;
    r->gumbel_done = 0;
    r->explores = explore;
}

/* --- the root --- */

static void place_root(struct reference *r, const void *state)
{
    memcpy(r->root_state, state, r->game->state_size);
    r->worlds_drawn = 0;
    r->noise_drawn = false;
    r->explores = true;
    r->gumbel_done = 0;
    r->gumbel_drawn = 0;
    for (int i = 0; i < r->options.batch; ++i)
        r->simulations[i].busy = false;
}

static void forget(struct reference *r)
{
    memset(r->root, 0, sizeof r->root);
    for (int t = 0; t < r->trees; ++t)
        r->root[t].known = all_returns(r);
    r->root_back = (struct reference_results){0};
    r->nodes = NULL;
}

void reference_set_root(struct reference *r, const void *state, int viewer)
{
    unsigned movers = r->game->movers(state);
    forget(r);
    place_root(r, state);
    for (int p = r->game->players - 1; p >= 0 && viewer < 0; --p)
        r->viewer = movers >> p & 1 ? p : r->viewer;
    if (viewer >= 0)
        r->viewer = viewer;
}

struct reference_node *reference_root(const struct reference *r, int player)
{
    const struct reference_outcome *outcome = r->root[r->trees > 1 ? player : 0].outcomes;
    uint64_t key = r->keyed ? node_key(r, r->root_state, player) : 0;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    return outcome && outcome->node && outcome->node->mover == player ? outcome->node : NULL;
}

struct reference_edge *reference_root_edge(struct reference *r, int tree)
{
    return &r->root[tree];
}

/* The edge of player's action at the root becomes what leads to the new root. */
static bool follow(struct reference *r, int player, banyan_action action)
{
    struct reference_node *node = reference_root(r, player);
    for (int i = 0; node && i < node->count; ++i) {
        struct reference_edge *edge = node->edges[i];
        if (edge->action != action || !edge->tried)
            continue;
        r->root[r->trees > 1 ? player : 0] = *edge;
        r->root_back = edge->back;
        return true;
    }
    return false;
}

/* Lists the nodes below edge that were not met before. */
static void list_nodes(struct reference *r, const struct reference_edge *edge, int round)
{
    for (struct reference_outcome *outcome = edge->outcomes; outcome; outcome = outcome->next) {
        struct reference_node *node = outcome->node;
        if (!node || node->round == round)
            continue;
        node->round = round;
        node->next = r->nodes;
        r->nodes = node;
        for (int i = 0; i < node->count; ++i)
            list_nodes(r, node->edges[i], round);
    }
}

/* Of all that might have come of the edge only what did is kept. */
static void keep_actual(struct reference *r, int player)
{
    struct reference_edge *root = &r->root[r->trees > 1 ? player : 0];
    uint64_t key = node_key(r, r->root_state, player);
    struct reference_outcome *outcome = root->outcomes;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    if (outcome)
        outcome->next = NULL;
    root->outcomes = outcome;
    root->back = r->root_back = outcome ? outcome->back : (struct reference_results){0};
}

bool reference_advance(struct reference *r, const banyan_action joint[], const void *state)
{
    unsigned movers = r->game->movers(r->root_state), next = r->game->movers(state);
    bool kept = r->options.reuse && next;
    for (int p = 0; p < r->game->players && kept; ++p)
        if (movers >> p & 1)
            kept = follow(r, p, joint[p]);
    if (!kept)
        forget(r);
    place_root(r, state);
    for (int p = 0; p < r->game->players && kept; ++p)
        if (r->keyed && !(r->game->traits & BANYAN_HIDDEN) && next >> p & 1)
            keep_actual(r, p);
    r->nodes = NULL;
    ++r->round;
    for (int t = 0; t < r->trees; ++t)
        list_nodes(r, &r->root[t], r->round);
    return kept;
}

void reference_root_values(const struct reference *r, float *out)
{
    double sums[BANYAN_MAX_PLAYERS] = {0}, visits = 0;
    for (const struct reference_result *i = r->root_back.first; i; i = i->next, ++visits)
        for (int p = 0; p < r->game->players; ++p)
            sums[p] += (double)i->values[p];
    for (int p = 0; p < r->game->players; ++p)
        out[p] = visits > 0 ? (float)(sums[p] / visits) : NAN;
}

/* --- reading the root --- */

static void fill_row(const struct reference *r, const struct reference_node *node,
                     const struct reference_edge *edge, struct banyan_root_move *row)
{
    uint64_t visits = reference_edge_visits(edge);
    *row = (struct banyan_root_move){
        .action = edge->action,
        .visits = (uint32_t)visits,
        .mean = visits ? reference_edge_sum(r, node, edge) / (double)visits : NAN,
        .prior = r->priors ? edge->prior : NAN,
        .lo = r->game->return_min,
        .hi = r->game->return_max};
    if (!r->solver || !edge->tried)
        return;
    struct reference_bounds bounds = reference_edge_bounds(r, edge);
    row->lo = node->mover == 0 ? bounds.lo : (float)(constant_sum(r) - (double)bounds.hi);
    row->hi = node->mover == 0 ? bounds.hi : (float)(constant_sum(r) - (double)bounds.lo);
}

/* The most visited first, then by number. */
static int compare_rows(const void *a, const void *b)
{
    const struct banyan_root_move *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    return x->action < y->action ? -1 : x->action > y->action;
}

int reference_root_moves(struct reference *r, int player, struct banyan_root_move *rows)
{
    struct reference_node *node = reference_root(r, player);
    int count = node ? node->count : 0;
    for (int i = 0; i < count; ++i)
        fill_row(r, node, node->edges[i], &rows[i]);
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    return count;
}

/* --- making a search --- */

/* Bounds are proven in games of one player, or of two with a constant sum who are opponents,
 * without luck and secrets. */
static bool is_solvable(const struct reference *r)
{
    const struct banyan_game *game = r->game;
    const struct banyan_search_options *options = &r->options;
    bool friends = options->opponents == BANYAN_OPPONENTS_COALITION && game->players == 2 &&
                   options->side[0] == options->side[1];
    bool opposed = game->players == 1 || (game->players == 2 && game->traits & BANYAN_ZERO_SUM);
    return options->solver && opposed && !friends && !r->keyed && !options->transpositions &&
           options->rule != BANYAN_RULE_REGRET;
}

static bool has_priors(const struct reference *r)
{
    const struct banyan_search_options *options = &r->options;
    return options->rule == BANYAN_RULE_PUCT || options->rule == BANYAN_RULE_GUMBEL ||
           r->evaluator->wants_actions || (r->evaluator->game_priors && r->game->priors) ||
           options->progressive_bias > 0 || (options->widen_factor > 0 && r->game->priors);
}

struct reference *reference_create(const struct banyan_game *game,
                                   const struct banyan_search_options *options,
                                   struct banyan_evaluator *evaluator)
{
    struct reference *r = calloc(1, sizeof *r);
    assert(r);
    r->game = game;
    r->options = *options;
    r->evaluator = evaluator;
    banyan_rng_seed(&r->rng, options->seed);
    banyan_dice_drawn(&r->dice, &r->rng);
    r->trees = game->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN) ? game->players : 1;
    r->keyed = game->traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN);
    r->priors = has_priors(r);
    r->solver = is_solvable(r);
    r->short_ucb1 = options->rule == BANYAN_RULE_UCB1 && options->children_first && !r->solver &&
                    options->batch == 1 && options->progressive_bias <= 0 &&
                    options->widen_factor <= 0 && !(game->traits & BANYAN_HIDDEN);
    bool at_once = evaluator->wants_actions || options->rule == BANYAN_RULE_REGRET;
    r->expand_visits = options->expand_visits ? options->expand_visits : at_once ? 1 : 2;
    if (evaluator->wants_actions)
        r->expand_visits = 1;
    r->root_state = take(r, game->state_size);
    r->worlds = take(r, game->state_size * (size_t)(options->worlds + 1));
    r->simulations = take(r, (size_t)options->batch * sizeof *r->simulations);
    for (int i = 0; i < options->batch; ++i) {
        struct simulation *simulation = &r->simulations[i];
        simulation->state = take(r, game->state_size);
        simulation->steps =
            take(r, (size_t)(game->max_plies * game->players) * sizeof *simulation->steps);
        for (int p = 0; p < game->players; ++p) {
            simulation->actions[p] = take(r, ACTIONS_MAX * sizeof(banyan_action));
            simulation->priors[p] = take(r, ACTIONS_MAX * sizeof(float));
        }
    }
    return r;
}

void reference_destroy(struct reference *r)
{
    for (struct block *block = r->memory, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(r);
}

const struct reference_node *reference_disputed(const struct reference *r, banyan_action *own)
{
    *own = r->own_choice;
    return r->disputed;
}

void reference_choices(const struct reference *r, uint64_t *choices, uint64_t *ties)
{
    *choices = r->choices;
    *ties = r->ties;
}
