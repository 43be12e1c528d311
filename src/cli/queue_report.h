/* What `banyan queue` knows of a queue, and the forms in which it is printed. */
#ifndef CLI_QUEUE_REPORT_H
#define CLI_QUEUE_REPORT_H

#include "queue/queue.h"

#include <jansson.h>

struct queue_report {
    struct queue_server server;
    struct queue_counts counts;
    json_t *workers; /* list of {name, report}; owned */
    json_t *bad;     /* list of {job, worker, reason}, the latest first; owned */
};

/* Asks the server.  Freed with queue_report_free, also after an error. */
enum banyan_status queue_report_read(struct queue_report *report, struct queue *queue,
                                     struct banyan_error *err);
void queue_report_free(struct queue_report *report);

/* The state of the queue: in sentences; as JSON (docs/json.md); as text for Prometheus. */
void queue_report_print(const struct queue_report *report);
json_t *queue_report_json(const struct queue_report *report);
void queue_report_metrics(const struct queue_report *report);

/* What may be wrong with server and queue: a list of {check, level: "good", "note" or "wrong", message}.
 * The caller frees it. */
json_t *queue_report_checks(const struct queue_report *report);

#endif
