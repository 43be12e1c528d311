#!/bin/sh
# Runs `banyan demo` with many seeds: does the better player win or draw every pair of games, and how long does it take?
#
#   tools/results/demo.sh [-b BANYAN] [-n SEEDS]
set -eu

banyan=build/banyan
seeds=20
while getopts b:n: option; do
    case $option in
    b) banyan=$OPTARG ;;
    n) seeds=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done

seed=1
good=0
longest=0
while [ "$seed" -le "$seeds" ]; do
    start=$(date +%s)
    # game, opponent, won-drawn-lost, ...: a pair is lost if more games are lost than won
    rows=$("$banyan" demo --seed "$seed" | sed -n '/^game /,/^$/p' | awk 'NF == 5 && $3 ~ /^[0-9]-[0-9]-[0-9]$/ { print $1, $3 }')
    seconds=$(($(date +%s) - start))
    [ "$seconds" -gt "$longest" ] && longest=$seconds
    lost=$(echo "$rows" | awk '{ split($2, n, "-"); lost += n[3] > n[1] } END { print lost + 0 }')
    [ "$lost" -eq 0 ] && [ "$(echo "$rows" | wc -l)" -eq 5 ] && good=$((good + 1))
    echo "seed $seed: $seconds s, $(echo "$rows" | tr '\n' ' ')"
    seed=$((seed + 1))
done
echo "$good of $seeds seeds: every pair won or drawn; the longest took $longest s"
