/* `banyan bench nn`: the speed of networks and the peak of the processor, measured in one run. */
#ifndef CLI_BENCH_BENCH_NN_H
#define CLI_BENCH_BENCH_NN_H

#include <banyan/status.h>

enum banyan_status bench_nn(double seconds, struct banyan_error *err);

#endif
