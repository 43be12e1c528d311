/* Splits the messages of a Showdown server: frames into lines, a line into its parts.
 *
 *    >battle-gen8randombattle-1                                   the room of all that follows
 *    |-damage|p2a: Carbink|61/100|[from] item: Life Orb|[of] p1a: Azumarill
 *     `-----' `----------' `----' `-------------------' `----------------'
 *      kind     args[0]   args[1]          from                  of
 *
 * Nothing is copied: the parts are slices of the caller's bytes.  The parsers accept any bytes: an
 * unknown word is PROTOCOL_UNKNOWN, a known one with too few arguments is PROTOCOL_BROKEN.
 */
#ifndef SHOWDOWN_PROTOCOL_H
#define SHOWDOWN_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

enum protocol_kind {
    PROTOCOL_EMPTY,   /* nothing, or | alone */
    PROTOCOL_TEXT,    /* plain text for people */
    PROTOCOL_PASSED,  /* known, without a kind of its own; few readers look at its word */
    PROTOCOL_UNKNOWN, /* reported in the log */
    PROTOCOL_BROKEN,  /* too few arguments */
#define KIND(name, word, least) PROTOCOL_##name,
#define PASS(word)
#include "showdown/protocol.def"
#undef KIND
#undef PASS
    PROTOCOL_KINDS
};

enum {
    PROTOCOL_ARGS = 8,
    PROTOCOL_ID = 32,  /* bytes of an id such as "heavydutyboots", with its 0 */
    PROTOCOL_NAME = 48 /* bytes of a name such as "Urshifu-Rapid-Strike-Gmax", with its 0 */
};

/* A slice; borrowed; at may be NULL only when length is 0. */
struct protocol_text {
    const char *at;
    size_t length;
};

struct protocol_line {
    enum protocol_kind kind;
    struct protocol_text word;                /* between the first two bars */
    struct protocol_text rest;                /* everything after the word */
    struct protocol_text args[PROTOCOL_ARGS]; /* of rest, without tags; missing ones are empty */
    int arg_count;                            /* at most PROTOCOL_ARGS */
    struct protocol_text from, of, ability;   /* the values of these tags; empty: no such tag */
    bool eaten, silent;                       /* [eat], [silent] */
};

/* A Pokémon in a battle line: "p1a: Name" if it is active, otherwise "p1: Name". */
struct protocol_pokemon {
    int side; /* 0 or 1; -1: it is no Pokémon of the two players */
    bool active;
    struct protocol_text name;
};

/* "Species, L83, F, shiny" */
struct protocol_details {
    struct protocol_text species;
    int level;   /* 1..100; 100 when it is not given */
    char gender; /* 'M', 'F', or 'N' */
};

/* "181/302 par", "61/100", "0 fnt" */
struct protocol_condition {
    int hp, hp_max; /* hp_max 0: not given, as for fainted Pokémon */
    bool fainted;
    struct protocol_text status; /* "par"; empty: none */
};

/* Replaces by '?' what is not UTF-8, and control characters other than the line end, so that text
 * can be parsed, stored and shown.  Returns how many bytes were changed. */
size_t protocol_repair(char *text, size_t length);

/* Takes the next line from *text, without its end; false: nothing is left. */
bool protocol_next(struct protocol_text *text, struct protocol_text *line);

void protocol_parse(struct protocol_text line, struct protocol_line *out);

struct protocol_pokemon protocol_pokemon(struct protocol_text text);
struct protocol_details protocol_details(struct protocol_text text);
struct protocol_condition protocol_condition(struct protocol_text text);

struct protocol_text protocol_text(const char *string);
bool protocol_is(struct protocol_text text, const char *string);
bool protocol_starts(struct protocol_text text, const char *prefix);
bool protocol_holds(struct protocol_text text, const char *piece);

/* Takes the text up to the next separator, or all of it. */
struct protocol_text protocol_take(struct protocol_text *text, char separator);

/* The number of 0..999999 at the start of text; -1: there is none. */
int protocol_number(struct protocol_text text);

/* Copies as many whole characters as fit; zeros fill the rest, at least one. */
void protocol_copy(struct protocol_text text, char *out, size_t size);

/* The id of a name as the server makes it: only small letters and digits; zeros fill the rest. */
void protocol_id(struct protocol_text text, char *out, size_t size);

/* Writes the id of an effect and returns its kind: "ability: Flash Fire" gives "flashfire" and 'a';
 * "move: X" gives 'm', "item: X" 'i', a name alone 0. */
char protocol_effect(struct protocol_text text, char *id, size_t size);

#endif
