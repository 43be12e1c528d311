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
# PyTorch is the system's, since that of PyPI brings gigabytes for graphics cards; pytest is that of .venv.
system=/usr/bin/python3
if "$system" -c 'import sys, numpy, torch; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    packages=$("$python" -c 'import os, pytest; print(os.path.dirname(os.path.dirname(pytest.__file__)))')
    "$system" -c 'import sys; sys.path.append(sys.argv.pop(1)); import pytest; sys.exit(pytest.main(sys.argv[1:]))' \
        "$packages" -q -p no:cacheprovider python/tests/test_torch.py python/tests/test_notebooks.py
else
    echo 'SKIPPED: no PyTorch here (Debian: python3-torch): banyan.torch is not tested'
fi
"$python" -m mypy --strict --cache-dir "$cache" python/banyan
MYPYPATH=$build/python "$python" -m mypy --strict --cache-dir "$cache" examples/python/*.py
cd "$cache"
"$python" -m mypy.stubtest banyan._core
