/* Random small games: a game's rules are hashes of its seed.
 *
 *      place --legal--> action --apply (dice, secret part)--> next place
 *
 * A place is a number that all players see.  Who moves there, which actions are
 * legal, whether a die falls, whether the game ends and what it is worth are
 * hashes of (seed, place).  Each player may hold a card that only this player
 * sees.  Nothing else exists, so that every trait of a game (turns, dice,
 * simultaneous choices, hidden cards, positions that meet again, 1 to 4
 * players, any range of returns) can be drawn alone and together with others.
 *
 * The rules are a part of the state, so that one table of functions serves all random games.
 */
#ifndef TESTS_RANDOM_GAME_H
#define TESTS_RANDOM_GAME_H

#include <banyan/game.h>

enum {
    RANDOM_GAME_PLAYERS = 4,
    RANDOM_GAME_LEGAL = 24 /* most actions of a player in one state */
};

/* What returns look like. */
enum random_game_returns {
    RANDOM_WIN_LOSS, /* returns are -1, 0 or 1 */
    RANDOM_SHARE,    /* returns are eighths from 0 to 1 */
    RANDOM_SCORE,    /* returns are whole numbers from -64 to 64 */
    RANDOM_POINTS,   /* returns are whole numbers from 0 to 100 */
    RANDOM_RETURNS_COUNT
};

/* Everything in which one game differs from another. */
struct random_game_rules {
    uint64_t seed;
    uint32_t width;      /* number of places at each depth: if small, different lines lead to the
                            same place; 0: they never do */
    uint8_t players;     /* 1..RANDOM_GAME_PLAYERS */
    uint8_t traits;      /* bits of enum banyan_trait */
    uint8_t plies;       /* most plies of a game */
    uint8_t branching;   /* most actions, <= RANDOM_GAME_LEGAL */
    uint8_t cards;       /* kinds of cards; hidden games only */
    uint8_t returns;     /* enum random_game_returns */
    uint8_t end_percent; /* chance that a place before the last ply ends the game */
    bool hidden_luck;    /* games with dice: before the end of the game the key leaves out some
                            dice */
    bool turns_by_hash;  /* else players move in order */
    bool narrowing;      /* what player 0 can still get narrows as the game goes on */
    bool own_actions;    /* hidden: actions depend on the card, and two cards share none */
    uint8_t action_bytes;
};

struct random_game_state {
    struct random_game_rules rules;
    uint64_t place; /* what everybody sees */
    uint64_t luck;  /* hidden from all players before the end: it counts in returns() */
    uint8_t card[RANDOM_GAME_PLAYERS];
    uint8_t ply;
    uint8_t least, most; /* bounds on player 0's return, in steps of its range */
    uint8_t padding;
};

/* Which of the optional functions a game has. */
struct random_game_functions {
    bool priors, bounds, decisive, points;
    bool coarse_keys; /* hidden: without the viewer's own card, so that legality may differ between
                         states of one key */
};

/* Makes a game of these rules, and its first state. */
void random_game_make(const struct random_game_rules *rules,
                      const struct random_game_functions *functions, struct banyan_game *game,
                      struct random_game_state *state);

/* The game's movers(), for a test that wraps this function. */
unsigned random_game_movers(const struct banyan_game *game, const void *state);

/* A hash of the whole state; kind tells different uses apart. */
uint64_t random_game_hash(const struct random_game_state *state, uint64_t kind);

/* Values for all players in the game's range and with its constant sum, drawn by a hash. */
void random_game_values(const struct random_game_rules *rules, uint64_t hash, float *values);

#endif
