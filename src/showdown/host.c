/* Formats what battles and the lobby send and log, and passes it to their host. */
#include "showdown/host.h"

#include <stdarg.h>
#include <stdio.h>

void host_say(const struct host *host, enum host_level level, const char *format, ...)
{
    char line[600];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    host->say(host->self, level, line);
}

void host_send(const struct host *host, const char *room, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host->send(host->self, room, text);
}
