/* Matches, for banyan/matches.py: the tables at which the threads of a match play, and the tally of results.
 *
 *      matches.py: threads, order of the games, Ctrl-C
 *           |                                |
 *      match.c: play game number n      tally.c: count a game, score, interval, SPRT
 *           |                                |
 *      src/match: openings, seats, dice, players, statistics, as in `banyan match`
 */
#ifndef CORE_MATCH_H
#define CORE_MATCH_H

#include "define.h"

/* _table(game, (a, b), seed, opening_plies) of the module.  A player is a text, or an object with open(state,
 * seat, seed), choose(state) -> int and observe(before, action, after); or a tuple of those, by seat.  Methods of
 * the table: play(number) returns (number, seats, returns, setup, moves, plies), or None after stop(). */
PyObject *table_new(const struct core *core, PyObject *args);
extern PyType_Spec table_spec;

/* _tally(game, games_wanted, sprt) of the module; sprt: None or (elo0, elo1, alpha, beta).  Methods:
 * add(number, seats, returns), and read() -> dict of banyan.MatchResult's fields. */
PyObject *tally_new(const struct core *core, PyObject *args);
extern PyType_Spec tally_spec;

/* --- guest.c --- */

/* A player that is an object of Python. */
struct guest {
    PyObject *object;  /* owned */
    PyObject *owner;   /* the Game; borrowed */
    PyObject **raised; /* [3] where the first exception of the match is kept; borrowed */
    int seat;
    uint64_t seed;
    uint64_t shown; /* states that the guest was given in this game */
};

/* Fills in a player that calls the guest, which is borrowed.  Its functions take the GIL themselves. */
void guest_player(struct guest *guest, struct banyan_player *out);

#endif
