/* Asks the human whose turn it is: choices by number and by name, and the words that `help` lists. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/play.h"
#include "cli/play_choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HUMAN_LINE = 512, HUMAN_PROMPT = 128 };

enum human_word {
    HUMAN_HELP,
    HUMAN_MOVES,
    HUMAN_BOARD,
    HUMAN_INFO,
    HUMAN_LOG,
    HUMAN_HINT,
    HUMAN_EVAL,
    HUMAN_UNDO,
    HUMAN_SAVE,
    HUMAN_QUIT,
    HUMAN_WORDS
};

static const struct {
    const char *const names[5]; /* the first is the one that `help` shows */
    const char *help;
} human_words[HUMAN_WORDS] = {
    [HUMAN_HELP] = {{"help", "?", "h"}, "this list"},
    [HUMAN_MOVES] = {{"moves", "m", "list", "legal"}, "the legal moves again, with their numbers"},
    [HUMAN_BOARD] = {{"board", "b", "show"}, "the position again"},
    [HUMAN_INFO] = {{"info", "i"}, "what you know beyond the position: values, skills, items"},
    [HUMAN_LOG] = {{"log", "l", "history"}, "what has happened so far"},
    [HUMAN_HINT] = {{"hint"},
                    "what the best player and a search would play here; `hint A, B` compares these "
                    "moves, `hint not A` all others"},
    [HUMAN_EVAL] = {{"eval"}, "the value of the position"},
    [HUMAN_UNDO] = {{"undo", "u", "back"}, "back to your last choice"},
    [HUMAN_SAVE] = {{"save"},
                    "`save FILE`: keep the game in a file, for `banyan play --from FILE`"},
    [HUMAN_QUIT] = {{"quit", "q", "exit"}, "end the game (also Ctrl-D)"}};

static void human_help(void)
{
    printf("Type the number of a move or its name, or a part of the name that no other has, or\n");
    for (int i = 0; i < HUMAN_WORDS; ++i) {
        char names[64];
        size_t used = 0;
        for (const char *const *name = human_words[i].names; *name; ++name)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     name == human_words[i].names ? "" : ", ", *name);
        printf("  %-22s %s\n", names, human_words[i].help);
    }
}

static enum human_word human_find_word(const char *line)
{
    for (int i = 0; i < HUMAN_WORDS; ++i)
        for (const char *const *name = human_words[i].names; *name; ++name)
            if (strcasecmp(*name, line) == 0)
                return (enum human_word)i;
    return HUMAN_WORDS;
}

static void human_info(const struct play *play)
{
    char text[BANYAN_TEXT_MAX] = "";
    if (play->game->sheet)
        play->game->sheet(play->game, play_now(play), play->viewer, text, sizeof text);
    printf("%s", *text ? text : "the position shows all that there is to know\n");
}

static enum play_answer human_word(struct play *play, const struct play_choices *choices,
                                   int player, enum human_word word)
{
    switch (word) {
    case HUMAN_HELP:
        human_help();
        return PLAY_AGAIN;
    case HUMAN_BOARD:
        play_show_board(play);
        return PLAY_AGAIN;
    case HUMAN_INFO:
        human_info(play);
        return PLAY_AGAIN;
    case HUMAN_LOG:
        printf("%s", play->log_length ? play->log : "nothing has happened yet\n");
        return PLAY_AGAIN;
    case HUMAN_HINT:
    case HUMAN_EVAL:
        play_ask(play, player, word == HUMAN_HINT, &(struct play_limit){.count = 0});
        return PLAY_AGAIN;
    case HUMAN_SAVE:
        play_save(play, "");
        return PLAY_AGAIN;
    case HUMAN_UNDO:
        return PLAY_UNDO;
    case HUMAN_QUIT:
        return PLAY_QUIT;
    default:
        play_choices_print(choices, &play->style);
        return PLAY_AGAIN;
    }
}

/* The index of action among the choices; PLAY_CHOICE_NONE: action_parse() also reads actions of recorded games that
 * legal() does not list. */
static int human_listed(const struct play_choices *choices, banyan_action action)
{
    for (int i = 0; i < choices->count; ++i)
        if (choices->all[i].action == action)
            return i;
    return PLAY_CHOICE_NONE;
}

/* The choice that action_parse() reads in line, since it knows more spellings; else
 * PLAY_CHOICE_NONE. */
static int human_parse(const struct play *play, const struct play_choices *choices, int player,
                       const char *line, struct banyan_error *err)
{
    const struct banyan_game *game = play->game;
    banyan_action action;
    if (game->action_parse(game, play_now(play), player, line, &action, err) != BANYAN_OK)
        return PLAY_CHOICE_NONE;
    return human_listed(choices, action);
}

/* The choice that line means, or one of PLAY_CHOICE_...; prints what is wrong, except for NONE. */
static int human_choice(const struct play *play, struct play_choices *choices, int player,
                        const char *line, struct banyan_error *err)
{
    int choice = play_choices_number(choices, line);
    if (choice == PLAY_CHOICE_NONE)
        choice = human_parse(play, choices, player, line, err);
    if (choice == PLAY_CHOICE_NONE)
        choice = play_choices_name(choices, line);
    if (choice == PLAY_CHOICE_GROUP)
        play_choices_print(choices, &play->style);
    else if (choice == PLAY_CHOICE_RANGE)
        printf("%s%s is not in the list: it goes from 1 to %d%s\n", play->style.error, line,
               choices->shown_count, play->style.off);
    return choice;
}

/* Adds the choice that `move` means to limit.  BANYAN_INVALID: it means none, or several. */
static enum banyan_status human_limit_add(const struct play *play, struct play_choices *choices,
                                          int player, char *move, struct play_limit *limit)
{
    struct banyan_error err = {.message = "this is not one of the choices"};
    size_t length = strlen(move += strspn(move, " "));
    while (length > 0 && move[length - 1] == ' ')
        move[--length] = 0;
    int choice = play_choices_text(choices, move);
    if (choice == PLAY_CHOICE_NONE)
        choice = human_choice(play, choices, player, move, &err);
    if (choice == PLAY_CHOICE_NONE)
        printf("%shint %s: %s%s\n", play->style.error, move, err.message, play->style.off);
    if (choice >= 0 && limit->count < PLAY_LIMITED)
        limit->actions[limit->count++] = choices->all[choice].action;
    return choice >= 0 ? BANYAN_OK : BANYAN_INVALID;
}

/* `hint A, B` or `hint not A, B`. */
static void human_hint(const struct play *play, struct play_choices *choices, int player,
                       const char *line)
{
    struct play_limit limit = {.count = 0};
    char room[HUMAN_LINE], *rest = room;
    line += strspn(line, " ");
    limit.avoids = strncmp(line, "not ", 4) == 0;
    snprintf(room, sizeof room, "%s", line + (limit.avoids ? 4 : 0));
    while (rest) {
        char *move = rest, *comma = strchr(rest, ',');
        if (comma)
            *comma = 0;
        rest = comma ? comma + 1 : NULL;
        if (human_limit_add(play, choices, player, move, &limit) != BANYAN_OK)
            return;
    }
    play_ask(play, player, true, &limit);
}

/* Looks line up among the game's own texts, then among the words of `help`, then as a number or name. */
static enum play_answer human_line(struct play *play, struct play_choices *choices, int player,
                                   const char *line, banyan_action *action)
{
    struct banyan_error err = {.message = "this is not one of the choices"};
    int choice = play_choices_text(choices, line);
    if (choice == PLAY_CHOICE_NONE) {
        if (strncmp(line, "save ", 5) == 0) {
            play_save(play, line + 5 + strspn(line + 5, " "));
            return PLAY_AGAIN;
        }
        if (strncmp(line, "hint ", 5) == 0) {
            human_hint(play, choices, player, line + 5);
            return PLAY_AGAIN;
        }
        enum human_word word = human_find_word(line);
        if (word != HUMAN_WORDS)
            return human_word(play, choices, player, word);
        choice = human_choice(play, choices, player, line, &err);
    }
    if (choice == PLAY_CHOICE_NONE)
        printf("%s%s%s (`moves` lists the legal ones, `help` the words)\n", play->style.error,
               err.message, play->style.off);
    if (choice < 0)
        return PLAY_AGAIN;
    *action = choices->all[choice].action;
    return PLAY_MOVE;
}

static void human_prompt(const struct play *play, const struct play_choices *choices, int player,
                         char *out, size_t size)
{
    const char *name = banyan_game_player_name(play->game, player);
    if (choices->own_numbers)
        snprintf(out, size, "%s> ", name);
    else if (choices->count == 1)
        snprintf(out, size, "%s (1, or Enter: %.40s)> ", name, choices->all[0].name);
    else
        snprintf(out, size, "%s (1-%d)> ", name, choices->shown_count);
}

static enum play_answer human_ask(struct play *play, struct play_choices *choices, int player,
                                  banyan_action *action)
{
    char room[HUMAN_LINE], prompt[HUMAN_PROMPT];
    enum play_answer answer = PLAY_AGAIN;
    while (answer == PLAY_AGAIN) {
        human_prompt(play, choices, player, prompt, sizeof prompt);
        const char *line = play_lines_read(play->lines, prompt, room, sizeof room);
        if (!line) {
            printf("%s%s\n", play_lines_typed(play->lines) ? "\n" : "",
                   interrupt_seen() ? "interrupted" : "end of input");
            return PLAY_QUIT;
        }
        if (!*line && choices->count == 1 && play_lines_typed(play->lines))
            line = choices->all[0].text;
        if (*line && *line != '#')
            answer = human_line(play, choices, player, line, action);
    }
    return answer;
}

enum play_answer play_human(struct play *play, int player, banyan_action *action)
{
    struct play_choices choices;
    struct banyan_error err;
    if (play_choices_create(&choices, play->game, play_now(play), player, &err) != BANYAN_OK) {
        printf("%s\n", err.message);
        return PLAY_QUIT;
    }
    play_choices_print(&choices, &play->style);
    enum play_answer answer = human_ask(play, &choices, player, action);
    play_choices_free(&choices);
    return answer;
}
