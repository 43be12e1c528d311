/* `banyan play`, as somebody at a terminal sees it: whole games by numbers only, words, colours, endings. */
#include "terminal.h"

#include <banyan/rng.h>

/* --- whole games --- */

/* The largest number that the prompt before the end of text offers: "home (1-12)> ". */
static uint64_t offered(const char *text)
{
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, " (1")); ++next)
        at = next;
    assert_non_null(at);
    return at[3] == '-' ? strtoul(at + 4, NULL, 10) : 1;
}

/* Answers every prompt with one of its numbers until the game is over. */
static void play_by_numbers(const char *term, const char *words)
{
    struct terminal terminal;
    struct banyan_rng rng;
    int answers = 0;
    banyan_rng_seed(&rng, 7);
    terminal_open(&terminal, term, words);
    for (const char *shown; (shown = terminal_wait(&terminal, ")> ")); ++answers) {
        char keys[16];
        snprintf(keys, sizeof keys, "%d\r",
                 1 + (int)banyan_rng_below(&rng, (uint32_t)offered(shown)));
        terminal_type(&terminal, keys);
    }
    assert_int_equal(terminal_end(&terminal), 0);
    assert_true(answers > 5);
    assert_contains(terminal.seen, "`help` lists what you can type");
    assert_contains(terminal.seen, "result:");
    assert_null(strstr(terminal.seen, "is not in the list"));
    free(terminal.seen);
}

static void test_whole_game_of_othello(void **state)
{
    (void)state;
    play_by_numbers("xterm", "play othello --white=mcts:simulations=20 --seed=1");
}

static void test_whole_game_of_pokemon(void **state)
{
    (void)state;
    play_by_numbers("xterm", "play pokemon --player2=random --seed=1");
}

static void test_whole_game_of_bloodbowl(void **state)
{
    (void)state;
    play_by_numbers("dumb", "play bloodbowl-3 --player2=random --seed=1");
}

/* --- endings --- */

static void ends(const char *keys, const char *words, const char *last, int code)
{
    struct terminal terminal;
    terminal_open(&terminal, "xterm", words);
    assert_non_null(terminal_wait(&terminal, "> "));
    terminal_type(&terminal, keys);
    assert_int_equal(terminal_end(&terminal), code);
    if (*last)
        assert_contains(terminal.seen, last);
    free(terminal.seen);
}

static void test_endings(void **state)
{
    (void)state;
    ends("quit\r", "play othello --seed=1 --level=1", "", 0);
    ends("exit\r", "play othello --seed=1 --level=1", "", 0);
    ends("q\r", "play othello --seed=1 --level=1", "", 0);
    ends("\4", "play othello --seed=1 --level=1", "end of input", 0);
    ends("\3", "play othello --seed=1 --level=1", "interrupted", 130);
}

/* Ctrl-C also works while the other player thinks. */
static void test_ctrl_c_during_a_search(void **state)
{
    (void)state;
    struct terminal terminal;
    terminal_open(&terminal, "xterm",
                  "play othello --seed=1 --white=mcts:simulations=1G,memory=64M");
    assert_non_null(terminal_wait(&terminal, "> "));
    terminal_type(&terminal, "1\r");
    assert_non_null(terminal_wait(&terminal, "black plays"));
    terminal_type(&terminal, "\3");
    assert_int_equal(terminal_end(&terminal), 130);
    free(terminal.seen);
}

/* --- words --- */

static void test_words_and_names(void **state)
{
    (void)state;
    char *text = run_well("?\n1\nlog\nu\nlog\n4\nq\n", "play tictactoe --seed=1 --player2=first");
    assert_contains(text, "help, ?, h");
    assert_contains(text, "X plays a1\n");
    assert_contains(text, "nothing has happened yet");
    assert_contains(text, "X plays a2\n");
    free(text);
    text = run_well("0\nmoonb\nSwitch Goo\nq\n", "play pokemon --seed=5 --player2=random");
    assert_contains(text, "0 is not in the list: it goes from 1 to 13");
    assert_contains(text, "  Whimsicott: 238 -> 0/238, fainted\n");
    assert_contains(text, "Goodra comes in (285/285)\n");
    free(text);
    text = run_well("switch g\nmoonblast\nq\n", "play pokemon --seed=5 --player2=random");
    assert_contains(text, "'switch g' may mean");
    assert_contains(text, "  Whimsicott: 238 -> 0/238, fainted\n");
    free(text);
}

/* --- Blood Bowl in words --- */

static void assert_columns(const char *text, size_t most)
{
    for (; *text; text += strcspn(text, "\n") + 1)
        if (strcspn(text, "\n") > most)
            fail_msg("more than %zu columns: %.*s", most, (int)strcspn(text, "\n"), text);
}

static void test_bloodbowl_in_words(void **state)
{
    (void)state;
    /* home sets up, kicks, and then moves H1 for the first time */
    char *text = run_well("setup formation spread\nend the set-up\nkick the ball to 1,1\ninfo\n"
                          "move with H1\nmove to\n13,2\nend the pl\nblock with H7\nlog\nq\n",
                          "play bloodbowl-7 --seed=5 --player2=scripted");
    assert_contains(text, "place H1 at ... (90)");
    assert_contains(text, "half 1, turn 1 of away");
    assert_contains(text, "MA 7 ST 3 AG 3 AV  8");
    assert_contains(text, "sure hands, pass");
    assert_contains(text, "blitz with ... (7)");
    assert_contains(text, "has the ball");
    assert_contains(text, " falls\n");
    assert_contains(text, "  1 13,3  100 %    2 13,4  100 %");
    assert_contains(text, "104 6,1   83 %");
    /* A2 has Block, H7 has not: two faces each */
    assert_contains(text, "1 die, no choice; A2 falls 33 %, H7 33 %\n");
    assert_contains(text, "home plays move to 13,2\n");
    assert_columns(text, 80);
    free(text);
}

/* --- Pokémon in words --- */

static void test_pokemon_in_words(void **state)
{
    (void)state;
    char *text = run_well("moonblast\nleech seed\n1\n1\nu-turn\ninfo\nlog\nq\n",
                          "play pokemon --seed=5 --player2=heuristic");
    assert_contains(text, "Fairy special, power 95, hits 100 %, PP 24 of 24");
    assert_contains(text, "x2 against its type");
    assert_contains(text, "Moonblast, Dynamax");
    assert_contains(text, "hp 278/278, Dragon/Ground\n");
    assert_contains(text, "Whimsicott uses Moonblast\nthe foe's Accelgor uses Toxic Spikes\n");
    assert_contains(text, "Whimsicott uses Leech Seed\n");
    assert_contains(text, "  Whimsicott: 238 -> 0/238, fainted\n");
    assert_contains(text, "  Toxic Spikes on your side\n");
    assert_contains(text, "the foe's Accelgor: 100 -> 63 %\n");
    assert_contains(text, "item Assault Vest; ability Sap Sipper");
    assert_contains(text, "item unknown");
    assert_null(strstr(text, " none\n"));
    free(text);
}

/* What the other player chose is told when it was seen, not because it was chosen. */
static void test_secrets_are_kept(void **state)
{
    (void)state;
    char *text = run_well("1\n1\n1\n1\n1\nlog\nq\n", "play pokemon --seed=5 --player2=heuristic");
    assert_null(strstr(text, "p2 (heuristic) plays"));
    assert_null(strstr(text, "Q/N"));
    free(text);
}

/* --- levels --- */

static void test_levels(void **state)
{
    (void)state;
    char *text = run_well("1\nq\n", "play othello --seed=1 --level=2");
    assert_contains(text, "white (level:2) plays");
    free(text);
    text = run_well(NULL, "list othello");
    assert_contains(text, "level:1 is random\n");
    assert_contains(text, "level:5 is best\n");
    free(text);
    struct program_run run = program_run(NULL, "play othello --level=9");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "the levels of othello are 1 to 5");
    program_free(&run);
    run = program_run(NULL, "match othello level:x random --games=2");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "'level:x': the levels of othello are 1 to 5");
    program_free(&run);
}

/* --- saving --- */

/* The name of a file in /tmp that does not exist. */
static void new_name(char path[64])
{
    strcpy(path, "/tmp/banyan-play-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    unlink(path);
}

static void test_save_and_go_on(void **state)
{
    (void)state;
    char path[64], input[256], words[256];
    new_name(path);
    snprintf(input, sizeof input, "roll\nsave %s\nroll\nsave\nq\n", path);
    char *text = run_well(input, "play pig --seed=3 --player2=first");
    assert_contains(text, "saved: `banyan play --from");
    free(text);
    snprintf(words, sizeof words, "verify pig %s", path);
    text = run_well(NULL, words);
    assert_contains(text, "1 games, 2 steps, 0 differences");
    free(text);
    /* the choices are there, the last is taken back, and another one is made and saved */
    snprintf(words, sizeof words, "play --from %s --seed=3", path);
    text = run_well("log\nundo\nundo\nlog\nroll\nq\n", words);
    assert_contains(text, "player 1 plays roll\nplayer 1 plays roll\n");
    assert_contains(text, "nothing has happened yet");
    free(text);
    /* a game that somebody else saved is kept */
    snprintf(input, sizeof input, "save %s\nq\n", path);
    text = run_well(input, "play pig --seed=3 --player2=first");
    assert_contains(text, "is there already: name a new file");
    free(text);
    unlink(path);
}

static void test_go_on_with_a_match(void **state)
{
    (void)state;
    char path[64], words[256];
    new_name(path);
    snprintf(words, sizeof words, "match othello random first --games=2 --seed=5 --save=%s", path);
    free(run_well(NULL, words));
    snprintf(words, sizeof words, "play --from %s:2:10 --black=human --white=level:1", path);
    char *text = run_well("log\n1\nq\n", words);
    assert_contains(text, "white (level:1) plays");
    free(text);
    snprintf(words, sizeof words, "play --from %s:1:60", path);
    text = run_well(NULL, words);
    assert_contains(text, "result: black");
    free(text);
    snprintf(words, sizeof words, "play pig --from %s", path);
    struct program_run run = program_run(NULL, words);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "is a game of othello, not of pig");
    program_free(&run);
    run = program_run(NULL, "play --from /nowhere/at-all");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "/nowhere/at-all");
    program_free(&run);
    unlink(path);
}

/* Where the game's own texts of actions are numbers, a number means the action of this text. */
static void test_numbers_of_the_game(void **state)
{
    (void)state;
    char *text = run_well("4\nq\n", "play connect4 --seed=1 --player2=first");
    assert_contains(text, "plays 4\n");
    free(text);
}

/* A game with the same seed and the same choices has the same dice. */
static void test_undo_keeps_the_luck(void **state)
{
    (void)state;
    char *text = run_well("roll\nundo\nroll\nquit\n", "play pig --seed=3 --player2=first");
    const char *first = strstr(text, "dice:"), *second = first ? strstr(first + 1, "dice:") : NULL;
    assert_non_null(second);
    assert_memory_equal(first, second, strcspn(first, "\n"));
    free(text);
}

/* --- colours --- */

static bool coloured(const char *term, const char *words)
{
    struct terminal terminal;
    terminal_open(&terminal, term, words);
    assert_non_null(terminal_wait(&terminal, "> "));
    terminal_type(&terminal, "1\rq\r");
    terminal_end(&terminal);
    bool found = strstr(terminal.seen, "\033[") != NULL;
    free(terminal.seen);
    return found;
}

static void test_colours(void **state)
{
    (void)state;
    assert_true(coloured("xterm", "play tictactoe --seed=1 --level=1"));
    assert_false(coloured("dumb", "play tictactoe --seed=1 --level=1"));
    assert_false(coloured("xterm", "play tictactoe --seed=1 --level=1 | cat"));
    char *text = run_well("1\nq\n", "play tictactoe --seed=1 --level=1");
    assert_null(strchr(text, '\033'));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_game_of_othello),
        cmocka_unit_test(test_whole_game_of_pokemon),
        cmocka_unit_test(test_whole_game_of_bloodbowl),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_ctrl_c_during_a_search),
        cmocka_unit_test(test_words_and_names),
        cmocka_unit_test(test_bloodbowl_in_words),
        cmocka_unit_test(test_pokemon_in_words),
        cmocka_unit_test(test_secrets_are_kept),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_save_and_go_on),
        cmocka_unit_test(test_go_on_with_a_match),
        cmocka_unit_test(test_numbers_of_the_game),
        cmocka_unit_test(test_undo_keeps_the_luck),
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
