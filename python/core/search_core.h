/* What banyan.Search and banyan.Leaves hold. */
#ifndef CORE_SEARCH_CORE_H
#define CORE_SEARCH_CORE_H

#include "core.h"

struct search {
    PyObject *owner; /* the Game */
    struct game *game;
    PyObject *root; /* a copy of the State at the root; NULL: there is none */
    struct banyan_search *search;
    struct banyan_evaluator evaluator;
    PyObject *fn;        /* the evaluator written in Python; NULL: the evaluator is the library's */
    PyObject *raised[3]; /* the first exception of fn in a run: type, value, traceback */
    banyan_flag stop;
    bool busy;      /* a method is running, so no other may begin */
    uint64_t epoch; /* counts roots: leaves of an earlier root are not valid any more */
    int asked;      /* leaves that wait for update() */
};
static inline struct search *search_of(PyObject *object)
{
    return CORE_DATA(object, struct search);
}

/* Leaves of one call of select(), or of one batch of an evaluator. */
struct leaves {
    PyObject *owner; /* the Search */
    struct banyan_leaf *at;
    int count;
    uint64_t epoch; /* the search's epoch when these leaves were made */
    bool owned;     /* `at` belongs to this object */
};
static inline struct leaves *leaves_of(PyObject *object)
{
    return CORE_DATA(object, struct leaves);
}

/* search_is_free raises and returns false if a method is running; search_has_root, if there is no
 * root. */
bool search_is_free(const struct search *search);
bool search_has_root(const struct search *search);

/* Forgets the root if a game written in Python has failed in this call, because the tree may be wrong. */
void search_forget_broken(struct search *search);

/* evaluator.c: opens the evaluator that object means; NULL: rollout. */
bool evaluator_open(struct search *search, PyObject *object);

/* leaves.c */
PyObject *leaves_new(PyObject *search, struct banyan_leaf *at, int count);
/* Writes values and, unless it is NULL, the policy of these logits into the leaves. */
bool leaves_fill(PyObject *leaves, PyObject *values, PyObject *logits);

#define SEARCH_METHOD(name) \
    PyObject *name(PyObject *self, PyObject *const *values, Py_ssize_t count, PyObject *keywords)
SEARCH_METHOD(search_select);
SEARCH_METHOD(search_update);
SEARCH_METHOD(search_moves);
SEARCH_METHOD(search_best);
SEARCH_METHOD(search_policy);
SEARCH_METHOD(search_average);
SEARCH_METHOD(search_tree);
SEARCH_METHOD(search_pv);
PyObject *search_stats_tuple(const struct search *search);
PyObject *search_stats(PyObject *self, PyObject *unused);
PyObject *search_get_game(PyObject *self, void *unused);
PyObject *search_get_state(PyObject *self, void *unused);
PyObject *search_get_values(PyObject *self, void *unused);
PyObject *search_get_signature(PyObject *self, void *unused);

#endif
