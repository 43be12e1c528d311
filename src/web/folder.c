/* Lists a folder. */
#include "web/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct folder_file {
    char *name; /* owned */
    struct timespec changed;
};

struct folder_list {
    struct folder_file *file; /* [room] */
    size_t count, room;
};

static bool folder_is_file(DIR *folder, const char *name, struct stat *about)
{
    return fstatat(dirfd(folder), name, about, 0) == 0 && S_ISREG(about->st_mode);
}

static void folder_add(struct folder_list *list, const char *name, const struct stat *about)
{
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        void *more = realloc(list->file, room * sizeof *list->file);
        if (!more)
            return;
        list->file = more;
        list->room = room;
    }
    char *copy = strdup(name);
    if (copy)
        list->file[list->count++] = (struct folder_file){copy, about->st_mtim};
}

/* The newest first; of equally old ones the last by name. */
static int folder_by_age(const void *a, const void *b)
{
    const struct folder_file *x = a, *y = b;
    if (x->changed.tv_sec != y->changed.tv_sec)
        return x->changed.tv_sec < y->changed.tv_sec ? 1 : -1;
    if (x->changed.tv_nsec != y->changed.tv_nsec)
        return x->changed.tv_nsec < y->changed.tv_nsec ? 1 : -1;
    return strcmp(y->name, x->name);
}

static int folder_by_name(const void *a, const void *b)
{
    return strcmp(((const struct folder_file *)a)->name, ((const struct folder_file *)b)->name);
}

/* Sorts what is shown to the front; returns how many those are. */
static size_t folder_sort(struct folder_list *list)
{
    size_t shown = list->count < FOLDER_FILES ? list->count : FOLDER_FILES;
    if (list->count) {
        qsort(list->file, list->count, sizeof *list->file, folder_by_age);
        qsort(list->file, shown, sizeof *list->file, folder_by_name);
    }
    return shown;
}

json_t *folder_files(const char *folder, folder_wants *wanted)
{
    struct folder_list list = {NULL, 0, 0};
    struct stat about;
    json_t *out = json_array();
    DIR *files = folder ? opendir(folder) : NULL;
    if (!files)
        return out;
    for (struct dirent *file; (file = readdir(files));)
        if (wanted(folder, file->d_name) && folder_is_file(files, file->d_name, &about))
            folder_add(&list, file->d_name, &about);
    closedir(files);
    size_t shown = folder_sort(&list);
    for (size_t i = 0; i < shown; ++i) {
        json_t *name = json_string(list.file[i].name); /* NULL if it is not UTF-8 */
        if (name)
            json_array_append_new(out, name);
    }
    for (size_t i = 0; i < list.count; ++i)
        free(list.file[i].name);
    free(list.file);
    return out;
}

bool folder_has(const char *folder, const char *name, folder_wants *wanted)
{
    struct stat about;
    DIR *files = folder && !strchr(name, '/') ? opendir(folder) : NULL;
    if (!files)
        return false;
    bool has = wanted(folder, name) && folder_is_file(files, name, &about);
    closedir(files);
    return has;
}
