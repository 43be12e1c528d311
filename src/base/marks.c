/* Reads and writes the text that board games with X and O share. */
#include "base/marks.h"

#include <ctype.h>
#include <string.h>

enum banyan_status marks_read_board(const struct marks_board *board, const char **text,
                                    unsigned char *squares, struct banyan_error *err)
{
    const char *at = *text;
    int count = 0, wanted = board->rows * board->columns;
    for (; *at && *at != ' '; ++at) {
        if (*at == '/' && count % board->columns == 0)
            continue;
        if (!strchr("xXoO.-_/", *at))
            return banyan_fail(err, BANYAN_INVALID, "'%c' in a %s position: squares are x, o or .",
                               *at, board->game);
        if (*at == '/' || count == wanted)
            return banyan_fail(err, BANYAN_INVALID,
                               "a %s position has %d rows of %d squares, as in \"%s\"; \"%s\" is "
                               "different",
                               board->game, board->rows, board->columns, board->example, *text);
        squares[count++] = strchr("xX", *at) ? 1 : strchr("oO", *at) ? 2 : 0;
    }
    if (count != wanted)
        return banyan_fail(err, BANYAN_INVALID,
                           "a %s position has %d squares, as in \"%s\"; \"%s\" has %d", board->game,
                           wanted, board->example, *text, count);
    *text = at;
    return BANYAN_OK;
}

enum banyan_status marks_read_side(const char *text, int mover, const char *marks,
                                   struct banyan_error *err)
{
    while (*text == ' ')
        ++text;
    if (*text == 0)
        return BANYAN_OK;
    int side = tolower((unsigned char)*text);
    if ((side != 'x' && side != 'o') || text[1])
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not a side to move: write x or o", text);
    if (mover != (side == 'o'))
        return banyan_fail(err, BANYAN_INVALID, "%s is to move here by the number of %s, not %s",
                           mover ? "O" : "X", marks, mover ? "X" : "O");
    return BANYAN_OK;
}

const char *marks_caption(enum marks_result result, int mover)
{
    static const char *const captions[] = {
        [MARKS_X_WON] = "X has won", [MARKS_O_WON] = "O has won", [MARKS_DRAWN] = "a draw"};
    if (result != MARKS_OPEN)
        return captions[result];
    return mover ? "O to move" : "X to move";
}
