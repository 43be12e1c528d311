/* Counting the game tree through the game interface (perft).
 *
 * A leaf is a position at exactly the given ply, finished or not; a pass is a
 * ply.  Where movers choose at the same time every joint action counts, and with dice every
 * outcome.  At the last ply joint actions are counted, not played, unless dice decide how many
 * outcomes each has.
 */
#ifndef CLI_COUNT_H
#define CLI_COUNT_H

#include <banyan/game.h>

enum { COUNT_MAX_DEPTH = 64 };

struct count {
    const struct banyan_game *game;
    unsigned char *states;  /* [depth + 1][state_size], owned */
    banyan_action *actions; /* [depth + 1][players][max_legal], owned */
    uint64_t ended;         /* games that ended before the last ply */
    bool overflow;          /* dice that cannot be enumerated: the count is wrong */
};

/* The legal actions of all movers at one ply. */
struct count_choices {
    int movers, player[BANYAN_MAX_PLAYERS], count[BANYAN_MAX_PLAYERS];
    const banyan_action *actions[BANYAN_MAX_PLAYERS];
    uint64_t joint; /* number of joint actions */
};

/* Allocates memory for depth plies. */
enum banyan_status count_open(struct count *count, const struct banyan_game *game, int depth,
                              struct banyan_error *err);
void count_close(struct count *count);

/* Leaves `depth` plies below state, which is `ply` plies below the start. */
uint64_t count_leaves(struct count *count, const void *state, int ply, int depth);

/* The steps of count_leaves, for callers that show them: the choices in state, the joint action with
 * this index (the first mover's choice changes fastest), and the leaves below one joint action, over
 * all outcomes of its dice. */
struct count_choices count_choose(const struct count *count, const void *state, int ply);
void count_joint(const struct count_choices *choices, uint64_t index, banyan_action joint[]);
uint64_t count_after(struct count *count, const void *state, const banyan_action joint[], int ply,
                     int depth);

#endif
