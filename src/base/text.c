/* Reads and writes the short texts of games: setups, states, actions. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text text_start(char *out, size_t size)
{
    if (size > 0)
        out[0] = 0;
    return (struct text){.out = out, .size = size};
}

void text_add(struct text *text, const char *format, ...)
{
    size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(room ? text->out + text->length : NULL, room, format, args);
    va_end(args);
    if (length > 0)
        text->length += (size_t)length;
}

void text_add_decimal(struct text *writer, int64_t value, int digits)
{
    int64_t unit = 1;
    for (int i = 0; i < digits; ++i)
        unit *= 10;
    int64_t size = value < 0 ? -value : value;
    text_add(writer, "%s%lld", value < 0 ? "-" : "", (long long)(size / unit));
    int64_t rest = size % unit;
    if (rest == 0)
        return;
    while (rest % 10 == 0) {
        rest /= 10;
        --digits;
    }
    text_add(writer, ".%0*lld", digits, (long long)rest);
}

void text_add_dice(struct text *text, const char *const *kinds, const struct banyan_die *dice,
                   int count)
{
    for (int i = 0; kinds && i < count; ++i) {
        bool first = i == 0 || dice[i].kind != dice[i - 1].kind;
        const char *between = i == 0 ? "" : first ? "; " : ", ";
        text_add(text, "%s%s%s", between, first ? kinds[dice[i].kind] : "", first ? " " : "");
        if (dice[i].sides == 2)
            text_add(text, "%s", dice[i].value ? "succeeds" : "fails");
        else
            text_add(text, "%d", (int)dice[i].value);
    }
}

void text_make_plain(char *text)
{
    for (; *text; ++text)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* The number of bytes of the character at text, 0 if there is none (Unicode 15, table 3-7: no overlong
 * forms, no surrogates, nothing above U+10FFFF). */
static size_t text_character(const unsigned char *text)
{
    unsigned char first = text[0];
    size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (bytes > 1 && (first < 0xC2 || first > 0xF4 || text[1] < low || text[1] > high))
        return 0;
    for (size_t i = 2; i < bytes; ++i)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return bytes;
}

bool text_is_utf8(const char *text)
{
    while (*text) {
        size_t bytes = text_character((const unsigned char *)text);
        if (!bytes)
            return false;
        text += bytes;
    }
    return true;
}

void text_open(struct text_reader *reader, const char *text)
{
    *reader = (struct text_reader){.start = text, .at = text};
}

static bool text_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first character at or after `at` that is not a blank and in no comment. */
static const char *text_skip_blanks(const char *at)
{
    while (text_blank(*at) || *at == '#') {
        if (*at == '#')
            at += strcspn(at, "\n");
        else
            ++at;
    }
    return at;
}

bool text_end(struct text_reader *reader)
{
    reader->at = text_skip_blanks(reader->at);
    return *reader->at == 0;
}

bool text_take(struct text_reader *reader, const char *piece)
{
    const char *at = text_skip_blanks(reader->at);
    size_t length = strlen(piece);
    if (strncmp(at, piece, length) != 0)
        return false;
    reader->at = at + length;
    return true;
}

static bool text_is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+';
}

bool text_word(struct text_reader *reader, char *out, size_t size)
{
    const char *at = text_skip_blanks(reader->at);
    size_t length = 0;
    while (text_is_word_character(at[length]))
        ++length;
    if (length == 0 || length >= size)
        return false;
    memcpy(out, at, length);
    out[length] = 0;
    reader->at = at + length;
    return true;
}

bool text_integer(struct text_reader *reader, int64_t lo, int64_t hi, int64_t *out)
{
    return text_decimal(reader, 0, lo, hi, out);
}

/* Appends one digit to the number; returns false for a character that is no digit, or when the
 * number would become too large. */
static bool text_digit(char c, int64_t *number)
{
    if (c < '0' || c > '9' || *number > INT64_MAX / 1000)
        return false;
    *number = *number * 10 + (c - '0');
    return true;
}

bool text_decimal(struct text_reader *reader, int digits, int64_t lo, int64_t hi, int64_t *out)
{
    const char *at = text_skip_blanks(reader->at);
    bool negative = *at == '-';
    at += negative || *at == '+';
    int64_t number = 0;
    const char *first = at;
    while (text_digit(*at, &number))
        ++at;
    bool any = at > first;
    if (digits > 0 && *at == '.')
        for (++at; digits > 0 && text_digit(*at, &number); ++at, --digits)
            any = true;
    for (; digits > 0; --digits)
        if (!text_digit('0', &number))
            return false;
    if (negative)
        number = -number;
    if (!any || text_is_word_character(*at) || *at == '.' || number < lo || number > hi)
        return false;
    *out = number;
    reader->at = at;
    return true;
}

struct text_place text_where(struct text_reader *reader)
{
    reader->at = text_skip_blanks(reader->at);
    int line = 1, column = 1;
    for (const char *c = reader->start; c < reader->at; ++c) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    struct text_place place;
    if (strchr(reader->start, '\n'))
        snprintf(place.text, sizeof place.text, "line %d, column %d", line, column);
    else
        snprintf(place.text, sizeof place.text, "column %d", column);
    return place;
}
