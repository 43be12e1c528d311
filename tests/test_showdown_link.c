/* banyan showdown against servers that misbehave: a websocket server in a process of its own, on
 * the loopback device, which does on each connection what a script says. */
#include "showdown/client.h"
#include "showdown/link.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM "battle-gen8randombattle-7"

/* --- the server --- */

static void put(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(fd, at, length);
        if (written <= 0)
            _exit(0); /* the client has gone */
        at += written;
        length -= (size_t)written;
    }
}

static void get(int fd, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        ssize_t got = read(fd, at, length);
        if (got <= 0)
            _exit(0);
        at += got;
        length -= (size_t)got;
    }
}

/* Sends one frame of RFC 6455; first: FIN bit and opcode. */
static void put_frame(int fd, unsigned first, const void *bytes, size_t length)
{
    unsigned char head[10] = {(unsigned char)first};
    size_t size = 2;
    if (length < 126) {
        head[1] = (unsigned char)length;
    } else if (length < 65536) {
        head[1] = 126;
        head[2] = (unsigned char)(length >> 8);
        head[3] = (unsigned char)length;
        size = 4;
    } else {
        head[1] = 127;
        for (int i = 0; i < 8; ++i)
            head[2 + i] = (unsigned char)(length >> (56 - 8 * i));
        size = 10;
    }
    put(fd, head, size);
    put(fd, bytes, length);
}

/* Sends a string literal, which may contain zeros. */
#define PUT_LITERAL(fd, first, literal) put_frame(fd, first, literal, sizeof(literal) - 1)

static void put_text(int fd, const char *text)
{
    put_frame(fd, 0x81, text, strlen(text));
}

/* Reads the next text that the client sends; skips pings and pongs. */
static void get_text(int fd, char *out, size_t size)
{
    for (;;) {
        unsigned char head[2], mask[4], wide[2];
        get(fd, head, 2);
        size_t length = head[1] & 0x7F;
        if (length == 126) {
            get(fd, wide, 2);
            length = (size_t)wide[0] << 8 | wide[1];
        }
        if (!(head[1] & 0x80) || length >= size)
            _exit(1); /* frames of a client must be masked */
        get(fd, mask, 4);
        get(fd, out, length);
        for (size_t i = 0; i < length; ++i)
            out[i] = (char)(out[i] ^ mask[i % 4]);
        out[length] = 0;
        if ((head[0] & 0x0F) == 1)
            return;
    }
}

static void expect_text(int fd, const char *text)
{
    char got[1000];
    get_text(fd, got, sizeof got);
    if (strcmp(got, text) != 0) {
        fprintf(stderr, "the client sent '%s', not '%s'\n", got, text);
        _exit(1);
    }
}

static void shake_hands(int fd)
{
    char request[4096] = "", text[256], answer[512], key[64];
    size_t length = 0;
    while (!strstr(request, "\r\n\r\n") && length < sizeof request - 1)
        get(fd, request + length++, 1);
    const char *at = strstr(request, "Sec-WebSocket-Key: ");
    if (!at || sscanf(at, "Sec-WebSocket-Key: %60s", key) != 1)
        _exit(1);
    unsigned char hash[20];
    int size = snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    lws_SHA1((const unsigned char *)text, (size_t)size, hash);
    lws_b64_encode_string((const char *)hash, 20, text, sizeof text);
    size = snprintf(answer, sizeof answer,
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                    text);
    put(fd, answer, (size_t)size);
}

static void welcome(int fd)
{
    shake_hands(fd);
    put_text(fd, "|challstr|4|abcd");
    expect_text(fd, "|/trn banyan,0,");
    put_text(fd, "|updateuser| banyan|1|101|{}");
}

static void put_battle(int fd)
{
    put_text(fd, ">" ROOM "\n|init|battle\n|title|Foe vs. banyan");
    put_text(fd, ">" ROOM "\n|player|p1|Foe|1|\n|player|p2|banyan|2|\n|gametype|singles\n|start\n"
                 "|switch|p2a: Mew|Mew, L80|300/300\n|turn|1");
}

static void put_request(int fd)
{
    put_text(fd, ">" ROOM "\n|request|{\"active\":[{\"moves\":[{\"id\":\"surf\"}]}],\"rqid\":3,"
                 "\"side\":{\"name\":\"banyan\",\"id\":\"p2\",\"pokemon\":[{\"ident\":\"p2: Mew\","
                 "\"details\":\"Mew\",\"condition\":\"300/300\",\"active\":true}]}}");
}

static void win(int fd)
{
    expect_text(fd, ROOM "|/choose move 1|3");
    put_text(fd, ">" ROOM "\n|win|banyan");
    expect_text(fd, "|/leave " ROOM);
}

static void seek(int fd)
{
    expect_text(fd, "|/utm null");
    expect_text(fd, "|/search gen8randombattle");
}

/* --- scripts: what happens to connection number n --- */

static void wait_for_the_end(int fd)
{
    char byte;
    while (read(fd, &byte, 1) > 0)
        ;
}

static void script_game(int fd, int n)
{
    (void)n;
    welcome(fd);
    seek(fd);
    put_battle(fd);
    put_request(fd);
    win(fd);
}

static void script_hang_up(int fd, int n)
{
    (void)n;
    shake_hands(fd);
}

static void script_no_handshake(int fd, int n)
{
    (void)n;
    wait_for_the_end(fd);
}

static void script_garbage(int fd, int n)
{
    (void)n;
    static const char noise[] = "\x16\x03\x01 this is no HTTP \xFF\xFE\r\n";
    for (int i = 0; i < 100; ++i)
        put(fd, noise, sizeof noise - 1);
}

static void script_silence(int fd, int n)
{
    (void)n;
    shake_hands(fd);
    wait_for_the_end(fd);
}

static void script_giant(int fd, int n)
{
    (void)n;
    size_t length = 6u << 20;
    char *bytes = calloc(1, length);
    shake_hands(fd);
    if (bytes)
        put_frame(fd, 0x81, memset(bytes, 'x', length), length);
    free(bytes);
    wait_for_the_end(fd);
}

static void script_giant_in_pieces(int fd, int n)
{
    (void)n;
    static char bytes[65536];
    shake_hands(fd);
    put_frame(fd, 0x01, bytes, sizeof bytes);
    for (int i = 0; i < 100; ++i)
        put_frame(fd, 0x00, bytes, sizeof bytes);
    wait_for_the_end(fd);
}

static void script_broken_frame(int fd, int n)
{
    (void)n;
    shake_hands(fd);
    PUT_LITERAL(fd, 0xFB, "reserved");
    wait_for_the_end(fd);
}

static void script_half_a_frame(int fd, int n)
{
    (void)n;
    shake_hands(fd);
    static const char head[] = "\x81\x7E\x10\x00half"; /* of 4096 bytes */
    put(fd, head, sizeof head - 1);
}

/* Sends everything that is unusual and allowed; then plays an ordinary game. */
static void script_odd_frames(int fd, int n)
{
    (void)n;
    shake_hands(fd);
    PUT_LITERAL(fd, 0x89, "are you there");
    PUT_LITERAL(fd, 0x82, "\x00\x01\x02\xFF binary");
    PUT_LITERAL(fd, 0x81, "");
    PUT_LITERAL(fd, 0x81, "|\xC0\xC1|\x1B[2J\n\n|||||||||||||||||||||||\n>");
    put_text(fd, "|formats|,LL|x\n|queryresponse|x|{\n|updatesearch|{]\n|hello|new world");
    static char wide[300000];
    memset(wide, '|', sizeof wide);
    put_frame(fd, 0x81, wide, sizeof wide);
    PUT_LITERAL(fd, 0x01, "|chal");
    PUT_LITERAL(fd, 0x00, "lstr|4|");
    PUT_LITERAL(fd, 0x8A, "");
    PUT_LITERAL(fd, 0x80, "abcd");
    expect_text(fd, "|/trn banyan,0,");
    put_text(fd, "|updateuser| banyan|1|101|not json");
    seek(fd);
    put_battle(fd);
    put_request(fd);
    win(fd);
}

/* The connection breaks while the server waits for an answer; on the second connection the
 * battle goes on. */
static void script_break(int fd, int n)
{
    welcome(fd);
    if (n == 0) {
        seek(fd);
        put_battle(fd);
        return;
    }
    put_battle(fd);
    put_request(fd);
    win(fd);
}

/* As above, but the first connection stays open and is silent, without even an answer to pings. */
static void script_fall_silent(int fd, int n)
{
    if (n == 0 && fork() == 0) {
        welcome(fd);
        seek(fd);
        put_battle(fd);
        wait_for_the_end(fd);
        _exit(0);
    }
    if (n > 0)
        script_break(fd, n);
}

static void script_name_taken(int fd, int n)
{
    (void)n;
    shake_hands(fd);
    put_text(fd, "|challstr|4|abcd");
    expect_text(fd, "|/trn banyan,0,");
    put_text(fd, "|nametaken|banyan|Someone is already using the name.");
    wait_for_the_end(fd);
}

/* The first connection is the game server's, the second the login server's. */
static void script_login(int fd, int n)
{
    static const char wanted[] = "act=login&name=banyan&pass=se%26cret%20&challstr=4%7Cabcd";
    static const char reply[] = "]{\"actionsuccess\":true,\"assertion\":\"4,banyan;f00\","
                                "\"curuser\":{\"loggedin\":true}}";
    if (n == 0 && fork() == 0) {
        shake_hands(fd);
        put_text(fd, "|challstr|4|abcd");
        expect_text(fd, "|/trn banyan,0,4,banyan;f00");
        put_text(fd, "|updateuser| banyan|1|101|{}");
        seek(fd);
        put_battle(fd);
        put_request(fd);
        win(fd);
        _exit(0);
    }
    if (n == 0)
        return;
    char request[4096] = "", text[512];
    size_t length = 0;
    while (!strstr(request, "\r\n\r\n") && length < sizeof request - 1)
        get(fd, request + length++, 1);
    get(fd, text, sizeof wanted - 1);
    text[sizeof wanted - 1] = 0;
    bool good = strcmp(text, wanted) == 0 && strstr(request, "POST /login HTTP/1.1") &&
                strstr(request, "application/x-www-form-urlencoded");
    int size = snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n%s",
                        good ? "200 OK" : "400 Bad Request", sizeof reply - 1, reply);
    put(fd, text, (size_t)size);
    wait_for_the_end(fd);
}

/* Answers a post of seven bytes with these bytes. */
static void script_echo(int fd, int n)
{
    (void)n;
    char request[4096] = "", text[128], body[8] = "";
    size_t length = 0;
    while (!strstr(request, "\r\n\r\n") && length < sizeof request - 1)
        get(fd, request + length++, 1);
    get(fd, body, 7);
    int size = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n%s", body);
    put(fd, text, (size_t)size);
    wait_for_the_end(fd);
}

/* A login server that closes every connection. */
static void script_no_login(int fd, int n)
{
    if (n == 0 && fork() == 0) {
        shake_hands(fd);
        put_text(fd, "|challstr|4|abcd");
        wait_for_the_end(fd);
        _exit(0);
    }
}

/* --- the driver --- */

static pid_t serve(void (*script)(int fd, int n), int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, SIG_IGN);
        alarm(600);
        for (int n = 0;; ++n) {
            int fd = accept(listener, NULL, NULL);
            script(fd, n);
            close(fd);
        }
    }
    close(listener);
    return child;
}

struct heard {
    char said[16384];
    struct lobby_count count;
    struct banyan_error err;
    double took_ms;
};

static void heard_say(void *self, enum host_level level, const char *line)
{
    struct heard *heard = self;
    size_t length = strlen(heard->said);
    (void)level;
    snprintf(heard->said + length, sizeof heard->said - length, "%s\n", line);
}

static void heard_moved(void *self, const struct lobby *lobby)
{
    (void)self, (void)lobby;
}

static void heard_over(void *self, const struct battle *battle)
{
    (void)self, (void)battle;
}

/* Seconds after which the client gives up a silent server; practically no limit if no connection of
 * the script is silent. */
static int silence_s = 10000, patience_s = 100000;

static enum banyan_status play(int port, const char *password, struct heard *heard)
{
    static const banyan_flag stop = {0};
    struct client_settings settings;
    struct client_events events = {heard, heard_say, heard_moved, heard_over};
    struct decide decide;
    char server[64];
    memset(heard, 0, sizeof *heard);
    client_settings_default(&settings);
    snprintf(server, sizeof server, "127.0.0.1:%d", port);
    assert_int_equal(client_settings_server(&settings, server, NULL), BANYAN_OK);
    assert_int_equal(decide_open(&decide, "random", NULL), BANYAN_OK);
    settings.lobby.battle.decide = &decide;
    settings.lobby.battle.timer = false;
    settings.lobby.ladder = true;
    settings.silence_s = silence_s;
    settings.patience_s = patience_s;
    if (password) {
        settings.lobby.assertion = true;
        settings.login = settings.server;
        snprintf(settings.login.path, sizeof settings.login.path, "/login");
        snprintf(settings.password, sizeof settings.password, "%s", password);
    }
    snprintf(settings.lobby.name, sizeof settings.lobby.name, "banyan");
    heard->took_ms = clock_now_ms();
    enum banyan_status status = client_run(&settings, &events, &stop, &heard->count, &heard->err);
    heard->took_ms = clock_now_ms() - heard->took_ms;
    assert_int_equal(settings.password[0], 0); /* wiped */
    decide_close(&decide);
    return status;
}

static enum banyan_status log_in_against(void (*script)(int fd, int n), const char *password,
                                         struct heard *heard)
{
    int port, code;
    pid_t child = serve(script, &port);
    enum banyan_status status = play(port, password, heard);
    if (waitpid(child, &code, WNOHANG) == child) /* the child has reported a failure */
        assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    else {
        kill(child, SIGKILL);
        waitpid(child, &code, 0);
    }
    return status;
}

static enum banyan_status against(void (*script)(int fd, int n), struct heard *heard)
{
    return log_in_against(script, NULL, heard);
}

/* --- the tests --- */

static void a_whole_game(void **state)
{
    (void)state;
    struct heard heard;
    if (against(script_game, &heard) != BANYAN_OK)
        fail_msg("%s", heard.err.message);
    assert_int_equal(heard.count.won, 1);
    assert_int_equal(heard.count.reconnects, 0);
}

static void odd_frames(void **state)
{
    (void)state;
    struct heard heard;
    if (against(script_odd_frames, &heard) != BANYAN_OK)
        fail_msg("%s", heard.err.message);
    assert_int_equal(heard.count.won, 1);
    assert_true(heard.count.repaired >= 2);
    assert_non_null(strstr(heard.said, "an unknown line: |hello|new world"));
    assert_null(strchr(heard.said, '\x1B'));
}

static void connections_that_break(void **state)
{
    (void)state;
    static void (*const scripts[])(int, int) = {script_break, script_fall_silent};
    for (int i = 0; i < 2; ++i) {
        struct heard heard;
        silence_s = i ? 5 : 10000;
        if (against(scripts[i], &heard) != BANYAN_OK)
            fail_msg("script %d: %s; %s", i, heard.err.message, heard.said);
        assert_int_equal(heard.count.won, 1);
        /* on a busy machine a server that is not silent may seem so, before the battle goes on
         * too */
        if (i == 0)
            assert_int_equal(heard.count.reconnects, 1);
        assert_in_range(heard.count.battles.rebuilt, 1, heard.count.reconnects);
    }
    silence_s = 10000;
}

/* Every script ends soon, with a message that names the fault.  Only those that are silent have a limit, since a busy
 * machine may be as slow as any. */
static void servers_that_are_none(void **state)
{
    (void)state;
    enum { EVER = 10000 };
    static const struct {
        void (*script)(int, int);
        const char *message;
        int silence_s, patience_s;
    } cases[] = {
        {script_hang_up, "closed", EVER, EVER},
        {script_no_handshake, "", EVER, 4},
        {script_garbage, "", EVER, EVER},
        {script_silence, "does not respond", 1, EVER},
        {script_giant, "4 MiB", EVER, EVER},
        {script_giant_in_pieces, "4 MiB", EVER, EVER},
        {script_broken_frame, "", EVER, EVER},
        {script_half_a_frame, "", EVER, EVER},
        {script_name_taken, "is not available", EVER, EVER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct heard heard;
        silence_s = cases[i].silence_s, patience_s = cases[i].patience_s;
        assert_int_not_equal(against(cases[i].script, &heard), BANYAN_OK);
        print_message("%5.0f ms: %s\n", heard.took_ms, heard.err.message);
        if (!strstr(heard.err.message, cases[i].message) || !heard.err.message[0])
            fail_msg("case %zu: %s", i, heard.err.message);
    }
    silence_s = 10000, patience_s = 100000;
}

static void nobody_listens(void **state)
{
    (void)state;
    struct heard heard;
    int port, code;
    pid_t child = serve(script_game, &port);
    kill(child, SIGKILL);
    waitpid(child, &code, 0);
    assert_int_equal(play(port, NULL, &heard), BANYAN_IO);
    print_message("%5.0f ms: %s\n", heard.took_ms, heard.err.message);
    assert_non_null(strstr(heard.err.message, "no connection to 127.0.0.1"));
}

static void logins(void **state)
{
    (void)state;
    struct heard heard;
    if (log_in_against(script_login, "se&cret ", &heard) != BANYAN_OK)
        fail_msg("%s", heard.err.message);
    assert_int_equal(heard.count.won, 1);
    assert_null(strstr(heard.said, "cret"));
    assert_int_not_equal(log_in_against(script_login, "wrong1234567", &heard), BANYAN_OK);
    print_message("%5.0f ms: %s\n", heard.took_ms, heard.err.message);
    assert_non_null(strstr(heard.err.message, "cannot log in at 127.0.0.1"));
    assert_int_not_equal(log_in_against(script_no_login, "se&cret ", &heard), BANYAN_OK);
    print_message("%5.0f ms: %s\n", heard.took_ms, heard.err.message);
    assert_non_null(strstr(heard.err.message, "cannot log in at 127.0.0.1"));
}

struct replies {
    int count;
    char last[200]; /* the body, or why there is none */
};

static void replies_hear(void *self, const char *body, size_t length, const char *why)
{
    struct replies *replies = self;
    ++replies->count;
    snprintf(replies->last, sizeof replies->last, "%.*s", body ? (int)length : 199,
             body ? body : why);
}

static void a_second_post_leaves_the_first_alone(void **state)
{
    (void)state;
    struct replies replies = {0, ""};
    const struct link_settings settings = {.silence_s = 10000, .connect_s = 60};
    const struct link_events events = {.self = &replies, .reply = replies_hear};
    struct link_address address = {.host = "127.0.0.1", .path = "/login"};
    int code;
    pid_t child = serve(script_echo, &address.port);
    struct link *link = link_create(&settings, &events, NULL);
    assert_non_null(link);
    link_post(link, &address, "first=1");
    link_post(link, &address, "second=2");
    assert_int_equal(replies.count, 1);
    assert_string_equal(replies.last, "another login is still in progress");
    double until_ms = clock_now_ms() + 60000;
    while (replies.count < 2 && clock_now_ms() < until_ms)
        link_service(link, true);
    assert_int_equal(replies.count, 2);
    assert_string_equal(replies.last, "first=1");
    link_destroy(link);
    kill(child, SIGKILL);
    waitpid(child, &code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game),
        cmocka_unit_test(odd_frames),
        cmocka_unit_test(logins),
        cmocka_unit_test(a_second_post_leaves_the_first_alone),
        cmocka_unit_test(connections_that_break),
        cmocka_unit_test(servers_that_are_none),
        cmocka_unit_test(nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
