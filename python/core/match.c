/* The table at which one thread plays games of a match. */
#include "match.h"

#include "match/match_game.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_PLAYERS = 2 };

/* The data of a table, allocated apart because they are too large for the object itself. */
struct table_game {
    struct match_options options;
    struct match_plan plan;
    struct match_worker worker;
    const char *specs[TABLE_PLAYERS]; /* texts of the players; borrowed from struct table */
    struct guest guests[BANYAN_MAX_PLAYERS][TABLE_PLAYERS]; /* by seat; of two players: seat 0 */
    PyObject *raised[3];                                    /* the first exception of a guest */
    banyan_flag stop;
};

struct table {
    PyObject *owner;   /* the Game */
    PyObject *players; /* (a, b) */
    struct game *game;
    struct table_game *at;
    bool busy;
};

static struct table *table_of(PyObject *object)
{
    return CORE_DATA(object, struct table);
}

static bool table_is_free(const struct table *table)
{
    if (!table->busy)
        return true;
    core_fail(table->game->core, BANYAN_INVALID,
              "this table is playing a game: only stop() may be called until play() has returned");
    return false;
}

/* --- players --- */

/* In a game of more than two players a player of the match may have several seats: one is made for each seat. */
static bool table_seats_apart(const struct table *table)
{
    return table->game->rules->players > TABLE_PLAYERS;
}

/* Makes player i for this seat. */
static bool table_player(struct table *table, int i, int seat, struct banyan_player *out)
{
    struct table_game *at = table->at;
    struct banyan_error err;
    PyObject *object = PyTuple_GetItem(table->players, i);
    if (PyTuple_Check(object))
        object = PyTuple_GetItem(object, seat);
    if (object && !PyUnicode_Check(object)) {
        struct guest *guest = &at->guests[seat][i];
        *guest = (struct guest){
            .object = Py_NewRef(object), .owner = table->owner, .raised = at->raised};
        guest_player(guest, out);
        return true;
    }
    /* the seed of `banyan match` */
    uint64_t seed = banyan_rng_child(at->options.seed, "player", (uint64_t)i);
    out->struct_size = sizeof *out;
    if (object &&
        banyan_player_create(table->game->rules, at->specs[i], NULL, seed, out, &err) == BANYAN_OK)
        return true;
    memset(out, 0, sizeof *out);
    if (object)
        core_raise(table->game->core, &err);
    return false;
}

static bool table_make_players(struct table *table)
{
    struct match_worker *worker = &table->at->worker;
    bool well = true;
    for (int i = 0; well && i < TABLE_PLAYERS && !table_seats_apart(table); ++i)
        well = table_player(table, i, 0, &worker->players[i]);
    for (int seat = 0; well && seat < table->game->rules->players && table_seats_apart(table);
         ++seat) {
        struct banyan_player *players = calloc(TABLE_PLAYERS, sizeof *players);
        worker->handicapped[seat] = players;
        if (!players)
            return PyErr_NoMemory();
        for (int i = 0; well && i < TABLE_PLAYERS; ++i)
            well = table_player(table, i, seat, &players[i]);
    }
    return well;
}

/* --- making one --- */

static bool table_texts(struct table *table)
{
    for (int i = 0; i < TABLE_PLAYERS; ++i) {
        PyObject *player = PyTuple_GetItem(table->players, i);
        table->at->specs[i] = "python";
        if (!player || (PyUnicode_Check(player) &&
                        !core_read_text(player, i ? "b" : "a", &table->at->specs[i])))
            return false;
    }
    return true;
}

static bool table_begin(struct table *table, uint64_t seed, int opening_plies)
{
    struct table_game *at = table->at = calloc(1, sizeof *at);
    struct banyan_error err;
    if (!at)
        return PyErr_NoMemory();
    at->options = (struct match_options){
        .games = 1, .jobs = 1, .seed = seed, .opening_plies = opening_plies, .stop = &at->stop};
    at->plan = (struct match_plan){.game = table->game->rules,
                                   .options = &at->options,
                                   .specs = at->specs,
                                   .count = TABLE_PLAYERS,
                                   .elsewhere = true}; /* table_player makes the players */
    if (!table_texts(table))
        return false;
    if (match_plan_check(&at->plan, &err) != BANYAN_OK ||
        match_worker_create(&at->worker, &at->plan, &err) != BANYAN_OK) {
        core_raise(table->game->core, &err);
        return false;
    }
    return table_make_players(table);
}

PyObject *table_new(const struct core *core, PyObject *args)
{
    PyObject *owner, *players;
    unsigned long long seed;
    int opening_plies;
    if (!PyArg_ParseTuple(args, "O!O!Ki", core->game, &owner, &PyTuple_Type, &players, &seed,
                          &opening_plies))
        return NULL;
    PyObject *self = PyType_GenericAlloc(core->table, 0);
    if (!self)
        return NULL;
    struct table *table = table_of(self);
    *table = (struct table){
        .owner = Py_NewRef(owner), .players = Py_NewRef(players), .game = game_of(owner)};
    if (table_begin(table, seed, opening_plies))
        return core_carried(self);
    Py_DecRef(self);
    return core_carried(NULL);
}

static void table_work_close(void *ctx)
{
    match_worker_destroy(ctx);
}

static void table_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct table *table = table_of(self);
    struct table_game *at = table->at;
    if (at && at->worker.plan)
        player_close(table->game, table_work_close, &at->worker);
    for (int i = 0; at && i < BANYAN_MAX_PLAYERS * TABLE_PLAYERS; ++i)
        Py_XDECREF(at->guests[i / TABLE_PLAYERS][i % TABLE_PLAYERS].object);
    for (int i = 0; at && i < 3; ++i)
        Py_XDECREF(at->raised[i]);
    free(at);
    Py_XDECREF(table->players);
    Py_XDECREF(table->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* --- a game --- */

static PyObject *table_played(const struct table *table, const struct match_game *game)
{
    int players = table->game->rules->players;
    char *text = game_record_actions(&game->record);
    PyObject *moves =
        text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : PyErr_NoMemory();
    PyObject *seats = PyTuple_New(players), *returns = PyTuple_New(players);
    free(text);
    for (int p = 0; seats && returns && p < players; ++p) {
        PyTuple_SetItem(seats, p, PyLong_FromLong(game->seats[p]));
        PyTuple_SetItem(returns, p, PyFloat_FromDouble((double)game->record.returns[p]));
    }
    if (moves && seats && returns)
        return Py_BuildValue("(LNNsNi)", (long long)game->number, seats, returns,
                             game->record.start, moves, game->record.plies);
    Py_XDECREF(moves);
    Py_XDECREF(seats);
    Py_XDECREF(returns);
    return NULL;
}

/* play(number) */
static PyObject *table_play(PyObject *self, PyObject *const *values, Py_ssize_t count,
                            PyObject *keywords)
{
    static const struct core_parameters parameters = {"play", 1, 1, {"number", NULL}};
    struct core_call call = {values, count, keywords};
    struct table *table = table_of(self);
    struct table_game *at = table->at;
    PyObject *given[1];
    int64_t number;
    if (!core_arguments(&parameters, &call, given) ||
        !core_read_int(given[0], "number", 0, INT64_MAX, &number))
        return NULL;
    struct match_game *game = NULL;
    struct banyan_error err;
    struct carry_run run;
    enum banyan_status status;
    carry_begin(&run, table->game->defined ? &table->game->defined->foreign : NULL, &at->stop);
    Py_BEGIN_ALLOW_THREADS status = match_game_play(&at->worker, number, &game, &err);
    Py_END_ALLOW_THREADS carry_end(&run);
    PyObject *result = NULL;
    if (at->raised[0]) {
        PyErr_Restore(at->raised[0], at->raised[1], at->raised[2]);
        memset(at->raised, 0, sizeof at->raised);
    } else if (status == BANYAN_OK) {
        result = table_played(table, game);
    } else {
        result =
            status == BANYAN_INTERRUPTED ? Py_NewRef(Py_None) : core_raise(table->game->core, &err);
    }
    match_game_free(game);
    return result;
}

static PyObject *table_stop(PyObject *self, PyObject *unused)
{
    banyan_flag_set(&table_of(self)->at->stop);
    Py_RETURN_NONE;
}

CORE_ALONE(table, table_play)

static PyMethodDef table_methods[] = {
    CORE_FAST("play", table_play_alone, "play($self, /, number)\n--\n\nPlay a game of the match."),
    {"stop", table_stop, METH_NOARGS, "stop($self, /)\n--\n\nEnd the game, and play no more."},
    {0}};

static PyType_Slot table_slots[] = {{Py_tp_dealloc, (void *)table_dealloc},
                                    {Py_tp_methods, table_methods},
                                    {Py_tp_doc, "A table at which games of a match are played."},
                                    {0, NULL}};

PyType_Spec table_spec = {.name = "banyan._core.Table",
                          .basicsize = sizeof(PyObject) + sizeof(struct table),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = table_slots};
