#include "nypc/agent.h"

#include "games/mushroom/engine.h"
#include "games/mushroom/harvest.h"

#include <stdlib.h>
#include <string.h>

enum { AGENT_LINE = 4096, AGENT_BANK_MS = 10000 };

struct agent {
    const struct nypc_options *options;
    FILE *out, *errors;
    struct engine *engine;
    struct mushroom_state state;
    int seat;
    bool started;   /* INIT was understood */
    double bank_ms; /* the most that a TIME line has shown */
    double used_ms; /* by us, if the judge does not say */
};

void nypc_options_default(struct nypc_options *options)
{
    *options = (struct nypc_options){.table_bytes = (size_t)128 << 20};
}

static void agent_init(struct agent *agent, char *rows)
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
        fprintf(agent->errors, "INIT needs ten rows of 17 digits; passing from now on\n");
    engine_clear(agent->engine);
}

/* Whether four numbers are a rectangle of the board; v may be the pass. */
static bool agent_on_board(const int v[4])
{
    return v[0] >= 0 && v[0] <= v[2] && v[2] < BOARD_ROWS && v[1] >= 0 && v[1] <= v[3] &&
           v[3] < BOARD_COLUMNS && (v[0] != v[2] || v[1] != v[3]);
}

static bool agent_is_pass(const int v[4])
{
    return v[0] == -1 && v[1] == -1 && v[2] == -1 && v[3] == -1;
}

/* The judge is always right: what it says was played is played, if it can be on a board. */
static void agent_opponent(struct agent *agent, const char *words)
{
    int v[4];
    struct mushroom_state *state = &agent->state;
    state->mover = (uint8_t)(1 - agent->seat);
    if (sscanf(words, "%d %d %d %d", &v[0], &v[1], &v[2], &v[3]) != 4) {
        fprintf(agent->errors, "OPP needs four numbers, taken as a pass: %.60s\n", words);
        v[0] = v[1] = v[2] = v[3] = -1;
    }
    if (!agent_is_pass(v) && !agent_on_board(v)) {
        fprintf(agent->errors, "no such rectangle, taken as a pass: OPP %.60s\n", words);
        v[0] = v[1] = v[2] = v[3] = -1;
    }
    if (agent_is_pass(v)) {
        play_action(state, BOARD_PASS);
        return;
    }
    struct rectangle x = {(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)v[3]};
    if (mushroom_sum(state, x) != BOARD_TARGET || !mushroom_fits(state, x))
        fprintf(agent->errors,
                "the opponent's %d %d %d %d is not legal here; played all the same\n", v[0], v[1],
                v[2], v[3]);
    play_action(state, rectangle_action(x));
}

static struct engine_limits agent_limits(struct agent *agent, const char *words)
{
    struct engine_limits limits = {.nodes = (uint64_t)agent->options->nodes};
    double left_ms;
    if (limits.nodes)
        return limits;
    if (sscanf(words, "%lf", &left_ms) != 1) {
        fprintf(agent->errors, "TIME needs a number, own count used: %.60s\n", words);
        left_ms = AGENT_BANK_MS - agent->used_ms;
    }
    agent->bank_ms = left_ms > agent->bank_ms ? left_ms : agent->bank_ms;
    engine_budget(&agent->state, left_ms, agent->bank_ms, &limits);
    return limits;
}

static void agent_answer(struct agent *agent, const char *words)
{
    struct engine_result result = {.action = BOARD_PASS};
    struct mushroom_state *state = &agent->state;
    state->mover = (uint8_t)agent->seat;
    if (agent->started && state->passes < 2) {
        struct engine_limits limits = agent_limits(agent, words);
        engine_think(agent->engine, state, &limits, &result);
    }
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
        play_action(state, result.action);
}

static void agent_ready(struct agent *agent, const char *words)
{
    agent->seat = strncmp(words, "SECOND", 6) == 0;
    if (!agent->seat && strncmp(words, "FIRST", 5) != 0)
        fprintf(agent->errors, "READY is followed by FIRST or SECOND, FIRST assumed: %.60s\n",
                words);
    agent->used_ms = agent->bank_ms = 0;
    fprintf(agent->out, "OK\n");
    fflush(agent->out);
}

/* What follows word in line; NULL: line begins with another one. */
static char *agent_words(char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* False: FINISH. */
static bool agent_line(struct agent *agent, char *line)
{
    char *words;
    if ((words = agent_words(line, "TIME")))
        agent_answer(agent, words);
    else if ((words = agent_words(line, "OPP")))
        agent_opponent(agent, words);
    else if ((words = agent_words(line, "INIT")))
        agent_init(agent, words);
    else if ((words = agent_words(line, "READY")))
        agent_ready(agent, words);
    else if (agent_words(line, "FINISH"))
        return false;
    else if (*line)
        fprintf(agent->errors, "not a command of the judge: %.60s\n", line);
    return true;
}

/* One line without its end; of a line that is too long only the beginning.  False: no more. */
static bool agent_read(FILE *in, char line[AGENT_LINE])
{
    if (!fgets(line, AGENT_LINE, in))
        return false;
    if (!strchr(line, '\n'))
        for (int c = getc(in); c != EOF && c != '\n';)
            c = getc(in);
    line[strcspn(line, "\r\n")] = 0;
    return true;
}

enum banyan_status nypc_agent(FILE *in, FILE *out, FILE *errors, const struct nypc_options *options,
                              struct banyan_error *err)
{
    struct agent agent = {.options = options, .out = out, .errors = errors};
    struct engine_options search;
    char line[AGENT_LINE];
    engine_options_default(options->full_width, &search);
    search.table_bytes = options->table_bytes;
    enum banyan_status status = engine_create(&agent.engine, &search, err);
    while (status == BANYAN_OK && agent_read(in, line))
        if (!agent_line(&agent, line))
            break;
    engine_destroy(agent.engine);
    return status;
}
