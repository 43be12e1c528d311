/* Writes a recorded game as a page. */
#include "records/page.h"

#include "base/rng.h"
#include "base/text.h"
#include "games/bloodbowl/bloodbowl.h"
#include "records/bloodbowl_page.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- boards: lists of lines, each different line once --- */

struct page_lines {
    json_t *lines; /* all different lines */
    int *slots;    /* [room] number of a line + 1, 0: free */
    size_t room;   /* a power of two */
};

static uint64_t page_hash(const char *text, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; ++i)
        hash = rng_mix(hash ^ (unsigned char)text[i]);
    return hash;
}

/* The slot where the line is, or where it belongs. */
static size_t page_slot(const struct page_lines *lines, const char *text, size_t length)
{
    size_t at = (size_t)page_hash(text, length) & (lines->room - 1);
    for (; lines->slots[at]; at = (at + 1) & (lines->room - 1)) {
        const json_t *line = json_array_get(lines->lines, (size_t)lines->slots[at] - 1);
        if (json_string_length(line) == length &&
            memcmp(json_string_value(line), text, length) == 0)
            break;
    }
    return at;
}

static bool page_lines_grow(struct page_lines *lines)
{
    struct page_lines larger = {.lines = lines->lines,
                                .room = lines->room ? 2 * lines->room : 1024};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < json_array_size(lines->lines); ++i) {
        const json_t *line = json_array_get(lines->lines, i);
        larger.slots[page_slot(&larger, json_string_value(line), json_string_length(line))] =
            (int)i + 1;
    }
    free(lines->slots);
    *lines = larger;
    return true;
}

/* The number of the line, which is added if it is new; -1: no memory, or it is not UTF-8. */
static int page_line(struct page_lines *lines, const char *text, size_t length)
{
    size_t count = json_array_size(lines->lines);
    if (2 * (count + 1) > lines->room && !page_lines_grow(lines))
        return -1;
    int *slot = &lines->slots[page_slot(lines, text, length)];
    if (*slot)
        return *slot - 1;
    if (json_array_append_new(lines->lines, json_stringn(text, length)) != 0)
        return -1;
    *slot = (int)count + 1;
    return (int)count;
}

/* The length of the next piece of a board: a line, or one element of a picture that has several in a line. */
static size_t page_piece(const char *text, bool svg)
{
    size_t length = strcspn(text, "\n");
    const char *end = svg ? strchr(text, '>') : NULL;
    return end && end[1] && (size_t)(end - text) + 1 < length ? (size_t)(end - text) + 1 : length;
}

static json_t *page_board(struct page_lines *lines, const char *text, bool svg)
{
    json_t *board = json_array();
    while (board && *text) {
        size_t length = page_piece(text, svg);
        int number = page_line(lines, text, length);
        if (number < 0) {
            json_decref(board);
            return NULL;
        }
        json_array_append_new(board, json_integer(number));
        text += length + (text[length] == '\n');
    }
    return board;
}

/* The picture of Blood Bowl is drawn by this module, not by the game. */
static bool page_is_bloodbowl(const struct banyan_game *game)
{
    return strncmp(game->name, "bloodbowl", 9) == 0;
}

static bool page_has_picture(const struct banyan_game *game)
{
    return game->svg || page_is_bloodbowl(game);
}

/* The board as SVG or text; the caller frees it; NULL: no memory. */
static char *page_picture(const struct banyan_game *game, const void *state)
{
    int (*draw)(const struct banyan_game *, const void *, int, char *, size_t) =
        game->svg ? game->svg : game->draw;
    if (page_is_bloodbowl(game)) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        if (out) {
            bloodbowl_page_svg(state, out);
            fclose(out);
        }
        return text;
    }
    int length = draw ? draw(game, state, -1, NULL, 0) : game->format(game, state, NULL, 0);
    char *text = malloc((size_t)length + 1);
    if (text && draw)
        draw(game, state, -1, text, (size_t)length + 1);
    else if (text)
        game->format(game, state, text, (size_t)length + 1);
    return text;
}

/* --- the game as data --- */

struct page {
    struct game_replay replay;
    struct page_lines lines;
    json_t *boards, *scores, *plies;
};

static enum banyan_status page_no_memory(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a page");
}

static json_t *page_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* The results of the dice in a ply; null: there were none. */
static json_t *page_dice(const struct game_record *record, const struct game_step *step)
{
    char out[1024];
    struct text text = text_start(out, sizeof out);
    if (!record->has_dice || !record->game->dice_kinds || step->dice_count == 0)
        return json_null();
    text_add_dice(&text, record->game->dice_kinds, record->dice + step->dice_first,
                  step->dice_count);
    return json_string(out);
}

/* Describes the ply that was replayed last; replay.before is the state before it. */
static json_t *page_ply(const struct page *page, int ply)
{
    const struct game_record *record = page->replay.record;
    const struct game_step *step = &record->steps[ply];
    char text[BANYAN_TEXT_MAX];
    json_t *by = json_array(), *actions = json_array(), *values = json_array(),
           *simulations = json_array(), *ms = json_array();
    for (int p = 0; p < record->game->players; ++p) {
        if (!(step->movers >> p & 1))
            continue;
        record->game->action_format(record->game, page->replay.before, p, step->joint[p], text,
                                    sizeof text);
        json_array_append_new(by, json_integer(p));
        json_array_append_new(actions, json_string(text));
        json_array_append_new(values, page_number(step->thoughts[p].value));
        json_array_append_new(simulations, json_integer((json_int_t)step->thoughts[p].simulations));
        json_array_append_new(ms, page_number(step->thoughts[p].elapsed_ms));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "by", by, "actions", actions, "values",
                     values, "simulations", simulations, "ms", ms, "dice", page_dice(record, step));
}

/* Adds the board of the present state, and the score. */
static enum banyan_status page_add_state(struct page *page, struct banyan_error *err)
{
    const struct banyan_game *game = page->replay.record->game;
    char *text = page_picture(game, page->replay.state);
    json_t *board = text ? page_board(&page->lines, text, page_has_picture(game)) : NULL;
    free(text);
    if (json_array_append_new(page->boards, board) != 0)
        return page_no_memory(err);
    if (!game->points)
        return BANYAN_OK;
    float points[BANYAN_MAX_PLAYERS];
    json_t *score = json_array();
    game->points(game, page->replay.state, points);
    for (int p = 0; p < game->players; ++p)
        json_array_append_new(score, page_number((double)points[p]));
    return json_array_append_new(page->scores, score) == 0 ? BANYAN_OK : page_no_memory(err);
}

static enum banyan_status page_replay(struct page *page, struct banyan_error *err)
{
    enum banyan_status status = page_add_state(page, err);
    for (int ply = 0; status == BANYAN_OK && ply < page->replay.record->plies; ++ply) {
        status = game_replay_next(&page->replay, err);
        if (status == BANYAN_OK && json_array_append_new(page->plies, page_ply(page, ply)) != 0)
            status = page_no_memory(err);
        if (status == BANYAN_OK)
            status = page_add_state(page, err);
    }
    return status == BANYAN_OK ? game_replay_check(&page->replay, err) : status;
}

/* --- the result --- */

/* The player with the highest return; -1: several. */
static int page_winner(const struct game_record *record)
{
    int best = 0, equal = 1;
    for (int p = 1; p < record->game->players; ++p) {
        equal = record->returns[p] == record->returns[best]  ? equal + 1
                : record->returns[p] > record->returns[best] ? 1
                                                             : equal;
        best = record->returns[p] > record->returns[best] ? p : best;
    }
    return equal == 1 ? best : -1;
}

static void page_add_numbers(const struct game_record *record, struct text *text)
{
    for (int p = 0; p < record->game->players; ++p)
        text_add(text, "%s%g", p ? " : " : ", ",
                 (double)(record->has_points ? record->points[p] : record->returns[p]));
}

static json_t *page_result(const struct game_record *record)
{
    const struct banyan_game *game = record->game;
    char out[512];
    struct text text = text_start(out, sizeof out);
    int winner = page_winner(record);
    if (record->overstepped >= 0)
        text_add(&text, "%s ran out of time", banyan_game_player_name(game, record->overstepped));
    else if (record->forfeited >= 0)
        text_add(&text, "%s broke a rule%s%.300s", banyan_game_player_name(game, record->forfeited),
                 record->reason ? ": " : "", record->reason ? record->reason : "");
    else if (!record->finished)
        text_add(&text, "not finished");
    else if (game->players == 1)
        text_add(&text, "the end");
    else if (winner < 0)
        text_add(&text, "a draw");
    else
        text_add(&text, "%s wins", banyan_game_player_name(game, winner));
    if (record->finished || record->has_points)
        page_add_numbers(record, &text);
    return json_string(out);
}

/* The colours in which the game's own picture shows the first two players, or null.  They are found by
 * the name of the first player; "X" has colours in Connect Four only. */
static json_t *page_colours(const struct banyan_game *game)
{
    static const struct {
        const char *first, *game, *colours[2];
    } rows[] = {{"home", "", {"#b3261e", "#1f4e9c"}},
                {"black", "", {"#111111", "#9a9a9a"}},
                {"X", "connect4", {"#c0392b", "#d4a800"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(banyan_game_player_name(game, 0), rows[i].first) == 0 &&
            (!*rows[i].game || strcmp(game->name, rows[i].game) == 0))
            return json_pack("[s, s]", rows[i].colours[0], rows[i].colours[1]);
    return json_null();
}

static json_t *page_data(struct page *page, const char *source)
{
    const struct game_record *record = page->replay.record;
    const struct banyan_game *game = record->game;
    json_t *seats = json_array(), *players = json_array();
    for (int p = 0; p < game->players; ++p) {
        json_array_append_new(seats, json_string(banyan_game_player_name(game, p)));
        json_array_append_new(players,
                              record->players[p] ? json_string(record->players[p]) : json_null());
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:[f, f], s:O, s:O?, s:b, s:O, s:O}", "title",
                     game->title, "source", source, "seats", seats, "players", players, "result",
                     page_result(record), "colours", page_colours(game), "range",
                     (double)game->return_min, (double)game->return_max, "plies", page->plies,
                     "scores", game->points ? page->scores : NULL, "svg", page_has_picture(game),
                     "lines", page->lines.lines, "boards", page->boards);
}

/* --- writing --- */

/* A '<' stands only inside of strings of JSON; as \u003c it cannot end the element around the data. */
static int page_put(const char *text, size_t length, void *file)
{
    for (size_t i = 0; i < length; ++i)
        if (text[i] == '<' ? fputs("\\u003c", file) == EOF : putc(text[i], file) == EOF)
            return -1;
    return 0;
}

static enum banyan_status page_put_all(const json_t *data, FILE *out, struct banyan_error *err)
{
    static const char mark[] = "@DATA@";
    const char *at = strstr(page_html, mark);
    errno = 0;
    if (!data)
        return page_no_memory(err);
    bool good =
        fwrite(page_html, 1, (size_t)(at - page_html), out) == (size_t)(at - page_html) &&
        json_dump_callback(data, page_put, out, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0 &&
        fputs(at + sizeof mark - 1, out) != EOF;
    return good ? BANYAN_OK
                : banyan_fail(err, BANYAN_IO, "cannot write the page: %s", strerror(errno));
}

enum banyan_status page_write(struct game_record *record, const char *source, FILE *out,
                              struct banyan_error *err)
{
    struct page page = {.lines.lines = json_array(),
                        .boards = json_array(),
                        .scores = json_array(),
                        .plies = json_array()};
    json_t *data = NULL;
    enum banyan_status status = game_replay_begin(&page.replay, record, err);
    if (status == BANYAN_OK) {
        status = page_replay(&page, err);
        if (status == BANYAN_OK) {
            data = page_data(&page, source);
            status = page_put_all(data, out, err);
        }
        game_replay_end(&page.replay);
    }
    json_decref(data);
    json_decref(page.lines.lines);
    json_decref(page.boards);
    json_decref(page.scores);
    json_decref(page.plies);
    free(page.lines.slots);
    return status;
}
