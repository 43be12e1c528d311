/* Files of named tensors, as users of PyTorch, JAX and numpy exchange them.
 *
 *     u64 length | JSON header, padded with blanks | data of all tensors, end to end
 *                  {"__metadata__": {"arch": "..."}, "stem.weight":
 *                   {"dtype": "F32", "shape": [32, 3, 3, 3], "data_offsets": [0, 3456]}, ...}
 *
 * Files that Banyan writes have a checksum of header and data in their metadata; other files have
 * none.  The reader accepts any bytes: whatever is not a valid file is BANYAN_CORRUPT.
 */
#ifndef NN_SAFETENSORS_H
#define NN_SAFETENSORS_H

#include <banyan/status.h>

#include <stddef.h>
#include <stdint.h>

enum { SAFETENSORS_DIMS = 8, SAFETENSORS_NAME = 128 };

/* A tensor to write. */
struct safetensors_part {
    char name[SAFETENSORS_NAME];
    int dims, shape[SAFETENSORS_DIMS];
    const float *data; /* borrowed */
};

struct safetensors_note {
    const char *key, *value; /* borrowed; plain text */
};

/* Writes path whole or not at all: it syncs a temporary file, then renames it. */
enum banyan_status safetensors_write(const char *path, const struct safetensors_part *parts,
                                     int part_count, const struct safetensors_note *notes,
                                     int note_count, struct banyan_error *err);

struct safetensors; /* a file that was read; freed with safetensors_free */

enum banyan_status safetensors_read(struct safetensors **out, const char *path,
                                    struct banyan_error *err);

/* Parses a file from memory (copied); name: what errors call it. */
enum banyan_status safetensors_parse(struct safetensors **out, const void *bytes, size_t size,
                                     const char *name, struct banyan_error *err);
void safetensors_free(struct safetensors *file);

/* The metadata with this key; NULL: none.  Valid as long as the file. */
const char *safetensors_note(const struct safetensors *file, const char *key);

int safetensors_count(const struct safetensors *file);
/* Gives name, shape and type of tensor number i; returns the number of dimensions. */
int safetensors_describe(const struct safetensors *file, int i, const char **name,
                         const int64_t **shape, const char **type);

/* The number of the tensor called name; -1: none. */
int safetensors_find(const struct safetensors *file, const char *name);

/* The number of elements of tensor i. */
size_t safetensors_size(const struct safetensors *file, int i);

/* Writes tensor i as floats (from F32, F16, BF16, F64); out[safetensors_size]. */
enum banyan_status safetensors_floats(const struct safetensors *file, int i, float *out,
                                      struct banyan_error *err);

#endif
