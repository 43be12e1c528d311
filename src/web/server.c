/* Serves the page's files and its WebSocket with libwebsockets. */
#include "web/server.h"

#include "web/files.h"
#include "web/gate.h"
#include "web/host.h"
#include "web/message.h"
#include "web/worker.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SERVER_TICK_MS = 200,
    SERVER_TOKEN_S = 3,      /* from the upgrade to the token */
    SERVER_PIECE = 16 << 10, /* bytes of a file written at once */
    SERVER_HEADERS = 2048,
    SERVER_LINK = GATE_NAME + GATE_TOKEN + 64
};

#define SERVER_CLOSE_TRY_AGAIN \
    ((enum lws_close_status)1013) /* libwebsockets 4.1 has no name for it */

_Static_assert(OUTBOX_ROOM >= LWS_PRE, "libwebsockets writes its header before the text");

struct server {
    struct server_settings settings;
    struct gate gate;
    char link[SERVER_LINK];
    struct lws_context *context;
    lws_sorted_usec_list_t tick;
    int connections; /* WebSockets */
};

/* What belongs to one connection: a file on its way, or a page. */
struct client {
    struct files_body file;
    size_t sent; /* bytes of the file */

    struct worker *worker; /* NULL: the token has not come yet */
    struct outbox *outbox;
    char *message; /* [MESSAGE_MAX] as it arrives in pieces */
    size_t length;
};

static struct server *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* --- headers --- */

/* These headers come with every answer. */
static const struct lws_protocol_vhost_options server_headers[] = {
    {&server_headers[1], NULL, "content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
     "require-trusted-types-for 'script'"},
    {&server_headers[2], NULL, "x-content-type-options:", "nosniff"},
    {&server_headers[3], NULL, "referrer-policy:", "no-referrer"},
    {&server_headers[4], NULL, "cross-origin-opener-policy:", "same-origin"},
    {&server_headers[5], NULL, "cross-origin-resource-policy:", "same-origin"},
    {NULL, NULL, "cache-control:", "no-store"},
};

/* The value of a header in out[GATE_NAME]; NULL: it is not there, or too long to be right. */
static const char *server_header(struct lws *wsi, enum lws_token_indexes token, char *out)
{
    return lws_hdr_copy(wsi, out, GATE_NAME, token) > 0 ? out : NULL;
}

/* --- files --- */

/* Answers with a sentence, and ends the connection.  (The page of libwebsockets itself would ask for a style sheet.) */
static int server_refuse(struct lws *wsi, unsigned status, const char *why)
{
    unsigned char buffer[LWS_PRE + SERVER_HEADERS], *start = buffer + LWS_PRE, *at = start,
                                                    *end = buffer + sizeof buffer - 1;
    size_t length = strlen(why);
    if (lws_add_http_common_headers(wsi, status, "text/plain; charset=utf-8", length, &at, end) ||
        lws_finalize_http_header(wsi, &at, end) || length > (size_t)(end - at))
        return -1;
    memcpy(at, why, length);
    lws_write(wsi, start, (size_t)(at - start) + length, LWS_WRITE_HTTP);
    return -1;
}

static bool server_takes_gzip(struct lws *wsi)
{
    char accepted[GATE_NAME];
    return server_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepted) &&
           strstr(accepted, "gzip") != NULL;
}

static int server_begin_file(struct lws *wsi, struct client *client, unsigned status)
{
    unsigned char buffer[LWS_PRE + SERVER_HEADERS], *start = buffer + LWS_PRE, *at = start,
                                                    *end = buffer + sizeof buffer - 1;
    const struct files_body *file = &client->file;
    if (lws_add_http_common_headers(wsi, status, file->type, file->length, &at, end) ||
        (file->gzipped &&
         lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_ENCODING,
                                      (const unsigned char *)"gzip", 4, &at, end)) ||
        lws_finalize_write_http_header(wsi, start, &at, end))
        return -1;
    client->sent = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int server_request(struct lws *wsi, struct client *client, const char *path)
{
    const struct server *server = server_of(wsi);
    char host[GATE_NAME];
    if (!gate_allows_host(&server->gate, server_header(wsi, WSI_TOKEN_HOST, host)))
        return server_refuse(wsi, 421, "This server answers under its own address only.");
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return server_refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "This server answers GET only.");
    const char *folder = server->settings.folder;
    bool found = files_find(path, folder, &client->file);
    if (!found && !(server_takes_gzip(wsi) && files_find("/", folder, &client->file)))
        return server_refuse(wsi, HTTP_STATUS_NOT_FOUND, "There is no such page.");
    if (client->file.gzipped && !server_takes_gzip(wsi))
        return server_refuse(wsi, HTTP_STATUS_NOT_ACCEPTABLE,
                             "The files are compressed; the request must accept gzip.");
    return server_begin_file(wsi, client, found ? HTTP_STATUS_OK : HTTP_STATUS_NOT_FOUND);
}

static int server_write_file(struct lws *wsi, struct client *client)
{
    unsigned char buffer[LWS_PRE + SERVER_PIECE];
    size_t left = client->file.length - client->sent;
    size_t piece = left < SERVER_PIECE ? left : SERVER_PIECE;
    bool last = piece == left;
    if (!client->file.bytes)
        return 0;
    memcpy(buffer + LWS_PRE, client->file.bytes + client->sent, piece);
    int written =
        lws_write(wsi, buffer + LWS_PRE, piece, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
    if (written < (int)piece)
        return -1;
    client->sent += piece;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    files_free(&client->file);
    memset(&client->file, 0, sizeof client->file);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* --- the WebSocket --- */

/* The one place where upgrades are allowed: an upgrade without a subprotocol would skip the filters of protocols. */
static int server_upgrade(struct lws *wsi, const char *to)
{
    const struct server *server = server_of(wsi);
    char host[GATE_NAME], origin[GATE_NAME], subprotocol[GATE_NAME];
    const struct gate_upgrade upgrade = {to, server_header(wsi, WSI_TOKEN_HOST, host),
                                         server_header(wsi, WSI_TOKEN_ORIGIN, origin),
                                         server_header(wsi, WSI_TOKEN_PROTOCOL, subprotocol)};
    if (!gate_allows_upgrade(&server->gate, &upgrade)) {
        server_refuse(wsi, HTTP_STATUS_FORBIDDEN, "Only the page of this server may connect.");
        return 1;
    }
    if (server->connections >= SERVER_CONNECTIONS) {
        server_refuse(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "Too many pages are open.");
        return 1;
    }
    return 0;
}

/* Called by the threads of the workers and by that of the server. */
static void server_wake(void *context)
{
    lws_cancel_service(context);
}

static int server_close(struct lws *wsi, enum lws_close_status status, const char *why)
{
    char text[LWS_PRE + 124]; /* the longest reason that a frame holds */
    snprintf(text, sizeof text, "%s", why);
    lws_close_reason(wsi, status, (unsigned char *)text, strlen(text));
    return -1;
}

static int server_opened(struct lws *wsi, struct client *client)
{
    struct server *server = server_of(wsi);
    memset(client, 0, sizeof *client);
    ++server->connections;
    client->message = malloc(MESSAGE_MAX);
    client->outbox = malloc(sizeof *client->outbox);
    if (client->outbox)
        outbox_init(client->outbox, server_wake, server->context);
    if (!client->message || !client->outbox)
        return server_close(wsi, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    lws_set_timer_usecs(wsi, SERVER_TOKEN_S * LWS_USEC_PER_SEC);
    return 0;
}

static void server_closed(struct lws *wsi, struct client *client)
{
    --server_of(wsi)->connections;
    if (client->worker)
        worker_destroy(client->worker);
    if (client->outbox)
        outbox_free(client->outbox);
    free(client->outbox);
    free(client->message);
    memset(client, 0, sizeof *client);
}

static void server_answer_error(struct client *client, int64_t id, const struct banyan_error *err)
{
    outbox_answer(client->outbox,
                  json_pack("{s:s, s:I, s:s, s:s}", "t", "error", "id", (json_int_t)id, "code",
                            banyan_status_name(err->status), "text", err->message));
}

/* The first message brings the token; before it nothing else is read. */
static int server_greet(struct lws *wsi, struct client *client, const struct message *message)
{
    const struct server *server = server_of(wsi);
    if (message->type != MESSAGE_HELLO ||
        !gate_allows_token(&server->gate, message_text(message, "token")))
        return server_close(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION,
                            "the token is not the one of the link");
    lws_set_timer_usecs(wsi, LWS_SET_TIMER_USEC_CANCEL);
    client->worker = worker_create(client->outbox, &server->settings.sources);
    if (!client->worker)
        return server_close(wsi, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    outbox_answer(client->outbox,
                  json_pack("{s:s, s:I}", "t", "ok", "id", (json_int_t)message->id));
    return 0;
}

static int server_message(struct lws *wsi, struct client *client)
{
    struct message message;
    struct banyan_error err;
    enum banyan_status status = message_parse(client->message, client->length, &message, &err);
    int result = 0;
    client->length = 0;
    if (!client->worker) {
        result = status == BANYAN_OK ? server_greet(wsi, client, &message)
                                     : server_close(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION,
                                                    "the first message must bring the token");
    } else if (status == BANYAN_OK) {
        if (worker_send(client->worker, &message))
            return 0;
        result = server_close(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages at once");
    } else {
        server_answer_error(client, message.id, &err);
        return 0;
    }
    message_free(&message);
    return result;
}

static int server_received(struct lws *wsi, struct client *client, const void *bytes, size_t length)
{
    if (lws_frame_is_binary(wsi))
        return server_close(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are text");
    if (client->length + length > MESSAGE_MAX)
        return server_close(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                            "a message has at most 64 KiB");
    if (length)
        memcpy(client->message + client->length, bytes, length);
    client->length += length;
    if (lws_remaining_packet_payload(wsi) > 0 || !lws_is_final_fragment(wsi))
        return 0;
    return server_message(wsi, client);
}

static int server_send(struct lws *wsi, struct client *client)
{
    if (outbox_has_overrun(client->outbox))
        return server_close(wsi, SERVER_CLOSE_TRY_AGAIN, "the page does not read its answers");
    struct outbox_text *text = outbox_take(client->outbox);
    if (!text)
        return 0;
    int written =
        lws_write(wsi, (unsigned char *)text->bytes + OUTBOX_ROOM, text->length, LWS_WRITE_TEXT);
    bool failed = written < (int)text->length;
    free(text);
    if (!outbox_is_empty(client->outbox))
        lws_callback_on_writable(wsi);
    return failed ? -1 : 0;
}

static int server_socket_event(struct lws *wsi, enum lws_callback_reasons reason,
                               struct client *client, void *in, size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return server_opened(wsi, client);
    case LWS_CALLBACK_CLOSED:
        server_closed(wsi, client);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return server_received(wsi, client, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return server_send(wsi, client);
    case LWS_CALLBACK_TIMER:
        return client->worker
                   ? 0
                   : server_close(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, "the token did not come");
    default:
        return 0;
    }
}

/* --- all events --- */

static int server_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t length)
{
    struct client *client = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return server_upgrade(wsi, in);
    case LWS_CALLBACK_HTTP:
        return server_request(wsi, client, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return server_write_file(wsi, client);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (client)
            files_free(&client->file);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi));
        return 0;
    default:
        return server_socket_event(wsi, reason, client, in, length);
    }
}

static const struct lws_protocols server_protocols[] = {
    {.name = GATE_SUBPROTOCOL,
     .callback = server_event,
     .per_session_data_size = sizeof(struct client),
     .rx_buffer_size = 4096},
    {.name = NULL}};

/* Lets the loop look at the stop flag. */
static void server_ticks(lws_sorted_usec_list_t *tick)
{
    struct server *server = lws_container_of(tick, struct server, tick);
    lws_sul_schedule(server->context, 0, tick, server_ticks, SERVER_TICK_MS * LWS_US_PER_MS);
}

static enum banyan_status server_listen(struct server *server, struct banyan_error *err)
{
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    lws_set_log_level(0, NULL);
    info.port = server->settings.port;
    info.iface = server->settings.address;
    info.protocols = server_protocols;
    info.headers = server_headers;
    info.user = server;
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    server->context = lws_create_context(&info);
    struct lws_vhost *vhost = server->context ? lws_create_vhost(server->context, &info) : NULL;
    if (vhost)
        server->gate.port = lws_get_vhost_listen_port(vhost);
    if (!vhost || server->gate.port <= 0)
        return banyan_fail(
            err, BANYAN_IO,
            "cannot listen on %s, port %d: has this machine the address, is the port in use?",
            server->settings.address, server->settings.port);
    return BANYAN_OK;
}

enum banyan_status server_create(struct server **out, const struct server_settings *settings,
                                 struct banyan_error *err)
{
    struct server *server = calloc(1, sizeof *server);
    *out = NULL;
    if (!server)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a server");
    server->settings = *settings;
    server->gate.allowed_host = settings->allowed_host;
    if (settings->sources.db)
        server->settings.sources.host = host_create(settings->sources.db);
    enum banyan_status status =
        gate_make_token(&server->gate)
            ? server_listen(server, err)
            : banyan_fail(err, BANYAN_IO, "the system has no random bytes for a token");
    if (status != BANYAN_OK) {
        server_destroy(server);
        return status;
    }
    snprintf(server->link, sizeof server->link, "http://%s:%d/#%s",
             settings->allowed_host ? settings->allowed_host : "127.0.0.1", server->gate.port,
             server->gate.token);
    *out = server;
    return BANYAN_OK;
}

void server_destroy(struct server *server)
{
    if (server->context)
        lws_context_destroy(server->context);
    host_destroy(server->settings.sources.host);
    free(server);
}

const char *server_link(const struct server *server)
{
    return server->link;
}

void server_run(struct server *server)
{
    server_ticks(&server->tick);
    while (!banyan_flag_is_set(server->settings.stop) && lws_service(server->context, 0) >= 0)
        continue;
}
