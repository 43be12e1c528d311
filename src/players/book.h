/* Opening books: lines of actions with visits and means, in a text file
 * (docs/book.md).
 *
 *     book_read --> struct book --book_apply--> tree of a search --book_save--> file
 *
 *     f5 d6 : 60 0.4       # 60 visits of d6 after f5, mean return 0.4 for the player of d6
 *
 * A book does not depend on a game: its lines are read in the position to which it is applied.
 */
#ifndef PLAYERS_BOOK_H
#define PLAYERS_BOOK_H

#include <banyan/game.h>
#include <banyan/search.h>
#include <banyan/status.h>

#include <stddef.h>
#include <stdint.h>

struct book_entry {
    char *actions; /* into text */
    int number;    /* line of the file */
    uint32_t visits;
    double mean; /* mean return for the player of the last action; 0 without visits */
};

struct book {
    char *path;                 /* owned; for messages */
    char *text;                 /* owned */
    struct book_entry *entries; /* [count], owned */
    int count;
};

/* Reads a file; freed with book_free.  BANYAN_INVALID, with file and line: it is not a book. */
enum banyan_status book_read(struct book *book, const char *path, struct banyan_error *err);
/* Reads a book from memory; name: its name in messages. */
enum banyan_status book_read_memory(struct book *book, const char *name, const void *bytes,
                                    size_t size, struct banyan_error *err);
void book_free(struct book *book);

/* Adds every line to the tree of search, whose root is state.  A line that is illegal there is
 * an error with file and line; the lines before it have been added. */
enum banyan_status book_apply(const struct book *book, const struct banyan_game *game,
                              const void *state, struct banyan_search *search,
                              struct banyan_error *err);

/* Writes the tree's actions with at least min_visits visits as a book; the file appears when it
 * is complete.  *lines (may be NULL): number of lines. */
struct book_source {
    const struct banyan_search *search;
    const struct banyan_game *game;
    const void *state; /* state of the root */
};
enum banyan_status book_save(const struct book_source *source, uint64_t min_visits,
                             const char *path, int *lines, struct banyan_error *err);

#endif
