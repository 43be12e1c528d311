/* The search of engine.h for processors with AVX-512. */
#include "games/mushroom/engine.h"

#if defined(__AVX512VBMI__)

#include "games/mushroom/windows_vbmi.inc.h"

#include "games/mushroom/engine_core.inc.h"

void engine_think_avx512(struct engine *engine, const struct mushroom_state *state,
                         struct engine_result *out)
{
    core_think(engine, state, out);
}

#endif
