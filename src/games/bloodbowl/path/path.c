/* Where a player can move in one activation, and how safely
 * (docs/games/bloodbowl-rules.md, "Paths"): the problem and the choices. */
#include "games/bloodbowl/path/path.h"
#include "base/compiler.h"

#include <string.h>

const uint8_t path_steps[8] = {0, 3, 5, 1, 6, 2, 4, 7};
const bool path_diagonal[8] = {1, 0, 1, 0, 0, 1, 0, 1};
const uint8_t path_beside[8] = {0xd0, 0xf8, 0x68, 0xd6, 0x6b, 0x16, 0x1f, 0x0b};

int path_compare(const struct path_search *p, const struct path_way *a, const struct path_way *b)
{
    if (a->moves != b->moves && path_near(a->square, p->start))
        return b->moves - a->moves;
    if (a->probability != b->probability)
        return a->probability > b->probability ? -1 : 1;
    if (a->foul != b->foul)
        return a->foul - b->foul;
    if (a->dice != b->dice)
        return b->dice - a->dice;
    return a->total != b->total ? b->total - a->total : path_length(a) - path_length(b);
}

/* --- targets --- */

static uint8_t path_foul_target(const struct path_search *p, int victim, int from)
{
    struct bb_assists assists = bb_assists(p->s, p->player, victim, from, true);
    int target = p->s->player[victim].av + 1 - assists.own + assists.against;
    return (uint8_t)(target < 2 ? 2 : target > 12 ? 12 : target);
}

/* Writes the path that ends with the act on a target; false: no move is left for a block.  Only a
 * block costs a move. */
static bool path_act(const struct path_search *p, const struct path_way *way, int step, double on,
                     struct path_way *out)
{
    int there = bb_at(p->s, way->square + p->step[step]);
    *out = path_walk(p, way, step);
    if (p->block) {
        out->probability = on;
        return way->total > 0;
    }
    out->step = PATH_NO_STEP;
    out->moves = out->total = 0;
    --out->steps;
    out->diagonals = way->diagonals;
    if (p->handoff)
        out->handoff = (uint8_t)bb_clamp(bb_agility(p->s->player[there].ag) -
                                         bb_catch_modifier(p->s, there, BB_CATCH_HANDOFF, false));
    else
        out->foul = path_foul_target(p, there, way->square);
    return true;
}

static void path_reach_goal(struct path_search *p, const struct path_way *way, int step, double on)
{
    struct path_way now;
    if (!path_act(p, way, step, on, &now))
        return;
    int there = bb_at(p->s, now.square), index = p->goal_of[there];
    if (index >= 0 && p->goal[index].probability > now.probability &&
        p->goal[index].moves == now.moves)
        return;
    if (p->block)
        now.dice = (int8_t)bb_block_dice(p->s, p->player, there, way->square, true, false);
    if (index < 0)
        index = p->goal_of[there] = (int8_t)p->goal_count++;
    else if (path_compare(p, &now, &p->goal[index]) >= 0)
        return;
    p->goal[index] = now;
}

void path_reach_goals(struct path_search *p, const struct path_way *way, double on)
{
    for (unsigned set = path_useful(p, way); set; set &= set - 1) {
        int step = bits_first64(set);
        if (p->kind[way->square + p->step[step]] == PATH_TARGET)
            path_reach_goal(p, way, step, on);
    }
}

/* --- the problem --- */

static void path_find_zones(struct path_search *p)
{
    const struct bb_state *s = p->s;
    int opponent = bb_opponent(p->team);
    memset(p->zones, 0, sizeof p->zones);
    for (int i = bb_first(opponent); i < bb_end(s, opponent); ++i) {
        if (!bb_on_pitch(s, i) || !bb_has_zone(s, i))
            continue;
        for (int k = 0; k < 8; ++k)
            ++p->zones[s->player[i].square + p->step[k]];
        if (bb_distance(s->player[i].square, p->start) <= p->root.total)
            p->owned |= PATH_DODGE;
    }
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
    memset(p->beside, 0, sizeof p->beside);
    memset(p->kind + bb_square(0, 0), PATH_TAKEN, v->width);
    memset(p->kind + bb_square(0, v->height - 1), PATH_TAKEN, v->width);
    for (int y = 0; y < v->height; ++y)
        p->kind[bb_square(0, y)] = p->kind[bb_square(v->width - 1, y)] = PATH_TAKEN;
    for (int i = 0; i < BB_PLAYERS; ++i) {
        int square = p->s->player[i].square;
        if (square == BB_NOWHERE || bb_at(p->s, square) != i || p->kind[square] != PATH_FREE)
            continue;
        bool target = i != p->player && path_is_target(p, i);
        p->kind[square] = target ? PATH_TARGET : PATH_TAKEN;
        for (int k = 0; target && k < 8; ++k)
            ++p->beside[square + p->step[k]];
    }
    for (int k = 0; p->ball != BB_NOWHERE && k < 8; ++k)
        p->beside[p->ball + p->step[k]] |= PATH_BALL;
}

static double path_success(int target)
{
    return (7.0 - bb_clamp(target)) / 6.0;
}

/* Of the skills that make dodging and picking up easier, botbowl's pathfinder only knows Stunty. */
static void path_find_odds(struct path_search *p)
{
    const struct bb_state *s = p->s;
    const struct bb_player *who = &s->player[p->player];
    bool all = !bb_quirk(s, BB_QUIRK_PATH_LABEL), titchy = all && bb_has(who, BB_SKILL_TITCHY),
         big = all && bb_has(who, BB_SKILL_BIG_HAND);
    bool small = bb_has(who, BB_SKILL_STUNTY) || titchy;
    int easy = bb_agility(who->ag) - 1,
        dodge = easy - titchy - (all && bb_has(who, BB_SKILL_TWO_HEADS)),
        pickup = easy - (all && bb_has(who, BB_SKILL_EXTRA_ARMS)) +
                 (!big && s->weather == BB_POURING_RAIN);
    p->gfi = (7.0 - (s->weather == BB_BLIZZARD ? 3 : 2)) / 6.0;
    for (int zones = 0; zones <= 8; ++zones) {
        p->dodge[zones] = path_success(dodge + (small ? 0 : zones));
        p->pickup[zones] = path_success(pickup + (big ? 0 : zones));
    }
}

/* The start of all paths.  Standing up costs three squares; a player with fewer left
 * loses them all and must roll. */
static void path_find_root(struct path_search *p)
{
    const struct bb_state *s = p->s;
    int moves = bb_moves_left(s, p->player, false), all = bb_moves_left(s, p->player, true);
    struct path_way *root = &p->root;
    *root = (struct path_way){.probability = 1,
                              .square = s->player[p->player].square,
                              .step = PATH_NO_STEP,
                              .moves = (int8_t)moves,
                              .total = (int8_t)all};
    p->stood_up = !bb_is(s, p->player, BB_UP);
    if (!p->stood_up || bb_skilled(s, p->player, BB_SKILL_JUMP_UP))
        return;
    int cost = moves >= 3 ? 3 : moves;
    root->moves = (int8_t)(moves - cost);
    root->total = (int8_t)(all - cost);
    if (moves < 3)
        root->probability = path_success(4 - bb_stand_up_modifier(s, p->player));
}

static void path_prepare(struct path_search *p, const struct bb_state *s, const struct bb_frame *f)
{
    const struct bb_player *who = &s->player[f->player];
    p->s = s;
    p->player = f->player;
    p->team = bb_team_of(f->player);
    p->end_zone = p->team == BB_HOME ? 1 : bb_variant(s)->width - 2;
    p->ball = s->ball_out && s->ball_on_ground ? s->ball : BB_NOWHERE;
    p->carries = bb_under_ball(s, f->player);
    p->block = f->procedure == BB_BLITZ_ACTION && !bb_is(s, f->player, BB_HAS_BLOCKED);
    p->foul = f->procedure == BB_FOUL_ACTION;
    p->handoff = f->procedure == BB_HANDOFF_ACTION && bb_carries(s, f->player);
    p->start = who->square;
    p->hands = bb_has(who, BB_SKILL_SURE_HANDS);
    p->way_count = p->goal_count = p->owned = 0;
    memset(p->goal_of, -1, sizeof p->goal_of);
    for (int i = 0; i < 8; ++i)
        p->step[i] = (int8_t)bb_d8(s, path_steps[i]);
    path_find_odds(p);
    path_find_root(p);
    path_find_zones(p); /* the zones decide whether any dodge, and so its reroll, can matter */
    if (!bb_can_use(s, f->player, BB_SKILL_DODGE, BB_USED_DODGE))
        p->owned = 0;
    if (bb_can_use(s, f->player, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET))
        p->owned |= PATH_FEET;
    path_find_squares(p);
}

static void path_search(struct path_search *p)
{
    if (p->root.total <= 0 && !p->foul && !p->handoff)
        return;
    if (!p->owned)
        path_find_plain(p);
    else if (bb_quirk(p->s, BB_QUIRK_PATH_LABEL))
        path_find_labels(p);
    else
        path_find_exact(p);
}

/* --- choices --- */

static inline void path_option(const struct path_search *p, const struct path_way *way,
                               struct bb_option *out)
{
    bool acts = way->foul || way->handoff;
    out->path = way->path;
    out->probability = way->probability;
    out->square = way->square;
    out->player = BB_NONE;
    out->dice = way->dice;
    out->steps = (uint8_t)(way->steps + acts);
    out->length = (uint8_t)(out->steps + p->stood_up);
    out->targets = acts;
    out->target[0] = way->foul ? way->foul : way->handoff;
}

static void path_offer(const struct path_search *p, int type, struct bb_choices *out)
{
    bool move = type == BB_DO_MOVE;
    int count = move ? p->way_count : p->goal_count;
    struct bb_option *option = bb_offer_room(out, type, p->team, count);
    for (int i = 0; i < count; ++i)
        path_option(p, move ? p->way[i] : &p->goal[i], &option[i]);
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

/* Whether a standing player can take any first step. */
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
