/* Element-wise work on boards in bf16, for processors with AVX-512. */
#include "nn/onednn/lanes.h"

#include "base/cpu.h"

#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512BW__)

#include <immintrin.h>

enum {
    LANES_TILE = 64
}; /* rows that are processed together, so that they stay in the
                           * first-level cache */

bool lanes_here(void)
{
    return cpu_level() >= CPU_AVX512;
}

static inline __m512 lanes_get(const lanes_half *at)
{
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)at));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

/* Rounds to the nearest number, ties to even. */
static inline __m256i lanes_round(__m512 value)
{
    __m512i bits = _mm512_castps_si512(value);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    bits = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16));
}

static inline void lanes_put(lanes_half *at, __m512 value)
{
    _mm256_storeu_si256((void *)at, lanes_round(value));
}

static inline size_t lanes_rows(const struct lanes_board *board)
{
    return (size_t)board->count * (size_t)board->cells;
}

static inline void lanes_add_double(double *to, __m512 value)
{
    __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(value));
    __m512d high =
        _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(value), 1)));
    _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), low));
    _mm512_storeu_pd(to + 8, _mm512_add_pd(_mm512_loadu_pd(to + 8), high));
}

static inline __m512 lanes_get_pair(const struct lanes_pair *pair, size_t at)
{
    __m512 high = lanes_get(pair->high + at);
    return pair->low ? _mm512_add_ps(high, lanes_get(pair->low + at)) : high;
}

static inline void lanes_put_pair(const struct lanes_pair *pair, size_t at, __m512 value)
{
    __m256i high = lanes_round(value);
    __m512 kept = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16));
    _mm256_storeu_si256((void *)(pair->high + at), high);
    if (pair->low)
        lanes_put(pair->low + at, _mm512_sub_ps(value, kept));
}

static inline lanes_half lanes_round_one(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1);
    return (lanes_half)(bits >> 16);
}

static inline float lanes_rest_one(float value)
{
    uint32_t bits = (uint32_t)lanes_round_one(value) << 16;
    float kept;
    memcpy(&kept, &bits, sizeof kept);
    return value - kept;
}

void lanes_split(size_t n, const float *from, const struct lanes_pair *to)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        lanes_put_pair(to, i, _mm512_loadu_ps(from + i));
    for (; i < n; ++i) {
        to->high[i] = lanes_round_one(from[i]);
        if (to->low)
            to->low[i] = lanes_round_one(lanes_rest_one(from[i]));
    }
}

void lanes_rest(size_t n, const float *from, float *to)
{
    for (size_t i = 0; i < n; ++i)
        to[i] = lanes_rest_one(from[i]);
}

/* --- sums over rows --- */

void lanes_sums(const struct lanes_board *board, const float *x, double *sum, double *square)
{
    size_t rows = lanes_rows(board), channels = (size_t)board->channels;
    for (size_t first = 0; first < rows; first += LANES_TILE) {
        size_t last = first + LANES_TILE < rows ? first + LANES_TILE : rows;
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 one = _mm512_setzero_ps(), two = _mm512_setzero_ps();
            for (size_t row = first; row < last; ++row) {
                __m512 value = _mm512_loadu_ps(x + row * channels + c);
                one = _mm512_add_ps(one, value);
                two = _mm512_fmadd_ps(value, value, two);
            }
            lanes_add_double(sum + c, one);
            lanes_add_double(square + c, two);
        }
    }
}

void lanes_mask(const struct lanes_board *board, const struct lanes_mask *mask)
{
    size_t rows = lanes_rows(board), channels = (size_t)board->channels;
    for (size_t first = 0; first < rows; first += LANES_TILE) {
        size_t last = first + LANES_TILE < rows ? first + LANES_TILE : rows;
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 sum = _mm512_setzero_ps(), product = sum, mean = sum, inverse = sum;
            if (mask->pre) {
                mean = _mm512_loadu_ps(mask->mean + c);
                inverse = _mm512_loadu_ps(mask->inverse + c);
            }
            for (size_t row = first; row < last; ++row) {
                size_t at = row * channels + c;
                __m512 dy = lanes_get(mask->dy + at);
                if (mask->out) {
                    __mmask16 on = _mm512_cmp_ps_mask(lanes_get(mask->out + at),
                                                      _mm512_setzero_ps(), _CMP_GT_OQ);
                    dy = _mm512_maskz_mov_ps(on, dy);
                    lanes_put(mask->dy + at, dy);
                }
                sum = _mm512_add_ps(sum, dy);
                if (mask->pre) {
                    __m512 normal = _mm512_mul_ps(
                        _mm512_sub_ps(_mm512_loadu_ps(mask->pre + at), mean), inverse);
                    product = _mm512_fmadd_ps(dy, normal, product);
                }
            }
            lanes_add_double(mask->sum + c, sum);
            if (mask->pre)
                lanes_add_double(mask->product + c, product);
        }
    }
}

/* --- element by element --- */

static void lanes_finish_row(const struct lanes_finish *f, size_t channels, size_t at,
                             const float *spread)
{
    for (size_t c = 0; c < channels; c += LANES) {
        __m512 value = _mm512_loadu_ps(f->pre + at + c);
        if (f->scale)
            value = _mm512_mul_ps(value, _mm512_loadu_ps(f->scale + c));
        if (f->shift)
            value = _mm512_add_ps(value, _mm512_loadu_ps(f->shift + c));
        if (f->residual)
            value = _mm512_add_ps(value, lanes_get_pair(f->residual, at + c));
        if (spread)
            value = _mm512_add_ps(value, _mm512_loadu_ps(spread + c));
        if (f->relu)
            value = _mm512_max_ps(value, _mm512_setzero_ps());
        lanes_put_pair(&f->out, at + c, value);
    }
}

void lanes_finish(const struct lanes_board *board, const struct lanes_finish *finish)
{
    size_t channels = (size_t)board->channels, at = 0;
    for (int n = 0; n < board->count; ++n) {
        const float *spread = finish->spread ? finish->spread + (size_t)n * channels : NULL;
        for (int cell = 0; cell < board->cells; ++cell, at += channels)
            lanes_finish_row(finish, channels, at, spread);
    }
}

void lanes_spread(const struct lanes_board *board, const float *spread, lanes_half *x)
{
    size_t channels = (size_t)board->channels;
    for (int n = 0; n < board->count; ++n, spread += channels)
        for (int cell = 0; cell < board->cells; ++cell, x += channels)
            for (size_t c = 0; c < channels; c += LANES) {
                __m512 value = _mm512_add_ps(lanes_get(x + c), _mm512_loadu_ps(spread + c));
                lanes_put(x + c, _mm512_max_ps(value, _mm512_setzero_ps()));
            }
}

void lanes_blend(const struct lanes_board *board, const struct lanes_blend *blend)
{
    size_t size = lanes_rows(board) * (size_t)board->channels;
    for (size_t at = 0; at < size; at += (size_t)board->channels)
        for (size_t c = 0; c < (size_t)board->channels; c += LANES) {
            __m512 value =
                _mm512_fmadd_ps(_mm512_loadu_ps(blend->pre + at + c), _mm512_loadu_ps(blend->b + c),
                                _mm512_loadu_ps(blend->c + c));
            value = _mm512_fmadd_ps(lanes_get(blend->dy + at + c), _mm512_loadu_ps(blend->a + c),
                                    value);
            lanes_put(blend->dx + at + c, value);
        }
}

void lanes_add(const struct lanes_board *board, const lanes_half *x, lanes_half *y)
{
    size_t size = lanes_rows(board) * (size_t)board->channels;
    for (size_t at = 0; at < size; at += LANES)
        lanes_put(y + at, _mm512_add_ps(lanes_get(x + at), lanes_get(y + at)));
}

/* --- the whole board --- */

void lanes_pool(const struct lanes_board *board, const struct lanes_pair *x, float *pooled)
{
    size_t channels = (size_t)board->channels, image = channels * (size_t)board->cells;
    __m512 share = _mm512_set1_ps(1 / (float)board->cells);
    size_t first = 0;
    for (int n = 0; n < board->count; ++n, first += image, pooled += 2 * channels)
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 sum = _mm512_setzero_ps(), most = lanes_get_pair(x, first + c);
            for (size_t at = c; at < image; at += channels) {
                __m512 value = lanes_get_pair(x, first + at);
                sum = _mm512_add_ps(sum, value);
                most = _mm512_max_ps(most, value);
            }
            _mm512_storeu_ps(pooled + c, _mm512_mul_ps(sum, share));
            _mm512_storeu_ps(pooled + channels + c, most);
        }
}

/* The gradient of the maximum goes to the first cell that has the maximum. */
void lanes_pool_back(const struct lanes_board *board, const struct lanes_pair *x,
                     const float *pooled, const float *dpooled, lanes_half *dx)
{
    size_t channels = (size_t)board->channels, image = channels * (size_t)board->cells;
    __m512 share = _mm512_set1_ps(1 / (float)board->cells);
    size_t first = 0;
    for (int n = 0; n < board->count; ++n, first += image, dx += image) {
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 mean = _mm512_mul_ps(_mm512_loadu_ps(dpooled + c), share);
            __m512 best = _mm512_loadu_ps(dpooled + channels + c);
            __m512 most = _mm512_loadu_ps(pooled + channels + c);
            __mmask16 open = 0xffff;
            for (size_t at = c; at < image; at += channels) {
                __mmask16 here =
                    _mm512_mask_cmp_ps_mask(open, lanes_get_pair(x, first + at), most, _CMP_EQ_OQ);
                __m512 value = _mm512_add_ps(lanes_get(dx + at), mean);
                lanes_put(dx + at, _mm512_mask_add_ps(value, here, value, best));
                open = (__mmask16)(open & ~here);
            }
        }
        pooled += 2 * channels;
        dpooled += 2 * channels;
    }
}

void lanes_spread_back(const struct lanes_board *board, const lanes_half *dy, float *dv)
{
    size_t channels = (size_t)board->channels, image = channels * (size_t)board->cells;
    for (int n = 0; n < board->count; ++n, dy += image, dv += channels)
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 sum = _mm512_setzero_ps();
            for (size_t at = c; at < image; at += channels)
                sum = _mm512_add_ps(sum, lanes_get(dy + at));
            _mm512_storeu_ps(dv + c, sum);
        }
}

/* --- heads --- */

void lanes_head(const struct lanes_board *board, const struct lanes_pair *x,
                const struct lanes_head *head)
{
    size_t rows = lanes_rows(board), channels = (size_t)board->channels;
    float wide[LANES_CHANNELS];
    for (size_t row = 0; row < rows; ++row) {
        for (size_t c = 0; c < channels; c += LANES)
            _mm512_storeu_ps(wide + c, lanes_get_pair(x, row * channels + c));
        for (int o = 0; o < head->outs; ++o) {
            const float *weight = head->weight + (size_t)o * channels;
            __m512 sum = _mm512_setzero_ps();
            for (size_t c = 0; c < channels; c += LANES)
                sum = _mm512_fmadd_ps(_mm512_loadu_ps(wide + c), _mm512_loadu_ps(weight + c), sum);
            head->out[row * (size_t)head->outs + (size_t)o] = _mm512_reduce_add_ps(sum);
        }
    }
}

void lanes_head_weights(const struct lanes_board *board, const lanes_half *x,
                        const struct lanes_head *head, float *dweight)
{
    size_t rows = lanes_rows(board), channels = (size_t)board->channels;
    size_t outs = (size_t)head->outs;
    for (size_t first = 0; first < rows; first += LANES_TILE) {
        size_t last = first + LANES_TILE < rows ? first + LANES_TILE : rows;
        for (size_t o = 0; o < outs; ++o)
            for (size_t c = 0; c < channels; c += LANES) {
                __m512 sum = _mm512_loadu_ps(dweight + o * channels + c);
                for (size_t row = first; row < last; ++row)
                    sum = _mm512_fmadd_ps(lanes_get(x + row * channels + c),
                                          _mm512_set1_ps(head->dout[row * outs + o]), sum);
                _mm512_storeu_ps(dweight + o * channels + c, sum);
            }
    }
}

void lanes_heads_back(const struct lanes_board *board, const struct lanes_head *heads, int n,
                      lanes_half *dx)
{
    size_t rows = lanes_rows(board), channels = (size_t)board->channels;
    for (size_t row = 0; row < rows; ++row, dx += channels)
        for (size_t c = 0; c < channels; c += LANES) {
            __m512 sum = _mm512_setzero_ps();
            for (int h = 0; h < n; ++h) {
                size_t outs = (size_t)heads[h].outs;
                for (size_t o = 0; o < outs; ++o)
                    sum = _mm512_fmadd_ps(_mm512_loadu_ps(heads[h].weight + o * channels + c),
                                          _mm512_set1_ps(heads[h].dout[row * outs + o]), sum);
            }
            lanes_put(dx + c, sum);
        }
}

#else

bool lanes_here(void)
{
    return false;
}

#endif
