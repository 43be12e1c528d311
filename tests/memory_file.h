/* A file in memory, for banyan_search_save() and banyan_search_load(). */
#ifndef TESTS_MEMORY_FILE_H
#define TESTS_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct memory_file {
    unsigned char *at; /* [length], the caller frees it */
    size_t length, room;
    size_t next;  /* the byte that is read next */
    size_t space; /* bytes that may still be written; then writing fails, as on a full disk */
};

static inline bool memory_file_put(void *ctx, const void *bytes, size_t length)
{
    struct memory_file *file = ctx;
    if (length > file->space)
        return false;
    if (file->length + length >= file->room) {
        file->room = 2 * (file->length + length) + 1;
        unsigned char *grown = realloc(file->at, file->room);
        if (!grown)
            return false;
        file->at = grown;
    }
    memcpy(file->at + file->length, bytes, length);
    file->length += length;
    file->space -= length;
    return true;
}

static inline bool memory_file_get(void *ctx, void *bytes, size_t length)
{
    struct memory_file *file = ctx;
    if (length > file->length - file->next)
        return false;
    memcpy(bytes, file->at + file->next, length);
    file->next += length;
    return true;
}

#endif
