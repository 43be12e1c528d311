/* The chooser "heuristic": the game's scripted baseline after poke-env's SimpleHeuristicsPlayer. */
#include "showdown/choosers.h"
#include "showdown/position.h"

#include "games/pokemon/players/baselines.h"

#include <stdlib.h>

struct heuristic_memory {
    struct chronicle chronicle;
    struct position_memory memory;
};

static enum banyan_status heuristic_open(const char *settings, void **self,
                                         struct banyan_error *err)
{
    *self = NULL;
    return settings[0]
               ? banyan_fail(err, BANYAN_INVALID,
                             "player 'heuristic' takes no options, but has '%.60s'", settings)
               : BANYAN_OK;
}

static void heuristic_close(void *self)
{
    (void)self;
}

static enum banyan_status heuristic_begin(void *self, const char *room, uint64_t seed,
                                          void **memory, struct banyan_error *err)
{
    (void)self, (void)room, (void)seed;
    struct heuristic_memory *mine = calloc(1, sizeof *mine);
    if (!mine)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a battle");
    chronicle_start(&mine->chronicle);
    *memory = mine;
    return BANYAN_OK;
}

static void heuristic_observe(void *memory, const struct tracker *tracker,
                              const struct protocol_line *line)
{
    struct heuristic_memory *mine = memory;
    chronicle_line(&mine->chronicle, tracker, line);
}

static enum banyan_status heuristic_choose(void *self, void *memory,
                                           const struct decide_question *question,
                                           struct decide_answer *answer, struct banyan_error *err)
{
    (void)self;
    struct heuristic_memory *mine = memory;
    const struct request *request = question->request;
    struct position_source source = {request, question->tracker, &mine->chronicle, &mine->memory,
                                     NULL};
    struct pokemon state;
    struct belief belief;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, question->seed);
    position_remember(&mine->memory, request, question->tracker);
    answer->choice = request->choices[0];
    if (request->choice_count == 1)
        return BANYAN_OK;
    enum banyan_status status = position_build(&source, &state, &belief, &rng, err);
    if (status != BANYAN_OK)
        return status;
    banyan_action action = baseline_heuristic(&state, request->side, &rng);
    return position_choice(request, &state, action, &answer->choice)
               ? BANYAN_OK
               : chooser_power.choose(NULL, NULL, question, answer, err);
}

const struct decide_chooser chooser_heuristic = {
    .name = "heuristic",
    .help = "match-ups, hazards, set-up moves, expected power, Dynamax when it looks good",
    .open = heuristic_open,
    .close = heuristic_close,
    .begin = heuristic_begin,
    .observe = heuristic_observe,
    .end = free,
    .choose = heuristic_choose,
};
