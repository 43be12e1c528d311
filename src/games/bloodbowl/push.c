/* Pushing back, chains, the crowd, following up
 * (docs/games/bloodbowl-rules.md, "Pushing"). */
#include "games/bloodbowl/rules.h"

enum { /* bits of a Push frame: `player` pushes `other`; `team` chooses the square */
       PUSH_KNOCK_DOWN = BB_A,
       PUSH_BLITZ = BB_B,
       PUSH_CHAIN = BB_C,
       PUSH_STRIP = BB_D,
       PUSH_CROWD = BB_E
};

enum push_phase {
    PUSH_BEGIN,
    PUSH_STAND_FIRM, /* asks whether to use the skill */
    PUSH_FREE,       /* Side Step or Grab: asks for any free square next to the player */
    PUSH_STANDARD,   /* asks for one of the three squares behind the player */
    PUSH_MOVE
};

void bb_push_start(struct bb_play *p, struct bb_frame *f)
{
    const struct bb_state *s = p->s;
    f->team = (uint8_t)bb_team_of(s->active != BB_NONE ? s->active : f->player);
    if (bb_skilled(s, f->player, BB_SKILL_STRIP_BALL) &&
        !bb_skilled(s, f->other, BB_SKILL_SURE_HANDS) &&
        !(f->bits & (PUSH_KNOCK_DOWN | PUSH_CHAIN)) && bb_carries(s, f->other))
        f->bits |= PUSH_STRIP;
}

/* --- squares --- */

static int push_free(const struct bb_state *s, int square, bool crowd, uint16_t *out)
{
    int n = 0;
    for (int i = 0; i < 8; ++i) {
        int to = square + bb_direction(s, i);
        if (bb_out(s, to) == crowd && bb_at(s, to) == BB_NONE)
            out[n++] = (uint16_t)to;
    }
    return n;
}

/* Whether the square is one of the three behind the pushed player, as the pusher sees it.  If the
 * two stand in a row or a column, these squares have a distance of 2 from the pusher; if they stand
 * diagonally, the differences in x and y add up to at least 3. */
static bool push_away(int pusher, int pushed, int to)
{
    int dx = bb_x(to) - bb_x(pusher), dy = bb_y(to) - bb_y(pusher);
    if (bb_x(pusher) == bb_x(pushed) || bb_y(pusher) == bb_y(pushed))
        return bb_distance(pusher, to) >= 2;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) >= 3;
}

static int push_standard(const struct bb_state *s, const struct bb_frame *f, uint16_t *out)
{
    int from = s->player[f->player].square, square = s->player[f->other].square;
    uint16_t crowd[8], taken[8];
    int n = 0, crowds = 0, takens = 0;
    for (int i = 0; i < 8; ++i) {
        int to = square + bb_direction(s, i);
        if (!push_away(from, square, to))
            continue;
        if (bb_out(s, to))
            crowd[crowds++] = (uint16_t)to;
        else if (bb_at(s, to) != BB_NONE)
            taken[takens++] = (uint16_t)to;
        else
            out[n++] = (uint16_t)to;
    }
    if (n)
        return n;
    for (int i = 0; i < (crowds ? crowds : takens); ++i)
        out[n++] = crowds ? crowd[i] : taken[i];
    return n;
}

static int push_squares(const struct bb_state *s, const struct bb_frame *f, uint16_t *out)
{
    int n = 0;
    if (f->phase == PUSH_FREE)
        n = push_free(s, s->player[f->other].square, false, out);
    /* if Side Step has no free square, it uses the crowd squares, if there are any */
    if (n == 0 && bb_skilled(s, f->other, BB_SKILL_SIDE_STEP) &&
        !bb_skilled(s, f->player, BB_SKILL_GRAB))
        n = push_free(s, s->player[f->other].square, true, out);
    return n ? n : push_standard(s, f, out);
}

/* --- questions --- */

int bb_push_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return f->phase == PUSH_STAND_FIRM                          ? bb_team_of(f->other)
           : f->phase == PUSH_FREE || f->phase == PUSH_STANDARD ? f->team
                                                                : BB_NOBODY;
}

void bb_push_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    uint16_t squares[8];
    if (f->phase == PUSH_STAND_FIRM) {
        bb_offer_skill(out, BB_SKILL_STAND_FIRM, bb_team_of(f->other), f->other);
        return;
    }
    int n = push_squares(s, f, squares);
    bb_offer(out, BB_DO_PUSH, f->team);
    for (int i = 0; i < n; ++i)
        bb_offer_square(out, squares[i]);
}

/* --- steps --- */

/* The pushed player stays on the square (rooted, Stand Firm, or the next square is still taken),
 * but may fall or lose the ball there.  Returns true: the push is over. */
static bool push_stays(struct bb_play *p, const struct bb_frame *f)
{
    if (f->bits & PUSH_KNOCK_DOWN)
        bb_run_knock_down(p, f->other, BB_NONE, 0);
    else if (f->bits & PUSH_STRIP)
        bb_drop_ball_at(p, p->s->player[f->other].square);
    return true;
}

static void push_find_squares(struct bb_state *s, struct bb_frame *f)
{
    bool step = bb_skilled(s, f->other, BB_SKILL_SIDE_STEP);
    bool grab = bb_skilled(s, f->player, BB_SKILL_GRAB), chain = f->bits & PUSH_CHAIN;
    f->phase = PUSH_STANDARD;
    if (step && (chain || !grab)) {
        f->phase = PUSH_FREE;
        f->team = (uint8_t)bb_team_of(f->other);
    } else if (!chain && grab && !step) {
        f->phase = PUSH_FREE;
    }
}

static bool push_begin(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (bb_is(s, f->other, BB_ROOTED))
        return push_stays(p, f);
    bool juggernaut = f->bits & PUSH_BLITZ && bb_skilled(s, f->player, BB_SKILL_JUGGERNAUT);
    if (bb_skilled(s, f->other, BB_SKILL_STAND_FIRM) && !juggernaut)
        f->phase = PUSH_STAND_FIRM;
    else
        push_find_squares(s, f);
    return false;
}

static bool push_to(struct bb_play *p, struct bb_frame *f, int square)
{
    struct bb_state *s = p->s;
    int there = bb_at(s, square);
    f->phase = PUSH_MOVE;
    f->square = (uint16_t)square;
    f->from = s->player[f->other].square;
    if (bb_out(s, square))
        f->bits |= PUSH_CROWD;
    if (there != BB_NONE) {
        struct bb_frame *chain = bb_run_for(p, BB_PUSH, f->other);
        chain->other = (uint8_t)there;
        chain->bits = PUSH_CHAIN;
    }
    return false;
}

/* Moves the ball of a pushed player, or a ball on the square that they are pushed to. */
static void push_ball(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (!bb_carries(s, f->other))
        bb_drop_ball_at(p, f->square);
    else if (f->bits & PUSH_CROWD)
        bb_run(p, BB_THROW_IN)->square = f->from;
    else if (f->bits & PUSH_STRIP)
        bb_run_bounce(p, BB_NONE, 0);
    else if (bb_scores(s, f->other))
        bb_run_for(p, BB_TOUCHDOWN, f->other);
}

static bool push_move(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (bb_at(s, f->square) != BB_NONE) /* the next player of the chain was not moved */
        return push_stays(p, f);
    bb_move_player(s, f->other, f->square);
    if (!(f->bits & PUSH_CHAIN)) {
        struct bb_frame *follow = bb_run_for(p, BB_FOLLOW_UP, f->player);
        follow->other = f->other;
        follow->square = f->from;
    }
    if (f->bits & PUSH_CROWD)
        bb_run_knock_down(p, f->other, BB_NONE, BB_KNOCK_CROWD | BB_KNOCK_NO_ARMOR);
    else if (f->bits & PUSH_KNOCK_DOWN)
        bb_run_knock_down(p, f->other, BB_NONE, 0);
    push_ball(p, f);
    return true;
}

bool bb_push_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    switch (f->phase) {
    case PUSH_BEGIN:
        return push_begin(p, f);
    case PUSH_STAND_FIRM:
        if (a->type == BB_DO_USE_SKILL)
            return push_stays(p, f);
        push_find_squares(p->s, f);
        return false;
    case PUSH_MOVE:
        return push_move(p, f);
    default:
        return push_to(p, f, a->square);
    }
}

/* --- following up --- */

static bool push_may_follow(const struct bb_state *s, const struct bb_frame *f)
{
    return !bb_skilled(s, f->other, BB_SKILL_FEND) && !bb_is(s, f->player, BB_ROOTED);
}

int bb_follow_up_asks(const struct bb_state *s, const struct bb_frame *f)
{
    return push_may_follow(s, f) && !bb_skilled(s, f->player, BB_SKILL_FRENZY)
               ? bb_team_of(f->player)
               : BB_NOBODY;
}

void bb_follow_up_choices(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    bb_offer(out, BB_DO_FOLLOW_UP, bb_team_of(f->player));
    bb_offer_square(out, s->player[f->player].square);
    bb_offer_square(out, f->square);
}

bool bb_follow_up_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    bool frenzy = bb_skilled(s, f->player, BB_SKILL_FRENZY);
    if (bb_skilled(s, f->other, BB_SKILL_FEND) || bb_at(s, f->square) != BB_NONE)
        return true;
    if (!frenzy && (a->type != BB_DO_FOLLOW_UP || a->square != f->square))
        return true;
    int from = s->player[f->player].square;
    unsigned shadowers = bb_opponents_with(s, f->player, BB_SKILL_SHADOWING, true);
    bb_move_player(s, f->player, f->square);
    if (bb_scores(s, f->player)) {
        bb_run_for(p, BB_TOUCHDOWN, f->player);
    } else if (shadowers) {
        struct bb_frame *shadowing = bb_run_for(p, BB_SHADOWING, f->player);
        shadowing->from = (uint16_t)from;
        shadowing->around = (uint8_t)shadowers;
    }
    return true;
}
