/* The value of squares for players with and without the ball, in points of the script.
 *
 * Squares near the ball's square q give points to a player without the ball:
 *
 *    we have it    the corners of the cage around q (where the carrier goes), then squares in front
 *    nobody has it squares next to q, or near it
 *    they have it  squares next to the carrier, or between the carrier and our end zone
 *
 * A ball carrier gets points for squares near the end zone and loses points for squares that
 * opponents can reach.
 */
#include "games/bloodbowl/players/bot_field.h"
#include "games/bloodbowl/rules.h"

#include <string.h>

static float field_abs(int x)
{
    return (float)(x < 0 ? -x : x);
}

static float field_cage(const struct bot_field *field, int square, int distance)
{
    const struct bb_state *s = field->view->s;
    const struct bot_points *points = field->view->points;
    int team = field->view->team;
    if (distance == 1) {
        bool corner = bb_x(square) != bb_x(field->centre) && bb_y(square) != bb_y(field->centre);
        return corner ? points->corner : points->side;
    }
    int ahead = bot_far(s, team, field->centre) - bot_far(s, team, square);
    float sum = points->near - points->near_step * (float)distance;
    return ahead > 0 && ahead <= 6 ? sum + points->ahead : sum;
}

static float field_loose(const struct bot_points *points, int distance)
{
    return distance == 1   ? points->loose_next
           : distance == 2 ? points->loose_two
                           : 5 - points->loose_step * (float)distance;
}

static float field_defend(const struct bot_field *field, int square, int distance)
{
    const struct bb_state *s = field->view->s;
    const struct bot_points *points = field->view->points;
    /* by how many columns the square is nearer to our end zone than the ball */
    int behind = bot_far(s, field->view->opponent, field->centre) -
                 bot_far(s, field->view->opponent, square);
    if (distance == 1)
        return behind > 0 ? points->mark_behind : points->mark;
    float sum = points->guard - points->guard_step * (float)distance;
    if (behind > 0 && behind <= 5)
        sum +=
            points->between - points->between_step * field_abs(bb_y(square) - bb_y(field->centre));
    return behind < 0 ? sum - points->passed : sum;
}

static float field_edge(const struct bot_view *view, int square)
{
    const struct bb_variant *v = bb_variant(view->s);
    int y = bb_y(square);
    return v->height > 5 && (y == 1 || y == v->height - 2) ? view->points->edge : 0;
}

/* Number of the player's team-mates whose tackle zones cover the square. */
static int field_mates(const struct bot_view *view, int player, int square)
{
    const struct bb_state *s = view->s;
    return view->zones[view->team][square] -
           (bb_adjacent(s->player[player].square, square) && bb_has_zone(s, player));
}

/* The points that do not depend on the player. */
static float field_anybody(const struct bot_field *field, int square)
{
    const struct bot_view *view = field->view;
    bool ours = field->possession == BOT_BALL_OURS;
    float points = 0;
    int distance = field->centre == BB_NOWHERE ? 0 : bb_distance(square, field->centre);
    switch (field->possession) {
    case BOT_BALL_OURS:
        points = field_cage(field, square, distance);
        break;
    case BOT_BALL_LOOSE:
        points = field_loose(view->points, distance);
        break;
    case BOT_BALL_THEIRS:
        points = field_defend(field, square, distance);
        break;
    default:
        break;
    }
    if (distance > 1) { /* spread out, and stay out of the opponents' tackle zones */
        points -= (ours ? view->points->crowd : view->points->crowd_theirs) *
                  (float)view->zones[view->team][square];
        if (view->zones[view->opponent][square])
            points -= ours ? view->points->zone : view->points->zone_theirs;
    }
    return points - field_edge(view, square);
}

float bot_field_points(struct bot_field *field, int player, int square)
{
    const struct bot_view *view = field->view;
    const struct bb_state *s = view->s;
    float points = field->map[square];
    if (points != points)
        points = field->map[square] = field_anybody(field, square);
    const struct bot_assist *assist = &field->assist[square];
    points += assist->blocker == player ? assist->second : assist->points;
    if (field->centre == BB_NOWHERE || bb_distance(square, field->centre) <= 1)
        return points;
    if (s->player[player].st < 3 && view->zones[view->opponent][square])
        points -= 1;
    if (bb_adjacent(s->player[player].square, square) && bb_has_zone(s, player))
        points += 0.5f; /* field_anybody has counted the player's own tackle zone */
    return points;
}

/* Number of opponents who can move next to the square, threat_most at most; an opponent whom a
 * team-mate of the player marks counts threat_held. */
static float field_threat(const struct bot_view *view, int player, int square)
{
    int from = view->s->player[player].square;
    float threat = 0;
    for (int i = 0; i < view->threats && threat < view->points->threat_most; ++i) {
        const struct bot_threat *foe = &view->threat[i];
        if (bb_distance(foe->square, square) - 1 > foe->reach)
            continue;
        bool held = view->zones[view->team][foe->square] > (bb_adjacent(from, foe->square) ? 1 : 0);
        threat += held ? view->points->threat_held : 1;
    }
    return threat < view->points->threat_most ? threat : view->points->threat_most;
}

float bot_carrier_points(const struct bot_view *view, int player, int square)
{
    const struct bb_state *s = view->s;
    const struct bot_points *points = view->points;
    int far = bot_far(s, view->team, square), ma = bb_ma(s, player);
    if (far == 0)
        return BOT_TOUCHDOWN - points->wait * (float)(view->turns - 1);
    float sum = points->way - points->way * (float)far / (float)(bb_variant(s)->width - 3);
    sum -= points->threat * field_threat(view, player, square);
    sum -= points->carrier_zone * (float)view->zones[view->opponent][square];
    sum += points->carrier_mate * (float)field_mates(view, player, square);
    if (far > (view->turns - 1) * (ma + 1))
        sum -= points->late + (float)(far - (view->turns - 1) * (ma + 1));
    return sum - 2 * field_edge(view, square);
}

int bot_run(const struct bot_view *view, int player, const struct bot_reach *reach, float *chance,
            float *points)
{
    const struct bb_state *s = view->s;
    int from = s->player[player].square, to = BB_NOWHERE;
    float stay = bot_carrier_points(view, player, from), best = 0;
    for (int i = 1; i < reach->count; ++i) {
        const struct bot_label *label = &reach->label[i];
        if (reach->best[label->square] != i)
            continue;
        float p = label->chance;
        if (view->reroll)
            p *= 2 - p;
        float gain = bot_carrier_points(view, player, label->square) - stay;
        float worth = p * gain - (1 - p) * view->points->lost_ball;
        if (worth <= best)
            continue;
        best = worth;
        to = label->square;
        *chance = p;
    }
    *points = best;
    return to;
}

void bot_field_open(struct bot_field *field, const struct bot_view *view)
{
    const struct bb_state *s = view->s;
    field->view = view;
    field->centre = view->ball;
    field->possession = BOT_NO_BALL;
    memset(field->assist, 0, sizeof field->assist);
    memset(field->map, 0xff, sizeof field->map);
    if (view->ball == BB_NOWHERE)
        return;
    field->possession = BOT_BALL_LOOSE;
    if (view->carrier == BB_NONE)
        return;
    field->possession = bb_team_of(view->carrier) == view->team ? BOT_BALL_OURS : BOT_BALL_THEIRS;
    if (field->possession == BOT_BALL_OURS && !bb_is(s, view->carrier, BB_USED | BB_STUNNED)) {
        struct bot_reach reach;
        float chance, points;
        bot_find(view, view->carrier, &reach);
        int to = bot_run(view, view->carrier, &reach, &chance, &points);
        if (to != BB_NOWHERE && bot_far(s, view->team, to) > 0)
            field->centre = to;
    }
}
