/* The alpha-beta engine of the mushroom game: creation, memory and time. */
#include "games/mushroom/engine.h"
#include "base/clock.h"
#include "base/large_pages.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Matches chose these numbers: docs/games/mushroom.md, "Search". */
void engine_options_default(bool full_width, struct engine_options *out)
{
    *out = (struct engine_options){.selective = !full_width,
                                   .tempo = full_width ? 16 : 8,
                                   .tilt = full_width ? 0 : 6,
                                   .look = full_width ? 0 : 2,
                                   .endings = !full_width,
                                   .table_bytes = (size_t)64 << 20};
}

enum banyan_status engine_create(struct engine **out, const struct engine_options *options,
                                 struct banyan_error *err)
{
    struct engine *engine = calloc(1, sizeof *engine);
    uint64_t buckets = 1;
    while (2 * buckets * 4 * sizeof(struct engine_entry) <= options->table_bytes)
        buckets *= 2;
    if (engine) {
        engine->options = *options;
        engine->bucket_mask = buckets - 1;
        engine->table = calloc(buckets * 4, sizeof *engine->table);
        engine->ending_failed = ENDING_RECTANGLES + 1;
    }
    *out = engine;
    if (engine && engine->table)
        large_pages(engine->table, buckets * 4 * sizeof *engine->table);
    if (engine && engine->table &&
        (!options->endings || ending_create(&engine->ending, NULL) == BANYAN_OK))
        return BANYAN_OK;
    engine_destroy(engine);
    *out = NULL;
    return banyan_fail(
        err, BANYAN_NO_MEMORY,
        "no memory for a table of %zu bytes; choose a smaller memory=", options->table_bytes);
}

void engine_destroy(struct engine *engine)
{
    if (!engine)
        return;
    ending_destroy(engine->ending);
    free(engine->table);
    free(engine);
}

void engine_warm(struct engine *engine)
{
    memset(engine->table, 0, (engine->bucket_mask + 1) * 4 * sizeof *engine->table);
}

void engine_clear(struct engine *engine)
{
    if (engine->age > 0) /* new memory is already zero, and is not written before it is needed */
        engine_warm(engine);
    memset(engine->history, 0, sizeof engine->history);
    engine->age = 0;
    engine->ending_failed = ENDING_RECTANGLES + 1;
    if (engine->ending)
        ending_clear(engine->ending);
}

void engine_budget(double left_ms, double bank_ms, struct engine_limits *out)
{
    double spare = left_ms - (0.03 * bank_ms + 30); /* the rest is a reserve */
    *out = (struct engine_limits){.game_ms = spare > 0.001 ? spare : 0.001};
}

/* About how many moves of this side are left before the result is proven, and a little more.  With
 * 4 ms a move there were 0.29 for each rectangle (200 games), with 0.6 s 0.22 (29 games): a longer
 * search proves earlier. */
static double engine_moves(double spare_ms, int rectangles)
{
    double times = spare_ms / (0.31 * rectangles) / 10, doublings = 0; /* of 10 ms a move */
    for (; times >= 2; times /= 2)
        ++doublings;
    doublings += times > 1 ? times - 1 : 0; /* nearly the logarithm */
    double moves = (0.31 - 0.0135 * doublings) * rectangles;
    return moves > 2.5 ? moves : 2.5;
}

void engine_share(struct engine_limits *limits, int rectangles)
{
    double spare = limits->game_ms;
    if (spare <= 0)
        return;
    double share = spare / engine_moves(spare, rectangles > 0 ? rectangles : 1);
    limits->soft_ms = 0.7 * share;
    limits->hard_ms = 2.5 * share < 0.4 * spare ? 2.5 * share : 0.4 * spare;
    limits->solve_ms = 0.3 * spare;
    if (limits->hard_ms < 0.5) { /* almost no time is left */
        limits->depth = 2;
        limits->hard_ms = 0.5;
        limits->soft_ms = 0.25;
    }
}

double engine_patience(struct engine_course *course, bool same, int value)
{
    bool falls = course->values[1] - value > ENGINE_CELL;
    course->values[1] = course->values[0];
    course->values[0] = value;
    course->same = same ? course->same + 1 : 0;
    return falls || !course->same ? 1.5 : course->same >= 3 ? 0.6 : 1;
}

void engine_start(struct engine *engine, const struct engine_limits *limits)
{
    engine->limits = *limits;
    engine->start_ms = clock_now_ms();
    engine->nodes = engine->clock_nodes = 0;
    engine->node_limit = limits->nodes ? limits->nodes : UINT64_MAX;
    engine->stop = false;
    ++engine->age;
    memset(engine->killers, 0xff, sizeof engine->killers);
    for (int player = 0; player < 2; ++player)
        for (int i = 0; i <= BOARD_RECTANGLES; ++i)
            engine->history[player][i] /= 8;
}
