#!/bin/sh
# Measures the cost of the page of `banyan web`, and its behaviour under load: prints every figure with its bound.
#
#   tools/results/web.sh [BUILD [MINUTES [SECONDS [PAIRS [SIMULATIONS]]]]]
#
# BUILD: the build folder, default build.  MINUTES: how long a search is watched in Chromium, default 30.  SECONDS: how
# long pages do not read, default 60.  PAIRS: searches with and without a page, default 10, of SIMULATIONS each,
# default 2000000.  Takes about 40 minutes.  Needs an idle machine.  The parser of messages is tested apart, by
# `tools/fuzz fuzz_web 600 -runs=10000`.
set -u
cd "$(dirname "$0")/../.."
build=${1:-build}
status=0
python3 tests/web/measure.py "$build/banyan" "${3:-60}" "${4:-10}" "${5:-2000000}" || status=1
node web/test/measure.js "$build/banyan" "${2:-30}" || status=1
exit $status
