/* Writes safetensors files. */
#include "base/output.h"
#include "nn/checksum.h"
#include "nn/safetensors.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    char *text;
    size_t length, room;
    bool failed;
};

static void header_add(struct header *header, const char *text, size_t length)
{
    if (header->length + length + 1 > header->room) {
        size_t room = 2 * (header->room + length) + 256;
        char *more = realloc(header->text, room);
        header->failed = header->failed || !more;
        if (!more)
            return;
        header->text = more;
        header->room = room;
    }
    memcpy(header->text + header->length, text, length);
    header->length += length;
    header->text[header->length] = 0;
}

static void header_text(struct header *header, const char *text)
{
    header_add(header, text, strlen(text));
}

static void header_string(struct header *header, const char *text)
{
    char escaped[8];
    header_text(header, "\"");
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text);
            header_text(header, escaped);
        } else {
            header_add(header, text, 1);
        }
    }
    header_text(header, "\"");
}

static size_t header_count(const struct safetensors_part *part)
{
    size_t count = 1;
    for (int i = 0; i < part->dims; ++i)
        count *= (size_t)part->shape[i];
    return count;
}

static void header_part(struct header *header, const struct safetensors_part *part, size_t begin)
{
    char number[64];
    header_string(header, part->name);
    header_text(header, ":{\"dtype\":\"F32\",\"shape\":[");
    for (int i = 0; i < part->dims; ++i) {
        snprintf(number, sizeof number, "%s%d", i ? "," : "", part->shape[i]);
        header_text(header, number);
    }
    snprintf(number, sizeof number, "],\"data_offsets\":[%zu,%zu]}", begin,
             begin + sizeof(float) * header_count(part));
    header_text(header, number);
}

/* The text just before the checksum in the header; its digits are written as zeros first. */
static const char header_mark[] = "\"checksum\":\"";

static void header_build(struct header *header, const struct safetensors_part *parts,
                         int part_count, const struct safetensors_note *notes, int note_count)
{
    size_t at = 0;
    header_text(header, "{\"__metadata__\":{");
    header_text(header, header_mark);
    header_text(header, "0000000000000000\"");
    for (int i = 0; i < note_count; ++i) {
        header_text(header, ",");
        header_string(header, notes[i].key);
        header_text(header, ":");
        header_string(header, notes[i].value);
    }
    header_text(header, "}");
    for (int i = 0; i < part_count; ++i) {
        header_text(header, ",");
        header_part(header, &parts[i], at);
        at += sizeof(float) * header_count(&parts[i]);
    }
    header_text(header, "}");
    while (header->length % 8)
        header_text(header, " ");
}

static void header_seal(struct header *header, const struct safetensors_part *parts, int part_count)
{
    uint64_t sum = checksum_add(0, header->text, header->length);
    for (int i = 0; i < part_count; ++i)
        sum = checksum_add(sum, parts[i].data, sizeof(float) * header_count(&parts[i]));
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
    memcpy(strstr(header->text, header_mark) + sizeof header_mark - 1, digits, 16);
}

/* Writes everything; errors are reported when the file is closed. */
static void write_all(FILE *file, const struct header *header, const struct safetensors_part *parts,
                      int part_count)
{
    unsigned char length[8];
    for (int i = 0; i < 8; ++i)
        length[i] = (unsigned char)((uint64_t)header->length >> 8 * i);
    fwrite(length, 1, 8, file);
    fwrite(header->text, 1, header->length, file);
    for (int i = 0; i < part_count; ++i)
        fwrite(parts[i].data, sizeof(float), header_count(&parts[i]), file);
}

static enum banyan_status write_file(const char *path, const struct header *header,
                                     const struct safetensors_part *parts, int part_count,
                                     struct banyan_error *err)
{
    struct output output;
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    write_all(output.stream, header, parts, part_count);
    return output_close(&output, BANYAN_OK, err);
}

enum banyan_status safetensors_write(const char *path, const struct safetensors_part *parts,
                                     int part_count, const struct safetensors_note *notes,
                                     int note_count, struct banyan_error *err)
{
    struct header header = {NULL, 0, 0, false};
    header_build(&header, parts, part_count, notes, note_count);
    enum banyan_status status;
    if (header.failed) {
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory to write '%s'", path);
    } else {
        header_seal(&header, parts, part_count);
        status = write_file(path, &header, parts, part_count, err);
    }
    free(header.text);
    return status;
}
