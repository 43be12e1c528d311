#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

struct text text_start(char *out, size_t size)
{
    if (size)
        *out = 0;
    return (struct text){.out = out, .size = size};
}

void text_add(struct text *text, const char *format, ...)
{
    size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list args;
    va_start(args, format);
    int written = vsnprintf(room ? text->out + text->length : NULL, room, format, args);
    va_end(args);
    if (written > 0)
        text->length += (size_t)written;
}
