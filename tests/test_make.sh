#!/bin/sh
# What the Makefile starts, with stand-ins for everything that takes long.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # `make test BUILD=folder` would hand its variables to the make below
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
    echo "FAILED: $*"
    bad=1
}

stand_in() { # stand_in FILE: a program that only writes down its words
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\necho "$(basename "$0") $*" >>"%s"\n' "$work/log" >"$1"
    chmod +x "$1"
}
tree=$work/tree
mkdir -p "$tree/build"
cp -r Makefile tools "$tree/"
for program in bootstrap showdown/start; do
    stand_in "$tree/tools/$program"
done
stand_in "$work/bin/cmake"
PATH=$work/bin:$PATH

made() { # made WORD...: make WORD... in the tree; what was started is in the log
    : >"$work/log"
    (cd "$tree" && make --no-print-directory "$@") >"$work/out" 2>&1 || fail "make $*: $(cat "$work/out")"
}

# The port, from the command line and from the environment.
made showdown-server PORT=8123
grep -q '^start 8123$' "$work/log" || fail "make PORT=8123: $(cat "$work/log")"
PORT=8123
export PORT
made showdown-server
grep -q '^start 8123$' "$work/log" || fail "PORT=8123 make: $(cat "$work/log")"
unset PORT
made showdown-server
grep -q '^start 8000$' "$work/log" || fail "make without a port: $(cat "$work/log")"

# A build folder is configured once, and again when the tree has moved; otherwise installing would write
# into the old place.
configured() { grep -q -- '^cmake --preset release -B build$' "$work/log"; }
made install
configured || fail "nothing is configured at first: $(cat "$work/log")"
touch "$tree/build/build.ninja"
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\n' "$tree" "$tree/build" \
    >"$tree/build/CMakeCache.txt"
made install
configured && fail "configured without need: $(cat "$work/log")"
grep -q '^cmake --install build' "$work/log" || fail "not installed: $(cat "$work/log")"
mkdir "$tree/build/CMakeFiles"
cp -r "$tree" "$work/copy"
mv "$tree" "$work/moved"
for place in copy moved; do
    tree=$work/$place
    made install
    configured || fail "$place: not configured anew: $(cat "$work/log")"
    [ ! -e "$tree/build/CMakeCache.txt" ] || fail "$place: the old cache is kept"
done

# `make run` shows neither the compiler's lines nor CMake's, but every warning and error, and ends there.
stand_in "$tree/build/banyan"
cat >"$work/bin/cmake" <<EOF
#!/bin/sh
echo "cmake \$*" >>"$work/log"
[ "\$1" = --build ] || { echo '-- Configuring done'; exit; }
echo '[1/2] Building C object a.o'
echo 'a.c:1: warning: odd'
echo '[2/2] Linking C executable banyan'
exit \$(cat "$work/code")
EOF
echo 0 >"$work/code"
made run
grep -q '^banyan demo$' "$work/log" || fail "make run shows nothing: $(cat "$work/log")"
grep -q '^a.c:1: warning: odd$' "$work/out" || fail "a warning is hidden: $(cat "$work/out")"
grep -q '^built in 2 steps$' "$work/out" || fail "no line of progress: $(cat "$work/out")"
grep -q 'Building C\|Configuring' "$work/out" && fail "make run is not quiet: $(cat "$work/out")"
echo 1 >"$work/code"
: >"$work/log"
(cd "$tree" && make run) >"$work/out" 2>&1 && fail 'a failed build is no failure'
grep -q '^banyan demo$' "$work/log" && fail 'what was not built is run'

exit $bad
