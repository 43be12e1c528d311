/* Leaves as arrays, of one search or of many. */
#include <banyan/leaves.h>

#include "base/least.h"
#include "base/numeric.h"

#include <assert.h>

/* --- many searches --- */

int banyan_search_select_many(const struct banyan_leaves_request *request,
                              struct banyan_leaf *leaves, int *owners, int max)
{
    assert(request->struct_size == sizeof *request);
    int n = 0;
    for (int i = 0; i < request->count && n < max; ++i) {
        int owner = (request->first + i) % request->count;
        int room = least_int(max - n, request->each);
        int found = banyan_search_select(request->searches[owner], leaves + n, room);
        for (int k = 0; k < found; ++k)
            owners[n++] = owner;
    }
    return n;
}

/* One call of banyan_search_update for each group of neighbours that belong to one search. */
void banyan_search_update_many(struct banyan_search *const *searches,
                               const struct banyan_leaf *leaves, const int *owners, int n)
{
    for (int from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && owners[to] == owners[from];)
            ++to;
        banyan_search_update(searches[owners[from]], leaves + from, to - from);
    }
}

/* --- arrays out --- */

/* The next player after p (-1: the first one) who chooses; game->players: there is none. */
static int leaves_next(const struct banyan_leaf *leaf, int p)
{
    do
        ++p;
    while (p < leaf->game->players && !(leaf->movers >> p & 1));
    return p;
}

int banyan_leaves_rows(const struct banyan_leaf *leaves, int n)
{
    int rows = 0;
    for (int i = 0; i < n; ++i)
        for (unsigned movers = leaves[i].movers; movers; movers &= movers - 1)
            ++rows;
    return rows;
}

void banyan_leaves_observe(const struct banyan_leaf *leaves, int n, float *out)
{
    size_t size = n ? (size_t)banyan_observation_size(leaves[0].game) : 0;
    for (int i = 0; i < n; ++i)
        for (int p = leaves_next(&leaves[i], -1); p < leaves[i].game->players;
             p = leaves_next(&leaves[i], p)) {
            banyan_observe(leaves[i].game, leaves[i].state, p, out);
            out += size;
        }
}

void banyan_leaves_mask(const struct banyan_leaf *leaves, int n, banyan_action *legal, int8_t *out)
{
    size_t width = n ? (size_t)banyan_policy_width(leaves[0].game) : 0;
    for (int i = 0; i < n; ++i)
        for (int p = leaves_next(&leaves[i], -1); p < leaves[i].game->players;
             p = leaves_next(&leaves[i], p)) {
            banyan_policy_mask(leaves[i].game, leaves[i].state, p, legal, out);
            out += width;
        }
}

/* --- arrays in --- */

void banyan_leaves_set_values(struct banyan_leaf *leaves, int n, const float *values)
{
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < leaves[i].game->players; ++p) {
            const struct banyan_game *game = leaves[i].game;
            float value = *values++;
            if (!(value >= game->return_min)) /* NaN too */
                value = game->return_min;
            leaves[i].values[p] = value > game->return_max ? game->return_max : value;
        }
}

/* Writes the logit of each action of a leaf. */
static void leaves_take(const struct banyan_leaf *leaf, int player, const float *logits,
                        banyan_action *legal, float *out)
{
    const struct banyan_game *game = leaf->game;
    const banyan_action *actions = leaf->actions[player];
    int count = leaf->count[player];
    if (game->policy_index) {
        for (int i = 0; i < count; ++i)
            out[i] = logits[game->policy_index(game, leaf->state, player, actions[i])];
        return;
    }
    /* the leaf may list its actions in another order than legal(); usually the order is the same */
    int n = game->legal(game, leaf->state, player, legal), place = 0;
    for (int i = 0; i < count; ++i, ++place) {
        for (int tries = 0; tries < n && legal[place % n] != actions[i]; ++tries)
            ++place;
        out[i] = logits[place % n];
    }
}

static void leaves_softmax(float *numbers, int count)
{
    float most = numbers[0];
    double sum = 0;
    for (int i = 1; i < count; ++i)
        most = numbers[i] > most ? numbers[i] : most;
    for (int i = 0; i < count; ++i)
        sum += (double)(numbers[i] = (float)numeric_exp((double)(numbers[i] - most)));
    for (int i = 0; i < count; ++i)
        numbers[i] = (float)((double)numbers[i] / sum);
}

void banyan_leaves_set_policy(struct banyan_leaf *leaves, int n, const float *logits,
                              banyan_action *legal)
{
    size_t width = n ? (size_t)banyan_policy_width(leaves[0].game) : 0;
    for (int i = 0; i < n; ++i)
        for (int p = leaves_next(&leaves[i], -1); p < leaves[i].game->players;
             p = leaves_next(&leaves[i], p)) {
            leaves_take(&leaves[i], p, logits, legal, leaves[i].priors[p]);
            leaves_softmax(leaves[i].priors[p], leaves[i].count[p]);
            logits += width;
        }
}
