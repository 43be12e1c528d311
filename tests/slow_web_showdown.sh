#!/bin/sh
# Three battles of the bot on the real Showdown server, followed in the page of `banyan web --showdown`.
#
# Argument: the build folder.  Each decision's table in the page must be that of the file; what the page showed while the
# battle went on is compared, too.
set -u
banyan=$1/banyan
port=$((30000 + $$ % 2000)) # below those that the system gives to outgoing connections
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill $server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
skip() { echo "SKIPPED: $1"; exit 77; }
[ -f "$1/web/index.html.gz" ] && [ -d web/node_modules ] || skip 'built without npm: banyan web has no page'
tools/showdown/start --install >"$work/install" 2>&1
status=$?
[ $status != 77 ] || skip 'no real Showdown server here, npm cannot install it'
[ $status = 0 ] || { cat "$work/install"; exit 1; }

tools/showdown/start $port >"$work/server" 2>&1 &
server=$!
until grep -q 'now listening' "$work/server"; do
    kill -0 $server 2>/dev/null || { cat "$work/server"; exit 1; }
    sleep 0.2
done
status=0
timeout 1500 node web/test/showdown-live.js "$banyan" $port "$work/battles" || status=$?
[ $status != 77 ] || echo 'SKIPPED: no Chromium (Debian: chromium): the page is not tested in a browser'
exit $status
