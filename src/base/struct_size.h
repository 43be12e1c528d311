/* Structs that a caller fills begin with struct_size: their size as the caller's compiler saw it. */
#ifndef BASE_STRUCT_SIZE_H
#define BASE_STRUCT_SIZE_H

#include <banyan/status.h>

#include <stddef.h>

/* Checks a struct of settings, to which later versions of the library add fields at the end.
 * Returns BANYAN_INVALID when the caller has not set struct_size, and BANYAN_UNSUPPORTED when the
 * caller's struct is larger than this library's. */
enum banyan_status struct_size_check(const char *type, size_t given, size_t known,
                                     struct banyan_error *err);

/* Checks a struct that the library uses in place: its size must be exactly the one that this
 * library knows. */
enum banyan_status struct_size_match(const char *type, size_t given, size_t known,
                                     struct banyan_error *err);

/* Copies the bytes that both structs have; the rest of *to is unchanged. */
void struct_size_copy(void *to, size_t to_size, const void *from, size_t from_size);

#endif
