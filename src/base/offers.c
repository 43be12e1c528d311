/* Looks up evaluators and players by name in lists of offers. */
#include "base/offers.h"

#include "base/struct_size.h"
#include "base/text.h"

#include <banyan/options.h>

#include <stdbool.h>
#include <string.h>

enum { OFFERS_LISTS = 3, OFFERS_NAME_MAX = 48, OFFERS_NAMES_MAX = 64 /* names in a message */ };

/* Splits "NAME:ARGS": writes NAME, cut if it is too long, and returns ARGS, "" if there is no colon. */
static const char *offers_split(const char *text, char name[OFFERS_NAME_MAX])
{
    size_t whole = strcspn(text, ":"), length = whole;
    if (length >= OFFERS_NAME_MAX)
        length = OFFERS_NAME_MAX - 1;
    memcpy(name, text, length);
    name[length] = 0;
    return text[whole] ? text + whole + 1 : "";
}

static bool offers_has(const struct banyan_offer *offer, enum offers_kind kind)
{
    return kind == OFFERS_PLAYER ? offer->player != NULL : offer->evaluator != NULL;
}

static bool offers_is_listed(const char *name, const char *const names[], int count)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Every name once, the library's first, NULL at the end. */
static void offers_names(const struct offers *offers, const char *names[OFFERS_NAMES_MAX + 1])
{
    const struct banyan_offer *const lists[] = {offers->library, offers->game->offers,
                                                offers->callers};
    int count = 0;
    for (int i = 0; i < OFFERS_LISTS; ++i)
        for (const struct banyan_offer *o = lists[i]; o && o->name; ++o)
            if (offers_has(o, offers->kind) && count < OFFERS_NAMES_MAX &&
                !offers_is_listed(o->name, names, count))
                names[count++] = o->name;
    names[count] = NULL;
}

static enum banyan_status offers_unknown(const struct offers *offers, const char *name,
                                         struct banyan_error *err)
{
    const char *names[OFFERS_NAMES_MAX + 1];
    char listed[320];
    struct text text = text_start(listed, sizeof listed);
    offers_names(offers, names);
    for (int i = 0; names[i]; ++i)
        text_add(&text, "%s%s", i ? ", " : "", names[i]);
    const char *near = banyan_options_nearest(name, names);
    return banyan_fail(err, BANYAN_NOT_FOUND, "no %s '%.40s'%s%s%s %s there are: %s",
                       offers->kind == OFFERS_PLAYER ? "player" : "evaluator", name,
                       near ? ": did you mean '" : "", near ? near : "", near ? "'? In" : "; in",
                       offers->game->name, listed);
}

enum banyan_status offers_find(const struct offers *offers, const char *text,
                               const struct banyan_offer **out, const char **args,
                               struct banyan_error *err)
{
    const struct banyan_game *game = offers->game;
    char name[OFFERS_NAME_MAX];
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status != BANYAN_OK)
        return status;
    const struct banyan_offer *const lists[] = {offers->callers, game->offers, offers->library};
    *args = offers_split(text, name);
    for (int i = 0; i < OFFERS_LISTS; ++i)
        for (const struct banyan_offer *o = lists[i]; o && o->name; ++o)
            if (offers_has(o, offers->kind) && strcmp(o->name, name) == 0) {
                *out = o;
                return BANYAN_OK;
            }
    return offers_unknown(offers, name, err);
}
