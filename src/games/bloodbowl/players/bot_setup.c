/* How the scripted coach sets up, kicks, and answers a touchback or High Kick. */
#include "games/bloodbowl/players/bot_step.h"
#include "games/bloodbowl/rules.h"

static struct bb_action setup_bare(int type)
{
    return (struct bb_action){.type = (uint8_t)type, .player = BB_NONE, .square = BB_NOWHERE};
}

static int setup_on_pitch(const struct bb_state *s, int team)
{
    int n = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        n += bb_on_pitch(s, i);
    return n;
}

/* Places a reserve on the first free square of the line of scrimmage, then behind the line. */
static struct bb_action setup_fill(const struct bb_state *s, int team)
{
    const struct bb_variant *v = bb_variant(s);
    for (int back = 0; back < v->width / 2 - 1; ++back)
        for (int y = v->centre_top; y <= v->centre_bottom; ++y) {
            int x = team == BB_HOME ? v->width / 2 + back : v->width / 2 - 1 - back;
            if (s->team[team].listed[BB_RESERVES] && bb_at(s, bb_square(x, y)) == BB_NONE)
                return (struct bb_action){.type = BB_DO_PLACE_PLAYER,
                                          .player = s->team[team].list[BB_RESERVES][0],
                                          .square = (uint16_t)bb_square(x, y)};
        }
    return setup_bare(BB_DO_END_SETUP);
}

/* The first formation, but to kick the last one: on the full pitch it won more (docs/results.md). */
static int setup_formation(const struct bb_state *s, int team)
{
    const struct bb_variant *v = bb_variant(s);
    if (team != s->kick_drive)
        return v->offence[0].action;
    return v->defence[v->defence[1].spots ? 1 : 0].action;
}

struct bb_action bot_setup(const struct bb_state *s)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    const struct bb_variant *v = bb_variant(s);
    int on = setup_on_pitch(s, f->team), all = on + s->team[f->team].listed[BB_RESERVES];
    bool full = on >= (all < v->pitch_max ? all : v->pitch_max);
    if (bb_setup_legal(s, f->team) && (full || f->phase == 1 || s->idle > 0))
        return setup_bare(BB_DO_END_SETUP);
    if (s->idle == 0)
        return setup_bare(setup_formation(s, f->team));
    return setup_fill(s, f->team);
}

/* The kick goes deep into the receivers' half, but not so deep that the scatter makes a touchback
 * likely. */
struct bb_action bot_kick(const struct bb_state *s)
{
    const struct bb_variant *v = bb_variant(s);
    int half = v->width / 2 - 1,
        far = v->kick_sides ? half - (v->kick_sides + 1) / 2 - 1 : half - 1;
    if (far < half / 2)
        far = half / 2;
    int receiver = bb_opponent(s->kick_drive);
    int x = receiver == BB_AWAY ? half - far : v->width - 1 - half + far;
    struct bb_action a = setup_bare(BB_DO_PLACE_BALL);
    a.square = (uint16_t)bb_square(x, v->height / 2);
    return a;
}

/* The player with the best chance to hold the ball, preferably without opponents near. */
struct bb_action bot_receiver(const struct bb_state *s, const struct bb_choices *list)
{
    struct bb_action a = setup_bare(BB_DO_SELECT_NONE);
    int best = -1000;
    for (int i = 0; i < list->choice[0].count; ++i) {
        int player = list->option[list->choice[0].first + i].player;
        int points = 4 * s->player[player].ag + s->player[player].ma +
                     4 * bb_skilled(s, player, BB_SKILL_SURE_HANDS) +
                     4 * bb_skilled(s, player, BB_SKILL_CATCH) -
                     5 * bb_zones(s, player, s->player[player].square);
        if (points <= best)
            continue;
        best = points;
        a.type = BB_DO_SELECT_PLAYER;
        a.player = (uint8_t)player;
    }
    return a;
}
