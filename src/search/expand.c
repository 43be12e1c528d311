/* Makes nodes: which actions they have, in which order, and with which priors. */
#include "base/numeric.h"
#include "search/search.h"

static void expand_shuffle(struct banyan_rng *rng, banyan_action *actions, int count)
{
    for (int i = count; i > 1; --i) {
        uint32_t j = rng_below(rng, (uint32_t)i);
        banyan_action action = actions[i - 1];
        actions[i - 1] = actions[j];
        actions[j] = action;
    }
}

void search_temper_priors(float *priors, int count, double temperature)
{
    float most = 0;
    double sum = 0;
    for (int i = 0; i < count; ++i)
        most = priors[i] > most ? priors[i] : most;
    if (most <= 0 || (temperature >= 1 && temperature <= 1))
        return;
    for (int i = 0; i < count; ++i) {
        priors[i] = (float)numeric_pow((double)(priors[i] / most), 1 / temperature);
        sum += (double)priors[i];
    }
    for (int i = 0; i < count; ++i)
        priors[i] = (float)((double)priors[i] / sum);
}

static void expand_default_priors(const struct banyan_search *search, const void *state, int mover,
                                  const banyan_action *actions, int count, float *priors)
{
    const struct banyan_evaluator *evaluator = search->evaluator;
    for (int i = 0; !search_knows_priors(search) && i < count; ++i)
        priors[i] = 1.0f / (float)count;
    if (evaluator->priors)
        evaluator->priors(evaluator->ctx, state, mover, actions, count, priors);
    else if (search->game->priors)
        search->game->priors(search->game, state, mover, actions, count, priors);
    search_temper_priors(priors, count, search->options.prior_temperature);
}

/* Writes the actions of a new node to search->scratch.legal and returns how many.  The root has
 * all legal actions that its limits allow, since users look at it.  Below the root, where the game names decisive or
 * anti-decisive moves, a node has only these: a best action is among them, and simulations need
 * not find out what the rules already say. */
static int expand_actions(struct banyan_search *search, const struct simulation *simulation,
                          const void *state, int mover)
{
    if (simulation->depth == 0)
        return search_root_legal(search, state, mover, search->scratch.legal);
    int count = search->decisive && !simulation->all_actions
                    ? search->game->decisive(search->game, state, mover, search->scratch.legal)
                    : 0;
    return count ? count : search->game->legal(search->game, state, mover, search->scratch.legal);
}

uint32_t search_expand(struct banyan_search *search, struct simulation *simulation,
                       const void *state, int mover, uint32_t visits, bool wait_for_priors)
{
    struct tree *tree = &search->tree;
    banyan_action *actions = search->scratch.legal;
    int count = expand_actions(search, simulation, state, mover);
    uint64_t key = 0;
    if (tree->layout.keyed || tree->table) {
        key = simulation->key ? simulation->key : search_node_key(search, state, mover);
        uint32_t known = tree->table ? tree_table_find(tree, key) : 0;
        if (known)
            return known;
    }
    bool ordered = wait_for_priors || (tree_has(tree, TREE_PRIORS) && search_knows_priors(search));
    if (search->options.order == BANYAN_ORDER_RANDOM && !ordered)
        expand_shuffle(&search->rng, actions, count);
    float *priors = NULL;
    if (tree_has(tree, TREE_PRIORS) && !wait_for_priors) {
        priors = search->scratch.legal_priors;
        expand_default_priors(search, state, mover, actions, count, priors);
    }
    uint32_t ref = tree_make_node(tree, &(struct tree_beginning){
                                            .key = key,
                                            .mover = mover,
                                            .visits = visits,
                                            .actions = actions,
                                            .priors = priors,
                                            .count = count,
                                            .capacity = tree_has(tree, TREE_REGRET) ? count : 2,
                                        });
    if (!ref)
        return 0;
    if (wait_for_priors)
        tree_node(tree, ref)->flags |= TREE_PENDING;
    uint32_t known = tree->table ? tree_table_enter(tree, key, ref) : ref;
    if (known != ref) { /* another thread was faster */
        tree_drop_node(tree, ref);
        return known;
    }
    simulation->made[mover] = simulation->fresh[mover] = ref;
    return ref;
}

/* priors: of all `count` legal actions, in the order of legal().  The node's actions still have
 * this order; where the node has only a part of them, search->scratch.legal holds all.
 * The priors of what the limits of the root leave sum to 1; those of decisive moves do not. */
static void expand_put_priors(struct banyan_search *search, uint32_t ref,
                              const struct simulation *simulation, const float *priors, int count)
{
    struct tree_node *node = tree_node(&search->tree, ref);
    node->flags &= (uint8_t) ~(TREE_PENDING | TREE_NEXT_FOUND);
    if (!tree_has(&search->tree, TREE_PRIORS))
        return;
    float *own = tree_priors(&search->tree, node);
    if (node->count == count) {
        memcpy(own, priors, (size_t)count * sizeof *priors);
        return;
    }
    for (int i = 0, j = 0; i < node->count; ++i, ++j) {
        while (search->scratch.legal[j] != tree_action(&search->tree, node, i))
            ++j;
        own[i] = priors[j];
    }
    if (simulation->depth == 0)
        search_normalise_priors(search, node);
}

void search_default_priors(struct banyan_search *search, uint32_t ref,
                           const struct simulation *simulation)
{
    const void *state = simulation->state;
    int mover = tree_node(&search->tree, ref)->mover;
    int count = search->game->legal(search->game, state, mover, search->scratch.legal);
    expand_default_priors(search, state, mover, search->scratch.legal, count,
                          search->scratch.legal_priors);
    expand_put_priors(search, ref, simulation, search->scratch.legal_priors, count);
}

void search_end_waiting(struct banyan_search *search, uint32_t ref,
                        const struct simulation *simulation)
{
    struct tree_node *node = tree_node(&search->tree, ref);
    search_hold(search, node);
    if (node->flags & TREE_PENDING)
        search_default_priors(search, ref, simulation);
    search_let_go(search, node);
}

void search_receive_priors(struct banyan_search *search, uint32_t ref,
                           const struct simulation *simulation, const float *priors)
{
    const struct tree_node *node = tree_node(&search->tree, ref);
    int count = search->decisive || search->root.limited
                    ? search->game->legal(search->game, simulation->state, node->mover,
                                          search->scratch.legal)
                    : node->count;
    double sum = 0; /* leaves were handed out with priors of 0 */
    for (int i = 0; i < count; ++i)
        sum += (double)priors[i];
    if (sum <= 0) {
        search_default_priors(search, ref, simulation);
        return;
    }
    float *tempered = search->scratch.legal_priors;
    memcpy(tempered, priors, (size_t)count * sizeof *tempered);
    search_temper_priors(tempered, count, search->options.prior_temperature);
    expand_put_priors(search, ref, simulation, tempered, count);
}

/* Appends the legal actions that the node does not have, and writes their indices to out.
 * Returns how many: all of them, or 0 if there is no room. */
static int expand_append(struct banyan_search *search, struct tree_node *node, const void *state,
                         int count, int unknown, uint16_t *out)
{
    struct tree *tree = &search->tree;
    if (!search_reserve_actions(search, node->count + unknown))
        return 0;
    int index = tree_append(tree, node, unknown), appended = 0;
    if (index < 0)
        return 0;
    if (tree_has(tree, TREE_PRIORS))
        expand_default_priors(search, state, node->mover, search->scratch.legal, count,
                              search->scratch.legal_priors);
    for (int i = 0; i < count; ++i) {
        if (search->scratch.lookup.known[i])
            continue;
        tree_set_action(tree, node, index, search->scratch.legal[i]);
        if (tree_has(tree, TREE_PRIORS))
            tree_priors(tree, node)[index] = search->scratch.legal_priors[i];
        if (tree_has(tree, TREE_LEGAL)) /* it was not legal at any visit before */
            tree_legal(tree, node)[index] =
                node->partial - tree_counted((uint64_t)node->visits + node->in_flight);
        out[appended++] = (uint16_t)index++;
    }
    return appended;
}

int search_list_legal(struct banyan_search *search, const void *state, int mover, bool at_root)
{
    banyan_action *legal = search->scratch.legal;
    return at_root ? search_root_legal(search, state, mover, legal)
                   : search->game->legal(search->game, state, mover, legal);
}

int search_offer(struct banyan_search *search, struct tree_node *node, const void *state,
                 bool at_root, uint16_t *out)
{
    int count = search_list_legal(search, state, node->mover, at_root);
    return search_offer_listed(search, node, state, count, out);
}

int search_offer_listed(struct banyan_search *search, struct tree_node *node, const void *state,
                        int count, uint16_t *out)
{
    tree_fetch_block(&search->tree, node);
    int known = tree_find_actions(&search->tree, node, search->scratch.legal, count,
                                  &search->scratch.lookup, out);
    int unknown = 0; /* counts again, because a game may name an action twice */
    for (int i = 0; i < count && known < count; ++i)
        unknown += !search->scratch.lookup.known[i];
    if (unknown && !search_is_private(node))
        known += expand_append(search, node, state, count, unknown, out + known);
    return known;
}

void search_complete_node(struct banyan_search *search, struct tree_node *node, const void *state)
{
    if (!search->decisive || (node->flags & TREE_PENDING))
        return;
    int before = node->count;
    search_offer(search, node, state, node == search_root_node(search, node->mover),
                 search->scratch.offers[0]);
    if (node->count >
        before) /* the priors of a part and of all actions sum to more than 1 together */
        search_normalise_priors(search, node);
}
