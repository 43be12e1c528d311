/* Repeats a decision that `banyan showdown --save` wrote to a file. */
#include "cli/showdown_replay.h"

#include "base/input.h"
#include "cli/result.h"
#include "cli/show.h"

#include "showdown/searching.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLAY_LINE_MAX = 1 << 20 };

struct replay {
    const struct showdown_question *question;
    int number; /* number of the line, from 1 */
    const json_t *line, *detail;
    struct pokemon root;
    struct belief belief;
    uint64_t seed;
    int64_t simulations;
};

static const char *replay_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static enum banyan_status replay_read(struct replay *replay, const struct banyan_game *game,
                                      struct banyan_error *err)
{
    const json_t *detail = replay->detail;
    char *end;
    struct banyan_error inner;
    enum banyan_status status =
        game->init(game, &replay->root, replay_text(detail, "state"), NULL, &inner);
    if (status == BANYAN_OK)
        status = belief_parse(&replay->belief, replay_text(detail, "belief"), &inner);
    if (status != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s:%d: %.160s", replay->question->path,
                           replay->number, inner.message);
    const struct showdown_question *question = replay->question;
    replay->seed = strtoull(replay_text(detail, "seed"), &end, 16);
    replay->simulations = json_integer_value(json_object_get(detail, "simulations"));
    if (*end || replay->simulations < 1)
        return banyan_fail(err, BANYAN_CORRUPT, "%s:%d: no seed or no number of simulations",
                           question->path, replay->number);
    if (question->has_seed)
        replay->seed = question->seed;
    if (question->simulations > 0)
        replay->simulations = question->simulations;
    return BANYAN_OK;
}

/* Whether the actions, their visits and the chosen action are those recorded. */
static bool replay_same(const struct replay *replay, const struct searching *searching)
{
    const json_t *table = json_object_get(replay->detail, "table");
    char text[96];
    if ((int)json_array_size(table) != searching->row_count)
        return false;
    for (int i = 0; i < searching->row_count; ++i) {
        const json_t *row = json_array_get(table, (size_t)i);
        searching->game->action_format(searching->game, &replay->root, replay->belief.viewer,
                                       searching->rows[i].action, text, sizeof text);
        if (strcmp(text, replay_text(row, "action")) != 0 ||
            json_integer_value(json_object_get(row, "visits")) !=
                (json_int_t)searching->rows[i].visits)
            return false;
    }
    searching->game->action_format(searching->game, &replay->root, replay->belief.viewer,
                                   searching->chosen, text, sizeof text);
    return strcmp(text, replay_text(replay->detail, "action")) == 0;
}

/* Whether the seed or the number of simulations replaces the recorded one. */
static bool replay_differs(const struct replay *replay)
{
    return replay->question->has_seed || replay->question->simulations > 0;
}

static void replay_print(const struct replay *replay, const struct searching *searching, bool same)
{
    char chosen[96];
    searching->game->action_format(searching->game, &replay->root, replay->belief.viewer,
                                   searching->chosen, chosen, sizeof chosen);
    if (replay->question->json) {
        json_t *line =
            json_pack("{s:s, s:I, s:s, s:s, s:o, s:I}", "room", replay_text(replay->line, "room"),
                      "turn", json_integer_value(json_object_get(replay->line, "turn")), "recorded",
                      replay_text(replay->detail, "action"), "action", chosen, "same",
                      replay_differs(replay) ? json_null() : json_boolean(same), "simulations",
                      (json_int_t)searching->stats.simulations);
        json_dumpf(line, stdout, JSON_COMPACT);
        printf("\n");
        json_decref(line);
        return;
    }
    printf("%s, turn %d: %lld simulations\n", replay_text(replay->line, "room"),
           (int)json_integer_value(json_object_get(replay->line, "turn")),
           (long long)searching->stats.simulations);
    show_board(searching->game, &replay->root, replay->belief.viewer, stdout);
    const struct result_row_list list = {.rows = (struct banyan_search_move *)searching->rows,
                                         .count = searching->row_count};
    result_print_rows(searching->game, &replay->root, replay->belief.viewer, &list, stdout);
    printf("chosen: %s; recorded: %s; %s\n\n", chosen, replay_text(replay->detail, "action"),
           replay_differs(replay) ? "not compared: another seed or number of simulations"
           : same                 ? "the same table"
                                  : "NOT the same table");
}

static enum banyan_status replay_decision(struct replay *replay, bool *same,
                                          struct banyan_error *err)
{
    struct searching searching;
    enum banyan_status status =
        searching_open(&searching, replay_text(replay->detail, "settings"), err);
    if (status != BANYAN_OK)
        return status;
    status = replay_read(replay, searching.game, err);
    if (status == BANYAN_OK)
        status = searching_run(&searching,
                               &(struct searching_task){.root = &replay->root,
                                                        .belief = &replay->belief,
                                                        .seed = replay->seed,
                                                        .simulations = replay->simulations},
                               err);
    if (status == BANYAN_OK) {
        bool equal = replay_same(replay, &searching);
        replay_print(replay, &searching, equal);
        *same &= equal || replay_differs(replay);
    }
    searching_close(&searching);
    return status;
}

enum banyan_status showdown_replay(const struct showdown_question *question, bool *same,
                                   struct banyan_error *err)
{
    const char *path = question->path;
    int line = question->line;
    enum banyan_status status = BANYAN_OK;
    int number = 0, done = 0;
    *same = true;
    FILE *file = fopen(path, "r");
    if (!file)
        return input_failed(err, path, errno);
    char *text = malloc(REPLAY_LINE_MAX);
    if (!text)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a line of '%s'", path);
    while (status == BANYAN_OK && fgets(text, REPLAY_LINE_MAX, file)) {
        json_error_t where;
        if (line && ++number != line)
            continue;
        number += !line;
        json_t *root = json_loads(text, 0, &where);
        const json_t *detail = json_object_get(root, "detail");
        if (!root) {
            status = banyan_fail(err, BANYAN_CORRUPT, "%s:%d: %s", path, number, where.text);
        } else if (json_object_get(detail, "state")) {
            struct replay replay = {
                .question = question, .number = number, .line = root, .detail = detail};
            status = replay_decision(&replay, same, err);
            ++done;
        } else if (line) {
            status = banyan_fail(err, BANYAN_NOT_FOUND, "%s:%d: this decision was not searched",
                                 path, number);
        }
        json_decref(root);
    }
    if (status == BANYAN_OK && !done)
        status = banyan_fail(err, BANYAN_CORRUPT, "%s: no decision that was searched%s", path,
                             line ? " in that line" : "");
    fclose(file);
    free(text);
    return status;
}
