# What shell tests of the program share.  A test begins with `set -u` and `. tests/program.sh`, has the build folder as
# its argument, runs in the root of the repository, and ends with `exit $bad`.
banyan=$1/banyan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
    echo "FAILED: $*"
    bad=1
}

# ends CODE TEXT WORD...: banyan WORD... ends with CODE, and stderr has TEXT ('': anything)
ends() {
    code=$1 text=$2
    shift 2
    timeout 300 "$banyan" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    sed -i '/^[0-9]*\/[0-9]* .* s, about [0-9]* s left/d' "$work/err" # progress, which is told every 10 s
    [ $got -eq "$code" ] || fail "banyan $*: exit code $got, not $code: $(cat "$work/err")"
    [ -z "$text" ] || grep -qF -- "$text" "$work/err" || fail "banyan $*: '$(cat "$work/err")' lacks '$text'"
}

# one_line: the last stderr has one line
one_line() {
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line: $(cat "$work/err")"
}
