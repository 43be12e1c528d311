/* Names of procedures, skills, actions, dice and weather, as recorded games write them. */
#include "games/bloodbowl/bloodbowl.h"

const char *const bb_procedure_names[BB_PROCEDURES] = {
#define PROC(name, text, asks, start, step, end, choices) [BB_##name] = text,
#include "procedures.def"
#undef PROC
};

const char *const bb_skill_names[BB_SKILLS + 1] = {
#define SKILL(name) [BB_SKILL_##name] = #name,
#include "skills.def"
#undef SKILL
};

const char *const bb_action_names[BB_ACTIONS] = {
    [BB_DO_NOTHING] = "NOTHING",
#define ACTION(name, names) [BB_DO_##name] = #name,
#include "actions.def"
#undef ACTION
};

const char *const bb_die_names[BB_DICE + 1] = {
#define DIE(name, text) [BB_DIE_##name] = text,
#include "dice.def"
#undef DIE
};

const char *const bb_weather_names[BB_WEATHERS] = {
    [BB_SWELTERING_HEAT] = "SWELTERING_HEAT", [BB_VERY_SUNNY] = "VERY_SUNNY", [BB_NICE] = "NICE",
    [BB_POURING_RAIN] = "POURING_RAIN",       [BB_BLIZZARD] = "BLIZZARD",
};

const char *const bb_activation_names[BB_ACTIVATIONS] = {
    [BB_ACT_NONE] = "NONE",   [BB_ACT_MOVE] = "MOVE",       [BB_ACT_BLOCK] = "BLOCK",
    [BB_ACT_BLITZ] = "BLITZ", [BB_ACT_PASS] = "PASS",       [BB_ACT_HANDOFF] = "HANDOFF",
    [BB_ACT_FOUL] = "FOUL",   [BB_ACT_BOMB] = "THROW_BOMB",
};
