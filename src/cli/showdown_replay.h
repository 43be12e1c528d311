/* Repeats a decision that `banyan showdown --save` wrote to a file. */
#ifndef CLI_SHOWDOWN_REPLAY_H
#define CLI_SHOWDOWN_REPLAY_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stdint.h>

/* Which decisions are searched again, and how. */
struct showdown_question {
    const char *path; /* a .jsonl of decisions */
    int line;         /* its number from 1; 0: every decision that was searched */
    bool has_seed;    /* false: with the recorded seed */
    uint64_t seed;
    int64_t simulations; /* 0: the recorded number */
    bool json;
};

/* Prints the tables.  *same: every decision and every table equals the recorded one.  With a seed
 * or simulations other than the recorded ones nothing is compared, and *same is true. */
enum banyan_status showdown_replay(const struct showdown_question *question, bool *same,
                                   struct banyan_error *err);

#endif
