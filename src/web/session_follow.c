/* Answers the requests about what goes on outside of the page: matches, runs of training, battles of a bot. */
#include "web/session_requests.h"

#include "web/battles.h"
#include "web/host.h"

/* --- matches and runs of training --- */

enum banyan_status session_matches(struct session *session, const struct message *message,
                                   json_t *answer, struct banyan_error *err)
{
    watch_matches(&session->watch);
    return BANYAN_OK;
}

enum banyan_status session_match(struct session *session, const struct message *message,
                                 json_t *answer, struct banyan_error *err)
{
    return watch_match(&session->watch, message_integer(message, "match"), err);
}

enum banyan_status session_match_games(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    json_t *games;
    enum banyan_status status =
        matches_games_json(&session->watch.matches, message_integer(message, "match"),
                           message_integer(message, "first") - 1, &games, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "games", games);
    return status;
}

/* Opens a record, so that the page shows it like a game from a file. */
static enum banyan_status session_take(struct session *session, struct game_record *record,
                                       json_t *answer, struct banyan_error *err)
{
    sweep_close(&session->sweep);
    enum banyan_status status = recorded_take(&session->recorded, record, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "record", recorded_json(&session->recorded));
    return status;
}

/* One game of a match. */
enum banyan_status session_match_game(struct session *session, const struct message *message,
                                      json_t *answer, struct banyan_error *err)
{
    struct game_record record;
    enum banyan_status status =
        matches_record(&session->watch.matches, message_integer(message, "match"),
                       message_integer(message, "game") - 1, &record, err);
    return status == BANYAN_OK ? session_take(session, &record, answer, err) : status;
}

static enum banyan_status session_host(const struct session *session, struct host **out,
                                       struct banyan_error *err)
{
    *out = session->sources ? session->sources->host : NULL;
    return *out ? BANYAN_OK
                : banyan_fail(err, BANYAN_INVALID,
                              "a match needs a database: start banyan web with --db FILE");
}

enum banyan_status session_start(struct session *session, const struct message *message,
                                 json_t *answer, struct banyan_error *err)
{
    struct host *host;
    const struct host_question question = {.game = message_text(message, "game"),
                                           .players = message_text(message, "players"),
                                           .sprt = message_text(message, "sprt"),
                                           .games = message_integer(message, "games"),
                                           .seed = (uint64_t)message_integer(message, "seed"),
                                           .opening_plies =
                                               (int)message_integer(message, "opening_plies"),
                                           .move_ms = (double)message_integer(message, "move_ms")};
    enum banyan_status status = session_host(session, &host, err);
    return status == BANYAN_OK ? host_start(host, &question, err) : status;
}

enum banyan_status session_stop(struct session *session, const struct message *message,
                                json_t *answer, struct banyan_error *err)
{
    struct host *host;
    enum banyan_status status = session_host(session, &host, err);
    if (status == BANYAN_OK)
        host_stop(host);
    return status;
}

enum banyan_status session_runs(struct session *session, const struct message *message,
                                json_t *answer, struct banyan_error *err)
{
    watch_runs(&session->watch);
    return BANYAN_OK;
}

enum banyan_status session_train(struct session *session, const struct message *message,
                                 json_t *answer, struct banyan_error *err)
{
    return watch_train(&session->watch, message_text(message, "runs"), err);
}

/* One game of self-play. */
enum banyan_status session_train_game(struct session *session, const struct message *message,
                                      json_t *answer, struct banyan_error *err)
{
    struct game_record record;
    enum banyan_status status = watch_train_game(
        &session->watch, message_text(message, "run"), message_integer(message, "generation"),
        message_integer(message, "game") - 1, &record, err);
    return status == BANYAN_OK ? session_take(session, &record, answer, err) : status;
}

enum banyan_status session_leave(struct session *session, const struct message *message,
                                 json_t *answer, struct banyan_error *err)
{
    watch_leave(&session->watch);
    return BANYAN_OK;
}

/* --- battles of a bot --- */

enum banyan_status session_battles(struct session *session, const struct message *message,
                                   json_t *answer, struct banyan_error *err)
{
    const char *folder = session->sources ? session->sources->showdown : NULL;
    json_object_set_new(answer, "battles", battles_list(folder));
    return BANYAN_OK;
}

enum banyan_status session_battle(struct session *session, const struct message *message,
                                  json_t *answer, struct banyan_error *err)
{
    const char *folder = session->sources ? session->sources->showdown : NULL;
    json_t *decisions;
    enum banyan_status status = battles_decisions(
        folder, message_text(message, "room"), message_integer(message, "first"), &decisions, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "decisions", decisions);
    return status;
}
