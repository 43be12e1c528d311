/* What a search expects: the replies of the foe, and the line of play.
 *
 *     a state drawn from the belief --> most visited actions of both --> dice --> next state ...
 *
 * Each player has a tree of their own.  Where dice decide, some states are drawn, and the line
 * follows the one that the trees have visited most.  Looking changes nothing in the search.
 */
#ifndef SHOWDOWN_EXPECTED_H
#define SHOWDOWN_EXPECTED_H

#include "games/pokemon/belief.h"

#include <banyan/search.h>

enum { EXPECTED_REPLIES = 5, EXPECTED_PLIES = 6 };

/* What both players choose at the same time. */
struct expected_ply {
    unsigned movers;          /* bits: who chooses, as far as the trees know */
    banyan_action actions[2]; /* by player */
    uint64_t visits;          /* of the viewer's action; of the foe's, where only the foe chooses */
};

struct expected {
    struct banyan_search_move replies[EXPECTED_REPLIES]; /* the most visited first */
    /* 0: the foe does not choose now, or the search has keys=full, whose nodes of the foe are about
     * one of the teams that the foe may have. */
    int reply_count;
    uint64_t reply_visits; /* of all actions of the foe, also those that are not in replies */
    struct expected_ply line[EXPECTED_PLIES];
    int line_length;
};

/* A search that has ended. */
struct expected_question {
    const struct banyan_search *search;
    const struct banyan_game *game;
    const struct pokemon *root;
    const struct belief *belief;
    enum banyan_search_keys keys;
    banyan_action chosen; /* the line begins with it */
    uint64_t seed;        /* the same seed gives the same line */
};

void expected_find(const struct expected_question *question, struct expected *out);

#endif
