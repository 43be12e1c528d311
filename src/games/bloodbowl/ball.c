/* The loose ball: bounces, throw-ins, scatters and catches, also for players who are thrown
 * (docs/games/bloodbowl-rules.md, "The ball"). */
#include "games/bloodbowl/rules.h"

struct bb_frame *bb_run_bounce(struct bb_play *p, int flyer, unsigned bits)
{
    struct bb_frame *f = bb_run_for(p, BB_BOUNCE, flyer);
    f->bits = (uint16_t)bits;
    return f;
}

struct bb_frame *bb_run_catch(struct bb_play *p, int catcher, unsigned bits)
{
    struct bb_frame *f = bb_run_for(p, BB_CATCH, catcher);
    f->bits = (uint16_t)bits;
    return f;
}

static int ball_receiver(const struct bb_state *s)
{
    return bb_opponent(s->kick_drive);
}

/* The square of the ball, the bomb or the thrown player. */
static int ball_where(const struct bb_state *s, const struct bb_frame *f)
{
    return f->player != BB_NONE     ? s->player[f->player].square
           : f->bits & BB_BALL_BOMB ? s->bomb
                                    : s->ball;
}

static void ball_move(struct bb_state *s, const struct bb_frame *f, int square)
{
    if (f->player != BB_NONE)
        bb_move_player(s, f->player, square);
    else if (f->bits & BB_BALL_BOMB)
        s->bomb = (uint16_t)square;
    else
        s->ball = (uint16_t)square;
}

static void ball_throw_in(struct bb_play *p, int square)
{
    bb_run(p, BB_THROW_IN)->square = (uint16_t)square;
}

/* Handles a ball, bomb or player that left the pitch. */
static void ball_into_crowd(struct bb_play *p, const struct bb_frame *f, int last)
{
    if (f->player != BB_NONE)
        bb_run_knock_down(p, f->player, BB_NONE, BB_KNOCK_CROWD | BB_KNOCK_NO_ARMOR);
    else if (f->bits & BB_BALL_BOMB)
        p->s->bomb_out = 0;
    else
        ball_throw_in(p, last);
}

/* Handles a ball, bomb or player that bounces to the square of a player. */
static void ball_to_player(struct bb_play *p, const struct bb_frame *f, int player)
{
    if (f->player != BB_NONE)
        bb_run_bounce(p, f->player, 0);
    else
        bb_run_catch(p, player, f->bits & BB_BALL_BOMB ? BB_CATCH_BOMB : 0);
}

bool bb_bounce_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (f->player == BB_NONE)
        s->ball_carried = 0;
    if (p->steps > BB_MAX_STEPS && f->player == BB_NONE)
        return true;
    int from = ball_where(s, f);
    int to = from + bb_d8(s, (unsigned)banyan_dice_roll(p->dice, BB_DIE_BOUNCE, 8) - 1);
    ball_move(s, f, to);
    if (f->bits & BB_BALL_KICK && !bb_own_half(s, to, ball_receiver(s))) {
        bb_run(p, BB_TOUCHBACK);
        return true;
    }
    if (bb_out(s, to)) {
        ball_into_crowd(p, f, from);
        return true;
    }
    int there = bb_at(s, to);
    if (there != BB_NONE)
        ball_to_player(p, f, there);
    else if (f->player != BB_NONE)
        bb_run_for(p, BB_LAND, f->player);
    return true;
}

/* The direction of a throw-in from the D3 and the side where the ball left
 * (docs/games/bloodbowl-rules.md, "The ball"). */
static int ball_throw_direction(const struct bb_state *s, int square, int d3)
{
    const struct bb_variant *v = bb_variant(s);
    bool top = bb_y(square) == 1, bottom = bb_y(square) == v->height - 2;
    bool left = bb_x(square) == (s->mirrored ? v->width - 2 : 1);
    bool right = bb_x(square) == (s->mirrored ? 1 : v->width - 2);
    int dx, dy;
    if (top || bottom) {
        dy = top ? 1 : -1;
        dx = top ? 2 - d3 : d3 - 2;
        if (left || right) { /* corners: along one side, diagonal, along the other */
            int in = left ? 1 : -1;
            bool rows_first = top != left;
            dx = d3 == (rows_first ? 1 : 3) ? 0 : in;
            dy = d3 == (rows_first ? 3 : 1) ? 0 : dy;
        }
    } else {
        dx = left ? 1 : -1;
        dy = left ? d3 - 2 : 2 - d3;
    }
    return dy * BB_ROW + (s->mirrored ? -dx : dx);
}

bool bb_throw_in_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    const struct bb_variant *v = bb_variant(s);
    (void)a;
    if (p->steps > BB_MAX_STEPS) {
        s->ball = f->square;
        s->ball_carried = 0;
        return true;
    }
    int distance = 0, d3 = banyan_dice_roll(p->dice, BB_DIE_THROW_IN, 3);
    for (int i = 0; i < v->throw_dice; ++i)
        distance += banyan_dice_roll(p->dice, BB_DIE_THROW_IN, v->throw_sides);
    if (!bb_quirk(s, BB_QUIRK_THROW_IN_CARRIED))
        s->ball_carried = 0;
    s->ball = f->square;
    int step = ball_throw_direction(s, f->square, d3);
    for (; distance > 0; --distance) {
        s->ball = (uint16_t)(s->ball + step);
        if (bb_out(s, s->ball)) {
            ball_throw_in(p, s->ball - step);
            return true;
        }
    }
    int catcher = bb_catcher(s, s->ball);
    if (catcher != BB_NONE)
        bb_run_catch(p, catcher, 0);
    else
        bb_run_bounce(p, BB_NONE, 0);
    return true;
}

/* --- scatter --- */

static int ball_kick_distance(struct bb_play *p)
{
    const struct bb_variant *v = bb_variant(p->s);
    if (v->kick_sides)
        return banyan_dice_roll(p->dice, BB_DIE_SCATTER, v->kick_sides);
    int roll = bb_d6(p, BB_DIE_SCATTER); /* botbowl's "d2" always shows 0 */
    return bb_quirk(p->s, BB_QUIRK_D2_KICK) ? 0 : (roll + 2) / 3;
}

/* The kick stops where it leaves the pitch or enters the kicking half; LandKick handles what
 * follows. */
static void ball_scatter_kick(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    int step = bb_d8(s, (unsigned)banyan_dice_roll(p->dice, BB_DIE_SCATTER, 8) - 1);
    int distance = f->bits & BB_BALL_GUST ? 1 : ball_kick_distance(p);
    for (; distance > 0; --distance) {
        s->ball = (uint16_t)(s->ball + step);
        if (bb_out(s, s->ball) || bb_own_half(s, s->ball, s->kick_drive))
            return;
    }
}

/* The thrown player lands on another player. */
static void ball_hit(struct bb_play *p, int flyer, int victim)
{
    struct bb_state *s = p->s;
    bb_run_knock_down(p, victim, flyer, 0);
    bb_run_bounce(p, flyer, 0);
    if (bb_team_of(flyer) != bb_team_of(victim))
        return;
    for (int i = 0; i < s->depth; ++i)
        if (s->frame[i].procedure == BB_PASS_ATTEMPT) {
            s->frame[i].bits |= BB_PASS_TURNOVER;
            return;
        }
}

static void ball_come_down(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    int where = ball_where(s, f);
    if (f->player != BB_NONE) {
        if (bb_at(s, where) != BB_NONE)
            ball_hit(p, f->player, bb_at(s, where));
        else
            bb_run_for(p, BB_LAND, f->player);
        return;
    }
    int catcher = bb_catcher(s, where);
    if (catcher != BB_NONE)
        bb_run_catch(p, catcher, f->bits & BB_BALL_BOMB ? BB_CATCH_BOMB : 0);
    else if (f->bits & BB_BALL_BOMB)
        bb_run(p, BB_EXPLODE);
    else
        bb_run_bounce(p, BB_NONE, 0);
}

bool bb_scatter_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    int step[3];
    (void)a;
    if (bb_out(s, ball_where(s, f)))
        return true;
    if (f->bits & BB_BALL_KICK) {
        ball_scatter_kick(p, f);
        return true;
    }
    for (int i = 0; i < 3; ++i)
        step[i] = bb_d8(s, (unsigned)banyan_dice_roll(p->dice, BB_DIE_SCATTER, 8) - 1);
    for (int i = 0; i < 3; ++i) {
        int from = ball_where(s, f);
        ball_move(s, f, from + step[i]);
        if (bb_out(s, from + step[i])) {
            ball_into_crowd(p, f, from);
            return true;
        }
    }
    ball_come_down(p, f);
    return true;
}

/* --- catching --- */

int bb_catch_modifier(const struct bb_state *s, int catcher, unsigned bits, bool interception)
{
    int modifier = bits & (BB_CATCH_ACCURATE | BB_CATCH_HANDOFF) ? 1 : 0;
    if (bits & BB_CATCH_ACCURATE && bb_skilled(s, catcher, BB_SKILL_DIVING_CATCH))
        ++modifier;
    if (interception)
        modifier = bb_skilled(s, catcher, BB_SKILL_VERY_LONG_LEGS) ? -1 : -2;
    if (!bb_skilled(s, catcher, BB_SKILL_NERVES_OF_STEEL))
        modifier -= bb_zones(s, catcher, s->player[catcher].square);
    modifier -= s->weather == BB_POURING_RAIN;
    modifier += bb_skilled(s, catcher, BB_SKILL_EXTRA_ARMS);
    return modifier - bb_presence(s, catcher);
}

int bb_catch_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return f->bits & BB_CATCH_BOMB && f->phase == 0 ? bb_team_of(f->player) : BB_NOBODY;
}

void bb_catch_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    (void)s;
    bb_offer(out, BB_DO_CATCH_BOMB, bb_team_of(f->player));
}

static bool catch_drop(struct bb_play *p, const struct bb_frame *f, unsigned bits)
{
    if (f->bits & BB_CATCH_BOMB)
        bb_run(p, BB_EXPLODE);
    else
        bb_run_bounce(p, BB_NONE, bits);
    return true;
}

static bool catch_held(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (f->bits & BB_CATCH_BOMB) {
        s->bomb = s->player[f->player].square;
        bb_run_for(p, BB_BOMB_ACTION, f->player);
        return true;
    }
    s->ball = s->player[f->player].square; /* the square of a diving catcher */
    s->ball_carried = 1;
    if (bb_scores(s, f->player))
        bb_run_for(p, BB_TOUCHDOWN, f->player);
    return true;
}

bool bb_catch_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    f->phase = 1;
    if (!(f->bits & BB_ROLLED) && !bb_can_catch(s, f->player))
        return catch_drop(p, f, 0);
    switch (bb_test(p, f, BB_DIE_CATCH, f->player, bb_agility(s->player[f->player].ag),
                    bb_catch_modifier(s, f->player, f->bits, false))) {
    case BB_PENDING:
        return false;
    case BB_SUCCESS:
        return catch_held(p, f);
    default:
        if (!(f->bits & BB_CATCH_BOMB)) /* a diving catcher drops the ball on their own square */
            s->ball = s->player[f->player].square;
        return catch_drop(p, f, f->bits & BB_CATCH_KICK ? BB_BALL_KICK : 0);
    }
}
