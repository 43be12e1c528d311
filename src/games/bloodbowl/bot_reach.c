/* How safely a player gets to which square, and what the coach sees at a glance. */
#include "games/bloodbowl/bot.h"
#include "games/bloodbowl/rules.h"

#include <string.h>

int bot_far(const struct bb_state *s, int team, int square)
{
    return team == BB_HOME ? bb_x(square) - 1 : bb_variant(s)->width - 2 - bb_x(square);
}

static void view_zones(struct bot_view *view)
{
    const struct bb_state *s = view->s;
    memset(view->zones, 0, sizeof view->zones);
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        for (int i = bb_first(team); i < bb_end(s, team); ++i)
            if (bb_on_pitch(s, i) && bb_has_zone(s, i))
                for (unsigned k = 0; k < 8; ++k)
                    ++view->zones[team][s->player[i].square + bb_d8(s, k)];
}

static void view_closed(struct bot_view *view)
{
    const struct bb_state *s = view->s;
    const struct bb_variant *v = bb_variant(s);
    memset(view->closed, 1, sizeof view->closed);
    for (int y = 1; y < v->height - 1; ++y)
        memcpy(view->closed + bb_square(1, y), s->pitch + bb_square(1, y), (size_t)v->width - 2);
}

void bot_look(struct bot_view *view, const struct bb_state *s, int team)
{
    int turns = bb_variant(s)->turns;
    view->s = s;
    view->team = team;
    view->opponent = bb_opponent(team);
    view->turns = turns - s->team[team].turn + (s->current == team);
    view->ball = s->ball_out ? s->ball : BB_NOWHERE;
    view->carrier = BB_NONE;
    if (s->ball_out && s->ball_carried && s->ball_on_ground)
        view->carrier = bb_at(s, s->ball);
    view->reroll = s->team[team].rerolls > 0 && !s->team[team].reroll_used && s->current == team &&
                   !bb_quick_snap(s);
    view->idle = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        view->idle += bb_on_pitch(s, i) && !bb_is(s, i, BB_USED | BB_STUNNED);
    view_zones(view);
    view_closed(view);
}

float bot_d6(int target)
{
    static const float chance[7] = {5 / 6.0f, 5 / 6.0f, 5 / 6.0f, 4 / 6.0f,
                                    3 / 6.0f, 2 / 6.0f, 1 / 6.0f};
    return chance[bb_clamp(target)];
}

/* --- walking --- */

struct walk {
    const struct bot_view *view;
    struct bot_reach *reach;
    const uint8_t *zones; /* of the opponents */
    int player, ma, most; /* squares without, with going for it */
    int agility;          /* target of a dodge without tackle zones */
    int loose;            /* square of a ball that lies, BB_NOWHERE */
    int goal;             /* column in which a carrier stops, -1 */
    bool stunty, dodges, feet;
};

static float walk_twice(float chance)
{
    return chance * (2 - chance);
}

/* What is the same for all squares next to a label. */
struct walk_from {
    float chance; /* with going for it */
    bool marked;
    uint8_t moves, dodged;
};

static struct walk_from walk_leave(const struct walk *w, const struct bot_label *from)
{
    struct walk_from leave = {.chance = from->chance,
                              .marked = w->zones[from->square] > 0,
                              .moves = (uint8_t)(from->moves + 1),
                              .dodged = from->dodged};
    if (from->moves >= w->ma)
        leave.chance *= w->feet && from->moves == w->ma ? 35 / 36.0f : 5 / 6.0f;
    return leave;
}

static float walk_dodge(const struct walk *w, const struct walk_from *from, int to, uint8_t *dodged)
{
    float dodge = bot_d6(w->agility + (w->stunty ? 0 : w->zones[to]));
    if (!w->dodges || from->dodged)
        return dodge;
    *dodged = 1;
    return walk_twice(dodge);
}

static float walk_pickup(const struct walk *w, int square)
{
    const struct bb_state *s = w->view->s;
    if (bb_skilled(s, w->player, BB_SKILL_NO_HANDS))
        return 0.01f;
    float chance =
        bot_d6(bb_agility(s->player[w->player].ag) - bb_pickup_modifier(s, w->player, square));
    return bb_skilled(s, w->player, BB_SKILL_SURE_HANDS) ? walk_twice(chance) : chance;
}

static inline void walk_add(struct walk *w, const struct walk_from *from, int parent, int to)
{
    struct bot_reach *reach = w->reach;
    uint8_t dodged = from->dodged;
    float chance = from->chance;
    int best = reach->best[to];
    if (best >= 0 && reach->label[best].chance >= chance - 1e-6f)
        return;
    if (from->marked)
        chance *= walk_dodge(w, from, to, &dodged);
    if (to == w->loose)
        chance *= walk_pickup(w, to);
    if (reach->count == BOT_LABELS || (best >= 0 && reach->label[best].chance >= chance - 1e-6f))
        return;
    reach->best[to] = (int16_t)reach->count;
    reach->label[reach->count++] = (struct bot_label){.chance = chance,
                                                      .square = (uint16_t)to,
                                                      .parent = (int16_t)parent,
                                                      .moves = from->moves,
                                                      .dodged = dodged};
}

static void walk_open(struct walk *w)
{
    const struct bb_state *s = w->view->s;
    const struct bb_player *who = &s->player[w->player];
    struct bot_label start = {
        .chance = 1, .square = who->square, .parent = -1, .moves = who->moves};
    if (!bb_is(s, w->player, BB_UP) && !bb_has(who, BB_SKILL_JUMP_UP)) {
        start.moves = (uint8_t)(who->moves + (w->ma < 3 ? w->ma : 3));
        if (w->ma < 3)
            start.chance = bot_d6(4 - bb_stand_up_modifier(s, w->player));
    }
    w->reach->count = 1;
    w->reach->label[0] = start;
    w->reach->best[start.square] = 0;
}

static void walk_prepare(struct walk *w, const struct bot_view *view, int player)
{
    const struct bb_state *s = view->s;
    const struct bb_player *who = &s->player[player];
    *w = (struct walk){.view = view, .player = player, .zones = view->zones[view->opponent]};
    w->ma = bb_ma(s, player);
    w->most = bb_is(s, player, BB_ROOTED | BB_USED | BB_STUNNED) ? 0 : w->ma + bb_gfis(s, player);
    w->agility =
        bb_agility(who->ag) - 1 - bb_has(who, BB_SKILL_TWO_HEADS) - bb_has(who, BB_SKILL_TITCHY);
    w->stunty = bb_has(who, BB_SKILL_STUNTY) || bb_has(who, BB_SKILL_TITCHY);
    w->dodges = bb_can_use(s, player, BB_SKILL_DODGE, BB_USED_DODGE);
    w->feet = bb_can_use(s, player, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET);
    w->loose = s->ball_out && s->ball_on_ground && !s->ball_carried ? s->ball : BB_NOWHERE;
    w->goal = !bb_carries(s, player)          ? -1
              : bb_team_of(player) == BB_HOME ? 1
                                              : bb_variant(s)->width - 2;
}

/* Labels come by moves: the list is its own queue. */
void bot_find(const struct bot_view *view, int player, struct bot_reach *reach)
{
    struct walk w;
    const int8_t *steps = bb_eight[view->s->mirrored];
    walk_prepare(&w, view, player);
    w.reach = reach;
    memset(reach->best, 0xff, sizeof reach->best);
    walk_open(&w);
    for (int i = 0; i < reach->count; ++i) {
        const struct bot_label *from = &reach->label[i];
        int square = from->square;
        if (from->moves >= w.most)
            break;
        bool beaten =
            reach->best[square] != i && reach->label[reach->best[square]].moves == from->moves;
        if (beaten || (i && square == w.loose) || bb_x(square) == w.goal)
            continue;
        struct walk_from leave = walk_leave(&w, from);
        for (int k = 0; k < 8; ++k)
            if (!view->closed[square + steps[k]])
                walk_add(&w, &leave, i, square + steps[k]);
    }
}

float bot_chance(const struct bot_reach *reach, int square)
{
    return reach->best[square] < 0 ? 0 : reach->label[reach->best[square]].chance;
}

int bot_way(const struct bb_state *s, const struct bot_reach *reach, int square, uint64_t *path)
{
    int length = 0;
    *path = 0;
    for (int i = reach->best[square]; reach->label[i].parent >= 0; i = reach->label[i].parent) {
        int step = reach->label[i].square - reach->label[reach->label[i].parent].square;
        unsigned direction = 0;
        while (bb_d8(s, direction) != step)
            ++direction;
        *path = *path << 3 | direction;
        ++length;
    }
    return length;
}
