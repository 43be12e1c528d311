/* A tree for people to look at, as a list of lines in preorder.
 *
 *     node (root)            who decides here, visits, mean
 *       edge "d3"            an action, its statistics
 *         node               the position after it; several when dice or hidden cards decide
 *           edge ...
 *
 * Every format (report_text.c, report_picture.c) is written from this list.
 */
#ifndef SEARCH_REPORT_H
#define SEARCH_REPORT_H

#include "search/states.h"

enum report_kind { REPORT_NODE, REPORT_EDGE };

struct report_line {
    enum report_kind kind;
    int level;          /* actions between the root and here */
    int parent;         /* index of the line above, -1: a root */
    int end;            /* index behind the last line below this one */
    int player;         /* node: who decides, -1: the tree has no node here; edge: who decided */
    int actions;        /* node: legal actions that it has */
    int left_out;       /* node: tried actions, edge: outcomes that the view does not show */
    double probability; /* node: share of the edge's visits */
    uint32_t visits;
    double mean;              /* return of `player`; NaN: none */
    float prior;              /* edge; NaN: none */
    float lo, hi;             /* edge: proven bounds on the return of `player` */
    bool chance;              /* edge: more than one outcome is possible */
    char label[STATES_LABEL]; /* edge: the action; node below an edge: what dice and the other
                               * players decided, "": nothing, or it is not known */
    char *picture;            /* the board as SVG or text; owned; NULL: none */
};

struct report {
    const struct banyan_game *game;
    struct report_line *lines; /* [count], owned */
    int count, room;
    int most;      /* lines; 0: any number */
    bool pictures; /* lines get a picture where the state is known */
    bool failed;   /* memory ran out */
    bool too_long; /* there would be more than `most` lines */
};

/* Where a report goes: the caller's write function. */
struct report_out {
    banyan_write_fn *write;
    void *ctx;
    bool failed;  /* the write function has failed: nothing more is written */
    bool refused; /* there was no memory for a picture */
};

/* Writes a text as printf does. */
void report_print(struct report_out *out, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* report_text.c */
void report_write_text(const struct report *report, struct report_out *out);
void report_write_xml(const struct report *report, struct report_out *out);
void report_write_json(const struct report *report, struct report_out *out);
/* report_picture.c */
void report_write_dot(const struct report *report, struct report_out *out);
void report_write_svg(const struct report *report, struct report_out *out);
/* report_page.c */
void report_write_html(const struct report *report, struct report_out *out);

/* report.html, as it is built into the program; ends with 0. */
extern const char report_html[];

/* --- boxes: an edge is one box with its node; nodes of their own stand for roots and outcomes --- */

/* Whether line has its own box: an edge, a root, and a node below an edge with more than one possible outcome. */
bool report_has_box(const struct report *report, int index);

/* The nearest line above that has a box, -1: none. */
int report_box_above(const struct report *report, int index);

/* The two lines in a box, each in size bytes. */
void report_box_text(const struct report *report, const struct report_line *line, char *title,
                     char *detail, size_t size);

/* Everything about a line in one sentence: out[size]. */
void report_box_more(const struct report *report, const struct report_line *line, char *out,
                     size_t size);

/* The colour of a box: from red (worst for the player who decided) over yellow to green (best);
 * grey: no mean. */
void report_colour(const struct report *report, const struct report_line *line, char out[8]);

/* Writes text, with escapes for < > & " (markup) or for " \\ and control characters (JSON). */
void report_write_escaped(const char *text, struct report_out *out);
void report_write_quoted(const char *text, struct report_out *out);

/* Whether the bounds of an edge are narrower than the range of returns. */
static inline bool report_bounded(const struct report *report, const struct report_line *line)
{
    return line->lo > report->game->return_min || line->hi < report->game->return_max;
}

#endif
