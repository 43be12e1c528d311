/* What a human may choose now: a numbered list, from which they choose by number or by name.
 *
 *     legal actions --> texts and notes --> one list, or (too long for a screen) groups first
 *
 * Two choices are of one group if their names differ in the last word only: "place_player H1 3,1" and
 * "place_player H1 3,2".
 */
#ifndef CLI_PLAY_CHOICES_H
#define CLI_PLAY_CHOICES_H

#include "cli/play_line.h"

#include <banyan/game.h>

#include <stdbool.h>
#include <stdio.h>

struct play_choice {
    banyan_action action;
    char *text; /* as the game writes it; owned */
    char *name; /* as people read it; owned */
    char *note; /* what is good to know before choosing it; "" for nothing; within name */
    int group;  /* index of the first choice of its group */
};

struct play_choices {
    struct play_choice *all; /* [count], owned */
    int count;
    int *shown; /* [shown_count]: the present list, as indices into all; owned */
    int shown_count;
    int open;         /* the group that is listed; -1: none */
    bool grouped;     /* groups are listed first */
    bool own_numbers; /* a text of the game is a number, so the list shows no numbers of its own */
};

enum banyan_status play_choices_create(struct play_choices *choices, const struct banyan_game *game,
                                       const void *state, int player, struct banyan_error *err);
void play_choices_free(struct play_choices *choices);

/* Lists the members of a group; -1: the whole list. */
void play_choices_open(struct play_choices *choices, int group);

void play_choices_print(const struct play_choices *choices, const struct play_style *style);

/* What a line of the human means: the index of a choice, or one of these. */
enum {
    PLAY_CHOICE_NONE = -1,  /* nothing in the list */
    PLAY_CHOICE_MANY = -2,  /* several choices: they have been printed */
    PLAY_CHOICE_GROUP = -3, /* a group was opened or closed, so the list has changed */
    PLAY_CHOICE_RANGE = -4  /* a number that is not in the list */
};

/* Looks line up as a text of the game. */
int play_choices_text(const struct play_choices *choices, const char *line);

/* Looks line up as a number of the list. */
int play_choices_number(struct play_choices *choices, const char *line);

/* Looks line up as the name of a choice, as words of a name, or as the words that a group
 * shares. */
int play_choices_name(struct play_choices *choices, const char *line);

#endif
