/* Dice are an argument of the rules.
 *
 * A rule that needs luck asks for it through `struct banyan_dice`, and says what it needs: the face
 * of a die, success or failure of a test, a chance, one of n things, a random order.  The same
 * straight-line rule code then serves three purposes:
 *
 *   drawn       from a generator: play and search
 *   recorded    from a list: real games replay exactly, and a rule that asks
 *               for the wrong kind of die is found immediately
 *   enumerated  every outcome in turn with its probability: exact expectations
 *
 *        rules --- roll/test/chance/pick/shuffle ---> dice --+--> rng
 *                                                           +--> recorded list
 *                                                           +--> odometer
 *
 * `kind` is the game's own enum: what the die is for.
 *
 * Threads: a struct banyan_dice belongs to one thread at a time.
 */
#ifndef BANYAN_DICE_H
#define BANYAN_DICE_H

#include <banyan/rng.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum banyan_dice_mode { BANYAN_DICE_DRAWN, BANYAN_DICE_RECORDED, BANYAN_DICE_ENUMERATED };

/* What happened at one request.  `value` is the face (roll), 0/1 (test,
 * chance) or the index (pick; a shuffle of n ids is n - 1 picks, of n, n - 1,
 * ... 2).  A test with a die of n > 2 sides may also be recorded as its face:
 * then sides = n, and value = the face. */
struct banyan_die {
    int16_t kind;
    int16_t sides; /* number of possible values of the record; 0: not known */
    int32_t value;
};

enum { BANYAN_DICE_MAX_ODOMETER = 64 };

struct banyan_dice {
    enum banyan_dice_mode mode;
    struct banyan_rng *rng; /* drawn: borrowed */

    /* recorded: borrowed list; `failed` is set, and stays set, when a request does not fit;
     * the values from then on mean nothing. */
    const struct banyan_die *list;
    int count, next;
    bool failed;
    char message[160]; /* what did not fit, for the first failure */

    /* if log is not NULL, each result is appended to it (borrowed, at most log_max) */
    struct banyan_die *log;
    int log_count, log_max;

    /* enumerated: each request of several outcomes is a wheel of an odometer; `count` is then the number of wheels
     * whose position is known */
    int wheels;                                 /* used so far in this pass */
    int16_t position[BANYAN_DICE_MAX_ODOMETER]; /* value index of each wheel */
    int16_t size[BANYAN_DICE_MAX_ODOMETER];
    double probability; /* product over the wheels of this pass */
    const uint8_t
        *coarse; /* [kind] number of representative faces, 0 = all; NULL = all; borrowed */
    int coarse_count;
    double least;    /* once a pass is less probable than this, its later dice are drawn and not
                          enumerated; 0: every outcome is enumerated */
    uint64_t stream; /* state of the generator of those draws; 0: not used yet */
    const uint16_t *
        cuts; /* [kind] for pairs: bit n set: sums of n or more are a different outcome from smaller
                 sums; NULL: every sum is an outcome of its own; borrowed */
    int pair; /* face of the second die of a pair that is still to be asked for, 0: none */
};

enum { BANYAN_DICE_PAIR = 255 }; /* a value of coarse[kind], see below */

/* Makes dice that draw from rng (borrowed). */
void banyan_dice_drawn(struct banyan_dice *dice, struct banyan_rng *rng);

/* Makes dice that read list[count] (borrowed).  After the last apply
 * dice->failed tells whether any request did not fit, and dice->next ==
 * dice->count whether all entries were used. */
void banyan_dice_recorded(struct banyan_dice *dice, const struct banyan_die *list, int count);

/* Enumeration: call banyan_dice_enumerated once; then apply the rule to a fresh copy of
 * the state and read dice->probability, and repeat this while banyan_dice_advance returns true:
 *
 *     banyan_dice_enumerated(&dice, NULL, 0);
 *     do { copy = state; apply(&copy, joint, &dice); sum += dice.probability * value(&copy); }
 *     while (banyan_dice_advance(&dice));
 *
 * The probabilities of all passes sum to 1.  A `test` has two outcomes whatever
 * the die.  coarse[kind] = k > 0 replaces the n faces of a roll or pick by k
 * representatives (the middles of k equal slices).  BANYAN_DICE_PAIR says that
 * six-sided dice of this kind are always rolled in pairs and only their sum matters:
 * 11 outcomes instead of 36.  If a rule makes more than BANYAN_DICE_MAX_ODOMETER
 * requests of several outcomes, `failed` is set, and the other requests get fixed
 * pseudorandom values.  So a rule should pick among what is possible (the number of
 * an empty cell) instead of rolling until a face fits: in the first pass every face
 * is the lowest, however often it is rolled again. */
void banyan_dice_enumerated(struct banyan_dice *dice, const uint8_t *coarse, int coarse_count);
bool banyan_dice_advance(struct banyan_dice *dice);

/* Returns a face 1..n. */
int banyan_dice_roll(struct banyan_dice *dice, int kind, int n);

/* Returns whether an n-sided die shows at_least or more: one Bernoulli draw
 * when drawn; the recorded 0/1, or whether the recorded face is high enough, when recorded. */
bool banyan_dice_test(struct banyan_dice *dice, int kind, int n, int at_least);

/* Returns true with probability p/q, 0 <= p <= q, q > 0. */
bool banyan_dice_chance(struct banyan_dice *dice, int kind, int p, int q);

/* Returns an index 0..n-1. */
int banyan_dice_pick(struct banyan_dice *dice, int kind, int n);

/* Puts ids[0..n-1] in random order (Fisher-Yates from the end: n-1 picks). */
void banyan_dice_shuffle(struct banyan_dice *dice, int kind, uint8_t *ids, int n);

#ifdef __cplusplus
}
#endif
#endif
