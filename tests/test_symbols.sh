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

# What the shared library shows is what the headers declare, under one version.
mkdir "$folder/include"
cat >"$folder/include/one.h" <<'HEADER'
#ifndef ONE_H
#define ONE_H
#define BANYAN_TWICE(x) \
    banyan_macro(x)
#ifdef __cplusplus
extern "C" {
#endif
/* banyan_comment(1); is no function; { nor a brace */
typedef struct banyan_flag { unsigned char state; } banyan_flag;
typedef int banyan_visit_fn(void *ctx, int banyan_name);
struct banyan_table {
    int (*call)(const struct banyan_table *table);
};
static inline int banyan_inline(int x) { return x + 1; }
const struct banyan_table *banyan_first(banyan_visit_fn *visit,
                                        void *ctx);
int banyan_second(int array[2])
#if defined(__GNUC__)
    __attribute__((const))
#endif
    ;
extern const int banyan_count;
#ifdef __cplusplus
}
#endif
#endif
HEADER
first='#include <stddef.h>
const struct banyan_table *banyan_first(int (*visit)(void *, int), void *ctx) { return NULL; }'
second='int banyan_second(int *array) { return array[0]; }'
count='extern const int banyan_count; const int banyan_count = 3;'
link() { # link CODE VERSION-SCRIPT
    echo "$2" >"$folder/map"
    printf '%s\n' "$1" | cc -shared -fPIC "-Wl,--version-script=$folder/map" -x c - -o "$folder/lib.so"
}
checked() { tools/check-symbols "$folder/object.o" "$folder/lib.so" "$folder/include"; }
differs() { # differs WHAT-IS-SAID CODE [VERSION-SCRIPT]
    link "$2" "${3:-$map}"
    if checked >"$folder/said" || [ "$(cat "$folder/said")" != "$1" ]; then
        echo "expected: $1; got:"
        cat "$folder/said"
        exit 1
    fi
}
map='BANYAN_0.1 { global: banyan_*; local: *; };'
compile ''
link "$first
$second
$count
void hidden(void) {}" "$map"
checked
differs "banyan_second is declared in $folder/include and not in the shared library" "$first
$count"
differs "banyan_count is declared in $folder/include and not in the shared library" "$first
$second"
differs "banyan_third is shown by the shared library and not declared in $folder/include" "$first
$second
$count
int banyan_third(void) { return 3; }"
differs "file_verb is shown by the shared library and not declared in $folder/include" "$first
$second
$count
int file_verb(void) { return 3; }" 'BANYAN_0.1 { global: banyan_*; file_verb; local: *; };'
differs "banyan_count has no version of symbols
banyan_first has no version of symbols
banyan_second has no version of symbols" "$first
$second
$count" '{ global: banyan_*; local: *; };'

tools/check-symbols "$1/libbanyan.a"
