/* The texts of the players of a match, with the handicaps of seats. */
#include "match/match_game.h"
#include "players/player.h"

#include <stdlib.h>
#include <string.h>

static enum banyan_status match_plan_handicap(struct match_plan *plan, int seat, int player,
                                              struct banyan_error *err)
{
    const char *spec = plan->specs[player], *options = plan->options->handicaps[seat];
    size_t size = strlen(spec) + strlen(options) + 2;
    char *text = malloc(size);
    if (!text)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    player_with(spec, options, text, size);
    plan->handicapped[seat][player] = text;
    return BANYAN_OK;
}

enum banyan_status match_plan_handicaps(struct match_plan *plan, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int seat = 0; seat < plan->game->players; ++seat)
        for (int i = 0; plan->options->handicaps[seat] && i < plan->count; ++i)
            if (status == BANYAN_OK)
                status = match_plan_handicap(plan, seat, i, err);
    return status;
}

void match_plan_free(struct match_plan *plan)
{
    for (int seat = 0; seat < BANYAN_MAX_PLAYERS; ++seat)
        for (int i = 0; i < MATCH_MAX_PLAYERS; ++i)
            free(plan->handicapped[seat][i]);
    opening_list_free(&plan->openings);
}

const char *match_plan_text(const struct match_plan *plan, int seat, int player)
{
    const char *text = plan->handicapped[seat][player];
    return text ? text : plan->specs[player];
}
