/* Dice that are drawn, recorded or enumerated (<banyan/dice.h>). */
#include <banyan/dice.h>

#include "base/rng.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Clears all members but the arrays message, position and size, which are only read as far as they have been
 * written: dice are made for every step of a game, and the arrays are nine tenths of their bytes. */
static void dice_clear(struct banyan_dice *dice)
{
    enum {
        MESSAGE = offsetof(struct banyan_dice, message) + 1,
        LOG = offsetof(struct banyan_dice, log),
        POSITION = offsetof(struct banyan_dice, position),
        PROBABILITY = offsetof(struct banyan_dice, probability)
    };
    unsigned char *bytes = (unsigned char *)dice;
    memset(bytes, 0, MESSAGE);
    memset(bytes + LOG, 0, POSITION - LOG);
    memset(bytes + PROBABILITY, 0, sizeof *dice - PROBABILITY);
}

void banyan_dice_drawn(struct banyan_dice *dice, struct banyan_rng *rng)
{
    dice_clear(dice);
    dice->mode = BANYAN_DICE_DRAWN;
    dice->rng = rng;
}

void banyan_dice_recorded(struct banyan_dice *dice, const struct banyan_die *list, int count)
{
    dice_clear(dice);
    dice->mode = BANYAN_DICE_RECORDED;
    dice->list = list;
    dice->count = count;
}

void banyan_dice_enumerated(struct banyan_dice *dice, const uint8_t *coarse, int coarse_count)
{
    dice_clear(dice);
    dice->mode = BANYAN_DICE_ENUMERATED;
    dice->probability = 1;
    dice->coarse = coarse;
    dice->coarse_count = coarse_count;
}

/* Turns the last wheel that has a value left, and forgets all wheels after it, because other
 * requests may follow the new value.  Returns false when every combination has been enumerated. */
bool banyan_dice_advance(struct banyan_dice *dice)
{
    int last = dice->count ? dice->count : dice->wheels;
    while (last > 0 && dice->position[last - 1] + 1 >= dice->size[last - 1])
        --last;
    if (last == 0)
        return false;
    ++dice->position[last - 1];
    dice->count = last; /* the number of wheels whose values are fixed in the next pass */
    dice->wheels = 0;
    dice->pair = 0;
    dice->stream = 0;
    dice->probability = 1;
    return true;
}

/* Draws a number of 0..n-1 that depends only on the positions of the wheels, and on how many numbers this pass
 * has drawn before. */
static int dice_draw_fixed(struct banyan_dice *dice, int n)
{
    if (dice->stream == 0)
        for (int i = 0; i < dice->wheels; ++i)
            dice->stream = rng_mix(dice->stream + (uint64_t)dice->position[i] + 1);
    dice->stream = rng_mix(dice->stream + 1);
    return (int)((dice->stream >> 32) * (uint64_t)n >> 32);
}

/* The value index of the next wheel, which has `size` places. */
static int dice_wheel(struct banyan_dice *dice, int size)
{
    int at = dice->wheels;
    if (at >= BANYAN_DICE_MAX_ODOMETER) {
        if (!dice->failed)
            snprintf(dice->message, sizeof dice->message, "one apply() asks for more than %d dice",
                     BANYAN_DICE_MAX_ODOMETER);
        dice->failed = true;
        return dice_draw_fixed(dice, size); /* so that a rule which rolls again comes to an end */
    }
    if (at < dice->count && dice->position[at] >= size) {
        if (!dice->failed)
            snprintf(dice->message, sizeof dice->message,
                     "a repeated apply() asks for other dice than before");
        dice->failed = true;
        return dice_draw_fixed(dice, size);
    }
    dice->size[at] = (int16_t)size;
    if (at >= dice->count) {
        dice->position[at] = 0;
        dice->count = at + 1;
    }
    ++dice->wheels;
    return dice->position[at];
}

static int dice_ways(int sum)
{
    return sum < 7 ? sum - 1 : 13 - sum;
}

/* Enumerates two dice of 6 as one wheel of their sums, or of classes of sums.  Each class is
 * represented by its lowest sum.  The first die's request takes the next wheel; the second die
 * completes the sum. */
static int dice_wheel_pair(struct banyan_dice *dice, int kind)
{
    int second = dice->pair, first_of[12], ways[12], classes = 0;
    dice->pair = 0;
    if (second)
        return second - 1;
    for (int sum = 2; sum <= 12; ++sum) {
        if (classes == 0 || !dice->cuts || dice->cuts[kind] >> sum & 1) {
            first_of[classes] = sum;
            ways[classes++] = 0;
        }
        ways[classes - 1] += dice_ways(sum);
    }
    int class = dice_wheel(dice, classes), sum = first_of[class], first = sum > 7 ? sum - 6 : 1;
    dice->probability *= ways[class] / 36.0;
    dice->pair = sum - first;
    return first - 1;
}

/* Enumerates n equally likely values, or only the middle value of each of their slices; draws a value if
 * the pass is less probable than dice->least. */
static int dice_wheel_equal(struct banyan_dice *dice, int kind, int n)
{
    if (dice->probability < dice->least && !dice->pair)
        return dice_draw_fixed(dice, n);
    int slices = dice->coarse && kind < dice->coarse_count ? dice->coarse[kind] : 0;
    if (slices == BANYAN_DICE_PAIR && n == 6)
        return dice_wheel_pair(dice, kind);
    if (slices == 0 || slices >= n) {
        dice->probability /= n;
        return dice_wheel(dice, n);
    }
    dice->probability /= slices;
    return (2 * dice_wheel(dice, slices) + 1) * n / (2 * slices);
}

static bool dice_wheel_success(struct banyan_dice *dice, int p, int q)
{
    if (p <= 0 || p >= q)
        return p >= q;
    if (dice->probability < dice->least)
        return dice_draw_fixed(dice, q) < p;
    bool success = dice_wheel(dice, 2) == 0;
    dice->probability *= (double)(success ? p : q - p) / q;
    return success;
}

/* Returns lo for the first request that does not fit, and then changing values of lo..hi, so that a rule
 * which rolls until a face fits comes to an end. */
static int dice_misfit(struct banyan_dice *dice, int kind, int sides,
                       const struct banyan_die *found, int lo, int hi)
{
    if (!dice->failed) {
        if (found)
            snprintf(dice->message, sizeof dice->message,
                     "request %d asks for dice of kind %d with %d values; the record has kind %d "
                     "with %d values, value %d",
                     dice->next, kind, sides, found->kind, found->sides, (int)found->value);
        else
            snprintf(
                dice->message, sizeof dice->message,
                "request %d asks for dice of kind %d with %d values, but the record ends there",
                dice->next, kind, sides);
    }
    bool is_first = !dice->failed;
    dice->failed = true;
    return is_first ? lo : lo + dice_draw_fixed(dice, hi - lo + 1);
}

/* Reads the next recorded value, which must be of this kind and within lo..hi. */
static int dice_read(struct banyan_dice *dice, int kind, int sides, int lo, int hi)
{
    if (dice->next >= dice->count)
        return dice_misfit(dice, kind, sides, NULL, lo, hi);
    const struct banyan_die *die = &dice->list[dice->next];
    if (die->kind != kind || (die->sides && die->sides != sides) || die->value < lo ||
        die->value > hi)
        return dice_misfit(dice, kind, sides, die, lo, hi);
    ++dice->next;
    return die->value;
}

static int dice_note(struct banyan_dice *dice, int kind, int sides, int value)
{
    if (dice->log && dice->log_count < dice->log_max)
        dice->log[dice->log_count++] =
            (struct banyan_die){.kind = (int16_t)kind, .sides = (int16_t)sides, .value = value};
    return value;
}

/* A value of first..first+n-1, all equally likely. */
static int dice_equal(struct banyan_dice *dice, int kind, int n, int first)
{
    assert(n >= 1);
    int value;
    if (dice->mode == BANYAN_DICE_DRAWN)
        value = first + (int)rng_below(dice->rng, (uint32_t)n);
    else if (dice->mode == BANYAN_DICE_RECORDED)
        value = dice_read(dice, kind, n, first, first + n - 1);
    else
        value = first + dice_wheel_equal(dice, kind, n);
    return dice_note(dice, kind, n, value);
}

int banyan_dice_roll(struct banyan_dice *dice, int kind, int n)
{
    return dice_equal(dice, kind, n, 1);
}

int banyan_dice_pick(struct banyan_dice *dice, int kind, int n)
{
    return dice_equal(dice, kind, n, 0);
}

/* Reads the recorded result of a test: the face of its die if the record has n sides and n is not
 * 2, or else 0 for failure and 1 for success (the record has 2 sides, or an unknown number). */
static bool dice_read_test(struct banyan_dice *dice, int kind, int n, int at_least)
{
    bool faces = dice->next < dice->count && dice->list[dice->next].sides == n && n != 2;
    if (faces)
        return dice_read(dice, kind, n, 1, n) >= at_least;
    return dice_read(dice, kind, 2, 0, 1) != 0;
}

bool banyan_dice_test(struct banyan_dice *dice, int kind, int n, int at_least)
{
    int ways = n - at_least + 1; /* the number of faces that succeed */
    bool success;
    if (dice->mode == BANYAN_DICE_RECORDED)
        success = dice_read_test(dice, kind, n, at_least);
    else if (dice->mode == BANYAN_DICE_DRAWN)
        success = (int)rng_below(dice->rng, (uint32_t)n) < ways;
    else
        success = dice_wheel_success(dice, ways, n);
    dice_note(dice, kind, 2, success);
    return success;
}

bool banyan_dice_chance(struct banyan_dice *dice, int kind, int p, int q)
{
    assert(0 <= p && p <= q && q > 0);
    bool success;
    if (dice->mode == BANYAN_DICE_RECORDED)
        success = dice_read(dice, kind, 2, 0, 1) != 0;
    else if (dice->mode == BANYAN_DICE_DRAWN)
        success = rng_below(dice->rng, (uint32_t)q) < (uint32_t)p;
    else
        success = dice_wheel_success(dice, p, q);
    dice_note(dice, kind, 2, success);
    return success;
}

void banyan_dice_shuffle(struct banyan_dice *dice, int kind, uint8_t *ids, int n)
{
    for (int i = n; i > 1; --i) {
        int j = dice_equal(dice, kind, i, 0);
        uint8_t swap = ids[i - 1];
        ids[i - 1] = ids[j];
        ids[j] = swap;
    }
}
