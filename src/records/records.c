/* Finds the format of recorded games, and verifies Banyan's rules against them. */
#include "records/records.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define RECORD(name) extern const struct records_format records_##name;
#include "records/records.def"
#undef RECORD

static const struct records_format *const formats[] = {
#define RECORD(name) &records_##name,
#include "records/records.def"
#undef RECORD
    NULL};

const struct records_format *records_format_at(int index)
{
    int count = (int)(sizeof formats / sizeof *formats) - 1;
    return index >= 0 && index < count ? formats[index] : NULL;
}

bool records_format_serves(const struct records_format *format, const struct banyan_game *game)
{
    for (const char *name = format->games; *name;) {
        size_t length = strcspn(name, " ");
        if (length == 1 && *name == '*')
            return true;
        if (strncmp(game->name, name, length) == 0 &&
            (game->name[length] == 0 || game->name[length] == '-'))
            return true;
        name += length;
        name += strspn(name, " ");
    }
    return false;
}

void records_differ(struct records_report *report, const struct records_source *source,
                    const char *format, ...)
{
    if (report->differences++ >= report->shown || !report->out)
        return;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *at = message; *at; ++at) /* control characters of a broken file must not reach the
                                         * terminal */
        if (!isprint((unsigned char)*at))
            *at = '?';
    fprintf(report->out, "%s:%" PRIu64 ": %s\n", records_path(source), records_line_number(source),
            message);
}

/* The format of this name, or without a name the first that accepts the file's first line. */
static enum banyan_status records_find(const struct banyan_game *game, const char *name,
                                       const char *first, const char *path,
                                       const struct records_format **out, struct banyan_error *err)
{
    char known[256] = "";
    for (int i = 0; formats[i]; ++i) {
        size_t length = strlen(known);
        if (!records_format_serves(formats[i], game))
            continue;
        snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "",
                 formats[i]->name);
        *out = formats[i];
        if (name ? strcmp(name, formats[i]->name) == 0
                 : !formats[i]->claims || formats[i]->claims(first))
            return BANYAN_OK;
    }
    return name
               ? banyan_fail(err, BANYAN_NOT_FOUND, "no format for %s is called '%s'; there are %s",
                             game->name, name, known)
               : banyan_fail(err, BANYAN_CORRUPT, "%s: the file has none of the formats of %s: %s",
                             path, game->name, known);
}

enum banyan_status records_verify(const struct banyan_game *game, const char *name,
                                  const char *path, struct records_report *report,
                                  struct banyan_error *err)
{
    const struct records_format *format = NULL;
    struct records_source *source;
    char first[4096] = "";
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    if (!name)
        status = records_peek(source, first, sizeof first, err);
    if (status == BANYAN_OK)
        status = records_find(game, name, first, path, &format, err);
    if (status == BANYAN_OK)
        status = format->read(game, source, report, err);
    records_close(source);
    return status;
}
