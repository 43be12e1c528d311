/* banyan.State: states and actions as texts and pictures. */
#include "core.h"

struct text_state {
    const struct banyan_game *rules;
    const void *bytes;
    int player;
    banyan_action action;
};

static struct text_state text_of(const struct state *state, int player, banyan_action action)
{
    return (struct text_state){state->game->rules, state->bytes, player, action};
}

static int text_format(void *ctx, char *out, size_t size)
{
    const struct text_state *text = ctx;
    return text->rules->format(text->rules, text->bytes, out, size);
}

static int text_action(void *ctx, char *out, size_t size)
{
    const struct text_state *text = ctx;
    return text->rules->action_format(text->rules, text->bytes, text->player, text->action, out,
                                      size);
}

static int text_draw(void *ctx, char *out, size_t size)
{
    const struct text_state *text = ctx;
    return text->rules->draw(text->rules, text->bytes, text->player, out, size);
}

static int text_svg(void *ctx, char *out, size_t size)
{
    const struct text_state *text = ctx;
    return text->rules->svg(text->rules, text->bytes, text->player, out, size);
}

PyObject *action_text(const struct game *game, const void *bytes, int player, banyan_action action)
{
    struct text_state text = {game->rules, bytes, player, action};
    return core_text(text_action, &text);
}

PyObject *state_setup(PyObject *self, void *unused)
{
    struct text_state text = text_of(state_of(self), -1, 0);
    return core_text(text_format, &text);
}

PyObject *state_str(PyObject *self)
{
    struct text_state text = text_of(state_of(self), -1, 0);
    return core_text(text.rules->draw ? text_draw : text_format, &text);
}

PyObject *state_repr(PyObject *self)
{
    PyObject *setup = state_setup(self, NULL);
    PyObject *text = setup ? PyUnicode_FromFormat("banyan.game('%s').new(%R)",
                                                  state_of(self)->game->rules->name, setup)
                           : NULL;
    Py_XDECREF(setup);
    return text;
}

PyObject *state_name(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"name", 1, 2, {"action", "player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    PyObject *given[2];
    uint64_t action = 0;
    int player;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_word(given[0], "action", &action) || !state_mover(state, given[1], &player) ||
        state_find(state, player, action) < 0)
        return NULL;
    return action_text(state->game, state->bytes, player, action);
}

PyObject *state_parse(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"parse", 1, 2, {"text", "player", NULL}};
    struct core_call call = {values, count, keywords};
    const struct state *state = state_of(self);
    const struct banyan_game *rules = state->game->rules;
    PyObject *given[2];
    struct banyan_error err;
    banyan_action action;
    const char *text;
    int player;
    if (!core_arguments(&parameters, &call, given) || !state_mover(state, given[1], &player) ||
        !core_read_text(given[0], "text", &text))
        return NULL;
    if (rules->action_parse(rules, state->bytes, player, text, &action, &err) != BANYAN_OK)
        return core_raise(state->game->core, &err);
    return PyLong_FromUnsignedLongLong(action);
}

static PyObject *text_picture(PyObject *self, const struct core_parameters *parameters,
                              const struct core_call *call, core_write_fn *write)
{
    const struct state *state = state_of(self);
    PyObject *given[1];
    int viewer = -1;
    if (!core_arguments(parameters, call, given) || !state_viewer(state, given[0], -1, &viewer))
        return NULL;
    struct text_state text = text_of(state, viewer, 0);
    if (write)
        return core_text(write, &text);
    return core_fail(state->game->core, BANYAN_UNSUPPORTED, "%s does not draw this kind of picture",
                     text.rules->name);
}

PyObject *state_draw(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"draw", 0, 1, {"viewer", NULL}};
    struct core_call call = {values, count, keywords};
    return text_picture(self, &parameters, &call,
                        state_of(self)->game->rules->draw ? text_draw : NULL);
}

PyObject *state_svg(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
{
    static const struct core_parameters parameters = {"svg", 0, 1, {"viewer", NULL}};
    struct core_call call = {values, count, keywords};
    return text_picture(self, &parameters, &call,
                        state_of(self)->game->rules->svg ? text_svg : NULL);
}

/* For notebooks: None if the game has no picture. */
PyObject *state_repr_svg(PyObject *self, PyObject *unused)
{
    struct text_state text = text_of(state_of(self), -1, 0);
    if (!text.rules->svg)
        Py_RETURN_NONE;
    return core_text(text_svg, &text);
}
