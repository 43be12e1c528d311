/* Priors of the user's own for actions of the root. */
#include "search/search.h"

#include <stdlib.h>

void search_forget_root_priors(struct banyan_search *search)
{
    for (int p = 0; p < search->game->players; ++p) {
        free(search->root.priors[p].at);
        search->root.priors[p] = (struct root_priors){.at = NULL};
    }
}

static float priors_of(const struct root_priors *priors, banyan_action action)
{
    for (int i = 0; i < priors->count; ++i)
        if (priors->at[i].action == action)
            return priors->at[i].prior;
    return 0;
}

void search_put_root_priors(const struct banyan_search *search, struct tree_node *node)
{
    const struct root_priors *priors = &search->root.priors[node->mover];
    if (!priors->at || !tree_has(&search->tree, TREE_PRIORS))
        return;
    float *own = tree_priors(&search->tree, node);
    for (int i = 0; i < node->count; ++i)
        own[i] = priors_of(priors, tree_action(&search->tree, node, i));
    search_normalise_priors(search, node);
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
}

static enum banyan_status priors_check_search(const struct banyan_search *search, int player,
                                              struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (!search_chooses(search, player))
        return banyan_fail(err, BANYAN_INVALID, "%s does not choose at the root",
                           banyan_game_player_name(game, player));
    if (!tree_has(&search->tree, TREE_PRIORS))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "this search keeps no priors: use rule=puct or rule=gumbel");
    if ((game->traits & BANYAN_HIDDEN) && player != search->root.viewer)
        return banyan_fail(
            err, BANYAN_UNSUPPORTED,
            "cards are hidden: only the player who searches can have priors of their own");
    return BANYAN_OK;
}

static enum banyan_status priors_check(const struct banyan_search *search, int player,
                                       const struct root_priors *priors, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    banyan_action *legal = search->scratch.legal;
    int count = game->legal(game, search->root.state, player, legal);
    double sum = 0;
    for (int i = 0; i < priors->count; ++i) {
        int k = 0;
        while (k < count && legal[k] != priors->at[i].action)
            ++k;
        if (k == count)
            return banyan_fail(err, BANYAN_ILLEGAL, "action number %llu is not legal at the root",
                               (unsigned long long)priors->at[i].action);
        if (!(priors->at[i].prior >= 0 && priors->at[i].prior < INFINITY))
            return banyan_fail(err, BANYAN_INVALID,
                               "a prior of %g: it must be finite, and 0 or more",
                               (double)priors->at[i].prior);
        sum += (double)priors->at[i].prior;
    }
    return sum > 0 ? BANYAN_OK
                   : banyan_fail(err, BANYAN_INVALID, "all priors are 0: at least one is needed");
}

static struct root_priors priors_copy(const banyan_action *actions, const float *priors, int n)
{
    struct root_priors copy = {.at = calloc((size_t)n + 1, sizeof *copy.at), .count = n};
    for (int i = 0; copy.at && i < n; ++i)
        copy.at[i] = (struct root_prior){actions[i], priors[i]};
    return copy;
}

/* Stores the priors.  A node that has its noise already gets them immediately; any other gets them with its noise. */
static void priors_set(struct banyan_search *search, int player, struct root_priors priors)
{
    struct tree_node *node = search_root_node(search, player);
    free(search->root.priors[player].at);
    search->root.priors[player] = priors;
    if (node && search->root.noise_movers >> player & 1)
        search_put_root_priors(search, node);
}

enum banyan_status banyan_search_set_root_priors(struct banyan_search *search, int player,
                                                 const banyan_action *actions, const float *priors,
                                                 int n, struct banyan_error *err)
{
    enum banyan_status status = priors_check_search(search, player, err);
    for (int i = 0; i <= search->parallel.member_count && status == BANYAN_OK; ++i) {
        struct banyan_search *one = i ? search->parallel.members[i - 1] : search;
        struct root_priors copy = priors_copy(actions, priors, n);
        status = copy.at ? priors_check(one, player, &copy, err)
                         : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for priors");
        if (status == BANYAN_OK)
            priors_set(one, player, copy);
        else
            free(copy.at);
    }
    return status;
}
