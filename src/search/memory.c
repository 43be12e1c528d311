/* The memory that a search works in, beside its tree: one allocation for the simulations that are in
 * progress (slots), and one for the arrays that have an element for each action. */
#include "search/amaf.h"
#include "search/create.h"
#include "search/workers.h"

#include <stdlib.h>

static void *memory_take(unsigned char **at, size_t bytes)
{
    void *taken = *at;
    if (*at)
        *at += (bytes + 15) & ~(size_t)15;
    return taken;
}

/* Lays out the arrays that are indexed by actions in the memory that begins at `at` (NULL: nothing
 * is set up), and returns how many bytes they take. */
static size_t memory_by_action(struct banyan_search *search, size_t room, unsigned char *at)
{
    unsigned char *begin = at;
    const size_t sizes[] = {room * sizeof *search->scratch.policy,
                            room * sizeof *search->own_gumbel.noise,
                            room * sizeof *search->own_gumbel.before,
                            room * sizeof *search->own_gumbel.kept,
                            room * sizeof *search->scratch.rows,
                            search->own_rule.scores ? select_own_bytes(room) : 0};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        bytes += (sizes[i] + 15) & ~(size_t)15;
    if (!begin)
        return bytes;
    search->scratch.by_action = begin;
    search->scratch.policy = memory_take(&at, sizes[0]);
    search->own_gumbel.noise = memory_take(&at, sizes[1]);
    search->own_gumbel.before = memory_take(&at, sizes[2]);
    search->own_gumbel.kept = memory_take(&at, sizes[3]);
    search->scratch.rows = memory_take(&at, sizes[4]);
    search->scratch.own_rule = memory_take(&at, sizes[5]);
    if (search->own_rule.scores)
        select_own_open(search, room);
    search->action_room = (int)room;
    return bytes;
}

/* Makes the working memory larger, to hold this many actions; false: no memory.  The caller has
 * checked that the limit on the tree's memory allows it. */
bool search_grow_actions(struct banyan_search *search, int room)
{
    unsigned char *block = malloc(memory_by_action(search, (size_t)room, NULL));
    unsigned char *outgrown = search->scratch.by_action;
    size_t known = (size_t)search->action_room;
    const double *gumbel = search->own_gumbel.noise;
    const uint32_t *before = search->own_gumbel.before, *kept = search->own_gumbel.kept;
    if (!block)
        return false;
    memory_by_action(search, (size_t)room, block);
    memcpy(search->own_gumbel.noise, gumbel, known * sizeof *gumbel);
    memcpy(search->own_gumbel.before, before, known * sizeof *before);
    memcpy(search->own_gumbel.kept, kept, known * sizeof *kept);
    free(outgrown);
    return true;
}

bool search_reserve_actions(struct banyan_search *search, int count)
{
    int room = search->action_room;
    if (count <= room)
        return true;
    if (count > TREE_ACTIONS_MAX)
        return false;
    if (search->worker)
        return worker_needs_actions(search, count);
    while (room < count)
        room = 2 * room < TREE_ACTIONS_MAX ? 2 * room : TREE_ACTIONS_MAX;
    size_t bytes = memory_by_action(search, (size_t)room, NULL) -
                   memory_by_action(search, (size_t)search->action_room, NULL);
    return tree_reserve(&search->tree, room, bytes + workers_growth(search, room, bytes)) &&
           search_grow_actions(search, room) && workers_grow(search);
}

/* Gives the arrays the length with which they were made; their contents are lost. */
static void memory_shrink_arrays(struct banyan_search *search)
{
    size_t room = (size_t)search->game->max_legal;
    unsigned char *shorter =
        realloc(search->scratch.by_action, memory_by_action(search, room, NULL));
    memory_by_action(search, room, shorter ? shorter : search->scratch.by_action);
    for (int i = 0; i < search->flights.slot_count; ++i) {
        struct simulation *slot = &search->flights.slots[i];
        free(slot->offered);
        slot->offered = NULL;
        slot->offered_room = 0;
    }
}

void search_shrink_actions(struct banyan_search *search)
{
    if (search->tree.size == search->tree.whole)
        return; /* nothing has grown */
    tree_unreserve(&search->tree, search->game->max_legal);
    memory_shrink_arrays(search);
    workers_shrink(search, memory_shrink_arrays);
}

size_t search_worlds_bytes(const struct banyan_search *search)
{
    bool hidden = search->game->traits & BANYAN_HIDDEN;
    return hidden && !search->worker ? search->game->state_size * (size_t)search->options.worlds
                                     : 0;
}

/* Sets up the working memory from `at` on; with NULL it only adds up its bytes in *bytes. */
static void memory_slots(struct banyan_search *search, unsigned char *at, size_t *bytes)
{
    const struct banyan_game *game = search->game;
    size_t legal = (size_t)game->max_legal, players = (size_t)game->players, total = 0;
    size_t path = ((size_t)search->depth_max + 1) * players;
#define TAKE(count, type)                                  \
    (total += ((count) * sizeof(type) + 15) & ~(size_t)15, \
     (type *)memory_take(&at, (count) * sizeof(type)))
    search->root.state = TAKE(game->state_size, unsigned char);
    bool hidden = game->traits & BANYAN_HIDDEN;
    search->root.drawn = TAKE(search->draws_all ? game->state_size : 0, unsigned char);
    search->root.worlds = TAKE(search_worlds_bytes(search), unsigned char);
    bool baseline = hidden && search->options.world_baseline && search->options.worlds > 0;
    size_t worths = baseline ? (size_t)search->options.worlds + 1 : 0;
    search->root.worths = worths ? TAKE(worths, struct search_worth) : NULL;
    search->scratch.legal = TAKE(legal, banyan_action);
    search->scratch.legal_priors = TAKE(legal, float);
    search->scratch.lookup.size = 8;
    /* the table is mostly empty, so that a missing key is soon found to be missing */
    while (search->scratch.lookup.size < 4 * legal)
        search->scratch.lookup.size *= 2;
    search->scratch.lookup.places = TAKE(search->scratch.lookup.size, uint16_t);
    search->scratch.lookup.known = TAKE(legal, uint8_t);
    for (size_t p = 0; p < players; ++p)
        search->scratch.offers[p] = TAKE(hidden || search->decisive ? legal : 0, uint16_t);
    search->scratch.contenders = TAKE(search->options.root_pruning > 0 ? legal : 0, uint16_t);
    search->flights.slots = TAKE((size_t)search->flights.slot_count, struct simulation);
    search->flights.leaves = TAKE((size_t)search->flights.slot_count, struct banyan_leaf);
    for (int i = 0; i < search->flights.slot_count; ++i) {
        struct simulation dummy, *slot = at ? &search->flights.slots[i] : &dummy;
        memset(slot, 0, sizeof *slot);
        slot->state = TAKE(game->state_size, unsigned char);
        slot->path = TAKE(path, struct path_step);
        slot->offers = TAKE(search->keeps_offers ? path : 0, struct path_offer);
        slot->amaf = TAKE(search->amaf ? path : 0, struct amaf_step);
        slot->log.room = search->amaf ? search->amaf->log_room : 0;
        slot->log.moves = TAKE((size_t)slot->log.room, uint32_t);
        for (size_t p = 0; p < players && search->evaluator->wants_actions; ++p) {
            slot->actions[p] = TAKE(legal, banyan_action);
            slot->priors[p] = TAKE(legal, float);
        }
    }
#undef TAKE
    *bytes = total;
}

bool search_make_memory(struct banyan_search *search)
{
    size_t size, legal = (size_t)search->game->max_legal;
    memory_slots(search, NULL, &size);
    search->scratch.block = malloc(size);
    if (search->scratch.block)
        memory_slots(search, search->scratch.block, &size);
    search->scratch.by_action = malloc(memory_by_action(search, legal, NULL));
    if (search->scratch.by_action)
        memory_by_action(search, legal, search->scratch.by_action);
    return search->scratch.block && search->scratch.by_action;
}

size_t search_memory_bytes(struct banyan_search *search)
{
    size_t size;
    memory_slots(search, NULL, &size);
    return size + memory_by_action(search, (size_t)search->game->max_legal, NULL);
}

void search_free_memory(struct banyan_search *search)
{
    for (int i = 0; search->scratch.block && i < search->flights.slot_count; ++i)
        free(search->flights.slots[i].offered);
    free(search->scratch.block);
    free(search->scratch.by_action);
}
