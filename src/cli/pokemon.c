/* banyan pokemon: runs one of its tools: calc, sets, simulate. */
#include "cli/pokemon.h"

#include "cli/cli.h"

#include <banyan/options.h>

#include <stdio.h>
#include <string.h>

static const struct cli_command pokemon_tools[] = {
    {"calc", "damage of an attack, and its chance to knock out", pokemon_calc},
    {"sets", "the sets of a Pokemon in random battles", pokemon_sets},
    {"simulate", "a battle on standard input and output, without a server", pokemon_simulate},
    {NULL, NULL, NULL}};

static void pokemon_usage(FILE *out)
{
    fprintf(out, "Usage: banyan pokemon TOOL ...\n\nTools:\n");
    for (const struct cli_command *tool = pokemon_tools; tool->name; ++tool)
        fprintf(out, "  %-10s %s\n", tool->name, tool->help);
    fprintf(out, "\n`banyan pokemon TOOL --help` explains a tool.\n");
}

int cli_pokemon(int argc, char **argv)
{
    const char *names[8] = {NULL};
    char name[64];
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        pokemon_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    int count = 0;
    for (const struct cli_command *tool = pokemon_tools; tool->name; ++tool) {
        names[count++] = tool->name;
        if (strcmp(tool->name, argv[1]) != 0)
            continue;
        snprintf(name, sizeof name, "%s %s", argv[0], argv[1]);
        argv[1] = name;
        return tool->run(argc - 1, argv + 1);
    }
    struct banyan_error err;
    const char *near = banyan_options_nearest(argv[1], names);
    banyan_fail(&err, BANYAN_NOT_FOUND, "no tool '%.40s': there are calc, sets, simulate%s%s%s",
                argv[1], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return cli_fail(argv[0], CLI_USAGE, &err);
}
