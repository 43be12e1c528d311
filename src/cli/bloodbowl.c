/* banyan bloodbowl: tools for games of Blood Bowl, besides playing them. */
#include "cli/cli.h"
#include "cli/setup.h"
#include "cli/timing.h"
#include "records/bloodbowl_json.h"
#include "records/bloodbowl_page.h"
#include "records/bloodbowl_position.h"
#include "records/bloodbowl_replay.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bloodbowl_words {
    const char *command;
    char **files; /* borrowed */
    int file_count;
};

/* --- paths: the time of the pathfinder at the decisions of recorded games --- */

enum { BLOODBOWL_REPEATS = 20 };

struct bloodbowl_times {
    double seconds;
    long calls, targets;
};

static bool bloodbowl_finds_paths(const struct bb_state *s)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    return s->paths && f->procedure >= BB_MOVE_ACTION && f->procedure <= BB_FOUL_ACTION;
}

static void bloodbowl_time_paths(const struct bb_state *s, struct bloodbowl_times *times)
{
    static struct bb_choices list;
    double start = timing_cpu_s();
    for (int i = 0; i < BLOODBOWL_REPEATS; ++i)
        bb_list(s, &list, false);
    times->seconds += (timing_cpu_s() - start) / BLOODBOWL_REPEATS;
    times->targets += list.options;
    ++times->calls;
}

static enum banyan_status bloodbowl_paths_file(const char *path, struct bloodbowl_times *times,
                                               struct banyan_error *err)
{
    struct bloodbowl_replay *replay;
    enum bloodbowl_event event = BLOODBOWL_HEAD;
    enum banyan_status status = bloodbowl_replay_open(path, &replay, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && event != BLOODBOWL_DONE) {
        status = bloodbowl_replay_next(replay, &event, err);
        const struct bb_state *s = bloodbowl_replay_state(replay);
        if (status == BANYAN_OK && event == BLOODBOWL_MOVE && bloodbowl_finds_paths(s))
            bloodbowl_time_paths(s, times);
    }
    bloodbowl_replay_close(replay);
    return status;
}

static enum banyan_status bloodbowl_paths(const struct bloodbowl_words *words,
                                          struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < words->file_count && status == BANYAN_OK; ++i) {
        struct bloodbowl_times times = {.calls = 0};
        status = bloodbowl_paths_file(words->files[i], &times, err);
        if (status == BANYAN_OK)
            printf("%s: %ld path decisions, %.1f targets, %.2f us each\n", words->files[i],
                   times.calls, times.calls ? (double)times.targets / (double)times.calls : 0,
                   times.calls ? 1e6 * times.seconds / (double)times.calls : 0);
    }
    return status;
}

/* --- svg, html: pictures of recorded games --- */

struct bloodbowl_show {
    bool page;
    int game, step; /* number of the game, from 1, and of its step, from 0 */
    int games, steps;
    bool done, shown;
};

static bool bloodbowl_number(const struct bloodbowl_words *words, int index, int usual, int *out)
{
    char *end;
    *out = usual;
    if (index >= words->file_count)
        return true;
    *out = (int)strtol(words->files[index], &end, 10);
    return *end == 0 && *out >= 0;
}

/* Prints what an event of the game adds to the page, or the picture of the wanted decision. */
static void bloodbowl_show_event(struct bloodbowl_show *show, struct bloodbowl_replay *replay,
                                 enum bloodbowl_event event, struct bb_state *before,
                                 struct bloodbowl_move *move)
{
    const struct bb_state *s = bloodbowl_replay_state(replay);
    char title[64];
    if (event == BLOODBOWL_HEAD) {
        show->done = show->games == show->game;
        ++show->games;
        show->steps = -1;
    }
    if (show->done || show->games != show->game)
        return;
    if (event == BLOODBOWL_HEAD && show->page) {
        snprintf(title, sizeof title, "Blood Bowl, game %d", show->game);
        bloodbowl_page_begin(s, title, stdout);
        show->shown = true;
    } else if (event != BLOODBOWL_HEAD && show->page && show->steps >= 0) {
        bloodbowl_page_step(before, &move->action, move->dice, move->dice_count, s, stdout);
    }
    if (event == BLOODBOWL_MOVE) {
        *before = *s;
        *move = *bloodbowl_replay_move(replay);
    }
    if (event != BLOODBOWL_HEAD && ++show->steps == show->step && !show->page) {
        bloodbowl_page_svg(s, stdout);
        show->done = show->shown = true;
    }
    show->done |= event == BLOODBOWL_END || event == BLOODBOWL_CRASH;
}

static enum banyan_status bloodbowl_show(const struct bloodbowl_words *words, bool page,
                                         struct banyan_error *err)
{
    static struct bb_state before;
    static struct bloodbowl_move move;
    struct bloodbowl_show show = {.page = page};
    struct bloodbowl_replay *replay;
    enum bloodbowl_event event = BLOODBOWL_HEAD;
    if (!bloodbowl_number(words, 1, 1, &show.game) || !bloodbowl_number(words, 2, 0, &show.step))
        return banyan_fail(err, BANYAN_INVALID,
                           "after the file, two whole numbers: game and decision");
    enum banyan_status status = bloodbowl_replay_open(words->files[0], &replay, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && !show.done && event != BLOODBOWL_DONE) {
        status = bloodbowl_replay_next(replay, &event, err);
        if (status == BANYAN_OK && event != BLOODBOWL_DONE)
            bloodbowl_show_event(&show, replay, event, &before, &move);
    }
    bloodbowl_replay_close(replay);
    if (status == BANYAN_OK && !show.shown)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "%s has no decision %d of game %d",
                             words->files[0], show.step, show.game);
    if (status == BANYAN_OK && page)
        bloodbowl_page_end(stdout);
    return status;
}

static enum banyan_status bloodbowl_svg(const struct bloodbowl_words *words,
                                        struct banyan_error *err)
{
    return bloodbowl_show(words, false, err);
}

static enum banyan_status bloodbowl_html(const struct bloodbowl_words *words,
                                         struct banyan_error *err)
{
    return bloodbowl_show(words, true, err);
}

/* --- position: a state as JSON --- */

static enum banyan_status bloodbowl_print(const struct bb_state *s)
{
    json_t *json = bloodbowl_position_write(s);
    json_dumpf(json, stdout, JSON_COMPACT);
    printf("\n");
    fflush(stdout);
    json_decref(json);
    return BANYAN_OK;
}

/* Prints a position as JSON; it is given as a setup, a state, or JSON. */
static enum banyan_status bloodbowl_position(const struct bloodbowl_words *words,
                                             struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    const char *setup;
    struct bb_state s;
    const struct banyan_game *game;
    enum banyan_status status = banyan_game_find(words->files[0], &game, err);
    if (status == BANYAN_OK)
        status =
            setup_text(game, words->file_count > 1 ? words->files[1] : NULL, text, &setup, err);
    if (status == BANYAN_OK && strncmp(game->name, "bloodbowl", 9) != 0)
        status = banyan_fail(err, BANYAN_INVALID,
                             "%s is not Blood Bowl; `banyan list` names its variants", game->name);
    if (status == BANYAN_OK)
        status = game->init(game, &s, setup, NULL, err);
    return status == BANYAN_OK ? bloodbowl_print(&s) : status;
}

/* --- follow: a game that is played elsewhere --- */

/* Plays a line as in recorded games: a head, or a step with action, path and dice.  A line may also be a
 * position, which replaces the present one.  After an error *s is unchanged. */
static enum banyan_status bloodbowl_follow_line(const char *line, size_t length, struct bb_state *s,
                                                struct banyan_error *err)
{
    json_error_t why;
    struct bloodbowl_move move;
    struct bb_state next = *s;
    json_t *json = json_loadb(line, length, 0, &why);
    enum banyan_status status = BANYAN_OK;
    if (!json)
        return banyan_fail(err, BANYAN_INVALID, "%s", why.text);
    const char *type = json_string_value(json_object_get(json, "t"));
    if (type && strcmp(type, "head") == 0) {
        status = bloodbowl_json_head(json, &next, err);
    } else if (type) { /* the end of the game, or an internal error of botbowl */
        next.over = 1;
    } else if (json_object_get(json, "variant")) {
        status = bloodbowl_position_read(json, &next, err);
    } else if (next.depth == 0) {
        status = banyan_fail(
            err, BANYAN_INVALID,
            "this line is a step of a game, but no line with \"t\": \"head\" came before it");
    } else {
        status = bloodbowl_move_read(&next, json, &move, err);
        if (status == BANYAN_OK)
            status = bloodbowl_move_play(&move, &next, err);
    }
    json_decref(json);
    if (status == BANYAN_OK)
        *s = next;
    return status;
}

static enum banyan_status bloodbowl_follow(const struct bloodbowl_words *words,
                                           struct banyan_error *err)
{
    static struct bb_state s;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    (void)words, (void)err;
    while ((length = getline(&line, &room, stdin)) > 0) {
        struct banyan_error why;
        if (bloodbowl_follow_line(line, (size_t)length, &s, &why) == BANYAN_OK) {
            bloodbowl_print(&s);
            continue;
        }
        json_t *json = json_pack("{s:s}", "error", why.message);
        json_dumpf(json, stdout, JSON_COMPACT);
        printf("\n");
        fflush(stdout);
        json_decref(json);
    }
    free(line);
    return BANYAN_OK;
}

/* --- words --- */

static const struct {
    const char *name;
    enum banyan_status (*run)(const struct bloodbowl_words *words, struct banyan_error *err);
    int least, most; /* words after the name */
} bloodbowl_commands[] = {{"html", bloodbowl_html, 1, 2},
                          {"svg", bloodbowl_svg, 1, 3},
                          {"paths", bloodbowl_paths, 1, INT_MAX},
                          {"position", bloodbowl_position, 1, 2},
                          {"follow", bloodbowl_follow, 0, 0}};

/* Checks the number of words; a name that no tool has is not wrong here. */
static void bloodbowl_check(const struct bloodbowl_words *words, const struct argp_state *state)
{
    for (size_t i = 0; i < sizeof bloodbowl_commands / sizeof *bloodbowl_commands; ++i) {
        if (!words->command || strcmp(words->command, bloodbowl_commands[i].name) != 0)
            continue;
        if (words->file_count > bloodbowl_commands[i].most)
            cli_too_many(state, words->files[bloodbowl_commands[i].most]);
        if (words->file_count >= bloodbowl_commands[i].least)
            return;
    }
    if (!words->command || words->file_count == 0)
        cli_usage(state, "needs a command and a file: banyan bloodbowl html GAME.jsonl.gz");
}

static error_t bloodbowl_option(int key, char *arg, struct argp_state *state)
{
    struct bloodbowl_words *words = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        words->command = arg;
        words->files = state->argv + state->next;
        words->file_count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        bloodbowl_check(words, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_bloodbowl(int argc, char **argv)
{
    struct bloodbowl_words words = {NULL, NULL, 0};
    struct banyan_error err;
    const struct argp argp = {
        NULL,
        bloodbowl_option,
        "html FILE [GAME]\nsvg FILE [GAME [DECISION]]\nposition VARIANT [TEXT]\nfollow\n"
        "paths FILE...",
        "Games of Blood Bowl in files, and positions.\v"
        "html: a recorded game as one page with a slider and the dice.\n"
        "svg: one position of a recorded game.\n"
        "position: a setup or state (VARIANT: bloodbowl, bloodbowl-5 ...) as JSON, docs/json.md.\n"
        "follow: reads from standard input a game that is played elsewhere, in the format of "
        "recorded games; answers each line with the position after it.\n"
        "paths: mean time of the pathfinder at the decisions of recorded games.",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &words);
    for (size_t i = 0; i < sizeof bloodbowl_commands / sizeof *bloodbowl_commands; ++i)
        if (strcmp(words.command, bloodbowl_commands[i].name) == 0) {
            enum banyan_status status = bloodbowl_commands[i].run(&words, &err);
            return cli_end(argv[0], status, &err);
        }
    fprintf(stderr, "%s: no tool '%s': there are html, svg, paths, position, follow\n", argv[0],
            words.command);
    return CLI_USAGE;
}
