/* The value of a position.
 *
 *     lead   touchdowns ahead
 *     + next touchdown of this half, -1 .. 1: who has the ball, how far, how many turns, how safe
 *     + numbers: who stands, lies, is out
 *     --------------------------------------------------------------------------------------
 *     / how much may still happen (grows with the turns that are left)
 *
 * and the quotient z bent into -1 .. 1 by z / sqrt(1 + z^2).
 */
#include "games/bloodbowl/eval.h"
#include "games/bloodbowl/bot.h"
#include "games/bloodbowl/rules.h"

#include <math.h>

static float eval_limit(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/* Turns in which team can still act in this half. */
static int eval_turns(const struct bb_state *s, int team)
{
    return bb_variant(s)->turns - s->team[team].turn + (s->current == team);
}

static int eval_zones(const struct bb_state *s, int player)
{
    return bb_zones(s, player, s->player[player].square);
}

/* Opponents who can come next to the carrier and are not held, as danger 0 .. 1. */
static float eval_danger(const struct bb_state *s, int carrier)
{
    int team = bb_team_of(carrier), other = bb_opponent(team), square = s->player[carrier].square;
    float danger = 0;
    for (int i = bb_first(other); i < bb_end(s, other); ++i) {
        if (!bb_on_pitch(s, i) || bb_is(s, i, BB_STUNNED))
            continue;
        int gap = bb_distance(s->player[i].square, square) - 1;
        if (gap > bb_ma(s, i) + (bb_is(s, i, BB_UP) ? 0 : -3))
            continue;
        danger += gap == 0 ? 0.22f : eval_zones(s, i) ? 0.05f : 0.12f;
    }
    for (unsigned k = 0; k < 8; ++k) { /* the cage */
        int mate = bb_at(s, square + bb_d8(s, k));
        bool corner = k == 0 || k == 2 || k == 5 || k == 7;
        if (mate != BB_NONE && bb_team_of(mate) == team && bb_has_zone(s, mate))
            danger *= corner ? 0.84f : 0.9f;
    }
    return eval_limit(danger, 0, 0.7f);
}

/* Chance that the carrier's team scores before this half is over. */
static float eval_carrier(const struct bb_state *s, int carrier)
{
    int team = bb_team_of(carrier), far = bot_far(s, team, s->player[carrier].square);
    int ma = bb_ma(s, carrier), turns = eval_turns(s, team);
    bool ready = s->current == team && !bb_is(s, carrier, BB_USED | BB_STUNNED);
    if (s->current == team && !ready)
        --turns;
    int moves = ready ? bb_moves_left(s, carrier, true) : ma + 2;
    int needed = far <= moves ? 1 : 2 + (far - moves - 1) / (ma + 1);
    if (turns < needed)
        return turns > 0 && far <= 2 * (ma + 2) ? 0.08f : 0.02f;
    float chance = 0.92f;
    for (int i = 1; i < needed; ++i) /* each further turn is one more chance for them */
        chance *= 0.84f;
    chance -= 0.1f * (float)far / (float)bb_variant(s)->width;
    if (ready)
        return chance * (1 - 0.12f * eval_limit((float)eval_zones(s, carrier), 0, 3));
    return chance * (1 - eval_danger(s, carrier));
}

/* Their ball: what stands between the carrier and our end zone. */
static float eval_screen(const struct bb_state *s, int carrier)
{
    int team = bb_opponent(bb_team_of(carrier)), square = s->player[carrier].square;
    int far = bot_far(s, bb_opponent(team), square);
    float screen = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        if (!bb_on_pitch(s, i) || !bb_is(s, i, BB_UP))
            continue;
        int ahead = far - bot_far(s, bb_opponent(team), s->player[i].square);
        int aside = bb_y(s->player[i].square) - bb_y(square);
        if (ahead >= 0 && ahead <= 6 && aside <= 4 && aside >= -4)
            screen += 0.03f;
    }
    return eval_limit(screen, 0, 0.12f);
}

/* How near a team is to the ball that lies or flies, in moves. */
static float eval_gap(const struct bb_state *s, int team)
{
    float least = 20;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        if (!bb_on_pitch(s, i))
            continue;
        float gap = (float)bb_distance(s->player[i].square, s->ball);
        gap += bb_is(s, i, BB_STUNNED) ? 9 : bb_is(s, i, BB_UP) ? 0 : 3;
        if (s->current == team && bb_is(s, i, BB_USED))
            gap += 5;
        gap += 0.5f * (float)(4 - s->player[i].ag);
        if (gap < least)
            least = gap;
    }
    return least;
}

static int eval_zones_of(const struct bb_state *s, int team, int square)
{
    int n = 0;
    for (unsigned k = 0; k < 8; ++k) {
        int there = bb_at(s, square + bb_d8(s, k));
        n += there != BB_NONE && bb_team_of(there) == team && bb_has_zone(s, there);
    }
    return n;
}

/* A ball that nobody holds, for home. */
static float eval_loose(const struct bb_state *s)
{
    float gap = eval_gap(s, BB_AWAY) - eval_gap(s, BB_HOME);
    gap += s->current == BB_HOME ? 1.5f : s->current == BB_AWAY ? -1.5f : 0;
    gap += 0.8f * (float)(eval_zones_of(s, BB_HOME, s->ball) - eval_zones_of(s, BB_AWAY, s->ball));
    float share = eval_limit(gap / 6, -1, 1);
    float far = (float)bot_far(s, share > 0 ? BB_HOME : BB_AWAY, s->ball);
    float width = (float)bb_variant(s)->width;
    int turns = eval_turns(s, share > 0 ? BB_HOME : BB_AWAY);
    float time = far > (float)turns * 7 ? 0.2f : 1;
    return share * time * (0.5f - 0.25f * far / width);
}

/* Expected touchdowns of the drive, home's less away's. */
static float eval_drive(const struct bb_state *s)
{
    if (!s->ball_out || !bb_turn_frame(s)) { /* before a kick-off: the receivers' */
        int receiver = bb_opponent(s->kick_drive);
        if (s->kick_drive == BB_NOBODY)
            return 0;
        int turns = eval_turns(s, receiver);
        float worth = turns >= 4 ? 0.35f : turns >= 2 ? 0.18f : turns == 1 ? 0.05f : 0;
        return receiver == BB_HOME ? worth : -worth;
    }
    int carrier = s->ball_carried && s->ball_on_ground ? bb_at(s, s->ball) : BB_NONE;
    if (carrier == BB_NONE)
        return eval_loose(s);
    int team = bb_team_of(carrier);
    float chance = eval_carrier(s, carrier);
    if (s->current != team || bb_is(s, carrier, BB_USED))
        chance -= eval_screen(s, carrier) * (chance > 0.3f ? 1 : 0.2f);
    return team == BB_HOME ? chance : -chance;
}

static float eval_players(const struct bb_state *s, int team)
{
    float sum = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        const struct bb_player *who = &s->player[i];
        float worth = 1 + 0.15f * (float)(who->st - 3) + 0.04f * (float)who->skill_count;
        if (bb_on_pitch(s, i))
            sum += worth * (bb_is(s, i, BB_UP) ? 1 : bb_is(s, i, BB_STUNNED) ? 0.6f : 0.82f);
    }
    sum += 0.8f * (float)s->team[team].listed[BB_RESERVES];
    return sum + 0.35f * (float)s->team[team].listed[BB_KO];
}

static float eval_numbers(const struct bb_state *s)
{
    float gap = eval_players(s, BB_HOME) - eval_players(s, BB_AWAY);
    gap += 0.25f * (float)(s->team[BB_HOME].rerolls - s->team[BB_AWAY].rerolls);
    return 0.5f * gap / (float)(bb_variant(s)->pitch_max + 1);
}

float bb_value(const struct bb_state *s, int team)
{
    int lead = s->team[BB_HOME].score - s->team[BB_AWAY].score;
    if (s->over)
        return (float)((lead > 0) - (lead < 0)) * (team == BB_HOME ? 1.0f : -1.0f);
    float turns = 0.5f * (float)(eval_turns(s, BB_HOME) + eval_turns(s, BB_AWAY));
    if (s->half == 1)
        turns += (float)bb_variant(s)->turns;
    float half = turns / (float)(2 * bb_variant(s)->turns);
    float sum = (float)lead + eval_drive(s) + eval_numbers(s) * (0.3f + 0.7f * half);
    float z = sum / sqrtf(0.12f + 0.13f * turns);
    float value = z / sqrtf(1 + z * z);
    return team == BB_HOME ? value : -value;
}
