#!/bin/sh
# The networks that come along play: fewer simulations than their opponent has, and far more points.
set -eu
banyan=$1/banyan
score=$("$banyan" match othello net:weights/othello.safetensors,simulations=25,backend=plain \
    mcts:simulations=100 --games 6 --seed 1 --opening-plies 4 2>/dev/null |
    awk '/^net:/ { print $2 + $3 / 2; exit }')
echo "othello: $score of 6"
awk -v score="$score" 'BEGIN { exit !(score >= 4.5) }'
"$banyan" net check weights/othello.safetensors --backend plain >/dev/null

score=$("$banyan" match mushroom net:weights/mushroom.safetensors,simulations=50,backend=plain \
    mcts:simulations=200 --games 6 --seed 1 2>/dev/null |
    awk '/^net:/ { print $2 + $3 / 2; exit }')
echo "mushroom: $score of 6"
awk -v score="$score" 'BEGIN { exit !(score >= 4.5) }'
"$banyan" net check weights/mushroom.safetensors --backend plain >/dev/null

right=$("$banyan" suite -q --need=0 tests/data/connect4/solved.suite \
    --player net:weights/connect4.safetensors,simulations=3,backend=plain | sed -n 's/^\([0-9]*\) of 1000 right.*/\1/p')
echo "connect4: $right of 1000"
test "$right" -ge 880 # random games: 842 with 400 simulations
"$banyan" net check weights/connect4.safetensors --backend plain >/dev/null

row=99999999999999999
answer=$(printf 'READY FIRST\nINIT 28%s %s %s %s %s %s %s %s %s %s\nTIME 10000 10000\nFINISH\n' \
    999999999999999 $row $row $row $row $row $row $row $row $row |
    "$banyan" nypc --player net:weights/mushroom.safetensors,simulations=25,backend=plain NYPC)
test "$answer" = 'OK
0 0 0 1'
