/* Texts of the game: setups, whole states, actions; and the rosters they name. */
#ifndef BLOODBOWL_TEXT_H
#define BLOODBOWL_TEXT_H

#include "games/bloodbowl/bloodbowl.h"

#include <stddef.h>

struct bb_roster {
    const char *name, *text;
};

extern const struct bb_roster bb_rosters[]; /* name NULL at the end */

/* Reads "home=human away=orc mode=path ..." or a whole state as bb_format writes it. */
enum banyan_status bb_parse(struct bb_state *state, int variant, const char *setup,
                            struct banyan_error *err);
int bb_format(const struct bb_state *state, char *out, size_t size);

int bb_action_format(const struct bb_state *state, const struct bb_action *action, char *out,
                     size_t size);
enum banyan_status bb_action_parse(const struct bb_state *state, const char *text,
                                   struct bb_action *out, struct banyan_error *err);
int bb_draw(const struct bb_state *state, char *out, size_t size);

/* "H7", "A12"; BB_NONE: "-". */
struct bb_name {
    char text[8];
};
struct bb_name bb_player_name(const struct bb_state *state, int player);

/* Names of weathers and procedures for people: "very sunny" for VERY_SUNNY, "move action" for
 * MoveAction. */
struct bb_words {
    char text[48];
};
struct bb_words bb_in_words(const char *name);

#endif
