/* The functions of windows.h for AVX-512 with byte permutations (VBMI): they need no loop over
 * widths.
 *
 * A vector holds three rows (54 bytes; the pad of 255 at the end of each row ends every window).
 * Sums of 1, 2, 4 and 8 columns from each cell on are made by doubling.  Then every lane finds the
 * first column where its sum reaches 10 or more, by binary search in steps of 8, 8, 4, 2, 1; one
 * permutation a step looks up the sums of the next columns.
 *
 *     pos[i]    lane of the cell where the window of lane i ends
 *     reach[i]  cells to the right of i until the next mushroom of that row: the top or bottom row
 *               of a window has a mushroom if reach <= pos - i
 */
#ifndef MUSHROOM_WINDOWS_VBMI_H
#define MUSHROOM_WINDOWS_VBMI_H

#include "games/mushroom/windows.h"

#include <string.h>

#if defined(__AVX512VBMI__)
#include <immintrin.h>
#endif

enum {
    VBMI_ARRAY = WINDOWS_BITS * (WINDOWS_VECTORS - 1) + 64 /* bytes of overlapping vectors */
};

#define VBMI_LANES (((uint64_t)1 << WINDOWS_BITS) - 1)

static inline __m512i vbmi_iota(void)
{
    return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46,
                           45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28,
                           27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
                           9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* Moves each byte to the lane n below its own; the last n lanes get wrapped bytes and are not
 * used. */
static inline __m512i vbmi_ahead(__m512i x, int n)
{
    return _mm512_permutexvar_epi8(_mm512_add_epi8(vbmi_iota(), _mm512_set1_epi8((char)n)), x);
}

/* Loads three rows, with BOARD_PAD after them and past the end of the board. */
static inline __m512i vbmi_load(const uint8_t *digits, int row)
{
    int at = BOARD_STRIDE * row, over = at + 64 - BOARD_BYTES;
    __mmask64 inside = over > 64 - WINDOWS_BITS ? ~(uint64_t)0 >> over : VBMI_LANES;
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8((char)BOARD_PAD), inside, digits + at);
}

/* In each lane i, the smaller of x[i] and x[i + n] + n. */
static inline __m512i vbmi_nearer(__m512i x, int n)
{
    return _mm512_min_epu8(x, _mm512_adds_epu8(vbmi_ahead(x, n), _mm512_set1_epi8((char)n)));
}

/* The reach of three rows. */
static inline __m512i vbmi_reach(__m512i digits)
{
    __m512i none = _mm512_set1_epi8((char)BOARD_PAD);
    __m512i x =
        _mm512_mask_mov_epi8(none, _mm512_test_epi8_mask(digits, digits), _mm512_setzero_si512());
    x = vbmi_nearer(vbmi_nearer(vbmi_nearer(x, 1), 2), 4);
    return vbmi_nearer(vbmi_nearer(x, 8), 16);
}

/* One step of every lane: moves n columns to the right if the sum stays below 10. */
static inline void vbmi_step(__m512i sums, int n, __m512i *acc, __m512i *pos)
{
    __m512i next = _mm512_adds_epu8(*acc, _mm512_permutexvar_epi8(*pos, sums));
    __mmask64 on = _mm512_cmplt_epu8_mask(next, _mm512_set1_epi8(BOARD_TARGET));
    *acc = _mm512_mask_mov_epi8(*acc, on, next);
    *pos = _mm512_mask_add_epi8(*pos, on, *pos, _mm512_set1_epi8((char)n));
}

/* Finds the ends of the windows of the column sums; returns the lanes whose window has the sum 10.
 */
static inline __mmask64 vbmi_walk(__m512i sums, __m512i *end)
{
    __m512i two = _mm512_adds_epu8(sums, vbmi_ahead(sums, 1));
    __m512i four = _mm512_adds_epu8(two, vbmi_ahead(two, 2));
    __m512i eight = _mm512_adds_epu8(four, vbmi_ahead(four, 4));
    __m512i acc = _mm512_setzero_si512(), pos = vbmi_iota(), ten = _mm512_set1_epi8(BOARD_TARGET);
    __mmask64 wide = _mm512_cmplt_epu8_mask(eight, ten);
    if (wide & VBMI_LANES) {
        acc = _mm512_maskz_mov_epi8(wide, eight);
        pos = _mm512_mask_add_epi8(pos, wide, pos, _mm512_set1_epi8(8));
        vbmi_step(eight, 8, &acc, &pos);
    }
    vbmi_step(four, 4, &acc, &pos);
    vbmi_step(two, 2, &acc, &pos);
    vbmi_step(sums, 1, &acc, &pos);
    *end = pos;
    __m512i total = _mm512_adds_epu8(acc, _mm512_permutexvar_epi8(pos, sums));
    return _mm512_mask_cmpeq_epu8_mask(_mm512_test_epi8_mask(sums, sums) & VBMI_LANES, total, ten);
}

/* The windows of one height that begin in one vector. */
struct vbmi_band {
    __mmask64 hits;
    __m512i width;
};

static inline struct vbmi_band vbmi_band(__m512i sums, __m512i top, __m512i bottom)
{
    struct vbmi_band band;
    band.hits = vbmi_walk(sums, &band.width);
    band.width = _mm512_sub_epi8(band.width, vbmi_iota());
    band.hits = _mm512_mask_cmple_epu8_mask(band.hits, top, band.width);
    band.hits = _mm512_mask_cmple_epu8_mask(band.hits, bottom, band.width);
    return band;
}

static inline void vbmi_reaches(const uint8_t *digits, uint8_t out[VBMI_ARRAY])
{
    for (int v = 0; v < WINDOWS_VECTORS; ++v)
        _mm512_storeu_si512(out + WINDOWS_BITS * v,
                            vbmi_reach(vbmi_load(digits, WINDOWS_ROWS * v)));
}

/* Returns false if all windows of this band and of higher ones have sums above 10. */
static inline bool vbmi_small(__m512i sums)
{
    return (_mm512_cmple_epu8_mask(sums, _mm512_set1_epi8(BOARD_TARGET)) & VBMI_LANES) != 0;
}

static inline bool vbmi_grow(const uint8_t *digits, int row, __m512i *sums)
{
    *sums = _mm512_adds_epu8(*sums, vbmi_load(digits, row));
    return vbmi_small(*sums);
}

/* Stores at least the first n bytes of x.  Short stores are faster, and usually enough. */
static inline void vbmi_append(uint8_t *at, __m512i x, int n)
{
    if (n <= 16)
        _mm_storeu_si128((void *)at, _mm512_castsi512_si128(x));
    else
        _mm512_storeu_si512(at, x);
}

/* Writes the list: of each vector the cells, heights and widths of its windows, without gaps.  `down` is the height
 * minus 1. */
static inline void windows_enumerate(const struct mushroom_state *state, struct windows_list *out)
{
    uint8_t reach[VBMI_ARRAY];
    int count = 0;
    vbmi_reaches(state->digits, reach);
    for (int v = 0; v < WINDOWS_VECTORS; ++v) {
        __m512i sums = _mm512_setzero_si512();
        __m512i top = _mm512_loadu_si512(reach + WINDOWS_BITS * v);
        __m512i cells = _mm512_add_epi8(vbmi_iota(), _mm512_set1_epi8((char)(WINDOWS_BITS * v)));
        for (int down = 0; down < windows_heights(v); ++down) {
            int row = WINDOWS_ROWS * v + down;
            if (!vbmi_grow(state->digits, row, &sums))
                break;
            struct vbmi_band band =
                vbmi_band(sums, top, _mm512_loadu_si512(reach + BOARD_STRIDE * row));
            int found = bits_count64(band.hits);
            vbmi_append(out->cell + count, _mm512_maskz_compress_epi8(band.hits, cells), found);
            vbmi_append(out->width + count, _mm512_maskz_compress_epi8(band.hits, band.width),
                        found);
            vbmi_append(out->down + count, _mm512_set1_epi8((char)down), found);
            count += found;
        }
    }
    out->count = count;
}

/* Computes the actions as windows_action does, for 32 windows at a time. */
static inline __m512i vbmi_actions(const struct windows_list *list, int i)
{
    __m512i cell = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(list->cell + i)));
    __m512i down = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(list->down + i)));
    __m512i width = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(list->width + i)));
    __m512i one = _mm512_set1_epi16(1);
    /* 57 / 1024 is 1 / 18 for cells of the board */
    __m512i r = _mm512_srli_epi16(_mm512_mullo_epi16(cell, _mm512_set1_epi16(57)), 10);
    __m512i c = _mm512_sub_epi16(cell, _mm512_mullo_epi16(r, _mm512_set1_epi16(BOARD_STRIDE)));
    /* the r rows above have 1530 r - 153 r (r - 1) / 2 - 17 r rectangles */
    __m512i above = _mm512_srli_epi16(_mm512_mullo_epi16(r, _mm512_sub_epi16(r, one)), 1);
    __m512i first = _mm512_sub_epi16(_mm512_mullo_epi16(r, _mm512_set1_epi16(1530 - 17)),
                                     _mm512_mullo_epi16(above, _mm512_set1_epi16(153)));
    /* the c columns to the left have (10 - r) (17 c - c (c - 1) / 2) - c */
    __m512i before = _mm512_srli_epi16(_mm512_mullo_epi16(c, _mm512_sub_epi16(c, one)), 1);
    __m512i across =
        _mm512_sub_epi16(_mm512_mullo_epi16(c, _mm512_set1_epi16(BOARD_COLUMNS)), before);
    __m512i rows_left = _mm512_sub_epi16(_mm512_set1_epi16(BOARD_ROWS), r);
    first = _mm512_add_epi16(first, _mm512_mullo_epi16(rows_left, across));
    first = _mm512_sub_epi16(first, _mm512_add_epi16(c, one));
    __m512i left = _mm512_sub_epi16(_mm512_set1_epi16(BOARD_COLUMNS), c);
    return _mm512_add_epi16(first, _mm512_add_epi16(_mm512_mullo_epi16(down, left), width));
}

/* Writes the actions of the whole list as 64-bit numbers; writes whole vectors of 8. */
static inline void windows_number(const struct windows_list *list, uint64_t *out)
{
    for (int i = 0; i < list->count; i += 32) {
        __m512i actions = vbmi_actions(list, i);
        __m256i lo = _mm512_castsi512_si256(actions), hi = _mm512_extracti64x4_epi64(actions, 1);
        _mm512_storeu_si512(out + i, _mm512_cvtepu16_epi64(_mm256_castsi256_si128(lo)));
        if (i + 8 < list->count)
            _mm512_storeu_si512(out + i + 8,
                                _mm512_cvtepu16_epi64(_mm256_extracti128_si256(lo, 1)));
        if (i + 16 < list->count)
            _mm512_storeu_si512(out + i + 16, _mm512_cvtepu16_epi64(_mm256_castsi256_si128(hi)));
        if (i + 24 < list->count)
            _mm512_storeu_si512(out + i + 24,
                                _mm512_cvtepu16_epi64(_mm256_extracti128_si256(hi, 1)));
    }
}

/* --- swings of the rectangles ---
 *
 * worth[i] is the sum over the cells of the row to the left of cell i: 1 for a free cell, 2 for one
 * of the opponent, 0 for an own cell.  Sums of bands are taken modulo 256; vbmi_exact says when
 * that is correct.
 */

static inline uint64_t vbmi_bits(const struct cells *cells, int v)
{
    int at = WINDOWS_BITS * v, k = at >> 6, shift = at & 63;
    uint64_t high = shift && k < 2 ? cells->word[k + 1] << (64 - shift) : 0;
    return cells->word[k] >> shift | high;
}

/* The lanes of column n and all columns to its right. */
static inline __mmask64 vbmi_from(int n)
{
    uint64_t row = ((uint64_t)1 << BOARD_STRIDE) - ((uint64_t)1 << n);
    return row | row << BOARD_STRIDE | row << 2 * BOARD_STRIDE;
}

static inline __m512i vbmi_behind(__m512i x, int n)
{
    __m512i from = _mm512_sub_epi8(vbmi_iota(), _mm512_set1_epi8((char)n));
    return _mm512_maskz_permutexvar_epi8(vbmi_from(n), from, x);
}

static inline void vbmi_worth(const struct cells *own, const struct cells *other,
                              uint8_t out[VBMI_ARRAY])
{
    for (int v = 0; v < WINDOWS_VECTORS; ++v) {
        __m512i x = _mm512_set1_epi8(1);
        x = _mm512_mask_mov_epi8(x, vbmi_bits(other, v), _mm512_set1_epi8(2));
        x = _mm512_mask_mov_epi8(x, vbmi_bits(own, v), _mm512_setzero_si512());
        x = vbmi_behind(x, 1);
        for (int n = 1; n < BOARD_STRIDE; n *= 2)
            x = _mm512_add_epi8(x, vbmi_behind(x, n));
        _mm512_storeu_si512(out + WINDOWS_BITS * v, x);
    }
}

/* The swing of each lane's window: worth after its last column minus worth before its first. */
static inline __m512i vbmi_swing(__m512i worth, __m512i width)
{
    __m512i behind = _mm512_add_epi8(_mm512_add_epi8(vbmi_iota(), width), _mm512_set1_epi8(1));
    return _mm512_sub_epi8(_mm512_permutexvar_epi8(behind, worth), worth);
}

static inline int vbmi_largest(__m512i x)
{
    __m256i a = _mm256_max_epu8(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    __m128i b = _mm_max_epu8(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    b = _mm_max_epu8(b, _mm_srli_epi16(b, 8)); /* low byte: the larger */
    b = _mm_and_si128(b, _mm_set1_epi16(255));
    b = _mm_minpos_epu16(_mm_sub_epi16(_mm_set1_epi16(255), b));
    return 255 - _mm_extract_epi16(b, 0);
}

/* Whether the sums modulo 256 are correct.  A rectangle has at most 170 cells, so the sum only
 * exceeds 255 if the opponent owns many cells. */
static inline bool vbmi_exact(const struct cells *other)
{
    return cells_count(*other) <= 255 - BOARD_CELLS;
}

/* Sums over bands, of which the tilt is made. */
struct vbmi_sums {
    __m512i gains, widths;
    int64_t areas;
};

static inline void vbmi_count(struct vbmi_sums *sums, const struct vbmi_band *band, __m512i swing,
                              int rows)
{
    __m512i zero = _mm512_setzero_si512();
    __m512i hit = _mm512_maskz_mov_epi8(band->hits, swing);
    __m512i width = _mm512_maskz_mov_epi8(band->hits, band->width);
    sums->gains = _mm512_add_epi64(sums->gains, _mm512_sad_epu8(hit, zero));
    sums->widths = _mm512_add_epi64(
        sums->widths, _mm512_mul_epu32(_mm512_sad_epu8(width, zero), _mm512_set1_epi64(rows)));
    sums->areas += rows * bits_count64(band->hits);
}

/* The sum of all swings minus the sum of all areas. */
static inline int vbmi_tilt(const struct vbmi_sums *sums)
{
    return (int)(_mm512_reduce_add_epi64(_mm512_sub_epi64(sums->gains, sums->widths)) -
                 sums->areas);
}

/* Returns the largest swing, 0 when there is no rectangle.  Unless out is NULL, writes the list,
 * and the swing of each rectangle.  Unless tilt is NULL, writes there the number of the opponent's
 * cells minus own cells that rectangles cover, summed over all rectangles. */
static inline int windows_swings(const struct mushroom_state *state, struct windows_list *out,
                                 uint8_t *swings, int *tilt)
{
    const struct cells *own = &state->owned[state->mover], *other = &state->owned[1 - state->mover];
    uint8_t reach[VBMI_ARRAY], worth[VBMI_ARRAY];
    int count = 0;
    __m512i largest = _mm512_setzero_si512();
    struct vbmi_sums total = {largest, largest, 0};
    vbmi_reaches(state->digits, reach);
    vbmi_worth(own, other, worth);
    for (int v = 0; v < WINDOWS_VECTORS; ++v) {
        __m512i sums = _mm512_setzero_si512(), worths = sums;
        __m512i top = _mm512_loadu_si512(reach + WINDOWS_BITS * v);
        __m512i cells = _mm512_add_epi8(vbmi_iota(), _mm512_set1_epi8((char)(WINDOWS_BITS * v)));
        for (int down = 0; down < windows_heights(v); ++down) {
            int row = WINDOWS_ROWS * v + down;
            if (!vbmi_grow(state->digits, row, &sums))
                break;
            worths = _mm512_add_epi8(worths, _mm512_loadu_si512(worth + BOARD_STRIDE * row));
            struct vbmi_band band =
                vbmi_band(sums, top, _mm512_loadu_si512(reach + BOARD_STRIDE * row));
            __m512i swing = vbmi_swing(worths, band.width);
            largest = _mm512_mask_max_epu8(largest, band.hits, largest, swing);
            if (tilt)
                vbmi_count(&total, &band, swing, down + 1);
            if (!out)
                continue;
            int found = bits_count64(band.hits);
            vbmi_append(out->cell + count, _mm512_maskz_compress_epi8(band.hits, cells), found);
            vbmi_append(out->width + count, _mm512_maskz_compress_epi8(band.hits, band.width),
                        found);
            vbmi_append(out->down + count, _mm512_set1_epi8((char)down), found);
            vbmi_append(swings + count, _mm512_maskz_compress_epi8(band.hits, swing), found);
            count += found;
        }
    }
    if (out)
        out->count = count;
    if (tilt)
        *tilt = vbmi_tilt(&total);
    return vbmi_largest(largest);
}

#endif
