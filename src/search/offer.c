/* Records which actions were legal at each step of a simulation, in games where states of one
 * information set have different legal actions.  The backup needs them, and they are counted for
 * availability (Cowling, Powley, Whitehouse 2012, section V).
 *
 * Actions are recorded, not their indices, because indices change while a simulation is in flight:
 * other simulations may try actions of the same node, which moves them in its list.
 */
#include "search/workers.h"

#include <stdlib.h>

static bool offer_has_room(struct banyan_search *search, struct simulation *simulation,
                           uint32_t needed)
{
    if (needed <= simulation->offered_room)
        return true;
    uint32_t room = 2 * needed;
    size_t more = (room - simulation->offered_room) * sizeof *simulation->offered;
    if (search->worker)
        worker_takes(search, more);
    else if (!tree_reserve(&search->tree, search->action_room, more))
        return false;
    banyan_action *offered = realloc(simulation->offered, room * sizeof *offered);
    if (!offered)
        return false;
    simulation->offered = offered;
    simulation->offered_room = room;
    return true;
}

/* Adds 1 to (or takes 1 from) the misses of the node's actions that were not legal.  When the
 * visits of the node are at their maximum, the misses stay as they are, too. */
void search_count_offer(const struct banyan_search *search, struct tree_node *node,
                        const struct offer *offer, bool back)
{
    if (!tree_has(&search->tree, TREE_LEGAL) || offer->count == node->count ||
        node->visits >= UINT32_MAX - 1)
        return;
    uint32_t *legal = tree_legal(&search->tree, node), one = back ? UINT32_MAX : 1;
    node->partial += one;
    for (int k = 0; k < offer->count; ++k)
        legal[offer_at(offer, k)] += one;
}

bool search_keep_offer(struct banyan_search *search, struct simulation *simulation,
                       const struct tree_node *node, const struct offer *offer)
{
    uint32_t begin = simulation->offered_count, count = (uint32_t)offer->count;
    if (!offer_has_room(search, simulation, begin + count))
        return false;
    const unsigned char *list = tree_actions(&search->tree, node);
    for (int k = 0; k < offer->count; ++k)
        simulation->offered[begin + (uint32_t)k] =
            tree_listed(list, search->tree.layout.action_bytes, offer_at(offer, k));
    simulation->offers[simulation->length] = (struct path_offer){begin, count};
    simulation->offered_count = begin + count;
    return true;
}

struct offer search_step_offer(struct banyan_search *search, const struct simulation *simulation,
                               int i)
{
    const struct tree_node *node = tree_node(&search->tree, simulation->path[i].node);
    if (!search->keeps_offers)
        return (struct offer){NULL, node->count};
    const struct path_offer *kept = &simulation->offers[i];
    int count =
        tree_find_actions(&search->tree, node, simulation->offered + kept->begin, (int)kept->count,
                          &search->scratch.lookup, search->scratch.offers[0]);
    return (struct offer){search->scratch.offers[0], count};
}

void search_forget_offer(struct banyan_search *search, const struct simulation *simulation, int i)
{
    struct offer offer = search_step_offer(search, simulation, i);
    search_count_offer(search, tree_node(&search->tree, simulation->path[i].node), &offer, true);
}
