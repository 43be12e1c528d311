#!/bin/sh
# `best` against every other player that ships with a game, at equal time for each decision: is it the best?
#
#   tools/results/best.sh [-b BANYAN] [-o FOLDER] [-j JOBS] [-n GAMES] [-t TIME] [GAME...]
#
# Without games: all in which players can win.  A match is kept in FOLDER and not played again, so the script
# goes on where it was stopped, and the table can be made anew at any time.  A row passes if the lower bound
# of the score of best is at least 0.45.  Where equals can only draw or share luck, 200 games give 0.43: such a
# row says "even", and more games decide.  TIME depends on the machine: leave it idle.
set -eu

banyan=build/banyan
folder=build/best
jobs=1
games=200
time=100ms
while getopts b:o:j:n:t: option; do
    case $option in
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    n) games=$OPTARG ;;
    t) time=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

is_mcts() { "$banyan" list "$1" | grep -q '^best is mcts$'; } # game

# game | opponent | further options.  Players of one text for all games first.
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

result_of() { # game player: the file of the match
    echo "$folder/$1-$(printf '%s' "$2" | tr -c 'a-zA-Z0-9\n' -)-$games-$time.json"
}

play() { # game player further
    result=$(result_of "$1" "$2")
    test -s "$result" && return
    echo "$1: best against $2" >&2
    # shellcheck disable=SC2086
    "$banyan" match "$1" best "$2" -n "$games" -s 1 -j "$jobs" --time="$time" $3 --json >"$result.part"
    mv "$result.part" "$result"
}

row() { # game player
    awk -v game="$1" -v other="$2" '
        { key = $1; gsub(/[":]/, "", key); value = $0; sub(/^[^:]*: */, "", value); sub(/,$/, "", value) }
        key == "players" { exit }
        key == "ci95" || key == "ci95_pairs" || key == "elo_ci95" { list = key; n = 0; next }
        list != "" && /\]/ { list = ""; next }
        list != "" { sub(/^ */, "", value); ci[list, n++] = value; next }
        { v[key] = value }
        END {
            low = ci["ci95", 0]
            high = ci["ci95", 1]
            printf "| %s | %s | %d-%d-%d | %.3f [%.3f, %.3f] | %s |\n", game, other, v["wins_a"], v["draws"],
                v["wins_b"], v["score_a"], low, high,
                (low >= 0.45 ? "yes" : (high >= 0.5 ? "even" : "NO"))
        }' "$(result_of "$1" "$2")"
}

wanted() { # game games...: it is one of them, or none is named
    game=$1
    shift
    [ $# -eq 0 ] && return 0
    for name; do
        [ "$name" = "$game" ] && return 0
    done
    return 1
}

mkdir -p "$folder"
others | while IFS='|' read -r game other further; do
    if wanted "$game" "$@"; then
        play "$game" "$other" "$further"
    fi
done
echo '| game | against | won-drawn-lost | score of best [95 %] | best? |'
echo '|---|---|---|---|---|'
others | while IFS='|' read -r game other _; do
    if wanted "$game" "$@"; then
        row "$game" "$other"
    fi
done
