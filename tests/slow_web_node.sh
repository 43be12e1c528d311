#!/bin/sh
# The page is built with the oldest Node that docs/web.md names, too: the same bytes, and its unit tests pass.
#
# Argument: the build folder.  Node 18 and Debian 12's npm come from npm, into a folder of their own.
set -eu
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
[ -f "$build/web/index.html.gz" ] || skip 'built without npm: banyan web has no page'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund node@18 npm@9.2.0 >"$folder/said" 2>&1 || skip 'npm cannot bring Node 18'
export PATH="$folder/node_modules/.bin:$PATH"
case $(node --version) in v18.*) ;; *) fail "Node $(node --version) came, not 18" ;; esac

mkdir "$folder/web"
(cd web && cp -r src test bundle.js package.json package-lock.json tsconfig.json "$folder/web")
cd "$folder/web"
npm ci --ignore-scripts --no-audit --no-fund --engine-strict >"$folder/said" 2>&1 || { cat "$folder/said"; fail 'npm ci with Node 18'; }
node bundle.js "$folder/page"
for name in index.html app.js app.css; do
    cmp "$folder/page/$name.gz" "$build/web/$name.gz" || fail "$name is another one with Node 18"
done
node_modules/.bin/tsc --noEmit
node test/unit.js >"$folder/unit" 2>&1 || { cat "$folder/unit"; fail 'unit tests with Node 18'; }
echo "Node $(node --version), npm $(npm --version): the same page; $(grep -E '^# pass ' "$folder/unit" | cut -c3-) unit tests"
