/* A state as numbers with names, and policy indices.
 *
 * Everything is seen from the viewer's side: the viewer scores in column 1, so the pitch is
 * reflected for the away side; the viewer's players and team come first.
 *
 * BB_POLICY in observe.h describes the policy indices.  A path counts as its last square, because
 * at most one path leads to each square.
 */
#include "games/bloodbowl/observe.h"

#include "games/bloodbowl/rules.h"

#include <string.h>

struct observe {
    const struct bb_state *s;
    const struct bb_frame *top; /* NULL: the game is over */
    int viewer;
};

/* --- words --- */

static const char *observe_word_place(int value)
{
    static const char *const names[] = {"pitch", "reserves", "KO", "casualties", "dungeon"};
    return names[value];
}

static const char *observe_word_weather(int value)
{
    return bb_weather_names[value];
}

static const char *observe_word_activation(int value)
{
    return bb_activation_names[value];
}

static const char *observe_word_procedure(int value)
{
    return value ? bb_procedure_names[value - 1] : "none";
}

/* --- the viewer's side --- */

/* The viewer's column for a column of the pitch, and the other way round: reflected for the away
 * side. */
static int observe_column(const struct bb_state *s, int viewer, int x)
{
    return viewer == BB_HOME ? x : bb_variant(s)->width - 1 - x;
}

/* The column (k = 0) or the row of a square; 0 for none. */
static float observe_square(const struct observe *o, int square, int k)
{
    if (square == BB_NOWHERE)
        return 0;
    return (float)(k ? bb_y(square) : observe_column(o->s, o->viewer, bb_x(square)));
}

static int observe_player(int viewer, int player)
{
    return viewer == BB_HOME ? player : player ^ BB_TEAM_MAX;
}

/* 0 nobody, 1 the viewer's team, 2 the other. */
static float observe_team(const struct observe *o, int team)
{
    return team == BB_NOBODY ? 0 : team == o->viewer ? 1 : 2;
}

static int observe_stat(const struct bb_player *player, int k)
{
    const uint8_t stats[] = {player->ma, player->st, player->ag, player->av};
    return stats[k];
}

/* --- planes: number k of a feature at a square; `player` stands there (BB_NONE: nobody) --- */

static float plane_own(const struct observe *o, int square, int player, int k)
{
    return player != BB_NONE && bb_team_of(player) == o->viewer;
}

static float plane_other(const struct observe *o, int square, int player, int k)
{
    return player != BB_NONE && bb_team_of(player) != o->viewer;
}

static float plane_up(const struct observe *o, int square, int player, int k)
{
    return player != BB_NONE && bb_is(o->s, player, BB_UP);
}

static float plane_used(const struct observe *o, int square, int player, int k)
{
    return player != BB_NONE && bb_is(o->s, player, BB_USED);
}

static float plane_active(const struct observe *o, int square, int player, int k)
{
    return player != BB_NONE && player == o->s->active;
}

static float plane_stat(const struct observe *o, int square, int player, int k)
{
    return player == BB_NONE ? 0 : (float)observe_stat(&o->s->player[player], k);
}

static float plane_moves(const struct observe *o, int square, int player, int k)
{
    return player == BB_NONE ? 0 : (float)bb_moves_left(o->s, player, false);
}

static float plane_ball(const struct observe *o, int square, int player, int k)
{
    return o->s->ball_out && o->s->ball == square;
}

static float plane_bomb(const struct observe *o, int square, int player, int k)
{
    return o->s->bomb_out && o->s->bomb == square;
}

/* The number of the team's players with a tackle zone on the eight squares around. */
static float plane_zone(const struct observe *o, int square, int player, int k)
{
    int team = k ? bb_opponent(o->viewer) : o->viewer, zones = 0;
    if (bb_out(o->s, square))
        return 0;
    for (int i = 0; i < 8; ++i) {
        int there = bb_at(o->s, square + bb_direction(o->s, i));
        zones += there != BB_NONE && bb_team_of(there) == team && bb_has_zone(o->s, there);
    }
    return (float)zones;
}

static float plane_pitch(const struct observe *o, int square, int player, int k)
{
    return !bb_out(o->s, square);
}

static float plane_end_zone(const struct observe *o, int square, int player, int k)
{
    return bb_end_zone(o->s, square, k ? bb_opponent(o->viewer) : o->viewer);
}

/* --- one player --- */

static float player_there(const struct observe *o, const struct bb_player *player, int k)
{
    return player->number != 0;
}

static float player_place(const struct observe *o, const struct bb_player *player, int k)
{
    int number = (int)(player - o->s->player);
    const struct bb_team *team = &o->s->team[bb_team_of(number)];
    for (int place = 0; place < BB_PLACES; ++place)
        for (int i = 0; i < team->listed[place]; ++i)
            if (team->list[place][i] == number)
                return (float)(place + 1);
    return 0;
}

static float player_square(const struct observe *o, const struct bb_player *player, int k)
{
    return player->number ? observe_square(o, player->square, k) : 0;
}

static float player_stat(const struct observe *o, const struct bb_player *player, int k)
{
    return (float)observe_stat(player, k);
}

static float player_moved(const struct observe *o, const struct bb_player *player, int k)
{
    return player->moves;
}

static float player_flag(const struct observe *o, const struct bb_player *player, int k)
{
    return (float)(player->flags >> k & 1);
}

static float player_spent(const struct observe *o, const struct bb_player *player, int k)
{
    return (float)(player->used >> k & 1);
}

static float player_skill(const struct observe *o, const struct bb_player *player, int k)
{
    return bb_has(player, (enum bb_skill)k);
}

static float player_injury(const struct observe *o, const struct bb_player *player, int k)
{
    return (float)(player->injuries >> 4 * k & 15);
}

/* --- one team --- */

static float team_score(const struct bb_team *team, int k)
{
    return team->score;
}

static float team_turn(const struct bb_team *team, int k)
{
    return team->turn;
}

static float team_rerolls(const struct bb_team *team, int k)
{
    return k ? team->start_rerolls : team->rerolls;
}

static float team_reroll_used(const struct bb_team *team, int k)
{
    return team->reroll_used != 0;
}

static float team_staff(const struct bb_team *team, int k)
{
    const uint8_t staff[] = {team->bribes,       team->apothecaries, team->coaches,
                             team->cheerleaders, team->fan_factor,   team->fame};
    return staff[k];
}

static float team_undead(const struct bb_team *team, int k)
{
    return team->undead != 0;
}

static float team_forfeits(const struct bb_team *team, int k)
{
    return team->forfeits;
}

/* --- the game --- */

static float game_half(const struct observe *o, int k)
{
    return k ? o->s->round : o->s->half;
}

static float game_weather(const struct observe *o, int k)
{
    return o->s->weather;
}

static float game_side(const struct observe *o, int k)
{
    const uint8_t teams[] = {o->s->current, o->s->toss, o->s->kick_first, o->s->kick_drive};
    return observe_team(o, teams[k]);
}

static float game_spectators(const struct observe *o, int k)
{
    return o->s->spectators;
}

static float game_ball(const struct observe *o, int k)
{
    const uint8_t flags[] = {o->s->ball_out, o->s->ball_carried, o->s->ball_on_ground,
                             o->s->bomb_out, o->s->bomb_carried};
    return flags[k] != 0;
}

static float game_activation(const struct observe *o, int k)
{
    return o->s->activation;
}

static float game_available(const struct observe *o, int k)
{
    static const unsigned bits[] = {BB_TURN_BLITZ, BB_TURN_PASS,     BB_TURN_HANDOFF,
                                    BB_TURN_FOUL,  BB_TURN_IS_BLITZ, BB_TURN_IS_QUICK_SNAP};
    const struct bb_frame *turn = bb_turn_frame(o->s);
    return turn && (turn->bits & bits[k]) != 0;
}

/* The stack from its top. */
static float game_procedure(const struct observe *o, int k)
{
    int depth = o->s->depth;
    return k < depth ? (float)(o->s->frame[depth - 1 - k].procedure + 1) : 0;
}

static float game_decision(const struct observe *o, int k)
{
    if (!o->top || k > 2)
        return o->top ? (float)(o->top->bits >> (k - 3) & 1) : 0;
    return k == 0 ? o->top->phase : k == 1 ? o->top->number : o->top->extra;
}

static float game_decision_player(const struct observe *o, int k)
{
    int player = !o->top ? BB_NONE : k ? o->top->other : o->top->player;
    return player == BB_NONE ? 0 : (float)(observe_player(o->viewer, player) + 1);
}

static float game_decision_square(const struct observe *o, int k)
{
    return o->top ? observe_square(o, k < 2 ? o->top->square : o->top->from, k % 2) : 0;
}

static float game_dice(const struct observe *o, int k)
{
    if (!o->top)
        return 0;
    return (float)(k ? o->top->roll >> 3 * (k - 1) & 7 : o->top->roll >> 12 & 7);
}

static float game_path(const struct observe *o, int k)
{
    return o->s->path_left;
}

/* --- the tables --- */

#define ROW(name_, help_, kind_, least, most, word_, ...) \
    {.name = name_,                                       \
     .help = help_,                                       \
     .kind = BANYAN_FEATURE_##kind_,                      \
     .shape = {__VA_ARGS__},                              \
     .min = least,                                        \
     .max = most,                                         \
     .word = word_},
#define PLANE(name, help, kind, count, least, most, word, number) \
    ROW(name, help, kind, least, most, word, count, OBSERVE_HEIGHT, OBSERVE_WIDTH)
#define PLAYER(name, help, kind, count, least, most, word, number) \
    ROW(name, help, kind, least, most, word, BB_PLAYERS, count, 1)
#define TEAM(name, help, kind, count, least, most, word, number) \
    ROW(name, help, kind, least, most, word, 2, count, 1)
#define GAME(name, help, kind, count, least, most, word, number) \
    ROW(name, help, kind, least, most, word, count, 1, 1)

#define OBSERVE_WIDTH  6
#define OBSERVE_HEIGHT 5
const struct banyan_feature bb_features_1[] = {
#include "games/bloodbowl/observe.def"
    {0}};
#undef OBSERVE_WIDTH
#undef OBSERVE_HEIGHT

#define OBSERVE_WIDTH  14
#define OBSERVE_HEIGHT 7
const struct banyan_feature bb_features_3[] = {
#include "games/bloodbowl/observe.def"
    {0}};
#undef OBSERVE_WIDTH
#undef OBSERVE_HEIGHT

#define OBSERVE_WIDTH  18
#define OBSERVE_HEIGHT 11
const struct banyan_feature bb_features_5[] = {
#include "games/bloodbowl/observe.def"
    {0}};
#undef OBSERVE_WIDTH

#define OBSERVE_WIDTH 22
const struct banyan_feature bb_features_7[] = {
#include "games/bloodbowl/observe.def"
    {0}};
#undef OBSERVE_WIDTH
#undef OBSERVE_HEIGHT

#define OBSERVE_WIDTH  28
#define OBSERVE_HEIGHT 17
const struct banyan_feature bb_features_11[] = {
#include "games/bloodbowl/observe.def"
    {0}};

#undef PLANE
#undef PLAYER
#undef TEAM
#undef GAME

/* --- writing --- */

static float *
observe_planes(const struct observe *o, int count,
               float (*number)(const struct observe *o, int square, int player, int k), float *out)
{
    const struct bb_variant *v = bb_variant(o->s);
    for (int k = 0; k < count; ++k)
        for (int y = 0; y < v->height; ++y)
            for (int x = 0; x < v->width; ++x) {
                int square = bb_square(observe_column(o->s, o->viewer, x), y);
                *out++ = number(o, square, bb_at(o->s, square), k);
            }
    return out;
}

static float *observe_players(const struct observe *o, int count,
                              float (*number)(const struct observe *o,
                                              const struct bb_player *player, int k),
                              float *out)
{
    for (int i = 0; i < BB_PLAYERS; ++i)
        for (int k = 0; k < count; ++k)
            *out++ = number(o, &o->s->player[observe_player(o->viewer, i)], k);
    return out;
}

static float *observe_teams(const struct observe *o, int count,
                            float (*number)(const struct bb_team *team, int k), float *out)
{
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < count; ++k)
            *out++ = number(&o->s->team[o->viewer ^ i], k);
    return out;
}

static float *observe_game(const struct observe *o, int count,
                           float (*number)(const struct observe *o, int k), float *out)
{
    for (int k = 0; k < count; ++k)
        *out++ = number(o, k);
    return out;
}

void bb_observe(const struct banyan_game *game, const void *state, int viewer, float *out)
{
    const struct bb_state *s = state;
    const struct observe o = {
        .s = s, .top = s->depth ? &s->frame[s->depth - 1] : NULL, .viewer = viewer};
#define PLANE(name, help, kind, count, least, most, word, number) \
    out = observe_planes(&o, count, number, out);
#define PLAYER(name, help, kind, count, least, most, word, number) \
    out = observe_players(&o, count, number, out);
#define TEAM(name, help, kind, count, least, most, word, number) \
    out = observe_teams(&o, count, number, out);
#define GAME(name, help, kind, count, least, most, word, number) \
    out = observe_game(&o, count, number, out);
#include "games/bloodbowl/observe.def"
#undef PLANE
#undef PLAYER
#undef TEAM
#undef GAME
}

/* --- policy --- */

static const uint8_t observe_names[BB_ACTIONS] = {
#define ACTION(name, names) [BB_DO_##name] = BB_NAMES_##names,
#include "games/bloodbowl/actions.def"
#undef ACTION
};

/* The number of this kind of action among the kinds that name the same thing (a player, a
 * square ...). */
static int observe_rank(int type)
{
    int rank = 0;
    for (int i = 0; i < type; ++i)
        rank += observe_names[i] == observe_names[type];
    return rank;
}

/* The square from the player's side, row by row. */
static int observe_place(const struct bb_state *s, int player, int square)
{
    return bb_y(square) * bb_variant(s)->width + observe_column(s, player, bb_x(square));
}

int bb_policy_index(const struct banyan_game *game, const void *state, int player,
                    banyan_action action)
{
    const struct bb_state *s = state;
    struct bb_action a = bb_action_unpack(s, action);
    int squares = bb_variant(s)->width * bb_variant(s)->height;
    int players_at = BB_ACTIONS, squares_at = players_at + BB_PLAYER_KINDS * BB_PLAYERS;
    switch (observe_names[a.type]) {
    case BB_NAMES_PLAYER: /* if the action names a square instead, the player on it is meant */
        if (a.player == BB_NONE)
            a.player = (uint8_t)bb_at(s, a.square);
        return players_at + observe_rank(a.type) * BB_PLAYERS + observe_player(player, a.player);
    case BB_NAMES_SQUARE:
        if (a.square == BB_NOWHERE)
            return a.type;
        return squares_at + observe_rank(a.type) * squares + observe_place(s, player, a.square);
    case BB_NAMES_BOTH:
        squares_at += BB_SQUARE_KINDS * squares + a.player % BB_TEAM_MAX * (squares + 1);
        return squares_at + (a.square == BB_NOWHERE ? squares : observe_place(s, player, a.square));
    default:
        return a.type;
    }
}
