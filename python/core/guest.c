/* Players of a match that are objects of Python. */
#include "match.h"

#include <string.h>

/* Keeps the exception that is set, and returns an error: a method of the guest has failed. */
static enum banyan_status guest_fail(struct guest *guest, struct banyan_error *err)
{
    if (guest->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&guest->raised[0], &guest->raised[1], &guest->raised[2]);
    return banyan_fail(err, BANYAN_INVALID, "a player has raised an exception");
}

/* A state for the guest.  Its random stream is not that of the game, so the guest cannot see future
 * dice. */
static PyObject *guest_state(struct guest *guest, const void *bytes)
{
    PyObject *state = state_new(guest->owner);
    if (!state)
        return NULL;
    memcpy(state_of(state)->bytes, bytes, game_of(guest->owner)->rules->state_size);
    banyan_rng_seed(&state_of(state)->rng, banyan_rng_child(guest->seed, "shown", guest->shown++));
    return state;
}

/* Calls a method of the guest with these arguments, as for Py_BuildValue("(...)"); takes the reference. */
static PyObject *guest_call(const struct guest *guest, const char *method, PyObject *args)
{
    struct carry before;
    carry_pause(&before);
    PyObject *function = args ? PyObject_GetAttrString(guest->object, method) : NULL;
    PyObject *result = function ? PyObject_CallObject(function, args) : NULL;
    carry_resume(&before);
    Py_XDECREF(function);
    Py_XDECREF(args);
    return result;
}

static enum banyan_status guest_open(void *ctx, const void *bytes, int seat, uint64_t seed,
                                     struct banyan_error *err)
{
    struct guest *guest = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    guest->seat = seat;
    guest->seed = seed;
    guest->shown = 0;
    PyObject *state = guest_state(guest, bytes);
    PyObject *result =
        state ? guest_call(guest, "open",
                           Py_BuildValue("(OiK)", state, seat, (unsigned long long)seed))
              : NULL;
    enum banyan_status status = result ? BANYAN_OK : guest_fail(guest, err);
    Py_XDECREF(state);
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

static enum banyan_status guest_choose(void *ctx, const void *bytes,
                                       const struct banyan_player_clock *clock,
                                       struct banyan_player_move *out, struct banyan_error *err)
{
    struct guest *guest = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *state = guest_state(guest, bytes);
    PyObject *shown = state ? state_clone(state, NULL) : NULL; /* the guest may change it */
    PyObject *result = shown ? guest_call(guest, "choose", Py_BuildValue("(O)", shown)) : NULL;
    uint64_t action;
    *out = (struct banyan_player_move){.value = Py_NAN};
    bool well = result && core_read_word(result, "an action", &action) &&
                state_find(state_of(state), guest->seat, action) >= 0;
    out->action = well ? action : 0;
    enum banyan_status status = well ? BANYAN_OK : guest_fail(guest, err);
    Py_XDECREF(state);
    Py_XDECREF(shown);
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

/* The actions as State.apply() takes them. */
static PyObject *guest_joint(const struct guest *guest, const void *before,
                             const banyan_action joint[])
{
    const struct banyan_game *rules = game_of(guest->owner)->rules;
    unsigned movers = rules->movers(rules, before);
    bool alone = !(movers & (movers - 1));
    PyObject *actions = alone ? NULL : PyDict_New();
    for (int p = 0; p < rules->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        PyObject *action = PyLong_FromUnsignedLongLong(joint[p]);
        if (alone)
            return action;
        PyObject *player = PyLong_FromLong(p);
        if (!actions || !action || !player || PyDict_SetItem(actions, player, action) != 0)
            Py_CLEAR(actions);
        Py_XDECREF(action);
        Py_XDECREF(player);
    }
    return actions;
}

static enum banyan_status guest_observe(void *ctx, const void *before, const banyan_action joint[],
                                        const void *after, struct banyan_error *err)
{
    struct guest *guest = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *from = guest_state(guest, before), *to = guest_state(guest, after);
    PyObject *actions = from && to ? guest_joint(guest, before, joint) : NULL;
    PyObject *result =
        actions ? guest_call(guest, "observe", Py_BuildValue("(OOO)", from, actions, to)) : NULL;
    enum banyan_status status = result ? BANYAN_OK : guest_fail(guest, err);
    Py_XDECREF(from);
    Py_XDECREF(to);
    Py_XDECREF(actions);
    Py_XDECREF(result);
    PyGILState_Release(gil);
    return status;
}

void guest_player(struct guest *guest, struct banyan_player *out)
{
    *out = (struct banyan_player){.struct_size = sizeof *out,
                                  .name = "a player of Python",
                                  .ctx = guest,
                                  .open = guest_open,
                                  .choose = guest_choose,
                                  .observe = guest_observe};
}
