/* The extension banyan._core: games, states, searches and players of libbanyan as objects of Python.
 *
 *      Python            banyan.State   banyan.Search   banyan.Player
 *                             |              |               |
 *      this folder        state*.c        search*.c       player.c  ---- outside.c: without the GIL
 *                             |              |               |
 *      libbanyan          banyan_game   banyan_search   banyan_player
 *
 * It is written for the limited API of CPython 3.11, so that one build serves this and every later version.
 * A function that gets an object as its first parameter is called with the GIL held, unless it says
 * otherwise.  "Returns false" means that an exception of Python is set.
 *
 * The data of an instance are a struct behind the object's head, and CORE_DATA returns its address:
 * for an interpreter that hides the head only CORE_DATA must change.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#include <Python.h>

#include <banyan/observe.h>
#include <banyan/player.h>
#include <banyan/search.h>

#include <stdbool.h>

/* The types, the exception and other objects of the module. */
struct core {
    PyTypeObject *game, *state, *search, *leaves, *player, *env, *array, *random, *dice;
    PyTypeObject *table, *tally;                   /* of a match */
    PyTypeObject *move, *choice, *stats, *feature; /* named tuples */
    PyObject *error;                               /* banyan.BanyanError */
    PyObject *defined;                             /* {name: Game} of the games written in Python */
    PyObject *mover[BANYAN_MAX_PLAYERS];           /* (0,), (1,), ... */
};

#define CORE_DATA(object, type) ((type *)(void *)((char *)(object) + sizeof(PyObject)))

/* --- arguments.c: parameters of a call, and numbers and texts out of objects --- */

enum { CORE_PARAMETERS_MAX = 8 };

/* The parameters of a function of Python.  Those from number `positional` on must be given by name. */
struct core_parameters {
    const char *function; /* "apply", for messages */
    int required, positional;
    const char *names[CORE_PARAMETERS_MAX]; /* NULL at the end */
};

/* The arguments of one call as CPython passes them (METH_FASTCALL | METH_KEYWORDS). */
struct core_call {
    PyObject *const *values;
    Py_ssize_t count;
    PyObject *keywords;
};

/* Writes out[]: for each parameter its argument (borrowed); NULL if there is none, or if it is None and not
 * required. */
bool core_arguments(const struct core_parameters *parameters, const struct core_call *call,
                    PyObject *out[]);

/* If object is NULL, each of these functions leaves *out as it was.  name: of the parameter, for messages. */
bool core_read_int(PyObject *object, const char *name, int64_t least, int64_t most, int64_t *out);
bool core_read_word(PyObject *object, const char *name, uint64_t *out); /* 0..2^64-1 */
bool core_read_real(PyObject *object, const char *name, double *out);
bool core_read_text(PyObject *object, const char *name, const char **out); /* borrowed */
bool core_read_bool(PyObject *object, const char *name, bool *out);

/* Reads a seed: the given number, or, if object is NULL, a different number at each call. */
bool core_read_seed(PyObject *object, uint64_t *out);

/* --- errors.c --- */

/* Raises BanyanError with the message and the status; returns NULL. */
PyObject *core_raise(const struct core *core, const struct banyan_error *err);
PyObject *core_fail(const struct core *core, enum banyan_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- carry.c --- */

/* The return value of a method that may have called a game written in Python: result, or NULL with
 * the exception that the game raised.  Takes the reference. */
PyObject *core_carried(PyObject *result);

/* CORE_CARRIED(f) defines f_carried, for tables of methods: it calls f, and core_carried on the
 * result. */
#define CORE_CARRIED(function)                                                                     \
    static PyObject *function##_carried(PyObject *self, PyObject *const *values, Py_ssize_t count, \
                                        PyObject *keywords)                                        \
    {                                                                                              \
        return core_carried(function(self, values, count, keywords));                              \
    }
#define CORE_CARRIED_GETTER(function)                                 \
    static PyObject *function##_carried(PyObject *self, void *unused) \
    {                                                                 \
        return core_carried(function(self, NULL));                    \
    }
#define CORE_CARRIED_NOARGS(function)                                     \
    static PyObject *function##_carried(PyObject *self, PyObject *unused) \
    {                                                                     \
        return core_carried(function(self, NULL));                        \
    }

/* As CORE_CARRIED, for methods of which only one at a time may run on an object, in whatever
 * thread.  (While games and evaluators that are written in Python run, other threads or this code
 * may call methods.) TYPE_is_free raises while struct TYPE is busy.  CORE_ALONE(search, search_run)
 * defines search_run_alone. */
#define CORE_ALONE(type, function)                                                               \
    static PyObject *function##_alone(PyObject *self, PyObject *const *values, Py_ssize_t count, \
                                      PyObject *keywords)                                        \
    {                                                                                            \
        struct type *one = type##_of(self);                                                      \
        if (!type##_is_free(one))                                                                \
            return NULL;                                                                         \
        one->busy = true;                                                                        \
        PyObject *result = core_carried(function(self, values, count, keywords));                \
        one->busy = false;                                                                       \
        return result;                                                                           \
    }

/* --- show.c --- */

/* Returns the HTML that the named function of banyan.show makes for self. */
PyObject *core_show(PyObject *self, const char *function);

/* --- text.c: texts of functions that write as snprintf does --- */

/* Calls write(ctx, out, size), again with more room if the text does not fit, and returns the text
 * as str. */
typedef int core_write_fn(void *ctx, char *out, size_t size);
PyObject *core_text(core_write_fn *write, void *ctx);

/* --- array.c: arrays that other packages can use without a copy --- */

enum { CORE_DIMENSIONS_MAX = 5 };

/* What an array holds: format is 'f' (float), 'b' (int8_t), '?' (bool) or 'Q' (uint64_t). */
struct core_shape {
    char format;
    int dimensions;
    Py_ssize_t size[CORE_DIMENSIONS_MAX];
};

/* Returns a new array of zeros, an object with a buffer, and its memory in *data. */
PyObject *core_array_make(const struct core *core, const struct core_shape *shape, void **data);

/* Returns a memoryview over a new array of zeros, and its memory in *data: the view alone keeps the array. */
PyObject *core_array_new(const struct core *core, const struct core_shape *shape, void **data);

/* Opens the caller's array `out` (the caller releases the view), or makes a new one if it is NULL.  Returns
 * the object that the method returns to Python (a new reference). */
PyObject *core_array_out(const struct core *core, PyObject *out, const struct core_shape *shape,
                         void **data, Py_buffer *view);

/* Reads numbers [rows][columns], or [rows] where columns is 0, into out: from an array of float32 or
 * float64 or from lists.  All must be finite. */
bool core_read_floats(const struct core *core, PyObject *object, const char *name, int rows,
                      int columns, float *out);

/* Reads integers of 1 to 8 bytes, in one or two dimensions; if the size of the second is 1, the
 * array may have one dimension or two.  format 'q': out is int64_t, and all must be below 2^63;
 * 'Q': out is uint64_t, and all must be 0 or more. */
bool core_read_longs(const struct core *core, PyObject *object, const char *name,
                     const struct core_shape *shape, void *out);

/* --- outside.c: long work without the GIL --- */

/* Runs work(ctx) in a thread of its own without the GIL.  The calling thread checks every 20 ms whether a signal has
 * come.  If the signal's handler raises an exception, *stop is set, and this returns false with that exception
 * after the work has ended. */
bool core_outside(void (*work)(void *ctx), void *ctx, banyan_flag *stop);

/* --- game.c --- */
struct game {
    const struct core *core;
    const struct banyan_game *rules; /* static storage of the library, or of defined */
    struct defined *defined;         /* NULL: the game is not written in Python */
    banyan_action *legal;            /* [max_legal] for one call at a time, under the GIL */
};
static inline struct game *game_of(PyObject *object)
{
    return CORE_DATA(object, struct game);
}
extern PyType_Spec game_spec;
extern PyStructSequence_Desc game_feature_desc;
/* Makes a Game.  defined: NULL, or the struct of a game written in Python, which the new Game will
 * own. */
PyObject *game_make(const struct core *core, const struct banyan_game *rules,
                    struct defined *defined);
PyObject *game_find(const struct core *core, const char *name);
/* Reads a Game or the name of a game; returns a new reference. */
PyObject *game_read(const struct core *core, PyObject *object);
/* Adds the dimensions of an observation (planes, or one list of numbers) to those of shape; returns whether the
 * game shows anything. */
bool game_observation(const struct game *game, struct core_shape *shape);

/* --- state.c --- */
struct state {
    PyObject *owner; /* the Game */
    struct game *game;
    void *bytes; /* [rules->state_size] */
    struct banyan_rng rng;
};
static inline struct state *state_of(PyObject *object)
{
    return CORE_DATA(object, struct state);
}
extern PyType_Spec state_spec;
PyObject *state_new(PyObject *game); /* bytes are not set */
PyObject *state_clone(PyObject *state, PyObject *unused);
/* Whether object is a state of this game; raises otherwise. */
bool state_check(const struct game *game, PyObject *object, const char *name);
/* Reads a mover from an argument; NULL means the only mover.  Raises if there are several, or if the player that was
 * given does not choose here. */
bool state_mover(const struct state *state, PyObject *object, int *player);
/* Reads a viewer; if object is NULL, *viewer stays as it is.  least: -1 if a viewer of everything is allowed, else
 * 0. */
bool state_viewer(const struct state *state, PyObject *object, int least, int *viewer);
/* Fills game->legal and returns the number of actions.  player must be a mover, which state_mover checks. */
int state_legal(const struct state *state, int player);
/* Returns the index of action among the legal ones of player; -1: it is not legal, and an exception is set. */
int state_find(const struct state *state, int player, banyan_action action);
/* Reads an action, or {player: action} for all movers, into joint[BANYAN_MAX_PLAYERS]; all are legal. */
bool state_joint(const struct state *state, PyObject *object, banyan_action joint[]);

/* state_text.c, state_look.c: further methods */
#define STATE_METHOD(name) \
    PyObject *name(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
STATE_METHOD(state_name);
STATE_METHOD(state_parse);
STATE_METHOD(state_draw);
STATE_METHOD(state_svg);
STATE_METHOD(state_observe);
STATE_METHOD(state_observe_json);
STATE_METHOD(state_mask);
STATE_METHOD(state_index);
STATE_METHOD(state_action);
STATE_METHOD(state_bounds);
STATE_METHOD(state_heuristic);
STATE_METHOD(state_key);
STATE_METHOD(state_determinize);
STATE_METHOD(state_rollout);
STATE_METHOD(state_legal_array);
PyObject *state_str(PyObject *self);
PyObject *state_repr(PyObject *self);
PyObject *state_setup(PyObject *self, void *unused);
PyObject *state_repr_svg(PyObject *self, PyObject *unused);
PyObject *state_symmetries(PyObject *self, PyObject *unused);
PyObject *action_text(const struct game *game, const void *bytes, int player, banyan_action action);

/* --- search.c, player.c --- */
extern PyType_Spec search_spec, leaves_spec, player_spec, env_spec, array_spec;
extern PyType_Spec random_spec, dice_spec;
PyObject *player_new(const struct core *core, const struct core_call *call);
extern PyStructSequence_Desc search_move_desc, search_stats_desc, player_choice_desc;

#define CORE_FAST(name, function, doc)                                                    \
    {                                                                                     \
        name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc \
    }

#endif
