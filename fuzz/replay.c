/* Runs a fuzz target over files instead of under libFuzzer, so that every input that is worth
 * keeping is an ordinary test in all builds.  Arguments: files, and folders of files. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replayed;

static void replay_fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(EXIT_FAILURE);
}

/* The copy has exactly the size of the input: a byte too far is found by AddressSanitizer. */
static void replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size)
        replay_fail(path);
    fclose(file);
    printf("%s\n", path);
    fflush(stdout); /* if the target crashes, the last line names the file */
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    ++replayed;
}

static void replay_path(const char *path);

static int replay_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, replay_visible, alphasort);
    if (count < 0)
        replay_fail(path);
    for (int i = 0; i < count; ++i) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        replay_path(name);
        free(entries[i]);
    }
    free(entries);
}

static void replay_path(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        replay_fail(path);
    if (S_ISDIR(status.st_mode))
        replay_folder(path);
    else
        replay_file(path, (size_t)status.st_size);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        replay_path(argv[i]);
    printf("%d inputs\n", replayed);
    return replayed ? EXIT_SUCCESS : EXIT_FAILURE;
}
