/* Several threads read one search at the same time: functions that take a const search write
 * nothing.  Also run under ThreadSanitizer. */
#include "searching.h"

#include <pthread.h>

enum { READ_THREADS = 3, READ_TIMES = 20, READ_ROWS = 64, READ_LINE = 16 };

/* Everything that can be read from a search. */
struct reading {
    struct banyan_search_move rows[READ_ROWS];
    banyan_action line[READ_LINE], actions[READ_ROWS];
    int movers[READ_LINE];
    double strategy[READ_ROWS];
    float values[BANYAN_MAX_PLAYERS];
    struct banyan_search_stats stats;
    struct banyan_search_profile profile;
    uint64_t signature, lines;
    int count, length, known;
};

static void read_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                      double mean)
{
    uint64_t *sum = ctx;
    (void)mean;
    *sum = *sum * 31 + line[length - 1] + visits;
}

static void read_all(const struct searching *s, struct reading *out)
{
    memset(out, 0, sizeof *out);
    out->count = banyan_search_root_moves(s->search, 0, out->rows, READ_ROWS);
    out->length = banyan_search_pv(s->search, out->line, out->movers, READ_LINE);
    out->known =
        banyan_search_average_strategy(s->search, NULL, 0, out->actions, out->strategy, READ_ROWS);
    banyan_search_root_values(s->search, out->values);
    banyan_search_stats(s->search, &out->stats, sizeof out->stats);
    banyan_search_profile(s->search, &out->profile, sizeof out->profile);
    out->signature = banyan_search_signature(s->search);
    /* 0 where this is unsupported */
    banyan_search_each_line(s->search, 10, read_line, &out->lines, NULL);
}

struct reader {
    pthread_t thread;
    const struct searching *s;
    struct reading first;
    bool same;
};

static void *read_again(void *argument)
{
    struct reader *reader = argument;
    reader->same = true;
    for (int i = 0; i < READ_TIMES; ++i) {
        struct reading again;
        read_all(reader->s, &again);
        for (int r = 0; r < again.count; ++r)
            reader->same &= again.rows[r].action == reader->first.rows[r].action &&
                            again.rows[r].visits == reader->first.rows[r].visits;
        reader->same &=
            again.count == reader->first.count && again.length == reader->first.length &&
            again.known == reader->first.known && again.signature == reader->first.signature &&
            again.lines == reader->first.lines && again.values[0] == reader->first.values[0];
    }
    return NULL;
}

static void readers_do_not_disturb_each_other(void **unused)
{
    (void)unused;
    static const char *const searches[][2] = {{"othello", ""},
                                              {"othello", "solver=off,ensemble=2"},
                                              {"othello", "rule=puct,profile=on"},
                                              {"othello", "rule=gumbel"},
                                              {"tictactoe", "transpositions=on,rule=ucb1-tuned"},
                                              {"kuhn", "rule=regret"},
                                              {"pig", ""}};
    for (size_t i = 0; i < sizeof searches / sizeof *searches; ++i) {
        struct searching s;
        struct reader readers[READ_THREADS];
        searching_open(&s, searches[i][0], NULL, searches[i][1], "rollout");
        searching_run(&s, 1000);
        for (int t = 0; t < READ_THREADS; ++t) {
            readers[t].s = &s;
            read_all(&s, &readers[t].first);
            assert_true(readers[t].first.count > 0);
        }
        for (int t = 0; t < READ_THREADS; ++t)
            assert_int_equal(pthread_create(&readers[t].thread, NULL, read_again, &readers[t]), 0);
        for (int t = 0; t < READ_THREADS; ++t) {
            assert_int_equal(pthread_join(readers[t].thread, NULL), 0);
            assert_true(readers[t].same);
        }
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
