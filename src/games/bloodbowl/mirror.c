/* Exchanges home and away in a state and in actions. */
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

static uint16_t mirror_square(const struct bb_state *s, unsigned square)
{
    if (square == BB_NOWHERE)
        return BB_NOWHERE;
    return (uint16_t)bb_square(bb_variant(s)->width - 1 - bb_x((int)square), bb_y((int)square));
}

static uint8_t mirror_player(unsigned player)
{
    return (uint8_t)(player == BB_NONE ? BB_NONE : player ^ BB_TEAM_MAX);
}

static uint8_t mirror_team(unsigned team)
{
    return (uint8_t)(team == BB_NOBODY ? BB_NOBODY : !team);
}

static void mirror_players(const struct bb_state *s, struct bb_state *out)
{
    for (int i = 0; i < BB_PLAYERS; ++i) {
        struct bb_player *who = &out->player[i ^ BB_TEAM_MAX];
        *who = s->player[i];
        who->square = mirror_square(s, who->square);
    }
    for (int i = 0; i < BB_SQUARES; ++i)
        out->pitch[i] = 0;
    for (int i = 0; i < BB_SQUARES; ++i)
        if (s->pitch[i])
            out->pitch[mirror_square(s, (unsigned)i)] =
                (uint8_t)(mirror_player(s->pitch[i] - 1u) + 1);
}

static void mirror_teams(const struct bb_state *s, struct bb_state *out)
{
    for (int t = BB_HOME; t <= BB_AWAY; ++t) {
        struct bb_team *team = &out->team[!t];
        *team = s->team[t];
        for (int place = 0; place < BB_PLACES; ++place)
            for (int i = 0; i < team->listed[place]; ++i)
                team->list[place][i] = mirror_player(team->list[place][i]);
    }
}

static void mirror_frames(const struct bb_state *s, struct bb_state *out)
{
    for (int i = 0; i < s->depth; ++i) {
        struct bb_frame *f = &out->frame[i];
        f->team = mirror_team(f->team);
        f->player = mirror_player(f->player);
        f->other = mirror_player(f->other);
        f->square = mirror_square(s, f->square);
        f->from = mirror_square(s, f->from);
    }
}

void bb_mirror(const struct bb_state *s, struct bb_state *out)
{
    *out = *s;
    mirror_players(s, out);
    mirror_teams(s, out);
    mirror_frames(s, out);
    out->current = mirror_team(s->current);
    out->toss = mirror_team(s->toss);
    out->kick_first = mirror_team(s->kick_first);
    out->kick_drive = mirror_team(s->kick_drive);
    out->order = mirror_team(s->order);
    out->active = mirror_player(s->active);
    out->ball = mirror_square(s, s->ball);
    out->bomb = mirror_square(s, s->bomb);
    out->path_square = mirror_square(s, s->path_square);
    out->mirrored = !s->mirrored;
}

/* Mirrors an action.  The directions of a path are stored as numbers, which a mirrored state
 * interprets in mirrored form, so the path itself stays as it is. */
banyan_action bb_mirror_action(const struct bb_state *s, banyan_action action)
{
    struct bb_action a = bb_action_unpack(s, action);
    a.player = mirror_player(a.player);
    a.square = mirror_square(s, a.square);
    return bb_action_pack(&a);
}
