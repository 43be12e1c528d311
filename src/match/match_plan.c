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

void match_plan_leave(struct match_plan *plan)
{
    for (int seat = 0; seat < BANYAN_MAX_PLAYERS; ++seat)
        for (int i = 0; i < MATCH_MAX_PLAYERS; ++i) {
            free(plan->handicapped[seat][i]);
            plan->handicapped[seat][i] = NULL;
        }
}

void match_plan_free(struct match_plan *plan)
{
    match_plan_leave(plan);
    opening_list_free(&plan->openings);
}

enum banyan_status match_plan_check(const struct match_plan *plan, struct banyan_error *err)
{
    const struct match_options *options = plan->options;
    if (plan->count < 1 || plan->count > MATCH_MAX_PLAYERS)
        return banyan_fail(err, BANYAN_INVALID, "a match has 1 to %d players", MATCH_MAX_PLAYERS);
    if (plan->game->players > 1 && plan->count > plan->game->players)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is for %d players, not %d", plan->game->name,
                           plan->game->players, plan->count);
    if (options->use_sprt && !(plan->count == 2 && plan->game->players == 2))
        return banyan_fail(err, BANYAN_INVALID, "SPRT is for two players of a two-player game");
    for (int i = 0; i < plan->count; ++i)
        if (strcmp(plan->specs[i], "human") == 0)
            return banyan_fail(err, BANYAN_INVALID,
                               "a human cannot play in a match: use `banyan play`");
    return BANYAN_OK;
}

const char *match_plan_text(const struct match_plan *plan, int seat, int player)
{
    const char *text = plan->handicapped[seat][player];
    return text ? text : plan->specs[player];
}
