/* banyan.Env: many games of one kind, all of which take a step at once. */
#include "define.h"

#include <banyan/env.h>

#include <string.h>

struct env {
    PyObject *owner; /* the Game */
    struct game *game;
    struct banyan_env *env;
    int games;
    bool busy; /* a step or a reset is going on */
    /* The memory that every step writes.  Each attribute is a new memoryview over it, so that a caller who
     * releases their memoryview frees no memory. */
    PyObject *observations, *masks, *movers, *rewards, *done, *final;
    struct banyan_env_arrays arrays;
    int64_t *actions; /* [games][rows] */
};

static struct env *env_of(PyObject *object)
{
    return CORE_DATA(object, struct env);
}

static Py_ssize_t env_rows(const struct env *env)
{
    return banyan_env_rows(env->env);
}

/* --- calls of the library --- */

struct env_call {
    struct env *env;
    const uint8_t *which; /* reset */
    enum banyan_status status;
    struct banyan_error err;
};

static void env_work_step(struct env_call *call)
{
    struct env *env = call->env;
    call->status = banyan_env_step(env->env, env->actions, &env->arrays, &call->err);
}

static void env_work_reset(struct env_call *call)
{
    struct env *env = call->env;
    call->status = banyan_env_reset(env->env, call->which, &env->arrays, &call->err);
}

/* Does the work without the GIL: the env's threads take the GIL to call the rules of a game written
 * in Python. */
static bool env_run(void (*work)(struct env_call *call), struct env_call *call)
{
    const struct game *game = call->env->game;
    struct carry_run run;
    carry_begin(&run, game->defined ? &game->defined->foreign : NULL, NULL);
    Py_BEGIN_ALLOW_THREADS work(call);
    Py_END_ALLOW_THREADS carry_end(&run);
    if (call->status == BANYAN_OK)
        return true;
    core_raise(game->core, &call->err);
    return false;
}

/* --- making one --- */

static bool env_read_autoreset(PyObject *object, enum banyan_env_autoreset *out)
{
    static const char *const names[] = {"next-step", "same-step", "disabled"};
    const char *name = names[0];
    if (!core_read_text(object, "autoreset", &name))
        return false;
    for (int i = 0; i < 3; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = (enum banyan_env_autoreset)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "autoreset is 'next-step', 'same-step' or 'disabled', got '%s'",
                 name);
    return false;
}

static bool env_make_array(struct env *env, struct core_shape shape, PyObject **array, void *data)
{
    void *memory = NULL;
    *array = core_array_make(env->game->core, &shape, &memory);
    memcpy(data, &memory, sizeof memory);
    return *array;
}

static bool env_make_arrays(struct env *env)
{
    const struct banyan_game *rules = env->game->rules;
    struct banyan_env_arrays *arrays = &env->arrays;
    Py_ssize_t n = env->games, rows = env_rows(env), width = banyan_env_width(env->env);
    struct core_shape planes = {'f', 2, {n, rows}};
    struct core_shape final = {'f', 2, {n, rules->players}};
    bool shown = game_observation(env->game, &planes) && game_observation(env->game, &final);
    struct core_shape masks = {'b', 3, {n, rows, width}}, movers = {'b', 2, {n, rows}};
    struct core_shape rewards = {'f', 2, {n, rules->players}}, done = {'?', 1, {n}};
    arrays->struct_size = sizeof *arrays;
    env->actions = PyMem_Calloc((size_t)(n * rows), sizeof *env->actions);
    if (!env->actions)
        PyErr_NoMemory();
    return env->actions &&
           (!shown || (env_make_array(env, planes, &env->observations, &arrays->observations) &&
                       env_make_array(env, final, &env->final, &arrays->final_observations))) &&
           env_make_array(env, masks, &env->masks, &arrays->masks) &&
           env_make_array(env, movers, &env->movers, &arrays->movers) &&
           env_make_array(env, rewards, &env->rewards, &arrays->rewards) &&
           env_make_array(env, done, &env->done, &arrays->done);
}

static bool env_make(struct env *env, const struct banyan_env_options *options)
{
    struct env_call show = {.env = env};
    env->games = options->games;
    if (banyan_env_create(&env->env, env->game->rules, options, &show.err) != BANYAN_OK) {
        core_raise(env->game->core, &show.err);
        return false;
    }
    if (!env_make_arrays(env))
        return false;
    for (int i = 0; i < env->games; ++i) /* only shows the games that create has begun */
        ((uint8_t *)env->arrays.done)[i] = 0;
    show.which = env->arrays.done;
    return env_run(env_work_reset, &show);
}

/* Env(game, games=1, *, seed=None, setup='', autoreset='next-step', threads=1) */
static bool env_options(PyObject *args, PyObject *keywords, struct banyan_env_options *options,
                        PyObject **game)
{
    static char *names[] = {"game", "games", "seed", "setup", "autoreset", "threads", NULL};
    PyObject *games = NULL, *seed = NULL, *setup = NULL, *autoreset = NULL, *threads = NULL;
    int64_t count = 1, thread_count = 1;
    banyan_env_options_default(options);
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O$OOOO:Env", names, game, &games, &seed,
                                     &setup, &autoreset, &threads))
        return false;
    if (!core_read_int(games, "games", 1, 1 << 24, &count) ||
        !core_read_seed(seed == Py_None ? NULL : seed, &options->seed) ||
        !core_read_text(setup, "setup", &options->setup) ||
        !env_read_autoreset(autoreset, &options->autoreset) ||
        !core_read_int(threads, "threads", 1, 1024, &thread_count))
        return false;
    options->games = (int)count;
    options->threads = (int)thread_count;
    return true;
}

static PyObject *env_make_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const struct core *core = PyType_GetModuleState(type);
    struct banyan_env_options options;
    PyObject *game;
    if (!env_options(args, keywords, &options, &game))
        return NULL;
    PyObject *owner = game_read(core, game);
    PyObject *self = owner ? PyType_GenericAlloc(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(owner);
        return NULL;
    }
    env_of(self)->owner = owner;
    env_of(self)->game = game_of(owner);
    if (env_make(env_of(self), &options))
        return self;
    Py_DecRef(self);
    return NULL;
}

static PyObject *env_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    return core_carried(env_make_new(type, args, keywords));
}

static void env_dealloc(PyObject *self)
{
    struct env *env = env_of(self);
    PyTypeObject *type = Py_TYPE(self);
    banyan_env_destroy(env->env);
    PyMem_Free(env->actions);
    Py_XDECREF(env->observations);
    Py_XDECREF(env->masks);
    Py_XDECREF(env->movers);
    Py_XDECREF(env->rewards);
    Py_XDECREF(env->done);
    Py_XDECREF(env->final);
    Py_XDECREF(env->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* --- steps --- */

static bool env_is_free(const struct env *env)
{
    if (!env->busy)
        return true;
    core_fail(env->game->core, BANYAN_INVALID,
              "a step of this env is going on, in another thread or around this call");
    return false;
}

static PyObject *env_step(PyObject *self, PyObject *const *values, Py_ssize_t count,
                          PyObject *keywords)
{
    static const struct core_parameters parameters = {"step", 1, 1, {"actions", NULL}};
    struct core_call call = {values, count, keywords};
    struct env *env = env_of(self);
    struct env_call work = {.env = env};
    struct core_shape actions = {'q', 2, {env->games, env_rows(env)}};
    PyObject *given[1];
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_longs(env->game->core, given[0], "actions", &actions, env->actions))
        return NULL;
    return env_run(env_work_step, &work) ? Py_NewRef(Py_None) : NULL;
}

/* One seed for all streams, or one for each game. */
static bool env_read_seeds(const struct env *env, PyObject *object, uint64_t *seeds)
{
    struct core_shape shape = {'Q', 1, {env->games}};
    if (object && PySequence_Check(object))
        return core_read_longs(env->game->core, object, "seed", &shape, seeds);
    return core_read_word(object, "seed", seeds);
}

static bool env_read_which(const struct env *env, PyObject *object, int64_t *numbers)
{
    struct core_shape shape = {'Q', 1, {env->games}};
    return !object || core_read_longs(env->game->core, object, "which", &shape, numbers);
}

static void env_seed(const struct env *env, PyObject *object, const uint64_t *seeds,
                     const uint8_t *which)
{
    if (object && !PySequence_Check(object))
        banyan_env_seed(env->env, seeds[0]);
    for (int i = 0; object && PySequence_Check(object) && i < env->games; ++i)
        if (which[i])
            banyan_env_seed_one(env->env, i, seeds[i]);
}

static PyObject *env_reset(PyObject *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *keywords)
{
    static const struct core_parameters parameters = {"reset", 0, 0, {"seed", "which", NULL}};
    struct core_call call = {values, count, keywords};
    struct env *env = env_of(self);
    struct env_call work = {.env = env};
    PyObject *given[2], *result = NULL;
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    uint64_t *seeds = PyMem_Calloc((size_t)env->games, sizeof *seeds);
    int64_t *numbers = PyMem_Calloc((size_t)env->games, sizeof *numbers);
    uint8_t *which = PyMem_Calloc((size_t)env->games, 1);
    if (!numbers || !which || !seeds) {
        PyErr_NoMemory();
    } else if (env_read_which(env, given[1], numbers) && env_read_seeds(env, given[0], seeds)) {
        for (int i = 0; i < env->games; ++i)
            which[i] = !given[1] || numbers[i];
        env_seed(env, given[0], seeds, which);
        work.which = which;
        result = env_run(env_work_reset, &work) ? Py_NewRef(Py_None) : NULL;
    }
    PyMem_Free(which);
    PyMem_Free(numbers);
    PyMem_Free(seeds);
    return result;
}

static PyObject *env_state(PyObject *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *keywords)
{
    static const struct core_parameters parameters = {"state", 1, 1, {"index", NULL}};
    struct core_call call = {values, count, keywords};
    struct env *env = env_of(self);
    PyObject *given[1];
    int64_t index = 0;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "index", 0, env->games - 1, &index) || !env_is_free(env))
        return NULL;
    PyObject *state = state_new(env->owner);
    if (!state)
        return NULL;
    memcpy(state_of(state)->bytes, banyan_env_state(env->env, (int)index),
           env->game->rules->state_size);
    banyan_rng_seed(&state_of(state)->rng, (uint64_t)index);
    return state;
}

/* --- attributes --- */

static PyObject *env_view(PyObject *array)
{
    return array ? PyMemoryView_FromObject(array) : Py_NewRef(Py_None);
}

static PyObject *env_get_observations(PyObject *self, void *unused)
{
    return env_view(env_of(self)->observations);
}

static PyObject *env_get_masks(PyObject *self, void *unused)
{
    return env_view(env_of(self)->masks);
}

static PyObject *env_get_movers(PyObject *self, void *unused)
{
    return env_view(env_of(self)->movers);
}

static PyObject *env_get_rewards(PyObject *self, void *unused)
{
    return env_view(env_of(self)->rewards);
}

static PyObject *env_get_done(PyObject *self, void *unused)
{
    return env_view(env_of(self)->done);
}

static PyObject *env_get_final(PyObject *self, void *unused)
{
    return env_view(env_of(self)->final);
}

static PyObject *env_get_game(PyObject *self, void *unused)
{
    return Py_NewRef(env_of(self)->owner);
}

static Py_ssize_t env_length(PyObject *self)
{
    return env_of(self)->games;
}

/* The functions that Python calls: see CORE_ALONE. */
CORE_ALONE(env, env_step)
CORE_ALONE(env, env_reset)

static PyGetSetDef env_attributes[] = {
    {"game", env_get_game, NULL, "The Game.", NULL},
    {"observations", env_get_observations, NULL,
     "float32[games, rows, ...]: Game.observation_shape for the player of each row; None: the "
     "game\n"
     "shows nothing.  Steps write into these arrays: copy what you keep.",
     NULL},
    {"masks", env_get_masks, NULL,
     "int8[games, rows, width]: 1 at the index of each legal action.  width is Game.policy_size;\n"
     "in games without a policy head it is Game.max_legal, and an index is a place in\n"
     "State.legal().",
     NULL},
    {"movers", env_get_movers, NULL,
     "int8[games, rows]: the player who chooses; -1: nobody.  There is one row, or in games of\n"
     "choices at the same time a row for each player.",
     NULL},
    {"rewards", env_get_rewards, NULL,
     "float32[games, players]: the returns in the step that ends a game, else 0.", NULL},
    {"done", env_get_done, NULL,
     "bool[games]: True after the step in which the game ended, and while it stays over.", NULL},
    {"final_observations", env_get_final, NULL,
     "float32[games, players, ...]: what each player knows at the end of a game, written in the "
     "step\n"
     "that ends it, and kept until the next end.  None: the game shows nothing.",
     NULL},
    {0}};

static PyMethodDef env_methods[] = {
    CORE_FAST("step", env_step_alone,
              "step($self, /, actions)\n--\n\n"
              "Play an action in every game, and write the arrays.\n\n"
              "actions: integers [games], or [games, rows]; in rows where nobody chooses they are\n"
              "ignored.  Env.HOLD in a game's first row: this game does not take the step.\n"
              "If an action is not legal, no game changes, and the BanyanError names the action."),
    CORE_FAST(
        "reset", env_reset_alone,
        "reset($self, /, *, seed=None, which=None)\n--\n\n"
        "Begin new games, and write the arrays.\n\n"
        "seed: an int restarts the random streams of all games; integers [games] restart only the\n"
        "streams of the games in `which`, each as in an Env of one game.\n"
        "which: integers or bools [games]; None: all."),
    CORE_FAST("state", env_state,
              "state($self, /, index)\n--\n\nReturn a copy of the state of one game."),
    {0}};

static PyType_Slot env_slots[] = {
    {Py_tp_new, (void *)env_new},
    {Py_tp_dealloc, (void *)env_dealloc},
    {Py_tp_methods, env_methods},
    {Py_tp_getset, env_attributes},
    {Py_sq_length, (void *)env_length},
    {Py_tp_doc,
     "Env(game, games=1, *, seed=None, setup='', autoreset='next-step', threads=1)\n--\n\n"
     "Many games of one kind, all of which take a step at once.\n\n"
     "autoreset: 'next-step': the step after the end begins a new game; its action is not read,\n"
     "unless it is Env.HOLD, which keeps the finished game;\n"
     "'same-step': the step that ends a game begins the next; 'disabled': reset() does.\n"
     "threads: number of threads that share the games; no result depends on it."},
    {0, NULL}};

PyType_Spec env_spec = {.name = "banyan.Env",
                        .basicsize = sizeof(PyObject) + sizeof(struct env),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = env_slots};
