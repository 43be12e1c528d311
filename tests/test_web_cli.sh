#!/bin/sh
# `banyan web`: who may connect, and the command line.  The page itself: tests/test_web_page.sh.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }

"$build/banyan" web --listen=0.0.0.0 2>/dev/null && fail '--listen without --allow-host is taken'
"$build/banyan" web --games=nowhere 2>/dev/null && fail 'a folder that is not there is taken'
"$build/banyan" web --web-dir=README.md 2>/dev/null && fail 'a file is taken for a folder'
"$build/banyan" web word 2>/dev/null && fail 'a word too many is taken'
if [ ! -f "$build/web/index.html.gz" ]; then
    said=$("$build/banyan" web 2>&1) && fail 'without its page it should fail'
    [ "$(echo "$said" | wc -l)" = 1 ] || fail "more than one line: $said"
    skip 'built without npm: banyan web has no page'
fi
command -v python3 >/dev/null || skip 'no python3: who may connect to banyan web is not tested'
timeout 300 python3 tests/web/security.py "$build/banyan"
