/* banyan.State: a position of a game, who chooses there, and what happens then. */
#include "core.h"

#include <string.h>

/* --- what the other files ask --- */

PyObject *state_new(PyObject *owner)
{
    struct game *game = game_of(owner);
    PyObject *self = PyType_GenericAlloc(game->core->state, 0);
    if (!self)
        return NULL;
    struct state *state = state_of(self);
    state->owner = Py_NewRef(owner);
    state->game = game;
    state->bytes = PyMem_Calloc(1, game->rules->state_size);
    if (state->bytes)
        return self;
    Py_DecRef(self);
    return PyErr_NoMemory();
}

PyObject *state_clone(PyObject *self, PyObject *unused)
{
    const struct state *from = state_of(self);
    PyObject *copy = state_new(from->owner);
    if (!copy)
        return NULL;
    memcpy(state_of(copy)->bytes, from->bytes, from->game->rules->state_size);
    state_of(copy)->rng = from->rng;
    return copy;
}

bool state_check(const struct game *game, PyObject *object, const char *name)
{
    if (!Py_IS_TYPE(object, game->core->state)) {
        PyErr_Format(PyExc_TypeError, "%s must be a banyan.State, got %R", name, object);
        return false;
    }
    if (state_of(object)->game->rules == game->rules)
        return true;
    const char *whose = state_of(object)->game->rules->name;
    if (strcmp(whose, game->rules->name) == 0)
        core_fail(game->core, BANYAN_INVALID, "%s is a state of another definition of %s", name,
                  whose);
    else
        core_fail(game->core, BANYAN_INVALID, "%s is a state of %s, and this is %s", name, whose,
                  game->rules->name);
    return false;
}

static unsigned state_movers_now(const struct state *state)
{
    return state->game->rules->movers(state->game->rules, state->bytes);
}

static bool state_not_over(const struct state *state, unsigned movers)
{
    if (!movers)
        core_fail(state->game->core, BANYAN_ILLEGAL, "the game is over: nobody can choose here");
    return movers;
}

bool state_mover(const struct state *state, PyObject *object, int *player)
{
    int64_t given = -1;
    if (!core_read_int(object, "player", 0, state->game->rules->players - 1, &given))
        return false;
    unsigned movers = state_movers_now(state);
    if (!state_not_over(state, movers))
        return false;
    if (!object && movers & (movers - 1)) {
        core_fail(state->game->core, BANYAN_INVALID,
                  "several players choose here at the same time: say which one by player=");
        return false;
    }
    for (int p = 0; !object && given < 0; ++p)
        if (movers >> p & 1)
            given = p;
    *player = (int)given;
    if (movers >> given & 1)
        return true;
    core_fail(state->game->core, BANYAN_ILLEGAL, "player %d has nothing to choose here",
              (int)given);
    return false;
}

bool state_viewer(const struct state *state, PyObject *object, int least, int *viewer)
{
    int64_t given = *viewer;
    if (!core_read_int(object, "viewer", least, state->game->rules->players - 1, &given))
        return false;
    *viewer = (int)given;
    return true;
}

int state_legal(const struct state *state, int player)
{
    const struct banyan_game *rules = state->game->rules;
    return rules->legal(rules, state->bytes, player, state->game->legal);
}

int state_find(const struct state *state, int player, banyan_action action)
{
    int count = state_legal(state, player);
    for (int i = 0; i < count; ++i)
        if (state->game->legal[i] == action)
            return i;
    core_fail(state->game->core, BANYAN_ILLEGAL,
              "%llu is not legal for player %d here; State.legal() says what is",
              (unsigned long long)action, player);
    return -1;
}

static PyObject *state_movers_tuple(const struct core *core, unsigned movers, int players)
{
    int count = 0;
    for (int p = 0; p < players; ++p)
        if (movers == 1u << p)
            return Py_NewRef(core->mover[p]);
    for (int p = 0; p < players; ++p)
        count += (int)(movers >> p & 1);
    PyObject *tuple = PyTuple_New(count);
    for (int p = players - 1; tuple && p >= 0; --p)
        if (movers >> p & 1)
            PyTuple_SetItem(tuple, --count, PyLong_FromLong(p));
    return tuple;
}

/* --- a step --- */

static bool state_read_action(PyObject *object, banyan_action *action)
{
    if (core_read_word(object, "action", action))
        return true;
    if (PyUnicode_Check(object))
        PyErr_Format(PyExc_TypeError, "action must be an int, got %R; State.parse(%R) reads a text",
                     object, object);
    return false;
}

/* Reads {player: action} for all movers. */
static bool state_read_all(const struct state *state, unsigned movers, PyObject *actions,
                           banyan_action joint[])
{
    Py_ssize_t given = 0;
    for (int p = 0; p < state->game->rules->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        PyObject *key = PyLong_FromLong(p);
        PyObject *action = key ? PyDict_GetItemWithError(actions, key) : NULL;
        Py_XDECREF(key);
        if (!action && !PyErr_Occurred())
            core_fail(state->game->core, BANYAN_INVALID, "the action of player %d is missing", p);
        if (!action || !state_read_action(action, &joint[p]))
            return false;
        ++given;
    }
    if (given == PyDict_Size(actions))
        return true;
    core_fail(state->game->core, BANYAN_INVALID,
              "there are actions of players who have nothing to choose here");
    return false;
}

/* All are read before the first is checked: reading may run code of the caller's, which could change
 * the state. */
bool state_joint(const struct state *state, PyObject *object, banyan_action joint[])
{
    unsigned movers = state_movers_now(state);
    if (!state_not_over(state, movers))
        return false;
    if (PyDict_Check(object)) {
        if (!state_read_all(state, movers, object, joint))
            return false;
    } else if (movers & (movers - 1)) {
        core_fail(state->game->core, BANYAN_INVALID,
                  "several players choose here at the same time: give {player: action}");
        return false;
    } else {
        banyan_action action = 0;
        if (!state_read_action(object, &action))
            return false;
        for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
            joint[p] = action;
    }
    if (state_movers_now(state) != movers) {
        core_fail(state->game->core, BANYAN_INVALID, "the state was changed during the call");
        return false;
    }
    for (int p = 0; p < state->game->rules->players; ++p)
        if (movers >> p & 1 && state_find(state, p, joint[p]) < 0)
            return false;
    return true;
}

static bool state_apply_to(struct state *state, const struct core_parameters *parameters,
                           const struct core_call *call)
{
    const struct banyan_game *rules = state->game->rules;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    struct banyan_rng own;
    struct banyan_dice dice;
    PyObject *given[2];
    uint64_t seed = 0;
    if (!core_arguments(parameters, call, given) || !core_read_word(given[1], "seed", &seed) ||
        !state_joint(state, given[0], joint))
        return false;
    if (given[1])
        banyan_rng_seed(&own, seed);
    banyan_dice_drawn(&dice, given[1] ? &own : &state->rng);
    rules->apply(rules, state->bytes, joint, &dice);
    return true;
}

static PyObject *state_apply(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"apply", 1, 1, {"action", "seed", NULL}};
    struct core_call call = {values, count, keywords};
    return state_apply_to(state_of(self), &parameters, &call) ? Py_NewRef(self) : NULL;
}

static PyObject *state_after(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"after", 1, 1, {"action", "seed", NULL}};
    struct core_call call = {values, count, keywords};
    PyObject *copy = state_clone(self, NULL);
    if (copy && state_apply_to(state_of(copy), &parameters, &call))
        return copy;
    Py_XDECREF(copy);
    return NULL;
}

static PyObject *state_legal_list(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                  PyObject *keywords)
{
    static const struct core_parameters parameters = {"legal", 0, 1, {"player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    PyObject *given[1];
    int player;
    if (!core_arguments(&parameters, &call, given) || !state_mover(state, given[0], &player))
        return NULL;
    int n = state_legal(state, player);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; ++i)
        PyList_SetItem(list, i, PyLong_FromUnsignedLongLong(state->game->legal[i]));
    return list;
}

/* --- attributes --- */

static PyObject *state_get_movers(PyObject *self, void *unused)
{
    const struct state *state = state_of(self);
    return state_movers_tuple(state->game->core, state_movers_now(state),
                              state->game->rules->players);
}

static PyObject *state_get_player(PyObject *self, void *unused)
{
    unsigned movers = state_movers_now(state_of(self));
    int player = -1;
    for (int p = 0; movers && !(movers & (movers - 1)) && player < 0; ++p)
        if (movers >> p & 1)
            player = p;
    return PyLong_FromLong(player);
}

static PyObject *state_get_over(PyObject *self, void *unused)
{
    return PyBool_FromLong(!state_movers_now(state_of(self)));
}

static PyObject *state_get_game(PyObject *self, void *unused)
{
    return Py_NewRef(state_of(self)->owner);
}

static PyObject *state_floats(const float *values, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int p = 0; tuple && p < count; ++p)
        PyTuple_SetItem(tuple, p, PyFloat_FromDouble((double)values[p]));
    return tuple;
}

static PyObject *state_get_returns(PyObject *self, void *unused)
{
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    float returns[BANYAN_MAX_PLAYERS];
    if (state_movers_now(state))
        return core_fail(state->game->core, BANYAN_INVALID,
                         "the game is not over: there are no returns yet");
    rules->returns(rules, state->bytes, returns);
    return state_floats(returns, rules->players);
}

static PyObject *state_get_points(PyObject *self, void *unused)
{
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    float points[BANYAN_MAX_PLAYERS];
    if (!rules->points)
        return core_fail(state->game->core, BANYAN_UNSUPPORTED, "%s counts no points", rules->name);
    rules->points(rules, state->bytes, points);
    return state_floats(points, rules->players);
}

static PyObject *state_get_bytes(PyObject *self, void *unused)
{
    const struct state *state = state_of(self);
    return PyBytes_FromStringAndSize(state->bytes, (Py_ssize_t)state->game->rules->state_size);
}

/* --- an object like others --- */

static PyObject *state_compare(PyObject *self, PyObject *other, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !Py_IS_TYPE(other, Py_TYPE(self)))
        Py_RETURN_NOTIMPLEMENTED;
    const struct state *a = state_of(self), *b = state_of(other);
    bool equal = a->game->rules == b->game->rules &&
                 memcmp(a->bytes, b->bytes, a->game->rules->state_size) == 0;
    return PyBool_FromLong(equal == (how == Py_EQ));
}

static PyObject *state_deepcopy(PyObject *self, PyObject *memo)
{
    return state_clone(self, NULL);
}

/* banyan._core._state(name, setup, stream): texts and numbers only, checked like any others. */
static PyObject *state_reduce(PyObject *self, PyObject *unused)
{
    const uint64_t *s = state_of(self)->rng.s;
    PyObject *module = PyType_GetModule(Py_TYPE(self));
    PyObject *make = PyObject_GetAttrString(module, "_state"), *setup = state_setup(self, NULL);
    if (make && setup)
        return Py_BuildValue("(N(sN(KKKK)))", make, state_of(self)->game->rules->name, setup,
                             (unsigned long long)s[0], (unsigned long long)s[1],
                             (unsigned long long)s[2], (unsigned long long)s[3]);
    Py_XDECREF(make);
    Py_XDECREF(setup);
    return NULL;
}

static void state_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(state_of(self)->bytes);
    Py_XDECREF(state_of(self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* The functions that Python calls: see core_carried. */
CORE_CARRIED(state_legal_list)
CORE_CARRIED(state_legal_array)
CORE_CARRIED(state_apply)
CORE_CARRIED(state_after)
CORE_CARRIED(state_name)
CORE_CARRIED(state_parse)
CORE_CARRIED(state_key)
CORE_CARRIED(state_draw)
CORE_CARRIED(state_svg)
CORE_CARRIED(state_observe)
CORE_CARRIED(state_observe_json)
CORE_CARRIED(state_mask)
CORE_CARRIED(state_index)
CORE_CARRIED(state_action)
CORE_CARRIED(state_bounds)
CORE_CARRIED(state_heuristic)
CORE_CARRIED(state_determinize)
CORE_CARRIED(state_rollout)
static PyObject *state_str_carried(PyObject *self)
{
    return core_carried(state_str(self));
}
static PyObject *state_repr_carried(PyObject *self)
{
    return core_carried(state_repr(self));
}
CORE_CARRIED_NOARGS(state_symmetries)
CORE_CARRIED_NOARGS(state_reduce)
CORE_CARRIED_NOARGS(state_repr_svg)
CORE_CARRIED_GETTER(state_get_movers)
CORE_CARRIED_GETTER(state_get_player)
CORE_CARRIED_GETTER(state_get_over)
CORE_CARRIED_GETTER(state_get_returns)
CORE_CARRIED_GETTER(state_get_points)
CORE_CARRIED_GETTER(state_setup)

static PyGetSetDef state_attributes[] = {
    {"game", state_get_game, NULL, "The Game.", NULL},
    {"movers", state_get_movers_carried, NULL,
     "The players, 0.., who choose now; () where the game is over.", NULL},
    {"player", state_get_player_carried, NULL,
     "The player who chooses now; -1 if nobody or several players choose.", NULL},
    {"over", state_get_over_carried, NULL, "Whether the game is over.", NULL},
    {"returns", state_get_returns_carried, NULL, "What each player gets, once the game is over.",
     NULL},
    {"points", state_get_points_carried, NULL,
     "What each player has scored, in the game's own points (discs, touchdowns).", NULL},
    {"setup", state_setup_carried, NULL, "The state as a line of text that Game.new() reads.",
     NULL},
    {"bytes", state_get_bytes, NULL, "A copy of the state's bytes: equal states have equal bytes.",
     NULL},
    {0}};

static PyMethodDef state_methods[] = {
    CORE_FAST("legal", state_legal_list_carried,
              "legal($self, /, player=None)\n--\n\n"
              "Return the legal actions of player, who chooses now, in a fixed order."),
    CORE_FAST("legal_array", state_legal_array_carried,
              "legal_array($self, /, player=None, out=None)\n--\n\n"
              "Return the legal actions as a memoryview of uint64.\n\n"
              "out: an array of uint64, long enough for the legal actions (Game.max_legal always\n"
              "is); returns a view of the part that was written."),
    CORE_FAST(
        "apply", state_apply_carried,
        "apply($self, /, action, *, seed=None)\n--\n\n"
        "Play an action in this state, and return the state itself.\n\n"
        "action: a legal one; {player: action} where several players choose at the same time.\n"
        "seed: of the dice of this step; None: the state's own stream goes on."),
    CORE_FAST("after", state_after_carried,
              "after($self, /, action, *, seed=None)\n--\n\n"
              "Return the state after an action, as a new one; see apply()."),
    CORE_FAST("name", state_name_carried,
              "name($self, /, action, player=None)\n--\n\nReturn a legal action as people write "
              "it: 'd3'."),
    CORE_FAST(
        "parse", state_parse_carried,
        "parse($self, /, text, player=None)\n--\n\nReturn the legal action that a text means."),
    CORE_FAST("key", state_key_carried,
              "key($self, /, viewer=None)\n--\n\n"
              "Return a hash: equal for states that viewer (None: who chooses now) cannot tell\n"
              "apart."),
    CORE_FAST(
        "draw", state_draw_carried,
        "draw($self, /, viewer=-1)\n--\n\nReturn a picture for the terminal; -1 sees everything."),
    CORE_FAST("svg", state_svg_carried,
              "svg($self, /, viewer=-1)\n--\n\nReturn a picture as SVG; -1 sees everything."),
    CORE_FAST("observe", state_observe_carried,
              "observe($self, /, viewer=None, out=None)\n--\n\n"
              "Return what viewer may know: float32, of shape Game.observation_shape.\n\n"
              "viewer: None: who chooses now.  out: an array that is filled and returned;\n"
              "None: a new memoryview."),
    CORE_FAST("observe_json", state_observe_json_carried,
              "observe_json($self, /, viewer=None)\n--\n\n"
              "Return what viewer may know as JSON: a member for each feature of Game.features.\n"
              "Numbers that stand for things are written as names, unknown values as null."),
    CORE_FAST("mask", state_mask_carried,
              "mask($self, /, player=None, out=None)\n--\n\n"
              "Return int8[policy_size]: 1 at the index of each legal action."),
    CORE_FAST("index", state_index_carried,
              "index($self, /, action, player=None)\n--\n\nReturn the index of an action in the "
              "policy head."),
    CORE_FAST("action", state_action_carried,
              "action($self, /, index, player=None)\n--\n\n"
              "Return the legal action with this index in the policy head."),
    CORE_FAST("bounds", state_bounds_carried,
              "bounds($self, /, player)\n--\n\nReturn (least, most) that the return of player can "
              "still be."),
    CORE_FAST("heuristic", state_heuristic_carried,
              "heuristic($self, /, player)\n--\n\nReturn the game's own estimate of the return of "
              "player."),
    CORE_FAST("determinize", state_determinize_carried,
              "determinize($self, /, viewer, *, seed=None)\n--\n\n"
              "Return a state that agrees with all that viewer knows; the rest is drawn at\n"
              "random."),
    CORE_FAST("rollout", state_rollout_carried,
              "rollout($self, /, *, seed=None, policy='random')\n--\n\n"
              "Return the final state of a game played on from here at random."),
    {"symmetries", state_symmetries_carried, METH_NOARGS,
     "symmetries($self, /)\n--\n\n"
     "Return the images of this state under the symmetries of its game, the state itself first."},
    {"clone", state_clone, METH_NOARGS,
     "clone($self, /)\n--\n\nReturn a copy, which will get the same dice as this state."},
    {"__copy__", state_clone, METH_NOARGS, NULL},
    {"__deepcopy__", state_deepcopy, METH_O, NULL},
    {"__reduce__", state_reduce_carried, METH_NOARGS, NULL},
    {"_repr_svg_", state_repr_svg_carried, METH_NOARGS, NULL},
    {0}};

static PyType_Slot state_slots[] = {
    {Py_tp_dealloc, (void *)state_dealloc},
    {Py_tp_methods, state_methods},
    {Py_tp_getset, state_attributes},
    {Py_tp_str, (void *)state_str_carried},
    {Py_tp_repr, (void *)state_repr_carried},
    {Py_tp_richcompare, (void *)state_compare},
    {Py_tp_hash, (void *)PyObject_HashNotImplemented},
    {Py_tp_doc,
     "A position.  Game.new() makes the first; apply() changes a state, after() makes a new one.\n"
     "\nStates can change, so they cannot be keys of a dict: use State.bytes."},
    {0, NULL}};

PyType_Spec state_spec = {.name = "banyan.State",
                          .basicsize = sizeof(PyObject) + sizeof(struct state),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = state_slots};
