/* Reads what command lines say about positions: positions that other programs have written, seats. */
#include "cli/setup.h"

#include "games/bloodbowl/text.h"
#include "records/bloodbowl_position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int setup_seat(const struct banyan_game *game, const char *text)
{
    for (int seat = 0; seat < game->players; ++seat) {
        char number[16];
        snprintf(number, sizeof number, "%d", seat + 1);
        if (strcmp(text, number) == 0 || strcasecmp(text, banyan_game_player_name(game, seat)) == 0)
            return seat;
    }
    return -1;
}

enum banyan_status setup_text(const struct banyan_game *game, const char *setup, char *out,
                              const char **text, struct banyan_error *err)
{
    struct bb_state s;
    size_t blanks = setup ? strspn(setup, " \t\n") : 0;
    *text = setup;
    if (!setup || setup[blanks] != '{' || strncmp(game->name, "bloodbowl", 9) != 0)
        return BANYAN_OK;
    enum banyan_status status = bloodbowl_position_parse(setup, strlen(setup), &s, err);
    if (status == BANYAN_OK)
        bb_format(&s, out, BANYAN_TEXT_MAX);
    *text = out;
    const char *size = game->name[9] ? game->name + 10 : "11"; /* bloodbowl-5 */
    if (status == BANYAN_OK && bb_variants[s.variant].number != (int)strtol(size, NULL, 10))
        status = banyan_fail(err, BANYAN_INVALID, "the position is one of bloodbowl-%d, not of %s",
                             bb_variants[s.variant].number, game->name);
    return status;
}
