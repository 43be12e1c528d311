/* Gumbel search: planning with few simulations (Danihelka et al. 2022).
 *
 * Root: m actions are drawn without replacement by Gumbel noise on the logits and share the
 * simulations by sequential halving; the score of an action is noise + logit + sigma(q), where
 * sigma(q) = (visit + most visits) * scale * q.  Here q is in [0,1], `most visits` are those of the
 * most visited action, and visit and scale are options gumbel-visit and gumbel-scale.  Below the
 * root: select_gumbel_inside.c.
 */
#include "base/least.h"
#include "base/numeric.h"
#include "search/select.h"
#include "search/workers.h"

/* 1e-30 is added to priors, so that the logarithm of 0 is a number, below that of any other prior. */
static double gumbel_logit(const struct select_view *view, int i)
{
    return numeric_ln((double)view->priors[i] + 1e-30);
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

/* The mean reward of an action; an unvisited one is assumed to have the mean of its node. */
static double gumbel_completed(const struct banyan_search *search, const struct select_view *view,
                               double node_mean, int i)
{
    bool visited = i < view->tried && view->edges[i].visits > 0;
    return gumbel_reward(search, visited ? select_mean(view, i) : node_mean);
}

static double gumbel_root_score(const struct banyan_search *search, const struct select_view *view,
                                double sigma, double node_mean, int i)
{
    return search->gumbel->noise[i] + gumbel_logit(view, i) +
           sigma * gumbel_completed(search, view, node_mean, i);
}

/* --- sequential halving --- */

/* Halving counts only its own visits.  The visits of actions from earlier decisions count as
 * knowledge of their values, but not towards the schedule. */
static void gumbel_begin(struct banyan_search *search, const struct select_view *view)
{
    struct search_halving *halving = &search->gumbel->halving;
    int most = search->options.gumbel_actions;
    int64_t doubled = halving->alive ? 2 * halving->budget : 0;
    *halving = (struct search_halving){.alive = most < view->count ? most : view->count};
    while (1 << halving->phases < halving->alive)
        ++halving->phases;
    halving->budget = search->run.planned > 0 ? search->run.planned : 16 * (int64_t)halving->alive;
    if (doubled > 0)
        halving->budget = doubled;
    for (int i = 0; i < view->count; ++i)
        search->gumbel->before[i] = i < view->tried ? (uint32_t)select_arrivals(view, i) : 0;
    if (!doubled)
        memcpy(search->gumbel->kept, search->gumbel->before,
               (size_t)view->count * sizeof *search->gumbel->kept);
}

/* Rounds of the present phase: the phases have equal shares of the budget. */
static int64_t gumbel_rounds(const struct search_halving *halving)
{
    int phases = halving->phases > 1 ? halving->phases : 1;
    int64_t rounds = halving->budget / ((int64_t)phases * halving->alive);
    return rounds > 1 ? rounds : 1;
}

/* Ends a round: begins the next one.  After the last round of a phase half of the actions drop
 * out, but two always stay. */
static void gumbel_next_round(struct search_halving *halving)
{
    halving->picked = 0;
    ++halving->visits;
    if (++halving->rounds < gumbel_rounds(halving))
        return;
    halving->rounds = 0;
    ++halving->phase;
    halving->alive = most_int(halving->alive / 2, least_int(halving->alive, 2));
}

/* How often the actions still considered have been visited; the caller is about to visit one of
 * them. If the number of simulations to come is unknown, halving begins again with twice as
 * many. */
static int64_t gumbel_turn(struct banyan_search *search, const struct select_view *view)
{
    struct search_halving *halving = &search->gumbel->halving;
    if (!halving->alive || (search->run.planned <= 0 && halving->spent >= halving->budget))
        gumbel_begin(search, view);
    else if (halving->picked == halving->alive)
        gumbel_next_round(halving);
    ++halving->picked;
    ++halving->spent;
    return halving->visits;
}

/* Shares the remaining simulations equally between the present phase, less its part that is
 * done, and the phases to come, as if this had been the plan from the start. */
static void gumbel_replan(struct search_halving *halving, uint64_t left)
{
    int phases = halving->phases - halving->phase;
    if (!halving->alive || phases <= 0 || left > INT32_MAX * (uint64_t)halving->alive)
        return;
    int64_t here = halving->rounds * halving->alive + halving->picked + (int64_t)left;
    halving->budget = here * halving->phases / phases;
}

void search_gumbel_replan(struct banyan_search *search, uint64_t left)
{
    bool shared = search->parallel.workers != NULL;
    if (shared)
        pthread_mutex_lock(&search->parallel.lock);
    gumbel_replan(&search->gumbel->halving, left);
    if (shared)
        pthread_mutex_unlock(&search->parallel.lock);
}

static double gumbel_visits(const struct banyan_search *search, const struct select_view *view,
                            int i)
{
    return i < view->tried ? select_arrivals(view, i) - search->gumbel->before[i] : 0;
}

/* The action of best score among those visited `target` times, else among those visited less
 * often. Only the scores of these are computed. */
static int gumbel_pick_root(struct banyan_search *search, const struct select_view *view)
{
    search_gumbel_noise(search, view->count);
    double target = (double)gumbel_turn(search, view);
    double sigma = gumbel_sigma(search, view), mean = select_node_mean(view);
    int best = -1;
    double best_score = -INFINITY;
    bool best_is_due = false;
    for (int k = 0; k < view->offered_count; ++k) {
        int i = select_at(view, k);
        double visits = gumbel_visits(search, view, i);
        bool due = visits == target;
        if (visits > target || (best_is_due && !due) || (i < view->tried && select_skip(view, i)))
            continue;
        double score = gumbel_root_score(search, view, sigma, mean, i);
        if (score > best_score || (due && !best_is_due)) {
            best_score = score;
            best = i;
            best_is_due = due;
        }
    }
    return select_or_any(view, best);
}

/* Noise and halving are for the player who searches.  Others who choose at the root at the same
 * time use the rule for nodes below the root. */
static bool gumbel_is_root(const struct banyan_search *search, const struct tree_node *node)
{
    return node->mover == search->root.viewer && search_is_root(search, node);
}

/* The random numbers below an action depend on that action's visits only, so two schedules that
 * differ a little still see the same random numbers. */
void search_gumbel_stream(struct banyan_search *search, const struct tree_node *node, int index)
{
    struct select_view view;
    if (!gumbel_is_root(search, node))
        return;
    select_open(search, node, NULL, &view);
    uint64_t visits = index < view.tried ? (uint64_t)select_arrivals(&view, index) : 0;
    uint64_t action = rng_mix(search->gumbel->stream + tree_action(&search->tree, node, index));
    banyan_rng_seed(&search->rng, rng_mix(action + visits));
}

static int gumbel_take_root(struct banyan_search *search, const struct tree_node *node,
                            const struct offer *offer)
{
    struct select_view view;
    select_open(search, node, offer, &view);
    int index = gumbel_pick_root(search, &view);
    /* trying the action moves it to the front, so its noise moves, too */
    if (index >= node->tried) {
        double noise = search->gumbel->noise[index];
        memmove(search->gumbel->noise + node->tried + 1, search->gumbel->noise + node->tried,
                (size_t)(index - node->tried) * sizeof noise);
        search->gumbel->noise[node->tried] = noise;
    }
    return index;
}

/* Threads of one tree share one sequential halving: a thread that chooses at the root holds its node, and the lock,
 * because another thread may change the plan. */
static int gumbel_pick(struct banyan_search *search, struct tree_node *node,
                       struct select_choice *choice)
{
    if (!gumbel_is_root(search, node))
        return select_gumbel_inside(search, node, &choice->offer);
    if (!search->worker)
        return gumbel_take_root(search, node, &choice->offer);
    pthread_mutex_t *lock = &search->worker->all->run->search->parallel.lock;
    pthread_mutex_lock(lock);
    int index = gumbel_take_root(search, node, &choice->offer);
    pthread_mutex_unlock(lock);
    return index;
}

double search_gumbel_visits(const struct banyan_search *search, int player, banyan_action action)
{
    struct select_view view;
    const struct tree_node *node = search_root_node(search, player);
    int index = node ? tree_find_action(&search->tree, node, action) : -1;
    if (index < 0 || index >= node->tried)
        return 0;
    select_open(search, node, NULL, &view);
    bool halved = search->gumbel->halving.alive && player == search->root.viewer;
    return select_arrivals(&view, index) - (halved ? search->gumbel->kept[index] : 0);
}

static double gumbel_row_score(const struct banyan_search *search, const struct tree_node *node,
                               int index, const struct offer *offer)
{
    struct select_view view;
    select_open(search, node, offer, &view);
    double mean = select_node_mean(&view), sigma = gumbel_sigma(search, &view);
    if (gumbel_is_root(search, node))
        return gumbel_root_score(search, &view, sigma, mean, index);
    return gumbel_logit(&view, index) + sigma * gumbel_completed(search, &view, mean, index);
}

const struct select_rule select_gumbel = {
    .pick = gumbel_pick, .score = gumbel_row_score, .columns = TREE_COLUMN_BIT(TREE_PRIORS)};
