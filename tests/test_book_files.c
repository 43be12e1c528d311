/* Opening books: their files, and the players and commands that use them. */
#include "cli_program.h"
#include "searching.h"

#include "match/playing.h"
#include "players/book.h"
#include "players/player.h"

#include <math.h>
#include <stdio.h>

/* --- files --- */

static struct banyan_error err;

static struct book read_text(const char *text)
{
    struct book book;
    if (book_read_memory(&book, "text", text, strlen(text), &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return book;
}

static void files_are_read(void **unused)
{
    (void)unused;
    struct book book = read_text("# a book\r\n"
                                 "\n"
                                 "  c1 b2\t: 12 -0.25  # good for X\r\n"
                                 "a1:0\n"
                                 "a2 : 0 0.5\n"
                                 "0 1; 2 3 : 4294967295 1e-3");
    assert_int_equal(book.count, 4);
    assert_string_equal(book.entries[0].actions, "c1 b2");
    assert_int_equal(book.entries[0].number, 3);
    assert_int_equal(book.entries[0].visits, 12);
    assert_true(book.entries[0].mean == -0.25);
    assert_int_equal(book.entries[1].visits, 0);
    assert_int_equal(book.entries[3].number, 6);
    assert_int_equal(book.entries[3].visits, UINT32_MAX);
    assert_true(book.entries[3].mean == 1e-3);
    book_free(&book);
    book = read_text("");
    assert_int_equal(book.count, 0);
    book_free(&book);
}

static void bad_files_name_their_line(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"a1 : 1 0\nb2 3 0.5\n", "text:2: 'b2 3 0.5' has no numbers"},
        {"\n : 3 0.5", "text:2: no action before ':'"},
        {"a1 :", "text:1: '' does not begin with visits"},
        {"a1 : -3 0.5", "text:1: '-3 0.5' does not begin with visits"},
        {"a1 : 3.5 0.5", "does not begin with visits"},
        {"a1 : 4294967296 0.5", "a whole number of 0..4294967295"},
        {"a1 : 99999999999999999999999 0.5", "does not begin with visits"},
        {"a1 : 3", "text:1: '3' is not VISITS MEAN"},
        {"a1 : 3 x", "'3 x' is not VISITS MEAN"},
        {"a1 : 3 0.5 0.5", "is not VISITS MEAN"},
        {"a1 : 3 nan", "is not VISITS MEAN"},
        {"a1 : 3 1e999", "is not VISITS MEAN"},
    };
    struct book book;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(book_read_memory(&book, "text", bad[i][0], strlen(bad[i][0]), &err),
                         BANYAN_INVALID);
        assert_contains(err.message, bad[i][1]);
        assert_null(book.entries);
    }
    assert_int_equal(book_read_memory(&book, "text", "a\0b", 3, &err), BANYAN_INVALID);
    assert_contains(err.message, "not a text file");
    assert_int_equal(book_read(&book, "no/such/book", &err), BANYAN_NOT_FOUND);
    assert_contains(err.message, "no/such/book");
    assert_int_equal(book_read(&book, ".", &err), BANYAN_IO);
}

static void applied_badly(struct searching *s, const char *text, enum banyan_status status,
                          const char *part)
{
    struct book book = read_text(text);
    assert_int_equal(book_apply(&book, s->game, s->state, s->search, &err), status);
    assert_contains(err.message, part);
    book_free(&book);
}

static void lines_are_checked_where_they_begin(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    applied_badly(&s, "a1 : 1 0\n\na1 a1 : 2 0", BANYAN_ILLEGAL, "text:3: ");
    applied_badly(&s, "z9 : 2 0", BANYAN_INVALID, "text:1: ");
    applied_badly(&s, "a1 : 2 7", BANYAN_INVALID, "text:1: a mean of 7");
    applied_badly(&s, "a1 b1 a2 b2 a3 b3 : 2 0", BANYAN_ILLEGAL,
                  "text:1: the game is over before 'b3'");
    /* the lines from before are still there */
    assert_int_equal(searching_row(&s, 0, "a1").visits, 1);
    searching_close(&s);
    searching_open(&s, "pig", NULL, "", "rollout");
    applied_badly(&s, "roll : 2 0", BANYAN_UNSUPPORTED, "no opening book");
    searching_close(&s);
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    return program_read(file);
}

/* In every game that can have a book: a tree is written to a file, read into another tree and
 * written again; both trees and both files are equal. */
static void books_of_all_games_come_back(void **unused)
{
    (void)unused;
    int games = 0;
    for (int i = 0; banyan_game_at(i); ++i) {
        const struct banyan_game *game = banyan_game_at(i);
        if ((game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS)) ||
            game->players > 2)
            continue;
        struct searching one, two;
        struct book book;
        int lines[2];
        searching_open(&one, game->name, NULL, "solver=off", "uniform");
        searching_run(&one, 3000);
        searching_check(&one, book_save(&(struct book_source){one.search, game, one.state}, 2,
                                        "book.first", &lines[0], &one.err));
        searching_check(&one, book_read(&book, "book.first", &one.err));
        searching_open(&two, game->name, NULL, "solver=off", "uniform");
        searching_check(&two, book_apply(&book, game, two.state, two.search, &two.err));
        searching_check(&two, book_save(&(struct book_source){two.search, game, two.state}, 2,
                                        "book.second", &lines[1], &two.err));
        char *first = text_of("book.first"), *second = text_of("book.second");
        assert_string_equal(first, second);
        assert_true(lines[0] > 1 && lines[0] == lines[1] && lines[0] == book.count);
        free(first);
        free(second);
        book_free(&book);
        searching_close(&one);
        searching_close(&two);
        ++games;
    }
    remove("book.first");
    remove("book.second");
    assert_true(games >= 5);
}

static void a_book_that_cannot_be_written(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    assert_int_equal(
        book_save(&(struct book_source){s.search, s.game, s.state}, 1, "no/such/place", NULL, &err),
        BANYAN_IO);
    assert_contains(err.message, "no/such/place");
    searching_check(&s, book_save(&(struct book_source){s.search, s.game, s.state}, 1, "book.empty",
                                  NULL, &s.err));
    struct book book; /* nothing was searched, so no line is written */
    searching_check(&s, book_read(&book, "book.empty", &s.err));
    assert_int_equal(book.count, 0);
    book_free(&book);
    remove("book.empty");
    searching_close(&s);
}

/* --- players --- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void player_refused(const char *spec, enum banyan_status status, const char *part)
{
    const struct banyan_game *game;
    struct banyan_player player;
    assert_int_equal(banyan_game_find("tictactoe", &game, &err), BANYAN_OK);
    assert_int_equal(banyan_player_create(game, spec, NULL, 1, &player, &err), status);
    assert_contains(err.message, part);
}

static void players_know_their_book(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct banyan_player player;
    struct banyan_player_move move;
    uint64_t start[1] = {0}, state[1];
    char text[16];
    write_text("book.player", "a2 : 5000 0.9\na2 b1 : 4000 -0.9\na2 b1 c3 : 3000 0.9\n");
    assert_int_equal(banyan_game_find("tictactoe", &game, &err), BANYAN_OK);
    assert_int_equal(game->init(game, start, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(banyan_player_create(game, "mcts:simulations=50,solver=off,book=book.player",
                                          NULL, 1, &player, &err),
                     BANYAN_OK);
    for (int round = 0; round < 2; ++round) { /* every game begins with it */
        memcpy(state, start, sizeof state);
        assert_int_equal(player.open(player.ctx, start, 0, 1, &err), BANYAN_OK);
        for (int ply = 0; ply < 3; ++ply) {
            banyan_action joint[2] = {0};
            static const char *const expected[] = {"a2", "b1", "c3"};
            assert_int_equal(
                game->action_parse(game, state, ply % 2, expected[ply], &joint[ply % 2], &err),
                BANYAN_OK);
            if (ply % 2 == 0) { /* worse than average, but the book prefers it */
                assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
                game->action_format(game, state, 0, move.action, text, sizeof text);
                assert_string_equal(text, expected[ply]);
                assert_int_equal(move.simulations, 50);
                assert_true(move.visits >= (ply ? 3000 : 5000));
            }
            uint64_t before = state[0];
            game->apply(game, state, joint, NULL);
            assert_int_equal(player.observe(player.ctx, &before, joint, state, &err), BANYAN_OK);
        }
    }
    /* another start, where its lines are not legal */
    banyan_action joint[2] = {0};
    memcpy(state, start, sizeof state);
    assert_int_equal(game->action_parse(game, state, 0, "a2", &joint[0], &err), BANYAN_OK);
    game->apply(game, state, joint, NULL);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_ILLEGAL);
    assert_contains(err.message, "book.player:1: ");
    banyan_player_close(&player);
    remove("book.player");
    player_refused("mcts:book=book.player", BANYAN_NOT_FOUND, "book.player");
    player_refused("mcts:book=book.player,reuse=off", BANYAN_INVALID, "book needs reuse=on");
    write_text("book.bad", "a1 b1\n");
    player_refused("mcts:book=book.bad", BANYAN_INVALID, "book.bad:1: ");
    remove("book.bad");
}

/* --- the program --- */

static void the_program_saves_and_reads_books(void **unused)
{
    (void)unused;
    char *out = run_well(NULL, "search othello -n 2000 --save-book=book.one --min-visits=50");
    free(out);
    json_t *after = run_json("search othello -n 1 --seed=9 --book=book.one --json");
    json_int_t visits = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(after, "root"), i, row) visits += get_int(row, "visits");
    /* the first simulation made the root, the last one is added */
    assert_int_equal(visits, 2000 - 1 + 1);
    json_decref(after);
    free(run_well(NULL, "search othello -n 1 --seed=9 --book=book.one --save-book=book.two"
                        " --min-visits=2000000"));
    char *two = text_of("book.two");
    assert_contains(two, "# Opening book of banyan, for othello");
    assert_null(strstr(two, "f5 :"));
    free(two);

    write_text("book.three", "c1 : 20 0.5\nc1 b2 a1 : 5 -0.25\n");
    out = run_well(NULL, "tree tictactoe -n 1 --book=book.three");
    assert_contains(out, "c1       X  n 20  mean +0.5000");
    free(out);
    out = run_well(NULL, "explain tictactoe -i 1 --book=book.three --evaluator=uniform");
    assert_contains(out, "root (n = 20)");
    assert_contains(out, "after 1:  root n = 21, mean 0.47619 | c1: n = 20, mean 0.5");
    free(out);
    assert_refuses("search tictactoe --book=book.none", 2, "cannot read book 'book.none'");
    assert_refuses("search tictactoe --book=book.three --moves=c1", 2, "book.three:1: ");
    assert_refuses("search pig --book=book.three", 2, "no opening book");
    remove("book.one");
    remove("book.two");
    remove("book.three");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(bad_files_name_their_line),
        cmocka_unit_test(lines_are_checked_where_they_begin),
        cmocka_unit_test(books_of_all_games_come_back),
        cmocka_unit_test(a_book_that_cannot_be_written),
        cmocka_unit_test(players_know_their_book),
        cmocka_unit_test(the_program_saves_and_reads_books),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
