/* banyan.Random and banyan.Dice: the random numbers and dice of games written in Python. */
#include "chance.h"

static struct chance_random *chance_random_of(PyObject *object)
{
    return CORE_DATA(object, struct chance_random);
}

static struct chance_dice *chance_dice_of(PyObject *object)
{
    return CORE_DATA(object, struct chance_dice);
}

static void chance_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

static bool chance_live(const void *behind)
{
    if (!behind)
        PyErr_SetString(PyExc_ValueError, "this object lives only during the call that it was "
                                          "given to");
    return behind;
}

/* Puts a new list into random order, by draw(ctx, n) for n = length, length - 1, ... 2, and returns it. */
static PyObject *chance_shuffled(PyObject *list, int (*draw)(void *ctx, int n), void *ctx)
{
    Py_ssize_t length = PyList_Size(list);
    for (Py_ssize_t n = length; n > 1; --n) {
        Py_ssize_t k = draw(ctx, (int)n);
        PyObject *last = Py_NewRef(PyList_GetItem(list, n - 1));
        PyList_SetItem(list, n - 1, Py_NewRef(PyList_GetItem(list, k)));
        PyList_SetItem(list, k, last);
    }
    return list;
}

/* --- Random --- */

PyObject *chance_random_new(const struct core *core, struct banyan_rng *rng)
{
    PyObject *self = PyType_GenericAlloc(core->random, 0);
    if (self)
        chance_random_of(self)->rng = rng;
    return self;
}

void chance_random_end(PyObject *object)
{
    if (object)
        chance_random_of(object)->rng = NULL;
}

static PyObject *chance_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"seed", NULL};
    PyObject *seed = NULL;
    uint64_t number;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Random", names, &seed) ||
        !core_read_seed(seed == Py_None ? NULL : seed, &number))
        return NULL;
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    struct chance_random *random = chance_random_of(self);
    banyan_rng_seed(&random->own, number);
    random->rng = &random->own;
    return self;
}

static PyObject *random_below(PyObject *self, PyObject *const *values, Py_ssize_t count,
                              PyObject *keywords)
{
    static const struct core_parameters parameters = {"below", 1, 1, {"n", NULL}};
    struct core_call call = {values, count, keywords};
    PyObject *given[1];
    int64_t n = 0;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "n", 1, UINT32_MAX, &n) ||
        !chance_live(chance_random_of(self)->rng))
        return NULL;
    return PyLong_FromUnsignedLong(banyan_rng_below(chance_random_of(self)->rng, (uint32_t)n));
}

static PyObject *random_unit(PyObject *self, PyObject *unused)
{
    struct banyan_rng *rng = chance_random_of(self)->rng;
    return chance_live(rng) ? PyFloat_FromDouble(banyan_rng_unit(rng)) : NULL;
}

static int random_draw(void *ctx, int n)
{
    return (int)banyan_rng_below(ctx, (uint32_t)n);
}

static PyObject *random_shuffle(PyObject *self, PyObject *items)
{
    PyObject *list =
        PySequence_List(items); /* may run the caller's code, so rng is read after it */
    struct banyan_rng *rng = chance_random_of(self)->rng;
    if (list && chance_live(rng))
        return chance_shuffled(list, random_draw, rng);
    Py_XDECREF(list);
    return NULL;
}

static PyMethodDef random_methods[] = {
    CORE_FAST("below", random_below,
              "below($self, /, n)\n--\n\nReturn one of 0..n-1, each as likely as the others."),
    {"unit", random_unit, METH_NOARGS, "unit($self, /)\n--\n\nReturn a float of [0, 1)."},
    {"shuffle", random_shuffle, METH_O,
     "shuffle($self, items, /)\n--\n\nReturn the items in random order, as a list."},
    {0}};

static PyType_Slot random_slots[] = {
    {Py_tp_new, (void *)chance_new},
    {Py_tp_dealloc, (void *)chance_dealloc},
    {Py_tp_methods, random_methods},
    {Py_tp_doc, "Random(seed=None)\n--\n\n"
                "A generator of random numbers: the library's own.\n\n"
                "new() and determinize() of a game written in Python get one to draw from.\n"
                "seed: None: a different seed each time."},
    {0, NULL}};

PyType_Spec random_spec = {.name = "banyan.Random",
                           .basicsize = sizeof(PyObject) + sizeof(struct chance_random),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = random_slots};

/* --- Dice --- */

PyObject *chance_dice_new(const struct core *core, struct banyan_dice *dice)
{
    PyObject *self = PyType_GenericAlloc(core->dice, 0);
    if (self)
        chance_dice_of(self)->dice = dice;
    return self;
}

void chance_dice_end(PyObject *object)
{
    if (object)
        chance_dice_of(object)->dice = NULL;
}

enum { DICE_KIND_MAX = 254, DICE_SIDES_MAX = 32767 };

/* Reads integer arguments by the names of parameters; the kind of die may be left out, and is 0
 * then. */
static bool dice_read(PyObject *self, const struct core_parameters *parameters,
                      const struct core_call *call, int64_t out[])
{
    PyObject *given[CORE_PARAMETERS_MAX];
    if (!core_arguments(parameters, call, given))
        return false;
    for (int i = 0; parameters->names[i]; ++i) {
        bool kind = i >= parameters->required;
        out[i] = 0;
        if (!core_read_int(given[i], parameters->names[i], !kind,
                           kind ? DICE_KIND_MAX : DICE_SIDES_MAX, &out[i]))
            return false;
    }
    return chance_live(chance_dice_of(self)->dice);
}

static PyObject *dice_roll(PyObject *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *keywords)
{
    static const struct core_parameters parameters = {"roll", 1, 2, {"sides", "kind", NULL}};
    struct core_call call = {values, count, keywords};
    int64_t number[2];
    if (!dice_read(self, &parameters, &call, number))
        return NULL;
    struct banyan_dice *dice = chance_dice_of(self)->dice;
    return PyLong_FromLong(banyan_dice_roll(dice, (int)number[1], (int)number[0]));
}

static PyObject *dice_pick(PyObject *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *keywords)
{
    static const struct core_parameters parameters = {"pick", 1, 2, {"n", "kind", NULL}};
    struct core_call call = {values, count, keywords};
    int64_t number[2];
    if (!dice_read(self, &parameters, &call, number))
        return NULL;
    struct banyan_dice *dice = chance_dice_of(self)->dice;
    return PyLong_FromLong(banyan_dice_pick(dice, (int)number[1], (int)number[0]));
}

static PyObject *dice_test(PyObject *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "test", 2, 3, {"sides", "at_least", "kind", NULL}};
    struct core_call call = {values, count, keywords};
    int64_t number[3];
    if (!dice_read(self, &parameters, &call, number))
        return NULL;
    struct banyan_dice *dice = chance_dice_of(self)->dice;
    return PyBool_FromLong(banyan_dice_test(dice, (int)number[2], (int)number[0], (int)number[1]));
}

static PyObject *dice_chance(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"chance", 2, 3, {"p", "q", "kind", NULL}};
    struct core_call call = {values, count, keywords};
    int64_t number[3];
    if (!dice_read(self, &parameters, &call, number))
        return NULL;
    if (number[0] > number[1]) {
        PyErr_Format(PyExc_ValueError, "a chance of %lld in %lld is above 1", (long long)number[0],
                     (long long)number[1]);
        return NULL;
    }
    struct banyan_dice *dice = chance_dice_of(self)->dice;
    return PyBool_FromLong(
        banyan_dice_chance(dice, (int)number[2], (int)number[0], (int)number[1]));
}

struct dice_shuffle {
    struct banyan_dice *dice;
    int kind;
};

static int dice_draw(void *ctx, int n)
{
    const struct dice_shuffle *shuffle = ctx;
    return banyan_dice_pick(shuffle->dice, shuffle->kind, n);
}

static PyObject *dice_shuffle(PyObject *self, PyObject *const *values, Py_ssize_t count,
                              PyObject *keywords)
{
    static const struct core_parameters parameters = {"shuffle", 1, 2, {"items", "kind", NULL}};
    struct core_call call = {values, count, keywords};
    PyObject *given[2];
    int64_t kind = 0;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[1], "kind", 0, DICE_KIND_MAX, &kind))
        return NULL;
    PyObject *list = PySequence_List(given[0]); /* as in random_shuffle */
    struct dice_shuffle shuffle = {chance_dice_of(self)->dice, (int)kind};
    bool fits = list && PyList_Size(list) <= DICE_SIDES_MAX;
    if (list && !fits)
        PyErr_Format(PyExc_ValueError, "items are at most %d, got %zd", DICE_SIDES_MAX,
                     PyList_Size(list));
    if (fits && chance_live(shuffle.dice))
        return chance_shuffled(list, dice_draw, &shuffle);
    Py_XDECREF(list);
    return NULL;
}

static PyMethodDef dice_methods[] = {
    CORE_FAST("roll", dice_roll,
              "roll($self, /, sides, kind=0)\n--\n\nReturn the face of a die, 1..sides."),
    CORE_FAST("pick", dice_pick, "pick($self, /, n, kind=0)\n--\n\nReturn one of 0..n-1."),
    CORE_FAST("test", dice_test,
              "test($self, /, sides, at_least, kind=0)\n--\n\n"
              "Return whether a die shows at_least or more.\n\n"
              "The search counts this as one event with two outcomes."),
    CORE_FAST("chance", dice_chance,
              "chance($self, /, p, q, kind=0)\n--\n\nReturn True with probability p / q."),
    CORE_FAST(
        "shuffle", dice_shuffle,
        "shuffle($self, /, items, kind=0)\n--\n\nReturn the items in random order, as a list."),
    {0}};

static PyType_Slot dice_slots[] = {
    {Py_tp_dealloc, (void *)chance_dealloc},
    {Py_tp_methods, dice_methods},
    {Py_tp_doc, "The dice of one step of a game; apply() of a game written in Python gets them.\n\n"
                "kind: a number, 0..254, by which the game says what a die is for."},
    {0, NULL}};

PyType_Spec dice_spec = {.name = "banyan.Dice",
                         .basicsize = sizeof(PyObject) + sizeof(struct chance_dice),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         .slots = dice_slots};
