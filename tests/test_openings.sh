#!/bin/sh
# Every .c file of the folders named here opens with a comment that says what it is for, in its first
# line and in more than two words.
set -eu
bad=$(find src/base src/games -name '*.c' | sort | while read -r file; do
    head -n 1 "$file" | grep -qE '^/\* [^ ]+ [^ ]+ [^ ]+' || echo "$file: $(head -n 1 "$file")"
done)
[ -z "$bad" ] || { echo "the first line does not say what the file is for:"; echo "$bad"; exit 1; }
