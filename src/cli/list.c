/* banyan list: prints games, players, evaluators and rules. */
#include "cli/cli.h"
#include "cli/show.h"

#include "players/program/offers.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>
#include <string.h>

enum { LIST_TEXT = 128 }; /* longest text of an evaluator or player with its arguments */

struct list {
    bool json;
    const struct banyan_game *game; /* only this one; NULL: all */
};

static const struct argp_option list_options[] = {
    {"json", 'j', NULL, 0, "Print JSON (docs/json.md)", 0}, {0}};

static error_t list_option(int key, char *arg, struct argp_state *state)
{
    struct list *list = state->input;
    if (key == 'j')
        list->json = true;
    else if (key == ARGP_KEY_ARG && state->arg_num == 0)
        list->game = cli_game(state, arg);
    else if (key == ARGP_KEY_ARG)
        cli_too_many(state, arg);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static json_t *list_game_json(const struct banyan_game *game)
{
    json_t *offers = json_array();
    for (const struct banyan_offer *o = game->offers; o && o->name; ++o)
        json_array_append_new(offers, json_pack("{s:s, s:s, s:s, s:b, s:b}", "name", o->name,
                                                "arguments", o->args, "help", o->help, "evaluator",
                                                o->evaluator != NULL, "player", o->player != NULL));
    json_t *policies = json_array();
    for (int i = 0; game->rollout_policies && game->rollout_policies[i]; ++i)
        json_array_append_new(policies, json_string(game->rollout_policies[i]));
    json_t *levels = json_array();
    const char *const *texts;
    int count = player_levels(game, &texts);
    for (int i = 0; i < count; ++i)
        json_array_append_new(levels, json_string(texts[i]));
    return json_pack(
        "{s:s, s:s, s:i, s:b, s:b, s:b, s:b, s:I, s:i, s:i, s:f, s:f, s:o, s:o, s:s, s:o}", "name",
        game->name, "title", game->title, "players", game->players, "chance",
        (game->traits & BANYAN_CHANCE) != 0, "simultaneous",
        (game->traits & BANYAN_SIMULTANEOUS) != 0, "hidden", (game->traits & BANYAN_HIDDEN) != 0,
        "zero_sum", (game->traits & BANYAN_ZERO_SUM) != 0, "state_bytes",
        (json_int_t)game->state_size, "max_legal", game->max_legal, "max_plies", game->max_plies,
        "return_min", (double)game->return_min, "return_max", (double)game->return_max,
        "rollout_policies", policies, "offers", offers, "best", player_best_of(game), "levels",
        levels);
}

/* Options of the search whose choices are listed on a line of their own. */
static const char *const list_choices[] = {"rule", "final", "opponents", NULL};

/* "NAME:ARGS", or "NAME" if the offer takes no arguments. */
static const char *list_text_of(const struct banyan_offer *offer, char *out, size_t size)
{
    snprintf(out, size, "%s%s%s", offer->name, *offer->args ? ":" : "", offer->args);
    return out;
}

static const char *const *list_find_choices(const char *name)
{
    for (const struct banyan_option *o = banyan_search_option_table(); o->name; ++o)
        if (strcmp(o->name, name) == 0)
            return o->choices;
    return NULL;
}

static json_t *list_choices_json(const char *name)
{
    json_t *out = json_array();
    for (const char *const *choice = list_find_choices(name); choice && *choice; ++choice)
        json_array_append_new(out, json_string(*choice));
    return out;
}

static void list_players_json(const struct banyan_offer *list, json_t *out)
{
    for (const struct banyan_offer *o = list; o->name; ++o)
        if (o->player)
            json_array_append_new(out, json_pack("{s:s, s:s, s:s}", "name", o->name, "arguments",
                                                 o->args, "help", o->help));
}

static void list_evaluators_json(const struct banyan_offer *list, json_t *out)
{
    for (const struct banyan_offer *o = list; o->name; ++o) {
        char text[LIST_TEXT];
        if (o->evaluator)
            json_array_append_new(out,
                                  json_pack("{s:s, s:s}", "text",
                                            list_text_of(o, text, sizeof text), "help", o->help));
    }
}

static void list_json(void)
{
    json_t *players = json_array(), *evaluators = json_array(), *out;
    list_players_json(banyan_player_list(), players);
    list_players_json(program_offers, players);
    list_evaluators_json(banyan_evaluator_list(), evaluators);
    list_evaluators_json(program_offers, evaluators);
    json_t *games = json_array();
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        json_array_append_new(games, list_game_json(game));
    out =
        json_pack("{s:o, s:o, s:o}", "games", games, "players", players, "evaluators", evaluators);
    for (int i = 0; list_choices[i]; ++i) {
        char key[32];
        snprintf(key, sizeof key, "%ss", list_choices[i]);
        json_object_set_new(out, i == 2 ? list_choices[i] : key,
                            list_choices_json(list_choices[i]));
    }
    show_json(out);
}

static void list_kind(const struct banyan_offer *list, bool players)
{
    for (const struct banyan_offer *o = list; o->name; ++o) {
        char text[LIST_TEXT];
        if (players ? o->player != NULL : o->evaluator != NULL)
            printf("  %-42s %s\n", list_text_of(o, text, sizeof text), o->help);
    }
}

/* Lists players, evaluators and rules that all games have. */
static void list_many(void)
{
    printf("\nplayers\n");
    list_kind(banyan_player_list(), true);
    list_kind(program_offers, true);
    printf("\nevaluators\n");
    list_kind(banyan_evaluator_list(), false);
    list_kind(program_offers, false);
    printf("\nchoices of the search (`banyan search --help` explains all options)\n");
    for (int i = 0; list_choices[i]; ++i) {
        printf("  %-10s", list_choices[i]);
        for (const char *const *c = list_find_choices(list_choices[i]); c && *c; ++c)
            printf(" %s", *c);
        putchar('\n');
    }
}

static bool list_same_offer(const struct banyan_offer *a, const struct banyan_offer *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->help, b->help) == 0;
}

static const struct banyan_offer *list_find_offer(const struct banyan_game *game,
                                                  const struct banyan_offer *like)
{
    for (const struct banyan_offer *o = game->offers; o && o->name; ++o)
        if (list_same_offer(o, like))
            return o;
    return NULL;
}

/* Prints a line at the first of the games that have this offer; the line names all of them. */
static void list_offer(int first, const struct banyan_offer *offer)
{
    const struct banyan_game *game;
    for (int i = 0; i < first; ++i)
        if (list_find_offer(banyan_game_at(i), offer))
            return;
    char text[LIST_TEXT];
    printf("  %s  %s (%s%s%s) in", list_text_of(offer, text, sizeof text), offer->help,
           offer->player ? "player" : "", offer->player && offer->evaluator ? ", " : "",
           offer->evaluator ? "evaluator" : "");
    for (int i = first; (game = banyan_game_at(i)); ++i)
        if (list_find_offer(game, offer))
            printf(" %s", game->name);
    putchar('\n');
}

static void list_offers(void)
{
    const struct banyan_game *game;
    puts("\noffers of single games");
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        for (const struct banyan_offer *o = game->offers; o && o->name; ++o)
            list_offer(i, o);
}

static void list_head(void)
{
    printf("%-16s %7s %11s %9s %9s  %s\n", "game", "players", "state bytes", "max legal",
           "max plies", "title (traits)");
}

static void list_line(const struct banyan_game *game)
{
    char traits[64];
    printf("%-16s %7d %11zu %9d %9d  %s (%s)\n", game->name, game->players, game->state_size,
           game->max_legal, game->max_plies, game->title,
           show_traits(game->traits, traits, sizeof traits));
}

/* Prints the players that best and level:N stand for. */
static void list_strengths(const struct banyan_game *game)
{
    const char *const *levels;
    int count = player_levels(game, &levels);
    printf("\nbest is %s\n", player_best_of(game));
    for (int i = 0; i < count; ++i)
        printf("level:%d is %s\n", i + 1, levels[i]);
}

/* Lists the players and evaluators of one game, its own first. */
static void list_game(const struct banyan_game *game)
{
    list_head();
    list_line(game);
    for (int players = 1; players >= 0; --players) {
        puts(players ? "\nplayers" : "\nevaluators");
        list_kind(game->offers ? game->offers : &(const struct banyan_offer){0}, players);
        list_kind(players ? banyan_player_list() : banyan_evaluator_list(), players);
        list_kind(program_offers, players);
        if (players)
            list_strengths(game);
    }
}

static void list_text(void)
{
    const struct banyan_game *game;
    list_head();
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        list_line(game);
    list_many();
    list_offers();
}

int cli_list(int argc, char **argv)
{
    struct list list = {0};
    const struct argp argp = {
        list_options, list_option,
        "[GAME]",     "Lists the games, or one game, with players and evaluators.",
        NULL,         NULL,
        NULL};
    cli_parse(&argp, argc, argv, &list);
    if (list.json && list.game)
        show_json(list_game_json(list.game));
    else if (list.json)
        list_json();
    else if (list.game)
        list_game(list.game);
    else
        list_text();
    return CLI_OK;
}
