/* Results relative to the mean of their world (option world_baseline).
 *
 * With hidden cards an opponent's action may be possible in some worlds only: a card that the
 * opponent holds there.  The mean of such an action is over these worlds, that of other actions
 * over all.  If these worlds are good for the opponent anyway, the action would seem good whatever
 * it does.  So each world has a baseline, the mean of its simulations; in the tree a result is
 *
 *     result - baseline of its world + mean of all worlds
 *
 * which is a control variate: the means of actions that all worlds offer stay what they are, with
 * less variance.  A world with few simulations leans on the mean of all.
 */
#include "search/workers.h"

#include <math.h>

/* The mean of all worlds counts in a baseline like this many simulations of the world. */
enum { BASELINE_LEAN = 2 };

/* Of simulations that were finished before this round of threads, and by this thread in it. */
static struct search_worth baseline_worth(const struct banyan_search *search, int row)
{
    struct search_worth worth = search->root.worths[row];
    if (!search->worker)
        return worth;
    const struct search_worth *before = &search->worker->all->run->search->root.worths[row];
    for (int p = 0; p < search->game->players; ++p)
        worth.sum[p] += before->sum[p];
    worth.count += before->count;
    return worth;
}

/* What player's results in the world are above the mean of all, rounded so that sums of results stay exact. */
static float baseline_shift(const struct banyan_search *search, const struct search_worth *world,
                            const struct search_worth *all, int player)
{
    const struct banyan_game *game = search->game;
    double unit = ((double)game->return_max - (double)game->return_min) / 2 / 65536;
    double mean = all->sum[player] / all->count;
    double baseline = (world->sum[player] + BASELINE_LEAN * mean) / (world->count + BASELINE_LEAN);
    return (float)(rint((baseline - mean) / unit) * unit);
}

static void baseline_count(struct search_worth *worth, const float *values, int players)
{
    for (int p = 0; p < players; ++p)
        worth->sum[p] += (double)values[p];
    ++worth->count;
}

void search_take_baseline(struct banyan_search *search, struct simulation *simulation)
{
    float shifted[BANYAN_MAX_PLAYERS];
    int players = search->game->players, everything = search->options.worlds;
    struct search_worth world = baseline_worth(search, simulation->world);
    struct search_worth all = baseline_worth(search, everything);
    for (int p = 0; p < players; ++p) {
        float shift = all.count > 0 ? baseline_shift(search, &world, &all, p) : 0;
        shifted[p] = simulation->values[p] - shift;
    }
    baseline_count(&search->root.worths[simulation->world], simulation->values, players);
    baseline_count(&search->root.worths[everything], simulation->values, players);
    memcpy(simulation->values, shifted, sizeof *shifted * (size_t)players);
}

void search_add_worths(struct search_worth *to, const struct search_worth *from, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
            to[i].sum[p] += from[i].sum[p];
        to[i].count += from[i].count;
    }
}

void search_forget_worths(struct banyan_search *search)
{
    if (search->root.worths)
        memset(search->root.worths, 0,
               sizeof *search->root.worths * ((size_t)search->options.worlds + 1));
}
