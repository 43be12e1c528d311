/* The kernels of normalisation for processors with AVX-512. */
#include "nn/norm.h"

#if defined(__AVX512F__)

#define NORM_CORE(name) norm_avx512_##name
#define NORM_WIDTH      NORM_TILE
#include "nn/norm_core.inc.h"

const struct norm_kernel norm_avx512 = {norm_avx512_sum, norm_avx512_squares, norm_avx512_apply,
                                        norm_avx512_back_sums, norm_avx512_back};

#endif
