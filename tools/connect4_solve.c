/* Draws positions of Connect Four, solves them exactly, and prints them as a suite (docs/suite.md).
 *
 *     cc -O3 -march=native -o connect4_solve tools/connect4_solve.c
 *     ./connect4_solve draw COUNT SEED    the suite of COUNT positions
 *     ./connect4_solve solve COLUMNS      whether the player to move wins (1), draws (0) or loses (-1)
 *                                         after these columns, such as 4453
 *
 * A position comes from 6 to 30 random plies, all numbers equally likely; positions that are over,
 * or in which the player to move can win at once, are drawn again.  `best` has every column that
 * keeps the value.  The solver shares no code with src: alpha-beta on two bit boards with a table
 * of bounds.  It knows who wins, not when.
 *
 * A board has seven columns of seven bits, the seventh of which stays empty: so a shift by 1 (up), 7
 * (right), 6 and 8 (diagonals) never joins squares that are no neighbours. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1, SQUARES = COLUMNS * ROWS };
enum { TABLE = 1 << 23, FIRST_PLY = 6, LAST_PLY = 30 };

#define BOTTOM UINT64_C(0x40810204081) /* the lowest square of each column */
#define BOARD  (BOTTOM * ((1 << ROWS) - 1))

struct board {
    uint64_t own, all; /* discs of the player to move, and of both */
    int plies;
};

/* --- rules --- */

static uint64_t column_of(int column)
{
    return (uint64_t)((1 << ROWS) - 1) << (HEIGHT * column);
}

/* Empty squares that make four in a row with three of these discs. */
static uint64_t fours(uint64_t discs, uint64_t all)
{
    static const int lines[] = {HEIGHT, HEIGHT - 1, HEIGHT + 1};
    uint64_t found = discs << 1 & discs << 2 & discs << 3;
    for (int i = 0; i < 3; ++i) {
        int d = lines[i];
        uint64_t after = discs << d & discs << 2 * d, before = discs >> d & discs >> 2 * d;
        found |= after & (discs << 3 * d | discs >> d);
        found |= before & (discs >> 3 * d | discs << d);
    }
    return found & BOARD & ~all;
}

static uint64_t reachable(const struct board *board)
{
    return (board->all + BOTTOM) & BOARD;
}

static bool wins_at_once(const struct board *board)
{
    return (fours(board->own, board->all) & reachable(board)) != 0;
}

static struct board after(const struct board *board, uint64_t square)
{
    return (struct board){
        .own = board->all ^ board->own, .all = board->all | square, .plies = board->plies + 1};
}

/* --- solver --- */

static uint64_t *table; /* [TABLE] position << 4 | lower bound + 1 << 2 | upper bound + 1 */

static uint64_t key_of(const struct board *board)
{
    return board->own + board->all + BOTTOM;
}

static uint64_t *slot_of(uint64_t key)
{
    return &table[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 41];
}

/* Squares after which the other player cannot win at once. */
static uint64_t safe_squares(const struct board *board)
{
    uint64_t theirs = fours(board->all ^ board->own, board->all);
    uint64_t squares = reachable(board), forced = squares & theirs;
    if (forced)
        squares = forced & (forced - 1) ? 0 : forced;
    return squares & ~(theirs >> 1);
}

/* Writes the squares in the order in which they are tried: those that make most threats first, among equals the
 * middle first.  Returns their number. */
static int order(const struct board *board, uint64_t squares, uint64_t out[COLUMNS])
{
    static const int middle_first[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    int count = 0, threats[COLUMNS];
    for (int i = 0; i < COLUMNS; ++i) {
        uint64_t square = squares & column_of(middle_first[i]);
        if (!square)
            continue;
        int made = __builtin_popcountll(fours(board->own | square, board->all | square));
        int at = count++;
        for (; at > 0 && threats[at - 1] < made; --at) {
            threats[at] = threats[at - 1];
            out[at] = out[at - 1];
        }
        threats[at] = made;
        out[at] = square;
    }
    return count;
}

/* The value for the player to move, who cannot win at once, if it is inside (low, high); else a bound of it. */
static int search(const struct board *board, int low, int high)
{
    uint64_t squares = safe_squares(board), key = key_of(board), *slot = slot_of(key),
             tried[COLUMNS];
    if (!squares)
        return board->plies == SQUARES ? 0 : -1;
    if (board->plies >= SQUARES - 2)
        return 0;
    int lower = -1, upper = 1;
    if (*slot >> 4 == key) {
        lower = (int)(*slot >> 2 & 3) - 1;
        upper = (int)(*slot & 3) - 1;
    }
    low = low > lower ? low : lower;
    high = high < upper ? high : upper;
    if (low >= high)
        return low;
    int best = -1, count = order(board, squares, tried), begun = low;
    for (int i = 0; i < count && low < high; ++i) {
        struct board next = after(board, tried[i]);
        int value = -search(&next, -high, -low);
        best = value > best ? value : best;
        low = best > low ? best : low;
    }
    if (best > begun)
        lower = best > lower ? best : lower;
    if (best < high)
        upper = best < upper ? best : upper;
    *slot = key << 4 | (uint64_t)(lower + 1) << 2 | (uint64_t)(upper + 1);
    return best;
}

/* Whether the value for the player to move is at least this one: faster than finding the value. */
static bool is_at_least(const struct board *board, int value)
{
    if (value <= -1 || value > 1)
        return value <= -1;
    if (board->plies == SQUARES)
        return value == 0;
    return wins_at_once(board) || search(board, value - 1, value) >= value;
}

/* The columns with which the player to move keeps at least this value, as bits. */
static unsigned keep(const struct board *board, int value)
{
    unsigned columns = 0;
    for (int column = 0; column < COLUMNS; ++column) {
        uint64_t square = reachable(board) & column_of(column);
        struct board next = after(board, square);
        if (square && !is_at_least(&next, 1 - value))
            columns |= 1u << column;
    }
    return columns;
}

/* --- drawing --- */

static uint64_t random_below(uint64_t *state, uint64_t n)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((x ^ x >> 31) >> 32) * n >> 32;
}

/* Plays random plies; false: the game is over before, or the player to move can win at once. */
static bool draw(struct board *board, char columns[SQUARES + 1], uint64_t *state)
{
    int plies = FIRST_PLY + (int)random_below(state, LAST_PLY - FIRST_PLY + 1);
    *board = (struct board){0};
    for (int i = 0; i < plies; ++i) {
        uint64_t square;
        int column;
        do {
            column = (int)random_below(state, COLUMNS);
            square = reachable(board) & column_of(column);
        } while (!square);
        if (square & fours(board->own, board->all))
            return false;
        *board = after(board, square);
        columns[i] = (char)('1' + column);
    }
    columns[plies] = 0;
    return !wins_at_once(board);
}

static void print_position(const struct board *board, const char *columns)
{
    int value = 1;
    unsigned best;
    while (!(best = keep(board, value)))
        --value;
    printf("\nposition %s\n  setup  %s\n  level  %d\n  best  ", columns, columns,
           SQUARES - board->plies);
    for (int column = 0; column < COLUMNS; ++column)
        if (best >> column & 1)
            printf(" %d", column + 1);
    printf("\n");
}

static int draw_suite(int count, uint64_t seed)
{
    printf(
        "# Connect Four: %d positions after %d to %d random plies, none of which is won at once,\n"
        "# with all columns that keep the value of exact play; level = empty squares.\n"
        "# Made by tools/connect4_solve draw %d %llu.\n\ngame connect4\n",
        count, FIRST_PLY, LAST_PLY, count, (unsigned long long)seed);
    while (count > 0) {
        struct board board;
        char columns[SQUARES + 1];
        if (!draw(&board, columns, &seed))
            continue;
        print_position(&board, columns);
        fflush(stdout);
        --count;
    }
    return 0;
}

static int solve_columns(const char *columns)
{
    struct board board = {0};
    for (; *columns; ++columns) {
        uint64_t square =
            *columns >= '1' && *columns <= '7' ? reachable(&board) & column_of(*columns - '1') : 0;
        if (!square || (square & fours(board.own, board.all))) {
            fprintf(stderr,
                    "connect4_solve: %s: not a column that can be played, or the game is over\n",
                    columns);
            return 2;
        }
        board = after(&board, square);
    }
    printf("%d\n", is_at_least(&board, 1) ? 1 : is_at_least(&board, 0) ? 0 : -1);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    table = calloc(TABLE, sizeof *table);
    if (table && argc == 4 && strcmp(argv[1], "draw") == 0)
        status = draw_suite(atoi(argv[2]), strtoull(argv[3], NULL, 10));
    else if (table && argc == 3 && strcmp(argv[1], "solve") == 0)
        status = solve_columns(argv[2]);
    else
        fprintf(stderr, "usage: connect4_solve draw COUNT SEED | solve COLUMNS\n");
    free(table);
    return status;
}
