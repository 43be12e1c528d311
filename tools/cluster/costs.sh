#!/bin/sh
# What a game by a queue costs: processor time of worker, server and owner, and the bytes between them; tic-tac-toe, so that
# the games themselves cost little:
#
#     tools/cluster/costs.sh [GAMES]
#
# Processor time is counted in hundredths of a second, so exact figures need 20,000 games and an idle machine.
set -eu
games=${1:-20000}
. "$(dirname "$0")/queue.sh"

# timed WORD...: runs banyan, and leaves its processor time as the last line of messages
timed() {
    /usr/bin/env time -f '%U %S' "$banyan" "$@" >/dev/null 2>"$folder/messages" || { cat "$folder/messages"; exit 1; }
}

# cost NAME WORD...: runs the command alone, and with one worker of one thread; RUN is a new folder for each
cost() {
    name=$1
    shift
    # shellcheck disable=SC2046 # words
    timed $(echo "$@" | sed "s,RUN,$folder/alone,")
    alone=$(tail -1 "$folder/messages")
    start_worker "$name" --threads 1
    worker=$!
    before=$(ticks $server) in=$(info total_net_input_bytes) out=$(info total_net_output_bytes)
    # shellcheck disable=SC2046 # words
    timed $(echo "$@" | sed "s,RUN,$folder/shared,") --queue "$queue?prefix=$name" &
    owner=$!
    last=0
    while now=$(ticks $worker 2>/dev/null) && [ -n "$now" ] && kill -0 $owner 2>/dev/null; do
        last=$now
        sleep 0.05
    done
    wait $owner
    wait_workers
    after=$(ticks $server)
    set -- $alone $(tail -1 "$folder/messages") "$last" $((after - before)) "$games" "$(getconf CLK_TCK)"
    us='1e6 / $7'
    echo "$name, us of processor time a game: alone $(calc %.0f "($us) * (\$1 + \$2)" "$@");" \
        "worker $(calc %.0f "($us) * \$5 / \$8" "$@"), server $(calc %.0f "($us) * \$6 / \$8" "$@")," \
        "owner $(calc %.0f "($us) * (\$3 + \$4)" "$@")"
    told "$name, more than alone" "$(calc %.0f "($us) * ((\$5 + \$6) / \$8 + \$3 + \$4 - \$1 - \$2)" "$@")" 'us a game' '<=' 100
    echo "$name, bytes a game: $((($(info total_net_input_bytes) - in) / games)) to the server," \
        "$((($(info total_net_output_bytes) - out) / games)) from it"
}

cost match match tictactoe random random --games "$games"
cost sprt match tictactoe random random --games "$games" --sprt 0,0.1
cost train train tictactoe --run RUN --net channels=4,blocks=1 --play simulations=2 \
    -o "generations=1,games=$games,passes=0.001,test=,gate-games=0"
echo "memory of the server at most: $(info used_memory_peak_human)"
exit $bad
