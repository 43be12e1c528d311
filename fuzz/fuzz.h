/* What fuzz targets share.  A target is one function that libFuzzer, or fuzz/replay.c, calls with
 * arbitrary bytes; it must return for all of them, and aborts where a promise of the library does
 * not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include <banyan/dice.h>
#include <banyan/game.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Like assert, but in every build. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))

static inline void fuzz_broken(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* Takes length bytes off an input, as text that the caller frees. */
static inline char *fuzz_take(const uint8_t **data, size_t *size, size_t length)
{
    char *text = malloc(length + 1);
    FUZZ_CHECK(text);
    if (length)
        memcpy(text, *data, length);
    text[length] = 0;
    *data += length;
    *size -= length;
    return text;
}

/* Takes the first line off an input, without its end. */
static inline char *fuzz_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    char *line = fuzz_take(data, size, end ? (size_t)(end - *data) : *size);
    if (end) {
        ++*data;
        --*size;
    }
    return line;
}

static inline uint64_t fuzz_hash(const char *text)
{
    return banyan_rng_child(0, text, 0);
}

/* The game called name.  Any other name stands for one of the games, so that an input stays useful
 * when its game is gone.  NULL where no game is registered. */
static inline const struct banyan_game *fuzz_game(const char *name)
{
    const struct banyan_game *game;
    uint64_t games = 0;
    if (banyan_game_find(name, &game, NULL) == BANYAN_OK)
        return game;
    while (banyan_game_at((int)games))
        ++games;
    return games ? banyan_game_at((int)(fuzz_hash(name) % games)) : NULL;
}

/* Plays one random action for each mover. */
static inline void fuzz_ply(const struct banyan_game *game, void *state, banyan_action *legal,
                            struct banyan_rng *rng)
{
    unsigned movers = game->movers(game, state);
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    FUZZ_CHECK(movers >> game->players == 0);
    for (int player = 0; player < game->players; ++player) {
        if (!(movers >> player & 1u))
            continue;
        int count = game->legal(game, state, player, legal);
        FUZZ_CHECK(count >= 1 && count <= game->max_legal);
        joint[player] = legal[banyan_rng_below(rng, (uint32_t)count)];
    }
    banyan_dice_drawn(&dice, rng);
    game->apply(game, state, joint, &dice);
}

#endif
