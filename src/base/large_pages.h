/* Large pages for tables that are read at random. */
#ifndef BASE_LARGE_PAGES_H
#define BASE_LARGE_PAGES_H

#include <stddef.h>

/* Asks Linux to keep this memory in pages of 2 MiB where it can: a processor remembers where some thousand pages are,
 * so reading a table of many small pages at random costs more.  Call it before the memory is written.  It is only a
 * wish: elsewhere, and where Linux refuses, nothing happens. */
void large_pages(void *memory, size_t bytes);

#endif
