/* Games that another program played, one on each line of a file, for tests that compare its rules with ours.
 *
 * A program that includes this file after cmocka.h has a function check_line, and a main that calls game_lines_main. */
#ifndef TESTS_GAME_LINES_H
#define TESTS_GAME_LINES_H

#include <stdio.h>
#include <string.h>

enum { GAME_LINES_MAX = 4096 };

static const char *game_lines_file;
static int game_lines_least;

/* Plays the game of a line and compares it. */
static void check_line(char *line);

/* The CRC-32 of a move's text.  The other program's script writes the sum over all legal moves, in
 * place of their list. */
static uint32_t crc32_of(const char *text)
{
    uint32_t crc = 0xffffffffu;
    for (; *text; ++text) {
        crc ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void game_lines_agree(void **unused)
{
    (void)unused;
    static char line[GAME_LINES_MAX];
    FILE *file = fopen(game_lines_file, "r");
    int games = 0;
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); ++games) {
        assert_non_null(strchr(line, '\n'));
        check_line(line);
    }
    fclose(file);
    printf("%d games agree\n", games);
    assert_true(games >= game_lines_least);
}

/* Checks the file that argv[1] names, else `usual`, which has at least so many games. */
static int game_lines_main(int argc, char **argv, const char *usual, int least)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(game_lines_agree)};
    game_lines_file = argc > 1 ? argv[1] : usual;
    game_lines_least = least;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
