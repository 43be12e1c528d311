/* Writes a game's board as JSON: one array for each member of a cell. */
#include "web/board.h"

#include <banyan/board.h>

#include <stdio.h>
#include <stdlib.h>

static json_t *board_names(const char names[][4], int count)
{
    json_t *out = json_array();
    for (int i = 0; i < count; ++i)
        json_array_append_new(out, json_string(names[i]));
    return out;
}

/* Adds one cell to the columns.  Few cells have notes, so "notes" is an object by number of
 * cell. */
static void board_add_cell(json_t *out, const struct banyan_cell *cell, int at)
{
    json_array_append_new(json_object_get(out, "marks"), json_string(cell->mark));
    json_array_append_new(json_object_get(out, "owners"), json_integer(cell->owner));
    json_array_append_new(json_object_get(out, "looks"), json_integer(cell->looks));
    json_array_append_new(json_object_get(out, "guards"), json_integer(cell->guards));
    if (*cell->note) {
        char number[16];
        snprintf(number, sizeof number, "%d", at);
        json_object_set_new(json_object_get(out, "notes"), number, json_string(cell->note));
    }
}

static json_t *board_columns(const struct banyan_board *board)
{
    static const char *const kinds[] = {[BANYAN_BOARD_SQUARES] = "squares",
                                        [BANYAN_BOARD_HEXAGONS] = "hexagons",
                                        [BANYAN_BOARD_COLUMNS] = "columns",
                                        [BANYAN_BOARD_RECTANGLES] = "rectangles"};
    json_t *out = json_pack("{s:i, s:i, s:s, s:o, s:o, s:[], s:[], s:[], s:[], s:{}}", "rows",
                            (int)board->rows, "cols", (int)board->cols, "kind", kinds[board->kind],
                            "row_names", board_names(board->row_names, board->rows), "col_names",
                            board_names(board->col_names, board->cols), "marks", "owners", "looks",
                            "guards", "notes");
    for (int i = 0; out && i < board->rows * board->cols; ++i)
        board_add_cell(out, &board->cells[i], i);
    return out;
}

json_t *board_json(const struct banyan_game *game, const void *state, int viewer)
{
    struct banyan_board *board = game->board ? malloc(sizeof *board) : NULL;
    if (!board)
        return json_null();
    game->board(game, state, viewer, board);
    json_t *out = board_columns(board);
    free(board);
    return out ? out : json_null();
}

json_t *board_cells_json(const struct banyan_game *game, const void *state, int player,
                         banyan_action action)
{
    int cells[BANYAN_BOARD_CLICKS];
    json_t *out = json_array();
    int count = game->board_cells ? game->board_cells(game, state, player, action, cells) : 0;
    for (int i = 0; i < count; ++i)
        json_array_append_new(out, json_integer(cells[i]));
    return out;
}
