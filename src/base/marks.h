/* Text that board games with X and O share: squares, the side to move, the caption of a picture.
 *
 *     "x.o/.x./... o"     rows of squares from the top, then the side to move (may be left out)
 */
#ifndef BASE_MARKS_H
#define BASE_MARKS_H

#include <banyan/status.h>

enum marks_result { MARKS_OPEN, MARKS_X_WON, MARKS_O_WON, MARKS_DRAWN };

struct marks_board {
    const char *game; /* "tic-tac-toe", for messages */
    int rows, columns;
    const char *example; /* a position, for messages */
};

/* Reads rows * columns squares at *text, with or without '/' between rows, into squares[], row by row:
 * 0 empty, 1 X, 2 O.  Moves *text to the end of them. */
enum banyan_status marks_read_board(const struct marks_board *board, const char **text,
                                    unsigned char *squares, struct banyan_error *err);

/* Reads the rest of a position: nothing, or the side to move, which must be `mover` (0: X, 1: O).
 * marks: what is counted, "marks" or "discs". */
enum banyan_status marks_read_side(const char *text, int mover, const char *marks,
                                   struct banyan_error *err);

/* "X to move", "O has won", "a draw". */
const char *marks_caption(enum marks_result result, int mover);

#endif
