#!/bin/sh
# The check of functions counts parameters and lines as people do, and finds those that have too many.
set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/game" "$tree/include"

put() { # put LINE...: src/game/a.c
    printf '%s\n' "$@" >"$tree/src/game/a.c"
}
body() { # body LINES: a function's braces with so many lines between them
    echo '{'
    seq "$1" | sed 's/.*/    work();/'
    echo '}'
}
passes() { # passes WHAT
    tools/check-functions "$tree" >"$tree/output" || { echo "refused: $1"; cat "$tree/output"; exit 1; }
}
refuses() { # refuses LINE NAME COUNT: one complaint
    if tools/check-functions "$tree" >"$tree/output"; then
        echo "not found: $2 with $3"
        exit 1
    fi
    if [ "$(wc -l <"$tree/output")" != 1 ] || ! grep -q "^src/game/a.c:$1: $2() has $3," "$tree/output"; then
        echo "expected $2() in line $1 with $3, got:"
        cat "$tree/output"
        exit 1
    fi
}

put 'int six(int a, int b, int c, int d, int e, int f)' '{' '}'
passes 'six parameters'
put 'int seven(int a, int b, int c, int d, int e, int f, int g)' '{' '}'
refuses 1 seven '7 parameters'
put '/* a, (b = c * d, */' 'static int' 'seven(int a, int b, /* one, two */ int c, int d,' \
    '      /* goes' '       on, and on */' '      int e, int f, int g)' '{' '}'
refuses 2 seven '7 parameters'
put 'void each(void (*fn)(void *, int, int), int b, int c, int d, int e, int f)' '{' '}'
passes 'a function of three as the first of six'
put 'int list[2] = {' '    1,' '};' 'void none(void)' '{' '    call(1, 2, 3, 4, 5, 6, 7);' '}'
passes 'a call with seven'
put 'void NAME(part)(int a, int b, int c, int d, int e, int f, int g)' '{' '}'
refuses 1 part '7 parameters'
put 'struct big {' '    int (*fn)(int a, int b, int c, int d, int e, int f, int g);' '};' 'int x(void);'
passes 'a type'

put 'void fits(void)' "$(body 57)"
passes 'sixty lines'
put '#include <stdio.h>' '' 'void grows(void)' "$(body 58)"
refuses 3 grows '61 lines'
put 'void one(void)' "$(body 50)" '' 'void two(void)' "$(body 50)"
passes 'two of fifty'
mv "$tree/src/game/a.c" "$tree/src/game/a_data.c"
put 'void grows(void)' "$(body 90)"
mv "$tree/src/game/a.c" "$tree/src/game/b_data.c"
passes 'what a program made'

tools/check-functions >/dev/null
