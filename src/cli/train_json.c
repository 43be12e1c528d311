/* Prints the course of a run of training as JSON, one object a line. */
#include "cli/train_json.h"

#include "cli/show.h"

#include <stdio.h>

/* Prints the object, and frees it. */
static void train_json_line(json_t *object)
{
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
    putchar('\n');
    fflush(stdout);
    json_decref(object);
}

void train_json_begin(const char *networks)
{
    train_json_line(json_pack("{s:s, s:s}", "type", "begin", "networks", networks));
}

void train_json_warning(const char *text)
{
    train_json_line(json_pack("{s:s, s:s}", "type", "warning", "text", text));
}

static json_t *train_json_queue(const struct loop_queue_standing *queue)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "workers", (json_int_t)queue->workers,
                     "waiting", (json_int_t)queue->waiting, "leased", (json_int_t)queue->leased,
                     "duplicates", (json_int_t)queue->duplicates, "refused",
                     (json_int_t)queue->refused, "audited", (json_int_t)queue->audited, "shut_out",
                     (json_int_t)queue->shut_out);
}

void train_json_progress(const char *what, int64_t done, int64_t total,
                         const struct loop_standing *standing, bool has_queue)
{
    train_json_line(json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "type", "progress", "what",
                              what, "done", (json_int_t)done, "total", (json_int_t)total,
                              "finished", (json_int_t)standing->finished, "generations",
                              (json_int_t)standing->generations, "queue",
                              has_queue ? train_json_queue(&standing->queue) : json_null()));
}

void train_json_generation(const struct loop_generation *g)
{
    json_t *line = json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "type", "generation", "generation",
        (json_int_t)g->generation, "games", (json_int_t)g->games, "choices", (json_int_t)g->choices,
        "positions", (json_int_t)g->positions, "window", (json_int_t)g->window, "first_wins",
        (json_int_t)g->first_wins, "draws", (json_int_t)g->draws, "step", (json_int_t)g->step);
    json_object_set_new(line, "losses",
                        json_pack("{s:f, s:f, s:f}", "policy", g->learned.policy, "entropy",
                                  g->learned.entropy, "value", g->learned.value));
    json_object_set_new(line, "gate",
                        json_pack("{s:I, s:f, s:b}", "games", (json_int_t)g->gate_games, "score",
                                  g->gate_score, "published", (int)g->published));
    json_object_set_new(line, "test",
                        json_pack("{s:I, s:I, s:f}", "games", (json_int_t)g->test_games, "losses",
                                  (json_int_t)g->test_losses, "score", g->test_score));
    json_object_set_new(line, "seconds",
                        json_pack("{s:f, s:f, s:f, s:f}", "play", g->play_s, "learn", g->learn_s,
                                  "gate", g->gate_s, "test", g->test_s));
    json_object_set_new(line, "elo", json_real(g->elo));
    train_json_line(line);
}

void train_json_end(const char *why, const struct loop_standing *standing)
{
    train_json_line(json_pack("{s:s, s:s, s:I, s:I}", "type", "end", "why", why, "finished",
                              (json_int_t)standing->finished, "generations",
                              (json_int_t)standing->generations));
}
