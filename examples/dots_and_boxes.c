/* Dots and boxes: a game in one file.  Players take turns to draw an edge of a grid; a player who
 * closes a box owns it and draws again.  A player's result is their boxes minus the opponent's.
 *
 *     +--0--+--1--+        An action is the number of an edge: first the horizontal ones row by row,
 *     6     7     8        then the vertical ones.
 *     +--2--+--3--+
 *     9    10    11        A state as text: the drawn edges, the boxes, the player to move:
 *     +--4--+--5--+        "0,2,6,7 1-0 1"; "-" stands for no edges.
 *
 *     cc -std=c17 -shared -fPIC dots_and_boxes.c $(pkg-config --cflags banyan) -o dots_and_boxes.so
 *     banyan --game ./dots_and_boxes.so play dots-2x2
 */
#include <banyan/plugin.h>
#include <banyan/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dots_board { /* what game->ctx points to */
    int rows, columns;
};

struct dots_state {
    uint32_t edges; /* bit e: edge e is drawn */
    uint8_t boxes[2], mover, unused;
};

static const struct dots_board *dots_board(const struct banyan_game *game)
{
    return game->ctx;
}

static int dots_edge_count(const struct dots_board *board)
{
    return (board->rows + 1) * board->columns + board->rows * (board->columns + 1);
}

/* The four edges around the box in this row and column. */
static uint32_t dots_box(const struct dots_board *board, int row, int column)
{
    int top = row * board->columns + column;
    int left = (board->rows + 1) * board->columns + row * (board->columns + 1) + column;
    return 1u << top | 1u << (top + board->columns) | 1u << left | 1u << (left + 1);
}

/* The number of closed boxes that have an edge in `with`. */
static int dots_closed(const struct dots_board *board, uint32_t edges, uint32_t with)
{
    int count = 0;
    for (int row = 0; row < board->rows; ++row)
        for (int column = 0; column < board->columns; ++column) {
            uint32_t box = dots_box(board, row, column);
            count += (box & with) != 0 && (box & ~edges) == 0;
        }
    return count;
}

static bool dots_over(const struct dots_board *board, const struct dots_state *state)
{
    return state->edges == (1u << dots_edge_count(board)) - 1;
}

/* --- rules --- */

static unsigned dots_movers(const struct banyan_game *game, const void *at)
{
    const struct dots_state *state = at;
    return dots_over(dots_board(game), state) ? 0 : 1u << state->mover;
}

static int dots_legal(const struct banyan_game *game, const void *at, int player,
                      banyan_action *out)
{
    const struct dots_state *state = at;
    int count = 0;
    for (int edge = 0; edge < dots_edge_count(dots_board(game)); ++edge)
        if (!(state->edges >> edge & 1))
            out[count++] = (banyan_action)edge;
    return count;
}

static void dots_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    struct dots_state *state = at;
    uint32_t edge = 1u << joint[state->mover];
    state->edges |= edge;
    int closed = dots_closed(dots_board(game), state->edges, edge);
    state->boxes[state->mover] = (uint8_t)(state->boxes[state->mover] + closed);
    if (closed == 0)
        state->mover = !state->mover;
}

static void dots_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct dots_state *state = at;
    out[0] = (float)(state->boxes[0] - state->boxes[1]);
    out[1] = -out[0];
}

static uint64_t dots_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct dots_state *state = at;
    uint64_t rest = (uint64_t)state->boxes[0] << 16 | (uint64_t)state->boxes[1] << 8 | state->mover;
    return banyan_rng_child(state->edges, "dots", rest);
}

/* Each open box can still go to either player. */
static void dots_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                        float *hi)
{
    const struct dots_state *state = at;
    const struct dots_board *board = dots_board(game);
    int lead = state->boxes[player] - state->boxes[!player];
    int open = board->rows * board->columns - state->boxes[0] - state->boxes[1];
    *lo = (float)(lead - open);
    *hi = (float)(lead + open);
}

/* --- texts --- */

static int dots_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct dots_state *state = at;
    char edges[128];
    int length = 0;
    for (int edge = 0; edge < 32; ++edge)
        if (state->edges >> edge & 1)
            length += snprintf(edges + length, sizeof edges - (size_t)length, "%s%d",
                               length ? "," : "", edge);
    return snprintf(out, size, "%s %d-%d %d", length ? edges : "-", state->boxes[0],
                    state->boxes[1], state->mover + 1);
}

/* Reads "0,2,6" or "-"; false: the text is neither, or an edge is not on the board. */
static bool dots_read_edges(const struct dots_board *board, const char *text, uint32_t *edges)
{
    *edges = 0;
    if (strcmp(text, "-") == 0)
        return true;
    for (;; ++text) {
        int edge, length = 0;
        if (sscanf(text, "%2d%n", &edge, &length) != 1 || edge < 0 ||
            edge >= dots_edge_count(board))
            return false;
        *edges |= 1u << edge;
        text += length;
        if (*text != ',')
            return *text == 0;
    }
}

static enum banyan_status dots_init(const struct banyan_game *game, void *at, const char *setup,
                                    struct banyan_rng *rng, struct banyan_error *err)
{
    const struct dots_board *board = dots_board(game);
    struct dots_state state = {.edges = 0};
    char edges[128], rest;
    int boxes[2], mover;
    if (!setup || !*setup)
        setup = "- 0-0 1";
    if (sscanf(setup, "%127s %1d-%1d %1d%c", edges, &boxes[0], &boxes[1], &mover, &rest) != 4 ||
        !dots_read_edges(board, edges, &state.edges) || mover < 1 || mover > 2)
        return banyan_fail(err, BANYAN_INVALID,
                           "'%.100s' is not edges, boxes and a player, as in \"0,2,6,7 1-0 1\"",
                           setup);
    int closed = dots_closed(board, state.edges, state.edges);
    if (boxes[0] < 0 || boxes[1] < 0 || boxes[0] + boxes[1] != closed)
        return banyan_fail(err, BANYAN_INVALID, "these edges close %d boxes, not %d and %d", closed,
                           boxes[0], boxes[1]);
    state.boxes[0] = (uint8_t)boxes[0];
    state.boxes[1] = (uint8_t)boxes[1];
    state.mover = (uint8_t)(mover - 1);
    memcpy(at, &state, sizeof state);
    return BANYAN_OK;
}

static int dots_action_format(const struct banyan_game *game, const void *at, int player,
                              banyan_action action, char *out, size_t size)
{
    return snprintf(out, size, "%d", (int)action);
}

static enum banyan_status dots_action_parse(const struct banyan_game *game, const void *at,
                                            int player, const char *text, banyan_action *out,
                                            struct banyan_error *err)
{
    const struct dots_state *state = at;
    int count = dots_edge_count(dots_board(game)), length = (int)strspn(text, "0123456789");
    if (length < 1 || length > 2 || text[length] || atoi(text) >= count)
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is not an edge: write 0 to %d", text,
                           count - 1);
    *out = (banyan_action)atoi(text);
    if (state->edges >> *out & 1)
        return banyan_fail(err, BANYAN_ILLEGAL, "edge %d is drawn already", (int)*out);
    return BANYAN_OK;
}

/* --- pictures --- */

/* A text that grows; length also counts the characters that do not fit into out. */
struct dots_text {
    char *out;
    size_t size;
    int length;
};

static void dots_add(struct dots_text *text, const char *what)
{
    size_t used = (size_t)text->length < text->size ? (size_t)text->length : text->size;
    text->length += snprintf(text->out ? text->out + used : NULL, text->size - used, "%s", what);
}

static void dots_draw_row(const struct dots_board *board, const struct dots_state *state, int row,
                          struct dots_text *text)
{
    int top = row * board->columns, left = (board->rows + 1) * board->columns;
    for (int column = 0; column < board->columns; ++column)
        dots_add(text, state->edges >> (top + column) & 1 ? "+---" : "+   ");
    dots_add(text, "+\n");
    if (row == board->rows)
        return;
    left += row * (board->columns + 1);
    for (int column = 0; column <= board->columns; ++column)
        dots_add(text, state->edges >> (left + column) & 1 ? "|   " : "    ");
    dots_add(text, "\n");
}

static int dots_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                     size_t size)
{
    const struct dots_state *state = at;
    struct dots_text text = {.out = out, .size = size};
    char line[64];
    for (int row = 0; row <= dots_board(game)->rows; ++row)
        dots_draw_row(dots_board(game), state, row, &text);
    snprintf(line, sizeof line, "boxes %d-%d\n", state->boxes[0], state->boxes[1]);
    dots_add(&text, line);
    return text.length;
}

/* --- the tables --- */

#define DOTS_EDGES(ROWS, COLUMNS) (((ROWS) + 1) * (COLUMNS) + (ROWS) * ((COLUMNS) + 1))
#define DOTS_GAME(ROWS, COLUMNS)                                                                  \
    {                                                                                             \
        .struct_size = sizeof(struct banyan_game), .ctx = &(struct dots_board){ROWS, COLUMNS},    \
        .name = "dots-" #ROWS "x" #COLUMNS, .title = "Dots and boxes (" #ROWS "x" #COLUMNS ")",   \
        .players = 2, .state_size = sizeof(struct dots_state), .action_bytes = 1,                 \
        .max_legal = DOTS_EDGES(ROWS, COLUMNS), .max_plies = DOTS_EDGES(ROWS, COLUMNS),           \
        .return_min = -(ROWS) * (COLUMNS), .return_max = (ROWS) * (COLUMNS),                      \
        .traits = BANYAN_ZERO_SUM, .init = dots_init, .movers = dots_movers, .legal = dots_legal, \
        .apply = dots_apply, .returns = dots_returns, .key = dots_key, .format = dots_format,     \
        .action_format = dots_action_format, .action_parse = dots_action_parse,                   \
        .bounds = dots_bounds, .draw = dots_draw, .action_count = DOTS_EDGES(ROWS, COLUMNS)       \
    }

static const struct banyan_game dots_1x1 = DOTS_GAME(1, 1), dots_2x1 = DOTS_GAME(2, 1),
                                dots_2x2 = DOTS_GAME(2, 2), dots_3x2 = DOTS_GAME(3, 2),
                                dots_3x3 = DOTS_GAME(3, 3);

BANYAN_PLUGIN(&dots_1x1, &dots_2x1, &dots_2x2, &dots_3x2, &dots_3x3);
