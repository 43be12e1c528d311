/* What abilities do to the damage of attacks, as far as a quick estimate goes (estimate.h); the rules
 * are in abilities*.c. */
#include "games/pokemon/players/estimate.h"

#define OF(name) (TYPE_##name + 1)

/* clang-format off */
const struct estimate_force estimate_forces[ABILITY_COUNT] = {
    [ABILITY_HUGEPOWER] = {.physical = 2},
    [ABILITY_HUSTLE] = {.physical = 1.2f}, /* with its loss of accuracy */
    [ABILITY_GORILLATACTICS] = {.physical = 1.5f},
    [ABILITY_TOUGHCLAWS] = {.flags = MOVE_FLAG_CONTACT, .flagged = 1.3f},
    [ABILITY_IRONFIST] = {.flags = MOVE_FLAG_PUNCH, .flagged = 1.2f},
    [ABILITY_STRONGJAW] = {.flags = MOVE_FLAG_BITE, .flagged = 1.5f},
    [ABILITY_MEGALAUNCHER] = {.flags = MOVE_FLAG_PULSE, .flagged = 1.5f},
    [ABILITY_PUNKROCK] = {.flags = MOVE_FLAG_SOUND, .flagged = 1.3f},
    [ABILITY_TRANSISTOR] = {.type = OF(ELECTRIC), .typed = 1.5f},
    [ABILITY_DRAGONSMAW] = {.type = OF(DRAGON), .typed = 1.5f},
    [ABILITY_STEELWORKER] = {.type = OF(STEEL), .typed = 1.5f},
    [ABILITY_STEELYSPIRIT] = {.type = OF(STEEL), .typed = 1.5f},
    [ABILITY_WATERBUBBLE] = {.type = OF(WATER), .typed = 2},
    [ABILITY_DARKAURA] = {.type = OF(DARK), .typed = 1.33f},
    [ABILITY_FAIRYAURA] = {.type = OF(FAIRY), .typed = 1.33f},
    [ABILITY_OVERGROW] = {.type = OF(GRASS), .pinch = 1.5f},
    [ABILITY_TORRENT] = {.type = OF(WATER), .pinch = 1.5f},
    [ABILITY_SWARM] = {.type = OF(BUG), .pinch = 1.5f},
    [ABILITY_SHEERFORCE] = {.physical = 1.2f, .special = 1.2f},
    [ABILITY_ANALYTIC] = {.special = 1.15f},
    [ABILITY_SNIPER] = {.physical = 1.05f, .special = 1.05f},
    [ABILITY_RECKLESS] = {.physical = 1.1f},
};

const struct estimate_guard estimate_guards[ABILITY_COUNT] = {
    [ABILITY_LEVITATE] = {.immune = OF(GROUND)},
    [ABILITY_FLASHFIRE] = {.immune = OF(FIRE)},
    [ABILITY_VOLTABSORB] = {.immune = OF(ELECTRIC)},
    [ABILITY_LIGHTNINGROD] = {.immune = OF(ELECTRIC)},
    [ABILITY_MOTORDRIVE] = {.immune = OF(ELECTRIC)},
    [ABILITY_WATERABSORB] = {.immune = OF(WATER)},
    [ABILITY_STORMDRAIN] = {.immune = OF(WATER)},
    [ABILITY_DRYSKIN] = {.immune = OF(WATER), .type = OF(FIRE), .typed = 1.25f},
    [ABILITY_SAPSIPPER] = {.immune = OF(GRASS)},
    [ABILITY_SOUNDPROOF] = {.immune_flags = MOVE_FLAG_SOUND},
    [ABILITY_BULLETPROOF] = {.immune_flags = MOVE_FLAG_BULLET},
    [ABILITY_THICKFAT] = {.type = OF(FIRE), .typed = 0.5f},
    [ABILITY_WATERBUBBLE] = {.type = OF(FIRE), .typed = 0.5f},
    [ABILITY_FLUFFY] = {.type = OF(FIRE), .typed = 2, .physical = 0.55f},
    [ABILITY_FURCOAT] = {.physical = 0.5f},
    [ABILITY_ICESCALES] = {.special = 0.5f},
    [ABILITY_FILTER] = {.effective = 0.75f},
    [ABILITY_SOLIDROCK] = {.effective = 0.75f},
    [ABILITY_PRISMARMOR] = {.effective = 0.75f},
    [ABILITY_DISGUISE] = {.physical = 0.9f, .special = 0.9f},
    [ABILITY_ICEFACE] = {.physical = 0.5f},
};
/* clang-format on */
