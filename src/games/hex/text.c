/* Hex as text.
 *
 *     "f6 e8"                 the moves from the empty board, or "moves:f6 e8"
 *     "swap"                  the empty board with the swap rule
 *     "swap moves:f6 swap"    the same, then these moves
 *     "...../..x../...../...../..... o swap"
 *                             rows from the top, x black, o white; the side to move; "swap" if the
 *                             swap rule holds and nobody has used or refused it yet */
#include "games/hex/hex.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *text_colour(int player)
{
    return player ? "white" : "black";
}

static void text_empty_board(const struct banyan_game *game, struct hex_state *state)
{
    memset(state, 0, game->state_size);
    state->size = (uint8_t)game->planes[1];
    state->words = (uint8_t)HEX_WORDS(game->planes[1]);
}

/* Reads the action at the start of text, returns its length; 0: text does not begin with an action.
 */
static size_t text_action(const struct hex_state *state, const char *text, int *action)
{
    int column = tolower((unsigned char)text[0]) - 'a', row = 0;
    size_t length = 1;
    if (strncmp(text, "swap", 4) == 0 || strncmp(text, "SWAP", 4) == 0) {
        *action = hex_swap_action(state);
        return 4;
    }
    if (column < 0 || column >= state->size)
        return 0;
    for (; length < 3 && isdigit((unsigned char)text[length]); ++length)
        row = 10 * row + text[length] - '0';
    if (row < 1 || row > state->size || text[1] == '0')
        return 0;
    *action = state->size * (row - 1) + column;
    return length;
}

/* Returns BANYAN_OK if the action can be played, otherwise an error that says why not. */
static enum banyan_status text_check(const struct hex_state *state, int action, const char *text,
                                     struct banyan_error *err)
{
    if (state->result != HEX_OPEN)
        return banyan_fail(err, BANYAN_ILLEGAL, "%.4s: the game is over", text);
    if (action == hex_swap_action(state))
        return hex_may_swap(state)
                   ? BANYAN_OK
                   : banyan_fail(err, BANYAN_ILLEGAL,
                                 "%s may not swap: only the second move may be \"swap\", in a "
                                 "game with the swap rule (setup \"swap\")",
                                 text_colour(state->mover));
    if (!hex_is_empty(state, action))
        return banyan_fail(err, BANYAN_ILLEGAL, "%.3s is occupied", text);
    return BANYAN_OK;
}

static enum banyan_status text_not_a_move(const struct hex_state *state, const char *text,
                                          struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID, "'%.8s' is not a move: write a1 to %c%d, or swap", text,
                       'a' + state->size - 1, state->size);
}

static enum banyan_status text_read_moves(struct hex_state *state, const char *text,
                                          struct banyan_error *err)
{
    while (*text) {
        if (isspace((unsigned char)*text) || *text == ',') {
            ++text;
            continue;
        }
        int action;
        size_t length = text_action(state, text, &action);
        if (!length)
            return text_not_a_move(state, text, err);
        enum banyan_status status = text_check(state, action, text, err);
        if (status != BANYAN_OK)
            return status;
        hex_play(state, action);
        text += length;
    }
    return BANYAN_OK;
}

/* Reads the cells at *text, with or without '/' between rows; moves *text to the end of them. */
static enum banyan_status text_read_board(struct hex_state *state, const char **text,
                                          struct banyan_error *err)
{
    const char *at = *text;
    int cells = state->size * state->size, count = 0;
    for (; *at && *at != ' '; ++at) {
        if (*at == '/' && count % state->size == 0)
            continue;
        int player = *at == 'x' || *at == 'X' ? 0 : *at == 'o' || *at == 'O' ? 1 : -1;
        if (player < 0 && *at != '.')
            return banyan_fail(err, BANYAN_INVALID, "'%c' in a Hex position: cells are x, o or .%s",
                               *at, *at == '/' ? ", and '/' stands between rows only" : "");
        if (count < cells && player >= 0)
            hex_place(state, player, count);
        ++count;
    }
    if (count != cells)
        return banyan_fail(err, BANYAN_INVALID,
                           "a Hex position of this size has %d cells, the text has %d", cells,
                           count);
    *text = at;
    return BANYAN_OK;
}

/* Accepts only numbers of stones that alternate moves can give: black moves first, and a swap takes
 * one stone of black away. */
static enum banyan_status text_check_counts(const struct hex_state *state, struct banyan_error *err)
{
    int black = hex_count(state, 0), white = hex_count(state, 1);
    int more = state->mover == 0 ? white - black : black - white; /* lead of the last mover */
    if (more != 0 && more != 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "%d stones of black and %d of white: %s cannot be to move", black, white,
                           text_colour(state->mover));
    if (state->swap && black + white > 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "nobody can swap any more where %d stones were placed", black + white);
    if (state->swap && black + white == 1 && more != 1)
        return banyan_fail(err, BANYAN_INVALID, "%s cannot swap their own stone",
                           text_colour(state->mover));
    return BANYAN_OK;
}

/* Reads " x", " o" and " swap" after the cells. */
static enum banyan_status text_read_rest(struct hex_state *state, const char *text,
                                         struct banyan_error *err)
{
    while (*text == ' ')
        ++text;
    int side = tolower((unsigned char)*text);
    const char *rest = text + (*text != 0);
    state->mover = side == 'o';
    state->swap = strcmp(rest, " swap") == 0;
    if ((side != 'x' && side != 'o') || (*rest && !state->swap))
        return banyan_fail(err, BANYAN_INVALID,
                           "expected the side to move after the cells, \"x\", \"o\", \"x swap\" or "
                           "\"o swap\", not '%.12s'",
                           text);
    return text_check_counts(state, err);
}

static enum banyan_status text_read_position(struct hex_state *state, const char *text,
                                             struct banyan_error *err)
{
    enum banyan_status status = text_read_board(state, &text, err);
    return status == BANYAN_OK ? text_read_rest(state, text, err) : status;
}

enum banyan_status hex_init(const struct banyan_game *game, void *at, const char *setup,
                            struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    struct hex_state state;
    enum banyan_status status = BANYAN_OK;
    setup = setup ? setup : "";
    text_empty_board(game, &state);
    if (strncmp(setup, "swap", 4) == 0) {
        state.swap = 1;
        setup += 4 + strspn(setup + 4, " ");
    }
    if (strncmp(setup, "moves:", 6) == 0)
        status = text_read_moves(&state, setup + 6, err);
    else if (isalpha((unsigned char)*setup) && (isdigit((unsigned char)setup[1]) || *setup == 's'))
        status = text_read_moves(&state, setup, err);
    else if (*setup)
        status = text_read_position(&state, setup, err);
    if (status == BANYAN_OK)
        memcpy(at, &state, game->state_size);
    return status;
}

int hex_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct hex_state *state = at;
    struct text text = text_start(out, size);
    for (int row = 0; row < state->size; ++row) {
        char cells[HEX_SIZE_MAX + 1] = "";
        for (int column = 0; column < state->size; ++column) {
            int cell = state->size * row + column;
            cells[column] =
                ".xo"[hex_has(state, HEX_STONES, cell) + 2 * hex_has(state, HEX_STONES + 1, cell)];
        }
        text_add(&text, "%s%s", row ? "/" : "", cells);
    }
    text_add(&text, " %c%s", "xo"[state->mover], state -> swap ? " swap" : "");
    return (int)text.length;
}

int hex_action_format(const struct banyan_game *game, const void *at, int player,
                      banyan_action action, char *out, size_t size)
{
    (void)player;
    const struct hex_state *state = at;
    int cell = (int)action;
    if (cell == hex_swap_action(state))
        return snprintf(out, size, "swap");
    return snprintf(out, size, "%c%d", 'a' + cell % state->size, 1 + cell / state->size);
}

enum banyan_status hex_action_parse(const struct banyan_game *game, const void *at, int player,
                                    const char *text, banyan_action *out, struct banyan_error *err)
{
    (void)player;
    const struct hex_state *state = at;
    int action;
    size_t length = text_action(state, text, &action);
    if (!length || text[length])
        return text_not_a_move(state, text, err);
    enum banyan_status status = text_check(state, action, text, err);
    if (status == BANYAN_OK)
        *out = (banyan_action)action;
    return status;
}
