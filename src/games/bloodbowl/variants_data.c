/* Boards, limits and formations
 * (docs/games/bloodbowl-rules.md, "Boards and limits" and "Setting up"). */
#include "games/bloodbowl/bloodbowl.h"

/* Spots of formations: row by row, and within a row from the line of scrimmage backwards. */
static const struct bb_spot variants_wedge_1[] = {{'x', 2, 2}, {0, 0, 0}};
static const struct bb_spot variants_spread_1[] = {{'x', 2, 2}, {0, 0, 0}};
static const struct bb_spot variants_spread_3[] = {
    {'S', 4, 2}, {'0', 6, 3}, {'S', 4, 4}, {0, 0, 0}};
static const struct bb_spot variants_wedge_3[] = {{'S', 6, 2}, {'s', 3, 3}, {'S', 6, 4}, {0, 0, 0}};
static const struct bb_spot variants_spread_5[] = {{'S', 5, 2}, {'0', 8, 4}, {'x', 5, 5},
                                                   {'0', 8, 6}, {'S', 5, 8}, {0, 0, 0}};
static const struct bb_spot variants_wedge_5[] = {{'x', 7, 2}, {'x', 8, 4}, {'p', 4, 5},
                                                  {'s', 8, 6}, {'x', 7, 8}, {0, 0, 0}};
static const struct bb_spot variants_spread_7[] = {{'x', 7, 2},  {'0', 10, 3}, {'S', 7, 4},
                                                   {'0', 10, 5}, {'S', 7, 6},  {'0', 10, 7},
                                                   {'x', 7, 8},  {0, 0, 0}};
static const struct bb_spot variants_wedge_7[] = {{'m', 9, 2}, {'0', 10, 3}, {'S', 10, 4},
                                                  {'s', 5, 5}, {'S', 10, 6}, {'0', 10, 7},
                                                  {'m', 9, 8}, {0, 0, 0}};
static const struct bb_spot variants_spread_11[] = {
    {'x', 9, 2}, {'x', 10, 3},  {'S', 10, 5},  {'0', 13, 6},  {'0', 13, 8}, {'x', 10, 8},
    {'x', 8, 8}, {'0', 13, 10}, {'S', 10, 11}, {'x', 10, 13}, {'x', 9, 14}, {0, 0, 0}};
static const struct bb_spot variants_zone_11[] = {
    {'b', 11, 2},  {'x', 9, 2},   {'S', 11, 5}, {'x', 9, 5},   {'0', 13, 6}, {'0', 13, 8},
    {'0', 13, 10}, {'S', 11, 11}, {'x', 9, 11}, {'b', 11, 14}, {'x', 9, 14}, {0, 0, 0}};
static const struct bb_spot variants_line_11[] = {
    {'m', 12, 3}, {'x', 13, 5}, {'S', 13, 6},  {'x', 13, 7},  {'S', 13, 8},  {'0', 10, 8},
    {'s', 6, 8},  {'x', 13, 9}, {'S', 13, 10}, {'x', 13, 11}, {'m', 12, 13}, {0, 0, 0}};
static const struct bb_spot variants_wedge_11[] = {
    {'m', 11, 3}, {'x', 12, 4}, {'S', 13, 6},  {'x', 13, 7},  {'S', 13, 8},  {'0', 10, 8},
    {'s', 6, 8},  {'x', 13, 9}, {'S', 13, 10}, {'x', 12, 12}, {'m', 11, 13}, {0, 0, 0}};

const struct bb_variant bb_variants[BB_VARIANTS] = {
    {
     .name = "bloodbowl-1",
     .title = "Blood Bowl (1)",
     .human = "human-1",
     .number = 1,
     .width = 6,
     .height = 5,
     .pitch_max = 1,
     .pitch_min = 1,
     .scrimmage_min = 1,
     .wing_max = 1,
     .turns = 8,
     .kick_sides = 0,
     .throw_dice = 1,
     .throw_sides = 3,
     .centre_top = 2,
     .centre_bottom = 2,
     .defence = {{BB_DO_SETUP_FORMATION_SPREAD, variants_spread_1}},
     .offence = {{BB_DO_SETUP_FORMATION_WEDGE, variants_wedge_1}}},
    {
     .name = "bloodbowl-3",
     .title = "Blood Bowl (3)",
     .human = "human-3",
     .number = 3,
     .width = 14,
     .height = 7,
     .pitch_max = 3,
     .pitch_min = 1,
     .scrimmage_min = 1,
     .wing_max = 1,
     .turns = 8,
     .kick_sides = 3,
     .throw_dice = 1,
     .throw_sides = 6,
     .centre_top = 2,
     .centre_bottom = 4,
     .defence = {{BB_DO_SETUP_FORMATION_SPREAD, variants_spread_3}},
     .offence = {{BB_DO_SETUP_FORMATION_WEDGE, variants_wedge_3}}},
    {
     .name = "bloodbowl-5",
     .title = "Blood Bowl (5)",
     .human = "human-5",
     .number = 5,
     .width = 18,
     .height = 11,
     .pitch_max = 5,
     .pitch_min = 2,
     .scrimmage_min = 2,
     .wing_max = 1,
     .turns = 8,
     .kick_sides = 3,
     .throw_dice = 1,
     .throw_sides = 6,
     .centre_top = 3,
     .centre_bottom = 7,
     .defence = {{BB_DO_SETUP_FORMATION_SPREAD, variants_spread_5}},
     .offence = {{BB_DO_SETUP_FORMATION_WEDGE, variants_wedge_5}}},
    {
     .name = "bloodbowl-7",
     .title = "Blood Bowl (7)",
     .human = "human-7",
     .number = 7,
     .width = 22,
     .height = 11,
     .pitch_max = 7,
     .pitch_min = 2,
     .scrimmage_min = 3,
     .wing_max = 2,
     .turns = 8,
     .kick_sides = 6,
     .throw_dice = 2,
     .throw_sides = 6,
     .centre_top = 3,
     .centre_bottom = 7,
     .defence = {{BB_DO_SETUP_FORMATION_SPREAD, variants_spread_7}},
     .offence = {{BB_DO_SETUP_FORMATION_WEDGE, variants_wedge_7}}},
    {
     .name = "bloodbowl-11",
     .title = "Blood Bowl (11)",
     .human = "human-11",
     .number = 11,
     .width = 28,
     .height = 17,
     .pitch_max = 11,
     .pitch_min = 3,
     .scrimmage_min = 3,
     .wing_max = 2,
     .turns = 8,
     .kick_sides = 6,
     .throw_dice = 2,
     .throw_sides = 6,
     .centre_top = 5,
     .centre_bottom = 11,
     .defence = {{BB_DO_SETUP_FORMATION_SPREAD, variants_spread_11},
                 {BB_DO_SETUP_FORMATION_ZONE, variants_zone_11}},
     .offence = {{BB_DO_SETUP_FORMATION_WEDGE, variants_wedge_11},
                 {BB_DO_SETUP_FORMATION_LINE, variants_line_11}}},
};
