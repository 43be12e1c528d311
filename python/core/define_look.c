/* Games that are written in Python: texts, estimates, what players see. */
#include "define.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* Copies a str as snprintf does; takes the reference. */
static int define_write(PyObject *text, char *out, size_t size)
{
    Py_ssize_t length = 0;
    const char *from = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (!from)
        PyErr_Clear();
    if (size)
        snprintf(out, size, "%s", from ? from : "?");
    Py_XDECREF(text);
    return from ? (int)length : 1;
}

/* Whether C can read the object as a text: UTF-8 has no lone surrogates, and a NUL would end the text. */
static bool define_is_text(PyObject *object)
{
    Py_ssize_t length = 0;
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &length) : NULL;
    PyErr_Clear();
    return text && strlen(text) == (size_t)length;
}

/* Calls a method, and returns its result, a text; NULL: the call is broken. */
static PyObject *define_text(struct define_call *call, const char *name, enum define_method method,
                             const void *state, PyObject *more)
{
    PyObject *result = define_ask(call, method, state, more);
    if (!result || define_is_text(result))
        return result;
    define_wrong(call, name, result,
                 PyUnicode_Check(result) ? "a str without NUL and lone surrogates" : "a str");
    return NULL;
}

static int define_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    struct define_call call;
    PyObject *text = NULL;
    if (define_enter(&call, game)) {
        PyObject *value = define_value(&call, state);
        text = value ? PyObject_Repr(value) : NULL;
        Py_XDECREF(value);
    }
    int length = define_write(text, out, size);
    define_leave(&call);
    return length;
}

/* --- actions --- */

static PyObject *define_name(struct define_call *call, const void *state, int player,
                             banyan_action action)
{
    if (!call->game->method[DEFINE_ACTION_NAME])
        return PyUnicode_FromFormat("%llu", (unsigned long long)action);
    return define_text(call, "action_name", DEFINE_ACTION_NAME, state,
                       Py_BuildValue("(iK)", player, (unsigned long long)action));
}

static int define_action_format(const struct banyan_game *game, const void *state, int player,
                                banyan_action action, char *out, size_t size)
{
    struct define_call call;
    PyObject *text = define_enter(&call, game) ? define_name(&call, state, player, action) : NULL;
    int length = define_write(text, out, size);
    define_leave(&call);
    return length;
}

/* Finds the action whose name is text; returns whether there is one. */
static bool define_find(struct define_call *call, const void *state, int player, const char *text,
                        banyan_action *out)
{
    const struct banyan_game *game = &call->game->rules;
    banyan_action *legal = PyMem_Calloc((size_t)game->max_legal, sizeof *legal);
    int count = legal ? game->legal(game, state, player, legal) : 0;
    bool found = false;
    for (int i = 0; i < count && !found && !call->carry->broken; ++i) {
        PyObject *name = define_name(call, state, player, legal[i]);
        const char *spelled = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        found = spelled && strcmp(spelled, text) == 0;
        *out = legal[i];
        Py_XDECREF(name);
    }
    PyMem_Free(legal);
    return found;
}

static enum banyan_status define_action_parse(const struct banyan_game *game, const void *state,
                                              int player, const char *text, banyan_action *out,
                                              struct banyan_error *err)
{
    struct define_call call;
    bool found = define_enter(&call, game) && define_find(&call, state, player, text, out);
    define_leave(&call);
    return found ? BANYAN_OK
                 : banyan_fail(err, BANYAN_ILLEGAL,
                               "%s: '%s' is not a legal action of player %d here", game->name, text,
                               player);
}

/* The index of an action in the policy head: in these games it is the action itself. */
static int define_policy_index(const struct banyan_game *game, const void *state, int player,
                               banyan_action action)
{
    return action < (uint64_t)game->policy_size ? (int)action : 0;
}

/* --- estimates --- */

/* Writes the count numbers that a method has returned; returns whether they are right.  Takes the reference. */
static bool define_floats(struct define_call *call, const char *name, PyObject *result, int count,
                          const float range[2], float *out)
{
    if (result && define_numbers(result, count, range[0], range[1], out)) {
        Py_DecRef(result);
        return true;
    }
    char wanted[128];
    PyOS_snprintf(wanted, sizeof wanted, "%d numbers of %g..%g", count, (double)range[0],
                  (double)range[1]);
    if (result)
        define_wrong(call, name, result, wanted);
    return false;
}

static float define_heuristic(const struct banyan_game *game, const void *state, int player)
{
    struct define_call call;
    const float range[2] = {game->return_min, game->return_max};
    float value = (range[0] + range[1]) / 2;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_HEURISTIC, state, Py_BuildValue("(i)", player));
        define_floats(&call, "heuristic", result, 1, range, &value);
    }
    define_leave(&call);
    return value;
}

static PyObject *define_actions(const banyan_action *actions, int n)
{
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; ++i)
        PyList_SetItem(list, i, PyLong_FromUnsignedLongLong(actions[i]));
    return list;
}

static void define_priors(const struct banyan_game *game, const void *state, int player,
                          const banyan_action *actions, int n, float *out)
{
    static const float range[2] = {0, FLT_MAX};
    struct define_call call;
    double sum = 0;
    bool well = false;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_PRIORS, state,
                                      Py_BuildValue("(iN)", player, define_actions(actions, n)));
        well = define_floats(&call, "priors", result, n, range, out);
    }
    define_leave(&call);
    for (int i = 0; well && i < n; ++i)
        sum += (double)out[i];
    for (int i = 0; i < n; ++i)
        out[i] = sum > 0 ? (float)((double)out[i] / sum) : 1.0F / (float)n;
}

static void define_points(const struct banyan_game *game, const void *state, float *out)
{
    static const float range[2] = {-FLT_MAX, FLT_MAX};
    struct define_call call;
    memset(out, 0, (size_t)game->players * sizeof *out);
    if (define_enter(&call, game))
        define_floats(&call, "points", define_ask(&call, DEFINE_POINTS, state, PyTuple_New(0)),
                      game->players, range, out);
    define_leave(&call);
}

/* --- what players see --- */

static void define_encode(const struct banyan_game *game, const void *state, int viewer,
                          float *planes)
{
    static const float range[2] = {-FLT_MAX, FLT_MAX};
    int count = game->planes[0] * game->planes[1] * game->planes[2];
    struct define_call call;
    bool well = false;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_OBSERVE, state, Py_BuildValue("(i)", viewer));
        well = define_floats(&call, "observe", result, count, range, planes);
    }
    define_leave(&call);
    if (!well)
        memset(planes, 0, (size_t)count * sizeof *planes);
}

static int define_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                       size_t size)
{
    struct define_call call;
    PyObject *text = define_enter(&call, game) ? define_text(&call, "draw", DEFINE_DRAW, state,
                                                             Py_BuildValue("(i)", viewer))
                                               : NULL;
    int length = define_write(text, out, size);
    define_leave(&call);
    return length;
}

static int define_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                      size_t size)
{
    struct define_call call;
    PyObject *text = define_enter(&call, game) ? define_text(&call, "svg", DEFINE_SVG, state,
                                                             Py_BuildValue("(i)", viewer))
                                               : NULL;
    int length = define_write(text, out, size);
    define_leave(&call);
    return length;
}

void define_set_looks(struct banyan_game *rules, const struct defined *defined)
{
    PyObject *const *method = defined->method;
    rules->format = define_format;
    rules->action_format = define_action_format;
    rules->action_parse = define_action_parse;
    rules->policy_index = rules->policy_size ? define_policy_index : NULL;
    rules->heuristic = method[DEFINE_HEURISTIC] ? define_heuristic : NULL;
    rules->priors = method[DEFINE_PRIORS] ? define_priors : NULL;
    rules->encode = method[DEFINE_OBSERVE] ? define_encode : NULL;
    rules->points = method[DEFINE_POINTS] ? define_points : NULL;
    rules->draw = method[DEFINE_DRAW] ? define_draw : NULL;
    rules->svg = method[DEFINE_SVG] ? define_svg : NULL;
}
