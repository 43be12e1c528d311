/* The module banyan._core: its functions, types and exception. */
#include "define.h"
#include "match.h"

#include <banyan/env.h>
#include <banyan/version.h>

#include <string.h>

static struct core *module_core(PyObject *module)
{
    return PyModule_GetState(module);
}

/* --- functions --- */

static PyObject *module_games(PyObject *module, PyObject *unused)
{
    PyObject *names = PyList_New(0);
    const struct banyan_game *rules;
    for (int i = 0; names && (rules = banyan_game_at(i)); ++i) {
        PyObject *name = PyUnicode_FromString(rules->name);
        if (!name || PyList_Append(names, name) != 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    PyObject *defined = names ? PyDict_Keys(module_core(module)->defined) : NULL;
    PyObject *all = defined ? PySequence_Concat(names, defined) : NULL;
    Py_XDECREF(defined);
    Py_XDECREF(names);
    return all;
}

static PyObject *module_define(PyObject *module, PyObject *args)
{
    const struct core *core = module_core(module);
    PyObject *game = define_game(core, args);
    if (game && PyDict_SetItemString(core->defined, game_of(game)->rules->name, game) != 0)
        Py_CLEAR(game);
    return game;
}

static PyObject *module_check(PyObject *module, PyObject *args)
{
    return check_game(module_core(module), args);
}

static PyObject *module_table(PyObject *module, PyObject *args)
{
    return table_new(module_core(module), args);
}

static PyObject *module_tally(PyObject *module, PyObject *args)
{
    return tally_new(module_core(module), args);
}

static PyObject *module_game(PyObject *module, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"game", 1, 1, {"name", NULL}};
    struct core_call call = {values, count, keywords};
    PyObject *given[1];
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    return game_read(module_core(module), given[0]);
}

static PyObject *module_player(PyObject *module, PyObject *const *values, Py_ssize_t count,
                               PyObject *keywords)
{
    struct core_call call = {values, count, keywords};
    return player_new(module_core(module), &call);
}

static int module_write_help(void *ctx, char *out, size_t size)
{
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    return banyan_options_help(banyan_search_option_table(), &options, out, size);
}

static PyObject *module_search_help(PyObject *module, PyObject *unused)
{
    return core_text(module_write_help, NULL);
}

/* _state(name, setup, stream): what State.__reduce__ names */
static PyObject *module_make_state(PyObject *module, PyObject *args)
{
    const char *name, *setup;
    unsigned long long s[4];
    if (!PyArg_ParseTuple(args, "ss(KKKK)", &name, &setup, &s[0], &s[1], &s[2], &s[3]))
        return NULL;
    const struct core *core = module_core(module);
    PyObject *owner = game_find(core, name);
    PyObject *state = owner ? state_new(owner) : NULL;
    Py_XDECREF(owner);
    if (!state)
        return NULL;
    const struct banyan_game *rules = state_of(state)->game->rules;
    struct banyan_error err;
    if (rules->init(rules, state_of(state)->bytes, setup, NULL, &err) == BANYAN_OK) {
        banyan_rng_seed(&state_of(state)->rng, 0); /* a stream is never all 0 */
        for (int i = 0; i < 4 && (s[0] | s[1] | s[2] | s[3]); ++i)
            state_of(state)->rng.s[i] = s[i];
        return state;
    }
    Py_DecRef(state);
    return core_raise(core, &err);
}

static PyObject *module_state(PyObject *module, PyObject *args)
{
    return core_carried(module_make_state(module, args));
}

CORE_CARRIED(module_player)

static PyMethodDef module_methods[] = {
    {"games", module_games, METH_NOARGS, "games($module, /)\n--\n\nReturn the names of all games."},
    CORE_FAST("game", module_game,
              "game($module, /, name)\n--\n\nReturn the game of this name; games() lists them."),
    CORE_FAST("player", module_player_carried,
              "player($module, /, game, text='best', seed=0)\n--\n\n"
              "Return a player: 'random', 'mcts:simulations=1000', 'best:time=1s', ...\n\n"
              "game: a Game or its name.  text: a player as the program `banyan` takes it;\n"
              "`banyan list` names the players."),
    {"search_options", module_search_help, METH_NOARGS,
     "search_options($module, /)\n--\n\nReturn a text that says which options Search() takes."},
    {"_state", module_state, METH_VARARGS, NULL},
    {"_define", module_define, METH_VARARGS, NULL},
    {"_check", module_check, METH_VARARGS, NULL},
    {"_table", module_table, METH_VARARGS, NULL},
    {"_tally", module_tally, METH_VARARGS, NULL},
    {0}};

/* --- making the module --- */

static PyTypeObject *module_type(PyObject *module, PyType_Spec *spec, const char *name)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && name && PyModule_AddObjectRef(module, name, type) != 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static PyTypeObject *module_tuple(PyObject *module, PyStructSequence_Desc *desc, const char *name)
{
    PyTypeObject *type = PyStructSequence_NewType(desc);
    if (type && PyModule_AddObjectRef(module, name, (PyObject *)type) != 0)
        Py_CLEAR(type);
    return type;
}

static PyObject *module_error(PyObject *module)
{
    PyObject *status = Py_BuildValue("{s:s}", "status", "invalid");
    PyObject *error = PyErr_NewExceptionWithDoc(
        "banyan.BanyanError",
        "The library refused a call.  status says why: 'invalid', 'illegal', 'not found', ...",
        NULL, status);
    Py_XDECREF(status);
    if (error && PyModule_AddObjectRef(module, "BanyanError", error) != 0)
        Py_CLEAR(error);
    return error;
}

/* What State.movers returns where one player chooses. */
static bool module_movers(struct core *core)
{
    bool well = true;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        well = (core->mover[p] = Py_BuildValue("(i)", p)) && well;
    return well;
}

static int module_exec(PyObject *module)
{
    struct core *core = module_core(module);
    core->error = module_error(module);
    core->game = module_type(module, &game_spec, "Game");
    core->state = module_type(module, &state_spec, "State");
    core->search = module_type(module, &search_spec, "Search");
    core->leaves = module_type(module, &leaves_spec, "Leaves");
    core->player = module_type(module, &player_spec, "Player");
    core->env = module_type(module, &env_spec, "Env");
    core->random = module_type(module, &random_spec, "Random");
    core->dice = module_type(module, &dice_spec, "Dice");
    core->table = module_type(module, &table_spec, NULL);
    core->tally = module_type(module, &tally_spec, NULL);
    core->defined = PyDict_New();
    core->array = module_type(module, &array_spec, NULL);
    core->move = module_tuple(module, &search_move_desc, "Move");
    core->stats = module_tuple(module, &search_stats_desc, "Stats");
    core->choice = module_tuple(module, &player_choice_desc, "Choice");
    core->feature = module_tuple(module, &game_feature_desc, "Feature");
    PyObject *hold = PyLong_FromLongLong(BANYAN_ENV_HOLD);
    if (core->env && hold)
        PyObject_SetAttrString((PyObject *)core->env, "HOLD", hold);
    Py_XDECREF(hold);
    bool well = core->error && core->game && core->state && core->search && core->leaves &&
                core->player && core->env && core->array && core->random && core->dice &&
                core->table && core->tally && core->defined && module_movers(core) && core->move &&
                core->stats && core->choice && core->feature;
    return well ? PyModule_AddStringConstant(module, "__version__", banyan_version_text()) : -1;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)module_exec}, {0, NULL}};

/* The module lives as long as the process: its instances point to what belongs to it. */
static struct PyModuleDef core_module = {.m_base = PyModuleDef_HEAD_INIT,
                                         .m_name = "banyan._core",
                                         .m_doc = "libbanyan for Python; use `import banyan`.",
                                         .m_size = sizeof(struct core),
                                         .m_methods = module_methods,
                                         .m_slots = module_slots};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&core_module);
}
