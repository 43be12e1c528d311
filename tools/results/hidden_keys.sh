#!/bin/sh
# What availability counts at information sets are worth in Pokémon: matches of the agent with and
# without, at equal simulations and at equal time, one after another, and their table.
#
#   tools/results/hidden_keys.sh [-b BANYAN] [-o FOLDER] [-n GAMES] [NAME...]
#
# Without names: all of them.  A match is played in parts of 100 games, each with a seed of its own; a
# part whose result lies in FOLDER is not played again, so the script goes on where it was stopped.
set -eu

banyan=build/banyan
folder=build/hidden-keys
games=1000
while getopts b:o:n: option; do
    case $option in
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    n) games=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

# name | player a | player b
matches() {
    cat <<'END'
availability-simulations | agent:simulations=400,availability=on | agent:simulations=400,availability=off
availability-time | agent:time_ms=20,availability=on | agent:time_ms=20,availability=off
END
}

play() { # name a b
    part=1
    while test $((part * 100)) -le "$games"; do
        file=$folder/$1-$part.json
        if ! test -s "$file"; then
            "$banyan" match pokemon "$2" "$3" -n 100 -s $((4100 + part)) --json > "$file.tmp"
            mv "$file.tmp" "$file"
        fi
        part=$((part + 1))
    done
}

table() { # name a b
    sed -n 's/^  "\(wins_a\|draws\|wins_b\)": \([0-9]*\),$/\1 \2/p' "$folder/$1"-*.json |
        awk -v a="$2" -v b="$3" '{ sum[$1] += $2 }
            END {
                n = sum["wins_a"] + sum["draws"] + sum["wins_b"]
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
matches | while IFS='|' read -r name a b; do
    name=$(echo "$name" | tr -d ' ') a=$(echo "$a" | tr -d ' ') b=$(echo "$b" | tr -d ' ')
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    play "$name" "$a" "$b"
    table "$name" "$a" "$b"
done
