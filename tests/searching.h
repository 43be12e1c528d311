/* A search with its game, evaluator and root, for tests: made from texts. */
#ifndef TESTS_SEARCHING_H
#define TESTS_SEARCHING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/search.h>

#include <stdlib.h>
#include <string.h>

struct searching {
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    void *state; /* the root, owned */
    struct banyan_error err;
};

/* Fails the test, with the message, if anything is refused. */
static inline void searching_check(struct searching *s, enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", s->err.message);
}

static inline void searching_open(struct searching *s, const char *game, const char *setup,
                                  const char *options, const char *evaluator)
{
    struct banyan_rng rng;
    memset(s, 0, sizeof *s);
    banyan_rng_seed(&rng, 1);
    searching_check(s, banyan_game_find(game, &s->game, &s->err));
    banyan_search_options_default(&s->options);
    s->options.memory_bytes = (uint64_t)64 << 20;
    searching_check(
        s, banyan_options_parse(banyan_search_option_table(), &s->options, options, &s->err));
    searching_check(s, banyan_evaluator_create(s->game, evaluator, NULL, &s->evaluator, &s->err));
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    s->state = calloc(1, s->game->state_size);
    assert_non_null(s->state);
    searching_check(s, s->game->init(s->game, s->state, setup, &rng, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

static inline void searching_run(struct searching *s, int64_t simulations)
{
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = simulations};
    searching_check(s, banyan_search_run(s->search, &limits, &s->err));
}

static inline void searching_close(struct searching *s)
{
    banyan_search_destroy(s->search);
    banyan_evaluator_close(&s->evaluator);
    free(s->state);
}

/* The row of the root action written `text`. */
static inline struct banyan_search_move searching_row(struct searching *s, int player,
                                                      const char *text)
{
    struct banyan_search_move rows[256];
    banyan_action action;
    searching_check(s, s->game->action_parse(s->game, s->state, player, text, &action, &s->err));
    int count = banyan_search_root_moves(s->search, player, rows, 256);
    for (int i = 0; i < count; ++i)
        if (rows[i].action == action)
            return rows[i];
    fail_msg("the root does not know %s", text);
    return rows[0];
}

static inline banyan_action searching_choice(struct searching *s, int player)
{
    struct banyan_search_move row;
    searching_check(s, banyan_search_choose(s->search, player, &row, &s->err));
    return row.action;
}

#endif
