/* Lets another program decide in battles on a Showdown server. */
#include "cli/showdown_exec.h"

#include "players/budget.h"
#include "players/program/offers.h"
#include "showdown/position.h"

#include <stdio.h>
#include <stdlib.h>

/* The program, which serves all battles, one decision after another. */
struct exec_self {
    const struct banyan_game *game;
    struct banyan_player player;
};

struct exec_memory {
    struct chronicle chronicle;
    struct position_memory memory;
};

static void exec_close(void *self)
{
    struct exec_self *mine = self;
    banyan_player_close(&mine->player);
    free(mine);
}

static enum banyan_status exec_open(const char *settings, void **self, struct banyan_error *err)
{
    struct exec_self *mine = calloc(1, sizeof *mine);
    *self = NULL;
    if (!mine)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a player");
    enum banyan_status status = banyan_game_find("pokemon", &mine->game, err);
    if (status == BANYAN_OK)
        status = player_exec_create(mine->game, settings, program_offers, 0, &mine->player, err);
    if (status == BANYAN_OK)
        *self = mine;
    else
        free(mine);
    return status;
}

static enum banyan_status exec_begin(void *self, const char *room, uint64_t seed, void **memory,
                                     struct banyan_error *err)
{
    (void)self, (void)room, (void)seed;
    struct exec_memory *mine = calloc(1, sizeof *mine);
    if (!mine)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a battle");
    chronicle_start(&mine->chronicle);
    *memory = mine;
    return BANYAN_OK;
}

static void exec_observe(void *memory, const struct tracker *tracker,
                         const struct protocol_line *line)
{
    chronicle_line(&((struct exec_memory *)memory)->chronicle, tracker, line);
}

/* Asks the program about the position. */
static enum banyan_status exec_ask(struct exec_self *self, const struct pokemon *state,
                                   const struct decide_question *question,
                                   struct banyan_player_move *move, struct banyan_error *err)
{
    const struct banyan_player *player = &self->player;
    const struct banyan_player_clock clock = budget_per_move(question->time_ms);
    enum banyan_status status =
        player->open(player->ctx, state, question->request->side, question->seed, err);
    return status == BANYAN_OK ? player->choose(player->ctx, state, &clock, move, err) : status;
}

static enum banyan_status exec_choose(void *self, void *memory,
                                      const struct decide_question *question,
                                      struct decide_answer *answer, struct banyan_error *err)
{
    struct exec_memory *mine = memory;
    const struct request *request = question->request;
    const struct position_source source = {request, question->tracker, &mine->chronicle,
                                           &mine->memory, NULL};
    struct pokemon state;
    struct belief belief;
    struct banyan_rng rng;
    struct banyan_player_move move;
    banyan_rng_seed(&rng, question->seed);
    position_remember(&mine->memory, request, question->tracker);
    answer->choice = request->choices[0];
    if (request->choice_count == 1)
        return BANYAN_OK;
    enum banyan_status status = position_build(&source, &state, &belief, &rng, err);
    if (status == BANYAN_OK)
        status = exec_ask(self, &state, question, &move, err);
    if (status == BANYAN_OK && !position_choice(request, &state, move.action, &answer->choice))
        status = banyan_fail(err, BANYAN_ILLEGAL,
                             "the program chose an action that the server does not offer");
    return status;
}

const struct decide_chooser showdown_exec = {
    .name = "exec",
    .help = "exec:COMMAND: another program, which speaks the protocol of docs/protocol.md",
    .open = exec_open,
    .close = exec_close,
    .begin = exec_begin,
    .observe = exec_observe,
    .end = free,
    .choose = exec_choose,
};
