/* Verifies games written one per line: the moves, then the result.
 *
 *    f5d6c3d3c4...        32-32         Othello: discs of black and of white; empty squares may
 *                                       count for the winner
 *    b2 a1 c1 a3 a2 c2 b1 b3 c3  1/2    tic-tac-toe
 *    4444443233...        1-0           Connect Four
 *
 * The last word of a line is the result if it has the form of one; without a result the game may be
 * unfinished.  Empty lines and lines that begin with # are skipped.
 */
#include "records/records.h"
#include "records/transcript.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum moves_kind { MOVES_NO_RESULT, MOVES_POINTS, MOVES_HALF };

enum { MOVES_MOST_POINTS = 1000000 }; /* no result of a game has more points */

struct moves_result {
    enum moves_kind kind;
    long points[2];
};

/* Reads "32-32", "1-0", "1/2" or "1/2-1/2". */
static struct moves_result moves_read_result(const char *word)
{
    struct moves_result result = {.kind = MOVES_NO_RESULT};
    char *end;
    if (strcmp(word, "1/2") == 0 || strcmp(word, "1/2-1/2") == 0) {
        result.kind = MOVES_HALF;
        return result;
    }
    if (!isdigit((unsigned char)*word))
        return result;
    result.points[0] = strtol(word, &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1]))
        return result;
    result.points[1] = strtol(end + 1, &end, 10);
    if (*end == 0 && result.points[0] <= MOVES_MOST_POINTS && result.points[1] <= MOVES_MOST_POINTS)
        result.kind = MOVES_POINTS;
    return result;
}

static int moves_sign(double value)
{
    return (value > 0) - (value < 0);
}

enum { MOVES_SQUARES = 32 * 32 }; /* larger boards are not counted */

/* Counts the squares of a finished board: of the first player, of the second, of neither. */
static bool moves_count_squares(const struct banyan_game *game, const void *state, long count[3])
{
    float score, ownership[MOVES_SQUARES];
    int squares = game->planes[1] * game->planes[2];
    if (squares > MOVES_SQUARES)
        return false;
    game->targets(game, state, 0, &score, ownership);
    count[0] = count[1] = count[2] = 0;
    for (int i = 0; i < squares; ++i)
        ++count[ownership[i] > 0 ? 0 : ownership[i] < 0 ? 1 : 2];
    return true;
}

/* The name of the winner.  sign: 1 first player, -1 second player, 0 nobody. */
static const char *moves_winner(const struct banyan_game *game, int sign)
{
    if (sign == 0)
        return "nobody";
    return game->players > 1 ? banyan_game_player_name(game, sign < 0)
           : sign > 0        ? banyan_game_player_name(game, 0)
                             : "nobody";
}

/* Whether the points are those of the board, with the empty squares left out, or given to the
 * winner (in a draw half of them to each player).  "1-0" agrees with every board, and games without
 * ownership agree with all points. */
static bool moves_points_agree(const struct banyan_game *game, const void *state,
                               const struct moves_result *result)
{
    const long *points = result->points;
    long count[3];
    if (result->kind != MOVES_POINTS || points[0] + points[1] <= 1 || !game->targets ||
        !moves_count_squares(game, state, count))
        return true;
    if (points[0] == count[0] && points[1] == count[1])
        return true;
    int winner = moves_sign((double)(count[0] - count[1]));
    long first = winner > 0 ? count[2] : winner == 0 ? count[2] / 2 : 0;
    return points[0] == count[0] + first && points[1] == count[1] + count[2] - first;
}

static void moves_compare(const struct banyan_game *game, const void *state,
                          const struct moves_result *result, struct records_source *source,
                          struct records_report *report)
{
    if (result->kind == MOVES_NO_RESULT)
        return;
    if (game->movers(game, state) != 0) {
        records_differ(report, source, "the record has a result, but the game is not over");
        return;
    }
    float returns[BANYAN_MAX_PLAYERS];
    game->returns(game, state, returns);
    int ours = game->players > 1 ? moves_sign((double)returns[0] - (double)returns[1])
                                 : moves_sign(returns[0]);
    int theirs = result->kind == MOVES_HALF
                     ? 0
                     : moves_sign((double)(result->points[0] - result->points[1]));
    if (ours != theirs)
        records_differ(report, source, "the record says that %s won, Banyan's rules say %s",
                       moves_winner(game, theirs), moves_winner(game, ours));
    else if (!moves_points_agree(game, state, result))
        records_differ(report, source, "the record says %ld-%ld, Banyan's rules give another score",
                       result->points[0], result->points[1]);
}

static enum banyan_status moves_game(const struct banyan_game *game, void *state, char *line,
                                     struct records_source *source, struct records_report *report,
                                     struct banyan_error *err)
{
    struct banyan_rng rng;
    struct moves_result result = {.kind = MOVES_NO_RESULT};
    for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]); --n)
        line[n - 1] = 0;
    char *last = strrchr(line, ' ');
    if (last) {
        result = moves_read_result(last + 1);
        if (result.kind != MOVES_NO_RESULT)
            *last = 0;
    }
    uint64_t steps = 0;
    banyan_rng_seed(&rng, 0);
    enum banyan_status status = game->init(game, state, NULL, &rng, err);
    if (status == BANYAN_OK)
        status = transcript_play(game, state, line, &rng, &steps, err);
    if (status == BANYAN_NO_MEMORY)
        return status;
    if (status != BANYAN_OK)
        records_differ(report, source, "%s", err->message);
    else
        moves_compare(game, state, &result, source, report);
    ++report->games;
    report->steps += steps;
    return BANYAN_OK;
}

static enum banyan_status moves_read(const struct banyan_game *game, struct records_source *source,
                                     struct records_report *report, struct banyan_error *err)
{
    void *state = malloc(game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    struct banyan_error why; /* err may be NULL */
    enum banyan_status status = BANYAN_OK;
    char *line;
    size_t length;
    while (status == BANYAN_OK && !records_stopped(report) &&
           (status = records_line(source, &line, &length, err)) == BANYAN_OK && line) {
        if (memchr(line, 0, length)) {
            status =
                banyan_fail(err, BANYAN_CORRUPT, "%s:%llu: not a text file", records_path(source),
                            (unsigned long long)records_line_number(source));
            break;
        }
        line += strspn(line, " \t");
        if (*line && *line != '#' &&
            moves_game(game, state, line, source, report, &why) == BANYAN_NO_MEMORY)
            status = banyan_fail(err, BANYAN_NO_MEMORY, "%s", why.message);
    }
    free(state);
    return status;
}

const struct records_format records_moves = {
    .name = "moves",
    .games = "othello tictactoe connect4",
    .help =
        "one game per line: its moves, then its result (\"32-32\", \"1-0\", \"1/2\") or nothing",
    .read = moves_read,
};
