#!/bin/sh
# Compares choices in training, with short runs: networks learn from the same games, or self-play plays the
# same number of games in different ways.
#
#     tools/results/nn_ablation.sh heads [BANYAN]   mushroom: policy heads, auxiliary heads; two
#                                                   generations of the same 1000 teacher's games,
#                                                   losses on every twentieth, which is held out,
#                                                   then 200 games against each other
#     tools/results/nn_ablation.sh play [BANYAN]            tic-tac-toe: ways to search in self-play
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

heads() { # name, network
    mkdir -p "$folder/$1/records"
    if [ -d "$folder/first" ]; then
        cp "$folder"/first/records/*.rec "$folder/$1/records/"
    fi
    for generation in 1 2; do
        line=$("$banyan" train mushroom --run "$folder/$1" --net "$2" --once \
            --option "generations=8,window=200000,rate-end=0.1,test=" --optimizer average=0.99 \
            --play "teacher=(alphabeta:nodes=500,memory=1M),teacher-generations=8" 2>/dev/null |
            tail -1)
        echo "$1: generation $generation: $line" |
            sed "s/: generation [0-9]*: 1000.*step/: step/;s/elo.*//"
    done
    [ -d "$folder/first" ] || ln -s "$folder/$1" "$folder/first"
}

play() { # name, search, play
    losses="" games=0
    for seed in 1 2 3 4; do
        line=$("$banyan" train tictactoe --run "$folder/$1$seed" --search "$2" --play "$3" \
            --option "generations=6,test-stop=off,test-every=6,seed=$seed" 2>/dev/null | tail -1)
        losses="$losses $(echo "$line" | sed -n 's/.*test \([0-9.]*\) %.*, \([0-9]*\) lost.*/\2/p')"
    done
    echo "$1: lost of 200 against perfect play after 6 generations, 4 seeds:$losses"
}

case $1 in
heads)
    banyan=${2:-build/banyan}
    heads pairs policy-head=pairs,policy-channels=16,owner=on,score=on
    heads full policy-head=full,policy-channels=4,owner=on,score=on
    heads pairs-no-auxiliary policy-head=pairs,policy-channels=16,owner=off,score=off
    for other in full pairs-no-auxiliary; do
        echo "pairs against $other, 100 simulations a move:"
        "$banyan" match mushroom "net:$folder/pairs/best.safetensors,simulations=100,batch=8" \
            "net:$folder/$other/best.safetensors,simulations=100,batch=8" --games 200 -j 1 --seed 5 |
            sed -n 3p
    done
    ;;
play)
    banyan=${2:-build/banyan}
    for n in 16 64; do
        play puct-$n rule=puct simulations=$n
        play gumbel-$n rule=gumbel,noise-weight=0,gumbel-actions=9 simulations=$n
    done
    play puct-64-capped rule=puct simulations=64,fast-simulations=16,whole-share=0.35
    play puct-64-forced rule=puct,forced-playouts=on simulations=64
    ;;
*)
    sed -n '2,9p' "$0"
    exit 2
    ;;
esac
