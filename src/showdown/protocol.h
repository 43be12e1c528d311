/* What a Showdown server says, taken apart: frames into lines, a line into its pieces.
 *
 *     >battle-gen8randombattle-1                                   the room of all that follows
 *     |-damage|p2a: Carbink|61/100|[from] item: Life Orb|[of] p1a: Azumarill
 *      `-----' `----------' `----' `-------------------' `----------------'
 *       kind     args[0]   args[1]          from                  of
 *
 * Nothing is copied: pieces are slices of the caller's bytes.  Whatever the bytes are, the parsers
 * come back with something: a word that nobody knows is PROTOCOL_UNKNOWN, a known one that lacks
 * arguments is PROTOCOL_BROKEN.
 */
#ifndef SHOWDOWN_PROTOCOL_H
#define SHOWDOWN_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

enum protocol_kind {
    PROTOCOL_EMPTY,   /* nothing, or | alone */
    PROTOCOL_TEXT,    /* plain text for a human reader */
    PROTOCOL_PASSED,  /* known, and of no consequence */
    PROTOCOL_UNKNOWN, /* worth a line in the log */
    PROTOCOL_BROKEN,  /* fewer arguments than it must have */
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
    struct protocol_text rest;                /* all that follows the word */
    struct protocol_text args[PROTOCOL_ARGS]; /* of rest, tags left out; the missing are empty */
    int arg_count;                            /* at most PROTOCOL_ARGS */
    struct protocol_text from, of, ability;   /* of the tags of these names; empty: none */
    bool eaten, silent;                       /* [eat], [silent] */
};

/* One side's Pokémon as battle lines name it: "p1a: Name" when active, else "p1: Name". */
struct protocol_pokemon {
    int side; /* 0 or 1; -1: this names no Pokémon of two players */
    bool active;
    struct protocol_text name;
};

/* "Species, L83, F, shiny" */
struct protocol_details {
    struct protocol_text species;
    int level;   /* 1..100; 100 when it is not said */
    char gender; /* 'M', 'F', or 'N' */
};

/* "181/302 par", "61/100", "0 fnt" */
struct protocol_condition {
    int hp, hp_max; /* hp_max 0: not said, as for the fainted */
    bool fainted;
    struct protocol_text status; /* "par"; empty: none */
};

/* Makes text fit to be parsed, stored and shown: what is not UTF-8, and control characters other
 * than the line end, become '?'.  Returns how many bytes were changed. */
size_t protocol_repair(char *text, size_t length);

/* Takes the next line, without its end, off *text; false when nothing is left. */
bool protocol_next(struct protocol_text *text, struct protocol_text *line);

void protocol_parse(struct protocol_text line, struct protocol_line *out);

struct protocol_pokemon protocol_pokemon(struct protocol_text text);
struct protocol_details protocol_details(struct protocol_text text);
struct protocol_condition protocol_condition(struct protocol_text text);

struct protocol_text protocol_text(const char *string);
bool protocol_is(struct protocol_text text, const char *string);
bool protocol_starts(struct protocol_text text, const char *prefix);
bool protocol_holds(struct protocol_text text, const char *piece);

/* Takes up to the next occurrence of separator, or the rest. */
struct protocol_text protocol_take(struct protocol_text *text, char separator);

/* A number of 0..999999 that text starts with; else -1. */
int protocol_number(struct protocol_text text);

/* Copies what fits, and never half a character; zeros fill the rest, at least one. */
void protocol_copy(struct protocol_text text, char *out, size_t size);

/* The id of a name, as the server makes it: small letters and digits only; zeros fill the rest. */
void protocol_id(struct protocol_text text, char *out, size_t size);

/* What an effect is called, and what it is: "ability: Flash Fire" is "flashfire", 'a'; "move: X"
 * is 'm', "item: X" is 'i', a bare name is 0. */
char protocol_effect(struct protocol_text text, char *id, size_t size);

#endif
