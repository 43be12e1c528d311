/* human: reads actions from the terminal.  The board is drawn by `banyan play`. */
#include "base/clock.h"
#include "players/program/offers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HUMAN_LINE_MAX = 1024 };

struct human {
    const struct banyan_game *game;
    int seat;
    banyan_action actions[]; /* [max_legal] */
};

static enum banyan_status human_open(void *ctx, const void *state, int seat, uint64_t seed,
                                     struct banyan_error *err)
{
    struct human *human = ctx;
    (void)state;
    (void)seed;
    (void)err;
    human->seat = seat;
    return BANYAN_OK;
}

static void human_list(struct human *human, const void *state)
{
    char text[BANYAN_TEXT_MAX];
    int count = human->game->legal(human->game, state, human->seat, human->actions);
    for (int i = 0; i < count; ++i) {
        human->game->action_format(human->game, state, human->seat, human->actions[i], text,
                                   sizeof text);
        printf("%s%s", i ? "  " : "", text);
    }
    printf("\n");
}

/* Removes blanks at both ends. */
static char *human_trim(char *line)
{
    static const char blanks[] = " \t\r\n";
    line += strspn(line, blanks);
    size_t length = strlen(line);
    while (length && strchr(blanks, line[length - 1]))
        line[--length] = 0;
    return line;
}

static bool human_legal(struct human *human, const void *state, banyan_action action)
{
    int count = human->game->legal(human->game, state, human->seat, human->actions);
    for (int i = 0; i < count; ++i)
        if (human->actions[i] == action)
            return true;
    return false;
}

static enum banyan_status human_choose(void *ctx, const void *state,
                                       const struct banyan_player_clock *clock,
                                       struct banyan_player_move *out, struct banyan_error *err)
{
    struct human *human = ctx;
    double start_ms = clock_now_ms();
    char line[HUMAN_LINE_MAX];
    (void)clock;
    *out = (struct banyan_player_move){.value = (double)NAN};
    for (;;) {
        struct banyan_error problem = {.message = "that is not legal here"};
        printf("%s> ", banyan_game_player_name(human->game, human->seat));
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return banyan_fail(err, BANYAN_INTERRUPTED, "end of input");
        char *text = human_trim(line);
        if (strcmp(text, "quit") == 0 || strcmp(text, "q") == 0)
            return banyan_fail(err, BANYAN_INTERRUPTED, "the player left");
        if (strcmp(text, "?") == 0 || strcmp(text, "help") == 0) {
            printf("an action, ? for this list, quit to leave; legal:\n");
            human_list(human, state);
            continue;
        }
        if (!*text)
            continue;
        if (human->game->action_parse(human->game, state, human->seat, text, &out->action,
                                      &problem) == BANYAN_OK &&
            human_legal(human, state, out->action))
            break;
        printf("%s; ? lists the legal actions\n", problem.message);
    }
    out->elapsed_ms = clock_now_ms() - start_ms;
    return BANYAN_OK;
}

enum banyan_status player_human_create(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers, uint64_t seed,
                                       struct banyan_player *out, struct banyan_error *err)
{
    enum banyan_status status = player_no_args("human", args, err);
    (void)seed;
    if (status != BANYAN_OK)
        return status;
    struct human *human = malloc(sizeof *human + (size_t)game->max_legal * sizeof *human->actions);
    if (!human)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'human'");
    *human = (struct human){.game = game};
    out->ctx = human;
    out->open = human_open;
    out->choose = human_choose;
    out->close = free;
    return BANYAN_OK;
}
