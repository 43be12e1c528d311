#!/bin/sh
# Owner, workers and server are killed 50 times at random for each of five seeds; in a third of the cases the server's disk
# is wiped, too.  The run must end with the same bytes as an undisturbed run:
#
#     tools/cluster/kills.sh [SEED [KILLS]]      BUILD in the environment: the build folder
set -eu
seed=${1:-1}
for i in 0 1 2 3 4; do
    "${BUILD:-build}/test_train_kills" $((seed + i)) "${2:-50}"
done
