#!/bin/sh
# GRAVE, implicit minimax and MAST against the same search without them: both sides are tuned with the same
# number of settings and games, then the best settings of both sides play at equal time.
#
#   [BANYAN=PROGRAM] tools/results/enhancements.sh [-n GAMES] [-g GAMES] [-m MILLISECONDS] [-j JOBS]
#       [-l SIMULATIONS] [-o FOLDER] [-t] [NAME...]
#
#   -n  400      games of each match
#   -g  60       games of each setting while tuning, against the first setting of its side
#   -m  100      milliseconds for a move
#   -j  1        games at the same time; with more games than free cores the times are not equal
#   -l           limit by this many simulations for a move, in place of time
#   -o           where results lie; by default build/enhancements
#   -t           plays nothing: prints the table of what has been played
#
# Names: hex breakthrough othello mast; without names all of them.  Games are played in parts of 20, each
# with a seed of its own; a part whose result lies in FOLDER is not played again, so the script goes on
# where it was stopped.  Intervals are Wilson's, of 95 %.
set -eu

banyan=${BANYAN:-build/banyan}
games=400 tuning=60 milliseconds=100 jobs=1 folder=build/enhancements play=1 simulations=''
while getopts n:g:m:j:l:o:t option; do
    case $option in
    n) games=$OPTARG ;;
    g) tuning=$OPTARG ;;
    m) milliseconds=$OPTARG ;;
    j) jobs=$OPTARG ;;
    l) simulations=$OPTARG ;;
    o) folder=$OPTARG ;;
    t) play= ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
limit=time=${milliseconds}ms
test -z "$simulations" || limit=simulations=$simulations

# The settings of a side; both sides have the same number.
settings() { # name side
    case $1-$2 in
    hex-with)
        printf 'rule=grave%s\n' '' ,grave-bias=0.001 ,grave-bias=0.00001 ,grave-visits=20 ,grave-visits=100 \
            ,grave-bias=0.001,grave-visits=20 ;;
    hex-without)
        printf '%s\n' exploration=0.25 exploration=0.5 exploration=0.1 exploration=0.25,children-first=off \
            exploration=0.1,children-first=off rule=ucb1-tuned ;;
    breakthrough-with | othello-with)
        printf 'implicit-minimax=%s\n' 0.4 0.2 0.6 0.4,exploration=0.25 0.6,exploration=0.25 0.8 ;;
    breakthrough-without | othello-without)
        printf '%s\n' exploration=0.5 exploration=0.35 exploration=0.25 exploration=0.7 \
            exploration=0.35,children-first=off rule=ucb1-tuned ;;
    mast-with)
        printf 'evaluator=(mast:%s)\n' epsilon=0.4 epsilon=0.2 epsilon=0.6 epsilon=0.4,grams=2 epsilon=0.2,grams=2 \
            epsilon=0.6,grams=2 ;;
    mast-without)
        printf 'exploration=%s\n' 0.5 0.35 0.25 0.7 1 0.35,children-first=off ;;
    *) echo "enhancements.sh: there are hex, breakthrough, othello and mast, not '$1'" >&2; exit 2 ;;
    esac
}

game_of() { # name
    case $1 in mast) echo othello ;; *) echo "$1" ;; esac
}

result_file() { # name a b first-game count
    echo "$folder/$1-$limit-$(echo "$2-$3" | tr ',=():' '_____')-$4-$5.json"
}

# Plays what is missing of a match, and prints wins, draws, losses.
contest() { # name a b games
    first=0
    while test $first -lt "$4"; do
        count=$(($4 - first < 20 ? $4 - first : 20))
        file=$(result_file "$1" "$2" "$3" $first $count)
        if test -n "$play" && ! test -s "$file"; then
            echo "$1: $2 against $3, games from $first on" >&2
            "$banyan" match "$(game_of "$1")" "mcts:$limit,$2" "mcts:$limit,$3" -n $count \
                -s $((7100 + first / 20)) -j "$jobs" --json >"$file.tmp"
            mv "$file.tmp" "$file"
        fi
        test ! -s "$file" || cat "$file"
        first=$((first + 20))
    done | sed -n 's/^  "\(wins_a\|draws\|wins_b\)": \([0-9]*\),$/\1 \2/p' |
        awk '{ sum[$1] += $2 } END { print sum["wins_a"] + 0, sum["draws"] + 0, sum["wins_b"] + 0 }'
}

# The setting of a side with the best score against its first setting; the first one has the score one half.
best() { # name side
    leader=$(settings "$1" "$2" | head -n 1)
    settings "$1" "$2" | tail -n +2 | while read -r setting; do
        echo "$setting $(contest "$1" "$setting" "$leader" "$tuning" </dev/null)"
    done | awk -v best="$leader" -v most=0.5 '$2 + $3 + $4 > 0 {
            score = ($2 + $3 / 2) / ($2 + $3 + $4)
            if (score > most) { most = score; best = $1 }
        } END { print best }'
}

test -n "$*" || set -- hex breakthrough othello mast
mkdir -p "$folder"
for name; do
    settings "$name" with >/dev/null
    with=$(best "$name" with) without=$(best "$name" without)
    contest "$name" "$with" "$without" "$games" | awk -v what="$name, $limit: $with against $without" '{
        n = $1 + $2 + $3
        if (!n) exit
        p = ($1 + $2 / 2) / n
        z2 = 1.96 * 1.96
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = 1.96 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        printf "%s: %d-%d-%d, %.3f [%.3f, %.3f] of %d\n", what, $1, $2, $3, p, middle - half, middle + half, n
    }'
done
