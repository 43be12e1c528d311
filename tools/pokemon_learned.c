/* Plays games of Pokémon and writes rows for the fit of the evaluator "learned": see pokemon_learned.
 *
 *     pokemon_learned GAMES SEED SIMULATIONS SHARE > FILE
 *
 * SIMULATIONS 0: both sides draw all choices: three of four from the third power of the priors, one
 * of ten from the priors, the others uniformly from all legal choices. Otherwise both are the
 * player `agent` with the linear evaluator, and one of ten choices is drawn.  The drawn choices
 * bring bad positions into the rows, because a search evaluates those, too. SHARE of the positions
 * become rows. */
#include "games/pokemon/players/learned.h"
#include "games/pokemon/players/priors.h"

#include <banyan/player.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4096 };

/* A row of the file, as pokemon_learned.py reads it. */
struct row {
    float result, value, game; /* for the first player; value: of the search, NaN: none */
    float inputs[2][INPUT_KINDS];
    float share[2][POKEMON_TEAM];      /* of full hp */
    uint16_t species[2][POKEMON_TEAM]; /* of the set, the active Pokémon first */
};

static struct row rows[ROWS];

static void fill(struct row *row, const struct pokemon *s, long game)
{
    *row = (struct row){.value = NAN, .game = (float)game};
    float inputs[2][INPUT_COUNT];
    learned_inputs(s, inputs);
    for (int side = 0; side < 2; ++side) {
        memcpy(row->inputs[side], inputs[side], sizeof row->inputs[side]);
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &s->sides[side].mons[s->sides[side].order[i]];
            row->share[side][i] = (float)mon->hp / (float)mon->max_hp;
            row->species[side][i] = mon->set_species;
        }
    }
}

/* Draws a choice in proportion to the priors raised to power. */
static banyan_action draw(const struct pokemon *s, int player, int power, struct banyan_rng *rng)
{
    banyan_action legal[16];
    float priors[16];
    double weights[16], sum = 0;
    int count = legal_actions(s, player, legal), i = 0;
    priors_pokemon(NULL, s, player, legal, count, priors);
    for (int k = 0; k < count; ++k) {
        weights[k] = pow((double)priors[k], power);
        sum += weights[k];
    }
    double at = banyan_rng_unit(rng) * sum;
    while (i < count - 1 && (at -= weights[i]) >= 0)
        ++i;
    return legal[i];
}

/* Draws how the next choice is made: the power of the priors, or -1: by the search. */
static int power(bool search, struct banyan_rng *rng)
{
    double at = banyan_rng_unit(rng);
    if (search)
        return at < 0.05 ? 0 : at < 0.1 ? 1 : -1;
    return at < 0.15 ? 0 : at < 0.25 ? 1 : 3;
}

/* Makes the choices of all movers; *value: the mean value of those who searched. */
static void choose(const struct pokemon *s, unsigned movers, struct banyan_player *players,
                   struct banyan_rng *rng, banyan_action joint[2], float *value)
{
    float sum = 0;
    int count = 0;
    for (int p = 0; p < 2; ++p) {
        struct banyan_player_move move;
        if (!(movers >> p & 1))
            continue;
        int drawn = power(players != NULL, rng);
        if (drawn >= 0)
            joint[p] = draw(s, p, drawn, rng);
        if (!players)
            continue;
        if (players[p].choose(players[p].ctx, s, NULL, &move, NULL) != BANYAN_OK)
            exit(EXIT_FAILURE);
        if (drawn < 0)
            joint[p] = move.action;
        if (!isnan(move.value)) {
            sum += (float)(p ? -move.value : move.value);
            ++count;
        }
    }
    *value = count ? sum / (float)count : NAN;
}

static void play(const struct banyan_game *game, long number, struct banyan_player *players,
                 double share, struct banyan_rng *rng)
{
    struct pokemon s, before;
    struct banyan_dice dice;
    float returns[2], value;
    size_t count = 0;
    banyan_dice_drawn(&dice, rng);
    game->init(game, &s, NULL, rng, NULL);
    for (int p = 0; p < 2 && players; ++p)
        players[p].open(players[p].ctx, &s, p, (uint64_t)(2 * number + p), NULL);
    for (unsigned movers; (movers = game->movers(game, &s)) != 0;) {
        banyan_action joint[2] = {0, 0};
        choose(&s, movers, players, rng, joint, &value);
        if (count < ROWS && banyan_rng_unit(rng) < share) {
            fill(&rows[count], &s, number);
            rows[count++].value = value;
        }
        before = s;
        game->apply(game, &s, joint, &dice);
        for (int p = 0; p < 2 && players; ++p)
            players[p].observe(players[p].ctx, &before, joint, &s, NULL);
    }
    game->returns(game, &s, returns);
    for (size_t i = 0; i < count; ++i)
        rows[i].result = returns[0];
    fwrite(rows, sizeof *rows, count, stdout);
}

int main(int argc, char **argv)
{
    const struct banyan_game *game;
    struct banyan_player players[2];
    struct banyan_rng rng;
    if (argc != 5 || banyan_game_find("pokemon", &game, NULL) != BANYAN_OK) {
        fputs("usage: pokemon_learned GAMES SEED SIMULATIONS SHARE > FILE\n", stderr);
        return EXIT_FAILURE;
    }
    char text[64];
    int simulations = atoi(argv[3]);
    snprintf(text, sizeof text, "agent:evaluator=position,simulations=%d", simulations);
    for (int p = 0; p < 2 && simulations; ++p)
        if (banyan_player_create(game, text, NULL, 1, &players[p], NULL) != BANYAN_OK)
            return EXIT_FAILURE;
    for (long i = 0; i < atol(argv[1]); ++i) {
        banyan_rng_seed(&rng, banyan_rng_child((uint64_t)atol(argv[2]), "game", (uint64_t)i));
        play(game, i, simulations ? players : NULL, atof(argv[4]), &rng);
    }
    return EXIT_SUCCESS;
}
