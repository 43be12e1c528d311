/* banyan.Player: the players of the library by name. */
#include "define.h"

#include <string.h>

struct player {
    PyObject *owner; /* the Game */
    struct game *game;
    struct banyan_player player;
    banyan_flag stop;
    bool busy;
    int seat; /* -1: no game is open */
    uint64_t seed;
};

static struct player *player_of(PyObject *object)
{
    return CORE_DATA(object, struct player);
}

static bool player_is_free(const struct player *player)
{
    if (!player->busy)
        return true;
    core_fail(player->game->core, BANYAN_INVALID,
              "this player is thinking: only stop() may be called until the call that goes on in "
              "it, such as "
              "choose(), has returned");
    return false;
}

/* player(game, text='best', seed=0) of the module */
PyObject *player_new(const struct core *core, const struct core_call *call)
{
    static const struct core_parameters parameters = {
        "player", 1, 3, {"game", "text", "seed", NULL}};
    PyObject *given[3];
    const char *text = "best";
    uint64_t seed = 0;
    if (!core_arguments(&parameters, call, given) || !core_read_text(given[1], "text", &text) ||
        !core_read_word(given[2], "seed", &seed))
        return NULL;
    PyObject *owner = game_read(core, given[0]);
    PyObject *self = owner ? PyType_GenericAlloc(core->player, 0) : NULL;
    if (!self) {
        Py_XDECREF(owner);
        return NULL;
    }
    struct player *player = player_of(self);
    struct banyan_error err;
    *player = (struct player){.owner = owner, .game = game_of(owner), .seat = -1, .seed = seed};
    player->player.struct_size = sizeof player->player;
    if (banyan_player_create(player->game->rules, text, NULL, seed, &player->player, &err) ==
        BANYAN_OK)
        return self;
    memset(&player->player, 0, sizeof player->player);
    Py_DecRef(self);
    return core_raise(core, &err);
}

void player_close(const struct game *game, void (*work)(void *ctx), void *ctx)
{
    if (!game->defined) {
        work(ctx);
        return;
    }
    Py_BEGIN_ALLOW_THREADS work(ctx);
    Py_END_ALLOW_THREADS carry_forget(&game->defined->foreign);
}

static void player_work_close(void *ctx)
{
    banyan_player_close(ctx);
}

static void player_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    player_close(player_of(self)->game, player_work_close, &player_of(self)->player);
    Py_XDECREF(player_of(self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* Does the work in this thread.  In a game written in Python the GIL is free meanwhile: a player
 * with option ponder first ends the search in its own thread, which may need the GIL.  Returns
 * false if a rule raised: the player's data may be wrong, so the player has no game any more. */
static bool player_do(struct player *player, void (*work)(void *ctx), void *ctx)
{
    struct defined *defined = player->game->defined;
    struct carry_run run;
    if (!defined) {
        work(ctx);
        return true;
    }
    carry_begin(&run, &defined->foreign, &player->stop);
    Py_BEGIN_ALLOW_THREADS work(ctx);
    Py_END_ALLOW_THREADS bool well = carry_end(&run);
    if (!well)
        player->seat = -1;
    return well;
}

struct player_opening {
    struct banyan_player *player;
    const void *state;
    int seat;
    uint64_t seed;
    enum banyan_status status;
    struct banyan_error err;
};

static void player_work_open(void *ctx)
{
    struct player_opening *work = ctx;
    work->status =
        work->player->open(work->player->ctx, work->state, work->seat, work->seed, &work->err);
}

/* Opens the player's game.  No other code has a reference to state. */
static bool player_begin(struct player *player, const struct state *state, int seat, uint64_t seed)
{
    struct player_opening work = {
        .player = &player->player, .state = state->bytes, .seat = seat, .seed = seed};
    if (!player_do(player, player_work_open, &work))
        return false;
    if (work.status != BANYAN_OK) {
        core_raise(player->game->core, &work.err);
        return false;
    }
    player->seat = seat;
    return true;
}

static PyObject *player_open(PyObject *self, PyObject *const *values, Py_ssize_t count,
                             PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "open", 2, 3, {"state", "seat", "seed", NULL}};
    struct core_call call = {values, count, keywords};
    struct player *player = player_of(self);
    PyObject *given[3];
    int64_t seat = 0;
    uint64_t seed = player->seed;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[1], "seat", 0, player->game->rules->players - 1, &seat) ||
        !core_read_word(given[2], "seed", &seed) || !state_check(player->game, given[0], "state"))
        return NULL;
    PyObject *position = state_clone(given[0], NULL);
    bool begun = position && player_begin(player, state_of(position), (int)seat, seed);
    Py_XDECREF(position);
    return begun ? Py_NewRef(Py_None) : NULL;
}

/* --- a decision --- */

struct player_work {
    struct player *player;
    const void *state;
    struct banyan_player_clock clock;
    struct banyan_player_move move;
    enum banyan_status status;
    struct banyan_error err;
};

static void player_work(void *ctx)
{
    struct player_work *work = ctx;
    struct banyan_player *player = &work->player->player;
    work->status = player->choose(player->ctx, work->state, &work->clock, &work->move, &work->err);
}

/* In a game that is written in Python the player runs in this thread, and Python itself sees Ctrl-C there. */
static bool player_work_without_gil(struct player_work *work)
{
    struct player *player = work->player;
    if (!player->game->defined)
        return core_outside(player_work, work, &player->stop);
    return player_do(player, player_work, work);
}

static PyObject *player_choice(const struct player *player, const struct player_work *work)
{
    PyObject *choice = PyStructSequence_New(player->game->core->choice);
    if (!choice)
        return NULL;
    const struct banyan_player_move *move = &work->move;
    PyObject *items[] = {
        PyLong_FromUnsignedLongLong(move->action),
        action_text(player->game, work->state, player->seat, move->action),
        PyFloat_FromDouble(move->value),
        PyLong_FromUnsignedLongLong(move->simulations),
        PyFloat_FromDouble(move->elapsed_ms / 1000),
        PyBool_FromLong(move->exact),
    };
    for (int i = 0; i < (int)(sizeof items / sizeof *items); ++i)
        PyStructSequence_SetItem(choice, i, items[i]);
    return choice;
}

/* Opens a game at this state for a player that has no game yet, or whose seat does not choose here. */
static bool player_sit(struct player *player, const struct state *state)
{
    const struct banyan_game *rules = player->game->rules;
    unsigned movers = rules->movers(rules, state->bytes);
    int seat;
    if (player->seat >= 0 && movers >> player->seat & 1)
        return true;
    return state_mover(state, NULL, &seat) && player_begin(player, state, seat, player->seed);
}

static PyObject *player_decide(struct player *player, PyObject *position, double seconds)
{
    struct player_work work = {.player = player, .state = state_of(position)->bytes};
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        work.clock.left_ms[p] = seconds > 0 ? seconds * 1000 : -1;
    work.clock.increment_ms = seconds > 0 ? seconds * 1000 : 0;
    work.clock.stop = &player->stop;
    work.move.value = Py_NAN;
    banyan_flag_clear(&player->stop);
    if (!player_work_without_gil(&work))
        return NULL;
    return work.status == BANYAN_OK ? player_choice(player, &work)
                                    : core_raise(player->game->core, &work.err);
}

static PyObject *player_choose(PyObject *self, PyObject *const *values, Py_ssize_t count,
                               PyObject *keywords)
{
    static const struct core_parameters parameters = {"choose", 1, 1, {"state", "seconds", NULL}};
    struct core_call call = {values, count, keywords};
    struct player *player = player_of(self);
    PyObject *given[2];
    double seconds = 0;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_real(given[1], "seconds", &seconds) ||
        !state_check(player->game, given[0], "state"))
        return NULL;
    if (given[1] && !(seconds > 0 && seconds <= 1e9)) {
        PyErr_Format(PyExc_ValueError, "seconds must be above 0 and at most 1e9, got %R", given[1]);
        return NULL;
    }
    PyObject *position = state_clone(given[0], NULL); /* nobody changes it meanwhile */
    PyObject *choice = position && player_sit(player, state_of(position))
                           ? player_decide(player, position, seconds)
                           : NULL;
    Py_XDECREF(position);
    return choice;
}

/* --- what was played --- */

struct player_news {
    struct banyan_player *player;
    const void *before, *after;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    enum banyan_status status;
    struct banyan_error err;
};

static void player_work_observe(void *ctx)
{
    struct player_news *work = ctx;
    work->status = work->player->observe(work->player->ctx, work->before, work->joint, work->after,
                                         &work->err);
}

/* Tells the player of a step.  No other code has references to before and after. */
static PyObject *player_hear(struct player *player, const struct state *before, PyObject *action,
                             const struct state *after)
{
    struct player_news work = {
        .player = &player->player, .before = before->bytes, .after = after->bytes};
    if (!state_joint(before, action, work.joint))
        return NULL;
    if (player->seat < 0)
        return core_fail(player->game->core, BANYAN_INVALID,
                         "this player is in no game yet: call open(state, seat)");
    if (player->player.observe && !player_do(player, player_work_observe, &work))
        return NULL;
    return work.status == BANYAN_OK ? Py_NewRef(Py_None)
                                    : core_raise(player->game->core, &work.err);
}

static PyObject *player_observe(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "observe", 3, 3, {"before", "action", "after", NULL}};
    struct core_call call = {values, count, keywords};
    struct player *player = player_of(self);
    PyObject *given[3];
    if (!core_arguments(&parameters, &call, given) ||
        !state_check(player->game, given[0], "before") ||
        !state_check(player->game, given[2], "after"))
        return NULL;
    PyObject *before = state_clone(given[0], NULL), *after = state_clone(given[2], NULL);
    PyObject *result =
        before && after ? player_hear(player, state_of(before), given[1], state_of(after)) : NULL;
    Py_XDECREF(before);
    Py_XDECREF(after);
    return result;
}

static PyObject *player_stop(PyObject *self, PyObject *unused)
{
    banyan_flag_set(&player_of(self)->stop);
    Py_RETURN_NONE;
}

static PyObject *player_get_name(PyObject *self, void *unused)
{
    return PyUnicode_FromString(player_of(self)->player.name);
}

static PyObject *player_get_game(PyObject *self, void *unused)
{
    return Py_NewRef(player_of(self)->owner);
}

/* The functions that Python calls: see CORE_ALONE. */
CORE_ALONE(player, player_open)
CORE_ALONE(player, player_choose)
CORE_ALONE(player, player_observe)

static PyGetSetDef player_attributes[] = {
    {"name", player_get_name, NULL, "The player's name, as people see it.", NULL},
    {"game", player_get_game, NULL, "The Game.", NULL},
    {0}};

static PyMethodDef player_methods[] = {
    CORE_FAST("open", player_open_alone,
              "open($self, /, state, seat, seed=None)\n--\n\n"
              "Begin a game at state; this player plays for seat, a number from 0.\n\n"
              "All random choices follow from the seed; None: the player's own seed."),
    CORE_FAST("choose", player_choose_alone,
              "choose($self, /, state, *, seconds=None)\n--\n\n"
              "Return the player's decision, a Choice.\n\n"
              "seconds: time for the decision; None: the limit in the player's own options.\n"
              "Without open() the player takes the seat of the player who chooses in state.\n"
              "Ctrl-C ends the decision."),
    CORE_FAST("observe", player_observe_alone,
              "observe($self, /, before, action, after)\n--\n\n"
              "Tell the player that action was played in state before and led to state after."),
    {"stop", player_stop, METH_NOARGS,
     "stop($self, /)\n--\n\nEnd a choose() that is going on in another thread."},
    {0}};

static PyType_Slot player_slots[] = {
    {Py_tp_dealloc, (void *)player_dealloc},
    {Py_tp_methods, player_methods},
    {Py_tp_getset, player_attributes},
    {Py_tp_doc, "A player of the library; banyan.player(game, text) makes it."},
    {0, NULL}};

PyType_Spec player_spec = {.name = "banyan.Player",
                           .basicsize = sizeof(PyObject) + sizeof(struct player),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           .slots = player_slots};

static PyStructSequence_Field choice_fields[] = {
    {"action", "the action"},
    {"text", "as people write it: 'd3'"},
    {"value", "expected return of the seat; nan: the player gives none"},
    {"simulations", "of this decision; 0: none"},
    {"seconds", "of this decision; 0: not measured"},
    {"exact", "whether value is that of perfect play"},
    {0}};
PyStructSequence_Desc player_choice_desc = {"banyan.Choice", "What a player has decided.",
                                            choice_fields, 6};
