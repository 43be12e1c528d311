/* Converts positions that other programs have written to the game's own text. */
#include "cli/setup.h"

#include "games/bloodbowl/text.h"
#include "records/bloodbowl_position.h"

#include <stdlib.h>
#include <string.h>

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
