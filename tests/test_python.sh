#!/bin/sh
# The Python package as it stands in the build folder: its tests, its types, the code of its page.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
skip() { echo "SKIPPED: $1"; exit 77; }
[ -f "$build/python/banyan/_core.abi3.so" ] || skip 'no headers of CPython 3.11 or later: the Python package is not built'
python=$PWD/.venv/bin/python
"$python" -c 'import mypy, numpy, pytest' 2>/dev/null ||
    skip 'no pytest, mypy and numpy in .venv (tools/bootstrap --test installs them): the Python package is not tested'

cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
"${CC:-cc}" -std=c17 -O1 -Iinclude python/tests/twin.c "$build/libbanyan.a" -o "$cache/twin" -lm -lpthread
BANYAN_TWIN=$cache/twin
export BANYAN_TWIN
PYTHONPATH=$build/python BANYAN_PROGRAM=$build/banyan PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH BANYAN_PROGRAM PYTHONDONTWRITEBYTECODE
"$python" -X dev -m pytest -q -p no:cacheprovider python/tests
"$python" -m mypy --strict --cache-dir "$cache" python/banyan
cd "$cache"
"$python" -m mypy.stubtest banyan._core
