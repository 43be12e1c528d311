/* The leak test of Kuhn poker: one card is hidden. */
#ifndef TESTS_LEAK_KUHN_H
#define TESTS_LEAK_KUHN_H

#include "games/kuhn/kuhn.h"
#include "leak.h"

static inline int leak_kuhn_fields(int viewer, struct leak_field *out)
{
    const struct leak_field all[] = {{"card[0]", 0, 1, viewer == 0 ? LEAK_PUBLIC : LEAK_HIDDEN},
                                     {"card[1]", 1, 1, viewer == 1 ? LEAK_PUBLIC : LEAK_HIDDEN},
                                     {"plies", offsetof(struct kuhn, plies), 1, LEAK_PUBLIC},
                                     {"bets", offsetof(struct kuhn, bets), 1, LEAK_PUBLIC}};
    memcpy(out, all, sizeof all);
    return 4;
}

static inline bool leak_kuhn_card(void *state, int viewer, struct banyan_rng *rng)
{
    struct kuhn *kuhn = state;
    (void)rng;
    kuhn->card[!viewer] = (uint8_t)(KUHN_CARDS - kuhn->card[0] - kuhn->card[1]); /* the card that
                                                                                    is in no hand */
    return true;
}

/* Plays so many random plies from a deal; false: the game is over. */
static inline bool leak_kuhn_play(struct kuhn *kuhn, const char *deal, int plies, uint64_t seed)
{
    const struct banyan_game *game = kuhn_variant(0);
    struct banyan_rng rng;
    struct banyan_error err;
    banyan_rng_seed(&rng, seed);
    assert_int_equal(game->init(game, kuhn, deal, &rng, &err), BANYAN_OK);
    for (int i = 0; i < plies && game->movers(game, kuhn); ++i) {
        banyan_action joint[2];
        joint[0] = joint[1] = banyan_rng_below(&rng, 2);
        game->apply(game, kuhn, joint, NULL);
    }
    return game->movers(game, kuhn) != 0;
}

static inline int leak_kuhn_position(int index, void *state)
{
    static const char *const deals[] = {"JQ", "JK", "QJ", "QK", "KJ", "KQ"};
    struct kuhn *kuhn = state;
    for (uint64_t seed = (uint64_t)index;; seed += 1000)
        if (leak_kuhn_play(kuhn, deals[index % 6], index / 6 % 3, seed))
            return kuhn->plies % 2;
}

static inline int leak_kuhn_replay(struct banyan_rng *rng, void *a, void *b)
{
    static const char cards[] = "JQK";
    struct kuhn *kuhn = a, *other = b;
    uint64_t seed = banyan_rng_next(rng);
    int own = (int)banyan_rng_below(rng, 3), shift = (int)banyan_rng_below(rng, 2);
    int plies = (int)banyan_rng_below(rng, 3), viewer = plies % 2;
    char deal[2][3] = {{0}};
    for (int i = 0; i < 2; ++i) {
        deal[i][viewer] = cards[own];
        deal[i][!viewer] = cards[(own + 1 + (shift ^ i)) % 3];
    }
    bool open = leak_kuhn_play(kuhn, deal[0], plies, seed);
    return leak_kuhn_play(other, deal[1], plies, seed) && open ? viewer : -1;
}

static const struct leak_editor leak_kuhn_editors[] = {{"card", leak_kuhn_card}, {0}};

static const struct leak_game leak_kuhn = {.name = "kuhn",
                                           .fields = leak_kuhn_fields,
                                           .editors = leak_kuhn_editors,
                                           .position = leak_kuhn_position,
                                           .replay = leak_kuhn_replay,
                                           .evaluator = "rollout",
                                           .options = ""};

#endif
