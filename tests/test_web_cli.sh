#!/bin/sh
# `banyan web`: who may connect, and the command line.  The page itself: tests/test_web_page.sh.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }

"$build/banyan" web --listen=0.0.0.0 2>/dev/null && fail '--listen without --allow-host is taken'
for address in foo 192.0.2.1; do # TEST-NET-1 of RFC 5737, which no machine has
    code=0
    said=$(timeout 20 "$build/banyan" web --listen=$address --allow-host=x 2>&1) || code=$?
    [ $code -eq 1 ] || fail "--listen=$address: exit code $code"
    case $said in *"cannot listen on $address, "*) ;; *) fail "--listen=$address: $said" ;; esac
done
"$build/banyan" web --games=nowhere 2>/dev/null && fail 'a folder that is not there is taken'
"$build/banyan" web --web-dir=README.md 2>/dev/null && fail 'a file is taken for a folder'
"$build/banyan" web word 2>/dev/null && fail 'a word too many is taken'
# --open starts xdg-open with the link, and says when that does not work; no shell reads the link.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/none"
browse() { # browse DIR FILE: banyan web --open, with its programs from DIR, until FILE is not empty
    rm -f "$2" # what the call before wrote
    PATH=$1 "$build/banyan" web --open --web-dir=tests/web --allow-host="x';touch $work/shell;'" >"$work/out" 2>"$work/err" &
    server=$!
    for _ in $(seq 3000); do
        [ -s "$2" ] && break
        sleep 0.1
    done
    kill -INT $server
    wait $server || [ $? = 130 ] || fail "banyan web --open: $(cat "$work/err")"
    [ ! -e "$work/shell" ] || fail 'a shell reads the name of --allow-host'
}
browse "$work/none" "$work/err"
grep -q 'xdg-open does not work here' "$work/err" || fail 'without xdg-open nobody is told'
printf '#!/bin/sh\nexit 3\n' >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
browse "$work/bin" "$work/err"
grep -q 'xdg-open does not work here' "$work/err" || fail 'when xdg-open fails nobody is told'
printf '#!/bin/sh\necho "$@" >"%s/link"\n' "$work" >"$work/bin/xdg-open"
browse "$work/bin" "$work/link"
head -n 1 "$work/out" | cmp -s - "$work/link" || fail "xdg-open got: $(cat "$work/link")"
[ ! -s "$work/err" ] || fail "$(cat "$work/err")"

if [ ! -f "$build/web/index.html.gz" ]; then
    said=$("$build/banyan" web 2>&1) && fail 'without its page it should fail'
    [ "$(echo "$said" | wc -l)" = 1 ] || fail "more than one line: $said"
    skip 'built without npm: banyan web has no page'
fi
command -v python3 >/dev/null || skip 'no python3: who may connect to banyan web is not tested'
timeout 900 python3 tests/web/security.py "$build/banyan"
