/* Splits what a Showdown server sends into lines and their pieces. */
#include "showdown/protocol.h"

#include <stdint.h>
#include <string.h>

struct protocol_word {
    const char *word;
    enum protocol_kind kind;
    int least;
};

static const struct protocol_word protocol_acted[] = {
#define KIND(name, word, least) {word, PROTOCOL_##name, least},
#define PASS(word)
#include "showdown/protocol.def"
#undef KIND
#undef PASS
};

static const struct protocol_word protocol_passed[] = {
#define KIND(name, word, least)
#define PASS(word) {word, PROTOCOL_PASSED, 0},
#include "showdown/protocol.def"
#undef KIND
#undef PASS
};

struct protocol_text protocol_text(const char *string)
{
    return (struct protocol_text){string, strlen(string)};
}

static int protocol_compare(struct protocol_text text, const char *string)
{
    size_t length = strlen(string);
    size_t least = text.length < length ? text.length : length;
    int order = least ? memcmp(text.at, string, least) : 0;
    return order ? order : (text.length > length) - (text.length < length);
}

bool protocol_is(struct protocol_text text, const char *string)
{
    return protocol_compare(text, string) == 0;
}

bool protocol_starts(struct protocol_text text, const char *prefix)
{
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.at, prefix, length) == 0;
}

bool protocol_holds(struct protocol_text text, const char *piece)
{
    size_t length = strlen(piece);
    for (size_t i = 0; i + length <= text.length; ++i)
        if (memcmp(text.at + i, piece, length) == 0)
            return true;
    return false;
}

/* --- UTF-8 --- */

/* The number of bytes of the valid character at text[0..length), 0 when there is none (Unicode 15,
 * table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t protocol_character(const uint8_t *text, size_t length)
{
    uint8_t first = text[0];
    if (first < 0x80)
        return 1;
    size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || bytes > length)
        return 0;
    uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < bytes; ++i)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return bytes;
}

/* Whether it is a character that could control a terminal or end a string. */
static bool protocol_control(const uint8_t *text, size_t bytes)
{
    if (bytes == 1)
        return (text[0] < 0x20 && text[0] != '\n') || text[0] == 0x7F;
    return bytes == 2 && text[0] == 0xC2 && text[1] < 0xA0;
}

size_t protocol_repair(char *text, size_t length)
{
    size_t changed = 0;
    for (size_t i = 0; i < length;) {
        const uint8_t *at = (const uint8_t *)text + i;
        size_t bytes = protocol_character(at, length - i);
        if (bytes == 0 || protocol_control(at, bytes)) {
            bytes = bytes ? bytes : 1;
            memset(text + i, '?', bytes);
            changed += bytes;
        }
        i += bytes;
    }
    return changed;
}

/* --- slices --- */

struct protocol_text protocol_take(struct protocol_text *text, char separator)
{
    struct protocol_text piece = *text;
    const char *end = text->length ? memchr(text->at, separator, text->length) : NULL;
    if (end) {
        piece.length = (size_t)(end - text->at);
        text->at = end + 1;
        text->length -= piece.length + 1;
    } else {
        text->at = text->length ? text->at + text->length : text->at;
        text->length = 0;
    }
    return piece;
}

bool protocol_next(struct protocol_text *text, struct protocol_text *line)
{
    if (text->length == 0)
        return false;
    *line = protocol_take(text, '\n');
    return true;
}

int protocol_number(struct protocol_text text)
{
    int value = -1;
    for (size_t i = 0; i < text.length && i < 7; ++i) {
        if (text.at[i] < '0' || text.at[i] > '9')
            break;
        value = (value < 0 ? 0 : value) * 10 + (text.at[i] - '0');
    }
    return value > 999999 ? -1 : value;
}

void protocol_copy(struct protocol_text text, char *out, size_t size)
{
    size_t length = text.length < size ? text.length : size - 1;
    if (length < text.length) /* do not cut a character in two */
        while (length > 0 && ((uint8_t)text.at[length] & 0xC0) == 0x80)
            --length;
    if (length)
        memcpy(out, text.at, length);
    memset(out + length, 0, size - length);
}

void protocol_id(struct protocol_text text, char *out, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length && length + 1 < size; ++i) {
        char c = text.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            out[length++] = c;
    }
    memset(out + length, 0, size - length);
}

static struct protocol_text protocol_skip(struct protocol_text text, size_t bytes)
{
    if (bytes) {
        text.at += bytes;
        text.length -= bytes;
    }
    while (text.length && text.at[0] == ' ') {
        ++text.at;
        --text.length;
    }
    return text;
}

char protocol_effect(struct protocol_text text, char *id, size_t size)
{
    static const char *const what[] = {"ability:", "item:", "move:"};
    for (int i = 0; i < 3; ++i) {
        if (protocol_starts(text, what[i])) {
            protocol_id(protocol_skip(text, strlen(what[i])), id, size);
            return what[i][0];
        }
    }
    protocol_id(text, id, size);
    return 0;
}

/* --- lines --- */

static const struct protocol_word *protocol_find(const struct protocol_word *words, size_t count,
                                                 struct protocol_text word)
{
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        int order = protocol_compare(word, words[low + half].word);
        if (order == 0)
            return &words[low + half];
        if (order > 0) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return NULL;
}

/* Reads a tag such as "[from] item: Leftovers"; false: it is no tag. */
static bool protocol_tag(struct protocol_text piece, struct protocol_line *out)
{
    if (piece.length < 3 || piece.at[0] != '[')
        return false;
    if (protocol_starts(piece, "[from]")) {
        out->from = protocol_skip(piece, 6);
        return true;
    }
    if (protocol_starts(piece, "[of]")) {
        out->of = protocol_skip(piece, 4);
        return true;
    }
    if (protocol_starts(piece, "[ability]"))
        out->ability = protocol_skip(piece, 9);
    /* A title such as "[Gen 8] Random Battle" is an argument: tags have only small letters. */
    const char *end = memchr(piece.at, ']', piece.length);
    for (const char *c = piece.at + 1; end && c < end; ++c)
        if (*c < 'a' || *c > 'z')
            return false;
    out->eaten |= protocol_is(piece, "[eat]");
    out->silent |= protocol_is(piece, "[silent]");
    return end != NULL;
}

static void protocol_arguments(struct protocol_text rest, struct protocol_line *out)
{
    bool more = rest.length > 0;
    while (more) {
        more = memchr(rest.at, '|', rest.length) != NULL;
        struct protocol_text piece = protocol_take(&rest, '|');
        if (!protocol_tag(piece, out) && out->arg_count < PROTOCOL_ARGS)
            out->args[out->arg_count++] = piece;
        if (rest.length == 0)
            break;
    }
}

void protocol_parse(struct protocol_text line, struct protocol_line *out)
{
    memset(out, 0, sizeof *out);
    if (line.length == 0 || protocol_is(line, "|"))
        return;
    if (line.at[0] != '|') {
        out->kind = PROTOCOL_TEXT;
        out->rest = line;
        return;
    }
    out->rest = (struct protocol_text){line.at + 1, line.length - 1};
    out->word = protocol_take(&out->rest, '|');
    if (out->word.length == 0) { /* "||text" is text */
        out->kind = out->rest.length ? PROTOCOL_TEXT : PROTOCOL_EMPTY;
        return;
    }
    protocol_arguments(out->rest, out);
    const struct protocol_word *word =
        protocol_find(protocol_acted, sizeof protocol_acted / sizeof *protocol_acted, out->word);
    if (!word)
        word = protocol_find(protocol_passed, sizeof protocol_passed / sizeof *protocol_passed,
                             out->word);
    if (!word)
        out->kind = PROTOCOL_UNKNOWN;
    else
        out->kind = out->arg_count < word->least ? PROTOCOL_BROKEN : word->kind;
}

/* --- reading arguments --- */

struct protocol_pokemon protocol_pokemon(struct protocol_text text)
{
    struct protocol_pokemon out = {.side = -1};
    if (text.length < 3 || text.at[0] != 'p' || (text.at[1] != '1' && text.at[1] != '2'))
        return out;
    int side = text.at[1] - '1';
    struct protocol_text rest = protocol_skip(text, 2);
    if (rest.length && rest.at[0] >= 'a' && rest.at[0] <= 'c') {
        out.active = true;
        rest = protocol_skip(rest, 1);
    }
    if (rest.length == 0 || rest.at[0] != ':')
        return out;
    out.side = side;
    out.name = protocol_skip(rest, 1);
    return out;
}

struct protocol_details protocol_details(struct protocol_text text)
{
    struct protocol_details out = {.level = 100, .gender = 'N'};
    out.species = protocol_take(&text, ',');
    while (text.length) {
        struct protocol_text piece = protocol_skip(protocol_take(&text, ','), 0);
        int level = piece.length > 1 && piece.at[0] == 'L'
                        ? protocol_number((struct protocol_text){piece.at + 1, piece.length - 1})
                        : -1;
        if (level >= 1 && level <= 100)
            out.level = level;
        else if (protocol_is(piece, "M") || protocol_is(piece, "F"))
            out.gender = piece.at[0];
    }
    return out;
}

struct protocol_condition protocol_condition(struct protocol_text text)
{
    struct protocol_condition out = {.hp = 0};
    struct protocol_text health = protocol_take(&text, ' ');
    out.status = protocol_skip(protocol_take(&text, ' '), 0);
    struct protocol_text now = protocol_take(&health, '/');
    int hp = protocol_number(now), max = protocol_number(health);
    out.hp = hp > 0 ? hp : 0;
    out.hp_max = max > 0 ? max : 0;
    if (out.hp_max && out.hp > out.hp_max)
        out.hp = out.hp_max;
    out.fainted = protocol_is(out.status, "fnt") || (hp == 0 && out.hp_max == 0);
    if (out.fainted) {
        out.hp = 0;
        out.status.length = 0;
    }
    return out;
}
