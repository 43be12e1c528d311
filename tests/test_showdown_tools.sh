#!/bin/sh
# banyan pokemon and search --replay from outside: sh tests/test_showdown_tools.sh BUILD
set -u
banyan=$1/banyan
work=$(mktemp -d)
bad=0
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    bad=1
}

# expect CODE TEXT WORD...: banyan WORD... ends with CODE and says TEXT
expect() {
    code=$1 text=$2
    shift 2
    timeout 300 "$banyan" "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    [ $got -eq "$code" ] || fail "$*: exit code $got, not $code: $(head -c 300 "$work/out")"
    grep -qF -- "$text" "$work/out" || fail "$*: '$(head -c 300 "$work/out")' lacks '$text'"
}

# --- calc: the numbers are those of Showdown's formula, worked out by hand ---
# (level 100, attack 317 on defence 257, Crunch 80: 42 * 80 * 317 / 257 / 50 + 2 = 84, doubled)
expect 0 '142-168 of' pokemon calc garchomp,level=100,item=none crunch mew,level=100,item=none
expect 0 'within 1, 2, 3, 4 attacks: 0.0 %' pokemon calc garchomp crunch mew
expect 0 'no damage' pokemon calc garchomp earthquake braviary
expect 0 '"sampled": true' pokemon calc cinccino tailslap mew --json
expect 0 'damage' pokemon calc cinderace,dynamax,status=brn,atk=+2 pyroball ferrothorn,hp=50% --weather sunnyday --reflect
expect 2 "did you mean 'garchomp'" pokemon calc garchmp earthquake mew
expect 2 "did you mean 'earthquake'" pokemon calc garchomp earthqake mew
expect 2 "did you mean 'choiceband'" pokemon calc garchomp,item=choicebnd earthquake mew
expect 2 "did you mean 'ability'" pokemon calc garchomp,abilty=roughskin earthquake mew
expect 2 'hp is a number above 0' pokemon calc garchomp earthquake mew,hp=none
expect 2 'does no damage' pokemon calc garchomp swordsdance mew
expect 2 'needs ATTACKER MOVE DEFENDER' pokemon calc garchomp

# --- sets ---
expect 0 'Snorlax (Gigantamax), level' pokemon sets snorlax
expect 0 '"share":' pokemon sets snorlax --json
expect 2 "did you mean 'snorlax'" pokemon sets snorlx
expect 1 'is in no team of random battles' pokemon sets mimikyubusted
expect 2 "did you mean 'sets'" pokemon set

# --- simulate ---
expect 0 '"winner"' pokemon simulate --p1 random --p2 random --seed 3
expect 1 'the input ended before the battle' pokemon simulate --p1 random
printf 'p1 nonsense\nwhat\np2 move splash\n' | timeout 300 "$banyan" pokemon simulate --p2 random >"$work/out" 2>&1
grep -q 'is not a choice' "$work/out" || fail 'a choice that is none'
grep -q "a line is 'p1 CHOICE'" "$work/out" || fail 'a line that is none'
grep -q 'p2 does not choose now' "$work/out" || fail 'a side that is not asked'

# --- replay ---
decision=tests/data/pokemon/decision.jsonl
expect 0 '' search pokemon --replay $decision --seed 5 -n 50 --json
grep -q '"same":null,"simulations":50' "$work/out" || fail "another question: $(cat "$work/out")"
mv "$work/out" "$work/five"
expect 0 '' search pokemon --replay $decision --seed 5 -n 50 --json
cmp -s "$work/out" "$work/five" || fail 'the same question has two answers'
expect 0 'not compared: another seed' search pokemon --replay $decision --seed 6
expect 2 'No such file' search pokemon --replay "$work/none"
for more in --evaluator=learned --rule=puct -ocpuct=2 --time=1s --as=1 --save="$work/x" --moves=m; do
    expect 2 'with the recorded settings' search pokemon --replay $decision "$more"
done
expect 2 '--line is for --replay' search pokemon --line 1
expect 2 'only decisions of pokemon' search othello --replay "$work/none"
echo '{"detail":{"state":"battle turn=1","belief":"","seed":"1","simulations":9,"settings":""}}' >"$work/bad"
expect 1 'bad:1: pokemon: p1.0 is incomplete' search pokemon --replay "$work/bad"
echo '{"detail":' >"$work/bad"
expect 1 'bad:1:' search pokemon --replay "$work/bad"
echo '{"room":"battle-1","turn":1}' >"$work/bad"
expect 1 'no decision that was searched' search pokemon --replay "$work/bad"

[ $bad = 0 ] && echo 'every tool says what it should'
exit $bad
