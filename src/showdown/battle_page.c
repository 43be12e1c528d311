/* Writes the log of a battle as a page. */
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

void battle_page_write(const char *log, size_t length, FILE *out)
{
    static const char mark[] = "@DATA@";
    const char *at = strstr(battle_page_html, mark);
    fwrite(battle_page_html, 1, (size_t)(at - battle_page_html), out);
    page_text(log, length, out);
    fputs(at + sizeof mark - 1, out);
}
