/* The kernels of normalisation for processors with AVX2. */
#include "nn/norm.h"

#if defined(__AVX2__)

#define NORM_CORE(name) norm_avx2_##name
#define NORM_WIDTH      NORM_TILE
#include "nn/norm_core.inc.h"

const struct norm_kernel norm_avx2 = {norm_avx2_sum, norm_avx2_squares, norm_avx2_apply,
                                      norm_avx2_back_sums, norm_avx2_back};

#endif
