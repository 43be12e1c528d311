/* Copies of what the owner of a queue wrote. */
#include "queue/redis_copies.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pointer that leads to the copy; it points to NULL if there is none. */
static struct redis_copy **copies_at(struct redis_copies *copies, uint64_t number, const char *name)
{
    struct redis_copy **at = &copies->slots[rng_mix(number) % COPIES_SLOTS];
    while (*at && ((*at)->number != number || strcmp((*at)->name, name) != 0))
        at = &(*at)->next;
    return at;
}

bool redis_copies_keep(struct redis_copies *copies, uint64_t number, const char *name,
                       const void *bytes, size_t length)
{
    struct redis_copy *copy = malloc(sizeof *copy + length);
    if (!copy)
        return false;
    *copy = (struct redis_copy){.number = number, .length = length};
    snprintf(copy->name, sizeof copy->name, "%s", name);
    if (length)
        memcpy(copy->bytes, bytes, length);
    redis_copies_remove(copies, number, name);
    *copies_at(copies, number, name) = copy;
    return true;
}

struct redis_copy *redis_copies_find(struct redis_copies *copies, uint64_t number, const char *name)
{
    return *copies_at(copies, number, name);
}

int redis_copies_range(const struct redis_copies *copies, uint64_t first, uint64_t count,
                       uint64_t out[], int room)
{
    int found = 0;
    for (int i = 0; i < COPIES_SLOTS; ++i)
        for (const struct redis_copy *at = copies->slots[i]; at && found < room; at = at->next)
            if (at->number - first < count)
                out[found++] = at->number;
    return found;
}

void redis_copies_remove(struct redis_copies *copies, uint64_t number, const char *name)
{
    struct redis_copy **at = copies_at(copies, number, name), *copy = *at;
    if (copy)
        *at = copy->next;
    free(copy);
}

void redis_copies_clear(struct redis_copies *copies)
{
    for (int i = 0; i < COPIES_SLOTS; ++i)
        while (copies->slots[i]) {
            struct redis_copy *next = copies->slots[i]->next;
            free(copies->slots[i]);
            copies->slots[i] = next;
        }
}
