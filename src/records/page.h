/* A recorded game as one page that needs nothing else: boards, moves, times, curves, to be stepped
 * through with buttons and keys.
 *
 *      record --replay--> boards, scores --> JSON inside page.html, which draws it
 *
 * A board is a picture if the game has one, else text.  A picture is shown as an image and texts as
 * text, so that nothing in a record can become a part of the page.  Lines that several boards have are
 * written once.
 */
#ifndef RECORDS_PAGE_H
#define RECORDS_PAGE_H

#include "records/game_record.h"

/* Replays record and writes the page; source: where the record is from, for people.  BANYAN_ILLEGAL,
 * BANYAN_INVALID: the record breaks the rules. */
enum banyan_status page_write(struct game_record *record, const char *source, FILE *out,
                              struct banyan_error *err);

/* page.html, as it is built into the program; ends with 0. */
extern const char page_html[];

#endif
