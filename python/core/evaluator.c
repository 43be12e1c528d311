/* Evaluators of a search: those of the library by name, and functions of Python. */
#include "carry.h"
#include "search_core.h"

/* Ends the run because Python raised an exception.  The first exception is kept until the run is
 * over. */
static enum banyan_status evaluator_failed(struct search *search, struct banyan_error *err)
{
    if (search->raised[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&search->raised[0], &search->raised[1], &search->raised[2]);
    return banyan_fail(err, BANYAN_INTERRUPTED, "the evaluator raised an exception");
}

/* fn(leaves) -> values, or (values, logits) */
static bool evaluator_call(struct search *search, PyObject *leaves)
{
    PyObject *values = PyObject_CallFunctionObjArgs(search->fn, leaves, NULL), *logits = NULL;
    if (!values)
        return false;
    bool well = true, policy = search->evaluator.wants_actions;
    PyObject *given = values;
    if (policy) {
        well = PyTuple_Check(values) && PyTuple_Size(values) == 2;
        if (well) {
            given = PyTuple_GetItem(values, 0);
            logits = PyTuple_GetItem(values, 1);
        } else {
            PyErr_SetString(PyExc_TypeError,
                            "an evaluator with policy=True returns (values, logits)");
        }
    }
    well = well && leaves_fill(leaves, given, logits);
    Py_DecRef(values);
    return well;
}

static enum banyan_status evaluator_evaluate(void *ctx, struct banyan_leaf *at, int n,
                                             struct banyan_error *err)
{
    PyObject *self = ctx;
    struct search *search = search_of(self);
    enum banyan_status status = BANYAN_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    struct carry before;
    carry_pause(&before);
    PyObject *leaves = PyErr_CheckSignals() == 0 ? leaves_new(self, at, n) : NULL;
    if (!leaves || !evaluator_call(search, leaves))
        status = evaluator_failed(search, err);
    carry_resume(&before);
    if (leaves) {
        leaves_of(leaves)->count = 0; /* the function may have kept a reference to the leaves */
        leaves_of(leaves)->at = NULL;
        Py_DecRef(leaves);
    }
    PyGILState_Release(gil);
    return status;
}

/* Whether object.policy is true. */
static int evaluator_has_policy(PyObject *object)
{
    PyObject *policy = PyObject_GetAttrString(object, "policy");
    if (!policy)
        PyErr_Clear();
    int truth = policy ? PyObject_IsTrue(policy) : 0;
    Py_XDECREF(policy);
    return truth;
}

static bool evaluator_open_python(struct search *search, PyObject *object)
{
    int policy = evaluator_has_policy(object);
    if (policy < 0)
        return false;
    search->fn = Py_NewRef(object);
    search->evaluator =
        (struct banyan_evaluator){.struct_size = sizeof search->evaluator,
                                  .name = "python",
                                  .wants_actions = policy,
                                  .ctx = (void *)((char *)search - sizeof(PyObject)),
                                  .reentrant = true,
                                  .evaluate = evaluator_evaluate};
    return true;
}

bool evaluator_open(struct search *search, PyObject *object)
{
    struct banyan_error err;
    const char *text = "rollout";
    if (object && !PyUnicode_Check(object)) {
        if (PyCallable_Check(object))
            return evaluator_open_python(search, object);
        PyErr_Format(PyExc_TypeError,
                     "evaluator must be a str such as 'rollout', or a function, got %R", object);
        return false;
    }
    if (!core_read_text(object, "evaluator", &text))
        return false;
    if (banyan_evaluator_create(search->game->rules, text, NULL, &search->evaluator, &err) ==
        BANYAN_OK)
        return true;
    core_raise(search->game->core, &err);
    return false;
}
