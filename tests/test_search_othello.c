/* The solver of the search against exhaustive search: endgames of Othello on 4x4 and 6x6. */
#include "searching.h"

#include <banyan/exact.h>

enum { PLIES_MAX = 64 };

/* Plays at random until at most `empties` squares are empty.  The first field of the state's
 * text has a dash for each empty square.  False: the game ended before. */
static bool play_down(struct searching *s, int empties, struct banyan_rng *rng)
{
    char text[BANYAN_TEXT_MAX];
    searching_check(s, s->game->init(s->game, s->state, NULL, rng, &s->err));
    for (;;) {
        unsigned movers = s->game->movers(s->game, s->state);
        if (!movers)
            return false;
        s->game->format(s->game, s->state, text, sizeof text);
        int left = 0;
        for (const char *at = text; *at && *at != ' '; ++at)
            left += *at == '-';
        if (left <= empties)
            return true;
        banyan_action legal[PLIES_MAX], joint[2];
        int mover = (int)(movers >> 1), n = s->game->legal(s->game, s->state, mover, legal);
        joint[mover] = legal[banyan_rng_below(rng, (uint32_t)n)];
        s->game->apply(s->game, s->state, joint, NULL);
    }
}

/* A search that runs until the root is proven knows the exact value, and its bounds on other
 * actions are correct as well. */
static void compare_proofs(struct searching *s, struct banyan_exact *exact, int *proven)
{
    struct banyan_exact_action exacts[PLIES_MAX];
    struct banyan_search_move rows[PLIES_MAX], choice;
    double values[2];
    int n, mover = (int)(s->game->movers(s->game, s->state) >> 1);
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
    searching_run(s, 2000000);
    searching_check(s, banyan_exact_value(exact, s->state, values, &s->err));
    searching_check(s, banyan_exact_actions(exact, s->state, exacts, &n, &s->err));
    searching_check(s, banyan_search_choose(s->search, mover, &choice, &s->err));
    assert_true(choice.lo == choice.hi);
    assert_true(choice.lo == (float)values[mover]);
    int known = banyan_search_root_moves(s->search, mover, rows, PLIES_MAX);
    for (int r = 0; r < known; ++r)
        for (int a = 0; a < n; ++a) {
            if (rows[r].action != exacts[a].action)
                continue;
            assert_true(rows[r].lo <= exacts[a].value && exacts[a].value <= rows[r].hi);
            *proven += rows[r].lo == rows[r].hi;
        }
}

static void endgames(const char *game, const char *options, int empties, int positions)
{
    struct searching s;
    struct banyan_exact *exact;
    struct banyan_rng rng;
    int played = 0, proven = 0, values[3] = {0};
    banyan_rng_seed(&rng, 17);
    searching_open(&s, game, NULL, options, "rollout");
    searching_check(&s, banyan_exact_create(&exact, s.game, (size_t)256 << 20, &s.err));
    while (played < positions) {
        if (!play_down(&s, empties, &rng))
            continue;
        compare_proofs(&s, exact, &proven);
        double value[2];
        searching_check(&s, banyan_exact_value(exact, s.state, value, &s.err));
        ++values[1 + (int)value[0]];
        ++played;
    }
    assert_true(proven >= positions);
    assert_true(values[0] > 0 && values[2] > 0); /* each side wins some positions */
    banyan_exact_destroy(exact);
    searching_close(&s);
}

static void endgames_of_4x4_are_proven(void **unused)
{
    (void)unused;
    endgames("othello-4x4", "", 9, 200);
}

static void endgames_of_4x4_are_proven_by_other_rules(void **unused)
{
    (void)unused;
    endgames("othello-4x4", "rule=puct", 8, 60);
    endgames("othello-4x4", "rule=ucb1-tuned", 8, 60);
    endgames("othello-4x4", "batch=4", 8, 60);
}

static void endgames_of_6x6_are_proven(void **unused)
{
    (void)unused;
    endgames("othello-6x6", "", 8, 60);
}

/* The whole game: the first player loses (by 8 discs, says the endgame solver). */
static void the_first_player_loses_4x4(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move choice;
    searching_open(&s, "othello-4x4", NULL, "", "rollout");
    searching_run(&s, 2000000);
    searching_check(&s, banyan_search_choose(s.search, 0, &choice, &s.err));
    assert_true(choice.lo == -1 && choice.hi == -1);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endgames_of_4x4_are_proven),
        cmocka_unit_test(endgames_of_4x4_are_proven_by_other_rules),
        cmocka_unit_test(endgames_of_6x6_are_proven),
        cmocka_unit_test(the_first_player_loses_4x4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
