/* The first simulations of a search, step by step, for the page that explains them. */
#ifndef WEB_EXPLAINED_H
#define WEB_EXPLAINED_H

#include "web/analysis.h"

enum { EXPLAINED_MOST = 200 /* simulations */ };

/* Searches with one thread, and writes n simulations as `banyan explain --json` does, with drawings
 * of positions, the tree after them as "columns" (tree_rows.h), and the "position" at the root.
 * Caller frees *out. */
enum banyan_status explained_json(const struct analysis_question *question, int64_t n, json_t **out,
                                  struct banyan_error *err);

#endif
