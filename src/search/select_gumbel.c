/* Gumbel search: planning with few simulations (Danihelka et al. 2022).
 *
 * Root: m actions are drawn without replacement by Gumbel noise on the logits
 * and share the simulations by sequential halving; the score of an action is
 * noise + logit + sigma(q).  Inside: the action whose visits lag most behind
 * the improved policy softmax(logit + sigma(completed q)).
 * sigma(q) = (visit + most visits) * scale * q, with q in [0,1].
 */
#include "base/numeric.h"
#include "search/select.h"

static double gumbel_logit(const struct select_view *view, int i)
{
    return view->priors[i] > 0 ? numeric_ln((double)view->priors[i] + 1e-30) : -69;
}

static double gumbel_reward(const struct banyan_search *search, double utility)
{
    return (utility - search->reward_low) * search->reward_scale;
}

static double gumbel_sigma(const struct banyan_search *search, const struct select_view *view)
{
    uint32_t most = 0;
    for (int i = 0; i < view->tried; ++i)
        most = view->edges[i].visits > most ? view->edges[i].visits : most;
    return (search->options.gumbel_visit + most) * search->options.gumbel_scale;
}

/* What an unvisited action is taken to be worth: the mean of the node. */
static double gumbel_completed(const struct banyan_search *search, const struct select_view *view,
                               double node_mean, int i)
{
    bool visited = i < view->tried && view->edges[i].visits > 0;
    return gumbel_reward(search, visited ? select_mean(view, i) : node_mean);
}

/* How often the actions still considered have been visited when simulation number `index` of
 * `planned` begins, with m actions at the start. */
static int gumbel_considered_visits(int m, int64_t planned, int64_t index)
{
    int halvings = 0, alive = m, visits = 0;
    while (1 << halvings < m)
        ++halvings;
    if (halvings == 0)
        return (int)index;
    for (int64_t done = 0;;) {
        int64_t rounds = planned / ((int64_t)halvings * alive);
        rounds = rounds > 1 ? rounds : 1;
        if (done + rounds * alive > index)
            return visits + (int)((index - done) / alive);
        done += rounds * alive;
        visits += (int)rounds;
        alive = alive / 2 > 2 ? alive / 2 : 2;
    }
}

static double gumbel_root_score(const struct banyan_search *search, const struct select_view *view,
                                double sigma, double node_mean, int i)
{
    return search->gumbel[i] + gumbel_logit(view, i) +
           sigma * gumbel_completed(search, view, node_mean, i);
}

/* Halving counts its own visits: those that the actions had before, kept from earlier decisions, are
 * knowledge only. */
static void gumbel_begin(struct banyan_search *search, const struct select_view *view)
{
    for (int i = 0; i < view->count; ++i)
        search->gumbel_before[i] = i < view->tried ? (uint32_t)select_arrivals(view, i) : 0;
}

static double gumbel_visits(const struct banyan_search *search, const struct select_view *view,
                            int i)
{
    return i < view->tried ? select_arrivals(view, i) - search->gumbel_before[i] : 0;
}

static int gumbel_pick_root(struct banyan_search *search, const struct select_view *view)
{
    int considered =
        search->options.gumbel_actions < view->count ? search->options.gumbel_actions : view->count;
    search_gumbel_noise(search, view->count);
    if (search->gumbel_index == 0)
        gumbel_begin(search, view);
    int64_t planned = search->planned > 0 ? search->planned : 16 * (int64_t)considered;
    int target = gumbel_considered_visits(considered, planned, (int64_t)search->gumbel_index++);
    double sigma = gumbel_sigma(search, view), mean = select_node_mean(view);
    int best = -1, fallback = -1;
    double best_score = -INFINITY, fallback_score = -INFINITY;
    for (int k = 0; k < view->offered_count; ++k) {
        int i = select_at(view, k);
        if (i < view->tried && view->bounds && select_skip(view, i))
            continue;
        double score = gumbel_root_score(search, view, sigma, mean, i);
        double visits = gumbel_visits(search, view, i);
        if (visits == target && score > best_score) {
            best_score = score;
            best = i;
        }
        if (visits <= target && score > fallback_score) {
            fallback_score = score;
            fallback = i;
        }
    }
    return select_or_any(view, best >= 0 ? best : fallback);
}

static int gumbel_pick_inside(struct banyan_search *search, const struct select_view *view)
{
    double sigma = gumbel_sigma(search, view), mean = select_node_mean(view);
    double *policy = search->strategy, top = -INFINITY, sum = 0, arrivals = 0;
    for (int i = 0; i < view->tried; ++i)
        arrivals += select_arrivals(view, i);
    for (int k = 0; k < view->offered_count; ++k) {
        int i = select_at(view, k);
        policy[k] = gumbel_logit(view, i) + sigma * gumbel_completed(search, view, mean, i);
        top = policy[k] > top ? policy[k] : top;
    }
    for (int k = 0; k < view->offered_count; ++k)
        sum += policy[k] = numeric_exp(policy[k] - top);
    int best = -1;
    double best_score = -INFINITY;
    for (int k = 0; k < view->offered_count; ++k) {
        int i = select_at(view, k);
        if (i < view->tried && view->bounds && select_skip(view, i))
            continue;
        double visits = i < view->tried ? select_arrivals(view, i) : 0;
        double chances = view->missed ? select_chances(view, i) : arrivals;
        double score = policy[k] / sum - visits / (1 + chances);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return select_or_any(view, best);
}

/* Noise and halving belong to the player who searches: others who choose at the root at the same
 * time do it by the rule of the inside. */
static bool gumbel_is_root(const struct banyan_search *search, const struct tree_node *node)
{
    return node->mover == search->viewer && search_is_root(search, node);
}

static int gumbel_pick(struct banyan_search *search, struct tree_node *node)
{
    struct select_view view;
    select_open(search, node, &view);
    if (!gumbel_is_root(search, node))
        return gumbel_pick_inside(search, &view);
    int index = gumbel_pick_root(search, &view);
    if (index >= node->tried) { /* it will move to the front: its noise moves along */
        double noise = search->gumbel[index];
        memmove(search->gumbel + node->tried + 1, search->gumbel + node->tried,
                (size_t)(index - node->tried) * sizeof noise);
        search->gumbel[node->tried] = noise;
        search->gumbel_before[index] = 0; /* as for all untried */
    }
    return index;
}

static double gumbel_row_score(const struct banyan_search *search, const struct tree_node *node,
                               int index)
{
    struct select_view view;
    select_open(search, node, &view);
    double mean = select_node_mean(&view), sigma = gumbel_sigma(search, &view);
    if (gumbel_is_root(search, node))
        return gumbel_root_score(search, &view, sigma, mean, index);
    return gumbel_logit(&view, index) + sigma * gumbel_completed(search, &view, mean, index);
}

const struct select_rule select_gumbel = {
    .pick = gumbel_pick, .score = gumbel_row_score, .needs_priors = true};
