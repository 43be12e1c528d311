/* Passes the decisions of a battle to a chooser, and checks the answers. */
#include "showdown/decide.h"

#include "showdown/choosers.h"

#include <banyan/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct decide_chooser *const decide_choosers[] = {
    &chooser_mcts, &chooser_heuristic, &chooser_random, &chooser_power, &chooser_default, NULL};

const struct decide_chooser *decide_chooser(int index)
{
    int count = (int)(sizeof decide_choosers / sizeof *decide_choosers) - 1;
    return index >= 0 && index < count ? decide_choosers[index] : NULL;
}

static enum banyan_status decide_unknown(const char *name, struct banyan_error *err)
{
    const char *names[32];
    int count = 0;
    for (const struct decide_chooser *c; count < 31 && (c = decide_chooser(count)) != NULL;)
        names[count++] = c->name;
    names[count] = NULL;
    const char *near = banyan_options_nearest(name, names);
    return banyan_fail(err, BANYAN_NOT_FOUND, "no player for Showdown is called '%s'%s%s%s", name,
                       near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

enum banyan_status decide_open(struct decide *decide, const char *text, struct banyan_error *err)
{
    char name[64];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    memset(decide, 0, sizeof *decide);
    for (int i = 0; decide_chooser(i); ++i)
        if (strcmp(decide_chooser(i)->name, name) == 0)
            decide->chooser = decide_chooser(i);
    if (!decide->chooser)
        return decide_unknown(name, err);
    return decide->chooser->open(text + length + (text[length] == ':'), &decide->self, err);
}

void decide_close(struct decide *decide)
{
    if (decide->chooser)
        decide->chooser->close(decide->self);
    memset(decide, 0, sizeof *decide);
}

int decide_help(char *out, size_t size)
{
    int length = 0;
    for (int i = 0; decide_chooser(i); ++i) {
        bool fits = (size_t)length < size;
        length += snprintf(fits ? out + length : NULL, fits ? size - (size_t)length : 0,
                           "  %-16s %s\n", decide_chooser(i)->name, decide_chooser(i)->help);
    }
    return length;
}

enum banyan_status decide_choose(const struct decide *decide, void *memory,
                                 const struct decide_question *question,
                                 struct decide_answer *answer, struct banyan_error *err)
{
    memset(answer, 0, sizeof *answer);
    enum banyan_status status =
        decide->chooser->choose(decide->self, memory, question, answer, err);
    if (status != BANYAN_OK)
        return status;
    const struct request *request = question->request;
    for (int i = 0; i < request->choice_count; ++i)
        if (request->choices[i].kind == answer->choice.kind &&
            request->choices[i].slot == answer->choice.slot)
            return BANYAN_OK;
    return banyan_fail(err, BANYAN_ILLEGAL, "'%s' chose an action that is not legal",
                       decide->chooser->name);
}
