/* The chooser that searches.  It makes a state and a belief from the lines, and searches at each
 * request. */
#include "showdown/choosers.h"
#include "showdown/evidence.h"
#include "showdown/position.h"
#include "showdown/searching.h"

#include "base/clock.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MCTS_TEXT = 32768 };

struct mcts_memory {
    struct chronicle chronicle;
    struct position_memory memory;
    struct evidence evidence;
};

static enum banyan_status mcts_open(const char *settings, void **self, struct banyan_error *err)
{
    struct searching *searching = malloc(sizeof *searching);
    if (!searching)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'mcts'");
    enum banyan_status status = searching_open(searching, settings, err);
    *self = searching;
    if (status != BANYAN_OK) {
        free(searching);
        *self = NULL;
    }
    return status;
}

static void mcts_close(void *self)
{
    searching_close(self);
    free(self);
}

static enum banyan_status mcts_begin(void *self, const char *room, uint64_t seed, void **memory,
                                     struct banyan_error *err)
{
    (void)self, (void)room, (void)seed;
    struct mcts_memory *mine = calloc(1, sizeof *mine);
    if (!mine)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a battle");
    chronicle_start(&mine->chronicle);
    evidence_start(&mine->evidence);
    *memory = mine;
    return BANYAN_OK;
}

static void mcts_observe(void *memory, const struct tracker *tracker,
                         const struct protocol_line *line)
{
    struct mcts_memory *mine = memory;
    chronicle_line(&mine->chronicle, tracker, line);
    evidence_line(&mine->evidence, tracker, &mine->chronicle, &mine->memory, line);
}

static void mcts_end(void *memory)
{
    free(memory);
}

/* --- one decision --- */

struct mcts_decision {
    struct pokemon root;
    struct belief belief;
    int differences; /* between request and game */
    char different[400];
    double build_ms, search_ms;
};

/* Writes the choice for the action that the search chose.  If the request does not offer this
 * action, the most visited one that it offers is taken. */
static enum banyan_status mcts_answer(const struct searching *searching,
                                      const struct decide_question *question,
                                      const struct mcts_decision *decision,
                                      struct request_choice *out, struct banyan_error *err)
{
    if (position_choice(question->request, &decision->root, searching->chosen, out))
        return BANYAN_OK;
    for (int i = 0; i < searching->row_count; ++i)
        if (position_choice(question->request, &decision->root, searching->rows[i].action, out))
            return BANYAN_OK;
    return banyan_fail(err, BANYAN_ILLEGAL, "no action of the search is a choice of the request");
}

static json_t *mcts_table(const struct searching *searching, const struct mcts_decision *decision)
{
    json_t *table = json_array();
    for (int i = 0; i < searching->row_count; ++i) {
        const struct banyan_search_move *row = &searching->rows[i];
        char text[64];
        text_action(row->action, text, sizeof text);
        json_array_append_new(table, json_pack("{s:s, s:I, s:f}", "action", text, "visits",
                                               (json_int_t)row->visits, "mean",
                                               isnan(row->mean) ? 0.0 : row->mean));
    }
    return table;
}

/* The foe's replies; share: of the visits of all actions of the foe. */
static json_t *mcts_replies(const struct expected *expected)
{
    json_t *replies = json_array();
    for (int i = 0; i < expected->reply_count; ++i) {
        const struct banyan_search_move *row = &expected->replies[i];
        char text[64];
        text_action(row->action, text, sizeof text);
        json_array_append_new(
            replies, json_pack("{s:s, s:I, s:f, s:f}", "action", text, "visits",
                               (json_int_t)row->visits, "mean", isnan(row->mean) ? 0.0 : row->mean,
                               "share", (double)row->visits / (double)expected->reply_visits));
    }
    return replies;
}

/* The line of play: what the player (own) and the foe choose at the same time; one of them is left
 * out where only the other one chooses, or the search does not know. */
static json_t *mcts_line(const struct expected *expected, int viewer)
{
    json_t *line = json_array();
    for (int i = 0; i < expected->line_length; ++i) {
        const struct expected_ply *ply = &expected->line[i];
        json_t *out = json_object();
        for (int foe = 0; foe < 2; ++foe) {
            char text[64];
            int player = foe ? !viewer : viewer;
            if (!(ply->movers >> player & 1))
                continue;
            text_action(ply->actions[player], text, sizeof text);
            json_object_set_new(out, foe ? "foe" : "own", json_string(text));
        }
        json_object_set_new(out, "visits", json_integer((json_int_t)ply->visits));
        json_array_append_new(line, out);
    }
    return line;
}

/* Everything that is needed to repeat the search, and its result. */
static char *mcts_detail(const struct searching *searching, const struct mcts_decision *decision,
                         uint64_t seed)
{
    char *state = malloc(MCTS_TEXT), *belief = malloc(MCTS_TEXT), seed_text[24], chosen[64];
    char *text = NULL;
    if (state && belief) {
        text_state(&decision->root, state, MCTS_TEXT);
        belief_format(&decision->belief, belief, MCTS_TEXT);
        snprintf(seed_text, sizeof seed_text, "%016llx", (unsigned long long)seed);
        text_action(searching->chosen, chosen, sizeof chosen);
        json_t *detail = json_pack(
            "{s:s, s:s, s:s, s:s, s:I, s:s, s:f, s:f, s:f, s:f, s:i, s:s, s:o, s:o, s:o}", "state",
            state, "belief", belief, "settings", searching->text, "seed", seed_text, "simulations",
            (json_int_t)searching->stats.simulations, "action", chosen, "value",
            isnan(searching->value) ? 0.0 : searching->value, "build_ms", decision->build_ms,
            "prepare_ms", searching->prepare_ms, "search_ms", decision->search_ms, "differences",
            decision->differences, "different", decision->different, "table",
            mcts_table(searching, decision), "replies", mcts_replies(&searching->expected), "line",
            mcts_line(&searching->expected, decision->belief.viewer));
        text = detail ? json_dumps(detail, JSON_COMPACT) : NULL;
        json_decref(detail);
    }
    free(state);
    free(belief);
    return text;
}

static enum banyan_status mcts_search(struct searching *searching, struct mcts_memory *mine,
                                      const struct decide_question *question,
                                      struct mcts_decision *decision, struct decide_answer *answer,
                                      struct banyan_error *err)
{
    double start_ms = clock_now_ms();
    struct position_source source = {question->request, question->tracker, &mine->chronicle,
                                     &mine->memory, mine->evidence.mons};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(question->seed, "position", 0));
    enum banyan_status status =
        position_build(&source, &decision->root, &decision->belief, &rng, err);
    evidence_request(&mine->evidence, question->request,
                     status == BANYAN_OK ? &decision->root : NULL);
    if (status != BANYAN_OK)
        return status;
    decision->differences = position_differences(question->request, &decision->root,
                                                 decision->different, sizeof decision->different);
    double built_ms = clock_now_ms();
    decision->build_ms = built_ms - start_ms;
    double left_ms = question->time_ms - decision->build_ms;
    status = searching_run(searching,
                           &(struct searching_task){.root = &decision->root,
                                                    .belief = &decision->belief,
                                                    .seed = question->seed,
                                                    .time_ms = left_ms > 0.5 ? left_ms : 0.5},
                           err);
    decision->search_ms = clock_now_ms() - built_ms;
    return status == BANYAN_OK ? mcts_answer(searching, question, decision, &answer->choice, err)
                               : status;
}

static enum banyan_status mcts_choose(void *self, void *memory,
                                      const struct decide_question *question,
                                      struct decide_answer *answer, struct banyan_error *err)
{
    struct mcts_memory *mine = memory;
    const struct request *request = question->request;
    position_remember(&mine->memory, request, question->tracker);
    if (request->choice_count == 1) {
        evidence_request(&mine->evidence, request, NULL);
        answer->choice = request->choices[0];
        return BANYAN_OK;
    }
    struct mcts_decision decision = {.differences = 0};
    struct searching *searching = self;
    enum banyan_status status = mcts_search(searching, mine, question, &decision, answer, err);
    if (status == BANYAN_OK) {
        answer->detail = mcts_detail(searching, &decision, question->seed);
        answer->differences = decision.differences;
        if (!isnan(searching->value)) /* converts -1..1 to a probability of winning */
            snprintf(answer->shown, sizeof answer->shown, "(%.0f %%, %.1fk)",
                     50 * (1 + searching->value), (double)searching->stats.simulations / 1000);
        snprintf(answer->different, sizeof answer->different, "%.199s", decision.different);
        return BANYAN_OK;
    }
    /* A battle with names that the tables do not have is played without a search. */
    struct banyan_error why = *err;
    status = chooser_power.choose(NULL, NULL, question, answer, err);
    snprintf(answer->note, sizeof answer->note, "not searched: %.180s", why.message);
    return status;
}

const struct decide_chooser chooser_mcts = {
    .name = "mcts",
    .help = "Monte Carlo tree search with Banyan's rules: "
            "mcts:simulations=N,worlds=N,evaluator=...,rule=...",
    .open = mcts_open,
    .close = mcts_close,
    .begin = mcts_begin,
    .observe = mcts_observe,
    .end = mcts_end,
    .choose = mcts_choose,
};
