/* Games of Go in the Smart Game Format, FF[4] (Hollosi 1999), as Banyan's texts and back.
 *
 *     (;GM[1]SZ[9]KM[6.5]AB[cc];W[ee];B[];W[ce](;B[gg])(;B[gc]))
 *
 *     settings   "komi=6.5 first=white black=C7"
 *     moves      "E5 pass C5 G3"                      the main line: always the first variation
 *
 * Read: GM SZ KM HA AB AW AE PL B W PB PW RE; other properties are skipped.  Points are letters from
 * the top left corner; tt and an empty value are passes.  If a colour moves twice, the other one
 * passes in between.
 *
 * Threads: any. */
#ifndef RECORDS_SGF_H
#define RECORDS_SGF_H

#include "base/text.h"
#include "records/game_record.h"

#include <banyan/game.h>

enum { SGF_NAME_MAX = 64, SGF_MOVES_MAX = 1024 };

/* What a file says about a game besides its moves; "": nothing. */
struct sgf_about {
    char players[2][SGF_NAME_MAX]; /* black's, white's */
    char result[SGF_NAME_MAX];     /* B+3.5, W+R, 0 */
};

struct sgf_game {
    const struct banyan_game *game;
    struct sgf_about about;
    char settings[BANYAN_TEXT_MAX]; /* for init() of the game; the moves below may follow */
    char moves[BANYAN_TEXT_MAX];    /* separated by blanks */
    int plies;
};

/* Reads the first game in bytes[length], with at most plies_max of its moves.
 * BANYAN_CORRUPT: it is no SGF, or ends too early; BANYAN_UNSUPPORTED: another game than Go, a
 * board of a size that Banyan does not have, stones that are placed between moves.
 * Whether the moves are legal is not checked. */
enum banyan_status sgf_read(const char *bytes, size_t length, int plies_max, struct sgf_game *out,
                            struct banyan_error *err);

/* Adds the game that led to a state of Go to out, in one line for the settings and one for every ten
 * moves.  about: NULL: nothing is known; if it names no result, the result is that of the rules. */
void sgf_write(struct text *out, const struct banyan_game *game, const void *state,
               const struct sgf_about *about);

/* Whether a text begins as SGF does, and whether a game is one of Go. */
bool sgf_claims(const char *text);
bool sgf_serves(const struct banyan_game *game);

/* Reads the game with this index (from 0) as a record that can be replayed; the caller frees it with
 * game_record_free.  BANYAN_NOT_FOUND: there are fewer games; BANYAN_ILLEGAL names the first move
 * that breaks the rules. */
enum banyan_status sgf_record(const char *bytes, size_t length, int index,
                              struct game_record *record, struct banyan_error *err);

/* Adds a record of Go to out. */
enum banyan_status sgf_write_record(struct text *out, struct game_record *record,
                                    struct banyan_error *err);

#endif
