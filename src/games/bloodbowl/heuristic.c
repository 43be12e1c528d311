/* A rough idea of who will win. */
#include "games/bloodbowl/game.h"
#include "games/bloodbowl/rules.h"

/* How much nearer a touchdown a team with the ball is, 0.1 far from it .. 0.3 on the line. */
static float heuristic_ball(const struct bb_state *s)
{
    if (!s->ball_out || !s->ball_carried || !s->ball_on_ground)
        return 0;
    int carrier = bb_at(s, s->ball);
    if (carrier == BB_NONE)
        return 0;
    int width = bb_variant(s)->width, home = bb_team_of(carrier) == BB_HOME;
    int far = home ? bb_x(s->ball) - 1 : width - 2 - bb_x(s->ball);
    float worth = 0.1f + 0.2f * (1 - (float)far / (float)(width - 3));
    return home ? worth : -worth;
}

static float heuristic_players(const struct bb_state *s, int team)
{
    float sum = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (bb_on_pitch(s, i))
            sum += bb_is(s, i, BB_UP) ? 1.0f : bb_is(s, i, BB_STUNNED) ? 0.4f : 0.6f;
    return sum;
}

float bb_heuristic(const struct bb_state *s, int player)
{
    int lead = s->team[BB_HOME].score - s->team[BB_AWAY].score;
    if (s->over)
        return (float)((lead > 0) - (lead < 0)) * (player == BB_HOME ? 1.0f : -1.0f);
    float home = heuristic_players(s, BB_HOME), away = heuristic_players(s, BB_AWAY);
    float value = (float)lead + heuristic_ball(s);
    if (home + away > 0)
        value += 0.2f * (home - away) / (home + away);
    value = value / (1 + (value < 0 ? -value : value)) * 1.2f;
    value = value > 1 ? 1 : value < -1 ? -1 : value;
    return player == BB_HOME ? value : -value;
}
