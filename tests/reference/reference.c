/* A plain Monte Carlo tree search: the textbook's algorithms over lists of results. */
#include "reference/reference.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ending { OPEN, FINISHED, KNOWN, COLLISION, GOES_ON };

struct step {
    struct plain_node *node;
    struct plain_edge *edge;
    struct plain_outcome *outcome; /* by which the node was found */
    float probability;
    uint64_t offered;
};

/* From the root to a leaf and back. */
struct plain_simulation {
    bool busy, exact;
    unsigned char *state;
    struct step *steps; /* [length] */
    int length, depth;
    unsigned movers;
    float values[BANYAN_MAX_PLAYERS];
    struct plain_edge *above[BANYAN_MAX_PLAYERS];      /* by tree: the last edge taken */
    struct plain_outcome *arrived[BANYAN_MAX_PLAYERS]; /* by mover, at the leaf */
    struct plain_node *made[BANYAN_MAX_PLAYERS];       /* by mover, where it ended */
    banyan_action *actions[BANYAN_MAX_PLAYERS];
    float *priors[BANYAN_MAX_PLAYERS];
};

enum { BLOCK_BYTES = 1 << 16 };

struct plain_block {
    struct plain_block *next;
    _Alignas(16) unsigned char bytes[BLOCK_BYTES];
};

/* Zeroed memory that lives as long as the search. */
static void *take(struct plain *r, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    assert(bytes <= BLOCK_BYTES);
    if (!r->memory || r->block_used + bytes > BLOCK_BYTES) {
        struct plain_block *block = calloc(1, sizeof *block);
        assert(block);
        block->next = r->memory;
        r->memory = block;
        r->block_used = 0;
    }
    r->block_used += bytes;
    return r->memory->bytes + r->block_used - bytes;
}

static void add(struct plain *r, struct plain_results *results, const struct plain_result *result)
{
    struct plain_result *copy = take(r, sizeof *copy);
    *copy = *result;
    copy->next = NULL;
    if (results->last)
        results->last->next = copy;
    else
        results->first = copy;
    results->last = copy;
}

/* --- what players want --- */

static struct plain_bounds all_returns(const struct plain *r)
{
    return (struct plain_bounds){r->game->return_min, r->game->return_max};
}

/* Of two players' returns; half of it is the middle of the range. */
static double constant_sum(const struct plain *r)
{
    return (double)r->game->return_min + (double)r->game->return_max;
}

/* What player wants to be high, in return units.  max^n: the own return; paranoid: the others want
 * little for the player who searches; coalition: the mean return of the own side. */
static double utility(const struct plain *r, const float *values, int player)
{
    const int *side = r->options.side;
    double sum = 0, friends = 0;
    if (r->options.opponents == BANYAN_OPPONENTS_PARANOID && player != r->viewer)
        return constant_sum(r) - (double)values[r->viewer];
    if (r->options.opponents != BANYAN_OPPONENTS_COALITION)
        return values[player];
    for (int q = 0; q < r->game->players; ++q)
        friends += side[q] == side[player];
    for (int q = 0; q < r->game->players; ++q)
        sum += side[q] == side[player] ? 1.0 / friends * (double)values[q] : 0;
    return sum;
}

static double reward_width(const struct plain *r)
{
    double range = (double)r->game->return_max - (double)r->game->return_min;
    return r->options.raw_rewards || range <= 0 ? 1 : range;
}

/* Utility scaled to [0,1], unless options.raw_rewards. */
static double reward(const struct plain *r, double value)
{
    return r->options.raw_rewards ? value : (value - r->game->return_min) / reward_width(r);
}

/* --- what lists of results say --- */

uint64_t plain_edge_visits(const struct plain_edge *edge)
{
    uint64_t visits = 0;
    for (const struct plain_result *i = edge->back.first; i; i = i->next)
        visits += i->visits;
    return visits;
}

double plain_edge_sum(const struct plain_edge *edge)
{
    double sum = 0;
    for (const struct plain_result *i = edge->back.first; i; i = i->next)
        sum += (double)i->visits * utility(edge->node->search, i->values, edge->node->mover);
    return sum;
}

/* A book's visits are taken to be as far apart as their mean allows: all at the ends. */
static double edge_squares(const struct plain_edge *edge)
{
    const struct plain *r = edge->node->search;
    double sum = 0, ends = (double)r->game->return_min * (double)r->game->return_max;
    for (const struct plain_result *i = edge->back.first; i; i = i->next) {
        double value = utility(r, i->values, edge->node->mover);
        sum += (double)i->visits * (i->from_book ? value * constant_sum(r) - ends : value * value);
    }
    return sum;
}

uint64_t plain_node_visits(const struct plain_node *node)
{
    uint64_t visits = node->before + node->ended;
    for (const struct plain_result *i = node->back.first; i; i = i->next)
        visits += i->visits;
    return visits;
}

/* Visits and those in flight: what exploration counts (WU-UCT, Liu et al. 2020). */
static double edge_arrivals(const struct plain_edge *edge)
{
    return (double)(plain_edge_visits(edge) + edge->in_flight);
}

static double node_arrivals(const struct plain_node *node)
{
    return (double)(plain_node_visits(node) + node->in_flight);
}

/* --- proven bounds (Cazenave and Saffidine 2010) --- */

static bool proven(struct plain_bounds bounds)
{
    return bounds.lo >= bounds.hi;
}

/* What the mover can enforce, and what the others cannot prevent: the best of all actions; one that
 * is untried, or whose first visit is in flight, may still be worth anything. */
static struct plain_bounds node_bounds(const struct plain_node *node)
{
    const struct plain *r = node->search;
    bool first = node->mover == 0;
    float worst = first ? r->game->return_min : r->game->return_max;
    struct plain_bounds best = {worst, worst};
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *own = node->edges[i];
        bool heard = own->tried && (own->back.first || !own->in_flight);
        struct plain_bounds edge = heard ? plain_edge_bounds(own) : all_returns(r);
        best.lo = first ? fmaxf(best.lo, edge.lo) : fminf(best.lo, edge.lo);
        best.hi = first ? fmaxf(best.hi, edge.hi) : fminf(best.hi, edge.hi);
    }
    return best;
}

struct plain_bounds plain_edge_bounds(const struct plain_edge *edge)
{
    struct plain_bounds bounds = edge->known;
    if (proven(bounds) || !edge->outcomes || !edge->outcomes->node)
        return bounds;
    struct plain_bounds below = node_bounds(edge->outcomes->node);
    return (struct plain_bounds){fmaxf(bounds.lo, below.lo), fminf(bounds.hi, below.hi)};
}

struct plain_bounds plain_root_bounds(const struct plain *r)
{
    const struct plain_outcome *outcome = r->root[0].outcomes;
    return outcome && outcome->node ? node_bounds(outcome->node) : all_returns(r);
}

/* As the mover sees them: on the own return. */
static struct plain_bounds own_bounds(const struct plain_edge *edge)
{
    struct plain_bounds bounds = plain_edge_bounds(edge);
    double sum = constant_sum(edge->node->search);
    if (edge->node->mover == 0)
        return bounds;
    return (struct plain_bounds){(float)(sum - (double)bounds.hi),
                                 (float)(sum - (double)bounds.lo)};
}

/* Whether edge cannot give more than what another one that was tried guarantees. */
static bool pruned(const struct plain_edge *edge)
{
    struct plain_bounds own = own_bounds(edge);
    float sure = -INFINITY;
    for (int i = 0; i < edge->node->count; ++i)
        if (edge->node->edges[i]->tried)
            sure = fmaxf(sure, own_bounds(edge->node->edges[i]).lo);
    return edge->node->search->solver && edge->tried &&
           (own.hi < sure || (own.hi <= sure && own.lo < sure));
}

/* --- means --- */

/* Of all that went on from here; before anything came back, the middle of the range. */
static double node_mean(const struct plain_node *node)
{
    double sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        sum += plain_edge_sum(node->edges[i]);
        visits += (double)plain_edge_visits(node->edges[i]);
    }
    return visits > 0 ? sum / visits : constant_sum(node->search) / 2;
}

/* The proven value, else the mean of what came back, else what is said of unvisited edges. */
static double edge_mean(const struct plain_edge *edge, double unvisited)
{
    if (edge->node->search->solver && edge->tried && proven(own_bounds(edge)))
        return own_bounds(edge).lo;
    uint64_t visits = plain_edge_visits(edge);
    return visits ? plain_edge_sum(edge) / (double)visits : unvisited;
}

/* --- choosing by score --- */

static bool is_offered(const struct plain_edge *edge, uint64_t offered)
{
    return offered >> edge->id & 1;
}

static bool counts_availability(const struct plain *r)
{
    return r->options.availability && r->game->traits & BANYAN_HIDDEN;
}

/* How often an action could be chosen: the visits of the node, or with availability those of them at
 * which it was on offer. */
static double chances(const struct plain_edge *edge)
{
    double missed = counts_availability(edge->node->search) ? (double)edge->missed : 0;
    return node_arrivals(edge->node) - missed;
}

/* The highest score, the first of equal ones; what the other search chose counts as equal within
 * 1e-9.  -1: all are -INFINITY. */
static int best_of(struct plain *r, const struct plain_node *node, const double *scores)
{
    const struct plain_told *told = r->told_next < r->told_count ? &r->told[r->told_next] : NULL;
    int best = -1;
    for (int i = 0; i < node->count; ++i)
        if (scores[i] > (best < 0 ? -INFINITY : scores[best]))
            best = i;
    for (int i = 0; told && best >= 0 && i < node->count; ++i)
        if (i != best && node->edges[i]->action == told->action &&
            (scores[i] >= scores[best] || scores[best] - scores[i] < 1e-9)) {
            ++r->ties;
            return i;
        }
    return best;
}

/* Progressive widening (Coulom 2007): whether one more action may be tried. */
static bool widening_admits(const struct plain_node *node)
{
    const struct banyan_search_options *options = &node->search->options;
    int tried = 0;
    while (tried < node->count && node->edges[tried]->tried)
        ++tried;
    return options->widen_factor <= 0 || tried == 0 ||
           tried < options->widen_factor *
                       numeric_pow((double)plain_node_visits(node), options->widen_power);
}

/* The action that is tried next if any is: of highest prior, or first in the list; -1: none.  Where
 * all are offered it changes places with the first that was not tried. */
static int next_untried(struct plain *r, struct plain_node *node, uint64_t offered)
{
    double scores[PLAIN_ACTIONS];
    int first = 0;
    if (!widening_admits(node))
        return -1;
    for (int i = 0; i < node->count; ++i) {
        bool may = !node->edges[i]->tried && is_offered(node->edges[i], offered);
        scores[i] = !may ? -INFINITY : r->priors ? (double)node->edges[i]->prior : -(double)i;
        first += node->edges[i]->tried;
    }
    int next = best_of(r, node, scores);
    if (next < 0 || ~offered & (UINT64_MAX >> (64 - node->count)))
        return next;
    struct plain_edge *edge = node->edges[next];
    node->edges[next] = node->edges[first];
    node->edges[first] = edge;
    return first;
}

/* UCB1 (Auer et al. 2002): mean + 2 Cp sqrt(ln n / n_j), and the progressive bias of Chaslot et al.
 * 2008. */
static double ucb1(const struct plain_edge *edge, double mean, double visits, double edge_visits)
{
    const struct plain *r = edge->node->search;
    double ln = visits > 1 ? numeric_ln(visits) : 0, width = sqrt(1 / edge_visits);
    width = r->short_ucb1 ? (double)(float)width : width;
    return reward(r, mean) + 2 * r->options.exploration * sqrt(ln) * width +
           r->options.progressive_bias * (double)edge->prior / (edge_visits + 1);
}

/* UCB1-tuned (Auer et al. 2002, section 4): the variance bounds the exploration. */
static double tuned(const struct plain_edge *edge, double mean, double visits, double edge_visits)
{
    const struct plain *r = edge->node->search;
    double ln = visits > 1 ? numeric_ln(visits) : 0, variance = 0.25;
    double done = (double)plain_edge_visits(edge), width = reward_width(r);
    if (done > 0) {
        double own = plain_edge_sum(edge) / done;
        variance = (edge_squares(edge) / done - own * own) / (width * width);
    }
    double bound = (variance > 0 ? variance : 0) + sqrt(2 * ln / edge_visits);
    return reward(r, mean) + sqrt(ln / edge_visits * (bound < 0.25 ? bound : 0.25));
}

static const double first_of_all = 1e200, before_all_tried = 1e100;

/* Every action once before any twice; with children-first=off an unvisited one competes with its
 * node's mean as if visited once. */
static void score_bandit(struct plain *r, struct plain_node *node, uint64_t offered, double *scores)
{
    bool is_tuned = r->options.rule == BANYAN_RULE_UCB1_TUNED;
    bool children_first = r->options.children_first || is_tuned;
    double unvisited = node_mean(node);
    int next = next_untried(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        double visits = chances(edge), arrivals = edge_arrivals(edge);
        double mean = edge_mean(edge, unvisited);
        bool may = is_offered(edge, offered) && (edge->tried || i == next) && !pruned(edge);
        if (!may)
            scores[i] = -INFINITY;
        else if (arrivals == 0 && children_first)
            scores[i] = edge->tried ? before_all_tried : first_of_all;
        else if (arrivals == 0)
            scores[i] = ucb1(edge, unvisited, visits, 1);
        else
            scores[i] = (is_tuned ? tuned : ucb1)(edge, mean, visits, arrivals);
    }
}

/* PUCT's factor of the prior. */
static double urge(const struct plain *r, double visits)
{
    double base = r->options.puct_log_base;
    double c = r->options.cpuct + (base > 0 ? numeric_ln((visits + base + 1) / base) : 0);
    return c * sqrt(visits);
}

/* KataGo's forced playouts (Wu 2019, section 3.2): at the root, n_j >= sqrt(2 P n). */
static bool forced(const struct plain_edge *edge, double visits)
{
    const struct plain *r = edge->node->search;
    double arrivals = edge_arrivals(edge);
    return r->options.forced_playouts && r->explores && arrivals > 0 &&
           arrivals * arrivals < 2 * (double)edge->prior * visits;
}

/* PUCT (Silver et al. 2017): Q + c(n) P sqrt(n) / (1 + n_j).  A child that was never visited has the
 * mean of its node less fpu * sqrt(sum of the priors of the visited ones) (Leela Chess Zero). */
static void score_puct(struct plain *r, struct plain_node *node, uint64_t offered, bool is_root,
                       double *scores)
{
    const struct banyan_search_options *options = &r->options;
    double mass = 0;
    for (int i = 0; i < node->count; ++i)
        if (is_offered(node->edges[i], offered) && edge_arrivals(node->edges[i]) > 0)
            mass += (double)node->edges[i]->prior;
    double unvisited = reward(r, node_mean(node)) - options->fpu * sqrt(mass);
    int next = next_untried(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        double q = plain_edge_visits(edge) ? reward(r, edge_mean(edge, 0)) : unvisited;
        double visits = chances(edge);
        scores[i] = q + urge(r, visits) * (double)edge->prior / (1 + edge_arrivals(edge));
        if (!is_offered(edge, offered) || (!edge->tried && i != next) || pruned(edge))
            scores[i] = -INFINITY;
        else if (is_root && forced(edge, visits))
            scores[i] = first_of_all;
    }
}

/* --- Gumbel (Danihelka et al. 2022) --- */

/* logit + sigma(q), sigma(q) = (visit + most visits) * scale * q; q of unvisited actions is the mean
 * of the node. */
static double improved_logit(const struct plain_edge *edge)
{
    const struct plain_node *node = edge->node;
    const struct banyan_search_options *options = &node->search->options;
    double logit = edge->prior > 0 ? numeric_ln((double)edge->prior + 1e-30) : -69, most = 0;
    for (int i = 0; i < node->count; ++i)
        most = fmax(most, (double)plain_edge_visits(node->edges[i]));
    bool visited = plain_edge_visits(edge) > 0;
    double q = reward(node->search, visited ? edge_mean(edge, 0) : node_mean(node));
    return logit + (options->gumbel_visit + most) * options->gumbel_scale * q;
}

/* Sequential halving: how often those that are still considered have been visited when simulation
 * number `index` of `planned` begins, with `considered` actions at first. */
static uint64_t halving_visits(int considered, int64_t planned, int64_t index)
{
    int halvings = 0;
    while (1 << halvings < considered)
        ++halvings;
    if (halvings == 0)
        return (uint64_t)index;
    uint64_t visits = 0;
    for (int64_t begin = 0, alive = considered;; alive = alive / 2 > 2 ? alive / 2 : 2) {
        int64_t rounds = planned / (halvings * alive);
        for (int64_t k = 0; k < (rounds > 1 ? rounds : 1); ++k, ++visits, begin += alive)
            if (index < begin + alive)
                return visits;
    }
}

/* Actions may come to the root later, where cards are hidden: theirs is drawn then. */
static void draw_gumbel(struct plain *r, const struct plain_node *node)
{
    for (; r->gumbel_count < node->count; ++r->gumbel_count)
        r->gumbel[node->edges[r->gumbel_count]->id] =
            -numeric_ln(-numeric_ln(rng_unit(&r->rng) * (1 - 0x1p-52) + 0x1p-60));
}

/* Where nobody knows how many simulations are to come, halving begins again and again, each time with
 * twice as many. */
static void begin_halving(struct plain *r, const struct plain_node *node)
{
    int most = r->options.gumbel_actions, doubled = r->gumbel_done > 0;
    r->gumbel_considered = most < node->count ? most : node->count;
    r->gumbel_budget = r->planned > 0 ? r->planned
                       : doubled      ? 2 * r->gumbel_budget
                                      : 16 * (int64_t)r->gumbel_considered;
    r->gumbel_done = 0;
    for (int i = 0; i < node->count; ++i)
        r->gumbel_before[node->edges[i]->id] = (uint64_t)edge_arrivals(node->edges[i]);
}

/* The best, with noise, of those that were visited as often as it is their turn to be. */
static void score_gumbel_root(struct plain *r, const struct plain_node *node, uint64_t offered,
                              double *scores)
{
    draw_gumbel(r, node);
    if (r->gumbel_done == 0 || (r->planned <= 0 && r->gumbel_done == r->gumbel_budget))
        begin_halving(r, node);
    double target =
        (double)halving_visits(r->gumbel_considered, r->gumbel_budget, r->gumbel_done++);
    bool any = false;
    for (int pass = 0; pass < 2 && !any; ++pass) /* second: those that were visited less often */
        for (int i = 0; i < node->count; ++i) {
            const struct plain_edge *edge = node->edges[i];
            double visits = edge_arrivals(edge) - (double)r->gumbel_before[edge->id];
            bool may = is_offered(edge, offered) && !pruned(edge) &&
                       (visits == target || (pass && visits < target));
            scores[i] = may ? r->gumbel[edge->id] + improved_logit(edge) : -INFINITY;
            any = any || may;
        }
}

/* Inside: the improved policy, its softmax, less an action's share of the visits. */
static void score_gumbel_inside(const struct plain_node *node, uint64_t offered, double *scores)
{
    double top = -INFINITY, sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        visits += edge_arrivals(node->edges[i]);
        if (is_offered(node->edges[i], offered))
            top = fmax(top, improved_logit(node->edges[i]));
    }
    for (int i = 0; i < node->count; ++i) {
        scores[i] = numeric_exp(improved_logit(node->edges[i]) - top);
        sum += is_offered(node->edges[i], offered) ? scores[i] : 0;
    }
    for (int i = 0; i < node->count; ++i) {
        bool may = is_offered(node->edges[i], offered) && !pruned(node->edges[i]);
        double of = counts_availability(node->search) ? chances(node->edges[i]) : visits;
        double share = edge_arrivals(node->edges[i]) / (1 + of);
        scores[i] = may ? scores[i] / sum - share : -INFINITY;
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

/* One more result: the regret of every action on offer grows by what it would have earned more than
 * the strategy did.  For the action played that is an importance weighted sample with its mean as a
 * control variate (Schmid et al. 2019), for the others their mean. */
static void add_regret(const struct plain_result *result, double earned, int count,
                       const double *means, double *regrets)
{
    double strategy[PLAIN_ACTIONS], values[PLAIN_ACTIONS], expected = 0;
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

/* All results once more, from the first. */
void plain_regrets(const struct plain_node *node, double *out)
{
    double sums[PLAIN_ACTIONS] = {0}, visits[PLAIN_ACTIONS] = {0}, means[PLAIN_ACTIONS] = {0};
    memset(out, 0, (size_t)node->count * sizeof *out);
    for (const struct plain_result *i = node->back.first; i; i = i->next) {
        int id = i->edge->id;
        double earned = utility(node->search, i->values, node->mover);
        add_regret(i, earned, node->count, means, out);
        sums[id] += earned;
        means[id] = sums[id] / ++visits[id];
    }
}

/* Draws an index with these probabilities from a number in [0,1), or in [0, their sum). */
static int draw_index(const float *probabilities, int count, double draw)
{
    int chosen = -1;
    for (int i = 0; i < count && draw >= 0; ++i)
        if (probabilities[i] > 0) {
            chosen = i;
            draw -= (double)probabilities[i];
        }
    return chosen;
}

/* Draws an action: the strategy, mixed with a share of uniform play that falls with the visits. */
static int sample_regret(struct plain *r, struct plain_node *node, uint64_t offered,
                         float *probability)
{
    double regrets[PLAIN_ACTIONS], allowed = 0;
    float mixed[PLAIN_ACTIONS];
    struct plain_play *play = take(r, sizeof *play + (size_t)node->count * sizeof *play->strategy);
    plain_regrets(node, regrets);
    match_regrets(regrets, node->count, offered, play->strategy);
    play->next = node->plays;
    play->count = node->count;
    node->plays = play;
    for (int i = 0; i < node->count; ++i) {
        node->edges[i]->tried = true;
        allowed += (double)(offered >> i & 1);
    }
    double explore = r->options.regret_explore / sqrt(1 + (double)plain_node_visits(node) * 1e-3);
    for (int i = 0; i < node->count; ++i) {
        int id = node->edges[i]->id;
        mixed[i] =
            offered >> id & 1 ? (float)((1 - explore) * play->strategy[id] + explore / allowed) : 0;
    }
    int chosen = draw_index(mixed, node->count, rng_unit(&r->rng));
    *probability = mixed[chosen];
    return chosen;
}

/* The mean of the strategies that were played; uniform, if none was. */
void plain_average_strategy(const struct plain_node *node, double *out)
{
    double total = 0;
    memset(out, 0, (size_t)node->count * sizeof *out);
    for (const struct plain_play *play = node->plays; play; play = play->next)
        for (int i = 0; i < play->count; ++i)
            total += play->strategy[i], out[i] += play->strategy[i];
    for (int i = 0; i < node->count; ++i)
        out[i] = total > 0 ? out[i] / total : 1.0 / node->count;
}

/* --- one decision --- */

/* By the rule; an index into the node's edges. */
static int choose_by_rule(struct plain *r, struct plain_node *node, uint64_t offered, bool is_root,
                          float *probability)
{
    double scores[PLAIN_ACTIONS] = {0};
    if (r->options.rule == BANYAN_RULE_REGRET)
        return sample_regret(r, node, offered, probability);
    if (r->options.rule == BANYAN_RULE_PUCT)
        score_puct(r, node, offered, is_root, scores);
    else if (r->options.rule != BANYAN_RULE_GUMBEL)
        score_bandit(r, node, offered, scores);
    else if (is_root && node->mover == r->viewer) /* whose noise and halving these are */
        score_gumbel_root(r, node, offered, scores);
    else
        score_gumbel_inside(node, offered, scores);
    int best = best_of(r, node, scores);
    for (int i = 0; best < 0 && i < node->count; ++i)
        best = is_offered(node->edges[i], offered) ? i : best; /* nothing is worth a visit */
    return best;
}

/* A visit of a proven edge tells nothing new: every second of them goes to an action that may still
 * be better, the one visited least. */
static int instead_of_proven(const struct plain_node *node, int index)
{
    const struct plain_edge *chosen = node->edges[index];
    if (!node->search->solver || !chosen->tried || !proven(plain_edge_bounds(chosen)) ||
        plain_node_visits(node) % 2 != 0)
        return index;
    int least = -1;
    for (int i = 0; i < node->count && node->edges[i]->tried; ++i) {
        const struct plain_edge *edge = node->edges[i];
        if (!proven(plain_edge_bounds(edge)) && !pruned(edge) &&
            (least < 0 || plain_edge_visits(edge) < plain_edge_visits(node->edges[least])))
            least = i;
    }
    return least < 0 ? index : least;
}

/* The edge moves behind those that were tried before it. */
static void try_edge(struct plain_node *node, struct plain_edge *edge)
{
    int at = 0, end = 0;
    while (node->edges[at] != edge)
        ++at;
    while (end < at && node->edges[end]->tried)
        ++end;
    for (; at > end && !edge->tried; --at)
        node->edges[at] = node->edges[at - 1];
    node->edges[at] = edge;
    edge->tried = true;
}

static void draw_noise(struct plain *r);

static struct plain_edge *choose(struct plain *r, struct plain_simulation *simulation,
                                 struct plain_node *node, struct plain_outcome *outcome,
                                 uint64_t offered)
{
    float probability = 1;
    bool is_root = simulation->depth == 0;
    if (is_root)
        draw_noise(r);
    int index = node->count == 1 ? 0 : choose_by_rule(r, node, offered, is_root, &probability);
    struct plain_edge *edge = node->edges[instead_of_proven(node, index)];
    const struct plain_told *told = r->told_next < r->told_count ? &r->told[r->told_next] : NULL;
    if (told && (told->player != node->mover || told->action != edge->action) && !r->disputed) {
        r->disputed = node;
        r->own_choice = edge->action;
    }
    if (is_root && r->options.rule == BANYAN_RULE_GUMBEL && node->mover == r->viewer) {
        uint64_t of_action = rng_mix(r->gumbel_stream + edge->action);
        banyan_rng_seed(&r->rng, rng_mix(of_action + (uint64_t)edge_arrivals(edge)));
    }
    ++r->choices;
    ++r->told_next;
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->missed += !is_offered(node->edges[i], offered);
    try_edge(node, edge);
    simulation->steps[simulation->length++] =
        (struct step){node, edge, outcome, probability, offered};
    ++node->in_flight;
    ++edge->in_flight;
    return edge;
}

/* --- making nodes --- */

static uint64_t node_key(const struct plain *r, const void *state, int mover)
{
    if (!r->keyed && !r->options.transpositions)
        return 0;
    uint64_t key = r->game->key(state, mover); /* two movers who see the same are still two */
    return rng_mix(key + 0x9e3779b97f4a7c15u * (uint64_t)(mover + 1));
}

/* mover's legal actions with the game's priors, or equal ones; how many. */
static int legal_actions(const struct plain *r, const void *state, int mover,
                         banyan_action *actions, float *priors)
{
    int count = r->game->legal(state, mover, actions);
    for (int i = 0; i < count; ++i)
        priors[i] = 1.0f / (float)count;
    if (r->game->priors)
        r->game->priors(state, mover, actions, count, priors);
    return count;
}

static void add_edge(struct plain_node *node, banyan_action action, float prior)
{
    struct plain *r = node->search;
    struct plain_edge **edges = take(r, (size_t)(node->count + 1) * sizeof *edges);
    for (int i = 0; i < node->count; ++i)
        edges[i] = node->edges[i];
    node->edges = edges;
    edges[node->count] = take(r, sizeof **edges);
    *edges[node->count] = (struct plain_edge){
        .node = node, .action = action, .prior = prior, .id = node->count, .known = all_returns(r)};
    ++node->count;
}

/* A node for mover, or the one of this key that there is already.  It waits for priors if the
 * evaluator writes some. */
static struct plain_node *make_node(struct plain *r, const void *state, int mover, uint64_t before)
{
    banyan_action actions[PLAIN_ACTIONS];
    float priors[PLAIN_ACTIONS];
    uint64_t key = node_key(r, state, mover);
    for (struct plain_node *node = r->nodes; node && r->options.transpositions; node = node->next)
        if (node->key == key)
            return node;
    bool waits = r->evaluator->wants_actions, ordered = waits || (r->priors && r->game->priors);
    int count = legal_actions(r, state, mover, actions, priors);
    for (int i = count; i > 1 && r->options.order == BANYAN_ORDER_RANDOM && !ordered; --i) {
        uint32_t j = rng_below(&r->rng, (uint32_t)i);
        banyan_action action = actions[i - 1];
        actions[i - 1] = actions[j];
        actions[j] = action;
    }
    struct plain_node *node = take(r, sizeof *node);
    *node = (struct plain_node){.search = r,
                                .key = key,
                                .mover = mover,
                                .before = before,
                                .waiting = waits,
                                .state = take(r, r->game->state_size),
                                .next = r->nodes};
    memcpy(node->state, state, r->game->state_size);
    for (int i = 0; i < count; ++i)
        add_edge(node, actions[i], priors[i]);
    return r->nodes = node;
}

static void receive_priors(struct plain_node *node, const float *priors)
{
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->prior = priors[node->edges[i]->id];
    node->waiting = false;
}

/* Those of an evaluator that brings none. */
static void receive_default_priors(struct plain *r, struct plain_node *node, const void *state)
{
    banyan_action actions[PLAIN_ACTIONS];
    float priors[PLAIN_ACTIONS];
    legal_actions(r, state, node->mover, actions, priors);
    receive_priors(node, priors);
}

static struct plain_edge *find_edge(const struct plain_node *node, banyan_action action)
{
    for (int i = 0; i < node->count; ++i)
        if (node->edges[i]->action == action)
            return node->edges[i];
    return NULL;
}

/* Which of node's actions are legal in state: a set of ids.  What node did not know is added. */
static uint64_t offered_actions(struct plain *r, struct plain_node *node, const void *state)
{
    banyan_action actions[PLAIN_ACTIONS];
    float priors[PLAIN_ACTIONS];
    uint64_t offered = 0;
    int count = legal_actions(r, state, node->mover, actions, priors);
    for (int i = 0; i < count; ++i) {
        if (!find_edge(node, actions[i])) {
            add_edge(node, actions[i], priors[i]);
            find_edge(node, actions[i])->missed = (uint64_t)node_arrivals(node);
        }
        offered |= (uint64_t)1 << find_edge(node, actions[i])->id;
    }
    return offered;
}

/* --- the way down --- */

/* The outcome of this key; a new one, unless the tree is full. */
static struct plain_outcome *outcome_of(struct plain *r, struct plain_edge *edge, uint64_t key)
{
    struct plain_outcome *outcome = edge->outcomes;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    if (outcome || (r->full && r->keyed))
        return outcome;
    outcome = take(r, sizeof *outcome);
    *outcome = (struct plain_outcome){.key = key, .next = edge->outcomes};
    return edge->outcomes = outcome;
}

enum arrival { READY, NEW, EARLY, NOWHERE };

/* Mover comes to an outcome of the last edge, and a node is made there if it is time: on visit number
 * expand_visits, at once within the prebuilt tree, and at the root if it has priors, since noise is
 * drawn between simulations.  A simulation ends where a node waits for priors, and where it is the
 * first that comes, outside the prebuilt tree. */
static enum arrival arrive(struct plain *r, struct plain_simulation *simulation, int mover)
{
    struct plain_edge *above = simulation->above[r->trees > 1 ? mover : 0];
    uint64_t key = r->keyed ? node_key(r, simulation->state, mover) : 0;
    struct plain_outcome *outcome = simulation->arrived[mover] = outcome_of(r, above, key);
    if (!outcome)
        return NOWHERE;
    uint64_t before = outcome->arrivals++;
    uint64_t at = simulation->depth == 0 && r->priors ? 1 : (uint64_t)r->expand_visits;
    bool prebuilt = simulation->depth < r->options.prebuild_depth;
    struct plain_node *newest = r->nodes;
    if (!outcome->node && !r->full && (before + 1 >= at || prebuilt))
        outcome->node = make_node(r, simulation->state, mover, before);
    bool ends = r->evaluator->wants_actions || (at == 1 && before == 0 && !prebuilt);
    if (r->nodes == newest || !ends)
        return outcome->node ? READY : EARLY;
    simulation->made[mover] = outcome->node;
    return NEW;
}

/* Where others go on, so does a mover who has no node yet, or one that is only just made. */
static bool settle(struct plain *r, struct plain_simulation *simulation, int mover)
{
    struct plain_outcome *outcome = simulation->arrived[mover];
    struct plain_node *newest = r->nodes;
    if (!outcome->node && !r->full)
        outcome->node = make_node(r, simulation->state, mover, outcome->arrivals - 1);
    if (!outcome->node)
        return false;
    if (outcome->node->waiting && (r->nodes != newest || simulation->made[mover]))
        receive_default_priors(r, outcome->node, simulation->state);
    simulation->made[mover] = NULL;
    return true;
}

/* All movers arrive.  The simulation goes on where one of them has a node already. */
static enum ending meet(struct plain *r, struct plain_simulation *simulation)
{
    enum arrival arrivals[BANYAN_MAX_PLAYERS];
    bool ready = false, stuck = false;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        arrivals[p] = arrive(r, simulation, p);
        ready = ready || arrivals[p] == READY;
        stuck = stuck || arrivals[p] == NOWHERE;
    }
    if (!ready || stuck)
        return OPEN;
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->movers >> p & 1 && arrivals[p] != READY && !settle(r, simulation, p))
            return OPEN;
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->movers >> p & 1 && simulation->arrived[p]->node->waiting)
            return COLLISION;
    return GOES_ON;
}

/* All movers choose, and the game goes on. */
static void play(struct plain *r, struct plain_simulation *simulation)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct plain_edge *edge = NULL;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        struct plain_outcome *outcome = simulation->arrived[p];
        uint64_t offered = offered_actions(r, outcome->node, simulation->state);
        edge = choose(r, simulation, outcome->node, outcome, offered);
        simulation->above[r->trees > 1 ? p : 0] = edge;
        simulation->arrived[p] = NULL;
        joint[p] = edge->action;
    }
    r->game->apply(simulation->state, joint, &r->dice);
    ++simulation->depth;
    if (r->solver && r->game->bounds && edge_arrivals(edge) <= 1) /* what the rules say at once */
        r->game->bounds(simulation->state, 0, &edge->known.lo, &edge->known.hi);
}

static enum ending descend(struct plain *r, struct plain_simulation *simulation)
{
    simulation->movers = r->game->movers(simulation->state);
    memset(simulation->arrived, 0, sizeof simulation->arrived);
    if (!simulation->movers) {
        r->game->returns(simulation->state, simulation->values);
        return FINISHED;
    }
    struct plain_edge *above = simulation->above[0];
    if (r->solver && simulation->length > 0 && proven(plain_edge_bounds(above))) {
        simulation->arrived[0] = outcome_of(r, above, 0);
        ++simulation->arrived[0]->arrivals;
        simulation->values[0] = plain_edge_bounds(above).lo;
        simulation->values[1] = (float)(constant_sum(r) - (double)simulation->values[0]);
        return KNOWN;
    }
    enum ending ending = meet(r, simulation);
    if (ending != GOES_ON)
        return ending;
    play(r, simulation);
    return descend(r, simulation);
}

/* --- the way up --- */

static void back_up(struct plain *r, struct plain_simulation *simulation, enum ending ending)
{
    struct plain_result result = {.visits = 1};
    memcpy(result.values, simulation->values, sizeof result.values);
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->made[p])
            ++simulation->made[p]->ended;
    for (int i = 0; i < simulation->length; ++i) {
        struct step *step = &simulation->steps[i];
        result.edge = step->edge;
        result.probability = step->probability;
        result.offered = step->offered;
        add(r, &step->edge->back, &result);
        add(r, &step->node->back, &result);
        --step->node->in_flight;
        --step->edge->in_flight;
    }
    add(r, &r->through_root, &result);
    ++r->simulated;
    bool exact = ending == FINISHED || simulation->exact;
    if (r->solver && exact && simulation->length > 0)
        simulation->steps[simulation->length - 1].edge->known =
            (struct plain_bounds){simulation->values[0], simulation->values[0]};
}

/* As if it had never begun. */
static void take_back(struct plain *r, struct plain_simulation *simulation)
{
    for (int i = 0; i < simulation->length; ++i) {
        struct plain_node *node = simulation->steps[i].node;
        for (int e = 0; e < node->count; ++e)
            node->edges[e]->missed -= !is_offered(node->edges[e], simulation->steps[i].offered);
        --node->in_flight;
        --simulation->steps[i].edge->in_flight;
        --simulation->steps[i].outcome->arrivals;
    }
    for (int p = 0; p < r->game->players; ++p) {
        if (simulation->arrived[p])
            --simulation->arrived[p]->arrivals;
        if (simulation->made[p] && simulation->made[p]->waiting)
            receive_default_priors(r, simulation->made[p], simulation->state);
    }
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
        if (v <= 0)
            continue;
        double u = rng_unit(rng) + 0x1p-60;
        v = v * v * v;
        if (numeric_ln(u) < 0.5 * x * x + d - d * v + d * numeric_ln(v))
            return d * v;
    }
}

/* Dirichlet noise in the priors (Silver et al. 2017), Gumbel noise for the player who searches. */
static void draw_noise_of(struct plain *r, struct plain_node *node)
{
    double noise[PLAIN_ACTIONS], sum = 0, weight = r->options.noise_weight;
    if (weight > 0 && r->explores && r->priors) {
        for (int i = 0; i < node->count; ++i)
            sum += noise[i] = draw_gamma(&r->rng, r->options.noise_alpha);
        for (int i = 0; i < node->count; ++i)
            node->edges[i]->prior = (float)((1 - weight) * (double)node->edges[i]->prior +
                                            weight * (sum > 0 ? noise[i] / sum : 0));
    }
    if (r->options.rule == BANYAN_RULE_GUMBEL && node->mover == r->viewer) {
        draw_gumbel(r, node);
        r->gumbel_stream = rng_next(&r->rng);
    }
}

/* Each mover's node has its noise once, as soon as it stands.  With hidden cards only the player who
 * searches has a node at the root. */
static void draw_noise(struct plain *r)
{
    unsigned movers = r->game->movers(r->root_state);
    for (int p = 0; p < r->game->players; ++p) {
        bool has_node = movers >> p & 1 && (!(r->game->traits & BANYAN_HIDDEN) || p == r->viewer);
        struct plain_node *node = has_node ? plain_root(r, p) : NULL;
        if (!node || node->waiting || r->noise_drawn >> p & 1)
            continue;
        draw_noise_of(r, node);
        r->noise_drawn |= 1u << p;
    }
}

/* --- ask and tell --- */

static bool draws_all(const struct plain *r)
{
    bool regret = r->options.rule == BANYAN_RULE_REGRET;
    return r->options.draw == BANYAN_DRAW_ALL || (r->options.draw == BANYAN_DRAW_AUTO && regret);
}

/* A full state that the searching player must hold possible; or what every player must, one after
 * the other, from the state that was drawn last. */
static void draw_state(struct plain *r, void *out)
{
    const struct banyan_sampler *sampler = &r->options.sampler;
    memcpy(out, r->root_state, r->game->state_size);
    if (sampler->sample)
        sampler->sample(sampler->ctx, r->root_state, r->viewer, out, &r->rng);
    else if (!draws_all(r))
        r->game->determinize(out, r->viewer, &r->rng);
    else {
        for (int p = 0; p < r->game->players; ++p)
            r->game->determinize(r->drawn, p, &r->rng);
        memcpy(out, r->drawn, r->game->state_size);
    }
}

/* At the root, in a state of its own or in one of the worlds that all simulations share. */
static void begin(struct plain *r, struct plain_simulation *simulation)
{
    size_t size = r->game->state_size;
    int worlds = r->options.worlds, world = r->worlds_drawn;
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
    if (world < worlds)
        draw_state(r, r->worlds + size * (size_t)r->worlds_drawn++);
    else
        world = (int)rng_below(&r->rng, (uint32_t)worlds);
    memcpy(simulation->state, r->worlds + size * (size_t)world, size);
}

static void fill_leaf(struct plain *r, struct plain_simulation *simulation,
                      struct banyan_leaf *leaf)
{
    *leaf = (struct banyan_leaf){.game = r->game,
                                 .state = simulation->state,
                                 .movers = simulation->movers,
                                 .rng = &r->rng,
                                 .ticket = (uint32_t)(simulation - r->simulations)};
    for (int p = 0; p < r->game->players && r->evaluator->wants_actions; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        leaf->count[p] = r->game->legal(simulation->state, p, simulation->actions[p]);
        leaf->actions[p] = simulation->actions[p];
        leaf->priors[p] = simulation->priors[p];
    }
}

int plain_select(struct plain *r, struct banyan_leaf *leaves, int max)
{
    int found = 0;
    for (int i = 0; i < max && r->waiting < (uint64_t)r->options.batch; ++i) {
        struct plain_simulation *simulation = r->simulations;
        while (simulation->busy)
            ++simulation;
        draw_noise(r);
        begin(r, simulation);
        enum ending ending = descend(r, simulation);
        if (ending == COLLISION) { /* a leaf that waits is not asked for twice */
            take_back(r, simulation);
            break;
        }
        if (ending == OPEN) {
            simulation->busy = true;
            ++r->waiting;
            fill_leaf(r, simulation, &leaves[found++]);
            continue;
        }
        back_up(r, simulation, ending);
    }
    return found;
}

void plain_update(struct plain *r, const struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i) {
        struct plain_simulation *simulation = &r->simulations[leaves[i].ticket];
        memcpy(simulation->values, leaves[i].values, sizeof simulation->values);
        simulation->exact = leaves[i].exact;
        for (int p = 0; p < r->game->players; ++p)
            if (simulation->made[p] && simulation->made[p]->waiting)
                receive_priors(simulation->made[p], simulation->priors[p]);
        back_up(r, simulation, OPEN);
        simulation->busy = false;
        --r->waiting;
    }
}

void plain_plan(struct plain *r, int64_t simulations, bool explore)
{
    r->planned = simulations;
    r->gumbel_done = 0;
    r->explores = explore;
}

/* --- the root --- */

struct plain_node *plain_root(const struct plain *r, int player)
{
    const struct plain_outcome *outcome = r->root[r->trees > 1 ? player : 0].outcomes;
    uint64_t key = r->keyed ? node_key(r, r->root_state, player) : 0;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    return outcome && outcome->node && outcome->node->mover == player ? outcome->node : NULL;
}

static void place_root(struct plain *r, const void *state)
{
    memcpy(r->root_state, state, r->game->state_size);
    memcpy(r->drawn, state, r->game->state_size);
    r->worlds_drawn = 0;
    r->simulated = 0;
    r->noise_drawn = 0;
    r->gumbel_count = 0;
    r->explores = true;
    r->gumbel_done = 0;
    r->through_root = (struct plain_results){0};
}

static void forget(struct plain *r)
{
    memset(r->root, 0, sizeof r->root);
    for (int t = 0; t < r->trees; ++t)
        r->root[t].known = all_returns(r);
    r->nodes = NULL;
}

static int first_mover(const struct plain *r)
{
    unsigned movers = r->game->movers(r->root_state);
    int p = 0;
    while (!(movers >> p & 1))
        ++p;
    return p;
}

void plain_set_root(struct plain *r, const void *state, int viewer)
{
    forget(r);
    place_root(r, state);
    r->viewer = viewer >= 0 ? viewer : first_mover(r);
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

/* What came back through the root before it was the root: in a game of certain futures through the
 * edge that led to it; elsewhere on from its node, since the edge leads to other states too.  With
 * hidden cards only the player who searches is at a node that says what that player knows. */
static void count_through_root(struct plain *r, const struct plain_edge *edge)
{
    bool viewer_moves = r->game->movers(r->root_state) >> r->viewer & 1;
    int player = viewer_moves ? r->viewer : first_mover(r);
    const struct plain_node *node = r->keyed ? plain_root(r, player) : NULL;
    const struct plain_results *back = node ? &node->back : r->keyed ? NULL : &edge->back;
    if (r->game->traits & BANYAN_HIDDEN && !viewer_moves)
        return;
    for (const struct plain_result *i = back ? back->first : NULL; i; i = i->next)
        add(r, &r->through_root, i);
}

/* Of all that might have come of the edge only what did is kept. */
static void keep_actual(struct plain *r, int player)
{
    struct plain_edge *root = &r->root[r->trees > 1 ? player : 0];
    uint64_t key = node_key(r, r->root_state, player);
    while (root->outcomes && root->outcomes->key != key)
        root->outcomes = root->outcomes->next;
    if (root->outcomes)
        root->outcomes->next = NULL;
}

bool plain_advance(struct plain *r, const banyan_action joint[], const void *state)
{
    unsigned movers = r->game->movers(r->root_state), next = r->game->movers(state);
    struct plain_edge *edges[BANYAN_MAX_PLAYERS], *edge = NULL;
    bool kept = r->options.reuse && next;
    for (int p = 0; p < r->game->players && kept; ++p) {
        struct plain_node *node = movers >> p & 1 ? plain_root(r, p) : NULL;
        edges[p] = node ? find_edge(node, joint[p]) : NULL;
        kept = !(movers >> p & 1) || (edges[p] && edges[p]->tried);
    }
    if (!kept)
        forget(r);
    place_root(r, state);
    for (int p = 0; p < r->game->players && kept; ++p)
        if (movers >> p & 1)
            r->root[r->trees > 1 ? p : 0] = *(edge = edges[p]);
    for (int p = 0; p < r->game->players && kept; ++p)
        if (r->keyed && !(r->game->traits & BANYAN_HIDDEN) && next >> p & 1)
            keep_actual(r, p);
    if (kept)
        count_through_root(r, edge);
    plain_list_nodes(r);
    return kept;
}

/* A line of an opening book: its nodes, and visits for the last action.  A node's visits are those of
 * the edge to it or the sum over its own edges, whichever is more. */
void plain_add_line(struct plain *r, const banyan_action *line, int length, uint32_t visits,
                    double mean)
{
    struct plain_simulation *simulation = r->simulations;
    struct plain_edge *edge = &r->root[0];
    struct plain_node *node = NULL;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    memcpy(simulation->state, r->root_state, r->game->state_size);
    for (int i = 0; i < length; ++i) {
        unsigned movers = simulation->movers = r->game->movers(simulation->state);
        struct plain_outcome *outcome = outcome_of(r, edge, 0);
        if (!outcome->node)
            outcome->node = make_node(r, simulation->state, movers & 1 ? 0 : 1, outcome->arrivals);
        node = outcome->node;
        if (node->waiting) {
            struct banyan_leaf leaf;
            fill_leaf(r, simulation, &leaf);
            r->evaluator->evaluate(r->evaluator->ctx, &leaf, 1, NULL);
            receive_priors(node, simulation->priors[node->mover]);
        }
        edge = find_edge(node, line[i]);
        joint[node->mover] = line[i];
        r->game->apply(simulation->state, joint, &r->dice);
        if (r->solver && r->game->bounds && !edge->tried)
            r->game->bounds(simulation->state, 0, &edge->known.lo, &edge->known.hi);
        try_edge(node, edge);
    }
    if (visits == 0)
        return;
    struct plain_result result = {.edge = edge, .visits = visits, .from_book = true};
    result.values[node->mover] = (float)mean;
    result.values[1 - node->mover] = (float)(constant_sum(r) - mean);
    uint64_t before = plain_node_visits(node), own = 0;
    add(r, &edge->back, &result);
    add(r, &node->back, &result);
    for (int i = 0; i < node->count; ++i)
        own += plain_edge_visits(node->edges[i]);
    node->before += (own > before ? own : before) - plain_node_visits(node);
    struct plain_outcome *outcome = outcome_of(r, edge, 0);
    outcome->arrivals += visits;
    if (outcome->node && plain_edge_visits(edge) > plain_node_visits(outcome->node))
        outcome->node->before += plain_edge_visits(edge) - plain_node_visits(outcome->node);
    if (length == 1) {
        add(r, &r->through_root, &result);
        outcome_of(r, &r->root[0], 0)->arrivals += visits;
    }
}

void plain_root_values(struct plain *const *r, int searches, float *out)
{
    double sums[BANYAN_MAX_PLAYERS] = {0}, visits = 0;
    for (int s = 0; s < searches; ++s)
        for (const struct plain_result *i = r[s]->through_root.first; i; i = i->next) {
            visits += (double)i->visits;
            for (int p = 0; p < r[s]->game->players; ++p)
                sums[p] += (double)i->visits * (double)i->values[p];
        }
    for (int p = 0; p < r[0]->game->players; ++p)
        out[p] = visits > 0 ? (float)(sums[p] / visits) : NAN;
}

/* --- the final choice --- */

/* A root action, as a row of a table. */
static struct banyan_root_move row_of(const struct plain_edge *edge)
{
    const struct plain *r = edge->node->search;
    uint64_t visits = plain_edge_visits(edge);
    struct plain_bounds bounds = r->solver && edge->tried ? own_bounds(edge) : all_returns(r);
    double mean = visits ? plain_edge_sum(edge) / (double)visits : NAN, score = 0;
    if (r->options.rule == BANYAN_RULE_GUMBEL && visits)
        score = improved_logit(edge) + (edge->node->mover == r->viewer ? r->gumbel[edge->id] : 0);
    return (struct banyan_root_move){.action = edge->action,
                                     .visits = (uint32_t)visits,
                                     .mean = mean,
                                     .prior = r->priors ? edge->prior : NAN,
                                     .lo = bounds.lo,
                                     .hi = bounds.hi,
                                     .score = score};
}

/* The most visited first, then by number. */
static int by_visits(const void *a, const void *b)
{
    const struct banyan_root_move *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    return x->action < y->action ? -1 : x->action > y->action;
}

static void join_rows(struct banyan_root_move *row, const struct banyan_root_move *more)
{
    double visits = (double)row->visits + more->visits;
    row->mean = ((row->visits ? row->mean * row->visits : 0) +
                 (more->visits ? more->mean * more->visits : 0)) /
                visits;
    row->score = row->visits ? row->score : more->score;
    row->visits += more->visits;
    row->lo = fmaxf(row->lo, more->lo);
    row->hi = fminf(row->hi, more->hi);
}

int plain_root_moves(struct plain *const *r, int searches, int player,
                     struct banyan_root_move *rows)
{
    int count = 0;
    for (int s = 0; s < searches; ++s) {
        const struct plain_node *node = plain_root(r[s], player);
        for (int i = 0; node && i < node->count; ++i) {
            struct banyan_root_move row = row_of(node->edges[i]);
            int at = 0;
            while (at < count && rows[at].action != row.action)
                ++at;
            if (at == count)
                rows[count++] = row;
            else if (row.visits)
                join_rows(&rows[at], &row);
        }
    }
    qsort(rows, (size_t)count, sizeof *rows, by_visits);
    return count;
}

/* What an action counts for: its mean within its bounds. */
static double row_value(const struct banyan_root_move *row)
{
    return !row->visits ? (double)row->lo : fmin(fmax(row->mean, row->lo), row->hi);
}

/* What the rule of the final choice goes by. */
static double final_score(const struct plain *r, const struct banyan_root_move *row, double total)
{
    double range = (double)r->game->return_max - (double)r->game->return_min;
    double share = (row_value(row) - r->game->return_min) / range, visits = row->visits;
    switch (r->options.final) {
    case BANYAN_FINAL_MAX:
        return visits > 0 ? share : -INFINITY;
    case BANYAN_FINAL_MAX_ROBUST:
        return r->options.final_w1 * (visits > 0 ? share : 0) +
               r->options.final_w2 * visits / (total > 0 ? total : 1);
    case BANYAN_FINAL_SECURE:
        return visits > 0 ? share - r->options.secure_z / sqrt(visits) : -INFINITY;
    default:
        return visits;
    }
}

static bool row_proven(const struct banyan_root_move *row)
{
    return row->lo >= row->hi;
}

/* Whether another row is at least as good for certain, and they are not both proven. */
static bool row_out(const struct banyan_root_move *rows, int count, int i)
{
    bool out = false;
    for (int j = 0; j < count; ++j)
        out = out || (j != i && rows[j].lo >= rows[i].hi &&
                      (rows[j].lo > rows[i].lo || rows[j].hi > rows[i].hi));
    return out;
}

/* The open row of the highest score; of equal ones the one worth more, then the first.  -1: none. */
static int favourite(struct plain *r, const struct banyan_root_move *rows, int count)
{
    bool gumbel = r->options.rule == BANYAN_RULE_GUMBEL && rows[0].visits > 0 &&
                  r->options.final != BANYAN_FINAL_SAMPLE &&
                  r->options.final != BANYAN_FINAL_AVERAGE;
    double total = 0, scores[PLAIN_ACTIONS];
    int best = -1;
    for (int i = 0; i < count; ++i)
        total += rows[i].visits;
    for (int i = 0; i < count; ++i) {
        scores[i] = gumbel ? rows[i].score : final_score(r, &rows[i], total);
        if (row_proven(&rows[i]) || row_out(rows, count, i))
            continue;
        bool survived = best < 0 || !gumbel || rows[i].visits == rows[best].visits;
        bool told = r->told && rows[i].action == r->told->action;
        if (best >= 0 && told && survived && fabs(scores[i] - scores[best]) < 1e-9)
            best = i;
        if (best < 0 || (survived && (scores[i] > scores[best] ||
                                      (!gumbel && scores[i] >= scores[best] &&
                                       row_value(&rows[i]) > row_value(&rows[best])))))
            best = i;
    }
    return best;
}

/* The row that guarantees most, then the one that may be worth more, then the most visited. */
static int safest(const struct banyan_root_move *rows, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (rows[i].lo > rows[best].lo ||
            (rows[i].lo >= rows[best].lo &&
             (rows[i].hi > rows[best].hi ||
              (rows[i].hi >= rows[best].hi && rows[i].visits > rows[best].visits))))
            best = i;
    return best;
}

/* The favourite of the rule, unless another action guarantees more than it is worth.  Where visits
 * decide, a proven action with more of them stands too, if it is worth the root's mean. */
static int best_row(struct plain *r, const struct banyan_root_move *rows, int count)
{
    int open = favourite(r, rows, count), sure = safest(rows, count), final = r->options.final;
    bool by_value = final == BANYAN_FINAL_MAX || final == BANYAN_FINAL_MAX_ROBUST ||
                    final == BANYAN_FINAL_SECURE;
    double sum = 0, visits = 0;
    for (int i = 0; i < count; ++i) {
        sum += rows[i].visits ? rows[i].mean * rows[i].visits : 0;
        visits += rows[i].visits;
    }
    if (open < 0 || row_value(&rows[open]) < (double)rows[sure].lo)
        return sure;
    bool stands = !by_value && row_proven(&rows[sure]) && rows[sure].visits > rows[open].visits &&
                  (double)rows[sure].lo >= sum / visits;
    return stands ? sure : open;
}

/* An index in proportion to its weight, the first if all are 0.  Where the draw falls between two,
 * as far as 1e-9 can tell, the other search is followed. */
static int draw_row(struct plain *r, const double *weights, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += weights[i];
    double draw = rng_unit(&r->rng) * sum;
    for (int i = 0; i < count; ++i)
        if ((draw -= weights[i]) < 0)
            return i;
    return 0;
}

/* In proportion to visits^(1/temperature), without what is certainly no better than another. */
static int draw_by_visits(struct plain *r, const struct banyan_root_move *rows, int count)
{
    double weights[PLAIN_ACTIONS], most = rows[0].visits ? rows[0].visits : 1;
    int best = best_row(r, rows, count);
    if (r->options.temperature < 1e-3)
        return best;
    for (int i = 0; i < count; ++i)
        weights[i] = row_out(rows, count, i)
                         ? 0
                         : numeric_pow(rows[i].visits / most, 1 / r->options.temperature);
    int drawn = draw_row(r, weights, count);
    return weights[drawn] > 0 ? drawn : best;
}

banyan_action plain_choose(struct plain *const *searches, int count, int player)
{
    struct plain *r = searches[0];
    struct banyan_root_move rows[PLAIN_ACTIONS];
    banyan_action actions[PLAIN_ACTIONS];
    double average[PLAIN_ACTIONS], weights[PLAIN_ACTIONS];
    int moves = plain_root_moves(searches, count, player, rows);
    const struct plain_node *node = plain_root(r, player);
    if (moves == 0) {
        int legal = r->game->legal(r->root_state, player, actions);
        return actions[rng_below(&r->rng, (uint32_t)legal)];
    }
    if (r->options.final == BANYAN_FINAL_SAMPLE)
        return rows[draw_by_visits(r, rows, moves)].action;
    if (r->options.final != BANYAN_FINAL_AVERAGE || r->options.rule != BANYAN_RULE_REGRET || !node)
        return rows[best_row(r, rows, moves)].action;
    plain_average_strategy(node, average);
    int tried = 0;
    for (; tried < node->count && node->edges[tried]->tried; ++tried)
        weights[tried] = average[node->edges[tried]->id];
    if (tried == 0)
        return rows[best_row(r, rows, moves)].action;
    return node->edges[draw_row(r, weights, tried)]->action;
}

/* --- a whole run --- */

enum { BATCH_MAX = 64 };

void plain_simulate(struct plain *r, int64_t goal, int64_t end)
{
    struct banyan_leaf leaves[BATCH_MAX];
    while (r->simulated < end && !(r->solver && proven(plain_root_bounds(r)))) {
        int64_t left = goal - r->simulated, batch = r->options.batch;
        int n = plain_select(r, leaves, (int)(left < batch ? left : batch));
        r->evaluator->evaluate(r->evaluator->ctx, leaves, n, NULL);
        plain_update(r, leaves, n);
    }
}

/* Whether the most visited action has the highest mean. */
static bool agrees(struct plain *const *r, int searches)
{
    struct banyan_root_move rows[PLAIN_ACTIONS];
    int count = plain_root_moves(r, searches, r[0]->viewer, rows);
    bool agreed = true;
    for (int i = 1; i < count; ++i)
        agreed = agreed && !(rows[i].visits && rows[i].mean > rows[0].mean);
    return agreed;
}

/* Shared out evenly, the first searches get what is left over.  With options.final_agree the search
 * goes on in sixteenths, at most as long again, until visits and means agree. */
void plain_run(struct plain *const *r, int searches, int64_t simulations)
{
    const struct banyan_search_options *options = &r[0]->options;
    bool agreeing = options->final == BANYAN_FINAL_MAX_ROBUST && options->final_agree;
    for (int part = 0; part <= 16; ++part) {
        int64_t now = part ? simulations / 16 : simulations;
        if (part && (!agreeing || now == 0 || agrees(r, searches)))
            return;
        for (int i = 0; i < searches; ++i) {
            int64_t share = now / searches + (i < now % searches);
            plain_plan(r[i], share, r[i]->explores);
            plain_simulate(r[i], r[i]->simulated + share, r[i]->simulated + share);
        }
    }
}

/* --- making a search --- */

/* Bounds are proven in games of one player, or of two opponents with a constant sum, without luck
 * and secrets. */
static bool is_solvable(const struct plain *r)
{
    const struct banyan_search_options *options = &r->options;
    bool friends = options->opponents == BANYAN_OPPONENTS_COALITION && r->game->players == 2 &&
                   options->side[0] == options->side[1];
    bool constant = r->game->players == 2 && r->game->traits & BANYAN_ZERO_SUM;
    return options->solver != BANYAN_SOLVER_OFF && (constant || r->game->players == 1) &&
           !friends && !r->keyed && !options->transpositions && options->rule != BANYAN_RULE_REGRET;
}

static bool has_priors(const struct plain *r)
{
    const struct banyan_search_options *options = &r->options;
    return options->rule == BANYAN_RULE_PUCT || options->rule == BANYAN_RULE_GUMBEL ||
           r->evaluator->wants_actions || (r->evaluator->game_priors && r->game->priors) ||
           options->progressive_bias > 0 || (options->widen_factor > 0 && r->game->priors);
}

static void make_simulation(struct plain *r, struct plain_simulation *simulation)
{
    int players = r->game->players, most = r->game->max_plies * players;
    simulation->state = take(r, r->game->state_size);
    simulation->steps = take(r, (size_t)most * sizeof *simulation->steps);
    for (int p = 0; p < players; ++p) {
        simulation->actions[p] = take(r, PLAIN_ACTIONS * sizeof(banyan_action));
        simulation->priors[p] = take(r, PLAIN_ACTIONS * sizeof(float));
    }
}

struct plain *plain_create(const struct banyan_game *game,
                           const struct banyan_search_options *options,
                           struct banyan_evaluator *evaluator)
{
    struct plain *r = calloc(1, sizeof *r);
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
    r->expand_visits = options->expand_visits                ? options->expand_visits
                       : options->rule == BANYAN_RULE_REGRET ? 1
                                                             : 2;
    if (evaluator->wants_actions)
        r->expand_visits = 1;
    r->root_state = take(r, game->state_size);
    r->drawn = take(r, game->state_size);
    r->worlds = take(r, game->state_size * (size_t)(options->worlds + 1));
    r->simulations = take(r, (size_t)options->batch * sizeof *r->simulations);
    for (int i = 0; i < options->batch; ++i)
        make_simulation(r, &r->simulations[i]);
    return r;
}

void plain_destroy(struct plain *r)
{
    for (struct plain_block *block = r->memory, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(r);
}
