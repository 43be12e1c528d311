/* Gumbel search below the root (Danihelka et al. 2022, section 5): the action whose visits lag most behind
 * the improved policy softmax(logit + sigma(completed q)), where an action without visits has the mean
 * of its node.
 *
 * There are two functions with the same result.  inside_pick_any() is the rule as it is written.  A
 * search by this rule is deep, and most nodes on the way are plain: all actions are legal, the tried
 * ones have visits, and nothing is proven.  There the choice is most often clear from the two highest means
 * (plain_is_clear()).  Else a few actions have the whole policy, except what is lost in rounding, and
 * inside_pick_plain() computes only their shares.
 */
#include "base/numeric.h"
#include "search/select.h"

/* Values of a whole node that the rule below the root needs. */
struct inside {
    double scale;    /* factor of utilities in sigma */
    double mean;     /* mean of the node, assumed for actions without visits; NAN: all have some */
    double arrivals; /* visits of all tried actions, with those in flight */
};

static void inside_open(const struct banyan_search *search, const struct select_view *view,
                        struct inside *inside)
{
    uint64_t visits = 0, flying = 0;
    uint32_t most = 0, least = view->tried < view->count ? 0 : UINT32_MAX;
    for (int i = 0; i < view->tried; ++i) {
        uint32_t n = view->edges[i].visits;
        visits += n;
        most = n > most ? n : most;
        least = n < least ? n : least;
    }
    for (int i = 0; view->in_flight && i < view->tried; ++i)
        flying += view->in_flight[i];
    inside->mean = least ? NAN : select_node_mean(view);
    inside->arrivals = (double)(visits + flying);
    inside->scale =
        (search->options.gumbel_visit + most) * search->options.gumbel_scale * search->reward_scale;
}

/* Below this exponent a share is negligible beside the smallest prior, 1e-30. */
#define INSIDE_NOTHING (-110.0)

/* Computes the improved policy of the legal actions, not normalised: prior * e^sigma(q), which
 * needs no logarithm.  Returns its sum. */
static double inside_improve(const struct select_view *view, const struct inside *inside,
                             double *policy)
{
    double top = view->offered_tried < view->offered_count ? inside->mean : -INFINITY, sum = 0;
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        policy[k] = view->edges[i].visits ? select_mean(view, i) : inside->mean;
        top = policy[k] > top ? policy[k] : top;
    }
    for (int k = 0; k < view->offered_tried; ++k) {
        double exponent = inside->scale * (policy[k] - top);
        double prior = (double)view->priors[select_at(view, k)] + 1e-30;
        policy[k] = exponent > INSIDE_NOTHING ? prior * numeric_exp(exponent) : 0;
        sum += policy[k];
    }
    if (view->offered_tried == view->offered_count)
        return sum;
    double untried = numeric_exp(inside->scale * (inside->mean - top));
    for (int k = view->offered_tried; k < view->offered_count; ++k) {
        policy[k] = ((double)view->priors[select_at(view, k)] + 1e-30) * untried;
        sum += policy[k];
    }
    return sum;
}

static int inside_pick_any(struct banyan_search *search, const struct select_view *view)
{
    struct inside inside;
    double *policy = search->scratch.policy, best_score = -INFINITY;
    int best = -1;
    inside_open(search, view, &inside);
    double share = 1 / inside_improve(view, &inside, policy), per = 1 / (1 + inside.arrivals);
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        if (view->bounds && select_skip(view, i))
            continue;
        double lag = view->legal ? 1 / (1 + select_chances(view, i)) : per;
        double score = policy[k] * share - select_arrivals(view, i) * lag;
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    for (int k = view->offered_tried; k < view->offered_count; ++k)
        if (policy[k] * share > best_score) {
            best_score = policy[k] * share;
            best = select_at(view, k);
        }
    return select_or_any(view, best);
}

/* --- plain nodes --- */

struct inside_plain {
    const struct tree_edge *edges;
    const float *priors;
    int tried, count;
    double visits; /* of all edges */
    double scale;  /* factor of utilities in sigma */
    double mean;   /* of the node, if it has untried actions; else -INFINITY */
    double top;    /* the highest mean */
    double second; /* the highest of the other means; -INFINITY: there is none */
    double far;    /* exponents below this one give no share of the policy */
    int at_top;    /* an action of the highest mean */
};

/* Whether no edge is proven, and none is refuted by another one. */
static bool plain_bounds(const struct tree *tree, const struct tree_node *node)
{
    if (!tree_has(tree, TREE_BOUNDS))
        return true;
    const struct tree_bounds *bounds = tree_column(tree, node, TREE_BOUNDS);
    float lo = -INFINITY, hi = INFINITY;
    for (int i = 0; i < node->tried; ++i) {
        lo = bounds[i].lo > lo ? bounds[i].lo : lo;
        hi = bounds[i].hi < hi ? bounds[i].hi : hi;
    }
    return lo < hi;
}

/* Reads all edges once.  False: a tried action has no visits. */
static bool plain_read(const struct banyan_search *search, struct inside_plain *plain)
{
    const struct banyan_search_options *options = &search->options;
    uint32_t most = 0, least = UINT32_MAX;
    uint64_t visits = 0;
    double top = -INFINITY, second = -INFINITY;
    int at_top = 0;
    for (int i = 0; i < plain->tried; ++i) {
        uint32_t n = plain->edges[i].visits;
        double mean = plain->edges[i].mean;
        visits += n;
        most = n > most ? n : most;
        least = n < least ? n : least;
        double lower = mean < top ? mean : top;
        second = lower > second ? lower : second;
        at_top = mean > top ? i : at_top;
        top = mean > top ? mean : top;
    }
    plain->visits = (double)visits;
    plain->scale = (options->gumbel_visit + most) * options->gumbel_scale * search->reward_scale;
    plain->top = top;
    plain->second = second;
    plain->at_top = at_top;
    return least > 0;
}

/* Completes the values of untried actions. */
static void plain_complete(const struct banyan_search *search, struct inside_plain *plain)
{
    double sum = 0;
    plain->mean = -INFINITY;
    if (plain->tried == plain->count)
        return;
    for (int i = 0; i < plain->tried; ++i)
        sum += tree_edge_sum(&plain->edges[i]);
    plain->mean = plain->visits > 0 ? sum / plain->visits : search->constant_sum / 2;
    if (plain->mean > plain->top) {
        plain->second = plain->top;
        plain->top = plain->mean;
        plain->at_top = plain->tried;
    } else if (plain->mean > plain->second)
        plain->second = plain->mean;
}

/* The largest e with 2^e <= x, for a normal x > 0. */
static inline int plain_log2(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

static inline double plain_exponent(const struct inside_plain *plain, double mean)
{
    return plain->scale * (mean - plain->top);
}

#define PLAIN_LN_2 0x1.62e42fefa39efp-1

/* Whether the action at the top lags most, whatever the others are worth up to the second mean.  Let p be its
 * prior, s = n / (1 + N) the share that its n visits have of all N, and r the sum of the other
 * weights, which are at most e^sigma(second - top) each.  If r < p (1 - s) / 4, the top has more
 * than 1 - r / p of the policy and the others have less than r / p, so that the top leads by more
 * than 1 - s - 2 r / p > (1 - s) / 2.  Most choices are of this kind, and need neither an
 * exponential nor a division. */
static bool plain_is_clear(const struct inside_plain *plain)
{
    if (plain->at_top >= plain->tried)
        return false;
    double all = plain->visits + 1, left = all - plain->edges[plain->at_top].visits;
    double prior = (double)plain->priors[plain->at_top] + 1e-30;
    int least = plain_log2(prior * left) - plain_log2(all * (4 * plain->count)) - 1;
    return plain_exponent(plain, plain->second) < least * PLAIN_LN_2;
}

/* The policy's sum is at least 2^e, where e is the binary exponent of the prior of the action at the top, and
 * priors are at most 1.  A share of 2^-55 of the sum is lost in its rounding. */
static double plain_far(const struct inside_plain *plain)
{
    float prior = plain->priors[plain->at_top] + 1e-30f;
    uint32_t bits;
    memcpy(&bits, &prior, sizeof bits);
    return ((int)(bits >> 23) - 127 - 55) * PLAIN_LN_2;
}

/* Writes the tried actions that have a share of the policy to near[], and returns how many. */
static int plain_near(const struct inside_plain *plain, banyan_action *near)
{
    int count = 0;
    for (int i = 0; i < plain->tried; ++i) {
        near[count] = (banyan_action)i; /* the next one overwrites it, unless this one counts */
        count += plain_exponent(plain, plain->edges[i].mean) > plain->far;
    }
    return count;
}

static inline double plain_weight(const struct inside_plain *plain, int i, double exponent)
{
    double prior = (double)plain->priors[i] + 1e-30;
    return exponent < 0 ? prior * numeric_exp(exponent) : prior;
}

/* Adds the weights of the untried actions to *sum.  Returns the untried action of the highest prior, and writes its
 * weight. */
static int plain_fresh(const struct inside_plain *plain, double *weight, double *sum)
{
    double power = numeric_exp(plain_exponent(plain, plain->mean));
    int fresh = plain->tried;
    for (int i = plain->tried; i < plain->count; ++i) {
        *sum += ((double)plain->priors[i] + 1e-30) * power;
        fresh = plain->priors[i] > plain->priors[fresh] ? i : fresh;
    }
    *weight = ((double)plain->priors[fresh] + 1e-30) * power;
    return fresh;
}

static int inside_pick_plain(struct banyan_search *search, struct inside_plain *plain)
{
    banyan_action *near = search->scratch.legal;
    double *policy = search->scratch.policy, sum = 0;
    if (plain_is_clear(plain))
        return plain->at_top;
    plain->far = plain_far(plain);
    bool untried = plain_exponent(plain, plain->mean) > plain->far;
    int count = plain_near(plain, near), all = count + untried, best = 0;
    if (count == 1 && !untried)
        return (int)near[0];
    for (int k = 0; k < count; ++k) {
        int i = (int)near[k];
        policy[k] = plain_weight(plain, i, plain_exponent(plain, plain->edges[i].mean));
        sum += policy[k];
    }
    if (untried)
        near[count] = (banyan_action)plain_fresh(plain, &policy[count], &sum);
    double share = 1 / sum, per = 1 / (1 + plain->visits);
    for (int k = 0; k < all; ++k)
        policy[k] = policy[k] * share - (k < count ? plain->edges[near[k]].visits * per : 0);
    for (int k = 1; k < all; ++k)
        best = policy[k] > policy[best] ? k : best;
    return (int)near[best];
}

/* Reads the node if it is plain; false: it is not. */
static bool inside_open_plain(const struct banyan_search *search, const struct tree_node *node,
                              const struct offer *offer, struct inside_plain *plain)
{
    const unsigned others = TREE_COLUMN_BIT(TREE_IN_FLIGHT) | TREE_COLUMN_BIT(TREE_IMPLICIT) |
                            TREE_COLUMN_BIT(TREE_LEGAL);
    if (offer->at || (search->tree.layout.columns & others) || !plain_bounds(&search->tree, node))
        return false;
    *plain = (struct inside_plain){.edges = tree_edges(&search->tree, node),
                                   .priors = tree_priors(&search->tree, node),
                                   .tried = node->tried,
                                   .count = node->count};
    if (!plain_read(search, plain))
        return false;
    plain_complete(search, plain);
    return true;
}

int select_gumbel_inside(struct banyan_search *search, const struct tree_node *node,
                         const struct offer *offer)
{
    struct inside_plain plain;
    struct select_view view;
    if (inside_open_plain(search, node, offer, &plain))
        return inside_pick_plain(search, &plain);
    select_open(search, node, offer, &view);
    return inside_pick_any(search, &view);
}
