/* The mushroom player in one file: tools/make_nypc writes out every include below. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif

#include "base/large_pages.c"
#include "base/status.c"
#include "base/stop.c"

#include "games/mushroom/board_data.c"
#include "games/mushroom/parts.c"

#include "games/mushroom/ending.c"
#include "games/mushroom/engine.c"

#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__) && defined(__BMI2__)
#include "games/mushroom/windows_vbmi.inc.h"
#elif defined(__AVX2__) && defined(__BMI2__)
#include "games/mushroom/lanes_avx2.h"

#include "games/mushroom/windows_lanes.inc.h"
#else
#include "games/mushroom/windows_portable.h"
#endif

#include "games/mushroom/engine_core.inc.h"

void engine_think(struct engine *engine, const struct mushroom_state *state,
                  const struct engine_limits *limits, struct engine_result *out)
{
    engine_start(engine, limits);
    core_think(engine, state, out);
}

#include "nypc/player.c"

/* ./main NYPC            plays by the judge's clock
 * ./main NYPC 20000      searches 20000 positions for each move */
int main(int argc, char **argv)
{
    struct nypc_options options;
    struct banyan_error err;
    nypc_options_default(&options);
    if (argc > 2)
        options.nodes = strtoll(argv[2], NULL, 10);
    if (nypc_player(stdin, stdout, stderr, &options, &err) != BANYAN_OK)
        fprintf(stderr, "%s\n", err.message);
    return 0;
}
