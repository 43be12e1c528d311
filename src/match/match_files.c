/* Sends the files that players need to the workers of a match. */
#include "match/match_files.h"

#include "base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_PATH = 1024 };

/* Copies the next word of *text, which moves past it and the character that ends it.  Returns the
 * character, 0 at the end of the text; a word that is too long is empty. */
static char files_word(const char **text, char word[FILES_PATH])
{
    size_t length = strcspn(*text, ":,=()|");
    snprintf(word, FILES_PATH, "%.*s", length < FILES_PATH ? (int)length : 0, *text);
    *text += length;
    return **text ? *(*text)++ : 0;
}

static bool files_is_program(const char *text)
{
    return strncmp(text, "exec:", 5) == 0;
}

static bool files_is_file(const char *word)
{
    struct stat file;
    char *end;
    strtod(word, &end);
    return *word && *end && strpbrk(word, "./") && stat(word, &file) == 0 && S_ISREG(file.st_mode);
}

static enum banyan_status files_put(json_t *files, const char *path, struct queue *queue,
                                    struct banyan_error *err)
{
    char *bytes, hash[QUEUE_HASH + 1];
    size_t length;
    enum banyan_status status = input_read(path, "", &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    queue_hash(bytes, length, hash);
    status = queue_put(queue, hash, bytes, length, err);
    free(bytes);
    if (status == BANYAN_OK && json_object_set_new(files, path, json_string(hash)) != 0)
        status = banyan_fail(err, BANYAN_INVALID, "the name of file '%s' is not UTF-8", path);
    return status;
}

enum banyan_status match_files_put(json_t *files, const char *text, struct queue *queue,
                                   struct banyan_error *err)
{
    char word[FILES_PATH];
    enum banyan_status status = BANYAN_OK;
    for (bool more = !files_is_program(text); more && status == BANYAN_OK;) {
        more = files_word(&text, word) != 0;
        if (files_is_file(word) && !json_object_get(files, word))
            status = files_put(files, word, queue, err);
    }
    return status;
}

/* The hash of a file, as the settings have it; NULL: this value is no hash. */
static const char *files_hash(const json_t *value)
{
    const char *hash = json_string_value(value);
    bool good =
        hash && strlen(hash) == QUEUE_HASH && strspn(hash, "0123456789abcdef") == QUEUE_HASH;
    return good ? hash : NULL;
}

void match_files_drop(const json_t *files, struct queue *queue, const char *keep)
{
    const char *path;
    json_t *value;
    json_object_foreach((json_t *)files, path, value)
    {
        const char *hash = files_hash(value);
        if (hash && !(keep && strcmp(hash, keep) == 0))
            queue_drop(queue, hash, NULL);
    }
}

enum banyan_status match_files_get(const json_t *files, struct queue *queue,
                                   struct banyan_error *err)
{
    const char *path;
    json_t *value;
    enum banyan_status status = BANYAN_OK;
    if (json_object_size(files) > 0 && !queue->cache)
        return banyan_fail(err, BANYAN_INVALID,
                           "the players need files: `banyan worker --cache DIR` names a folder for "
                           "them");
    json_object_foreach((json_t *)files, path, value)
    {
        void *bytes = NULL;
        size_t length;
        if (status == BANYAN_OK && !files_hash(value))
            status = banyan_fail(err, BANYAN_CORRUPT, "the hash of a file cannot be read");
        if (status == BANYAN_OK)
            status = queue_get(queue, files_hash(value), &bytes, &length, err);
        free(bytes);
    }
    return status;
}

char *match_files_local(const json_t *files, const char *text, const char *cache)
{
    char word[FILES_PATH], *out = NULL;
    size_t length;
    if (files_is_program(text) || json_object_size(files) == 0)
        return strdup(text);
    FILE *stream = open_memstream(&out, &length);
    for (bool more = stream != NULL; more;) {
        const char *begin = text;
        char end = files_word(&text, word);
        const char *hash = files_hash(json_object_get(files, word));
        if (hash)
            fprintf(stream, "%s/%s", cache, hash);
        else
            fwrite(begin, 1, (size_t)(text - begin) - (end != 0), stream);
        if (end)
            putc(end, stream);
        more = end != 0;
    }
    if (stream && fclose(stream) == 0)
        return out;
    free(out);
    return NULL;
}
