/* One battle on a server: its log, what was seen, the open request, the answers. */
#include "showdown/battle.h"

#include "showdown/battle_files.h"

#include "base/clock.h"

#include <banyan/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATTLE_PATIENCE_MS = 10000, /* to wait for a new request */
    BATTLE_REFUSALS_MAX = 3
};

/* --- the chooser's memory of the battle --- */

static void battle_memory_end(struct battle *battle)
{
    const struct decide_chooser *chooser = battle->settings->decide->chooser;
    if (battle->has_memory && chooser->end)
        chooser->end(battle->memory);
    battle->memory = NULL;
    battle->has_memory = false;
}

static void battle_memory_begin(struct battle *battle)
{
    const struct decide *decide = battle->settings->decide;
    battle_memory_end(battle);
    if (!decide->chooser->begin)
        return;
    struct banyan_error err;
    uint64_t seed = banyan_rng_child(battle->settings->seed, battle->room, 0);
    if (decide->chooser->begin(decide->self, battle->room, seed, &battle->memory, &err) ==
        BANYAN_OK)
        battle->has_memory = true;
    else
        host_say(battle->host, HOST_WARNING, "%s: %s: %s", battle->room, decide->chooser->name,
                 err.message);
}

/* --- start and end --- */

void battle_open(struct battle *battle, const char *room, const char *own_id,
                 const struct battle_settings *settings, const struct host *host, double now_ms)
{
    memset(battle, 0, sizeof *battle);
    snprintf(battle->room, sizeof battle->room, "%s", room);
    snprintf(battle->own_id, sizeof battle->own_id, "%s", own_id);
    battle->settings = settings;
    battle->host = host;
    battle->heard_ms = now_ms;
    battle->clock_s = battle->clock_turn_s = -1;
    tracker_start(&battle->tracker);
    battle_memory_begin(battle);
}

void battle_close(struct battle *battle)
{
    battle_memory_end(battle);
    battle_files_close(battle);
    free(battle->log);
    free(battle->request_json);
    battle->log = battle->request_json = NULL;
}

static void battle_forget_request(struct battle *battle)
{
    free(battle->request_json);
    battle->request_json = NULL;
    memset(&battle->request, 0, sizeof battle->request);
    battle->request.side = -1;
    battle->refused = 0;
    battle->state = BATTLE_RUNNING;
}

/* |init|: the room opens, or opens again with its whole log. */
static void battle_restart(struct battle *battle)
{
    if (battle->log_length > 0) {
        ++battle->count.rebuilt;
        host_say(battle->host, HOST_NOTE, "%s: rebuilt from its log", battle->room);
    }
    battle->log_length = 0;
    battle->lost = false;
    battle_forget_request(battle);
    tracker_start(&battle->tracker);
    battle_memory_begin(battle);
}

static void battle_end(struct battle *battle)
{
    char winner[PROTOCOL_ID];
    protocol_id(protocol_text(battle->tracker.winner), winner, sizeof winner);
    battle->result = !winner[0]                            ? BATTLE_TIED
                     : strcmp(winner, battle->own_id) == 0 ? BATTLE_WON
                                                           : BATTLE_LOST;
    battle->state = BATTLE_OVER;
}

void battle_abandon(struct battle *battle, const char *why)
{
    host_say(battle->host, HOST_WARNING, "%s: abandoned: %s", battle->room, why);
    battle->result = BATTLE_ABANDONED;
    battle->state = BATTLE_OVER;
}

void battle_lost(struct battle *battle)
{
    battle->lost = true;
}

/* --- answering --- */

static void battle_send(struct battle *battle, const char *choice, bool with_rqid)
{
    if (choice != battle->answer)
        snprintf(battle->answer, sizeof battle->answer, "%s", choice);
    if (with_rqid && battle->request.rqid)
        host_send(battle->host, battle->room, "/choose %s|%lld", choice,
                  (long long)battle->request.rqid);
    else
        host_send(battle->host, battle->room, "/choose %s", choice);
}

static void battle_send_default(struct battle *battle, double now_ms, bool with_rqid)
{
    ++battle->count.defaults;
    battle_send(battle, "default", with_rqid);
    battle->sent_ms = now_ms;
    battle->state = BATTLE_ANSWERED;
}

void battle_resend(struct battle *battle)
{
    if (battle->state == BATTLE_ANSWERED && battle->answer[0] && !battle->lost)
        battle_send(battle, battle->answer, true);
}

/* The time for one decision: at most a twelfth of the time left on the server's clock, and never
 * the last five seconds of the turn. */
static double battle_time(const struct battle *battle, double now_ms)
{
    double time_ms = battle->settings->time_ms;
    if (battle->clock_s < 0)
        return time_ms;
    double left_ms = battle->clock_s * 1000 - (now_ms - battle->clock_at_ms);
    double turn_ms = battle->clock_turn_s * 1000 - (now_ms - battle->clock_at_ms);
    double most_ms = fmin(left_ms / 12, turn_ms - 5000);
    return fmax(fmin(time_ms, most_ms), 1);
}

void battle_decide(struct battle *battle, double now_ms)
{
    if (battle->state != BATTLE_ASKED || battle->lost)
        return;
    const struct decide *decide = battle->settings->decide;
    uint64_t seed =
        banyan_rng_child(battle->settings->seed, battle->room, (uint64_t)battle->request.rqid + 1);
    struct decide_question question = {&battle->request, &battle->tracker, seed,
                                       battle_time(battle, now_ms)};
    struct decide_answer answer = {.detail = NULL};
    struct banyan_error err;
    enum banyan_status status = BANYAN_UNSUPPORTED;
    if (battle->request.choice_count == 0)
        banyan_fail(&err, status, "the request has no choices");
    else if (decide->chooser->begin && !battle->has_memory)
        banyan_fail(&err, status, "the chooser could not begin the battle");
    else
        status = decide_choose(decide, battle->memory, &question, &answer, &err);
    double end_ms = clock_now_ms(), took_ms = end_ms - now_ms;
    battle->count.think_ms += took_ms;
    battle->count.think_most_ms = fmax(battle->count.think_most_ms, took_ms);
    ++battle->count.decisions;
    battle->count.differences += answer.differences;
    snprintf(battle->shown, sizeof battle->shown, "%s", status == BANYAN_OK ? answer.shown : "");
    if (answer.note[0]) {
        ++battle->count.unsearched;
        host_say(battle->host, HOST_WARNING, "%s: turn %d: %s", battle->room, battle->tracker.turn,
                 answer.note);
    } else if (answer.differences) {
        host_say(battle->host, HOST_WARNING,
                 "%s: turn %d: game and request differ, and the request is right: %s", battle->room,
                 battle->tracker.turn, answer.different);
    }
    if (status == BANYAN_OK) {
        char choice[REQUEST_TEXT];
        request_choice_text(answer.choice, choice);
        battle_send(battle, choice, true);
        battle->sent_ms = end_ms;
        battle->state = BATTLE_ANSWERED;
    } else {
        host_say(battle->host, HOST_WARNING, "%s: %s: %s; the answer is `default`", battle->room,
                 decide->chooser->name, err.message);
        battle_send_default(battle, end_ms, true);
    }
    battle_files_dump(battle, seed, question.time_ms, took_ms, answer.detail);
    free(answer.detail);
}

/* --- messages of the server to this player --- */

static void battle_request(struct battle *battle, struct protocol_text json, double now_ms)
{
    battle_forget_request(battle);
    struct banyan_error err;
    enum banyan_status status = request_parse(json.at, json.length, &battle->request, &err);
    if (status != BANYAN_OK) {
        host_say(battle->host, HOST_WARNING, "%s: %s", battle->room, err.message);
        ++battle->count.broken;
        battle_forget_request(battle);
        battle_send_default(battle, now_ms, false); /* a default answer is better than losing on
                                                     * time */
        return;
    }
    if (battle->request.side >= 0)
        battle->tracker.viewer = battle->request.side;
    if (battle->request.kind == REQUEST_WAIT || battle->tracker.over)
        return;
    battle->request_json = malloc(json.length + 1);
    if (battle->request_json) {
        memcpy(battle->request_json, json.at, json.length);
        battle->request_json[json.length] = 0;
    }
    battle->asked_ms = now_ms;
    battle->state = BATTLE_ASKED;
}

static void battle_refused(struct battle *battle, struct protocol_text why, double now_ms)
{
    bool late = protocol_holds(why, "too late") || protocol_holds(why, "nothing to choose");
    if (protocol_starts(why, "[Unavailable choice]")) {
        ++battle->count.unavailable;
        host_say(battle->host, HOST_DETAIL, "%s: %.*s", battle->room, (int)why.length, why.at);
        if (battle->state == BATTLE_ANSWERED)
            battle->state = BATTLE_RENEWED;
        return;
    }
    host_say(battle->host, HOST_WARNING, "%s: '%s' was answered with: %.*s", battle->room,
             battle->answer, (int)why.length, why.at);
    if (!protocol_starts(why, "[Invalid choice]"))
        return;
    ++*(late ? &battle->count.late : &battle->count.invalid);
    if (late || battle->state != BATTLE_ANSWERED)
        return;
    /* The request is still open.  The first `default` is sent with the request's number, the next ones
     * without it, because the number may be what is wrong. */
    if (++battle->refused <= BATTLE_REFUSALS_MAX)
        battle_send_default(battle, now_ms, battle->refused == 1);
    else
        host_say(battle->host, HOST_WARNING, "%s: every answer is refused; waiting", battle->room);
}

/* The number before `after`, which is " sec this turn" in "...: 150 sec this turn"; -1: there is none. */
static int battle_seconds(struct protocol_text text, const char *after)
{
    size_t length = strlen(after);
    for (size_t i = 0; i + length <= text.length; ++i) {
        if (memcmp(text.at + i, after, length) != 0)
            continue;
        size_t start = i;
        while (start > 0 && text.at[start - 1] >= '0' && text.at[start - 1] <= '9')
            --start;
        return protocol_number((struct protocol_text){text.at + start, i - start});
    }
    return -1;
}

/* |inactive|Time left: 150 sec this turn | 150 sec total | 60 sec grace */
static void battle_clock(struct battle *battle, const struct protocol_line *line, double now_ms)
{
    if (line->kind == PROTOCOL_INACTIVEOFF) {
        battle->clock_s = battle->clock_turn_s = -1;
        return;
    }
    int turn = battle_seconds(line->rest, " sec this turn");
    int total = battle_seconds(line->rest, " sec total");
    if (turn < 0 || total < 0)
        return;
    battle->clock_turn_s = turn;
    battle->clock_s = total;
    battle->clock_at_ms = now_ms;
}

/* --- the log --- */

static bool battle_log_room(struct battle *battle, size_t more)
{
    if (battle->log_length + more <= battle->log_size)
        return true;
    size_t size = battle->log_size ? battle->log_size : 16384;
    while (size < battle->log_length + more)
        size *= 2;
    if (size > BATTLE_LOG_MAX)
        return false;
    char *log = realloc(battle->log, size);
    if (!log)
        return false;
    battle->log = log;
    battle->log_size = size;
    return true;
}

/* Messages to this player alone, and messages about the room, do not belong in a replay. */
static void battle_keep(struct battle *battle, struct protocol_text text,
                        const struct protocol_line *line)
{
    switch (line->kind) {
    case PROTOCOL_INIT:
    case PROTOCOL_DEINIT:
    case PROTOCOL_REQUEST:
    case PROTOCOL_SENTCHOICE:
    case PROTOCOL_ERROR:
    case PROTOCOL_TITLE:
        return;
    default:
        break;
    }
    if (!battle_log_room(battle, text.length + 1))
        return;
    if (text.length)
        memcpy(battle->log + battle->log_length, text.at, text.length);
    battle->log[battle->log_length + text.length] = '\n';
    battle->log_length += text.length + 1;
}

/* Finds out which side is ours, before a request says so. */
static void battle_find_side(struct battle *battle)
{
    for (int side = 0; side < 2; ++side) {
        char id[PROTOCOL_ID];
        protocol_id(protocol_text(battle->tracker.sides[side].player), id, sizeof id);
        if (id[0] && strcmp(id, battle->own_id) == 0)
            battle->tracker.viewer = side;
    }
}

static void battle_seen(struct battle *battle, const struct protocol_line *line)
{
    int strange = battle->tracker.strange;
    tracker_line(&battle->tracker, line);
    if (battle->tracker.strange > strange)
        host_say(battle->host, HOST_DETAIL, "%s: a line contradicts what was seen: %s",
                 battle->room, battle->tracker.strange_line);
    if (battle->has_memory && battle->settings->decide->chooser->observe)
        battle->settings->decide->chooser->observe(battle->memory, &battle->tracker, line);
    if (line->kind == PROTOCOL_PLAYER)
        battle_find_side(battle);
    if (line->kind == PROTOCOL_BATTLE_START && battle->settings->timer && !battle->timer_asked) {
        battle->timer_asked = true;
        host_send(battle->host, battle->room, "/timer on");
    }
    if (protocol_is(line->word, "-message") &&
        protocol_holds(line->rest, " lost due to inactivity")) {
        struct protocol_text name = line->rest;
        name.length -= protocol_holds(name, " lost due to inactivity.") ? 24 : 0;
        char id[PROTOCOL_ID];
        protocol_id(name, id, sizeof id);
        battle->count.timed_out += strcmp(id, battle->own_id) == 0;
    }
    if (battle->tracker.over && battle->state != BATTLE_OVER)
        battle_end(battle);
}

static void battle_odd(struct battle *battle, struct protocol_text text,
                       const struct protocol_line *line)
{
    bool broken = line->kind == PROTOCOL_BROKEN;
    int *count = broken ? &battle->count.broken : &battle->count.unknown;
    if (++*count <= 20) /* limits the warnings of one battle */
        host_say(battle->host, HOST_WARNING, "%s: %s: %.*s", battle->room,
                 broken ? "an incomplete line" : "an unknown line",
                 (int)(text.length < 200 ? text.length : 200), text.at);
}

void battle_line(struct battle *battle, struct protocol_text text, double now_ms)
{
    struct protocol_line line;
    protocol_parse(text, &line);
    battle->heard_ms = now_ms;
    if (battle->state == BATTLE_OVER)
        return;
    battle_keep(battle, text, &line);
    switch (line.kind) {
    case PROTOCOL_INIT:
        battle_restart(battle);
        break;
    case PROTOCOL_REQUEST:
        battle_request(battle, line.rest, now_ms);
        break;
    case PROTOCOL_SENTCHOICE:
        if (battle->state == BATTLE_ASKED && line.rest.length) {
            battle->state = BATTLE_ANSWERED;
            battle->sent_ms = now_ms;
        }
        break;
    case PROTOCOL_ERROR:
        battle_refused(battle, line.rest, now_ms);
        break;
    case PROTOCOL_INACTIVE:
    case PROTOCOL_INACTIVEOFF:
        battle_clock(battle, &line, now_ms);
        break;
    case PROTOCOL_UNKNOWN:
    case PROTOCOL_BROKEN:
        battle_odd(battle, text, &line);
        break;
    default:
        battle_seen(battle, &line);
        break;
    }
}

void battle_tick(struct battle *battle, double now_ms)
{
    if (battle->state == BATTLE_RENEWED && !battle->lost &&
        now_ms - battle->heard_ms > BATTLE_PATIENCE_MS) {
        host_say(battle->host, HOST_WARNING, "%s: no new request came; the answer is `default`",
                 battle->room);
        battle_send_default(battle, now_ms, false);
        battle->heard_ms = now_ms;
    }
}
