/* The base power of moves, for a chooser that uses nothing else. */
#ifndef SHOWDOWN_POWERS_H
#define SHOWDOWN_POWERS_H

struct power {
    const char *move; /* id */
    int power;
};

extern const struct power powers_data[]; /* sorted by move */
extern const int powers_count;

/* The base power of the move with this id; 0: it has none, or is unknown. */
int powers_find(const char *move);

#endif
