/* mushroom-n2, -n3 and -n4 as text.
 *
 *    "size=4x6 seed=3 digits=9"        a random board; each setting may be left out
 *    "123456/7891AA/BB.123 B 1"        rows of cells (digit, owner A to D, hole .), the side to
 *                                      move and the passes in a row; the last two may be left out
 *    "0,0,1,2" "pass"                  actions: r1, c1, r2, c2
 */
#include "games/mushroom/general.h"

#include "base/rng.h"
#include "base/text.h"

#include <banyan/board.h>

#include <stdbool.h>
#include <string.h>

static void general_text_plant(struct general_state *state, int64_t digits, struct banyan_rng *rng)
{
    for (int i = 0; i < state->rows * state->columns; ++i)
        state->cell[i] = (uint8_t)(1 + rng_below(rng, (uint32_t)digits));
}

/* Reads "size=4x6 seed=3 digits=9" in any order. */
static enum banyan_status general_text_words(struct text_reader *reader,
                                             struct general_state *state, struct banyan_rng *rng,
                                             struct banyan_error *err)
{
    int64_t rows = 10, columns = 17, seed = -1, digits = 9;
    struct banyan_rng own;
    char size[16];
    while (!text_end(reader)) {
        bool ok = false;
        if (text_take(reader, "size=")) {
            ok = text_word(reader, size, sizeof size);
            char *cross = ok ? strchr(size, 'x') : NULL;
            struct text_reader row, column;
            if (cross)
                *cross = 0;
            text_open(&row, size);
            text_open(&column, cross ? cross + 1 : "");
            ok = cross && text_integer(&row, 1, GENERAL_ROWS, &rows) &&
                 text_integer(&column, 1, GENERAL_COLUMNS, &columns) && text_end(&row) &&
                 text_end(&column);
        } else if (text_take(reader, "seed=")) {
            ok = text_integer(reader, 0, INT64_MAX, &seed);
        } else if (text_take(reader, "digits=")) {
            ok = text_integer(reader, 1, 9, &digits);
        }
        if (!ok)
            return banyan_fail(err, BANYAN_INVALID,
                               "%s: a board is 'size=RxC seed=N digits=D' (up to 16x32, 1 to 9) or "
                               "rows of cells separated by '/'",
                               text_where(reader).text);
    }
    state->rows = (uint8_t)rows;
    state->columns = (uint8_t)columns;
    if (seed >= 0 || !rng) {
        banyan_rng_seed(&own, seed >= 0 ? (uint64_t)seed : 1);
        rng = &own;
    }
    general_text_plant(state, digits, rng);
    return BANYAN_OK;
}

/* Reads one cell; returns -1 for a character that is no cell. */
static int general_text_cell(char c, int players)
{
    if (c >= '1' && c <= '9')
        return c - '0';
    if (c >= 'A' && c < 'A' + players)
        return GENERAL_OWNED + (c - 'A');
    return c == '.' ? 0 : -1;
}

static enum banyan_status general_text_rows(struct text_reader *reader, struct general_state *state,
                                            struct banyan_error *err)
{
    int count = 0, column = 0, cell;
    for (;; ++reader->at) {
        if (*reader->at == '/' || (cell = general_text_cell(*reader->at, state->players)) < 0) {
            if (state->rows == 0)
                state->columns = (uint8_t)column;
            ++state->rows;
            if (column == 0 || column != state->columns)
                return banyan_fail(err, BANYAN_INVALID,
                                   "%s: all rows must have the same number of cells",
                                   text_where(reader).text);
            column = 0;
            if (*reader->at != '/')
                return BANYAN_OK;
            if (state->rows == GENERAL_ROWS)
                break;
        } else if (++column > GENERAL_COLUMNS) {
            break;
        } else {
            state->cell[count++] = (uint8_t)cell;
        }
    }
    return banyan_fail(err, BANYAN_INVALID, "%s: a board has at most 16 rows of 32 cells",
                       text_where(reader).text);
}

static enum banyan_status general_text_init(struct general_state *state, int players,
                                            const char *setup, struct banyan_rng *rng,
                                            struct banyan_error *err)
{
    struct text_reader reader;
    int64_t passes = 0;
    memset(state, 0, sizeof *state);
    state->players = (uint8_t)players;
    text_open(&reader, setup ? setup : "");
    if (text_end(&reader) || (*reader.at >= 'a' && *reader.at <= 'z'))
        return general_text_words(&reader, state, rng, err);
    enum banyan_status status = general_text_rows(&reader, state, err);
    if (status != BANYAN_OK)
        return status;
    if (!text_end(&reader) && *reader.at >= 'A' && *reader.at < 'A' + players)
        state->mover = (uint8_t)(*reader.at++ - 'A');
    text_integer(&reader, 0, players, &passes);
    state->passes = (uint8_t)passes;
    return text_end(&reader) ? BANYAN_OK
                             : banyan_fail(err, BANYAN_INVALID,
                                           "%s: only these may follow the rows: the side to move "
                                           "(A to %c) and the passes "
                                           "in a row",
                                           text_where(&reader).text, 'A' + players - 1);
}

#define GENERAL_INIT(n)                                                              \
    enum banyan_status general_init_##n(const struct banyan_game *game, void *state, \
                                        const char *setup, struct banyan_rng *rng,   \
                                        struct banyan_error *err)                    \
    {                                                                                \
        return general_text_init(state, n, setup, rng, err);                         \
    }
GENERAL_INIT(2)
GENERAL_INIT(3)
GENERAL_INIT(4)

static char general_text_letter(int cell)
{
    return (char)(cell >= GENERAL_OWNED ? 'A' + cell - GENERAL_OWNED : cell ? '0' + cell : '.');
}

int general_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct general_state *state = at;
    struct text text = text_start(out, size);
    for (int i = 0; i < state->rows * state->columns; ++i)
        text_add(&text, "%s%c", i && i % state->columns == 0 ? "/" : "",
                 general_text_letter(state->cell[i]));
    text_add(&text, " %c %d", 'A' + state->mover, state->passes);
    return (int)text.length;
}

int general_action_format(const struct banyan_game *game, const void *at, int player,
                          banyan_action action, char *out, size_t size)
{
    (void)at;
    (void)player;
    struct text text = text_start(out, size);
    struct general_rectangle x = general_rectangle_of(action);
    if (action == GENERAL_PASS)
        text_add(&text, "pass");
    else
        text_add(&text, "%d,%d,%d,%d", x.r1, x.c1, x.r2, x.c2);
    return (int)text.length;
}

static bool general_text_numbers(struct text_reader *reader, int64_t v[4])
{
    for (int i = 0; i < 4; ++i) {
        if (i)
            (void)text_take(reader, ",");
        if (!text_integer(reader, 0, 99, &v[i]))
            return false;
    }
    return true;
}

enum banyan_status general_action_parse(const struct banyan_game *game, const void *at, int player,
                                        const char *text, banyan_action *out,
                                        struct banyan_error *err)
{
    (void)player;
    const struct general_state *state = at;
    struct general_rectangle found[GENERAL_MAX_LEGAL];
    struct text_reader reader;
    int64_t v[4] = {0};
    text_open(&reader, text);
    bool pass = text_take(&reader, "pass");
    if ((!pass && !general_text_numbers(&reader, v)) || !text_end(&reader))
        return banyan_fail(err, BANYAN_INVALID, "%s: an action is 'r1,c1,r2,c2' or 'pass'",
                           text_where(&reader).text);
    if (state->passes >= state->players)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over: all have passed");
    *out = GENERAL_PASS;
    if (pass)
        return BANYAN_OK;
    int count = general_rectangles(state, found);
    for (int i = 0; i < count; ++i)
        if (found[i].r1 == v[0] && found[i].c1 == v[1] && found[i].r2 == v[2] &&
            found[i].c2 == v[3]) {
            *out = general_action(found[i]);
            return BANYAN_OK;
        }
    return banyan_fail(
        err, BANYAN_ILLEGAL,
        "%d,%d,%d,%d is not a rectangle with the sum 10 and a mushroom on every side", (int)v[0],
        (int)v[1], (int)v[2], (int)v[3]);
}

int general_draw(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    (void)viewer;
    const struct general_state *state = at;
    struct text text = text_start(out, size);
    int counts[4];
    for (int i = 0; i < state->rows * state->columns; ++i) {
        text_add(&text, "%c%s", general_text_letter(state->cell[i]),
                 i % state->columns == state->columns - 1 ? "\n" : "");
    }
    general_counts(state, counts);
    for (int p = 0; p < state->players; ++p)
        text_add(&text, "%c %d  ", 'A' + p, counts[p]);
    if (state->passes >= state->players)
        text_add(&text, "over\n");
    else
        text_add(&text, "%c to move\n", 'A' + state->mover);
    return (int)text.length;
}

void general_board(const struct banyan_game *game, const void *at, int viewer,
                   struct banyan_board *out)
{
    (void)viewer;
    const struct general_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_RECTANGLES, state->rows, state->columns);
    banyan_board_number(out, 0);
    for (int i = 0; i < state->rows * state->columns; ++i) {
        int value = state->cell[i];
        if (value >= GENERAL_OWNED)
            out->cells[i].owner = (int8_t)(value - GENERAL_OWNED);
        else if (value)
            out->cells[i].mark[0] = (char)('0' + value);
        else
            out->cells[i].looks = BANYAN_CELL_DARK; /* a hole */
    }
}

int general_board_cells(const struct banyan_game *game, const void *at, int player,
                        banyan_action action, int out[])
{
    (void)player;
    const struct general_state *state = at;
    if (action == GENERAL_PASS)
        return 0;
    struct general_rectangle x = general_rectangle_of(action);
    out[0] = state->columns * x.r1 + x.c1;
    out[1] = state->columns * x.r2 + x.c2;
    return 2;
}
