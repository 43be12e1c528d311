/* `banyan explain --json` has every number of the text: the text is written anew from it. */
#include "cli_program.h"

#include <banyan/game.h>

#include <jansson.h>

#include <math.h>

static const char *word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool known(const json_t *object, const char *key)
{
    return !json_is_null(json_object_get(object, key));
}

struct page {
    const struct banyan_game *game;
    const json_t *all;
    FILE *out;
};

static const char *who(const struct page *page, const json_t *event)
{
    return banyan_game_player_name(page->game, (int)number(event, "player"));
}

static void write_path(const struct page *page, const json_t *event)
{
    size_t i;
    const json_t *step;
    fprintf(page->out, "root");
    json_array_foreach(json_object_get(event, "path"), i, step)
    {
        fprintf(page->out, " %s", json_string_value(step));
    }
}

static void write_score(const struct page *page, const json_t *event, const json_t *row)
{
    fprintf(page->out, "      %-8s ", word(row, "action"));
    if (!known(row, "mean")) {
        fprintf(page->out, "not visited");
        if (known(row, "score"))
            fprintf(page->out, ", score %.4f", number(row, "score"));
    } else {
        fprintf(page->out, "%.4f + %.4f * sqrt(ln %.0f / %.0f) = %.4f", number(row, "mean"),
                number(page->all, "c"), number(event, "n"), number(row, "visits"),
                number(row, "mean") + number(row, "term"));
        if (fabs(number(row, "rest")) > 1e-6)
            fprintf(page->out, " %+.4f = %.4f", number(row, "rest"), number(row, "score"));
    }
    fprintf(page->out, "%s\n", json_object_get(row, "chosen") ? "   <- chosen" : "");
}

static void write_textbook(const struct page *page, const json_t *event)
{
    const json_t *book = json_object_get(event, "textbook");
    if (json_is_object(book))
        fprintf(page->out,
                "      with the textbook's C: %s, %.4f + %.4f * sqrt(ln %.0f / %.0f) = %.4f%s\n",
                word(book, "action"), number(book, "mean"), number(page->all, "textbook_c"),
                number(event, "n"), number(book, "visits"), number(book, "score"),
                json_is_true(json_object_get(book, "same")) ? ": the same choice"
                                                            : ": another choice");
}

static void write_choice(const struct page *page, const json_t *event, bool expands)
{
    size_t i;
    const json_t *row;
    fprintf(page->out, "  %-9s ", word(event, "event"));
    write_path(page, event);
    fprintf(page->out, " (n = %.0f), %s%s", number(event, "n"), who(page, event),
            expands ? ":" : "\n");
    json_array_foreach(json_object_get(event, "rows"), i, row)
    {
        if (expands)
            fprintf(page->out, " %s%s", word(row, "action"),
                    json_object_get(row, "chosen") ? " <- new"
                    : number(row, "visits") > 0    ? " (visited)"
                                                   : "");
        else
            write_score(page, event, row);
    }
    if (expands)
        fprintf(page->out, "\n");
    else
        write_textbook(page, event);
}

static void write_simulate(const struct page *page, const json_t *event)
{
    size_t p;
    const json_t *value;
    fprintf(page->out, "  simulate  ");
    write_path(page, event);
    fprintf(page->out, ": result");
    json_array_foreach(json_object_get(event, "values"), p, value)
    {
        fprintf(page->out, "%s %s %+g", p ? "," : "", banyan_game_player_name(page->game, (int)p),
                json_number_value(value));
    }
    fprintf(page->out, "\n");
}

static void write_event(const struct page *page, const json_t *event)
{
    const char *kind = word(event, "event");
    if (strcmp(kind, "simulate") == 0) {
        write_simulate(page, event);
    } else if (strcmp(kind, "backup") == 0) {
        fprintf(page->out, "  backup    ");
        write_path(page, event);
        fprintf(page->out, " %s: n = %.0f, mean = %.4f\n", word(event, "action"),
                number(event, "visits"), number(event, "mean"));
    } else {
        write_choice(page, event, strcmp(kind, "expand") == 0);
    }
}

static void write_after(const struct page *page, const json_t *simulation, const json_t *after)
{
    size_t i;
    const json_t *move;
    bool together = json_array_size(json_object_get(simulation, "after")) > 1;
    fprintf(page->out, "  after %.0f:  root n = %.0f, mean %g", number(simulation, "simulation"),
            number(after, "n"), number(after, "mean"));
    if (together)
        fprintf(page->out, ", %s", who(page, after));
    json_array_foreach(json_object_get(after, "moves"), i, move)
    {
        fprintf(page->out, " | %s: n = %.0f, mean %g", word(move, "action"), number(move, "visits"),
                number(move, "mean"));
    }
    if (number(after, "untried") > 0)
        fprintf(page->out, " | %.0f not tried yet", number(after, "untried"));
    fprintf(page->out, "\n");
}

static void write_simulation(const struct page *page, const json_t *simulation)
{
    size_t i;
    const json_t *each, *rollout = json_object_get(simulation, "rollout");
    fprintf(page->out, "iteration %.0f\n", number(simulation, "simulation"));
    if (number(simulation, "simulation") == 1 && json_is_array(rollout)) {
        fprintf(page->out, "  play on   at random:");
        json_array_foreach(rollout, i, each)
        {
            fprintf(page->out, " %s %s", who(page, each), word(each, "action"));
        }
        fprintf(page->out, "\n");
    }
    json_array_foreach(json_object_get(simulation, "events"), i, each)
    {
        write_event(page, each);
    }
    json_array_foreach(json_object_get(simulation, "after"), i, each)
    {
        write_after(page, simulation, each);
    }
}

static void check_text(const char *name, const char *arguments)
{
    char command[256], *written;
    size_t size, i;
    const json_t *simulation;
    struct page page;
    snprintf(command, sizeof command, "explain %s %s", name, arguments);
    char *text = run_well(NULL, command);
    snprintf(command, sizeof command, "explain %s %s --json", name, arguments);
    char *json = run_well(NULL, command);
    json_t *all = json_loads(json, 0, NULL);
    assert_non_null(all);
    assert_int_equal(banyan_game_find(name, &page.game, NULL), BANYAN_OK);
    page.all = all;
    page.out = open_memstream(&written, &size);
    assert_non_null(page.out);
    json_array_foreach(json_object_get(all, "simulations"), i, simulation)
    {
        write_simulation(&page, simulation);
    }
    fclose(page.out);
    char *begin = strstr(text, "iteration 1\n"), *end = strstr(text, "\nthe tree\n");
    assert_non_null(begin);
    assert_non_null(end);
    *end = 0;
    assert_string_equal(written, begin);
    free(written);
    json_decref(all);
    free(json);
    free(text);
}

static void test_every_number_of_the_text(void **state)
{
    (void)state;
    check_text("tictactoe", "-n 20 --seed=2");
    check_text("kuhn", "-n 20");
    check_text("pig", "-n 20");
    check_text("rps", "-n 20");
    check_text("tictactoe", "-n 40 --solver=on --exploration=0.2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_number_of_the_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
