#!/bin/sh
# Every file and folder that a page names is in the tree: README.md, docs/ and the other pages, their
# links, `src/search/tree.h`, `tree.h`, `select_*.c`.  What a build makes (build/, dist/) and the reader's own
# files (my_game.c) are left alone.
set -eu
all=$(mktemp)
named=$(mktemp)
failed=$(mktemp)
trap 'rm -f "$all" "$named" "$failed"' EXIT

find . \( -name '.*' -o -name 'build*' -o -name dist -o -name node_modules \) ! -name . ! -name building.md \
    ! -name builds.sh -prune -o -print | sed 's,^\./,,' >"$all"
pages() { ls ./*.md; find docs examples -name '*.md'; echo docs/banyan.1; }
ours='src|include|tests|tools|docs|examples|fuzz|weights|cmake'

headings() { # headings PAGE: as links write them
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}
missing() { # missing PAGE NAME
    echo "$1 names '$2', which is not in the tree" | tee -a "$failed"
}
# A name is looked for as the end of a path; `*`, NAME, GAME, TARGET and X stand for any letters of one
# file's name.
is_there() {
    pattern=$(echo "$1" | sed -E 's,NAME|GAME|TARGET|\bX(_|\b)|_X\b,*\1,g; s,[.+],\\&,g; s,\*,[^/]*,g')
    grep -qE "(^|/)$pattern/?\$" "$all"
}

for page in $(pages | grep -v CHANGELOG); do
    page=${page#./}
    { # our folders, and files by their endings
        grep -oE "(^|[^A-Za-z0-9_./*-])($ours)/[A-Za-z0-9_./*-]*[A-Za-z0-9_*]" "$page" || true
        grep -oE "(^|[^A-Za-z0-9_./*-])[A-Za-z0-9_*][A-Za-z0-9_./*-]*\.(c|h|cu|def|md|sh|py|js)($|[^A-Za-z0-9_./-])" "$page" || true
    } | sed -E 's,^[^A-Za-z0-9_*]+,,; s,[^A-Za-z0-9_*]+$,,' | sort -u >"$named"
    while read -r name; do
        case $name in
        build/* | build-*/* | dist/* | my_* | http*) ;;
        *) is_there "$name" || missing "$page" "$name" ;;
        esac
    done <"$named"
    # links, from the page's own folder, and the headings that they lead to
    grep -oE '\]\([^) ]+' "$page" | cut -c3- | grep -v : | while read -r link; do
        target=$(dirname "$page")/${link%%#*}
        case $link in "#"*) target=$page ;; esac
        test -e "$target" || missing "$page" "$link"
        case $link in *"#"*) headings "$target" | grep -qxF "${link#*#}" || missing "$page" "$link" ;; esac
    done
done
# docs/origins.md says of all data where they come from.
for data in tests/data/* weights/*.safetensors; do
    name=${data#tests/data/}
    grep -qF "| \`${name%safetensors}" docs/origins.md ||
        echo "docs/origins.md does not say where $data comes from" | tee -a "$failed"
done
# The tables of the players' points have every line of their files.
table_has() { # table_has PAGE LEAST: the lines of $named, at least so many
    test "$(wc -l <"$named")" -ge "$2" || echo "the points of $1 are not read any more" | tee -a "$failed"
    while read -r row; do
        grep -qxF "$row" "$1" || echo "$1 lacks the line '$row'" | tee -a "$failed"
    done <"$named"
}
sed -n 's/^X([a-z_]*, "\([^"]*\)", \([^,]*\), [^,]*, [^,]*, "\(.*\)")$/| `\1` | \2 | \3 |/p' \
    src/games/bloodbowl/players/bot_points.def >"$named"
table_has docs/games/bloodbowl-agents.md 50
sed -nE 's/^VALUE\([A-Z_]*, "([^"]*)", ([^,]*), "(.*)"\)$/| `value-\1` | \2 | \3 |/p
    s/^PRIOR\([a-z_]*, "([^"]*)", ([^,]*), "(.*)"\)$/| `prior-\1` | \2 | \3 |/p' \
    src/games/pokemon/players/points.def >"$named"
table_has docs/games/pokemon.md 60
test "$(wc -l <"$all")" -ge 500 || echo 'the tree is not found any more' | tee -a "$failed"
test ! -s "$failed"
