/* Tests that determinize() does not tell its viewer what is hidden from them.
 *
 *     a position s  --- made without determinize() --->  s', the same to the viewer
 *          |                                                |
 *     many draws                                       many draws
 *          +------- the same distributions? ----------------+
 *
 * Worlds s' come from two sources: editors, one for each hidden part of the state, and games that
 * are played again from the start with other dice and other hidden cards; only games that looked
 * the same to the viewer all along are kept.  The test compares every field of the state, pairs of
 * fields, the values of searches, and, byte for byte, everything that is shown to the viewer of s
 * and of s'.  A game that hides something says how in struct leak_game: a class for every byte of
 * its state, and the editors.
 *
 * Statistics: values fall into 16 buckets; the two samples of a position give a chi-square of
 * homogeneity; those of all positions are added up for one editor and one field.  The error rate is
 * 1 % over all these sums (Bonferroni).  Everything is drawn from fixed seeds.
 */
#ifndef TESTS_LEAK_H
#define TESTS_LEAK_H

#include <banyan/observe.h>
#include <banyan/search.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    LEAK_FIELDS = 2048,
    LEAK_EDITORS = 32,
    LEAK_PAIRS = 300, /* pairs of fields compared for each source of worlds */
    LEAK_BUCKETS = 16,
    LEAK_FAILURES = 12 /* differences that are printed */
};

enum leak_class {
    LEAK_PUBLIC,  /* the viewer sees it: no draw changes it */
    LEAK_HIDDEN,  /* an editor changes it */
    LEAK_DERIVED, /* follows from hidden parts */
    LEAK_PADDING  /* always 0 */
};

struct leak_field {
    char name[48];
    size_t offset;
    int size; /* bytes */
    enum leak_class class;
};

struct leak_editor {
    const char *name;
    /* Gives hidden parts of one kind other legal values; false: there is nothing to change. */
    bool (*edit)(void *state, int viewer, struct banyan_rng *rng);
};

struct leak_game {
    const char *name;
    int (*fields)(int viewer, struct leak_field *out); /* out[LEAK_FIELDS], returns their number */
    const struct leak_editor *editors;                 /* name NULL at the end */
    /* Position number index, and one of its movers. */
    int (*position)(int index, void *state);
    /* Makes two games that looked the same to one viewer, and returns that viewer, or -1 if it
     * found none. */
    int (*replay)(struct banyan_rng *rng, void *a, void *b);
    const char *evaluator, *options; /* of the searches */
};

struct leak_size {
    int positions, replays, draws; /* draws from each of the two worlds */
    int searches, simulations;     /* searches of each of the two worlds of a position */
};

/* A sum of chi-square values. */
struct leak_sum {
    double chi, degrees;
};

struct leak {
    const struct leak_game *row;
    const struct banyan_game *game;
    struct leak_size size;
    struct leak_field fields[2][LEAK_FIELDS]; /* by viewer: classes for the same fields that
                                                 replace those above */
    int field_count;
    int pairs[LEAK_PAIRS][2];
    struct leak_sum sums[LEAK_EDITORS][LEAK_FIELDS], pair_sums[LEAK_EDITORS][LEAK_PAIRS];
    struct leak_sum values[LEAK_EDITORS];
    bool edited[2][LEAK_FIELDS];
    int worlds[LEAK_EDITORS];
    unsigned char *draws[2]; /* [draws][field_count]: buckets */
    void *state, *other, *drawn;
    int failures;
};

static inline void leak_fail(struct leak *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void leak_fail(struct leak *t, const char *format, ...)
{
    va_list args;
    if (t->failures++ >= LEAK_FAILURES)
        return;
    va_start(args, format);
    fprintf(stderr, "%s: ", t->row->name);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
}

/* --- bytes and fields --- */

static inline void leak_check_cover(struct leak *t, int viewer)
{
    unsigned char *times = calloc(1, t->game->state_size);
    assert_non_null(times);
    for (int i = 0; i < t->field_count; ++i)
        for (int k = 0; k < t->fields[viewer][i].size; ++k)
            ++times[t->fields[viewer][i].offset + (size_t)k];
    for (size_t i = 0; i < t->game->state_size; ++i)
        if (times[i] != 1)
            leak_fail(t, "byte %zu of the state is in %d fields of the table", i, times[i]);
    free(times);
}

static inline bool leak_same(const struct leak_field *field, const void *a, const void *b)
{
    return memcmp((const char *)a + field->offset, (const char *)b + field->offset,
                  (size_t)field->size) == 0;
}

/* What the viewer sees has not changed, and padding is 0. */
static inline void leak_check_public(struct leak *t, int viewer, const void *state,
                                     const char *what)
{
    static const char zero[64];
    for (int i = 0; i < t->field_count; ++i) {
        const struct leak_field *field = &t->fields[viewer][i];
        if (field->class == LEAK_PUBLIC && !leak_same(field, t->state, state))
            leak_fail(t, "%s changes %s, which player %d sees", what, field->name, viewer);
        if (field->class == LEAK_PADDING &&
            memcmp((const char *)state + field->offset, zero, (size_t)field->size) != 0)
            leak_fail(t, "%s writes padding at %zu", what, field->offset);
    }
}

static inline bool leak_key_differs(const struct leak *t, int player)
{
    return t->game->key(t->game, t->state, player) != t->game->key(t->game, t->other, player);
}

static inline bool leak_coarse_key_differs(const struct leak *t, int viewer)
{
    uint64_t keys[2][BANYAN_MAX_PLAYERS] = {{0}};
    if (t->game->coarse_keys) {
        t->game->coarse_keys(t->game, t->state, 1u << viewer, keys[0]);
        t->game->coarse_keys(t->game, t->other, 1u << viewer, keys[1]);
    }
    return keys[0][viewer] != keys[1][viewer];
}

/* Whether draws for this player from t->state differ from those from t->other.  They must not where
 * the player knows the same of both. */
static inline bool leak_draw_differs(struct leak *t, int player)
{
    size_t size = t->game->state_size;
    unsigned char *drawn = malloc(size);
    struct banyan_rng rngs[2];
    assert_non_null(drawn);
    banyan_rng_seed(&rngs[0], 7);
    rngs[1] = rngs[0];
    memcpy(drawn, t->state, size);
    memcpy(t->drawn, t->other, size);
    t->game->determinize(t->game, drawn, player, &rngs[0]);
    t->game->determinize(t->game, t->drawn, player, &rngs[1]);
    bool differs = memcmp(drawn, t->drawn, size) != 0;
    free(drawn);
    return differs;
}

/* A player's key tells apart what this player sees, and no more.  t->state and t->other look the
 * same to viewer, whose keys are equal.  The other player's keys differ where a part differs that
 * is public to that player; and where they differ, that player's draws do. */
static inline void leak_check_keys(struct leak *t, int viewer, const char *what)
{
    bool differs = leak_key_differs(t, !viewer);
    for (int i = 0; i < t->field_count && !differs; ++i)
        if (t->fields[!viewer][i].class == LEAK_PUBLIC &&
            !leak_same(&t->fields[!viewer][i], t->state, t->other))
            leak_fail(t, "the key of player %d leaves out %s, which that player sees (%s)", !viewer,
                      t->fields[!viewer][i].name, what);
    if (leak_key_differs(t, viewer) || leak_coarse_key_differs(t, viewer))
        leak_fail(t, "the key of player %d depends on what that player cannot see (%s)", viewer,
                  what);
    if (differs && !leak_draw_differs(t, !viewer))
        leak_fail(t, "the key of player %d depends on what that player cannot see either (%s)",
                  !viewer, what);
}

/* --- what is shown --- */

enum leak_part {
    LEAK_OBSERVATION,
    LEAK_JSON,
    LEAK_MASK, /* the policy indices of the viewer's legal actions */
    LEAK_PICTURE,
    LEAK_SHEET,
    LEAK_ACTIONS, /* the legal actions as texts and in words */
    LEAK_PARTS
};

static const char *const leak_part_names[LEAK_PARTS] = {"observation", "JSON",  "mask",
                                                        "picture",     "sheet", "list of actions"};

enum { LEAK_SHOWN = 1 << 18 }; /* bytes of one part */

static inline size_t leak_show_actions(const struct banyan_game *game, const void *state,
                                       int viewer, bool words, char *out)
{
    banyan_action legal[64];
    size_t size = 0;
    if (!(game->movers(game, state) >> viewer & 1))
        return 0;
    int count = game->legal(game, state, viewer, legal);
    for (int i = 0; i < count; ++i) {
        char *at = out + size;
        size_t room = LEAK_SHOWN - size;
        if (!words) {
            int index = game->policy_index ? game->policy_index(game, state, viewer, legal[i]) : i;
            size += (size_t)snprintf(at, room, "%d ", index);
        } else {
            size += (size_t)game->action_format(game, state, viewer, legal[i], at, room);
            if (game->describe)
                size += (size_t)game->describe(game, state, viewer, legal[i], out + size,
                                               LEAK_SHOWN - size);
        }
    }
    return size;
}

/* Writes a part of what is shown to viewer; returns its size. */
static inline size_t leak_show(const struct banyan_game *game, enum leak_part part,
                               const void *state, int viewer, char *out)
{
    size_t numbers = (size_t)banyan_observation_size(game) * sizeof(float);
    float *observation = calloc(1, numbers + 1);
    size_t size = 0;
    assert_true(observation && numbers <= LEAK_SHOWN);
    banyan_observe(game, state, viewer, observation);
    if (part == LEAK_OBSERVATION)
        memcpy(out, observation, size = numbers);
    else if (part == LEAK_JSON)
        size = (size_t)banyan_observation_json(game, observation, out, LEAK_SHOWN);
    else if (part == LEAK_PICTURE)
        size = game->draw ? (size_t)game->draw(game, state, viewer, out, LEAK_SHOWN) : 0;
    else if (part == LEAK_SHEET)
        size = game->sheet ? (size_t)game->sheet(game, state, viewer, out, LEAK_SHOWN) : 0;
    else
        size = leak_show_actions(game, state, viewer, part == LEAK_ACTIONS, out);
    free(observation);
    assert_true(size <= LEAK_SHOWN);
    return size;
}

static inline bool leak_shown_differs(const struct banyan_game *game, enum leak_part part,
                                      const void *a, const void *b, int viewer)
{
    static char shown[2][LEAK_SHOWN + 1];
    size_t size = leak_show(game, part, a, viewer, shown[0]);
    return size != leak_show(game, part, b, viewer, shown[1]) ||
           memcmp(shown[0], shown[1], size) != 0;
}

/* t->state and t->other look the same to viewer, so the same is shown. */
static inline void leak_check_shown(struct leak *t, int viewer, const char *what)
{
    for (int part = 0; part < LEAK_PARTS; ++part)
        if (leak_shown_differs(t->game, (enum leak_part)part, t->state, t->other, viewer))
            leak_fail(t, "the %s of player %d shows what that player cannot see (%s)",
                      leak_part_names[part], viewer, what);
}

static inline uint64_t leak_mix(uint64_t value)
{
    value = (value ^ value >> 31) * 0x9fb21c651e98df25u;
    return value ^ value >> 29;
}

static inline unsigned char leak_bucket(const struct leak_field *field, const void *state)
{
    const unsigned char *at = (const unsigned char *)state + field->offset;
    uint64_t value = 0;
    bool small = true;
    for (int i = 0; i < field->size; ++i) {
        value = leak_mix(value) + at[i];
        small &= i ? at[i] == 0 : at[i] < LEAK_BUCKETS;
    }
    return small ? at[0] : (unsigned char)(leak_mix(value) % LEAK_BUCKETS);
}

static inline void leak_draw(struct leak *t, int which, const void *state, int viewer,
                             struct banyan_rng *rng)
{
    for (int d = 0; d < t->size.draws; ++d) {
        memcpy(t->drawn, state, t->game->state_size);
        t->game->determinize(t->game, t->drawn, viewer, rng);
        if (which == 0)
            leak_check_public(t, viewer, t->drawn, "determinize()");
        unsigned char *out = t->draws[which] + (size_t)d * (size_t)t->field_count;
        for (int i = 0; i < t->field_count; ++i)
            out[i] = t->fields[viewer][i].class == LEAK_PUBLIC
                         ? 0
                         : leak_bucket(&t->fields[viewer][i], t->drawn);
    }
}

/* --- statistics --- */

/* Chi-square of two samples of equal size; all buckets with fewer than ten values of both
 * samples together are joined into one. */
static inline void leak_add(struct leak_sum *sum, int counts[2][LEAK_BUCKETS])
{
    double rest[2] = {0, 0}, chi = 0;
    int cells = 0;
    for (int i = 0; i < LEAK_BUCKETS; ++i) {
        double a = counts[0][i], b = counts[1][i];
        if (a + b < 10) {
            rest[0] += a;
            rest[1] += b;
        } else {
            chi += (a - b) * (a - b) / (a + b);
            ++cells;
        }
    }
    if (rest[0] + rest[1] >= 10) {
        chi += (rest[0] - rest[1]) * (rest[0] - rest[1]) / (rest[0] + rest[1]);
        ++cells;
    }
    if (cells > 1) {
        sum->chi += chi;
        sum->degrees += cells - 1;
    }
}

/* Probability of a chi-square at least as large (Wilson and Hilferty 1931). */
static inline double leak_probability(const struct leak_sum *sum)
{
    if (sum->degrees < 1)
        return 1;
    double v = 2 / (9 * sum->degrees);
    return 0.5 * erfc((cbrt(sum->chi / sum->degrees) - (1 - v)) / sqrt(2 * v));
}

static inline void leak_compare_field(struct leak *t, int source, int field)
{
    int counts[2][LEAK_BUCKETS] = {{0}};
    for (int which = 0; which < 2; ++which)
        for (int d = 0; d < t->size.draws; ++d)
            ++counts[which][t->draws[which][d * t->field_count + field]];
    leak_add(&t->sums[source][field], counts);
}

static inline void leak_compare_pair(struct leak *t, int source, int pair)
{
    int counts[2][LEAK_BUCKETS] = {{0}}, a = t->pairs[pair][0], b = t->pairs[pair][1];
    for (int which = 0; which < 2; ++which)
        for (int d = 0; d < t->size.draws; ++d) {
            const unsigned char *row = t->draws[which] + (size_t)d * (size_t)t->field_count;
            ++counts[which][leak_mix((uint64_t)row[a] << 8 | row[b]) % LEAK_BUCKETS];
        }
    leak_add(&t->pair_sums[source][pair], counts);
}

static inline void leak_compare(struct leak *t, int source, int viewer)
{
    for (int i = 0; i < t->field_count; ++i)
        if (t->fields[viewer][i].class != LEAK_PUBLIC)
            leak_compare_field(t, source, i);
    for (int i = 0; i < LEAK_PAIRS; ++i)
        leak_compare_pair(t, source, i);
}

/* --- searches --- */

static inline double leak_search(struct leak *t, const void *state, int viewer, uint64_t seed)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_error err;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = t->size.simulations};
    float values[BANYAN_MAX_PLAYERS] = {0};
    banyan_search_options_default(&options);
    options.memory_bytes = (uint64_t)4 << 20;
    enum banyan_status status =
        banyan_options_parse(banyan_search_option_table(), &options, t->row->options, &err);
    options.seed = seed;
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(t->game, t->row->evaluator, NULL, &evaluator, &err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, t->game, &options, &evaluator, &err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, state, viewer, &err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, &err);
    if (status != BANYAN_OK)
        fail_msg("%s: %s", t->row->name, err.message);
    banyan_search_root_values(search, values);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return (double)values[viewer];
}

static inline int leak_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of the first world's values are in the upper half of all: its mean and variance under
 * one distribution are those of a hypergeometric draw. */
static inline void leak_compare_values(struct leak *t, int source, int viewer,
                                       struct banyan_rng *rng)
{
    int n = t->size.searches, upper = 0;
    double *values = malloc(sizeof *values * 4 * (size_t)n), *sorted = values + 2 * n;
    assert_non_null(values);
    for (int i = 0; i < 2 * n; ++i) {
        values[i] = leak_search(t, i < n ? t->state : t->other, viewer, banyan_rng_next(rng));
        values[i] += 1e-9 * (double)(banyan_rng_next(rng) >> 40) / 16777216.0; /* so that no two
                                                                                  values are
                                                                                  equal */
    }
    memcpy(sorted, values, sizeof *values * 2 * (size_t)n);
    qsort(sorted, 2 * (size_t)n, sizeof *sorted, leak_by_value);
    for (int i = 0; i < n; ++i)
        upper += values[i] >= sorted[n];
    double off = upper - 0.5 * n, variance = (double)n * n / (4.0 * (2 * n - 1));
    t->values[source].chi += off * off / variance;
    t->values[source].degrees += 1;
    free(values);
}

/* --- the whole --- */

/* t->state and t->other look the same to viewer; the draws of t->state have been made. */
static inline void leak_world(struct leak *t, int source, int viewer, struct banyan_rng *rng)
{
    leak_draw(t, 1, t->other, viewer, rng);
    leak_compare(t, source, viewer);
    ++t->worlds[source];
}

static inline void leak_position(struct leak *t, int index, struct banyan_rng *rng)
{
    int viewer = t->row->position(index, t->state), made = 0, chosen = -1;
    unsigned char *keep = malloc(t->game->state_size);
    assert_non_null(keep);
    leak_draw(t, 0, t->state, viewer, rng);
    for (int e = 0; t->row->editors[e].name; ++e) {
        memcpy(t->other, t->state, t->game->state_size);
        if (!t->row->editors[e].edit(t->other, viewer, rng) ||
            memcmp(t->other, t->state, t->game->state_size) == 0)
            continue;
        leak_check_public(t, viewer, t->other, t->row->editors[e].name);
        leak_check_keys(t, viewer, t->row->editors[e].name);
        leak_check_shown(t, viewer, t->row->editors[e].name);
        for (int i = 0; i < t->field_count; ++i)
            t->edited[viewer][i] |= !leak_same(&t->fields[viewer][i], t->state, t->other);
        leak_world(t, e, viewer, rng);
        if (banyan_rng_below(rng, (uint32_t)++made) == 0) {
            chosen = e;
            memcpy(keep, t->other, t->game->state_size);
        }
    }
    memcpy(t->other, keep, t->game->state_size);
    if (chosen >= 0 && t->size.searches)
        leak_compare_values(t, chosen, viewer, rng);
    free(keep);
}

static inline void leak_replays(struct leak *t, int source, struct banyan_rng *rng)
{
    for (int tries = 0; t->worlds[source] < t->size.replays && tries < 200 * t->size.replays;
         ++tries) {
        int viewer = t->row->replay(rng, t->state, t->other);
        if (viewer < 0)
            continue;
        leak_check_keys(t, viewer, "another game");
        leak_check_shown(t, viewer, "another game");
        leak_draw(t, 0, t->state, viewer, rng);
        leak_world(t, source, viewer, rng);
    }
    if (t->worlds[source] < t->size.replays)
        leak_fail(t, "%d games of %d found a second one that looked the same", t->worlds[source],
                  t->size.replays);
}

static inline int leak_sources(const struct leak *t)
{
    int count = 0;
    while (t->row->editors[count].name)
        ++count;
    return count + 1; /* and replays */
}

static inline void leak_judge(struct leak *t)
{
    int sources = leak_sources(t), tests = 0;
    for (int s = 0; s < sources; ++s) {
        for (int i = 0; i < t->field_count; ++i)
            tests += t->sums[s][i].degrees > 0;
        for (int i = 0; i < LEAK_PAIRS; ++i)
            tests += t->pair_sums[s][i].degrees > 0;
        tests += t->values[s].degrees > 0;
    }
    double limit = 0.01 / (tests ? tests : 1);
    for (int s = 0; s < sources; ++s) {
        const char *name = s + 1 < sources ? t->row->editors[s].name : "another game";
        if (!t->worlds[s])
            leak_fail(t, "no position where editor '%s' has something to change", name);
        if (leak_probability(&t->values[s]) < limit)
            leak_fail(t, "values of searches depend on what is hidden (%s)", name);
        for (int i = 0; i < t->field_count; ++i)
            if (leak_probability(&t->sums[s][i]) < limit)
                leak_fail(t, "%s as drawn depends on what is hidden (%s): chi-square %.0f of %.0f",
                          t->fields[0][i].name, name, t->sums[s][i].chi, t->sums[s][i].degrees);
        for (int i = 0; i < LEAK_PAIRS; ++i)
            if (leak_probability(&t->pair_sums[s][i]) < limit)
                leak_fail(t, "%s with %s as drawn depends on what is hidden (%s)",
                          t->fields[0][t->pairs[i][0]].name, t->fields[0][t->pairs[i][1]].name,
                          name);
    }
    print_message("%s: %d sources of worlds, %d comparisons, each at %.1e\n", t->row->name, sources,
                  tests, limit);
    for (int s = 0; s < sources; ++s)
        print_message("    %-16s %4d worlds\n",
                      s + 1 < sources ? t->row->editors[s].name : "another game", t->worlds[s]);
}

/* A name without its numbers, so that one name stands for this member of every Pokémon and side. */
static inline void leak_kind(const char *name, char out[48])
{
    for (; *name; ++name)
        if (*name < '0' || *name > '9')
            *out++ = *name;
    *out = 0;
}

static inline bool leak_is_edited(const struct leak *t, int field)
{
    char wanted[48], kind[48];
    leak_kind(t->fields[0][field].name, wanted);
    for (int i = 0; i < t->field_count; ++i) {
        leak_kind(t->fields[0][i].name, kind);
        if ((t->edited[0][i] || t->edited[1][i]) && strcmp(kind, wanted) == 0)
            return true;
    }
    return false;
}

static inline void leak_check_edited(struct leak *t)
{
    for (int viewer = 0; viewer < 2; ++viewer)
        for (int i = 0; i < t->field_count; ++i)
            if (t->fields[viewer][i].class == LEAK_HIDDEN && !leak_is_edited(t, i))
                leak_fail(t, "no editor changes %s, which player %d does not see",
                          t->fields[viewer][i].name, viewer);
}

static inline void leak_open(struct leak *t, const struct leak_game *row, struct leak_size size,
                             struct banyan_rng *rng)
{
    memset(t, 0, sizeof *t);
    t->row = row;
    t->size = size;
    assert_int_equal(banyan_game_find(row->name, &t->game, NULL), BANYAN_OK);
    for (int viewer = 0; viewer < 2; ++viewer) {
        t->field_count = row->fields(viewer, t->fields[viewer]);
        leak_check_cover(t, viewer);
    }
    int open = 0, list[LEAK_FIELDS];
    for (int i = 0; i < t->field_count; ++i)
        if (t->fields[0][i].class != LEAK_PUBLIC || t->fields[1][i].class != LEAK_PUBLIC)
            list[open++] = i;
    for (int i = 0; i < LEAK_PAIRS; ++i)
        for (int k = 0; k < 2; ++k)
            t->pairs[i][k] = list[banyan_rng_below(rng, (uint32_t)open)];
    t->state = calloc(1, t->game->state_size);
    t->other = calloc(1, t->game->state_size);
    t->drawn = calloc(1, t->game->state_size);
    for (int which = 0; which < 2; ++which)
        t->draws[which] = malloc((size_t)size.draws * (size_t)t->field_count);
    assert_true(t->state && t->other && t->drawn && t->draws[0] && t->draws[1]);
}

static inline void leak_close(struct leak *t)
{
    free(t->state);
    free(t->other);
    free(t->drawn);
    free(t->draws[0]);
    free(t->draws[1]);
    free(t);
}

/* Fails the test if a draw depends on something hidden. */
static inline void leak_test(const struct leak_game *row, struct leak_size size)
{
    struct leak *t = malloc(sizeof *t);
    struct banyan_rng rng;
    assert_non_null(t);
    banyan_rng_seed(&rng, 2026);
    leak_open(t, row, size, &rng);
    for (int i = 0; i < size.positions && t->failures < LEAK_FAILURES; ++i)
        leak_position(t, i, &rng);
    leak_replays(t, leak_sources(t) - 1, &rng);
    leak_check_edited(t);
    leak_judge(t);
    int failures = t->failures;
    leak_close(t);
    if (failures)
        fail_msg("%s: %d failures", row->name, failures);
}

/* --- a planted leak is found --- */

static const struct leak *leak_planter;
static char leak_planted[48]; /* members of this kind leak */

/* The observation of the game; its first number also depends on what is hidden in members of one
 * kind. */
static inline void leak_observe_planted(const struct banyan_game *game, const void *state,
                                        int viewer, float *out)
{
    const struct leak *t = leak_planter;
    uint64_t hidden = 0;
    char kind[48];
    banyan_observe(t->game, state, viewer, out);
    for (int i = 0; i < t->field_count; ++i) {
        const struct leak_field *field = &t->fields[viewer][i];
        leak_kind(field->name, kind);
        if (field->class != LEAK_HIDDEN || strcmp(kind, leak_planted) != 0)
            continue;
        for (int k = 0; k < field->size; ++k)
            hidden = leak_mix(hidden) + ((const uint8_t *)state)[field->offset + (size_t)k];
    }
    out[0] += (float)(leak_mix(hidden) >> 44);
}

/* Whether the observations of a position and of one that an editor made of it differ. */
static inline bool leak_is_found(struct leak *t, const struct banyan_game *game, int positions,
                                 struct banyan_rng *rng)
{
    for (int i = 0; i < positions; ++i) {
        int viewer = t->row->position(i, t->state);
        for (int e = 0; t->row->editors[e].name; ++e) {
            memcpy(t->other, t->state, t->game->state_size);
            if (t->row->editors[e].edit(t->other, viewer, rng) &&
                leak_shown_differs(game, LEAK_OBSERVATION, t->state, t->other, viewer))
                return true;
        }
    }
    return false;
}

/* Fails the test if an observation could show a hidden member and nobody would notice.  Each kind of
 * member that is hidden is planted in turn. */
static inline void leak_plant_test(const struct leak_game *row, int positions)
{
    struct leak *t = malloc(sizeof *t);
    struct banyan_rng rng;
    char seen[LEAK_FIELDS] = {0}, kind[48];
    int planted = 0;
    assert_non_null(t);
    banyan_rng_seed(&rng, 2027);
    leak_open(t, row, (struct leak_size){.draws = 1}, &rng);
    leak_planter = t;
    struct banyan_game game = *t->game;
    assert_false(leak_is_found(t, &game, positions, &rng));
    game.features = t->game->features;
    game.observe = leak_observe_planted;
    for (int i = 0; i < t->field_count; ++i) {
        leak_kind(t->fields[0][i].name, leak_planted);
        if (seen[i] ||
            (t->fields[0][i].class != LEAK_HIDDEN && t->fields[1][i].class != LEAK_HIDDEN))
            continue;
        for (int k = i; k < t->field_count; ++k) {
            leak_kind(t->fields[0][k].name, kind);
            seen[k] |= strcmp(kind, leak_planted) == 0;
        }
        ++planted;
        if (!leak_is_found(t, &game, positions, &rng))
            leak_fail(t, "an observation that shows %s is not found out", leak_planted);
    }
    print_message("%s: %d kinds of hidden members planted\n", row->name, planted);
    int failures = t->failures;
    leak_close(t);
    assert_int_equal(failures, 0);
}

#endif
