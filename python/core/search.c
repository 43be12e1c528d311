/* banyan.Search: makes searches, runs them, and moves their roots on. */
#include "define.h"
#include "search_core.h"

#include <string.h>

/* --- making one --- */

/* Sets an option by the text of its value: rule="puct", cpuct=1.5, reuse=False. */
static bool search_set_option(const struct core *core, struct banyan_search_options *options,
                              PyObject *name, PyObject *value)
{
    const char *key, *text;
    struct banyan_error err;
    bool on = value == Py_True, off = value == Py_False;
    PyObject *shown = PyObject_Str(value);
    bool well =
        shown && core_read_text(name, "option", &key) && core_read_text(shown, "option", &text);
    if (well && banyan_options_set(banyan_search_option_table(), options, key,
                                   on    ? "on"
                                   : off ? "off"
                                         : text,
                                   &err) != BANYAN_OK) {
        well = false;
        if (strcmp(key, "simulations") == 0 || strcmp(key, "seconds") == 0)
            PyErr_Format(PyExc_TypeError, "Search() has no '%s': it is a limit of run(%s=...)", key,
                         key);
        else if (err.status == BANYAN_NOT_FOUND)
            PyErr_Format(PyExc_TypeError, "Search(): %s", err.message);
        else
            core_raise(core, &err);
    }
    Py_XDECREF(shown);
    return well;
}

static bool search_set_options(const struct core *core, struct banyan_search_options *options,
                               PyObject *given, bool *rule_given)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (given && PyDict_Next(given, &at, &name, &value)) {
        if (PyUnicode_CompareWithASCIIString(name, "game") == 0 ||
            PyUnicode_CompareWithASCIIString(name, "evaluator") == 0)
            continue;
        *rule_given = *rule_given || PyUnicode_CompareWithASCIIString(name, "rule") == 0;
        if (!search_set_option(core, options, name, value))
            return false;
    }
    return true;
}

/* Finds an argument that Python gives by position or by name; borrowed. */
static bool search_argument(PyObject *args, PyObject *keywords, Py_ssize_t at, const char *name,
                            PyObject **out)
{
    PyObject *named = keywords ? PyDict_GetItemString(keywords, name) : NULL;
    if (PyTuple_Size(args) > at) {
        *out = PyTuple_GetItem(args, at);
        if (named)
            PyErr_Format(PyExc_TypeError, "Search() got '%s' twice", name);
        return !named;
    }
    *out = named;
    return true;
}

/* Makes the search of an object that has its game. */
static bool search_make(struct search *search, PyObject *evaluator, PyObject *keywords)
{
    const struct core *core = search->game->core;
    struct banyan_search_options options;
    struct banyan_error err;
    bool rule_given = false;
    banyan_search_options_default(&options);
    if (!search_set_options(core, &options, keywords, &rule_given) ||
        !evaluator_open(search, evaluator))
        return false;
    if (search->evaluator.wants_actions && !rule_given)
        options.rule = BANYAN_RULE_PUCT; /* as the player mcts does */
    if (banyan_search_create(&search->search, search->game->rules, &options, &search->evaluator,
                             &err) == BANYAN_OK)
        return true;
    core_raise(core, &err);
    return false;
}

static PyObject *search_make_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const struct core *core = PyType_GetModuleState(type);
    PyObject *game, *evaluator;
    if (PyTuple_Size(args) > 2) {
        PyErr_SetString(PyExc_TypeError,
                        "Search() takes a game and an evaluator; options are given by name");
        return NULL;
    }
    if (!search_argument(args, keywords, 0, "game", &game) ||
        !search_argument(args, keywords, 1, "evaluator", &evaluator))
        return NULL;
    if (!game) {
        PyErr_SetString(PyExc_TypeError, "Search() needs a game: a banyan.Game or its name");
        return NULL;
    }
    PyObject *owner = game_read(core, game);
    PyObject *self = owner ? PyType_GenericAlloc(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(owner);
        return NULL;
    }
    struct search *search = search_of(self);
    search->owner = owner;
    search->game = game_of(owner);
    if (search_make(search, evaluator == Py_None ? NULL : evaluator, keywords))
        return self;
    Py_DecRef(self);
    return NULL;
}

static PyObject *search_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    return core_carried(search_make_new(type, args, keywords));
}

static int search_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(search_of(self)->fn);
    return 0;
}

static int search_clear(PyObject *self)
{
    Py_CLEAR(search_of(self)->fn);
    return 0;
}

static void search_dealloc(PyObject *self)
{
    struct search *search = search_of(self);
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (search->search)
        banyan_search_destroy(search->search);
    if (search->evaluator.evaluate)
        banyan_evaluator_close(&search->evaluator);
    search_clear(self);
    Py_XDECREF(search->root);
    Py_XDECREF(search->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* --- the root --- */

bool search_is_free(const struct search *search)
{
    if (!search->busy)
        return true;
    core_fail(
        search->game->core, BANYAN_INVALID,
        "this search is running: only stop() may be called until the call that goes on in it, "
        "such as run(), has returned");
    return false;
}

bool search_has_root(const struct search *search)
{
    if (search->root)
        return true;
    core_fail(search->game->core, BANYAN_INVALID, "the search has no root: call set_root(state)");
    return false;
}

static void search_keep_root(struct search *search, PyObject *state)
{
    PyObject *before = search->root;
    search->root = state; /* a copy, which nobody else changes */
    Py_XDECREF(before);
}

void search_forget_broken(struct search *search)
{
    if (!carry_here()->broken)
        return;
    search_keep_root(search, NULL);
    search->asked = 0;
    ++search->epoch;
}

static PyObject *search_set_root(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                 PyObject *keywords)
{
    static const struct core_parameters parameters = {"set_root", 1, 2, {"state", "viewer", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    struct banyan_error err;
    PyObject *given[2];
    int viewer = -1;
    if (!core_arguments(&parameters, &call, given) ||
        !state_check(search->game, given[0], "state") ||
        !state_viewer(state_of(given[0]), given[1], -1, &viewer))
        return NULL;
    const struct state *state = state_of(given[0]);
    if (!search->game->rules->movers(search->game->rules, state->bytes))
        return core_fail(search->game->core, BANYAN_INVALID,
                         "the game is over here: there is nothing to search");
    PyObject *root = state_clone(given[0], NULL);
    if (!root)
        return NULL;
    if (banyan_search_set_root(search->search, state->bytes, viewer, &err) != BANYAN_OK) {
        Py_DecRef(root);
        return core_raise(search->game->core, &err);
    }
    search->asked = 0; /* the library takes outstanding leaves back */
    ++search->epoch;
    search_keep_root(search, root);
    search_forget_broken(search);
    Py_RETURN_NONE;
}

static PyObject *search_advance(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                PyObject *keywords)
{
    static const struct core_parameters parameters = {"advance", 2, 2, {"action", "state", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    banyan_action joint[BANYAN_MAX_PLAYERS];
    PyObject *given[2];
    if (!core_arguments(&parameters, &call, given) ||
        !state_check(search->game, given[1], "state") || !search_has_root(search))
        return NULL;
    if (!state_joint(state_of(search->root), given[0], joint))
        return NULL;
    const struct state *state = state_of(given[1]);
    if (!search->game->rules->movers(search->game->rules, state->bytes))
        return core_fail(search->game->core, BANYAN_INVALID,
                         "the game is over there: nothing is left to search");
    PyObject *root = state_clone(given[1], NULL);
    if (!root)
        return NULL;
    bool kept = banyan_search_advance(search->search, joint, state->bytes);
    search->asked = 0; /* the library takes outstanding leaves back */
    ++search->epoch;
    search_keep_root(search, root);
    search_forget_broken(search);
    return PyBool_FromLong(kept);
}

/* --- running --- */

struct search_work {
    struct search *search;
    struct banyan_search_limits limits;
    int64_t walks; /* iterations of MCCFR in place of simulations; 0: simulations */
    enum banyan_status status;
    struct banyan_error err;
};

static void search_work(void *ctx)
{
    struct search_work *work = ctx;
    struct banyan_search *search = work->search->search;
    work->status = work->walks
                       ? banyan_search_walk(search, work->walks, &work->search->stop, &work->err)
                       : banyan_search_run(search, &work->limits, &work->err);
}

/* An evaluator or a game written in Python runs in this thread, and Python itself sees Ctrl-C
 * there; otherwise the search is in another thread, while this one waits for signals. */
static bool search_work_without_gil(struct search_work *work)
{
    struct search *search = work->search;
    struct defined *defined = search->game->defined;
    struct carry_run run;
    if (!search->fn && !defined)
        return core_outside(search_work, work, &search->stop);
    carry_begin(&run, defined ? &defined->foreign : NULL, &search->stop);
    Py_BEGIN_ALLOW_THREADS search_work(work);
    Py_END_ALLOW_THREADS if (!carry_end(&run)) /* Python code raised: a part of the tree is wrong */
        search_keep_root(search, NULL);
    return true;
}

static bool search_limits(struct search_work *work, PyObject *simulations, PyObject *seconds,
                          PyObject *early)
{
    double wanted_s = 0;
    int64_t wanted = 0;
    if (!core_read_int(simulations, "simulations", 1, INT64_MAX, &wanted) ||
        !core_read_real(seconds, "seconds", &wanted_s) ||
        !core_read_bool(early, "early", &work->limits.early))
        return false;
    if (!simulations && !seconds) {
        PyErr_SetString(PyExc_TypeError, "run() needs a limit: simulations=10000 or seconds=1");
        return false;
    }
    if (seconds && !(wanted_s > 0 && wanted_s <= 1e9)) {
        PyErr_Format(PyExc_ValueError, "seconds must be above 0 and at most 1e9, got %R", seconds);
        return false;
    }
    work->limits.simulations = wanted;
    work->limits.time_ms = wanted_s * 1000;
    return true;
}

/* The result of a run for Python: the exception of the evaluator or of a signal handler if there
 * was one, else the library's error, else the statistics. */
static PyObject *search_ran(PyObject *self, const struct search_work *work, bool well)
{
    struct search *search = search_of(self);
    if (search->raised[0] && well) {
        PyErr_Restore(search->raised[0], search->raised[1], search->raised[2]);
        memset(search->raised, 0, sizeof search->raised);
        return NULL;
    }
    for (int i = 0; i < 3; ++i)
        Py_CLEAR(search->raised[i]);
    if (!well)
        return NULL;
    if (work->status != BANYAN_OK && work->status != BANYAN_INTERRUPTED)
        return core_raise(search->game->core, &work->err);
    return search_stats_tuple(search);
}

/* Makes simulations or iterations of MCCFR, and returns what the search has done. */
static PyObject *search_go(PyObject *self, struct search_work *work)
{
    struct search *search = work->search;
    if (!search_has_root(search))
        return NULL;
    if (search->asked)
        return core_fail(search->game->core, BANYAN_INVALID,
                         "leaves wait for their values: give them to update() before run()");
    banyan_flag_clear(&search->stop);
    work->limits.stop = &search->stop;
    bool well = search_work_without_gil(work);
    return search_ran(self, work, well);
}

static PyObject *search_run(PyObject *self, PyObject *const *values, Py_ssize_t count,
                            PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "run", 0, 1, {"simulations", "seconds", "early", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    struct search_work work = {.search = search, .limits = {.struct_size = sizeof work.limits}};
    PyObject *given[3];
    if (!core_arguments(&parameters, &call, given) ||
        !search_limits(&work, given[0], given[1], given[2]))
        return NULL;
    return search_go(self, &work);
}

static PyObject *search_walk(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"walk", 1, 1, {"iterations", NULL}};
    struct core_call call = {values, count, keywords};
    struct search_work work = {.search = search_of(self),
                               .limits = {.struct_size = sizeof work.limits}};
    PyObject *given[1];
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "iterations", 1, INT64_MAX, &work.walks))
        return NULL;
    return search_go(self, &work);
}

static PyObject *search_stop(PyObject *self, PyObject *unused)
{
    banyan_flag_set(&search_of(self)->stop);
    Py_RETURN_NONE;
}

/* --- the type --- */

/* The functions that Python calls: see CORE_ALONE. */
CORE_ALONE(search, search_set_root)
CORE_ALONE(search, search_run)
CORE_ALONE(search, search_walk)
CORE_ALONE(search, search_advance)
CORE_ALONE(search, search_moves)
CORE_ALONE(search, search_best)
CORE_ALONE(search, search_policy)
CORE_ALONE(search, search_average)
CORE_ALONE(search, search_tree)
CORE_ALONE(search, search_select)
CORE_ALONE(search, search_update)
CORE_ALONE(search, search_pv)

static PyGetSetDef search_attributes[] = {
    {"game", search_get_game, NULL, "The Game.", NULL},
    {"state", search_get_state, NULL, "A copy of the state at the root; None: there is no root.",
     NULL},
    {"value", search_get_values, NULL,
     "The mean return of each player over the simulations; nan while there are none.", NULL},
    {"signature", search_get_signature, NULL,
     "A number that is equal for equal trees, also for a tree that a C program made.", NULL},
    {0}};

static PyObject *search_repr_html(PyObject *self, PyObject *unused)
{
    return core_show(self, "search");
}

static PyMethodDef search_methods[] = {
    CORE_FAST("set_root", search_set_root_alone,
              "set_root($self, /, state, viewer=-1)\n--\n\n"
              "Forget the tree, and make a copy of state the root.\n\n"
              "viewer: the player who searches, which matters where cards are hidden; -1: whoever\n"
              "chooses at the root."),
    CORE_FAST("run", search_run_alone,
              "run($self, /, simulations=None, *, seconds=None, early=False)\n--\n\n"
              "Search until a limit is reached, and return stats().\n\n"
              "Other threads of Python go on meanwhile.  Ctrl-C ends the run with\n"
              "KeyboardInterrupt; what was found is kept.  early: end as soon as the choice\n"
              "cannot change any more."),
    CORE_FAST("walk", search_walk_alone,
              "walk($self, /, iterations)\n--\n\n"
              "Run iterations of external-sampling MCCFR, and return stats().\n\n"
              "It is for rule='regret' and small games of hidden cards or choices at the same\n"
              "time.  Each iteration tries all actions of every player, one player after the\n"
              "other, each time from a new deal of all hidden cards.  So average_strategy() comes\n"
              "near an equilibrium of the whole game after fewer iterations than run() needs\n"
              "simulations."),
    {"stop", search_stop, METH_NOARGS,
     "stop($self, /)\n--\n\nEnd a run() that is going on in another thread; it returns as usual."},
    CORE_FAST("advance", search_advance_alone,
              "advance($self, /, action, state)\n--\n\n"
              "Make state the new root: action was played at the old root and led to it.\n\n"
              "Return whether the part of the tree below the action was kept."),
    CORE_FAST("moves", search_moves_alone,
              "moves($self, /, player=None)\n--\n\n"
              "Return the actions at the root as a list of Move, the most visited first."),
    CORE_FAST("best", search_best_alone,
              "best($self, /, player=None)\n--\n\nReturn the final choice of player, an action."),
    CORE_FAST("policy", search_policy_alone,
              "policy($self, /, player=None, temperature=1)\n--\n\n"
              "Return {action: probability}, in proportion to visits ** (1 / temperature) at the\n"
              "root; temperature=0: the most visited action has probability 1."),
    CORE_FAST("average_strategy", search_average_alone,
              "average_strategy($self, /, player=None, state=None)\n--\n\n"
              "Return {action: probability}: the average strategy of regret matching\n"
              "(rule='regret'), at the root or at the player's information set of a state."),
    CORE_FAST("pv", search_pv_alone,
              "pv($self, /)\n--\n\nReturn the principal variation: [(player, action), ...]."),
    {"stats", search_stats, METH_NOARGS,
     "stats($self, /)\n--\n\nReturn what the search has done, a Stats."},
    CORE_FAST("tree", search_tree_alone,
              "tree($self, /, depth=2, format='text', *, min_visits=1, max_children=0)\n--\n\n"
              "Return the tree as text: 'text', 'json', 'dot', 'svg', 'html' or 'xml'.\n\n"
              "depth: levels of actions, 0: all.  max_children: of each node, 0: all."),
    CORE_FAST("select", search_select_alone,
              "select($self, /, count=1)\n--\n\n"
              "Ask: return up to count leaves that need a value, as Leaves.\n\n"
              "They may be fewer, also none: a simulation that ends in a finished game is counted\n"
              "at once, and at most `batch` leaves (an option of Search) can be outstanding."),
    CORE_FAST(
        "update", search_update_alone,
        "update($self, /, leaves, values, logits=None)\n--\n\n"
        "Tell: give leaves their values, and priors if the evaluator has a policy.\n\n"
        "values: float32[n, players], expected returns; or float32[n], those of the players\n"
        "who choose, in a zero-sum game of two.  logits: float32[n, policy_size];\n"
        "in games without a policy head float32[n, max_legal], in the order of State.legal()."),
    {"_repr_html_", search_repr_html, METH_NOARGS, NULL},
    {0}};

static PyType_Slot search_slots[] = {
    {Py_tp_new, (void *)search_new},
    {Py_tp_dealloc, (void *)search_dealloc},
    {Py_tp_traverse, (void *)search_traverse},
    {Py_tp_clear, (void *)search_clear},
    {Py_tp_methods, search_methods},
    {Py_tp_getset, search_attributes},
    {Py_tp_doc,
     "Search(game, evaluator='rollout', **options)\n--\n\n"
     "Monte Carlo tree search.\n\n"
     "evaluator: text as for the program ('rollout', 'heuristic', 'rollout:cutoff=20'), or a\n"
     "function of Python: fn(leaves) -> values, or (values, logits); see update().\n"
     "options: as for the program, with '_' for '-': rule='puct', exploration=0.35, threads=2."},
    {0, NULL}};

PyType_Spec search_spec = {.name = "banyan.Search",
                           .basicsize = sizeof(PyObject) + sizeof(struct search),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                           .slots = search_slots};
