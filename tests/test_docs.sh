#!/bin/sh
# The commands of README.md and docs/ run, print what the pages promise, and have the options that they
# are given: tests/docs_samples.py, which also says how pages mark their blocks.
#
# Arguments: the build folder; --long: what takes long too; --update: writes the outputs into the pages.
set -eu
command -v python3 >/dev/null || {
    echo 'SKIPPED: no python3 here'
    exit 77
}
# shellcheck disable=SC2046 # words
python3 tests/docs_samples.py "$@" $(ls ./*.md | sed 's,^\./,,' | grep -v CHANGELOG.md) \
    $(find docs -name '*.md' | sort) examples/README.md
