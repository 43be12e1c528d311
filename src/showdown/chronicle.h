/* The counts that the rules need and the tracker does not store.
 *
 * Examples: how long the present poison has lasted, how often a Pokémon has protected itself in a
 * row, which sides have acted in this turn, which move is being charged.  A chooser that searches
 * needs them to make a state (position.h).  The chronicle reads each line after the tracker.
 */
#ifndef SHOWDOWN_CHRONICLE_H
#define SHOWDOWN_CHRONICLE_H

#include "showdown/tracker.h"

struct chronicle_side {
    /* of the active Pokémon; reset when it leaves */
    int turns;        /* ends of turn while it was active */
    int tries;        /* moves that it tried */
    bool acted;       /* in this turn: it moved, could not move, or came in by choice */
    bool failed;      /* its last attempt in this turn failed */
    bool failed_once; /* the attempt of the turn before failed */
    int tox;          /* how often the present poison has hurt it since it came in */
    int confused;     /* moves tried while confused */
    int protects;     /* in a row */
    int protect_ends; /* tracker.ends at the last of them */
    char charging[PROTOCOL_ID];
    int charge_ends;
    char rampage[PROTOCOL_ID];    /* Outrage and similar moves: it is locked into this one */
    int rampaged;                 /* number of turns that it has lasted */
    char own_move[PROTOCOL_ID];   /* the last of its moves that was not a Max move and was not
                                   * called by another */
    bool own_last;                /* own_move was also its last move */
    char first_move[PROTOCOL_ID]; /* its first own move: Gorilla Tactics locks it into this */
    bool destiny, trapped, substitute_hit;
    bool taunt_late, encore_late, disable_late; /* they began after it had acted */
    char bound[PROTOCOL_ID];                    /* the move that traps it partially */
    int bound_ends;

    /* of the side's position on the field; stays when the Pokémon leaves */
    bool wished, healing_wish, foreseen;
    int wish_turn, wish_hp; /* wish_hp: max hp that the lines show for the user of Wish */
    int foreseen_turn;
    char foreseen_by[PROTOCOL_NAME]; /* name of a Pokémon of the other side */
};

struct chronicle {
    struct chronicle_side sides[2];
    int mover;     /* the side that moved last; -1: none in this turn */
    bool run_down; /* the turn has ended, and only replacements follow */
};

void chronicle_start(struct chronicle *chronicle);

/* Reads one line; the tracker must have read it already. */
void chronicle_line(struct chronicle *chronicle, const struct tracker *tracker,
                    const struct protocol_line *line);

#endif
