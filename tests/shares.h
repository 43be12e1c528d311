/* A search of a few free squares of tic-tac-toe whose evaluator knows nothing but the shares 0.6, 0.3 and 0.1: all
 * values are equal, so visits follow from the priors and can be computed by hand. */
#ifndef TESTS_SHARES_H
#define TESTS_SHARES_H

#include "searching.h"

/* Shares of 0.6, 0.3 and 0.1 where there are three actions; equal ones elsewhere. */
static inline enum banyan_status three_shares(void *ctx, struct banyan_leaf *leaves, int n,
                                              struct banyan_error *err)
{
    static const float shares[] = {0.6f, 0.3f, 0.1f};
    (void)ctx;
    (void)err;
    for (int l = 0; l < n; ++l)
        for (int p = 0; p < 2; ++p) {
            leaves[l].values[p] = 0;
            for (int i = 0; (leaves[l].movers >> p & 1) && i < leaves[l].count[p]; ++i)
                leaves[l].priors[p][i] =
                    leaves[l].count[p] == 3 ? shares[i] : 1.0f / (float)leaves[l].count[p];
        }
    return BANYAN_OK;
}

/* The search of a position of three free squares, O to move, or one of four, X to move. */
static inline void open_position(struct searching *s, const char *moves, const char *options)
{
    searching_open(s, "tictactoe", moves, options, "rollout");
    banyan_search_destroy(s->search);
    banyan_evaluator_close(&s->evaluator);
    s->evaluator = (struct banyan_evaluator){.struct_size = sizeof s->evaluator,
                                             .name = "three shares",
                                             .wants_actions = true,
                                             .reentrant = true,
                                             .evaluate = three_shares};
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

#define THREE_LEFT "moves:a1 b1 c1 a3 b3 c3" /* all games that go on from here are draws */
#define FOUR_LEFT  "moves:a1 b2 c3 b1 b3"

#endif
