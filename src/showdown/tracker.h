/* What was seen of a battle: both sides and the field, from the lines of the log.
 *
 * The tracker stores what the lines say and concludes nothing; what an unseen item may be is
 * decided elsewhere (evidence.h).  Effects are stored by id with their details, so unknown effects
 * are stored, too.  Own Pokémon have exact hp, the foe's have percent; the request says more about
 * the own side.
 *
 * Reading the same log again from |init| gives the same tracker: this is how a battle continues
 * after a disconnect.
 */
#ifndef SHOWDOWN_TRACKER_H
#define SHOWDOWN_TRACKER_H

#include "showdown/protocol.h"

enum {
    TRACKER_TEAM = 8,  /* 6, and room for what a Pokémon with Illusion looked like */
    TRACKER_MOVES = 8, /* 4, and room for the moves of one with Illusion that looks like this one */
    TRACKER_EFFECTS = 24, /* at the same time on one Pokémon, side or field; further ones are
                           * counted and ignored */
    TRACKER_BOOSTS = 7    /* atk def spa spd spe accuracy evasion */
};

enum tracker_item {
    TRACKER_ITEM_UNKNOWN, /* never seen */
    TRACKER_ITEM_HELD,    /* it holds `item` */
    TRACKER_ITEM_NONE     /* `last_item` was used up or taken */
};

struct tracker_effect {
    char id[PROTOCOL_ID];     /* "leechseed", "spikes", "dynamax" */
    char detail[PROTOCOL_ID]; /* a detail: "gmax", the disabled move, a type */
    int since;                /* turn in which it began */
    int ends;                 /* tracker.ends when it began */
    int count;                /* how often it was started: layers */
};

struct tracker_effects {
    struct tracker_effect list[TRACKER_EFFECTS];
    int count;
};

struct tracker_move {
    char id[PROTOCOL_ID];
    int used; /* the PP that it was seen to use; it may have used more */
};

struct tracker_pokemon {
    char name[PROTOCOL_NAME];    /* the name in lines */
    char species[PROTOCOL_NAME]; /* from the details; changes only with a permanent forme */
    char forme[PROTOCOL_NAME];   /* temporary forme; empty: same as species */
    int level;
    char gender;
    int hp, hp_max; /* for the foe hp_max is 100 */
    bool fainted;
    char status[PROTOCOL_ID]; /* "tox"; empty: none */
    int status_since;         /* turn */
    int slept;                /* turns lost in the present sleep */
    bool rested;              /* the sleep comes from Rest */
    enum tracker_item item_state;
    char item[PROTOCOL_ID], last_item[PROTOCOL_ID];
    char brought[PROTOCOL_ID];      /* the item with which it began the battle; empty: not seen */
    bool ate;                       /* a berry */
    bool taken;                     /* last_item was taken or destroyed by others */
    char ability[PROTOCOL_ID];      /* the present one; empty: not seen */
    char base_ability[PROTOCOL_ID]; /* its own: the first that was seen */
    struct tracker_move moves[TRACKER_MOVES];
    int move_count;
};

struct tracker_side {
    char player[PROTOCOL_NAME];
    int team_size;
    struct tracker_pokemon team[TRACKER_TEAM];
    int count;
    int active; /* index; -1: none yet */
    int active_since;
    struct tracker_pokemon disguise; /* the active Pokémon as it was before it came in, for
                                      * |replace| */
    int boosts[TRACKER_BOOSTS];
    struct tracker_effects volatiles, conditions; /* of the active Pokémon; of the side */
    char last_move[PROTOCOL_ID];
    int dynamax_turn; /* in which Dynamax was used; 0: never */
    bool transformed;
};

struct tracker {
    struct tracker_side sides[2];
    int viewer; /* 0, 1; -1: not known yet */
    int turn;
    int ends;                  /* number of turns that have ended, so conditions have counted
                                * down as often */
    char weather[PROTOCOL_ID]; /* "raindance"; empty: none */
    int weather_since, weather_ends;
    struct tracker_effects field; /* terrains and rooms */
    int gen;
    bool singles, started, over, rated;
    char tier[PROTOCOL_NAME];
    char winner[PROTOCOL_NAME]; /* empty when over: a tie */
    int strange;                /* number of lines that contradict what was known */
    char strange_line[96];      /* the last of them */
};

void tracker_start(struct tracker *tracker);

/* Reads one line; lines that do not matter are ignored. */
void tracker_line(struct tracker *tracker, const struct protocol_line *line);

/* The active Pokémon of a side; NULL before the first. */
const struct tracker_pokemon *tracker_active(const struct tracker *tracker, int side);

/* The effect with this id, or NULL. */
const struct tracker_effect *tracker_effect(const struct tracker_effects *effects, const char *id);

/* Whether side is Dynamaxed now. */
bool tracker_dynamaxed(const struct tracker *tracker, int side);

/* How many Pokémon of the side have fainted, as far as known. */
int tracker_fainted(const struct tracker *tracker, int side);

#endif
