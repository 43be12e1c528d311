/* The random numbers and dice of games written in Python. */
#ifndef CORE_CHANCE_H
#define CORE_CHANCE_H

#include "core.h"

/* banyan.Random: has its own generator, or, during a call of a method, borrows one of the
 * library. */
struct chance_random {
    struct banyan_rng *rng; /* NULL: the call is over */
    struct banyan_rng own;
};

/* banyan.Dice: the dice of one call. */
struct chance_dice {
    struct banyan_dice *dice; /* NULL: the call is over */
};

/* New objects that use rng or dice (borrowed); the caller calls *_end before rng or dice is
 * gone. */
PyObject *chance_random_new(const struct core *core, struct banyan_rng *rng);
PyObject *chance_dice_new(const struct core *core, struct banyan_dice *dice);
void chance_random_end(PyObject *object);
void chance_dice_end(PyObject *object);

#endif
