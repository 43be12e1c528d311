/* The terminal of a game: reads lines, with editing and history where there is libedit, and says in which
 * colours to print. */
#ifndef CLI_PLAY_LINE_H
#define CLI_PLAY_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Sequences that switch a colour on; all "" where colours are not wanted. */
struct play_style {
    const char *number, *note, *event, *error, *prompt, *off;
    int width; /* columns of the terminal */
};

/* Colours if standard output is a terminal that has them, and NO_COLOR is not set. */
void play_style_open(struct play_style *style);

struct play_lines; /* where lines come from */

/* NULL: no memory.  Standard input, with editing if it is a terminal and standard output is one. */
struct play_lines *play_lines_open(void);
void play_lines_close(struct play_lines *lines);

/* Whether a person types the lines. */
bool play_lines_typed(const struct play_lines *lines);

/* The next line without its end and without blanks around it, at most size - 1 bytes; NULL at the end of
 * the input and after Ctrl-C.  prompt is printed where a person types. */
char *play_lines_read(struct play_lines *lines, const char *prompt, char *out, size_t size);

#endif
