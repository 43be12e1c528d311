#!/bin/sh
# An outside player of Othello that speaks GTP, bad on purpose:
#
#     fake_gtp.sh MODE
#
#     babble   is no GTP program
#     refuse   knows the protocol, but no clear_board
#     chatter  never stops talking, so that its answer to genmove never comes
#     taken    always plays D4, which is never empty
#     resign   answers genmove with "resign"
#     crash    ends with exit code 4 at genmove
mode=$1
while read -r word args; do
    case $mode:$word in
    babble:*) echo "Welcome!" ;;
    refuse:clear_board) printf '? what is a board\n\n' ;;
    chatter:genmove) while :; do echo thinking; done ;;
    taken:genmove) echo "I have an idea"; printf '= D4\n\n' ;;
    resign:genmove) printf '= resign\n\n' ;;
    crash:genmove) exit 4 ;;
    *:quit) printf '=\n\n'; exit 0 ;;
    *) printf '=\n\n' ;;
    esac
done
