/* banyan pokemon simulate: a battle on standard input and output, without a server. */
#include "cli/cli.h"
#include "cli/pokemon.h"
#include "cli/show.h"
#include "players/program/offers.h"

#include <banyan/player.h>
#include <banyan/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct simulate {
    const char *setup, *player_text[2];
    uint64_t seed;
    bool states; /* print the whole state at every decision */

    const struct banyan_game *game;
    struct pokemon state;
    struct banyan_player players[2];
    bool plays[2]; /* a player chooses, not standard input */
    struct banyan_rng rng;
    char *text; /* [BANYAN_TEXT_MAX] */
};

enum { SIMULATE_SETUP = 0x100, SIMULATE_P1, SIMULATE_P2, SIMULATE_SEED, SIMULATE_STATES };

static const struct argp_option simulate_options[] = {
    {"setup", SIMULATE_SETUP, "TEXT", 0,
     "Teams or a state (docs/games/pokemon.md); default: random", 0},
    {"p1", SIMULATE_P1, "PLAYER", 0, "Who chooses for the first side; default: standard input", 0},
    {"p2", SIMULATE_P2, "PLAYER", 0, "Who chooses for the second side; default: standard input", 0},
    {"seed", SIMULATE_SEED, "S", 0, "Seed of teams, chance and players; default 1", 0},
    {"states", SIMULATE_STATES, NULL, 0, "Print the whole state at every decision", 0},
    {0}};

static error_t simulate_option(int key, char *arg, struct argp_state *state)
{
    struct simulate *simulate = state->input;
    switch (key) {
    case SIMULATE_SETUP:
        simulate->setup = arg;
        return 0;
    case SIMULATE_P1:
    case SIMULATE_P2:
        simulate->player_text[key == SIMULATE_P2] = cli_text(state, arg);
        return 0;
    case SIMULATE_SEED:
        simulate->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_MAX);
        return 0;
    case SIMULATE_STATES:
        simulate->states = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_too_many(state, arg);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void simulate_line(json_t *line)
{
    json_dumpf(line, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(line);
}

/* --- output: the choices --- */

static json_t *simulate_choices(const struct simulate *simulate, int side)
{
    banyan_action legal[16];
    json_t *list = json_array();
    int count = simulate->game->legal(simulate->game, &simulate->state, side, legal);
    for (int i = 0; i < count; ++i) {
        char text[96];
        simulate->game->action_format(simulate->game, &simulate->state, side, legal[i], text,
                                      sizeof text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *simulate_side(const struct simulate *simulate, int side)
{
    const struct pokemon_side *of = &simulate->state.sides[side];
    json_t *list = json_array();
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &of->mons[of->order[i]];
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:b}", "species",
                                              dex_species[mon->species].name, "hp", mon->hp,
                                              "max_hp", mon->max_hp, "active", i == 0));
    }
    return list;
}

static void simulate_ask(struct simulate *simulate, unsigned movers)
{
    static const char *const names[] = {"p1", "p2"};
    json_t *line = json_pack("{s:i, s:{s:o, s:o}}", "turn", simulate->state.turn, "sides", "p1",
                             simulate_side(simulate, 0), "p2", simulate_side(simulate, 1));
    json_t *choices = json_object();
    for (int side = 0; side < 2; ++side)
        if (movers >> side & 1)
            json_object_set_new(choices, names[side], simulate_choices(simulate, side));
    json_object_set_new(line, "choices", choices);
    if (simulate->states) {
        simulate->game->format(simulate->game, &simulate->state, simulate->text, BANYAN_TEXT_MAX);
        json_object_set_new(line, "state", json_string(simulate->text));
    }
    simulate_line(line);
}

/* --- input: the answers --- */

/* Reads "p1 move earthquake" and returns the side; -1: the input has ended. */
static int simulate_read(struct simulate *simulate, unsigned missing, banyan_action joint[2])
{
    char text[256];
    struct banyan_error err;
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\r\n")] = 0;
        int side = text[0] == 'p' && text[1] == '2';
        bool named = text[0] == 'p' && (text[1] == '1' || text[1] == '2') && text[2] == ' ';
        if (!text[0])
            continue;
        if (!named)
            banyan_fail(&err, BANYAN_INVALID, "a line is 'p1 CHOICE' or 'p2 CHOICE'");
        else if (!(missing >> side & 1))
            banyan_fail(&err, BANYAN_ILLEGAL, "p%d does not choose now", side + 1);
        else if (simulate->game->action_parse(simulate->game, &simulate->state, side, text + 3,
                                              &joint[side], &err) == BANYAN_OK)
            return side;
        simulate_line(json_pack("{s:s}", "error", err.message));
    }
    return -1;
}

static enum banyan_status simulate_choose(struct simulate *simulate, unsigned movers,
                                          banyan_action joint[2], struct banyan_error *err)
{
    const struct banyan_player_clock clock = {.left_ms = {-1, -1}};
    unsigned missing = movers;
    for (int side = 0; side < 2; ++side) {
        struct banyan_player_move move;
        if (!(missing >> side & 1) || !simulate->plays[side])
            continue;
        const struct banyan_player *player = &simulate->players[side];
        enum banyan_status status =
            player->choose(player->ctx, &simulate->state, &clock, &move, err);
        if (status != BANYAN_OK)
            return status;
        joint[side] = move.action;
        missing &= ~(1u << side);
    }
    while (missing) {
        int side = simulate_read(simulate, missing, joint);
        if (side < 0)
            return banyan_fail(err, BANYAN_IO, "the input ended before the battle");
        missing &= ~(1u << side);
    }
    return BANYAN_OK;
}

static void simulate_tell(const struct simulate *simulate, unsigned movers,
                          const banyan_action joint[2])
{
    static const char *const names[] = {"p1", "p2"};
    json_t *played = json_object();
    for (int side = 0; side < 2; ++side) {
        char text[96];
        if (!(movers >> side & 1))
            continue;
        simulate->game->action_format(simulate->game, &simulate->state, side, joint[side], text,
                                      sizeof text);
        json_object_set_new(played, names[side], json_string(text));
    }
    simulate_line(json_pack("{s:o}", "played", played));
}

/* --- the battle --- */

static enum banyan_status simulate_step(struct simulate *simulate, struct banyan_dice *dice,
                                        unsigned movers, struct banyan_error *err)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct pokemon before = simulate->state;
    simulate_ask(simulate, movers);
    enum banyan_status status = simulate_choose(simulate, movers, joint, err);
    if (status != BANYAN_OK)
        return status;
    simulate_tell(simulate, movers, joint);
    simulate->game->apply(simulate->game, &simulate->state, joint, dice);
    for (int side = 0; side < 2 && status == BANYAN_OK; ++side) {
        const struct banyan_player *player = &simulate->players[side];
        if (simulate->plays[side] && player->observe)
            status = player->observe(player->ctx, &before, joint, &simulate->state, err);
    }
    return status;
}

static enum banyan_status simulate_open(struct simulate *simulate, struct banyan_error *err)
{
    enum banyan_status status = banyan_game_find("pokemon", &simulate->game, err);
    banyan_rng_seed(&simulate->rng, simulate->seed);
    if (status == BANYAN_OK)
        status = simulate->game->init(simulate->game, &simulate->state, simulate->setup,
                                      &simulate->rng, err);
    for (int side = 0; side < 2 && status == BANYAN_OK; ++side) {
        struct banyan_player *player = &simulate->players[side];
        uint64_t seed = banyan_rng_child(simulate->seed, "player", (uint64_t)side);
        if (!simulate->player_text[side])
            continue;
        status = banyan_player_create(simulate->game, simulate->player_text[side], program_offers,
                                      seed, player, err);
        simulate->plays[side] = status == BANYAN_OK;
        if (status == BANYAN_OK)
            status = player->open(player->ctx, &simulate->state, side, seed, err);
    }
    return status;
}

static enum banyan_status simulate_run(struct simulate *simulate, struct banyan_error *err)
{
    static const char *const winners[] = {"", "p1", "p2", "tie"};
    struct banyan_dice dice;
    enum banyan_status status = simulate_open(simulate, err);
    banyan_dice_drawn(&dice, &simulate->rng);
    unsigned movers = 0;
    while (status == BANYAN_OK &&
           (movers = simulate->game->movers(simulate->game, &simulate->state)) != 0)
        status = simulate_step(simulate, &dice, movers, err);
    if (status == BANYAN_OK)
        simulate_line(json_pack("{s:s, s:i}", "winner", winners[simulate->state.winner], "turns",
                                simulate->state.turn));
    for (int side = 0; side < 2; ++side)
        if (simulate->plays[side])
            banyan_player_close(&simulate->players[side]);
    return status;
}

int pokemon_simulate(int argc, char **argv)
{
    struct simulate simulate = {.seed = 1};
    struct banyan_error err;
    const struct argp argp = {
        simulate_options,
        simulate_option,
        "",
        "Plays a battle of gen8randombattle without a server: reads choices, writes what may be "
        "chosen and what happened.\v"
        "Every line of output is a JSON object (docs/json.md): the choices, what was played, an "
        "error, "
        "and at the end the winner.  A line of input is 'p1 CHOICE' or 'p2 CHOICE' with one of the "
        "choices: 'move earthquake', 'move earthquake dynamax', 'switch "
        "Snorlax'.\n\nExample: banyan pokemon simulate --p1 random --p2 heuristic",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &simulate);
    simulate.text = malloc(BANYAN_TEXT_MAX);
    if (!simulate.text) {
        banyan_fail(&err, BANYAN_NO_MEMORY, "no memory for a text");
        return cli_fail(argv[0], CLI_FAILURE, &err);
    }
    enum banyan_status status = simulate_run(&simulate, &err);
    free(simulate.text);
    return cli_end(argv[0], status, &err);
}
