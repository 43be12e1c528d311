/* Text in and out for the small languages of games: setups, states, actions.
 *
 * A writer adds pieces to the caller's buffer and counts on past its end, so
 * that the sum of all pieces behaves as one snprintf.  A reader is a cursor: a
 * piece that is not there leaves it where it was, and it can say where that is.
 * Blanks, line ends and comments from # to the end of the line may stand before
 * any piece.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *out;     /* borrowed; may be NULL when size is 0 */
    size_t size;   /* bytes at out */
    size_t length; /* of the whole text, whether it fitted or not */
};

/* Empty text in out[size]. */
struct text text_start(char *out, size_t size);

void text_add(struct text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* value * 10^-digits without needless zeros: 900000 with 6 digits is "0.9". */
void text_add_decimal(struct text *writer, int64_t value, int digits);

struct text_reader {
    const char *start, *at; /* borrowed, ends with 0 */
};

void text_open(struct text_reader *reader, const char *text);

/* True when nothing but blanks is left. */
bool text_end(struct text_reader *reader);

/* Takes exactly `piece`. */
bool text_take(struct text_reader *reader, const char *piece);

/* Takes letters, digits, + - and _; fails when there are none or size - 1 are not enough. */
bool text_word(struct text_reader *reader, char *out, size_t size);

/* Takes a whole number of lo..hi. */
bool text_integer(struct text_reader *reader, int64_t lo, int64_t hi, int64_t *out);

/* Takes a number of lo..hi as a multiple of 10^-digits; fails on more decimals than that. */
bool text_decimal(struct text_reader *reader, int digits, int64_t lo, int64_t hi, int64_t *out);

/* Where the next piece starts: "column 7", or "line 2, column 7" in a longer text. */
struct text_place {
    char text[48];
};
struct text_place text_where(struct text_reader *reader);

#endif
