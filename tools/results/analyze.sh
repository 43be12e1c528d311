#!/bin/sh
# Does the analysis service reach the speed of a match with the same network?  Measures simulations a second of
#
#     match    games of the network against itself, one thread for each core
#     analyze  the positions of these games as questions, many in flight over one network
#
# with the same network, options and simulations for a position, and their ratio.
#
#   [BANYAN=PROGRAM] tools/results/analyze.sh [-G GAME] [-f NETWORK] [-n GAMES] [-l SIMULATIONS] [-q QUESTIONS]
#       [-j JOBS] [-r ROUNDS]
#
#   -G  othello
#   -f  weights/othello.safetensors
#   -n  4        games of a round
#   -l  200      simulations for each position
#   -q  64       questions in flight
#   -j           games at the same time, and calls of the network by the service; default: all cores
#   -r  3        rounds; the ratio is that of their medians
#
# Exit status 1: the ratio is below 0.90.
set -eu

banyan=${BANYAN:-build/banyan}
game=othello network=weights/othello.safetensors games=4 simulations=200 questions=64 rounds=3
jobs=$(getconf _NPROCESSORS_ONLN)
while getopts G:f:n:l:q:j:r: option; do
    case $option in
    G) game=$OPTARG ;;
    f) network=$OPTARG ;;
    n) games=$OPTARG ;;
    l) simulations=$OPTARG ;;
    q) questions=$OPTARG ;;
    j) jobs=$OPTARG ;;
    r) rounds=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=rule=puct,cpuct=0.7,fpu=0.1,reuse=off,memory=16M

# A question for every position of the games but the last one of each.
questions() {
    sed 's/.*"actions": *"\([^"]*\)".*/\1/' "$work/games" | awk -v n="$simulations" '{
        moves = ""
        for (i = 1; i < NF; ++i) {
            printf "{\"id\": \"%d-%d\", \"moves\": \"%s\", \"simulations\": %d, \"seed\": %d}\n", NR, i, moves, n, i
            moves = moves $i " "
        }
    }'
}

now() { date +%s.%N; }

for round in $(seq "$rounds"); do
    rm -f "$work/games"
    "$banyan" match "$game" "net:$network,$options,simulations=$simulations" \
        "net:$network,$options,simulations=$simulations,name=other" -n "$games" -j "$jobs" -s "$round" \
        --opening-plies 2 --save "$work/games" --json >"$work/match"
    awk '/"simulations"/ { gsub(",", ""); sum += $2 } /"elapsed_s"/ { gsub(",", ""); s = $2 } END { print sum / s }' \
        "$work/match" >>"$work/match-rates"
    questions >"$work/questions"
    begin=$(now)
    "$banyan" analyze "$game" -e "net:$network" -o "$options" -j "$questions" --calls "$jobs" <"$work/questions" >"$work/answers"
    sed 's/.*"simulations": *\([0-9]*\).*/\1/' "$work/answers" |
        awk -v begin="$begin" -v end="$(now)" '{ sum += $1 } END { print sum / (end - begin) }' >>"$work/analyze-rates"
done

median() { sort -g "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

printf '%s\n' "| game | network | in flight | match, simulations/s | analyze | ratio |" "|---|---|---|---|---|---|"
awk -v m="$(median "$work/match-rates")" -v a="$(median "$work/analyze-rates")" \
    -v row="| $game | $network | $questions |" 'BEGIN {
        printf "%s %.0f | %.0f | %.2f |\n", row, m, a, a / m
        exit a / m < 0.9
    }'
