/* Copies that the owner of a queue keeps of what it wrote: bytes by number or by name.
 *
 * Threads: one at a time.
 */
#ifndef QUEUE_REDIS_COPIES_H
#define QUEUE_REDIS_COPIES_H

#include "queue/queue.h"

enum { COPIES_SLOTS = 4096 };

struct redis_copy {
    struct redis_copy *next; /* in the same slot of the table */
    uint64_t number;
    size_t length;
    bool seen;                 /* a mark for the caller's use */
    char name[QUEUE_NAME + 1]; /* "": known by its number */
    char bytes[];              /* [length] */
};

struct redis_copies {
    struct redis_copy *slots[COPIES_SLOTS];
};

/* Keeps a copy, in place of one that has this number and name.  False: no memory. */
bool redis_copies_keep(struct redis_copies *copies, uint64_t number, const char *name,
                       const void *bytes, size_t length);

/* NULL: there is none. */
struct redis_copy *redis_copies_find(struct redis_copies *copies, uint64_t number,
                                     const char *name);

/* Writes the numbers of copies that lie in first .. first + count - 1, at most `room`; returns how many. */
int redis_copies_range(const struct redis_copies *copies, uint64_t first, uint64_t count,
                       uint64_t out[], int room);

void redis_copies_remove(struct redis_copies *copies, uint64_t number, const char *name);
void redis_copies_clear(struct redis_copies *copies);

#endif
