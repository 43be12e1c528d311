/* What the files of the rules share: the game in progress, functions for players and squares, and
 * the prototypes of all procedures. */
#ifndef BLOODBOWL_RULES_H
#define BLOODBOWL_RULES_H

#include "games/bloodbowl/bloodbowl.h"

/* A game in progress: the state, the dice, and the first of the frames that the present step has
 * queued. */
struct bb_play {
    struct bb_state *s;
    struct banyan_dice *dice;
    int base;
    int steps; /* steps of the engine in this apply */
    bool gone; /* the running frame was purged */
};

/* A ball can bounce without end, though real dice make that very unlikely: after this number of
 * steps it stays where it is. */
enum { BB_MAX_STEPS = 1000 };

/* Deviations of botbowl from the rules, numbered as in docs/games/bloodbowl.md, "Deviations". The
 * setup text sets them by quirks=. */
enum bb_quirk {
    BB_QUIRK_D2_KICK = 1,
    BB_QUIRK_HEAT = 3,
    BB_QUIRK_SHORT_TEAM = 4,
    BB_QUIRK_SCORING_TURN = 5,
    BB_QUIRK_RIOT = 6,
    BB_QUIRK_GUST = 7,
    BB_QUIRK_TRAIT_KEEPS_ACTION = 8,
    BB_QUIRK_BLITZ_STAND_UP = 9,
    BB_QUIRK_CRAWL = 10,
    BB_QUIRK_TENTACLES = 11,
    BB_QUIRK_BLIZZARD_GFI = 12,
    BB_QUIRK_FRENZY_FREE = 13,
    BB_QUIRK_FRENZY_BOTH_DOWN = 14,
    BB_QUIRK_DIRTY_PLAYER = 15,
    BB_QUIRK_APOTHECARY = 16,
    BB_QUIRK_THROW_IN_CARRIED = 17,
    BB_QUIRK_SAFE_THROW = 18,
    BB_QUIRK_LANDING = 19,
    BB_QUIRK_STAB = 20,
    BB_QUIRK_DUMP_OFF = 21,
    BB_QUIRK_AUTO_SKILL = 22,
    BB_QUIRK_DIVING_TACKLE = 23,
    BB_QUIRK_LEAP = 24,
    BB_QUIRK_PRONE_PRESENCE = 25,
    BB_QUIRK_GUARD = 26,
    BB_QUIRK_ROOTED_BLITZ = 31,
    BB_QUIRK_FOUL_ASSIST = 34,
    BB_QUIRK_PATH_JUMP = 35,
    BB_QUIRK_NEXT_DRIVE = 36,
    BB_QUIRK_PATH_LABEL = 37,
    /* deviations found by replaying botbowl's games */
    BB_QUIRK_AIRBORNE = 38, /* a player who was hurt in flight keeps the flag "in the air" off
                             * the board */
    BB_QUIRK_LEAP_GFI = 39, /* a leap rolls again for squares that the player already went for */
    BB_QUIRK_SNEAKY_GIT = 40,
    BB_QUIRK_MIGHTY_CLAWS = 41
};
#define BB_ALL_QUIRKS (((uint64_t)1 << 42) - 2)

static inline bool bb_quirk(const struct bb_state *s, enum bb_quirk quirk)
{
    return s->quirks >> quirk & 1;
}

/* --- squares --- */

/* Steps to the neighbours, in the order of botbowl's list; bit i of a frame's `around` means
 * direction i.  A mirrored state has mirrored steps, so that the same dice give mirrored games. */
extern const int8_t bb_directions[2][8];
static inline int bb_direction(const struct bb_state *s, int i)
{
    return bb_directions[s->mirrored][i];
}
/* Steps of the D8, 0..7 (docs/games/bloodbowl-rules.md, "Pitch"), also used for paths. */
extern const int8_t bb_eight[2][8];
static inline int bb_d8(const struct bb_state *s, unsigned i)
{
    return bb_eight[s->mirrored][i];
}
/* The team that counts as botbowl's home or away team where the two are treated differently. */
static inline int bb_side(const struct bb_state *s, int team)
{
    return team ^ s->mirrored;
}
static inline const struct bb_variant *bb_variant(const struct bb_state *s)
{
    return &bb_variants[s->variant];
}
static inline bool bb_out(const struct bb_state *s, int square)
{
    const struct bb_variant *v = bb_variant(s);
    int x = bb_x(square), y = bb_y(square);
    return x < 1 || x >= v->width - 1 || y < 1 || y >= v->height - 1;
}
static inline int bb_gap(int a, int b)
{
    return a < b ? b - a : a - b;
}
static inline int bb_distance(int a, int b)
{
    int dx = bb_gap(bb_x(a), bb_x(b)), dy = bb_gap(bb_y(a), bb_y(b));
    return dx > dy ? dx : dy;
}
static inline bool bb_adjacent(int a, int b)
{
    return bb_distance(a, b) == 1;
}
static inline int bb_opponent(int team)
{
    return team == BB_HOME ? BB_AWAY : BB_HOME;
}
/* Whether the square is in the team's half, with end zone and wings; false outside the pitch. */
bool bb_own_half(const struct bb_state *s, int square, int team);
bool bb_end_zone(const struct bb_state *s, int square, int scorer);
/* Lists the squares of the half row by row; returns their number. */
int bb_half_squares(const struct bb_state *s, int team, uint16_t *out);

/* --- players --- */

static inline int bb_at(const struct bb_state *s, int square)
{
    return s->pitch[square] ? s->pitch[square] - 1 : BB_NONE;
}
static inline bool bb_is(const struct bb_state *s, int player, unsigned flags)
{
    return (s->player[player].flags & flags) != 0;
}
static inline bool bb_skilled(const struct bb_state *s, int player, enum bb_skill skill)
{
    return bb_has(&s->player[player], skill);
}
static inline bool bb_on_pitch(const struct bb_state *s, int player)
{
    return s->player[player].square != BB_NOWHERE;
}
/* Whether the player stands and is not bone-headed, stupid or hypnotized.  Such a player may assist
 * and, unless a skill forbids it, catch. */
static inline bool bb_fit(const struct bb_state *s, int player)
{
    return (s->player[player].flags & (BB_UP | BB_BONE_HEADED | BB_HYPNOTIZED | BB_STUPID)) ==
           BB_UP;
}
static inline bool bb_has_zone(const struct bb_state *s, int player)
{
    return bb_fit(s, player) && !bb_skilled(s, player, BB_SKILL_TITCHY);
}
static inline bool bb_can_catch(const struct bb_state *s, int player)
{
    return bb_fit(s, player) && !bb_skilled(s, player, BB_SKILL_NO_HANDS);
}
static inline bool bb_can_use(const struct bb_state *s, int player, enum bb_skill skill,
                              enum bb_used_skill used)
{
    return bb_skilled(s, player, skill) && !(s->player[player].used & used);
}
static inline int bb_ma(const struct bb_state *s, int player)
{
    return bb_is(s, player, BB_ROOTED) ? 0 : s->player[player].ma;
}
static inline void bb_set(struct bb_state *s, int player, unsigned flags)
{
    s->player[player].flags = (uint16_t)(s->player[player].flags | flags);
}
static inline void bb_clear(struct bb_state *s, int player, unsigned flags)
{
    s->player[player].flags = (uint16_t)(s->player[player].flags & ~flags);
}
static inline int bb_first(int team)
{
    return team * BB_TEAM_MAX;
}
static inline int bb_end(const struct bb_state *s, int team)
{
    return team * BB_TEAM_MAX + s->team[team].players;
}
/* The roll that a D6 needs for this agility (docs/games/bloodbowl-rules.md, "Movement"). */
int bb_agility(int ag);
/* The target limited to 2..6, as shown to agents. */
int bb_clamp(int target);
int bb_gfis(const struct bb_state *s, int player); /* 2; 3 with Sprint */
int bb_moves_left(const struct bb_state *s, int player, bool with_gfi);
/* The directions in which a player of team is next to square, standing or not, as a set. */
unsigned bb_around(const struct bb_state *s, int square, int team);
/* Number of tackle zones of player's opponents on square. */
int bb_zones(const struct bb_state *s, int player, int square);
/* The directions of adjacent opponents of player with skill, as a set; standing: only standing
 * opponents. */
unsigned bb_opponents_with(const struct bb_state *s, int player, enum bb_skill skill,
                           bool standing);
int bb_presence(const struct bb_state *s, int player);

/* --- the ball --- */

static inline bool bb_ball_lies_at(const struct bb_state *s, int square)
{
    return s->ball_out && s->ball_on_ground && s->ball == square;
}
static inline bool bb_carries(const struct bb_state *s, int player)
{
    return bb_ball_lies_at(s, s->player[player].square) && s->ball_carried;
}
/* Whether the player is what botbowl calls the ball carrier: on the square of the ball
 * (docs/games/bloodbowl-rules.md, "Players and the ball"). */
static inline bool bb_under_ball(const struct bb_state *s, int player)
{
    return s->ball_out && bb_at(s, s->ball) == player;
}
static inline bool bb_scores(const struct bb_state *s, int player)
{
    return bb_carries(s, player) && bb_end_zone(s, s->player[player].square, bb_team_of(player));
}
int bb_catcher(const struct bb_state *s, int square);

/* --- moving players and the ball (places.c) --- */

void bb_put(struct bb_state *s, int player, int square);
void bb_remove(struct bb_state *s, int player);
void bb_move_player(struct bb_state *s, int player, int square); /* moves a carried ball, too */
void bb_to_reserves(struct bb_state *s, int player);
void bb_to_pitch(struct bb_state *s, int player, int square);
void bb_to_list(struct bb_state *s, int player, enum bb_place place);
void bb_unlist(struct bb_state *s, int player, enum bb_place place);
void bb_prone(struct bb_state *s, int player);
void bb_injure(struct bb_state *s, int player, enum bb_injury injury);
void bb_drop_ball_at(struct bb_play *p, int square); /* queues a Bounce if there is a ball on the
                                                      * square */

/* --- the stack (procedures.c) --- */

/* Queues a frame.  The frames that one step queues run in the order of queueing, before all frames
 * below. */
struct bb_frame *bb_run(struct bb_play *p, enum bb_procedure procedure);
struct bb_frame *bb_run_for(struct bb_play *p, enum bb_procedure procedure, int player);
struct bb_frame *bb_run_team(struct bb_play *p, enum bb_procedure procedure, int team);
/* Lowers the stack to its highest Turn frame, or below it; false when there is no Turn. */
bool bb_purge(struct bb_play *p, bool turn_too);
struct bb_frame *bb_top_turn(struct bb_state *s);
bool bb_quick_snap(const struct bb_state *s);
static inline struct bb_frame *bb_below(struct bb_frame *f)
{
    return f - 1;
}

/* --- dice and rerolls (reroll.c) --- */

enum bb_result { BB_PENDING, BB_SUCCESS, BB_FAILURE };

/* A D6 test: a natural 1 fails, a natural 6 succeeds, otherwise die + modifier must reach target.
 * A failure may be rerolled by a skill or by the coach.  BB_PENDING: the step must return false
 * ("not done") and call the test again when it runs the next time. */
enum bb_result bb_test(struct bb_play *p, struct bb_frame *f, enum bb_die die, int roller,
                       int target, int modifier);
/* For a roll that the frame itself has found to fail: asks for a reroll.  BB_PENDING: as
 * in bb_test; BB_FAILURE: there is no reroll. */
enum bb_result bb_ask_reroll(struct bb_play *p, struct bb_frame *f, int roller);
bool bb_rerolling(struct bb_frame *f); /* if a reroll was granted: forgets the failure and
                                        * returns true */
static inline int bb_d6(struct bb_play *p, enum bb_die die)
{
    return banyan_dice_roll(p->dice, (int)die, 6);
}

/* --- functions that queue frames for several procedures --- */

void bb_run_knock_down(struct bb_play *p, int player, int inflictor, unsigned bits);
enum { /* bits of a KnockDown frame */
       BB_KNOCK_NO_ARMOR = BB_A,
       BB_KNOCK_NO_INJURY = BB_B,
       BB_KNOCK_CROWD = BB_C,
       BB_KNOCK_TURNOVER = BB_D
};
enum { /* bits of Armor and Injury frames */
       BB_HURT_FOUL = BB_A,
       BB_HURT_CROWD = BB_B,
       BB_HURT_USED_MIGHTY = BB_C,
       BB_HURT_USED_DIRTY = BB_D,
       BB_HURT_EJECT = BB_E
};
enum {
    BB_CATCH_ACCURATE = BB_A,
    BB_CATCH_HANDOFF = BB_B,
    BB_CATCH_KICK = BB_C,
    BB_CATCH_BOMB = BB_D
};
enum { BB_BALL_KICK = BB_A, BB_BALL_PASS = BB_B, BB_BALL_GUST = BB_C, BB_BALL_BOMB = BB_D };
enum { BB_EAT_FAILED = BB_G }; /* set in the frame below EatThrall */
enum { BB_ACTION_UNDO = BB_A, BB_ACTION_DUMP_OFF = BB_B };
enum {
    BB_PASS_INTERCEPTED = BB_A,
    BB_PASS_DUMP_OFF = BB_B,
    BB_PASS_SAFE = BB_C,
    BB_PASS_TURNOVER = BB_D,
    BB_PASS_ATE = BB_E,
    BB_PASS_BOMB = BB_F
};

struct bb_frame *bb_run_block(struct bb_play *p, int attacker, int defender, bool blitz,
                              bool frenzy, bool gfi);
struct bb_frame *bb_run_bounce(struct bb_play *p, int flyer, unsigned bits);
struct bb_frame *bb_run_catch(struct bb_play *p, int catcher, unsigned bits);
/* To be called after a player came to a square: picks up the ball, scores a touchdown; true when
 * the player scores. */
bool bb_arrive(struct bb_play *p, int player);

/* Numbers that are used for rolls and shown to agents. */
int bb_catch_modifier(const struct bb_state *s, int catcher, unsigned catch_bits,
                      bool interception);
int bb_dodge_modifier(const struct bb_state *s, int player, int square);
int bb_pickup_modifier(const struct bb_state *s, int player, int square);
int bb_pass_modifier(const struct bb_state *s, int passer, int range, bool team_mate);
int bb_pass_range(int from, int to);
int bb_stand_up_modifier(const struct bb_state *s, int player);
/* The dice of a block by strength; negative: the defender's coach chooses. */
int bb_dice_of(int own, int against);
int bb_block_dice(const struct bb_state *s, int attacker, int defender, int square, bool blitz,
                  bool dauntless);
struct bb_assists {
    int own, against;
};
struct bb_assists bb_assists(const struct bb_state *s, int attacker, int defender, int square,
                             bool foul);
int bb_foul_modifier(const struct bb_state *s, int fouler, int victim);
int bb_interceptors(const struct bb_state *s, int from, int to, int team, uint8_t *out);
int bb_gaze_modifier(const struct bb_state *s, int player);
bool bb_setup_legal(const struct bb_state *s, int team);

/* Whether the activation offers nothing but its end; then it ends without asking
 * (docs/games/bloodbowl-rules.md, "Engine loop"). */
bool bb_activation_only_ends(const struct bb_state *s, const struct bb_frame *f);

/* Paths (path.c): adds the choices MOVE, BLOCK, STAB, HANDOFF, FOUL. */
void bb_path_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out);
bool bb_path_exists(const struct bb_state *s, const struct bb_frame *f);

/* --- lists of choices (choices.c) --- */

struct bb_choice *bb_offer(struct bb_choices *out, int type, int team);
struct bb_option *bb_offer_square(struct bb_choices *out, int square);
struct bb_option *bb_offer_player(struct bb_choices *out, int player);
void bb_offer_skill(struct bb_choices *out, enum bb_skill skill, int team, int player);
void bb_offer_squares(struct bb_choices *out, const uint16_t *squares, int count);
/* Adds a choice with count options, which the caller fills in. */
struct bb_option *bb_offer_room(struct bb_choices *out, int type, int team, int count);
/* Removes the last choice if it got no options. */
void bb_offer_end(struct bb_choices *out);
void bb_offer_block_dice(const struct bb_frame *f, struct bb_choices *out, int team, bool disabled);
void bb_add_target(struct bb_option *option, int target);

/* The dice that were rolled for a frame. */
static inline int bb_dice_count(const struct bb_frame *f)
{
    return f->roll >> 12;
}
static inline int bb_lying(const struct bb_frame *f, int i)
{
    return f->roll >> 3 * i & 7;
}

/* --- procedures --- */

typedef int bb_asks_fn(const struct bb_state *s, const struct bb_frame *f);
typedef void bb_start_fn(struct bb_play *p, struct bb_frame *f);
typedef bool bb_step_fn(struct bb_play *p, struct bb_frame *f, const struct bb_action *a);
typedef void bb_end_fn(struct bb_play *p, const struct bb_frame *f);
typedef void bb_choices_fn(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out);

bb_asks_fn bb_ask_away, bb_ask_team, bb_ask_player, bb_kick_receive_asks, bb_place_ball_asks,
    bb_high_kick_asks, bb_touchback_asks, bb_activation_asks, bb_dodge_asks, bb_shadowing_asks,
    bb_block_asks, bb_push_asks, bb_follow_up_asks, bb_apothecary_asks, bb_ejection_asks,
    bb_catch_asks, bb_reroll_asks, bb_eat_thrall_asks;
bb_start_fn bb_setup_start, bb_turn_start, bb_touchdown_start, bb_activation_start, bb_move_start,
    bb_dodge_start, bb_shadowing_start, bb_leap_start, bb_block_start, bb_push_start, bb_land_start;
bb_end_fn bb_bomb_action_end, bb_block_end, bb_ejection_end, bb_pass_attempt_end, bb_eat_thrall_end;
bb_step_fn bb_end_game_step, bb_pregame_step, bb_start_game_step, bb_weather_step, bb_fans_step,
    bb_coin_toss_step, bb_kick_receive_step, bb_half_step, bb_pre_kickoff_step, bb_clear_board_step,
    bb_reset_half_step, bb_setup_step, bb_kickoff_step, bb_place_ball_step, bb_kickoff_table_step,
    bb_high_kick_step, bb_land_kick_step, bb_touchback_step, bb_turn_step, bb_turn_stunned_step,
    bb_end_turn_step, bb_turnover_step, bb_touchdown_step, bb_end_player_turn_step, bb_undo_step,
    bb_activation_step, bb_block_action_step, bb_bomb_action_step, bb_move_step, bb_gfi_step,
    bb_dodge_step, bb_tentacles_step, bb_shadowing_step, bb_leap_step, bb_stand_up_step,
    bb_jump_up_step, bb_pickup_step, bb_block_step, bb_foul_appearance_step, bb_push_step,
    bb_follow_up_step, bb_stab_step, bb_knock_down_step, bb_armor_step, bb_injury_step,
    bb_knock_out_step, bb_casualty_step, bb_apothecary_step, bb_ejection_step, bb_foul_step,
    bb_bounce_step, bb_throw_in_step, bb_scatter_step, bb_catch_step, bb_pass_attempt_step,
    bb_interception_step, bb_intercept_step, bb_handoff_step, bb_possession_step, bb_land_step,
    bb_always_hungry_step, bb_escape_step, bb_explode_step, bb_reroll_step, bb_trait_step,
    bb_block_or_move_step, bb_eat_thrall_step, bb_gaze_step;
bb_choices_fn bb_start_game_choices, bb_coin_toss_choices, bb_kick_receive_choices,
    bb_setup_choices, bb_place_ball_choices, bb_high_kick_choices, bb_touchback_choices,
    bb_turn_choices, bb_activation_choices, bb_block_action_choices, bb_bomb_action_choices,
    bb_dodge_choices, bb_shadowing_choices, bb_block_choices, bb_push_choices, bb_follow_up_choices,
    bb_apothecary_choices, bb_ejection_choices, bb_catch_choices, bb_interception_choices,
    bb_reroll_choices, bb_block_or_move_choices, bb_eat_thrall_choices;

#endif
