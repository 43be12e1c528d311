#!/bin/sh
# The page of `banyan web`: types, unit tests, size, the same bytes from the same sources, and the page in
# Chromium.
#
# Argument: the build folder.  Screenshots of all pages stay in BUILD/web/screenshots.
set -eu
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
[ -f "$build/web/index.html.gz" ] && [ -d web/node_modules ] || skip 'built without npm: banyan web has no page'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd web

node_modules/.bin/tsc --noEmit
node test/unit.js >"$folder/unit" 2>&1 || { cat "$folder/unit"; fail 'unit tests of the page'; }
grep -E '^# (tests|pass|fail) ' "$folder/unit"

node bundle.js "$folder/one"
node bundle.js "$folder/two"
cmp "$folder/one/app.js.gz" "$folder/two/app.js.gz" || fail 'another bundle of the same sources'
bytes=$(cat "$folder"/one/*.gz | wc -c)
echo "the page: $bytes bytes"
[ "$bytes" -le 81920 ] || fail 'the page is larger than 80 KiB'
packages=$(node -p 'Object.keys(require("./package.json").dependencies).length')
[ "$packages" -le 4 ] || fail "$packages packages are a part of the page"

status=0
timeout 900 node test/browser.js "$build/banyan" "$build/web/screenshots" || status=$?
[ $status != 77 ] || echo 'SKIPPED: no Chromium (Debian: chromium): the page is not tested in a browser'
exit $status
