/* Tables of all moves as first: finds, fills and forgets them. */
#include "search/amaf.h"

#include <stdlib.h>

enum {
    AMAF_VISITS_MAX =
        1 << 22, /* at this count the numbers of an entry are halved: larger sums are not exact */
    AMAF_ROOTS = 16 /* most tables where only roots have one */
};

struct amaf_table {
    uint64_t key;
    uint64_t simulations; /* through the position since the table was made */
};

static struct amaf_table *amaf_table(const struct amaf *amaf, uint32_t number)
{
    return (struct amaf_table *)(void *)(amaf->tables + (size_t)(number - 1) * amaf->table_bytes);
}

static struct amaf_entry *amaf_table_entries(const struct amaf *amaf, uint32_t number)
{
    return (struct amaf_entry *)(void *)(amaf_table(amaf, number) + 1);
}

/* Reserves the tables, and an index of at least twice as many places. */
static bool amaf_reserve(struct amaf *amaf, uint64_t bytes)
{
    uint64_t fixed = (size_t)amaf->moves * (sizeof *amaf->marks + sizeof *amaf->list);
    bytes = bytes > fixed ? bytes - fixed : 0;
    uint64_t each = amaf->table_bytes + 4 * sizeof *amaf->index;
    uint64_t room = bytes / each < UINT32_MAX / 4 ? bytes / each : UINT32_MAX / 4;
    if (amaf->only_roots && room > AMAF_ROOTS)
        room = AMAF_ROOTS;
    amaf->table_room = (uint32_t)room;
    for (amaf->index_size = 4; amaf->index_size < 2 * amaf->table_room;)
        amaf->index_size *= 2;
    amaf->bytes =
        fixed + amaf->table_bytes * room + (uint64_t)amaf->index_size * sizeof *amaf->index;
    amaf->tables = room >= 2 ? malloc(amaf->table_bytes * (size_t)room) : NULL;
    amaf->index = calloc(amaf->index_size, sizeof *amaf->index);
    amaf->marks = calloc((size_t)amaf->moves, sizeof *amaf->marks);
    amaf->list = calloc((size_t)amaf->moves, sizeof *amaf->list);
    return amaf->tables && amaf->index && amaf->marks && amaf->list;
}

struct amaf *amaf_create(const struct banyan_game *game,
                         const struct banyan_search_options *options, uint64_t bytes)
{
    struct amaf *amaf = calloc(1, sizeof *amaf);
    if (!amaf)
        return NULL;
    amaf->actions = banyan_game_action_count(game);
    amaf->moves = game->players * amaf->actions;
    amaf->log_room = game->max_plies < SEARCH_DEPTH_MAX ? game->max_plies : SEARCH_DEPTH_MAX;
    amaf->only_roots = options->rule != BANYAN_RULE_GRAVE;
    amaf->least = (uint32_t)options->grave_visits;
    amaf->begin_visits = amaf->least / 4;
    amaf->table_bytes = sizeof(struct amaf_table) + (size_t)amaf->moves * sizeof(struct amaf_entry);
    if (amaf_reserve(amaf, bytes))
        return amaf;
    amaf_destroy(amaf);
    return NULL;
}

void amaf_destroy(struct amaf *amaf)
{
    if (!amaf)
        return;
    free(amaf->tables);
    free(amaf->index);
    free(amaf->marks);
    free(amaf->list);
    free(amaf);
}

void amaf_clear(struct amaf *amaf)
{
    if (amaf->table_count)
        memset(amaf->index, 0, amaf->index_size * sizeof *amaf->index);
    amaf->table_count = 0;
    amaf->closest = amaf->root = 0;
}

void amaf_make_room(struct amaf *amaf)
{
    if (amaf->table_count > amaf->table_room / 2)
        amaf_clear(amaf);
    amaf->closest = amaf->root = 0;
}

/* The place of this key in the index: that of its table, or an empty one. */
static uint32_t *amaf_place(const struct amaf *amaf, uint64_t key)
{
    uint32_t at = (uint32_t)key & (amaf->index_size - 1);
    while (amaf->index[at] && amaf_table(amaf, amaf->index[at])->key != key)
        at = (at + 1) & (amaf->index_size - 1);
    return &amaf->index[at];
}

/* The table of this key, which is made if there is room. */
static uint32_t amaf_find(struct amaf *amaf, uint64_t key)
{
    uint32_t *place = amaf_place(amaf, key);
    if (*place || amaf->table_count == amaf->table_room)
        return *place;
    *place = ++amaf->table_count;
    memset(amaf_table(amaf, *place), 0, amaf->table_bytes);
    amaf_table(amaf, *place)->key = key;
    return *place;
}

void amaf_arrive(struct banyan_search *search, struct simulation *simulation,
                 const struct tree_node *node)
{
    struct amaf *amaf = search->amaf;
    bool root = simulation->length == 0;
    uint32_t table = 0;
    if (root || (!amaf->only_roots && node->visits >= amaf->begin_visits))
        table = amaf_find(amaf, search_node_key(search, simulation->state, node->mover));
    simulation->amaf[simulation->length].table = table;
    if (root)
        amaf->root = table;
    if (root || (table && amaf_table(amaf, table)->simulations >= amaf->least))
        amaf->closest = table;
}

void amaf_chosen(struct banyan_search *search, struct simulation *simulation, int mover,
                 banyan_action action)
{
    simulation->amaf[simulation->length - 1].move =
        (uint32_t)(mover * search->amaf->actions) + (uint32_t)action;
}

/* Adds a move to the list if the simulation has not met it yet; returns the new length. */
static int amaf_add(struct amaf *amaf, int count, uint32_t move, const float values[])
{
    if (amaf->marks[move] == amaf->mark)
        return count;
    amaf->marks[move] = amaf->mark;
    amaf->list[count] = (struct amaf_move){move, values[move / (uint32_t)amaf->actions]};
    return count + 1;
}

static void amaf_count(struct amaf *amaf, uint32_t number, int count)
{
    struct amaf_entry *entries = amaf_table_entries(amaf, number);
    ++amaf_table(amaf, number)->simulations;
    for (int i = 0; i < count; ++i) {
        struct amaf_entry *entry = &entries[amaf->list[i].move];
        entry->sum += amaf->list[i].value;
        if (++entry->visits == AMAF_VISITS_MAX) {
            entry->visits /= 2;
            entry->sum /= 2;
        }
    }
}

void amaf_backup(struct banyan_search *search, const struct simulation *simulation)
{
    struct amaf *amaf = search->amaf;
    float values[BANYAN_MAX_PLAYERS];
    int count = 0;
    for (int p = 0; p < search->game->players; ++p)
        values[p] = (float)search_utility(search, simulation->values, p);
    if (++amaf->mark == 0) {
        memset(amaf->marks, 0, (size_t)amaf->moves * sizeof *amaf->marks);
        amaf->mark = 1;
    }
    for (int i = 0; i < simulation->log.count; ++i)
        count = amaf_add(amaf, count, simulation->log.moves[i], values);
    for (int i = simulation->length - 1; i >= 0; --i) {
        count = amaf_add(amaf, count, simulation->amaf[i].move, values);
        if (simulation->amaf[i].table)
            amaf_count(amaf, simulation->amaf[i].table, count);
    }
}

const struct amaf_entry *amaf_entries(const struct amaf *amaf, uint32_t table, int mover)
{
    return table ? amaf_table_entries(amaf, table) + mover * amaf->actions : NULL;
}
