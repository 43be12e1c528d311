/* What `banyan bench bloodbowl` prints beside the figures of every game: decisions, games, copies and
 * calls of the pathfinder a second on every size of pitch, with those of botbowl beside them. */
#ifndef CLI_BENCH_BENCH_BLOODBOWL_H
#define CLI_BENCH_BENCH_BLOODBOWL_H

#include <banyan/status.h>

#include <jansson.h>

/* Measures each figure for `seconds`.  rows: NULL prints a table, else an array to which one object
 * a size is added. */
enum banyan_status bench_bloodbowl(double seconds, json_t *rows, struct banyan_error *err);

#endif
