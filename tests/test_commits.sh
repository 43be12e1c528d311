#!/bin/sh
# The check of commit messages refuses what is not "module: what it does now" with a reason below it,
# lets the rest pass, and works as git's hook.
set -eu
command -v git >/dev/null || exit 77
check=$PWD/tools/check-commits
# not those of the user, nor of a hook of git that runs this test
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
git init -q .
git config user.name nobody
git config user.email nobody@localhost
git config commit.gpgsign false
mkdir tools docs
cp "$check" tools/
git add tools
git commit -qm 'tools: the check'

commits=0
commit() { # commit LINES FILE MESSAGE
    commits=$((commits + 1))
    : >>"$2"
    seq "$1" | sed "s/^/$commits /" >>"$2"
    git add -A
    git commit -qm "$3" --no-verify
}
passes() { # passes LINES FILE MESSAGE
    commit "$@"
    tools/check-commits || { echo "refused: $3"; exit 1; }
}
refuses() { # refuses WHY LINES FILE MESSAGE
    why=$1
    shift
    commit "$@"
    if output=$(tools/check-commits); then echo "passed: $3"; exit 1; fi
    echo "$output" | grep -qF "$why" || { echo "refused for another reason: $output"; exit 1; }
}
letters() { printf "%$1s" '' | sed "s/ /$2/g"; }
body='

Because.'

passes 10 a.c 'search: small changes need no body'
passes 11 a.c "search: others do$body"
passes 99 docs/page 'docs: pages need none'
passes 99 README.md 'README, changelog: nor these'
passes 1 a.c "base: $(letters 66 x)"
passes 1 a.c "base: $(letters 66 é)"
passes 1 a.c 'base: writes \n'
passes 11 a.c "search: a signature stands below$body

Bench: 0123456789abcdef"
passes 99 a.c 'Revert "search: others do"'
refuses 'a body must say why' 11 a.c 'search: no reason'
refuses 'a body must say why' 11 a.c 'search: a trailer is no reason

Bench: 0123456789abcdef'
refuses 'has 73 characters' 1 a.c "base: $(letters 67 x)"
refuses "must read 'module: what it does now'" 1 a.c 'mended the search'
refuses "must read 'module: what it does now'" 1 a.c 'search:no space'
refuses 'has 73 characters' 1 a.c "base: $(letters 67 é)"
refuses 'full stop' 1 a.c 'search: ends.'
refuses 'second line' 11 a.c 'search: no gap
Because.'

echo 'a range tells every bad commit of it, and only those'
test "$(tools/check-commits HEAD~3..HEAD | grep -c '^[0-9a-f]*: ')" = 3
tools/check-commits HEAD~7..HEAD~7
if tools/check-commits nowhere.. 2>/dev/null; then exit 1; fi
if tools/check-commits --nothing 2>/dev/null; then exit 1; fi

echo 'the hook'
tools/check-commits --install
tools/check-commits --install
before=$(git rev-parse HEAD)
seq 50 >b.c
git add b.c
if git commit -qm 'search: no reason' 2>err || git commit -qm 'no module' 2>err; then exit 1; fi
test "$(git rev-parse HEAD)" = "$before"
printf '%s\n' '' 'search: a reason' '' 'Because.' '# a comment of git' >message
git commit -qF message --cleanup=strip
echo 'another hook stays'
hook=$(git rev-parse --git-path hooks/commit-msg)
echo 'exit 0' >"$hook"
if tools/check-commits --install 2>err; then exit 1; fi
grep -q 'another hook' err && test "$(cat "$hook")" = 'exit 0'
