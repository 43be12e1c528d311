/* Answers the requests of one page, and publishes how its search goes on. */
#include "web/session_requests.h"

#include "base/clock.h"
#include "web/describe.h"
#include "web/explained.h"
#include "json/show.h"

#include <banyan/version.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Milliseconds between two states of a topic while the search runs. A running search shows a
 * smaller tree, and spends at most 1 / SESSION_TREE_SHARE of its time on showing the tree. */
enum {
    SESSION_ROOT_MS = 80,
    SESSION_TREE_MS = 500,
    SESSION_SWEEP_MS = 300,
    SESSION_TREE_SHARE = 100,
    SESSION_TREE_RUNNING = 1000 /* rows */
};

void session_init(struct session *session, struct outbox *outbox, const struct sources *sources)
{
    memset(session, 0, sizeof *session);
    session->outbox = outbox;
    session->sources = sources;
    watch_begin(&session->watch, sources, outbox);
    session->table.stop = &session->analysis.stop;
}

void session_free(struct session *session)
{
    analysis_close(&session->analysis);
    table_close(&session->table);
    sweep_close(&session->sweep); /* it borrows the recorded game */
    recorded_close(&session->recorded);
    watch_end(&session->watch);
}

/* --- topics --- */

static void session_publish_root(struct session *session)
{
    json_t *root = analysis_root(&session->analysis);
    json_object_set_new(root, "t", json_string("root"));
    outbox_publish(session->outbox, OUTBOX_ROOT, root);
    session->root_ms = clock_now_ms();
}

static struct tree_rows_source session_source(const struct session *session)
{
    const struct analysis *analysis = &session->analysis;
    return (struct tree_rows_source){analysis->game, analysis->search, analysis->state};
}

static void session_publish_tree(struct session *session)
{
    const struct session_view *view = &session->view;
    const struct tree_rows_source source = session_source(session);
    struct banyan_error err;
    json_t *columns;
    bool runs = analysis_is_running(&session->analysis);
    int budget = runs && view->budget > SESSION_TREE_RUNNING ? SESSION_TREE_RUNNING : view->budget;
    double begin_ms = clock_read_ms(CLOCK_THREAD_CPUTIME_ID);
    if (!view->is_set)
        return;
    enum banyan_status status = tree_rows_json(&source, view->whole ? NULL : &view->path,
                                               view->depth, budget, &columns, &err);
    json_t *tree = status == BANYAN_OK
                       ? json_pack("{s:s, s:I, s:o}", "t", "tree", "simulations",
                                   (json_int_t)session->analysis.done, "columns", columns)
                       : json_pack("{s:s, s:s}", "t", "tree", "text", err.message);
    outbox_publish(session->outbox, OUTBOX_TREE, tree);
    double cost_ms = clock_read_ms(CLOCK_THREAD_CPUTIME_ID) - begin_ms;
    session->tree_next_ms = clock_now_ms() + fmax(SESSION_TREE_MS, SESSION_TREE_SHARE * cost_ms);
}

static void session_publish(struct session *session)
{
    session_publish_root(session);
    session_publish_tree(session);
}

/* Publishes an error that does not belong to a request. */
static void session_complain(struct session *session, const struct banyan_error *err)
{
    outbox_answer(session->outbox,
                  json_pack("{s:s, s:i, s:s, s:s}", "t", "error", "id", 0, "code",
                            banyan_status_name(err->status), "text", err->message));
}

static void session_publish_table(struct session *session)
{
    outbox_publish(session->outbox, OUTBOX_TABLE, table_json(&session->table));
}

/* Plays one ply, if the players of the program must choose. */
static bool session_play_on(struct session *session)
{
    struct banyan_error err;
    bool played;
    enum banyan_status status = table_step(&session->table, &played, &err);
    if (status == BANYAN_INTERRUPTED)
        return true; /* a message has come, which decides how the game goes on */
    if (status != BANYAN_OK) {
        table_close(&session->table);
        session_complain(session, &err);
        return false;
    }
    if (played)
        session_publish_table(session);
    return table_is_ready(&session->table);
}

static void session_publish_sweep(struct session *session)
{
    json_t *topic = sweep_json(&session->sweep);
    json_object_set_new(topic, "t", json_string("sweep"));
    outbox_publish(session->outbox, OUTBOX_SWEEP, topic);
    session->sweep_ms = clock_now_ms();
}

/* Goes on with the searches of the recorded game; returns whether there are more. */
static bool session_sweep_on(struct session *session)
{
    struct banyan_error err;
    bool ended, running = session->sweep.running;
    if (!running)
        return false;
    if (sweep_work(&session->sweep, &ended, &err) != BANYAN_OK) {
        sweep_stop(&session->sweep);
        session_complain(session, &err);
    }
    running = session->sweep.running;
    if (!running || (ended && clock_now_ms() - session->sweep_ms >= SESSION_SWEEP_MS))
        session_publish_sweep(session);
    return running;
}

bool session_work(struct session *session)
{
    struct banyan_error err;
    if (table_is_ready(&session->table))
        return session_play_on(session);
    if (!analysis_is_running(&session->analysis))
        return session_sweep_on(session);
    enum banyan_status status = analysis_slice(&session->analysis, &err);
    if (status != BANYAN_OK) {
        session_complain(session, &err);
        return false;
    }
    double now_ms = clock_now_ms();
    bool ended = !analysis_is_running(&session->analysis);
    if (ended || now_ms - session->root_ms >= SESSION_ROOT_MS)
        session_publish_root(session);
    if (ended || now_ms >= session->tree_next_ms)
        session_publish_tree(session);
    return !ended;
}

int session_watch(struct session *session)
{
    return watch_work(&session->watch);
}

/* --- requests --- */

static enum banyan_status session_list(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    json_object_set_new(answer, "version", json_string(banyan_version_text()));
    json_object_set_new(answer, "games", describe_games());
    json_object_set_new(answer, "options", describe_options());
    json_object_set_new(answer, "runs", runs_names_json(session->sources));
    json_object_set_new(answer, "db", json_boolean(session->sources && session->sources->db));
    return BANYAN_OK;
}

static enum banyan_status session_open(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    struct analysis *analysis = &session->analysis;
    const struct analysis_question question = {
        message_text(message, "game"), message_text(message, "position"),
        message_text(message, "moves"), message_text(message, "options"),
        message_text(message, "evaluator")};
    outbox_clear(session->outbox);
    table_close(&session->table);
    session->view.is_set = false;
    enum banyan_status status = analysis_open(analysis, &question, err);
    if (status != BANYAN_OK)
        return status;
    int viewer = analysis_viewer(analysis);
    unsigned eyes = viewer < 0 ? ~0u : 1u << viewer;
    json_object_set_new(answer, "position",
                        describe_position(analysis->game, analysis->state, viewer, eyes));
    json_object_set_new(answer, "evaluators", describe_evaluators(analysis->game));
    session_publish(session);
    return BANYAN_OK;
}

static enum banyan_status session_explain(struct session *session, const struct message *message,
                                          json_t *answer, struct banyan_error *err)
{
    const struct analysis_question question = {
        message_text(message, "game"), message_text(message, "position"),
        message_text(message, "moves"), message_text(message, "options"),
        message_text(message, "evaluator")};
    json_t *explained;
    enum banyan_status status =
        explained_json(&question, message_integer(message, "n"), &explained, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "explained", explained);
    return status;
}

static enum banyan_status session_aim(struct session *session, int64_t target,
                                      struct banyan_error *err)
{
    enum banyan_status status = analysis_aim(&session->analysis, target, err);
    if (status == BANYAN_OK && !analysis_is_running(&session->analysis))
        session_publish(session);
    return status;
}

static enum banyan_status session_run(struct session *session, const struct message *message,
                                      json_t *answer, struct banyan_error *err)
{
    return session_aim(session, session->analysis.done + message_integer(message, "simulations"),
                       err);
}

static enum banyan_status session_step(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    return session_aim(session, session->analysis.done + message_integer(message, "n"), err);
}

static enum banyan_status session_goto(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    return session_aim(session, message_integer(message, "k"), err);
}

static enum banyan_status session_pause(struct session *session, const struct message *message,
                                        json_t *answer, struct banyan_error *err)
{
    return session_aim(session, session->analysis.done, err);
}

static enum banyan_status session_path(const struct session *session, const char *text,
                                       struct tree_rows_path *out, struct banyan_error *err)
{
    if (!session->analysis.search)
        return banyan_fail(err, BANYAN_INVALID, "no search is open");
    return tree_rows_parse(text, session->analysis.game->players, out, err);
}

static enum banyan_status session_view(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    const char *path = message_text(message, "path");
    struct session_view view = {.is_set = true,
                                .depth = (int)message_integer(message, "depth"),
                                .budget = (int)message_integer(message, "budget"),
                                .whole = !path || !*path};
    enum banyan_status status = session_path(session, view.whole ? "0" : path, &view.path, err);
    if (status != BANYAN_OK)
        return status;
    session->view = view;
    session_publish_tree(session);
    return BANYAN_OK;
}

static enum banyan_status session_inspect(struct session *session, const struct message *message,
                                          json_t *answer, struct banyan_error *err)
{
    const struct tree_rows_source source = session_source(session);
    struct tree_rows_path path;
    json_t *node;
    enum banyan_status status = session_path(session, message_text(message, "path"), &path, err);
    if (status == BANYAN_OK)
        status = tree_rows_node(&source, &path, &node, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "node", node);
    return status;
}

static enum banyan_status session_line(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    json_object_set_new(answer, "line", analysis_line(&session->analysis));
    return BANYAN_OK;
}

static enum banyan_status session_sit(struct session *session, const struct message *message,
                                      json_t *answer, struct banyan_error *err)
{
    const struct table_question question = {message_text(message, "game"),
                                            message_text(message, "seats"),
                                            message_text(message, "position"),
                                            message_text(message, "record"),
                                            (uint64_t)message_integer(message, "seed"),
                                            (double)message_integer(message, "clock_ms"),
                                            (double)message_integer(message, "increment_ms")};
    outbox_clear(session->outbox);
    analysis_close(&session->analysis);
    enum banyan_status status = table_open(&session->table, &question, err);
    if (status == BANYAN_OK)
        session_publish_table(session);
    return status;
}

static enum banyan_status session_play(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    enum banyan_status status =
        table_choose(&session->table, (int)message_integer(message, "player"),
                     message_text(message, "action"), err);
    if (status == BANYAN_OK)
        session_publish_table(session);
    return status;
}

static enum banyan_status session_clock(struct session *session, const struct message *message,
                                        json_t *answer, struct banyan_error *err)
{
    enum banyan_status status = table_look_at_clocks(&session->table, err);
    if (status == BANYAN_OK)
        session_publish_table(session);
    return status;
}

static enum banyan_status session_undo(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    enum banyan_status status = table_undo(&session->table, err);
    if (status == BANYAN_OK)
        session_publish_table(session);
    return status;
}

static enum banyan_status session_hint(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    json_t *hint;
    enum banyan_status status =
        table_hint(&session->table, (int)message_integer(message, "player"), &hint, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "hint", hint);
    return status;
}

static enum banyan_status session_save(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    char *record = table_record(&session->table, err);
    if (!record)
        return err->status;
    json_object_set_new(answer, "record", json_string(record));
    free(record);
    return BANYAN_OK;
}

/* The folder of recorded games; NULL: none. */
static const char *session_games(const struct session *session)
{
    return session->sources ? session->sources->games : NULL;
}

static enum banyan_status session_files(struct session *session, const struct message *message,
                                        json_t *answer, struct banyan_error *err)
{
    json_object_set_new(answer, "files", recorded_files(session_games(session)));
    return BANYAN_OK;
}

static enum banyan_status session_replay(struct session *session, const struct message *message,
                                         json_t *answer, struct banyan_error *err)
{
    sweep_close(&session->sweep);
    enum banyan_status status =
        recorded_open(&session->recorded, session_games(session), message_text(message, "name"),
                      (int)message_integer(message, "game") - 1, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "record", recorded_json(&session->recorded));
    return status;
}

static enum banyan_status session_show(struct session *session, const struct message *message,
                                       json_t *answer, struct banyan_error *err)
{
    json_t *position;
    int viewer = message_has(message, "seat") ? (int)message_integer(message, "seat") : -1;
    enum banyan_status status = recorded_show(
        &session->recorded, (int)message_integer(message, "ply"), viewer, &position, err);
    if (status == BANYAN_OK)
        json_object_set_new(answer, "position", position);
    return status;
}

static enum banyan_status session_sweep(struct session *session, const struct message *message,
                                        json_t *answer, struct banyan_error *err)
{
    struct recorded *recorded = &session->recorded;
    if (!recorded->game)
        return banyan_fail(err, BANYAN_INVALID, "no recorded game is open");
    enum banyan_status status = sweep_open(&session->sweep, &recorded->record,
                                           message_integer(message, "simulations"), err);
    if (status == BANYAN_OK)
        session_publish_sweep(session);
    return status;
}

static enum banyan_status session_sweep_end(struct session *session, const struct message *message,
                                            json_t *answer, struct banyan_error *err)
{
    if (session->sweep.running) {
        sweep_stop(&session->sweep);
        session_publish_sweep(session);
    }
    return BANYAN_OK;
}

static session_request_fn *const session_requests[MESSAGE_TYPES] = {
    [MESSAGE_BATTLES] = session_battles,
    [MESSAGE_BATTLE] = session_battle,
    [MESSAGE_CLOCK] = session_clock,
    [MESSAGE_LINE] = session_line,
    [MESSAGE_EXPLAIN] = session_explain,
    [MESSAGE_LIST] = session_list,
    [MESSAGE_OPEN] = session_open,
    [MESSAGE_RUN] = session_run,
    [MESSAGE_PAUSE] = session_pause,
    [MESSAGE_STEP] = session_step,
    [MESSAGE_GOTO] = session_goto,
    [MESSAGE_VIEW] = session_view,
    [MESSAGE_INSPECT] = session_inspect,
    [MESSAGE_SIT] = session_sit,
    [MESSAGE_PLAY] = session_play,
    [MESSAGE_UNDO] = session_undo,
    [MESSAGE_HINT] = session_hint,
    [MESSAGE_SAVE] = session_save,
    [MESSAGE_FILES] = session_files,
    [MESSAGE_REPLAY] = session_replay,
    [MESSAGE_SHOW] = session_show,
    [MESSAGE_SWEEP] = session_sweep,
    [MESSAGE_SWEEP_END] = session_sweep_end,
    [MESSAGE_MATCHES] = session_matches,
    [MESSAGE_MATCH] = session_match,
    [MESSAGE_MATCH_GAMES] = session_match_games,
    [MESSAGE_MATCH_GAME] = session_match_game,
    [MESSAGE_START] = session_start,
    [MESSAGE_STOP] = session_stop,
    [MESSAGE_RUNS] = session_runs,
    [MESSAGE_TRAIN] = session_train,
    [MESSAGE_TRAIN_GAME] = session_train_game,
    [MESSAGE_LEAVE] = session_leave,
};

void session_handle(struct session *session, const struct message *message)
{
    struct banyan_error err;
    session_request_fn *request = session_requests[message->type];
    json_t *answer = json_pack("{s:s, s:I}", "t", "ok", "id", (json_int_t)message->id);
    enum banyan_status status =
        request ? request(session, message, answer, &err)
                : banyan_fail(&err, BANYAN_INVALID, "'%s' is the first message, and comes once",
                              message_name(message->type));
    if (status != BANYAN_OK) {
        json_decref(answer);
        /* The message may quote half a character of what the page has sent. */
        answer = json_pack("{s:s, s:I, s:s, s:o}", "t", "error", "id", (json_int_t)message->id,
                           "code", banyan_status_name(status), "text", show_text(err.message));
    }
    outbox_answer(session->outbox, answer);
}
