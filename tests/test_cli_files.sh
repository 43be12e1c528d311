#!/bin/sh
# What commands write: whole or not at all, and devices, pipes and links stay what they are:
# sh tests/test_cli_files.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

# --- one line for each command that writes a file: write NAME FILE ---
log=$work/game.log
me="$banyan nypc --nodes 50 --memory 65536 NYPC"
"$banyan" judge --first "$me" --second "$me" --seed 3 --quiet --log "$log" >/dev/null || fail 'no game to show'
net=$(ls weights/*othello*.safetensors 2>/dev/null | head -1)
[ -n "$net" ] || fail 'no network to export'
writers='export book tree page log search'
write() {
    case $1 in
    export) "$banyan" net export "$net" "$2" ;;
    book) "$banyan" search othello -n 2000 --min-visits=2 --save-book="$2" ;;
    search) "$banyan" search othello -n 500 --save="$2" ;;
    tree) "$banyan" tree othello -n 2000 -d 0 -f html --max-children=0 -O "$2" ;;
    page) "$banyan" page "$log" -o "$2" ;;
    log) "$banyan" judge --first "$me" --second "$me" --seed 3 --quiet --log "$2" ;;
    esac >"$work/out" 2>"$work/err"
}

for name in $writers; do
    # a link: what it leads to is written, also when that is not there yet
    mkdir "$work/$name" "$work/$name/far"
    echo before >"$work/$name/far/file"
    chmod 640 "$work/$name/far/file"
    ln -s far/file "$work/$name/link"
    ln -s far/new "$work/$name/hanging"
    for link in link hanging; do
        write $name "$work/$name/$link" || fail "$name into a link: $(cat "$work/err")"
        [ -L "$work/$name/$link" ] || fail "$name replaced a link"
    done
    grep -q before "$work/$name/far/file" && fail "$name did not write where the link leads"
    [ "$(ls -l "$work/$name/far/file" | cut -c1-10)" = -rw-r----- ] || fail "$name changed the mode of a file"
    [ -s "$work/$name/far/new" ] || fail "$name: a link to nothing led nowhere"

    # a pipe stays one, and gets the same as a file
    mkfifo "$work/$name/pipe"
    (exec timeout 300 cat "$work/$name/pipe" >"$work/$name/through") &
    reader=$!
    write $name "$work/$name/pipe" || fail "$name into a pipe: $(cat "$work/err")"
    if [ -p "$work/$name/pipe" ]; then
        wait $reader
        [ -s "$work/$name/through" ] || fail "$name: nothing came through the pipe"
    else
        fail "$name replaced a pipe"
        kill $reader
    fi

    # a disk that is full before the end: an error, and what was there stays
    mkdir "$work/$name/small"
    echo before >"$work/$name/small/old"
    for file in old new; do
        code=0
        (trap '' XFSZ && ulimit -f 1 && write $name "$work/$name/small/$file") || code=$?
        [ $code -eq 1 ] || fail "$name on a full disk: exit code $code, $(cat "$work/err")"
        grep -q "small/$file" "$work/err" || fail "$name on a full disk does not name the file: $(cat "$work/err")"
    done
    [ "$(cat "$work/$name/small/old")" = before ] || fail "$name on a full disk: the old file is gone"
    [ "$(ls "$work/$name/small")" = old ] || fail "$name on a full disk leaves $(ls "$work/$name/small")"

    # a device; only root can make one
    if mknod "$work/$name/full" c 1 7 2>/dev/null && ! echo x 2>/dev/null >"$work/$name/full"; then
        write $name "$work/$name/full" && fail "$name into a full device: exit code 0"
        [ -c "$work/$name/full" ] || fail "$name replaced a device"
    else
        echo "not tested: $name into a device (only root can make one)"
    fi
done

# Standard output by a name: what was printed before stays.
ln -s /proc/self/fd/1 "$work/stdout"
"$banyan" search tictactoe -n 500 --save-book="$work/stdout" >"$work/both" 2>"$work/err" || fail "$(cat "$work/err")"
grep -q 'Opening book' "$work/both" || fail 'a book on standard output is lost'
grep -q '^best ' "$work/both" || fail 'a book on standard output destroys what was printed'

# A search that was saved goes on as if it had not been stopped; a file that is no saved search is refused in one line.
rows() { grep -E '^[a-h][1-8] |^best|^pv' "$1"; }
"$banyan" search othello -n 1000 --save="$work/half" >"$work/out" || fail 'a search is not saved'
"$banyan" search othello -n 1000 --load="$work/half" >"$work/on" || fail 'a search is not read'
grep -q '^1000 simulations were loaded$' "$work/on" || fail 'loaded simulations are not told apart'
grep -q '^1000 simulations in ' "$work/on" || fail 'loaded simulations are counted as new ones'
"$banyan" search othello -n 2000 >"$work/whole"
rows "$work/on" >"$work/rows"
rows "$work/whole" | cmp - "$work/rows" || fail 'a search that was stopped has another table'
"$banyan" search othello -n 10 -o solver=off --save="$work/off" >"$work/out" || fail 'a search is not saved'
"$banyan" search othello --load="$work/off" 2>"$work/err" >"$work/out" && fail 'other options are read'
grep -q "the options 'solver=off', this one 'the defaults'" "$work/err" || fail "$(cat "$work/err")"
head -c 3000 "$work/half" >"$work/cut"
cat "$work/half" "$work/half" >"$work/twice"
for file in "$work/cut" "$work/twice" "$0"; do
    "$banyan" search othello --load="$file" >"$work/out" 2>"$work/err" && fail "read a search from $file"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$file: $(cat "$work/err")"
done
# what the saved search answers cannot be said anew, and no option is without effect
for option in --position=x --moves=f5 --as=2 --book=x --allow=f5 --avoid=f5; do
    ends 2 '--load goes on with the saved position and player' search othello --load="$work/half" $option
done
ends 2 '--min-visits is for --save-book' search othello --min-visits=5

exit $bad
