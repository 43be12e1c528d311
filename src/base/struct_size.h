/* Structs that a caller fills begin with struct_size: their size as the caller's compiler saw it. */
#ifndef BASE_STRUCT_SIZE_H
#define BASE_STRUCT_SIZE_H

#include <banyan/status.h>

#include <stddef.h>

/* For a struct of settings, of which an older program knows less: BANYAN_INVALID where nobody set
 * `given`, BANYAN_UNSUPPORTED where the program knows more than this library. */
enum banyan_status struct_size_check(const char *type, size_t given, size_t known,
                                     struct banyan_error *err);

/* For a struct that is used where it lies: it must be just the one that this library knows. */
enum banyan_status struct_size_match(const char *type, size_t given, size_t known,
                                     struct banyan_error *err);

/* Copies what both know; the rest of *to stays. */
void struct_size_copy(void *to, size_t to_size, const void *from, size_t from_size);

#endif
