#!/bin/sh
# The behaviour signature of builds by different compilers, with and without optimisation, and for
# processors that have fused multiply-add.
#
#   tools/results/signature.sh FOLDER [GAME...]
#
# FOLDER is where the builds go; without GAMEs the one number over all games is compared.  Exit code
# 1 when two builds differ.
set -eu
folder=${1:?"give a folder to build in"}
shift
mkdir -p "$folder"
root=$(cd "$(dirname "$0")/../.." && pwd)

build() { # name compiler type flags
    cmake -G Ninja -S "$root" -B "$folder/$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE="$3" \
        -DCMAKE_C_FLAGS="$4" > "$folder/$1.log" 2>&1
    cmake --build "$folder/$1" -j2 --target banyan >> "$folder/$1.log" 2>&1
}
signature() { # name games...
    name=$1
    shift
    test $# -gt 0 || set -- ""
    for game in "$@"; do "$folder/$name/banyan" bench $game --signature 2> /dev/null; done | tr '\n' ' '
}

echo "| build | signature |"
echo "|---|---|"
first=
while IFS='|' read -r name compiler type flags; do
    build "$name" "$compiler" "$type" "$flags"
    found=$(signature "$name" "$@")
    echo "| \`$compiler\`, $type${flags:+, \`$flags\`} | $found|"
    test "${first:=$found}" = "$found" || echo "different" > "$folder/differ"
done << 'END'
gcc|gcc|Release|
gcc-debug|gcc|Debug|
gcc-haswell|gcc|Release|-march=haswell
gcc-native|gcc|Release|-O3 -march=native
clang|clang|Release|
clang-haswell|clang|Release|-march=haswell
END
test ! -e "$folder/differ"
