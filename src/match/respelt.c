/* Brings texts of players into one spelling, so that databases hold one text for one player. */
#include "match/respelt.h"

#include "base/options.h"
#include "players/player.h"

#include <stdlib.h>

static void respelt(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text)
        return; /* NULL stays NULL */
    int length = options_respell(text, OPTIONS_KEY, NULL, 0);
    char *today = malloc((size_t)length + 1), *out = NULL;
    if (today) {
        options_respell(text, OPTIONS_KEY, today, (size_t)length + 1);
        length = player_key(today, NULL, 0);
        out = malloc((size_t)length + 1);
    }
    if (out) {
        player_key(today, out, (size_t)length + 1);
        sqlite3_result_text(context, out, length, free);
    } else
        sqlite3_result_error_nomem(context);
    free(today);
}

int respelt_register(sqlite3 *db)
{
    return sqlite3_create_function(db, "respelt", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   respelt, NULL, NULL);
}
