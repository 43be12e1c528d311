/* What a search says of its root after the game has moved on: banyan_search_advance keeps the
 * subtree, and the root's values must be those of the kept simulations. */
#include "searching.h"

#include "games/kuhn/kuhn.h"

#include <math.h>

static void searching_kuhn(struct searching *s, const char *options)
{
    searching_open(s, "kuhn", "deal=KQ", options, "rollout");
    searching_check(s, banyan_search_set_root(s->search, s->state, 0, &s->err));
}

static int first_mover(const struct searching *s)
{
    unsigned movers = s->game->movers(s->game, s->state);
    int mover = 0;
    while (!(movers >> mover & 1))
        ++mover;
    return mover;
}

/* The sum of the visits of the root's actions, and player's mean return over them. */
static uint32_t mean_of_rows(const struct searching *s, int player, double *mean)
{
    static struct banyan_search_move rows[4096];
    int count = banyan_search_root_moves(s->search, player, rows, 4096);
    uint32_t visits = 0;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        visits += (uint32_t)rows[i].visits;
        sum += rows[i].visits ? rows[i].mean * (double)rows[i].visits : 0;
    }
    *mean = visits ? sum / visits : 0;
    return visits;
}

static void check_range(const struct searching *s, const float *values)
{
    for (int p = 0; p < s->game->players; ++p)
        if (!(values[p] >= s->game->return_min - 1e-4f && values[p] <= s->game->return_max + 1e-4f))
            fail_msg("%s: player %d has the value %g", s->game->name, p + 1, (double)values[p]);
}

static void check_sum(const struct searching *s, const float *values)
{
    double sum = 0, middle = ((double)s->game->return_min + s->game->return_max) / 2,
           constant = s->game->players * middle;
    for (int p = 0; p < s->game->players; ++p)
        sum += values[p];
    if (!(fabs(sum - constant) < 1e-4))
        fail_msg("%s: values sum to %g, not to %g", s->game->name, sum, constant);
}

/* Plays the actions that the search chooses for every mover, and advances the search. */
static void play_on(struct searching *s, struct banyan_dice *dice)
{
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned movers = s->game->movers(s->game, s->state);
    for (int p = 0; p < s->game->players; ++p)
        if (movers >> p & 1)
            joint[p] = searching_choice(s, p);
    s->game->apply(s->game, s->state, joint, dice);
    if (s->game->movers(s->game, s->state))
        banyan_search_advance(s->search, joint, s->state);
}

/* Whether the root's values are known; if values are utilities, checks that they agree with the
 * root's rows. */
static bool check_kept_values(const struct searching *s, bool maxn)
{
    float values[BANYAN_MAX_PLAYERS];
    double mean;
    int mover = first_mover(s);
    banyan_search_root_values(s->search, values);
    if (isnan(values[0]))
        return false;
    check_range(s, values);
    if (s->game->traits & BANYAN_ZERO_SUM)
        check_sum(s, values);
    if (maxn && mean_of_rows(s, mover, &mean) > 0 && fabs(mean - values[mover]) > 1e-4)
        fail_msg("%s: the root is worth %g to its mover, its actions %g", s->game->name,
                 (double)values[mover], mean);
    return true;
}

/* Plays games with one search that keeps its tree: counts how often the root's values were known
 * after a move. */
static int play_games(const char *name, const char *options, const char *evaluator,
                      int64_t simulations, int games)
{
    struct searching s;
    struct banyan_rng rng;
    struct banyan_dice dice;
    int known = 0;
    banyan_rng_seed(&rng, 17);
    banyan_dice_drawn(&dice, &rng);
    searching_open(&s, name, NULL, options, evaluator);
    bool maxn = s.options.opponents == BANYAN_OPPONENTS_MAXN;
    for (int game = 0; game < games; ++game) {
        searching_check(&s, s.game->init(s.game, s.state, NULL, &rng, &s.err));
        /* paranoid opponents are modelled for one player */
        int viewer = maxn ? -1 : first_mover(&s);
        searching_check(&s, banyan_search_set_root(s.search, s.state, viewer, &s.err));
        for (int ply = 0; ply < 30 && s.game->movers(s.game, s.state); ++ply) {
            float values[BANYAN_MAX_PLAYERS];
            searching_run(&s, simulations);
            banyan_search_root_values(s.search, values);
            check_range(&s, values);
            play_on(&s, &dice);
            if (s.game->movers(s.game, s.state))
                known += check_kept_values(&s, maxn);
        }
    }
    searching_close(&s);
    return known;
}

/* After a throw of dice the root's values are those of the outcome that was thrown; the edge that was
 * played leads to every outcome. */
static void values_after_a_throw_are_those_of_what_was_thrown(void **unused)
{
    (void)unused;
    const char *const options[] = {"",
                                   "transpositions=on",
                                   "ensemble=3",
                                   "batch=8",
                                   "memory=330K",
                                   "rule=ucb1-tuned,expand-visits=1",
                                   "opponents=paranoid",
                                   "opponents=coalition,side0=0,side1=0"};
    const char *const games[] = {"pig", "pig-3", "tree", "tree-3"};
    for (size_t g = 0; g < sizeof games / sizeof *games; ++g)
        for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
            if (play_games(games[g], options[i], "rollout", 2000, 2) == 0)
                fail_msg("%s %s: no values were kept", games[g], options[i]);
    assert_true(play_games("bloodbowl-1", "", "heuristic", 1000, 2) > 0);
}

static void values_of_simultaneous_choices_are_kept(void **unused)
{
    (void)unused;
    assert_true(play_games("pokemon", "worlds=1", "heuristic", 400, 3) > 0);
}

/* In every final state player 2 gets a quarter of player 1's return, and 7: every mean must show
 * this. */
static void two_players_of_no_constant_sum_keep_both_values(void **unused)
{
    (void)unused;
    const char *const setup =
        "(1 a:(chance 0.3:(2 c:[20 12] d:(1 g:[-8 5] h:[40 17])) 0.7:(2 e:[4 8] f:[60 22]))"
        " b:(2 i:(1 k:[80 27] l:[-100 -18]) j:(chance 0.5:[0 7] 0.5:[12 10])))";
    const char *const options[] = {"", "transpositions=on", "ensemble=2", "opponents=paranoid",
                                   "opponents=coalition,side0=0,side1=0"};
    struct banyan_rng rng;
    struct banyan_dice dice;
    int known = 0;
    banyan_rng_seed(&rng, 5);
    banyan_dice_drawn(&dice, &rng);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        float values[2];
        searching_open(&s, "tree-2", setup, options[i], "rollout");
        for (int game = 0; game < 20; ++game) {
            searching_check(&s, s.game->init(s.game, s.state, setup, NULL, &s.err));
            searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
            while (s.game->movers(s.game, s.state)) {
                searching_run(&s, 60);
                play_on(&s, &dice);
                banyan_search_root_values(s.search, values);
                known += !isnan(values[0]);
                if (!isnan(values[0]) && fabs(values[0] / 4 + 7 - values[1]) > 1e-3)
                    fail_msg("%s: player 1 has %g, player 2 %g", options[i], (double)values[0],
                             (double)values[1]);
            }
        }
        searching_close(&s);
    }
    assert_true(known > 100);
}

/* In a game without chance the edge leads to one state, and its mean is that of the new root,
 * also where sides share their returns and the edge's sum is always 0. */
static void values_of_a_certain_edge_are_kept(void **unused)
{
    (void)unused;
    const char *const options[] = {"", "solver=off", "solver=off,transpositions=on",
                                   "solver=off,opponents=coalition,side0=0,side1=0"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move chosen;
        banyan_action joint[2];
        float values[2];
        searching_open(&s, "tictactoe", "moves:b2", options[i], "rollout");
        searching_run(&s, 3000);
        searching_check(&s, banyan_search_choose(s.search, 1, &chosen, &s.err));
        joint[1] = chosen.action;
        s.game->apply(s.game, s.state, joint, NULL);
        assert_true(banyan_search_advance(s.search, joint, s.state));
        banyan_search_root_values(s.search, values);
        if (i < 3)
            assert_true(fabs(values[1] - chosen.mean) < 1e-5);
        if (i == 3)
            /* X in the middle is ahead of an O who plays at random */
            assert_true(values[0] > 0.1f);
        check_sum(&s, values);
        searching_close(&s);
    }
}

/* A line of an opening book counts as simulations. */
static void values_of_a_book_are_kept(void **unused)
{
    (void)unused;
    const char *const options[] = {"", "transpositions=on,solver=off", "ensemble=2"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        banyan_action joint[2];
        float values[2];
        searching_open(&s, "othello-6x6", NULL, options[i], "rollout");
        banyan_action legal[64];
        s.game->legal(s.game, s.state, 0, legal);
        joint[0] = legal[0];
        searching_check(&s, banyan_search_add_line(s.search, joint, 1, 50, 0.25, &s.err));
        s.game->apply(s.game, s.state, joint, NULL);
        assert_true(banyan_search_advance(s.search, joint, s.state));
        banyan_search_root_values(s.search, values);
        assert_float_equal(values[0], 0.25, 1e-6);
        assert_float_equal(values[1], -0.25, 1e-6);
        searching_close(&s);
    }
}

/* A player with the king meets a bet: the kept simulations are those of this information set,
 * and their mean is that of its actions. */
static void values_of_hidden_cards_are_the_viewers(void **unused)
{
    (void)unused;
    struct searching s;
    banyan_action joint[2];
    float values[2];
    double mean;
    searching_kuhn(&s, "");
    searching_run(&s, 5000);
    searching_check(&s, s.game->action_parse(s.game, s.state, 0, "check", &joint[0], &s.err));
    s.game->apply(s.game, s.state, joint, NULL);
    banyan_search_advance(s.search, joint, s.state);
    banyan_search_root_values(s.search, values);
    /* the other player is to move, whose card the viewer does not know */
    assert_true(isnan(values[0]));
    searching_check(&s, s.game->action_parse(s.game, s.state, 1, "bet", &joint[1], &s.err));
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    banyan_search_root_values(s.search, values);
    assert_true(mean_of_rows(&s, 0, &mean) > 0);
    assert_float_equal(values[0], mean, 1e-5);
    assert_float_equal(values[1], -mean, 1e-5);
    assert_true(values[0] >= 1); /* a king loses nothing */
    searching_close(&s);
}

/* Plays the first legal action of every mover in s->state; false: the game is over. */
static bool first_action(struct searching *s, banyan_action joint[])
{
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_action actions[256];
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    unsigned movers = s->game->movers(s->game, s->state);
    for (int p = 0; p < s->game->players; ++p)
        if (movers >> p & 1 && s->game->legal(s->game, s->state, p, actions) > 0)
            joint[p] = actions[0];
    s->game->apply(s->game, s->state, joint, &dice);
    return s->game->movers(s->game, s->state) != 0;
}

/* Leaves that wait when the game moves on are never asked for again: their positions are free
 * again. */
static void leaves_that_wait_are_taken_back(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_leaf leaves[8];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    searching_open(&s, "tictactoe", NULL, "rule=puct,batch=8,order=first,solver=off", "uniform");
    searching_run(&s, 1);
    assert_int_equal(banyan_search_select(s.search, leaves, 8), 8);
    assert_true(first_action(&s, joint)); /* to a position with a node that waits for its priors */
    assert_true(banyan_search_advance(s.search, joint, s.state));
    for (int i = 0; i < 50; ++i) {
        int found = banyan_search_select(s.search, leaves, 8);
        if (i == 0 && found == 0)
            fail_msg("nothing is found below a leaf that was out");
        s.evaluator.evaluate(s.evaluator.ctx, leaves, found, NULL);
        banyan_search_update(s.search, leaves, found);
    }
    searching_close(&s);
}

static int visited_actions(struct searching *s, int player)
{
    struct banyan_search_move rows[256];
    int visited = 0, count = banyan_search_root_moves(s->search, player, rows, 256);
    for (int i = 0; i < count; ++i)
        visited += rows[i].visits > 0;
    return visited;
}

/* Whether the tree is kept after one move, in a search for this viewer. */
static bool keeps(const char *game, const char *options, int viewer)
{
    struct searching s;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    searching_open(&s, game, NULL, options, "rollout");
    searching_check(&s, banyan_search_set_root(s.search, s.state, viewer, &s.err));
    searching_run(&s, 200);
    assert_true(first_action(&s, joint));
    bool kept = banyan_search_advance(s.search, joint, s.state);
    searching_close(&s);
    return kept;
}

/* The mover is the player who searches, unless the caller names a player: Gumbel's root
 * considers four of seven actions at every move, not at every second one. */
static void the_first_mover_searches_at_every_root(void **unused)
{
    (void)unused;
    const char *const reuse[] = {"rule=gumbel,gumbel-actions=4,reuse=off,solver=off,memory=4M",
                                 "rule=gumbel,gumbel-actions=4,reuse=off,solver=off,ensemble=2"};
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        searching_open(&s, "connect4", NULL, reuse[i], "rollout");
        for (int ply = 0; ply < 4; ++ply) {
            searching_run(&s, 128);
            int visited = visited_actions(&s, ply % 2);
            if (visited > 4 * (i + 1) || (i == 0 && visited != 4))
                fail_msg("move %d: %d actions were visited", ply + 1, visited);
            first_action(&s, joint);
            banyan_search_advance(s.search, joint, s.state);
        }
        searching_close(&s);
    }
}

/* What was found for one player is kept for the next player only if it is right for that one
 * too. */
static void what_was_right_for_another_is_not_kept(void **unused)
{
    (void)unused;
    assert_true(keeps("kuhn", "rule=ucb1", 0));
    assert_false(keeps("kuhn", "rule=ucb1", -1));
    /* the rule draws all cards anew, whoever searches */
    assert_true(keeps("kuhn", "rule=regret", -1));
    assert_true(keeps("pig-3", "opponents=paranoid", 0));
    assert_true(keeps("othello", "opponents=paranoid", -1));
    assert_true(keeps("othello", "", -1));
}

/* Searches for player 0, plays an action of each player in turn, and searches again. */
static uint64_t signature_of_reuse(const char *deal, const char *options, banyan_action first,
                                   banyan_action second)
{
    struct searching s;
    banyan_action joint[2] = {first, second};
    searching_open(&s, "kuhn", deal, options, "rollout");
    searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
    for (int i = 0; i < 2; ++i) {
        searching_run(&s, 300);
        s.game->apply(s.game, s.state, joint, NULL);
        banyan_search_advance(s.search, joint, s.state);
    }
    searching_run(&s, 300);
    uint64_t signature = banyan_search_signature(s.search);
    searching_close(&s);
    return signature;
}

/* The other player's card has no effect on what is kept or on the next search. */
static void reuse_tells_nothing_of_hidden_cards(void **unused)
{
    (void)unused;
    const char *const options[] = {"", "rule=puct", "rule=gumbel", "worlds=3"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        if (signature_of_reuse("deal=QJ", options[i], KUHN_PASS, KUHN_BET) !=
            signature_of_reuse("deal=QK", options[i], KUHN_PASS, KUHN_BET))
            fail_msg("'%s': the tree depends on the other player's card", options[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_after_a_throw_are_those_of_what_was_thrown),
        cmocka_unit_test(values_of_simultaneous_choices_are_kept),
        cmocka_unit_test(two_players_of_no_constant_sum_keep_both_values),
        cmocka_unit_test(values_of_a_certain_edge_are_kept),
        cmocka_unit_test(values_of_a_book_are_kept),
        cmocka_unit_test(values_of_hidden_cards_are_the_viewers),
        cmocka_unit_test(leaves_that_wait_are_taken_back),
        cmocka_unit_test(the_first_mover_searches_at_every_root),
        cmocka_unit_test(what_was_right_for_another_is_not_kept),
        cmocka_unit_test(reuse_tells_nothing_of_hidden_cards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
