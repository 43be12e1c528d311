/* Compares the size of a caller's struct with the size that the library knows. */
#include "base/struct_size.h"

#include <string.h>

enum banyan_status struct_size_check(const char *type, size_t given, size_t known,
                                     struct banyan_error *err)
{
    if (given == 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "struct %s: struct_size is 0; set it to the size of the struct", type);
    if (given > known)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "struct %s: struct_size is %zu, this library knows %zu bytes: the "
                           "program was compiled for a newer one",
                           type, given, known);
    return BANYAN_OK;
}

enum banyan_status struct_size_match(const char *type, size_t given, size_t known,
                                     struct banyan_error *err)
{
    enum banyan_status status = struct_size_check(type, given, known, err);
    if (status == BANYAN_OK && given < known)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "struct %s: struct_size is %zu, this library knows %zu bytes: the "
                           "program must be compiled again",
                           type, given, known);
    return status;
}

void struct_size_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
    memcpy(to, from, from_size < to_size ? from_size : to_size);
}
