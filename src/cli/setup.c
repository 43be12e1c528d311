/* Parses words of command lines: positions that other programs have written, and names of seats. */
#include "cli/setup.h"

#include "games/bloodbowl/text.h"
#include "records/bloodbowl_position.h"
#include "records/sgf.h"

#include <limits.h>
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

/* Turns a game in SGF into Banyan's text for its settings and moves: out[BANYAN_TEXT_MAX]. */
static enum banyan_status setup_sgf(const struct banyan_game *game, const char *setup, char *out,
                                    struct banyan_error *err)
{
    struct sgf_game *sgf = malloc(sizeof *sgf);
    if (!sgf)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a position");
    enum banyan_status status = sgf_read(setup, strlen(setup), INT_MAX, sgf, err);
    if (status == BANYAN_OK && sgf->game != game)
        status = banyan_fail(err, BANYAN_INVALID, "the position is one of %s, not of %s",
                             sgf->game->name, game->name);
    struct text text = text_start(out, BANYAN_TEXT_MAX);
    if (status == BANYAN_OK)
        text_add(&text, "%s moves:%s", sgf->settings, sgf->moves);
    free(sgf);
    return text.length < BANYAN_TEXT_MAX
               ? status
               : banyan_fail(err, BANYAN_UNSUPPORTED, "the game has too many moves");
}

enum banyan_status setup_text(const struct banyan_game *game, const char *setup, char *out,
                              const char **text, struct banyan_error *err)
{
    struct bb_state s;
    size_t blanks = setup ? strspn(setup, " \t\n") : 0;
    *text = setup;
    if (setup && sgf_claims(setup) && sgf_serves(game)) {
        *text = out;
        return setup_sgf(game, setup, out, err);
    }
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
