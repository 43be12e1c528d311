/* The portable search of engine.h, and the choice of the search for this processor. */
#include "games/mushroom/engine.h"

#include "games/mushroom/table.h"
#include "games/mushroom/windows_portable.h"

#include "games/mushroom/engine_core.inc.h"

void engine_think_portable(struct engine *engine, const struct mushroom_state *state,
                           struct engine_result *out)
{
    core_think(engine, state, out);
}

void engine_think(struct engine *engine, const struct mushroom_state *state,
                  const struct engine_limits *limits, struct engine_result *out)
{
    engine_start(engine, limits);
#if defined(__x86_64__)
    switch (mushroom_level()) {
    case MUSHROOM_AVX512:
        engine_think_avx512(engine, state, out);
        return;
    case MUSHROOM_AVX2:
        engine_think_avx2(engine, state, out);
        return;
    default:
        break;
    }
#endif
    engine_think_portable(engine, state, out);
}
