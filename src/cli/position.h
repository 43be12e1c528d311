/* The position that a command works on: GAME, --position, --moves. */
#ifndef CLI_POSITION_H
#define CLI_POSITION_H

#include <banyan/game.h>

#include <argp.h>

struct position {
    const struct banyan_game *game; /* set by the command from its word GAME */
    const char *setup;              /* --position: text for init(); NULL: the usual start */
    const char *moves;              /* --moves: played from there; NULL: none */
    uint64_t seed;                  /* of random setups and of dice in --moves */
};

/* --position and --moves; its input is a struct position. */
extern const struct argp position_argp;

/* A new state (caller frees with free) after setup and moves. */
enum banyan_status position_create(const struct position *position, void **state,
                                   struct banyan_error *err);

#endif
