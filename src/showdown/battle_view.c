/* Writes one line that shows the state of a battle. */
#include "showdown/battle.h"

#include <string.h>

static void view_side(const struct tracker *tracker, int side, char *out, size_t size)
{
    const struct tracker_side *of = &tracker->sides[side];
    const struct tracker_pokemon *active = tracker_active(tracker, side);
    int team = of->team_size > 0 && of->team_size <= REQUEST_TEAM ? of->team_size : REQUEST_TEAM;
    int left = team - tracker_fainted(tracker, side);
    if (!active) {
        snprintf(out, size, "-");
        return;
    }
    int percent = active->hp_max
                      ? (int)(((int64_t)active->hp * 100 + active->hp_max - 1) / active->hp_max)
                      : 0;
    snprintf(out, size, "%s%s %d%%%s%s (%d left)", active->species,
             tracker_dynamaxed(tracker, side) ? " DYNAMAX" : "", percent,
             active->status[0] ? " " : "", active->status, left > 0 ? left : 0);
}

void battle_view(const struct battle *battle, char *out, size_t size)
{
    static const char *const states[] = {"", "thinks", "waits", "refused", "over"};
    static const char *const results[] = {"over", "WON", "LOST", "TIED", "GIVEN UP"};
    char own[160], foe[160];
    int viewer = battle->tracker.viewer == 1;
    view_side(&battle->tracker, viewer, own, sizeof own);
    view_side(&battle->tracker, 1 - viewer, foe, sizeof foe);
    const char *foe_name = battle->tracker.sides[1 - viewer].player;
    const char *number = strrchr(battle->room, '-');
    const char *state = battle->state == BATTLE_OVER ? results[battle->result]
                        : battle->lost               ? "disconnected"
                                                     : states[battle->state];
    snprintf(out, size, "#%s %s turn %d | %s v %s | %s%s%s%s%s", number ? number + 1 : battle->room,
             foe_name[0] ? foe_name : "?", battle->tracker.turn, own, foe, battle->answer,
             battle->shown[0] ? " " : "", battle->shown, battle->answer[0] && state[0] ? ", " : "",
             state);
}
