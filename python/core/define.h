/* Games that are written in Python.
 *
 *      an object of the caller's         struct defined               libbanyan
 *      legal(state, player) -> [3, 5]  <--- callbacks ---  struct banyan_game
 *
 * A state of such a game is a plain value: numbers, texts, bytes, tuples and lists of them.  Its bytes
 * are those of marshal, with their length before them and zeros after them, so equal values have equal
 * bytes and are copied as any state is.  Each callback makes the value anew, so a game that changes it
 * changes no state.
 *
 * The result of each method is checked.  If it is wrong, or the method raises, the callback returns
 * a harmless value, and carry.h brings the exception to the caller.  Methods depend on their
 * arguments only, so a method that Ctrl-C interrupts is called again, and the tree has no wrong
 * values.
 */
#ifndef CORE_DEFINE_H
#define CORE_DEFINE_H

#include "carry.h"

enum define_method {
    DEFINE_NEW,
    DEFINE_READ,
    DEFINE_MOVERS,
    DEFINE_LEGAL,
    DEFINE_APPLY,
    DEFINE_RETURNS,
    DEFINE_KEY,
    DEFINE_DETERMINIZE,
    DEFINE_ACTION_NAME,
    DEFINE_HEURISTIC,
    DEFINE_PRIORS,
    DEFINE_OBSERVE,
    DEFINE_POINTS,
    DEFINE_DRAW,
    DEFINE_SVG,
    DEFINE_METHODS
};

enum { DEFINE_KINDS = 255 }; /* kinds of dice; chance.c takes the numbers 0..254 */

struct defined {
    struct banyan_game rules;   /* .ctx is this struct */
    char kind[DEFINE_KINDS][8]; /* names of the kinds of dice: "die", "die 1", ... */
    const char *kinds[DEFINE_KINDS + 1];
    const struct core *core;
    PyObject *name, *title;
    PyObject *method[DEFINE_METHODS]; /* NULL: the game has none */
    PyObject *dumps, *loads;          /* of marshal */
    struct carry foreign;             /* exceptions in threads of the library */
};

void define_free(struct defined *defined);

/* _define(...) of the module: makes a Game; banyan/define.py has the arguments. */
PyObject *define_game(const struct core *core, PyObject *args);

/* --- player.c --- */

/* Closes players by work(ctx); without the GIL if the game is written in Python, because players
 * may be searching in the background. */
void player_close(const struct game *game, void (*work)(void *ctx), void *ctx);

/* --- check.c --- */

/* _check(game, told, games, seed, own_setups_only) of the module: appends the messages to the list told, and
 * returns (game, ply, exception): where a rule has raised, or (-1, -1, None). */
PyObject *check_game(const struct core *core, PyObject *args);

/* --- define_call.c: for the callbacks --- */

/* A callback in progress; the GIL is held. */
struct define_call {
    struct defined *game;
    PyGILState_STATE gil;
    struct carry *carry; /* where exceptions go */
    bool refuses;        /* an exception is an answer, and is not kept */
};

/* Returns whether methods can be called; if not, the run is about to end.  define_leave follows in both cases. */
bool define_enter(struct define_call *call, const struct banyan_game *game);
void define_leave(struct define_call *call);

/* Keeps the exception that is set, unless the call refuses: the callback has no answer. */
void define_broken(struct define_call *call);

/* Raises an error: the result of a method is not `wanted`.  Takes the reference to result. */
void define_wrong(struct define_call *call, const char *method, PyObject *result,
                  const char *wanted);

/* The dice or the generator from which a method draws, or NULL.  Before a second call of the method
 * the dice or generator is set back, so that the same numbers are drawn. */
struct define_luck {
    struct banyan_dice *dice;
    struct banyan_rng *rng;
};

/* Calls method(args...) and takes the reference to args.  NULL: the call is broken. */
PyObject *define_method(struct define_call *call, enum define_method method, PyObject *args,
                        const struct define_luck *luck);

/* The value of a state, and the state of a value. */
PyObject *define_value(struct define_call *call, const void *state);
PyObject *define_dump(struct define_call *call, PyObject *value); /* bytes of marshal */
bool define_store(struct define_call *call, PyObject *value, void *state);

/* Calls method(value of state, further arguments as for Py_BuildValue("(...)")). */
PyObject *define_ask(struct define_call *call, enum define_method method, const void *state,
                     PyObject *more);

/* Reads count numbers within least..most, nested in any way, into out. */
bool define_numbers(PyObject *object, int count, float least, float most, float *out);

/* define_rules.c and define_look.c: set the functions of the table. */
void define_set_rules(struct banyan_game *rules, const struct defined *defined);
void define_set_looks(struct banyan_game *rules, const struct defined *defined);

#endif
