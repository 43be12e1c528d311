#!/bin/sh
# The pages that the program writes: node reads their scripts, and a browser without a window uses them in a
# wide and in a narrow window (tests/pages_driver.js): sh tests/test_pages.sh BUILD
set -u
banyan=$PWD/$1/banyan
case $1 in /*) banyan=$1/banyan ;; esac
driver=$PWD/tests/pages_driver.js
data=$PWD/tests/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
cd "$work" || exit 1

record() { # record GAME PLAYER PLAYER
    "$banyan" match "$@" --games 1 --seed 3 --save "$1.jsonl" >/dev/null && "$banyan" page "$1.jsonl" -o "record-$1.html"
}
{
    "$banyan" tree rps -n 200 --format html -O tree-rps.html
    "$banyan" tree othello -n 300 --format html -O tree-othello.html
    "$banyan" tree pokemon -n 100 --format html -O tree-pokemon.html
    record kuhn random random
    record pig random random
    record othello mcts:simulations=20 random
    "$banyan" page "$data/showdown/battle-gen8randombattle-156.log" -o battle.html
    cp "$data/showdown/battle-gen8randombattle-156.log" decided.log
    sed 's/"table":/"replies":[{"action":"move ironhead dynamax","visits":9,"mean":0.5,"share":0.4}],"line":[{"own":"move foulplay","foe":"switch Mew","visits":9},{"foe":"move surf","visits":3}],&/' \
        "$data/battles/battle-gen8randombattle-156.jsonl" >decided.jsonl
    "$banyan" page decided.log -o decided.html
    "$banyan" page "$data/bloodbowl/path.jsonl.gz" --game 6 -o botbowl.html
    "$banyan" bloodbowl html "$data/bloodbowl/path.jsonl.gz" 1 >bloodbowl.html
    "$banyan" train tictactoe --run run -o generations=2,games=10 >/dev/null 2>&1 && cp run/report.html report.html
} || { echo 'FAILED: a page could not be made'; exit 1; }

grep -q 'path.jsonl.gz, game 6' botbowl.html || { echo 'FAILED: the page of a botbowl recording is not of its sixth game'; bad=1; }
"$banyan" page "$data/bloodbowl/path.jsonl.gz" --game 100000 -o none.html 2>/dev/null && { echo 'FAILED: there is no such game'; bad=1; }

# --- the language: node reads every script ---
if command -v node >/dev/null; then
    node -e '
        const fs = require("fs"), vm = require("vm");
        for (const page of process.argv.slice(1)) {
            const scripts = [...fs.readFileSync(page, "utf8").matchAll(/<script>([^]*?)<\/script>/g)];
            if (!scripts.length && page !== "report.html") throw new Error(page + " has no script");
            for (const script of scripts) new vm.Script(script[1], { filename: page });
        }' -- *.html || bad=1
else
    echo 'SKIPPED: node is not here, so the scripts of the pages are not read (apt install nodejs)'
fi

# --- use: every page in a wide and in a narrow frame; one start of the browser for all ---
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
dump() { # dump PAGE: the document after its scripts
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --virtual-time-budget=10000 --dump-dom "file://$work/$1" 2>browser.log
}
{
    echo '<!DOCTYPE html><body><pre id="said"></pre><script>'
    printf '%s\n' 'onmessage = e => document.getElementById("said").append(e.data + "\n");</script>'
    for page in *.html; do
        [ "$page" = all.html ] && continue
        { sed 1q "$page"; echo '<script>'; cat "$driver"; echo '</script>'; sed 1d "$page"; } >"used-$page"
        echo "<iframe width=1280 height=900 src=used-$page></iframe><iframe width=390 height=844 src=used-$page></iframe>"
    done
} >all.html
frames=$(grep -o '<iframe' all.html | wc -l)
if [ -z "$browser" ] || ! dump all.html >said || ! grep -q 'id="said"' said; then
    echo "SKIPPED: no browser starts here, so the pages are not tried (apt install chromium)"
    [ $bad = 0 ] && exit 77
    exit $bad
fi
[ "$(grep -c ' wide: ' said)" = "$frames" ] || { echo "FAILED: not all of $frames frames have answered"; bad=1; }
grep ' wide: ' said | grep -v ' wide: good' && bad=1
exit $bad
