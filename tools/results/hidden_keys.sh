#!/bin/sh
# Keys and availability counts at information sets: matches in a game with hidden cards of a player with
# each of the four settings against the same player with its defaults, at equal simulations and at equal
# time, and their table.
#
#   [BANYAN=PROGRAM] tools/results/hidden_keys.sh [-g GAME] [-p PLAYER] [-n GAMES] [-j JOBS]
#       [-s SIMULATIONS] [-m MILLISECONDS] [-x OPTIONS] [-o FOLDER] [-t] [NAME...]
#
#   -g  pokemon     the game
#   -p  agent       a player that takes options of the search; mcts plays all games
#   -n  1000        games of every match
#   -j  1           games at the same time; with more games than free cores the times are not equal
#   -s  400         simulations for a decision
#   -m  20          milliseconds for a decision
#   -x              further options of both players, as worlds=20
#   -o              where results lie; by default build/hidden-keys/GAME-PLAYER[-OPTIONS]
#   -t              plays nothing: prints the table of what has been played
#
# Without names: all matches, in the order coarse-on, full-off, full-on, coarse-off (keys, availability),
# each at equal simulations, then each at equal time; coarse-off-time is one name.  A match is played in
# parts of 100 games, each with a seed of its own; a part whose result lies in FOLDER is not played again,
# so the script goes on where it was stopped.  Intervals are Wilson's, of 95 %.
set -eu

banyan=${BANYAN:-build/banyan}
game=pokemon player=agent games=1000 jobs=1 simulations=400 milliseconds=20 further='' folder='' play=1
while getopts g:p:n:j:s:m:x:o:t option; do
    case $option in
    g) game=$OPTARG ;;
    p) player=$OPTARG ;;
    n) games=$OPTARG ;;
    j) jobs=$OPTARG ;;
    s) simulations=$OPTARG ;;
    m) milliseconds=$OPTARG ;;
    x) further=,$OPTARG ;;
    o) folder=$OPTARG ;;
    t) play= ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
folder=${folder:-build/hidden-keys/$game-$player$(echo "$further" | tr ',' '-')}
case $games in *[!0-9]* | '') echo "hidden_keys.sh: -n takes a number of games, got '$games'" >&2; exit 2 ;; esac

# name, limits of both players, options of the first
matches() {
    for limit in "simulations simulations=$simulations" "time time=${milliseconds}ms"; do
        for setting in "coarse on" "full off" "full on" "coarse off"; do
            echo "${setting% *}-${setting#* }-${limit% *} ${limit#* }$further" \
                "keys=${setting% *},availability=${setting#* }"
        done
    done
}

# Number of games of a part, counted from 0.
part_games() {
    left=$((games - $1 * 100))
    echo $((left < 100 ? left : 100))
}

play_match() { # name a b limits
    part=0
    while test "$(part_games $part)" -gt 0; do
        count=$(part_games $part)
        file=$folder/$1-$4-$part-$count.json
        if ! test -s "$file"; then
            echo "$1: games from $((part * 100)) on" >&2
            "$banyan" match "$game" "$2" "$3" -n "$count" -s $((4100 + part)) -j "$jobs" --json > "$file.tmp"
            mv "$file.tmp" "$file"
        fi
        part=$((part + 1))
    done
}

results() { # name limits: the existing files of the parts of this match
    part=0
    while test "$(part_games $part)" -gt 0; do
        file=$folder/$1-$2-$part-$(part_games $part).json
        test -s "$file" && cat "$file"
        part=$((part + 1))
    done
}

row() { # a b, results on stdin
    sed -n 's/^  "\(wins_a\|draws\|wins_b\)": \([0-9]*\),$/\1 \2/p' |
        awk -v a="$1" -v b="$2" '{ sum[$1] += $2 }
            END {
                n = sum["wins_a"] + sum["draws"] + sum["wins_b"]
                if (!n) exit
                p = (sum["wins_a"] + sum["draws"] / 2) / n
                z = 1.959964; c = 1 + z * z / n; m = (p + z * z / (2 * n)) / c
                h = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / c
                printf "| `%s` | `%s` | %d | %d-%d-%d | %.3f [%.3f, %.3f] |\n", a, b, n,
                    sum["wins_a"], sum["draws"], sum["wins_b"], p, m - h, m + h
            }'
}

mkdir -p "$folder"
echo "| a | b | games | wins-draws-losses of a | score of a |"
echo "|---|---|---|---|---|"
matches | while read -r name limits options; do
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    a=$player:$limits,$options b=$player:$limits
    test -z "$play" || play_match "$name" "$a" "$b" "$limits" < /dev/null
    results "$name" "$limits" | row "$a" "$b"
done
