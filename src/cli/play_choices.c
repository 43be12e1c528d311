/* Lists the choices of a human, and finds the choice that a line of input means. */
#include "cli/play_choices.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHOICES_SCREEN = 30 /* a longer list shows groups first */ };

/* --- the list --- */

/* Writes the game's text of the choice, and the name and the note that people read. */
static bool choices_describe(struct play_choice *choice, const struct banyan_game *game,
                             const void *state, int player)
{
    char text[BANYAN_TEXT_MAX];
    game->action_format(game, state, player, choice->action, text, sizeof text);
    choice->text = strdup(text);
    if (game->describe)
        game->describe(game, state, player, choice->action, text, sizeof text);
    choice->name = strdup(text);
    if (!choice->text || !choice->name)
        return false;
    char *tab = strchr(choice->name, '\t');
    choice->note = tab ? tab + 1 : choice->name + strlen(choice->name);
    if (tab)
        *tab = 0;
    return true;
}

/* Length of the name without its last word. */
static size_t choices_stem(const struct play_choice *choice)
{
    const char *blank = strrchr(choice->name, ' ');
    return blank ? (size_t)(blank - choice->name) : strlen(choice->name);
}

static bool choices_same_group(const struct play_choice *a, const struct play_choice *b)
{
    size_t stem = choices_stem(a);
    return stem == choices_stem(b) && strncmp(a->name, b->name, stem) == 0 &&
           a->name[stem] == ' ' && b->name[stem] == ' ';
}

static int choices_group_size(const struct play_choices *choices, int group)
{
    int size = 0;
    for (int i = 0; i < choices->count; ++i)
        size += choices->all[i].group == group;
    return size;
}

/* Finds the groups; returns their number. */
static int choices_group(struct play_choices *choices)
{
    int groups = 0;
    for (int i = 0; i < choices->count; ++i) {
        int first = 0;
        while (first < i && !choices_same_group(&choices->all[first], &choices->all[i]))
            ++first;
        choices->all[i].group = first;
        groups += first == i;
    }
    return groups;
}

static bool choices_is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == 0;
}

void play_choices_open(struct play_choices *choices, int group)
{
    choices->open = group;
    choices->shown_count = 0;
    for (int i = 0; i < choices->count; ++i) {
        int own = choices->all[i].group;
        if (group >= 0 ? own == group : !choices->grouped || own == i)
            choices->shown[choices->shown_count++] = i;
    }
}

enum banyan_status play_choices_create(struct play_choices *choices, const struct banyan_game *game,
                                       const void *state, int player, struct banyan_error *err)
{
    banyan_action *actions = malloc((size_t)game->max_legal * sizeof *actions);
    *choices = (struct play_choices){.open = -1};
    bool fits = actions != NULL;
    if (fits) {
        int count = game->legal(game, state, player, actions);
        choices->all = calloc((size_t)count, sizeof *choices->all);
        choices->shown = calloc((size_t)count, sizeof *choices->shown);
        fits = choices->all && choices->shown;
        choices->count = fits ? count : 0;
    }
    for (int i = 0; fits && i < choices->count; ++i) {
        choices->all[i].action = actions[i];
        fits = choices_describe(&choices->all[i], game, state, player);
        choices->own_numbers |= fits && choices_is_number(choices->all[i].text);
    }
    free(actions);
    if (!fits) {
        play_choices_free(choices);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a list of choices");
    }
    int groups = choices_group(choices);
    choices->grouped = choices->count > CHOICES_SCREEN && 2 * groups <= choices->count;
    play_choices_open(choices, -1);
    return BANYAN_OK;
}

void play_choices_free(struct play_choices *choices)
{
    for (int i = 0; i < choices->count; ++i) {
        free(choices->all[i].text);
        free(choices->all[i].name);
    }
    free(choices->all);
    free(choices->shown);
    *choices = (struct play_choices){.open = -1};
}

/* --- printing --- */

/* How many choices the shown entry stands for. */
static int choices_entry_size(const struct play_choices *choices, int choice)
{
    return choices->grouped && choices->open < 0 ? choices_group_size(choices, choice) : 1;
}

/* Writes an entry: the name of a choice; for a group, what its members share; in an open group, the last word. */
static int choices_entry(const struct play_choices *choices, int choice, char *out, size_t size)
{
    const struct play_choice *at = &choices->all[choice];
    int members = choices_entry_size(choices, choice);
    if (members == 1)
        return snprintf(out, size, "%s",
                        at->name + (choices->open >= 0 ? choices_stem(at) + 1 : 0));
    return snprintf(out, size, "%.*s ... (%d)", (int)choices_stem(at), at->name, members);
}

static void choices_print_number(const struct play_choices *choices, int number,
                                 const struct play_style *style)
{
    if (!choices->own_numbers)
        printf("%s%3d%s ", style->number, number, style->off);
}

static const char *choices_note(const struct play_choices *choices, int choice)
{
    return choices_entry_size(choices, choice) == 1 ? choices->all[choice].note : "";
}

/* How wide the shown entries are. */
struct choices_widths {
    int name, note;
    int columns; /* of entries */
};

/* Entries with notes stand in several columns only if there are too many for one line each. */
static struct choices_widths choices_measure(const struct play_choices *choices,
                                             const struct play_style *style)
{
    char name[BANYAN_TEXT_MAX];
    struct choices_widths widths = {.columns = 1};
    for (int i = 0; i < choices->shown_count; ++i) {
        int length = choices_entry(choices, choices->shown[i], name, sizeof name);
        int note = (int)strlen(choices_note(choices, choices->shown[i]));
        widths.name = length > widths.name ? length : widths.name;
        widths.note = note > widths.note ? note : widths.note;
    }
    int room = widths.name + (choices->own_numbers ? 2 : 6) + (widths.note ? widths.note + 2 : 0);
    bool lines = widths.note && choices->shown_count <= CHOICES_SCREEN;
    if (!lines && style->width / room > 1)
        widths.columns = style->width / room;
    return widths;
}

static void choices_print_entry(const struct play_choices *choices, int index,
                                const struct choices_widths *widths, const struct play_style *style)
{
    char name[BANYAN_TEXT_MAX];
    int choice = choices->shown[index];
    const char *note = choices_note(choices, choice);
    bool last = index + 1 == choices->shown_count || (index + 1) % widths->columns == 0;
    choices_entry(choices, choice, name, sizeof name);
    choices_print_number(choices, index + 1, style);
    printf("%-*s", last && !*note ? 0 : widths->name, name);
    if (*note || (widths->note && !last))
        printf("  %s%-*s%s", style->note, last ? 0 : widths->note, note, style->off);
    fputs(last ? "\n" : "  ", stdout);
}

void play_choices_print(const struct play_choices *choices, const struct play_style *style)
{
    struct choices_widths widths = choices_measure(choices, style);
    for (int i = 0; i < choices->shown_count; ++i)
        choices_print_entry(choices, i, &widths, style);
    if (choices->open >= 0)
        printf("%s  0%s back\n", style->number, style->off);
}

/* --- finding --- */

int play_choices_text(const struct play_choices *choices, const char *line)
{
    for (int i = 0; i < choices->count; ++i)
        if (strcmp(choices->all[i].text, line) == 0)
            return i;
    return PLAY_CHOICE_NONE;
}

int play_choices_number(struct play_choices *choices, const char *line)
{
    if (choices->own_numbers || !choices_is_number(line))
        return PLAY_CHOICE_NONE;
    long number = strtol(line, NULL, 10);
    if (number == 0 && choices->open >= 0) {
        play_choices_open(choices, -1);
        return PLAY_CHOICE_GROUP;
    }
    if (number < 1 || number > choices->shown_count)
        return PLAY_CHOICE_RANGE;
    int choice = choices->shown[number - 1];
    if (choices_entry_size(choices, choice) == 1)
        return choice;
    play_choices_open(choices, choice);
    return PLAY_CHOICE_GROUP;
}

/* How well line matches name: 0 not at all, 1 words within the name begin with line, 2 the last
 * words of the name begin with line, 3 the last words are line, 4 the whole name is line. */
static int choices_match(const char *name, const char *line)
{
    size_t length = strlen(line), whole = strlen(name);
    int match = 0;
    for (size_t at = 0; at + length <= whole; ++at) {
        if ((at > 0 && name[at - 1] != ' ') || strncasecmp(name + at, line, length) != 0)
            continue;
        bool last = !strchr(name + at + length, ' ');
        int now = at + length < whole ? 1 + last : at > 0 ? 3 : 4;
        match = now > match ? now : match;
    }
    return match;
}

/* The better of the matches with the choice's name and with its text; members of the open group
 * rank above all others. */
static int choices_best_match(const struct play_choices *choices, int index, const char *line)
{
    const struct play_choice *choice = &choices->all[index];
    int name = choices_match(choice->name, line), text = choices_match(choice->text, line);
    int match = name > text ? name : text;
    return match && choices->open >= 0 && choice->group == choices->open ? match + 4 : match;
}

/* The group whose members share exactly the words in line; PLAY_CHOICE_NONE: there is none. */
static int choices_find_group(const struct play_choices *choices, const char *line)
{
    for (int i = 0; choices->grouped && i < choices->count; ++i) {
        const struct play_choice *choice = &choices->all[i];
        if (choice->group == i && choices_group_size(choices, i) > 1 &&
            strlen(line) == choices_stem(choice) &&
            strncasecmp(choice->name, line, strlen(line)) == 0)
            return i;
    }
    return PLAY_CHOICE_NONE;
}

int play_choices_name(struct play_choices *choices, const char *line)
{
    int group = choices_find_group(choices, line);
    if (group != PLAY_CHOICE_NONE) {
        play_choices_open(choices, group);
        return PLAY_CHOICE_GROUP;
    }
    int best = 0, found = PLAY_CHOICE_NONE, ties = 0;
    for (int i = 0; i < choices->count; ++i) {
        int match = choices_best_match(choices, i, line);
        if (match > best)
            best = match, found = i, ties = 0;
        ties += match > 0 && match == best;
    }
    if (ties <= 1)
        return found;
    printf("'%s' may mean", line);
    for (int i = 0, told = 0; i < choices->count && told < 4; ++i)
        if (choices_best_match(choices, i, line) == best)
            printf("%s '%s'", told++ ? "," : "", choices->all[i].name);
    printf(ties > 4 ? " and others: say more of the name\n" : ": say more of the name\n");
    return PLAY_CHOICE_MANY;
}
