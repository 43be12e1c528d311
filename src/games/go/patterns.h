/* The 3x3 patterns of playouts; tools/go-patterns makes the table. */
#ifndef GO_PATTERNS_H
#define GO_PATTERNS_H

#include <stdint.h>

/* The number of surroundings of a point: two bits (enum go_stone) for each of eight points, row by
 * row. */
enum { GO_PATTERNS = 1 << 16 };

extern const uint64_t go_patterns[2][GO_PATTERNS / 64];

/* Whether a pattern tells player to answer on an empty point with these stones around it. */
static inline int go_pattern(int player, unsigned surrounding)
{
    return (int)(go_patterns[player][surrounding / 64] >> surrounding % 64 & 1);
}

#endif
