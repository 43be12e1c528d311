#!/bin/sh
# docs/notebooks/ppo.ipynb with MaskablePPO of sb3-contrib, in a virtual environment of its own: 220 MB, some minutes.
#
# Argument: the build folder.
set -eu
build=$(cd "$1" && pwd)
[ -f "$build/python/banyan/_core.abi3.so" ] || { echo 'SKIPPED: the Python package is not built'; exit 77; }
# PyTorch is the system's, since that of PyPI brings gigabytes for graphics cards.
/usr/bin/python3 -c 'import sys, venv, torch; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    { echo 'SKIPPED: no PyTorch here (Debian: python3-torch)'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -m venv --system-site-packages "$folder"
pip() { "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }
# The last releases that take PyTorch 1.13, of Debian 12; --no-deps, since that one calls itself 1.13.0a0.
{ pip --no-deps stable-baselines3==2.4.1 sb3-contrib==2.4.0 gymnasium==1.1.1 &&
    pip cloudpickle farama-notifications typing-extensions 'pandas<2.3' 'matplotlib<3.9' 'numpy<1.25' pytest; } ||
    { echo 'SKIPPED: sb3-contrib cannot be had from PyPI'; exit 77; }
PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS
"$folder/bin/python" -c 'import sb3_contrib'
"$folder/bin/python" -m pytest -q -s -p no:cacheprovider python/tests/test_notebooks.py -k ppo
