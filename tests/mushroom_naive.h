/* A second implementation of the mushroom game, as plain as possible: the oracle of the tests. */
#ifndef TESTS_MUSHROOM_NAIVE_H
#define TESTS_MUSHROOM_NAIVE_H

#include "games/mushroom/mushroom.h"

#include <banyan/game.h>

#include <string.h>

/* Sums over everything above and to the left of a corner. */
struct naive_sums {
    int to[11][18];
};

static inline int naive_inside(const struct naive_sums *s, int r1, int c1, int r2, int c2)
{
    return s->to[r2 + 1][c2 + 1] - s->to[r1][c2 + 1] - s->to[r2 + 1][c1] + s->to[r1][c1];
}

/* Legal rectangles in lexicographic order, as actions; numbers them by counting. */
static inline int naive_legal(const struct mushroom_state *state, banyan_action *out)
{
    int count = 0, action = 0;
    struct naive_sums s = {{{0}}};
    for (int r = 0; r < 10; ++r)
        for (int c = 0; c < 17; ++c)
            s.to[r + 1][c + 1] =
                s.to[r][c + 1] + s.to[r + 1][c] - s.to[r][c] + state->digits[18 * r + c];
    for (int r1 = 0; r1 < 10; ++r1)
        for (int c1 = 0; c1 < 17; ++c1)
            for (int r2 = r1; r2 < 10; ++r2)
                for (int c2 = c1; c2 < 17; ++c2) {
                    if (r1 == r2 && c1 == c2)
                        continue;
                    if (naive_inside(&s, r1, c1, r2, c2) == 10 &&
                        naive_inside(&s, r1, c1, r1, c2) && naive_inside(&s, r2, c1, r2, c2) &&
                        naive_inside(&s, r1, c1, r2, c1) && naive_inside(&s, r1, c2, r2, c2))
                        out[count++] = (banyan_action)action;
                    ++action;
                }
    return count;
}

/* Marks the cells whose owner may still change, and returns how many they are.  A rectangle may become legal if
 * enough of its mushrooms can be harvested before, and each of its sides has one. */
static inline int naive_open(const struct mushroom_state *state, bool open[10][17])
{
    struct naive_sums all, fixed;
    int count = 0, before = -1;
    memset(open, 0, 10 * sizeof open[0]);
    while (count > before) {
        before = count;
        memset(&all, 0, sizeof all);
        memset(&fixed, 0, sizeof fixed);
        for (int r = 0; r < 10; ++r)
            for (int c = 0; c < 17; ++c) {
                int digit = state->digits[18 * r + c], stays = open[r][c] ? 0 : digit;
                all.to[r + 1][c + 1] = all.to[r][c + 1] + all.to[r + 1][c] - all.to[r][c] + digit;
                fixed.to[r + 1][c + 1] =
                    fixed.to[r][c + 1] + fixed.to[r + 1][c] - fixed.to[r][c] + stays;
            }
        for (int r1 = 0; r1 < 10; ++r1)
            for (int c1 = 0; c1 < 17; ++c1)
                for (int r2 = r1; r2 < 10; ++r2)
                    for (int c2 = c1; c2 < 17; ++c2)
                        if (naive_inside(&all, r1, c1, r2, c2) >= 10 &&
                            naive_inside(&fixed, r1, c1, r2, c2) <= 10 &&
                            naive_inside(&all, r1, c1, r1, c2) &&
                            naive_inside(&all, r2, c1, r2, c2) &&
                            naive_inside(&all, r1, c1, r2, c1) &&
                            naive_inside(&all, r1, c2, r2, c2))
                            for (int r = r1; r <= r2; ++r)
                                for (int c = c1; c <= c2; ++c)
                                    open[r][c] = true;
        count = 0;
        for (int i = 0; i < 170; ++i)
            count += open[i / 17][i % 17];
    }
    return count;
}

#endif
