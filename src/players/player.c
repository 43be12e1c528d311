/* Creates players by name: those that every game has, and those that the caller and the game
 * offer. */
#include "players/player.h"

#include "base/offers.h"
#include "base/struct_size.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const struct banyan_offer player_list[] = {
    {"random", "", "any legal action, all equally likely", NULL, player_random_create},
    {"first", "", "the legal action whose text comes first in the alphabet", NULL,
     player_first_create},
    {"perfect", "memory=256M", "exact play in small games, any of the best actions", NULL,
     player_perfect_create},
    {"mcts", "simulations=1000,...", "Monte Carlo tree search", NULL, player_mcts_create},
    {"best", "time=500ms,...",
     "the strongest player of the game (`banyan list GAME`), and its options", NULL,
     player_best_create},
    {"level", "N", "a player of this strength, 1 being the weakest (`banyan list GAME`)", NULL,
     player_level_create},
    {0},
};

const struct banyan_offer *banyan_player_list(void)
{
    return player_list;
}

/* Checks that the player which an offer made can be used. */
static enum banyan_status player_check(const struct banyan_player *player,
                                       const struct banyan_offer *offer, struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_player", player->struct_size, sizeof *player, err);
    if (status == BANYAN_OK && (!player->open || !player->choose))
        status = banyan_fail(err, BANYAN_INVALID, "the offer '%s' made a player without %s",
                             offer->name, player->open ? "choose" : "open");
    return status;
}

enum banyan_status banyan_player_create(const struct banyan_game *game, const char *text,
                                        const struct banyan_offer *offers, uint64_t seed,
                                        struct banyan_player *out, struct banyan_error *err)
{
    const struct offers all = {game, offers, player_list, OFFERS_PLAYER};
    const struct banyan_offer *offer;
    const char *args;
    *out = (struct banyan_player){.struct_size = sizeof *out};
    enum banyan_status status = offers_find(&all, text, &offer, &args, err);
    if (status == BANYAN_OK)
        status = offer->player(game, args, offers, seed, out, err);
    if (status != BANYAN_OK) { /* nothing was made */
        memset(out, 0, sizeof *out);
        return status;
    }
    status = player_check(out, offer, err);
    if (status != BANYAN_OK)
        banyan_player_close(out);
    else if (!out->name[0])
        snprintf(out->name, sizeof out->name, "%s", text);
    return status;
}

void banyan_player_close(struct banyan_player *player)
{
    if (player->close)
        player->close(player->ctx);
    memset(player, 0, sizeof *player);
}

enum banyan_status player_no_args(const char *name, const char *args, struct banyan_error *err)
{
    if (!*args)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_INVALID, "player '%s' takes no options, but has '%.60s'", name,
                       args);
}

int player_help(const struct banyan_offer *list, char *out, size_t size)
{
    struct text text = text_start(out, size);
    for (const struct banyan_offer *offer = list; offer->name; ++offer)
        if (offer->player)
            text_add(&text, "  %s%s%s\n      %s\n", offer->name, *offer->args ? ":" : "",
                     offer->args, offer->help);
    return (int)text.length;
}
