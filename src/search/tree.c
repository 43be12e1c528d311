/* The memory of the tree: nodes, edges and outcomes in one arena. */
#include "search/tree.h"

#include "base/compiler.h"
#include "base/large_pages.h"
#include "base/least.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The most that 32-bit references can address; a larger limit is cut to this. */
#define TREE_BYTES_MOST ((uint64_t)1 << 35)

enum {
    TREE_CHUNK_UNITS = (16 << 10) / 8,
    TREE_SMALL_BYTES =
        4 << 20 /* the first bytes of an arena, which are in pages of the usual size */
};
enum { NODE_UNITS = sizeof(struct tree_node) / 8, OUTCOME_UNITS = sizeof(struct tree_outcome) / 8 };

_Static_assert(sizeof(struct tree_node) == 40, "a node is 40 bytes");
_Static_assert(sizeof(struct tree_edge) == 16, "an edge is 16 bytes");
_Static_assert(sizeof(struct tree_outcome) == 24, "an outcome is 24 bytes");

const struct tree_column_kind tree_columns[TREE_COLUMNS] = {
    [TREE_SQUARES] = {.name = "squares", .bytes = sizeof(double), .is_fading = true},
    [TREE_REGRET] = {.name = "regret", .bytes = sizeof(double)},
    [TREE_STRATEGY] = {.name = "strategy", .bytes = sizeof(double)},
    [TREE_VECTOR] = {.name = "vector",
                     .bytes = sizeof(double),
                     .by_player = true,
                     .is_fading = true},
    [TREE_BOUNDS] = {.name = "bounds", .bytes = sizeof(struct tree_bounds)},
    [TREE_IN_FLIGHT] = {.name = "in_flight", .bytes = sizeof(uint32_t)},
    [TREE_IMPLICIT] = {.name = "implicit", .bytes = sizeof(float)},
    [TREE_EXPLORE] = {.name = "explore", .bytes = sizeof(float)},
    [TREE_ROOTS] = {.name = "roots", .bytes = sizeof(double)},
    [TREE_PRIORS] = {.name = "priors", .bytes = sizeof(float), .is_written = true},
    [TREE_LEGAL] = {.name = "legal", .bytes = sizeof(uint32_t)},
};

void tree_lay_out(struct tree_layout *layout, unsigned columns)
{
    int places = 0;
    layout->columns = columns;
    layout->edge_bytes = sizeof(struct tree_edge);
    layout->list_bytes = 0;
    layout->edge_columns = layout->list_columns = 0;
    for (int i = 0; i < TREE_COLUMNS; ++i) {
        const struct tree_column_kind *kind = &tree_columns[i];
        unsigned bytes = kind->bytes * (kind->by_player ? (unsigned)layout->players : 1);
        bool of_edges = i < TREE_EDGE_COLUMNS;
        unsigned *end = of_edges ? &layout->edge_bytes : &layout->list_bytes;
        layout->at[i] = *end;
        if (!(columns >> i & 1))
            continue;
        layout->places[places++] = (struct tree_column_place){*end, bytes, (enum tree_column)i};
        ++*(of_edges ? &layout->edge_columns : &layout->list_columns);
        *end += bytes;
    }
}

/* Capacities are even, so that every column of edges begins at a multiple of 8. */
static size_t tree_even(int n)
{
    return ((size_t)n + 1) & ~(size_t)1;
}

/* The number of lists of free blocks: one for each number of units that a block may have. */
static uint32_t tree_free_sizes(const struct tree_layout *layout, int max_legal)
{
    return tree_block_units(layout, tree_even(max_legal), (size_t)max_legal) + 1;
}

uint64_t tree_lists_bytes(const struct tree_layout *layout, int max_legal)
{
    return tree_free_sizes(layout, max_legal) * (uint64_t)sizeof(uint32_t);
}

/* A tree that stays small takes no more memory than it needs; a large one grows by large pages, which the system
 * provides faster. */
static void tree_ask_pages(const struct tree *tree)
{
    size_t size = (size_t)tree->size * 8;
    if (tree->base && size > TREE_SMALL_BYTES)
        large_pages(tree->base + TREE_SMALL_BYTES, size - TREE_SMALL_BYTES);
}

enum banyan_status tree_init(struct tree *tree, const struct tree_layout *layout, uint64_t bytes,
                             bool transpositions, int max_legal)
{
    memset(tree, 0, sizeof *tree);
    tree->epoch = 1;
    tree->layout = *layout;
    tree->free_sizes = tree_free_sizes(layout, max_legal);
    tree->fixed_bytes = tree->free_sizes * sizeof *tree->free_blocks;
    bytes = least_u64(bytes, TREE_BYTES_MOST);
    if (transpositions) { /* one entry of the table for every 128 to 256 bytes */
        tree->table_size = 1024;
        while ((uint64_t)tree->table_size * 256 <= bytes)
            tree->table_size *= 2;
        tree->fixed_bytes += (uint64_t)tree->table_size * sizeof *tree->table;
    }
    if (bytes < tree->fixed_bytes + (64u << 10))
        return BANYAN_INVALID;
    tree->size = (uint32_t)((bytes - tree->fixed_bytes) / 8);
    tree->whole = tree->size;
    tree->limit = tree->size / 3 * 2;
    /* the system provides this memory only when it is used */
    tree->base = malloc((size_t)tree->size * 8);
    tree_ask_pages(tree);
    tree->free_blocks = calloc(tree->free_sizes, sizeof *tree->free_blocks);
    tree->table = transpositions ? calloc(tree->table_size, sizeof *tree->table) : NULL;
    tree->used = 1;
    if (tree->base && tree->free_blocks && (!transpositions || tree->table))
        return BANYAN_OK;
    tree_free(tree);
    return BANYAN_NO_MEMORY;
}

bool tree_reserve(struct tree *tree, int max_legal, size_t extra_bytes)
{
    uint32_t sizes = tree_free_sizes(&tree->layout, max_legal);
    uint64_t bytes = (uint64_t)(sizes - tree->free_sizes) * sizeof *tree->free_blocks + extra_bytes;
    uint32_t units = (uint32_t)((bytes + 7) / 8), size = tree->size - units;
    if (sizes < tree->free_sizes || units > tree->size || tree->used > size / 3 * 2)
        return false;
    uint32_t *free_blocks = realloc(tree->free_blocks, sizes * sizeof *free_blocks);
    if (!free_blocks)
        return false;
    memset(free_blocks + tree->free_sizes, 0,
           (sizes - tree->free_sizes) * sizeof *tree->free_blocks);
    tree->free_blocks = free_blocks;
    tree->free_sizes = sizes;
    tree->fixed_bytes += (uint64_t)units * 8;
    tree->size = size;
    tree->limit = size / 3 * 2;
    return true;
}

void tree_unreserve(struct tree *tree, int max_legal)
{
    tree->fixed_bytes -= (uint64_t)(tree->whole - tree->size) * 8;
    tree->size = tree->whole;
    tree->limit = tree->size / 3 * 2;
    tree->free_sizes = tree_free_sizes(&tree->layout, max_legal);
}

void tree_free(struct tree *tree)
{
    free(tree->base);
    free(tree->free_blocks);
    free(tree->table);
    memset(tree, 0, sizeof *tree);
}

void tree_clear(struct tree *tree)
{
    tree->used = 1;
    memset(tree->free_blocks, 0, tree->free_sizes * sizeof *tree->free_blocks);
    if (tree->table)
        memset(tree->table, 0, tree->table_size * sizeof *tree->table);
    tree->table_used = 0;
    tree->nodes = tree->edges = tree->outcomes = 0;
    ++tree->epoch;
}

uint64_t tree_bytes_used(const struct tree *tree)
{
    return (uint64_t)tree->used * 8 + tree->fixed_bytes;
}

uint64_t tree_bytes_allocated(const struct tree *tree)
{
    return (uint64_t)tree->size * 8 + tree->fixed_bytes;
}

bool tree_has_room(const struct tree *tree, int nodes, int max_legal)
{
    uint32_t block = tree_block_units(&tree->layout, tree_even(max_legal), (size_t)max_legal);
    uint64_t need = (uint64_t)nodes * (NODE_UNITS + 2u * block + OUTCOME_UNITS);
    if (tree->used + need <= tree->limit)
        return true;
    /* others take chunks, too: this is a guess, and a simulation that finds no room ends early */
    return tree->share && atomic_load_explicit(&tree->share->next, memory_order_relaxed) + need <=
                              tree->share->limit;
}

static void tree_release(struct tree *tree, uint32_t ref, uint32_t units)
{
    memcpy(tree_at(tree, ref), &tree->free_blocks[units], sizeof ref);
    tree->free_blocks[units] = ref;
}

/* Takes the next chunk for at least `units`; what is left of the old one becomes a free block. */
static bool tree_next_chunk(struct tree *tree, uint32_t units)
{
    struct tree_share *share = tree->share;
    uint32_t limit = share->limit, taken, left = tree->limit - tree->used;
    /* only the counter is shared: other threads see the content of a chunk after they take hold of a node */
    uint32_t next = atomic_load_explicit(&share->next, memory_order_relaxed);
    do {
        if (units > limit - next)
            return false;
        taken = units > TREE_CHUNK_UNITS ? units : TREE_CHUNK_UNITS;
        taken = taken < limit - next ? taken : limit - next;
    } while (!atomic_compare_exchange_weak_explicit(&share->next, &next, next + taken,
                                                    memory_order_relaxed, memory_order_relaxed));
    if (left && left < tree->free_sizes)
        tree_release(tree, tree->used, left);
    tree->used = next;
    tree->limit = next + taken;
    return true;
}

static uint32_t tree_allocate(struct tree *tree, uint32_t units)
{
    if (units < tree->free_sizes && tree->free_blocks[units]) {
        uint32_t ref = tree->free_blocks[units];
        memcpy(&tree->free_blocks[units], tree_at(tree, ref), sizeof ref);
        return ref;
    }
    if (units > tree->limit - tree->used && !(tree->share && tree_next_chunk(tree, units)))
        return 0;
    uint32_t ref = tree->used;
    tree->used += units;
    return ref;
}

void tree_set_action(const struct tree *tree, const struct tree_node *node, int index,
                     banyan_action action)
{
    unsigned width = tree->layout.action_bytes;
    unsigned char *at = tree_actions(tree, node) + (size_t)index * width;
    for (unsigned i = 0; i < width; ++i) /* little-endian on every machine */
        at[i] = (unsigned char)(action >> (8 * i));
}

/* Entry `index` of an existing column of edges. */
static unsigned char *tree_edge_entry(const struct tree *tree, const struct tree_node *node,
                                      const struct tree_column_place *place, int index)
{
    return tree->base + (size_t)node->block * 8 + (size_t)place->at * node->capacity +
           (size_t)place->bytes * (size_t)index;
}

/* Entry `index` of an existing column of actions. */
static unsigned char *tree_list_entry(const struct tree *tree, const struct tree_node *node,
                                      const struct tree_column_place *place, int index)
{
    return tree_lists(tree, node) + place->at * tree_list_room(&tree->layout, node->count) +
           (size_t)place->bytes * (size_t)index;
}

static const struct tree_column_place *tree_list_places(const struct tree_layout *layout)
{
    return layout->places + layout->edge_columns;
}

/* Sets up the columns of actions in a new node. */
static void tree_begin_lists(const struct tree *tree, const struct tree_node *node,
                             const float *priors)
{
    const struct tree_column_place *places = tree_list_places(&tree->layout);
    if (tree_has(tree, TREE_PRIORS) && priors)
        memcpy(tree_priors(tree, node), priors, node->count * sizeof *priors);
    for (int i = 0; i < tree->layout.list_columns; ++i)
        if (!tree_columns[places[i].column].is_written)
            memset(tree_list_entry(tree, node, &places[i], 0), 0,
                   (size_t)places[i].bytes * node->count);
}

uint32_t tree_make_node(struct tree *tree, const struct tree_beginning *beginning)
{
    int count = beginning->count;
    size_t room = tree_even(beginning->capacity < count ? beginning->capacity : count);
    uint32_t ref = tree_allocate(tree, NODE_UNITS);
    uint32_t units = tree_block_units(&tree->layout, room, (size_t)count);
    uint32_t block = ref ? tree_allocate(tree, units) : 0;
    if (!block) {
        if (ref)
            tree_release(tree, ref, NODE_UNITS);
        return 0;
    }
    struct tree_node *node = tree_node(tree, ref);
    *node = (struct tree_node){.key = beginning->key,
                               .block = block,
                               .visits = beginning->visits,
                               .count = (uint16_t)count,
                               .capacity = (uint16_t)room,
                               .mover = (uint8_t)beginning->mover};
    for (int i = 0; i < count; ++i)
        tree_set_action(tree, node, i, beginning->actions[i]);
    tree_begin_lists(tree, node, beginning->priors);
    ++tree->nodes;
    return ref;
}

/* Moves node into a block of another capacity or count; new entries are not initialised. */
static bool tree_rebuild(struct tree *tree, struct tree_node *node, size_t capacity, size_t count)
{
    const struct tree_layout *layout = &tree->layout;
    const struct tree_column_place *place = layout->places;
    struct tree_node wide = {.capacity = (uint16_t)capacity, .count = (uint16_t)count};
    wide.block = tree_allocate(tree, tree_block_units(layout, capacity, count));
    if (!wide.block)
        return false;
    memcpy(tree_edges(tree, &wide), tree_edges(tree, node), node->tried * sizeof(struct tree_edge));
    for (int i = 0; i < layout->edge_columns; ++i, ++place)
        memcpy(tree_edge_entry(tree, &wide, place, 0), tree_edge_entry(tree, node, place, 0),
               (size_t)place->bytes * node->tried);
    for (int i = 0; i < layout->list_columns; ++i, ++place)
        memcpy(tree_list_entry(tree, &wide, place, 0), tree_list_entry(tree, node, place, 0),
               (size_t)place->bytes * node->count);
    memcpy(tree_actions(tree, &wide), tree_actions(tree, node),
           (size_t)layout->action_bytes * node->count);
    tree_release(tree, node->block, tree_block_units(layout, node->capacity, node->count));
    node->capacity = wide.capacity;
    node->count = wide.count;
    node->block = wide.block;
    return true;
}

bool tree_keep_actions(struct tree *tree, struct tree_node *node, const uint16_t *keep, int n)
{
    const struct tree_layout *layout = &tree->layout;
    struct tree_node kept = *node;
    for (kept.tried = 0; kept.tried < n && keep[kept.tried] < node->tried;)
        ++kept.tried;
    kept.count = (uint16_t)n;
    kept.capacity = (uint16_t)tree_even(kept.tried > 2 ? kept.tried : 2);
    kept.block = tree_allocate(tree, tree_block_units(layout, kept.capacity, kept.count));
    if (!kept.block)
        return false;
    for (int k = 0; k < n; ++k) {
        const struct tree_column_place *place = layout->places;
        if (k < kept.tried)
            tree_edges(tree, &kept)[k] = tree_edges(tree, node)[keep[k]];
        for (int i = 0; i < layout->edge_columns; ++i, ++place)
            if (k < kept.tried)
                memcpy(tree_edge_entry(tree, &kept, place, k),
                       tree_edge_entry(tree, node, place, keep[k]), place->bytes);
        for (int i = 0; i < layout->list_columns; ++i, ++place)
            memcpy(tree_list_entry(tree, &kept, place, k),
                   tree_list_entry(tree, node, place, keep[k]), place->bytes);
        tree_set_action(tree, &kept, k, tree_action(tree, node, keep[k]));
    }
    tree_release(tree, node->block, tree_block_units(layout, node->capacity, node->count));
    tree->edges -= (uint64_t)(node->tried - kept.tried);
    *node = kept;
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
    return true;
}

void tree_drop_node(struct tree *tree, uint32_t ref)
{
    tree_drop_copy(tree, ref);
    --tree->nodes;
}

void tree_drop_copy(struct tree *tree, uint32_t ref)
{
    const struct tree_node *node = tree_node(tree, ref);
    tree_release(tree, node->block, tree_block_units(&tree->layout, node->capacity, node->count));
    tree_release(tree, ref, NODE_UNITS);
}

/* Gives the copy a block like that of the node. */
static bool tree_fit_copy(struct tree *tree, struct tree_node *copy, const struct tree_node *node)
{
    uint32_t units = tree_block_units(&tree->layout, node->capacity, node->count), had = 0;
    if (copy->block)
        had = tree_block_units(&tree->layout, copy->capacity, copy->count);
    uint32_t block = units == had ? copy->block : tree_allocate(tree, units);
    if (!block)
        return false;
    if (had && units != had)
        tree_release(tree, copy->block, had);
    copy->block = block;
    copy->capacity = node->capacity;
    copy->count = node->count;
    return true;
}

/* Copies the block and the fields that a copy uses: not the key, whose place in a copy has another use, and not
 * `forward`, which other threads may change. */
bool tree_copy_node(struct tree *tree, struct tree_node *copy, const struct tree_node *node)
{
    if (!tree_fit_copy(tree, copy, node))
        return false;
    copy->sqrt_ln_visits = node->sqrt_ln_visits;
    copy->visits = node->visits;
    copy->tried = node->tried;
    copy->flags = node->flags;
    memcpy(tree_at(tree, copy->block), tree_at(tree, node->block),
           (size_t)tree_block_units(&tree->layout, node->capacity, node->count) * 8);
    return true;
}

uint32_t tree_make_copy(struct tree *tree, const struct tree_node *node)
{
    uint32_t ref = tree_allocate(tree, NODE_UNITS);
    if (!ref)
        return 0;
    struct tree_node *copy = tree_node(tree, ref);
    *copy = (struct tree_node){.forward = TREE_PRIVATE, .mover = node->mover};
    if (tree_copy_node(tree, copy, node))
        return ref;
    tree_release(tree, ref, NODE_UNITS);
    return 0;
}

static void tree_clear_edge(const struct tree *tree, const struct tree_node *node, int index)
{
    const struct tree_column_place *place = tree->layout.places;
    tree_edges(tree, node)[index] = (struct tree_edge){0};
    for (int i = 0; i < tree->layout.edge_columns; ++i, ++place) {
        unsigned char *entry = tree_edge_entry(tree, node, place, index);
        /* only a few words: a loop is faster than a call */
        for (unsigned at = 0; at < place->bytes; at += 4)
            memset(entry + at, 0, 4);
    }
}

void tree_fade_edge(const struct tree *tree, const struct tree_node *node, int index)
{
    struct tree_edge *edge = &tree_edges(tree, node)[index];
    const struct tree_column_place *place = tree->layout.places;
    double kept = 1 - 1.0 / edge->visits;
    --edge->visits;
    for (int i = 0; i < tree->layout.edge_columns; ++i, ++place) {
        double *sums = (double *)(void *)tree_edge_entry(tree, node, place, index);
        bool is_fading = tree_columns[place->column].is_fading;
        for (unsigned k = 0; is_fading && k < place->bytes / sizeof *sums; ++k)
            sums[k] *= kept;
    }
}

/* Exchanges two entries of a column of actions.  In every such column an entry is four bytes wide. */
static void tree_swap_entries(unsigned char *a, unsigned char *b)
{
    uint32_t word;
    memcpy(&word, a, sizeof word);
    memcpy(a, b, sizeof word);
    memcpy(b, &word, sizeof word);
}

void tree_swap(struct tree *tree, struct tree_node *node, int i, int j)
{
    const struct tree_column_place *place = tree_list_places(&tree->layout);
    banyan_action action = tree_action(tree, node, i);
    tree_set_action(tree, node, i, tree_action(tree, node, j));
    tree_set_action(tree, node, j, action);
    for (int k = 0; k < tree->layout.list_columns; ++k, ++place)
        tree_swap_entries(tree_list_entry(tree, node, place, i),
                          tree_list_entry(tree, node, place, j));
}

/* Moves the entry at index to the earlier place `to`. */
static void tree_bring_entry(const struct tree *tree, const struct tree_node *node,
                             const struct tree_column_place *place, int index, int to)
{
    unsigned char kept[sizeof(uint32_t)];
    unsigned char *entry = tree_list_entry(tree, node, place, to);
    unsigned char *from = tree_list_entry(tree, node, place, index);
    memcpy(kept, from, sizeof kept);
    memmove(entry + sizeof kept, entry, (size_t)(from - entry));
    memcpy(entry, kept, sizeof kept);
}

/* Moves the action at index to the earlier place `to`; the actions between keep their order. */
static void tree_bring(struct tree *tree, struct tree_node *node, int index, int to)
{
    const struct tree_column_place *place = tree_list_places(&tree->layout);
    banyan_action action = tree_action(tree, node, index);
    size_t width = tree->layout.action_bytes;
    unsigned char *actions = tree_actions(tree, node) + (size_t)to * width;
    memmove(actions + width, actions, (size_t)(index - to) * width);
    tree_set_action(tree, node, to, action);
    for (int k = 0; k < tree->layout.list_columns; ++k, ++place)
        tree_bring_entry(tree, node, place, index, to);
}

int tree_try(struct tree *tree, struct tree_node *node, int index)
{
    assert(index >= node->tried && index < node->count);
    if (node->tried == node->capacity) {
        size_t capacity = 2 * (size_t)node->capacity, all = tree_even(node->count);
        if (!tree_rebuild(tree, node, capacity < all ? capacity : all, node->count))
            return -1;
    }
    if (index > node->tried)
        tree_bring(tree, node, index, node->tried);
    int place = node->tried++;
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
    tree_clear_edge(tree, node, place);
    ++tree->edges;
    return place;
}

int tree_append(struct tree *tree, struct tree_node *node, int n)
{
    int index = node->count;
    size_t count = (size_t)(index + n);
    if (count > TREE_ACTIONS_MAX)
        return -1;
    if (count <= tree_list_room(&tree->layout, node->count))
        node->count = (uint16_t)count;
    else if (!tree_rebuild(tree, node, node->capacity, count))
        return -1;
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
    return index;
}

/* Most nodes try few of their actions, so the action of highest prior is searched for when it is
 * needed, and nothing is sorted. */
int tree_next(struct tree *tree, struct tree_node *node)
{
    int next = node->tried;
    if (!tree_has(tree, TREE_PRIORS) || node->flags & TREE_NEXT_FOUND)
        return next;
    const float *priors = tree_priors(tree, node);
    for (int i = next + 1; i < node->count; ++i)
        next = priors[i] > priors[next] ? i : next;
    tree_swap(tree, node, node->tried, next);
    node->flags |= TREE_NEXT_FOUND;
    return node->tried;
}

uint32_t tree_make_outcome(struct tree *tree, uint64_t key)
{
    uint32_t ref = tree_allocate(tree, OUTCOME_UNITS);
    if (ref) {
        *tree_outcome(tree, ref) = (struct tree_outcome){.key = key};
        ++tree->outcomes;
    }
    return ref;
}

void tree_drop_outcome(struct tree *tree, uint32_t ref)
{
    tree_release(tree, ref, OUTCOME_UNITS);
    --tree->outcomes;
}
