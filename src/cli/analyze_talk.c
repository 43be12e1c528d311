/* Carries out the lines of the analysis service's clients. */
#include "cli/analyze.h"

#include <string.h>

void analyze_refuse(struct analyze_client *client, const char *id, const char *why)
{
    json_t *line = *id ? json_pack("{s:s}", "id", id) : json_object();
    json_object_set_new(line, "error", json_string(why));
    analyze_print(client, line);
}

static void talk_terminate(struct analyze_pool *pool, struct analyze_client *client,
                           const struct analyze_line *line)
{
    bool all = line->kind == ANALYZE_TERMINATE_ALL;
    int count = analyze_pool_terminate(pool, client, all ? NULL : line->target);
    analyze_print(client, json_pack("{s:s, s:i}", "id", line->id, "terminated", count));
}

void analyze_take(struct analyze_pool *pool, struct analyze_client *client, const char *text,
                  size_t length)
{
    struct analyze_line line;
    struct banyan_error err = {.message = ""};
    if (analyze_line_read(&line, analyze_pool_base(pool), text, length, &err) != BANYAN_OK) {
        analyze_refuse(client, line.id, err.message);
    } else if (line.kind != ANALYZE_QUESTION) {
        talk_terminate(pool, client, &line);
    } else if (analyze_pool_ask(pool, client, &line.question, &err) != BANYAN_OK) {
        analyze_refuse(client, line.id, err.message);
        analyze_question_free(&line.question);
    }
}
