/* What lines tell beyond the things that the tracker keeps: the counts that the rules go by.
 *
 * How long the present poison has worked, how often somebody protected himself in a row, who has
 * acted in this turn, which move is being charged.  A chooser that searches needs them to say how
 * the battle stands (position.h); it observes the lines right after the tracker.
 */
#ifndef SHOWDOWN_CHRONICLE_H
#define SHOWDOWN_CHRONICLE_H

#include "showdown/tracker.h"

struct chronicle_side {
    /* of the active Pokémon; all of it ends when it leaves */
    int turns;        /* ends of turns that it saw */
    int tries;        /* moves that it tried */
    bool acted;       /* in this turn: moved, could not move, or came in by choice */
    bool failed;      /* its last try in this turn failed */
    bool failed_once; /* that of the turn before did */
    int tox;          /* how often the present poison has hurt it since it came in */
    int confused;     /* moves tried while confused */
    int protects;     /* in a row */
    int protect_ends; /* tracker.ends at the last of them */
    char charging[PROTOCOL_ID];
    int charge_ends;
    char rampage[PROTOCOL_ID];    /* Outrage and the like: locked into it */
    int rampaged;                 /* turns of it */
    char own_move[PROTOCOL_ID];   /* last move that was no Max move and was not called */
    bool own_last;                /* that was its last move */
    char first_move[PROTOCOL_ID]; /* own move that it made first: Gorilla Tactics goes by it */
    bool destiny, trapped, substitute_hit;
    bool taunt_late, encore_late, disable_late; /* began when it had acted already */
    char bound[PROTOCOL_ID];                    /* trapped partially: by that move */
    int bound_ends;

    /* of the place; stays when the Pokémon leaves */
    bool wished, healing_wish, foreseen;
    int wish_turn, wish_hp; /* hp: maximum of who wished, as the lines tell it */
    int foreseen_turn;
    char foreseen_by[PROTOCOL_NAME]; /* of the other side */
};

struct chronicle {
    struct chronicle_side sides[2];
    int mover;     /* whose move it was last; -1: nobody's in this turn */
    bool run_down; /* this turn has ended, and only replacements are to come */
};

void chronicle_start(struct chronicle *chronicle);

/* Takes in one line, which the tracker has taken in already. */
void chronicle_line(struct chronicle *chronicle, const struct tracker *tracker,
                    const struct protocol_line *line);

#endif
