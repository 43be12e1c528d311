/* The OpenMP runtime that oneDNN brings along; its <omp.h> is not there with every compiler. */
#ifndef NN_ONEDNN_OPENMP_H
#define NN_ONEDNN_OPENMP_H

void omp_set_num_threads(int threads); /* of the calling thread's parallel regions */

#endif
