/* The search of engine.h, compiled once for each instruction set.  windows_portable.h,
 * windows_lanes.inc.h or windows_vbmi.inc.h must be included before.
 *
 *     depth >= 2   table of positions, pass, then moves in order: table move, then by swing plus
 *                  history, where killer moves count 4 cells more
 *     depth == 1   an estimate from the swings; if it lies near the window, the estimates after the
 *                  best replies
 *
 * The pass is an action like others, but it is mostly tried before the rectangles: if it is good
 * enough, no list of rectangles is needed.  Two positions are different if the last ply was a pass
 * in only one of them.
 */
#ifndef MUSHROOM_ENGINE_CORE_H
#define MUSHROOM_ENGINE_CORE_H

#include "base/clock.h"
#include "base/rng.h"
#include "games/mushroom/engine.h"
#include "games/mushroom/swings.inc.h"

enum {
    CORE_AT_LEAST = 1,
    CORE_AT_MOST = 2,
    CORE_EXACT = 3,
    CORE_INFINITE = 32000,
    CORE_CLOCK_NODES = 1024,           /* reads the clock once in this many nodes */
    CORE_PROBCUT = ENGINE_CELL,        /* a shallow search this far below the window is enough */
    CORE_LOOK_MARGIN = 4 * ENGINE_CELL /* an estimate this far outside the window is enough */
};

/* The value of a finished game in which the side to move has this lead.  All wins have the same
 * value: if larger wins counted more, far fewer bounds would give cut-offs. */
static inline int core_final(int lead)
{
    return lead > 0 ? ENGINE_WIN : lead < 0 ? -ENGINE_WIN : 0;
}

/* --- the table --- */

static inline uint64_t core_key(const struct mushroom_state *s)
{
    const uint64_t *a = s->owned[0].word, *b = s->owned[1].word;
    uint64_t x = (a[0] ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    uint64_t y = (a[1] ^ 0xd1b54a32d192ed03u) * 0x94d049bb133111ebu;
    uint64_t z = (a[2] ^ (uint64_t)(2 * s->passes + s->mover) << 60) * 0x9fb21c651e98df25u;
    x = (rng_rotate(x, 31) ^ b[0]) * 0xd6e8feb86659fd93u;
    y = (rng_rotate(y, 29) ^ b[1]) * 0xa0761d6478bd642fu;
    z = (rng_rotate(z, 37) ^ b[2]) * 0xe7037ed1a0b428dbu;
    return rng_mix(x ^ rng_rotate(y, 23) ^ rng_rotate(z, 43));
}

static inline struct engine_entry *core_bucket(struct engine *e, uint64_t key)
{
    return e->table + 4 * (key & e->bucket_mask);
}

static inline struct engine_entry *core_find(struct engine *e, uint64_t key)
{
    struct engine_entry *bucket = core_bucket(e, key);
    for (int i = 0; i < 4; ++i)
        if (bucket[i].bound && bucket[i].check == (uint32_t)(key >> 32))
            return &bucket[i];
    return NULL;
}

/* The entry of this position, or else the entry to replace: an old and shallow one. */
static inline struct engine_entry *core_place(struct engine *e, uint64_t key)
{
    struct engine_entry *bucket = core_bucket(e, key), *worst = bucket;
    int least = INT32_MAX;
    for (int i = 0; i < 4; ++i) {
        int worth = bucket[i].depth - 8 * (uint16_t)(e->age - bucket[i].age);
        if (!bucket[i].bound || bucket[i].check == (uint32_t)(key >> 32))
            return &bucket[i];
        if (worth < least) {
            least = worth;
            worst = &bucket[i];
        }
    }
    return worst;
}

static inline void core_store(struct engine *e, uint64_t key, int depth, int value, int bound,
                              int move)
{
    struct engine_entry *entry = core_place(e, key);
    *entry = (struct engine_entry){.check = (uint32_t)(key >> 32),
                                   .move = (uint16_t)move,
                                   .value = (int16_t)value,
                                   .depth = (uint8_t)depth,
                                   .bound = (uint8_t)bound,
                                   .age = e->age};
}

/* --- one node --- */

struct core_node {
    const struct mushroom_state *state;
    int lead; /* of the side to move */
    int ply;
};

static inline struct mushroom_state core_after_pass(const struct mushroom_state *s)
{
    struct mushroom_state next = *s;
    ++next.passes;
    next.mover ^= 1;
    return next;
}

static inline struct mushroom_state core_after(const struct mushroom_state *s, struct rectangle x)
{
    struct mushroom_state next = *s;
    play_harvest(&next, x);
    next.passes = 0;
    next.mover ^= 1;
    return next;
}

static inline bool core_out_of_time(struct engine *e)
{
    if (e->nodes >= e->node_limit)
        e->stop = true;
    if (e->nodes < e->clock_nodes)
        return e->stop;
    e->clock_nodes = e->nodes + CORE_CLOCK_NODES;
    if (e->limits.hard_ms > 0 && clock_now_ms() - e->start_ms >= e->limits.hard_ms)
        e->stop = true;
    if (banyan_flag_is_set(e->limits.stop))
        e->stop = true;
    return e->stop;
}

/* The value for the side to move, estimated from the swings alone. */
static inline int core_estimate(const struct engine *e, int lead, int swing, int tilt)
{
    return lead * ENGINE_CELL + swing * e->options.tempo + tilt * e->options.tilt;
}

/* The value of the rectangle with index i, by an estimate of the position after it. */
static int core_reply(struct engine *e, const struct core_node *node, const struct swings *swings,
                      int i)
{
    int tilt, lead = node->lead + swings->swing[i];
    struct mushroom_state next = core_after(node->state, windows_corners(&swings->list, i));
    int swing = swings_tilt(&next, &tilt);
    ++e->nodes;
    return swing ? -core_estimate(e, -lead, swing, tilt) : core_final(lead);
}

/* The index of the largest swing. */
static inline int core_largest(const struct swings *swings)
{
    int best = 0;
    for (int i = 1; i < swings->list.count; ++i)
        if (swings->swing[i] > swings->swing[best])
            best = i;
    return best;
}

/* Looks one ply further than the search: the side to move takes one of the rectangles with the
 * largest swings, or none of them, which is worth `quiet`.  Sets the swings of those it tries to 0. */
static int core_look(struct engine *e, const struct core_node *node, struct swings *swings,
                     int quiet, int beta)
{
    int best = quiet;
    for (int tries = 0; tries < e->options.look && best < beta; ++tries) {
        int i = core_largest(swings);
        if (swings->swing[i] == 0) /* all were tried */
            break;
        int value = core_reply(e, node, swings, i);
        best = value > best ? value : best;
        swings->swing[i] = 0;
    }
    return best;
}

/* Depth 1: the better of the pass and the best rectangle. */
static int core_last_ply(struct engine *e, const struct core_node *node, int alpha, int beta)
{
    const struct mushroom_state *s = node->state;
    int lead = node->lead, best = s->passes ? core_final(lead) : lead * ENGINE_CELL;
    if (best >= beta) {
        e->cut |= !s->passes;
        return best;
    }
    struct swings swings;
    int tilt, look = e->options.look; /* most positions that are estimated are also looked at */
    int swing = look ? swings_list_tilt(s, &swings, &tilt) : swings_tilt(s, &tilt);
    if (swing == 0)
        return core_final(lead); /* only passes are left */
    e->cut = true;
    int value = core_estimate(e, lead, swing, tilt);
    if (look && value > alpha - CORE_LOOK_MARGIN && value < beta + CORE_LOOK_MARGIN)
        value = core_look(e, node, &swings, core_estimate(e, lead, 0, tilt), beta);
    return value > best ? value : best;
}

/* The rectangles with their scores; those with higher scores are searched first. */
struct core_moves {
    struct swings swings;
    int32_t score[BOARD_MAX_LEGAL + 64];
};

static inline void core_score(const struct engine *e, const struct core_node *node, int table_move,
                              struct core_moves *moves)
{
    const int32_t *history = e->history[node->state->mover];
    const uint16_t *killers = e->killers[node->ply];
    for (int i = 0; i < moves->swings.list.count; ++i) {
        int action = windows_action(&moves->swings.list, i);
        int32_t score = moves->swings.swing[i] * 4096 + history[action];
        if (action == table_move)
            score = INT32_MAX;
        else if (action == killers[0] || action == killers[1])
            score += 4 * 4096;
        moves->score[i] = score;
    }
}

/* Exchanges rectangle i with the best one from i on. */
static inline void core_next(struct core_moves *moves, int i)
{
    struct windows_list *list = &moves->swings.list;
    int best = i;
    for (int k = i + 1; k < list->count; ++k)
        if (moves->score[k] > moves->score[best])
            best = k;
    if (best == i)
        return;
    int32_t score = moves->score[i];
    moves->score[i] = moves->score[best];
    moves->score[best] = score;
    uint16_t swing = moves->swings.swing[i];
    moves->swings.swing[i] = moves->swings.swing[best];
    moves->swings.swing[best] = swing;
    uint8_t *columns[3] = {list->cell, list->down, list->width};
    for (int k = 0; k < 3; ++k) {
        uint8_t byte = columns[k][i];
        columns[k][i] = columns[k][best];
        columns[k][best] = byte;
    }
}

static inline void core_reward(struct engine *e, const struct core_node *node, int action,
                               int depth)
{
    int32_t *history = &e->history[node->state->mover][action];
    uint16_t *killers = e->killers[node->ply];
    *history += depth * depth * 8;
    if (*history > 16 * 4096) /* halves the history scores of the mover */
        for (int i = 0; i <= BOARD_RECTANGLES; ++i)
            e->history[node->state->mover][i] /= 2;
    if (killers[0] != action) {
        killers[1] = killers[0];
        killers[0] = (uint16_t)action;
    }
}

static int core_search(struct engine *e, const struct core_node *node, int depth, int alpha,
                       int beta);

/* The value of the pass for the side to move. */
static int core_pass(struct engine *e, const struct core_node *node, int depth, int alpha, int beta)
{
    if (node->state->passes)
        return core_final(node->lead);
    struct mushroom_state next = core_after_pass(node->state);
    struct core_node child = {&next, -node->lead, node->ply + 1};
    return -core_search(e, &child, depth - 1, -beta, -alpha);
}

/* The number of plies by which the pass is searched less deeply: usually the pass only shows
 * what the opponent would gain. */
static inline int core_pass_reduction(int depth)
{
    return depth >= 10 ? 4 : depth >= 7 ? 3 : depth >= 5 ? 2 : depth >= 4 ? 1 : 0;
}

/* The number of plies by which late moves are searched less deeply at first. */
static inline int core_reduction(const struct engine *e, int depth, int index, bool wide)
{
    if (!e->options.selective || depth < 3 || index < 3)
        return 0;
    int less = 1 + (index >= 8) + (depth >= 6 && index >= 16) + (depth >= 9 && index >= 5);
    less -= wide;
    return less < 0 ? 0 : less > depth - 2 ? depth - 2 : less;
}

/* The depth of a search, and its window: values <= alpha or >= beta need not be exact. */
struct core_window {
    int depth, alpha, beta;
};

/* The value of the rectangle with index i. */
static int core_try(struct engine *e, const struct core_node *node, const struct core_moves *moves,
                    int i, struct core_window window, bool first)
{
    int depth = window.depth, alpha = window.alpha, beta = window.beta;
    struct mushroom_state next = core_after(node->state, windows_corners(&moves->swings.list, i));
    struct core_node child = {&next, -(node->lead + moves->swings.swing[i]), node->ply + 1};
    if (first)
        return -core_search(e, &child, depth - 1, -beta, -alpha);
    int less = core_reduction(e, depth, i, beta - alpha > 1);
    int value = -core_search(e, &child, depth - 1 - less, -alpha - 1, -alpha);
    if (value > alpha && less > 0)
        value = -core_search(e, &child, depth - 1, -alpha - 1, -alpha);
    if (value > alpha && value < beta)
        value = -core_search(e, &child, depth - 1, -beta, -alpha);
    return value;
}

/* Searches a node that the table did not answer. */
static int core_expand(struct engine *e, const struct core_node *node, struct core_window window,
                       int table_move, int *best_move)
{
    int depth = window.depth, alpha = window.alpha, beta = window.beta;
    struct core_moves moves;
    int best = -CORE_INFINITE;
    bool pass_later = table_move < BOARD_PASS && beta - alpha > 1;
    if (!pass_later) {
        int less = e->options.selective && !node->state->passes ? core_pass_reduction(depth) : 0;
        best = core_pass(e, node, depth - less, alpha, beta);
        *best_move = BOARD_PASS;
        if (best >= beta || e->stop)
            return best;
        alpha = best > alpha ? best : alpha;
    }
    if (swings_list(node->state, &moves.swings) == 0)
        return core_final(node->lead);
    core_score(e, node, table_move, &moves);
    for (int i = 0; i < moves.swings.list.count && best < beta && !e->stop; ++i) {
        core_next(&moves, i);
        int value = core_try(e, node, &moves, i, (struct core_window){depth, alpha, beta},
                             best == -CORE_INFINITE);
        if (value > best) {
            best = value;
            *best_move = windows_action(&moves.swings.list, i);
        }
        alpha = best > alpha ? best : alpha;
    }
    if (best >= beta && *best_move != BOARD_PASS)
        core_reward(e, node, *best_move, depth);
    if (pass_later && best < beta && !e->stop) {
        int value = core_pass(e, node, depth, alpha, beta);
        if (value > best) {
            best = value;
            *best_move = BOARD_PASS;
        }
    }
    return best;
}

/* Whether the bound shows a win or a loss.  Such a value comes from finished games only, so it is
 * true at any depth. */
static inline bool core_proven(int value, int bound)
{
    return (value >= ENGINE_WIN && (bound & CORE_AT_LEAST)) ||
           (value <= -ENGINE_WIN && (bound & CORE_AT_MOST));
}

/* Whether the table's bound is enough to return from this node. */
static inline bool core_answer(const struct engine_entry *entry, int depth, int alpha, int beta)
{
    bool least = (entry->bound & CORE_AT_LEAST) && entry->value >= beta;
    bool most = (entry->bound & CORE_AT_MOST) && entry->value <= alpha;
    if (core_proven(entry->value, entry->bound) && (least || most))
        return true;
    return entry->depth >= depth && (entry->bound == CORE_EXACT || least || most);
}

/* Whether a search of two plies less finds this node worse than alpha by CORE_PROBCUT.  The full
 * search then very seldom finds more than alpha (ProbCut, Buro 1995), and is left out: *value is
 * alpha, or what the shorter search proved.  At beta there is no such rule: there the pass already
 * ends most nodes. */
static inline bool core_probably_low(struct engine *e, const struct core_node *node,
                                     struct core_window window, int *value)
{
    int tilt, alpha = window.alpha, low = alpha - CORE_PROBCUT;
    if (!e->options.selective || window.depth < 4 || window.beta - alpha > 1 || node->state->passes)
        return false;
    int swing = swings_tilt(node->state, &tilt);
    if (core_estimate(e, node->lead, swing, tilt) > alpha)
        return false;
    e->cut = false;
    int found = core_search(e, node, window.depth - 2, low, low + 1);
    *value = e->cut ? alpha : found;
    return found <= low && !e->stop;
}

enum { CORE_SOLVED = 255 }; /* depth of values that did not depend on the depth limit */

static int core_search(struct engine *e, const struct core_node *node, int depth, int alpha,
                       int beta)
{
    ++e->nodes;
    if (core_out_of_time(e))
        return 0;
    if (depth <= 1 || node->ply >= ENGINE_MAX_PLY - 1)
        return core_last_ply(e, node, alpha, beta);
    uint64_t key = core_key(node->state);
    const struct engine_entry *entry = core_find(e, key);
    if (entry && core_answer(entry, depth, alpha, beta)) {
        e->cut |= entry->depth != CORE_SOLVED && !core_proven(entry->value, entry->bound);
        return entry->value;
    }
    struct core_window window = {depth, alpha, beta};
    bool cut = e->cut;
    int value;
    if (core_probably_low(e, node, window, &value)) {
        e->cut |= cut;
        return value;
    }
    entry = core_find(e, key); /* again: the shorter search may have found a move */
    int move = entry ? entry->move : MUSHROOM_NONE, table_move = move;
    e->cut = false;
    value = core_expand(e, node, window, table_move, &move);
    if (!e->stop) {
        int bound = (value > alpha ? CORE_AT_LEAST : 0) | (value < beta ? CORE_AT_MOST : 0);
        e->cut &= !core_proven(value, bound);
        core_store(e, key, e->cut ? depth : CORE_SOLVED, value, bound, move);
    }
    e->cut |= cut;
    return value;
}

/* --- the root --- */

/* The root actions: the best so far first, the one that was best before it second, and so on. */
struct core_root {
    int actions[BOARD_MAX_LEGAL + 1];
    int count;
};

static int core_root_value(struct engine *e, const struct mushroom_state *s, int action, int depth,
                           int alpha, int beta)
{
    int lead = mushroom_difference(s, s->mover);
    if (action == BOARD_PASS) {
        struct core_node node = {s, lead, 0};
        return core_pass(e, &node, depth, alpha, beta);
    }
    struct rectangle x = rectangle_of(action);
    struct mushroom_state next = core_after(s, x);
    struct core_node child = {&next, mushroom_difference(&next, next.mover), 1};
    return -core_search(e, &child, depth - 1, -beta, -alpha);
}

static void core_to_front(struct core_root *root, int i)
{
    int action = root->actions[i];
    memmove(root->actions + 1, root->actions, (size_t)i * sizeof *root->actions);
    root->actions[0] = action;
}

/* Searches the root actions to depth, up to the first win; returns false when the search was
 * stopped.  An action that was found to be better before the stop is then still the first. */
static bool core_root_depth(struct engine *e, const struct mushroom_state *s,
                            struct core_root *root, int depth, int *value)
{
    int best = -CORE_INFINITE;
    for (int i = 0; i < root->count; ++i) {
        int v;
        if (i == 0) {
            v = core_root_value(e, s, root->actions[i], depth, -ENGINE_WIN, ENGINE_WIN);
        } else {
            v = core_root_value(e, s, root->actions[i], depth, best, best + 1);
            if (v > best && !e->stop)
                v = core_root_value(e, s, root->actions[i], depth, best, ENGINE_WIN);
        }
        if (e->stop)
            return false;
        if (v > best) {
            best = v;
            *value = v;
            core_to_front(root, i);
        }
        if (best >= ENGINE_WIN)
            break;
    }
    return true;
}

/* Lists the root actions: the rectangles by swing, the largest first, then the pass.  A pass that
 * wins immediately is the first action instead. */
static void core_root_list(const struct mushroom_state *s, struct core_root *root)
{
    struct swings swings;
    root->count = 0;
    swings_list(s, &swings);
    for (int i = 0; i < swings.list.count; ++i) {
        int best = i;
        for (int k = i + 1; k < swings.list.count; ++k)
            if (swings.swing[k] > swings.swing[best])
                best = k;
        struct rectangle x = windows_corners(&swings.list, best);
        root->actions[root->count++] = rectangle_action(x);
        swings.swing[best] = swings.swing[i];
        swings.list.cell[best] = swings.list.cell[i];
        swings.list.down[best] = swings.list.down[i];
        swings.list.width[best] = swings.list.width[i];
    }
    root->actions[root->count++] = BOARD_PASS;
    if (s->passes && mushroom_difference(s, s->mover) > 0)
        core_to_front(root, root->count - 1);
}

/* Solves the end of the game if few enough rectangles are left; true: *out is the answer.  A lost
 * position returns false (with out->exact set), so that the search can look for the move that makes
 * the opponent's win hardest. */
static bool core_ending(struct engine *e, const struct mushroom_state *s, int rectangles,
                        struct engine_result *out)
{
    struct ending_result end;
    struct ending_limits limits = {
        .sets = ENDING_SETS, .nodes = UINT64_MAX, .now = clock_now_ms, .stop = e->limits.stop};
    if (!e->ending || e->limits.depth || rectangles == 0 || rectangles > ENDING_RECTANGLES ||
        rectangles >= e->ending_failed)
        return false;
    if (e->limits.nodes) {
        limits.nodes = e->limits.nodes / 2;
        limits.sets = limits.nodes < ENDING_SETS ? (int)limits.nodes : ENDING_SETS;
    }
    double own_ms = e->limits.solve_ms, solve_ms = own_ms > 0 ? own_ms : e->limits.hard_ms / 2;
    if (solve_ms > 0) {
        limits.deadline = e->start_ms + solve_ms;
        limits.write_deadline = e->start_ms + solve_ms / 3;
    }
    bool solved = ending_solve(e->ending, s, windows_enumerate, &limits, &end);
    e->nodes += e->ending->nodes;
    if (own_ms > 0) { /* solve_ms does not reduce the time of the search */
        double spent = clock_now_ms() - e->start_ms;
        e->limits.soft_ms += e->limits.soft_ms > 0 ? spent : 0;
        e->limits.hard_ms += e->limits.hard_ms > 0 ? spent : 0;
    }
    if (!solved) {
        e->ending_failed = rectangles;
        return false;
    }
    *out = (struct engine_result){.action = end.action,
                                  .value = ENGINE_WIN * end.value,
                                  .depth = ENGINE_MAX_DEPTH,
                                  .exact = true};
    return end.value >= 0;
}

static void core_deepen(struct engine *e, const struct mushroom_state *s, struct core_root *root,
                        struct engine_result *out)
{
    int last = e->limits.depth > 0 ? e->limits.depth : ENGINE_MAX_DEPTH;
    struct engine_course course = {{-ENGINE_WIN, -ENGINE_WIN}, 0};
    for (int depth = 1; depth <= last && !out->exact && !e->stop; ++depth) {
        int value = out->value, before = out->action;
        e->cut = false;
        bool whole = core_root_depth(e, s, root, depth, &value);
        out->action = root->actions[0];
        out->value = value;
        if (!whole)
            break;
        out->depth = depth;
        out->exact = !e->cut || value >= ENGINE_WIN || value <= -ENGINE_WIN;
        double soft_ms = e->limits.soft_ms * engine_patience(&course, out->action == before, value);
        if (soft_ms > 0 && clock_now_ms() - e->start_ms >= soft_ms)
            break;
    }
}

static void core_think(struct engine *e, const struct mushroom_state *s, struct engine_result *out)
{
    struct core_root root;
    core_root_list(s, &root);
    engine_share(&e->limits, root.count - 1);
    *out = (struct engine_result){.action = root.actions[0]};
    if (!core_ending(e, s, root.count - 1, out)) {
        bool lost = out->exact;
        out->exact = false;
        core_deepen(e, s, &root, out);
        if (lost) {
            out->value = -ENGINE_WIN;
            out->exact = true;
        }
    }
    out->nodes = e->nodes;
    out->elapsed_ms = clock_now_ms() - e->start_ms;
}

#endif
