# Functions for the scripts of this folder: a Redis server on a socket, workers, figures.  A script begins with
#
#     . "$(dirname "$0")/queue.sh"
#
# and gets $banyan (BANYAN in the environment, or build/banyan), a new $folder, which is deleted at the end, and the URL
# $queue of the server, whose process is $server.
# shellcheck shell=sh
here=$(dirname "$0")
banyan=${BANYAN:-build/banyan}
folder=$(mktemp -d)
queue=redis+unix://$folder/socket
server=
workers=

server_start() {
    redis-server --port 0 --unixsocket "$folder/socket" --dir "$folder" --save '' --appendonly yes >"$folder/redis.log" &
    server=$!
    until redis-cli -s "$folder/socket" ping 2>/dev/null | grep -q PONG; do
        kill -0 $server || { cat "$folder/redis.log"; exit 1; }
        sleep 0.05
    done
}

queue_close() {
    # shellcheck disable=SC2086 # a list
    [ -z "$workers" ] || kill -KILL $workers 2>/dev/null || :
    [ -z "$server" ] || kill $server 2>/dev/null || :
    wait 2>/dev/null || :
    rm -rf "$folder"
}

# start_worker PREFIX WORD...: starts a worker of this queue; $! is its process
start_worker() {
    prefix=$1
    shift
    "$banyan" worker --queue "$queue?prefix=$prefix" --cache "$folder/cache" "$@" >>"$folder/workers.out" 2>&1 &
    workers="$workers $!"
}

# wait_workers: waits until all workers have ended, as they do when their queue is over
wait_workers() {
    # shellcheck disable=SC2086 # a list
    wait $workers || { cat "$folder/workers.out"; exit 1; }
    workers=
}

# info NAME: a figure of the server
info() { redis-cli -s "$folder/socket" info | tr -d '\r' | sed -n "s/^$1://p"; }

# ticks PROCESS: its processor time so far, in clock ticks
ticks() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f12,13 | tr ' ' + | xargs -I{} sh -c 'echo $(({}))'; }

# calc FORMAT EXPRESSION NUMBER...: a figure by awk, with the numbers as $1, $2, ...: calc %.1f '100 * $1 / $2' 3 4
calc() {
    format=$1 expression=$2
    shift 2
    echo "$@" | awk "{ printf \"$format\\n\", ($expression) }"
}

# told NAME FIGURE UNIT RELATION BOUND: prints a figure and its bound, such as: told 'memory' 12 MB '<=' 64
bad=${bad:-0}
told() {
    if [ "$(calc %d "\$1 $4 \$2" "$2" "$5")" = 1 ]; then
        echo "$1: $2 $3 (wanted: $4 $5)"
    else
        echo "$1: $2 $3, MISSED (wanted: $4 $5)"
        bad=1
    fi
}

mkdir "$folder/cache"
trap queue_close EXIT
trap 'exit 130' INT TERM
server_start
