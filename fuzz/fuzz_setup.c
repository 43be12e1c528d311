/* Every game's init() on arbitrary text: a line with the name of the game, then the setup.  What
 * init() accepts must be a complete state: it formats to text that init() takes back to equal
 * bytes, and can be played on. */
#include "fuzz.h"

enum { SETUP_PLIES = 12 };

static void setup_round_trip(const struct banyan_game *game, const void *state, void *scratch)
{
    char text[BANYAN_TEXT_MAX];
    struct banyan_error err = {.message = ""};
    int length = game->format(game, state, text, sizeof text);
    FUZZ_CHECK(length >= 0 && length < BANYAN_TEXT_MAX && strlen(text) == (size_t)length);
    memset(scratch, 0xa5, game->state_size);
    if (game->init(game, scratch, text, NULL, &err) != BANYAN_OK) {
        fprintf(stderr, "%s does not take back '%s': %s\n", game->name, text, err.message);
        abort();
    }
    FUZZ_CHECK(memcmp(state, scratch, game->state_size) == 0);
}

static void setup_finish(const struct banyan_game *game, const void *state)
{
    float returns[BANYAN_MAX_PLAYERS];
    game->returns(game, state, returns);
    for (int player = 0; player < game->players; ++player)
        FUZZ_CHECK(returns[player] >= game->return_min && returns[player] <= game->return_max);
}

static void setup_play(const struct banyan_game *game, void *state, void *scratch,
                       banyan_action *legal, struct banyan_rng *rng)
{
    setup_round_trip(game, state, scratch);
    for (int ply = 0; ply < SETUP_PLIES && game->movers(game, state); ++ply) {
        fuzz_ply(game, state, legal, rng);
        setup_round_trip(game, state, scratch);
    }
    if (!game->movers(game, state))
        setup_finish(game, state);
}

static void setup_try(const struct banyan_game *game, const char *setup)
{
    void *state = calloc(1, game->state_size);
    void *scratch = calloc(1, game->state_size);
    banyan_action *legal = calloc((size_t)game->max_legal, sizeof *legal);
    FUZZ_CHECK(state && scratch && legal);

    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    banyan_rng_seed(&rng, fuzz_hash(setup));
    if (game->init(game, state, setup, &rng, &err) == BANYAN_OK)
        setup_play(game, state, scratch, legal, &rng);
    else
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));

    free(legal);
    free(scratch);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = fuzz_line(&data, &size);
    char *setup = fuzz_take(&data, &size, size);
    const struct banyan_game *game = fuzz_game(name);
    if (game)
        setup_try(game, setup);
    free(setup);
    free(name);
    return 0;
}
