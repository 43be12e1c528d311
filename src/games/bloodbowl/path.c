/* Where a player can go in one activation, and how safely (spec 18).
 *
 * Labels are grown in layers of equal probability, the safest first:
 *
 *     layer p:   open --expand--> same p: open again     (fewer squares first, then shorter)
 *                                 less:   risky, a heap by probability
 *     its best labels are fixed per square; the next layer starts from the safest risky ones
 *
 * A label that a fixed one beats in probability and in moves left is not followed.  A label knows
 * how likely it is with which skill rerolls still unused (at most 8 cases).
 */
#include "games/bloodbowl/rules.h"

#include <string.h>

enum { PATH_NODES = 6144, PATH_STRAIGHT = 100000, PATH_DIAGONAL = 141421, PATH_TOTALS = 32 };
enum { PATH_DODGE = 1, PATH_FEET = 2, PATH_HANDS = 4 }; /* rerolls */

struct path_node {
    double probability; /* of all cases together */
    int32_t length;     /* of the way, in 1/100000 squares */
    int16_t parent, next;
    uint16_t square;
    int8_t moves, gfis;
    int8_t dice;           /* block */
    uint8_t foul, handoff; /* target */
};

struct path_search {
    const struct bb_state *s;
    int player, team;
    int dodge; /* target without tackle zones */
    int gfi, end_zone;
    uint16_t ball; /* lying where it could be picked up */
    bool carries, stunty, direct, block, foul, handoff;
    uint16_t start;
    uint8_t owned; /* rerolls, a set of PATH_ */
    double layer;  /* probability */
    int count, heap_count, touched_count, highest;
    int16_t fixed[BB_SQUARES], current[BB_SQUARES]; /* label of each square, -1 none */
    uint8_t zones[BB_SQUARES];
    uint16_t touched[BB_SQUARES];
    int16_t open[PATH_TOTALS]; /* by moves and gfis left: lists, shortest way first */
    int16_t heap[PATH_NODES];
    struct path_node node[PATH_NODES];
    double cases[PATH_NODES][8]; /* probability with these rerolls unused */
};

static int path_total(const struct path_node *n)
{
    return n->moves + n->gfis;
}

/* --- labels --- */

/* The better of two labels of a square: negative a, positive b, 0 neither. */
static int path_better(const struct path_search *p, const struct path_node *a,
                       const struct path_node *b)
{
    if (p->direct && bb_adjacent(a->square, p->start) && a->moves != b->moves)
        return b->moves - a->moves;
    if (a->probability != b->probability)
        return a->probability > b->probability ? -1 : 1;
    if (a->foul && a->foul != b->foul)
        return a->foul - b->foul;
    if (a->dice && a->dice != b->dice)
        return b->dice - a->dice;
    int gap = path_total(b) - path_total(a);
    return gap ? gap : a->length - b->length;
}

/* Does the fixed label make the other pointless? */
static bool path_dominates(const struct path_search *p, const struct path_node *fixed,
                           const struct path_node *n)
{
    if (p->direct && bb_adjacent(n->square, p->start) && fixed->moves != n->moves)
        return fixed->moves > n->moves;
    int gap = path_total(fixed) - path_total(n);
    return fixed->probability > n->probability && (!fixed->foul || fixed->foul <= n->foul) &&
           (!fixed->dice || fixed->dice >= n->dice) &&
           (gap > 0 || (gap == 0 && fixed->length < n->length));
}

static int path_add(struct path_search *p, int parent, int square)
{
    if (p->count == PATH_NODES)
        return -1;
    int index = p->count++;
    struct path_node *n = &p->node[index];
    *n = (struct path_node){.parent = (int16_t)parent, .square = (uint16_t)square};
    if (parent < 0)
        return index;
    n->probability = p->node[parent].probability;
    n->length = p->node[parent].length;
    memcpy(p->cases[index], p->cases[parent], sizeof p->cases[0]);
    return index;
}

/* A D6 test on the way, with the reroll of that skill where it is unused. */
static void path_test(struct path_search *p, int index, int target, unsigned skill)
{
    struct path_node *n = &p->node[index];
    double success = (7.0 - target) / 6.0, *cases = p->cases[index], sum = 0;
    if (!p->owned) {
        n->probability *= success;
        cases[0] = n->probability;
        return;
    }
    for (unsigned left = 0; left < 8;
         ++left) { /* fewer rerolls first: each is read before added to */
        if (cases[left] == 0)
            continue;
        if (left & skill)
            cases[left & ~skill] += cases[left] * (1 - success) * success;
        cases[left] *= success;
    }
    for (unsigned left = 0; left < 8; ++left)
        sum += cases[left];
    n->probability = sum;
}

/* --- queues --- */

static void path_open(struct path_search *p, int index)
{
    struct path_node *n = &p->node[index];
    int total = path_total(n);
    int16_t *at = &p->open[total];
    while (*at >= 0 && p->node[*at].length <= n->length)
        at = &p->node[*at].next;
    n->next = *at;
    *at = (int16_t)index;
    if (total > p->highest)
        p->highest = total;
    if (p->current[n->square] < 0)
        p->touched[p->touched_count++] = n->square;
    p->current[n->square] = (int16_t)index;
}

/* Safer first; equals in the order in which they came. */
static bool path_before(const struct path_search *p, int a, int b)
{
    double pa = p->node[a].probability, pb = p->node[b].probability;
    return pa != pb ? pa > pb : a < b;
}

static void path_risk(struct path_search *p, int index)
{
    int at = p->heap_count++;
    for (int up; at > 0 && path_before(p, index, p->heap[up = (at - 1) / 2]); at = up)
        p->heap[at] = p->heap[up];
    p->heap[at] = (int16_t)index;
}

static int path_take_risk(struct path_search *p)
{
    int first = p->heap[0], last = p->heap[--p->heap_count], at = 0;
    for (;;) {
        int down = 2 * at + 1;
        if (down >= p->heap_count)
            break;
        if (down + 1 < p->heap_count && path_before(p, p->heap[down + 1], p->heap[down]))
            ++down;
        if (!path_before(p, p->heap[down], last))
            break;
        p->heap[at] = p->heap[down];
        at = down;
    }
    p->heap[at] = (int16_t)last;
    return first;
}

static void path_keep(struct path_search *p, int index)
{
    if (p->node[index].probability < p->layer)
        path_risk(p, index);
    else
        path_open(p, index);
}

/* --- growing --- */

static bool path_beaten(const struct path_search *p, int index)
{
    const struct path_node *n = &p->node[index];
    int fixed = p->fixed[n->square];
    return fixed >= 0 && path_dominates(p, &p->node[fixed], n);
}

static void path_spend(struct path_search *p, int index, int from)
{
    struct path_node *n = &p->node[index];
    const struct path_node *before = &p->node[from];
    n->moves = before->moves;
    n->gfis = before->gfis;
    if (before->moves > 0) {
        --n->moves;
        return;
    }
    --n->gfis;
    path_test(p, index, p->gfi, PATH_FEET);
}

static void path_to_square(struct path_search *p, int from, int to, int step)
{
    int left = path_total(&p->node[from]) - 1, current = p->current[to];
    if (current >= 0 && left <= path_total(&p->node[current]))
        return;
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    p->node[index].length += step;
    path_spend(p, index, from);
    if (p->zones[p->node[from].square])
        path_test(p, index, bb_clamp(p->dodge + (p->stunty ? 0 : p->zones[to])), PATH_DODGE);
    if (to == p->ball)
        path_test(p, index, bb_clamp(p->dodge + p->zones[to] + (p->s->weather == BB_POURING_RAIN)),
                  PATH_HANDS);
    if (path_beaten(p, index))
        --p->count;
    else
        path_keep(p, index);
}

/* A target that is acted upon from the square before it. */
static void path_to_target(struct path_search *p, int index)
{
    int current = p->current[p->node[index].square];
    if ((current >= 0 && path_better(p, &p->node[index], &p->node[current]) > 0) ||
        path_beaten(p, index))
        --p->count;
    else
        path_keep(p, index);
}

static void path_to_block(struct path_search *p, int from, int to, int step, int defender)
{
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    struct path_node *n = &p->node[index];
    n->length += step;
    n->dice = (int8_t)bb_block_dice(p->s, p->player, defender, p->node[from].square, true, false);
    path_spend(p, index, from);
    path_to_target(p, index);
}

static void path_to_foul(struct path_search *p, int from, int to, int victim)
{
    int own, against, index = path_add(p, from, to);
    if (index < 0)
        return;
    bb_assists(p->s, p->player, victim, p->node[from].square, true, &own, &against);
    int target = p->s->player[victim].av + 1 - own + against;
    p->node[index].foul = (uint8_t)(target < 2 ? 2 : target > 12 ? 12 : target);
    path_to_target(p, index);
}

static void path_to_catcher(struct path_search *p, int from, int to, int catcher)
{
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    p->node[index].handoff =
        (uint8_t)bb_clamp(bb_agility(p->s->player[catcher].ag) -
                          bb_catch_modifier(p->s, catcher, BB_CATCH_HANDOFF, false));
    path_to_target(p, index);
}

static void path_step(struct path_search *p, int from, int to, int step, bool stuck)
{
    const struct bb_state *s = p->s;
    int there = bb_at(s, to);
    if (there == BB_NONE) {
        if (!stuck)
            path_to_square(p, from, to, step);
        return;
    }
    bool own = bb_team_of(there) == p->team, up = bb_is(s, there, BB_UP);
    if (own && p->handoff && bb_can_catch(s, there))
        path_to_catcher(p, from, to, there);
    else if (!own && p->block && up && !stuck)
        path_to_block(p, from, to, step, there);
    else if (!own && p->foul && !up)
        path_to_foul(p, from, to, there);
}

/* No way leads on from a target, from the end zone with the ball, from the ball. */
static bool path_ends(const struct path_search *p, const struct path_node *n)
{
    return n->dice || n->handoff || n->foul || (p->carries && bb_x(n->square) == p->end_zone) ||
           (!p->carries && n->square == p->ball);
}

/* Steps that cannot help: back, or round a corner that costs nothing to cut. */
static bool path_detour(const struct path_search *p, int before, int to)
{
    return before != BB_NOWHERE &&
           (before == to || (bb_distance(before, to) < 2 && (!p->zones[to] || !p->zones[before])));
}

static void path_expand(struct path_search *p, int index)
{
    static const uint8_t order[8] = {0, 3, 5, 1, 6, 2, 4, 7}; /* of the D8: x, then y */
    const struct path_node *n = &p->node[index];
    bool stuck = path_total(n) <= 0;
    int square = n->square, before = BB_NOWHERE;
    if (path_ends(p, n) || (stuck && !p->handoff && !p->foul))
        return;
    if (n->parent >= 0 && p->node[n->parent].square != square)
        before = p->node[n->parent].square;
    for (int i = 0; i < 8; ++i) {
        int to = square + bb_d8(p->s, order[i]);
        if (bb_out(p->s, to) || path_detour(p, before, to))
            continue;
        path_step(p, index, to,
                  bb_x(to) == bb_x(square) || bb_y(to) == bb_y(square) ? PATH_STRAIGHT
                                                                       : PATH_DIAGONAL,
                  stuck);
    }
}

/* --- layers --- */

static void path_expand_layer(struct path_search *p)
{
    for (int total = p->highest; total >= 0; --total)
        while (p->open[total] >= 0) {
            int index = p->open[total];
            p->open[total] = p->node[index].next;
            path_expand(p, index);
        }
    p->highest = 0;
}

static void path_fix_layer(struct path_search *p)
{
    for (int i = 0; i < p->touched_count; ++i) {
        int square = p->touched[i], now = p->current[square], fixed = p->fixed[square];
        if (fixed < 0 || path_better(p, &p->node[now], &p->node[fixed]) < 0)
            p->fixed[square] = (int16_t)now;
        p->current[square] = -1;
    }
    p->touched_count = 0;
}

static void path_next_layer(struct path_search *p)
{
    p->layer = p->node[p->heap[0]].probability;
    while (p->heap_count && p->node[p->heap[0]].probability == p->layer) {
        int index = path_take_risk(p);
        int current = p->current[p->node[index].square];
        if (path_beaten(p, index))
            continue;
        if (current < 0 || path_better(p, &p->node[index], &p->node[current]) < 0)
            path_open(p, index);
    }
}

/* --- the start --- */

static void path_find_zones(struct path_search *p)
{
    const struct bb_state *s = p->s;
    int opponent = bb_opponent(p->team);
    memset(p->zones, 0, sizeof p->zones);
    for (int i = bb_first(opponent); i < bb_end(s, opponent); ++i)
        if (bb_on_pitch(s, i) && bb_has_zone(s, i))
            for (int k = 0; k < 8; ++k)
                ++p->zones[s->player[i].square + bb_direction(s, k)];
}

static void path_prepare(struct path_search *p, const struct bb_state *s, const struct bb_frame *f)
{
    const struct bb_player *who = &s->player[f->player];
    p->s = s;
    p->player = f->player;
    p->team = bb_team_of(f->player);
    p->dodge = bb_agility(who->ag) - 1;
    p->gfi = s->weather == BB_BLIZZARD ? 3 : 2;
    p->end_zone = p->team == BB_HOME ? 1 : bb_variant(s)->width - 2;
    p->ball = s->ball_out && s->ball_on_ground ? s->ball : BB_NOWHERE;
    p->carries = bb_under_ball(s, f->player);
    p->stunty = bb_has(who, BB_SKILL_STUNTY);
    p->direct = true;
    p->block = f->procedure == BB_BLITZ_ACTION && !bb_is(s, f->player, BB_HAS_BLOCKED);
    p->foul = f->procedure == BB_FOUL_ACTION;
    p->handoff = f->procedure == BB_HANDOFF_ACTION && bb_carries(s, f->player);
    p->start = who->square;
    p->owned =
        (uint8_t)((bb_can_use(s, f->player, BB_SKILL_DODGE, BB_USED_DODGE) ? PATH_DODGE : 0) |
                  (bb_can_use(s, f->player, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET) ? PATH_FEET
                                                                                   : 0) |
                  (bb_has(who, BB_SKILL_SURE_HANDS) ? PATH_HANDS : 0));
    p->layer = 1;
    p->count = p->heap_count = p->touched_count = p->highest = 0;
    memset(p->fixed, 0xff, sizeof p->fixed);
    memset(p->current, 0xff, sizeof p->current);
    memset(p->open, 0xff, sizeof p->open);
    path_find_zones(p);
}

/* Standing up is a step on the spot: three squares, or all and a roll. */
static int path_stand_up(struct path_search *p, int root)
{
    int index = path_add(p, root, p->start);
    struct path_node *n = &p->node[index];
    n->moves = p->node[root].moves;
    n->gfis = p->node[root].gfis;
    if (bb_skilled(p->s, p->player, BB_SKILL_JUMP_UP))
        return index;
    if (n->moves >= 3) {
        n->moves = (int8_t)(n->moves - 3);
        return index;
    }
    n->moves = 0;
    path_test(p, index, bb_clamp(4 - bb_stand_up_modifier(p->s, p->player)), 0);
    return index;
}

static void path_search(struct path_search *p)
{
    int root = path_add(p, -1, p->start), moves = bb_moves_left(p->s, p->player, false);
    struct path_node *n = &p->node[root];
    n->moves = (int8_t)moves;
    n->gfis = (int8_t)(bb_moves_left(p->s, p->player, true) - moves);
    n->probability = 1;
    memset(p->cases[root], 0, sizeof p->cases[root]);
    p->cases[root][p->owned] = 1;
    path_open(p, bb_is(p->s, p->player, BB_UP) ? root : path_stand_up(p, root));
    path_expand_layer(p);
    path_fix_layer(p);
    while (p->heap_count) {
        path_next_layer(p);
        path_expand_layer(p);
        path_fix_layer(p);
    }
}

/* --- choices --- */

static int path_direction(const struct bb_state *s, int from, int to)
{
    int i = 0;
    while (from + bb_d8(s, (unsigned)i) != to)
        ++i;
    return i;
}

static void path_option(const struct path_search *p, int index, struct bb_choices *out)
{
    const struct path_node *n = &p->node[index];
    struct bb_option *option = bb_offer_square(out, n->square);
    option->probability = n->probability;
    option->dice = n->dice;
    if (n->foul)
        option->target[option->targets++] = n->foul;
    if (n->handoff)
        option->target[option->targets++] = n->handoff;
    for (; n->parent >= 0; n = &p->node[n->parent]) {
        const struct path_node *before = &p->node[n->parent];
        ++option->length;
        if (before->square == n->square)
            continue;
        int direction = path_direction(p->s, before->square, n->square);
        option->path = option->path << 3 | (uint64_t)direction;
        ++option->steps;
    }
}

static bool path_kind(const struct path_node *n, int type)
{
    switch (type) {
    case BB_DO_MOVE:
        return !n->dice && !n->foul && !n->handoff;
    case BB_DO_FOUL:
        return n->foul;
    case BB_DO_HANDOFF:
        return n->handoff;
    default:
        return n->dice;
    }
}

static void path_offer(const struct path_search *p, int type, struct bb_choices *out)
{
    bb_offer(out, type, p->team);
    for (int square = 0; square < BB_SQUARES; ++square) {
        int index = p->fixed[square];
        if (index >= 0 && square != p->start && path_kind(&p->node[index], type))
            path_option(p, index, out);
    }
    bb_offer_end(out);
}

void bb_path_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    struct path_search p;
    path_prepare(&p, s, f);
    path_search(&p);
    path_offer(&p, BB_DO_MOVE, out);
    if (p.block)
        path_offer(&p, BB_DO_BLOCK, out);
    if (p.block && bb_skilled(s, f->player, BB_SKILL_STAB))
        path_offer(&p, BB_DO_STAB, out);
    if (p.foul)
        path_offer(&p, BB_DO_FOUL, out);
    if (p.handoff)
        path_offer(&p, BB_DO_HANDOFF, out);
}

/* Of a standing player: any first step. */
bool bb_path_exists(const struct bb_state *s, const struct bb_frame *f)
{
    int player = f->player, team = bb_team_of(player), square = s->player[player].square;
    bool moves = bb_moves_left(s, player, true) > 0, carries = bb_carries(s, player);
    bool blocks = f->procedure == BB_BLITZ_ACTION && !bb_is(s, player, BB_HAS_BLOCKED);
    if (bb_under_ball(s, player) && bb_end_zone(s, square, team))
        return false;
    for (int i = 0; i < 8; ++i) {
        int to = square + bb_direction(s, i), there = bb_at(s, to);
        if (bb_out(s, to))
            continue;
        if (there == BB_NONE ? moves
            : bb_team_of(there) == team
                ? f->procedure == BB_HANDOFF_ACTION && carries && bb_can_catch(s, there)
            : bb_is(s, there, BB_UP) ? blocks && moves
                                     : f->procedure == BB_FOUL_ACTION)
            return true;
    }
    return false;
}
