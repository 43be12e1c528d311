#!/bin/sh
# What is installed can be used: the program runs, and a project outside of the tree builds with the
# shared and the static library, found by pkg-config and by CMake, also after the tree was moved.
#
# Argument: the build folder.
set -eu
build=$1
examples=$PWD/examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

DESTDIR=$folder/stage cmake --install "$build" --prefix /opt/banyan >/dev/null
prefix=$folder/elsewhere
mv "$folder/stage/opt/banyan" "$prefix"
library=$(dirname "$(find "$prefix" -name libbanyan.so)")
(cd "$prefix" && find . -type f | sort)
test -f "$prefix/share/doc/banyan/LICENSE"
if [ "$(cd include && ls banyan)" != "$(ls "$prefix/include/banyan")" ]; then
    echo "the installed headers are not those of include/"
    exit 1
fi

run() { # run NAME PROGRAM
    echo "== $1"
    LD_LIBRARY_PATH=$library "$2"
}
uses() { LD_LIBRARY_PATH=$library ldd "$1" 2>&1 | grep -q libbanyan; }
right() { # right PROGRAM shared|static
    if uses "$1"; then kind=shared; else kind=static; fi
    [ $kind = "$2" ] || { echo "$1 is $kind"; exit 1; }
}

PKG_CONFIG_PATH=$library/pkgconfig
export PKG_CONFIG_PATH
cd "$folder"
# shellcheck disable=SC2046 # words
"$compiler" -std=c17 -Wall -Werror "$examples"/first_search.c $(pkg-config --cflags --libs banyan) -o pc-shared
right ./pc-shared shared
run 'pkg-config, shared' ./pc-shared
# shellcheck disable=SC2046
"$compiler" -std=c17 "$examples"/own_game.c "$examples"/nim.c -static \
    $(pkg-config --static --cflags --libs banyan) -o pc-static
right ./pc-static static
run 'pkg-config, static' ./pc-static

for kind in shared static; do
    static=OFF
    [ $kind = shared ] || static=ON
    cmake -G Ninja -S "$examples" -B "cmake-$kind" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$compiler" -DBANYAN_STATIC=$static >log 2>&1 || { cat log; exit 1; }
    cmake --build "cmake-$kind" >log 2>&1 || { cat log; exit 1; }
    for program in first_search own_game ask_and_tell pondering player own_rule thompson; do
        right "cmake-$kind/$program" $kind
        run "CMake, $kind: $program" "cmake-$kind/$program"
    done
done

"$prefix/bin/banyan" list >/dev/null
# shellcheck disable=SC2046
"$compiler" -std=c17 -shared -fPIC "$examples"/nim.c $(pkg-config --cflags banyan) -o nim.so
for plugin in ./nim.so cmake-shared/nim.so cmake-static/nim.so; do
    echo "== $plugin"
    "$prefix/bin/banyan" --game "$plugin" search nim -n 1000 >/dev/null
done
"$prefix/bin/banyan" --game cmake-shared/2048.so --game cmake-shared/liars_dice.so --game cmake-shared/dots_and_boxes.so \
    match dots-2x2 random mcts:simulations=50 -n 2 >/dev/null
