/* Finds a player's safest path to every square in reach, and the tackle zones on the pitch. */
#include "base/compiler.h"
#include "games/bloodbowl/players/bot.h"
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
    memset(view->held, 0, sizeof view->held);
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        for (int i = bb_first(team); i < bb_end(s, team); ++i) {
            int square = s->player[i].square, row = square / BB_ROW;
            if (!bb_on_pitch(s, i) || !bb_has_zone(s, i) || bb_out(s, square))
                continue; /* a player who was pushed into the crowd still has that square */
            uint32_t around = (uint32_t)7 << (bb_x(square) - 1);
            for (unsigned k = 0; k < 8; ++k)
                ++view->zones[team][square + bb_d8(s, k)];
            view->held[team][row - 1] |= around;
            view->held[team][row] |= around & ~((uint32_t)1 << bb_x(square));
            view->held[team][row + 1] |= around;
        }
}

static void view_open(struct bot_view *view)
{
    const struct bb_state *s = view->s;
    const struct bb_variant *v = bb_variant(s);
    uint32_t row = ((uint32_t)1 << (v->width - 1)) - 2;
    memset(view->open, 0, sizeof view->open);
    for (int y = 1; y < v->height - 1; ++y)
        view->open[y + 1] = row;
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        for (int i = bb_first(team); i < bb_end(s, team); ++i)
            if (bb_on_pitch(s, i))
                view->open[s->player[i].square / BB_ROW] &=
                    ~((uint32_t)1 << bb_x(s->player[i].square));
}

static void view_hunters(struct bot_view *view)
{
    const struct bb_state *s = view->s;
    view->threats = 0;
    for (int i = bb_first(view->opponent); i < bb_end(s, view->opponent); ++i)
        if (bb_on_pitch(s, i) && !bb_is(s, i, BB_STUNNED))
            view->threat[view->threats++] = (struct bot_threat){
                .square = s->player[i].square,
                .reach = (int16_t)(bb_ma(s, i) + (bb_is(s, i, BB_UP) ? 1 : -2))};
}

void bot_look(struct bot_view *view, const struct bot_points *points, const struct bb_state *s,
              int team)
{
    int turns = bb_variant(s)->turns;
    view->s = s;
    view->points = points;
    view->team = team;
    view->opponent = bb_opponent(team);
    view->turns = turns - s->team[team].turn + (s->current == team);
    view->hopeless = view->turns > 1 ? points->hopeless : 0.1f;
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
    view_open(view);
    view_hunters(view);
}

float bot_d6(int target)
{
    static const float chance[7] = {5 / 6.0f, 5 / 6.0f, 5 / 6.0f, 4 / 6.0f,
                                    3 / 6.0f, 2 / 6.0f, 1 / 6.0f};
    return chance[bb_clamp(target)];
}

/* --- movement --- */

/* Where no dodge is needed, squares are found by a flood fill that handles a row of the pitch at a
 * time:
 *
 *    ring m+1 = the neighbours of ring m that are not in tackle zones
 *
 * There is one wave (flood fill) for each probability with which players come out of tackle zones;
 * inside tackle zones labels are expanded one by one.  Waves are sorted by probability: a square
 * that a better wave has reached is closed to the worse waves.
 */
struct walk_wave {
    float chance;
    uint8_t dodged;
    int8_t top, bottom;                       /* rows that the ring covers */
    uint32_t ring[BOT_ROWS], fresh[BOT_ROWS]; /* squares reached after this number of moves;
                                               * squares not reached */
};

enum { WALK_WAVES = 12 };

struct walk {
    const struct bot_view *view;
    struct bot_reach *reach;
    const uint8_t *zones; /* number of tackle zones of the opponents on each square */
    const uint32_t *held; /* squares with a tackle zone, a bit per column */
    struct walk_wave *wave[WALK_WAVES], store[WALK_WAVES];
    int waves;
    int player, ma, most; /* squares that the player can move: without going for it, with it */
    int agility;          /* the roll that a dodge needs without tackle zones on the target
                           * square */
    int loose;            /* square of a ball on the ground, or BB_NOWHERE */
    int goal;             /* column in which a ball carrier stops, or -1 */
    bool stunty, dodges, feet;
};

static float walk_twice(float chance)
{
    return chance * (2 - chance);
}

/* What all steps from one label have in common. */
struct walk_from {
    float chance; /* probability after going for it, if that is needed */
    bool marked;
    uint8_t moves, dodged;
};

static float walk_go_for_it(const struct walk *w, int moves)
{
    return moves < w->ma ? 1 : w->feet && moves == w->ma ? 35 / 36.0f : 5 / 6.0f;
}

static struct walk_from walk_leave(const struct walk *w, const struct bot_label *from)
{
    return (struct walk_from){.chance = from->chance * walk_go_for_it(w, from->moves),
                              .marked = w->zones[from->square] > 0,
                              .moves = (uint8_t)(from->moves + 1),
                              .dodged = from->dodged};
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

/* Adds a label if it is the best of its square; otherwise returns NULL. */
static inline struct bot_label *walk_label(struct walk *w, int square, float chance)
{
    struct bot_reach *reach = w->reach;
    int best = reach->best[square];
    if (reach->count == BOT_LABELS || (best >= 0 && reach->label[best].chance >= chance - 1e-6f))
        return NULL;
    reach->best[square] = (int16_t)reach->count;
    struct bot_label *label = &reach->label[reach->count++];
    label->chance = chance;
    label->square = (uint16_t)square;
    return label;
}

/* Whether a flood fill stops on the square: because of a ball, the end zone or a tackle zone. */
static bool walk_stops(const struct walk *w, int square)
{
    return w->zones[square] || square == w->loose || bb_x(square) == w->goal;
}

/* Makes a new wave after the better ones; NULL: there are too many. */
static struct walk_wave *walk_wave_new(struct walk *w, float chance, uint8_t dodged)
{
    int at = w->waves;
    if (at == WALK_WAVES)
        return NULL;
    struct walk_wave *wave = &w->store[w->waves++];
    for (; at > 0 && w->wave[at - 1]->chance < chance; --at)
        w->wave[at] = w->wave[at - 1];
    w->wave[at] = wave;
    wave->chance = chance;
    wave->dodged = dodged;
    wave->top = BOT_ROWS;
    wave->bottom = 0;
    memset(wave->ring, 0, sizeof wave->ring);
    memcpy(wave->fresh, at ? w->wave[at - 1]->fresh : w->view->open, sizeof wave->fresh);
    if (w->loose != BB_NOWHERE)
        wave->fresh[w->loose / BB_ROW] &= ~((uint32_t)1 << bb_x(w->loose));
    return wave;
}

/* Adds the label's square to the ring of the wave with its probability, which continues from it. */
static void walk_seed(struct walk *w, struct bot_label *label)
{
    struct walk_wave *wave = NULL;
    for (int i = 0; i < w->waves && !wave; ++i)
        if (w->wave[i]->chance == label->chance && w->wave[i]->dodged == label->dodged)
            wave = w->wave[i];
    if (!wave)
        wave = walk_wave_new(w, label->chance, label->dodged);
    if (!wave)
        return;
    int row = label->square / BB_ROW;
    wave->ring[row] |= (uint32_t)1 << bb_x(label->square);
    wave->top = (int8_t)(row < wave->top ? row : wave->top);
    wave->bottom = (int8_t)(row > wave->bottom ? row : wave->bottom);
    label->flows = true;
}

static inline void walk_add(struct walk *w, const struct walk_from *from, int parent, int to)
{
    int best = w->reach->best[to];
    float chance = from->chance;
    uint8_t dodged = from->dodged;
    if (best >= 0 && w->reach->label[best].chance >= chance - 1e-6f)
        return;
    if (from->marked)
        chance *= walk_dodge(w, from, to, &dodged);
    if (to == w->loose)
        chance *= walk_pickup(w, to);
    if (chance < w->view->hopeless)
        return;
    struct bot_label *label = walk_label(w, to, chance);
    if (!label)
        return;
    label->parent = (int16_t)parent;
    label->moves = from->moves;
    label->dodged = dodged;
    label->flows = false;
    if (!walk_stops(w, to))
        walk_seed(w, label);
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
    if (!w->zones[start.square])
        walk_seed(w, &w->reach->label[0]);
}

static void walk_prepare(struct walk *w, const struct bot_view *view, int player)
{
    const struct bb_state *s = view->s;
    const struct bb_player *who = &s->player[player];
    w->view = view;
    w->player = player;
    w->waves = 0;
    w->zones = view->zones[view->opponent];
    w->held = view->held[view->opponent];
    w->ma = bb_ma(s, player);
    w->most = bb_is(s, player, BB_ROOTED | BB_USED | BB_STUNNED) ? 0 : w->ma + bb_gfis(s, player);
    w->agility =
        bb_agility(who->ag) - 1 - bb_has(who, BB_SKILL_TWO_HEADS) - bb_has(who, BB_SKILL_TITCHY);
    w->stunty = bb_has(who, BB_SKILL_STUNTY) || bb_has(who, BB_SKILL_TITCHY);
    w->dodges = bb_can_use(s, player, BB_SKILL_DODGE, BB_USED_DODGE);
    w->feet = bb_can_use(s, player, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET);
    bool lies = s->ball_out && s->ball_on_ground && !s->ball_carried;
    w->loose = lies && bb_at(s, s->ball) == BB_NONE ? s->ball : BB_NOWHERE; /* no player on it */
    w->goal = !bb_carries(s, player)          ? -1
              : bb_team_of(player) == BB_HOME ? 1
                                              : bb_variant(s)->width - 2;
}

/* Adds labels for the squares of a row, from the other end if the state is mirrored. */
static inline void walk_row(struct walk *w, int row, uint32_t bits, const struct walk_wave *wave,
                            int moves)
{
    bool mirrored = w->view->s->mirrored;
    while (bits) {
        int x = mirrored ? bits_last64(bits) : bits_first64(bits);
        bits &= ~((uint32_t)1 << x);
        struct bot_label *label = walk_label(w, row * BB_ROW + x, wave->chance);
        if (!label)
            continue;
        label->parent = -1;
        label->moves = (uint8_t)moves;
        label->dodged = wave->dodged;
        label->flows = true;
    }
}

/* Computes the next ring of the wave with this index and adds labels for its squares. */
static void walk_flood(struct walk *w, int index, int moves)
{
    struct walk_wave *wave = w->wave[index];
    uint32_t wide[BOT_ROWS + 2] = {0}, none = w->goal < 0 ? 0 : (uint32_t)1 << w->goal, any = 0;
    int top = wave->top > 2 ? wave->top - 1 : 1;
    int bottom = wave->bottom < BOT_ROWS - 2 ? wave->bottom + 1 : BOT_ROWS - 2;
    for (int row = wave->top; row <= wave->bottom; ++row)
        wide[row] = wave->ring[row] | wave->ring[row] << 1 | wave->ring[row] >> 1;
    for (int row = top; row <= bottom; ++row) {
        uint32_t bits = (wide[row - 1] | wide[row] | wide[row + 1]) & wave->fresh[row];
        wave->ring[row] = bits & ~w->held[row] & ~none;
        any |= bits;
        if (!bits)
            continue;
        for (int i = index; i < w->waves; ++i)
            w->wave[i]->fresh[row] &= ~bits;
        walk_row(w, row, bits, wave, moves + 1);
    }
    wave->top = (int8_t)(any ? top : BOT_ROWS);
    wave->bottom = (int8_t)(any ? bottom : 0);
}

/* Expands one label square by square: into squares that need a dodge, that no wave covers, or where
 * the ball is. */
static void walk_on(struct walk *w, int index)
{
    const struct bot_label *from = &w->reach->label[index];
    const int8_t *steps = bb_eight[w->view->s->mirrored];
    int square = from->square, best = w->reach->best[square];
    bool beaten = best != index && w->reach->label[best].moves == from->moves;
    if (beaten || (index && square == w->loose) || bb_x(square) == w->goal)
        return;
    struct walk_from leave = walk_leave(w, from);
    if (from->flows && !leave.marked) {
        if (w->loose != BB_NOWHERE && bb_distance(square, w->loose) == 1)
            walk_add(w, &leave, index, w->loose);
        return;
    }
    for (int k = 0; k < 8; ++k) {
        int to = square + steps[k];
        if (w->view->open[to / BB_ROW] >> bb_x(to) & 1)
            walk_add(w, &leave, index, to);
    }
}

/* Labels are found in order of moves, so the list serves as its own queue. */
void bot_find(const struct bot_view *view, int player, struct bot_reach *reach)
{
    struct walk w;
    walk_prepare(&w, view, player);
    w.reach = reach;
    memset(reach->best, 0xff, sizeof reach->best);
    walk_open(&w);
    int begin = 0;
    for (int moves = reach->label[0].moves; moves < w.most; ++moves) {
        int end = reach->count;
        float cost = walk_go_for_it(&w, moves);
        for (int i = 0; i < w.waves; ++i) {
            w.wave[i]->chance *= cost;
            walk_flood(&w, i, moves);
        }
        for (int i = begin; i < end; ++i)
            walk_on(&w, i);
        begin = end;
    }
}

float bot_chance(const struct bot_reach *reach, int square)
{
    return reach->best[square] < 0 ? 0 : reach->label[reach->best[square]].chance;
}

/* The label before a label that a flood fill found: the best adjacent label with one move less that
 * is outside of tackle zones. */
static int reach_before(const struct bot_view *view, const struct bot_reach *reach, int index)
{
    const struct bot_label *to = &reach->label[index];
    int best = 0;
    for (int i = 1; i < index && reach->label[i].moves < to->moves; ++i) {
        const struct bot_label *from = &reach->label[i];
        if (from->flows && from->moves + 1 == to->moves && from->dodged == to->dodged &&
            !view->zones[view->opponent][from->square] && bb_adjacent(from->square, to->square) &&
            (best == 0 || from->chance > reach->label[best].chance))
            best = i;
    }
    return best;
}

int bot_way(const struct bot_view *view, const struct bot_reach *reach, int square, uint64_t *path)
{
    int length = 0;
    *path = 0;
    for (int i = reach->best[square], before; i > 0; i = before) {
        before =
            reach->label[i].parent >= 0 ? reach->label[i].parent : reach_before(view, reach, i);
        int step = reach->label[i].square - reach->label[before].square;
        unsigned direction = 0;
        while (bb_d8(view->s, direction) != step)
            ++direction;
        *path = *path << 3 | direction;
        ++length;
    }
    return length;
}
