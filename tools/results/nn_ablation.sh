#!/bin/sh
# What the choices of learning are worth, with little time: networks learn from the same games, or
# the same number of games is played in different ways.
#
#     tools/results/nn_ablation.sh heads RECORDS [BANYAN]   mushroom: policy heads and auxiliary heads
#                                                           on the games of RECORDS/g00001*.rec
#     tools/results/nn_ablation.sh play [BANYAN]            tic-tac-toe: ways to search in self-play
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

heads() { # name, network
    mkdir -p "$folder/$1/records"
    cp "$records"/g00001*.rec "$folder/$1/records/"
    "$banyan" train mushroom --run "$folder/$1" --net "channels=64,blocks=3,pool=3,$2" \
        --option "games=200,generations=1,hold=5,passes=8,gate_games=0,exam=" 2>/dev/null |
        sed -n "s/.*step \([0-9]*\) .*held out: policy \([0-9.]*\) value \([0-9.]*\).*/$1: \1 steps, held out policy \2 value \3/p"
}

play() { # name, search, play
    losses="" games=0
    for seed in 1 2 3 4; do
        line=$("$banyan" train tictactoe --run "$folder/$1$seed" --search "$2" --play "$3" \
            --option "generations=6,exam_stop=off,exam_every=6,seed=$seed" 2>/dev/null | tail -1)
        losses="$losses $(echo "$line" | sed -n 's/.*exam \([0-9.]*\) %.*, \([0-9]*\) lost.*/\2/p')"
    done
    echo "$1: lost of 200 against perfect play after 6 generations, 4 seeds:$losses"
}

case $1 in
heads)
    records=$2 banyan=${3:-build/banyan}
    heads full policy_head=full,policy_channels=4,owner=on,score=on
    heads pairs policy_head=pairs,policy_channels=16,owner=on,score=on
    heads full-no-auxiliary policy_head=full,policy_channels=4,owner=off,score=off
    ;;
play)
    banyan=${2:-build/banyan}
    for n in 16 64; do
        play puct-$n rule=puct simulations=$n
        play gumbel-$n rule=gumbel,noise-weight=0,gumbel-actions=9 simulations=$n
    done
    play puct-64-capped rule=puct simulations=64,fast_simulations=16,whole_share=0.35
    play puct-64-forced rule=puct,forced-playouts=on simulations=64
    ;;
*)
    sed -n '2,9p' "$0"
    exit 2
    ;;
esac
