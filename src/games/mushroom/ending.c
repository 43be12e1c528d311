/* Solves the end of a mushroom game exactly, by a search over parts of the board (ending.h). */
#include "games/mushroom/ending.h"

#include "base/rng.h"
#include "games/mushroom/harvest.h"

#include <stdlib.h>
#include <string.h>

enum { ENDING_NONE = 0xffff };

enum banyan_status ending_create(struct ending **out, struct banyan_error *err)
{
    struct ending *ending = calloc(1, sizeof *ending);
    *out = NULL;
    if (ending)
        ending->known = calloc(ENDING_PLACES, sizeof *ending->known);
    if (!ending || !ending->known) {
        ending_destroy(ending);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the solver of endings");
    }
    enum banyan_status status = parts_create(&ending->parts, err);
    if (status != BANYAN_OK) {
        ending_destroy(ending);
        return status;
    }
    *out = ending;
    return BANYAN_OK;
}

void ending_destroy(struct ending *ending)
{
    if (!ending)
        return;
    parts_destroy(&ending->parts);
    free(ending->known);
    free(ending);
}

void ending_clear(struct ending *ending)
{
    parts_clear(&ending->parts);
    if (++ending->age == 0) /* ages begin again at 1, so old entries must go */
        memset(ending->known, 0, ENDING_PLACES * sizeof *ending->known);
    ending->age = ending->age ? ending->age : 1;
    memset(ending->history, 0, sizeof ending->history);
}

static bool ending_late(const struct ending *ending)
{
    const struct ending_limits *limits = &ending->limits;
    return (limits->deadline > 0 && limits->now() >= limits->deadline) ||
           banyan_flag_is_set(limits->stop);
}

/* What the side to move gains in a part alone if it begins there, and if its opponent does. */
struct ending_worth {
    int16_t first, second;
};

/* A position: the parts that have rectangles left. */
struct ending_node {
    struct cells own, other; /* cells of the side to move and of its opponent */
    int mover, passes;
    int count;
    uint32_t set[PARTS_RECTANGLES];
    struct ending_worth worth[PARTS_RECTANGLES];
    uint32_t worth_known; /* the parts whose worth is computed, as bits */
};

static struct cells ending_reach(const struct ending *ending, const struct ending_node *node)
{
    struct cells reach = {{0, 0, 0}};
    for (int i = 0; i < node->count; ++i)
        reach = cells_or(reach, ending->parts.sets[node->set[i]].reach);
    return reach;
}

/* --- the table --- */

static inline uint64_t ending_key(const struct ending_node *node, struct cells reach)
{
    struct cells a = cells_and(node->own, reach), b = cells_and(node->other, reach);
    uint64_t sets = (uint64_t)node->passes;
    for (int i = 0; i < node->count; ++i)
        sets += rng_mix(node->set[i]);
    uint64_t x = (a.word[0] ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    uint64_t y = (a.word[1] ^ 0xd1b54a32d192ed03u) * 0x94d049bb133111ebu;
    uint64_t z = (a.word[2] ^ sets) * 0x9fb21c651e98df25u;
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

static void ending_store(struct ending *ending, uint64_t key, int wanted, bool reached, int action)
{
    struct ending_known *at = ending_place(ending, key);
    if (!at) {
        struct ending_known *pair = ending->known + (key & (ENDING_PLACES - 2));
        at = pair->age == ending->age ? pair + 1 : pair; /* pair[1] is always replaced */
        *at = (struct ending_known){.check = key,
                                    .least = INT16_MIN,
                                    .most = INT16_MAX,
                                    .action = ENDING_NONE,
                                    .age = ending->age};
    }
    if (reached && at->least < wanted)
        at->least = (int16_t)wanted;
    if (!reached && at->most >= wanted)
        at->most = (int16_t)(wanted - 1);
    if (reached)
        at->action = (uint16_t)action;
}

/* --- what single parts are worth --- */

static bool ending_gains(struct ending *ending, struct ending_node *node, int wanted);

/* Bounds of a gain. */
struct ending_bounds {
    int least, most;
};

/* Bounds for any play in these cells. */
static struct ending_bounds ending_rough(struct cells cells, const struct ending_node *node)
{
    int own = cells_count(cells_and(cells, node->own));
    int other = cells_count(cells_and(cells, node->other));
    int loose = cells_count(cells) - own - other;
    return (struct ending_bounds){-loose - 2 * own, loose + 2 * other};
}

/* The gain in a part alone for the side that begins. */
static int ending_first(struct ending *ending, uint32_t set, struct cells own, struct cells other)
{
    struct ending_node node = {.own = own, .other = other, .count = 1, .set = {set}};
    struct cells reach = ending->parts.sets[set].reach;
    struct ending_bounds bounds = ending_rough(reach, &node);
    const struct ending_known *known = ending_place(ending, ending_key(&node, reach));
    if (known) {
        bounds.least = known->least > bounds.least ? known->least : bounds.least;
        bounds.most = known->most < bounds.most ? known->most : bounds.most;
    }
    while (bounds.least < bounds.most && !ending->stop) {
        int middle = bounds.least + (bounds.most - bounds.least + 1) / 2;
        if (ending_gains(ending, &node, middle))
            bounds.least = middle;
        else
            bounds.most = middle - 1;
    }
    return bounds.least;
}

static struct ending_worth ending_worth(struct ending *ending, struct ending_node *node, int i)
{
    if (!(node->worth_known >> i & 1)) {
        int first = ending_first(ending, node->set[i], node->own, node->other);
        int second = -ending_first(ending, node->set[i], node->other, node->own);
        node->worth[i] = (struct ending_worth){(int16_t)first, (int16_t)second};
        node->worth_known |= 1u << i;
    }
    return node->worth[i];
}

/* --- the order of moves --- */

struct ending_move {
    struct parts_step step;
    int16_t part, swing;
    int32_t score; /* those with higher scores are searched first */
};

/* The moves of a position.
 *
 * A step that shares no cell with any other is called a switch: it gains `swing` for the mover, or
 * 2 * area - swing for the opponent.  Of several switches the one with the largest area is the best
 * for both sides, so the others need not be tried.
 */
struct ending_moves {
    uint32_t count;
    struct ending_move move[BOARD_MAX_LEGAL];
    int area;    /* of the largest switch; 0: there is none */
    uint32_t at; /* its place */
};

static void ending_add(struct ending_moves *moves, const struct ending_move *move)
{
    uint32_t at = moves->count;
    if (move->step.alone) {
        int area = cells_count(rectangle_cells(move->step.rectangle));
        if (area <= moves->area)
            return;
        if (moves->area > 0) /* replaces a smaller switch */
            at = moves->at;
        moves->area = area;
        moves->at = at;
    }
    moves->count += at == moves->count;
    moves->move[at] = *move;
}

static void ending_list(const struct ending *ending, const struct ending_node *node, int best,
                        struct ending_moves *out)
{
    const int32_t *history = ending->history[node->mover];
    out->count = out->at = 0;
    out->area = 0;
    for (int i = 0; i < node->count; ++i) {
        const struct parts_set *set = &ending->parts.sets[node->set[i]];
        for (uint32_t k = 0; k < set->count; ++k) {
            struct ending_move move = {.step = ending->parts.steps[set->first + k],
                                       .part = (int16_t)i};
            struct cells inside = rectangle_cells(move.step.rectangle);
            int action = rectangle_action(move.step.rectangle);
            move.swing = (int16_t)play_swing(inside, &node->own, &node->other);
            move.score = cells_count(inside) * 4096 + history[action];
            if (action == best)
                move.score = INT32_MAX;
            ending_add(out, &move);
        }
    }
}

/* Exchanges move i with the best one from i on. */
static void ending_next(struct ending_moves *moves, uint32_t i)
{
    uint32_t best = i;
    for (uint32_t k = i + 1; k < moves->count; ++k)
        if (moves->move[k].score > moves->move[best].score)
            best = k;
    struct ending_move move = moves->move[i];
    moves->move[i] = moves->move[best];
    moves->move[best] = move;
}

/* --- bounds --- */

enum { ENDING_SWITCHES = 32 };

/* Switches, and what the sides gain if they take them in turn, the largest area first. */
struct ending_switches {
    int count, area[ENDING_SWITCHES], gain[ENDING_SWITCHES];
};

static void ending_switch(struct ending_switches *switches, int area, int gain)
{
    int i = switches->count++;
    for (; i > 0 && switches->area[i - 1] < area; --i) {
        switches->area[i] = switches->area[i - 1];
        switches->gain[i] = switches->gain[i - 1];
    }
    switches->area[i] = area;
    switches->gain[i] = gain;
}

static struct ending_worth ending_turns(const struct ending_switches *switches)
{
    int first = 0, second = 0;
    for (int i = 0; i < switches->count; ++i) {
        int gain = switches->gain[i], loss = gain - 2 * switches->area[i];
        first += i % 2 ? loss : gain;
        second += i % 2 ? gain : loss;
    }
    return (struct ending_worth){(int16_t)first, (int16_t)second};
}

/* Adds the switches of a part to the list; returns the other cells in reach. */
static struct cells ending_take_switches(const struct ending *ending,
                                         const struct ending_node *node, int i,
                                         struct ending_switches *switches)
{
    const struct parts_set *set = &ending->parts.sets[node->set[i]];
    struct cells rest = set->reach;
    for (uint32_t k = 0; k < set->count; ++k) {
        const struct parts_step *step = &ending->parts.steps[set->first + k];
        if (!step->alone || switches->count == ENDING_SWITCHES)
            continue;
        struct cells inside = rectangle_cells(step->rectangle);
        ending_switch(switches, cells_count(inside), play_swing(inside, &node->own, &node->other));
        rest = cells_less(rest, inside);
    }
    return rest;
}

/* Whether a set has switches and nothing else. */
static bool ending_is_switches(const struct ending *ending, uint32_t number)
{
    const struct parts_set *set = &ending->parts.sets[number];
    for (uint32_t k = 0; k < set->count; ++k)
        if (!ending->parts.steps[set->first + k].alone)
            return false;
    return true;
}

/* Adds a part to the bounds; *lead is the most that it is worth to begin in one of them. */
static void ending_sum(struct ending_worth worth, struct ending_bounds *bounds, int *lead)
{
    int gain = worth.first - worth.second;
    bounds->least += worth.second;
    bounds->most += worth.first;
    *lead = gain > *lead ? gain : *lead;
}

/* Bounds of the gain of the side to move. */
static struct ending_bounds ending_bounds(struct ending *ending, struct ending_node *node)
{
    struct ending_switches switches = {.count = 0};
    struct ending_bounds bounds = {0, 0};
    int lead = 0;
    for (int i = 0; i < node->count; ++i) {
        if (node->count > 1 && !ending_is_switches(ending, node->set[i])) {
            ending_sum(ending_worth(ending, node, i), &bounds, &lead);
            continue;
        }
        struct cells rest = ending_take_switches(ending, node, i, &switches);
        struct ending_bounds rough = ending_rough(rest, node);
        bounds.least += rough.least;
        bounds.most += rough.most;
    }
    ending_sum(ending_turns(&switches), &bounds, &lead);
    bounds.least += lead;
    return bounds;
}

/* --- the search --- */

/* The other side moves; one part has this set now.  part: -1: none has changed. */
static void ending_turn(const struct ending *ending, const struct ending_node *node, int part,
                        uint32_t set, struct ending_node *out)
{
    out->own = node->other;
    out->other = node->own;
    out->mover = 1 - node->mover;
    out->passes = 0;
    out->count = 0;
    out->worth_known = 0;
    for (int i = 0; i < node->count; ++i) {
        uint32_t number = i == part ? set : node->set[i];
        if (ending->parts.sets[number].count == 0)
            continue;
        if (i != part && node->worth_known >> i & 1) {
            struct ending_worth worth = node->worth[i];
            out->worth[out->count] =
                (struct ending_worth){(int16_t)-worth.second, (int16_t)-worth.first};
            out->worth_known |= 1u << out->count;
        }
        out->set[out->count++] = number;
    }
}

/* Whether a step that gains `swing` is enough to gain `wanted` in all. */
static bool ending_step(struct ending *ending, const struct ending_node *node,
                        const struct ending_move *move, int wanted)
{
    struct cells inside = rectangle_cells(move->step.rectangle);
    struct ending_node next;
    ending_turn(ending, node, move->part, move->step.next, &next);
    next.own = cells_less(next.own, inside);
    next.other = cells_or(next.other, inside);
    return !ending_gains(ending, &next, move->swing - wanted + 1);
}

static void ending_reward(struct ending *ending, int mover, int action, uint32_t steps)
{
    int32_t *history = &ending->history[mover][action];
    *history += (int32_t)(steps * steps);
    if (*history > 8 * 4096)
        for (int i = 0; i < BOARD_RECTANGLES; ++i)
            ending->history[mover][i] /= 2;
}

/* Whether passing is enough: it keeps the lead if the opponent cannot gain either. */
static bool ending_pass(struct ending *ending, const struct ending_node *node, int wanted)
{
    if (wanted > 0 || node->passes)
        return false;
    struct ending_node next;
    ending_turn(ending, node, -1, 0, &next);
    next.passes = 1;
    return !ending_gains(ending, &next, 1 - wanted);
}

/* Tries every step, and the pass, which is first unless a best action is known.  *best: on entry
 * the best action known, or ENDING_NONE; on return of true the action that gains enough,
 * ENDING_NONE for the pass. */
static bool ending_try(struct ending *ending, const struct ending_node *node, int wanted, int *best)
{
    struct ending_moves moves;
    bool pass_first = *best == ENDING_NONE;
    ending_list(ending, node, *best, &moves);
    *best = ENDING_NONE;
    if (pass_first && ending_pass(ending, node, wanted))
        return true;
    for (uint32_t i = 0; i < moves.count && !ending->stop; ++i) {
        ending_next(&moves, i);
        if (ending_step(ending, node, &moves.move[i], wanted)) {
            *best = rectangle_action(moves.move[i].step.rectangle);
            ending_reward(ending, node->mover, *best, moves.count);
            return true;
        }
    }
    return !pass_first && !ending->stop && ending_pass(ending, node, wanted);
}

static bool ending_out_of_time(struct ending *ending)
{
    if (++ending->nodes >= ending->limits.nodes)
        ending->stop = true;
    if ((ending->nodes & 4095) == 0 && ending_late(ending))
        ending->stop = true;
    return ending->stop;
}

/* Whether the side to move can raise its lead by `wanted` cells until the end of the game.  The
 * answer has no meaning once ending->stop is set. */
static bool ending_gains(struct ending *ending, struct ending_node *node, int wanted)
{
    if (ending_out_of_time(ending))
        return false;
    if (node->passes && wanted <= 0)
        return true;
    if (node->count == 0)
        return wanted <= 0;
    struct cells reach = ending_reach(ending, node);
    struct ending_bounds bounds = ending_rough(reach, node);
    if (wanted <= bounds.least || wanted > bounds.most)
        return wanted <= bounds.least;
    uint64_t key = ending_key(node, reach);
    const struct ending_known *known = ending_place(ending, key);
    int best = ENDING_NONE;
    if (known) {
        if (known->least >= wanted)
            return true;
        if (known->most < wanted)
            return false;
        best = known->action;
    }
    bounds = ending_bounds(ending, node);
    if (wanted <= bounds.least || wanted > bounds.most)
        return wanted <= bounds.least;
    bool reached = ending_try(ending, node, wanted, &best);
    if (!ending->stop)
        ending_store(ending, key, wanted, reached, best);
    return reached;
}

/* --- the root --- */

/* Lists the parts of a state, unless the listed ones can be used. */
static bool ending_prepare(struct ending *ending, const struct mushroom_state *state,
                           parts_list_fn *list, uint32_t sets[PARTS_RECTANGLES])
{
    struct parts_limits limits = {
        .sets = ending->limits.sets,
        .now = ending->limits.now,
        .deadline = ending->limits.deadline > 0 ? ending->limits.write_deadline : 0,
        .stop = ending->limits.stop};
    if (parts_locate(&ending->parts, state, sets))
        return true;
    ending_clear(ending);
    return parts_find(&ending->parts, state, list, &limits) &&
           parts_locate(&ending->parts, state, sets);
}

bool ending_solve(struct ending *ending, const struct mushroom_state *state, parts_list_fn *list,
                  const struct ending_limits *limits, struct ending_result *out)
{
    uint32_t sets[PARTS_RECTANGLES];
    struct ending_node node = {.own = state->owned[state->mover],
                               .other = state->owned[1 - state->mover],
                               .mover = state->mover,
                               .passes = state->passes};
    ending->limits = *limits;
    ending->nodes = 0;
    ending->stop = false;
    if (!ending_prepare(ending, state, list, sets))
        return false;
    for (int i = 0; i < ending->parts.count; ++i)
        if (ending->parts.sets[sets[i]].count > 0)
            node.set[node.count++] = sets[i];
    int lead = mushroom_difference(state, state->mover), best = ENDING_NONE;
    *out = (struct ending_result){.value = 1};
    if (state->passes && lead > 0) {
        out->action = BOARD_PASS;
        return true;
    }
    bool reached = ending_try(ending, &node, 1 - lead, &best);
    if (!reached && !ending->stop) {
        out->value = 0;
        best = ENDING_NONE;
        reached = (state->passes && lead == 0) || ending_try(ending, &node, -lead, &best);
    }
    if (!reached)
        out->value = -1;
    out->action = best != ENDING_NONE ? best : BOARD_PASS;
    return !ending->stop;
}
