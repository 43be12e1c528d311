/* Runs a few simulations and tells each step of them. */
#include "web/explained.h"

#include "web/describe.h"
#include "web/tree_rows.h"
#include "json/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPLAINED_TOP = 12, EXPLAINED_DEPTH = 8, EXPLAINED_ROWS = 300 };

/* The options of the question with one thread and no batches, so that each simulation can be told. */
static char *explained_options(const char *options)
{
    static const char alone[] = "threads=1,ensemble=1,batch=1";
    size_t size = strlen(options) + sizeof alone + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", options, *options ? "," : "", alone);
    return text;
}

/* Adds the position at the root and the tree. */
static enum banyan_status explained_add(struct analysis *analysis, json_t *out,
                                        struct banyan_error *err)
{
    const struct tree_rows_source source = {analysis->game, analysis->search, analysis->state};
    int viewer = analysis_viewer(analysis);
    json_t *columns;
    enum banyan_status status =
        tree_rows_json(&source, NULL, EXPLAINED_DEPTH, EXPLAINED_ROWS, &columns, err);
    if (status == BANYAN_OK)
        json_object_set_new(out, "columns", columns);
    json_object_set_new(out, "position",
                        describe_position(analysis->game, analysis->state, viewer, 0));
    return status;
}

static enum banyan_status explained_run(struct analysis *analysis, int64_t n, json_t **out,
                                        struct banyan_error *err)
{
    const struct explain_source source = {.game = analysis->game,
                                          .search = analysis->search,
                                          .evaluator = &analysis->evaluator,
                                          .options = &analysis->options,
                                          .state = analysis->state,
                                          .top = EXPLAINED_TOP,
                                          .plays_rollouts =
                                              strcmp(analysis->evaluator_text, "rollout") == 0,
                                          .draws = true};
    enum banyan_status status = explain_json(&source, n, out, err);
    if (status != BANYAN_OK)
        return status;
    status = explained_add(analysis, *out, err);
    if (status != BANYAN_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

enum banyan_status explained_json(const struct analysis_question *question, int64_t n, json_t **out,
                                  struct banyan_error *err)
{
    struct analysis analysis = {.game = NULL};
    struct analysis_question alone = *question;
    char *options = explained_options(question->options ? question->options : "");
    if (!options)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the options of a search");
    alone.options = options;
    enum banyan_status status = analysis_open(&analysis, &alone, err);
    if (status == BANYAN_OK)
        status = explained_run(&analysis, n, out, err);
    analysis_close(&analysis);
    free(options);
    return status;
}
