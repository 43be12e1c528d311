/* Limits on what may be chosen at the root: banyan_search_allow(), banyan_search_avoid(). */
#include "search/search.h"

#include <stdlib.h>

static bool limit_names(const struct root_limit *limit, banyan_action action)
{
    for (int i = 0; i < limit->count; ++i)
        if (limit->actions[i] == action)
            return true;
    return false;
}

static bool limit_allows(const struct banyan_search *search, int player, banyan_action action)
{
    const struct root_limit *limit = &search->root.limits[player];
    return !limit->actions || limit_names(limit, action) != limit->avoids;
}

int search_root_legal(const struct banyan_search *search, const void *state, int player,
                      banyan_action *out)
{
    int count = search->game->legal(search->game, state, player, out), kept = 0;
    if (!(search->root.limited >> player & 1))
        return count;
    for (int i = 0; i < count; ++i)
        kept += limit_allows(search, player, out[i]);
    for (int i = 0, k = 0; kept && k < kept; ++i)
        if (limit_allows(search, player, out[i]))
            out[k++] = out[i];
    return kept ? kept : count;
}

void search_normalise_priors(const struct banyan_search *search, struct tree_node *node)
{
    double sum = 0;
    if (!tree_has(&search->tree, TREE_PRIORS))
        return;
    float *priors = tree_priors(&search->tree, node);
    for (int i = 0; i < node->count; ++i)
        sum += (double)priors[i];
    for (int i = 0; i < node->count; ++i)
        priors[i] = sum > 0 ? (float)((double)priors[i] / sum) : 1.0f / (float)node->count;
}

static void limit_lift(struct banyan_search *search, int player)
{
    free(search->root.limits[player].actions);
    search->root.limits[player] = (struct root_limit){.actions = NULL};
    search->root.limited &= ~(1u << player);
}

void search_unlimit(struct banyan_search *search)
{
    for (int p = 0; search->root.limited && p < search->game->players; ++p)
        limit_lift(search, p);
}

/* Takes visits of actions that are no longer there from the node's.  No action was missed more often
 * than the node is visited. */
static void limit_lose(struct banyan_search *search, struct tree_node *node, uint64_t lost)
{
    node->visits = lost < node->visits ? (uint32_t)(node->visits - lost) : 0;
    if (tree_has(&search->tree, TREE_LEGAL)) {
        uint32_t *legal = tree_legal(&search->tree, node);
        for (int i = 0; i < node->count; ++i)
            if (node->partial - legal[i] > node->visits)
                legal[i] = node->partial - node->visits;
    }
    search_keep_sqrt_ln(search, node);
}

/* Takes the actions that are not allowed out of the node.  False: no room. */
static bool limit_keep(struct banyan_search *search, struct tree_node *node)
{
    struct tree *tree = &search->tree;
    uint16_t *keep = malloc(node->count * sizeof *keep);
    uint64_t lost = 0;
    int kept = 0;
    for (int i = 0; keep && i < node->count; ++i) {
        if (limit_allows(search, node->mover, tree_action(tree, node, i)))
            keep[kept++] = (uint16_t)i;
        else if (i < node->tried)
            lost += tree_edges(tree, node)[i].visits;
    }
    bool done = keep && (kept == node->count || tree_keep_actions(tree, node, keep, kept));
    free(keep);
    if (!done)
        return false;
    limit_lose(search, node, lost);
    return true;
}

/* Makes room for a longer list of actions: a tree that is full is compacted. */
static void limit_make_room(struct banyan_search *search)
{
    search_make_room(search);
    for (int p = 0; p < search->game->players; ++p)
        if (search->root.nodes[p]) /* it may have moved */
            search->root.nodes[p] = search_root_node(search, p);
}

/* Gives the node of the root all actions that are allowed.  False: no room. */
static bool limit_offer(struct banyan_search *search, struct tree_node *node, uint16_t *places)
{
    int count = search_list_legal(search, search->root.state, node->mover, true);
    search_offer_listed(search, node, search->root.state, count, places);
    for (int i = 0; i < count; ++i)
        if (tree_find_action(&search->tree, node, search->scratch.legal[i]) < 0)
            return false;
    return true;
}

/* Gives the player's root node, if there is one, the actions that are allowed, and no others. */
static bool limit_apply(struct banyan_search *search, int player)
{
    limit_make_room(search);
    struct tree_node *node = search_root_node(search, player);
    uint16_t *places = malloc((size_t)search->game->max_legal * sizeof *places);
    bool done = places;
    if (done && node) {
        done = limit_offer(search, node, places) && limit_keep(search, node);
        search_normalise_priors(search, node);
        if (search->root.noise_movers >> player & 1)
            search_renew_root_priors(search, node);
    }
    free(places);
    if (!done || !node)
        return done;
    if (search->options.rule == BANYAN_RULE_GUMBEL && player == search->root.viewer) {
        search->gumbel->noise_count = 0;
        search->gumbel->halving.alive = 0;
        search_gumbel_noise(search, node->count);
    }
    if (search->solver)
        search->root.bounds = search_node_bounds(search, node);
    search_recount_root(search);
    return true;
}

static enum banyan_status limit_check(const struct banyan_search *search, int player,
                                      const struct root_limit *limit, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (!search_chooses(search, player))
        return banyan_fail(err, BANYAN_INVALID, "%s does not choose at the root",
                           banyan_game_player_name(game, player));
    if (limit->count < 0)
        return banyan_fail(err, BANYAN_INVALID, "%d actions: their number cannot be negative",
                           limit->count);
    if (search->options.transpositions)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "transpositions=on shares the root's node with other positions: its "
                           "actions cannot be restricted");
    int count = game->legal(game, search->root.state, player, search->scratch.legal), named = 0;
    const struct root_limit legal = {.actions = search->scratch.legal, .count = count};
    for (int i = 0; i < limit->count; ++i)
        if (!limit_names(&legal, limit->actions[i]))
            return banyan_fail(err, BANYAN_ILLEGAL, "action number %llu is not legal at the root",
                               (unsigned long long)limit->actions[i]);
    for (int i = 0; i < count; ++i)
        named += limit_names(limit, search->scratch.legal[i]);
    if (limit->avoids && named == count)
        return banyan_fail(err, BANYAN_INVALID, "all %d actions are avoided: none is left", count);
    return BANYAN_OK;
}

/* Sets the limit of one tree. */
static enum banyan_status limit_set(struct banyan_search *search, int player,
                                    const struct root_limit *limit, struct banyan_error *err)
{
    size_t bytes = (size_t)limit->count * sizeof *limit->actions;
    banyan_action *copy = bytes ? malloc(bytes) : NULL;
    limit_lift(search, player);
    if (copy) {
        struct root_limit own = {.actions = copy, .avoids = limit->avoids};
        for (int i = 0; i < limit->count;
             ++i) /* each action once, so that there are max_legal at most */
            if (!limit_names(&own, limit->actions[i]))
                copy[own.count++] = limit->actions[i];
        search->root.limits[player] = own;
        search->root.limited |= 1u << player;
    }
    if (bytes && !copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a list of actions");
    return limit_apply(search, player)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_NO_MEMORY,
                             "the tree has no room for another root: raise memory");
}

static enum banyan_status limit_all(struct banyan_search *search, int player,
                                    const struct root_limit *limit, struct banyan_error *err)
{
    enum banyan_status status = limit_check(search, player, limit, err);
    if (status == BANYAN_OK)
        status = limit_set(search, player, limit, err);
    for (int i = 0; i < search->parallel.member_count && status == BANYAN_OK; ++i)
        status = limit_set(search->parallel.members[i], player, limit, err);
    return status;
}

enum banyan_status banyan_search_allow(struct banyan_search *search, int player,
                                       const banyan_action *actions, int n,
                                       struct banyan_error *err)
{
    /* cast: the list is only read */
    struct root_limit limit = {.actions = (banyan_action *)(uintptr_t)actions, .count = n};
    return limit_all(search, player, &limit, err);
}

enum banyan_status banyan_search_avoid(struct banyan_search *search, int player,
                                       const banyan_action *actions, int n,
                                       struct banyan_error *err)
{
    struct root_limit limit = {
        .actions = (banyan_action *)(uintptr_t)actions, .count = n, .avoids = true};
    return limit_all(search, player, &limit, err);
}
