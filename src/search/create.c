/* Makes and destroys searches. */
#include "search/create.h"
#include "base/struct_size.h"
#include "search/amaf.h"
#include "search/workers.h"

#include <stdlib.h>

static void create_free(struct banyan_search *search)
{
    workers_destroy(search);
    search_unlimit(search);
    search_forget_root_priors(search);
    amaf_destroy(search->amaf);
    tree_free(&search->tree);
    search_free_memory(search);
    free(search);
}

static enum banyan_status create_refused(uint64_t bytes, const struct banyan_game *game,
                                         struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY,
                       "the system does not give %llu bytes for a search of %s (`ulimit -v` shows "
                       "its limit): use a smaller memory=",
                       (unsigned long long)bytes, game->name);
}

/* Makes the tree's arena from what the working memory (`size` bytes) leaves of `bytes`. */
static enum banyan_status create_tree(struct banyan_search *search,
                                      const struct tree_layout *layout, size_t size, uint64_t bytes,
                                      struct banyan_error *err)
{
    enum banyan_status status = BANYAN_INVALID;
    if (size <= bytes)
        status = tree_init(&search->tree, layout, bytes - size, search->options.transpositions,
                           search->game->max_legal);
    uint64_t tables = search->amaf ? search->amaf->bytes : 0;
    size += tables;
    bytes += tables;
    if (status == BANYAN_NO_MEMORY)
        return create_refused(bytes, search->game, err);
    if (status != BANYAN_OK && search->options.ensemble > 1)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "memory=%llu bytes is too little for %d trees of %s: each needs %zu",
                           (unsigned long long)search->options.memory_bytes,
                           search->options.ensemble, search->game->name, size + (256u << 10));
    if (status != BANYAN_OK)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "memory=%llu bytes is too little for a search of %s: it needs %zu",
                           (unsigned long long)bytes, search->game->name, size + (256u << 10));
    return BANYAN_OK;
}

/* Makes the AMAF tables (all moves as first) from at most a quarter of *bytes, and subtracts their size from
 * *bytes. */
static enum banyan_status create_amaf(struct banyan_search *search, uint64_t *bytes,
                                      struct banyan_error *err)
{
    if (!amaf_is_wanted(&search->options))
        return BANYAN_OK;
    search->amaf = amaf_create(search->game, &search->options, *bytes / 4);
    if (!search->amaf)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "memory=%llu bytes is too little for the tables of moves of %s",
                           (unsigned long long)*bytes, search->game->name);
    *bytes -= search->amaf->bytes;
    return BANYAN_OK;
}

/* Makes one tree with its memory; `bytes` is its share of the limit. */
static enum banyan_status create_one(struct banyan_search **out, const struct banyan_game *game,
                                     const struct banyan_search_options *options,
                                     struct banyan_evaluator *evaluator, uint64_t bytes,
                                     struct banyan_error *err)
{
    struct banyan_search *search = calloc(1, sizeof *search);
    if (!search)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a search");
    search->game = game;
    search->evaluator = evaluator;
    search->options = *options;
    if (search->options.threads == 0)
        search->options.threads = workers_best(search);
    search_settle(search);
    search->flights.slot_count = options->batch * (search->shares ? 1 : search->options.threads);
    enum banyan_status status = search_check(search, err);
    if (status == BANYAN_OK)
        status = create_amaf(search, &bytes, err);
    struct tree_layout layout = search_layout(search);
    size_t fixed = search_memory_bytes(search);
    if (search->shares)
        fixed += workers_bytes(search, fixed - search_worlds_bytes(search) +
                                           tree_lists_bytes(&layout, game->max_legal));
    if (status == BANYAN_OK)
        status = create_tree(search, &layout, fixed, bytes, err);
    if (status == BANYAN_OK &&
        (!search_make_memory(search) || (search->shares && !workers_create(search))))
        status = create_refused(bytes, game, err);
    if (status != BANYAN_OK) {
        create_free(search);
        return status;
    }
    search->tree.fixed_bytes += fixed + (search->amaf ? search->amaf->bytes : 0);
    pthread_mutex_init(&search->parallel.lock, NULL);
    banyan_rng_seed(&search->rng, options->seed);
    banyan_dice_drawn(&search->dice, &search->rng);
    *out = search;
    return BANYAN_OK;
}

static void create_destroy_one(struct banyan_search *search)
{
    pthread_mutex_destroy(&search->parallel.lock);
    create_free(search);
}

/* Makes the search and the other trees of its ensemble; the options are complete and in range. */
static enum banyan_status create_all(struct banyan_search **out, const struct banyan_game *game,
                                     const struct banyan_search_options *options,
                                     struct banyan_evaluator *evaluator, struct banyan_error *err)
{
    uint64_t share = options->memory_bytes / (uint64_t)options->ensemble;
    enum banyan_status status = create_one(out, game, options, evaluator, share, err);
    if (status != BANYAN_OK || options->ensemble == 1)
        return status;
    struct banyan_search *search = *out;
    search->parallel.members = calloc((size_t)options->ensemble, sizeof(struct banyan_search *));
    struct banyan_search_options own = *options;
    own.ensemble = 1;
    own.threads = search->options.threads;
    if (!search->parallel.members)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an ensemble");
    for (int i = 1; status == BANYAN_OK && i < options->ensemble; ++i) {
        own.seed = banyan_rng_child(options->seed, "ensemble", (uint64_t)i);
        status = create_one(&search->parallel.members[i - 1], game, &own, evaluator, share, err);
        search->parallel.member_count += status == BANYAN_OK;
    }
    if (status == BANYAN_OK && !evaluator->reentrant)
        status =
            banyan_fail(err, BANYAN_UNSUPPORTED,
                        "the evaluator '%s' serves one thread; use ensemble=1", evaluator->name);
    if (status != BANYAN_OK) {
        banyan_search_destroy(search);
        *out = NULL;
    }
    return status;
}

enum banyan_status banyan_search_create(struct banyan_search **out, const struct banyan_game *game,
                                        const struct banyan_search_options *options,
                                        struct banyan_evaluator *evaluator,
                                        struct banyan_error *err)
{
    if (!game || !options || !evaluator)
        return banyan_fail(err, BANYAN_INVALID, "a search needs a game, options and an evaluator");
    enum banyan_status status = search_check_sizes(game, options, evaluator, err);
    if (status != BANYAN_OK)
        return status;
    struct banyan_search_options all;
    banyan_search_options_default(&all);
    struct_size_copy(&all, sizeof all, options, options->struct_size);
    if (banyan_options_check(banyan_search_option_table(), &all, err) != BANYAN_OK)
        return BANYAN_INVALID;
    status = search_check_own_sizes(&all, err);
    if (status != BANYAN_OK)
        return status;
    return create_all(out, game, &all, evaluator, err);
}

void banyan_search_destroy(struct banyan_search *search)
{
    if (!search)
        return;
    for (int i = 0; i < search->parallel.member_count; ++i)
        create_destroy_one(search->parallel.members[i]);
    free(search->parallel.members);
    create_destroy_one(search);
}
