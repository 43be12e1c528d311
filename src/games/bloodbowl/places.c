/* Players and squares: who stands on a square, who is next to whom, the dugouts
 * (docs/games/bloodbowl-rules.md, "Pitch" and "Players and the ball"). */
#include "games/bloodbowl/rules.h"

#include <string.h>

#define STEP(dx, dy) ((dy)*BB_ROW + (dx))
#define NEIGHBOURS(dx)                                                                   \
    {                                                                                    \
        STEP(dx, 1), STEP(dx, 0), STEP(dx, -1), STEP(0, 1), STEP(0, -1), STEP(-(dx), 1), \
            STEP(-(dx), 0), STEP(-(dx), -1)                                              \
    }
#define EIGHT(dx)                                                                                \
    {                                                                                            \
        STEP(-(dx), -1), STEP(0, -1), STEP(dx, -1), STEP(-(dx), 0), STEP(dx, 0), STEP(-(dx), 1), \
            STEP(0, 1), STEP(dx, 1)                                                              \
    }
const int8_t bb_directions[2][8] = {NEIGHBOURS(1), NEIGHBOURS(-1)};
const int8_t bb_eight[2][8] = {EIGHT(1), EIGHT(-1)};

bool bb_own_half(const struct bb_state *s, int square, int team)
{
    bool right = bb_x(square) >= bb_variant(s)->width / 2;
    return !bb_out(s, square) && right == (team == BB_HOME);
}

bool bb_end_zone(const struct bb_state *s, int square, int scorer)
{
    return !bb_out(s, square) && bb_x(square) == (scorer == BB_HOME ? 1 : bb_variant(s)->width - 2);
}

int bb_half_squares(const struct bb_state *s, int team, uint16_t *out)
{
    const struct bb_variant *v = bb_variant(s);
    int first = team == BB_HOME ? v->width / 2 : 1;
    int end = team == BB_HOME ? v->width - 1 : v->width / 2;
    int n = 0;
    for (int y = 1; y < v->height - 1; ++y)
        for (int x = first; x < end; ++x)
            out[n++] = (uint16_t)bb_square(s->mirrored ? first + end - 1 - x : x, y);
    return n;
}

int bb_agility(int ag)
{
    static const uint8_t target[11] = {6, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1};
    return target[ag];
}

int bb_clamp(int target)
{
    return target < 2 ? 2 : target > 6 ? 6 : target;
}

int bb_gfis(const struct bb_state *s, int player)
{
    return bb_skilled(s, player, BB_SKILL_SPRINT) ? 3 : 2;
}

int bb_moves_left(const struct bb_state *s, int player, bool with_gfi)
{
    if (bb_is(s, player, BB_ROOTED | BB_USED | BB_STUNNED))
        return 0;
    int left = bb_ma(s, player) - s->player[player].moves;
    if (with_gfi)
        left += bb_gfis(s, player);
    return left > 0 ? left : 0;
}

unsigned bb_around(const struct bb_state *s, int square, int team)
{
    unsigned set = 0;
    for (int i = 0; i < 8; ++i) {
        unsigned there = s->pitch[square + bb_direction(s, i)];
        /* player + 1: home 1..16, away 17..32 */
        set |= (unsigned)(there && (int)((there - 1) / BB_TEAM_MAX) == team) << i;
    }
    return set;
}

int bb_zones(const struct bb_state *s, int player, int square)
{
    int opponent = bb_opponent(bb_team_of(player)), zones = 0;
    for (int i = 0; i < 8; ++i) {
        int there = bb_at(s, square + bb_direction(s, i));
        if (there != BB_NONE && bb_team_of(there) == opponent && bb_has_zone(s, there))
            ++zones;
    }
    return zones;
}

unsigned bb_opponents_with(const struct bb_state *s, int player, enum bb_skill skill, bool standing)
{
    int square = s->player[player].square;
    unsigned set = bb_around(s, square, bb_opponent(bb_team_of(player))), with = 0;
    for (int i = 0; i < 8; ++i) {
        if (!(set >> i & 1))
            continue;
        int there = bb_at(s, square + bb_direction(s, i));
        if (bb_skilled(s, there, skill) && (!standing || bb_is(s, there, BB_UP)))
            with |= 1u << i;
    }
    return with;
}

/* Opponents with Disturbing Presence within three squares
 * (docs/games/bloodbowl-rules.md, "The ball"). */
int bb_presence(const struct bb_state *s, int player)
{
    int team = bb_opponent(bb_team_of(player)), n = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        n += bb_skilled(s, i, BB_SKILL_DISTURBING_PRESENCE) && bb_on_pitch(s, i) &&
             bb_distance(s->player[i].square, s->player[player].square) <= 3 &&
             (bb_quirk(s, BB_QUIRK_PRONE_PRESENCE) || bb_is(s, i, BB_UP));
    return n;
}

int bb_catcher(const struct bb_state *s, int square)
{
    int on = bb_at(s, square), diver = BB_NONE;
    if (on != BB_NONE)
        return on;
    for (int i = 0; i < 8; ++i) {
        int there = bb_at(s, square + bb_direction(s, i));
        if (there == BB_NONE || !bb_is(s, there, BB_UP) || bb_out(s, s->player[there].square) ||
            !bb_skilled(s, there, BB_SKILL_DIVING_CATCH))
            continue;
        if (diver != BB_NONE)
            return BB_NONE;
        diver = there;
    }
    return diver;
}

/* --- moving --- */

void bb_put(struct bb_state *s, int player, int square)
{
    s->player[player].square = (uint16_t)square;
    if (!bb_is(s, player, BB_IN_AIR))
        s->pitch[square] = (uint8_t)(player + 1);
}

void bb_remove(struct bb_state *s, int player)
{
    if (!bb_is(s, player, BB_IN_AIR))
        s->pitch[s->player[player].square] = 0;
    s->player[player].square = BB_NOWHERE;
}

void bb_move_player(struct bb_state *s, int player, int square)
{
    int from = s->player[player].square;
    if (s->ball_out && s->ball_carried && s->ball == from)
        s->ball = (uint16_t)square;
    bb_remove(s, player);
    bb_put(s, player, square);
}

void bb_to_list(struct bb_state *s, int player, enum bb_place place)
{
    struct bb_team *team = &s->team[bb_team_of(player)];
    team->list[place][team->listed[place]++] = (uint8_t)player;
}

void bb_unlist(struct bb_state *s, int player, enum bb_place place)
{
    struct bb_team *team = &s->team[bb_team_of(player)];
    uint8_t *list = team->list[place];
    int n = team->listed[place], i = 0;
    while (i < n && list[i] != player)
        ++i;
    if (i == n)
        return;
    memmove(list + i, list + i + 1, (size_t)(n - i - 1));
    list[n - 1] = 0;
    team->listed[place] = (uint8_t)(n - 1);
}

void bb_to_reserves(struct bb_state *s, int player)
{
    bb_remove(s, player);
    bb_to_list(s, player, BB_RESERVES);
    bb_clear(s, player, BB_USED);
    bb_set(s, player, BB_UP);
}

void bb_to_pitch(struct bb_state *s, int player, int square)
{
    bb_unlist(s, player, BB_RESERVES);
    if (bb_at(s, square) != BB_NONE)
        bb_to_reserves(s, bb_at(s, square));
    if (!bb_quirk(s, BB_QUIRK_AIRBORNE))
        bb_clear(s, player, BB_IN_AIR);
    bb_put(s, player, square);
    bb_set(s, player, BB_UP);
}

void bb_prone(struct bb_state *s, int player)
{
    bb_clear(s, player, BB_UP | BB_ROOTED);
}

void bb_injure(struct bb_state *s, int player, enum bb_injury injury)
{
    uint16_t *injuries = &s->player[player].injuries;
    int shift = 0;
    while (shift < 12 && *injuries >> shift & 15)
        shift += 4;
    *injuries = (uint16_t)(*injuries | (unsigned)injury << shift);
}

void bb_drop_ball_at(struct bb_play *p, int square)
{
    if (bb_ball_lies_at(p->s, square) && !bb_out(p->s, square))
        bb_run_bounce(p, BB_NONE, 0);
}
