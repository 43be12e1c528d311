/* banyan pokemon calc: the damage of an attack; banyan pokemon sets: sets of random battles. */
#include "cli/cli.h"
#include "cli/pokemon.h"
#include "cli/show.h"

#include "games/pokemon/belief.h"
#include "games/pokemon/calc.h"
#include "games/pokemon/text_fields.h"

#include <stdio.h>
#include <string.h>

/* --- calc --- */

struct calc_words {
    const char *attacker, *move, *defender;
    int weather, terrain;
    bool reflect, light_screen, json;
};

enum { CALC_WEATHER = 0x100, CALC_TERRAIN, CALC_REFLECT, CALC_LIGHT_SCREEN };

static const struct argp_option calc_options[] = {
    {"weather", CALC_WEATHER, "NAME", 0, "sunnyday, raindance, sandstorm or hail", 0},
    {"terrain", CALC_TERRAIN, "NAME", 0,
     "electricterrain, grassyterrain, mistyterrain or psychicterrain", 0},
    {"reflect", CALC_REFLECT, NULL, 0, "Reflect on the defender's side", 0},
    {"light-screen", CALC_LIGHT_SCREEN, NULL, 0, "Light Screen on the defender's side", 0},
    {"json", 'j', NULL, 0, "Print JSON (docs/json.md)", 0},
    {0}};

static int calc_choice(const struct argp_state *state, const char *what, const char *text,
                       const char *const *names, int count)
{
    const char *list[8] = {NULL};
    for (int i = 1; i < count; ++i)
        list[i - 1] = names[i];
    return cli_choice(state, what, text, list) + 1;
}

static error_t calc_option(int key, char *arg, struct argp_state *state)
{
    struct calc_words *words = state->input;
    switch (key) {
    case CALC_WEATHER:
        words->weather = calc_choice(state, "--weather", arg, text_weather_names, WEATHER_COUNT);
        return 0;
    case CALC_TERRAIN:
        words->terrain = calc_choice(state, "--terrain", arg, text_terrain_names, TERRAIN_COUNT);
        return 0;
    case CALC_REFLECT:
        words->reflect = true;
        return 0;
    case CALC_LIGHT_SCREEN:
        words->light_screen = true;
        return 0;
    case 'j':
        words->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 2)
            cli_too_many(state, arg);
        *(state->arg_num == 0   ? &words->attacker
          : state->arg_num == 1 ? &words->move
                                : &words->defender) = arg;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 3)
            cli_usage(state, "needs ATTACKER MOVE DEFENDER, as in `banyan pokemon calc garchomp "
                             "earthquake blissey`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status calc_build(const struct calc_words *words, struct pokemon *s, int *move,
                                     struct banyan_error *err)
{
    memset(s, 0, sizeof *s);
    enum banyan_status status = pokemon_describe(s, 0, words->attacker, err);
    if (status == BANYAN_OK)
        status = pokemon_find_move(words->move, move, err);
    if (status == BANYAN_OK)
        status = pokemon_describe(s, 1, words->defender, err);
    if (status == BANYAN_OK && dex_moves[*move].category == CATEGORY_STATUS)
        status = banyan_fail(err, BANYAN_INVALID, "%s does no damage", dex_moves[*move].name);
    if (status != BANYAN_OK)
        return status;
    struct pokemon_slots *slots = &s->sides[0].mons[0].slots;
    slots->id[0] = (uint16_t)*move;
    slots->pp[0] = slots->max_pp[0] = dex_moves[*move].pp;
    s->turn = 2;
    s->request[0] = s->request[1] = REQUEST_MOVE;
    s->weather = (uint8_t)words->weather;
    s->weather_turns = words->weather ? 5 : 0;
    s->terrain = (uint8_t)words->terrain;
    s->terrain_turns = words->terrain ? 5 : 0;
    s->sides[1].condition[SIDE_REFLECT] = words->reflect ? 5 : 0;
    s->sides[1].condition[SIDE_LIGHTSCREEN] = words->light_screen ? 5 : 0;
    return BANYAN_OK;
}

static json_t *calc_json_range(const struct calc *calc, bool crit)
{
    int least, most;
    if (!calc_range(calc, crit, &least, &most))
        return json_null();
    return json_pack("{s:i, s:i, s:f, s:f}", "least", least, "most", most, "least_percent",
                     100.0 * least / calc->max_hp, "most_percent", 100.0 * most / calc->max_hp);
}

static void calc_print_json(const struct pokemon *s, int move, const struct calc *calc)
{
    char attacker[128], defender[128];
    pokemon_write(&s->sides[0].mons[0], attacker, sizeof attacker);
    pokemon_write(&s->sides[1].mons[0], defender, sizeof defender);
    json_t *rows = json_array(), *outs = json_array();
    for (int i = 0; i < calc->count; ++i)
        json_array_append_new(rows, json_pack("{s:i, s:b, s:f}", "damage", calc->amounts[i].damage,
                                              "critical", calc->amounts[i].crit, "chance",
                                              calc->amounts[i].chance));
    for (int n = 1; n <= 4; ++n)
        json_array_append_new(outs, json_real(calc_knock_out(calc, n)));
    show_json(json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:b, s:o, s:o, s:o, s:o}", "attacker",
                        attacker, "move", dex_moves[move].id, "defender", defender, "hp", calc->hp,
                        "max_hp", calc->max_hp, "hits", calc->hits, "sampled", calc->sampled,
                        "normal", calc_json_range(calc, false), "critical",
                        calc_json_range(calc, true), "knock_out", outs, "amounts", rows));
}

static void calc_print_range(const struct calc *calc, bool crit, const char *what)
{
    int least, most;
    if (!calc_range(calc, crit, &least, &most))
        return;
    printf("  %-9s %d-%d of %d hp (%.1f - %.1f %%)", what, least, most, calc->max_hp,
           100.0 * least / calc->max_hp, 100.0 * most / calc->max_hp);
    if (calc->hp < calc->max_hp)
        printf("; of the %d hp left: %.1f - %.1f %%", calc->hp, 100.0 * least / calc->hp,
               100.0 * most / calc->hp);
    printf("\n");
}

static void calc_print(const struct pokemon *s, int move, const struct calc *calc)
{
    char attacker[128], defender[128];
    pokemon_write(&s->sides[0].mons[0], attacker, sizeof attacker);
    pokemon_write(&s->sides[1].mons[0], defender, sizeof defender);
    printf("%s: %s on %s\n", attacker, dex_moves[move].name, defender);
    if (calc->hits <= 0) {
        printf("  no damage\n");
        return;
    }
    calc_print_range(calc, false, "damage");
    calc_print_range(calc, true, "critical");
    printf("  rolls    ");
    for (int i = 0; i < calc->count && !calc->sampled; ++i)
        if (!calc->amounts[i].crit && calc->amounts[i].damage)
            printf(" %d", calc->amounts[i].damage);
    printf("%s\n  chance to hit: %.1f %%; to knock out within 1, 2, 3, 4 attacks:",
           calc->sampled ? " (sampled)" : "", 100 * calc->hits);
    for (int n = 1; n <= 4; ++n)
        printf(" %.1f %%%s", 100 * calc_knock_out(calc, n), n < 4 ? "," : "\n");
}

int pokemon_calc(int argc, char **argv)
{
    struct calc_words words = {.weather = 0};
    struct pokemon s;
    struct calc calc;
    struct banyan_error err;
    int move = 0;
    const struct argp argp = {
        calc_options,
        calc_option,
        "ATTACKER MOVE DEFENDER",
        "Computes the damage rolls of an attack and its chance to knock out.\v"
        "A Pokemon is SPECIES[,key=value...]: item, ability, level, hp (a number, or 50%), status, "
        "atk def spa spd spe accuracy evasion (stages), dynamax, gmax; the rest is taken from "
        "its most frequent set in random battles.  The chance to knock out includes misses and "
        "critical hits; effects between attacks, Focus Sash and Sturdy are ignored.\n\n"
        "Example: banyan pokemon calc garchomp,item=choiceband,atk=+1 earthquake blissey,hp=80%",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &words);
    if (calc_build(&words, &s, &move, &err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_USAGE, &err);
    bool large = (s.sides[0].active.volatiles >> VOLATILE_DYNAMAX & 1) != 0;
    calc_attack(&s, 0, move, large, &calc);
    if (words.json)
        calc_print_json(&s, move, &calc);
    else
        calc_print(&s, move, &calc);
    return CLI_OK;
}

/* --- sets --- */

struct sets_words {
    const char *species;
    bool json;
};

static const struct argp_option sets_options[] = {
    {"json", 'j', NULL, 0, "Print JSON (docs/json.md)", 0}, {0}};

static error_t sets_option(int key, char *arg, struct argp_state *state)
{
    struct sets_words *words = state->input;
    switch (key) {
    case 'j':
        words->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        words->species = arg;
        return 0;
    case ARGP_KEY_END:
        if (!words->species)
            cli_usage(state, "needs a SPECIES, as in `banyan pokemon sets garchomp`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *sets_json(const struct dex_entry *entry)
{
    json_t *sets = json_array();
    for (int i = 0; i < entry->sets; ++i) {
        const struct dex_set *set = &dex_sets[entry->first_set + i];
        json_t *moves = json_array();
        for (int k = 0; k < 4 && set->moves[k]; ++k)
            json_array_append_new(moves, json_string(dex_moves[set->moves[k]].id));
        json_array_append_new(sets, json_pack("{s:f, s:s, s:s, s:o}", "share",
                                              (double)set->count / entry->count, "item",
                                              set->item ? dex_items[set->item].id : "", "ability",
                                              dex_abilities[set->ability].id, "moves", moves));
    }
    return json_pack("{s:s, s:i, s:b, s:f, s:o}", "species", dex_species[entry->species].id,
                     "level", entry->level, "gigantamax", entry->gmax, "share",
                     (double)entry->count / dex_entry_total, "sets", sets);
}

static void sets_print(const struct dex_entry *entry)
{
    printf("%s%s, level %d: %.2f %% of all Pokemon, %d sets\n", dex_species[entry->species].name,
           entry->gmax ? " (Gigantamax)" : "", entry->level, 100.0 * entry->count / dex_entry_total,
           entry->sets);
    for (int i = 0; i < entry->sets; ++i) {
        const struct dex_set *set = &dex_sets[entry->first_set + i];
        printf("  %5.1f %%  %-17s %-16s", 100.0 * set->count / entry->count,
               set->item ? dex_items[set->item].name : "-", dex_abilities[set->ability].name);
        for (int k = 0; k < 4 && set->moves[k]; ++k)
            printf("%s%s", k ? ", " : "", dex_moves[set->moves[k]].name);
        printf("\n");
    }
}

int pokemon_sets(int argc, char **argv)
{
    struct sets_words words = {NULL, false};
    struct banyan_error err;
    int species = 0, found = 0;
    const struct argp argp = {
        sets_options,
        sets_option,
        "SPECIES",
        "Lists the sets of a Pokemon in random battles, most frequent first.\v"
        "The sets were counted in random teams of Pokemon Showdown (docs/games/pokemon.md); the "
        "rarest sets are missing.",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &words);
    if (pokemon_find_species(words.species, &species, &err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_USAGE, &err);
    json_t *all = json_array();
    for (int i = 0; i < dex_entry_count; ++i) {
        const struct dex_entry *entry = &dex_entries[i];
        if (entry->species != species)
            continue;
        ++found;
        if (words.json)
            json_array_append_new(all, sets_json(entry));
        else
            sets_print(entry);
    }
    if (words.json)
        show_json(json_incref(all));
    json_decref(all);
    if (!found) {
        banyan_fail(&err, BANYAN_NOT_FOUND, "%s is in no team of random battles",
                    dex_species[species].name);
        return cli_fail(argv[0], CLI_FAILURE, &err);
    }
    return CLI_OK;
}
