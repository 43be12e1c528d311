/* Verifies records of games in Banyan's own format (docs/records.md). */
#include "records/game_record.h"
#include "records/records.h"

#include <string.h>

static enum banyan_status banyan_replay(struct game_record *record, struct records_report *report,
                                        struct banyan_error *err)
{
    struct game_replay replay;
    enum banyan_status status = game_replay_begin(&replay, record, err);
    if (status != BANYAN_OK)
        return status;
    status = game_replay_to(&replay, -1, err);
    if (status == BANYAN_OK)
        status = game_replay_check(&replay, err);
    report->steps += (uint64_t)replay.ply;
    game_replay_end(&replay);
    return status;
}

static enum banyan_status banyan_line(const struct banyan_game *game, struct records_source *source,
                                      struct records_report *report, const char *line,
                                      size_t length, struct banyan_error *err)
{
    struct game_record record;
    struct banyan_error why;
    enum banyan_status status = game_record_parse(&record, line, length, &why);
    if (status != BANYAN_OK)
        return banyan_fail(err, status, "%s:%llu: %s", records_path(source),
                           (unsigned long long)records_line_number(source), why.message);
    ++report->games;
    if (record.game != game)
        records_differ(report, source, "the game is %s, not %s", record.game->name, game->name);
    else if (banyan_replay(&record, report, &why) != BANYAN_OK)
        records_differ(report, source, "%s", why.message);
    else
        ++report->whole;
    game_record_free(&record);
    return BANYAN_OK;
}

static enum banyan_status banyan_read(const struct banyan_game *game, struct records_source *source,
                                      struct records_report *report, struct banyan_error *err)
{
    char *line;
    size_t length;
    enum banyan_status status = BANYAN_OK;
    report->wholes = true;
    while (!records_stopped(report) &&
           (status = records_line(source, &line, &length, err)) == BANYAN_OK && line)
        if (length > 0 &&
            (status = banyan_line(game, source, report, line, length, err)) != BANYAN_OK)
            break;
    return status;
}

/* Lines of version 0 begin with the game, later ones with their version. */
static bool banyan_claims(const char *first_line)
{
    return strncmp(first_line, "{\"record\":", 10) == 0 ||
           (strncmp(first_line, "{\"game\":", 8) == 0 && strstr(first_line, "\"number\":"));
}

const struct records_format records_banyan = {
    .name = "banyan",
    .games = "*",
    .help = "JSON lines in Banyan's own format, as `match --save` and `judge --save` write "
            "them (docs/records.md)",
    .claims = banyan_claims,
    .read = banyan_read,
};
