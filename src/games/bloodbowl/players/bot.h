/* The scripted coach: it values plans of one activation in points and plays them step by step.
 *
 *    view   tackle zones, the ball and the turns left
 *    reach  how safely a player gets to each square
 *    plans  what each player could do, with probability of success, gain and cost
 *    step   the next action of a plan; answers to all other questions
 *
 * A plan is a whole activation: "blitz that opponent from there", "run there and hand off".  The
 * coach first plays the plans that hardly fail, then the best of the others, and ends the turn when
 * no plan gains anything.  bot_points.def says what is worth how much.
 *
 * The search over plans (agent.h) uses the same plans as its actions, and their points for its
 * priors.
 */
#ifndef BLOODBOWL_BOT_H
#define BLOODBOWL_BOT_H

#include "games/bloodbowl/bloodbowl.h"
#include "games/bloodbowl/players/bot_points.h"

#include <banyan/evaluator.h>
#include <banyan/player.h>

enum { BOT_LABELS = 1024, BOT_PLANS = 256, BOT_ROWS = BB_SQUARES / BB_ROW };

struct bot_threat { /* an opponent who is not stunned */
    uint16_t square;
    int16_t reach; /* squares that the opponent can move and still attack */
};

struct bot_view {
    const struct bb_state *s;
    const struct bot_points *points; /* borrowed */
    int team, opponent;              /* team: the team whose coach looks at the state */
    int turns;   /* turns left to the team in this half, the present one included */
    int ball;    /* square, or BB_NOWHERE */
    int carrier; /* player, or BB_NONE */
    int idle;    /* number of own players who have not acted */
    int threats;
    struct bot_threat threat[BB_TEAM_MAX];
    float hopeless;               /* ways with a lower chance are not considered */
    bool reroll;                  /* the team may reroll in this turn */
    uint8_t zones[2][BB_SQUARES]; /* number of tackle zones of team 0, 1 on each square */
    uint32_t open[BOT_ROWS];      /* free squares, a bit per column; row y + 1 */
    uint32_t held[2][BOT_ROWS];   /* squares in a tackle zone of team 0, 1 */
};

void bot_look(struct bot_view *view, const struct bot_points *points, const struct bb_state *s,
              int team);

/* Number of columns from the square to the end zone in which team scores. */
int bot_far(const struct bb_state *s, int team, int square);

/* --- where a player can go --- */

struct bot_label {
    float chance;
    uint16_t square;
    int16_t parent; /* -1: the start, or a label of a flood fill, whose parent is searched when
                     * needed */
    uint8_t moves;  /* moves spent to get there */
    uint8_t dodged; /* the Dodge skill is used up */
    bool flows;     /* continues a flood fill: no dodge is needed */
};

struct bot_reach {
    int count;
    struct bot_label label[BOT_LABELS]; /* in order of moves */
    int16_t best[BB_SQUARES];           /* the safest label of a square, or -1 */
};

void bot_find(const struct bot_view *view, int player, struct bot_reach *reach);
float bot_chance(const struct bot_reach *reach, int square); /* 0: out of reach */
/* Writes the path to square as directions (bb_d8), 3 bits each; returns its length. */
int bot_way(const struct bot_view *view, const struct bot_reach *reach, int square, uint64_t *path);
float bot_d6(int target); /* probability to roll target (2..6) or more */

/* --- blocks --- */

struct bot_odds {
    float down;     /* the defender falls */
    float push;     /* the defender is only pushed */
    float turnover; /* the attacker falls */
};

/* square: the square from which the attacker blocks; more: number of assists to add to those that
 * there are. */
struct bot_odds bot_block(const struct bot_view *view, int attacker, int defender, int square,
                          bool blitz, int more);
/* How good a face of the block die is for the attacker, 0..100. */
int bot_face(const struct bb_state *s, int attacker, int defender, int face);

/* --- plans --- */

struct bot_plan {
    uint8_t start; /* enum bb_action_type: START_MOVE ..., END_TURN */
    uint8_t player;
    uint16_t stand;  /* where the player moves first; their own square: stays or stands up */
    uint16_t target; /* of block, hand-off, pass; BB_NOWHERE: none */
    bool stays;      /* a ball carrier who waits on the square `stand` */
    float chance;    /* probability that nothing goes wrong */
    float points;    /* gain and loss, weighted by their probabilities */
};

struct bot_plans {
    int count;
    struct bot_plan plan[BOT_PLANS];
};

/* Lists what the coach whose turn it is could do, END_TURN last; at most `each` plans of a kind and
 * player.  all: also plans that seem to lose something, and blitzes from the player's own square.
 */
void bot_list(const struct bot_view *view, int each, bool all, struct bot_plans *out);
/* The plan that the script plays. */
const struct bot_plan *bot_pick(const struct bot_view *view, const struct bot_plans *plans);

/* The square to which a ball carrier should run; BB_NOWHERE: stays. */
int bot_run(const struct bot_view *view, int player, const struct bot_reach *reach, float *chance,
            float *points);
/* Points of a square for a ball carrier of the view's team. */
float bot_carrier_points(const struct bot_view *view, int player, int square);

/* --- answers --- */

/* Whether the state asks for a new plan: a turn is in progress and no player is active. */
bool bot_plans_now(const struct bb_state *s);

/* The next action of the coach who is asked; plan: the active player's plan (NULL: none).  whole:
 * moves are given as one path, for bb_apply; otherwise square by square, as legal() lists them. */
struct bb_action bot_answer(const struct bot_points *points, const struct bb_state *s,
                            const struct bot_plan *plan, bool whole);

/* Whether the player has reached the end of the plan's move.  A caller that moves square by square
 * must then forget the plan; otherwise a player who ran on with the ball would turn back. */
bool bot_there(const struct bb_state *s, const struct bot_plan *plan);

/* The first action of a plan. */
struct bb_action bot_begin(const struct bot_plan *plan);

/* One decision of the script; *plan and *planned keep its plan between decisions. */
struct bb_action bot_next(const struct bot_points *points, const struct bb_state *s,
                          struct bot_plan *plan, bool *planned);
/* The script plays both sides to the end of the game, or for max_plies decisions. */
void bot_rollout(struct bb_state *s, int max_plies, struct banyan_dice *dice);
/* Whether legal() lists the action; if not, *action becomes END_PLAYER_TURN or END_SETUP if that is
 * legal, otherwise the last legal action. */
bool bot_legal(const struct bb_state *s, banyan_action *action);

/* --- the player programs of Blood Bowl (bot.c) --- */

extern const struct banyan_offer bb_offers[];

#endif
