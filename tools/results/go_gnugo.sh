#!/bin/sh
# Go against GNU Go 3.8 (apt install gnugo): who wins, and how long each thinks, in games with both colours.
#
#   [BANYAN=PROGRAM] tools/results/go_gnugo.sh [-G GAME] [-l LEVEL] [-n GAMES] [-p PLAYER] [-t LIMIT] [-k KOMI]
#       [-d FOLDER] [-r]
#
#   -G  go-9x9
#   -l  10       GNU Go's level
#   -n  400      games; a multiple of 20
#   -p  best     a player that takes options of the search
#   -t           the limit of a decision, time=150ms or simulations=10000; by default the time that GNU Go
#                took in 4 games that do not count, less 5 %
#   -k  7.5      komi
#   -d  build/go-gnugo
#   -r           plays nothing: prints the row of the games that were played
#
# Parts of 20 games lie in FOLDER by player, limit and level, and are not played again, so the script goes
# on where it was stopped.  GNU Go plays by area scoring with positional superko, and captures dead stones
# before it passes, so no stone on the final board is dead.  One thread, no pondering.  Exit status 1:
# Banyan took more time for a decision than GNU Go, or its score's lower bound (Wilson, 95 %) is 0.5 or less.
# Times need an idle machine.
set -eu

banyan=${BANYAN:-build/banyan}
game=go-9x9 level=10 games=400 player=best limit='' komi=7.5 folder=build/go-gnugo play=yes
while getopts G:l:n:p:t:k:d:r option; do
    case $option in
    G) game=$OPTARG ;;
    l) level=$OPTARG ;;
    n) games=$OPTARG ;;
    p) player=$OPTARG ;;
    t) limit=$OPTARG ;;
    k) komi=$OPTARG ;;
    d) folder=$OPTARG ;;
    r) play= ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
gnugo="exec:gtp:gnugo --mode gtp --level $level --chinese-rules --positional-superko --capture-all-dead --never-resign"
PATH=$PATH:/usr/games
command -v gnugo >/dev/null || { echo "$0: needs gnugo (apt install gnugo)" >&2; exit 2; }

# PLAYER with one more option.
with() {
    case $player in
    *:*) echo "$player,$1" ;;
    *) echo "$player:$1" ;;
    esac
}

match() { # limit games seed
    "$banyan" match "$game" "$(with "$1")" "$gnugo" -n "$2" -s "$3" --setup "komi=$komi" --json
}

decision_ms() { sed -n 's/.*"ms_per_move": \([0-9.]*\).*/\1/p'; }

mkdir -p "$folder"
if [ -z "$limit" ]; then
    file=$folder/time-$game-$level
    [ -s "$file" ] || match time=100ms 4 1 | decision_ms | sed -n 2p | awk '{ printf "time=%.1fms\n", 0.95 * $1 }' >"$file"
    limit=$(cat "$file")
fi
name=$folder/$(echo "$game-$player-$limit-$level-$komi" | tr -c 'A-Za-z0-9.=\n' '-')
part=0
while [ $((20 * part)) -lt "$games" ] && [ "$play" ]; do
    if [ ! -s "$name-$part.json" ]; then
        match "$limit" 20 $((100 + part)) >"$name-$part.tmp"
        mv "$name-$part.tmp" "$name-$part.json"
    fi
    part=$((part + 1))
done

echo "| game | player | limit | GNU Go's level | games | won | score | ms a decision | GNU Go's ms |"
echo "|---|---|---|---|---|---|---|---|---|"
cat "$name"-*.json | sed -n 's/^  "\(wins_a\|draws\|wins_b\)": \([0-9]*\),$/\1 \2/p; s/^.*"ms_per_move": \([0-9.]*\).*/ms \1/p' |
    awk -v row="| $game | \`$player\` | $limit | $level |" '
        $1 == "ms" { ms[side] += $2; side = 1 - side; files += side; next }
        { sum[$1] += $2 }
        END {
            n = sum["wins_a"] + sum["draws"] + sum["wins_b"]
            p = (sum["wins_a"] + sum["draws"] / 2) / n
            z = 1.959964; c = 1 + z * z / n; m = (p + z * z / (2 * n)) / c
            h = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / c
            printf "%s %d | %d | %.3f [%.3f, %.3f] | %.1f | %.1f |\n", row, n, sum["wins_a"], p, m - h, m + h,
                ms[0] / files, ms[1] / files
            if (ms[0] > ms[1]) print "Banyan took more time for a decision than GNU Go"
            exit ms[0] > ms[1] || m - h <= 0.5
        }'
