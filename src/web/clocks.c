/* Counts the time of every seat. */
#include "web/clocks.h"

#include <math.h>
#include <string.h>

void clocks_begin(struct clocks *clocks, double clock_ms, double increment_ms)
{
    memset(clocks, 0, sizeof *clocks);
    clocks->runs = clock_ms > 0;
    clocks->increment_ms = increment_ms;
    clocks->lost = -1;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clocks->left_ms[p] = clock_ms;
}

void clocks_start(struct clocks *clocks, double now_ms)
{
    clocks->since_ms = now_ms;
    clocks->lost = -1;
}

bool clocks_check(struct clocks *clocks, int player, double now_ms)
{
    if (clocks->runs && clocks->lost < 0 && clocks->left_ms[player] < now_ms - clocks->since_ms) {
        clocks->left_ms[player] = 0;
        clocks->lost = player;
    }
    return clocks->lost < 0;
}

bool clocks_stop(struct clocks *clocks, int player, double now_ms)
{
    if (!clocks_check(clocks, player, now_ms))
        return false;
    if (clocks->runs)
        clocks->left_ms[player] += clocks->increment_ms - (now_ms - clocks->since_ms);
    return true;
}

struct banyan_player_clock clocks_for(const struct clocks *clocks, const banyan_flag *stop)
{
    struct banyan_player_clock out = {.stop = stop};
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        out.left_ms[p] = clocks->runs ? clocks->left_ms[p] : -1;
    out.increment_ms = clocks->runs ? clocks->increment_ms : 0;
    return out;
}

json_t *clocks_json(const struct clocks *clocks, int players, unsigned movers, double now_ms)
{
    json_t *left = json_array();
    for (int p = 0; p < players; ++p) {
        bool running = clocks->lost < 0 && (movers >> p & 1);
        double ms = clocks->left_ms[p] - (running ? now_ms - clocks->since_ms : 0);
        json_array_append_new(left, json_integer((json_int_t)fmax(ms, 0)));
    }
    json_t *out = json_pack("{s:o, s:i}", "left_ms", left, "lost", clocks->lost);
    if (clocks->runs)
        return out;
    json_decref(out);
    return json_null();
}
