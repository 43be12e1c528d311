/* banyan gtp: one of Banyan's players as an engine of the Go Text Protocol, version 2 (Farneback
 * 2002), for Othello, Hex and other games of two.
 *
 *      [id] command arguments  -->  =[id] answer, empty line      or  ?[id] reason, empty line
 *
 * Black is player 0.  Before a move for the side whose turn it is not, the other side passes, if
 * that is legal.
 */
#include "cli/gtp.h"

#include "cli/cli.h"
#include "cli/show.h"
#include "players/budget.h"

#include <banyan/version.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GTP_RESIGN = 0x6000 };

static const struct argp_option gtp_options[] = {
    {"game", 'g', "GAME", 0, "A game of two players; default othello", 0},
    {"player", 'p', "PLAYER", 0, "Player that chooses the moves; default mcts:simulations=10000",
     0},
    {"seed", 's', "S", 0, "Seed of the player; default 1", 0},
    {"resign", GTP_RESIGN, "RATE", 0, "Resign below this winrate, 0 to 0.5; default 0: never", 0},
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
    case GTP_RESIGN:
        gtp->resign = cli_number(state, "--resign", arg, 0, 0.5);
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

/* --- commands; the words are in gtp->words, the answer goes to gtp->answer --- */

enum banyan_status gtp_colour(const char *word, int *player, struct banyan_error *err)
{
    if (strcmp(word, "b") == 0 || strcmp(word, "black") == 0)
        *player = 0;
    else if (strcmp(word, "w") == 0 || strcmp(word, "white") == 0)
        *player = 1;
    else
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is not a colour: write b or w", word);
    return BANYAN_OK;
}

enum banyan_status gtp_number(const char *word, double *out, struct banyan_error *err)
{
    char *end;
    *out = strtod(word, &end);
    return *word && !*end && isfinite(*out)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "'%.20s' is not a number", word);
}

enum banyan_status gtp_answer(struct gtp *gtp, const char *text)
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
    return game == gtp->game ? BANYAN_OK : gtp_begin(gtp, game, err);
}

static enum banyan_status gtp_clear_board(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_restart(gtp, "", err);
}

static enum banyan_status gtp_play(struct gtp *gtp, struct banyan_error *err)
{
    int player;
    banyan_action action;
    bool pass = strcmp(gtp->words[2], "pass") == 0;
    int length = gtp->length;
    enum banyan_status status = gtp_colour(gtp->words[1], &player, err);
    if (status != BANYAN_OK)
        return status;
    if (pass && gtp->game->movers(gtp->game, gtp_state(gtp)) != 1u << player)
        return BANYAN_OK; /* Banyan has already played this pass, or the game is over */
    status = gtp_turn(gtp, player, err);
    if (status == BANYAN_OK)
        status =
            gtp->game->action_parse(gtp->game, gtp_state(gtp), player, gtp->words[2], &action, err);
    if (status == BANYAN_OK)
        return gtp_apply(gtp, player, action, err);
    gtp_back(gtp, length, NULL); /* without the pass for the other side */
    return status;
}

char *gtp_vertex(const struct banyan_game *game, const void *state, int player,
                 banyan_action action, char *out, size_t size)
{
    show_action(game, state, player, action, out, size);
    bool pass = strcmp(out, "pass") == 0; /* GUIs look for it in small letters */
    for (char *at = out; *at && !pass; ++at)
        *at = (char)toupper((unsigned char)*at);
    return out;
}

enum banyan_status gtp_choose(struct gtp *gtp, int player, struct banyan_player_move *move,
                              struct banyan_error *err)
{
    enum banyan_status status = gtp_turn(gtp, player, err);
    if (status == BANYAN_OK && gtp->seat != player)
        status = gtp_open(gtp, player, err);
    return status == BANYAN_OK
               ? gtp->player.choose(gtp->player.ctx, gtp_state(gtp), &gtp->clock, move, err)
               : status;
}

double gtp_winrate(const struct banyan_game *game, double mean)
{
    double range = (double)(game->return_max - game->return_min);
    double rate = (mean - (double)game->return_min) / range;
    return rate < 0 ? 0 : rate > 1 ? 1 : rate;
}

bool gtp_resigns(const struct gtp *gtp, const struct banyan_player_move *move)
{
    return !isnan(move->value) && gtp_winrate(gtp->game, move->value) < gtp->resign;
}

static enum banyan_status gtp_genmove(struct gtp *gtp, struct banyan_error *err)
{
    int player;
    struct banyan_player_move move;
    int length = gtp->length;
    enum banyan_status status = gtp_colour(gtp->words[1], &player, err);
    if (status == BANYAN_OK && !gtp->game->movers(gtp->game, gtp_state(gtp)))
        return gtp_answer(gtp, "pass");
    if (status == BANYAN_OK)
        status = gtp_choose(gtp, player, &move, err);
    if (status != BANYAN_OK) {
        gtp_back(gtp, length, NULL);
        return status;
    }
    if (gtp_resigns(gtp, &move))
        return gtp_answer(gtp, "resign");
    gtp_vertex(gtp->game, gtp_state(gtp), player, move.action, gtp->answer, sizeof gtp->answer);
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
    /* the time for several stones is taken as the time for the rest of the game; the time for one
     * stone may be used up */
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
    bool unlimited = number[1] > 0 && number[2] == 0; /* in the protocol: no limit of time */
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

/* "B+12": the difference of points (discs, area) on the present board, if the game counts points;
 * else only the winner. */
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
                                                  {"final_status_list", 1, gtp_final_status_list},
                                                  {"loadsgf", 1, gtp_loadsgf},
                                                  {"printsgf", 0, gtp_printsgf},
                                                  {"lz-analyze", 0, gtp_lz_analyze},
                                                  {"kata-analyze", 0, gtp_kata_analyze},
                                                  {"lz-genmove_analyze", 1, gtp_lz_genmove},
                                                  {"kata-genmove_analyze", 1, gtp_kata_genmove},
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

/* Section 3.1 of the protocol: no control characters, tabs are spaces, # starts a comment. */
static void gtp_clean(char *line)
{
    char *out = line;
    line[strcspn(line, "#")] = 0;
    for (const char *at = line; *at; ++at)
        if (*at == '\t')
            *out++ = ' ';
        else if ((unsigned char)*at >= 32 && *at != 127)
            *out++ = *at;
    *out = 0;
}

/* Splits the line into words, as they were written and in small letters, because colours and squares may
 * come in capitals.  small: room for the line. */
static void gtp_split(struct gtp *gtp, char *line, char *small)
{
    char *rest = line, *word;
    gtp->id = "";
    gtp->word_count = 0;
    for (size_t i = 0; i <= strlen(line); ++i)
        small[i] = (char)tolower((unsigned char)line[i]);
    while (gtp->word_count < GTP_WORDS_MAX && (word = strtok_r(rest, " ", &rest))) {
        if (gtp->word_count == 0 && !*gtp->id && strspn(word, "0123456789") == strlen(word)) {
            gtp->id = word;
            continue;
        }
        gtp->written[gtp->word_count] = word;
        gtp->words[gtp->word_count] = small + (word - line);
        gtp->words[gtp->word_count++][strlen(word)] = 0;
    }
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
    char small[GTP_LINE_MAX];
    gtp_clean(line);
    gtp_split(gtp, line, small);
    if (gtp->word_count == 0 && !*gtp->id)
        return;
    const struct gtp_command *command = gtp->word_count ? gtp_find(gtp->words[0]) : NULL;
    enum banyan_status status = BANYAN_OK;
    gtp->answer[0] = 0;
    gtp->answering = false;
    if (!command)
        status = banyan_fail(&err, BANYAN_NOT_FOUND, "unknown command");
    else if (gtp->word_count - 1 < command->arguments)
        status = banyan_fail(&err, BANYAN_INVALID, "%s takes %d argument%s", command->name,
                             command->arguments, command->arguments == 1 ? "" : "s");
    else
        status = command->run(gtp, &err);
    gtp_close_lines(gtp->answer);
    const char *text = status == BANYAN_OK ? gtp->answer : err.message;
    if (gtp->answering)
        printf("%s%s\n", text, *text ? "\n" : "");
    else
        printf("%c%s%s%s\n\n", status == BANYAN_OK ? '=' : '?', gtp->id,
               *text && *text != '\n' ? " " : "", text);
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
    if (gtp_begin(&gtp, gtp.game, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_USAGE, &err);
    else
        while (!gtp.quit && gtp_input_line(&gtp.input, line))
            gtp_line(&gtp, line);
    gtp_forget(&gtp);
    return code;
}
