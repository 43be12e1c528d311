#include "games/bloodbowl/rules.h"
void bb_path_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    (void)s, (void)f, (void)out;
}
bool bb_path_exists(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s, (void)f;
    return true;
}
