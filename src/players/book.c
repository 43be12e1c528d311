/* Reads and writes opening books, and puts their lines into the tree of a search. */
#include "players/book.h"
#include "base/input.h"
#include "base/movers.h"
#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOOK_WORD_MAX = 512 };

#define BOOK_BLANKS " \t\r"

/* --- reading --- */

static enum banyan_status book_fail(const struct book *book, int number, enum banyan_status status,
                                    struct banyan_error *err, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

static enum banyan_status book_fail(const struct book *book, int number, enum banyan_status status,
                                    struct banyan_error *err, const char *format, ...)
{
    char message[BANYAN_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return banyan_fail(err, status, "%s:%d: %s", book->path, number, message);
}

/* Reads a whole number that fits in 32 bits at *at, and moves *at past it. */
static bool book_take_visits(const char **at, uint32_t *visits)
{
    char *end;
    if (**at < '0' || **at > '9') /* strtoull would accept a sign */
        return false;
    errno = 0;
    unsigned long long value = strtoull(*at, &end, 10);
    if (errno || value > UINT32_MAX || (*end && !strchr(BOOK_BLANKS, *end)))
        return false;
    *visits = (uint32_t)value;
    *at = end + strspn(end, BOOK_BLANKS);
    return true;
}

static bool book_take_mean(const char **at, double *mean)
{
    char *end;
    *mean = strtod(*at, &end);
    if (end == *at || !isfinite(*mean) || *(end + strspn(end, BOOK_BLANKS)))
        return false;
    *at = end;
    return true;
}

static char *book_trim(char *text)
{
    text += strspn(text, BOOK_BLANKS);
    size_t length = strlen(text);
    while (length && strchr(BOOK_BLANKS, text[length - 1]))
        text[--length] = 0;
    return text;
}

/* Reads a line that is not empty, without its comment: "ACTIONS : VISITS MEAN". */
static enum banyan_status book_parse_line(const struct book *book, char *line,
                                          struct book_entry *entry, struct banyan_error *err)
{
    char *colon = strrchr(line, ':');
    if (!colon)
        return book_fail(book, entry->number, BANYAN_INVALID, err,
                         "'%.60s' has no numbers: a line is ACTIONS : VISITS MEAN", line);
    *colon = 0;
    entry->actions = book_trim(line);
    if (!*entry->actions)
        return book_fail(book, entry->number, BANYAN_INVALID, err, "no action before ':'");
    const char *at = colon + 1 + strspn(colon + 1, BOOK_BLANKS), *numbers = at;
    if (!book_take_visits(&at, &entry->visits))
        return book_fail(book, entry->number, BANYAN_INVALID, err,
                         "'%.60s' does not begin with visits, a whole number of 0..%lu", numbers,
                         (unsigned long)UINT32_MAX);
    if (!*at && entry->visits == 0)
        return BANYAN_OK;
    if (!book_take_mean(&at, &entry->mean))
        return book_fail(book, entry->number, BANYAN_INVALID, err,
                         "'%.60s' is not VISITS MEAN: one mean return, a number", numbers);
    return BANYAN_OK;
}

static enum banyan_status book_parse(struct book *book, struct banyan_error *err)
{
    int room = 0, number = 1;
    enum banyan_status status = BANYAN_OK;
    for (char *next = book->text; next && *next && status == BANYAN_OK; ++number) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line[strcspn(line, "#")] = 0;
        line = book_trim(line);
        if (!*line)
            continue;
        if (book->count == room) {
            room = room ? 2 * room : 256;
            struct book_entry *entries = realloc(book->entries, (size_t)room * sizeof *entries);
            if (!entries)
                return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for book '%s'", book->path);
            book->entries = entries;
        }
        struct book_entry *entry = &book->entries[book->count++];
        *entry = (struct book_entry){.number = number};
        status = book_parse_line(book, line, entry, err);
    }
    return status;
}

/* Reads the book from text[size], which is owned and followed by a 0. */
static enum banyan_status book_take(struct book *book, const char *path, char *text, size_t size,
                                    struct banyan_error *err)
{
    *book = (struct book){.path = strdup(path), .text = text};
    enum banyan_status status = BANYAN_OK;
    if (!text || !book->path)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for book '%s'", path);
    else if (memchr(text, 0, size))
        status = banyan_fail(err, BANYAN_INVALID, "%s: not a text file", path);
    else
        status = book_parse(book, err);
    if (status != BANYAN_OK)
        book_free(book);
    return status;
}

enum banyan_status book_read_memory(struct book *book, const char *name, const void *bytes,
                                    size_t size, struct banyan_error *err)
{
    char *text = malloc(size + 1);
    if (text) {
        if (size)
            memcpy(text, bytes, size);
        text[size] = 0;
    }
    return book_take(book, name, text, size, err);
}

enum banyan_status book_read(struct book *book, const char *path, struct banyan_error *err)
{
    memset(book, 0, sizeof *book);
    char *text;
    size_t used;
    enum banyan_status status = input_read(path, "book ", &text, &used, err);
    if (status != BANYAN_OK)
        return status;
    return book_take(book, path, text, used, err);
}

void book_free(struct book *book)
{
    free(book->path);
    free(book->text);
    free(book->entries);
    memset(book, 0, sizeof *book);
}

/* --- from a book into a tree --- */

/* Copies the next action's text to word; *cursor moves past it.  False: no action is left. */
static bool book_word(const char **cursor, const char *separators, char word[BOOK_WORD_MAX])
{
    *cursor += strspn(*cursor, separators);
    size_t length = strcspn(*cursor, separators);
    size_t kept = length < BOOK_WORD_MAX ? length : BOOK_WORD_MAX - 1;
    memcpy(word, *cursor, kept);
    word[kept] = 0;
    *cursor += length;
    return length > 0;
}

/* Reads the actions of an entry into line[max_plies], their number into *length, and plays them in state. */
static enum banyan_status book_play(const struct banyan_game *game, const char *actions,
                                    void *state, banyan_action *line, int *length,
                                    struct banyan_error *err)
{
    const char *separators = strchr(actions, ';') ? ";" : BOOK_BLANKS;
    char word[BOOK_WORD_MAX];
    for (*length = 0; book_word(&actions, separators, word); ++*length) {
        const char *text = book_trim(word);
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        unsigned movers = game->movers(game, state);
        int mover = movers_first(movers);
        if (!movers || *length == game->max_plies)
            return banyan_fail(err, BANYAN_ILLEGAL, "the game is over before '%.40s'", text);
        enum banyan_status status =
            game->action_parse(game, state, mover, text, &joint[mover], err);
        if (status != BANYAN_OK)
            return status;
        line[*length] = joint[mover];
        game->apply(game, state, joint, NULL);
    }
    return BANYAN_OK;
}

/* The tree that gets the lines of a book. */
struct book_target {
    struct banyan_search *search;
    const struct banyan_game *game;
    const void *start;   /* the root's state */
    void *state;         /* working memory */
    banyan_action *line; /* [max_plies] */
};

static enum banyan_status book_apply_all(const struct book *book, const struct book_target *to,
                                         struct banyan_error *err)
{
    for (int i = 0; i < book->count; ++i) {
        const struct book_entry *entry = &book->entries[i];
        struct banyan_error problem = {.message = ""};
        int length;
        memcpy(to->state, to->start, to->game->state_size);
        enum banyan_status status =
            book_play(to->game, entry->actions, to->state, to->line, &length, &problem);
        if (status == BANYAN_OK)
            status = banyan_search_add_line(to->search, to->line, length, entry->visits,
                                            entry->mean, &problem);
        if (status != BANYAN_OK)
            return book_fail(book, entry->number, status, err, "%s", problem.message);
    }
    return BANYAN_OK;
}

enum banyan_status book_apply(const struct book *book, const struct banyan_game *game,
                              const void *state, struct banyan_search *search,
                              struct banyan_error *err)
{
    /* with dice, hidden cards or simultaneous choices, a line of actions leads to many positions */
    if (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "book '%s': %s has dice, hidden cards or choices at the same time: "
                           "no opening book can be used",
                           book->path, game->name);
    const struct book_target to = {
        .search = search,
        .game = game,
        .start = state,
        .state = malloc(game->state_size),
        .line = malloc((size_t)game->max_plies * sizeof(banyan_action)),
    };
    enum banyan_status status =
        to.state && to.line
            ? book_apply_all(book, &to, err)
            : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for book '%s'", book->path);
    free(to.state);
    free(to.line);
    return status;
}

/* --- from a tree into a book --- */

enum { BOOK_LINE_MAX = 1 << 16 };

struct book_writer {
    const struct banyan_game *game;
    const void *start;
    void *state;
    FILE *file;
    char *line; /* [BOOK_LINE_MAX] */
    int lines;
    enum banyan_status status;
    struct banyan_error *err;
};

/* Writes the actions' texts, each followed by a semicolon, into writer->line. */
static enum banyan_status book_format(struct book_writer *writer, const banyan_action *line,
                                      int length)
{
    const struct banyan_game *game = writer->game;
    size_t used = 0;
    memcpy(writer->state, writer->start, game->state_size);
    for (int i = 0; i < length; ++i) {
        char text[BANYAN_TEXT_MAX];
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        int mover = movers_first(game->movers(game, writer->state));
        game->action_format(game, writer->state, mover, line[i], text, sizeof text);
        if (strpbrk(text, "#;\n"))
            return banyan_fail(writer->err, BANYAN_UNSUPPORTED,
                               "'%.60s' cannot be written into a book", text);
        used += (size_t)snprintf(writer->line + used, BOOK_LINE_MAX - used, "%s;", text);
        if (used >= BOOK_LINE_MAX)
            return banyan_fail(writer->err, BANYAN_UNSUPPORTED,
                               "a line of more than %d characters: raise min-visits",
                               BOOK_LINE_MAX);
        joint[mover] = line[i];
        game->apply(game, writer->state, joint, NULL);
    }
    return BANYAN_OK;
}

/* Writes one line of the book; blanks replace the semicolons if no action has a blank in its text. */
static void book_write_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                            double mean)
{
    struct book_writer *writer = ctx;
    if (writer->status == BANYAN_OK)
        writer->status = book_format(writer, line, length);
    if (writer->status != BANYAN_OK)
        return;
    if (!strpbrk(writer->line, BOOK_BLANKS))
        for (char *at = writer->line; (at = strchr(at, ';')) != NULL;)
            *at = ' ';
    fprintf(writer->file, "%s: %lu %.9g\n", writer->line, (unsigned long)visits, mean);
    ++writer->lines;
}

static void book_write_head(struct book_writer *writer, uint64_t min_visits)
{
    char text[BANYAN_TEXT_MAX];
    writer->game->format(writer->game, writer->start, text, sizeof text);
    fprintf(writer->file, "# Opening book of banyan, for %s: ACTIONS : VISITS MEAN\n",
            writer->game->name);
    fprintf(writer->file, "# from: %.*s\n", (int)strcspn(text, "\n"), text);
    fprintf(writer->file, "# actions with at least %lu visits\n", (unsigned long)min_visits);
}

static enum banyan_status book_write(struct book_writer *writer, const struct banyan_search *search,
                                     uint64_t min_visits)
{
    book_write_head(writer, min_visits);
    enum banyan_status status =
        banyan_search_each_line(search, min_visits, book_write_line, writer, writer->err);
    return status == BANYAN_OK ? writer->status : status;
}

enum banyan_status book_save(const struct book_source *source, uint64_t min_visits,
                             const char *path, int *lines, struct banyan_error *err)
{
    struct book_writer writer = {.game = source->game, .start = source->state, .err = err};
    struct output output;
    writer.state = malloc(source->game->state_size);
    writer.line = malloc(BOOK_LINE_MAX);
    enum banyan_status status = BANYAN_OK;
    if (!writer.state || !writer.line)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for book '%s'", path);
    if (status == BANYAN_OK)
        status = output_open(&output, path, err);
    if (status == BANYAN_OK) {
        writer.file = output.stream;
        status = output_close(&output, book_write(&writer, source->search, min_visits), err);
    }
    if (status == BANYAN_OK && lines)
        *lines = writer.lines;
    free(writer.state);
    free(writer.line);
    return status;
}
