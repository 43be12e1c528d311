#!/bin/bash
# A training run under faults: killed at 30 random moments, a full disk, damaged files, a network of
# another game.  Prints a line for each fault; exit status 1 if the run did not survive one of them.
#
#     tools/results/nn_faults.sh [BANYAN] [SEED]
set -u
banyan=$(realpath "${1:-build/banyan}")
RANDOM=${2:-1}
folder=$(mktemp -d)
mounted=
trap 'test -n "$mounted" && umount "$folder/small"; rm -rf "$folder"' EXIT
wrong=0
settings="--option generations=6,games=60,passes=4,batch=32,window=600,gate-games=20,gate-simulations=8,test=,seed=3
    --play simulations=16,at-once=8 --net channels=8,blocks=1"

train() { "$banyan" train tictactoe --run "$@" $settings; }
result() { # right? what
    test "$1" = 0 && echo "ok     $2" || { echo "WRONG  $2"; wrong=1; }
}
count() { "$banyan" net info "$1/learner.safetensors" | sed -n 's/^step *//p'; }
same() { # two runs
    cmp -s "$1/best.safetensors" "$2/best.safetensors" &&
        cmp -s "$1/learner.safetensors" "$2/learner.safetensors" &&
        test "$(wc -l <"$1/log")" = "$(wc -l <"$2/log")"
}
games() { python3 - "$1/run.db" <<'P' 2>/dev/null || echo '?'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(*db.execute("select count(*), count(distinct generation * 100000 + number) from games").fetchone())
P
}

train "$folder/whole" >/dev/null 2>&1
result $? "a run that nobody disturbs: $(games "$folder/whole") games, $(count "$folder/whole")"

# --- killed ---
kills=0 corrupt=0
while [ $kills -lt 30 ]; do
    "$banyan" train tictactoe --run "$folder/killed" $settings >/dev/null 2>&1 &
    sleep "0.0$((RANDOM % 90 + 10))"
    if kill -9 $! 2>/dev/null; then kills=$((kills + 1)); fi
    wait $! 2>/dev/null
    for file in best learner; do
        test ! -e "$folder/killed/$file.safetensors" ||
            "$banyan" net info "$folder/killed/$file.safetensors" >/dev/null 2>&1 || corrupt=$((corrupt + 1))
    done
    # a finished run is started again, so that every kill hits a run in progress
    if [ -e "$folder/killed/log" ] && [ "$(wc -l <"$folder/killed/log")" = 6 ]; then
        same "$folder/whole" "$folder/killed" || { result 1 "the end after $kills kills"; break; }
        rm -rf "$folder/killed"
    fi
done
result $corrupt "$kills kills: $corrupt corrupt checkpoints"
train "$folder/killed" >/dev/null 2>&1 && same "$folder/whole" "$folder/killed" &&
    test "$(games "$folder/killed")" = "$(games "$folder/whole")"
result $? "the run that was killed ends like the other: $(games "$folder/killed") games"

# --- a full disk ---
mkdir "$folder/small"
if mount -t tmpfs -o size=120k tmpfs "$folder/small" 2>/dev/null; then
    mounted=1
    said=$(train "$folder/small/run" 2>&1 >/dev/null)
    code=$?
    test $code = 1
    result $? "a full disk ends the run: $(echo "$said" | tail -1)"
    mount -o remount,size=16m "$folder/small"
    train "$folder/small/run" >/dev/null 2>&1 && same "$folder/whole" "$folder/small/run"
    result $? "with room again it goes on to the same end"
else
    said=$(ulimit -f 24; trap '' XFSZ; train "$folder/small/run" 2>&1 >/dev/null)
    result $((! $?)) "no room for a file ends the run: $(echo "$said" | tail -1)"
    train "$folder/small/run" >/dev/null 2>&1 && same "$folder/whole" "$folder/small/run"
    result $? "with room again it goes on to the same end"
fi

# --- damaged files ---
flip() { # file offset
    byte=$(od -An -tu1 -j "$2" -N1 "$1" | tr -d ' ')
    printf "$(printf '\\x%02x' $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
damaged() { rm -rf "$folder/damaged"; cp -r "$folder/whole" "$folder/damaged"; }
longer="--option generations=7"

damaged
flip "$folder/damaged/learner.safetensors" 3000
"$banyan" train tictactoe --run "$folder/damaged" $longer >/dev/null 2>&1
result $? "a flipped bit in learner.safetensors: the one before it takes over"

damaged
truncate -s 2000 "$folder/damaged/learner.safetensors"
"$banyan" train tictactoe --run "$folder/damaged" $longer >/dev/null 2>&1
result $? "a truncated learner.safetensors: the one before it takes over"

damaged
flip "$folder/damaged/best.safetensors" 3000
said=$("$banyan" train tictactoe --run "$folder/damaged" $longer 2>&1 >/dev/null)
test $? = 1 && echo "$said" | grep -q best.safetensors
result $? "a flipped bit in best.safetensors: $(echo "$said" | tail -1 | sed "s|$folder/||g")"

damaged
said=$("$banyan" match tictactoe "net:$folder/damaged/options" random --games 2 2>&1 >/dev/null)
test $? != 0
result $? "a file that is no network: $(echo "$said" | tail -1 | sed "s|$folder/||g")"

damaged
flip "$folder/damaged/records/g00006.rec" 1500
truncate -s -30 "$folder/damaged/records/g00005.rec"
"$banyan" train tictactoe --run "$folder/damaged" $longer >/dev/null 2>&1
result $? "damaged records: their games are passed over"

# --- another game ---
said=$("$banyan" match connect4 "net:$folder/whole/best.safetensors" random --games 2 2>&1 >/dev/null)
test $? != 0
result $? "a network of another game: $(echo "$said" | tail -1 | sed "s|$folder/||g")"
said=$("$banyan" train connect4 --run "$folder/whole" 2>&1 >/dev/null)
test $? = 1
result $? "a run of another game: $(echo "$said" | tail -1 | sed "s|$folder/||g")"
exit $wrong
