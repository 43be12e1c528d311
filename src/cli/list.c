/* banyan list: what there is. */
#include "cli/cli.h"
#include "cli/show.h"

#include <banyan/evaluator.h>

#include <stdio.h>

struct list {
    bool json;
};

static const struct argp_option list_options[] = {
    {"json", 'j', NULL, 0, "Print JSON (docs/json.md)", 0}, {0}};

static error_t list_option(int key, char *arg, struct argp_state *state)
{
    struct list *list = state->input;
    if (key == 'j')
        list->json = true;
    else if (key == ARGP_KEY_ARG)
        cli_usage(state, "takes no words, not '%s'", arg);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static json_t *list_game_json(const struct banyan_game *game)
{
    json_t *offers = json_array();
    for (const struct banyan_offer *o = game->offers; o && o->name; ++o)
        json_array_append_new(offers, json_pack("{s:s, s:s, s:b, s:b}", "name", o->name, "help",
                                                o->help, "evaluator", o->evaluator != NULL,
                                                "player", o->player != NULL));
    json_t *policies = json_array();
    for (int i = 0; game->rollout_policies && game->rollout_policies[i]; ++i)
        json_array_append_new(policies, json_string(game->rollout_policies[i]));
    return json_pack("{s:s, s:s, s:i, s:b, s:b, s:b, s:b, s:I, s:i, s:i, s:f, s:f, s:o, s:o}",
                     "name", game->name, "title", game->title, "players", game->players, "chance",
                     (game->traits & BANYAN_CHANCE) != 0, "simultaneous",
                     (game->traits & BANYAN_SIMULTANEOUS) != 0, "hidden",
                     (game->traits & BANYAN_HIDDEN) != 0, "zero_sum",
                     (game->traits & BANYAN_ZERO_SUM) != 0, "state_bytes",
                     (json_int_t)game->state_size, "max_legal", game->max_legal, "max_plies",
                     game->max_plies, "return_min", (double)game->return_min, "return_max",
                     (double)game->return_max, "rollout_policies", policies, "offers", offers);
}

static void list_json(void)
{
    json_t *games = json_array();
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        json_array_append_new(games, list_game_json(game));
    show_json(json_pack("{s:o}", "games", games));
}

static void list_text(void)
{
    const struct banyan_game *game;
    printf("%-16s %7s %11s %9s %9s  %s\n", "game", "players", "state bytes", "max legal",
           "max plies", "title (traits)");
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        char traits[64];
        printf("%-16s %7d %11zu %9d %9d  %s (%s)\n", game->name, game->players, game->state_size,
               game->max_legal, game->max_plies, game->title,
               show_traits(game->traits, traits, sizeof traits));
    }
    printf("\noffers of single games\n");
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        for (const struct banyan_offer *o = game->offers; o && o->name; ++o)
            printf("  %-16s %-12s %s (%s%s%s)\n", game->name, o->name, o->help,
                   o->player ? "player" : "", o->player && o->evaluator ? ", " : "",
                   o->evaluator ? "evaluator" : "");
}

int cli_list(int argc, char **argv)
{
    struct list list = {0};
    const struct argp argp = {
        list_options, list_option, NULL, "Lists the games, and what can play and judge them.",
        NULL,         NULL,        NULL};
    cli_parse(&argp, argc, argv, &list);
    if (list.json)
        list_json();
    else
        list_text();
    return CLI_OK;
}
