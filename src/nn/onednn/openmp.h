/* The OpenMP runtime that oneDNN uses, declared here because not every compiler has <omp.h>. */
#ifndef NN_ONEDNN_OPENMP_H
#define NN_ONEDNN_OPENMP_H

void omp_set_num_threads(int threads); /* of the calling thread's parallel regions */

#endif
