/* What the events of a battle say about the foe's sets: likelihoods by candidate.
 *
 *    no heal at the end of a turn        no Leftovers
 *    Stealth Rock does not hurt it       Heavy-Duty Boots
 *    two different moves in a row        no Choice item
 *    nothing announced on entry          no ability that announces itself
 *    no recoil after a hit               no Life Orb
 *    who moved first                     speed: Choice Scarf, effort values
 *    damage of a hit                     items and abilities that change damage
 *
 * Each event multiplies the candidates' factors.  A set that an event contradicts keeps a small
 * factor, because lines can mislead (Illusion).
 */
#ifndef SHOWDOWN_EVIDENCE_H
#define SHOWDOWN_EVIDENCE_H

#include "showdown/position.h"

#define EVIDENCE_AGAINST 0.02f /* factor of a set that an event contradicts */

struct evidence {
    struct belief_mon mons[TRACKER_TEAM]; /* of the foe, by the tracker's index */
    struct request request;               /* the last one */
    bool has_request;

    /* of the foe's active Pokémon, until the next event */
    bool came_in, stones, stones_hurt; /* it came in; Stealth Rock was there, and hurt it */
    bool hit, recoiled;                /* its attack did damage; Life Orb hurt it */
    bool needs_healing, healed;        /* its hp are not full at the end of a turn; an item
                                        * healed it */

    /* of this turn */
    struct pokemon start; /* the state when the choices were made */
    bool has_start;
    int first_mover; /* -1: nobody yet; -2: the order says nothing */
    int first_move;

    /* of this move */
    struct pokemon before;
    bool has_before, crit;
    int mover, move; /* move 0: its damage is not used */

    int used; /* how often an event changed a factor */
};

void evidence_start(struct evidence *evidence);

/* Stores a request; state: the one made from it (NULL: none). */
void evidence_request(struct evidence *evidence, const struct request *request,
                      const struct pokemon *state);

/* Reads one line, after tracker and chronicle. */
void evidence_line(struct evidence *evidence, const struct tracker *tracker,
                   const struct chronicle *chronicle, const struct position_memory *memory,
                   const struct protocol_line *line);

#endif
