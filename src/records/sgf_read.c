/* Reads games of Go in the Smart Game Format. */
#include "records/sgf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SGF_SIZE_MAX = 52, SGF_VALUE_MAX = 256 };

enum sgf_stone { SGF_EMPTY, SGF_BLACK, SGF_WHITE };

/* A point as the file names it: the first column and row are 0; column -1: a pass. */
struct sgf_point {
    int column, row;
};

struct sgf_move {
    int player;
    struct sgf_point point;
};

struct sgf_reader {
    const char *at, *end;
    struct sgf_game *out;
    int size, handicap, first; /* first: the player; -1: the file does not say it */
    int plies_max, move_count;
    bool done; /* plies_max moves are read */
    char komi[16];
    uint8_t stones[SGF_SIZE_MAX][SGF_SIZE_MAX]; /* [row][column] at the start */
    struct sgf_move moves[SGF_MOVES_MAX];
};

static const char sgf_columns[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; /* of Banyan's texts */

/* --- properties --- */

typedef enum banyan_status sgf_property_fn(struct sgf_reader *reader, const char *name,
                                           const char *value, struct banyan_error *err);

static enum banyan_status sgf_kind(struct sgf_reader *reader, const char *name, const char *value,
                                   struct banyan_error *err)
{
    (void)reader, (void)name;
    return strcmp(value, "1") == 0
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_UNSUPPORTED, "GM[%.10s] is not Go, which is GM[1]", value);
}

static enum banyan_status sgf_size(struct sgf_reader *reader, const char *name, const char *value,
                                   struct banyan_error *err)
{
    char *end;
    long columns = strtol(value, &end, 10),
         rows = *end == ':' ? strtol(end + 1, &end, 10) : columns;
    (void)name;
    if (*end || columns != rows || columns < 1 || columns > SGF_SIZE_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "SZ[%.10s] is no size of a square board of 1 to %d", value,
                           SGF_SIZE_MAX);
    reader->size = (int)columns;
    return BANYAN_OK;
}

static enum banyan_status sgf_komi(struct sgf_reader *reader, const char *name, const char *value,
                                   struct banyan_error *err)
{
    char *end;
    double komi = strtod(value, &end);
    (void)name;
    if (strspn(value, "+-.0123456789") != strlen(value) || *end || end == value)
        return banyan_fail(err, BANYAN_CORRUPT, "KM[%.20s] is not a number", value);
    snprintf(reader->komi, sizeof reader->komi, "%.6g", komi);
    return BANYAN_OK;
}

static enum banyan_status sgf_handicap(struct sgf_reader *reader, const char *name,
                                       const char *value, struct banyan_error *err)
{
    char *end;
    long stones = strtol(value, &end, 10);
    (void)name;
    if (*end || stones < 0 || stones > SGF_SIZE_MAX * SGF_SIZE_MAX)
        return banyan_fail(err, BANYAN_CORRUPT, "HA[%.10s] is no number of stones", value);
    reader->handicap = (int)stones;
    return BANYAN_OK;
}

static enum banyan_status sgf_first(struct sgf_reader *reader, const char *name, const char *value,
                                    struct banyan_error *err)
{
    (void)name, (void)err;
    reader->first = toupper((unsigned char)*value) == 'W';
    return BANYAN_OK;
}

static enum banyan_status sgf_name(struct sgf_reader *reader, const char *name, const char *value,
                                   struct banyan_error *err)
{
    struct sgf_about *about = &reader->out->about;
    char *out = strcmp(name, "RE") == 0 ? about->result : about->players[strcmp(name, "PW") == 0];
    (void)err;
    snprintf(out, SGF_NAME_MAX, "%.*s", SGF_NAME_MAX - 1, value);
    return BANYAN_OK;
}

/* --- points --- */

static int sgf_letter(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? 26 + c - 'A' : -1;
}

static bool sgf_point(const char *value, struct sgf_point *out)
{
    *out = (struct sgf_point){sgf_letter(value[0]), value[0] ? sgf_letter(value[1]) : -1};
    return out->column >= 0 && out->row >= 0;
}

static enum banyan_status sgf_no_point(const char *name, const char *value,
                                       struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_CORRUPT, "%s[%.10s] is no point: write two letters, as in [ee]",
                       name, value);
}

/* AB, AW, AE: a point, or a rectangle "aa:cc". */
static enum banyan_status sgf_place(struct sgf_reader *reader, const char *name, const char *value,
                                    struct banyan_error *err)
{
    struct sgf_point from, to;
    uint8_t stone = name[1] == 'B' ? SGF_BLACK : name[1] == 'W' ? SGF_WHITE : SGF_EMPTY;
    size_t length = strlen(value);
    if (!sgf_point(value, &from) || (length != 2 && (length != 5 || value[2] != ':')))
        return sgf_no_point(name, value, err);
    to = from;
    if (length == 5 && !sgf_point(value + 3, &to))
        return sgf_no_point(name, value, err);
    if (reader->move_count > 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s[%.10s] changes the board after move %d",
                           name, value, reader->move_count);
    for (int row = from.row; row <= to.row; ++row)
        for (int column = from.column; column <= to.column; ++column)
            reader->stones[row][column] = stone;
    return BANYAN_OK;
}

static enum banyan_status sgf_move(struct sgf_reader *reader, const char *name, const char *value,
                                   struct banyan_error *err)
{
    struct sgf_move move = {.player = *name == 'W', .point = {-1, -1}};
    if (*value && (!sgf_point(value, &move.point) || value[2]))
        return sgf_no_point(name, value, err);
    reader->done = reader->move_count == reader->plies_max;
    if (reader->done)
        return BANYAN_OK;
    if (reader->move_count == SGF_MOVES_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the game has more than %d moves",
                           SGF_MOVES_MAX);
    reader->moves[reader->move_count++] = move;
    return BANYAN_OK;
}

static const struct {
    const char *name;
    sgf_property_fn *read;
} sgf_properties[] = {{"GM", sgf_kind},  {"SZ", sgf_size},  {"KM", sgf_komi},  {"HA", sgf_handicap},
                      {"PL", sgf_first}, {"PB", sgf_name},  {"PW", sgf_name},  {"RE", sgf_name},
                      {"AB", sgf_place}, {"AW", sgf_place}, {"AE", sgf_place}, {"B", sgf_move},
                      {"W", sgf_move},   {NULL, NULL}};

/* --- the tree --- */

static enum banyan_status sgf_broken(const struct sgf_reader *reader, struct banyan_error *err)
{
    return reader->at == reader->end
               ? banyan_fail(err, BANYAN_CORRUPT, "the game ends without ')'")
               : banyan_fail(err, BANYAN_CORRUPT, "'%c' is out of place after move %d",
                             isprint((unsigned char)*reader->at) ? *reader->at : '?',
                             reader->move_count);
}

static void sgf_skip_blanks(struct sgf_reader *reader)
{
    while (reader->at < reader->end && isspace((unsigned char)*reader->at))
        ++reader->at;
}

/* Reads the value after '['; what does not fit into value[SGF_VALUE_MAX] is left out.  False: it
 * has no end. */
static bool sgf_value(struct sgf_reader *reader, char *value)
{
    size_t length = 0;
    for (; reader->at < reader->end && *reader->at != ']'; ++reader->at) {
        bool escaped = *reader->at == '\\' && reader->at + 1 < reader->end;
        char c = *(reader->at += escaped);
        if (c == '\n' && escaped)
            continue;
        if (length < SGF_VALUE_MAX - 1 && c)
            value[length++] = isspace((unsigned char)c) ? ' ' : c;
    }
    value[length] = 0;
    return reader->at < reader->end && *reader->at++ == ']';
}

/* Reads a name and its values. */
static enum banyan_status sgf_read_property(struct sgf_reader *reader, struct banyan_error *err)
{
    char name[4], value[SGF_VALUE_MAX];
    size_t length = 0;
    enum banyan_status status = BANYAN_OK;
    for (; reader->at < reader->end && isalpha((unsigned char)*reader->at); ++reader->at)
        if (isupper((unsigned char)*reader->at) && length < sizeof name - 1)
            name[length++] = *reader->at; /* FF[3] and older have small letters, too */
    name[length] = 0;
    int i = 0;
    while (sgf_properties[i].name && strcmp(sgf_properties[i].name, name) != 0)
        ++i;
    int values = 0;
    for (sgf_skip_blanks(reader); reader->at < reader->end && *reader->at == '['; ++values) {
        ++reader->at;
        if (!sgf_value(reader, value))
            return sgf_broken(reader, err);
        if (sgf_properties[i].name && status == BANYAN_OK)
            status = sgf_properties[i].read(reader, name, value, err);
        sgf_skip_blanks(reader);
    }
    return values || status != BANYAN_OK ? status : sgf_broken(reader, err);
}

/* Reads nodes up to the first ')': the main line is the first variation everywhere. */
static enum banyan_status sgf_read_line(struct sgf_reader *reader, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && !reader->done) {
        sgf_skip_blanks(reader);
        if (reader->at == reader->end)
            return sgf_broken(reader, err);
        if (*reader->at == ')')
            break;
        if (*reader->at == ';' || *reader->at == '(')
            ++reader->at;
        else
            status = isalpha((unsigned char)*reader->at) ? sgf_read_property(reader, err)
                                                         : sgf_broken(reader, err);
    }
    return status;
}

/* Finds the "(;" with which a game begins, and moves to its ';'. */
static bool sgf_find_game(struct sgf_reader *reader)
{
    for (; reader->at < reader->end; ++reader->at)
        if (*reader->at == '(') {
            ++reader->at;
            sgf_skip_blanks(reader);
            if (reader->at < reader->end && *reader->at == ';')
                return true;
            --reader->at;
        }
    return false;
}

/* --- Banyan's texts --- */

static bool sgf_is_pass(const struct sgf_reader *reader, const struct sgf_point *point)
{
    return point->column < 0 || (reader->size <= 19 && point->column == 19 && point->row == 19);
}

/* Adds a point.  False: the board does not have it. */
static bool sgf_add_point(const struct sgf_reader *reader, struct text *text,
                          const struct sgf_point *point)
{
    if (point->column >= reader->size || point->row >= reader->size)
        return false;
    text_add(text, "%c%d", sgf_columns[point->column], reader->size - point->row);
    return true;
}

/* Adds " black=C3,G7" if there are such stones.  Returns their number, -1: one is not on the board. */
static int sgf_add_stones(const struct sgf_reader *reader, struct text *text, int stone,
                          const char *name)
{
    int count = 0;
    for (int row = 0; row < SGF_SIZE_MAX; ++row)
        for (int column = 0; column < SGF_SIZE_MAX; ++column) {
            if (reader->stones[row][column] != stone)
                continue;
            text_add(text, "%s", count++ ? "," : name);
            if (!sgf_add_point(reader, text, &(struct sgf_point){column, row}))
                return -1;
        }
    return count;
}

static enum banyan_status sgf_settings(struct sgf_reader *reader, struct banyan_error *err)
{
    struct text text = text_start(reader->out->settings, sizeof reader->out->settings);
    char stones[BANYAN_TEXT_MAX];
    struct text placed = text_start(stones, sizeof stones);
    int black = sgf_add_stones(reader, &placed, SGF_BLACK, " black=");
    int white = sgf_add_stones(reader, &placed, SGF_WHITE, " white=");
    if (black < 0 || white < 0)
        return banyan_fail(err, BANYAN_CORRUPT, "a stone is outside the board of SZ[%d]",
                           reader->size);
    bool usual = reader->handicap >= 2 && black + white == 0; /* the file places no stones */
    if (reader->first < 0)
        reader->first = reader->move_count ? reader->moves[0].player : reader->handicap >= 2;
    if (*reader->komi)
        text_add(&text, "komi=%s", reader->komi);
    if (usual)
        text_add(&text, " handicap=%d", reader->handicap);
    text_add(&text, " first=%s%s", reader->first ? "white" : "black", black + white ? stones : "");
    return BANYAN_OK;
}

static enum banyan_status sgf_moves(struct sgf_reader *reader, struct banyan_error *err)
{
    struct sgf_game *out = reader->out;
    struct text text = text_start(out->moves, sizeof out->moves);
    int player = reader->first;
    for (int i = 0; i < reader->move_count; ++i, player = 1 - player) {
        const struct sgf_move *move = &reader->moves[i];
        if (move->player != player) {
            text_add(&text, "pass ");
            player = move->player;
            ++out->plies;
        }
        ++out->plies;
        if (sgf_is_pass(reader, &move->point))
            text_add(&text, "pass");
        else if (!sgf_add_point(reader, &text, &move->point))
            return banyan_fail(err, BANYAN_CORRUPT, "move %d is outside the board of SZ[%d]", i + 1,
                               reader->size);
        text_add(&text, "%s", i + 1 < reader->move_count ? " " : "");
    }
    return text.length < sizeof out->moves
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_UNSUPPORTED, "the game has too many moves");
}

static enum banyan_status sgf_find_board(struct sgf_reader *reader, struct banyan_error *err)
{
    char name[16];
    snprintf(name, sizeof name, reader->size == 19 ? "go" : "go-%dx%d", reader->size, reader->size);
    if (banyan_game_find(name, &reader->out->game, NULL) == BANYAN_OK)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_UNSUPPORTED, "SZ[%d]: there is no game '%s'", reader->size,
                       name);
}

enum banyan_status sgf_read(const char *bytes, size_t length, int plies_max, struct sgf_game *out,
                            struct banyan_error *err)
{
    struct sgf_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    memset(out, 0, sizeof *out);
    *reader = (struct sgf_reader){.at = bytes,
                                  .end = bytes + length,
                                  .out = out,
                                  .size = 19,
                                  .first = -1,
                                  .plies_max = plies_max};
    enum banyan_status status =
        sgf_find_game(reader)
            ? sgf_read_line(reader, err)
            : banyan_fail(err, BANYAN_CORRUPT, "it is no SGF: no game begins with '(;'");
    if (status == BANYAN_OK)
        status = sgf_find_board(reader, err);
    if (status == BANYAN_OK)
        status = sgf_settings(reader, err);
    if (status == BANYAN_OK)
        status = sgf_moves(reader, err);
    free(reader);
    return status;
}
