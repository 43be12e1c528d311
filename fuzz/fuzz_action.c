/* Every game's action_parse() on arbitrary text: a line with the name of the game, a line with the
 * number of random plies that are played first (it is their seed, too), a line of text.  A text
 * that is accepted must name a legal action, whose own text is read back as the same action. */
#include "fuzz.h"

enum { ACTION_PLIES = 64 };

struct position {
    const struct banyan_game *game;
    void *state;
    banyan_action *legal;
};

static void position_advance(const struct position *position, unsigned long plies,
                             struct banyan_rng *rng)
{
    const struct banyan_game *game = position->game;
    for (unsigned long ply = 0; ply < plies && game->movers(game, position->state); ++ply)
        fuzz_ply(game, position->state, position->legal, rng);
}

static int position_allows(const struct position *position, int player, banyan_action action)
{
    int count = position->game->legal(position->game, position->state, player, position->legal);
    for (int i = 0; i < count; ++i)
        if (position->legal[i] == action)
            return 1;
    return 0;
}

static void position_parse(const struct position *position, int player, const char *text)
{
    const struct banyan_game *game = position->game;
    struct banyan_error err = {.message = ""};
    char own[BANYAN_TEXT_MAX];
    banyan_action action, again;
    enum banyan_status status =
        game->action_parse(game, position->state, player, text, &action, &err);
    if (status != BANYAN_OK) {
        FUZZ_CHECK(status == BANYAN_INVALID || status == BANYAN_ILLEGAL);
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
        return;
    }
    FUZZ_CHECK(position_allows(position, player, action));
    int length = game->action_format(game, position->state, player, action, own, sizeof own);
    FUZZ_CHECK(length > 0 && length < BANYAN_TEXT_MAX);
    FUZZ_CHECK(game->action_parse(game, position->state, player, own, &again, NULL) == BANYAN_OK);
    FUZZ_CHECK(again == action);
}

static void position_try(struct position *position, unsigned long plies, const char *text)
{
    const struct banyan_game *game = position->game;
    struct banyan_rng rng;
    position->state = calloc(1, game->state_size);
    position->legal = calloc((size_t)game->max_legal, sizeof *position->legal);
    FUZZ_CHECK(position->state && position->legal);

    banyan_rng_seed(&rng, plies);
    FUZZ_CHECK(game->init(game, position->state, NULL, &rng, NULL) == BANYAN_OK);
    position_advance(position, plies % ACTION_PLIES, &rng);
    unsigned movers = game->movers(game, position->state);
    for (int player = 0; player < game->players; ++player)
        if (movers >> player & 1u)
            position_parse(position, player, text);

    free(position->legal);
    free(position->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = fuzz_line(&data, &size);
    char *plies = fuzz_line(&data, &size);
    char *text = fuzz_line(&data, &size);
    struct position position = {.game = fuzz_game(name)};
    if (position.game)
        position_try(&position, strtoul(plies, NULL, 10), text);
    free(text);
    free(plies);
    free(name);
    return 0;
}
