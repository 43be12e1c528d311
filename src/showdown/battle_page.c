/* Writes the log of a battle, and the bot's decisions in it, as a page. */
#include "showdown/battle_page.h"

#include <string.h>

/* Writes text as a string of JSON for a script element; '<' is escaped, so that the text cannot end the element. */
static void page_text(const char *text, size_t length, FILE *out)
{
    putc('"', out);
    for (size_t i = 0; i < length; ++i)
        if (strchr("\"\\<", text[i]) ||
            (unsigned char)text[i] < ' ') /* true also for a zero byte */
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)text[i]);
        else
            putc(text[i], out);
    putc('"', out);
}

/* Writes JSON for a script element; '<', which is only in texts, is escaped. */
static int page_json(const char *bytes, size_t length, void *out)
{
    for (size_t i = 0; i < length; ++i)
        if (bytes[i] == '<')
            fputs("\\u003c", out);
        else
            putc(bytes[i], out);
    return 0;
}

/* Writes the page up to the mark; returns what follows it. */
static const char *page_until(const char *page, const char *mark, FILE *out)
{
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

void battle_page_write(const char *log, size_t length, const json_t *decisions, FILE *out)
{
    const char *rest = page_until(battle_page_html, "@DATA@", out);
    page_text(log, length, out);
    rest = page_until(rest, "@DECISIONS@", out);
    if (decisions)
        json_dump_callback(decisions, page_json, out, JSON_COMPACT | JSON_REAL_PRECISION(4));
    else
        fputs("[]", out);
    fputs(rest, out);
}
