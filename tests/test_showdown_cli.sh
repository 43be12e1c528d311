#!/bin/sh
# The command line of banyan showdown, and TLS: sh tests/test_showdown_cli.sh BUILD
set -u
banyan=$1/banyan
work=$(mktemp -d)
tls=
bad=0

stop() {
    [ -z "$tls" ] || { kill "$tls" && wait "$tls"; } 2>/dev/null
    tls=
}
trap 'stop; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    bad=1
}

# expect CODE TEXT WORD...: banyan showdown WORD... ends with CODE and says TEXT on stderr
expect() {
    code=$1 text=$2
    shift 2
    timeout 600 "$banyan" showdown "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ $got -eq "$code" ] || fail "showdown $*: exit code $got, not $code: $(cat "$work/err")"
    grep -qF -- "$text" "$work/err" || fail "showdown $*: '$(cat "$work/err")' lacks '$text'"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "showdown $*: not one line: $(cat "$work/err")"
}

# --- wrong arguments ---
expect 2 'needs --name' --ladder
expect 2 'needs --challenge USER, --accept [USER], --ladder or --pipe' --name a
expect 2 'only one of --challenge' --name a --ladder --challenge b
expect 2 '--format must be gen8randombattle' --name a --ladder --format gen9ou
expect 2 "--name is a user's name" --name 'a,b' --ladder
expect 2 "--challenge is a user's name" --name a --challenge '|'
expect 2 'one word too many' --name a --ladder nonsense
expect 2 'one word too many' --name a --accept b c
expect 2 'HOST[:PORT]' --name a --ladder --server 'no such server'
expect 2 'https:// only' --name a --ladder --login http://login.example/
expect 2 'use --password-file' --name a --ladder --password secret
expect 2 "did you mean 'random'" --name a --ladder --player randm
expect 2 'cannot read the password file' --name a --ladder --password-file "$work/none"
: >"$work/empty"
expect 1 'is empty' --name a --ladder --password-file "$work/empty"
expect 1 'cannot make the folder' --name a --ladder --save "$work/no/such/folder"
expect 1 'no connection to localhost port 1:' --name a --ladder --server localhost:1

# --- --pipe: an answer for each empty line, and none where there is nothing to decide ---
printf '>battle-gen8randombattle-1\n|init|battle\n\n\n' | "$banyan" showdown --pipe --name a >"$work/out" ||
    fail '--pipe fails'
printf '\n\n' | cmp -s - "$work/out" || fail "--pipe: not two empty lines: $(cat "$work/out")"
printf '|init|battle\n' | "$banyan" showdown --pipe --name a 2>"$work/err" && fail '--pipe without a room is no error'
grep -q "expected '>ROOM'" "$work/err" || fail "--pipe without a room: $(cat "$work/err")"
expect 2 'only one of --challenge' --name a --ladder --pipe
for option in --json --games=2 --server=localhost:8000 --concurrent=2 --no-timer --quiet; do
    expect 2 'is for battles on a server: --pipe takes' --name a --pipe "$option"
done

"$banyan" showdown --help >"$work/out" || fail '--help fails'
for word in --accept --password-file random max-base-power; do
    grep -qe "$word" "$work/out" || fail "--help does not tell of $word"
done

# A battle's log as a page: the whole log is in it, as text, and nothing is fetched.
log=tests/data/showdown/battle-gen8randombattle-156.log
{ echo '|player|p1|</script><script>alert(1)</script>|1|'; cat "$log"; } >"$work/battle.log"
"$banyan" page "$work/battle.log" -o "$work/battle.html" || fail 'no page of a battle'
[ "$(grep -c '<script>alert' "$work/battle.html")" -eq 0 ] || fail 'a name became a part of the page'
grep -q 'id="data">"|player|p1|.u003c/script>' "$work/battle.html" || fail 'the page has no log'
[ "$(grep -o '|turn|' "$work/battle.html" | wc -l)" -eq "$(grep -c '^|turn|' "$log")" ] || fail 'turns are missing'
! grep -q 'http\|src=' "$work/battle.html" || fail 'the page fetches something'
cat >"$work/counts.log" <<'END'
|player|p1|A|1|
|player|p2|B|1|
|start
|switch|p1a: One|Pidgey, L50|100/100
|switch|p2a: Foe|Rattata, L50|100/100
|turn|1
|-status|p1a: One|brn
|switch|p1a: Two|Pichu, L50|100/100
|-status|p1a: Two|par
|-curestatus|p1: One|brn|[msg]
|-cureteam|p1a: Two|[from] move: Heal Bell
|-boost|p1a: Two|atk|2
|-unboost|p1a: Two|def|1
|-clearnegativeboost|p1a: Two|[silent]
|-clearpositiveboost|p1a: Two|p2a: Foe|move: Spectral Thief
|-boost|p2a: Foe|spe|3
|-unboost|p2a: Foe|def|1
|-copyboost|p1a: Two|p2a: Foe|[from] move: Psych Up
|-invertboost|p1a: Two|[from] move: Topsy-Turvy
|-swapboost|p1a: Two|p2a: Foe|spe|[from] move: Speed Swap
|-swapboost|p2a: Foe|p1a: Two|[from] move: Heart Swap
|-sidestart|p1: A|Spikes
|-swapsideconditions
|win|A
END
"$banyan" page "$work/counts.log" -o "$work/counts.html" || fail 'no page of a short battle'
! command -v node >/dev/null || node tests/battle_page.mjs "$work/counts.html" || fail 'the page counts wrongly'
# The bot's decisions that lie beside the log are in the page; what is damaged or of another battle is not.
page() { # page NAME TEXT ROWS: the page of $work/NAME.log has ROWS decisions, and stderr has TEXT; "": nothing
    "$banyan" page "$work/$1.log" -o "$work/page.html" 2>"$work/err" || fail "no page of $1: $(cat "$work/err")"
    [ "$(grep -o '"after":' "$work/page.html" | wc -l)" -eq "$3" ] || fail "$1: not $3 decisions"
    [ -z "$2" ] && [ ! -s "$work/err" ] && return
    [ -n "$2" ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q "^warning: .*$2" "$work/err" || fail "$1: $(cat "$work/err")"
}
old=tests/data/battles/battle-gen8randombattle-156.jsonl # without replies and a line
for name in none old cut other; do cp "$log" "$work/$name.log"; done
cp $old "$work/old.jsonl"
head -c 12000 $old >"$work/cut.jsonl"
cp tests/data/showdown/battle-gen8randombattle-414.jsonl "$work/other.jsonl"
page none '' 0
page old '' 3
page cut 'cut.jsonl:2: not JSON: .*; the page is without decisions' 0
page other 'other.jsonl: these decisions are of another battle; the page' 0
cat tests/data/showdown/battle-gen8randombattle-414.jsonl >>"$work/old.jsonl"
page old 'old.jsonl: 28 of 31 decisions do not fit the log' 3
sed 's/"action":"move/"action":"<\/script><img src=x>/g; s/$/ /' $old >"$work/none.jsonl"
page none '' 3
! grep -q '<img' "$work/page.html" || fail 'an action became a part of the page'

"$banyan" page "$work/battle.log" -g 2 2>"$work/err" && fail 'a second battle in a log'
grep -q 'is a log of one battle' "$work/err" || fail "$(cat "$work/err")"

# Another program decides, in a battle that is fed through a pipe up to one of its decisions.
if command -v python3 >/dev/null; then
    python3 - "$work" <<'PYTHON'
import json, sys
saved = "tests/data/showdown/battle-gen8randombattle-156"
rows = [json.loads(line) for line in open(saved + ".jsonl")]
row = [row for row in rows if row["request"].get("active")][1]
log = open(saved + ".log").read()[:row["log_bytes"]]
open(sys.argv[1] + "/name", "w").write(row["request"]["side"]["name"])
open(sys.argv[1] + "/room", "w").write(
    ">%s\n%s\n|request|%s\n\n" % (row["room"], log, json.dumps(row["request"])))
PYTHON
    name=$(cat "$work/name")
    decide() { timeout 300 "$banyan" showdown --pipe --name "$name" --player "$1" <"$work/room" 2>"$work/err" | grep -v '^$'; }
    own=$(decide heuristic)
    other=$(decide "exec:$banyan serve pokemon --player heuristic")
    case $own in /choose\ *) ;; *) fail "no choice: '$own', $(cat "$work/err")" ;; esac
    [ "$own" = "$other" ] || fail "through a pipe '$other', not '$own': $(cat "$work/err")"
    [ "$own" != "$(decide "exec:$banyan serve pokemon --player first")" ] || fail 'the program does not decide'
    expect 1 "'exit 3' ended with exit code 3" --pipe --name a --player 'exec:exit 3'
    lies='while read -r word rest; do case $word in banyan) echo ready liar ;; choose) echo action move lie ;; esac; done'
    case $(decide "exec:$lies") in '/choose default'*) ;; *) fail "a lie: $(cat "$work/err")" ;; esac
fi

# A battle that is played again through a pipe: the saved page shows what the search expected, and each decision can be
# searched again.
if command -v python3 >/dev/null; then
    python3 - "$work" <<'PYTHON'
import json, sys
saved = "tests/data/showdown/battle-gen8randombattle-156"
rows = [json.loads(line) for line in open(saved + ".jsonl")][:9]
log = open(saved + ".log", "rb").read()
with open(sys.argv[1] + "/room", "wb") as room:
    room.write(b">%s\n" % rows[0]["room"].encode())
    at = 0
    for row in rows:
        room.write(b"%s|request|%s\n\n" % (log[at:row["log_bytes"]], json.dumps(row["request"]).encode()))
        at = row["log_bytes"]
    room.write(log[at:])
PYTHON
    mkdir "$work/saved"
    "$banyan" showdown --pipe --name "$name" --player mcts:simulations=300 --save "$work/saved" <"$work/room" >"$work/out" ||
        fail 'a battle through a pipe'
    saved=$work/saved/battle-gen8randombattle-156
    [ "$(grep -c '"replies":\[{"action":".*"line":\[{"own":"' "$saved.jsonl")" -ge 5 ] || fail 'no replies, or no line'
    grep -q '"foe":\[{"action":' "$saved.html" || fail 'the page has no replies'
    cp "$saved.html" "$work/first.html"
    "$banyan" page "$saved.log" -o "$saved.html" && cmp -s "$work/first.html" "$saved.html" || fail 'another page of the same log'
    "$banyan" search pokemon --replay "$saved.jsonl" >"$work/out" || fail 'not the same decisions again'
    grep -q 'the same table' "$work/out" || fail 'no decision was searched again'
    "$banyan" search pokemon --replay $old >"$work/out" || fail 'an old decision is not the same again'
    # points are among the settings
    mkdir "$work/points"
    "$banyan" showdown --pipe --name "$name" --player mcts:simulations=300,prior-switch=20 --save "$work/points" \
        <"$work/room" >"$work/out" || fail 'a player with points'
    points=$work/points/battle-gen8randombattle-156.jsonl
    grep -q '"choice":"switch' "$points" || fail 'points for switches without a switch'
    "$banyan" search pokemon --replay "$points" >"$work/out" || fail 'points are not among the settings'
    grep -q 'the same table' "$work/out" || fail 'no decision with points was searched again'
fi

# --- certificates ---
if ! command -v openssl >/dev/null; then
    echo 'SKIPPED: no openssl here, certificates are not tested'
    exit $bad
fi
certificate() { # certificate NAME HOST
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$2" -addext "subjectAltName=DNS:$2" \
        -keyout "$work/$1.key" -out "$work/$1.pem" 2>/dev/null || fail "openssl req"
}
serve() { # serve NAME: a web server with that certificate, which knows no websockets; its port in $port
    stop
    : >"$work/tls" # before the server starts: the line of the server before would name its port
    openssl s_server -accept 0 -cert "$work/$1.pem" -key "$work/$1.key" -www >"$work/tls" 2>&1 &
    tls=$!
    until grep -q ACCEPT "$work/tls"; do
        kill -0 $tls || { fail "openssl s_server: $(cat "$work/tls")"; return; }
        sleep 0.1
    done
    port=$(sed -n 's/^ACCEPT.*:\([0-9]*\)$/\1/p' "$work/tls")
}
certificate good localhost
certificate other elsewhere.example
words='--name a --ladder --patience 600s --login none'
# shellcheck disable=SC2086 # a list of words
{
    serve good
    expect 1 'self-signed certificate' $words --server wss://localhost:$port
    expect 1 'not 101' $words --server wss://localhost:$port --ca-file "$work/good.pem"
    expect 1 'self-signed certificate' $words --server wss://localhost:$port --ca-file "$work/other.pem"
    serve other
    expect 1 'ostname mismatch' $words --server wss://localhost:$port --ca-file "$work/other.pem"
}
exit $bad
