/* exec: an outside program that speaks the line protocol of docs/protocol.md. */
#include "players/program/player_exec.h"

#include "base/clock.h"
#include "players/budget.h"
#include "players/program/offers.h"

#include <banyan/options.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exec {
    const struct banyan_game *game;
    struct process *process;
    double timeout_ms;
    int seat;
    struct banyan_rng rng; /* draws what the program cannot see */
    void *shown;           /* the state that is sent to the program: what it cannot see is drawn */
    banyan_action *actions;
    char text[BANYAN_TEXT_MAX + 64];
};

enum banyan_status exec_arguments(const char *args, const char **command, double *timeout_ms,
                                  struct banyan_error *err)
{
    static const struct banyan_option table[] = {
        {"timeout", BANYAN_OPTION_TIME, 0, 1, 1e9, NULL, 0, "longest time for an answer"}, {0}};
    char option[64];
    size_t length = strcspn(args, ":");
    *timeout_ms = EXEC_TIMEOUT_MS;
    if (strncmp(args, "timeout", 7) == 0 && args[strspn(args, "timeout_-ms")] == '=') {
        if (!args[length] || length >= sizeof option)
            return banyan_fail(
                err, BANYAN_INVALID,
                "exec:%.60s: write timeout=TIME:COMMAND, such as timeout=5s:./engine", args);
        memcpy(option, args, length);
        option[length] = 0;
        enum banyan_status status = banyan_options_parse(table, timeout_ms, option, err);
        if (status != BANYAN_OK)
            return status;
        args += length + 1;
    }
    while (*args == ' ')
        ++args;
    if (!*args)
        return banyan_fail(err, BANYAN_INVALID, "exec: needs a command: exec:./engine");
    *command = args;
    return BANYAN_OK;
}

/* How long to wait for an answer.  Under a game clock the match checks the time. */
double exec_answer_ms(double timeout_ms, const struct banyan_player_clock *clock, int seat)
{
    double left_ms = budget_limited(clock, seat) ? clock->left_ms[seat] : 0;
    return timeout_ms > left_ms + EXEC_GRACE_MS ? timeout_ms : left_ms + EXEC_GRACE_MS;
}

enum banyan_status exec_find_action(const struct exec_decision *decision, const char *text,
                                    banyan_action *out, struct banyan_error *err)
{
    const struct banyan_game *game = decision->game;
    const void *state = decision->state;
    int player = decision->player;
    struct banyan_error reason = {.message = ""};
    enum banyan_status status = game->action_parse(game, state, player, text, out, &reason);
    if (status == BANYAN_OK) {
        int count = game->legal(game, state, player, decision->actions);
        for (int i = 0; i < count; ++i)
            if (decision->actions[i] == *out)
                return BANYAN_OK;
    }
    bool illegal = status == BANYAN_OK || status == BANYAN_ILLEGAL;
    return banyan_fail(err, illegal ? BANYAN_ILLEGAL : BANYAN_CORRUPT,
                       "answered '%.80s', which is %s%s%.200s", text,
                       illegal ? "not legal here" : "not an action", *reason.message ? ": " : "",
                       reason.message);
}

enum banyan_status exec_blame(struct banyan_error *err, const char *command,
                              enum banyan_status status)
{
    if (err) {
        char message[BANYAN_MESSAGE_MAX];
        snprintf(message, sizeof message, "%s", err->message);
        banyan_fail(err, status, "'%.100s' %.300s", command, message);
    }
    return status;
}

/* --- the protocol --- */

static enum banyan_status exec_send(struct exec *exec, struct banyan_error *err)
{
    return process_send(exec->process, exec->text, exec->timeout_ms, err);
}

/* A number of simulations as a program tells it; 0: none that can be, which counts as not told. */
static uint64_t exec_count(const char *text)
{
    uint64_t count = strtoull(text, NULL, 10);
    bool fits =
        *text != '-' && count <= INT64_MAX; /* strtoull takes a sign, and ends at 2^64 - 1 */
    return fits ? count : 0;
}

/* Reads the next line that is not "info ..."; info lines may tell value and simulations. */
static enum banyan_status exec_receive(struct exec *exec, double timeout_ms, const char **line,
                                       struct banyan_player_move *info, struct banyan_error *err)
{
    double until_ms = clock_now_ms() + timeout_ms;
    for (;;) {
        enum banyan_status status =
            process_receive(exec->process, line, until_ms - clock_now_ms(), err);
        if (status != BANYAN_OK)
            return status;
        if (strncmp(*line, "error ", 6) == 0)
            return banyan_fail(err, BANYAN_IO, "'%s' reports: %.300s",
                               process_command(exec->process), *line + 6);
        if (strncmp(*line, "info", 4) != 0)
            return BANYAN_OK;
        const char *value = strstr(*line, " value="), *count = strstr(*line, " simulations=");
        if (info && value)
            info->value = strtod(value + 7, NULL);
        if (info && count)
            info->simulations = exec_count(count + 13);
    }
}

/* Writes "WORDS STATE" to exec->text.  STATE holds only what the program's player may know. */
static void exec_write_state(struct exec *exec, const char *words, const void *state)
{
    const struct banyan_game *game = exec->game;
    memcpy(exec->shown, state, game->state_size);
    if (game->determinize)
        game->determinize(game, exec->shown, exec->seat, &exec->rng);
    int length = snprintf(exec->text, sizeof exec->text, "%s ", words);
    game->format(game, exec->shown, exec->text + length, sizeof exec->text - (size_t)length);
}

static enum banyan_status exec_greet(struct exec *exec, struct banyan_error *err)
{
    const char *line;
    snprintf(exec->text, sizeof exec->text, "banyan %d %s", EXEC_PROTOCOL, exec->game->name);
    enum banyan_status status = exec_send(exec, err);
    if (status == BANYAN_OK)
        status = exec_receive(exec, exec->timeout_ms, &line, NULL, err);
    if (status == BANYAN_OK && strncmp(line, "ready", 5) != 0)
        status = banyan_fail(err, BANYAN_CORRUPT,
                             "'%s' answered '%.80s' instead of 'ready NAME' "
                             "(docs/protocol.md)",
                             process_command(exec->process), line);
    return status;
}

static enum banyan_status exec_open(void *ctx, const void *state, int seat, uint64_t seed,
                                    struct banyan_error *err)
{
    struct exec *exec = ctx;
    char words[64];
    exec->seat = seat;
    banyan_rng_seed(&exec->rng, banyan_rng_child(seed, "shown", 0));
    snprintf(words, sizeof words, "new %d %" PRIu64, seat, seed);
    exec_write_state(exec, words, state);
    return exec_send(exec, err);
}

/* In a game with hidden information the program is told only its own actions: those of others
 * may be hidden, too, and STATE says what the program may know. */
static enum banyan_status exec_observe(void *ctx, const void *before, const banyan_action joint[],
                                       const void *after, struct banyan_error *err)
{
    struct exec *exec = ctx;
    const struct banyan_game *game = exec->game;
    unsigned movers = game->movers(game, before);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1) || (game->traits & BANYAN_HIDDEN && p != exec->seat))
            continue;
        int length = snprintf(exec->text, sizeof exec->text, "play %d ", p);
        game->action_format(game, before, p, joint[p], exec->text + length,
                            sizeof exec->text - (size_t)length);
        enum banyan_status status = exec_send(exec, err);
        if (status != BANYAN_OK)
            return status;
    }
    exec_write_state(exec, "state", after);
    return exec_send(exec, err);
}

static enum banyan_status exec_send_clock(struct exec *exec,
                                          const struct banyan_player_clock *clock,
                                          struct banyan_error *err)
{
    int length = snprintf(exec->text, sizeof exec->text, "clock %.0f", clock->increment_ms);
    for (int p = 0; p < exec->game->players; ++p)
        length += snprintf(exec->text + length, sizeof exec->text - (size_t)length, " %.0f",
                           clock->left_ms[p]);
    return exec_send(exec, err);
}

static enum banyan_status exec_choose(void *ctx, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct exec *exec = ctx;
    const char *line;
    double start_ms = clock_now_ms();
    enum banyan_status status = BANYAN_OK;
    *out = (struct banyan_player_move){.value = (double)NAN};
    process_watch(exec->process, clock ? clock->stop : NULL);
    if (budget_limited(clock, exec->seat))
        status = exec_send_clock(exec, clock, err);
    if (status == BANYAN_OK)
        status = process_send(exec->process, "choose", exec->timeout_ms, err);
    if (status == BANYAN_OK)
        status = exec_receive(exec, exec_answer_ms(exec->timeout_ms, clock, exec->seat), &line, out,
                              err);
    process_watch(exec->process, NULL);
    if (status != BANYAN_OK)
        return status;
    out->elapsed_ms = clock_now_ms() - start_ms;
    if (strncmp(line, "action ", 7) != 0)
        return banyan_fail(err, BANYAN_CORRUPT,
                           "'%s' answered '%.80s' instead of 'action ...' (docs/protocol.md)",
                           process_command(exec->process), line);
    status = exec_find_action(&(struct exec_decision){exec->game, state, exec->seat, exec->actions},
                              line + 7, &out->action, err);
    return status == BANYAN_OK ? BANYAN_OK
                               : exec_blame(err, process_command(exec->process), status);
}

static void exec_close(void *ctx)
{
    struct exec *exec = ctx;
    if (exec->process)
        process_send(exec->process, "quit", EXEC_GRACE_MS, NULL);
    process_stop(exec->process, EXEC_GRACE_MS);
    free(exec->shown);
    free(exec->actions);
    free(exec);
}

static enum banyan_status exec_start(struct exec *exec, const char *command,
                                     struct banyan_error *err)
{
    exec->shown = malloc(exec->game->state_size);
    exec->actions = malloc((size_t)exec->game->max_legal * sizeof *exec->actions);
    if (!exec->shown || !exec->actions)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'exec'");
    enum banyan_status status = process_start(&exec->process, command, err);
    return status == BANYAN_OK ? exec_greet(exec, err) : status;
}

enum banyan_status player_exec_create(const struct banyan_game *game, const char *args,
                                      const struct banyan_offer *offers, uint64_t seed,
                                      struct banyan_player *out, struct banyan_error *err)
{
    const char *command;
    double timeout_ms;
    if (strncmp(args, "gtp:", 4) == 0)
        return player_gtp_create(game, args + 4, offers, seed, out, err);
    enum banyan_status status = exec_arguments(args, &command, &timeout_ms, err);
    if (status != BANYAN_OK)
        return status;
    struct exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'exec'");
    exec->game = game;
    exec->timeout_ms = timeout_ms;
    status = exec_start(exec, command, err);
    if (status != BANYAN_OK) {
        exec_close(exec);
        return status;
    }
    out->ctx = exec;
    out->open = exec_open;
    out->choose = exec_choose;
    out->observe = exec_observe;
    out->close = exec_close;
    return BANYAN_OK;
}
