/* Brings texts of players into one spelling, so that databases hold one text for one player. */
#include "match/respelt.h"

#include "base/options.h"

#include <stdlib.h>

static void respelt(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text)
        return; /* NULL stays NULL */
    int length = options_respell(text, OPTIONS_KEY, NULL, 0);
    char *out = malloc((size_t)length + 1);
    if (!out) {
        sqlite3_result_error_nomem(context);
        return;
    }
    options_respell(text, OPTIONS_KEY, out, (size_t)length + 1);
    sqlite3_result_text(context, out, length, free);
}

int respelt_register(sqlite3 *db)
{
    return sqlite3_create_function(db, "respelt", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   respelt, NULL, NULL);
}
