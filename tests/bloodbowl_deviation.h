/* States of Blood Bowl in which botbowl deviates from the rules, for tests that play both ways. */
#ifndef TESTS_BLOODBOWL_DEVIATION_H
#define TESTS_BLOODBOWL_DEVIATION_H

#include "bloodbowl_position.h"

/* A state that plays as botbowl does in all deviations, or (`rules`) in all but the one of this
 * number, which goes by the rules. */
static inline struct bb_state deviation(int bit, int rules, const char *setup)
{
    struct bb_state s = position(setup);
    s.quirks = BB_ALL_QUIRKS & ~(rules ? (uint64_t)1 << bit : 0);
    return s;
}

#define BOTH(rules) for (int rules = 0; rules < 2; ++rules)

/* Puts the frame `procedure` on top and goes on with its first request. */
static inline void start(struct bb_state *s, enum bb_procedure procedure, int team)
{
    struct bb_play p = {.s = s};
    bb_run(&p, procedure)->team = (uint8_t)team;
    s->frame[s->depth - 1].bits = BB_STARTED;
}

/* Whether the choices have an action of this type, with this square unless it is BB_NOWHERE. */
static inline bool offered(const struct bb_state *s, int type, int square)
{
    static struct bb_choices list;
    bb_list(s, &list, true);
    for (int i = 0; i < list.count; ++i) {
        const struct bb_choice *choice = &list.choice[i];
        if (choice->type != type)
            continue;
        if (square == BB_NOWHERE)
            return true;
        for (int k = 0; k < choice->count; ++k)
            if (list.option[choice->first + k].square == square)
                return true;
    }
    return false;
}

#endif
