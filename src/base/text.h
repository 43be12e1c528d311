/* Text that grows in a caller's buffer, for functions that promise what snprintf does: never write
 * past size, always close with a 0, count the full length. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

struct text {
    char *out;     /* borrowed; may be NULL when size is 0 */
    size_t size;   /* bytes at out */
    size_t length; /* of the whole text, whether it fitted or not */
};

/* Empty text in out[size]. */
struct text text_start(char *out, size_t size);

void text_add(struct text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
