/* 2048: a game with dice for one player in one file.  All tiles slide in one direction; two equal
 * tiles that meet become one tile of twice the value, which is added to the points.  Then a 2 (in 9
 * of 10 cases) or a 4 appears in an empty cell.  The game ends when nothing can slide, or with
 * 65536 points, so its length is bounded.
 *
 * A state as text: 16 cells row by row, n for the tile 2^n and 0 for an empty cell, and the points:
 * "0,1,0,0,0,2,0,0,0,0,0,0,0,0,0,0 4".
 *
 *     cc -std=c17 -shared -fPIC 2048.c $(pkg-config --cflags banyan) -o 2048.so
 *     banyan --game ./2048.so play 2048
 */
#include <banyan/plugin.h>
#include <banyan/rng.h>

#include <stdio.h>
#include <string.h>

/* Each ply adds a tile, and only a merge, which scores at least 4 points, removes one. */
enum { SIDE = 4, CELLS = SIDE * SIDE, MAX_POINTS = 65536, MAX_PLIES = MAX_POINTS / 4 + 2 * CELLS };

enum slide { SLIDE_UP, SLIDE_RIGHT, SLIDE_DOWN, SLIDE_LEFT, SLIDES };
static const char *const slide_names[SLIDES] = {"up", "right", "down", "left"};

enum slide_die { DIE_CELL, DIE_FOUR };
static const char *const dice_kinds[] = {"cell", "four", NULL};

struct slide_state {
    uint32_t points;
    uint8_t cell[CELLS]; /* 0: empty, n: the tile 2^n */
};

/* --- rules --- */

/* The cell number i of a line, counted from the side to which the tiles slide. */
static int slide_cell(enum slide slide, int line, int i)
{
    int along = slide == SLIDE_UP || slide == SLIDE_LEFT ? i : SIDE - 1 - i;
    return slide == SLIDE_UP || slide == SLIDE_DOWN ? along * SIDE + line : line * SIDE + along;
}

/* Slides one line; returns its points. */
static uint32_t slide_line(uint8_t line[SIDE])
{
    uint8_t to[SIDE] = {0};
    uint32_t points = 0;
    int count = 0;
    bool merged = true; /* whether the last tile of `to` must not merge */
    for (int i = 0; i < SIDE; ++i) {
        if (line[i] == 0)
            continue;
        if (!merged && to[count - 1] == line[i]) {
            points += 1u << ++to[count - 1];
            merged = true;
        } else {
            to[count++] = line[i];
            merged = false;
        }
    }
    memcpy(line, to, SIDE);
    return points;
}

/* Slides all tiles; returns whether any moved. */
static bool slide_all(struct slide_state *state, enum slide slide)
{
    bool moved = false;
    for (int n = 0; n < SIDE; ++n) {
        uint8_t line[SIDE];
        for (int i = 0; i < SIDE; ++i)
            line[i] = state->cell[slide_cell(slide, n, i)];
        state->points += slide_line(line);
        for (int i = 0; i < SIDE; ++i) {
            uint8_t *cell = &state->cell[slide_cell(slide, n, i)];
            moved = moved || *cell != line[i];
            *cell = line[i];
        }
    }
    return moved;
}

static int slide_legal(const struct banyan_game *game, const void *at, int player,
                       banyan_action *out)
{
    int count = 0;
    for (int slide = 0; slide < SLIDES; ++slide) {
        struct slide_state copy;
        memcpy(&copy, at, sizeof copy);
        if (slide_all(&copy, (enum slide)slide))
            out[count++] = (banyan_action)slide;
    }
    return count;
}

static unsigned slide_movers(const struct banyan_game *game, const void *at)
{
    const struct slide_state *state = at;
    banyan_action actions[SLIDES];
    return state->points < MAX_POINTS && slide_legal(game, at, 0, actions) > 0;
}

static void slide_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    struct slide_state *state = at;
    int empty[CELLS], count = 0;
    slide_all(state, (enum slide)joint[0]);
    for (int i = 0; i < CELLS; ++i)
        if (state->cell[i] == 0)
            empty[count++] = i;
    int cell = empty[banyan_dice_pick(dice, DIE_CELL, count)];
    state->cell[cell] = banyan_dice_chance(dice, DIE_FOUR, 1, 10) ? 2 : 1;
}

/* The points, at most return_max. */
static void slide_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct slide_state *state = at;
    out[0] = (float)(state->points < MAX_POINTS ? state->points : MAX_POINTS);
}

static void slide_points(const struct banyan_game *game, const void *at, float *out)
{
    out[0] = (float)((const struct slide_state *)at)->points;
}

static uint64_t slide_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct slide_state *state = at;
    uint64_t high = 0, low = 0;
    for (int i = 0; i < CELLS / 2; ++i) {
        high = high << 8 | state->cell[i];
        low = low << 8 | state->cell[CELLS / 2 + i];
    }
    return banyan_rng_child(banyan_rng_child(high, "2048", low), "2048", state->points);
}

/* --- texts --- */

static int slide_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct slide_state *state = at;
    char cells[4 * CELLS] = "";
    int length = 0;
    for (int i = 0; i < CELLS; ++i)
        length += snprintf(cells + length, sizeof cells - (size_t)length, "%s%d", i ? "," : "",
                           state->cell[i]);
    return snprintf(out, size, "%s %u", cells, state->points);
}

/* Reads the text of a state; false: the text is not a state. */
static bool slide_read(const char *text, struct slide_state *state)
{
    int length, tiles = 0;
    unsigned cell, points;
    char rest;
    for (int i = 0; i < CELLS; ++i) {
        if (sscanf(text, "%2u%n", &cell, &length) != 1 || cell > 17 ||
            text[length] != (i < CELLS - 1 ? ',' : ' '))
            return false;
        state->cell[i] = (uint8_t)cell;
        tiles += cell > 0;
        text += length + 1;
    }
    if (sscanf(text, "%7u%c", &points, &rest) != 1 || points > 2 * MAX_POINTS)
        return false;
    state->points = points;
    return tiles > 0;
}

/* Two tiles of 2 in two different cells. */
static void slide_start(struct slide_state *state, struct banyan_rng *rng)
{
    uint32_t first = banyan_rng_below(rng, CELLS), second = banyan_rng_below(rng, CELLS - 1);
    state->cell[first] = 1;
    state->cell[second < first ? second : second + 1] = 1;
}

static enum banyan_status slide_init(const struct banyan_game *game, void *at, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    struct slide_state state = {.points = 0};
    struct banyan_rng fixed;
    banyan_rng_seed(&fixed, 1);
    if (!setup || !*setup)
        slide_start(&state, rng ? rng : &fixed);
    else if (!slide_read(setup, &state))
        return banyan_fail(err, BANYAN_INVALID,
                           "'%.60s' is not 16 exponents of two, 0 to 17, and the points", setup);
    memcpy(at, &state, sizeof state);
    return BANYAN_OK;
}

static int slide_action_format(const struct banyan_game *game, const void *at, int player,
                               banyan_action action, char *out, size_t size)
{
    return snprintf(out, size, "%s", slide_names[action]);
}

static enum banyan_status slide_action_parse(const struct banyan_game *game, const void *at,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    struct slide_state copy;
    memcpy(&copy, at, sizeof copy);
    for (int slide = 0; slide < SLIDES; ++slide) {
        if (strcmp(text, slide_names[slide]) != 0)
            continue;
        *out = (banyan_action)slide;
        if (slide_all(&copy, (enum slide)slide))
            return BANYAN_OK;
        return banyan_fail(err, BANYAN_ILLEGAL, "nothing slides %s", text);
    }
    return banyan_fail(err, BANYAN_INVALID, "'%.20s' is not up, right, down or left", text);
}

static int slide_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                      size_t size)
{
    const struct slide_state *state = at;
    char picture[512];
    int length = 0;
    for (int i = 0; i < CELLS; ++i) {
        char tile[16] = ".";
        if (state->cell[i])
            snprintf(tile, sizeof tile, "%d", 1 << state->cell[i]);
        length += snprintf(picture + length, sizeof picture - (size_t)length, "%7s%s", tile,
                           i % SIDE == SIDE - 1 ? "\n" : "");
    }
    return snprintf(out, size, "%s%u points\n", picture, state->points);
}

static const struct banyan_game slide_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "2048",
    .title = "2048",
    .players = 1,
    .state_size = sizeof(struct slide_state),
    .action_bytes = 1,
    .max_legal = SLIDES,
    .max_plies = MAX_PLIES,
    .return_min = 0,
    .return_max = MAX_POINTS,
    .traits = BANYAN_CHANCE,
    .dice_kinds = dice_kinds,
    .init = slide_init,
    .movers = slide_movers,
    .legal = slide_legal,
    .apply = slide_apply,
    .returns = slide_returns,
    .points = slide_points,
    .key = slide_key,
    .format = slide_format,
    .action_format = slide_action_format,
    .action_parse = slide_action_parse,
    .draw = slide_draw,
};

BANYAN_PLUGIN(&slide_game);
