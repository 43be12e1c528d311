/* Describes games, options and positions as JSON for the page. */
#include "web/describe.h"

#include "base/options.h"
#include "players/player.h"
#include "players/program/offers.h"
#include "web/board.h"
#include "web/cards.h"
#include "json/show.h"

#include <banyan/search.h>

#include <stdlib.h>
#include <string.h>

enum { DESCRIBE_VALUE = 256, DESCRIBE_PICTURE = 64 << 10 };

/* --- games --- */

static json_t *describe_names(const struct banyan_game *game)
{
    json_t *names = json_array();
    for (int p = 0; p < game->players; ++p)
        json_array_append_new(names, json_string(banyan_game_player_name(game, p)));
    return names;
}

static json_t *describe_game(const struct banyan_game *game)
{
    const char *const *levels;
    return json_pack(
        "{s:s, s:s, s:o, s:b, s:b, s:b, s:b, s:f, s:f, s:i, s:i, s:s}", "name", game->name, "title",
        game->title, "players", describe_names(game), "chance", (game->traits & BANYAN_CHANCE) != 0,
        "simultaneous", (game->traits & BANYAN_SIMULTANEOUS) != 0, "hidden",
        (game->traits & BANYAN_HIDDEN) != 0, "zero_sum", (game->traits & BANYAN_ZERO_SUM) != 0,
        "return_min", (double)game->return_min, "return_max", (double)game->return_max, "max_legal",
        game->max_legal, "levels", player_levels(game, &levels), "best", player_best_of(game));
}

json_t *describe_games(void)
{
    json_t *games = json_array();
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        json_array_append_new(games, describe_game(game));
    return games;
}

/* --- options --- */

static json_t *describe_choices(const struct banyan_option *option)
{
    json_t *choices = json_array();
    for (int i = 0; option->type == BANYAN_OPTION_CHOICE && option->choices[i]; ++i)
        json_array_append_new(choices, json_string(option->choices[i]));
    return choices;
}

static const char *describe_kind(enum banyan_option_type type)
{
    switch (type) {
    case BANYAN_OPTION_BOOL:
        return "switch";
    case BANYAN_OPTION_CHOICE:
        return "choice";
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_INT64:
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_SEED:
        return "number";
    default: /* sizes and times are texts, because they have units */
        return "text";
    }
}

json_t *describe_options(void)
{
    struct banyan_search_options defaults;
    json_t *rows = json_array();
    banyan_search_options_default(&defaults);
    for (const struct banyan_option *o = banyan_search_option_table(); o->name; ++o) {
        char value[DESCRIBE_VALUE];
        struct text text = text_start(value, sizeof value);
        options_add_value(&text, o, &defaults);
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", o->name, "kind",
                                              describe_kind(o->type), "help", o->help, "value",
                                              value, "choices", describe_choices(o)));
    }
    return rows;
}

static void describe_offers(const struct banyan_offer *list, json_t *out)
{
    for (const struct banyan_offer *o = list; o && o->name; ++o)
        if (o->evaluator)
            json_array_append_new(out, json_pack("{s:s, s:s, s:s}", "name", o->name, "arguments",
                                                 o->args, "help", o->help));
}

json_t *describe_evaluators(const struct banyan_game *game)
{
    json_t *out = json_array();
    describe_offers(banyan_evaluator_list(), out);
    describe_offers(program_offers, out);
    describe_offers(game->offers, out);
    return out;
}

/* --- positions --- */

/* An action: its text, its words and a note, where the game has them, and its cells on the board. */
static json_t *describe_action(const struct banyan_game *game, const void *state, int player,
                               banyan_action action)
{
    char text[BANYAN_TEXT_MAX], words[BANYAN_TEXT_MAX] = "";
    show_action(game, state, player, action, text, sizeof text);
    if (game->describe)
        game->describe(game, state, player, action, words, sizeof words);
    char *note = strchr(words, '\t');
    if (note)
        *note++ = 0;
    return json_pack("{s:s, s:s, s:s, s:o}", "action", text, "words", words, "note",
                     note ? note : "", "cells", board_cells_json(game, state, player, action));
}

static json_t *describe_legal(const struct banyan_game *game, const void *state, int player)
{
    json_t *rows = json_array();
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    int count = legal ? game->legal(game, state, player, legal) : 0;
    for (int i = 0; i < count; ++i)
        json_array_append_new(rows, describe_action(game, state, player, legal[i]));
    free(legal);
    return json_pack("{s:i, s:o}", "player", player, "actions", rows);
}

static json_t *describe_returns(const struct banyan_game *game, const void *state)
{
    float values[BANYAN_MAX_PLAYERS];
    json_t *out = json_array();
    game->returns(game, state, values);
    for (int p = 0; p < game->players; ++p)
        json_array_append_new(out, show_number(values[p]));
    return out;
}

typedef int describe_text_fn(const struct banyan_game *game, const void *state, int viewer,
                             char *out, size_t size);

/* The text that a function of the game writes about the state; null: the game has no such
 * function. */
static json_t *describe_text(const struct banyan_game *game, const void *state, int viewer,
                             describe_text_fn *write)
{
    int length = write ? write(game, state, viewer, NULL, 0) : 0;
    char *text = length > 0 && length < DESCRIBE_PICTURE ? malloc((size_t)length + 1) : NULL;
    if (!text)
        return json_null();
    write(game, state, viewer, text, (size_t)length + 1);
    json_t *out = json_string(text);
    free(text);
    return out ? out : json_null();
}

json_t *describe_position(const struct banyan_game *game, const void *state, int viewer,
                          unsigned eyes)
{
    char text[BANYAN_TEXT_MAX] = "";
    unsigned movers = game->movers(game, state);
    json_t *legal = json_array(), *who = json_array();
    if (viewer < 0)
        game->format(game, state, text, sizeof text);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        json_array_append_new(who, json_integer(p));
        if (eyes >> p & 1)
            json_array_append_new(legal, describe_legal(game, state, p));
    }
    json_t *out = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "text", text, "board",
        board_json(game, state, viewer), "drawing", describe_text(game, state, viewer, game->draw),
        "svg", describe_text(game, state, viewer, game->svg), "sheet",
        describe_text(game, state, viewer, game->sheet), "movers", who, "legal", legal);
    json_object_set_new(out, "cards", cards_json(game, state, viewer));
    if (!movers)
        json_object_set_new(out, "returns", describe_returns(game, state));
    return out;
}
