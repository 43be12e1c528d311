/* Searches that are saved and go on later: the same trees, and files that are none. */
#include "searching.h"

#include <stdio.h>

struct bytes {
    unsigned char *at;
    size_t length, room, next, most; /* most: nothing more is taken */
};

static bool put(void *ctx, const void *bytes, size_t length)
{
    struct bytes *file = ctx;
    if (length > file->most - file->length)
        return false;
    if (file->length + length > file->room) {
        file->room = 2 * (file->length + length);
        file->at = realloc(file->at, file->room);
        assert_non_null(file->at);
    }
    memcpy(file->at + file->length, bytes, length);
    file->length += length;
    return true;
}

static bool get(void *ctx, void *bytes, size_t length)
{
    struct bytes *file = ctx;
    if (length > file->length - file->next)
        return false;
    memcpy(bytes, file->at + file->next, length);
    file->next += length;
    return true;
}

static struct bytes save(struct searching *s)
{
    struct bytes file = {.most = SIZE_MAX};
    searching_check(s, banyan_search_save(s->search, put, &file, &s->err));
    return file;
}

static const struct {
    const char *game, *options, *evaluator;
} kinds[] = {
    {"tictactoe", "solver=off", "rollout"},
    {"connect4", "", "rollout"},
    {"connect4", "transpositions,batch=4", "rollout"},
    {"othello", "rule=puct,noise-weight=0.2", "uniform"},
    {"othello", "solver=off,memory=400K", "rollout"},
    {"pig", "rule=ucb1-tuned", "rollout"},
    {"kuhn", "worlds=3", "rollout"},
    {"rps", "rule=regret", "rollout"},
    {"pokemon", "", "rollout"},
    {"hex-5x5", "rule=gumbel,final=sample", "uniform"},
    {"bloodbowl-1", "ensemble=2", "rollout"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Searches, perhaps limited to some actions; a move is made; with_stop: the search is saved there, and
 * another one goes on. */
static uint64_t fingerprint(size_t kind, bool with_stop, banyan_action *chosen)
{
    struct searching s, other;
    banyan_action legal[64], joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_rng rng;
    struct banyan_dice dice;
    searching_open(&s, kinds[kind].game, NULL, kinds[kind].options, kinds[kind].evaluator);
    searching_open(&other, kinds[kind].game, NULL, kinds[kind].options, kinds[kind].evaluator);
    searching_run(&s, 1000);
    if (kind % 2 && s.game->movers(s.game, s.state) & 1 &&
        s.game->legal(s.game, s.state, 0, legal) > 1)
        searching_check(&s, banyan_search_avoid(s.search, 0, legal, 1, &s.err));
    if (with_stop) {
        struct bytes file = save(&s);
        searching_run(&other, 50); /* is lost, as is that it begins again */
        searching_check(&s, banyan_search_set_root(other.search, other.state, -1, &s.err));
        searching_run(&other, 7);
        searching_check(&s, banyan_search_load(other.search, get, &file, &s.err));
        assert_int_equal(file.next, file.length);
        assert_true(banyan_search_signature(s.search) == banyan_search_signature(other.search));
        free(file.at);
    }
    struct searching *on = with_stop ? &other : &s;
    searching_run(on, 500);
    int mover = s.game->movers(s.game, s.state) & 1 ? 0 : 1;
    *chosen = searching_choice(on, mover);
    uint64_t first = banyan_search_signature(on->search);
    banyan_rng_seed(&rng, 3);
    banyan_dice_drawn(&dice, &rng);
    for (int p = 0; p < s.game->players; ++p)
        if (s.game->movers(s.game, s.state) >> p & 1) {
            s.game->legal(s.game, s.state, p, legal);
            joint[p] = legal[0];
        }
    s.game->apply(s.game, s.state, joint, &dice);
    if (s.game->movers(s.game, s.state)) {
        banyan_search_advance(on->search, joint, s.state);
        searching_run(on, 700);
    }
    uint64_t result = first ^ banyan_search_signature(on->search) * 3;
    searching_close(&s);
    searching_close(&other);
    return result;
}

static void the_same_tree_as_without_a_stop(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < KINDS; ++i) {
        banyan_action chosen[2];
        uint64_t through = fingerprint(i, false, &chosen[0]);
        if (fingerprint(i, true, &chosen[1]) != through || chosen[0] != chosen[1])
            fail_msg("another tree in %s with %s", kinds[i].game, kinds[i].options);
    }
}

/* Limits of the root's actions are saved, also before the first simulation. */
static void limits_are_saved(void **unused)
{
    (void)unused;
    for (int allow = 0; allow < 2; ++allow) {
        struct searching s, other;
        struct banyan_search_move rows[16];
        banyan_action legal[16];
        searching_open(&s, "connect4", NULL, "", "rollout");
        searching_open(&other, "connect4", NULL, "", "rollout");
        assert_int_equal(s.game->legal(s.game, s.state, 0, legal), 7);
        if (allow)
            searching_check(&s, banyan_search_allow(s.search, 0, legal, 2, &s.err));
        else
            searching_check(&s, banyan_search_avoid(s.search, 0, legal, 2, &s.err));
        struct bytes file = save(&s);
        searching_check(&s, banyan_search_load(other.search, get, &file, &s.err));
        searching_run(&other, 300);
        int count = banyan_search_root_moves(other.search, 0, rows, 16);
        assert_int_equal(count, allow ? 2 : 5);
        for (int i = 0; i < count; ++i)
            assert_int_equal(rows[i].action == legal[0] || rows[i].action == legal[1], allow);
        free(file.at);
        searching_close(&s);
        searching_close(&other);
    }
}

static void expect_broken(struct searching *s, struct bytes file, const char *message)
{
    file.next = 0;
    s->err.message[0] = 0;
    assert_int_equal(banyan_search_load(s->search, get, &file, &s->err), BANYAN_INVALID);
    if (!strstr(s->err.message, message))
        fail_msg("'%s' does not say '%s'", s->err.message, message);
    assert_null(strchr(s->err.message, '\n'));
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 1};
    assert_int_equal(banyan_search_run(s->search, &limits, NULL), BANYAN_INVALID); /* no root */
}

static void what_is_no_saved_search_is_told(void **unused)
{
    struct searching s, other;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    searching_run(&s, 100);
    struct bytes file = save(&s), cut = file;
    for (size_t length = 0; length < file.length; length += 1 + length / 16) {
        cut.length = length;
        expect_broken(&s, cut, "is not complete: it ends after");
    }
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < 3000; ++i) {
        size_t at = banyan_rng_below(&rng, (uint32_t)(i % 2 ? file.length : 256));
        unsigned char kept = file.at[at];
        file.at[at] ^= (unsigned char)(1u << banyan_rng_below(&rng, 8));
        expect_broken(&s, file, "saved search");
        file.at[at] = kept;
    }
    struct bytes text = {(unsigned char *)"f5 d6 : 60 0.4\n.........", 24, 0, 0, 0};
    expect_broken(&s, text, "this is not a saved search");
    file.next = 0;
    searching_check(&s, banyan_search_load(s.search, get, &file, &s.err));
    searching_run(&s, 100);
    searching_close(&s);
    searching_open(&other, "connect4", NULL, "", "rollout");
    expect_broken(&other, file, "the game 'tictactoe', this one 'connect4'");
    searching_close(&other);
    searching_open(&other, "tictactoe", NULL, "rule=puct", "rollout");
    expect_broken(&other, file, "this one 'rule=puct");
    searching_close(&other);
    searching_open(&other, "tictactoe", NULL, "ensemble=2", "rollout");
    expect_broken(&other, file, "has 1 trees, this one 2");
    searching_close(&other);
    free(file.at);
}

static void what_cannot_be_saved_is_refused(void **unused)
{
    struct searching s;
    struct bytes none = {.at = NULL}, few = {.most = 1000};
    struct banyan_leaf leaf;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    searching_run(&s, 10);
    assert_int_equal(banyan_search_save(s.search, put, &none, &s.err), BANYAN_IO);
    assert_int_equal(banyan_search_save(s.search, put, &few, &s.err), BANYAN_IO);
    assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1);
    assert_int_equal(banyan_search_save(s.search, put, &few, &s.err), BANYAN_INVALID);
    searching_close(&s);
    searching_open(&s, "tictactoe", NULL, "rule=grave", "rollout");
    assert_int_equal(banyan_search_save(s.search, put, &few, &s.err), BANYAN_UNSUPPORTED);
    searching_close(&s);
    free(few.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tree_as_without_a_stop),
        cmocka_unit_test(limits_are_saved),
        cmocka_unit_test(what_is_no_saved_search_is_told),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
