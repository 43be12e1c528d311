/* Games that are written in Python: who moves, what is legal, what happens. */
#include "chance.h"
#include "define.h"

#include <string.h>

/* --- init --- */

static enum banyan_status define_init(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    struct define_call call;
    struct banyan_rng fixed;
    enum banyan_status status = BANYAN_OK;
    bool anew = !setup || !*setup, stored = false;
    if (!rng) {
        banyan_rng_seed(&fixed, banyan_rng_child(0, game->name, 0));
        rng = &fixed;
    }
    if (define_enter(&call, game)) {
        struct define_luck luck = {NULL, rng};
        call.refuses = call.carry->refuses && !anew;
        PyObject *random = chance_random_new(call.game->core, rng);
        PyObject *args = anew ? Py_BuildValue("(O)", random) : Py_BuildValue("(s)", setup);
        PyObject *value = define_method(&call, anew ? DEFINE_NEW : DEFINE_READ, args, &luck);
        stored = value && define_store(&call, value, state);
        chance_random_end(random);
        Py_XDECREF(random);
        Py_XDECREF(value);
    }
    if (!stored)
        status = banyan_fail(err, BANYAN_INVALID,
                             "%s: new() or read() raised an exception, or returned no state",
                             game->name);
    define_leave(&call);
    return status;
}

/* --- movers, legal --- */

/* Reads one player, or a tuple of players, into a set of bits. */
static bool define_read_movers(const struct defined *game, PyObject *object, unsigned *movers)
{
    int most = game->rules.players - 1;
    int64_t player = 0;
    *movers = 0;
    if (PyLong_Check(object)) {
        bool well = core_read_int(object, "a mover", 0, most, &player);
        *movers = 1u << player;
        return well;
    }
    Py_ssize_t count = PySequence_Check(object) ? PySequence_Size(object) : -1;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        bool well = item && core_read_int(item, "a mover", 0, most, &player);
        Py_XDECREF(item);
        if (!well)
            return false;
        *movers |= 1u << player;
    }
    bool several = *movers & (*movers - 1);
    return count >= 0 && (!several || game->rules.traits & BANYAN_SIMULTANEOUS);
}

static unsigned define_movers(const struct banyan_game *game, const void *state)
{
    struct define_call call;
    unsigned movers = 0;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_MOVERS, state, PyTuple_New(0));
        if (result && !define_read_movers(call.game, result, &movers)) {
            movers = 0;
            define_wrong(&call, "movers", result,
                         game->traits & BANYAN_SIMULTANEOUS
                             ? "a player or a tuple of players; () at the end"
                             : "a player; () at the end (several need the trait 'simultaneous')");
        } else {
            Py_XDECREF(result);
        }
    }
    define_leave(&call);
    return movers;
}

/* Reads 1..max_legal actions; 0: they are wrong. */
static int define_read_actions(const struct defined *game, PyObject *object, banyan_action *out)
{
    int actions = game->rules.action_count;
    Py_ssize_t count = PySequence_Check(object) ? PySequence_Size(object) : 0;
    if (count < 1 || count > game->rules.max_legal)
        return 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        bool well = item && core_read_word(item, "an action", &out[i]) &&
                    (!actions || out[i] < (uint64_t)actions);
        Py_XDECREF(item);
        if (!well)
            return 0;
    }
    return (int)count;
}

static int define_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    struct define_call call;
    int count = 0;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_LEGAL, state, Py_BuildValue("(i)", player));
        count = result ? define_read_actions(call.game, result, out) : 0;
        if (result && !count) {
            char wanted[128];
            if (game->action_count)
                PyOS_snprintf(wanted, sizeof wanted,
                              "1..%d (max_legal) ints of 0..%d (actions - 1)", game->max_legal,
                              game->action_count - 1);
            else
                PyOS_snprintf(wanted, sizeof wanted, "1..%d (max_legal) ints of 0..2**64-1",
                              game->max_legal);
            define_wrong(&call, "legal", result, wanted);
        } else {
            Py_XDECREF(result);
        }
    }
    define_leave(&call);
    if (!count)
        out[count++] = 0;
    return count;
}

/* --- apply --- */

/* The argument `action` of apply(): an action, or {player: action} if players choose at the same
 * time. */
static PyObject *define_joint(const struct banyan_game *game, unsigned movers,
                              const banyan_action joint[])
{
    if (!(game->traits & BANYAN_SIMULTANEOUS)) {
        int player = 0;
        while (player < game->players - 1 && !(movers >> player & 1))
            ++player;
        return PyLong_FromUnsignedLongLong(joint[player]);
    }
    PyObject *dict = PyDict_New();
    for (int p = 0; dict && p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        PyObject *player = PyLong_FromLong(p), *action = PyLong_FromUnsignedLongLong(joint[p]);
        if (!player || !action || PyDict_SetItem(dict, player, action) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(player);
        Py_XDECREF(action);
    }
    return dict;
}

static void define_play(struct define_call *call, void *state, PyObject *actions,
                        struct banyan_dice *dice)
{
    struct define_luck luck = {dice, dice->rng};
    PyObject *value = actions ? define_value(call, state) : NULL;
    PyObject *object = value ? chance_dice_new(call->game->core, dice) : NULL;
    PyObject *args = object ? PyTuple_Pack(3, value, actions, object) : NULL;
    PyObject *after = value ? define_method(call, DEFINE_APPLY, args, &luck) : NULL;
    if (after)
        define_store(call, after, state);
    chance_dice_end(object);
    Py_XDECREF(after);
    Py_XDECREF(object);
    Py_XDECREF(value);
}

static void define_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    unsigned movers = define_movers(game, state);
    struct define_call call;
    struct banyan_rng fixed;
    struct banyan_dice own; /* of a game without chance */
    if (!dice) {
        banyan_rng_seed(&fixed, 0);
        banyan_dice_drawn(&own, &fixed);
    }
    if (define_enter(&call, game)) {
        PyObject *actions = define_joint(game, movers, joint);
        define_play(&call, state, actions, dice ? dice : &own);
        Py_XDECREF(actions);
    }
    define_leave(&call);
}

/* --- the end --- */

static void define_returns(const struct banyan_game *game, const void *state, float *out)
{
    struct define_call call;
    bool well = false;
    if (define_enter(&call, game)) {
        PyObject *result = define_ask(&call, DEFINE_RETURNS, state, PyTuple_New(0));
        well = result &&
               define_numbers(result, game->players, game->return_min, game->return_max, out);
        if (result && !well) {
            char wanted[128];
            PyOS_snprintf(wanted, sizeof wanted, "%d numbers (players) of %g..%g", game->players,
                          (double)game->return_min, (double)game->return_max);
            define_wrong(&call, "returns", result, wanted);
        } else {
            Py_XDECREF(result);
        }
    }
    define_leave(&call);
    for (int p = 0; !well && p < game->players; ++p)
        out[p] = (game->return_min + game->return_max) / 2;
}

/* --- what a player knows --- */

static uint64_t define_hash(const char *bytes, size_t length)
{
    uint64_t hash = length;
    for (size_t at = 0; at < length; at += sizeof hash) {
        uint64_t word = 0;
        size_t left = length - at;
        memcpy(&word, bytes + at, left < sizeof word ? left : sizeof word);
        hash = banyan_rng_child(hash, "key", word);
    }
    return hash;
}

/* Hashes a value.  For an int the hash is banyan_rng_child(0, "key", int), so that a game in C can
 * have the same keys. */
static bool define_hash_value(struct define_call *call, PyObject *value, uint64_t *key)
{
    uint64_t word = 0;
    if (PyLong_Check(value) && core_read_word(value, "key", &word)) {
        *key = banyan_rng_child(0, "key", word);
        return true;
    }
    PyErr_Clear();
    PyObject *bytes = define_dump(call, value);
    if (bytes)
        *key = define_hash(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    else
        define_broken(call);
    Py_XDECREF(bytes);
    return bytes;
}

/* The key in a game with open cards that has no key(): all players see the whole state. */
static uint64_t define_key_of_bytes(const struct banyan_game *game, const void *state, int viewer)
{
    uint32_t length;
    memcpy(&length, state, sizeof length);
    return define_hash(state, length + sizeof length);
}

static uint64_t define_key(const struct banyan_game *game, const void *state, int viewer)
{
    struct define_call call;
    uint64_t key = 0;
    if (define_enter(&call, game)) {
        PyObject *value = define_ask(&call, DEFINE_KEY, state, Py_BuildValue("(i)", viewer));
        if (value)
            define_hash_value(&call, value, &key);
        Py_XDECREF(value);
    }
    define_leave(&call);
    return key;
}

static void define_determinize(const struct banyan_game *game, void *state, int viewer,
                               struct banyan_rng *rng)
{
    struct define_call call;
    if (define_enter(&call, game)) {
        struct define_luck luck = {NULL, rng};
        PyObject *value = define_value(&call, state);
        PyObject *random = value ? chance_random_new(call.game->core, rng) : NULL;
        PyObject *args = random ? Py_BuildValue("(OiO)", value, viewer, random) : NULL;
        PyObject *drawn = value ? define_method(&call, DEFINE_DETERMINIZE, args, &luck) : NULL;
        if (drawn)
            define_store(&call, drawn, state);
        chance_random_end(random);
        Py_XDECREF(drawn);
        Py_XDECREF(random);
        Py_XDECREF(value);
    }
    define_leave(&call);
}

void define_set_rules(struct banyan_game *rules, const struct defined *defined)
{
    rules->init = define_init;
    rules->movers = define_movers;
    rules->legal = define_legal;
    rules->apply = define_apply;
    rules->returns = define_returns;
    rules->key = defined->method[DEFINE_KEY] ? define_key : define_key_of_bytes;
    if (defined->method[DEFINE_DETERMINIZE])
        rules->determinize = define_determinize;
}
