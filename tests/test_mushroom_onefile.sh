#!/bin/sh
# The one-file player compiles with the judge's line without a warning and plays the same moves as
# `banyan nypc`.
set -eu
build=$1
command -v gcc >/dev/null && command -v python3 >/dev/null || {
    echo "SKIPPED: no gcc or no python3 here"
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tools/make_nypc "$dir/main.c"
cd "$dir"
gcc -std=gnu2x -O2 -DONLINE_JUDGE -DNYPC -Wall -Wextra -march=native -mtune=native -o main main.c \
    -lm 2>warnings
if [ -s warnings ]; then
    cat warnings
    exit 1
fi
[ "$(wc -c <main.c)" -le 1048576 ]
# The same without vectors, as it would be on another machine.
gcc -std=gnu2x -O2 -DONLINE_JUDGE -DNYPC -Wall -Wextra -Werror -o plain main.c -lm

words='READY SECOND
INIT 52466443835422223 13254826938785712 87598398564241564 72722154162442227 43968227685821641 27727492381231148 56138649164249527 36281415328768234 62682694189422313 62269566965435457
OPP 0 11 0 14 3
TIME 10000 9997
OPP -1 -1 -1 -1 1
TIME 9000 9997
FINISH'
echo "$words" | ./main NYPC 20000 >one
echo "$words" | ./plain NYPC 20000 >other
echo "$words" | "$build/banyan" nypc --nodes 20000 NYPC >ours
cmp one ours
cmp other ours
[ "$(wc -l <ours)" -eq 3 ]

# Whole games against each other end without an error, and from both seats with the same moves.
# A slow machine has time enough, too.
"$build/banyan" judge --games 2 --seed 5 --bank 1000s --log a.log "one=./main NYPC 3000" \
    "ours=$build/banyan nypc --nodes 3000" >table
"$build/banyan" judge --games 2 --seed 5 --bank 1000s --log b.log "ours=$build/banyan nypc --nodes 3000" \
    "one=./main NYPC 3000" >>table
for i in 1 2; do
    cut -d' ' -f1-5 a-$i.log | grep -v INIT >a
    cut -d' ' -f1-5 b-$i.log | grep -v INIT >b
    grep -q FINISH a
    cmp a b
done
