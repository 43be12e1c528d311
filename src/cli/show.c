/* Prints JSON and positions, and names traits. */
#include "cli/show.h"
#include "base/movers.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

void show_json(json_t *value)
{
    if (!value) {
        fflush(stdout);
        fprintf(stderr, "banyan: the result cannot be printed as JSON: a text in it is not UTF-8, "
                        "or memory is short\n");
        exit(CLI_FAILURE);
    }
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', stdout);
    json_decref(value);
}

char *show_traits(unsigned traits, char *out, size_t size)
{
    static const char *const names[] = {"chance", "simultaneous", "hidden", "zero-sum"};
    size_t length = 0;
    snprintf(out, size, "-");
    for (unsigned t = 0; t < sizeof names / sizeof *names; ++t)
        if (traits >> t & 1)
            length +=
                (size_t)snprintf(out + length, size - length, "%s%s", length ? " " : "", names[t]);
    return out;
}

void show_board(const struct banyan_game *game, const void *state, int viewer, FILE *out)
{
    char text[BANYAN_TEXT_MAX];
    if (game->draw)
        game->draw(game, state, viewer, text, sizeof text);
    else
        game->format(game, state, text, sizeof text);
    size_t length = strlen(text);
    fputs(text, out);
    if (length == 0 || text[length - 1] != '\n')
        fputc('\n', out);
}

bool show_write(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length;
}
