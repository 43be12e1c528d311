/* Files of named tensors, as PyTorch, JAX and numpy users exchange them.
 *
 *      u64 length | JSON header, padded with blanks | data of all tensors, end to end
 *                   {"__metadata__": {"arch": "..."}, "stem.weight":
 *                    {"dtype": "F32", "shape": [32, 3, 3, 3], "data_offsets": [0, 3456]}, ...}
 *
 * What we write carries a checksum of header and data in its metadata; files of others have none.
 * The reader takes any bytes: whatever is not a sound file is BANYAN_CORRUPT.
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

/* Writes path as a whole or not at all: a temporary file, synced, renamed. */
enum banyan_status safetensors_write(const char *path, const struct safetensors_part *parts,
                                     int part_count, const struct safetensors_note *notes,
                                     int note_count, struct banyan_error *err);

struct safetensors; /* a file that was read; freed with safetensors_free */

enum banyan_status safetensors_read(struct safetensors **out, const char *path,
                                    struct banyan_error *err);

/* The same from memory (copied); name: how to call it in errors. */
enum banyan_status safetensors_parse(struct safetensors **out, const void *bytes, size_t size,
                                     const char *name, struct banyan_error *err);
void safetensors_free(struct safetensors *file);

/* The metadata called key, NULL: none; lives as long as the file. */
const char *safetensors_note(const struct safetensors *file, const char *key);

int safetensors_count(const struct safetensors *file);
/* Name and shape of tensor number i; returns the number of dimensions. */
int safetensors_describe(const struct safetensors *file, int i, const char **name,
                         const int64_t **shape, const char **type);

/* Number of the tensor called name, -1: none. */
int safetensors_find(const struct safetensors *file, const char *name);

/* Elements of tensor i. */
size_t safetensors_size(const struct safetensors *file, int i);

/* Tensor i as floats (from F32, F16, BF16, F64); out[safetensors_size]. */
enum banyan_status safetensors_floats(const struct safetensors *file, int i, float *out,
                                      struct banyan_error *err);

#endif
