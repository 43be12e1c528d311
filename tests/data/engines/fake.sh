#!/bin/sh
# An outside player of tic-tac-toe, good or bad on purpose, in the line protocol of docs/protocol.md:
#
#     fake.sh MODE
#
#     good      plays the first empty square
#     dead      is gone before it says a word
#     babble    greets with nonsense
#     crash     ends with exit code 3 when it has to choose
#     killed    ends by signal 9 when it has to choose
#     hang      never answers, and neither does its child process
#     garbage   answers without the word "action"
#     unknown   answers with something that is no action
#     illegal   answers with a square that is taken after the first move
#     flood     answers with a line that has no end
#     complain  answers with "error"
#     slow      is good, but thinks for half a second
#     info      is good, and says what it thinks
mode=$1
state=
first_empty() {
    # "xo./.../... x": a1 b1 c1, then row 2, then row 3
    n=0
    rest=${state%% *}
    for row in 1 2 3; do
        for column in a b c; do
            case $rest in
            .*) echo $column$row; return ;;
            esac
            rest=${rest#?}
            rest=${rest#/}
        done
    done
}
[ "$mode" = dead ] && exit 7
while read -r word args; do
    case $word in
    banyan)
        case $mode in
        babble) echo "Hello, I am an engine" ;;
        *) echo "ready fake $mode" ;;
        esac ;;
    new) state=${args#* }; state=${state#* } ;;
    state) state=$args ;;
    choose)
        case $mode in
        crash) echo "out of cheese" >&2; exit 3 ;;
        killed) kill -9 $$ ;;
        hang) sleep 1000 & echo "pids $$ $!" >&2; wait ;;
        garbage) echo "b2" ;;
        unknown) echo "action z99" ;;
        illegal) echo "action a1" ;;
        flood) while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done ;;
        complain) echo "error I do not want to" ;;
        slow) sleep 0.5; echo "action $(first_empty)" ;;
        info) echo "info thinking"; echo "info depth=3 simulations=42 value=0.25"; echo "action $(first_empty)" ;;
        *) echo "action $(first_empty)" ;;
        esac ;;
    quit) exit 0 ;;
    esac
done
