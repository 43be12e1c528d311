/* Plays the mushroom game for the judge of NYPC 2025, line by line. */
#include "nypc/player.h"

#include "games/mushroom/engine.h"
#include "games/mushroom/harvest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_LINE = 4096, AGENT_BANK_MS = 10000 };

struct agent {
    const struct nypc_options *options;
    FILE *out, *errors;
    struct engine *engine;
    struct mushroom_state state;
    int seat;
    bool started;   /* a valid INIT was read */
    double bank_ms; /* the most time that a TIME line has shown */
    double used_ms; /* time used by this program, for TIME lines without a number */
};

void nypc_options_default(struct nypc_options *options)
{
    *options = (struct nypc_options){.table_bytes = (size_t)128 << 20};
}

static void player_seat_player(struct agent *agent)
{
    const struct banyan_player *player = agent->options->player;
    struct banyan_error err;
    if (player && player->open &&
        player->open(player->ctx, &agent->state, agent->seat, agent->options->seed, &err) !=
            BANYAN_OK)
        fprintf(agent->errors, "%s: %s\n", player->name, err.message);
}

static void player_init(struct agent *agent, char *rows)
{
    struct mushroom_state *state = &agent->state;
    int count = 0;
    memset(state, 0, sizeof *state);
    memset(state->digits, BOARD_PAD, sizeof state->digits);
    state->last = MUSHROOM_NONE;
    for (char *at = rows; *at; ++at) {
        if (*at == ' ' || *at == '\t')
            continue;
        if (*at < '0' || *at > '9' || count == BOARD_CELLS) {
            count = -1;
            break;
        }
        int cell = count / BOARD_COLUMNS * BOARD_STRIDE + count % BOARD_COLUMNS;
        state->digits[cell] = (uint8_t)(*at - '0');
        if (*at != '0')
            cells_put(&state->live, cell);
        ++count;
    }
    agent->started = count == BOARD_CELLS;
    if (!agent->started)
        fprintf(agent->errors, "INIT needs ten rows of 17 digits; every move will be a pass\n");
    engine_clear(agent->engine);
    player_seat_player(agent);
}

/* Plays the action on the stored board, and tells the player. */
static void player_play(struct agent *agent, int action)
{
    const struct banyan_player *player = agent->options->player;
    struct mushroom_state before = agent->state;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_error err;
    play_action(&agent->state, action);
    joint[before.mover] = (banyan_action)action;
    if (player && player->observe &&
        player->observe(player->ctx, &before, joint, &agent->state, &err) != BANYAN_OK)
        fprintf(agent->errors, "%s: %s\n", player->name, err.message);
}

/* Whether four numbers are a rectangle of the board, of two cells or more. */
static bool player_on_board(const int v[4])
{
    return v[0] >= 0 && v[0] <= v[2] && v[2] < BOARD_ROWS && v[1] >= 0 && v[1] <= v[3] &&
           v[3] < BOARD_COLUMNS && (v[0] != v[2] || v[1] != v[3]);
}

static bool player_is_pass(const int v[4])
{
    return v[0] == -1 && v[1] == -1 && v[2] == -1 && v[3] == -1;
}

/* Plays the opponent's move.  The judge decides what is legal: any rectangle on the board is
 * played. */
static void player_opponent(struct agent *agent, const char *words)
{
    int v[4];
    struct mushroom_state *state = &agent->state;
    state->mover = (uint8_t)(1 - agent->seat);
    if (sscanf(words, "%d %d %d %d", &v[0], &v[1], &v[2], &v[3]) != 4) {
        fprintf(agent->errors, "OPP needs four numbers; this is taken as a pass: %.60s\n", words);
        v[0] = v[1] = v[2] = v[3] = -1;
    }
    if (!player_is_pass(v) && !player_on_board(v)) {
        fprintf(agent->errors,
                "this is not a rectangle of the board and is taken as a pass: OPP %.60s\n", words);
        v[0] = v[1] = v[2] = v[3] = -1;
    }
    if (player_is_pass(v)) {
        player_play(agent, BOARD_PASS);
        return;
    }
    struct rectangle x = {(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]};
    if (mushroom_sum(state, x) != BOARD_TARGET || !mushroom_fits(state, x))
        fprintf(agent->errors,
                "the opponent's %d %d %d %d is not legal here, but is played because the judge "
                "accepted it\n",
                v[0], v[1], v[2], v[3]);
    player_play(agent, rectangle_action(x));
}

static double player_left_ms(struct agent *agent, const char *words)
{
    double left_ms;
    if (sscanf(words, "%lf", &left_ms) != 1 || !isfinite(left_ms)) {
        fprintf(
            agent->errors,
            "TIME needs a number of milliseconds; the program's own clock is used instead: %.60s\n",
            words);
        left_ms = AGENT_BANK_MS - agent->used_ms;
    }
    agent->bank_ms = left_ms > agent->bank_ms ? left_ms : agent->bank_ms;
    return left_ms;
}

/* Asks the player.  False: there is no player, or it could not answer. */
static bool player_ask_player(struct agent *agent, double left_ms, struct engine_result *out)
{
    const struct banyan_player *player = agent->options->player;
    struct banyan_player_clock clock = {.left_ms = {left_ms, left_ms}};
    struct banyan_player_move move;
    struct banyan_error err;
    if (!player)
        return false;
    if (player->choose(player->ctx, &agent->state, &clock, &move, &err) != BANYAN_OK) {
        fprintf(agent->errors, "%s could not answer, so the engine does: %s\n", player->name,
                err.message);
        return false;
    }
    *out = (struct engine_result){.action = (int)move.action, .elapsed_ms = move.elapsed_ms};
    return true;
}

static void player_think(struct agent *agent, const char *words, struct engine_result *out)
{
    struct engine_limits limits = {.nodes = (uint64_t)agent->options->nodes};
    double left_ms = limits.nodes ? -1 : player_left_ms(agent, words);
    if (player_ask_player(agent, left_ms, out))
        return;
    if (!limits.nodes)
        engine_budget(left_ms, agent->bank_ms, &limits);
    engine_think(agent->engine, &agent->state, &limits, out);
}

static void player_answer(struct agent *agent, const char *words)
{
    struct engine_result result = {.action = BOARD_PASS};
    struct mushroom_state *state = &agent->state;
    state->mover = (uint8_t)agent->seat;
    if (agent->started && state->passes < 2)
        player_think(agent, words, &result);
    agent->used_ms += result.elapsed_ms;
    if (agent->options->report)
        fprintf(agent->errors, "mushrooms %d depth %d%s value %.1f nodes %llu ms %.0f\n",
                cells_count(state->live), result.depth, result.exact ? " solved" : "",
                (double)result.value / ENGINE_CELL, (unsigned long long)result.nodes,
                result.elapsed_ms);
    if (result.action == BOARD_PASS) {
        fprintf(agent->out, "-1 -1 -1 -1\n");
    } else {
        struct rectangle x = rectangle_of(result.action);
        fprintf(agent->out, "%d %d %d %d\n", x.r1, x.c1, x.r2, x.c2);
    }
    fflush(agent->out);
    if (state->passes < 2)
        player_play(agent, result.action);
}

static void player_ready(struct agent *agent, const char *words)
{
    agent->seat = strncmp(words, "SECOND", 6) == 0;
    if (!agent->seat && strncmp(words, "FIRST", 5) != 0)
        fprintf(agent->errors,
                "READY must be followed by FIRST or SECOND; FIRST is assumed: %.60s\n", words);
    agent->used_ms = agent->bank_ms = 0;
    if (!agent->options->player)
        engine_warm(agent->engine); /* the clock does not run yet */
    fprintf(agent->out, "OK\n");
    fflush(agent->out);
}

/* The text after word in line; NULL: line does not begin with word. */
static char *player_words(char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* Carries out one line; false: it was FINISH. */
static bool player_line(struct agent *agent, char *line)
{
    char *words;
    if ((words = player_words(line, "TIME")))
        player_answer(agent, words);
    else if ((words = player_words(line, "OPP")))
        player_opponent(agent, words);
    else if ((words = player_words(line, "INIT")))
        player_init(agent, words);
    else if ((words = player_words(line, "READY")))
        player_ready(agent, words);
    else if (player_words(line, "FINISH"))
        return false;
    else if (*line)
        fprintf(agent->errors, "not a command of the judge: %.60s\n", line);
    return true;
}

/* Replaces all characters but printable ASCII, because messages show the line on a terminal. */
static void player_clean(char *line)
{
    for (char *at = line; *at; ++at)
        if (*at == '\t')
            *at = ' ';
        else if ((unsigned char)*at < ' ' || (unsigned char)*at >= 0x7f)
            *at = '?';
}

/* Reads one line without its end, or the beginning of a line that is too long.  False: the input
 * has ended. */
static bool player_read(FILE *in, char line[AGENT_LINE])
{
    if (!fgets(line, AGENT_LINE, in))
        return false;
    if (!strchr(line, '\n'))
        for (int c = getc(in); c != EOF && c != '\n';)
            c = getc(in);
    line[strcspn(line, "\r\n")] = 0;
    player_clean(line);
    return true;
}

enum banyan_status nypc_player(FILE *in, FILE *out, FILE *errors,
                               const struct nypc_options *options, struct banyan_error *err)
{
    struct agent agent = {.options = options, .out = out, .errors = errors};
    struct engine_options search;
    char line[AGENT_LINE];
    engine_options_default(options->full_width, &search);
    search.table_bytes = options->table_bytes;
    enum banyan_status status = engine_create(&agent.engine, &search, err);
    while (status == BANYAN_OK && player_read(in, line))
        if (!player_line(&agent, line))
            break;
    engine_destroy(agent.engine);
    return status;
}
