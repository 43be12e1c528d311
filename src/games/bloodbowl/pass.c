/* Passing, intercepting and handing off (docs/games/bloodbowl-rules.md, "The ball"); throwing a
 * team-mate uses the same attempt. */
#include "games/bloodbowl/rules.h"

static const char pass_table[14][15] = {
    "01112223333444", "11112223333444", "11122223333445", "11222223334445", "22222233334445",
    "22222333344455", "22223333344455", "33333333444555", "33333334444555", "33333444445555",
    "33344444455555", "44444445555555", "44444555555555", "44555555555555"};

/* The range of a pass: 1 quick, 2 short, 3 long, 4 bomb, 5 Hail Mary. */
int bb_pass_range(int from, int to)
{
    int dx = bb_x(from) - bb_x(to), dy = bb_y(from) - bb_y(to);
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > 13 || dy > 13 ? 5 : pass_table[dy][dx] - '0';
}

int bb_pass_modifier(const struct bb_state *s, int passer, int range, bool team_mate)
{
    static const int8_t by_range[6] = {0, 1, 0, -1, -2, 0};
    int modifier = by_range[range] - team_mate - (s->weather == BB_VERY_SUNNY);
    if (!bb_skilled(s, passer, BB_SKILL_NERVES_OF_STEEL))
        modifier -= bb_zones(s, passer, s->player[passer].square);
    modifier += bb_skilled(s, passer, BB_SKILL_ACCURATE);
    modifier += bb_skilled(s, passer, BB_SKILL_STRONG_ARM) && range >= 2 && range <= 4;
    modifier -= bb_skilled(s, passer, BB_SKILL_STUNTY);
    return modifier - bb_presence(s, passer);
}

/* --- players who can intercept --- */

struct pass_line {
    uint16_t square[BB_ROW];
    int count;
};

/* The squares of Bresenham's line, always drawn towards larger coordinates
 * (docs/games/bloodbowl-rules.md, "The ball"). */
static void pass_draw(const struct bb_state *s, int from, int to, struct pass_line *line)
{
    int turned = s->mirrored ? bb_variant(s)->width - 1 : 0;
    int u1 = bb_x(from), v1 = bb_y(from), u2 = bb_x(to), v2 = bb_y(to);
    if (turned)
        u1 = turned - u1, u2 = turned - u2;
    int du = u2 < u1 ? u1 - u2 : u2 - u1, dv = v2 < v1 ? v1 - v2 : v2 - v1;
    bool steep = dv > du;
    if (steep) {
        int swap = u1;
        u1 = v1, v1 = swap, swap = u2, u2 = v2, v2 = swap;
    }
    if (u1 > u2) {
        int swap = u1;
        u1 = u2, u2 = swap, swap = v1, v1 = v2, v2 = swap;
    }
    du = u2 - u1;
    dv = v2 < v1 ? v1 - v2 : v2 - v1;
    int error = du / 2, v = v1;
    line->count = 0;
    for (int u = u1; u <= u2; ++u) {
        int x = steep ? v : u, y = steep ? u : v;
        line->square[line->count++] = (uint16_t)bb_square(turned ? turned - x : x, y);
        error -= dv;
        if (error < 0) {
            v += v1 < v2 ? 1 : -1;
            error += du;
        }
    }
}

static bool pass_between(int a, int b, int x)
{
    return a < b ? x >= a && x <= b : x >= b && x <= a;
}

static bool pass_in_reach(int from, int to, int square)
{
    int far = bb_distance(from, to);
    return square != from && square != to && bb_distance(square, from) <= far &&
           bb_distance(square, to) <= far && pass_between(bb_x(from), bb_x(to), bb_x(square)) &&
           pass_between(bb_y(from), bb_y(to), bb_y(square));
}

int bb_interceptors(const struct bb_state *s, int from, int to, int team, uint8_t *out)
{
    struct pass_line line;
    int n = 0;
    pass_draw(s, from, to, &line);
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        int square = s->player[i].square;
        if (!bb_on_pitch(s, i) || bb_at(s, square) != i || !bb_can_catch(s, i) ||
            !pass_in_reach(from, to, square))
            continue;
        for (int k = 0; k < line.count; ++k)
            if (bb_distance(line.square[k], square) <= 1) {
                out[n++] = (uint8_t)i;
                break;
            }
    }
    return n;
}

void bb_interception_choices(const struct bb_state *s, const struct bb_frame *f,
                             struct bb_choices *out)
{
    uint8_t players[BB_TEAM_MAX];
    int from = s->player[f->player].square;
    int n = bb_interceptors(s, from, f->square, f->team, players);
    bb_offer(out, BB_DO_SELECT_PLAYER, f->team);
    for (int i = 0; i < n; ++i) {
        struct bb_option *option = bb_offer_player(out, players[i]);
        if (out->annotate)
            bb_add_target(option, bb_agility(s->player[players[i]].ag) -
                                      bb_catch_modifier(s, players[i], 0, true));
    }
    bb_offer(out, BB_DO_SELECT_NONE, f->team);
}

bool bb_interception_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    if (a->type == BB_DO_SELECT_PLAYER)
        bb_run_for(p, BB_INTERCEPT, a->player)->other = f->player;
    return true;
}

/* f->player tries to intercept; f->other has thrown. */
static bool intercept_taken(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    s->ball = s->player[f->player].square;
    s->ball_carried = 1;
    if (bb_scores(s, f->player))
        bb_run_for(p, BB_TOUCHDOWN, f->player);
    else
        bb_run(p, BB_TURNOVER);
    return true;
}

/* phase 1: the passer's Safe Throw may still cancel the interception. */
bool bb_intercept_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    enum bb_result result;
    (void)a;
    if (f->phase == 0) {
        result = bb_test(p, f, BB_DIE_INTERCEPT, f->player, bb_agility(s->player[f->player].ag),
                         bb_catch_modifier(s, f->player, 0, true));
        if (result != BB_SUCCESS)
            return result == BB_FAILURE;
        if (!bb_skilled(s, f->other, BB_SKILL_SAFE_THROW) ||
            bb_skilled(s, f->player, BB_SKILL_VERY_LONG_LEGS))
            return intercept_taken(p, f);
        f->phase = 1;
        return false;
    }
    result = bb_test(p, f, BB_DIE_INTERCEPT, f->other, bb_agility(s->player[f->other].ag), 0);
    return result == BB_FAILURE ? intercept_taken(p, f) : result == BB_SUCCESS;
}

/* --- the attempt: `player` throws the ball, the bomb, or the team-mate `other` --- */

static void pass_run_interception(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    uint8_t players[BB_TEAM_MAX];
    int team = bb_opponent(bb_team_of(f->player)), from = s->player[f->player].square;
    f->bits |= BB_PASS_INTERCEPTED;
    if (!bb_interceptors(s, from, f->square, team, players))
        return;
    struct bb_frame *interception = bb_run_team(p, BB_INTERCEPTION, team);
    interception->player = f->player;
    interception->square = f->square;
}

static bool pass_of_ball(const struct bb_frame *f)
{
    return f->other == BB_NONE && !(f->bits & BB_PASS_BOMB);
}

static void pass_run_possession(struct bb_play *p, const struct bb_frame *f)
{
    if (pass_of_ball(f) && !(f->bits & BB_PASS_DUMP_OFF))
        bb_run(p, BB_POSSESSION);
}

static bool pass_accurate(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    bool bomb = f->bits & BB_PASS_BOMB;
    int catcher = bb_catcher(s, f->square);
    *(bomb ? &s->bomb : &s->ball) = f->square;
    if (catcher != BB_NONE)
        bb_run_catch(p, catcher, BB_CATCH_ACCURATE | (bomb ? BB_CATCH_BOMB : 0));
    else if (bomb)
        bb_run(p, BB_EXPLODE);
    else
        bb_run_bounce(p, BB_NONE, 0);
    pass_run_possession(p, f);
    return true;
}

static bool pass_inaccurate(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    struct bb_frame *scatter = bb_run_for(p, BB_SCATTER, f->other);
    scatter->bits = BB_BALL_PASS;
    if (f->other != BB_NONE)
        bb_move_player(s, f->other, f->square);
    else if (f->bits & BB_PASS_BOMB)
        s->bomb = f->square, scatter->bits |= BB_BALL_BOMB;
    else
        s->ball = f->square;
    pass_run_possession(p, f);
    return true;
}

static bool pass_fumbled(struct bb_play *p, const struct bb_frame *f)
{
    if (f->other != BB_NONE) {
        bb_run_for(p, BB_LAND, f->other);
    } else if (f->bits & BB_PASS_BOMB) {
        bb_run(p, BB_EXPLODE);
    } else {
        bb_run_bounce(p, BB_NONE, 0);
        if (!(f->bits & BB_PASS_DUMP_OFF))
            bb_run(p, BB_TURNOVER);
    }
    return true;
}

enum { PASS_INACCURATE, PASS_FUMBLE }; /* f->phase after a failed roll */

static bool pass_failed(struct bb_play *p, const struct bb_frame *f)
{
    if (f->bits & BB_PASS_SAFE) {
        if (!bb_quirk(p->s, BB_QUIRK_SAFE_THROW))
            p->s->ball_carried = 1;
        return true;
    }
    return f->phase == PASS_FUMBLE ? pass_fumbled(p, f) : pass_inaccurate(p, f);
}

static bool pass_roll(struct bb_play *p, struct bb_frame *f)
{
    const struct bb_state *s = p->s;
    bool mate = f->other != BB_NONE;
    int range = bb_pass_range(s->player[f->player].square, f->square);
    int roll = bb_d6(p, BB_DIE_PASS), result = roll + bb_pass_modifier(s, f->player, range, mate);
    if (roll == 6 || (roll != 1 && result >= bb_agility(s->player[f->player].ag)))
        return mate ? pass_inaccurate(p, f) : pass_accurate(p, f);
    bool safe = pass_of_ball(f) && bb_skilled(s, f->player, BB_SKILL_SAFE_THROW);
    f->phase = roll == 1 || (result <= 1 && !safe) ? PASS_FUMBLE : PASS_INACCURATE;
    if (roll != 1 && result <= 1 && safe)
        f->bits |= BB_PASS_SAFE;
    if (mate && f->phase == PASS_INACCURATE)
        return pass_inaccurate(p, f);
    return bb_ask_reroll(p, f, f->player) == BB_FAILURE && pass_failed(p, f);
}

bool bb_pass_attempt_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (bb_is(s, f->player, BB_BLOOD_LUSTING) && !(f->bits & BB_PASS_ATE)) {
        f->bits |= BB_PASS_ATE;
        bb_run_for(p, BB_EAT_THRALL, f->player);
        return false;
    }
    if (f->bits & BB_EAT_FAILED)
        return true;
    if (f->bits & BB_ROLLED && !bb_rerolling(f))
        return pass_failed(p, f);
    if (pass_of_ball(f))
        s->ball_carried = 0;
    if (f->other == BB_NONE && !(f->bits & BB_PASS_INTERCEPTED)) {
        pass_run_interception(p, f);
        return false;
    }
    return pass_roll(p, f);
}

void bb_pass_attempt_end(struct bb_play *p, const struct bb_frame *f)
{
    if (f->bits & BB_PASS_TURNOVER)
        bb_run(p, BB_TURNOVER);
}

bool bb_possession_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    (void)f, (void)a;
    int there = s->ball_out ? bb_at(s, s->ball) : BB_NONE;
    if (there == BB_NONE || bb_team_of(there) != s->current)
        bb_run(p, BB_TURNOVER);
    return true;
}

/* --- handing off --- */

bool bb_handoff_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (bb_is(s, f->player, BB_BLOOD_LUSTING) && f->phase == 0) {
        f->phase = 1;
        bb_run_for(p, BB_EAT_THRALL, f->player);
        return false;
    }
    if (f->bits & BB_EAT_FAILED)
        return true;
    s->ball = f->square;
    int catcher = bb_at(s, f->square);
    if (catcher != BB_NONE)
        bb_run_catch(p, catcher, BB_CATCH_HANDOFF);
    else /* the vampire who hands off has just bitten the receiver */
        bb_run_bounce(p, BB_NONE, 0);
    bb_run(p, BB_POSSESSION);
    return true;
}
