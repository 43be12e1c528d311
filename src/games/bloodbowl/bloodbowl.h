/* Blood Bowl (BB2016), as the public project botbowl plays it or by the rules.
 *
 * A state is one flat struct: the players, the pitch, data of the teams and of the game, and a
 * stack of small frames that says which procedures are in progress:
 *
 *    EndGame  Pregame  Half  Half  Turn | BlitzAction  Block  Push  FollowUp
 *                                         ^ pushed by Turn          ^ top: it asks or runs
 *
 * The top frame runs until a frame must ask a coach for a decision (procedures.c).  One row of
 * procedures.def describes each kind of frame: start, step, who is asked, the choices, end.  A
 * purge (turnover, end of an activation) only lowers the depth of the stack.
 *
 * Squares are numbers, 32 in each row.  There is an empty row above and below the pitch, so a step
 * in any direction is one addition and needs no check:
 *
 *     y     x = 0 is the crowd, 1 the away side's end zone ... W-2 home's, W-1 the crowd
 *     |     square = (y + 1) * 32 + x
 *
 * docs/games/bloodbowl-rules.md describes the rules as they are played here; comments name its
 * sections.
 */
#ifndef BLOODBOWL_BLOODBOWL_H
#define BLOODBOWL_BLOODBOWL_H

#include <banyan/dice.h>
#include <banyan/game.h>

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    BB_HOME,
    BB_AWAY,
    BB_NOBODY = 2,                /* no team */
    BB_TEAM_MAX = 16,             /* players in a team */
    BB_PLAYERS = 2 * BB_TEAM_MAX, /* home 0..15, away 16..31 */
    BB_NONE = 0xff,               /* no player */
    BB_ROW = 32,
    BB_SQUARES = 19 * BB_ROW,
    BB_NOWHERE = BB_ROW - 1, /* off the pitch: a square that is always empty */
    BB_DEPTH = 30,
    BB_PATH_MAX = 14, /* 13 squares and a target */
    BB_MAX_PLIES = 1 << 17,
    BB_MAX_IDLE = 48 /* most placements in one set-up, and most activations undone in one turn */
};

enum bb_procedure {
#define PROC(name, text, asks, start, step, end, choices) BB_##name,
#include "procedures.def"
#undef PROC
    BB_PROCEDURES
};

enum bb_skill {
#define SKILL(name) BB_SKILL_##name,
#include "skills.def"
#undef SKILL
    BB_SKILLS
};

enum bb_action_type {
    BB_DO_NOTHING,
#define ACTION(name, names) BB_DO_##name,
#include "actions.def"
#undef ACTION
    BB_ACTIONS
};

enum bb_die {
#define DIE(name, text) BB_DIE_##name,
#include "dice.def"
#undef DIE
    BB_DICE
};

enum bb_weather {
    BB_SWELTERING_HEAT,
    BB_VERY_SUNNY,
    BB_NICE,
    BB_POURING_RAIN,
    BB_BLIZZARD,
    BB_WEATHERS
};

/* What the active player's activation is. */
enum bb_activation {
    BB_ACT_NONE,
    BB_ACT_MOVE,
    BB_ACT_BLOCK,
    BB_ACT_BLITZ,
    BB_ACT_PASS,
    BB_ACT_HANDOFF,
    BB_ACT_FOUL,
    BB_ACT_BOMB,
    BB_ACTIVATIONS
};

/* Flags of a player (docs/games/bloodbowl-rules.md, "Players and the ball"), in the order of the
 * letters in recorded games. */
enum bb_flag {
    BB_UP = 1 << 0,
    BB_USED = 1 << 1,
    BB_STUNNED = 1 << 2,
    BB_IN_AIR = 1 << 3,
    BB_BONE_HEADED = 1 << 4,
    BB_HYPNOTIZED = 1 << 5,
    BB_STUPID = 1 << 6,
    BB_HEATED = 1 << 7,
    BB_KNOCKED_OUT = 1 << 8,
    BB_EJECTED = 1 << 9,
    BB_WILD = 1 << 10,
    BB_ROOTED = 1 << 11,
    BB_BLOOD_LUSTING = 1 << 12,
    BB_PICKED_UP = 1 << 13,
    BB_HAS_BLOCKED = 1 << 14,
    BB_TRAIT_FAILED = 1 << 15
};

/* Skills that work once a turn. */
enum bb_used_skill {
    BB_USED_DODGE = 1 << 0,
    BB_USED_SURE_FEET = 1 << 1,
    BB_USED_LEAP = 1 << 2,
    BB_USED_BREAK_TACKLE = 1 << 3,
    BB_USED_FRENZY = 1 << 4,
    BB_USED_PRO = 1 << 5
};

enum bb_injury { /* suffered in this game */
                 BB_INJURY_NONE,
                 BB_INJURY_MNG,
                 BB_INJURY_NIGGLING,
                 BB_INJURY_MA,
                 BB_INJURY_AV,
                 BB_INJURY_AG,
                 BB_INJURY_ST,
                 BB_INJURY_DEAD,
                 BB_INJURY_NULL /* the effect that botbowl records when an apothecary is declined */
};

struct bb_player {
    uint64_t skills[2]; /* one bit for each enum bb_skill */
    uint16_t square;    /* BB_NOWHERE: not on the pitch */
    uint16_t flags;     /* enum bb_flag */
    uint16_t injuries;  /* up to four enum bb_injury of 4 bits, the first lowest */
    uint8_t ma, st, ag, av;
    uint8_t number;      /* on the shirt; 0: no such player */
    uint8_t moves;       /* spent in this activation */
    uint8_t used;        /* enum bb_used_skill */
    uint8_t skill_count; /* number of skills; formations use it */
    uint8_t spare[2];
};

enum bb_place { BB_RESERVES, BB_KO, BB_CASUALTIES, BB_DUNGEON, BB_PLACES };

struct bb_team {
    uint8_t list[BB_PLACES][BB_TEAM_MAX]; /* players off the pitch, in order of arrival */
    uint8_t listed[BB_PLACES];
    uint8_t players;
    uint8_t start_rerolls, fan_factor, coaches, cheerleaders;
    uint8_t undead; /* Stakes work against this race */
    uint8_t human;  /* asked in human mode: see bloodbowl-rules.md, "Rerolls" */
    uint8_t score, turn, rerolls, reroll_used, bribes, apothecaries, fame;
    uint8_t forfeits; /* turns that the team loses, because it scored in the opponent's turn */
    uint8_t spare;
};

/* Bits of a frame. */
enum bb_bit {
    BB_STARTED = 1 << 0,
    BB_DONE = 1 << 1,
    BB_ROLLED = 1 << 2,   /* a roll failed and its reroll is being decided */
    BB_GRANTED = 1 << 3,  /* the reroll was granted, but not made yet */
    BB_REROLLED = 1 << 4, /* a reroll was granted: there is no second one */
    BB_A = 1 << 5,        /* BB_A to BB_G: each procedure gives them its own meaning */
    BB_B = 1 << 6,
    BB_C = 1 << 7,
    BB_D = 1 << 8,
    BB_E = 1 << 9,
    BB_F = 1 << 10,
    BB_G = 1 << 11
};

struct bb_frame {
    uint8_t procedure; /* enum bb_procedure */
    uint8_t phase;     /* its meaning depends on the procedure */
    uint8_t team;      /* BB_NOBODY: none */
    uint8_t player, other;
    uint8_t around; /* set of directions (bit = index into bb_directions) */
    int8_t number;
    uint8_t extra;
    uint16_t bits; /* enum bb_bit */
    uint16_t square, from;
    uint16_t roll; /* dice that were rolled, 3 bits each; from bit 12, their number */
};

struct bb_state {
    struct bb_player player[BB_PLAYERS];
    uint8_t pitch[BB_SQUARES]; /* player + 1 */
    struct bb_team team[2];
    struct bb_frame frame[BB_DEPTH];
    uint64_t quirks; /* bit n: deviation n from the rules (docs/games/bloodbowl.md) is played */
    uint64_t path;   /* steps still to take, 3 bits each, the first lowest */
    uint16_t path_square; /* where the last step led */
    uint8_t path_left;
    uint8_t path_action; /* what is done on the last step: enum bb_action_type */
    uint16_t ball, bomb; /* squares */
    uint8_t ball_out;    /* a ball is in the game: botbowl's list of balls is not empty */
    uint8_t ball_carried, ball_on_ground;
    uint8_t bomb_out, bomb_carried;
    uint8_t depth;   /* frames on the stack */
    uint8_t variant; /* index into bb_variants */
    uint8_t paths;   /* players move along paths, not square by square */
    uint8_t half, round, weather, gust;
    uint8_t spectators;                                   /* thousands */
    uint8_t current, toss, kick_first, kick_drive, order; /* teams; order: first in each round */
    uint8_t active, activation;                           /* player, enum bb_activation */
    uint8_t over;
    uint8_t idle;     /* see BB_MAX_IDLE */
    uint8_t mirrored; /* home and away have been exchanged: see bb_side */
    uint8_t spare[4];
};

static_assert(sizeof(struct bb_player) == 32, "players are packed");
static_assert(sizeof(struct bb_frame) == 16, "frames are packed");
static_assert(sizeof(struct bb_state) <= 2560, "a state is at most 2.5 KiB");

/* --- sizes and limits of a variant: docs/games/bloodbowl-rules.md, "Boards and limits" --- */

struct bb_spot {
    char letter;
    uint8_t x, y; /* as for the away side */
};

struct bb_formation {
    uint16_t action;             /* BB_DO_SETUP_FORMATION_... */
    const struct bb_spot *spots; /* ends with letter 0 */
};

struct bb_variant {
    const char *name, *title, *human; /* human: roster of the usual teams */
    uint8_t number;                   /* 1, 3, 5, 7, 11 */
    uint8_t width, height;            /* with the crowd */
    uint8_t pitch_max, pitch_min, scrimmage_min, wing_max, turns;
    uint8_t kick_sides; /* of the distance die; 0: a D2, which shows 0 in botbowl (deviation 1) */
    uint8_t throw_dice, throw_sides;
    uint8_t centre_top, centre_bottom; /* rows between the wings */
    struct bb_formation defence[2], offence[2];
};

extern const struct bb_variant bb_variants[];
enum { BB_VARIANTS = 5 };

extern const char *const bb_procedure_names[BB_PROCEDURES];
extern const char *const bb_skill_names[BB_SKILLS + 1];
extern const char *const bb_action_names[BB_ACTIONS];
extern const char *const bb_die_names[BB_DICE + 1];
extern const char *const bb_weather_names[BB_WEATHERS];
extern const char *const bb_activation_names[BB_ACTIVATIONS];

/* --- actions --- */

struct bb_action {
    uint8_t type;    /* enum bb_action_type */
    uint8_t player;  /* BB_NONE: none */
    uint16_t square; /* BB_NOWHERE: none */
    uint8_t length;  /* of the path; 0: no path.  With a path, player is not used and
                      * square is where the path ends */
    uint64_t path;   /* directions, 3 bits each, the first lowest */
};

/* A path starts where the active player stands; square follows from it.  Layout: type 6 bits, path
 * length or player + 1 6 bits, square + 1 or (path) 0 10 bits, path 42 bits. */
banyan_action bb_action_pack(const struct bb_action *action);
struct bb_action bb_action_unpack(const struct bb_state *state, banyan_action packed);

/* --- choices, annotated as botbowl shows them to its agents --- */

struct bb_option { /* one argument */
    uint64_t path;
    double probability; /* of the path */
    uint16_t square;    /* BB_NOWHERE: none */
    uint8_t player;     /* BB_NONE: none */
    int8_t dice;        /* block dice, negative: the defender's coach chooses; 0: not shown */
    uint8_t length;     /* of the path as shown, with standing up */
    uint8_t steps;      /* of the path as packed */
    uint8_t targets;    /* number of dice that must reach a target */
    uint8_t target[5];  /* what each of them must roll */
};

struct bb_choice {
    uint8_t type, team; /* enum bb_action_type */
    int8_t skill;       /* -1: none */
    bool disabled;
    uint16_t first, count;               /* options; PLACE_PLAYER: squares */
    uint16_t first_player, player_count; /* PLACE_PLAYER alone has both arguments */
};

enum { BB_MAX_CHOICES = 24, BB_MAX_OPTIONS = 1400 };

struct bb_choices {
    bool annotate; /* dice, targets, probabilities are filled in */
    int count, options;
    struct bb_choice choice[BB_MAX_CHOICES];
    struct bb_option option[BB_MAX_OPTIONS];
};

/* The choices of the team that must decide; none when the game is over. */
void bb_list(const struct bb_state *state, struct bb_choices *out, bool annotate);

/* The team that must decide, BB_NOBODY at the end. */
int bb_asked(const struct bb_state *state);

/* Plays one action with all its dice up to the next decision.  The action must be one of the
 * choices; legal() need not list it. */
void bb_apply(struct bb_state *state, const struct bb_action *action, struct banyan_dice *dice);

/* --- new states --- */

/* The state before StartGame, without teams: bytes are 0, or the value that means "none". */
void bb_state_clear(struct bb_state *state, int variant);

/* Puts the frames of the start on the stack; teams and players have been filled in before. */
void bb_state_begin(struct bb_state *state);

/* Makes the stack of an ordinary team turn from what recorded games tell: the frames EndGame
 * Pregame Half [Half] [Turn] Turn.  available: blitz, pass, handoff, foul. */
void bb_state_resume(struct bb_state *state, int waiting_turns, const bool available[4]);

/* Adds a frame for the active player's activation: BB_MOVE_ACTION .. BB_BLOCK_ACTION. */
void bb_state_activate(struct bb_state *state, enum bb_procedure procedure);

/* --- squares, players --- */

static inline int bb_square(int x, int y)
{
    return (y + 1) * BB_ROW + x;
}
static inline int bb_x(int square)
{
    return square % BB_ROW;
}
static inline int bb_y(int square)
{
    return square / BB_ROW - 1;
}
static inline int bb_team_of(int player)
{
    return player / BB_TEAM_MAX;
}
static inline bool bb_has(const struct bb_player *player, enum bb_skill skill)
{
    return player->skills[skill / 64] >> skill % 64 & 1;
}

/* The top-most Turn of the stack, NULL if there is none. */
const struct bb_frame *bb_turn_frame(const struct bb_state *state);

enum {                       /* bits of a Turn frame */
       BB_TURN_BLITZ = BB_A, /* blitz ... foul still available */
       BB_TURN_PASS = BB_B,
       BB_TURN_HANDOFF = BB_C,
       BB_TURN_FOUL = BB_D,
       BB_TURN_IS_BLITZ = BB_E,
       BB_TURN_IS_QUICK_SNAP = BB_F
};

/* index: bloodbowl-1, -3, -5, -7, -11, then bloodbowl, another name of bloodbowl-11. */
const struct banyan_game *bloodbowl_variant(int index);

#endif
