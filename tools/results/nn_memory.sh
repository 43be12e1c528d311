#!/bin/sh
# Memory of self-play: 64 games at once with 800 simulations each, mushroom, for a minute.
#
#     tools/results/nn_memory.sh [BANYAN] [SECONDS]
set -eu
banyan=${1:-build/banyan}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
timeout -s INT "${2:-60}" "$banyan" train mushroom --run "$folder/run" --option games=1000 \
    --play at-once=64,simulations=800,whole-share=1,teacher-generations=0 >/dev/null 2>&1 &
while kill -0 $! 2>/dev/null; do
    pid=$(pgrep -P $! || true)
    grep -h VmHWM "/proc/${pid:-$!}/status" 2>/dev/null >"$folder/most" && cp "$folder/most" "$folder/last" || true
    sleep 0.5
done
sed 's/VmHWM: */largest resident set: /' "$folder/last"
