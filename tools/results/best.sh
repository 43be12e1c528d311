#!/bin/sh
# Is the player `best` the best one?  Plays it against every other player of a game, at equal time for each decision.
#
#   tools/results/best.sh [-p] [-b BANYAN] [-o FOLDER] [-j JOBS] [-n GAMES] [-m MOST] [-t TIME] [GAME...]
#
# With -p it plays nothing for the table, but estimates how long each row will take from two games at 10 ms a
# decision (some minutes for all rows).  Without GAME: all games in which players can win.  A row is played in
# parts of GAMES games (default 20), each with its own seed, until the verdict is
#
#     yes     the lower bound of the score of best is at least 0.45 (Wilson's interval of all parts)
#     NO      the upper bound of the interval of 99.9 % is below 0.5: the other player is better
#     even    MOST games were not enough to tell
#
# Below 200 games the interval for yes has 99.9 % too, so that a row which is looked at after each part ends early only
# where the answer is plain; from 200 games on it has 95 %, and the row is looked at after every 200 games.  NO needs
# 99.9 % always: among sixty rows, each looked at several times, luck alone would make some of 95 %.
#
# Equal players need about 400 games for a lower bound of 0.45, or more if they do not always draw, so the default
# of MOST is 1600, or 400 in games of more than 150 plies on average.  A part that is in FOLDER is not played again,
# so the script goes on where it was stopped, and the table can be printed again at any time.  Exit status 1: a row
# says NO.  Players are limited by TIME, so leave the machine idle.
set -eu

banyan=build/banyan
folder=build/best
jobs=1
games=20
most=
time=100ms
plan=
while getopts pb:o:j:n:m:t: option; do
    case $option in
    p) plan=yes ;;
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    n) games=$OPTARG ;;
    m) most=$OPTARG ;;
    t) time=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

is_mcts() { "$banyan" list "$1" | grep -q '^best is mcts$'; } # game

# game | opponent | further options.  First the players that exist in all games.
others() {
    for game in tictactoe othello othello-6x6 othello-4x4 connect4 pig kuhn rps matrix tree-zero \
        hex-7x7 breakthrough mushroom mushroom-n2 bloodbowl-1 bloodbowl-3 bloodbowl-5 bloodbowl-7 bloodbowl-11 pokemon; do
        openings=
        case $game in connect4 | othello*) openings=--opening-plies=4 ;; esac
        case $game in tictactoe | hex* | breakthrough) openings=--opening-plies=2 ;; esac
        for other in random first mcts; do
            [ "$other" = mcts ] && is_mcts "$game" && continue # nobody plays themselves
            echo "$game|$other|$openings"
        done
        case $game in
        tictactoe | othello-4x4 | tree-zero) echo "$game|perfect|$openings" ;;
        othello)
            echo "$game|net:weights/othello.safetensors|$openings"
            echo "$game|mcts:rule=ucb1,evaluator=heuristic|$openings"
            echo "$game|mcts:endgame=on|$openings"
            ;;
        hex*) echo "$game|mcts:rule=ucb1-tuned|$openings" ;;
        breakthrough)
            echo "$game|mcts:evaluator=heuristic|$openings"
            echo "$game|mcts:evaluator=(rollout:cutoff=2)|$openings"
            echo "$game|mcts:evaluator=(rollout:cutoff=20)|$openings"
            ;;
        connect4)
            echo "$game|net:weights/connect4.safetensors|$openings"
            echo "$game|mcts:evaluator=heuristic|$openings"
            echo "$game|mcts:rule=ucb1-tuned|$openings"
            ;;
        mushroom)
            echo "$game|net:weights/mushroom.safetensors|"
            echo "$game|alphabeta|"
            echo "$game|greedy|"
            echo "$game|mcts:evaluator=heuristic|"
            ;;
        mushroom-n2) echo "$game|mcts:rule=ucb1,evaluator=heuristic|" ;;
        bloodbowl*)
            echo "$game|scripted|"
            echo "$game|tutorial:simulations=1000|"
            ;;
        pokemon)
            echo "$game|maxpower|"
            echo "$game|heuristic|"
            echo "$game|tutorial|"
            ;;
        esac
    done
}

part_of() { # game player number: the file of a part
    echo "$folder/$1-$(printf '%s' "$2" | tr -c 'a-zA-Z0-9\n' -)-$games-$time-$3.json"
}

play() { # game player further number
    part=$(part_of "$1" "$2" "$4")
    test -s "$part" && return
    echo "$1: best against $2, part $4" >&2
    # shellcheck disable=SC2086
    "$banyan" match "$1" best "$2" -n "$games" -s "$4" -j "$jobs" --time="$time" $3 --json >"$part.tmp"
    mv "$part.tmp" "$part"
}

# The verdict, and the row of the table, from the parts: "more" if the row is not decided.
judge() { # game player file...
    game=$1 other=$2
    shift 2
    awk -v game="$game" -v other="$other" -v most="$most" '
        function bound(z, side) { # of Wilson
            return (share + z * z / (2 * n) + side * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))) / (1 + z * z / n)
        }
        { key = $1; gsub(/[":]/, "", key); value = $2; sub(/,$/, "", value) }
        FNR == 1 { head = 1 }
        key == "players" { head = 0 }
        head && (key == "wins_a" || key == "draws" || key == "wins_b" || key == "games") { v[key] += value }
        head && key == "mean_plies" { plies = value + 0 }
        END {
            n = v["games"]
            share = (v["wins_a"] + v["draws"] / 2) / n
            low = bound(n < 200 ? 3.290527 : 1.959964, -1)
            high = bound(n < 200 ? 3.290527 : 1.959964, 1)
            if (most == "")
                most = plies > 150 ? 400 : 1600
            looked = n < 200 || n % 200 < n / (ARGC - 1) || n >= most
            verdict = !looked ? "more" : low >= 0.45 ? "yes" : bound(3.290527, 1) < 0.5 ? "NO" : n >= most ? "even" : "more"
            printf "%s| %s | %s | %d-%d-%d | %.3f [%.3f, %.3f] | %s |\n", verdict, game, other, v["wins_a"],
                v["draws"], v["wins_b"], share, low, high, verdict
        }' "$@"
}

row() { # game player further: plays until the row is decided, and prints it
    number=0
    game=$1 player=$2 further=$3
    shift 3
    while :; do
        number=$((number + 1))
        play "$game" "$player" "$further" $number
        set -- "$@" "$(part_of "$game" "$player" $number)"
        verdict=$(judge "$game" "$player" "$@")
        case $verdict in
        more*) continue ;;
        NO*) echo 1 >"$folder/bad" ;;
        esac
        echo "|${verdict#*|}"
        return
    done
}

# Prints the hours that a row takes, for GAMES games and for the most games, without the parts that are there.
plan_row() { # game player further
    # shellcheck disable=SC2086
    "$banyan" match "$1" best "$2" -n 2 --time=10ms $3 --json >"$folder/plan.json"
    there=0
    while [ -s "$(part_of "$1" "$2" $((there + 1)))" ]; do
        there=$((there + 1))
    done
    awk -v game="$1" -v other="$2" -v there="$there" -v games="$games" -v most="$most" -v jobs="$jobs" -v time="$time" '
        { key = $1; gsub(/[":]/, "", key); value = $2 + 0 }
        key == "mean_plies" { plies = value }
        key == "elapsed_s" { seconds = value }
        END {
            unit = time ~ /ms$/ ? 1 : time ~ /m$/ ? 60000 : time ~ /h$/ ? 3600000 : 1000
            hours = seconds / 2 * (time + 0) * unit / 10 / jobs / 3600
            if (most == "")
                most = plies > 150 ? 400 : 1600
            first = there > 0 ? 0 : games
            left = most > there * games ? most - there * games : 0
            printf "| %s | %s | %d | %.2f | %.2f |\n", game, other, there, first * hours, left * hours
        }' "$folder/plan.json"
    rm -f "$folder/plan.json"
}

plan_sum() { # copies its input, and adds the sums
    awk -F'|' '{ print; least += $5; most += $6 } END { printf "| all | | | %.2f | %.2f |\n", least, most }'
}

wanted() { # game games...: the game is one of `games`, or there are none
    game=$1
    shift
    [ $# -eq 0 ] && return 0
    for name; do
        [ "$name" = "$game" ] && return 0
    done
    return 1
}

rows() { # function games...: calls function for each row of these games
    each=$1
    shift
    others | while IFS='|' read -r game other further; do
        if wanted "$game" "$@"; then
            "$each" "$game" "$other" "$further" </dev/null
        fi
    done
}

mkdir -p "$folder"
if [ -n "$plan" ]; then
    echo "| game | against | parts there | hours for $games games | hours at most |"
    echo '|---|---|---|---|---|'
    rows plan_row "$@" | plan_sum
    exit
fi
rm -f "$folder/bad"
echo '| game | against | won-drawn-lost | score of best [95 %; 99.9 % below 200 games] | best? |'
echo '|---|---|---|---|---|'
rows row "$@"
[ ! -e "$folder/bad" ]
