/* Reads game logs of the official tool of NYPC 2025. */
#include "nypc/log.h"

#include "base/movers.h"
#include "games/mushroom/mushroom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_LINE = 1024, LOG_MOVES = 1000 };

struct log {
    const char *name; /* the log's name in messages */
    struct game_record *record;
    struct mushroom_state state;
    bool started;
};

static enum banyan_status log_start(struct log *log, const char *rows, struct banyan_error *err)
{
    struct banyan_error why = {.message = ""};
    const struct banyan_game *game;
    if (log->started)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: a second INIT", log->name);
    enum banyan_status status = banyan_game_find("mushroom", &game, err);
    if (status != BANYAN_OK)
        return status;
    if (game->init(game, &log->state, rows, NULL, &why) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: INIT: %.200s", log->name, why.message);
    log->started = true;
    return game_record_begin(log->record, game, &log->state, err);
}

/* Reads "r1 c1 r2 c2 ms", and cuts words after the fourth number; *ms is -1 if the time is
 * missing.  False: there are fewer than four numbers. */
static bool log_numbers(char *words, double *ms)
{
    int at = 0, value;
    for (int i = 0; i < 4; ++i) {
        int length = 0;
        if (sscanf(words + at, "%d%n", &value, &length) != 1)
            return false;
        at += length;
    }
    if (sscanf(words + at, "%lf", ms) != 1)
        *ms = -1;
    words[at] = 0;
    return true;
}

static enum banyan_status log_play(struct log *log, int player, banyan_action action, double ms,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = log->record->game;
    struct mushroom_state before = log->state;
    banyan_action joint[2] = {action, action};
    struct game_thought thoughts[2];
    for (int p = 0; p < 2; ++p)
        thoughts[p] =
            (struct game_thought){.value = (double)NAN, .elapsed_ms = ms < 0 ? (double)NAN : ms};
    game->apply(game, &log->state, joint, NULL);
    return game_record_step(
        log->record,
        &(struct game_played){
            .before = &before, .movers = 1u << player, .joint = joint, .thoughts = thoughts},
        err);
}

static enum banyan_status log_move(struct log *log, int player, char *words,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = log->record->game;
    struct banyan_error why = {.message = ""};
    banyan_action action;
    double ms;
    if (!log->started)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: a move before INIT", log->name);
    int move = log->record->plies + 1;
    if (!log_numbers(words, &ms))
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d: four numbers are needed", log->name,
                           move);
    if (move > LOG_MOVES)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: too many moves", log->name);
    unsigned movers = game->movers(game, &log->state);
    if (!movers)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d: the game is over", log->name, move);
    if (movers_first(movers) != player)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d is by the wrong player", log->name,
                           move);
    if (game->action_parse(game, &log->state, player, words, &action, &why) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d: %.200s", log->name, move,
                           why.message);
    return log_play(log, player, action, ms, err);
}

/* Whether text has printable ASCII characters only, as the judge's texts do. */
static bool log_is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        ++text;
    return !*text;
}

/* Reads "0 TLE": the player who broke a rule, and the rule. */
static enum banyan_status log_abort(struct log *log, const char *words, struct banyan_error *err)
{
    if (!log->started)
        return BANYAN_OK; /* nobody has moved: nypc_log_read says that there is no INIT */
    if ((*words != '0' && *words != '1') || (words[1] && words[1] != ' '))
        return banyan_fail(err, BANYAN_CORRUPT, "%s: 'ABORT %.40s': ABORT 0 or 1 and a reason",
                           log->name, words);
    if (!log_is_plain(words))
        return banyan_fail(err, BANYAN_CORRUPT, "%s: the reason of ABORT is not plain text",
                           log->name);
    free(log->record->reason);
    log->record->reason = strdup(words[1] ? words + 2 : "");
    if (!log->record->reason)
        return banyan_fail(err, BANYAN_NO_MEMORY, "%s: no memory for its reason", log->name);
    bool late = strcmp(log->record->reason, "TLE") == 0;
    *(late ? &log->record->overstepped : &log->record->forfeited) = *words - '0';
    return BANYAN_OK;
}

static enum banyan_status log_line(struct log *log, char *line, struct banyan_error *err)
{
    if (strncmp(line, "INIT ", 5) == 0)
        return log_start(log, line + 5, err);
    if (strncmp(line, "FIRST ", 6) == 0)
        return log_move(log, 0, line + 6, err);
    if (strncmp(line, "SECOND ", 7) == 0)
        return log_move(log, 1, line + 7, err);
    if (strncmp(line, "ABORT ", 6) == 0)
        return log_abort(log, line + 6, err);
    if (strncmp(line, "SCORE", 5) == 0 || strncmp(line, "FINISH", 6) == 0 || !*line)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_CORRUPT, "%s: '%.40s' is not a line of a game log", log->name,
                       line);
}

enum banyan_status nypc_log_read(FILE *in, const char *name, struct game_record *out,
                                 struct banyan_error *err)
{
    char line[LOG_LINE];
    struct log log = {.name = name, .record = out};
    enum banyan_status status = BANYAN_OK;
    *out = (struct game_record){.overstepped = -1, .forfeited = -1};
    while (status == BANYAN_OK && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = 0;
        status = log_line(&log, line, err);
    }
    if (status == BANYAN_OK && !log.started)
        status = banyan_fail(err, BANYAN_CORRUPT, "%s: there is no INIT line", name);
    if (status == BANYAN_OK)
        game_record_end(out, &log.state);
    else
        game_record_free(out);
    return status;
}
