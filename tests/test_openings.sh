#!/bin/sh
# Every .c file opens with a comment that says what it is for, in its first line and in more than two
# words.
set -eu
bad=$(find src tests fuzz examples tools -name node_modules -prune -o -name '*.c' -print | sort | while read -r file; do
    head -n 1 "$file" | grep -qE '^/\* [^ ]+ [^ ]+ [^ ]+' || echo "$file: $(head -n 1 "$file")"
done)
[ -z "$bad" ] || { echo "the first line does not say what the file is for:"; echo "$bad"; exit 1; }
