#!/bin/sh
# Compares self-play by a queue with self-play in one process: games of 6x6 Othello a second, and processor time of a
# game, by 1 worker of 2 threads, by 2, 4 and 8 workers of one thread, and by threads of the owner (--play threads=2),
# in turn:
#
#     tools/cluster/shares.sh [ROUNDS [GAMES]]     GAMES of a generation, of which there are two; wants an idle machine
set -eu
rounds=${1:-5}
games=${2:-400}
. "$(dirname "$0")/queue.sh"

# timed FILE WORD...: runs banyan, and adds its processor time to a file
timed() {
    file=$1
    shift
    /usr/bin/env time -a -o "$file" -f '%U %S' "$banyan" "$@" >/dev/null 2>"$folder/messages" || { cat "$folder/messages"; exit 1; }
}

# play NAME WORKERS THREADS: a run; adds the seconds of its second generation to NAME.seconds, and processor time to NAME.cpu
play() {
    name=$1-$round run=$folder/$1-$round
    before=$(ticks $server)
    set -- "$1" "$2" "$3" train othello-6x6 --run "$run" --net channels=16,blocks=3 --play "simulations=40,threads=2" \
        -o "generations=2,games=$games,passes=0.001,test=,gate-games=0,backend=plain"
    what=$1 count=$2 threads=$3 # 0 workers: threads of the owner play
    shift 3
    [ "$count" = 0 ] || set -- "$@" --queue "$queue?prefix=$name" --audit 0
    for _ in $(seq "$count"); do
        timed "$folder/$what.cpu" worker --queue "$queue?prefix=$name" --cache "$folder/cache" --threads "$threads" &
        workers="$workers $!"
    done
    timed "$folder/$what.cpu" "$@"
    [ "$count" = 0 ] || wait_workers
    echo "$(calc %.2f '$1 / $2' $(($(ticks $server) - before)) "$(getconf CLK_TCK)") 0" >>"$folder/$what.cpu"
    tail -1 "$run/log" | sed 's/.*(play \([0-9.]*\),.*/\1/' >>"$folder/$what.seconds"
}

sum() { awk '{ s += $1 + $2 } END { print s }' "$1"; }

for round in $(seq "$rounds"); do
    play alone 0 0
    play 1x2 1 2
    play 2x1 2 1
    play 4x1 4 1
    play 8x1 8 1
done
for line in '1x2 97' '2x1 97' '4x1 95' '8x1 90'; do
    what=${line% *} bound=${line#* }
    told "$what, games a second" "$(calc %.1f '100 * $1 / $2' "$(sum "$folder/alone.seconds")" "$(sum "$folder/$what.seconds")")" \
        '% of those without a queue' '>=' "$bound"
    told "$what, processor time of a game" "$(calc %.1f '100 * ($1 / $2 - 1)' "$(sum "$folder/$what.cpu")" "$(sum "$folder/alone.cpu")")" \
        '% more' '<=' 3
done
exit $bad
