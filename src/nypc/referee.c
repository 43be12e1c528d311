/* Referees a game of mushroom between two programs by the judge's protocol. */
#include "nypc/referee.h"

#include "base/clock.h"
#include "games/mushroom/mushroom.h"
#include "players/program/process.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    REFEREE_MAX_PLIES = 999,
    REFEREE_SEND_MS = 1000,
    REFEREE_GRACE_MS = 1000,
    REFEREE_WALL_FACTOR = 3
};

struct referee {
    const struct banyan_game *game;
    const struct referee_options *options;
    struct process *programs[2];
    FILE *log;
    struct referee_result *result;
    struct mushroom_state state;
    double left_ms[2];
    enum banyan_status status; /* BANYAN_INTERRUPTED: the game was not played to its end */
    struct banyan_error *err;
};

void referee_options_default(struct referee_options *options)
{
    *options = (struct referee_options){.bank_ms = 10000, .ready_ms = 3000};
}

static void referee_log(const struct referee *referee, const char *line)
{
    if (referee->log)
        fprintf(referee->log, "%s\n", line);
}

/* Ends the game: the offender loses. */
static void referee_abort(struct referee *referee, int offender, const char *reason,
                          const char *detail)
{
    char line[64];
    referee->result->offender = offender;
    referee->result->winner = 1 - offender;
    referee->result->reason = reason;
    snprintf(referee->result->detail, sizeof referee->result->detail, "%s", detail);
    snprintf(line, sizeof line, "ABORT %d %s", offender, reason);
    referee_log(referee, line);
}

/* Whether the wait for an answer was interrupted; then neither player has broken a rule. */
static bool referee_stopped(struct referee *referee, enum banyan_status status,
                            const struct banyan_error *why)
{
    if (status != BANYAN_INTERRUPTED)
        return false;
    referee->status = banyan_fail(referee->err, status, "%s", why->message);
    return true;
}

/* Sends a line without checking the result: if the program has ended, that is noticed when it must
 * answer. */
static void referee_say(struct referee *referee, int player, const char *line)
{
    struct banyan_error err;
    if (referee->programs[player])
        (void)process_send(referee->programs[player], line, REFEREE_SEND_MS, &err);
}

/* --- before the game --- */

/* Starts a program.  `exec` replaces the shell by the program, so that the measured processor time
 * is the program's; a command that needs the shell is run without `exec`. */
static enum banyan_status referee_start(const char *command, const banyan_flag *stop,
                                        struct process **out, struct banyan_error *err)
{
    char line[1024];
    bool plain = strcspn(command, ";|&()`$\n") == strlen(command);
    int length = snprintf(line, sizeof line, "%s%s", plain ? "exec " : "", command);
    if (length >= (int)sizeof line)
        return banyan_fail(err, BANYAN_INVALID, "the command '%.60s...' is too long", command);
    enum banyan_status status = process_start(out, line, err);
    if (status == BANYAN_OK)
        process_watch(*out, stop);
    return status;
}

enum banyan_status referee_try(const char *command, const struct referee_options *options,
                               struct banyan_error *err)
{
    struct process *program;
    struct banyan_error why;
    const char *line;
    enum banyan_status status = referee_start(command, options->stop, &program, err);
    if (status != BANYAN_OK)
        return status;
    status = process_send(program, "READY FIRST", REFEREE_SEND_MS, &why);
    if (status == BANYAN_OK)
        status = process_receive(program, &line, options->ready_ms, &why);
    if (status == BANYAN_INTERRUPTED || process_gone(program))
        status = banyan_fail(err, status, "%s", why.message);
    else
        status = BANYAN_OK;
    process_stop(program, REFEREE_GRACE_MS);
    return status;
}

static bool referee_ready(struct referee *referee, int player)
{
    struct banyan_error err = {.message = ""};
    const char *line = "";
    referee_say(referee, player, player ? "READY SECOND" : "READY FIRST");
    enum banyan_status status =
        process_receive(referee->programs[player], &line, referee->options->ready_ms, &err);
    if (status == BANYAN_OK && strcmp(line, "OK") == 0)
        return true;
    if (referee_stopped(referee, status, &err))
        return false;
    referee_abort(referee, player, "TLE",
                  status == BANYAN_OK ? "did not answer READY with OK" : err.message);
    return false;
}

static void referee_init(struct referee *referee)
{
    char line[256];
    int length = snprintf(line, sizeof line, "INIT");
    for (int r = 0; r < BOARD_ROWS; ++r) {
        line[length++] = ' ';
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            line[length++] = (char)('0' + referee->state.digits[BOARD_STRIDE * r + c]);
    }
    line[length] = 0;
    referee_log(referee, line);
    referee_say(referee, 0, line);
    referee_say(referee, 1, line);
}

/* --- a turn --- */

/* Reads exactly four integers and nothing else. */
static bool referee_parse(const char *line, long v[4])
{
    char *end;
    for (int i = 0; i < 4; ++i) {
        v[i] = strtol(line, &end, 10);
        if (end == line || (*end && *end != ' ' && *end != '\t'))
            return false;
        line = end;
    }
    return line[strspn(line, " \t")] == 0;
}

static bool referee_is_pass(const long v[4])
{
    return v[0] == -1 && v[1] == -1 && v[2] == -1 && v[3] == -1;
}

/* Returns NULL if the move is legal, otherwise the broken rule. */
static const char *referee_verdict(const struct referee *referee, const long v[4])
{
    if (referee_is_pass(v))
        return NULL;
    if (v[0] < 0 || v[0] > v[2] || v[2] >= BOARD_ROWS || v[1] < 0 || v[1] > v[3] ||
        v[3] >= BOARD_COLUMNS)
        return "Out of range";
    struct rectangle x = {(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]};
    if (mushroom_sum(&referee->state, x) != BOARD_TARGET)
        return "Sum not equals to 10";
    return mushroom_fits(&referee->state, x) ? NULL : "Not fit";
}

static void referee_play_move(struct referee *referee, const long v[4])
{
    banyan_action joint[2] = {BOARD_PASS, BOARD_PASS};
    if (!referee_is_pass(v))
        joint[0] = joint[1] = (banyan_action)rectangle_action(
            (struct rectangle){(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]});
    referee->game->apply(referee->game, &referee->state, joint, NULL);
    ++referee->result->plies;
}

/* The time between TIME and the answer, by both clocks. */
struct referee_lap {
    double wall_ms, cpu_ms;
};

static double referee_charge(struct referee *referee, int player, struct referee_lap lap)
{
    struct referee_result *result = referee->result;
    double used = referee->options->cpu ? lap.cpu_ms : lap.wall_ms;
    result->wall_ms[player] += lap.wall_ms;
    result->cpu_ms[player] += lap.cpu_ms;
    if (lap.wall_ms > result->longest_wall_ms[player])
        result->longest_wall_ms[player] = lap.wall_ms;
    referee->left_ms[player] -= used;
    if (-referee->left_ms[player] > result->overrun_ms)
        result->overrun_ms = -referee->left_ms[player];
    return used;
}

/* Asks the player for a move; sets *used_ms.  True: v is a legal move; false: the player broke a
 * rule, or the game was stopped. */
static bool referee_ask(struct referee *referee, int player, long v[4], double *used_ms)
{
    struct process *program = referee->programs[player];
    struct banyan_error err = {.message = ""};
    const char *line = "";
    char text[64];
    double wait_ms =
        referee->left_ms[player] * (referee->options->cpu ? REFEREE_WALL_FACTOR : 1) + 1;
    snprintf(text, sizeof text, "TIME %d %d", (int)referee->left_ms[player],
             (int)referee->left_ms[1 - player]);
    double cpu = process_cpu_ms(program), wall = clock_now_ms();
    referee_say(referee, player, text);
    enum banyan_status status = process_receive(program, &line, wait_ms, &err);
    struct referee_lap lap = {clock_now_ms() - wall, process_cpu_ms(program) - cpu};
    *used_ms = referee_charge(referee, player, lap);
    if (referee_stopped(referee, status, &err))
        return false;
    if (referee->left_ms[player] < 0 || (status != BANYAN_OK && lap.wall_ms >= wait_ms)) {
        referee_abort(referee, player, "TLE", err.message);
        return false;
    }
    const char *wrong = status != BANYAN_OK || !referee_parse(line, v)
                            ? "Parse failed"
                            : referee_verdict(referee, v);
    if (!wrong)
        return true;
    if (status == BANYAN_OK)
        banyan_fail(&err, BANYAN_CORRUPT, "answered '%.100s'", line);
    referee_abort(referee, player, wrong, err.message);
    return false;
}

static bool referee_turn(struct referee *referee)
{
    int player = referee->state.mover;
    long v[4];
    double used_ms;
    char line[96];
    if (!referee_ask(referee, player, v, &used_ms))
        return false;
    snprintf(line, sizeof line, "%s %ld %ld %ld %ld %d", player ? "SECOND" : "FIRST", v[0], v[1],
             v[2], v[3], (int)used_ms);
    referee_log(referee, line);
    snprintf(line, sizeof line, "OPP %ld %ld %ld %ld %d", v[0], v[1], v[2], v[3], (int)used_ms);
    referee_say(referee, 1 - player, line);
    referee_play_move(referee, v);
    return referee->state.passes < 2 && referee->result->plies < REFEREE_MAX_PLIES;
}

static void referee_finish(struct referee *referee)
{
    struct referee_result *result = referee->result;
    char line[64];
    for (int player = 0; player < 2; ++player)
        result->score[player] = cells_count(referee->state.owned[player]);
    if (result->offender >= 0)
        return;
    int difference = result->score[0] - result->score[1];
    result->winner = difference > 0 ? 0 : difference < 0 ? 1 : -1;
    snprintf(line, sizeof line, "FINISH\nSCOREFIRST %d\nSCORESECOND %d", result->score[0],
             result->score[1]);
    referee_log(referee, line);
}

enum banyan_status referee_play(const struct referee_pairing *pairing,
                                const struct referee_options *options, struct referee_result *out,
                                struct banyan_error *err)
{
    const struct banyan_game *game = pairing->game;
    struct referee referee = {.game = game,
                              .options = options,
                              .log = pairing->log,
                              .result = out,
                              .err = err,
                              .left_ms = {options->bank_ms, options->bank_ms}};
    *out = (struct referee_result){.winner = -1, .offender = -1, .reason = ""};
    enum banyan_status status = game->init(game, &referee.state, pairing->board, NULL, err);
    for (int player = 0; player < 2 && status == BANYAN_OK; ++player)
        status =
            referee_start(pairing->commands[player], options->stop, &referee.programs[player], err);
    if (status == BANYAN_OK && referee_ready(&referee, 0) && referee_ready(&referee, 1)) {
        referee_init(&referee);
        while (referee_turn(&referee))
            ;
    }
    if (status == BANYAN_OK)
        status = referee.status;
    if (status == BANYAN_OK)
        referee_finish(&referee);
    for (int player = 0; player < 2; ++player)
        referee_say(&referee, player, "FINISH");
    for (int player = 0; player < 2; ++player)
        process_stop(referee.programs[player], REFEREE_GRACE_MS);
    return status;
}
