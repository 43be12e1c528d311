/* The list of choosers by name, and the simple choosers. */
#include "showdown/choosers.h"

#include "showdown/powers.h"

#include <banyan/rng.h>

#include <string.h>

static enum banyan_status choosers_open(const char *settings, void **self, struct banyan_error *err)
{
    *self = NULL;
    if (settings[0])
        return banyan_fail(err, BANYAN_INVALID, "this player takes no options, but has '%.60s'",
                           settings);
    return BANYAN_OK;
}

static void choosers_close(void *self)
{
    (void)self;
}

/* --- any legal choice, all equally likely --- */

static struct request_choice choosers_any(const struct decide_question *question)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, question->seed);
    uint32_t count = (uint32_t)question->request->choice_count;
    return question->request->choices[banyan_rng_below(&rng, count)];
}

static enum banyan_status random_choose(void *self, void *memory,
                                        const struct decide_question *question,
                                        struct decide_answer *answer, struct banyan_error *err)
{
    (void)self, (void)memory, (void)err;
    answer->choice = choosers_any(question);
    return BANYAN_OK;
}

/* --- the move with the highest base power --- */

int powers_find(const char *move)
{
    int low = 0, high = powers_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(move, powers_data[middle].move);
        if (order == 0)
            return powers_data[middle].power;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* The first of the strongest moves, without Dynamax; a random choice if no move is legal.  Similar
 * to poke-env's MaxBasePowerPlayer. */
static enum banyan_status power_choose(void *self, void *memory,
                                       const struct decide_question *question,
                                       struct decide_answer *answer, struct banyan_error *err)
{
    (void)self, (void)memory, (void)err;
    const struct request *request = question->request;
    int best = -1;
    answer->choice = choosers_any(question);
    for (int i = 0; i < request->choice_count; ++i) {
        struct request_choice choice = request->choices[i];
        if (choice.kind != REQUEST_CHOOSE_MOVE)
            continue;
        int power = powers_find(request->moves[choice.slot].id);
        if (power > best) {
            best = power;
            answer->choice = choice;
        }
    }
    return BANYAN_OK;
}

/* --- the first legal choice, which is what the server takes for `default` --- */

static enum banyan_status default_choose(void *self, void *memory,
                                         const struct decide_question *question,
                                         struct decide_answer *answer, struct banyan_error *err)
{
    (void)self, (void)memory, (void)err;
    answer->choice = question->request->choices[0];
    return BANYAN_OK;
}

const struct decide_chooser chooser_random = {
    .name = "random",
    .help = "any legal choice, Dynamax and switches included",
    .open = choosers_open,
    .close = choosers_close,
    .choose = random_choose,
};

const struct decide_chooser chooser_power = {
    .name = "max-base-power",
    .help = "the move with the highest base power; switches only when it must",
    .open = choosers_open,
    .close = choosers_close,
    .choose = power_choose,
};

const struct decide_chooser chooser_default = {
    .name = "default",
    .help = "the first legal choice",
    .open = choosers_open,
    .close = choosers_close,
    .choose = default_choose,
};
