/* Pictures of Blood Bowl: a position as SVG, and a recorded game as one page with a slider.
 *
 * The page contains the SVG of the first position; a small script moves its players, which are
 * groups <g id="H7" class="home up">, from step to step.
 */
#ifndef RECORDS_BLOODBOWL_PAGE_H
#define RECORDS_BLOODBOWL_PAGE_H

#include "games/bloodbowl/bloodbowl.h"

#include <stdio.h>

void bloodbowl_page_svg(const struct bb_state *state, FILE *out);

/* Writes the page in parts: its start with the first position, every step, its end.  before: the
 * state in which `action` was decided; NULL: there was no decision. */
void bloodbowl_page_begin(const struct bb_state *first, const char *title, FILE *out);
void bloodbowl_page_step(const struct bb_state *before, const struct bb_action *action,
                         const struct banyan_die *dice, int dice_count,
                         const struct bb_state *after, FILE *out);
void bloodbowl_page_end(FILE *out);

#endif
