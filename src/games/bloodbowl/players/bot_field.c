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
    int team = field->view->team;
    if (distance == 1) {
        bool corner = bb_x(square) != bb_x(field->centre) && bb_y(square) != bb_y(field->centre);
        return corner ? 9 : 5;
    }
    int ahead = bot_far(s, team, field->centre) - bot_far(s, team, square);
    float points = 3 - 0.3f * (float)distance;
    return ahead > 0 && ahead <= 6 ? points + 1.5f : points;
}

static float field_loose(int distance)
{
    return distance == 1 ? 8 : distance == 2 ? 5.5f : 5 - 0.4f * (float)distance;
}

static float field_defend(const struct bot_field *field, int square, int distance)
{
    const struct bb_state *s = field->view->s;
    /* by how many columns the square is nearer to our end zone than the ball */
    int behind = bot_far(s, field->view->opponent, field->centre) -
                 bot_far(s, field->view->opponent, square);
    if (distance == 1)
        return behind > 0 ? 11 : 9;
    float points = 5 - 0.4f * (float)distance;
    if (behind > 0 && behind <= 5)
        points += 3 - 0.5f * field_abs(bb_y(square) - bb_y(field->centre));
    return behind < 0 ? points - 2 : points;
}

static float field_edge(const struct bb_state *s, int square)
{
    const struct bb_variant *v = bb_variant(s);
    int y = bb_y(square);
    return v->height > 5 && (y == 1 || y == v->height - 2) ? 0.8f : 0;
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
    float points = 0;
    int distance = field->centre == BB_NOWHERE ? 0 : bb_distance(square, field->centre);
    switch (field->possession) {
    case BOT_BALL_OURS:
        points = field_cage(field, square, distance);
        break;
    case BOT_BALL_LOOSE:
        points = field_loose(distance);
        break;
    case BOT_BALL_THEIRS:
        points = field_defend(field, square, distance);
        break;
    default:
        break;
    }
    if (distance > 1) { /* spread out, and stay out of the opponents' tackle zones */
        points -= 0.5f * (float)view->zones[view->team][square];
        if (view->zones[view->opponent][square])
            points -= 0.5f;
    }
    return points - field_edge(view->s, square);
}

float bot_field_points(struct bot_field *field, int player, int square)
{
    const struct bot_view *view = field->view;
    const struct bb_state *s = view->s;
    float points = field->map[square];
    if (points != points)
        points = field->map[square] = field_anybody(field, square);
    if (field->centre == BB_NOWHERE || bb_distance(square, field->centre) <= 1)
        return points;
    if (s->player[player].st < 3 && view->zones[view->opponent][square])
        points -= 1;
    if (bb_adjacent(s->player[player].square, square) && bb_has_zone(s, player))
        points += 0.5f; /* field_anybody has counted the player's own tackle zone */
    return points;
}

/* Number of opponents who can move next to the square (counting stops at 3); an opponent whom a
 * team-mate of the player marks counts 0.4. */
static float field_threat(const struct bot_view *view, int player, int square)
{
    int from = view->s->player[player].square;
    float threat = 0;
    for (int i = 0; i < view->threats && threat < 3; ++i) {
        const struct bot_threat *foe = &view->threat[i];
        if (bb_distance(foe->square, square) - 1 > foe->reach)
            continue;
        bool held = view->zones[view->team][foe->square] > (bb_adjacent(from, foe->square) ? 1 : 0);
        threat += held ? 0.4f : 1;
    }
    return threat;
}

float bot_carrier_points(const struct bot_view *view, int player, int square)
{
    const struct bb_state *s = view->s;
    int far = bot_far(s, view->team, square), ma = bb_ma(s, player);
    if (far == 0)
        return BOT_TOUCHDOWN;
    float points = 70 - 70 * (float)far / (float)(bb_variant(s)->width - 3);
    float threat = field_threat(view, player, square);
    points -= 1.5f * (threat > 3 ? 3 : threat);
    points -= 5.0f * (float)view->zones[view->opponent][square];
    points += 1.5f * (float)field_mates(view, player, square);
    if (far > (view->turns - 1) * (ma + 1))
        points -= 15 + (float)(far - (view->turns - 1) * (ma + 1));
    return points - 2 * field_edge(s, square);
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
        float worth = p * gain - (1 - p) * BOT_LOST_BALL;
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
