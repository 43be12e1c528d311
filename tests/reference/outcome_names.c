/* Takes names of outcomes ("die 4", "player 2 a") out of a written tree.  They tell one way in which an outcome came
 * about, found by chance; the plain tree has no such words.  tests/test_search_tree.c knows what they say. */
#include "reference/pair.h"

/* The quote that ends a string. */
static char *end_of_string(char *at)
{
    while (*at && *at != '"')
        at += 1 + (*at == '\\' && at[1]);
    return at;
}

static void cut(char *from, const char *to)
{
    memmove(from, to, strlen(to) + 1);
}

/* Removes every value in quotes that begins with `key`, with the key. */
static void forget_values(char *text, const char *key)
{
    while ((text = strstr(text, key)) != NULL)
        cut(text, end_of_string(text + strlen(key)) + 1);
}

/* "(die 4: 16.7 %  n 3)" becomes "(outcome 16.7 %  n 3)": only numbers stand behind the name. */
static void forget_brackets(char *text)
{
    static const char common[] = "(outcome ";
    for (char *line = text; line; line = strchr(line, '\n')) {
        char *open = line + strspn(line, " \n"), *end = open + strcspn(open, "\n"), *name = NULL;
        line = open;
        if (*open != '(' || strncmp(open, common, sizeof common - 1) == 0)
            continue;
        for (char *at = open; at < end; ++at)
            name = strncmp(at, ": ", 2) == 0 ? at + 2 : name;
        if (!name)
            continue;
        memmove(open + sizeof common - 1, name, strlen(name) + 1); /* the text has room for it */
        memcpy(open, common, sizeof common - 1);
    }
}

/* The title of a round box, name or probability, becomes "?"; a probability behind the visits goes. */
static void forget_titles(char *text)
{
    while ((text = strstr(text, "shape=ellipse, label=\"")) != NULL) {
        text += strlen("shape=ellipse, label=\"");
        char *end = end_of_string(text), *detail = NULL, *share = NULL;
        for (char *at = text; at < end; ++at)
            detail = strncmp(at, " / n ", 5) == 0 ? at : detail;
        if (!detail)
            continue;
        for (char *at = detail + 5; at < end; ++at)
            share = *at == '%' ? at : share;
        if (share)
            cut(detail + 5 + strspn(detail + 5, "0123456789"), end);
        *text = '?';
        cut(text + 1, detail);
    }
}

void forget_outcome_names(char *text, enum banyan_search_tree_format format)
{
    if (format == BANYAN_TREE_JSON)
        forget_values(text, ", \"outcome\": \"");
    else if (format == BANYAN_TREE_XML)
        forget_values(text, " outcome=\"");
    else if (format == BANYAN_TREE_DOT)
        forget_titles(text);
    else
        forget_brackets(text);
}
