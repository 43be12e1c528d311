#!/bin/sh
# The games of examples/python in full: dots and boxes solved, 2048 over 100 games, Liar's dice near an equilibrium.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
[ -f "$build/python/banyan/_core.abi3.so" ] || { echo 'SKIPPED: the Python package is not built'; exit 77; }
python=/usr/bin/python3
[ ! -x .venv/bin/python ] || python=$PWD/.venv/bin/python
PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

holds() { # holds FILE ARGUMENTS... CONDITION: of the value that main() returns
    file=$1 && shift
    "$python" - "$file" "$@" <<'END'
import runpy
import sys

file, *words, condition = sys.argv[1:]
value = runpy.run_path(f"examples/python/{file}.py")["main"](words)
sys.exit(0 if eval(condition, {"value": value}) else f"{file} {words}: {value}, wanted {condition}")
END
}

holds dots_and_boxes 'value == {"1x1": -1, "2x1": 0, "2x2": 2, "3x2": -2}'
holds liars_dice --sides=3 --walks=20000 'value <= 0.01'
for seed in 1 2 3; do
    holds liars_dice --sides=3 --simulations=2000000 --seed=$seed 'value <= 0.01'
done
holds liars_dice --sides=6 --walks=60000 'value <= 0.05'
holds tiles_2048 --games=100 'value >= 11000'
