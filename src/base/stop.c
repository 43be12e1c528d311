/* Flags that stop long computations. */
#include <banyan/stop.h>

#include "base/compiler.h"

/* Relaxed order is enough: the flag asks a computation to stop soon, and no other data depend on
 * it. */
void banyan_flag_set(banyan_flag *flag)
{
    byte_store_relaxed(&flag->state, 1);
}

void banyan_flag_clear(banyan_flag *flag)
{
    byte_store_relaxed(&flag->state, 0);
}

bool banyan_flag_is_set(const banyan_flag *flag)
{
    return flag && byte_load_relaxed(&flag->state);
}
