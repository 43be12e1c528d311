/* banyan.Search: reads what a search has found. */
#include "search_core.h"

#include <math.h>
#include <string.h>

PyObject *search_get_game(PyObject *self, void *unused)
{
    return Py_NewRef(search_of(self)->owner);
}

PyObject *search_get_state(PyObject *self, void *unused)
{
    if (!search_of(self)->root)
        Py_RETURN_NONE;
    return state_clone(search_of(self)->root, NULL);
}

PyObject *search_get_values(PyObject *self, void *unused)
{
    struct search *search = search_of(self);
    float values[BANYAN_MAX_PLAYERS];
    if (!search_is_free(search) || !search_has_root(search))
        return NULL;
    int players = search->game->rules->players;
    banyan_search_root_values(search->search, values);
    PyObject *tuple = PyTuple_New(players);
    for (int p = 0; tuple && p < players; ++p)
        PyTuple_SetItem(tuple, p, PyFloat_FromDouble((double)values[p]));
    return tuple;
}

PyObject *search_get_signature(PyObject *self, void *unused)
{
    const struct search *search = search_of(self);
    if (!search_is_free(search) || !search_has_root(search))
        return NULL;
    return PyLong_FromUnsignedLongLong(banyan_search_signature(search->search));
}

/* --- the table of root moves --- */

/* All rows of player, to be freed by PyMem_Free; *count: how many. */
static struct banyan_search_move *read_rows(const struct search *search, int player, int *count)
{
    int room = search->game->rules->max_legal;
    for (;;) {
        struct banyan_search_move *rows = PyMem_Calloc((size_t)room + 1, sizeof *rows);
        if (!rows) {
            PyErr_NoMemory();
            return NULL;
        }
        *count = banyan_search_root_moves(search->search, player, rows, room + 1);
        if (*count <= room)
            return rows;
        PyMem_Free(rows);
        room *= 2; /* hidden cards: actions of all states that were drawn */
    }
}

static PyObject *read_move(const struct search *search, int player,
                           const struct banyan_search_move *row)
{
    PyObject *move = PyStructSequence_New(search->game->core->move);
    if (!move)
        return NULL;
    const void *bytes = state_of(search->root)->bytes;
    PyObject *items[] = {PyLong_FromUnsignedLongLong(row->action),
                         action_text(search->game, bytes, player, row->action),
                         PyLong_FromUnsignedLongLong(row->visits),
                         PyFloat_FromDouble(row->mean),
                         PyFloat_FromDouble((double)row->prior),
                         PyFloat_FromDouble((double)row->lo),
                         PyFloat_FromDouble((double)row->hi),
                         PyFloat_FromDouble(row->score)};
    for (int i = 0; i < (int)(sizeof items / sizeof *items); ++i)
        PyStructSequence_SetItem(move, i, items[i]);
    return move;
}

/* Reads the argument `player` of a method: a player who chooses at the root. */
static bool read_player(const struct search *search, PyObject *given, int *player)
{
    if (!search_has_root(search))
        return false;
    return state_mover(state_of(search->root), given, player);
}

PyObject *search_moves(PyObject *self, PyObject *const *values, Py_ssize_t count,
                       PyObject *keywords)
{
    static const struct core_parameters parameters = {"moves", 0, 1, {"player", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    PyObject *given[1];
    int player, n;
    if (!core_arguments(&parameters, &call, given) || !read_player(search, given[0], &player))
        return NULL;
    struct banyan_search_move *rows = read_rows(search, player, &n);
    PyObject *list = rows ? PyList_New(n) : NULL;
    for (int i = 0; list && i < n; ++i) {
        PyObject *move = read_move(search, player, &rows[i]);
        if (move)
            PyList_SetItem(list, i, move);
        else
            Py_CLEAR(list);
    }
    PyMem_Free(rows);
    return list;
}

PyObject *search_best(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"best", 0, 1, {"player", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    struct banyan_search_move row;
    struct banyan_error err;
    PyObject *given[1];
    int player;
    if (!core_arguments(&parameters, &call, given) || !read_player(search, given[0], &player))
        return NULL;
    if (banyan_search_choose(search->search, player, &row, &err) != BANYAN_OK)
        return core_raise(search->game->core, &err);
    return PyLong_FromUnsignedLongLong(row.action);
}

static bool read_put(PyObject *dict, banyan_action action, double share)
{
    PyObject *key = PyLong_FromUnsignedLongLong(action), *value = PyFloat_FromDouble(share);
    bool well = key && value && PyDict_SetItem(dict, key, value) == 0;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return well;
}

/* Shares in proportion to visits^(1/temperature); temperature 0: all to the most visited. */
static PyObject *read_shares(const struct banyan_search_move *rows, int n, double temperature)
{
    double sum = 0, most = n ? (double)rows[0].visits : 0;
    PyObject *dict = PyDict_New();
    for (int pass = 0; dict && pass < 2; ++pass)
        for (int i = 0; dict && i < n; ++i) {
            double part = (double)rows[i].visits / most;
            double weight = temperature > 0 ? pow(part, 1 / temperature) : i == 0;
            if (pass == 0)
                sum += weight;
            else if (!read_put(dict, rows[i].action, weight / sum))
                Py_CLEAR(dict);
        }
    return dict;
}

PyObject *search_policy(PyObject *self, PyObject *const *values, Py_ssize_t count,
                        PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "policy", 0, 2, {"player", "temperature", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    PyObject *given[2];
    double temperature = 1;
    int player, n;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_real(given[1], "temperature", &temperature) ||
        !read_player(search, given[0], &player))
        return NULL;
    if (!(temperature >= 0))
        return core_fail(search->game->core, BANYAN_INVALID, "temperature must be 0 or more");
    struct banyan_search_move *rows = read_rows(search, player, &n);
    if (!rows)
        return NULL;
    PyObject *dict = n && rows[0].visits ? read_shares(rows, n, temperature)
                                         : core_fail(search->game->core, BANYAN_INVALID,
                                                     "there are no visits yet: call run()");
    PyMem_Free(rows);
    return dict;
}

/* All actions of player's information set in `state` (NULL: the root) with their probabilities; *actions and *shares
 * are to be freed by PyMem_Free in any case.  Returns how many; -1: no memory. */
static int read_strategy(const struct search *search, const void *state, int player,
                         banyan_action **actions, double **shares)
{
    for (int room = search->game->rules->max_legal;; room *= 2) {
        *actions = PyMem_Calloc((size_t)room + 1, sizeof **actions);
        *shares = PyMem_Calloc((size_t)room + 1, sizeof **shares);
        if (!*actions || !*shares) {
            PyErr_NoMemory();
            return -1;
        }
        int n = banyan_search_average_strategy(search->search, state, player, *actions, *shares,
                                               room + 1);
        if (n <= room)
            return n;
        PyMem_Free(*actions); /* hidden cards: actions of all states that were drawn */
        PyMem_Free(*shares);
    }
}

PyObject *search_average(PyObject *self, PyObject *const *values, Py_ssize_t count,
                         PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "average_strategy", 0, 2, {"player", "state", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    int player;
    PyObject *given[2];
    if (!core_arguments(&parameters, &call, given) || !search_has_root(search) ||
        (given[1] && !state_check(search->game, given[1], "state")) ||
        !state_mover(state_of(given[1] ? given[1] : search->root), given[0], &player))
        return NULL;
    banyan_action *actions;
    double *shares;
    const void *state = given[1] ? state_of(given[1])->bytes : NULL;
    int n = read_strategy(search, state, player, &actions, &shares);
    PyObject *dict = n >= 0 ? PyDict_New() : NULL;
    for (int i = 0; dict && i < n; ++i)
        if (!read_put(dict, actions[i], shares[i]))
            Py_CLEAR(dict);
    PyMem_Free(actions);
    PyMem_Free(shares);
    return dict;
}

PyObject *search_pv(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    enum { PV_MAX = 256 };
    static const struct core_parameters parameters = {"pv", 0, 0, {NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    banyan_action actions[PV_MAX];
    int movers[PV_MAX];
    if (!core_arguments(&parameters, &call, NULL) || !search_has_root(search))
        return NULL;
    int n = banyan_search_pv(search->search, actions, movers, PV_MAX);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; ++i)
        PyList_SetItem(list, i, Py_BuildValue("(iK)", movers[i], (unsigned long long)actions[i]));
    return list;
}

PyObject *search_stats(PyObject *self, PyObject *unused)
{
    const struct search *search = search_of(self);
    return search_is_free(search) ? search_stats_tuple(search) : NULL;
}

PyObject *search_stats_tuple(const struct search *search)
{
    struct banyan_search_stats stats;
    PyObject *tuple = PyStructSequence_New(search->game->core->stats);
    if (!tuple)
        return NULL;
    banyan_search_stats(search->search, &stats, sizeof stats);
    uint64_t numbers[] = {
        stats.simulations, stats.nodes,           stats.edges,       stats.outcomes,
        stats.bytes_used,  stats.bytes_allocated, stats.compactions, (uint64_t)stats.max_depth};
    int n = (int)(sizeof numbers / sizeof *numbers);
    for (int i = 0; i < n; ++i)
        PyStructSequence_SetItem(tuple, i, PyLong_FromUnsignedLongLong(numbers[i]));
    PyStructSequence_SetItem(tuple, n, PyFloat_FromDouble(stats.mean_depth));
    PyStructSequence_SetItem(tuple, n + 1, PyFloat_FromDouble(stats.elapsed_ms / 1000));
    return tuple;
}

/* --- the tree as text --- */

struct read_parts {
    PyObject *list; /* of bytes */
};

static bool read_part(void *ctx, const char *text, size_t length)
{
    struct read_parts *parts = ctx;
    PyObject *part = PyBytes_FromStringAndSize(text, (Py_ssize_t)length);
    bool well = part && PyList_Append(parts->list, part) == 0;
    Py_XDECREF(part);
    return well;
}

static PyObject *read_joined(PyObject *list)
{
    PyObject *empty = PyBytes_FromStringAndSize("", 0);
    PyObject *whole = empty ? PyObject_CallMethod(empty, "join", "O", list) : NULL;
    PyObject *text = whole ? PyUnicode_FromEncodedObject(whole, "utf-8", "replace") : NULL;
    Py_XDECREF(whole);
    Py_XDECREF(empty);
    return text;
}

static bool read_format(const char *name, enum banyan_search_tree_format *format)
{
    static const char *const names[] = {"text", "xml", "json", "dot", "svg", "html"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); ++i)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum banyan_search_tree_format)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError,
                 "format is 'text', 'xml', 'json', 'dot', 'svg' or 'html', got '%s'", name);
    return false;
}

PyObject *search_tree(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "tree", 0, 2, {"depth", "format", "min_visits", "max_children", NULL}};
    struct core_call call = {values, count, keywords};
    struct search *search = search_of(self);
    struct banyan_search_tree_view view = {.format = BANYAN_TREE_TEXT};
    int64_t depth = 2, children = 0, visits = 1;
    const char *format = "text";
    PyObject *given[4];
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "depth", 0, 1000, &depth) ||
        !core_read_text(given[1], "format", &format) || !read_format(format, &view.format) ||
        !core_read_int(given[2], "min_visits", 0, INT64_MAX, &visits) ||
        !core_read_int(given[3], "max_children", 0, 1 << 20, &children) || !search_has_root(search))
        return NULL;
    view.depth = (int)depth;
    view.max_children = (int)children;
    view.min_visits = (uint64_t)visits;
    struct read_parts parts = {PyList_New(0)};
    struct banyan_error err;
    if (!parts.list)
        return NULL;
    enum banyan_status status =
        banyan_search_write_tree(search->search, &view, read_part, &parts, &err);
    PyObject *text = status == BANYAN_OK ? read_joined(parts.list) : NULL;
    if (status != BANYAN_OK && !PyErr_Occurred())
        core_raise(search->game->core, &err);
    Py_DecRef(parts.list);
    return text;
}

/* --- named tuples --- */

static PyStructSequence_Field move_fields[] = {
    {"action", "the action"},
    {"text", "as people write it: 'd3'"},
    {"visits", "simulations that took the action"},
    {"mean", "mean return of the player; nan: not visited"},
    {"prior", "probability that the evaluator gave the action; nan: none"},
    {"lo", "least return that is proven"},
    {"hi", "most return that is proven"},
    {"score", "present value of the formula that the selection rule maximises; nan: not visited"},
    {0}};
PyStructSequence_Desc search_move_desc = {"banyan.Move", "One action at the root of a search.",
                                          move_fields, 8};

static PyStructSequence_Field stats_fields[] = {
    {"simulations", "since the root was set or advanced"},
    {"nodes", "in the tree"},
    {"edges", "in the tree"},
    {"outcomes", "in the tree: of dice, hidden cards, choices at the same time"},
    {"bytes_used", "of the tree"},
    {"bytes_allocated", "of the tree"},
    {"compactions", "how often the tree was full"},
    {"max_depth", "of a simulation"},
    {"mean_depth", "of the simulations"},
    {"seconds", "of the last run, wall clock"},
    {0}};
PyStructSequence_Desc search_stats_desc = {"banyan.Stats", "What a search has done.", stats_fields,
                                           10};
