/* The log of a battle as a page that needs no network: the two sides, what happened, buttons to
 * step; and what the bot expected at each of its decisions, if these are known.  The log is the
 * page's data, as text; battle_page.html reads its lines and draws them. */
#ifndef SHOWDOWN_BATTLE_PAGE_H
#define SHOWDOWN_BATTLE_PAGE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the page of log[length], the lines of a battle as the server sent them; decisions: the
 * rows of decisions.h; NULL: none.  The caller checks out for errors. */
void battle_page_write(const char *log, size_t length, const json_t *decisions, FILE *out);

/* battle_page.html, as it is built into the program; ends with 0. */
extern const char battle_page_html[];

#endif
