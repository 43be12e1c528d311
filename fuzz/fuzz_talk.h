/* Shared by targets that hand their bytes to a part of the program, as its standard input or in a
 * file.  What the program prints goes nowhere. */
#ifndef FUZZ_TALK_H
#define FUZZ_TALK_H

#include "fuzz.h"

#include <unistd.h>

static inline void fuzz_silence(void)
{
    static bool silent;
    if (!silent)
        FUZZ_CHECK(freopen("/dev/null", "w", stdout));
    silent = true;
}

static char fuzz_path[] =
    "/tmp/banyan_fuzz_XXXXXX"; /* the file of this process, once it is there */

static inline void fuzz_file_remove(void)
{
    unlink(fuzz_path);
}

/* Writes the bytes into a file, which is removed when the process exits, and returns its name. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static bool made;
    int made_file = made ? -1 : mkstemp(fuzz_path);
    FUZZ_CHECK(made || (made_file >= 0 && close(made_file) == 0 && atexit(fuzz_file_remove) == 0));
    made = true;
    FILE *file = fopen(fuzz_path, "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return fuzz_path;
}

/* Runs a command of the program with these bytes on its standard input. */
static inline int fuzz_command(int (*command)(int, char **), int argc, char **argv,
                               const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fuzz_silence();
    FUZZ_CHECK(freopen(path, "rb", stdin));
    int code = command(argc, argv);
    FUZZ_CHECK(freopen("/dev/null", "rb", stdin)); /* the buffer forgets what was not read */
    return code;
}

#endif
