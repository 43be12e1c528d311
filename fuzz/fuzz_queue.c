/* The URL of a queue: any text is an address, or is refused with a message. */
#include "fuzz.h"

#include "queue/redis_address.h"

/* Checks what users of an address rely on. */
static void check_address(const struct redis_address *address)
{
    FUZZ_CHECK((address->host[0] == 0) != (address->path[0] == 0));
    FUZZ_CHECK(memchr(address->host, 0, sizeof address->host));
    FUZZ_CHECK(memchr(address->path, 0, sizeof address->path));
    FUZZ_CHECK(memchr(address->user, 0, sizeof address->user));
    FUZZ_CHECK(memchr(address->password, 0, sizeof address->password));
    FUZZ_CHECK(address->port >= 0 && address->port <= 65535);
    FUZZ_CHECK(address->database >= 0);
    FUZZ_CHECK(address->shown[0]);
    size_t length = strspn(address->prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-._");
    FUZZ_CHECK(length > 0 && address->prefix[length] == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct redis_address address;
    struct banyan_error err = {.message = ""};
    char *url = fuzz_take(&data, &size, size);
    if (redis_address_read(&address, url, &err) == BANYAN_OK)
        check_address(&address);
    else
        FUZZ_CHECK(err.message[0]);
    free(url);
    return 0;
}
