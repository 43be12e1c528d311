/* Positions and moves of Go as text.
 *
 *     [komi=K] [handicap=N] [first=white] [black=C3,G7] [white=E5] [moves:] [E4 C6 pass ...]
 */
#include "games/go/go.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char text_letters[] = "ABCDEFGHJKLMNOPQRST"; /* Go has no column I */

static const char *text_colour(int player)
{
    return player ? "white" : "black";
}

/* Reads a cell or "pass" at the start of text; returns its length, 0: there is none. */
static size_t text_action(int size, const char *text, int *action)
{
    const char *letter = *text ? strchr(text_letters, toupper((unsigned char)*text)) : NULL;
    int row = 0;
    size_t length = 1;
    if (strncmp(text, "pass", 4) == 0 || strncmp(text, "PASS", 4) == 0) {
        *action = size * size;
        return 4;
    }
    if (!letter || letter - text_letters >= size || text[1] == '0')
        return 0;
    for (; length < 3 && isdigit((unsigned char)text[length]); ++length)
        row = 10 * row + text[length] - '0';
    if (row < 1 || row > size)
        return 0;
    *action = size * (size - row) + (int)(letter - text_letters);
    return length;
}

static enum banyan_status text_not_a_move(int size, const char *text, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID,
                       "'%.8s' is not a move: write A1 to %c%d (there is no column I), or pass",
                       text, text_letters[size - 1], size);
}

static enum banyan_status text_check(const struct go_state *state, int action, const char *text,
                                     size_t length, struct banyan_error *err)
{
    const char *why = go_forbidden(state, action);
    if (!why)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_ILLEGAL, "%s may not play %.*s: %s", text_colour(state->mover),
                       (int)length, text, why);
}

static enum banyan_status text_read_moves(struct go_state *state, const char *text,
                                          struct banyan_error *err)
{
    for (text += strspn(text, " ,"); *text; text += strspn(text, " ,")) {
        int action;
        size_t length = text_action(state->size, text, &action);
        if (!length || (text[length] && !strchr(" ,", text[length])))
            return text_not_a_move(state->size, text, err);
        enum banyan_status status = text_check(state, action, text, length, err);
        if (status != BANYAN_OK)
            return status;
        go_play(state, action);
        text += length;
    }
    return BANYAN_OK;
}

/* Places a stone at the start of the game. */
static enum banyan_status text_place(struct go_state *state, int stone, int cell,
                                     struct banyan_error *err)
{
    if (go_start(state)[cell] != GO_EMPTY)
        return banyan_fail(err, BANYAN_INVALID, "two stones at %c%d",
                           text_letters[cell % state->size], state->size - cell / state->size);
    go_start(state)[cell] = (uint8_t)stone;
    return BANYAN_OK;
}

/* Reads "C3,G7" into the stones at the start of the game. */
static enum banyan_status text_read_stones(struct go_state *state, int stone, const char **text,
                                           struct banyan_error *err)
{
    do {
        int cell;
        size_t length = text_action(state->size, *text, &cell);
        if (!length || cell == go_pass(state))
            return text_not_a_move(state->size, *text, err);
        enum banyan_status status = text_place(state, stone, cell, err);
        if (status != BANYAN_OK)
            return status;
        *text += length;
    } while (*(*text) == ',' && ++*text);
    return BANYAN_OK;
}

/* Places the stones of GTP's fixed_handicap (version 2 of the protocol, section 4.1.1): corners,
 * then the middle of the sides, and the centre with odd numbers from 5. */
static enum banyan_status text_handicap(struct go_state *state, int64_t stones,
                                        struct banyan_error *err)
{
    int size = state->size, lo = size < 13 ? 2 : 3, hi = size - 1 - lo, mid = size / 2;
    /* rows from the top */
    const int places[8][2] = {{hi, lo},  {lo, hi},  {lo, lo},  {hi, hi},
                              {mid, lo}, {mid, hi}, {hi, mid}, {lo, mid}};
    if (stones < 2 || stones > 9)
        return banyan_fail(err, BANYAN_INVALID, "handicap is 2 to 9 stones");
    bool centre = stones >= 5 && stones % 2 == 1;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < stones - centre && status == BANYAN_OK; ++i)
        status = text_place(state, GO_BLACK, size * places[i][0] + places[i][1], err);
    if (centre && status == BANYAN_OK)
        status = text_place(state, GO_BLACK, size * mid + mid, err);
    state->first = 1;
    return status;
}

/* Reads the value of the setting `name`, which stands in front of the moves. */
static enum banyan_status text_setting(struct go_state *state, struct text_reader *reader,
                                       const char *name, struct banyan_error *err)
{
    int64_t number;
    int cells = go_cells(state);
    if (strcmp(name, "black=") == 0)
        return text_read_stones(state, GO_BLACK, &reader->at, err);
    if (strcmp(name, "white=") == 0)
        return text_read_stones(state, GO_WHITE, &reader->at, err);
    if (strcmp(name, "first=") == 0) {
        state->first = text_take(reader, "white");
        return state->first || text_take(reader, "black")
                   ? BANYAN_OK
                   : banyan_fail(err, BANYAN_INVALID, "first= is black or white");
    }
    if (strcmp(name, "handicap=") == 0) {
        if (!text_integer(reader, 0, INT32_MAX, &number))
            return banyan_fail(err, BANYAN_INVALID, "handicap= needs a number of stones, 2 to 9");
        return text_handicap(state, number, err);
    }
    if (!text_decimal(reader, 1, -10 * cells, 10 * cells, &number) || number % 5)
        return banyan_fail(err, BANYAN_INVALID, "komi= needs a number of -%d to %d, in halves",
                           cells, cells);
    state->komi = (int16_t)(number / 5);
    return BANYAN_OK;
}

/* Checks that every chain of the start has a liberty. */
static enum banyan_status text_check_start(const struct go_state *state, struct banyan_error *err)
{
    for (int cell = 0; cell < go_cells(state); ++cell)
        if (go_stones(state)[cell] != GO_EMPTY && !go_has_liberty(state, cell))
            return banyan_fail(err, BANYAN_INVALID, "the stones at %c%d have no liberty",
                               text_letters[cell % state->size], state->size - cell / state->size);
    return BANYAN_OK;
}

enum banyan_status go_init(const struct banyan_game *game, void *at, const char *setup,
                           struct banyan_rng *rng, struct banyan_error *err)
{
    static const char *const names[] = {"komi=", "handicap=", "first=", "black=", "white="};
    uint64_t room[BANYAN_STATE_MAX / 8] = {0};
    struct go_state *state = (struct go_state *)room;
    struct text_reader reader;
    enum banyan_status status = BANYAN_OK;
    state->size = (uint8_t)game->planes[1];
    state->komi = GO_KOMI;
    text_open(&reader, setup ? setup : "");
    for (size_t i = 0; i < sizeof names / sizeof *names && status == BANYAN_OK;)
        if (text_take(&reader, names[i])) {
            status = text_setting(state, &reader, names[i], err);
            i = 0;
        } else {
            ++i;
        }
    if (status != BANYAN_OK)
        return status;
    go_begin(state);
    text_take(&reader, "moves:");
    status = text_check_start(state, err);
    if (status == BANYAN_OK)
        status = text_read_moves(state, reader.at, err);
    if (status == BANYAN_OK)
        memcpy(at, state, game->state_size);
    return status;
}

static void text_add_cell(struct text *text, int size, int cell)
{
    if (cell == size * size)
        text_add(text, "pass");
    else
        text_add(text, "%c%d", text_letters[cell % size], size - cell / size);
}

static void text_add_stones(struct text *text, const struct go_state *state, int stone,
                            const char *name)
{
    int count = 0;
    for (int cell = 0; cell < go_cells(state); ++cell) {
        if (go_start(state)[cell] != stone)
            continue;
        text_add(text, "%s", count++ ? "," : name);
        text_add_cell(text, state->size, cell);
    }
}

int go_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct go_state *state = at;
    struct text text = text_start(out, size);
    text_add(&text, "komi=");
    text_add_decimal(&text, 5 * state->komi, 1);
    text_add(&text, "%s", state->first ? " first=white" : "");
    text_add_stones(&text, state, GO_BLACK, " black=");
    text_add_stones(&text, state, GO_WHITE, " white=");
    text_add(&text, " moves:");
    for (int i = 0; i < state->plies; ++i) {
        text_add(&text, "%s", i ? " " : "");
        text_add_cell(&text, state->size, go_moves(state)[i]);
    }
    return (int)text.length;
}

int go_action_format(const struct banyan_game *game, const void *at, int player,
                     banyan_action action, char *out, size_t size)
{
    (void)player;
    const struct go_state *state = at;
    struct text text = text_start(out, size);
    text_add_cell(&text, state->size, (int)action);
    return (int)text.length;
}

enum banyan_status go_action_parse(const struct banyan_game *game, const void *at, int player,
                                   const char *text, banyan_action *out, struct banyan_error *err)
{
    (void)player;
    const struct go_state *state = at;
    int action;
    size_t length = text_action(state->size, text, &action);
    if (!length || text[length])
        return text_not_a_move(state->size, text, err);
    enum banyan_status status = text_check(state, action, text, length, err);
    if (status == BANYAN_OK)
        *out = (banyan_action)action;
    return status;
}
