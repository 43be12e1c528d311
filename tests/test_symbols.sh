#!/bin/sh
# The symbol check finds what a library must not do, and the library does none of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sound='#include <stdio.h>
#include <stdlib.h>
static const char *const names[] = {"a", "b"};
const char *f(unsigned i, FILE *out) { fprintf(out, "%u", i); return names[i % 2]; }'

compile() { printf '%s\n%s\n' "$sound" "$1" | cc -O1 -fPIC -x c -c - -o "$folder/object.o"; }

compile ''
tools/check-symbols "$folder/object.o"
while IFS= read -r code; do
    compile "$code"
    if tools/check-symbols "$folder/object.o" >"$folder/said"; then
        echo "not found: $code"
        exit 1
    fi
    cat "$folder/said"
done <<'CODES'
void g(void) { printf("%d", 1); }
void g(void) { puts("x"); }
void g(void) { fprintf(stderr, "%d", 1); }
void g(void) { exit(1); }
int g(void) { return rand(); }
double log(double); double g(double x) { return log(x); }
float powf(float, float); float g(float x) { return powf(x, x); }
int counter;
int g(void) { static int calls; return ++calls; }
_Thread_local int mine;
const char *words[] = {"a", "b"};
CODES

tools/check-symbols "$1/libbanyan.a"
