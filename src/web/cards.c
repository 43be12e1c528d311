/* Writes what a seat knows as JSON. */
#include "web/cards.h"

#include <banyan/observe.h>

#include <stdlib.h>

enum { CARDS_TEXT = 64 << 10 };

json_t *cards_json(const struct banyan_game *game, const void *state, int viewer)
{
    json_t *out = NULL;
    if (viewer < 0 || !game->observe || !(game->traits & BANYAN_HIDDEN))
        return json_null();
    float *numbers = calloc((size_t)banyan_observation_size(game), sizeof *numbers);
    char *text = malloc(CARDS_TEXT);
    if (numbers && text) {
        banyan_observe(game, state, viewer, numbers);
        if (banyan_observation_json(game, numbers, text, CARDS_TEXT) < CARDS_TEXT)
            out = json_loads(text, 0, NULL);
    }
    free(numbers);
    free(text);
    return out ? out : json_null();
}
