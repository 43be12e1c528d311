/* Counts the games of a match: scores, intervals, SPRT. */
#include "match.h"

#include "match/elo.h"
#include "match/totals.h"

#include <string.h>

struct tally {
    PyObject *owner; /* the Game */
    struct game *game;
    struct match_result result;
    struct match_totals totals;
};

static struct tally *tally_of(PyObject *object)
{
    return CORE_DATA(object, struct tally);
}

PyObject *tally_new(const struct core *core, PyObject *args)
{
    PyObject *owner, *test;
    struct sprt sprt;
    long long games;
    if (!PyArg_ParseTuple(args, "O!LO", core->game, &owner, &games, &test) ||
        (test != Py_None &&
         !PyArg_ParseTuple(test, "dddd", &sprt.elo0, &sprt.elo1, &sprt.alpha, &sprt.beta)))
        return NULL;
    PyObject *self = PyType_GenericAlloc(core->tally, 0);
    if (!self)
        return NULL;
    struct tally *tally = tally_of(self);
    tally->owner = Py_NewRef(owner);
    tally->game = game_of(owner);
    tally->result = (struct match_result){.count = 2, .games_wanted = games};
    match_totals_begin(&tally->totals, tally->game->rules, test == Py_None ? NULL : &sprt,
                       &tally->result);
    return self;
}

static void tally_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(tally_of(self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

/* add(number, seats, returns) returns whether the test has its answer. */
static PyObject *tally_add(PyObject *self, PyObject *args)
{
    struct tally *tally = tally_of(self);
    int players = tally->game->rules->players, seats[BANYAN_MAX_PLAYERS];
    float returns[BANYAN_MAX_PLAYERS];
    PyObject *whose, *got;
    long long number;
    if (!PyArg_ParseTuple(args, "LO!O!", &number, &PyTuple_Type, &whose, &PyTuple_Type, &got))
        return NULL;
    for (int p = 0; p < players; ++p) {
        PyObject *seat = PyTuple_GetItem(whose, p), *value = PyTuple_GetItem(got, p);
        int64_t index = 0;
        if (!seat || !value || !core_read_int(seat, "a seat", 0, 1, &index))
            return NULL;
        seats[p] = (int)index;
        returns[p] = (float)PyFloat_AsDouble(value);
    }
    if (PyErr_Occurred())
        return NULL;
    match_totals_add(&tally->totals,
                     &(struct match_outcome){
                         .number = number, .seats = seats, .returns = returns, .overstepped = -1});
    return PyBool_FromLong(tally->result.sprt != SPRT_GO_ON);
}

/* --- what is read --- */

static PyObject *tally_interval(double lo, double hi)
{
    return Py_BuildValue("(dd)", lo, hi);
}

/* The interval by whole rounds; None if there are fewer than two rounds. */
static PyObject *tally_pairs(const struct match_result *result)
{
    double lo, hi;
    return match_pair_interval(result, &lo, &hi) ? tally_interval(lo, hi) : Py_NewRef(Py_None);
}

static PyObject *tally_answer(const struct tally *tally)
{
    static const char *const answers[] = {"undecided", "elo0", "elo1"};
    if (!tally->totals.use_sprt)
        Py_RETURN_NONE;
    return PyUnicode_FromString(answers[tally->result.sprt]);
}

static PyObject *tally_llr(const struct tally *tally)
{
    return tally->totals.use_sprt ? PyFloat_FromDouble(tally->result.llr) : Py_NewRef(Py_None);
}

static PyObject *tally_bounds(const struct tally *tally)
{
    const struct sprt *sprt = &tally->totals.sprt;
    return tally->totals.use_sprt ? tally_interval(sprt_lower(sprt), sprt_upper(sprt))
                                  : Py_NewRef(Py_None);
}

static double tally_mean(const struct match_player *player)
{
    return player->games ? player->returns / (double)player->games : (double)Py_NAN;
}

/* In a game of one player nobody beats anybody: there is no score. */
static PyObject *tally_read(PyObject *self, PyObject *unused)
{
    const struct tally *tally = tally_of(self);
    const struct match_result *result = &tally->result;
    const struct match_player *a = &result->players[0], *b = &result->players[1];
    double lo, hi, score = match_score(a, &lo, &hi);
    if (tally->game->rules->players == 1)
        score = lo = hi = (double)Py_NAN;
    return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:d,s:N,s:N,s:d,s:N,s:N,s:N,s:N,s:N}", "games",
                         (long long)result->games, "games_wanted", (long long)result->games_wanted,
                         "wins", (long long)a->wins, "draws", (long long)a->draws, "losses",
                         (long long)a->losses, "score", score, "interval", tally_interval(lo, hi),
                         "pair_interval", tally_pairs(result), "elo", elo_from_score(score),
                         "elo_interval", tally_interval(elo_from_score(lo), elo_from_score(hi)),
                         "llr", tally_llr(tally), "llr_bounds", tally_bounds(tally), "answer",
                         tally_answer(tally), "returns",
                         tally_interval(tally_mean(a), tally_mean(b)));
}

static PyMethodDef tally_methods[] = {
    {"add", tally_add, METH_VARARGS, "add(number, seats, returns, /)\n--\n\nCount a game."},
    {"read", tally_read, METH_NOARGS, "read($self, /)\n--\n\nReturn the fields of a MatchResult."},
    {0}};

static PyType_Slot tally_slots[] = {{Py_tp_dealloc, (void *)tally_dealloc},
                                    {Py_tp_methods, tally_methods},
                                    {Py_tp_doc, "The results of a match."},
                                    {0, NULL}};

PyType_Spec tally_spec = {.name = "banyan._core.Tally",
                          .basicsize = sizeof(PyObject) + sizeof(struct tally),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = tally_slots};
