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

struct banyan_text_writer {
    char *out; /* borrowed; may be NULL when size is 0 */
    size_t size;
    int length; /* of everything written so far, whether it fitted or not */
};

void banyan_text_start(struct banyan_text_writer *writer, char *out, size_t size);
void banyan_text_add(struct banyan_text_writer *writer, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* value * 10^-digits without needless zeros: 900000 with 6 digits is "0.9". */
void banyan_text_add_decimal(struct banyan_text_writer *writer, int64_t value, int digits);

struct banyan_text_reader {
    const char *start, *at; /* borrowed, ends with 0 */
};

void banyan_text_open(struct banyan_text_reader *reader, const char *text);

/* True when nothing but blanks is left. */
bool banyan_text_end(struct banyan_text_reader *reader);

/* Takes exactly `piece`. */
bool banyan_text_take(struct banyan_text_reader *reader, const char *piece);

/* Takes letters, digits, + - and _; fails when there are none or size - 1 are not enough. */
bool banyan_text_word(struct banyan_text_reader *reader, char *out, size_t size);

/* Takes a whole number of lo..hi. */
bool banyan_text_integer(struct banyan_text_reader *reader, int64_t lo, int64_t hi, int64_t *out);

/* Takes a number of lo..hi as a multiple of 10^-digits; fails on more decimals than that. */
bool banyan_text_decimal(struct banyan_text_reader *reader, int digits, int64_t lo, int64_t hi,
                         int64_t *out);

/* Where the next piece starts: "column 7", or "line 2, column 7" in a longer text. */
struct banyan_text_place {
    char text[48];
};
struct banyan_text_place banyan_text_where(struct banyan_text_reader *reader);

#endif
