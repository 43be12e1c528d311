/* banyan.Leaves: positions that wait for their values, as arrays. */
#include "search_core.h"

#include <banyan/leaves.h>

#include <string.h>

/* --- making them --- */

PyObject *leaves_new(PyObject *owner, struct banyan_leaf *at, int count)
{
    struct search *search = search_of(owner);
    PyObject *self = PyType_GenericAlloc(search->game->core->leaves, 0);
    if (!self)
        return NULL;
    *leaves_of(self) = (struct leaves){Py_NewRef(owner), at, count, search->epoch, false};
    return self;
}

static void leaves_dealloc(PyObject *self)
{
    struct leaves *leaves = leaves_of(self);
    PyTypeObject *type = Py_TYPE(self);
    if (leaves->owned)
        PyMem_Free(leaves->at);
    Py_XDECREF(leaves->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

PyObject *search_select(PyObject *self, PyObject *const *values, Py_ssize_t count,
                        PyObject *keywords)
{
    static const struct core_parameters parameters = {"select", 0, 1, {"count", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    PyObject *given[1];
    int64_t wanted = 1;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "count", 1, 1 << 20, &wanted) || !search_has_root(search))
        return NULL;
    struct banyan_leaf *at = PyMem_Calloc((size_t)wanted, sizeof *at);
    PyObject *leaves = at ? leaves_new(self, at, 0) : PyErr_NoMemory();
    if (!leaves) {
        PyMem_Free(at);
        return NULL;
    }
    leaves_of(leaves)->owned = true;
    leaves_of(leaves)->count = banyan_search_select(search->search, at, (int)wanted);
    search->asked += leaves_of(leaves)->count;
    search_forget_broken(search);
    return leaves;
}

PyObject *search_update(PyObject *self, PyObject *const *values, Py_ssize_t count,
                        PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "update", 2, 3, {"leaves", "values", "logits", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    PyObject *given[3];
    if (!core_arguments(&parameters, &call, given) || !search_has_root(search))
        return NULL;
    if (!Py_IS_TYPE(given[0], search->game->core->leaves) || leaves_of(given[0])->owner != self) {
        PyErr_SetString(PyExc_TypeError, "update() takes the Leaves that select() of this search "
                                         "has returned");
        return NULL;
    }
    if (!leaves_fill(given[0], given[1], given[2]))
        return NULL;
    struct leaves *leaves = leaves_of(given[0]);
    banyan_search_update(search->search, leaves->at, leaves->count);
    search->asked -= leaves->count;
    leaves->count = 0;
    leaves->epoch = UINT64_MAX;
    search_forget_broken(search);
    Py_RETURN_NONE;
}

/* --- reading them --- */

static struct search *leaves_search(const struct leaves *leaves)
{
    return search_of(leaves->owner);
}

/* Whether the positions are still there. */
static bool leaves_live(const struct leaves *leaves)
{
    if (leaves->at && leaves->epoch == leaves_search(leaves)->epoch)
        return true;
    core_fail(leaves_search(leaves)->game->core, BANYAN_INVALID,
              "these leaves are no longer valid: they are valid until update(), set_root() or "
              "advance(), and "
              "in an evaluator until it returns");
    return false;
}

/* Whether the caller may read the leaves: leaves of select() cannot be read while a method of the
 * search runs. */
static bool leaves_open(const struct leaves *leaves)
{
    return leaves_live(leaves) && (!leaves->owned || search_is_free(leaves_search(leaves)));
}

static const struct banyan_game *leaves_rules(const struct leaves *leaves)
{
    return leaves_search(leaves)->game->rules;
}

/* The number of rows: one for each leaf and each player who chooses there. */
static int leaves_rows(const struct leaves *leaves)
{
    return banyan_leaves_rows(leaves->at, leaves->count);
}

/* Writes all rows. */
typedef void leaves_write(const struct leaves *leaves, void *rows);

static void leaves_write_observations(const struct leaves *leaves, void *rows)
{
    banyan_leaves_observe(leaves->at, leaves->count, rows);
}

static void leaves_write_masks(const struct leaves *leaves, void *rows)
{
    banyan_leaves_mask(leaves->at, leaves->count, leaves_search(leaves)->game->legal, rows);
}

/* The length of a row of masks and logits: one number for each index of the policy head, or, in games without
 * one, for each place in State.legal(). */
static int leaves_width(const struct leaves *leaves)
{
    return banyan_policy_width(leaves_rules(leaves));
}

static PyObject *leaves_array(PyObject *self, struct core_shape *shape, PyObject *out,
                              leaves_write *write)
{
    const struct leaves *leaves = leaves_of(self);
    Py_buffer view;
    void *data;
    if (!leaves_open(leaves))
        return NULL;
    shape->size[0] = leaves_rows(leaves);
    PyObject *array = core_array_out(leaves_search(leaves)->game->core, out, shape, &data, &view);
    bool open = array && leaves_open(leaves); /* opening the array may have changed the search */
    if (open)
        write(leaves, data);
    if (array && out)
        PyBuffer_Release(&view);
    if (!open)
        Py_CLEAR(array);
    return array;
}

static PyObject *leaves_observations(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                     PyObject *keywords)
{
    static const struct core_parameters parameters = {"observations", 0, 1, {"out", NULL}};
    struct core_call call = {values, count, keywords};
    const struct game *game = leaves_search(leaves_of(self))->game;
    struct core_shape shape = {'f', 1, {0}};
    bool shown = game_observation(game, &shape);
    PyObject *given[1];
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    if (shown)
        return leaves_array(self, &shape, given[0], leaves_write_observations);
    return core_fail(game->core, BANYAN_UNSUPPORTED, "%s has no observation: use Leaves.states",
                     game->rules->name);
}

static PyObject *leaves_masks(PyObject *self, PyObject *const *values, Py_ssize_t count,
                              PyObject *keywords)
{
    static const struct core_parameters parameters = {"masks", 0, 1, {"out", NULL}};
    struct core_call call = {values, count, keywords};
    struct core_shape shape = {'b', 2, {0, leaves_width(leaves_of(self))}};
    PyObject *given[1];
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    return leaves_array(self, &shape, given[0], leaves_write_masks);
}

static PyObject *leaves_get_states(PyObject *self, void *unused)
{
    const struct leaves *leaves = leaves_of(self);
    PyObject *list = leaves_open(leaves) ? PyList_New(leaves->count) : NULL;
    for (int i = 0; list && i < leaves->count; ++i) {
        PyObject *state = state_new(leaves_search(leaves)->owner);
        if (!state) {
            Py_DecRef(list);
            return NULL;
        }
        memcpy(state_of(state)->bytes, leaves->at[i].state, leaves_rules(leaves)->state_size);
        banyan_rng_seed(&state_of(state)->rng,
                        banyan_rng_child(leaves->epoch, "leaf", (uint64_t)i));
        PyList_SetItem(list, i, state);
    }
    return list;
}

static PyObject *leaves_get_rows(PyObject *self, void *unused)
{
    const struct leaves *leaves = leaves_of(self);
    if (!leaves_open(leaves))
        return NULL;
    PyObject *list = PyList_New(leaves_rows(leaves));
    Py_ssize_t row = 0;
    for (int i = 0; list && i < leaves->count; ++i)
        for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
            if (leaves->at[i].movers >> p & 1)
                PyList_SetItem(list, row++, Py_BuildValue("(ii)", i, p));
    return list;
}

static Py_ssize_t leaves_length(PyObject *self)
{
    return leaves_of(self)->count;
}

/* --- filling them --- */

/* Sets numbers[n][players]; raises if one of them is outside of the game's range of returns. */
static bool leaves_set_values(const struct leaves *leaves, const float *numbers)
{
    const struct banyan_game *rules = leaves_rules(leaves);
    float slack = 1e-3F * (rules->return_max - rules->return_min);
    for (int i = 0; i < leaves->count; ++i)
        for (int p = 0; p < rules->players; ++p) {
            float value = numbers[i * rules->players + p];
            if (value < rules->return_min - slack || value > rules->return_max + slack) {
                core_fail(leaves_search(leaves)->game->core, BANYAN_INVALID,
                          "value %g of leaf %d, player %d: returns of %s are %g..%g", (double)value,
                          i, p, rules->name, (double)rules->return_min, (double)rules->return_max);
                return false;
            }
        }
    banyan_leaves_set_values(leaves->at, leaves->count, numbers);
    return true;
}

/* Extends numbers[n], the values of the movers, to [n][players], in place and therefore from the end. */
static void leaves_spread(const struct leaves *leaves, float *numbers)
{
    const struct banyan_game *rules = leaves_rules(leaves);
    float sum = rules->return_min + rules->return_max;
    for (int i = leaves->count - 1; i >= 0; --i) {
        int mover = leaves->at[i].movers == 1 ? 0 : 1;
        float value = numbers[i];
        numbers[2 * i + mover] = value;
        numbers[2 * i + !mover] = sum - value;
    }
}

/* Whether values may be one number for each leaf: two players, a constant sum, one mover. */
static bool leaves_of_one(const struct leaves *leaves)
{
    const struct banyan_game *rules = leaves_rules(leaves);
    return rules->players == 2 && rules->traits & BANYAN_ZERO_SUM &&
           !(rules->traits & BANYAN_SIMULTANEOUS);
}

static bool leaves_read_values(const struct leaves *leaves, PyObject *object, float *numbers)
{
    const struct core *core = leaves_search(leaves)->game->core;
    int players = leaves_rules(leaves)->players;
    if (leaves_of_one(leaves)) {
        if (core_read_floats(core, object, "values", leaves->count, 0, numbers)) {
            leaves_spread(leaves, numbers);
            return true;
        }
        PyErr_Clear();
        if (core_read_floats(core, object, "values", leaves->count, players, numbers))
            return true;
        PyErr_Format(
            PyExc_ValueError,
            "values must be %d finite numbers, those of the player who chooses, or of shape "
            "(%d, 2), those of both: a contiguous array of float32 or float64, or lists",
            leaves->count, leaves->count);
        return false;
    }
    return core_read_floats(core, object, "values", leaves->count, players, numbers);
}

static bool leaves_fill_policy(const struct leaves *leaves, PyObject *logits)
{
    int size = leaves_width(leaves), rows = leaves_rows(leaves);
    if (!leaves_search(leaves)->evaluator.wants_actions) {
        PyErr_SetString(PyExc_TypeError, "logits need a search whose evaluator has policy=True: "
                                         "Search(game, banyan.Evaluator(fn, policy=True))");
        return false;
    }
    float *numbers = PyMem_Calloc((size_t)rows * (size_t)size + 1, sizeof *numbers);
    bool well = numbers && core_read_floats(leaves_search(leaves)->game->core, logits, "logits",
                                            rows, size, numbers);
    if (!numbers)
        PyErr_NoMemory();
    if (well)
        banyan_leaves_set_policy(leaves->at, leaves->count, numbers,
                                 leaves_search(leaves)->game->legal);
    PyMem_Free(numbers);
    return well;
}

bool leaves_fill(PyObject *self, PyObject *values, PyObject *logits)
{
    const struct leaves *leaves = leaves_of(self);
    if (!leaves_live(leaves))
        return false;
    float *numbers = PyMem_Calloc((size_t)leaves->count * BANYAN_MAX_PLAYERS + 1, sizeof *numbers);
    bool well = numbers && leaves_read_values(leaves, values, numbers) &&
                leaves_set_values(leaves, numbers) &&
                (!logits || leaves_fill_policy(leaves, logits));
    if (!numbers)
        PyErr_NoMemory();
    PyMem_Free(numbers);
    return well;
}

/* --- the type --- */

/* The functions that Python calls: see core_carried. */
CORE_CARRIED(leaves_observations)
CORE_CARRIED(leaves_masks)

static PyGetSetDef leaves_attributes[] = {
    {"states", leaves_get_states, NULL, "Copies of the positions, as a list of State.", NULL},
    {"rows", leaves_get_rows, NULL,
     "[(leaf, player), ...]: the rows of observations(), masks() and logits.  Where one player\n"
     "chooses at a time there is a row for each leaf.",
     NULL},
    {0}};

static PyMethodDef leaves_methods[] = {
    CORE_FAST("observations", leaves_observations_carried,
              "observations($self, /, out=None)\n--\n\n"
              "Return float32[rows, ...], Game.observation_shape for the player of each row.\n\n"
              "out: an array that is filled and returned; None: a new memoryview."),
    CORE_FAST("masks", leaves_masks_carried,
              "masks($self, /, out=None)\n--\n\n"
              "Return int8[rows, width]: 1 at the index of each legal action.\n\n"
              "width is Game.policy_size; in games without a policy head it is Game.max_legal,\n"
              "and an index is a place in State.legal()."),
    {0}};

static PyType_Slot leaves_slots[] = {
    {Py_tp_dealloc, (void *)leaves_dealloc},
    {Py_tp_methods, leaves_methods},
    {Py_tp_getset, leaves_attributes},
    {Py_sq_length, (void *)leaves_length},
    {Py_tp_doc,
     "Positions that wait for their values.  Search.select() returns them, and an evaluator\n"
     "written in Python is called with them."},
    {0, NULL}};

PyType_Spec leaves_spec = {.name = "banyan.Leaves",
                           .basicsize = sizeof(PyObject) + sizeof(struct leaves),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           .slots = leaves_slots};
