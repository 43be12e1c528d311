/* Othello as text.
 *
 *    "---------------------------OX------XO--------------------------- X"
 *                         the squares row by row, X black, O white; the side to move
 *    "moves:F5D6C3"       the moves from the usual start position; passes may be left out
 */
#include "games/othello/othello.h"
#include "games/othello/play.h"
#include "games/othello/table.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const passes[] = {"pass", "pa", "ps", "--", NULL};

/* The bit number of a square.  On smaller boards a1 is another bit than on the 8x8 board. */
static int text_square(int size, int row, int column)
{
    int margin = (8 - size) / 2;
    return 8 * (row + margin) + column + margin;
}

static const char *text_colour(int player)
{
    return player ? "white" : "black";
}

/* Reads "d3" or "D3"; -1 if text does not begin with a square of the board. */
static int text_square_parse(int size, const char *text)
{
    int column = tolower((unsigned char)text[0]) - 'a';
    if (column < 0 || column >= size || text[1] < '1' || text[1] >= '1' + size)
        return -1;
    return text_square(size, text[1] - '1', column);
}

/* The length of a pass at the start of text; 0: text does not start with a pass. */
static size_t text_pass_parse(const char *text)
{
    char lower[5] = {0};
    for (int i = 0; i < 4 && text[i]; ++i)
        lower[i] = (char)tolower((unsigned char)text[i]);
    for (int i = 0; passes[i]; ++i)
        if (strncmp(lower, passes[i], strlen(passes[i])) == 0)
            return strlen(passes[i]);
    return 0;
}

/* Returns BANYAN_OK if this square or pass can be played, otherwise an error that says why not. */
static enum banyan_status text_check(const struct othello_state *state, uint64_t action,
                                     const char *text, struct banyan_error *err)
{
    uint64_t legal = othello_legal(state),
             move = action == OTHELLO_PASS ? 0 : (uint64_t)1 << action;
    const char *side = text_colour(othello_mover(state));
    if (state->moves & OTHELLO_OVER)
        return banyan_fail(err, BANYAN_ILLEGAL, "%.4s: the game is over", text);
    if (!move && legal)
        return banyan_fail(err, BANYAN_ILLEGAL, "%s may not pass: there is a legal move", side);
    if (move & (state->own | state->other))
        return banyan_fail(err, BANYAN_ILLEGAL, "%.2s is occupied", text);
    if (move && !legal)
        return banyan_fail(err, BANYAN_ILLEGAL, "%.2s: %s has no legal move and must pass", text,
                           side);
    if (move & ~legal)
        return banyan_fail(err, BANYAN_ILLEGAL, "%.2s turns no disc for %s", text, side);
    return BANYAN_OK;
}

static enum banyan_status text_read_moves(struct othello_state *state, const char *text,
                                          struct banyan_error *err)
{
    int size = othello_size(state);
    while (*text) {
        if (isspace((unsigned char)*text) || *text == ',') {
            ++text;
            continue;
        }
        size_t length = text_pass_parse(text);
        int square = length ? OTHELLO_PASS : text_square_parse(size, text);
        if (square < 0)
            return banyan_fail(err, BANYAN_INVALID, "'%.2s' is not a square: write a1 to %c%d",
                               text, 'a' + size - 1, size);
        if (square != OTHELLO_PASS && !(state->moves & OTHELLO_OVER) && !othello_legal(state))
            *state = play_action(*state, OTHELLO_PASS);
        enum banyan_status status = text_check(state, (uint64_t)square, text, err);
        if (status != BANYAN_OK)
            return status;
        *state = play_action(*state, (uint64_t)square);
        text += length ? length : 2;
    }
    return BANYAN_OK;
}

/* Whether c is one of the characters of list. */
static bool text_is(char c, const char *list)
{
    return c && strchr(list, c);
}

/* Reads the squares at *text, with or without '/' or a space between rows; moves *text to the end
 * of them. */
static enum banyan_status text_read_board(int size, const char **text, uint64_t discs[2],
                                          struct banyan_error *err)
{
    const char *at = *text;
    int squares = 0;
    for (; squares < size * size && *at; ++at) {
        if (text_is(*at, "/ \t\n"))
            continue;
        uint64_t bit = (uint64_t)1 << text_square(size, squares / size, squares % size);
        if (text_is(*at, "xXbB*"))
            discs[0] |= bit;
        else if (text_is(*at, "oOwW"))
            discs[1] |= bit;
        else if (!text_is(*at, "-._"))
            return banyan_fail(err, BANYAN_INVALID,
                               "'%c' in an Othello position: squares are X, O or -", *at);
        ++squares;
    }
    *text = at;
    if (squares != size * size)
        return banyan_fail(err, BANYAN_INVALID,
                           "an Othello position has %d squares and a side to move, the "
                           "text has %d squares",
                           size * size, squares);
    return BANYAN_OK;
}

static enum banyan_status text_read_position(struct othello_state *state, const char *text,
                                             struct banyan_error *err)
{
    uint64_t discs[2] = {0, 0};
    enum banyan_status status = text_read_board(othello_size(state), &text, discs, err);
    if (status != BANYAN_OK)
        return status;
    while (text_is(*text, "/ \t\n"))
        ++text;
    bool white = text_is(*text, "oOwW");
    if ((!white && !text_is(*text, "xXbB*")) || text[1])
        return banyan_fail(err, BANYAN_INVALID,
                           "expected the side to move after the squares, X or O, not '%.8s'", text);
    if (BOARD_CENTRE & ~(discs[0] | discs[1]))
        return banyan_fail(err, BANYAN_INVALID,
                           "the four centre squares of an Othello position are never empty");
    struct board board = {.own = discs[white], .other = discs[!white]};
    uint64_t flags = (state->moves & ~OTHELLO_WHITE) | (white ? OTHELLO_WHITE : 0);
    *state = play_state(board, flags, othello_area(state));
    return BANYAN_OK;
}

static enum banyan_status text_init(void *at, int size, const char *setup, struct banyan_error *err)
{
    struct othello_state state = {.moves = (uint64_t)(8 - size) / 2 << OTHELLO_SIZE_SHIFT};
    struct board start = {.own = 0x0000000810000000u, .other = 0x0000001008000000u};
    enum banyan_status status = BANYAN_OK;
    state = play_state(start, state.moves, othello_area(&state));
    if (setup && strncmp(setup, "moves:", 6) == 0)
        status = text_read_moves(&state, setup + 6, err);
    else if (setup && *setup)
        status = text_read_position(&state, setup, err);
    if (status == BANYAN_OK)
        memcpy(at, &state, sizeof state);
    return status;
}

enum banyan_status othello_init_8(const struct banyan_game *game, void *at, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    return text_init(at, 8, setup, err);
}

enum banyan_status othello_init_6(const struct banyan_game *game, void *at, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    return text_init(at, 6, setup, err);
}

enum banyan_status othello_init_4(const struct banyan_game *game, void *at, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    return text_init(at, 4, setup, err);
}

int othello_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct othello_state *state = at;
    int rows = othello_size(state), mover = othello_mover(state);
    struct text text = text_start(out, size);
    char squares[65] = {0};
    for (int i = 0; i < rows * rows; ++i) {
        uint64_t bit = (uint64_t)1 << text_square(rows, i / rows, i % rows);
        squares[i] = state->own & bit ? "XO"[mover] : state->other & bit ? "OX"[mover] : '-';
    }
    text_add(&text, "%s %c", squares, "XO"[mover]);
    return (int)text.length;
}

int othello_action_format(const struct banyan_game *game, const void *at, int player,
                          banyan_action action, char *out, size_t size)
{
    (void)player;
    int margin = (8 - othello_size(at)) / 2;
    if (action == OTHELLO_PASS)
        return snprintf(out, size, "pass");
    return snprintf(out, size, "%c%d", 'a' + (int)(action % 8) - margin,
                    1 + (int)(action / 8) - margin);
}

enum banyan_status othello_action_parse(const struct banyan_game *game, const void *at, int player,
                                        const char *text, banyan_action *out,
                                        struct banyan_error *err)
{
    (void)player;
    const struct othello_state *state = at;
    int size = othello_size(state);
    size_t length = text_pass_parse(text);
    int square = length ? OTHELLO_PASS : text_square_parse(size, text);
    if (square < 0 || strlen(text) != (length ? length : 2))
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not a move: write a1 to %c%d or pass",
                           text, 'a' + size - 1, size);
    enum banyan_status status = text_check(state, (uint64_t)square, text, err);
    if (status == BANYAN_OK)
        *out = (banyan_action)square;
    return status;
}
