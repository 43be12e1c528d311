/* A search as bytes: banyan_search_save(), banyan_search_load().
 *
 *     magic, version, order of bytes | each tree: game, options, sizes, numbers, arrays | checksum
 *
 * One pass serves both ways: it visits every part of a search in the same order, and writes or
 * reads it.  Arrays have the sizes that the search itself has, or are checked against them first,
 * so no number of a file is used before it is known to fit.  References are relative to the arena,
 * which is therefore copied as it is.
 */
#include "base/rng.h"
#include "search/search.h"

#include <stdlib.h>

enum { SAVED_VERSION = 3, SAVED_ORDER = 0x01020304, SAVED_TEXT = 4096 };

static const char saved_magic[8] = {'b', 'a', 'n', 'y', 'a', 'n', ':', 's'};

struct saved {
    banyan_search_save_fn *write; /* NULL: this is a load */
    banyan_search_load_fn *read;
    void *ctx;
    uint64_t done, checksum;
    enum banyan_status status; /* after the first failure nothing more is done */
    struct banyan_error *err;
};

static void saved_mix(struct saved *io, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, length - i < 8 ? length - i : 8);
        io->checksum = rng_mix(io->checksum ^ word);
    }
    io->done += length;
}

/* Writes bytes[length], or reads them. */
static void saved_bytes(struct saved *io, void *bytes, size_t length)
{
    if (io->status != BANYAN_OK || length == 0)
        return;
    bool well = io->write ? io->write(io->ctx, bytes, length) : io->read(io->ctx, bytes, length);
    if (well)
        saved_mix(io, bytes, length);
    else if (io->write)
        io->status = banyan_fail(io->err, BANYAN_IO,
                                 "the search could not be written: is there room on the disk?");
    else
        io->status =
            banyan_fail(io->err, BANYAN_INVALID,
                        "the saved search is not complete: it ends within the %zu bytes after "
                        "byte %llu",
                        length, (unsigned long long)io->done);
}

#define SAVED(io, field) saved_bytes(io, &(field), sizeof(field))

/* A boolean, as a byte that is 0 or 1. */
static void saved_bool(struct saved *io, bool *value)
{
    unsigned char byte = *value;
    saved_bytes(io, &byte, 1);
    if (!io->write)
        *value = byte & 1;
}

/* A number that must be the same in the bytes and in this search; differs: the message if it is
 * not. */
static void saved_same(struct saved *io, uint64_t own, const char *differs)
{
    uint64_t value = own;
    SAVED(io, value);
    if (io->status == BANYAN_OK && value != own)
        io->status = banyan_fail(io->err, BANYAN_INVALID, "%s (%llu in the saved search, now %llu)",
                                 differs, (unsigned long long)value, (unsigned long long)own);
}

/* A number of at most `most`. */
static void saved_count(struct saved *io, uint64_t *value, uint64_t most)
{
    SAVED(io, *value);
    if (io->status == BANYAN_OK && *value > most)
        io->status = banyan_fail(io->err, BANYAN_INVALID,
                                 "the saved search is damaged: %llu where at most %llu can be",
                                 (unsigned long long)*value, (unsigned long long)most);
}

/* An empty text stands for options that all have their defaults, and for a rule of the library.
 * Messages show it as: */
static const char saved_nothing[] = "the defaults";

/* A text that must be the same. */
static void saved_text(struct saved *io, const char *own, const char *what)
{
    char text[SAVED_TEXT];
    uint64_t length = strlen(own);
    saved_count(io, &length, sizeof text - 1);
    if (io->status != BANYAN_OK)
        return;
    memset(text, 0, sizeof text);
    memcpy(text, own, io->write ? length : 0);
    saved_bytes(io, text, length);
    if (io->status == BANYAN_OK && strcmp(text, own) != 0)
        io->status = banyan_fail(io->err, BANYAN_INVALID,
                                 "the saved search has the %s '%.100s', this one '%.100s'", what,
                                 *text ? text : saved_nothing, *own ? own : saved_nothing);
}

static void saved_header(struct saved *io)
{
    char magic[sizeof saved_magic];
    uint32_t version = SAVED_VERSION, order = SAVED_ORDER;
    memcpy(magic, saved_magic, sizeof magic);
    SAVED(io, magic);
    if (io->status == BANYAN_OK && memcmp(magic, saved_magic, sizeof magic) != 0)
        io->status = banyan_fail(io->err, BANYAN_INVALID, "this is not a saved search");
    SAVED(io, version);
    SAVED(io, order);
    if (io->status == BANYAN_OK && order != SAVED_ORDER)
        io->status =
            banyan_fail(io->err, BANYAN_INVALID,
                        "the saved search was written on a machine with another byte order");
    if (io->status == BANYAN_OK && version != SAVED_VERSION)
        io->status = banyan_fail(io->err, BANYAN_INVALID,
                                 "the saved search has version %u of the format, not %d", version,
                                 SAVED_VERSION);
}

/* The columns as bits, numbered as before TREE_ROOTS was added; TREE_ROOTS itself gets bit 31. */
static unsigned saved_columns(unsigned columns)
{
    const unsigned roots = TREE_COLUMN_BIT(TREE_ROOTS);
    unsigned below = columns & (roots - 1), above = columns & ~(2 * roots - 1);
    return below | above >> 1 | (columns & roots ? TREE_COLUMN_BIT(31) : 0);
}

/* Writes what must be equal in the search that loads the bytes, or checks that it is. */
static void saved_kind(struct saved *io, const struct banyan_search *search)
{
    struct banyan_search_options defaults;
    char text[SAVED_TEXT];
    banyan_search_options_default(&defaults);
    banyan_options_dump(banyan_search_option_table(), &search->options, &defaults, text,
                        sizeof text);
    saved_text(io, search->game->name, "game");
    saved_text(io, text, "options");
    saved_text(io, search->own_rule.name ? search->own_rule.name : "", "rule");
    saved_same(io, search->game->state_size,
               "the saved search is of another version of the game: its states have another size");
    saved_same(io, (uint64_t)search->game->max_legal,
               "the saved search is of another version of the game: its max_legal is different");
    saved_same(
        io, saved_columns(search->tree.layout.columns),
        "the saved search keeps other statistics: its evaluator or rule was of another kind");
    saved_same(io, search->tree.layout.edge_bytes,
               "the saved search has another tree: its edges have another size");
    saved_same(io, search->tree.layout.list_bytes,
               "the saved search is of another version of the game: its actions have another size");
}

static void saved_numbers(struct saved *io, struct banyan_search *search)
{
    struct search_root *root = &search->root;
    SAVED(io, search->rng);
    SAVED(io, search->simulations);
    SAVED(io, search->depth_sum);
    SAVED(io, search->max_depth);
    SAVED(io, search->elapsed_ms);
    SAVED(io, search->run.planned);
    SAVED(io, search->run.end);
    SAVED(io, root->edges);
    SAVED(io, root->bounds);
    SAVED(io, root->sum);
    SAVED(io, root->visits);
    SAVED(io, root->noise_movers);
    saved_bool(io, &root->viewer_follows);
    saved_bool(io, &root->is_walked);
    saved_bool(io, &root->has_noise);
    saved_bool(io, &root->without_noise);
    saved_bool(io, &root->is_full);
}

static void saved_root(struct saved *io, struct banyan_search *search)
{
    struct search_root *root = &search->root;
    size_t size = search->game->state_size;
    uint64_t viewer = (uint64_t)root->viewer, drawn = (uint64_t)root->worlds_drawn;
    saved_count(io, &viewer, (uint64_t)search->game->players - 1);
    saved_count(io, &drawn, (uint64_t)search->options.worlds);
    if (!io->write) {
        root->viewer = (int)viewer;
        root->worlds_drawn = (int)drawn;
    }
    if (io->status != BANYAN_OK)
        return;
    saved_bytes(io, root->state, size);
    saved_bytes(io, root->drawn, search->draws_all ? size : 0);
    saved_bytes(io, root->worlds, size * drawn);
    saved_bytes(io, root->worths,
                root->worths ? sizeof *root->worths * ((size_t)search->options.worlds + 1) : 0);
}

static bool saved_limit_room(struct banyan_search *search, int player, uint64_t count)
{
    struct root_limit *limit = &search->root.limits[player];
    limit->actions = calloc(count, sizeof *limit->actions);
    limit->count = limit->actions ? (int)count : 0;
    search->root.limited |= 1u << player;
    return limit->actions;
}

/* The limits of the root's actions. */
static void saved_limits(struct saved *io, struct banyan_search *search)
{
    for (int p = 0; p < search->game->players; ++p) {
        struct root_limit *limit = &search->root.limits[p];
        uint64_t count = (uint64_t)limit->count;
        saved_count(io, &count, (uint64_t)search->game->max_legal);
        saved_bool(io, &limit->avoids);
        if (io->status != BANYAN_OK || count == 0)
            continue;
        if (!io->write && !saved_limit_room(search, p, count)) {
            io->status = banyan_fail(io->err, BANYAN_NO_MEMORY, "no memory for a saved search");
            return;
        }
        saved_bytes(io, limit->actions, count * sizeof *limit->actions);
    }
}

static void saved_gumbel(struct saved *io, struct banyan_search *search)
{
    struct search_gumbel *gumbel = search->gumbel;
    uint64_t count = (uint64_t)gumbel->noise_count;
    saved_count(io, &count, (uint64_t)search->action_room);
    if (io->status != BANYAN_OK)
        return;
    if (!io->write)
        gumbel->noise_count = (int)count;
    saved_bytes(io, gumbel->noise, count * sizeof *gumbel->noise);
    saved_bytes(io, gumbel->before, count * sizeof *gumbel->before);
    saved_bytes(io, gumbel->kept, count * sizeof *gumbel->kept);
    SAVED(io, gumbel->stream);
    SAVED(io, gumbel->halving.alive);
    SAVED(io, gumbel->halving.phases);
    SAVED(io, gumbel->halving.phase);
    SAVED(io, gumbel->halving.picked);
    SAVED(io, gumbel->halving.rounds);
    SAVED(io, gumbel->halving.visits);
    SAVED(io, gumbel->halving.budget);
    SAVED(io, gumbel->halving.spent);
}

/* The root's nodes of the last simulation, as references. */
static void saved_nodes(struct saved *io, struct banyan_search *search)
{
    const struct tree *tree = &search->tree;
    for (int p = 0; p < search->game->players; ++p) {
        const struct tree_node **node = &search->root.nodes[p];
        uint64_t ref =
            *node ? (uint64_t)((const unsigned char *)(const void *)*node - tree->base) / 8 : 0;
        saved_count(io, &ref, tree->used - 1u);
        if (!io->write)
            *node = ref ? tree_node(tree, (uint32_t)ref) : NULL;
    }
}

static void saved_tree(struct saved *io, struct banyan_search *search)
{
    struct tree *tree = &search->tree;
    uint64_t room = (uint64_t)search->action_room, used = tree->used;
    saved_count(io, &room, TREE_ACTIONS_MAX);
    if (io->status == BANYAN_OK && !search_reserve_actions(search, (int)room))
        io->status = banyan_fail(io->err, BANYAN_NO_MEMORY, "no memory for a saved search");
    saved_same(io, tree->free_sizes,
               "the saved search has another tree: its blocks have other sizes");
    saved_same(io, tree->table_size, "the saved search has another table of transpositions");
    saved_count(io, &used, tree->limit);
    if (io->status != BANYAN_OK)
        return;
    if (!io->write)
        tree->used = (uint32_t)used;
    saved_bytes(io, tree->free_blocks, tree->free_sizes * sizeof *tree->free_blocks);
    saved_bytes(io, tree->table, tree->table ? tree->table_size * sizeof *tree->table : 0);
    saved_bytes(io, tree->base, used * 8);
    SAVED(io, tree->table_used);
    SAVED(io, tree->nodes);
    SAVED(io, tree->edges);
    SAVED(io, tree->outcomes);
    SAVED(io, tree->compactions);
}

static void saved_one(struct saved *io, struct banyan_search *search)
{
    saved_kind(io, search);
    if (io->status == BANYAN_OK)
        saved_root(io, search);
    saved_numbers(io, search);
    saved_limits(io, search);
    saved_tree(io, search);
    if (io->status == BANYAN_OK)
        saved_nodes(io, search);
    saved_gumbel(io, search);
}

static void saved_checksum(struct saved *io)
{
    uint64_t own = io->checksum, value = own;
    SAVED(io, value);
    if (io->status == BANYAN_OK && value != own)
        io->status = banyan_fail(io->err, BANYAN_INVALID,
                                 "the saved search is damaged: its checksum is wrong");
}

static void saved_all(struct saved *io, struct banyan_search *search)
{
    saved_header(io);
    saved_same(io, (uint64_t)search->parallel.member_count + 1,
               "the saved search has another number of trees");
    for (int i = 0; i <= search->parallel.member_count && io->status == BANYAN_OK; ++i)
        saved_one(io, i ? search->parallel.members[i - 1] : search);
    saved_checksum(io);
}

static enum banyan_status saved_check(const struct banyan_search *search, struct banyan_error *err)
{
    if (search->amaf)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a search with rule=grave or progressive-history cannot be saved: its "
                           "tables are not written");
    if (search->flights.waiting)
        return banyan_fail(err, BANYAN_INVALID, "%llu leaves of the search wait for their values",
                           (unsigned long long)search->flights.waiting);
    return BANYAN_OK;
}

enum banyan_status banyan_search_save(const struct banyan_search *search,
                                      banyan_search_save_fn *write, void *ctx,
                                      struct banyan_error *err)
{
    struct saved io = {.write = write, .ctx = ctx, .status = saved_check(search, err), .err = err};
    if (io.status == BANYAN_OK)
        io.status = search_needs_root(search, err);
    if (io.status == BANYAN_OK) /* the pass changes nothing that it writes */
        saved_all(&io, (struct banyan_search *)(uintptr_t)search);
    return io.status;
}

/* Makes one tree empty: before a load, and after a load that failed.  It gets the memory back that nodes of
 * many actions have taken, so that it has room for a tree that used all of it. */
static void saved_clear(struct banyan_search *search)
{
    search_forget_root(search);
    search_shrink_actions(search);
    search_unlimit(search);
    search_forget_root_priors(search);
    memset(search->root.nodes, 0, sizeof search->root.nodes);
    search->root.is_set = false;
}

enum banyan_status banyan_search_load(struct banyan_search *search, banyan_search_load_fn *read,
                                      void *ctx, struct banyan_error *err)
{
    struct saved io = {.read = read, .ctx = ctx, .status = saved_check(search, err), .err = err};
    if (io.status != BANYAN_OK)
        return io.status;
    for (int i = 0; i <= search->parallel.member_count; ++i)
        saved_clear(i ? search->parallel.members[i - 1] : search);
    saved_all(&io, search);
    for (int i = 0; i <= search->parallel.member_count; ++i) {
        struct banyan_search *one = i ? search->parallel.members[i - 1] : search;
        if (io.status != BANYAN_OK) {
            saved_clear(one);
            continue;
        }
        one->root.is_set = true;
        search_set_weights(one);
    }
    return io.status;
}
