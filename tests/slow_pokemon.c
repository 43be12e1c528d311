/* Plays random games: every game must end, and every state must be valid.
 *
 *     slow_pokemon [TURNS [SEED]]
 *
 * Without arguments a million turns; with assertions and sanitizers in the builds that have them. */
#include "base/rng.h"
#include "games/pokemon/pokemon.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *stress_fault(const struct pokemon *s)
{
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &s->sides[side];
        int left = 0;
        unsigned order = 0;
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &p->mons[i];
            left += !(mon->flags & MON_FAINTED);
            order |= 1u << p->order[i];
            if (mon->hp > mon->max_hp || mon->status >= STATUS_COUNT || mon->item >= ITEM_COUNT ||
                mon->ability >= ABILITY_COUNT || mon->species >= SPECIES_COUNT)
                return "a Pokémon is out of bounds";
        }
        if (order != (1u << POKEMON_TEAM) - 1 || left != p->left)
            return "a team is out of order";
        for (int i = 0; i < BOOST_COUNT; ++i)
            if (p->active.boosts[i] < -6 || p->active.boosts[i] > 6)
                return "a boost is out of bounds";
    }
    return s->queued > POKEMON_QUEUE ? "the queue is too long" : NULL;
}

/* Plays one game; returns its number of turns, or -1 for a failure. */
static int stress_game(const struct banyan_game *game, struct banyan_rng *rng)
{
    struct pokemon s;
    struct banyan_dice dice;
    float returns[2];
    unsigned movers;
    int plies = 0;
    const char *fault = NULL;
    banyan_dice_drawn(&dice, rng);
    game->init(game, &s, NULL, rng, NULL);
    for (; (movers = game->movers(game, &s)) != 0 && !fault; ++plies) {
        banyan_action legal[16], joint[2] = {0, 0};
        for (int player = 0; player < 2; ++player) {
            if (!(movers >> player & 1))
                continue;
            int count = game->legal(game, &s, player, legal);
            if (count < 1 || count > game->max_legal)
                fault = "no choices, or too many";
            joint[player] = legal[rng_below(rng, (uint32_t)count)];
        }
        game->apply(game, &s, joint, &dice);
        fault = fault ? fault : stress_fault(&s);
        if (plies >= game->max_plies)
            fault = "the game does not end";
    }
    game->returns(game, &s, returns);
    if (!fault && (s.winner == WINNER_NONE || returns[0] + returns[1] != 0.0f))
        fault = "the game has no result";
    if (fault)
        fprintf(stderr, "turn %d: %s\n", s.turn, fault);
    return fault ? -1 : s.turn;
}

int main(int argc, char **argv)
{
    int64_t wanted = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000000, turns = 0, games = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const struct banyan_game *game;
    struct banyan_rng rng;
    if (banyan_game_find("pokemon", &game, NULL) != BANYAN_OK)
        return EXIT_FAILURE;
    for (; turns < wanted; ++games) {
        banyan_rng_seed(&rng, banyan_rng_child(seed, "stress", (uint64_t)games));
        int played = stress_game(game, &rng);
        if (played < 0) {
            fprintf(stderr, "game %" PRId64 " of seed %" PRIu64 " is not sound\n", games, seed);
            return EXIT_FAILURE;
        }
        turns += played;
    }
    printf("%" PRId64 " random turns in %" PRId64 " games: all end, all sound\n", turns, games);
    return EXIT_SUCCESS;
}
