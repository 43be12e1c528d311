/* The search of engine.h for processors with AVX2 and BMI2. */
#include "games/mushroom/engine.h"

#if defined(__AVX2__)

#include "games/mushroom/lanes_avx2.h"

#include "games/mushroom/windows_lanes.inc.h"

#include "games/mushroom/engine_core.inc.h"

void engine_think_avx2(struct engine *engine, const struct mushroom_state *state,
                       struct engine_result *out)
{
    core_think(engine, state, out);
}

#endif
