/* Solves the end of a mushroom game exactly, by a search over sets of mushrooms (ending.h). */
#include "games/mushroom/ending.h"

#include "base/rng.h"
#include "games/mushroom/harvest.h"

#include <stdlib.h>
#include <string.h>

enum { ENDING_NONE = 0xffff, ENDING_FULL = -1 };

enum banyan_status ending_create(struct ending **out, struct banyan_error *err)
{
    struct ending *ending = calloc(1, sizeof *ending);
    *out = ending;
    if (ending) {
        ending->sets = malloc(ENDING_SETS * sizeof *ending->sets);
        ending->steps = malloc(ENDING_STEPS * sizeof *ending->steps);
        ending->places = calloc((size_t)2 * ENDING_SETS, sizeof *ending->places);
        ending->known = calloc(ENDING_PLACES, sizeof *ending->known);
    }
    if (ending && ending->sets && ending->steps && ending->places && ending->known)
        return BANYAN_OK;
    ending_destroy(ending);
    *out = NULL;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the solver of endings");
}

void ending_destroy(struct ending *ending)
{
    if (!ending)
        return;
    free(ending->sets);
    free(ending->steps);
    free(ending->places);
    free(ending->known);
    free(ending);
}

void ending_clear(struct ending *ending)
{
    if (ending->set_count > 0)
        memset(ending->places, 0, (size_t)2 * ENDING_SETS * sizeof *ending->places);
    ending->set_count = ending->step_count = 0;
    if (++ending->age == 0) /* ages begin again at 1, so old entries must go */
        memset(ending->known, 0, ENDING_PLACES * sizeof *ending->known);
    ending->age = ending->age ? ending->age : 1;
    memset(ending->history, 0, sizeof ending->history);
}

static uint64_t ending_hash(struct cells live)
{
    uint64_t x = (live.word[0] ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (rng_rotate(x, 31) ^ live.word[1]) * 0x94d049bb133111ebu;
    x = (rng_rotate(x, 29) ^ live.word[2]) * 0x9fb21c651e98df25u;
    return rng_mix(x);
}

static bool ending_same(struct cells a, struct cells b)
{
    return a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.word[2] == b.word[2];
}

/* --- the sets --- */

/* The number of the set, -1 if it is not listed yet.  *place: its place in the hash table, or a
 * free one. */
static int ending_find(const struct ending *ending, struct cells live, uint32_t *place)
{
    uint32_t at = (uint32_t)ending_hash(live) & (2 * ENDING_SETS - 1);
    while (ending->places[at] && !ending_same(ending->sets[ending->places[at] - 1].live, live))
        at = (at + 1) & (2 * ENDING_SETS - 1);
    *place = at;
    return (int)ending->places[at] - 1;
}

static int ending_write(struct ending *ending, const struct mushroom_state *state,
                        ending_list_fn *list);

/* Lists the set that is left after rectangle x, and adds to *reach the cells that x and all
 * rectangles after it can cover.  Returns the number of this set, or ENDING_FULL. */
static int ending_step(struct ending *ending, const struct mushroom_state *state,
                       struct rectangle x, ending_list_fn *list, struct cells *reach)
{
    struct mushroom_state next = *state;
    struct cells inside = rectangle_cells(x);
    play_clear(next.digits, inside, x);
    next.live = cells_less(next.live, inside);
    int number = ending_write(ending, &next, list);
    if (number != ENDING_FULL)
        *reach = cells_or(*reach, cells_or(inside, ending->sets[number].reach));
    return number;
}

static bool ending_meet(struct cells a, struct cells b)
{
    return cells_any(cells_and(a, b));
}

/* Whether step x of a set shares no cell with any other step, now or later.  Then the rest of the
 * game does not depend on who takes it.  The sets after it must be listed already. */
static bool ending_alone(const struct ending *ending, const struct ending_set *set, uint32_t x)
{
    const struct ending_step *steps = ending->steps + set->first;
    struct cells inside = rectangle_cells(steps[x].rectangle);
    if (ending_meet(inside, ending->sets[steps[x].next].reach))
        return false;
    for (uint32_t i = 0; i < set->count; ++i) {
        if (i == x)
            continue;
        if (ending_meet(inside, rectangle_cells(steps[i].rectangle)))
            return false;
        const struct ending_set *after = &ending->sets[steps[i].next];
        const struct ending_step *at = ending->steps + after->first, *end = at + after->count;
        while (at < end && memcmp(&at->rectangle, &steps[x].rectangle, sizeof at->rectangle) != 0)
            ++at;
        if (at == end || !at->alone)
            return false;
    }
    return true;
}

static bool ending_late(const struct ending *ending, double deadline)
{
    const struct ending_limits *limits = &ending->limits;
    return (limits->deadline > 0 && limits->now() >= deadline) ||
           (banyan_flag_is_set(limits->stop));
}

/* Lists the set of this state and all sets that can follow.  Returns its number, or ENDING_FULL
 * when there are too many, or no time is left. */
static int ending_write(struct ending *ending, const struct mushroom_state *state,
                        ending_list_fn *list)
{
    struct windows_list found;
    uint32_t place;
    int number = ending_find(ending, state->live, &place);
    if (number >= 0)
        return number;
    list(state, &found);
    uint32_t first = ending->step_count, count = (uint32_t)found.count;
    if (ending->set_count >= (uint32_t)ending->limits.sets || first + count > ENDING_STEPS)
        return ENDING_FULL;
    if (ending->set_count % 256 == 255 && ending_late(ending, ending->limits.write_deadline))
        return ENDING_FULL;
    number = (int)ending->set_count++;
    ending->step_count += count;
    ending->places[place] = (uint32_t)number + 1;
    ending->sets[number] = (struct ending_set){.live = state->live, .first = first, .count = count};
    struct cells reach = {{0, 0, 0}};
    for (uint32_t i = 0; i < count; ++i) {
        struct rectangle x = windows_corners(&found, (int)i);
        int next = ending_step(ending, state, x, list, &reach);
        if (next == ENDING_FULL)
            return ENDING_FULL;
        ending->steps[first + i] =
            (struct ending_step){.rectangle = x, .next = (uint32_t)next & 0x7fffffff};
    }
    ending->sets[number].reach = reach;
    for (uint32_t i = 0; i < count; ++i)
        ending->steps[first + i].alone = ending_alone(ending, &ending->sets[number], i);
    return number;
}

/* Whether the listed sets belong to this board. */
static bool ending_knows(const struct ending *ending, const struct mushroom_state *state)
{
    if (ending->set_count == 0 || cells_any(cells_less(state->live, ending->live)))
        return false;
    for (int i = 0; i < BOARD_ROWS * BOARD_STRIDE; ++i)
        if (cells_has(&state->live, i) && state->digits[i] != ending->digits[i])
            return false;
    return true;
}

static int ending_prepare(struct ending *ending, const struct mushroom_state *state,
                          ending_list_fn *list)
{
    uint32_t place;
    if (ending_knows(ending, state)) {
        int number = ending_find(ending, state->live, &place);
        if (number >= 0)
            return number;
    }
    ending_clear(ending);
    memcpy(ending->digits, state->digits, sizeof ending->digits);
    ending->live = state->live;
    int number = ending_write(ending, state, list);
    if (number == ENDING_FULL)
        ending_clear(ending); /* incomplete lists cannot be used */
    return number;
}

/* --- the search --- */

struct ending_node {
    uint32_t set;
    struct cells own, other; /* cells of the side to move and of its opponent */
    int mover, passes;
};

static inline uint64_t ending_key(const struct ending_node *node, struct cells reach)
{
    struct cells a = cells_and(node->own, reach), b = cells_and(node->other, reach);
    uint64_t x = (a.word[0] ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    uint64_t y = (a.word[1] ^ 0xd1b54a32d192ed03u) * 0x94d049bb133111ebu;
    uint64_t z = (a.word[2] ^ (uint64_t)(2 * node->set + (uint32_t)node->passes) << 37) *
                 0x9fb21c651e98df25u;
    x = (rng_rotate(x, 31) ^ b.word[0]) * 0xd6e8feb86659fd93u;
    y = (rng_rotate(y, 29) ^ b.word[1]) * 0xa0761d6478bd642fu;
    z = (rng_rotate(z, 37) ^ b.word[2]) * 0xe7037ed1a0b428dbu;
    return rng_mix(x ^ rng_rotate(y, 23) ^ rng_rotate(z, 43));
}

/* The entry that holds the key; NULL: there is none. */
static inline struct ending_known *ending_place(struct ending *ending, uint64_t key)
{
    struct ending_known *pair = ending->known + (key & (ENDING_PLACES - 2));
    for (int i = 0; i < 2; ++i)
        if (pair[i].check == key && pair[i].age == ending->age)
            return &pair[i];
    return NULL;
}

static void ending_store(struct ending *ending, uint64_t key, int wanted, bool reached, int step)
{
    struct ending_known *at = ending_place(ending, key);
    if (!at) {
        struct ending_known *pair = ending->known + (key & (ENDING_PLACES - 2));
        at = pair->age == ending->age ? pair + 1 : pair; /* pair[1] is always replaced */
        *at = (struct ending_known){.check = key,
                                    .least = INT16_MIN,
                                    .most = INT16_MAX,
                                    .step = ENDING_NONE,
                                    .age = ending->age};
    }
    if (reached && at->least < wanted)
        at->least = (int16_t)wanted;
    if (!reached && at->most >= wanted)
        at->most = (int16_t)(wanted - 1);
    if (reached)
        at->step = (uint16_t)step;
}

/* The steps in the order in which they are searched.
 *
 * A step that shares no cell with any other is called a switch: it gains `swing` for the mover, or
 * 2 * area - swing for the opponent.  Of several switches the one with the largest area is the best
 * for both sides, so the others need not be tried.  When only switches are left, the sides take
 * them in turn.
 */
struct ending_order {
    uint32_t count;
    int32_t score[BOARD_MAX_LEGAL];
    uint16_t step[BOARD_MAX_LEGAL], swing[BOARD_MAX_LEGAL];
    int first;             /* the switch with the largest area, or ENDING_NONE */
    int turns;             /* what the switches gain for the side that takes the first of them */
    struct cells switches; /* all cells of the switches */
};

enum { ENDING_SWITCHES = 32 };

/* Returns what n switches gain when the sides take them in turn, the largest area first. */
static int ending_turns(const struct cells inside[], const int swing[], int n)
{
    int area[ENDING_SWITCHES], gain[ENDING_SWITCHES], sum = 0;
    for (int i = 0; i < n; ++i) {
        int size = cells_count(inside[i]), k = i;
        for (; k > 0 && area[k - 1] < size; --k) {
            area[k] = area[k - 1];
            gain[k] = gain[k - 1];
        }
        area[k] = size;
        gain[k] = swing[i];
    }
    for (int i = 0; i < n; ++i)
        sum += i % 2 ? gain[i] - 2 * area[i] : gain[i];
    return sum;
}

static void ending_score(const struct ending *ending, const struct ending_node *node,
                         const struct ending_set *set, int best, struct ending_order *out)
{
    struct cells inside[ENDING_SWITCHES];
    int swings[ENDING_SWITCHES], n = 0, largest = 0;
    out->count = 0;
    out->first = ENDING_NONE;
    out->switches = (struct cells){{0, 0, 0}};
    for (uint32_t i = 0; i < set->count; ++i) {
        const struct ending_step *step = &ending->steps[set->first + i];
        struct cells cells = rectangle_cells(step->rectangle);
        int swing = play_swing(cells, &node->own, &node->other), area = cells_count(cells);
        uint32_t at = out->count;
        if (step->alone && n < ENDING_SWITCHES) {
            out->switches = cells_or(out->switches, cells);
            inside[n] = cells;
            swings[n++] = swing;
            if (area <= largest)
                continue;
            if (out->first != ENDING_NONE) /* replaces a switch of smaller area */
                for (at = 0; out->step[at] != out->first;)
                    ++at;
            largest = area;
            out->first = (int)i;
        }
        out->count += at == out->count;
        out->step[at] = (uint16_t)i;
        out->swing[at] = (uint16_t)swing;
        out->score[at] =
            (int)i == best
                ? INT32_MAX
                : area * 4096 + ending->history[node->mover][rectangle_action(step->rectangle)];
    }
    out->turns = ending_turns(inside, swings, n);
}

static void ending_next(struct ending_order *order, uint32_t from, uint32_t count)
{
    uint32_t best = from;
    for (uint32_t i = from + 1; i < count; ++i)
        if (order->score[i] > order->score[best])
            best = i;
    int32_t score = order->score[from];
    uint16_t step = order->step[from], swing = order->swing[from];
    order->score[from] = order->score[best];
    order->step[from] = order->step[best];
    order->swing[from] = order->swing[best];
    order->score[best] = score;
    order->step[best] = step;
    order->swing[best] = swing;
}

static bool ending_gains(struct ending *ending, const struct ending_node *node, int wanted);

/* Whether playing the rectangle, which gains swing, is enough to gain `wanted` in all. */
static bool ending_try(struct ending *ending, const struct ending_node *node,
                       struct ending_step step, int swing, int wanted)
{
    struct cells inside = rectangle_cells(step.rectangle);
    struct ending_node next = {.set = step.next,
                               .own = cells_less(node->other, inside),
                               .other = cells_or(node->own, inside),
                               .mover = 1 - node->mover};
    return !ending_gains(ending, &next, swing - wanted + 1);
}

static void ending_reward(struct ending *ending, int mover, struct rectangle x, uint32_t steps)
{
    int32_t *history = &ending->history[mover][rectangle_action(x)];
    *history += (int32_t)(steps * steps);
    if (*history > 8 * 4096)
        for (int i = 0; i < BOARD_RECTANGLES; ++i)
            ending->history[mover][i] /= 2;
}

/* Whether passing is enough: it keeps the lead if the opponent cannot gain either. */
static bool ending_pass(struct ending *ending, const struct ending_node *node, int wanted)
{
    struct ending_node next = {.set = node->set,
                               .own = node->other,
                               .other = node->own,
                               .mover = 1 - node->mover,
                               .passes = 1};
    return wanted <= 0 && !node->passes && !ending_gains(ending, &next, 1 - wanted);
}

/* Tries every step, and the pass, which is first unless a best step is known.  *best: on entry
 * the best step known, or ENDING_NONE; on return of true the step that gains enough, ENDING_NONE
 * for the pass. */
static bool ending_expand(struct ending *ending, const struct ending_node *node, int wanted,
                          int *best)
{
    const struct ending_set *set = &ending->sets[node->set];
    struct ending_order order;
    bool pass_first = *best == ENDING_NONE;
    int known = *best;
    ending_score(ending, node, set, known, &order);
    struct cells rest = cells_less(set->reach, order.switches);
    int own = cells_count(cells_and(rest, node->own));
    int other = cells_count(cells_and(rest, node->other)), all = cells_count(rest);
    *best = order.first;
    if (wanted <= order.turns - (all - other + own))
        return true;
    if (wanted > order.turns + (all - own + other))
        return false;
    *best = ENDING_NONE;
    if (pass_first && ending_pass(ending, node, wanted))
        return true;
    for (uint32_t i = 0; i < order.count && !ending->stop; ++i) {
        ending_next(&order, i, order.count);
        struct ending_step step = ending->steps[set->first + order.step[i]];
        if (ending_try(ending, node, step, order.swing[i], wanted)) {
            *best = order.step[i];
            ending_reward(ending, node->mover, step.rectangle, set->count);
            return true;
        }
    }
    *best = ENDING_NONE;
    return !pass_first && !ending->stop && ending_pass(ending, node, wanted);
}

static bool ending_out_of_time(struct ending *ending)
{
    if (++ending->nodes >= ending->limits.nodes)
        ending->stop = true;
    if ((ending->nodes & 4095) == 0 && ending_late(ending, ending->limits.deadline))
        ending->stop = true;
    return ending->stop;
}

/* Whether the side to move can raise its lead by `wanted` cells until the end of the game.  The
 * answer has no meaning once ending->stop is set. */
static bool ending_gains(struct ending *ending, const struct ending_node *node, int wanted)
{
    const struct ending_set *set = &ending->sets[node->set];
    if (ending_out_of_time(ending))
        return false;
    if (node->passes && wanted <= 0)
        return true;
    if (set->count == 0)
        return wanted <= 0;
    int own = cells_count(cells_and(set->reach, node->own));
    int other = cells_count(cells_and(set->reach, node->other));
    int loose = cells_count(set->reach) - own - other;
    if (wanted > loose + 2 * other)
        return false;
    if (wanted <= -loose - 2 * own)
        return true;
    uint64_t key = ending_key(node, set->reach);
    const struct ending_known *known = ending_place(ending, key);
    int best = ENDING_NONE;
    if (known) {
        if (known->least >= wanted)
            return true;
        if (known->most < wanted)
            return false;
        best = known->step;
    }
    bool reached = ending_expand(ending, node, wanted, &best);
    if (!ending->stop)
        ending_store(ending, key, wanted, reached, best);
    return reached;
}

bool ending_solve(struct ending *ending, const struct mushroom_state *state, ending_list_fn *list,
                  const struct ending_limits *limits, struct ending_result *out)
{
    ending->limits = *limits;
    ending->nodes = 0;
    ending->stop = false;
    int number = ending_prepare(ending, state, list);
    if (number == ENDING_FULL)
        return false;
    struct ending_node node = {.set = (uint32_t)number,
                               .own = state->owned[state->mover],
                               .other = state->owned[1 - state->mover],
                               .mover = state->mover,
                               .passes = state->passes};
    int lead = mushroom_difference(state, state->mover), best = ENDING_NONE;
    *out = (struct ending_result){.value = 1};
    if (state->passes && lead > 0) {
        out->action = BOARD_PASS;
        return true;
    }
    bool reached = ending_expand(ending, &node, 1 - lead, &best);
    if (!reached && !ending->stop) {
        out->value = 0;
        best = ENDING_NONE;
        reached = (state->passes && lead == 0) || ending_expand(ending, &node, -lead, &best);
    }
    if (!reached)
        out->value = -1;
    out->action = BOARD_PASS;
    if (best != ENDING_NONE)
        out->action =
            rectangle_action(ending->steps[ending->sets[number].first + (uint32_t)best].rectangle);
    return !ending->stop;
}
