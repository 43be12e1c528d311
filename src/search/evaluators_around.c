/* Evaluators that use other evaluators: a mixture of two, and a cache. */
#include "search/evaluators.h"

#include "base/rng.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the leading options of "key=value,REST", whose names are in the table.  Returns REST, which
 * begins at the first part that is not such an option. */
static const char *around_options(const struct banyan_option *table, void *settings,
                                  const char *args, enum banyan_status *status,
                                  struct banyan_error *err)
{
    for (;;) {
        size_t name = strcspn(args, "=,:|"), part = strcspn(args, ",");
        bool known = false;
        for (const struct banyan_option *o = table; o->name && args[name] == '='; ++o)
            known = known || (strlen(o->name) == name && strncmp(o->name, args, name) == 0);
        if (!known)
            return args;
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)part, args);
        *status = part < sizeof text
                      ? banyan_options_parse(table, settings, text, err)
                      : banyan_fail(err, BANYAN_INVALID,
                                    "the option '%.20s...' is too long: at most %zu bytes", args,
                                    sizeof text - 1);
        if (*status != BANYAN_OK)
            return args;
        args += part + (args[part] == ',');
    }
}

/* --- mixture --- */

struct mixture {
    double weight;
    struct banyan_evaluator first, second;
};

static const struct banyan_option mixture_table[] = {
    {"weight", BANYAN_OPTION_REAL, offsetof(struct mixture, weight), 0, 1, NULL, 0,
     "share of the first evaluator"},
    {0},
};

static enum banyan_status mixture_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    struct mixture *mixture = ctx;
    for (int i = 0; i < n; ++i) {
        float first[BANYAN_MAX_PLAYERS];
        struct banyan_leaf *leaf = &leaves[i];
        enum banyan_status status = mixture->first.evaluate(mixture->first.ctx, leaf, 1, err);
        memcpy(first, leaf->values, sizeof first);
        bool exact = leaf->exact;
        leaf->exact = false;
        if (status == BANYAN_OK && !exact)
            status = mixture->second.evaluate(mixture->second.ctx, leaf, 1, err);
        if (status != BANYAN_OK)
            return status;
        float weight = exact ? 1 : leaf->exact ? 0 : (float)mixture->weight;
        leaf->exact = leaf->exact || exact;
        for (int p = 0; p < leaf->game->players; ++p)
            leaf->values[p] =
                weight == 0 ? leaf->values[p] : weight * first[p] + (1 - weight) * leaf->values[p];
    }
    return BANYAN_OK;
}

static void mixture_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                           int n, float *out)
{
    const struct mixture *mixture = ctx;
    const struct banyan_evaluator *of = mixture->second.priors ? &mixture->second : &mixture->first;
    of->priors(of->ctx, state, player, actions, n, out);
}

static void mixture_close(void *ctx)
{
    struct mixture *mixture = ctx;
    banyan_evaluator_close(&mixture->first);
    banyan_evaluator_close(&mixture->second);
    free(mixture);
}

/* Makes the first evaluator of "A|B".  bar NULL: there is no "|". */
static enum banyan_status mixture_first(const struct banyan_game *game, const char *text,
                                        const char *bar, const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err)
{
    char first[256];
    if (!bar)
        return banyan_fail(err, BANYAN_INVALID,
                           "mixture needs two evaluators: mixture:weight=0.5,A|B");
    if (bar - text >= (ptrdiff_t)sizeof first)
        return banyan_fail(err, BANYAN_INVALID,
                           "the evaluator '%.20s...' before '|' is too long: at most %zu bytes",
                           text, sizeof first - 1);
    snprintf(first, sizeof first, "%.*s", (int)(bar - text), text);
    return banyan_evaluator_create(game, first, offers, out, err);
}

/* The mixture has the priors of the second evaluator; if only the first one writes priors, the two change places.
 * If neither writes any, it has the priors() of the second, else of the first. */
enum banyan_status evaluator_mixture_create(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers,
                                            struct banyan_evaluator *out, struct banyan_error *err)
{
    struct mixture *mixture = calloc(1, sizeof *mixture);
    if (!mixture)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    mixture->weight = 0.5;
    enum banyan_status status = BANYAN_OK;
    const char *rest = around_options(mixture_table, mixture, args, &status, err);
    const char *bar = strchr(rest, '|');
    if (status == BANYAN_OK)
        status = mixture_first(game, rest, bar, offers, &mixture->first, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, bar + 1, offers, &mixture->second, err);
    if (status == BANYAN_OK && mixture->first.wants_actions && !mixture->second.wants_actions) {
        struct banyan_evaluator swap = mixture->first;
        mixture->first = mixture->second;
        mixture->second = swap;
        mixture->weight = 1 - mixture->weight;
    }
    if (status != BANYAN_OK) {
        mixture_close(mixture);
        return status;
    }
    *out = (struct banyan_evaluator){
        .struct_size = sizeof(struct banyan_evaluator),
        .name = "mixture",
        .ctx = mixture,
        .wants_actions = mixture->second.wants_actions,
        .game_priors = mixture->first.game_priors || mixture->second.game_priors,
        .reentrant = mixture->first.reentrant && mixture->second.reentrant,
        .evaluate = mixture_evaluate,
        .close = mixture_close,
        .priors = mixture->first.priors || mixture->second.priors ? mixture_priors : NULL};
    return BANYAN_OK;
}

/* --- cache: a table with one place for each key; a new entry replaces the old one there.  The key
 * is the position's, so with a deterministic evaluator the cache does not change the search --- */

struct cache_entry {
    uint64_t key;
    float values[BANYAN_MAX_PLAYERS];
    bool exact, filled;
    float *priors; /* [prior_max], one mover after the other */
    int counts[BANYAN_MAX_PLAYERS];
};

struct cache {
    int64_t size;
    uint64_t hits, misses;
    int prior_max;
    struct banyan_evaluator inner;
    struct cache_entry *entries; /* [size] */
    float *priors;               /* [size][prior_max] */
    pthread_mutex_t lock;
};

static const struct banyan_option cache_table[] = {
    {"size", BANYAN_OPTION_INT64, offsetof(struct cache, size), 1, 1e9, NULL, 0,
     "number of values in the table"},
    {0},
};

static uint64_t cache_key(const struct banyan_leaf *leaf)
{
    uint64_t key = leaf->movers;
    for (int p = 0; p < leaf->game->players; ++p)
        key = rng_mix(key ^ leaf->game->key(leaf->game, leaf->state, p));
    return key;
}

static void cache_copy_priors(const struct cache *cache, struct cache_entry *entry,
                              struct banyan_leaf *leaf, bool store)
{
    int at = 0;
    for (int p = 0; cache->inner.wants_actions && p < leaf->game->players; ++p) {
        for (int i = 0; (leaf->movers >> p & 1) && i < leaf->count[p]; ++i, ++at) {
            if (store)
                entry->priors[at] = leaf->priors[p][i];
            else
                leaf->priors[p][i] = entry->priors[at];
        }
    }
}

static bool cache_look(struct cache *cache, struct cache_entry *entry, uint64_t key,
                       struct banyan_leaf *leaf)
{
    bool hit = entry->filled && entry->key == key;
    for (int p = 0; hit && cache->inner.wants_actions && p < leaf->game->players; ++p)
        hit = !(leaf->movers >> p & 1) || entry->counts[p] == leaf->count[p];
    if (hit) {
        memcpy(leaf->values, entry->values, sizeof entry->values);
        leaf->exact = entry->exact;
        cache_copy_priors(cache, entry, leaf, false);
    }
    cache->hits += hit;
    cache->misses += !hit;
    return hit;
}

static void cache_store(struct cache *cache, struct cache_entry *entry, uint64_t key,
                        struct banyan_leaf *leaf)
{
    entry->key = key;
    entry->filled = true;
    entry->exact = leaf->exact;
    memcpy(entry->values, leaf->values, sizeof entry->values);
    memcpy(entry->counts, leaf->count, sizeof entry->counts);
    cache_copy_priors(cache, entry, leaf, true);
}

/* Hands misses that follow each other to the inner evaluator in one call. */
static enum banyan_status cache_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    struct cache *cache = ctx;
    enum banyan_status status = BANYAN_OK;
    pthread_mutex_lock(&cache->lock);
    for (int i = 0; i < n && status == BANYAN_OK;) {
        int run = i;
        for (; run < n; ++run) {
            uint64_t key = cache_key(&leaves[run]);
            if (cache_look(cache, &cache->entries[key % (uint64_t)cache->size], key, &leaves[run]))
                break;
        }
        if (run > i)
            status = cache->inner.evaluate(cache->inner.ctx, &leaves[i], run - i, err);
        for (; status == BANYAN_OK && i < run; ++i) {
            uint64_t key = cache_key(&leaves[i]);
            cache_store(cache, &cache->entries[key % (uint64_t)cache->size], key, &leaves[i]);
        }
        i = run + 1;
    }
    pthread_mutex_unlock(&cache->lock);
    return status;
}

static void cache_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                         int n, float *out)
{
    const struct banyan_evaluator *inner = &((struct cache *)ctx)->inner;
    inner->priors(inner->ctx, state, player, actions, n, out);
}

static void cache_close(void *ctx)
{
    struct cache *cache = ctx;
    banyan_evaluator_close(&cache->inner);
    pthread_mutex_destroy(&cache->lock);
    free(cache->entries);
    free(cache->priors);
    free(cache);
}

enum banyan_status evaluator_cache_create(const struct banyan_game *game, const char *args,
                                          const struct banyan_offer *offers,
                                          struct banyan_evaluator *out, struct banyan_error *err)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    cache->size = 65536;
    pthread_mutex_init(&cache->lock, NULL);
    enum banyan_status status = BANYAN_OK;
    const char *rest = around_options(cache_table, cache, args, &status, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, rest, offers, &cache->inner, err);
    if (status == BANYAN_OK) {
        cache->prior_max = cache->inner.wants_actions ? game->max_legal * game->players : 0;
        cache->entries = calloc((size_t)cache->size, sizeof *cache->entries);
        cache->priors = calloc((size_t)cache->size * (size_t)cache->prior_max + 1, sizeof(float));
        if (!cache->entries || !cache->priors)
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a cache of %lld entries",
                                 (long long)cache->size);
    }
    if (status != BANYAN_OK) {
        cache_close(cache);
        return status;
    }
    for (int64_t i = 0; i < cache->size; ++i)
        cache->entries[i].priors = cache->priors + i * cache->prior_max;
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "cache",
                                     .ctx = cache,
                                     .wants_actions = cache->inner.wants_actions,
                                     .game_priors = cache->inner.game_priors,
                                     .reentrant = cache->inner.reentrant,
                                     .evaluate = cache_evaluate,
                                     .close = cache_close,
                                     .priors = cache->inner.priors ? cache_priors : NULL};
    return BANYAN_OK;
}
