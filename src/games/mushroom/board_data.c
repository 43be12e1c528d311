/* The tables of board.h, written out by the preprocessor. */
#include "games/mushroom/board.h"

/* Word k of the set of all cells below n. */
#define BELOW(n, k)                      \
    ((n) >= 64 * (k) + 64 ? ~(uint64_t)0 \
     : (n) <= 64 * (k)    ? (uint64_t)0  \
                          : ((uint64_t)1 << ((n)&63)) - 1)
#define TO_ROW(r)                                                                     \
    {                                                                                 \
        {                                                                             \
            BELOW(18 * (r) + 18, 0), BELOW(18 * (r) + 18, 1), BELOW(18 * (r) + 18, 2) \
        }                                                                             \
    }
#define FROM_ROW(r)                                                                       \
    {                                                                                     \
        {                                                                                 \
            ~BELOW(18 * (r), 0), ~BELOW(18 * (r), 1), BELOW(180, 2) & ~BELOW(18 * (r), 2) \
        }                                                                                 \
    }

/* AT: word k of the set that has `bits` (at most 18) from cell s on.  ROWS: word k of the set
 * that has `bits` in each of the ten rows. */
#define AT(bits, s, k)                                                                     \
    ((s)-64 * (k) >= 64 || (s)-64 * (k) <= -18 ? (uint64_t)0                               \
     : (s) >= 64 * (k)                         ? (uint64_t)(bits) << (((s)-64 * (k)) & 63) \
                                               : (uint64_t)(bits) >> ((64 * (k) - (s)) & 63))
#define ROWS(bits, k)                                                                         \
    (AT(bits, 0, k) | AT(bits, 18, k) | AT(bits, 36, k) | AT(bits, 54, k) | AT(bits, 72, k) | \
     AT(bits, 90, k) | AT(bits, 108, k) | AT(bits, 126, k) | AT(bits, 144, k) | AT(bits, 162, k))
#define COLUMNS(bits)                                   \
    {                                                   \
        {                                               \
            ROWS(bits, 0), ROWS(bits, 1), ROWS(bits, 2) \
        }                                               \
    }
#define TO_COLUMN(c)   COLUMNS((2u << (c)) - 1)
#define FROM_COLUMN(c) COLUMNS((1u << 17) - (1u << (c)))

#define ALL_ROWS(of)                                                         \
    {                                                                        \
        of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9) \
    }
#define ALL_COLUMNS(of)                                                                       \
    {                                                                                         \
        of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11), \
            of(12), of(13), of(14), of(15), of(16)                                            \
    }

const struct cells board_to_row[BOARD_ROWS] = ALL_ROWS(TO_ROW);
const struct cells board_from_row[BOARD_ROWS] = ALL_ROWS(FROM_ROW);
const struct cells board_to_column[BOARD_COLUMNS] = ALL_COLUMNS(TO_COLUMN);
const struct cells board_from_column[BOARD_COLUMNS] = ALL_COLUMNS(FROM_COLUMN);

/* From (r, c) there are (10 - r)(17 - c) rectangles, one of which is the cell itself. */
#define ROWS_BEFORE(r) (10 * (r) - (r) * ((r)-1) / 2)
#define FIRST(r, c) \
    (153 * ROWS_BEFORE(r) - 17 * (r) + (10 - (r)) * (17 * (c) - (c) * ((c)-1) / 2) - (c)-1)
#define ROW(of, r)                                                                             \
    of(r, 0), of(r, 1), of(r, 2), of(r, 3), of(r, 4), of(r, 5), of(r, 6), of(r, 7), of(r, 8),  \
        of(r, 9), of(r, 10), of(r, 11), of(r, 12), of(r, 13), of(r, 14), of(r, 15), of(r, 16), \
        of(r, 17)
#define LEFT(r, c) 17 - (c)

const int16_t board_first_action[BOARD_ROWS * BOARD_STRIDE + 1] = {
    ROW(FIRST, 0), ROW(FIRST, 1), ROW(FIRST, 2), ROW(FIRST, 3), ROW(FIRST, 4),   ROW(FIRST, 5),
    ROW(FIRST, 6), ROW(FIRST, 7), ROW(FIRST, 8), ROW(FIRST, 9), BOARD_RECTANGLES};

const uint8_t board_columns_left[BOARD_ROWS * BOARD_STRIDE] = {
    ROW(LEFT, 0), ROW(LEFT, 1), ROW(LEFT, 2), ROW(LEFT, 3), ROW(LEFT, 4),
    ROW(LEFT, 5), ROW(LEFT, 6), ROW(LEFT, 7), ROW(LEFT, 8), ROW(LEFT, 9)};

#define RECIPROCAL(n) (65536 + (n)-1) / (n)
const uint32_t board_reciprocal[BOARD_COLUMNS + 1] = {
    0,
    RECIPROCAL(1),
    RECIPROCAL(2),
    RECIPROCAL(3),
    RECIPROCAL(4),
    RECIPROCAL(5),
    RECIPROCAL(6),
    RECIPROCAL(7),
    RECIPROCAL(8),
    RECIPROCAL(9),
    RECIPROCAL(10),
    RECIPROCAL(11),
    RECIPROCAL(12),
    RECIPROCAL(13),
    RECIPROCAL(14),
    RECIPROCAL(15),
    RECIPROCAL(16),
    RECIPROCAL(17),
};
