/* The scripted coach: plans of one activation, weighed in points, played out step by step.
 *
 *     view   where tackle zones, the ball and the clock stand
 *     reach  how safely a player gets to which square
 *     plans  what each player could do, with chance, gain and price
 *     step   the next primitive action of a plan; answers to all other questions
 *
 * A plan is whole: "blitz him from there", "run there and hand off".  The coach plays what cannot
 * fail first, then the best of what can, and ends his turn when nothing gains any more.  Points:
 * a touchdown is 100, a square of progress about 2.
 *
 * The same plans are the moves of the search (agent.h), and their points its priors.
 */
#ifndef BLOODBOWL_BOT_H
#define BLOODBOWL_BOT_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/evaluator.h>
#include <banyan/player.h>

enum { BOT_LABELS = 1024, BOT_PLANS = 256, BOT_ROWS = BB_SQUARES / BB_ROW };

struct bot_hunter { /* an opponent who is not stunned */
    uint16_t square;
    int16_t reach; /* squares that he moves and still strikes */
};

struct bot_view {
    const struct bb_state *s;
    int team, opponent; /* team: whose coach looks */
    int turns;          /* left to him in this half, this one included while it runs */
    int ball;           /* square, BB_NOWHERE */
    int carrier;        /* BB_NONE */
    int idle;           /* own players who have not acted */
    int hunters;
    struct bot_hunter hunter[BB_TEAM_MAX];
    bool reroll;                  /* the team may reroll in this turn */
    uint8_t zones[2][BB_SQUARES]; /* tackle zones that team 0, 1 has on a square */
    uint32_t open[BOT_ROWS];      /* free squares, a bit per column; row y + 1 */
    uint32_t held[2][BOT_ROWS];   /* squares in a tackle zone of team 0, 1 */
};

void bot_look(struct bot_view *view, const struct bb_state *s, int team);

/* Columns to the end zone in which team scores. */
int bot_far(const struct bb_state *s, int team, int square);

/* --- where a player can go --- */

struct bot_label {
    float chance;
    uint16_t square;
    int16_t parent; /* -1: the start, or to be found: flooded */
    uint8_t moves;  /* spent when there */
    uint8_t dodged; /* the Dodge skill is used up */
    bool flows;     /* goes on without dodges while out of tackle zones */
};

struct bot_reach {
    int count;
    struct bot_label label[BOT_LABELS]; /* by moves */
    int16_t best[BB_SQUARES];           /* the safest label of a square, -1 */
};

void bot_find(const struct bot_view *view, int player, struct bot_reach *reach);
float bot_chance(const struct bot_reach *reach, int square); /* 0: out of reach */
/* The way to square as a path of directions (bb_d8), 3 bits each; returns its length. */
int bot_way(const struct bot_view *view, const struct bot_reach *reach, int square, uint64_t *path);
float bot_d6(int target); /* chance to roll target, 2..6, or more */

/* --- blocks --- */

struct bot_odds {
    float down;     /* the defender falls */
    float push;     /* he is only pushed */
    float turnover; /* the attacker falls */
};

/* square: where the attacker will stand. */
struct bot_odds bot_block(const struct bot_view *view, int attacker, int defender, int square,
                          bool blitz);
/* How good a face is for the attacker, 0..100. */
int bot_face(const struct bb_state *s, int attacker, int defender, int face);

/* --- plans --- */

struct bot_plan {
    uint8_t start; /* enum bb_action_type: START_MOVE ..., END_TURN */
    uint8_t player;
    uint16_t stand;  /* where he goes first; his own square: stays or stands up */
    uint16_t target; /* of block, foul, handoff, pass; BB_NOWHERE */
    bool stays;      /* a carrier who waits where he has come to */
    float chance;    /* that nothing goes wrong */
    float points;    /* gain and loss weighed by it */
};

struct bot_plans {
    int count;
    struct bot_plan plan[BOT_PLANS];
};

/* What the coach on turn could do, END_TURN last; at most `each` plans of a kind and player. all:
 * also what seems to lose something, and blitzes from where one stands. */
void bot_list(const struct bot_view *view, int each, bool all, struct bot_plans *out);
/* The one that the script plays. */
const struct bot_plan *bot_pick(const struct bot_view *view, const struct bot_plans *plans);

/* Where a carrier goes on to, BB_NOWHERE: he stays. */
int bot_run(const struct bot_view *view, int player, const struct bot_reach *reach, float *chance,
            float *points);
/* Points of a ball carrier of the view's team on a square. */
float bot_carrier_points(const struct bot_view *view, int player, int square);

/* --- answers --- */

/* Whether the state asks for a new plan: an ordinary turn with nobody active. */
bool bot_plans_now(const struct bb_state *s);

/* What the coach who is asked does next; plan: of his active player (NULL: none).  whole: moves
 * are given as one path, for bb_apply; else square by square, as legal() lists them. */
struct bb_action bot_answer(const struct bb_state *s, const struct bot_plan *plan, bool whole);

/* Whether a move has come to its end: who plays square by square then forgets the plan, else he who
 * runs on with the ball would turn back. */
bool bot_there(const struct bb_state *s, const struct bot_plan *plan);

/* The first action of a plan. */
struct bb_action bot_begin(const struct bot_plan *plan);

/* One decision of the script; plan and planned are its memory between decisions. */
struct bb_action bot_next(const struct bb_state *s, struct bot_plan *plan, bool *planned);
/* The script plays both sides, to the end or for so many decisions. */
void bot_rollout(struct bb_state *s, int max_plies, struct banyan_dice *dice);
/* Whether legal() lists the action; else it becomes one that ends something. */
bool bot_legal(const struct bb_state *s, banyan_action *action);

/* --- what the game offers (table.c) --- */

extern const struct banyan_offer bb_offers[];

#endif
