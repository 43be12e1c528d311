/* What `banyan train --json` prints: one JSON object a line (docs/json.md). */
#ifndef CLI_TRAIN_JSON_H
#define CLI_TRAIN_JSON_H

#include "train/loop.h"

#include <stdbool.h>

void train_json_begin(const char *networks);
void train_json_progress(const char *what, int64_t done, int64_t total,
                         const struct loop_standing *standing, bool has_queue);
void train_json_warning(const char *text);
void train_json_generation(const struct loop_generation *generation);

/* why: the reason for the end, "last", "passed", "once" or "interrupted". */
void train_json_end(const char *why, const struct loop_standing *standing);

#endif
