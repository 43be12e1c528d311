/* Makes the openings of games: from a list, or by random actions. */
#include "match/opening.h"
#include "base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPENING_TRIES = 200, OPENING_TOKEN_MAX = 512 };

/* --- the file --- */

/* Splits text into lines, without comments and outer blanks; empty lines are left out. */
static bool opening_cut(struct opening_list *list)
{
    int room = 0;
    char *next = list->text;
    for (int number = 1; next && *next; ++number) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line[strcspn(line, "#")] = 0;
        line += strspn(line, " \t\r");
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1]))
            line[--length] = 0;
        if (!*line)
            continue;
        if (list->count == room) {
            room = room ? 2 * room : 256;
            char **lines = realloc(list->lines, (size_t)room * sizeof *lines);
            if (lines)
                list->lines = lines;
            int *numbers = realloc(list->numbers, (size_t)room * sizeof *numbers);
            if (numbers)
                list->numbers = numbers;
            if (!lines || !numbers)
                return false;
        }
        list->lines[list->count] = line;
        list->numbers[list->count++] = number;
    }
    return true;
}

/* Makes the list from list->text, which it cuts into lines. */
static enum banyan_status opening_list_make(struct opening_list *list, const char *name,
                                            struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    if (!list->text || !opening_cut(list))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for openings '%s'", name);
    else if (list->count == 0)
        status = banyan_fail(err, BANYAN_INVALID, "openings '%s' has no line with actions", name);
    if (status != BANYAN_OK)
        opening_list_free(list);
    return status;
}

enum banyan_status opening_list_read(struct opening_list *list, const char *path,
                                     struct banyan_error *err)
{
    memset(list, 0, sizeof *list);
    size_t length;
    enum banyan_status status = input_read(path, "openings ", &list->text, &length, err);
    if (status != BANYAN_OK)
        return status;
    if (!memchr(list->text, 0, length))
        return opening_list_make(list, path, err);
    opening_list_free(list);
    return banyan_fail(err, BANYAN_INVALID, "openings '%s': not a text file", path);
}

enum banyan_status opening_list_parse(struct opening_list *list, const char *name, const char *text,
                                      struct banyan_error *err)
{
    *list = (struct opening_list){.text = strdup(text)};
    return opening_list_make(list, name, err);
}

void opening_list_free(struct opening_list *list)
{
    free(list->text);
    free(list->lines);
    free(list->numbers);
    memset(list, 0, sizeof *list);
}

/* --- one opening --- */

enum banyan_status opening_create(struct opening *opening, const struct banyan_game *game,
                                  struct banyan_error *err)
{
    opening->plies = 0;
    opening->room = game->max_plies;
    opening->joints =
        malloc((size_t)(opening->room + 1) * BANYAN_MAX_PLAYERS * sizeof *opening->joints);
    return opening->joints ? BANYAN_OK
                           : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for openings");
}

void opening_destroy(struct opening *opening)
{
    free(opening->joints);
    opening->joints = NULL;
}

enum banyan_status opening_split(const char *line, char **setup, const char **actions,
                                 struct banyan_error *err)
{
    *setup = NULL;
    *actions = line;
    if (*line != '[')
        return BANYAN_OK;
    const char *end = strrchr(line, ']');
    if (!end)
        return banyan_fail(err, BANYAN_INVALID, "there is no ']' after '%.40s'", line);
    *actions = end + 1;
    *setup = strndup(line + 1, (size_t)(end - line - 1));
    return *setup ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for openings");
}

static banyan_action *opening_joint(struct opening *opening)
{
    return opening->joints + (size_t)opening->plies * BANYAN_MAX_PLAYERS;
}

/* Copies a word of the line to token; *cursor moves past it.  Words end at semicolons, or else at blanks and
 * commas; blank ones are skipped.  The rest of a word that is too long comes as the next one.  False: no word is
 * left. */
static bool opening_word(const char **cursor, bool by_semicolon, char token[OPENING_TOKEN_MAX])
{
    *cursor += strspn(*cursor, by_semicolon ? "; \t" : " \t,");
    size_t length = strcspn(*cursor, by_semicolon ? ";" : " \t,");
    if (length >= OPENING_TOKEN_MAX)
        length = OPENING_TOKEN_MAX - 1;
    memcpy(token, *cursor, length);
    token[length] = 0;
    *cursor += length;
    while (length && strchr(" \t", token[length - 1]))
        token[--length] = 0;
    return length > 0;
}

/* Reads the action of every mover: "a", or "a|b" where two choose at the same time. */
static enum banyan_status opening_read_joint(const struct banyan_game *game, const void *state,
                                             char *token, banyan_action *joint,
                                             struct banyan_error *err)
{
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p) {
        joint[p] = 0;
        if (!(movers >> p & 1))
            continue;
        char *bar = movers >> p > 1 ? strchr(token, '|') : NULL;
        if (bar)
            *bar = 0;
        enum banyan_status status = game->action_parse(game, state, p, token, &joint[p], err);
        if (status != BANYAN_OK)
            return status;
        token = bar ? bar + 1 : token + strlen(token);
    }
    return BANYAN_OK;
}

/* Plays one word.  If the whole word is no action, it is read two characters at a time: "f5d6". */
static enum banyan_status opening_play_word(struct opening *opening, const struct banyan_game *game,
                                            void *state, const char *word, struct banyan_dice *dice,
                                            struct banyan_error *err)
{
    struct banyan_error problem;
    for (const char *rest = word; *rest;) {
        char token[OPENING_TOKEN_MAX], pair[3] = {rest[0], rest[1], 0};
        snprintf(token, sizeof token, "%s", rest);
        if (opening->plies >= opening->room || !game->movers(game, state))
            return banyan_fail(err, BANYAN_INVALID, "the game is over before '%.40s'", rest);
        banyan_action *joint = opening_joint(opening);
        size_t length = strlen(rest);
        if (opening_read_joint(game, state, token, joint, &problem) == BANYAN_OK)
            rest += length;
        else if (length > 2 && opening_read_joint(game, state, pair, joint, NULL) == BANYAN_OK)
            rest += 2;
        else
            return banyan_fail(err, BANYAN_INVALID, "%s", problem.message);
        game->apply(game, state, joint, dice);
        ++opening->plies;
    }
    return BANYAN_OK;
}

enum banyan_status opening_parse(struct opening *opening, const struct banyan_game *game,
                                 const void *state, const char *line, uint64_t dice_seed,
                                 struct banyan_error *err)
{
    bool by_semicolon = strchr(line, ';') != NULL;
    char word[OPENING_TOKEN_MAX];
    struct banyan_rng rng;
    struct banyan_dice dice;
    void *copy = malloc(game->state_size);
    if (!copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for openings");
    memcpy(copy, state, game->state_size);
    banyan_rng_seed(&rng, dice_seed);
    banyan_dice_drawn(&dice, &rng);
    opening->plies = 0;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && opening_word(&line, by_semicolon, word))
        status = opening_play_word(opening, game, copy, word, &dice, err);
    if (status == BANYAN_OK && !game->movers(game, copy))
        status = banyan_fail(err, BANYAN_INVALID, "the game is over after its opening");
    free(copy);
    return status;
}

/* What an attempt at a random opening uses. */
struct opening_draws {
    struct banyan_rng rng; /* random numbers for actions */
    struct banyan_dice dice;
    banyan_action *actions; /* [max_legal] */
};

/* Plays random actions for `plies` plies; false: they ended the game. */
static bool opening_try(struct opening *opening, const struct banyan_game *game, void *state,
                        int plies, struct opening_draws *draws)
{
    banyan_action *actions = draws->actions;
    for (opening->plies = 0; opening->plies < plies; ++opening->plies) {
        unsigned movers = game->movers(game, state);
        if (!movers || opening->plies >= opening->room)
            return false;
        banyan_action *joint = opening_joint(opening);
        memset(joint, 0, BANYAN_MAX_PLAYERS * sizeof *joint);
        for (int p = 0; p < game->players; ++p)
            if (movers >> p & 1) {
                int count = game->legal(game, state, p, actions);
                joint[p] = actions[banyan_rng_below(&draws->rng, (uint32_t)count)];
            }
        game->apply(game, state, joint, &draws->dice);
    }
    return game->movers(game, state) != 0;
}

enum banyan_status opening_random(struct opening *opening, const struct banyan_game *game,
                                  const void *state, const struct opening_wish *wish,
                                  struct banyan_error *err)
{
    struct banyan_rng dice_rng;
    struct opening_draws draws;
    bool found = wish->plies == 0;
    opening->plies = 0;
    if (found)
        return BANYAN_OK;
    void *copy = malloc(game->state_size);
    draws.actions = malloc((size_t)game->max_legal * sizeof *draws.actions);
    banyan_rng_seed(&draws.rng, wish->seed);
    for (int i = 0; copy && draws.actions && i < OPENING_TRIES && !found; ++i) {
        memcpy(copy, state, game->state_size);
        banyan_rng_seed(&dice_rng, wish->dice_seed);
        banyan_dice_drawn(&draws.dice, &dice_rng);
        found = opening_try(opening, game, copy, wish->plies, &draws);
    }
    free(copy);
    free(draws.actions);
    return found ? BANYAN_OK
                 : banyan_fail(err, BANYAN_INVALID,
                               "%d random plies at the start end every game of '%s'", wish->plies,
                               game->name);
}
