/* Creates players by name: those that every game has, and those that the game offers. */
#include "players/player.h"

#include "base/text.h"

#include <banyan/evaluator.h>
#include <banyan/options.h>

#include <stdio.h>
#include <string.h>

enum { PLAYER_NAMES_MAX = 32 };

const struct player_kind player_kinds[] = {
    {"random", "", "any legal action, all equally likely", player_random_create},
    {"first", "", "the legal action whose text comes first", player_first_create},
    {"perfect", "memory=256M", "exact play in small games, any of the best actions",
     player_perfect_create},
    {"mcts", "simulations=1000,...", "Monte Carlo tree search", player_mcts_create},
    {"exec", "CMD", "an outside program (docs/protocol.md); exec:gtp:CMD for one that speaks GTP",
     player_exec_create},
    {"human", "", "you, at this terminal", player_human_create},
    {NULL, NULL, NULL, NULL},
};

/* Names of all that can be asked for, NULL at the end. */
static void player_names(const struct banyan_game *game, const char *names[PLAYER_NAMES_MAX + 1])
{
    int count = 0;
    for (const struct player_kind *kind = player_kinds; kind->name; ++kind)
        names[count++] = kind->name;
    for (const struct banyan_offer *offer = game->offers; offer && offer->name; ++offer)
        if (offer->player && count < PLAYER_NAMES_MAX)
            names[count++] = offer->name;
    names[count] = NULL;
}

static enum banyan_status player_unknown(const struct banyan_game *game, const char *name,
                                         struct banyan_error *err)
{
    const char *names[PLAYER_NAMES_MAX + 1];
    char listed[300];
    struct text text = text_start(listed, sizeof listed);
    player_names(game, names);
    for (int i = 0; names[i]; ++i)
        text_add(&text, "%s%s", i ? ", " : "", names[i]);
    const char *near = banyan_options_nearest(name, names);
    return banyan_fail(err, BANYAN_NOT_FOUND, "no player '%.40s'%s%s%s; there are: %s", name,
                       near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "", listed);
}

static player_create_fn *player_find(const struct banyan_game *game, const char *name)
{
    for (const struct player_kind *kind = player_kinds; kind->name; ++kind)
        if (strcmp(kind->name, name) == 0)
            return kind->create;
    for (const struct banyan_offer *offer = game->offers; offer && offer->name; ++offer)
        if (offer->player && strcmp(offer->name, name) == 0)
            return offer->player;
    return NULL;
}

enum banyan_status banyan_player_create(const struct banyan_game *game, const char *text,
                                        uint64_t seed, struct banyan_player *out,
                                        struct banyan_error *err)
{
    char name[48];
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, text, length);
    name[length] = 0;
    memset(out, 0, sizeof *out);
    player_create_fn *create = player_find(game, name);
    if (!create)
        return player_unknown(game, name, err);
    enum banyan_status status = create(game, colon ? colon + 1 : "", seed, out, err);
    if (status != BANYAN_OK) {
        memset(out, 0, sizeof *out);
        return status;
    }
    if (!out->name[0])
        snprintf(out->name, sizeof out->name, "%s", text);
    return BANYAN_OK;
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

int player_help(const struct banyan_game *game, char *out, size_t size)
{
    struct text text = text_start(out, size);
    for (const struct player_kind *kind = player_kinds; kind->name; ++kind)
        text_add(&text, "  %s%s%s\n      %s\n", kind->name, *kind->args ? ":" : "", kind->args,
                 kind->help);
    for (const struct banyan_offer *offer = game ? game->offers : NULL; offer && offer->name;
         ++offer)
        if (offer->player)
            text_add(&text, "  %s\n      %s\n", offer->name, offer->help);
    return (int)text.length;
}
