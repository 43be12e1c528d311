/* What was seen of a battle: both sides and the field, as the lines of the log tell it.
 *
 * The tracker believes lines and draws no conclusions; what an unseen item might be is for others
 * to say.  Effects are kept by id with what came with them, so that one that nobody knows is
 * remembered all the same.  Own Pokémon have exact hp, the foe's percent; more about the own side
 * stands in the request.
 *
 * Feeding the same log again from |init| on gives the same tracker: that is how a battle is taken
 * up again after a disconnect.
 */
#ifndef SHOWDOWN_TRACKER_H
#define SHOWDOWN_TRACKER_H

#include "showdown/protocol.h"

enum {
    TRACKER_TEAM = 8,     /* 6, and room for what an Illusion pretended to be */
    TRACKER_MOVES = 8,    /* 4, and room for called ones */
    TRACKER_EFFECTS = 24, /* at once on one Pokémon, side or field; more are dropped and counted */
    TRACKER_BOOSTS = 7    /* atk def spa spd spe accuracy evasion */
};

enum tracker_item {
    TRACKER_ITEM_UNKNOWN, /* nothing was seen */
    TRACKER_ITEM_HELD,    /* item */
    TRACKER_ITEM_NONE     /* it was used up or taken: last_item */
};

struct tracker_effect {
    char id[PROTOCOL_ID];     /* "leechseed", "spikes", "dynamax" */
    char detail[PROTOCOL_ID]; /* what came with it: "gmax", the disabled move, a type */
    int since;                /* turn in which it began */
    int ends;                 /* how many turns had ended by then: see struct tracker */
    int count;                /* how often it was started: layers */
};

struct tracker_effects {
    struct tracker_effect list[TRACKER_EFFECTS];
    int count;
};

struct tracker_move {
    char id[PROTOCOL_ID];
    int used; /* PP seen to be spent: at least so many */
};

struct tracker_pokemon {
    char name[PROTOCOL_NAME];    /* by which lines call it */
    char species[PROTOCOL_NAME]; /* of the details; changes with the forme for good */
    char forme[PROTOCOL_NAME];   /* for the time being; empty: as species */
    int level;
    char gender;
    int hp, hp_max; /* of 100 for the foe */
    bool fainted;
    char status[PROTOCOL_ID]; /* "tox"; empty: none */
    int status_since;         /* turn */
    int slept;                /* turns lost to the present sleep */
    bool rested;              /* asleep by Rest */
    enum tracker_item item_state;
    char item[PROTOCOL_ID], last_item[PROTOCOL_ID];
    char brought[PROTOCOL_ID];      /* the item with which it came to the battle; empty: not seen */
    bool ate;                       /* a berry */
    bool taken;                     /* last_item was taken or destroyed, not used */
    char ability[PROTOCOL_ID];      /* as it is now; empty: not seen */
    char base_ability[PROTOCOL_ID]; /* its own, the first that was seen */
    struct tracker_move moves[TRACKER_MOVES];
    int move_count;
};

struct tracker_side {
    char player[PROTOCOL_NAME];
    int team_size;
    struct tracker_pokemon team[TRACKER_TEAM];
    int count;
    int active; /* index; -1: nobody yet */
    int active_since;
    struct tracker_pokemon disguise; /* the active one as it was when it came in: see |replace| */
    int boosts[TRACKER_BOOSTS];
    struct tracker_effects volatiles, conditions; /* of the active one; of the side */
    char last_move[PROTOCOL_ID];
    int dynamax_turn; /* in which Dynamax was used; 0: never */
    bool transformed;
};

struct tracker {
    struct tracker_side sides[2];
    int viewer; /* 0, 1; -1: not known yet */
    int turn;
    int ends;                  /* turns that have ended: how often conditions have run down */
    char weather[PROTOCOL_ID]; /* "raindance"; empty: none */
    int weather_since, weather_ends;
    struct tracker_effects field; /* terrains and rooms */
    int gen;
    bool singles, started, over, rated;
    char tier[PROTOCOL_NAME];
    char winner[PROTOCOL_NAME]; /* empty when over: a tie */
    int strange;                /* lines that did not fit what was known; see strange_line */
    char strange_line[96];      /* the last of them */
};

void tracker_start(struct tracker *tracker);

/* Takes in one line.  Lines that mean nothing here are passed over. */
void tracker_line(struct tracker *tracker, const struct protocol_line *line);

/* The Pokémon in play on a side; NULL before the first. */
const struct tracker_pokemon *tracker_active(const struct tracker *tracker, int side);

/* The effect of that id, or NULL. */
const struct tracker_effect *tracker_effect(const struct tracker_effects *effects, const char *id);

/* Whether side is Dynamaxed now. */
bool tracker_dynamaxed(const struct tracker *tracker, int side);

/* How many of the side are known to have fainted. */
int tracker_fainted(const struct tracker *tracker, int side);

#endif
