/* Where a player can go in one activation, and how safely (spec 18).
 *
 * Labels are grown in layers of equal probability, the safest first:
 *
 *     layer p:   open --expand--> same p: open again    (more moves left first, then fewer diagonals)
 *                                 less:   risky, lists by probability
 *     its best labels are fixed per square; the next layer starts from the safest risky ones
 *
 * A label that a fixed one beats in probability and in moves left is not followed.  A label knows
 * how likely it is with which skill rerolls still unused (at most 8 cases).
 *
 * Every step costs one move, so labels with equally many moves left have come equally many squares,
 * and the one with fewer diagonals has the shorter way.
 */
#include "games/bloodbowl/rules.h"

#include <string.h>

enum { PATH_NODES = 6144, PATH_RISKS = 1024, PATH_TOTALS = 16, PATH_NO_STEP = 8 };
enum { PATH_DODGE = 1, PATH_FEET = 2, PATH_HANDS = 4 }; /* rerolls */
enum { PATH_FREE, PATH_TAKEN, PATH_TARGET };            /* squares */

struct path_node {
    double probability; /* of all cases together */
    int16_t parent, next;
    uint16_t square;
    int8_t moves, gfis;
    uint8_t step;             /* that led here, index into path_steps; PATH_NO_STEP */
    uint8_t steps, diagonals; /* on the way */
    int8_t dice;              /* block */
    uint8_t foul, handoff;    /* target */
};

struct path_list { /* first come, first served */
    int16_t first, last;
};

struct path_search {
    const struct bb_state *s;
    int player, team;
    int dodge; /* target without tackle zones */
    int gfi, end_zone;
    uint16_t ball; /* lying where it could be picked up */
    bool carries, stunty, block, foul, handoff;
    uint16_t start;
    uint8_t owned; /* rerolls, a set of PATH_ */
    double layer;  /* probability */
    int count, touched_count, reached_count, highest, risk_count;
    int8_t step[8];                                 /* as differences of squares */
    int16_t fixed[BB_SQUARES], current[BB_SQUARES]; /* label of each square, -1 none */
    uint8_t zones[BB_SQUARES], kind[BB_SQUARES];
    uint16_t touched[BB_SQUARES], reached[BB_SQUARES]; /* squares with current, fixed labels */
    struct path_list open[PATH_TOTALS][PATH_TOTALS];   /* by moves and gfis left, diagonals */
    double risk[PATH_RISKS];                           /* probabilities of risky labels, rising */
    struct path_list risky[PATH_RISKS];
    struct path_node node[PATH_NODES];
    double cases[PATH_NODES][8]; /* probability with these rerolls unused */
};

/* Steps in the order in which botbowl tries them, as faces of the D8 less 1; step 7 - i is back. */
static const uint8_t path_steps[8] = {0, 3, 5, 1, 6, 2, 4, 7};
static const bool path_diagonal[8] = {1, 0, 1, 0, 0, 1, 0, 1};
/* After a step: those that stay next to the square where it began. */
static const uint8_t path_beside[9] = {0xd0, 0xf8, 0x68, 0xd6, 0x6b, 0x16, 0x1f, 0x0b, 0};

enum { PATH_STRAIGHT = 100000, PATH_DIAGONAL = 141421 };

/* Of the way, in 1/100000 squares; the last one to a foul or handoff adds nothing. */
static int path_length(const struct path_node *n)
{
    return n->steps * PATH_STRAIGHT + n->diagonals * (PATH_DIAGONAL - PATH_STRAIGHT);
}

static int path_total(const struct path_node *n)
{
    return n->moves + n->gfis;
}

/* Neighbours or the same: in squares as numbers, three rows of three. */
static bool path_near(int a, int b)
{
    unsigned gap = (unsigned)(a - b + BB_ROW + 1);
    return gap % BB_ROW < 3 && gap / BB_ROW < 3;
}

/* --- labels --- */

/* The better of two labels of a square: negative a, positive b, 0 neither. */
static int path_better(const struct path_search *p, const struct path_node *a,
                       const struct path_node *b)
{
    if (a->moves != b->moves && path_near(a->square, p->start))
        return b->moves - a->moves;
    if (a->probability != b->probability)
        return a->probability > b->probability ? -1 : 1;
    if (a->foul && a->foul != b->foul)
        return a->foul - b->foul;
    if (a->dice && a->dice != b->dice)
        return b->dice - a->dice;
    int gap = path_total(b) - path_total(a);
    return gap ? gap : path_length(a) - path_length(b);
}

/* Is a label with so many moves left pointless, since a safer one is fixed there? */
static bool path_dominates(const struct path_search *p, const struct path_node *fixed, int moves,
                           int total, int length)
{
    if (fixed->moves != moves && path_near(fixed->square, p->start))
        return fixed->moves > moves;
    int gap = path_total(fixed) - total;
    return gap > 0 || (gap == 0 && path_length(fixed) < length);
}

static bool path_beaten(const struct path_search *p, const struct path_node *n)
{
    int index = p->fixed[n->square];
    if (index < 0)
        return false;
    const struct path_node *fixed = &p->node[index];
    if ((fixed->foul && fixed->foul > n->foul) || (fixed->dice && fixed->dice < n->dice)) {
        return fixed->moves > n->moves && path_near(n->square, p->start);
    }
    return path_dominates(p, fixed, n->moves, path_total(n), path_length(n));
}

static int path_add(struct path_search *p, int parent, int square)
{
    if (p->count == PATH_NODES)
        return -1;
    int index = p->count++;
    struct path_node *n = &p->node[index];
    *n = (struct path_node){
        .parent = (int16_t)parent, .square = (uint16_t)square, .step = PATH_NO_STEP};
    if (parent < 0)
        return index;
    n->probability = p->node[parent].probability;
    n->steps = p->node[parent].steps;
    n->diagonals = p->node[parent].diagonals;
    if (p->owned)
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
        return;
    }
    for (unsigned left = 0; left < 8; ++left) { /* fewer rerolls first: read before added to */
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

static void path_append(struct path_search *p, struct path_list *list, int index)
{
    p->node[index].next = -1;
    if (list->first < 0)
        list->first = (int16_t)index;
    else
        p->node[list->last].next = (int16_t)index;
    list->last = (int16_t)index;
}

/* No way leads on from a target, from the end zone with the ball, from the ball. */
static bool path_ends(const struct path_search *p, const struct path_node *n)
{
    return n->dice || n->handoff || n->foul || (p->carries && bb_x(n->square) == p->end_zone) ||
           (!p->carries && n->square == p->ball) || (path_total(n) <= 0 && !p->handoff && !p->foul);
}

static void path_open(struct path_search *p, int index)
{
    struct path_node *n = &p->node[index];
    if (p->current[n->square] < 0)
        p->touched[p->touched_count++] = n->square;
    p->current[n->square] = (int16_t)index;
    if (path_ends(p, n))
        return;
    int total = path_total(n);
    path_append(p, &p->open[total][n->diagonals], index);
    if (total > p->highest)
        p->highest = total;
}

/* The list of this probability, made if need be; NULL if there is no room for one more. */
static struct path_list *path_risks(struct path_search *p, double probability)
{
    int low = 0, high = p->risk_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (p->risk[middle] < probability)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->risk_count && p->risk[low] == probability)
        return &p->risky[low];
    if (p->risk_count == PATH_RISKS)
        return NULL;
    size_t above = (size_t)(p->risk_count++ - low);
    memmove(p->risk + low + 1, p->risk + low, above * sizeof *p->risk);
    memmove(p->risky + low + 1, p->risky + low, above * sizeof *p->risky);
    p->risk[low] = probability;
    p->risky[low] = (struct path_list){-1, -1};
    return &p->risky[low];
}

static void path_keep(struct path_search *p, int index)
{
    if (p->node[index].probability >= p->layer) {
        path_open(p, index);
        return;
    }
    struct path_list *list = path_risks(p, p->node[index].probability);
    if (list)
        path_append(p, list, index);
}

/* --- growing --- */

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

static void path_walk(struct path_search *p, int index, int step)
{
    struct path_node *n = &p->node[index];
    n->step = (uint8_t)step;
    ++n->steps;
    n->diagonals = (uint8_t)(n->diagonals + path_diagonal[step]);
}

static void path_to_square(struct path_search *p, int from, int to, int step)
{
    const struct path_node *before = &p->node[from];
    int left = path_total(before) - 1, moves = before->moves > 0 ? before->moves - 1 : 0;
    if (p->current[to] >= 0 && left <= path_total(&p->node[p->current[to]]))
        return;
    int length = path_length(before) + (path_diagonal[step] ? PATH_DIAGONAL : PATH_STRAIGHT);
    if (p->fixed[to] >= 0 && path_dominates(p, &p->node[p->fixed[to]], moves, left, length))
        return;
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    path_walk(p, index, step);
    path_spend(p, index, from);
    if (p->zones[before->square])
        path_test(p, index, bb_clamp(p->dodge + (p->stunty ? 0 : p->zones[to])), PATH_DODGE);
    if (to == p->ball)
        path_test(p, index, bb_clamp(p->dodge + p->zones[to] + (p->s->weather == BB_POURING_RAIN)),
                  PATH_HANDS);
    path_keep(p, index);
}

/* A target that is acted upon from the square before it. */
static void path_reach(struct path_search *p, int index)
{
    int current = p->current[p->node[index].square];
    if ((current >= 0 && path_better(p, &p->node[index], &p->node[current]) > 0) ||
        path_beaten(p, &p->node[index]))
        --p->count;
    else
        path_keep(p, index);
}

static void path_to_block(struct path_search *p, int from, int to, int step, int defender)
{
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    path_walk(p, index, step);
    p->node[index].dice =
        (int8_t)bb_block_dice(p->s, p->player, defender, p->node[from].square, true, false);
    path_spend(p, index, from);
    path_reach(p, index);
}

static void path_to_foul(struct path_search *p, int from, int to, int victim)
{
    int own, against, index = path_add(p, from, to);
    if (index < 0)
        return;
    bb_assists(p->s, p->player, victim, p->node[from].square, true, &own, &against);
    int target = p->s->player[victim].av + 1 - own + against;
    p->node[index].foul = (uint8_t)(target < 2 ? 2 : target > 12 ? 12 : target);
    path_reach(p, index);
}

static void path_to_catcher(struct path_search *p, int from, int to, int catcher)
{
    int index = path_add(p, from, to);
    if (index < 0)
        return;
    p->node[index].handoff =
        (uint8_t)bb_clamp(bb_agility(p->s->player[catcher].ag) -
                          bb_catch_modifier(p->s, catcher, BB_CATCH_HANDOFF, false));
    path_reach(p, index);
}

static void path_to_target(struct path_search *p, int from, int to, int step)
{
    int there = bb_at(p->s, to);
    if (p->handoff)
        path_to_catcher(p, from, to, there);
    else if (p->foul)
        path_to_foul(p, from, to, there);
    else if (path_total(&p->node[from]) > 0)
        path_to_block(p, from, to, step, there);
}

/* Steps back, or round a corner that costs nothing to cut, cannot help. */
static void path_expand(struct path_search *p, int index)
{
    const struct path_node *n = &p->node[index];
    unsigned beside = path_beside[n->step];
    bool stuck = path_total(n) <= 0;
    int square = n->square, came = n->step == PATH_NO_STEP ? square : square - p->step[n->step];
    bool cut = !p->zones[came];
    for (int i = 0; i < 8; ++i) {
        int to = square + p->step[i];
        if (p->kind[to] == PATH_TAKEN || (i + n->step == 7 && n->step != PATH_NO_STEP) ||
            (beside >> i & 1 && (cut || !p->zones[to])))
            continue;
        if (p->kind[to] == PATH_TARGET)
            path_to_target(p, index, to, i);
        else if (!stuck)
            path_to_square(p, index, to, i);
    }
}

/* --- layers --- */

static void path_expand_layer(struct path_search *p)
{
    for (int total = p->highest; total >= 0; --total)
        for (int diagonals = 0; diagonals < PATH_TOTALS; ++diagonals) {
            struct path_list *list = &p->open[total][diagonals];
            for (int index = list->first; index >= 0; index = p->node[index].next)
                path_expand(p, index);
            list->first = -1;
        }
    p->highest = 0;
}

static void path_fix_layer(struct path_search *p)
{
    for (int i = 0; i < p->touched_count; ++i) {
        int square = p->touched[i], now = p->current[square], fixed = p->fixed[square];
        if (fixed < 0)
            p->reached[p->reached_count++] = (uint16_t)square;
        if (fixed < 0 || path_better(p, &p->node[now], &p->node[fixed]) < 0)
            p->fixed[square] = (int16_t)now;
        p->current[square] = -1;
    }
    p->touched_count = 0;
}

static void path_next_layer(struct path_search *p)
{
    p->layer = p->risk[--p->risk_count];
    for (int index = p->risky[p->risk_count].first, next; index >= 0; index = next) {
        const struct path_node *n = &p->node[index];
        int current = p->current[n->square];
        next = n->next;
        if (!path_beaten(p, n) && (current < 0 || path_better(p, n, &p->node[current]) < 0))
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
                ++p->zones[s->player[i].square + p->step[k]];
}

static bool path_is_target(const struct path_search *p, int there)
{
    bool own = bb_team_of(there) == p->team, up = bb_is(p->s, there, BB_UP);
    return own ? p->handoff && bb_can_catch(p->s, there) : up ? p->block : p->foul;
}

static void path_find_squares(struct path_search *p)
{
    const struct bb_variant *v = bb_variant(p->s);
    memset(p->kind, PATH_FREE, sizeof p->kind);
    for (int x = 0; x < v->width; ++x)
        p->kind[bb_square(x, 0)] = p->kind[bb_square(x, v->height - 1)] = PATH_TAKEN;
    for (int y = 0; y < v->height; ++y)
        p->kind[bb_square(0, y)] = p->kind[bb_square(v->width - 1, y)] = PATH_TAKEN;
    for (int i = 0; i < BB_PLAYERS; ++i) {
        int square = p->s->player[i].square;
        if (square != BB_NOWHERE && bb_at(p->s, square) == i && p->kind[square] == PATH_FREE)
            p->kind[square] = path_is_target(p, i) ? PATH_TARGET : PATH_TAKEN;
    }
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
    p->count = p->risk_count = p->touched_count = p->reached_count = p->highest = 0;
    for (int i = 0; i < 8; ++i)
        p->step[i] = (int8_t)bb_d8(s, path_steps[i]);
    memset(p->fixed, 0xff, sizeof p->fixed);
    memset(p->current, 0xff, sizeof p->current);
    memset(p->open, 0xff, sizeof p->open);
    path_find_zones(p);
    path_find_squares(p);
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
    while (p->risk_count) {
        path_next_layer(p);
        path_expand_layer(p);
        path_fix_layer(p);
    }
}

/* --- choices --- */

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
        ++option->length;
        const struct path_node *before = &p->node[n->parent];
        if (before->square == n->square)
            continue;
        int step = n->step;
        for (int i = 0; step == PATH_NO_STEP && i < 8; ++i) /* of a foul or handoff */
            if (before->square + p->step[i] == n->square)
                step = i;
        option->path = option->path << 3 | path_steps[step];
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
    for (int i = 0; i < p->reached_count; ++i) {
        int square = p->reached[i], index = p->fixed[square];
        if (square != p->start && path_kind(&p->node[index], type))
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
