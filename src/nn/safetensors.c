/* Reads safetensors files: the part of JSON that their headers use.  Every number is checked before
 * it is used. */
#include "nn/safetensors.h"

#include "base/input.h"
#include "nn/checksum.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER = 64 << 20, MAX_ENTRIES = 1 << 16, MAX_NOTES = 256, TYPE_MAX = 8 };

struct entry {
    char name[SAFETENSORS_NAME];
    char type[TYPE_MAX];
    int dims;
    int64_t shape[SAFETENSORS_DIMS];
    uint64_t begin, end;
};

struct note {
    char *key, *value; /* pointers into file->texts */
};

struct safetensors {
    unsigned char *bytes; /* the whole file */
    size_t size, header;  /* header: length of the header */
    struct entry *entries;
    int count, room;
    struct note notes[MAX_NOTES];
    int note_count;
    char *texts; /* decoded strings, [header + 1] */
    size_t text_used;
    bool refused; /* memory ran out while the file was read: the file may be undamaged */
};

/* --- JSON --- */

struct json {
    const unsigned char *at, *end;
};

static bool json_take(struct json *json, char c)
{
    while (json->at < json->end &&
           (*json->at == ' ' || *json->at == '\n' || *json->at == '\t' || *json->at == '\r'))
        ++json->at;
    if (json->at == json->end || *json->at != (unsigned char)c)
        return false;
    ++json->at;
    return true;
}

static int json_digit(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the character after a backslash.  Characters above 127 become '?', which is in none of
 * Banyan's names. */
static int json_escape(struct json *json)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (json->at == json->end)
        return -1;
    unsigned char c = *json->at++;
    const char *simple = c ? strchr(from, c) : NULL;
    if (simple)
        return to[simple - from];
    if (c != 'u' || json->end - json->at < 4)
        return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = json_digit(*json->at++);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value < 128 ? value : '?';
}

/* Reads a string into out[size], with a zero at the end. */
static bool json_string(struct json *json, char *out, size_t size)
{
    size_t length = 0;
    if (!json_take(json, '"'))
        return false;
    while (json->at < json->end && *json->at != '"') {
        int c = *json->at++;
        if (c < 0x20)
            return false;
        if (c == '\\' && (c = json_escape(json)) < 0)
            return false;
        if (c == 0 || length + 1 >= size)
            return false;
        out[length++] = (char)c;
    }
    out[length] = 0;
    return json_take(json, '"');
}

/* Reads a whole number without a sign. */
static bool json_number(struct json *json, uint64_t *out)
{
    uint64_t value = 0;
    int digits = 0;
    json_take(json, '\0'); /* skips blanks */
    for (; json->at < json->end && *json->at >= '0' && *json->at <= '9'; ++json->at, ++digits) {
        if (value > (UINT64_C(1) << 58))
            return false;
        value = value * 10 + (uint64_t)(*json->at - '0');
    }
    *out = value;
    return digits > 0;
}

/* Reads a list such as [1, 2, 3], with at most max numbers. */
static bool json_numbers(struct json *json, uint64_t *out, int max, int *count)
{
    *count = 0;
    if (!json_take(json, '['))
        return false;
    if (json_take(json, ']'))
        return true;
    do {
        if (*count == max || !json_number(json, &out[(*count)++]))
            return false;
    } while (json_take(json, ','));
    return json_take(json, ']');
}

/* --- the header --- */

static bool read_notes(struct safetensors *file, struct json *json)
{
    if (!json_take(json, '{'))
        return false;
    if (json_take(json, '}'))
        return true;
    do {
        struct note *note = &file->notes[file->note_count];
        if (file->note_count == MAX_NOTES)
            return false;
        for (int half = 0; half < 2; ++half) {
            char *text = file->texts + file->text_used;
            if ((half && !json_take(json, ':')) ||
                !json_string(json, text, file->header + 1 - file->text_used))
                return false;
            file->text_used += strlen(text) + 1;
            *(half ? &note->value : &note->key) = text;
        }
        ++file->note_count;
    } while (json_take(json, ','));
    return json_take(json, '}');
}

static bool read_entry(struct entry *entry, struct json *json)
{
    char key[16];
    int seen = 0;
    if (!json_take(json, '{'))
        return false;
    do {
        uint64_t numbers[SAFETENSORS_DIMS];
        int count;
        if (!json_string(json, key, sizeof key) || !json_take(json, ':'))
            return false;
        if (strcmp(key, "dtype") == 0 && !(seen & 1)) {
            if (!json_string(json, entry->type, sizeof entry->type))
                return false;
            seen |= 1;
        } else if (strcmp(key, "shape") == 0 && !(seen & 2)) {
            if (!json_numbers(json, numbers, SAFETENSORS_DIMS, &entry->dims))
                return false;
            for (int i = 0; i < entry->dims; ++i)
                entry->shape[i] = (int64_t)numbers[i];
            seen |= 2;
        } else if (strcmp(key, "data_offsets") == 0 && !(seen & 4)) {
            if (!json_numbers(json, numbers, 2, &count) || count != 2)
                return false;
            entry->begin = numbers[0];
            entry->end = numbers[1];
            seen |= 4;
        } else {
            return false;
        }
    } while (json_take(json, ','));
    return seen == 7 && json_take(json, '}');
}

static struct entry *read_room(struct safetensors *file)
{
    if (file->count == MAX_ENTRIES)
        return NULL;
    if (file->count == file->room) {
        int room = file->room ? 2 * file->room : 64;
        struct entry *more = realloc(file->entries, sizeof *more * (size_t)room);
        file->refused = !more;
        if (!more)
            return NULL;
        file->entries = more;
        file->room = room;
    }
    struct entry *entry = &file->entries[file->count];
    memset(entry, 0, sizeof *entry);
    return entry;
}

static bool read_header(struct safetensors *file)
{
    struct json json = {file->bytes + 8, file->bytes + 8 + file->header};
    if (!json_take(&json, '{'))
        return false;
    bool more = !json_take(&json, '}');
    while (more) {
        struct entry *entry = read_room(file);
        if (!entry || !json_string(&json, entry->name, sizeof entry->name) ||
            !json_take(&json, ':'))
            return false;
        if (strcmp(entry->name, "__metadata__") == 0) {
            if (file->note_count || !read_notes(file, &json))
                return false;
        } else {
            if (!read_entry(entry, &json))
                return false;
            ++file->count;
        }
        more = json_take(&json, ',');
        if (!more && !json_take(&json, '}'))
            return false;
    }
    json_take(&json, '\0');
    return json.at == json.end;
}

static size_t type_bytes(const char *type)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F64", 8}, {"I64", 8},
                 {"I32", 4}, {"I16", 2}, {"I8", 1},   {"U8", 1},  {"BOOL", 1}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strcmp(types[i].name, type) == 0)
            return types[i].bytes;
    return 0;
}

/* Whether every tensor lies within the data and has the length that its shape says, all together
 * fill the data, and (checked up to 4096 tensors) no two share a name or bytes. */
static bool check_entries(const struct safetensors *file)
{
    uint64_t data = file->size - 8 - file->header, total = 0;
    for (int i = 0; i < file->count; ++i) {
        const struct entry *entry = &file->entries[i];
        uint64_t bytes = type_bytes(entry->type);
        if (!bytes || entry->begin > entry->end || entry->end > data)
            return false;
        for (int d = 0; d < entry->dims; ++d) {
            uint64_t side = (uint64_t)entry->shape[d];
            if (side > INT32_MAX || (bytes && side && bytes > (UINT64_C(1) << 60) / side))
                return false;
            bytes *= side;
        }
        if (bytes != entry->end - entry->begin)
            return false;
        total += bytes;
        for (int j = 0; j < i && file->count <= 4096; ++j) {
            const struct entry *other = &file->entries[j];
            if (strcmp(entry->name, other->name) == 0 ||
                (entry->begin < other->end && other->begin < entry->end))
                return false;
        }
    }
    return total == data;
}

/* --- checksum --- */

static bool check_sum(struct safetensors *file)
{
    const char *digits = safetensors_note(file, "checksum");
    if (!digits)
        return safetensors_note(file, "arch") ==
               NULL; /* Banyan's files have a checksum and an arch */
    static const char mark[] = "\"checksum\":\"";
    char *header = malloc(file->header + 1), *at, expected[17];
    file->refused = !header;
    if (!header)
        return false;
    memcpy(header, file->bytes + 8, file->header);
    header[file->header] = 0;
    at = strstr(header, mark);
    bool good = at && strlen(digits) == 16;
    if (good) {
        memset(at + sizeof mark - 1, '0', 16);
        uint64_t sum = checksum_add(0, header, file->header);
        /* tensor by tensor, as the writer added them */
        for (int i = 0; i < file->count; ++i)
            sum = checksum_add(sum, file->bytes + 8 + file->header + file->entries[i].begin,
                               file->entries[i].end - file->entries[i].begin);
        snprintf(expected, sizeof expected, "%016llx", (unsigned long long)sum);
        good = strcmp(expected, digits) == 0;
    }
    free(header);
    return good;
}

/* --- opening --- */

static enum banyan_status parse_owned(struct safetensors *file, const char *name,
                                      struct banyan_error *err)
{
    uint64_t header = 0;
    if (file->size < 8)
        return banyan_fail(err, BANYAN_CORRUPT, "'%s' is not a safetensors file: it is too short",
                           name);
    for (int i = 7; i >= 0; --i)
        header = header << 8 | file->bytes[i];
    if (header > MAX_HEADER || header > file->size - 8 || header < 2)
        return banyan_fail(err, BANYAN_CORRUPT,
                           "'%s' is not a safetensors file, or is truncated: its header would be "
                           "%llu bytes long",
                           name, (unsigned long long)header);
    file->header = (size_t)header;
    file->texts = malloc(file->header + 1);
    if (!file->texts)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    if (!read_header(file))
        return banyan_fail(err, BANYAN_CORRUPT, "'%s': the safetensors header is damaged", name);
    if (!check_entries(file))
        return banyan_fail(err, BANYAN_CORRUPT,
                           "'%s' is truncated or damaged: tensors and data do not fit together",
                           name);
    if (!check_sum(file))
        return banyan_fail(err, BANYAN_CORRUPT, "'%s' is damaged: its checksum does not fit", name);
    return BANYAN_OK;
}

static enum banyan_status parse_take(struct safetensors **out, unsigned char *bytes, size_t size,
                                     const char *name, struct banyan_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) {
        free(bytes);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    }
    (*out)->bytes = bytes;
    (*out)->size = size;
    enum banyan_status status = parse_owned(*out, name, err);
    if (status != BANYAN_OK && (*out)->refused)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    if (status != BANYAN_OK) {
        safetensors_free(*out);
        *out = NULL;
    }
    return status;
}

enum banyan_status safetensors_parse(struct safetensors **out, const void *bytes, size_t size,
                                     const char *name, struct banyan_error *err)
{
    unsigned char *copy = malloc(size ? size : 1);
    *out = NULL;
    if (!copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    if (size)
        memcpy(copy, bytes, size);
    return parse_take(out, copy, size, name, err);
}

enum banyan_status safetensors_read(struct safetensors **out, const char *path,
                                    struct banyan_error *err)
{
    char *bytes;
    size_t size;
    *out = NULL;
    enum banyan_status status = input_read(path, "", &bytes, &size, err);
    return status == BANYAN_OK ? parse_take(out, (unsigned char *)bytes, size, path, err) : status;
}

void safetensors_free(struct safetensors *file)
{
    if (!file)
        return;
    free(file->bytes);
    free(file->entries);
    free(file->texts);
    free(file);
}

/* --- access to the tensors --- */

const char *safetensors_note(const struct safetensors *file, const char *key)
{
    for (int i = 0; i < file->note_count; ++i)
        if (strcmp(file->notes[i].key, key) == 0)
            return file->notes[i].value;
    return NULL;
}

int safetensors_count(const struct safetensors *file)
{
    return file->count;
}

int safetensors_describe(const struct safetensors *file, int i, const char **name,
                         const int64_t **shape, const char **type)
{
    *name = file->entries[i].name;
    *shape = file->entries[i].shape;
    *type = file->entries[i].type;
    return file->entries[i].dims;
}

int safetensors_find(const struct safetensors *file, const char *name)
{
    for (int i = 0; i < file->count; ++i)
        if (strcmp(file->entries[i].name, name) == 0)
            return i;
    return -1;
}

size_t safetensors_size(const struct safetensors *file, int i)
{
    const struct entry *entry = &file->entries[i];
    return (size_t)(entry->end - entry->begin) / type_bytes(entry->type);
}

static float half_float(uint16_t half)
{
    int exponent = half >> 10 & 31;
    float fraction = (float)(half & 1023), value;
    if (exponent == 31)
        value = fraction > 0 ? NAN : INFINITY;
    else
        value = exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24);
    return half >> 15 ? -value : value;
}

enum banyan_status safetensors_floats(const struct safetensors *file, int i, float *out,
                                      struct banyan_error *err)
{
    const struct entry *entry = &file->entries[i];
    const unsigned char *at = file->bytes + 8 + file->header + entry->begin;
    size_t count = safetensors_size(file, i);
    if (strcmp(entry->type, "F32") == 0) {
        memcpy(out, at, count * sizeof *out);
        return BANYAN_OK;
    }
    if (strcmp(entry->type, "F64") == 0) {
        for (size_t j = 0; j < count; ++j) {
            double value;
            memcpy(&value, at + 8 * j, 8);
            out[j] = (float)value;
        }
        return BANYAN_OK;
    }
    bool brain = strcmp(entry->type, "BF16") == 0;
    if (!brain && strcmp(entry->type, "F16") != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "tensor '%s' has type %s; floating-point numbers are needed",
                           entry->name, entry->type);
    for (size_t j = 0; j < count; ++j) {
        uint16_t half = (uint16_t)(at[2 * j] | at[2 * j + 1] << 8);
        uint32_t bits = (uint32_t)half << 16;
        if (brain)
            memcpy(&out[j], &bits, sizeof bits);
        else
            out[j] = half_float(half);
    }
    return BANYAN_OK;
}
