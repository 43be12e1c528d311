/* Communicates with the game server by websocket and with the login server by HTTPS. */
#include "showdown/link.h"

#include "base/clock.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINK_TICK_MS = 50, LINK_WHY = 200 };

struct link_message {
    struct link_message *next;
    size_t length;
    unsigned char bytes[]; /* LWS_PRE bytes for the library, then the text */
};

struct link {
    struct link_settings settings;
    struct link_events events;
    struct lws_context *context;
    lws_sorted_usec_list_t tick;
    lws_retry_bo_t policy;

    struct lws *socket; /* NULL: none */
    bool live;          /* from the attempt to connect until `closed` was called */
    bool open, drop, ending;
    char why[LINK_WHY]; /* why this program ends the connection */
    char certificate[LINK_WHY];
    char *frame;
    size_t frame_length, frame_size;
    struct link_message *first, *last;
    int queued;
    double sent_ms;

    struct lws *post; /* the request in progress, or NULL */
    bool post_done;
    char *form;  /* of the post; LWS_PRE bytes, then the text */
    char *reply; /* LINK_REPLY_MAX */
    size_t form_length, reply_length;
};

static struct link *link_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* --- the queue --- */

static void link_pop(struct link *link)
{
    struct link_message *message = link->first;
    link->first = message->next;
    if (!link->first)
        link->last = NULL;
    --link->queued;
    free(message);
}

void link_send(struct link *link, const char *room, const char *text)
{
    size_t room_length = strlen(room), length = room_length + 1 + strlen(text);
    if (!link->open || link->queued >= LINK_QUEUE_MAX)
        return;
    struct link_message *message = malloc(sizeof *message + LWS_PRE + length + 1);
    if (!message)
        return;
    message->next = NULL;
    message->length = length;
    snprintf((char *)message->bytes + LWS_PRE, length + 1, "%s|%s", room, text);
    if (link->last)
        link->last->next = message;
    else
        link->first = message;
    link->last = message;
    ++link->queued;
    lws_callback_on_writable(link->socket);
}

int link_queued(const struct link *link)
{
    return link->queued;
}

void link_throttle(struct link *link, double throttle_ms)
{
    link->settings.throttle_ms = throttle_ms;
}

/* Sends a queued message; returns the value of a callback of the library: -1 ends the connection.
 */
static int link_write(struct link *link)
{
    struct link_message *message = link->first;
    double now_ms = clock_now_ms();
    if (!message || now_ms - link->sent_ms < link->settings.throttle_ms)
        return 0; /* the next tick tries again */
    int written =
        lws_write(link->socket, message->bytes + LWS_PRE, message->length, LWS_WRITE_TEXT);
    if (written < (int)message->length) {
        snprintf(link->why, sizeof link->why, "cannot send");
        return -1;
    }
    link->sent_ms = now_ms;
    link_pop(link);
    if (link->first && link->settings.throttle_ms <= 0)
        lws_callback_on_writable(link->socket);
    return 0;
}

/* --- the websocket --- */

static void link_over(struct link *link, const char *why)
{
    char text[LINK_WHY];
    if (!link->live)
        return;
    const char *ours = link->why[0] ? link->why : link->certificate;
    snprintf(text, sizeof text, "%s", ours[0] ? ours : why);
    link->live = false;
    link->socket = NULL;
    link->open = link->drop = false;
    link->why[0] = 0;
    link->frame_length = 0;
    while (link->first)
        link_pop(link);
    if (!link->ending)
        link->events.closed(link->events.self, text);
}

static bool link_frame_room(struct link *link, size_t more)
{
    size_t wanted = link->frame_length + more + 1;
    if (wanted <= link->frame_size)
        return true;
    size_t size = link->frame_size ? link->frame_size : 16384;
    while (size < wanted)
        size *= 2;
    char *frame = wanted <= LINK_FRAME_MAX ? realloc(link->frame, size) : NULL;
    if (!frame)
        return false;
    link->frame = frame;
    link->frame_size = size;
    return true;
}

static int link_received(struct link *link, struct lws *wsi, const void *bytes, size_t length)
{
    if (!link_frame_room(link, length)) {
        snprintf(link->why, sizeof link->why, "the server sent a message of more than %d MiB",
                 LINK_FRAME_MAX >> 20);
        return -1;
    }
    if (length)
        memcpy(link->frame + link->frame_length, bytes, length);
    link->frame_length += length;
    if (lws_remaining_packet_payload(wsi) > 0 || !lws_is_final_fragment(wsi))
        return 0;
    link->frame[link->frame_length] = 0;
    size_t whole = link->frame_length;
    link->frame_length = 0;
    link->events.frame(link->events.self, link->frame, whole);
    return link->drop ? -1 : 0;
}

/* Stores why the library refuses a certificate. */
static void link_certificate(struct link *link, X509_STORE_CTX *check, bool good)
{
    if (!good)
        snprintf(link->certificate, sizeof link->certificate, "its certificate is refused: %s",
                 X509_verify_cert_error_string(X509_STORE_CTX_get_error(check)));
}

static int link_socket_event(struct lws *wsi, enum lws_callback_reasons reason, void *user,
                             void *in, size_t length)
{
    struct link *link = link_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        link->open = true;
        link->events.opened(link->events.self);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return link_received(link, wsi, in, length);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return link->drop ? -1 : link_write(link);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        link_over(link, in ? in : "cannot connect");
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        link_over(link, "the connection was closed, or the server does not respond");
        return 0;
    case LWS_CALLBACK_WSI_DESTROY: /* libwebsockets 4.1 has no other event when there is no
                                    * answer */
        if (!link->socket || link->socket == wsi)
            link_over(link, "the server does not answer");
        return 0;
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION: /* also for HTTPS */
        link_certificate(link, user, length != 0);
        return 0;
    default:
        return 0;
    }
}

void link_connect(struct link *link, const struct link_address *address)
{
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = link->context;
    info.address = info.host = info.origin = address->host;
    info.port = address->port;
    info.path = address->path;
    info.ssl_connection = address->tls ? LCCSCF_USE_SSL : 0;
    info.alpn = "http/1.1";
    info.local_protocol_name = "banyan-socket";
    info.ietf_version_or_minus_one = -1;
    info.retry_and_idle_policy = &link->policy;
    info.pwsi = &link->socket;
    link->why[0] = link->certificate[0] = 0;
    link->drop = false;
    link->live = true;
    link->sent_ms = 0;
    if (!lws_client_connect_via_info(&info)) /* usually an event has reported this already */
        link_over(link, "cannot connect");
}

void link_drop(struct link *link, const char *why)
{
    if (!link->socket)
        return;
    snprintf(link->why, sizeof link->why, "%s", why);
    link->drop = true;
    if (link->open)
        lws_callback_on_writable(link->socket);
    lws_set_timeout(link->socket, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

/* --- the post --- */

static void link_wipe(struct link *link)
{
    volatile char *form = link->form;
    for (size_t i = 0; form && i < LWS_PRE + link->form_length; ++i)
        form[i] = 0;
    free(link->form);
    link->form = NULL;
}

static void link_replied(struct link *link, const char *why)
{
    if (link->post_done)
        return;
    link->post_done = true;
    link_wipe(link);
    if (why && link->certificate[0])
        why = link->certificate;
    link->events.reply(link->events.self, why ? NULL : link->reply, link->reply_length, why);
}

static int link_post_headers(struct link *link, struct lws *wsi, unsigned char **at,
                             unsigned char *end)
{
    static const unsigned char type[] = "application/x-www-form-urlencoded";
    if (lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type - 1, at,
                                     end) ||
        lws_add_http_header_content_length(wsi, link->form_length, at, end))
        return -1;
    lws_client_http_body_pending(wsi, 1);
    lws_callback_on_writable(wsi);
    return 0;
}

static int link_post_body(struct link *link, struct lws *wsi)
{
    lws_client_http_body_pending(wsi, 0);
    if (!link->form)
        return 0;
    unsigned char *text = (unsigned char *)link->form + LWS_PRE;
    int written = lws_write(wsi, text, link->form_length, LWS_WRITE_HTTP_FINAL);
    return written < (int)link->form_length ? -1 : 0;
}

static int link_post_read(struct link *link, const void *bytes, size_t length)
{
    if (link->reply_length + length > LINK_REPLY_MAX) {
        link_replied(link, "the login server's answer is too long");
        return -1;
    }
    memcpy(link->reply + link->reply_length, bytes, length);
    link->reply_length += length;
    return 0;
}

static int link_post_pull(struct lws *wsi)
{
    char buffer[LWS_PRE + 2048], *at = buffer + LWS_PRE;
    int length = 2048;
    return lws_http_client_read(wsi, &at, &length) < 0 ? -1 : 0;
}

static void link_post_complete(struct link *link, struct lws *wsi)
{
    unsigned status = lws_http_client_http_response(wsi);
    char why[80];
    snprintf(why, sizeof why, "the login server answers with HTTP status %u", status);
    link_replied(link, status == 200 ? NULL : why);
}

static int link_post_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                           size_t length)
{
    struct link *link = link_of(wsi);
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return link_post_headers(link, wsi, in, *(unsigned char **)in + length);
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
        return link_post_body(link, wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return link_post_pull(wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return link_post_read(link, in, length);
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        link_post_complete(link, wsi);
        return -1;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        link->post = NULL;
        link_replied(link, in ? in : "cannot connect to the login server");
        return 0;
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
        link->post = NULL;
        link_replied(link, "the login server closed the connection");
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        if (link->post && link->post != wsi)
            return 0;
        link->post = NULL;
        link_replied(link, "the login server does not answer");
        return 0;
    default:
        return 0;
    }
}

void link_post(struct link *link, const struct link_address *address, const char *body)
{
    struct lws_client_connect_info info;
    if (link->post) { /* the post in progress needs the form, and has its own reply */
        link->events.reply(link->events.self, NULL, 0, "another login is still in progress");
        return;
    }
    link_wipe(link);
    link->post_done = false;
    link->certificate[0] = 0;
    link->reply_length = 0;
    link->form_length = strlen(body);
    link->form = malloc(LWS_PRE + link->form_length + 1);
    if (!link->form) {
        link_replied(link, "there is no memory for it");
        return;
    }
    memcpy(link->form + LWS_PRE, body, link->form_length + 1);
    memset(&info, 0, sizeof info);
    info.context = link->context;
    info.address = info.host = info.origin = address->host;
    info.port = address->port;
    info.path = address->path;
    info.ssl_connection = address->tls ? LCCSCF_USE_SSL : 0;
    info.alpn = "http/1.1";
    info.method = "POST";
    info.local_protocol_name = "banyan-post";
    info.pwsi = &link->post;
    if (!lws_client_connect_via_info(&info))
        link_replied(link, "cannot connect to the login server");
}

/* --- creation and service --- */

static void link_ticks(lws_sorted_usec_list_t *tick)
{
    struct link *link = lws_container_of(tick, struct link, tick);
    if (link->open && link->first)
        lws_callback_on_writable(link->socket);
    lws_sul_schedule(link->context, 0, &link->tick, link_ticks, LINK_TICK_MS * LWS_US_PER_MS);
}

void link_service(struct link *link, bool wait)
{
    lws_service(link->context, wait ? 0 : -1);
}

static void link_policy(struct link *link)
{
    static const uint32_t none[] = {1000};
    link->policy.retry_ms_table = none;
    link->policy.retry_ms_table_count = 1;
    link->policy.conceal_count = 1;
    link->policy.secs_since_valid_ping = (uint16_t)link->settings.silence_s;
    link->policy.secs_since_valid_hangup = (uint16_t)(2 * link->settings.silence_s);
}

struct link *link_create(const struct link_settings *settings, const struct link_events *events,
                         struct banyan_error *err)
{
    static const struct lws_protocols protocols[] = {
        {.name = "banyan-socket", .callback = link_socket_event, .rx_buffer_size = 65536},
        {.name = "banyan-post", .callback = link_post_event, .rx_buffer_size = 4096},
        {.name = NULL}};
    struct link *link = calloc(1, sizeof *link);
    if (!link || !(link->reply = malloc(LINK_REPLY_MAX))) {
        free(link);
        banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a connection");
        return NULL;
    }
    link->settings = *settings;
    link->events = *events;
    link_policy(link);
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    lws_set_log_level(0, NULL); /* the events report everything */
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.client_ssl_ca_filepath = settings->ca_file;
    info.user = link;
    info.timeout_secs = (unsigned)settings->connect_s;
    info.connect_timeout_secs = (unsigned)settings->connect_s;
    link->context = lws_create_context(&info);
    if (!link->context) {
        free(link->reply);
        free(link);
        banyan_fail(err, BANYAN_IO, "cannot start libwebsockets%s%s",
                    settings->ca_file ? "; is this a file of certificates: " : "",
                    settings->ca_file ? settings->ca_file : "");
        return NULL;
    }
    link_ticks(&link->tick);
    return link;
}

void link_destroy(struct link *link)
{
    if (!link)
        return;
    link->post_done = link->ending = true;
    lws_context_destroy(link->context);
    link_wipe(link);
    while (link->first)
        link_pop(link);
    free(link->frame);
    free(link->reply);
    free(link);
}
