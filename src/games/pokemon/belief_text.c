/* Writes and reads beliefs as text, so that a recorded decision can be repeated. */
#include "games/pokemon/belief.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int belief_format(const struct belief *belief, char *out, size_t size)
{
    struct text text = text_start(out, size);
    text_add(&text, "viewer=%d trapped=%d", belief->viewer, belief->trapped);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct belief_mon *mon = &belief->mons[i];
        text_add(&text, " | %d", i);
        if (mon->brought_known)
            text_add(&text, " brought=%s", mon->brought ? dex_items[mon->brought].id : "none");
        for (int k = 0; k < BELIEF_SETS; ++k)
            if (mon->factor[k] != 1)
                text_add(&text, " %d:%.9g", k, (double)mon->factor[k]);
    }
    return (int)text.length;
}

static bool belief_parse_word(struct belief *belief, int mon, char *word)
{
    char *value = strpbrk(word, "=:"), *end;
    if (!value)
        return false;
    char separator = *value;
    *value++ = 0;
    if (strcmp(word, "brought") == 0) {
        belief->mons[mon].brought_known = true;
        belief->mons[mon].brought = (uint8_t)dex_find_item(value);
        return belief->mons[mon].brought || strcmp(value, "none") == 0;
    }
    if (separator == ':') {
        long candidate = strtol(word, &end, 10);
        float factor = strtof(value, &end);
        if (candidate < 0 || candidate >= BELIEF_SETS || *end || !(factor >= 0) || factor > 1e9f)
            return false;
        belief->mons[mon].factor[candidate] = factor;
        return true;
    }
    long number = strtol(value, &end, 10);
    if (*end || end == value)
        return false;
    if (strcmp(word, "viewer") == 0 && number >= 0 && number <= 1)
        belief->viewer = (int)number;
    else if (strcmp(word, "trapped") == 0 && number >= -1 && number <= 1)
        belief->trapped = (int)number;
    else
        return false;
    return true;
}

enum banyan_status belief_parse(struct belief *belief, const char *text, struct banyan_error *err)
{
    int mon = 0;
    bool number = false;
    belief_start(belief, 0);
    for (;;) {
        char word[64];
        size_t length;
        text += strspn(text, " ");
        length = strcspn(text, " ");
        if (!length)
            return BANYAN_OK;
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text);
        text += length;
        if (number && word[0] >= '0' && word[0] < '0' + POKEMON_TEAM && !word[1])
            mon = word[0] - '0';
        else if (strcmp(word, "|") != 0 && !belief_parse_word(belief, mon, word))
            return banyan_fail(err, BANYAN_INVALID, "'%s' is not a setting of a belief", word);
        number = strcmp(word, "|") == 0;
    }
}
