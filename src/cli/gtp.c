/* banyan gtp: one of Banyan's players as an engine of the Go Text Protocol, version 2 (Farneback
 * 2002), for Othello, Hex and other games of two.
 *
 *      [id] command arguments  -->  =[id] answer, empty line      or  ?[id] reason, empty line
 *
 * Black is player 0.  A move for the side that is not to move is taken as a pass of the other side
 * where it may pass.
 */
#include "cli/cli.h"
#include "cli/show.h"

#include "players/budget.h"
#include "players/player.h"
#include "players/program/offers.h"

#include <banyan/version.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GTP_LINE_MAX = 4096, GTP_WORDS_MAX = 32 };

struct gtp {
    const struct banyan_game *game;
    const char *spec;
    uint64_t seed;

    struct banyan_player player;
    bool made;
    int seat;               /* seat for which the player was opened */
    unsigned char *history; /* [room][state_size]: all states since the start */
    bool *inserted;         /* [room] whether a pass that nobody sent led to this state */
    int length, room;
    struct banyan_player_clock clock;
    bool quit;

    char *words[GTP_WORDS_MAX]; /* the command that is being executed: its name and arguments */
    int word_count;
    char answer[BANYAN_TEXT_MAX + 64];
};

static const struct argp_option gtp_options[] = {
    {"game", 'g', "GAME", 0, "A game of two players; default othello", 0},
    {"player", 'p', "PLAYER", 0, "Player that chooses the moves; default mcts:simulations=10000",
     0},
    {"seed", 's', "S", 0, "Seed of the player; default 1", 0},
    {0}};

static error_t gtp_option(int key, char *arg, struct argp_state *state)
{
    struct gtp *gtp = state->input;
    switch (key) {
    case 'g':
        gtp->game = cli_game(state, arg);
        return 0;
    case 'p':
        gtp->spec = cli_text(state, arg);
        return 0;
    case 's':
        gtp->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "'%s' is one word too many; the game is given with --game", arg);
    case ARGP_KEY_END:
        if (!gtp->game)
            gtp->game = cli_game(state, "othello");
        if (gtp->game->players != 2 ||
            gtp->game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
            cli_usage(state,
                      "GTP is for two players who take turns without dice; '%s' is not such "
                      "a game",
                      gtp->game->name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the game --- */

static void *gtp_state(const struct gtp *gtp)
{
    return gtp->history + (size_t)(gtp->length - 1) * gtp->game->state_size;
}

/* Makes room for one more state, whose bytes the caller writes to gtp_state(). */
static enum banyan_status gtp_push(struct gtp *gtp, struct banyan_error *err)
{
    if (gtp->length == gtp->room) {
        int room = 2 * gtp->room + 128;
        void *larger = realloc(gtp->history, (size_t)room * gtp->game->state_size);
        if (!larger)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
        gtp->history = larger;
        bool *inserted = realloc(gtp->inserted, (size_t)room * sizeof *inserted);
        if (!inserted)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
        gtp->inserted = inserted;
        gtp->room = room;
    }
    gtp->inserted[gtp->length++] = false;
    return BANYAN_OK;
}

/* Opens the player anew, so that it knows only the present position. */
static enum banyan_status gtp_open(struct gtp *gtp, int seat, struct banyan_error *err)
{
    uint64_t seed = banyan_rng_child(gtp->seed, "gtp", (uint64_t)gtp->length);
    gtp->seat = seat;
    return gtp->player.open(gtp->player.ctx, gtp_state(gtp), seat, seed, err);
}

/* Begins again from a setup; after an error nothing has changed. */
static enum banyan_status gtp_start(struct gtp *gtp, const char *setup, struct banyan_error *err)
{
    void *state = calloc(1, gtp->game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
    enum banyan_status status = gtp->game->init(gtp->game, state, setup, NULL, err);
    if (status == BANYAN_OK)
        gtp->length = 0;
    if (status == BANYAN_OK)
        status = gtp_push(gtp, err);
    if (status == BANYAN_OK)
        memcpy(gtp_state(gtp), state, gtp->game->state_size);
    free(state);
    return status == BANYAN_OK ? gtp_open(gtp, 0, err) : status;
}

/* Games with komi (Go) begin their texts with it: "komi=7.5 ...".  Returns what follows the number,
 * NULL: the game has none. */
static const char *gtp_after_komi(const char *text)
{
    return strncmp(text, "komi=", 5) == 0 ? text + strcspn(text, " ") : NULL;
}

static bool gtp_has_komi(const struct gtp *gtp)
{
    char text[BANYAN_TEXT_MAX];
    gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    return gtp_after_komi(text) != NULL;
}

/* Begins again, with the same komi and the settings in `rest`. */
static enum banyan_status gtp_restart(struct gtp *gtp, const char *rest, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX] = "", setup[BANYAN_TEXT_MAX];
    if (gtp->length > 0)
        gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    const char *after = gtp_after_komi(text);
    snprintf(setup, sizeof setup, "%.*s%s", after ? (int)(after - text) : 0, text, rest);
    return gtp_start(gtp, setup, err);
}

static void gtp_forget(struct gtp *gtp)
{
    if (gtp->made)
        banyan_player_close(&gtp->player);
    gtp->made = false;
    free(gtp->history);
    free(gtp->inserted);
    gtp->history = NULL;
    gtp->inserted = NULL;
    gtp->length = gtp->room = 0;
}

/* Makes everything anew for gtp->game. */
static enum banyan_status gtp_begin(struct gtp *gtp, struct banyan_error *err)
{
    gtp_forget(gtp);
    enum banyan_status status =
        banyan_player_create(gtp->game, gtp->spec, program_offers, gtp->seed, &gtp->player, err);
    gtp->made = status == BANYAN_OK;
    return gtp->made ? gtp_restart(gtp, "", err) : status;
}

static enum banyan_status gtp_apply(struct gtp *gtp, int player, banyan_action action,
                                    struct banyan_error *err)
{
    size_t size = gtp->game->state_size;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    joint[player] = action;
    enum banyan_status status = gtp_push(gtp, err);
    if (status != BANYAN_OK)
        return status;
    const void *before = gtp->history + (size_t)(gtp->length - 2) * size;
    memcpy(gtp_state(gtp), before, size);
    gtp->game->apply(gtp->game, gtp_state(gtp), joint, NULL);
    return gtp->player.observe
               ? gtp->player.observe(gtp->player.ctx, before, joint, gtp_state(gtp), err)
               : BANYAN_OK;
}

/* Makes player the side to move: the other side may have to pass first. */
static enum banyan_status gtp_turn(struct gtp *gtp, int player, struct banyan_error *err)
{
    unsigned movers = gtp->game->movers(gtp->game, gtp_state(gtp));
    if (movers == 1u << player)
        return BANYAN_OK;
    if (!movers)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over");
    banyan_action pass;
    if (gtp->game->action_parse(gtp->game, gtp_state(gtp), 1 - player, "pass", &pass, NULL) !=
        BANYAN_OK)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is %s's turn", player ? "black" : "white");
    enum banyan_status status = gtp_apply(gtp, 1 - player, pass, err);
    gtp->inserted[gtp->length - 1] = true;
    return status;
}

/* --- commands; the words are in gtp->words, the answer goes to gtp->answer --- */

static enum banyan_status gtp_colour(const char *word, int *player, struct banyan_error *err)
{
    if (strcmp(word, "b") == 0 || strcmp(word, "black") == 0)
        *player = 0;
    else if (strcmp(word, "w") == 0 || strcmp(word, "white") == 0)
        *player = 1;
    else
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is not a colour: write b or w", word);
    return BANYAN_OK;
}

static enum banyan_status gtp_number(const char *word, double *out, struct banyan_error *err)
{
    char *end;
    *out = strtod(word, &end);
    return *word && !*end && isfinite(*out)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "'%.20s' is not a number", word);
}

static enum banyan_status gtp_answer(struct gtp *gtp, const char *text)
{
    snprintf(gtp->answer, sizeof gtp->answer, "%s", text);
    return BANYAN_OK;
}

static enum banyan_status gtp_protocol_version(struct gtp *gtp, struct banyan_error *err)
{
    (void)err;
    return gtp_answer(gtp, "2");
}

static enum banyan_status gtp_name(struct gtp *gtp, struct banyan_error *err)
{
    (void)err;
    return gtp_answer(gtp, "Banyan");
}

static enum banyan_status gtp_version(struct gtp *gtp, struct banyan_error *err)
{
    (void)err;
    return gtp_answer(gtp, banyan_version_text());
}

static enum banyan_status gtp_quit(struct gtp *gtp, struct banyan_error *err)
{
    (void)err;
    gtp->quit = true;
    return BANYAN_OK;
}

/* The game of this size among the games whose names are equal up to a hyphen, such as othello and
 * othello-6x6; NULL: there is none. */
static const struct banyan_game *gtp_of_size(const struct banyan_game *like, double size)
{
    const struct banyan_game *game;
    size_t stem = strcspn(like->name, "-");
    if (size == like->planes[1])
        return like;
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        if (strcspn(game->name, "-") == stem && strncmp(game->name, like->name, stem) == 0 &&
            size == game->planes[1] && size == game->planes[2] && game->players == 2)
            return game;
    return NULL;
}

static enum banyan_status gtp_boardsize(struct gtp *gtp, struct banyan_error *err)
{
    double size;
    enum banyan_status status = gtp_number(gtp->words[1], &size, err);
    if (status != BANYAN_OK)
        return status;
    const struct banyan_game *game = gtp_of_size(gtp->game, size);
    if (!game)
        return banyan_fail(err, BANYAN_INVALID, "unacceptable size");
    if (game == gtp->game)
        return BANYAN_OK;
    gtp->game = game;
    return gtp_begin(gtp, err);
}

static enum banyan_status gtp_clear_board(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_restart(gtp, "", err);
}

/* Changes the komi of every state so far. */
static enum banyan_status gtp_komi(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX], setup[BANYAN_TEXT_MAX + 32];
    double komi;
    enum banyan_status status = gtp_number(gtp->words[1], &komi, err);
    for (int i = 0; i < gtp->length && status == BANYAN_OK; ++i) {
        unsigned char *state = gtp->history + (size_t)i * gtp->game->state_size;
        gtp->game->format(gtp->game, state, text, sizeof text);
        const char *after = gtp_after_komi(text);
        if (!after)
            return BANYAN_OK; /* Othello has no komi, so it is read and ignored */
        snprintf(setup, sizeof setup, "komi=%g%s", komi, after);
        status = gtp->game->init(gtp->game, state, setup, NULL, err);
    }
    return status == BANYAN_OK ? gtp_open(gtp, gtp->seat, err) : status;
}

static enum banyan_status gtp_get_komi(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    (void)err;
    gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    const char *after = gtp_after_komi(text);
    snprintf(gtp->answer, sizeof gtp->answer, "%.*s", after ? (int)(after - text - 5) : 1,
             after ? text + 5 : "0");
    return BANYAN_OK;
}

/* Handicap stones stand on an empty board of a game that has a setup for them. */
static enum banyan_status gtp_handicap(struct gtp *gtp, const char *setup, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    if (!gtp_after_komi(text))
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has no handicap stones", gtp->game->title);
    if (gtp->length > 1 || strstr(text, "black="))
        return banyan_fail(err, BANYAN_ILLEGAL, "board not empty");
    return gtp_restart(gtp, setup, err);
}

/* fixed_handicap N and place_free_handicap N: answers with the points. */
static enum banyan_status gtp_fixed_handicap(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    snprintf(text, sizeof text, " handicap=%.20s", gtp->words[1]);
    enum banyan_status status = gtp_handicap(gtp, text, err);
    if (status != BANYAN_OK)
        return status;
    gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    char *points = strstr(text, "black=") + strlen("black=");
    points[strcspn(points, " ")] = 0;
    for (char *at = points; *at; ++at)
        if (*at == ',')
            *at = ' ';
    return gtp_answer(gtp, points);
}

static enum banyan_status gtp_set_free_handicap(struct gtp *gtp, struct banyan_error *err)
{
    char text[GTP_LINE_MAX];
    size_t length = (size_t)snprintf(text, sizeof text, " first=white black=");
    for (int i = 1; i < gtp->word_count; ++i)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 1 ? "," : "",
                                   gtp->words[i]);
    return gtp_handicap(gtp, text, err);
}

static enum banyan_status gtp_play(struct gtp *gtp, struct banyan_error *err)
{
    int player;
    banyan_action action;
    bool pass = strcmp(gtp->words[2], "pass") == 0;
    enum banyan_status status = gtp_colour(gtp->words[1], &player, err);
    if (status != BANYAN_OK)
        return status;
    if (pass && gtp->game->movers(gtp->game, gtp_state(gtp)) != 1u << player)
        return BANYAN_OK; /* Banyan has already played it, or the game is over */
    status = gtp_turn(gtp, player, err);
    if (status == BANYAN_OK)
        status =
            gtp->game->action_parse(gtp->game, gtp_state(gtp), player, gtp->words[2], &action, err);
    return status == BANYAN_OK ? gtp_apply(gtp, player, action, err) : status;
}

static enum banyan_status gtp_genmove(struct gtp *gtp, struct banyan_error *err)
{
    int player;
    struct banyan_player_move move;
    enum banyan_status status = gtp_colour(gtp->words[1], &player, err);
    if (status == BANYAN_OK && !gtp->game->movers(gtp->game, gtp_state(gtp)))
        return gtp_answer(gtp, "PASS");
    if (status == BANYAN_OK)
        status = gtp_turn(gtp, player, err);
    if (status == BANYAN_OK && gtp->seat != player)
        status = gtp_open(gtp, player, err);
    if (status == BANYAN_OK)
        status = gtp->player.choose(gtp->player.ctx, gtp_state(gtp), &gtp->clock, &move, err);
    if (status != BANYAN_OK)
        return status;
    show_action(gtp->game, gtp_state(gtp), player, move.action, gtp->answer, sizeof gtp->answer);
    for (char *at = gtp->answer; *at; ++at)
        *at = (char)toupper((unsigned char)*at);
    return gtp_apply(gtp, player, move.action, err);
}

static enum banyan_status gtp_undo(struct gtp *gtp, struct banyan_error *err)
{
    if (gtp->length < 2)
        return banyan_fail(err, BANYAN_ILLEGAL, "cannot undo");
    do
        --gtp->length;
    while (gtp->inserted[gtp->length - 1]);
    return gtp_open(gtp, gtp->seat, err);
}

static enum banyan_status gtp_showboard(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    (void)err;
    if (gtp->game->draw)
        gtp->game->draw(gtp->game, gtp_state(gtp), -1, text, sizeof text);
    else
        gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    snprintf(gtp->answer, sizeof gtp->answer, "\n%s", text);
    return BANYAN_OK;
}

static void gtp_set_clock(struct gtp *gtp, int player, double seconds, double stones)
{
    /* time for n stones: the player gets a game clock for n decisions */
    gtp->clock.increment_ms = 0;
    gtp->clock.left_ms[player] = 1000 * seconds;
    if (stones == 1)
        gtp->clock.increment_ms = 1000 * seconds;
}

static enum banyan_status gtp_time_settings(struct gtp *gtp, struct banyan_error *err)
{
    double number[3];
    for (int i = 0; i < 3; ++i) {
        enum banyan_status status = gtp_number(gtp->words[i + 1], &number[i], err);
        if (status != BANYAN_OK)
            return status;
    }
    bool unlimited =
        number[1] > 0 && number[2] == 0; /* byo-yomi time for no stones, by the rules */
    bool byo_yomi = number[0] == 0 && number[2] > 0;
    for (int player = 0; player < 2; ++player)
        gtp_set_clock(gtp, player, byo_yomi ? number[1] : number[0], byo_yomi ? number[2] : 0);
    if (unlimited)
        gtp->clock = budget_per_move(-1);
    return BANYAN_OK;
}

static enum banyan_status gtp_time_left(struct gtp *gtp, struct banyan_error *err)
{
    int player;
    double seconds, stones;
    enum banyan_status status = gtp_colour(gtp->words[1], &player, err);
    if (status == BANYAN_OK)
        status = gtp_number(gtp->words[2], &seconds, err);
    if (status == BANYAN_OK)
        status = gtp_number(gtp->words[3], &stones, err);
    if (status == BANYAN_OK)
        gtp_set_clock(gtp, player, seconds > 0 ? seconds : 0, stones);
    return status;
}

/* "B+12": the difference of points (discs, area) as the board stands, if the game counts them; else
 * who has won. */
static enum banyan_status gtp_final_score(struct gtp *gtp, struct banyan_error *err)
{
    const struct banyan_game *game = gtp->game;
    float sides[BANYAN_MAX_PLAYERS];
    bool over = !game->movers(game, gtp_state(gtp));
    if (!over && !(game->points && gtp_has_komi(gtp)))
        return banyan_fail(err, BANYAN_ILLEGAL, "cannot score: the game is not over");
    (game->points ? game->points : game->returns)(game, gtp_state(gtp), sides);
    float score = sides[0] - sides[1];
    if (!game->points)
        score /= 2;
    snprintf(gtp->answer, sizeof gtp->answer, "%s%g",
             score > 0   ? "B+"
             : score < 0 ? "W+"
                         : "",
             fabs((double)score));
    return BANYAN_OK;
}

static enum banyan_status gtp_known_command(struct gtp *gtp, struct banyan_error *err);
static enum banyan_status gtp_list_commands(struct gtp *gtp, struct banyan_error *err);

struct gtp_command {
    const char *name;
    int arguments;
    enum banyan_status (*run)(struct gtp *gtp, struct banyan_error *err);
};

static const struct gtp_command gtp_commands[] = {{"protocol_version", 0, gtp_protocol_version},
                                                  {"name", 0, gtp_name},
                                                  {"version", 0, gtp_version},
                                                  {"known_command", 1, gtp_known_command},
                                                  {"list_commands", 0, gtp_list_commands},
                                                  {"quit", 0, gtp_quit},
                                                  {"boardsize", 1, gtp_boardsize},
                                                  {"clear_board", 0, gtp_clear_board},
                                                  {"komi", 1, gtp_komi},
                                                  {"get_komi", 0, gtp_get_komi},
                                                  {"fixed_handicap", 1, gtp_fixed_handicap},
                                                  {"place_free_handicap", 1, gtp_fixed_handicap},
                                                  {"set_free_handicap", 1, gtp_set_free_handicap},
                                                  {"play", 2, gtp_play},
                                                  {"genmove", 1, gtp_genmove},
                                                  {"undo", 0, gtp_undo},
                                                  {"showboard", 0, gtp_showboard},
                                                  {"time_settings", 3, gtp_time_settings},
                                                  {"time_left", 3, gtp_time_left},
                                                  {"final_score", 0, gtp_final_score},
                                                  {NULL, 0, NULL}};

static const struct gtp_command *gtp_find(const char *name)
{
    for (const struct gtp_command *command = gtp_commands; command->name; ++command)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static enum banyan_status gtp_known_command(struct gtp *gtp, struct banyan_error *err)
{
    (void)err;
    return gtp_answer(gtp, gtp_find(gtp->words[1]) ? "true" : "false");
}

static enum banyan_status gtp_list_commands(struct gtp *gtp, struct banyan_error *err)
{
    size_t length = 0;
    (void)err;
    for (const struct gtp_command *command = gtp_commands; command->name; ++command)
        length += (size_t)snprintf(gtp->answer + length, sizeof gtp->answer - length, "%s%s",
                                   length ? "\n" : "", command->name);
    return BANYAN_OK;
}

/* --- lines --- */

/* Section 3.1 of the protocol: no control characters, tabs are spaces, # starts a comment; words in
 * lower case, since colours and squares are written in either. */
static void gtp_clean(char *line)
{
    char *out = line;
    line[strcspn(line, "#")] = 0;
    for (const char *at = line; *at; ++at)
        if (*at == '\t')
            *out++ = ' ';
        else if ((unsigned char)*at >= 32 && *at != 127)
            *out++ = (char)tolower((unsigned char)*at);
    *out = 0;
}

/* Splits the line into words; returns the id, "" when there is none. */
static const char *gtp_split(struct gtp *gtp, char *line)
{
    char *rest = line, *word;
    const char *id = "";
    gtp->word_count = 0;
    while (gtp->word_count < GTP_WORDS_MAX && (word = strtok_r(rest, " ", &rest)))
        if (gtp->word_count == 0 && !*id && strspn(word, "0123456789") == strlen(word))
            id = word;
        else
            gtp->words[gtp->word_count++] = word;
    return id;
}

/* An empty line would end the answer: removes empty lines inside the text and at its end. */
static void gtp_close_lines(char *text)
{
    char *out = text;
    for (const char *at = text; *at; ++at)
        if (*at != '\n' || (at[1] != '\n' && at[1]))
            *out++ = *at;
    *out = 0;
}

static void gtp_line(struct gtp *gtp, char *line)
{
    struct banyan_error err = {.message = ""};
    gtp_clean(line);
    const char *id = gtp_split(gtp, line);
    if (gtp->word_count == 0 && !*id)
        return;
    const struct gtp_command *command = gtp->word_count ? gtp_find(gtp->words[0]) : NULL;
    enum banyan_status status = BANYAN_OK;
    gtp->answer[0] = 0;
    if (!command)
        status = banyan_fail(&err, BANYAN_NOT_FOUND, "unknown command");
    else if (gtp->word_count - 1 < command->arguments)
        status = banyan_fail(&err, BANYAN_INVALID, "%s takes %d argument%s", command->name,
                             command->arguments, command->arguments == 1 ? "" : "s");
    else
        status = command->run(gtp, &err);
    gtp_close_lines(gtp->answer);
    const char *text = status == BANYAN_OK ? gtp->answer : err.message;
    printf("%c%s%s%s\n\n", status == BANYAN_OK ? '=' : '?', id, *text && *text != '\n' ? " " : "",
           text);
    fflush(stdout);
}

int cli_gtp(int argc, char **argv)
{
    static char line[GTP_LINE_MAX];
    struct gtp gtp = {.spec = "mcts:simulations=10000", .seed = 1, .clock = budget_per_move(-1)};
    struct banyan_error err;
    const struct argp argp = {gtp_options,
                              gtp_option,
                              NULL,
                              "Answers the Go Text Protocol, version 2, on standard input and "
                              "output, so that GUIs and referees can play against Banyan.",
                              NULL,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &gtp);
    int code = CLI_OK;
    if (gtp_begin(&gtp, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_USAGE, &err);
    else
        while (!gtp.quit && fgets(line, sizeof line, stdin))
            gtp_line(&gtp, line);
    gtp_forget(&gtp);
    return code;
}
