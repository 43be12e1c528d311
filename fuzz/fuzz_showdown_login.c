/* Answers of a login server, and addresses, of arbitrary bytes. */
#include "fuzz.h"

#include "showdown/link.h"
#include "showdown/login.h"

static void login_check(const char *text, size_t length, bool with_password)
{
    char assertion[LOGIN_ASSERTION];
    struct banyan_error err = {.message = ""};
    if (login_reply(text, length, with_password, assertion, &err) != BANYAN_OK) {
        FUZZ_CHECK(err.message[0]);
        return;
    }
    FUZZ_CHECK(assertion[0] && !strpbrk(assertion, "\n\r <"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length = size;
    char *text = fuzz_take(&data, &size, size);
    char body[LOGIN_BODY];
    struct link_address address;
    struct banyan_error err = {.message = ""};
    login_check(text, length, true);
    login_check(text, length, false);
    if (login_request(text, length & 1 ? text : NULL, text, body, &err) == BANYAN_OK)
        FUZZ_CHECK(strlen(body) < LOGIN_BODY && !strpbrk(body, " |\n\r"));
    if (link_address_parse(text, "/path", &address, &err) == BANYAN_OK)
        FUZZ_CHECK(address.host[0] && address.path[0] == '/' && address.port > 0);
    free(text);
    return 0;
}
