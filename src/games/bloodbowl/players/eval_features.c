/* Turns a position into features, numbers of about size one, for the value of eval.c. */
#include "games/bloodbowl/players/eval_features.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"

#include <string.h>

enum { LOOK_NEAR = 2 }; /* number of players for whom a path to a loose ball is searched */

struct look {
    const struct bb_state *s;
    struct bot_view view; /* as seen by the team to play */
    struct eval_view *out;
    int owner, other, at; /* at: number of features written */
};

static void look_add(struct look *l, float x)
{
    l->out->x[l->at++] = x;
}

static float look_least(float x, float most)
{
    return x < most ? x : most;
}

static int look_turns(const struct bb_state *s, int team)
{
    const struct bb_frame *turn = bb_turn_frame(s);
    bool now = turn && turn->team == team && turn->bits & BB_STARTED &&
               !(turn->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP));
    int turns = bb_variant(s)->turns - s->team[team].turn + now;
    return turns < 0 ? 0 : turns;
}

/* Adds four features, each 1 or 0: whether the turns to spare are fewer than 0, exactly 0, 1, 2. */
static void look_slack(struct look *l, float slack)
{
    look_add(l, slack < 0);
    look_add(l, slack == 0);
    look_add(l, slack == 1);
    look_add(l, slack == 2);
}

static int look_count(const struct bb_state *s, int team, bool standing)
{
    int n = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        n += bb_on_pitch(s, i) && (!standing || bb_is(s, i, BB_UP));
    return n;
}

static void look_numbers(struct look *l)
{
    const struct bb_state *s = l->s;
    float most = bb_variant(s)->pitch_max;
    look_add(l, (float)(look_count(s, l->owner, true) - look_count(s, l->other, true)) / most);
    look_add(l, (float)(look_count(s, l->owner, false) - look_count(s, l->other, false)) / most);
    look_add(l, (float)l->out->turns[l->owner] / 8);
    look_add(l, (float)l->out->turns[l->other] / 8);
    look_add(l, l->view.reroll);
}

/* --- a carrier --- */

/* Probability that the carrier runs into the end zone in this turn. */
static float look_run(const struct look *l, int carrier)
{
    struct bot_reach reach;
    float best = 0;
    bot_find(&l->view, carrier, &reach);
    for (int i = 0; i < reach.count; ++i)
        if (bot_far(l->s, l->owner, reach.label[i].square) == 0 && reach.label[i].chance > best)
            best = reach.label[i].chance;
    return l->view.reroll ? best * (2 - best) : best;
}

static void look_needed(struct look *l, int carrier, bool ready)
{
    const struct bb_state *s = l->s;
    int far = bot_far(s, l->owner, s->player[carrier].square), ma = bb_ma(s, carrier);
    int now = ready ? bb_moves_left(s, carrier, true) : 0;
    int needed = 0;
    if (!(ready && far <= now))
        needed = (far - (now > 1 ? now - 1 : 0) + ma) / (ma + 1);
    if (!ready && far <= ma + 2)
        needed = 1;
    l->out->needed = (float)(needed + ready);
    float slack = (float)l->out->turns[l->owner] - l->out->needed;
    look_add(l, (float)far / (float)bb_variant(s)->width);
    look_slack(l, slack);
    look_add(l, l->out->needed <= 1);
    look_add(l, l->out->needed == 2);
    look_add(l, l->out->needed == 3);
}

static void look_guards(struct look *l, int carrier)
{
    const struct bb_state *s = l->s;
    int square = s->player[carrier].square, corners = 0;
    float zones = l->view.zones[l->other][square];
    float mates = l->view.zones[l->owner][square];
    for (unsigned k = 0; k < 8; ++k) {
        int mate = bb_at(s, square + bb_d8(s, k));
        corners += (k == 0 || k == 2 || k == 5 || k == 7) && mate != BB_NONE &&
                   bb_team_of(mate) == l->owner && bb_has_zone(s, mate);
    }
    look_add(l, look_least(zones, 4) / 2);
    look_add(l, zones > 0);
    look_add(l, look_least(mates, 4) / 2);
    look_add(l, (float)corners / 2);
}

/* Features of the opponents who can attack the carrier or stand in the way. */
static void look_around(struct look *l, int carrier)
{
    const struct bb_state *s = l->s;
    int square = s->player[carrier].square, far = bot_far(s, l->owner, square);
    float free = 0, held = 0, nearest = 8, ahead[2] = {0, 0};
    for (int i = 0; i < BB_PLAYERS; ++i) {
        if (i == carrier || s->player[i].number == 0 || !bb_on_pitch(s, i) ||
            bb_is(s, i, BB_STUNNED))
            continue;
        int at = s->player[i].square, gap = bb_distance(at, square), team = bb_team_of(i);
        bool up = bb_is(s, i, BB_UP);
        int front = far - bot_far(s, l->owner, at), aside = bb_y(at) - bb_y(square);
        if (up && front >= 0 && front <= 8 && aside <= 4 && aside >= -4)
            ++ahead[team == l->owner ? 0 : 1];
        if (team == l->owner)
            continue;
        if (up && (float)gap < nearest)
            nearest = (float)gap;
        if (gap - 1 > bb_ma(s, i) - (up ? 0 : 3) + 1)
            continue;
        *(l->view.zones[l->owner][at] ? &held : &free) += up ? 1 : 0.5f;
    }
    look_add(l, look_least(free, 5) / 2);
    look_add(l, look_least(held, 5) / 2);
    look_add(l, look_least(ahead[1], 5) / 3);
    look_add(l, look_least(ahead[0], 5) / 3);
    look_add(l, nearest / 8);
}

static void look_carrier(struct look *l, int carrier)
{
    const struct bb_state *s = l->s;
    bool ready = s->current == l->owner && !bb_is(s, carrier, BB_USED | BB_STUNNED);
    int y = bb_y(s->player[carrier].square);
    l->out->mode = ready ? EVAL_CARRIED : EVAL_DEFENDED;
    if (s->current == l->owner && !ready && l->out->turns[l->owner] > 0)
        --l->out->turns[l->owner]; /* the owner cannot do more in this turn */
    look_needed(l, carrier, ready);
    float run = ready && l->out->needed <= 1 ? look_run(l, carrier) : 0;
    look_add(l, run);
    look_add(l, run * run);
    look_guards(l, carrier);
    look_around(l, carrier);
    look_numbers(l);
    look_add(l, (float)(s->player[carrier].ag - 3));
    look_add(l, (float)(s->player[carrier].ma - 6) / 2);
    look_add(l, y == 1 || y == bb_variant(s)->height - 2);
}

/* --- a loose ball --- */

static float look_gap(const struct bb_state *s, int player, int square)
{
    float gap = (float)bb_distance(s->player[player].square, square);
    return gap + (bb_is(s, player, BB_STUNNED) ? 9 : bb_is(s, player, BB_UP) ? 0 : 3);
}

/* Probability that one of the nearest players gets the ball in this turn. */
static float look_fetch(const struct look *l)
{
    const struct bb_state *s = l->s;
    uint32_t seen = 0;
    float best = 0;
    for (int n = 0; n < LOOK_NEAR; ++n) {
        int nearest = BB_NONE;
        for (int i = bb_first(l->owner); i < bb_end(s, l->owner); ++i)
            if (bb_on_pitch(s, i) && !(seen >> i & 1) && !bb_is(s, i, BB_USED | BB_STUNNED) &&
                look_gap(s, i, s->ball) <= (float)(bb_ma(s, i) + 2) &&
                (nearest == BB_NONE || look_gap(s, i, s->ball) < look_gap(s, nearest, s->ball)))
                nearest = i;
        if (nearest == BB_NONE)
            break;
        struct bot_reach reach;
        seen |= (uint32_t)1 << nearest;
        bot_find(&l->view, nearest, &reach);
        float chance = bot_chance(&reach, s->ball);
        best = chance > best ? chance : best;
    }
    return l->view.reroll ? best * (2 - best) : best;
}

static void look_side(struct look *l, int team)
{
    const struct bb_state *s = l->s;
    float nearest = 12, near = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        if (!bb_on_pitch(s, i))
            continue;
        float gap = look_gap(s, i, s->ball);
        nearest = look_least(gap, nearest);
        near += gap <= 3;
    }
    float far = (float)bot_far(s, team, s->ball);
    int needed = (int)(far + 6) / 7;
    look_add(l, nearest / 6);
    look_add(l, look_least(near, 5) / 3);
    look_add(l, look_least(l->view.zones[team][s->ball], 4) / 2);
    look_slack(l, (float)(l->out->turns[team] - (needed > 0 ? needed : 1)));
    look_add(l, far / (float)bb_variant(s)->width);
}

static void look_loose(struct look *l)
{
    const struct bb_state *s = l->s;
    bool lies = s->ball_on_ground && !s->ball_carried;
    float fetch = lies && s->current == l->owner ? look_fetch(l) : 0;
    l->out->mode = EVAL_LOOSE;
    l->out->needed = 2;
    look_side(l, l->owner);
    look_side(l, l->other);
    look_add(l, fetch);
    look_add(l, lies);
    look_numbers(l);
}

/* --- all features --- */

void eval_look_at_kick(int receiver_turns, int kicker_turns, float squads, float *x)
{
    memset(x, 0, EVAL_FEATURES * sizeof *x);
    x[0] = 1;
    for (int i = 0; i < 5; ++i)
        x[1 + i] = receiver_turns == i;
    x[6] = (float)receiver_turns / 8;
    x[7] = (float)kicker_turns / 8;
    x[8] = kicker_turns == 0;
    x[9] = kicker_turns == 1;
    x[10] = squads;
}

/* Players who can take part in the next drive, as a share of a full team; a knocked-out player
 * counts half. */
static float look_squad(const struct bb_state *s, int team)
{
    float n = (float)(look_count(s, team, false) + s->team[team].listed[BB_RESERVES]) +
              0.5f * (float)s->team[team].listed[BB_KO];
    float most = bb_variant(s)->pitch_max;
    return look_least(n, most) / most;
}

bool eval_look(const struct bb_state *s, struct eval_view *out)
{
    struct look l = {.s = s, .out = out};
    const struct bb_frame *turn = bb_turn_frame(s);
    if (s->over || s->kick_drive == BB_NOBODY)
        return false;
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        out->turns[team] = look_turns(s, team);
    memset(out->x, 0, sizeof out->x);
    if (!s->ball_out || !turn) {
        out->mode = EVAL_KICK;
        out->owner = bb_opponent(s->kick_drive);
        out->needed = 3;
        out->squads = look_squad(s, out->owner) - look_squad(s, s->kick_drive);
        eval_look_at_kick(out->turns[out->owner], out->turns[s->kick_drive], out->squads, out->x);
        return true;
    }
    bot_look(&l.view, &bot_usual, s, s->current == BB_NOBODY ? turn->team : s->current);
    int carrier = l.view.carrier;
    l.owner = out->owner = carrier != BB_NONE ? bb_team_of(carrier) : l.view.team;
    l.other = bb_opponent(l.owner);
    out->squads = look_squad(s, l.owner) - look_squad(s, l.other);
    look_add(&l, 1);
    if (carrier != BB_NONE)
        look_carrier(&l, carrier);
    else
        look_loose(&l);
    return true;
}
