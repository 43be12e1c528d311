/* banyan_options_parse() on arbitrary text, with a table of all types.  The settings that it
 * accepts are in range, and are the same after they were written as text and read again. */
#include "fuzz.h"

#include <banyan/options.h>

#include <math.h>
#include <stdbool.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

struct settings {
    int count;
    int64_t simulations;
    uint64_t memory;
    double share;
    bool verbose;
    int colour;
    char name[24];
    double time_ms;
    uint64_t seed;
};

#define AT(member) offsetof(struct settings, member)

static const struct banyan_option table[] = {
    {.name = "count", .type = BANYAN_OPTION_INT, .offset = AT(count), .min = -5, .max = 1000},
    {.name = "simulations",
     .type = BANYAN_OPTION_INT64,
     .offset = AT(simulations),
     .min = 0,
     .max = 1e12},
    {.name = "memory", .type = BANYAN_OPTION_SIZE, .offset = AT(memory), .min = 4096, .max = 1e13},
    {.name = "share", .type = BANYAN_OPTION_REAL, .offset = AT(share), .min = -1, .max = 1},
    {.name = "verbose", .type = BANYAN_OPTION_BOOL, .offset = AT(verbose)},
    {.name = "colour", .type = BANYAN_OPTION_CHOICE, .offset = AT(colour), .choices = colours},
    {.name = "name",
     .type = BANYAN_OPTION_TEXT,
     .offset = AT(name),
     .size = sizeof((struct settings *)0)->name},
    {.name = "time", .type = BANYAN_OPTION_TIME, .offset = AT(time_ms), .min = 0, .max = 1e9},
    {.name = "seed", .type = BANYAN_OPTION_SEED, .offset = AT(seed), .min = 0, .max = 1e18},
    {.name = NULL},
};

static void settings_check(const struct settings *settings)
{
    FUZZ_CHECK(settings->count >= -5 && settings->count <= 1000);
    FUZZ_CHECK(settings->simulations >= 0 && settings->simulations <= 1000000000000);
    FUZZ_CHECK(settings->memory >= 4096 && settings->memory <= 10000000000000);
    FUZZ_CHECK(settings->share >= -1 && settings->share <= 1);
    FUZZ_CHECK(settings->colour >= 0 && settings->colour <= 2);
    FUZZ_CHECK(settings->time_ms >= 0 && settings->time_ms <= 1e9);
    FUZZ_CHECK(settings->seed <= 1000000000000000000);
    FUZZ_CHECK(memchr(settings->name, 0, sizeof settings->name));
}

static bool settings_equal(const struct settings *a, const struct settings *b)
{
    return a->count == b->count && a->simulations == b->simulations && a->memory == b->memory &&
           !(a->share < b->share || a->share > b->share) && a->verbose == b->verbose &&
           a->colour == b->colour && strcmp(a->name, b->name) == 0 &&
           !(a->time_ms < b->time_ms || a->time_ms > b->time_ms) && a->seed == b->seed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct settings defaults = {
        .count = 1, .simulations = 1000, .memory = 4096, .share = 0.5, .name = "x"};
    struct settings settings = defaults, again = defaults;
    struct banyan_error err = {.message = ""};
    char dump[1024];
    char *text = fuzz_take(&data, &size, size);
    if (banyan_options_parse(table, &settings, text, &err) != BANYAN_OK) {
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
    } else {
        settings_check(&settings);
        int length = banyan_options_dump(table, &settings, &defaults, dump, sizeof dump);
        FUZZ_CHECK(length >= 0 && (size_t)length < sizeof dump);
        if (banyan_options_parse(table, &again, dump, &err) != BANYAN_OK) {
            fprintf(stderr, "'%s' was written as '%s': %s\n", text, dump, err.message);
            abort();
        }
        FUZZ_CHECK(settings_equal(&settings, &again));
    }
    free(text);
    return 0;
}
