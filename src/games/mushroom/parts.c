/* Finds the independent parts of the end of a mushroom game (parts.h). */
#include "games/mushroom/parts.h"

#include "base/rng.h"
#include "games/mushroom/harvest.h"

#include <stdlib.h>
#include <string.h>

enum banyan_status parts_create(struct parts *out, struct banyan_error *err)
{
    *out = (struct parts){.sets = malloc(PARTS_SETS * sizeof *out->sets),
                          .steps = malloc(PARTS_STEPS * sizeof *out->steps),
                          .places = calloc((size_t)2 * PARTS_SETS, sizeof *out->places)};
    if (!out->sets || !out->steps || !out->places) {
        parts_destroy(out);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the solver of endings");
    }
    return BANYAN_OK;
}

void parts_destroy(struct parts *parts)
{
    free(parts->sets);
    free(parts->steps);
    free(parts->places);
    *parts = (struct parts){0};
}

void parts_clear(struct parts *parts)
{
    for (uint32_t i = 1; i < parts->set_count; ++i)
        parts->places[parts->sets[i].place] = 0;
    parts->set_count = parts->step_count = 0;
    parts->count = 0;
}

static bool parts_meet(struct cells a, struct cells b)
{
    return cells_any(cells_and(a, b));
}

static bool parts_late(const struct parts *parts)
{
    const struct parts_limits *limits = &parts->limits;
    return (limits->deadline > 0 && limits->now() >= limits->deadline) ||
           banyan_flag_is_set(limits->stop);
}

/* --- the sets of one part --- */

static uint64_t parts_hash(struct cells gone, uint32_t part)
{
    uint64_t x = (gone.word[0] ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (rng_rotate(x, 31) ^ gone.word[1]) * 0x94d049bb133111ebu;
    x = (rng_rotate(x, 29) ^ gone.word[2]) * 0x9fb21c651e98df25u;
    return rng_mix(x ^ part);
}

static bool parts_is(const struct parts_set *set, struct cells gone, uint32_t part)
{
    return set->part == part && memcmp(&set->gone, &gone, sizeof gone) == 0;
}

/* The number of the set, 0 if it is not listed.  *place: its place in the hash table, or a free
 * one. */
static uint32_t parts_set(const struct parts *parts, struct cells gone, uint32_t part,
                          uint32_t *place)
{
    uint32_t at = (uint32_t)parts_hash(gone, part) & (2 * PARTS_SETS - 1);
    while (parts->places[at] && !parts_is(&parts->sets[parts->places[at]], gone, part))
        at = (at + 1) & (2 * PARTS_SETS - 1);
    *place = at;
    return parts->places[at];
}

/* What listing the sets of a part came to. */
enum parts_outcome { PARTS_LISTED, PARTS_FULL, PARTS_MERGED };

static void parts_merge(struct parts *parts, int a, int b)
{
    struct parts_part *part = &parts->part[a];
    part->members |= parts->part[b].members;
    part->size = 0;
    part->region = (struct cells){{0, 0, 0}};
    for (int i = 0; i < parts->start_count; ++i)
        if (part->members >> i & 1)
            part->region = cells_or(part->region, rectangle_cells(parts->start[i]));
    parts->part[b] = parts->part[--parts->count];
}

/* Whether the rectangle belongs to the part: one that is not of the start is new by what was taken
 * in the part, for no other part has changed. */
static bool parts_own(const struct parts *parts, const struct parts_part *part, struct rectangle x)
{
    int member = parts->member[rectangle_action(x)];
    return member == 0 || part->members >> (member - 1) & 1;
}

/* Another part whose region has a cell of these; -1: there is none. */
static int parts_other(const struct parts *parts, int self, struct cells inside)
{
    for (int i = 0; i < parts->count; ++i)
        if (i != self && parts_meet(parts->part[i].region, inside))
            return i;
    return -1;
}

static enum parts_outcome parts_write(struct parts *parts, int self,
                                      const struct mushroom_state *state, uint32_t *number);

/* Lists the set that is left after step i of a set, and adds to its reach. */
static enum parts_outcome parts_follow(struct parts *parts, int self,
                                       const struct mushroom_state *state, uint32_t set, uint32_t i)
{
    struct parts_step *step = &parts->steps[parts->sets[set].first + i];
    struct mushroom_state next = *state;
    struct cells inside = rectangle_cells(step->rectangle);
    uint32_t after = 0;
    play_clear(next.digits, inside, step->rectangle);
    next.live = cells_less(next.live, inside);
    enum parts_outcome outcome = parts_write(parts, self, &next, &after);
    if (outcome != PARTS_LISTED)
        return outcome;
    step->next = after & 0x7fffffff;
    parts->sets[set].reach =
        cells_or(parts->sets[set].reach, cells_or(inside, parts->sets[after].reach));
    return PARTS_LISTED;
}

/* Whether step x of a set shares no cell with any other step, now or later.  Then the rest of the
 * game does not depend on who takes it.  The sets after it must be listed already. */
static bool parts_alone(const struct parts *parts, const struct parts_set *set, uint32_t x)
{
    const struct parts_step *steps = parts->steps + set->first;
    struct cells inside = rectangle_cells(steps[x].rectangle);
    if (parts_meet(inside, parts->sets[steps[x].next].reach))
        return false;
    for (uint32_t i = 0; i < set->count; ++i) {
        if (i == x)
            continue;
        if (parts_meet(inside, rectangle_cells(steps[i].rectangle)))
            return false;
        const struct parts_set *after = &parts->sets[steps[i].next];
        const struct parts_step *at = parts->steps + after->first, *end = at + after->count;
        while (at < end && memcmp(&at->rectangle, &steps[x].rectangle, sizeof at->rectangle) != 0)
            ++at;
        if (at == end || !at->alone)
            return false;
    }
    return true;
}

/* Makes room for a set with the rectangles of the part among those found; their sets that follow
 * are not listed yet. */
static enum parts_outcome parts_begin(struct parts *parts, int self,
                                      const struct windows_list *found, uint32_t *number)
{
    struct parts_part *part = &parts->part[self];
    uint32_t first = parts->step_count, count = 0;
    if (parts->set_count >= (uint32_t)parts->limits.sets || parts->set_count >= PARTS_SETS ||
        first + (uint32_t)found->count > PARTS_STEPS)
        return PARTS_FULL;
    if (parts->set_count % 256 == 255 && parts_late(parts))
        return PARTS_FULL;
    for (int i = 0; i < found->count; ++i) {
        struct rectangle x = windows_corners(found, i);
        struct cells inside = rectangle_cells(x);
        if (!parts_own(parts, part, x))
            continue;
        int other = parts_other(parts, self, inside);
        if (other >= 0) {
            parts_merge(parts, self < other ? self : other, self < other ? other : self);
            return PARTS_MERGED;
        }
        part->region = cells_or(part->region, inside);
        parts->steps[first + count++] = (struct parts_step){.rectangle = x};
    }
    *number = parts->set_count++;
    parts->step_count += count;
    parts->sets[*number] =
        (struct parts_set){.first = first, .count = count, .part = part->members};
    return PARTS_LISTED;
}

/* Lists the set of this state and all sets of the part that can follow. */
static enum parts_outcome parts_write(struct parts *parts, int self,
                                      const struct mushroom_state *state, uint32_t *number)
{
    struct cells gone = cells_less(parts->live, state->live);
    struct windows_list found;
    uint32_t place;
    *number = parts_set(parts, gone, parts->part[self].members, &place);
    if (*number)
        return PARTS_LISTED;
    parts->list(state, &found);
    enum parts_outcome outcome = parts_begin(parts, self, &found, number);
    if (outcome != PARTS_LISTED)
        return outcome;
    parts->places[place] = *number;
    parts->sets[*number].place = place;
    parts->sets[*number].gone = gone;
    for (uint32_t i = 0; i < parts->sets[*number].count; ++i) {
        outcome = parts_follow(parts, self, state, *number, i);
        if (outcome != PARTS_LISTED)
            return outcome;
    }
    const struct parts_set *set = &parts->sets[*number];
    for (uint32_t i = 0; i < set->count; ++i)
        parts->steps[set->first + i].alone = parts_alone(parts, set, i);
    return PARTS_LISTED;
}

/* Lists all parts that are not listed yet, until two of them become one. */
static enum parts_outcome parts_write_all(struct parts *parts, const struct mushroom_state *state)
{
    for (int i = 0; i < parts->count; ++i) {
        struct parts_part *part = &parts->part[i];
        if (part->size > 0)
            continue;
        uint32_t number, before = parts->set_count;
        enum parts_outcome outcome = parts_write(parts, i, state, &number);
        if (outcome != PARTS_LISTED)
            return outcome;
        part->first = number;
        part->size = parts->set_count - before;
    }
    return PARTS_LISTED;
}

/* --- rectangles that become legal by what was taken in several parts --- */

/* Which sums up to 10 the mushrooms of a rectangle can have, as bits, for each set of sides that
 * have a mushroom. */
struct parts_sums {
    uint16_t sums[16];
};

struct parts_frame {
    struct cells inside, side[4]; /* top, bottom, left, right */
};

static struct parts_frame parts_frame(struct rectangle x)
{
    return (struct parts_frame){rectangle_cells(x),
                                {rectangle_cells((struct rectangle){x.r1, x.c1, x.r1, x.c2}),
                                 rectangle_cells((struct rectangle){x.r2, x.c1, x.r2, x.c2}),
                                 rectangle_cells((struct rectangle){x.r1, x.c1, x.r2, x.c1}),
                                 rectangle_cells((struct rectangle){x.r1, x.c2, x.r2, x.c2})}};
}

/* The mushrooms of the start by the bits of their digits. */
struct parts_planes {
    struct cells bit[4];
};

static struct parts_planes parts_planes(const struct parts *parts)
{
    struct parts_planes planes = {0};
    for (int i = 0; i < BOARD_ROWS * BOARD_STRIDE; ++i)
        for (int k = 0; k < 4; ++k)
            if (cells_has(&parts->live, i) && parts->digits[i] >> k & 1)
                cells_put(&planes.bit[k], i);
    return planes;
}

/* Adds one possibility: these mushrooms are left in the frame. */
static void parts_add(const struct parts_planes *planes, const struct parts_frame *frame,
                      struct cells left, struct parts_sums *out)
{
    int sum = 0, sides = 0;
    for (int k = 0; k < 4; ++k) {
        sum += cells_count(cells_and(left, planes->bit[k])) << k;
        sides |= parts_meet(left, frame->side[k]) << k;
    }
    if (sum <= BOARD_TARGET)
        out->sums[sides] |= (uint16_t)(1u << sum);
}

/* All sums of one of a and one of b. */
static struct parts_sums parts_combine(const struct parts_sums *a, const struct parts_sums *b)
{
    const unsigned most = (2u << BOARD_TARGET) - 1;
    struct parts_sums out = {0};
    for (int i = 0; i < 16; ++i)
        for (int k = 0; a->sums[i] && k < 16; ++k)
            for (int sum = 0; b->sums[k] >> sum; ++sum)
                if (b->sums[k] >> sum & 1)
                    out.sums[i | k] |= (uint16_t)((unsigned)a->sums[i] << sum & most);
    return out;
}

/* Whether the rectangle can become legal by what these parts leave of it; fixed: the mushrooms that
 * no part can take. */
static bool parts_possible(const struct parts *parts, const struct parts_planes *planes,
                           struct rectangle x, struct cells fixed, uint32_t which)
{
    struct parts_frame frame = parts_frame(x);
    struct parts_sums all = {0};
    parts_add(planes, &frame, cells_and(fixed, frame.inside), &all);
    for (int i = 0; i < parts->count; ++i) {
        const struct parts_part *part = &parts->part[i];
        struct cells mushrooms = cells_and(parts->live, cells_and(part->region, frame.inside));
        struct parts_sums own = {0};
        if (!(which >> i & 1))
            continue;
        for (uint32_t k = 0; k < part->size; ++k)
            parts_add(planes, &frame, cells_less(mushrooms, parts->sets[part->first + k].gone),
                      &own);
        all = parts_combine(&all, &own);
    }
    return all.sums[15] >> BOARD_TARGET & 1;
}

/* sum[r][c]: the digits of these cells above row r and left of column c. */
struct parts_table {
    int16_t sum[BOARD_ROWS + 1][BOARD_COLUMNS + 1];
};

static void parts_sum(const struct parts *parts, struct cells cells, struct parts_table *out)
{
    memset(out, 0, sizeof *out);
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            int at = BOARD_STRIDE * r + c, digit = cells_has(&cells, at) ? parts->digits[at] : 0;
            out->sum[r + 1][c + 1] =
                (int16_t)(digit + out->sum[r][c + 1] + out->sum[r + 1][c] - out->sum[r][c]);
        }
}

static int parts_inside(const struct parts_table *table, struct rectangle x)
{
    return table->sum[x.r2 + 1][x.c2 + 1] - table->sum[x.r1][x.c2 + 1] -
           table->sum[x.r2 + 1][x.c1] + table->sum[x.r1][x.c1];
}

/* The parts that have mushrooms in the rectangle, as bits. */
static uint32_t parts_touched(const struct parts *parts, struct rectangle x)
{
    struct cells inside = cells_and(rectangle_cells(x), parts->live);
    uint32_t which = 0;
    for (int i = 0; i < parts->count; ++i)
        which |= (uint32_t)parts_meet(parts->part[i].region, inside) << i;
    return which;
}

static void parts_merge_all(struct parts *parts, uint32_t which)
{
    int first = bits_first64(which);
    for (int i = parts->count - 1; i > first; --i)
        if (which >> i & 1)
            parts_merge(parts, first, i);
}

/* Merges parts that can make a rectangle legal together; at most one rectangle is treated. */
static enum parts_outcome parts_cross(struct parts *parts)
{
    struct parts_planes planes = parts_planes(parts);
    struct parts_table all, kept;
    struct cells fixed = parts->live;
    for (int i = 0; i < parts->count; ++i)
        fixed = cells_less(fixed, parts->part[i].region);
    parts_sum(parts, parts->live, &all);
    parts_sum(parts, fixed, &kept);
    for (int action = 0; action < BOARD_RECTANGLES; ++action) {
        struct rectangle x = rectangle_of(action);
        if (parts_inside(&all, x) <= BOARD_TARGET || parts_inside(&kept, x) > BOARD_TARGET)
            continue;
        uint32_t which = parts_touched(parts, x);
        if ((which & (which - 1)) == 0)
            continue;
        if (parts_late(parts))
            return PARTS_FULL;
        if (!parts_possible(parts, &planes, x, fixed, which))
            continue;
        parts_merge_all(parts, which);
        return PARTS_MERGED;
    }
    return PARTS_LISTED;
}

/* --- the parts --- */

/* Merges two parts whose regions share a cell; returns whether there were such parts. */
static bool parts_overlap(struct parts *parts)
{
    for (int i = 0; i < parts->count; ++i) {
        int other = parts_other(parts, i, parts->part[i].region);
        if (other < 0)
            continue;
        parts_merge(parts, i, other);
        return true;
    }
    return false;
}

/* Begins with a part for each rectangle, and merges those that share a cell.  Later each rectangle
 * that is listed is compared with the regions of the other parts. */
static bool parts_start(struct parts *parts, const struct mushroom_state *state)
{
    struct windows_list found;
    parts->list(state, &found);
    memcpy(parts->digits, state->digits, sizeof parts->digits);
    parts->live = state->live;
    parts->start_count = 0;
    if (found.count > PARTS_RECTANGLES)
        return false;
    memset(parts->member, 0, sizeof parts->member);
    parts->sets[0] = (struct parts_set){.count = 0};
    parts->set_count = 1;
    for (int i = 0; i < found.count; ++i) {
        struct rectangle x = windows_corners(&found, i);
        parts->start[parts->start_count++] = x;
        parts->member[rectangle_action(x)] = (uint8_t)(i + 1);
        parts->part[parts->count++] =
            (struct parts_part){.members = 1u << i, .region = rectangle_cells(x)};
    }
    while (parts_overlap(parts))
        continue;
    return true;
}

bool parts_find(struct parts *parts, const struct mushroom_state *state, parts_list_fn *list,
                const struct parts_limits *limits)
{
    enum parts_outcome outcome = PARTS_MERGED;
    parts_clear(parts);
    parts->limits = *limits;
    parts->list = list;
    if (!parts_start(parts, state))
        outcome = PARTS_FULL;
    while (outcome == PARTS_MERGED) {
        outcome = parts_write_all(parts, state);
        if (outcome == PARTS_LISTED)
            outcome = parts_cross(parts);
    }
    if (outcome == PARTS_FULL)
        parts_clear(parts); /* incomplete lists cannot be used */
    return outcome == PARTS_LISTED;
}

bool parts_locate(const struct parts *parts, const struct mushroom_state *state,
                  uint32_t out[PARTS_RECTANGLES])
{
    struct cells gone = cells_less(parts->live, state->live);
    uint32_t place;
    if (parts->set_count == 0 || cells_any(cells_less(state->live, parts->live)))
        return false;
    for (int i = 0; i < BOARD_ROWS * BOARD_STRIDE; ++i)
        if (cells_has(&state->live, i) && state->digits[i] != parts->digits[i])
            return false;
    for (int i = 0; i < parts->count; ++i) {
        const struct parts_part *part = &parts->part[i];
        out[i] = parts_set(parts, cells_and(gone, part->region), part->members, &place);
        gone = cells_less(gone, part->region);
        if (!out[i])
            return false;
    }
    return !cells_any(gone);
}
