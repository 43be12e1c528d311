/* Texts of players: adds options to them, and puts them into one form, so that texts of the same
 * player compare equal. */
#include "players/player.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { KEY_WORDS = 128, KEY_WORD = 1024, KEY_TEXT = 8192 };

/* Ranks of words; the options of mcts follow in the order of their table. */
enum { KEY_FILE, KEY_OTHER, KEY_TABLE };

/* One word of "NAME:word,word,...". */
struct key_word {
    int rank;
    const char *text; /* [length], in the caller's text or in key.values */
    size_t length;
};

struct key {
    struct key_word words[KEY_WORDS];
    int count;
    char values[KEY_TEXT]; /* the words that were written anew, one after another */
    size_t used;
};

/* The length of the word at text; commas in parentheses belong to it. */
static size_t key_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); ++length)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

/* Writes the word of an option of mcts into key->values; other words stay as they are. */
static struct key_word key_word(struct key *key, const char *at, size_t length)
{
    char copy[KEY_WORD];
    struct key_word word = {memchr(at, '=', length) ? KEY_OTHER : KEY_FILE, at, length};
    struct text text = text_start(key->values + key->used, sizeof key->values - key->used);
    if (length == 0 || length >= sizeof copy)
        return word;
    memcpy(copy, at, length);
    copy[length] = 0;
    int index = player_mcts_add_option(&text, copy);
    if (index < 0 || text.length >= text.size)
        return word;
    key->used += text.length;
    return (struct key_word){KEY_TABLE + index, text.out, text.length};
}

/* Whether a is placed after b: by rank; options that only the player knows, by their names.
 * Words of one option keep their order, because the last one counts. */
static bool key_after(const struct key_word *a, const struct key_word *b)
{
    if (a->rank != KEY_OTHER || b->rank != KEY_OTHER)
        return a->rank > b->rank;
    size_t of_a = strcspn(a->text, "="), of_b = strcspn(b->text, "=");
    int order = memcmp(a->text, b->text, of_a < of_b ? of_a : of_b);
    return order > 0 || (order == 0 && of_a > of_b);
}

/* Reads the words of text into key, in the order of key_after; false: there are too many. */
static bool key_read(struct key *key, const char *text)
{
    while (*text) {
        size_t length = key_length(text);
        if (key->count == KEY_WORDS)
            return false;
        struct key_word word = key_word(key, text, length);
        int at = key->count++;
        for (; at > 0 && key_after(&key->words[at - 1], &word); --at)
            key->words[at] = key->words[at - 1];
        key->words[at] = word;
        text += length + (text[length] == ',');
    }
    return true;
}

int player_with(const char *text, const char *options, char *out, size_t size)
{
    const char *between = !*options ? "" : strchr(text, ':') ? "," : ":";
    return snprintf(out, size, "%s%s%s", text, between, options);
}

int player_key(const char *text, char *out, size_t size)
{
    struct key key;
    size_t name = strcspn(text, ":");
    key.count = 0;
    key.used = 0;
    if (!text[name] || strncmp(text, "exec:", 5) == 0 || !key_read(&key, text + name + 1))
        return snprintf(out, size, "%s", text);
    struct text writer = text_start(out, size);
    text_add(&writer, "%.*s:", (int)name, text);
    for (int i = 0; i < key.count; ++i)
        text_add(&writer, "%s%.*s", i ? "," : "", (int)key.words[i].length, key.words[i].text);
    return (int)writer.length;
}
