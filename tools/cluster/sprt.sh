#!/bin/sh
# Checks that an SPRT played by workers of a queue decides as on one machine: for each of 20 seeds, and for 1, 2, 4 and
# 8 workers, the answer, likelihood ratio, games and score must be the same:
#
#     tools/cluster/sprt.sh [SEEDS [FIRST]]
set -eu
seeds=${1:-20}
first=${2:-1}
. "$(dirname "$0")/queue.sh"

# result SEED WORD...: the figures that must be equal, in one line
result() {
    seed=$1
    shift
    "$banyan" match connect4 mcts:simulations=60,memory=1M mcts:simulations=30,memory=1M --opening-plies 4 --games 4000 \
        --sprt 0,60 --seed "$seed" --json "$@" 2>/dev/null |
        sed -n '/"pairs"/,/]/p; /"llr"\|"answer"\|"games"\|"wins_a"\|"draws"\|"wins_b"\|"distinct_games"/p' |
        tr -d ' \n'
}

for seed in $(seq "$first" $((first + seeds - 1))); do
    wanted=$(result "$seed")
    for count in 1 2 4 8; do
        name=sprt-$seed-$count
        for _ in $(seq $count); do
            start_worker "$name" --threads 1
        done
        got=$(result "$seed" --queue "$queue?prefix=$name")
        wait_workers
        [ "$got" = "$wanted" ] || { echo "seed $seed, $count workers: $got, not $wanted"; bad=1; }
    done
    echo "seed $seed: $wanted"
done
exit $bad
