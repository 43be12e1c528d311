#!/bin/sh
# A comment that cites a page of docs/ and headings of it (the page, "Heading" and "Heading") finds them
# there, and a page that is named exists.
set -eu
failed=$(mktemp)
trap 'rm -f "$failed"' EXIT
sources() { find src include tests fuzz examples -name '*.[ch]' -o -name '*.def' -o -name '*.sh'; }

sources | xargs grep -ohE 'docs/[a-z0-9/_-]+\.md' | sort -u | while read -r page; do
    test -f "$page" || echo "$page is named in a source and is not there" | tee -a "$failed"
done
cited=$(sources | xargs grep -ohE 'docs/[a-z0-9/_-]+\.md, "[^"]+"( and "[^"]+")*' | sort -u)
echo "$cited" | while read -r citation; do
    page=${citation%%,*}
    echo "$citation" | grep -oE '"[^"]+"' | tr -d '"' | while read -r heading; do
        grep -qxE "#+ $heading" "$page" ||
            echo "$page has no heading '$heading', which a source cites" | tee -a "$failed"
    done
done
test "$(echo "$cited" | wc -l)" -ge 15 || echo 'citations are not found any more' | tee -a "$failed"
test ! -s "$failed"
