/* Opening books: lines that are put into a tree and written from a tree. */
#include "cli_program.h"
#include "searching.h"

#include "players/book.h"
#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* Adds a line such as "c1 b2 a1" with its visits and mean; returns the status. */
static enum banyan_status add(struct searching *s, const char *actions, uint64_t visits,
                              double mean)
{
    uint64_t state[256] = {0};
    banyan_action line[64];
    char words[256], *next = words;
    int length = 0;
    assert_true(s->game->state_size <= sizeof state);
    memcpy(state, s->state, s->game->state_size);
    snprintf(words, sizeof words, "%s", actions);
    for (char *word; (word = strtok_r(next, " ", &next)); ++length) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        int mover = s->game->movers(s->game, state) & 1 ? 0 : 1;
        searching_check(s,
                        s->game->action_parse(s->game, state, mover, word, &joint[mover], &s->err));
        line[length] = joint[mover];
        s->game->apply(s->game, state, joint, NULL);
    }
    return banyan_search_add_line(s->search, line, length, visits, mean, &s->err);
}

static void added(struct searching *s, const char *actions, uint64_t visits, double mean)
{
    searching_check(s, add(s, actions, visits, mean));
}

/* All lines of the tree as one text, sorted. */
struct dump {
    char text[1 << 16];
    size_t length;
    int lines;
};

static void dump_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                      double mean)
{
    struct dump *dump = ctx;
    char *out = dump->text;
    for (int i = 0; i < length; ++i)
        dump->length += (size_t)snprintf(out + dump->length, sizeof dump->text - dump->length,
                                         "%llu ", (unsigned long long)line[i]);
    dump->length += (size_t)snprintf(out + dump->length, sizeof dump->text - dump->length,
                                     ": %llu %.9g\n", (unsigned long long)visits, mean);
    assert_true(dump->length < sizeof dump->text);
    ++dump->lines;
}

static struct dump dump_of(struct searching *s, uint64_t min_visits)
{
    struct dump dump = {.length = 0};
    searching_check(s, banyan_search_each_line(s->search, min_visits, dump_line, &dump, &s->err));
    return dump;
}

/* Visits of the nodes on the way down of one simulation, by depth. */
struct way {
    double visits[64];
    int length;
};

static void way_down(void *ctx, const struct banyan_search_trace *trace)
{
    struct way *way = ctx;
    if (trace->event == BANYAN_TRACE_SIMULATE || trace->event == BANYAN_TRACE_BACKUP)
        return;
    way->visits[trace->depth] = trace->parent_visits;
    way->length = trace->depth + 1;
}

static struct way next_way(struct searching *s)
{
    struct way way = {.length = 0};
    banyan_search_set_trace(s->search, way_down, &way);
    searching_run(s, 1);
    banyan_search_set_trace(s->search, NULL, NULL);
    return way;
}

static void a_line_gives_its_last_action_visits(void **unused)
{
    (void)unused;
    struct searching s;
    float values[2];
    banyan_action pv[9];
    int movers[9];
    searching_open(&s, "tictactoe", NULL, "solver=off", "rollout");
    added(&s, "c1 b2", 40, 0.25);
    assert_int_equal(searching_row(&s, 0, "c1").visits, 0);
    assert_true(isnan(searching_row(&s, 0, "c1").mean));
    added(&s, "c1", 60, -0.5);
    added(&s, "c1", 20, 0.5);
    added(&s, "a1", 20, 1);
    struct banyan_search_move row = searching_row(&s, 0, "c1");
    assert_int_equal(row.visits, 80);
    assert_true(fabs(row.mean + 0.25) < 1e-12);
    banyan_search_root_values(s.search, values);
    assert_true(fabsf(values[0] - 0) < 1e-6f && fabsf(values[1] - 0) < 1e-6f);
    assert_int_equal(banyan_search_pv(s.search, pv, movers, 9), 2);
    assert_int_equal(movers[1], 1);
    /* after the move, the statistics of its node are still there */
    banyan_action joint[2] = {pv[0], 0};
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    row = searching_row(&s, 1, "b2");
    assert_int_equal(row.visits, 40);
    assert_true(fabs(row.mean - 0.25) < 1e-12);
    banyan_search_root_values(s.search, values);
    assert_true(fabsf(values[0] + 0.25f) < 1e-6f && fabsf(values[1] - 0.25f) < 1e-6f);
    searching_close(&s);
}

/* The root has as many visits as the book's lines of one action and the simulations after them;
 * longer lines count for their last action only. */
static void the_root_counts_the_books_visits(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "solver=off", "rollout");
    added(&s, "c1", 60, -0.5);
    added(&s, "c1 b2", 40, 0.25);
    added(&s, "a1", 20, 1);
    assert_int_equal(s.search->root.edges[0].visits, 80);
    assert_int_equal(search_root_node(s.search, 0)->visits, 80);
    assert_int_equal(s.search->root.visits, 80);
    searching_run(&s, 50);
    assert_int_equal(s.search->root.edges[0].visits, 130);
    assert_int_equal(search_root_node(s.search, 0)->visits, 130);
    assert_int_equal(s.search->root.visits, 130);
    searching_close(&s);
}

static void lines_come_in_any_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *actions;
        uint32_t visits;
        double mean;
    } lines[] = {{"b2", 100, 0.5},      {"b2 a1", 60, -0.25},    {"b2 b1", 70, -0.5},
                 {"a1 b2", 30, 0.125},  {"b2 a1 c3", 10, 0.5},   {"b2 a1 c3 c1", 40, 0},
                 {"b2 a1 a3", 20, 0.5}, {"b2 a1 a3 c1", 0, 0.0}, {"b2 a1", 8, 0.5}};
    enum { LINES = sizeof lines / sizeof *lines };
    struct dump first = {.length = 0};
    for (int turn = 0; turn < LINES; ++turn) {
        struct searching s;
        searching_open(&s, "tictactoe", NULL, "solver=off,order=first", "uniform");
        for (int i = 0; i < LINES; ++i) {
            /* in rotated order, every other time backwards */
            int at = (turn % 2 ? LINES - i : i) + turn;
            added(&s, lines[at % LINES].actions, lines[at % LINES].visits, lines[at % LINES].mean);
        }
        struct dump dump = dump_of(&s, 1);
        if (turn == 0)
            first = dump;
        assert_string_equal(dump.text, first.text);
        assert_int_equal(dump.lines, 7);
        /* visits of a node: those of the edge to it, or the sum of its edges */
        added(&s, "b2", 1000000, 1); /* forces the next simulation over b2 ... */
        for (char c = 'a'; c <= 'c'; ++c)
            for (char r = '1'; r <= '3'; ++r)
                if (c != 'b' || r != '2')
                    added(&s, (char[]){c, r, 0}, 1000, -1);
        struct way way = next_way(&s);
        assert_true(way.length >= 2);
        assert_true(way.visits[0] == 1000000 + 100 + 8 * 1000);
        assert_true(way.visits[1] == 1000000 + 100);
        searching_close(&s);

        searching_open(&s, "tictactoe", NULL, "solver=off,order=first", "uniform");
        for (int i = 0; i < LINES - 1; ++i) { /* the lines begin after "b2", which is played */
            int at = 1 + (turn % 2 ? LINES - 2 - i : i);
            added(&s, lines[at].actions, lines[at].visits, lines[at].mean);
        }
        banyan_action joint[2] = {searching_row(&s, 0, "b2").action};
        s.game->apply(s.game, s.state, joint, NULL);
        assert_true(banyan_search_advance(s.search, joint, s.state));
        assert_true(next_way(&s).visits[0] == 60 + 70 + 8);
        searching_close(&s);
    }
}

/* Writes the lines of a search, reads them into another tree, and compares both trees. */
static void a_tree_comes_back(void **unused)
{
    (void)unused;
    static const char *const options[] = {"solver=off,seed=3",
                                          "rule=ucb1-tuned,seed=4",
                                          "rule=puct,seed=5",
                                          "expand-visits=5,solver=on",
                                          "transpositions=on,solver=off",
                                          "rule=grave,solver=off,seed=6"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching one, two;
        float values[2][2];
        searching_open(&one, "othello-6x6", NULL, options[i], "rollout");
        searching_run(&one, 3000);
        struct dump dump = dump_of(&one, 20);
        assert_true(dump.lines > 30);
        struct book book;
        struct banyan_error err;
        assert_int_equal(book_save(&(struct book_source){one.search, one.game, one.state}, 20,
                                   "book.test", NULL, &err),
                         BANYAN_OK);
        assert_int_equal(book_read(&book, "book.test", &err), BANYAN_OK);
        assert_int_equal(book.count, dump.lines);
        searching_open(&two, "othello-6x6", NULL, options[i], "rollout");
        searching_check(&two, book_apply(&book, two.game, two.state, two.search, &two.err));
        assert_string_equal(dump_of(&two, 20).text, dump.text);
        banyan_search_root_values(one.search, values[0]);
        banyan_search_root_values(two.search, values[1]);
        /* without the lines that were too rare */
        assert_true(fabsf(values[0][0] - values[1][0]) < 0.02f);
        struct banyan_search_move rows[2][64];
        int count = banyan_search_root_moves(one.search, 0, rows[0], 64);
        assert_int_equal(banyan_search_root_moves(two.search, 0, rows[1], 64), count);
        /* the rule's own numbers too; UCB1-tuned and GRAVE: see below */
        bool same_scores = !strstr(options[i], "tuned") && !strstr(options[i], "grave");
        for (int r = 0; r < count && same_scores; ++r) {
            assert_int_equal(rows[0][r].action, rows[1][r].action);
            assert_true(fabs(rows[0][r].score - rows[1][r].score) < 0.01);
        }
        searching_run(&two, 500);
        book_free(&book);
        searching_close(&one);
        searching_close(&two);
        remove("book.test");
    }
}

/* The variance is unknown: with a mean m of returns in [-1, 1] it is at most 1 - m^2. */
static void tuned_takes_the_largest_variance(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "rule=ucb1-tuned,solver=off", "rollout");
    added(&s, "a1", 1000, 0.6);
    added(&s, "a2", 9000, 0);
    double ln = log(10000), n = 1000, variance = (1 - 0.36) / 4; /* rewards of [0, 1] */
    double bound = fmin(0.25, variance + sqrt(2 * ln / n));
    assert_true(fabs(searching_row(&s, 0, "a1").score - (0.6 + 2 * sqrt(ln / n * bound))) < 1e-9);
    searching_close(&s);
}

/* A book has means, but no moves of simulations: GRAVE's tables begin empty, and their share in an
 * action's score is a / (a + n + bias a n), small where the book has many visits n. */
static void grave_begins_without_tables(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_stats stats;
    searching_open(&s, "hex-7x7", NULL, "rule=grave,solver=off", "rollout");
    added(&s, "a1", 100000, -0.9);
    added(&s, "d4", 100000, 0.9);
    added(&s, "d4 c5", 100000, -0.9);
    assert_true(searching_row(&s, 0, "a1").score == -0.9);
    assert_true(searching_row(&s, 0, "d4").score == 0.9);
    searching_run(&s, 1000);
    banyan_search_stats(s.search, &stats, sizeof stats);
    struct banyan_search_move row = searching_row(&s, 0, "a1");
    assert_true(row.visits == 100000 && row.mean == -0.9);
    double most = 1 / s.options.grave_bias / 100000; /* of the share, which is 1.9 away at most */
    assert_true(row.score >= -0.9 - 2 * most && row.score <= -0.9 + 2 * most);
    assert_int_equal(s.search->root.visits, 200000 + stats.simulations);
    assert_int_equal(searching_choice(&s, 0), searching_row(&s, 0, "d4").action);
    searching_close(&s);
}

/* Actions on the way of a line have no visits of their own: they are tried like others, and
 * whatever the book says, none of them stays unvisited. */
static void what_was_passed_through_is_visited(void **unused)
{
    (void)unused;
    static const char *const options[] = {"solver=off",
                                          "solver=on",
                                          "rule=ucb1-tuned,solver=off",
                                          "rule=puct,solver=off",
                                          "children-first=off,solver=off",
                                          "batch=4,solver=off",
                                          "threads=2,solver=off",
                                          "transpositions=on,solver=off"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[9];
        struct banyan_search_stats stats;
        searching_open(&s, "tictactoe", NULL, options[i], "rollout");
        added(&s, "b2 a1 c3", 500, 0.5);
        added(&s, "a1 a2 a3 b1", 10, 0.5);
        added(&s, "c1", 200, 0.9);
        for (char c = 'a'; c <= 'c'; ++c) /* all are in the tree now, most of them without visits */
            for (char r = '1'; r <= '3'; ++r)
                added(&s, (char[]){c, r, 0}, 0, 0);
        searching_run(&s, 400);
        banyan_search_stats(s.search, &stats, sizeof stats);
        uint64_t visits = 0;
        assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
        for (int r = 0; r < 9; ++r) {
            visits += rows[r].visits;
            assert_true(rows[r].visits > 0);
            assert_true(rows[r].mean >= -1 && rows[r].mean <= 1);
        }
        assert_int_equal(visits, stats.simulations + 200);
        searching_close(&s);
    }
}

/* The priors of the book's nodes come from the evaluator, if it gives priors. */
static struct {
    int asked;
    bool fails;
} oracle;

static enum banyan_status oracle_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    (void)ctx;
    for (int i = 0; i < n; ++i, ++oracle.asked) {
        int p = leaves[i].movers & 1 ? 0 : 1;
        for (int a = 0; a < leaves[i].count[p]; ++a)
            leaves[i].priors[p][a] = (float)(leaves[i].actions[p][a] == 8);
        leaves[i].values[0] = leaves[i].values[1] = 0;
    }
    return oracle.fails ? banyan_fail(err, BANYAN_IO, "the oracle is silent") : BANYAN_OK;
}

static void priors_come_from_the_evaluator(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "rule=puct", "uniform");
    banyan_search_destroy(s.search);
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "oracle",
                                         .wants_actions = true,
                                         .evaluate = oracle_evaluate};
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    oracle.asked = 0;
    added(&s, "b2 a1", 10, 0.5);
    assert_int_equal(oracle.asked, 2);
    added(&s, "b2 a1", 10, 0.5);
    assert_int_equal(oracle.asked, 2);
    assert_true(searching_row(&s, 0, "c3").prior == 1 && searching_row(&s, 0, "b2").prior == 0);
    oracle.fails = true;
    assert_int_equal(add(&s, "b2 a1 c1", 10, 0.5), BANYAN_IO);
    assert_string_equal(s.err.message, "the oracle is silent");
    oracle.fails = false;
    added(&s, "b2 a1 c1", 1000, 1);
    searching_run(&s, 100); /* nothing waits for priors that are never computed */
    banyan_search_destroy(s.search);
    s.search = NULL;
    searching_close(&s);
}

static void a_book_proves_nothing(void **unused)
{
    (void)unused;
    struct searching s;
    /* X: a1 a2, O: b1 b2, X to move: a3 wins, a book that recommends c1 does not change that */
    searching_open(&s, "tictactoe", NULL, "solver=on", "rollout");
    static const char *const moves[] = {"a1", "b1", "a2", "b2"};
    for (int i = 0; i < 4; ++i) {
        banyan_action joint[2] = {0};
        searching_check(
            &s, s.game->action_parse(s.game, s.state, i % 2, moves[i], &joint[i % 2], &s.err));
        s.game->apply(s.game, s.state, joint, NULL);
    }
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    added(&s, "c1", 5000, 1);
    added(&s, "c1 c2", 5000, -1);
    added(&s, "a3", 1000, -1);
    assert_true(searching_row(&s, 0, "c1").lo == -1 && searching_row(&s, 0, "c1").hi == 1);
    added(&s, "c1 b3", 0, 0); /* O wins by the rules, whatever the book says */
    assert_true(searching_row(&s, 0, "c1").lo == -1 && searching_row(&s, 0, "c1").hi == -1);
    searching_run(&s, 1000);
    assert_true(searching_row(&s, 0, "a3").lo == 1);
    assert_int_equal(searching_choice(&s, 0), searching_row(&s, 0, "a3").action);
    searching_close(&s);
}

/* The end of a line may prove bounds of an edge that the search has made: the flag of the root's
 * node says so. */
static void a_line_narrows_edges_that_are_there(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "solver=on,decisive=off", "rollout");
    searching_run(&s, 10); /* each action once */
    assert_false(search_root_node(s.search, 0)->flags & TREE_NARROWED);
    added(&s, "a1 b1 a2 b2 a3", 0, 0);
    assert_true(search_root_node(s.search, 0)->flags & TREE_NARROWED);
    searching_close(&s);
}

/* One player climbs five steps and gets 0.25. The first step is a choice; after it the bounds of
 * the rules are at most 0.5. */
static unsigned stairs_movers(const struct banyan_game *game, const void *state)
{
    return *(const unsigned char *)state < 5;
}

static int stairs_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    (void)player;
    out[0] = 1;
    out[1] = 2;
    return *(const unsigned char *)state == 0 ? 2 : 1;
}

static void stairs_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    (void)joint, (void)dice;
    ++*(unsigned char *)state;
}

static void stairs_returns(const struct banyan_game *game, const void *state, float *out)
{
    (void)state;
    out[0] = 0.25f;
}

static uint64_t stairs_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    return *(const unsigned char *)state;
}

static void stairs_bounds(const struct banyan_game *game, const void *state, int player, float *lo,
                          float *hi)
{
    (void)player;
    *lo = 0;
    *hi = *(const unsigned char *)state ? 0.5f : 1;
}

static const struct banyan_game stairs = {.struct_size = sizeof(struct banyan_game),
                                          .name = "stairs",
                                          .title = "Stairs",
                                          .players = 1,
                                          .state_size = 1,
                                          .action_bytes = 1,
                                          .max_legal = 2,
                                          .max_plies = 5,
                                          .return_max = 1,
                                          .movers = stairs_movers,
                                          .legal = stairs_legal,
                                          .apply = stairs_apply,
                                          .returns = stairs_returns,
                                          .key = stairs_key,
                                          .bounds = stairs_bounds};

/* Bounds from the rules count while the first visits of actions are in flight, in whatever order
 * these finish, also where they lead through a book's visits, which prove nothing. */
static void bounds_by_the_rules_count_in_flight(void **unused)
{
    (void)unused;
    static const banyan_action line[] = {1, 1};
    struct searching s = {.game = &stairs};
    unsigned char state = 0;
    struct banyan_leaf leaves[2];
    banyan_search_options_default(&s.options);
    searching_check(&s,
                    banyan_options_parse(banyan_search_option_table(), &s.options,
                                         "solver=on,batch=2,expand-visits=1,order=first", &s.err));
    searching_check(&s, banyan_evaluator_create(s.game, "rollout", NULL, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, &state, -1, &s.err));
    searching_check(&s, banyan_search_add_line(s.search, line, 2, 10, 0.25, &s.err));
    assert_true(s.search->root.bounds.hi == 1); /* there is another action, which is not proven */
    assert_int_equal(banyan_search_select(s.search, leaves, 2), 2);
    s.evaluator.evaluate(s.evaluator.ctx, leaves, 2, NULL);
    banyan_search_update(s.search, &leaves[0], 1);
    banyan_search_update(s.search, &leaves[1], 1);
    assert_true(s.search->root.bounds.hi == 0.5f);
    searching_close(&s);
}

static void every_tree_of_an_ensemble_gets_it(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "connect4", NULL, "ensemble=3,solver=off", "rollout");
    added(&s, "4", 10, 0.5);
    assert_int_equal(searching_row(&s, 0, "4").visits, 30);
    assert_true(searching_row(&s, 0, "4").mean == 0.5);
    assert_int_equal(dump_of(&s, 1).lines, 3);
    searching_close(&s);
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *options, *part;
    } unsupported[] = {
        {"pig", "", "dice"},
        {"kuhn", "", "hidden cards"},
        {"rps", "", "at the same time"},
        {"mushroom-n3", "", "two whose returns have a constant sum"},
        {"tictactoe", "rule=gumbel", "rule=gumbel"},
        {"tictactoe", "rule=regret", "rule=regret"},
        {"tictactoe", "opponents=paranoid", "maxn"},
    };
    struct searching s;
    const banyan_action action = 0;
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; ++i) {
        searching_open(&s, unsupported[i].game, NULL, unsupported[i].options, "rollout");
        assert_int_equal(banyan_search_add_line(s.search, &action, 1, 1, 0, &s.err),
                         BANYAN_UNSUPPORTED);
        assert_contains(s.err.message, unsupported[i].part);
        if (strstr(unsupported[i].options, "rule="))
            assert_contains(s.err.message, "use ucb1, ucb1-tuned, puct or grave");
        assert_int_equal(banyan_search_each_line(s.search, 1, dump_line, NULL, &s.err),
                         BANYAN_UNSUPPORTED);
        searching_close(&s);
    }
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    const banyan_action twice[] = {4, 0, 4}, over[] = {0, 3, 1, 4, 2, 5}, wrong[] = {9};
    assert_int_equal(banyan_search_add_line(s.search, twice, 3, 1, 0, &s.err), BANYAN_ILLEGAL);
    assert_contains(s.err.message, "action 3 of the line, number 4,");
    assert_int_equal(banyan_search_add_line(s.search, over, 6, 1, 0, &s.err), BANYAN_ILLEGAL);
    assert_contains(s.err.message, "over before action 6");
    assert_int_equal(banyan_search_add_line(s.search, wrong, 1, 1, 0, &s.err), BANYAN_ILLEGAL);
    assert_int_equal(banyan_search_add_line(s.search, over, 0, 1, 0, &s.err), BANYAN_INVALID);
    assert_int_equal(add(&s, "a1", 1, 1.01), BANYAN_INVALID);
    assert_contains(s.err.message, "1.01 is not within -1..1");
    assert_int_equal(add(&s, "a1", 1, (double)NAN), BANYAN_INVALID);
    assert_int_equal(add(&s, "a1", UINT32_MAX, 0), BANYAN_INVALID);
    added(&s, "a1", 1u << 30, 0);
    assert_int_equal(add(&s, "a2", 1, 0), BANYAN_INVALID);
    assert_contains(s.err.message, "visits of one position");
    assert_int_equal(banyan_search_add_line(s.search, over, 5, 1, 1, &s.err), BANYAN_OK);
    searching_close(&s);
}

/* What is allowed at the root does not limit what a line has below it. */
static void limits_are_for_the_root_alone(void **unused)
{
    static const char *const options[] = {"decisive=off", "decisive=on", "rule=puct"};
    const banyan_action allowed[] = {0, 4}, line[] = {0, 8, 2}, other[] = {1, 8, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        searching_open(&s, "tictactoe", NULL, options[i], "rollout");
        searching_run(&s, 20);
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        searching_check(&s, banyan_search_allow(s.search, 0, allowed, 2, &s.err));
        searching_check(&s, banyan_search_add_line(s.search, line, 3, 5, 0.5, &s.err));
        assert_int_equal(banyan_search_add_line(s.search, other, 3, 5, 0.5, &s.err),
                         BANYAN_ILLEGAL);
        struct banyan_search_move rows[9];
        assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 2);
        searching_close(&s);
    }
}

/* Adds random lines until the tree is full; returns how many, the last of which had no room. */
static int fill(struct searching *s, enum banyan_status *status)
{
    struct banyan_rng rng;
    banyan_action legal[64], line[120];
    uint64_t state[4];
    int lines = 0;
    banyan_rng_seed(&rng, 7);
    for (*status = BANYAN_OK; *status == BANYAN_OK && lines < 100000; ++lines) {
        int length = 0;
        memcpy(state, s->state, s->game->state_size);
        while (length < 20 && s->game->movers(s->game, state)) {
            int mover = s->game->movers(s->game, state) & 1 ? 0 : 1;
            uint32_t count = (uint32_t)s->game->legal(s->game, state, mover, legal);
            banyan_action joint[2] = {0};
            line[length++] = joint[mover] = legal[banyan_rng_below(&rng, count)];
            s->game->apply(s->game, state, joint, NULL);
        }
        *status = banyan_search_add_line(s->search, line, length, 5, 0.5, &s->err);
    }
    return lines;
}

/* A full tree gives an error, whatever it was that had no room, and stays valid: the search still works. */
static void a_full_tree_says_so(void **unused)
{
    (void)unused;
    for (int kib = 300; kib < 340; ++kib) {
        struct searching s;
        struct banyan_search_stats stats;
        enum banyan_status status;
        char options[64];
        snprintf(options, sizeof options, "memory=%dK,solver=off", kib);
        searching_open(&s, "othello", NULL, options, "rollout");
        int lines = fill(&s, &status);
        assert_int_equal(status, BANYAN_NO_MEMORY);
        assert_contains(s.err.message, "raise memory");
        assert_in_range(lines, 20, 99999);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_true(stats.bytes_allocated <= (uint64_t)kib << 10);
        searching_run(&s, 100);
        searching_choice(&s, 0);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_gives_its_last_action_visits),
        cmocka_unit_test(the_root_counts_the_books_visits),
        cmocka_unit_test(lines_come_in_any_order),
        cmocka_unit_test(a_tree_comes_back),
        cmocka_unit_test(tuned_takes_the_largest_variance),
        cmocka_unit_test(grave_begins_without_tables),
        cmocka_unit_test(what_was_passed_through_is_visited),
        cmocka_unit_test(priors_come_from_the_evaluator),
        cmocka_unit_test(a_book_proves_nothing),
        cmocka_unit_test(a_line_narrows_edges_that_are_there),
        cmocka_unit_test(bounds_by_the_rules_count_in_flight),
        cmocka_unit_test(every_tree_of_an_ensemble_gets_it),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(limits_are_for_the_root_alone),
        cmocka_unit_test(a_full_tree_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
