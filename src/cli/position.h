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

/* Plays moves, separated by blanks or commas (by semicolons when there is one), on state.  Movers
 * who choose at once are joined by '|'.  Moves without blanks between them are understood where the
 * game's texts allow it ("f5d6c3").  rng: dice; may be NULL in a game without. */
enum banyan_status position_play(const struct banyan_game *game, void *state, const char *moves,
                                 struct banyan_rng *rng, struct banyan_error *err);

/* Reads one joint action ("a|b") of all movers of state. */
enum banyan_status position_parse_joint(const struct banyan_game *game, const void *state,
                                        const char *text, banyan_action joint[],
                                        struct banyan_error *err);

#endif
