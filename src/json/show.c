/* Writes numbers, texts and actions, the smallest parts of the JSON output. */
#include "json/show.h"

#include <math.h>

json_t *show_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *show_text(char *text)
{
    json_t *out = json_string(text);
    char *end = text;
    for (const char *at = text; !out && *at; ++at)
        if ((unsigned char)*at < 0x80)
            *end++ = *at;
    if (!out)
        *end = 0;
    return out ? out : json_string(text);
}

char *show_action(const struct banyan_game *game, const void *state, int player,
                  banyan_action action, char *out, size_t size)
{
    game->action_format(game, state, player, action, out, size);
    return out;
}
