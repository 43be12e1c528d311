/* The player "endgame": when few squares are empty it chooses a move with the best final score.
 *
 * With more empty squares, choose returns BANYAN_UNSUPPORTED; a player that asks it first (mcts
 * with endgame=on) then chooses by itself.
 */
#include "games/othello/endgame.h"
#include "games/othello/othello.h"
#include "games/othello/players.h"

#include <banyan/options.h>
#include <banyan/player.h>

#include <stdlib.h>

struct endgame_player {
    int empties;         /* positions with at most this many empty squares are solved */
    uint64_t size_bytes; /* memory of the solver */
    uint64_t area;
    struct endgame_solver *solver;
};

#define AT(member) offsetof(struct endgame_player, member)
static const struct banyan_option player_table[] = {
    {"empties", BANYAN_OPTION_INT, AT(empties), 0, 60, NULL, 0,
     "positions with at most this many empty squares are solved"},
    {"memory", BANYAN_OPTION_SIZE, AT(size_bytes), ENDGAME_MIN_BYTES, 1e12, NULL, 0,
     "memory of the solver"},
    {0},
};
#undef AT

static enum banyan_status player_open(void *ctx, const void *state, int seat, uint64_t seed,
                                      struct banyan_error *err)
{
    struct endgame_player *player = ctx;
    (void)state, (void)seat, (void)seed, (void)err;
    endgame_clear(player->solver); /* so that a game does not depend on earlier games */
    return BANYAN_OK;
}

static enum banyan_status player_choose(void *ctx, const void *state,
                                        const struct banyan_player_clock *clock,
                                        struct banyan_player_move *out, struct banyan_error *err)
{
    struct endgame_player *player = ctx;
    struct board board = othello_board(state);
    struct endgame_result result;
    const struct endgame_limits limits = {.stop = clock ? clock->stop : NULL};
    int empties = bits_count64(board_empty(board, player->area));
    if (empties > player->empties)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%d squares are empty; player 'endgame' is set to solve %d", empties,
                           player->empties);
    enum banyan_status status = endgame_score(player->solver, board, &limits, &result);
    if (status != BANYAN_OK)
        return banyan_fail(err, status, "stopped before the endgame was solved");
    *out = (struct banyan_player_move){
        .action = result.best ? (banyan_action)bits_first64(result.best) : OTHELLO_PASS,
        .value = (result.score > 0) - (result.score < 0),
        .exact = true,
        .score = result.score};
    return BANYAN_OK;
}

static void player_close(void *ctx)
{
    struct endgame_player *player = ctx;
    endgame_destroy(player->solver);
    free(player);
}

enum banyan_status othello_endgame_player(const struct banyan_game *game, const char *args,
                                          const struct banyan_offer *offers, uint64_t seed,
                                          struct banyan_player *out, struct banyan_error *err)
{
    struct othello_state start;
    struct endgame_player *player = calloc(1, sizeof *player);
    (void)seed;
    if (!player)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the player 'endgame'");
    *player = (struct endgame_player){.empties = 18, .size_bytes = ENDGAME_DEFAULT_BYTES};
    enum banyan_status status = banyan_options_parse(player_table, player, args, err);
    if (status == BANYAN_OK)
        status = game->init(game, &start, NULL, NULL, err);
    if (status == BANYAN_OK) {
        player->area = othello_area(&start);
        status = endgame_create(player->size_bytes, player->area, &player->solver, err);
    }
    if (status != BANYAN_OK) {
        player_close(player);
        return status;
    }
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = player,
                                  .open = player_open,
                                  .choose = player_choose,
                                  .close = player_close};
    return BANYAN_OK;
}
