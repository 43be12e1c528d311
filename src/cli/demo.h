/* banyan demo: one game of each kind from its middle, twice, with the sides changed.
 *
 *     demo.c       the games, the command, the table at the end
 *     demo_game.c  finds a position in the middle, explains a move, plays, tells what happens
 */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include <banyan/game.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>

/* One game of the demonstration. */
struct demo_row {
    const char *game, *setup;
    const char *both;                     /* the player of both sides up to the middle */
    int plies;                            /* the middle comes after at least this many plies */
    bool (*is_middle)(const void *state); /* NULL: every position is */
    const char *options; /* of best: simulations or nodes, so that all machines play alike */
    const char *other;   /* the opponent of best */
    int lines;           /* most lines of events of the first game; 0: only its moves */
    bool explained;      /* the first move is explained, with the terms of UCB1 */
};

/* The results of both games. */
struct demo_result {
    int games, wins, draws, losses; /* of best */
    int64_t decisions;              /* of best */
    uint64_t simulations;
    double elapsed_ms;
    char problem[BANYAN_MESSAGE_MAX]; /* "": none */
};

struct demo {
    uint64_t seed;
    double time_ms; /* of a decision of best; 0: the row's options apply */
    const banyan_flag *stop;
};

/* Plays the games of a row, and prints the position, the events and the results.
 * BANYAN_INTERRUPTED: demo->stop was set. */
enum banyan_status demo_game_show(const struct demo *demo, const struct demo_row *row,
                                  struct demo_result *out, struct banyan_error *err);

#endif
