/* Which version of the library this is.
 *
 * The constants tell the version that a program was compiled with, the functions the version that
 * it runs with.  Until version 1 a new minor version may change the interface; a patch version
 * never does.
 *
 * Threads: any thread.
 */
#ifndef BANYAN_VERSION_H
#define BANYAN_VERSION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cmake reads the version of the project from these three lines. */
#define BANYAN_VERSION_MAJOR 0
#define BANYAN_VERSION_MINOR 1
#define BANYAN_VERSION_PATCH 0

/* For comparisons: 0.1.0 is 100. */
#define BANYAN_VERSION_NUMBER \
    (BANYAN_VERSION_MAJOR * 10000 + BANYAN_VERSION_MINOR * 100 + BANYAN_VERSION_PATCH)

/* BANYAN_VERSION_NUMBER of the library that runs. */
uint32_t banyan_version(void);

/* "0.1.0"; static storage. */
const char *banyan_version_text(void);

#ifdef __cplusplus
}
#endif
#endif
