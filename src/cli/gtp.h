/* banyan gtp in parts: the game so far, the commands, and the lines of the protocol.
 *
 *      gtp.c           lines in and out, the table of commands, what every engine answers
 *      gtp_game.c      the states since the start, moves, steps back
 *      gtp_go.c        what only Go has: komi, handicap, SGF, dead stones
 *      gtp_analyze.c   searches that report until the next line comes
 *      gtp_input.c     the lines, and whether the next one has come
 */
#ifndef CLI_GTP_H
#define CLI_GTP_H

#include "players/player.h"

#include <banyan/game.h>

#include <stdbool.h>

enum { GTP_LINE_MAX = 4096, GTP_WORDS_MAX = 64, GTP_ANSWER_MAX = 2 * BANYAN_TEXT_MAX };

/* Standard input, which is read without stdio, and the bytes that were read ahead. */
struct gtp_input {
    char bytes[GTP_LINE_MAX];
    size_t start, end; /* bytes[start] .. bytes[end - 1] were read and are not taken yet */
};

struct gtp {
    const struct banyan_game *game;
    const char *spec;
    uint64_t seed;
    double resign; /* the winrate below which the engine resigns */

    struct banyan_player player;
    bool made;
    int seat;               /* seat for which the player was opened */
    unsigned char *history; /* [room][state_size]: all states since the start */
    bool *inserted;         /* [room] true: gtp_turn() added this state, not a command */
    int length, room;
    struct banyan_player_clock clock;
    bool quit;

    /* the command that is being executed: its id ("": none), its name and arguments in small
     * letters, and as they were written */
    const char *id;
    char *words[GTP_WORDS_MAX], *written[GTP_WORDS_MAX];
    int word_count;
    bool answering; /* the answer has begun on standard output: only its end is missing */
    char answer[GTP_ANSWER_MAX];
    struct gtp_input input;
};

/* A command: the words are in gtp->words, the answer goes to gtp->answer. */
typedef enum banyan_status gtp_command_fn(struct gtp *gtp, struct banyan_error *err);

/* --- gtp_input.c --- */

/* Takes the next line, without its end, to line[GTP_LINE_MAX]; a longer one comes in pieces.  False
 * at the end of input. */
bool gtp_input_line(struct gtp_input *input, char *line);

/* Whether more input, or its end, has come; waits for it at most wait_ms (-1: as long as it takes). */
bool gtp_input_ready(struct gtp_input *input, int wait_ms);

/* --- gtp_game.c --- */

/* The present state. */
void *gtp_state(const struct gtp *gtp);

/* Opens the player anew, so that it knows only the present position. */
enum banyan_status gtp_open(struct gtp *gtp, int seat, struct banyan_error *err);

/* Begins again from a setup; if the game refuses it, nothing has changed. */
enum banyan_status gtp_start(struct gtp *gtp, const char *setup, struct banyan_error *err);

/* Begins again, with the same komi and the settings in `rest`. */
enum banyan_status gtp_restart(struct gtp *gtp, const char *rest, struct banyan_error *err);

/* Makes everything anew for a game, with the same komi where it has one; if no player can be made,
 * nothing has changed. */
enum banyan_status gtp_begin(struct gtp *gtp, const struct banyan_game *game,
                             struct banyan_error *err);
void gtp_forget(struct gtp *gtp);

enum banyan_status gtp_apply(struct gtp *gtp, int player, banyan_action action,
                             struct banyan_error *err);

/* Makes player the side to move: plays a pass for the other side, or, if two passes have ended a
 * game of Go, adds the state before them. */
enum banyan_status gtp_turn(struct gtp *gtp, int player, struct banyan_error *err);

/* Goes back to the first `length` states. */
enum banyan_status gtp_back(struct gtp *gtp, int length, struct banyan_error *err);

/* --- arguments --- */

enum banyan_status gtp_colour(const char *word, int *player, struct banyan_error *err);
enum banyan_status gtp_number(const char *word, double *out, struct banyan_error *err);
enum banyan_status gtp_answer(struct gtp *gtp, const char *text);

/* The action as GTP writes it, squares in capitals and "pass", in out[size]; returns out. */
char *gtp_vertex(const struct banyan_game *game, const void *state, int player,
                 banyan_action action, char *out, size_t size);

/* --- gtp_go.c --- */

/* The text of a game with komi (Go) begins with the komi: "komi=7.5 ...".  Returns the part after
 * the number; NULL: the text has no komi. */
const char *gtp_after_komi(const char *text);
bool gtp_has_komi(const struct gtp *gtp);

gtp_command_fn gtp_komi, gtp_get_komi, gtp_fixed_handicap, gtp_set_free_handicap;
gtp_command_fn gtp_loadsgf, gtp_printsgf, gtp_final_status_list;

/* --- gtp_analyze.c --- */

gtp_command_fn gtp_lz_analyze, gtp_kata_analyze, gtp_lz_genmove, gtp_kata_genmove;

/* --- gtp.c --- */

/* Chooses a move for player, and does not play it.  Makes player the side to move first (gtp_turn). */
enum banyan_status gtp_choose(struct gtp *gtp, int player, struct banyan_player_move *move,
                              struct banyan_error *err);

/* A mean return as a winrate, 0 to 1. */
double gtp_winrate(const struct banyan_game *game, double mean);

/* Whether the engine resigns instead of playing this move. */
bool gtp_resigns(const struct gtp *gtp, const struct banyan_player_move *move);

#endif
