#!/bin/sh
# Every game is played to its end in the browser, by clicks alone; and all other tests of the page.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
[ -f "$build/web/index.html.gz" ] && [ -d web/node_modules ] || {
    echo 'SKIPPED: built without npm: banyan web has no page'
    exit 77
}
status=0
node web/test/browser.js "$build/banyan" "$build/web/screenshots" all || status=$?
[ $status != 77 ] || echo 'SKIPPED: no Chromium (Debian: chromium): the page is not tested in a browser'
exit $status
