/* The mushroom game as text.
 *
 *    "52466443835422223/13254826938785712/... ................./... F 0 -"
 *         ten rows of digits, ten rows of owners (. F S), the side to move, passes in a row, and
 *         the number of the last action; all but the digits may be left out.  Rows may also be
 *         separated by blanks, as in the judge's INIT line.
 *    "seed=7 digits=5"   a random board from splitmix64: everybody gets the same board from a seed
 *    "0,11,0,14" "pass"  actions: r1, c1, r2, c2; blanks instead of commas, and -1 -1 -1 -1 for
 *                        the pass, are also understood
 */
#include "games/mushroom/mushroom.h"
#include "games/mushroom/table.h"

#include "base/rng.h"
#include "base/text.h"

#include <string.h>

static void text_clear(struct mushroom_state *state)
{
    memset(state, 0, sizeof *state);
    memset(state->digits, BOARD_PAD, sizeof state->digits);
    state->last = MUSHROOM_NONE;
}

static void text_plant(struct mushroom_state *state, int row, int column, int digit)
{
    int cell = BOARD_STRIDE * row + column;
    state->digits[cell] = (uint8_t)digit;
    if (digit > 0)
        cells_put(&state->live, cell);
}

static void text_random(struct mushroom_state *state, struct banyan_rng *rng)
{
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            text_plant(state, r, c, 1 + (int)rng_below(rng, 9));
}

/* Fills the board with splitmix64 (Steele, Lea, Flood 2014): each digit is a hash of a counter. */
static void text_seeded(struct mushroom_state *state, uint64_t seed, int digits)
{
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            uint64_t draw = rng_mix(seed += 0x9e3779b97f4a7c15u);
            text_plant(state, r, c, 1 + (int)((draw >> 32) * (uint64_t)digits >> 32));
        }
}

/* Reads "seed=7", or "seed=7 digits=5". */
static enum banyan_status text_read_seed(struct text_reader *reader, struct mushroom_state *state,
                                         struct banyan_error *err)
{
    int64_t seed, digits = 9;
    if (!text_integer(reader, 0, INT64_MAX, &seed))
        return banyan_fail(err, BANYAN_INVALID, "expected a number after 'seed='");
    if (text_take(reader, "digits=") && !text_integer(reader, 1, 9, &digits))
        return banyan_fail(err, BANYAN_INVALID, "digits= must be 1 to 9");
    if (!text_end(reader))
        return banyan_fail(err, BANYAN_INVALID, "%s: nothing may follow 'seed=N digits=D'",
                           text_where(reader).text);
    text_seeded(state, (uint64_t)seed, (int)digits);
    return BANYAN_OK;
}

/* Reads one row of characters from `letters`; blanks and a slash may precede it. */
static bool text_read_row(struct text_reader *reader, const char *letters, char row[18])
{
    bool parted = text_take(reader, "/");
    (void)parted;
    (void)text_end(reader); /* skips blanks */
    size_t length = strspn(reader->at, letters);
    if (length != BOARD_COLUMNS)
        return false;
    memcpy(row, reader->at, BOARD_COLUMNS);
    row[BOARD_COLUMNS] = 0;
    reader->at += BOARD_COLUMNS;
    return true;
}

static enum banyan_status text_read_digits(struct text_reader *reader, struct mushroom_state *state,
                                           struct banyan_error *err)
{
    char row[BOARD_COLUMNS + 1];
    for (int r = 0; r < BOARD_ROWS; ++r) {
        if (!text_read_row(reader, "0123456789", row))
            return banyan_fail(err, BANYAN_INVALID,
                               "%s: a board is 10 rows of 17 digits; row %d is different",
                               text_where(reader).text, r);
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            text_plant(state, r, c, row[c] - '0');
    }
    return BANYAN_OK;
}

static enum banyan_status text_read_owners(struct text_reader *reader, struct mushroom_state *state,
                                           struct banyan_error *err)
{
    char row[BOARD_COLUMNS + 1];
    for (int r = 0; r < BOARD_ROWS; ++r) {
        if (!text_read_row(reader, ".FS", row))
            return banyan_fail(err, BANYAN_INVALID,
                               "%s: owners are 10 rows of 17 letters . F S; row %d is different",
                               text_where(reader).text, r);
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            int cell = BOARD_STRIDE * r + c;
            if (row[c] == '.')
                continue;
            if (state->digits[cell])
                return banyan_fail(err, BANYAN_INVALID,
                                   "cell %d,%d has an owner, so its digit must be 0", r, c);
            cells_put(&state->owned[row[c] == 'S'], cell);
        }
    }
    return BANYAN_OK;
}

/* Reads what may follow the digits. */
static enum banyan_status text_read_rest(struct text_reader *reader, struct mushroom_state *state,
                                         struct banyan_error *err)
{
    int64_t passes = 0, last = MUSHROOM_NONE;
    enum banyan_status status = BANYAN_OK;
    text_end(reader);
    size_t letters = strspn(reader->at, ".FS");
    if (letters > 1)
        status = text_read_owners(reader, state, err);
    if (status != BANYAN_OK)
        return status;
    if (text_take(reader, "S"))
        state->mover = 1;
    else
        text_take(reader, "F");
    text_integer(reader, 0, 2, &passes);
    if (!text_take(reader, "-"))
        text_integer(reader, 0, BOARD_PASS, &last);
    if (!text_end(reader))
        return banyan_fail(
            err, BANYAN_INVALID,
            "%s: only these may follow the board: the side to move (F or S), the passes in a "
            "row (0 to 2) and the last action",
            text_where(reader).text);
    state->passes = (uint8_t)passes;
    state->last = (uint16_t)last;
    return BANYAN_OK;
}

enum banyan_status mushroom_init(const struct banyan_game *game, void *at, const char *setup,
                                 struct banyan_rng *rng, struct banyan_error *err)
{
    struct mushroom_state *state = at;
    struct banyan_rng fixed;
    struct text_reader reader;
    banyan_rng_seed(&fixed, 1);
    text_clear(state);
    text_open(&reader, setup ? setup : "");
    if (text_end(&reader)) {
        text_random(state, rng ? rng : &fixed);
        return BANYAN_OK;
    }
    if (text_take(&reader, "seed="))
        return text_read_seed(&reader, state, err);
    enum banyan_status status = text_read_digits(&reader, state, err);
    return status == BANYAN_OK ? text_read_rest(&reader, state, err) : status;
}

int mushroom_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct mushroom_state *state = at;
    struct text text = text_start(out, size);
    for (int r = 0; r < BOARD_ROWS; ++r) {
        text_add(&text, "%s", r ? "/" : "");
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            text_add(&text, "%d", state->digits[BOARD_STRIDE * r + c]);
    }
    for (int r = 0; r < BOARD_ROWS; ++r) {
        text_add(&text, "%s", r ? "/" : " ");
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            int cell = BOARD_STRIDE * r + c;
            text_add(&text, "%s",
                     cells_has(&state->owned[0], cell)   ? "F"
                     : cells_has(&state->owned[1], cell) ? "S"
                                                         : ".");
        }
    }
    text_add(&text, " %s %d ", state->mover ? "S" : "F", state->passes);
    if (state->last == MUSHROOM_NONE)
        text_add(&text, "-");
    else
        text_add(&text, "%d", state->last);
    return (int)text.length;
}

int mushroom_action_format(const struct banyan_game *game, const void *at, int player,
                           banyan_action action, char *out, size_t size)
{
    (void)at;
    (void)player;
    struct text text = text_start(out, size);
    if (action == BOARD_PASS) {
        text_add(&text, "pass");
    } else {
        struct rectangle x = rectangle_of((int)action);
        text_add(&text, "%d,%d,%d,%d", x.r1, x.c1, x.r2, x.c2);
    }
    return (int)text.length;
}

/* Returns BANYAN_OK if the rectangle is legal, otherwise an error that says why not.  The tests are
 * in the same order as the judge's. */
static enum banyan_status text_check(const struct mushroom_state *state, const int64_t v[4],
                                     struct banyan_error *err)
{
    if (v[0] < 0 || v[0] > v[2] || v[2] >= BOARD_ROWS || v[1] < 0 || v[1] > v[3] ||
        v[3] >= BOARD_COLUMNS)
        return banyan_fail(err, BANYAN_ILLEGAL,
                           "%d,%d,%d,%d is out of range: 0 <= r1 <= r2 <= 9, 0 <= c1 <= c2 <= 16",
                           (int)v[0], (int)v[1], (int)v[2], (int)v[3]);
    struct rectangle x = {(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]};
    int sum = mushroom_sum(state, x);
    if (sum != BOARD_TARGET)
        return banyan_fail(err, BANYAN_ILLEGAL, "%d,%d,%d,%d: its sum is %d, not 10", x.r1, x.c1,
                           x.r2, x.c2, sum);
    if (!mushroom_fits(state, x))
        return banyan_fail(err, BANYAN_ILLEGAL, "%d,%d,%d,%d: one of its sides has no mushroom",
                           x.r1, x.c1, x.r2, x.c2);
    return BANYAN_OK;
}

enum banyan_status mushroom_action_parse(const struct banyan_game *game, const void *at, int player,
                                         const char *text, banyan_action *out,
                                         struct banyan_error *err)
{
    (void)player;
    const struct mushroom_state *state = at;
    struct text_reader reader;
    int64_t v[4] = {-1, -1, -1, -1};
    text_open(&reader, text);
    bool pass = text_take(&reader, "pass");
    for (int i = 0; i < 4 && !pass; ++i) {
        bool comma = i > 0 && text_take(&reader, ",");
        (void)comma;
        if (!text_integer(&reader, -1, 99, &v[i]))
            return banyan_fail(err, BANYAN_INVALID,
                               "%s: an action is 'r1,c1,r2,c2' (rows 0 to 9, columns 0 to 16) or "
                               "'pass'",
                               text_where(&reader).text);
    }
    if (!text_end(&reader))
        return banyan_fail(err, BANYAN_INVALID, "%s: nothing may follow an action",
                           text_where(&reader).text);
    if (state->passes >= 2)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over: both have passed");
    if (v[0] == -1 && v[1] == -1 && v[2] == -1 && v[3] == -1) {
        *out = BOARD_PASS;
        return BANYAN_OK;
    }
    enum banyan_status status = text_check(state, v, err);
    if (status == BANYAN_OK)
        *out = (banyan_action)rectangle_action(
            (struct rectangle){(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]});
    return status;
}
