/* What a battle says about the foe's sets besides what it shows: likelihoods by candidate.
 *
 *     no heal at the end of a turn        no Leftovers
 *     stones do not hurt who comes in     Heavy-Duty Boots
 *     two moves without leaving           no Choice item
 *     nothing announced on entry          no ability that announces itself
 *     no recoil after a hit               no Life Orb
 *     who moved first                     speed: Choice Scarf, effort values
 *     how much a hit did                  items and abilities that change damage
 *
 * Each only multiplies: a set that it speaks against keeps a small share, for lines can deceive
 * (Illusion).
 */
#ifndef SHOWDOWN_EVIDENCE_H
#define SHOWDOWN_EVIDENCE_H

#include "showdown/position.h"

#define EVIDENCE_AGAINST 0.02f /* what is left of a set that something speaks against */

struct evidence {
    struct belief_mon mons[TRACKER_TEAM]; /* of the foe, by the tracker's index */
    struct request request;               /* the last one */
    bool has_request;

    /* of the foe's active Pokémon, until the next thing happens */
    bool came_in, stones, stones_hurt; /* it came in; onto stones; they hurt it */
    bool hit, recoiled;                /* its attack did damage; Life Orb hurt it */
    bool hungry, healed;               /* it is hurt at the end of a turn; an item healed it */

    /* of this turn */
    struct pokemon start; /* the state when the choices were made */
    bool has_start;
    int first_mover; /* -1: nobody yet, -2: order says nothing */
    int first_move;

    /* of this move */
    struct pokemon before;
    bool has_before, crit;
    int mover, move; /* move 0: its damage says nothing */

    int used; /* how often it changed anything */
};

void evidence_start(struct evidence *evidence);

/* A request came; state was built from it (NULL: none). */
void evidence_request(struct evidence *evidence, const struct request *request,
                      const struct pokemon *state);

/* Takes in one line, after tracker and chronicle. */
void evidence_line(struct evidence *evidence, const struct tracker *tracker,
                   const struct chronicle *chronicle, const struct position_memory *memory,
                   const struct protocol_line *line);

#endif
