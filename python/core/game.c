/* banyan.Game: what is fixed in a game. */
#include "define.h"

#include <stddef.h>

/* --- making one --- */

PyObject *game_make(const struct core *core, const struct banyan_game *rules,
                    struct defined *defined)
{
    banyan_action *legal = PyMem_Calloc((size_t)rules->max_legal, sizeof *legal);
    if (!legal)
        return PyErr_NoMemory();
    PyObject *self = PyType_GenericAlloc(core->game, 0);
    if (self)
        *game_of(self) = (struct game){core, rules, defined, legal};
    else
        PyMem_Free(legal);
    return self;
}

PyObject *game_find(const struct core *core, const char *name)
{
    const struct banyan_game *rules;
    struct banyan_error err;
    PyObject *defined = PyDict_GetItemString(core->defined, name);
    if (defined)
        return Py_NewRef(defined);
    if (banyan_game_find(name, &rules, &err) != BANYAN_OK)
        return core_raise(core, &err);
    return game_make(core, rules, NULL);
}

PyObject *game_read(const struct core *core, PyObject *object)
{
    const char *name;
    if (Py_IS_TYPE(object, core->game))
        return Py_NewRef(object);
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "game must be a banyan.Game or its name, got %R", object);
        return NULL;
    }
    return core_read_text(object, "game", &name) ? game_find(core, name) : NULL;
}

bool game_observation(const struct game *game, struct core_shape *shape)
{
    const struct banyan_game *rules = game->rules;
    if (rules->encode && !rules->observe)
        for (int i = 0; i < 3; ++i)
            shape->size[shape->dimensions++] = rules->planes[i];
    else
        shape->size[shape->dimensions++] = banyan_observation_size(rules);
    return rules->encode || rules->observe;
}

static void game_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(game_of(self)->legal);
    define_free(game_of(self)->defined);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* --- new states --- */

static PyObject *game_new(PyObject *self, PyObject *const *values, Py_ssize_t count,
                          PyObject *keywords)
{
    static const struct core_parameters parameters = {"new", 0, 1, {"setup", "seed", NULL}};
    struct core_call call = {values, count, keywords};
    struct game *game = game_of(self);
    PyObject *given[2];
    const char *setup = "";
    uint64_t seed;
    if (!core_arguments(&parameters, &call, given) || !core_read_text(given[0], "setup", &setup) ||
        !core_read_seed(given[1], &seed))
        return NULL;
    PyObject *state = state_new(self);
    if (!state)
        return NULL;
    struct banyan_error err;
    struct banyan_rng rng;
    struct state *into = state_of(state);
    /* the random stream that the program uses: the same seed gives the same deal */
    banyan_rng_seed(&rng, banyan_rng_child(seed, "position", 0));
    banyan_rng_seed(&into->rng, banyan_rng_child(seed, "dice", 0));
    if (game->rules->init(game->rules, into->bytes, setup, &rng, &err) == BANYAN_OK)
        return state;
    Py_DecRef(state);
    return core_raise(game->core, &err);
}

/* --- attributes --- */

static PyObject *game_get_text(PyObject *self, void *offset)
{
    const char *rules = (const char *)game_of(self)->rules;
    const char *text = *(const char *const *)(const void *)(rules + (size_t)offset);
    return text ? PyUnicode_FromString(text) : PyUnicode_FromString("mcts");
}

static PyObject *game_get_int(PyObject *self, void *offset)
{
    const char *rules = (const char *)game_of(self)->rules;
    return PyLong_FromLong(*(const int *)(const void *)(rules + (size_t)offset));
}

static PyObject *game_get_returns(PyObject *self, void *unused)
{
    const struct banyan_game *rules = game_of(self)->rules;
    return Py_BuildValue("(dd)", (double)rules->return_min, (double)rules->return_max);
}

static PyObject *game_get_planes(PyObject *self, void *unused)
{
    const struct banyan_game *rules = game_of(self)->rules;
    if (!rules->encode)
        Py_RETURN_NONE;
    return Py_BuildValue("(iii)", rules->planes[0], rules->planes[1], rules->planes[2]);
}

static PyObject *game_get_shape(PyObject *self, void *unused)
{
    struct core_shape shape = {.format = 'f'};
    if (!game_observation(game_of(self), &shape))
        Py_RETURN_NONE;
    PyObject *sizes = PyTuple_New(shape.dimensions);
    for (int i = 0; sizes && i < shape.dimensions; ++i)
        PyTuple_SetItem(sizes, i, PyLong_FromSsize_t(shape.size[i]));
    return sizes;
}

static PyObject *game_feature(const struct core *core, const struct banyan_feature *feature, int at)
{
    static const char *const kinds[] = {"flag", "count", "id", "real"};
    PyObject *result = PyStructSequence_New(core->feature);
    if (!result)
        return NULL;
    PyObject *items[] = {
        PyUnicode_FromString(feature->name),
        PyUnicode_FromString(feature->help),
        PyUnicode_FromString(kinds[feature->kind]),
        PyLong_FromLong(at),
        Py_BuildValue("(iii)", feature->shape[0], feature->shape[1], feature->shape[2]),
        PyFloat_FromDouble((double)feature->min),
        PyFloat_FromDouble((double)feature->max),
        PyBool_FromLong(feature->hidden),
    };
    for (int i = 0; i < (int)(sizeof items / sizeof *items); ++i)
        PyStructSequence_SetItem(result, i, items[i]);
    return result;
}

static PyObject *game_get_features(PyObject *self, void *unused)
{
    const struct game *game = game_of(self);
    struct banyan_feature feature;
    PyObject *list = PyList_New(0);
    for (int i = 0, at; list && (at = banyan_observation_feature(game->rules, i, &feature)) >= 0;
         ++i) {
        PyObject *item = game_feature(game->core, &feature, at);
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    PyObject *features = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return features;
}

static PyObject *game_get_traits(PyObject *self, void *unused)
{
    static const char *const names[] = {"chance", "simultaneous", "hidden", "zero-sum"};
    PyObject *traits = PyFrozenSet_New(NULL);
    for (int i = 0; traits && i < 4; ++i) {
        PyObject *name =
            game_of(self)->rules->traits >> i & 1 ? PyUnicode_FromString(names[i]) : NULL;
        if (name)
            PySet_Add(traits, name);
        Py_XDECREF(name);
    }
    return traits;
}

static PyObject *game_get_names(PyObject *self, void *unused)
{
    const struct banyan_game *rules = game_of(self)->rules;
    PyObject *names = PyTuple_New(rules->players);
    for (int p = 0; names && p < rules->players; ++p)
        PyTuple_SetItem(names, p, PyUnicode_FromString(banyan_game_player_name(rules, p)));
    return names;
}

static PyObject *game_repr(PyObject *self)
{
    return PyUnicode_FromFormat("banyan.game('%s')", game_of(self)->rules->name);
}

static PyObject *game_compare(PyObject *self, PyObject *other, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !Py_IS_TYPE(other, Py_TYPE(self)))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((game_of(self)->rules == game_of(other)->rules) == (how == Py_EQ));
}

static Py_hash_t game_hash(PyObject *self)
{
    Py_hash_t hash = (Py_hash_t)((uintptr_t)game_of(self)->rules >> 4);
    return hash == -1 ? -2 : hash;
}

static PyObject *game_reduce(PyObject *self, PyObject *unused)
{
    PyObject *module = PyType_GetModule(Py_TYPE(self));
    PyObject *find = PyObject_GetAttrString(module, "game");
    return find ? Py_BuildValue("(N(s))", find, game_of(self)->rules->name) : NULL;
}

#define GAME_TEXT(name, doc)                                                        \
    {                                                                               \
#name, game_get_text, NULL, doc, (void *)offsetof(struct banyan_game, name) \
    }
#define GAME_INT(name, doc)                                                        \
    {                                                                              \
#name, game_get_int, NULL, doc, (void *)offsetof(struct banyan_game, name) \
    }

static PyGetSetDef game_attributes[] = {
    GAME_TEXT(name, "The name that commands and banyan.game() take: 'othello-6x6'."),
    GAME_TEXT(title, "The name that people read: 'Othello (6x6)'."),
    GAME_TEXT(best, "The player that 'best' stands for, as text for banyan.player()."),
    GAME_INT(players, "How many players there are."),
    GAME_INT(max_legal, "Most legal actions of one player in any state."),
    GAME_INT(max_plies, "Most calls of State.apply() from the start to the end."),
    GAME_INT(policy_size,
             "Numbers in the policy head, the length of State.mask(); 0: the game has none."),
    {"returns", game_get_returns, NULL, "(least, most) that a player's return can be.", NULL},
    {"planes", game_get_planes, NULL,
     "(channels, height, width) of what a network sees; None: the game has no planes.", NULL},
    {"observation_shape", game_get_shape, NULL,
     "The shape of State.observe(): planes, or one list of numbers; None: the game shows nothing.",
     NULL},
    {"features", game_get_features, NULL,
     "What the numbers of State.observe() are, in their order: a tuple of Feature.", NULL},
    {"traits", game_get_traits, NULL,
     "Which of 'chance', 'simultaneous', 'hidden' and 'zero-sum' hold.", NULL},
    {"player_names", game_get_names, NULL, "What people call the players: ('X', 'O').", NULL},
    {0}};

CORE_CARRIED(game_new)

static PyObject *game_repr_html(PyObject *self, PyObject *unused)
{
    return core_show(self, "game");
}

static PyMethodDef game_methods[] = {
    CORE_FAST("new", game_new_carried,
              "new($self, /, setup='', *, seed=None)\n--\n\n"
              "Return the first state of a new game.\n\n"
              "setup: '' for the usual start, else a text of the game's own, such as State.setup.\n"
              "seed: of deals and dice; None: a different seed each time."),
    {"_repr_html_", game_repr_html, METH_NOARGS, NULL},
    {"__reduce__", game_reduce, METH_NOARGS, NULL},
    {0}};

static PyType_Slot game_slots[] = {
    {Py_tp_dealloc, (void *)game_dealloc},
    {Py_tp_methods, game_methods},
    {Py_tp_getset, game_attributes},
    {Py_tp_repr, (void *)game_repr},
    {Py_tp_richcompare, (void *)game_compare},
    {Py_tp_hash, (void *)game_hash},
    {Py_tp_doc, "The rules of one game.  banyan.game(name) finds it; nothing in it changes."},
    {0, NULL}};

static PyStructSequence_Field feature_fields[] = {
    {"name", "of the feature: 'own-discs'"},
    {"help", "what its numbers mean"},
    {"kind", "'flag' (0 or 1), 'count', 'id' (a number that stands for something) or 'real'"},
    {"at", "where its numbers begin"},
    {"shape", "(channels, height, width) of its numbers"},
    {"min", "no number is below it"},
    {"max", "no number is above it"},
    {"hidden", "whether -1 may stand for what the viewer does not know"},
    {0}};
PyStructSequence_Desc game_feature_desc = {"banyan.Feature", "Some numbers of an observation.",
                                           feature_fields, 8};

PyType_Spec game_spec = {.name = "banyan.Game",
                         .basicsize = sizeof(PyObject) + sizeof(struct game),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         .slots = game_slots};
