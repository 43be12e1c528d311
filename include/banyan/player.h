/* A player is what sits at a table: a human, a random mover, a search, a
 * network, an outside program.  play, match, self-play, the judge and the
 * Showdown client know players only.
 *
 *     create --> open (new game) --> choose / observe ... --> open ... --> close
 */
#ifndef BANYAN_PLAYER_H
#define BANYAN_PLAYER_H

#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Time that is left, per player; negative: no limit. */
struct banyan_player_clock {
    double left_ms[BANYAN_MAX_PLAYERS];
    double increment_ms;
    const banyan_flag *stop; /* once it is set, choose ends soon: with BANYAN_INTERRUPTED, or with
                                what it has; NULL: nobody asks */
};

/* A decision, and what its player thought of it. */
struct banyan_player_move {
    banyan_action action;
    double value;         /* expected return of the mover, NaN: no opinion */
    uint64_t simulations; /* 0: none */
    uint64_t visits;      /* of the action, of all simulations; 0: not counted */
    double elapsed_ms;
    bool exact;   /* value and score are those of perfect play */
    double score; /* exact only: what the mover ends with in the game's own points (discs, ...) */
};

struct banyan_player {
    size_t struct_size; /* sizeof(struct banyan_player) */
    char name[96];      /* as the user wrote it */
    void *ctx;          /* owned; freed by close */

    /* A new game: this player has `seat`.  state: the start, borrowed for the call. */
    enum banyan_status (*open)(void *ctx, const void *state, int seat, uint64_t seed,
                               struct banyan_error *err);
    /* The action for `seat`, who is a mover of state.  In a game with hidden information the player
     * must use only what its seat can see (determinize() first). */
    enum banyan_status (*choose)(void *ctx, const void *state,
                                 const struct banyan_player_clock *clock,
                                 struct banyan_player_move *out, struct banyan_error *err);
    /* What was played and what came of it, also its own moves; may be NULL. */
    enum banyan_status (*observe)(void *ctx, const void *before, const banyan_action joint[],
                                  const void *after, struct banyan_error *err);
    void (*close)(void *ctx);
};

/* Makes a player from text: "random", "first", "perfect", "mcts:simulations=1000,rule=ucb1", an offer
 * of the caller (NULL: there are none) or of the game.  seed: its own stream.  BANYAN_NOT_FOUND names
 * the valid ones. */
enum banyan_status banyan_player_create(const struct banyan_game *game, const char *text,
                                        const struct banyan_offer *offers, uint64_t seed,
                                        struct banyan_player *out, struct banyan_error *err);

/* The players that every game has; static storage. */
const struct banyan_offer *banyan_player_list(void);

void banyan_player_close(struct banyan_player *player);

#ifdef __cplusplus
}
#endif
#endif
