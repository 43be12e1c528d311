/* banyan doctor: describes this machine and this build. */
#include "cli/cli.h"
#include "cli/show.h"

#include "base/cpu.h"
#include "nn/plugin.h"

#include <banyan/version.h>

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *doctor_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

static json_t *doctor_libraries(void)
{
    return json_pack("{s:s, s:s}", "jansson", JANSSON_VERSION, "sqlite", sqlite3_libversion());
}

static json_t *doctor_limits(void)
{
    struct rlimit memory = {RLIM_INFINITY, 0}, files = {RLIM_INFINITY, 0};
    getrlimit(RLIMIT_AS, &memory);
    getrlimit(RLIMIT_NOFILE, &files);
    return json_pack(
        "{s:i, s:i, s:i, s:o, s:o}", "max_players", BANYAN_MAX_PLAYERS, "max_text_bytes",
        BANYAN_TEXT_MAX, "max_dice_enumerated", BANYAN_DICE_MAX_ODOMETER, "address_space_bytes",
        memory.rlim_cur == RLIM_INFINITY ? json_null() : json_integer((json_int_t)memory.rlim_cur),
        "open_files",
        files.rlim_cur == RLIM_INFINITY ? json_null() : json_integer((json_int_t)files.rlim_cur));
}

/* A network of usual size. */
static const struct nn_model *doctor_network(void)
{
    static struct nn_model model;
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = arch.height = arch.width = 8;
    return nn_model_build(&model, &arch, NULL) == BANYAN_OK ? &model : NULL;
}

/* The backend that is chosen for the network when the user names none, and the reason. */
static json_t *doctor_choice(const struct nn_model *model)
{
    const struct nn_backend *backend;
    struct banyan_error err;
    char reason[128];
    void *ctx;
    if (nn_backend_open("", model, NULL, &backend, &ctx, &err) != BANYAN_OK)
        return json_string(err.message);
    nn_backend_reason("", model, backend, reason, sizeof reason);
    json_t *choice = json_sprintf("%s: %s", backend->name, reason);
    backend->close(ctx);
    return choice;
}

/* For each backend: its description of itself for this network, or why it cannot be opened. */
static json_t *doctor_networks(const struct nn_model *model)
{
    static const char *const names[] = {"plain", "onednn", "cuda"};
    json_t *networks = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        struct banyan_error err = {.message = ""};
        const struct nn_backend *backend = nn_backend_find(names[i], &err);
        void *ctx;
        bool open = backend && backend->open(model, NULL, &ctx, &err) == BANYAN_OK;
        json_object_set_new(networks, names[i],
                            json_string(open ? backend->describe(ctx) : err.message));
        if (open)
            backend->close(ctx);
    }
    return networks;
}

static json_t *doctor_report(void)
{
    struct utsname system;
    const char *feature;
    bool present;
    json_t *cpu = json_object();
    for (int i = 0; (feature = cpu_feature(i, &present)); ++i)
        json_object_set_new(cpu, feature, json_boolean(present));
    uname(&system);
    int games = 0;
    while (banyan_game_at(games))
        ++games;
    json_int_t page = sysconf(_SC_PAGESIZE);
    const struct nn_model *model = doctor_network();
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:i}", "version",
        banyan_version_text(), "compiler", doctor_compiler(), "system", system.sysname, "machine",
        system.machine, "cores", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "memory_bytes",
        page * (json_int_t)sysconf(_SC_PHYS_PAGES), "cpu", cpu, "variant",
        cpu_level_name(cpu_level()), "processor_level", cpu_level_name(cpu_processor_level()),
        "libraries", doctor_libraries(), "networks", doctor_networks(model), "network_choice",
        doctor_choice(model), "limits", doctor_limits(), "games", games);
}

static const char *doctor_string(const json_t *report, const char *key)
{
    return json_string_value(json_object_get(report, key));
}

static void doctor_print_limit(const json_t *limits, const char *key, const char *title)
{
    json_t *value = json_object_get(limits, key);
    if (json_is_integer(value))
        printf("%-12s %" JSON_INTEGER_FORMAT " %s\n", "", json_integer_value(value), title);
    else
        printf("%-12s no limit of %s\n", "", title);
}

static void doctor_print_level(const char *used, const char *most)
{
    if (strcmp(used, most) == 0)
        printf("%-12s %s: all that the processor has\n", "level", used);
    else
        printf("%-12s %s, because of BANYAN_CPU_LEVEL; the processor has %s\n", "level", used,
               most);
}

static void doctor_text(const json_t *report)
{
    const char *key;
    json_t *value, *limits = json_object_get(report, "limits");
    printf("%-12s %s, built with %s\n", "banyan", doctor_string(report, "version"),
           doctor_string(report, "compiler"));
    printf("%-12s %s on %s, %" JSON_INTEGER_FORMAT " cores, %.1f GiB of memory\n", "machine",
           doctor_string(report, "system"), doctor_string(report, "machine"),
           json_integer_value(json_object_get(report, "cores")),
           (double)json_integer_value(json_object_get(report, "memory_bytes")) / 0x1p30);
    printf("%-12s", "processor");
    json_object_foreach(json_object_get(report, "cpu"), key, value)
        printf(" %s%s", json_is_true(value) ? "" : "no-", key);
    printf("\n");
    doctor_print_level(doctor_string(report, "variant"), doctor_string(report, "processor_level"));
    printf("%-12s", "libraries");
    json_object_foreach(json_object_get(report, "libraries"), key, value)
        printf(" %s %s", key, json_string_value(value));
    printf("\n");
    const char *title = "networks";
    json_object_foreach(json_object_get(report, "networks"), key, value)
    {
        printf("%-12s %s: %s\n", title, key, json_string_value(value));
        title = "";
    }
    printf("%-12s chosen by default: %s\n", "", doctor_string(report, "network_choice"));
    printf("%-12s %d players, %d bytes of text, %d dice enumerated in one action\n", "limits",
           BANYAN_MAX_PLAYERS, BANYAN_TEXT_MAX, BANYAN_DICE_MAX_ODOMETER);
    doctor_print_limit(limits, "address_space_bytes", "address space in bytes");
    doctor_print_limit(limits, "open_files", "open files");
    printf("%-12s %" JSON_INTEGER_FORMAT "; `banyan list` names them\n", "games",
           json_integer_value(json_object_get(report, "games")));
}

static const struct argp_option doctor_options[] = {
    {"json", 'j', NULL, 0, "Print JSON (docs/json.md)", 0}, {0}};

static error_t doctor_option(int key, char *arg, struct argp_state *state)
{
    bool *json = state->input;
    if (key == 'j')
        *json = true;
    else if (key == ARGP_KEY_ARG)
        cli_too_many(state, arg);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int cli_doctor(int argc, char **argv)
{
    bool json = false;
    const struct argp argp = {
        doctor_options,
        doctor_option,
        NULL,
        "Tells what this machine and this build have: processor features and the level of "
        "instructions that they allow, cores, memory, compiler, libraries, backends of networks "
        "and which one is chosen, limits.",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &json);
    json_t *report = doctor_report();
    if (json) {
        show_json(report);
        return CLI_OK;
    }
    doctor_text(report);
    json_decref(report);
    return CLI_OK;
}
