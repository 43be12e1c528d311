/* Reads and writes the short texts of games: setups, states, actions.
 *
 * A writer adds pieces of text to the caller's buffer.  When the buffer is full it goes on
 * counting, so that the final length is that of the whole text, as with snprintf.  A reader is a
 * position in a text.  A function that does not find the piece it looks for leaves the position
 * unchanged; text_where says where it is.  Blanks, line ends, and comments from # to the end of the
 * line may stand before any piece. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <banyan/dice.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *out;     /* borrowed; may be NULL when size is 0 */
    size_t size;   /* bytes at out */
    size_t length; /* of the whole text, even where it did not fit */
};

/* Empty text in out[size]. */
struct text text_start(char *out, size_t size);

void text_add(struct text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Adds value * 10^-digits without trailing zeros: 900000 with 6 digits is "0.9". */
void text_add_decimal(struct text *writer, int64_t value, int digits);

/* Adds the results of dice: "die 5", "block 1, 3; armour 4; dodge fails".  kinds: as
 * banyan_game.dice_kinds; NULL: adds nothing. */
void text_add_dice(struct text *text, const char *const *kinds, const struct banyan_die *dice,
                   int count);

/* Puts '?' in place of everything but printable ASCII.  For texts of other programs: a terminal
 * could take other characters for commands, and a reader of JSON could refuse them. */
void text_make_plain(char *text);

/* Whether text is UTF-8, which JSON needs. */
bool text_is_utf8(const char *text);

struct text_reader {
    const char *start, *at; /* borrowed, ends with a zero byte */
};

void text_open(struct text_reader *reader, const char *text);

/* True when nothing but blanks and comments is left. */
bool text_end(struct text_reader *reader);

/* Moves past `piece` if the text continues with exactly that; otherwise returns false. */
bool text_take(struct text_reader *reader, const char *piece);

/* Reads a word of letters, digits, +, - and _.  False: there is none, or it has more than size - 1
 * characters. */
bool text_word(struct text_reader *reader, char *out, size_t size);

/* Reads a whole number of lo..hi. */
bool text_integer(struct text_reader *reader, int64_t lo, int64_t hi, int64_t *out);

/* Reads a number as a multiple of 10^-digits, which must be in lo..hi.  False also for a number
 * with more decimals. */
bool text_decimal(struct text_reader *reader, int digits, int64_t lo, int64_t hi, int64_t *out);

/* Where the next piece starts: "column 7", or "line 2, column 7" in a longer text. */
struct text_place {
    char text[48];
};
struct text_place text_where(struct text_reader *reader);

#endif
