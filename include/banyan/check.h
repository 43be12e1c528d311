/* Does a game keep the promises of <banyan/game.h>?  banyan_game_check plays it at random and checks at its
 * positions what the header says of each function:
 *
 *     struct banyan_error err;
 *     if (banyan_game_check(&nim_game, NULL, NULL, &err) != BANYAN_OK)
 *         puts(err.message);
 *
 *     nim: legal() gave the action 3 twice (game 17, ply 5, seed 1)
 *
 * The check cannot know whether the rules are right: compare them with something independent.
 *
 * A broken game is reported whatever numbers and texts it returns, as long as it writes no more
 * than 256 bytes (or 4096 actions) past the end of its buffers.  A game that writes more, ignores `size`
 * for long texts, crashes or never returns makes the calling process crash or wait.  So run
 * `banyan --game FILE check GAME` first, which plays in a process of its own and says which function crashed,
 * and in which game and ply.
 *
 * Threads: any thread; report is called in the thread of the call.
 */
#ifndef BANYAN_CHECK_H
#define BANYAN_CHECK_H

#include <banyan/game.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the check has covered. */
struct banyan_check_report {
    size_t struct_size;      /* sizeof(struct banyan_check_report) */
    int games;               /* games played */
    int faults;              /* broken promises; each counts once */
    int64_t positions;       /* in these games */
    int64_t keys;            /* different keys that were compared */
    int last_game, last_ply; /* where a stopped check ended; -1: outside of single games */
};

struct banyan_check_options {
    size_t struct_size; /* set by banyan_check_options_default */
    uint64_t seed;      /* of deals, dice and moves: each game has a stream of its own */
    int first;          /* number of the first game: 0, 1, ... */
    int games;          /* at most this many; 0: only the table is checked */

    /* The check ends when the states of the games played have this many bytes together, but not before 5 games,
     * so that checks of games with small and with large states take about equally long.  0: no such limit. */
    double state_bytes;

    /* [.., NULL] setups with which games begin in turn, besides the usual start; borrowed.  NULL: none. */
    const char *const *setups;

    /* Called for each broken promise, once, with a message of one line.  May be NULL. */
    void (*report)(void *ctx, const char *message);
    void *ctx;

    /* Called before most calls of the game's functions, with the function's name, such as "apply", the number of
     * the game (-1 outside of single games) and the ply (-1 while only starts are checked).  A program that writes
     * these to a file can say after a crash which function has crashed.  May be NULL; gets ctx. */
    void (*calls)(void *ctx, const char *function, int game, int ply);

    /* Once the flag is set, the check reports nothing more and ends soon.  NULL: no flag. */
    const banyan_flag *stop;

    /* init() gets only setups that format() has written, and none with errors in them: for games whose init()
     * does not refuse such texts. */
    bool own_setups_only;
};

/* Fills *options with the defaults: seed 1, up to 1000 games, 3e5 bytes. */
#define banyan_check_options_default(options) \
    banyan_check_options_init((options), sizeof(struct banyan_check_options))
void banyan_check_options_init(struct banyan_check_options *options, size_t struct_size);

/* Checks game.  options: NULL stands for the defaults.  out: NULL, or its struct_size is set, and the rest is
 * written here.  BANYAN_OK: no broken promise was found.  BANYAN_INVALID: a promise was broken (the message names the
 * first one, with the function, the game, the ply and the seed), or an option is wrong; BANYAN_INTERRUPTED:
 * options->stop ended the check, whatever was found before; BANYAN_UNSUPPORTED: a struct is that of another
 * version; BANYAN_NO_MEMORY: the game's states or lists of actions are too large. */
enum banyan_status banyan_game_check(const struct banyan_game *game,
                                     const struct banyan_check_options *options,
                                     struct banyan_check_report *out, struct banyan_error *err);

#ifdef __cplusplus
}
#endif
#endif
