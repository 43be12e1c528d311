/* banyan.State: what players see, policies, estimates, draws of hidden cards, random play. */
#include "core.h"

#include <string.h>

/* Reads the viewer: the given one, else the only player who chooses. */
static bool look_viewer(const struct state *state, PyObject *object, int *viewer)
{
    *viewer = 0;
    return object ? state_viewer(state, object, 0, viewer) : state_mover(state, NULL, viewer);
}

PyObject *state_observe(PyObject *self, PyObject *const *values, Py_ssize_t count,
                        PyObject *keywords)
{
    static const struct core_parameters parameters = {"observe", 0, 2, {"viewer", "out", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[2];
    Py_buffer view;
    void *data;
    int viewer;
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    struct core_shape shape = {.format = 'f'};
    if (!game_observation(state->game, &shape))
        return core_fail(state->game->core, BANYAN_UNSUPPORTED, "%s has no observation",
                         rules->name);
    if (!look_viewer(state, given[0], &viewer))
        return NULL;
    PyObject *planes = core_array_out(state->game->core, given[1], &shape, &data, &view);
    if (!planes)
        return NULL;
    banyan_observe(rules, state->bytes, viewer, data);
    if (given[1])
        PyBuffer_Release(&view);
    return planes;
}

PyObject *state_observe_json(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {"observe_json", 0, 1, {"viewer", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[1], *result = NULL;
    int viewer;
    if (!core_arguments(&parameters, &call, given) || !look_viewer(state, given[0], &viewer))
        return NULL;
    float *numbers = PyMem_Calloc((size_t)banyan_observation_size(rules) + 1, sizeof *numbers);
    if (!numbers)
        return PyErr_NoMemory();
    banyan_observe(rules, state->bytes, viewer, numbers);
    int length = banyan_observation_json(rules, numbers, NULL, 0);
    char *text = PyMem_Malloc((size_t)length + 1);
    if (text) {
        banyan_observation_json(rules, numbers, text, (size_t)length + 1);
        result = PyUnicode_FromStringAndSize(text, length);
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(text);
    PyMem_Free(numbers);
    return result;
}

static bool look_policy(const struct state *state)
{
    if (state->game->rules->policy_index)
        return true;
    core_fail(state->game->core, BANYAN_UNSUPPORTED, "%s has no policy head: use State.legal()",
              state->game->rules->name);
    return false;
}

PyObject *state_mask(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"mask", 0, 2, {"player", "out", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[2];
    Py_buffer view;
    void *data;
    int player;
    if (!core_arguments(&parameters, &call, given) || !look_policy(state))
        return NULL;
    struct core_shape shape = {'b', 1, {rules->policy_size}};
    PyObject *mask = core_array_out(state->game->core, given[1], &shape, &data, &view);
    if (!mask)
        return NULL;
    if (state_mover(state, given[0], &player)) { /* opening the array may have changed the state */
        int8_t *bits = data;
        memset(bits, 0, (size_t)rules->policy_size);
        for (int i = 0, n = state_legal(state, player); i < n; ++i)
            bits[rules->policy_index(rules, state->bytes, player, state->game->legal[i])] = 1;
    } else {
        Py_CLEAR(mask);
    }
    if (given[1])
        PyBuffer_Release(&view);
    return mask;
}

PyObject *state_index(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"index", 1, 2, {"action", "player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[2];
    uint64_t action = 0;
    int player;
    if (!core_arguments(&parameters, &call, given) || !look_policy(state) ||
        !core_read_word(given[0], "action", &action) || !state_mover(state, given[1], &player) ||
        state_find(state, player, action) < 0)
        return NULL;
    return PyLong_FromLong(rules->policy_index(rules, state->bytes, player, action));
}

PyObject *state_action(PyObject *self, PyObject *const *values, Py_ssize_t count,
                       PyObject *keywords)
{
    static const struct core_parameters parameters = {"action", 1, 2, {"index", "player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[2];
    int64_t index = 0;
    int player;
    if (!core_arguments(&parameters, &call, given) || !look_policy(state) ||
        !core_read_int(given[0], "index", 0, rules->policy_size - 1, &index) ||
        !state_mover(state, given[1], &player))
        return NULL;
    for (int i = 0, n = state_legal(state, player); i < n; ++i)
        if (rules->policy_index(rules, state->bytes, player, state->game->legal[i]) == index)
            return PyLong_FromUnsignedLongLong(state->game->legal[i]);
    return core_fail(state->game->core, BANYAN_ILLEGAL,
                     "no legal action stands at index %d; State.mask() says where they do",
                     (int)index);
}

/* Copies the legal actions into the caller's array, and returns their part of it. */
static PyObject *look_fill(const struct state *state, PyObject *who, PyObject *out)
{
    struct core_shape shape = {'Q', 1, {-1}};
    Py_buffer view;
    void *data;
    int player, n = -1;
    PyObject *array = core_array_out(state->game->core, out, &shape, &data, &view);
    if (!array)
        return NULL;
    Py_DecRef(array);
    if (state_mover(state, who, &player)) /* opening the array may have changed the state */
        n = state_legal(state, player);
    bool fits = n >= 0 && view.shape[0] >= n;
    if (fits)
        memcpy(data, state->game->legal, (size_t)n * sizeof(uint64_t));
    PyBuffer_Release(&view);
    if (n < 0)
        return NULL;
    if (!fits)
        return core_fail(state->game->core, BANYAN_INVALID,
                         "out is too short for %d actions: Game.max_legal is always enough", n);
    return PySequence_GetSlice(out, 0, n);
}

PyObject *state_legal_array(PyObject *self, PyObject *const *values, Py_ssize_t count,
                            PyObject *keywords)
{
    static const struct core_parameters parameters = {"legal_array", 0, 2, {"player", "out", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    PyObject *given[2];
    void *data;
    int player;
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    if (given[1])
        return look_fill(state, given[0], given[1]);
    if (!state_mover(state, given[0], &player))
        return NULL;
    int n = state_legal(state, player);
    struct core_shape shape = {'Q', 1, {n}};
    PyObject *array = core_array_new(state->game->core, &shape, &data);
    if (array)
        memcpy(data, state->game->legal, (size_t)n * sizeof(uint64_t));
    return array;
}

/* --- estimates --- */

static bool look_player(const struct state *state, const struct core_parameters *parameters,
                        const struct core_call *call, int *player)
{
    PyObject *given[1];
    int64_t number = 0;
    if (!core_arguments(parameters, call, given) ||
        !core_read_int(given[0], "player", 0, state->game->rules->players - 1, &number))
        return false;
    *player = (int)number;
    return true;
}

PyObject *state_bounds(PyObject *self, PyObject *const *values, Py_ssize_t count,
                       PyObject *keywords)
{
    static const struct core_parameters parameters = {"bounds", 1, 1, {"player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct banyan_game *rules = state_of(self)->game->rules;
    float lo = rules->return_min, hi = rules->return_max;
    int player;
    if (!look_player(state_of(self), &parameters, &call, &player))
        return NULL;
    if (rules->bounds)
        rules->bounds(rules, state_of(self)->bytes, player, &lo, &hi);
    return Py_BuildValue("(dd)", (double)lo, (double)hi);
}

PyObject *state_heuristic(PyObject *self, PyObject *const *values, Py_ssize_t count,
                          PyObject *keywords)
{
    static const struct core_parameters parameters = {"heuristic", 1, 1, {"player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    int player;
    if (!look_player(state, &parameters, &call, &player))
        return NULL;
    if (!rules->heuristic)
        return core_fail(state->game->core, BANYAN_UNSUPPORTED, "%s has no heuristic", rules->name);
    return PyFloat_FromDouble((double)rules->heuristic(rules, state->bytes, player));
}

PyObject *state_key(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"key", 0, 1, {"viewer", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[1];
    int viewer;
    if (!core_arguments(&parameters, &call, given) || !look_viewer(state, given[0], &viewer))
        return NULL;
    return PyLong_FromUnsignedLongLong(rules->key(rules, state->bytes, viewer));
}

/* --- other states --- */

PyObject *state_determinize(PyObject *self, PyObject *const *values, Py_ssize_t count,
                            PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "determinize", 1, 1, {"viewer", "seed", NULL}};
    struct core_call call = {values, count, keywords};
    const struct banyan_game *rules = state_of(self)->game->rules;
    PyObject *given[2], *copy;
    struct banyan_rng rng;
    uint64_t seed;
    int viewer = 0;
    if (!core_arguments(&parameters, &call, given) ||
        !state_viewer(state_of(self), given[0], 0, &viewer) || !core_read_seed(given[1], &seed) ||
        !(copy = state_clone(self, NULL)))
        return NULL;
    banyan_rng_seed(&rng, seed);
    banyan_rng_seed(&state_of(copy)->rng, banyan_rng_child(seed, "dice", 0));
    if (rules->determinize)
        rules->determinize(rules, state_of(copy)->bytes, viewer, &rng);
    return copy;
}

static int look_policy_number(const struct game *game, const char *name)
{
    const char *const *names = game->rules->rollout_policies;
    for (int i = 0; names && names[i]; ++i)
        if (strcmp(names[i], name) == 0)
            return i;
    if (!names && strcmp(name, "random") == 0)
        return 0;
    core_fail(game->core, BANYAN_NOT_FOUND,
              "%s has no rollout policy '%s'; 'random' is always there", game->rules->name, name);
    return -1;
}

PyObject *state_rollout(PyObject *self, PyObject *const *values, Py_ssize_t count,
                        PyObject *keywords)
{
    static const struct core_parameters parameters = {"rollout", 0, 0, {"seed", "policy", NULL}};
    struct core_call call = {values, count, keywords};
    const struct game *game = state_of(self)->game;
    const char *policy =
        game->rules->rollout_policies ? game->rules->rollout_policies[0] : "random";
    PyObject *given[2], *copy;
    struct banyan_rng rng;
    uint64_t seed;
    int number;
    if (!core_arguments(&parameters, &call, given) || !core_read_seed(given[0], &seed) ||
        !core_read_text(given[1], "policy", &policy) ||
        (number = look_policy_number(game, policy)) < 0 || !(copy = state_clone(self, NULL)))
        return NULL;
    void *bytes = state_of(copy)->bytes;
    banyan_rng_seed(&rng, seed);
    Py_BEGIN_ALLOW_THREADS banyan_game_rollout(game->rules, bytes, number, game->rules->max_plies,
                                               &rng);
    Py_END_ALLOW_THREADS if (!game->rules->movers(game->rules, bytes)) return copy;
    Py_DecRef(copy);
    return core_fail(game->core, BANYAN_INVALID,
                     "%s is not over after max_plies=%d plies: the game's max_plies is too small",
                     game->rules->name, game->rules->max_plies);
}

PyObject *state_symmetries(PyObject *self, PyObject *unused)
{
    const struct banyan_game *rules = state_of(self)->game->rules;
    int n = rules->symmetry && rules->symmetries > 1 ? rules->symmetries : 1;
    PyObject *list = PyList_New(n);
    for (int k = 0; list && k < n; ++k) {
        PyObject *image = state_clone(self, NULL);
        if (!image) {
            Py_DecRef(list);
            return NULL;
        }
        if (k)
            rules->symmetry(rules, state_of(self)->bytes, k, state_of(image)->bytes);
        PyList_SetItem(list, k, image);
    }
    return list;
}
