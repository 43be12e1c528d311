/* The contract: init, format, action_format, action_parse; valid texts and malformed ones. */
#include "contract/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The setup of the present game: the usual start (NULL) and the given setups take turns. */
static const char *contract_setup(const struct contract *c)
{
    int which = c->index % (c->setup_count + 1);
    return which > 0 ? c->options->setups[which - 1] : NULL;
}

/* Checks that an error names its status and has a message of one line. */
static void contract_check_error(struct contract *c, enum banyan_status status,
                                 const struct banyan_error *err, const char *where)
{
    contract_check(c, err->status == status, "%s returned '%s' and filled in '%s'", where,
                   banyan_status_name(status), banyan_status_name(err->status));
    contract_check(c, err->message[0] && !strchr(err->message, '\n'),
                   "%s failed without a message of one line", where);
}

static bool contract_init(struct contract *c, void *state, const char *setup,
                          struct banyan_rng *rng)
{
    struct banyan_error err = {.message = ""};
    enum banyan_status status = contract_calls(c, "init")->init(c->game, state, setup, rng, &err);
    return contract_check(c, status == BANYAN_OK, "init(\"%.200s\") failed: %s", setup ? setup : "",
                          err.message);
}

/* Counts a usual start, and notes whether it differs from the first one. */
static void contract_note_deal(struct contract *c)
{
    uint64_t deal = contract_hash(c->slot[SLOT_STATE], c->game->state_size);
    if (c->deals++ == 0)
        c->deal = deal;
    c->deals_differ = c->deals_differ || deal != c->deal;
}

bool contract_check_init(struct contract *c)
{
    const char *setup = contract_setup(c);
    struct banyan_rng again = c->rng;
    void *state = contract_soil(c, SLOT_STATE, 0xff), *other = contract_soil(c, SLOT_OTHER, 0x33);
    if (!contract_init(c, state, setup, &c->rng) || !contract_init(c, other, setup, &again))
        return false;
    contract_check_guard(c, SLOT_STATE, "init()");
    contract_check(c, contract_same(c, state, other),
                   "init() twice with the same stream gave different bytes");
    if (!setup)
        contract_note_deal(c);
    if (c->index == 0) { /* without a stream init() uses a fixed one */
        void *copy = contract_soil(c, SLOT_COPY, 0x99);
        if (contract_init(c, copy, setup, NULL) && contract_init(c, other, setup, NULL))
            contract_check(c, contract_same(c, copy, other),
                           "init() twice without a stream gave different bytes");
    }
    return true;
}

/* Plays game number index without checks.  Returns the number of its plies; -1: it cannot be played. */
static int contract_try_game(struct contract *c, int index)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(c->options->seed, c->game->name, (uint64_t)index));
    void *state = contract_soil(c, SLOT_PLAY, 0xff);
    if (contract_calls(c, "init")->init(c->game, state, NULL, &rng, NULL) != BANYAN_OK)
        return contract_stopped(c) ? 0 : -1;
    return contract_play_out(c, state, &rng);
}

bool contract_check_starts(struct contract *c)
{
    enum { GAMES = 5 };
    int over = 0;
    for (int i = 0; i < GAMES && !c->endless; ++i) {
        c->why[0] = 0;
        c->index = c->options->first + i;
        int plies = contract_try_game(c, c->index);
        if (contract_stopped(c)) {
            c->ply = plies;
            return false;
        }
        over += plies == 0;
        contract_mend_guards(c, SLOT_PLAY);
        c->too_long = c->too_long || strstr(c->why, "max_plies") != NULL;
    }
    c->index = c->ply = -1;
    return contract_check(c, over < GAMES,
                          "the game is over before the first move, since movers() is 0: it returns "
                          "bits, 1u << player");
}

int contract_write(struct contract *c, contract_writer *fn, const void *state, int which, char *out,
                   const char *name)
{
    enum { SMALL = 8 };
    char small[SMALL + CONTRACT_GUARD];
    memset(out, 0x77, BANYAN_TEXT_MAX + CONTRACT_GUARD);
    int length = fn(c, state, which, out, BANYAN_TEXT_MAX);
    if (!contract_check(c, length >= 0 && length < BANYAN_TEXT_MAX,
                        "%s returned the length %d, which is too long or negative", name, length))
        return out[0] = 0, 0;
    if (!contract_check(c, memchr(out, 0, BANYAN_TEXT_MAX),
                        "%s did not write the 0 that ends its %d characters", name, length))
        return out[0] = 0, 0;
    contract_check(c, memchr(out, 0, BANYAN_TEXT_MAX) == out + length,
                   "%s wrote another number of characters than it returned", name);
    int end = BANYAN_TEXT_MAX + CONTRACT_GUARD;
    contract_check(c, contract_all(out + length + 1, 0x77, (size_t)(end - length - 1)),
                   "%s wrote past the end of its text", name);
    out[end - 1] = 0;
    for (int i = 0; i < length; ++i)
        if ((unsigned char)out[i] < ' ' && !strchr("\n\t", out[i]))
            contract_check(c, false, "%s has the control character %d", name, out[i]);
    memset(small, 0x77, sizeof small);
    int small_length = fn(c, state, which, small, SMALL);
    contract_check(c, small_length == length, "%s returned %d for a small buffer, %d for a large",
                   name, small_length, length);
    bool fits = memchr(small, 0, SMALL) && contract_all(small + SMALL, 0x77, CONTRACT_GUARD);
    if (contract_check(c, fits, "%s overran a small buffer", name))
        contract_check(c, fn(c, state, which, NULL, 0) == length,
                       "%s cannot count without a buffer", name);
    return length;
}

static int contract_write_state(struct contract *c, const void *state, int unused, char *out,
                                size_t size)
{
    (void)unused;
    return contract_calls(c, "format")->format(c->game, state, out, size);
}

void contract_check_format(struct contract *c, const void *state)
{
    int length = contract_write(c, contract_write_state, state, 0, c->text, "format()");
    if (length == 0)
        return;
    contract_check(c, !strpbrk(c->text, "\n\r"), "format() wrote more than one line");
    void *copy = contract_soil(c, SLOT_COPY, 0xff);
    if (contract_init(c, copy, c->text, NULL))
        contract_check(c, contract_same(c, copy, state),
                       "init() made another state of the text \"%.200s\"", c->text);
    memcpy(c->text_2, c->text, (size_t)length);
    memcpy(c->text_2 + length, " xyzzy", sizeof " xyzzy");
    contract_check(
        c, contract_calls(c, "init")->init(c->game, copy, c->text_2, NULL, NULL) != BANYAN_OK,
        "init() took the text of a state followed by ' xyzzy'");
}

/* --- actions --- */

static int contract_write_action(struct contract *c, const void *state, int player, char *out,
                                 size_t size)
{
    return contract_calls(c, "action_format")
        ->action_format(c->game, state, player, c->mapped[0], out, size);
}

static int contract_write_description(struct contract *c, const void *state, int player, char *out,
                                      size_t size)
{
    return contract_calls(c, "describe")->describe(c->game, state, player, c->mapped[0], out, size);
}

/* Checks the text of an action as people say it: a name, and perhaps a tab and a note. */
static void contract_check_description(struct contract *c, const void *state, int player)
{
    if (!c->game->describe)
        return;
    contract_write(c, contract_write_description, state, player, c->text, "describe()");
    const char *tab = strchr(c->text, '\t');
    contract_check(c, !strpbrk(c->text, "\n\r"), "describe() wrote more than one line");
    contract_check(c, c->text[0] && c->text[0] != '\t', "describe() wrote no name");
    contract_check(c, !tab || (tab[1] && !strchr(tab + 1, '\t')),
                   "describe() wrote a tab without a note, or two tabs");
}

/* Keeps a text to try it in other positions. */
static void contract_remember_text(struct contract *c, const char *text)
{
    int at = c->text_count < CONTRACT_TEXTS ? c->text_count++
                                            : (int)banyan_rng_below(&c->rng, CONTRACT_TEXTS);
    snprintf(c->texts[at], CONTRACT_TEXT, "%s", text);
}

static void contract_check_action_text(struct contract *c, const void *state, int player,
                                       banyan_action action)
{
    struct banyan_error err = {.message = ""};
    banyan_action back = ~action;
    c->mapped[0] = action;
    contract_write(c, contract_write_action, state, player, c->text, "action_format()");
    contract_check(c, !strpbrk(c->text, "\n\r"), "action_format() wrote more than one line");
    enum banyan_status status = contract_calls(c, "action_parse")
                                    ->action_parse(c->game, state, player, c->text, &back, &err);
    contract_check(c, status == BANYAN_OK, "action_parse(\"%.100s\") failed: %s", c->text,
                   err.message);
    contract_check(c, status != BANYAN_OK || back == action,
                   "action_parse(\"%.100s\") gave another action", c->text);
    if (contract_sometimes(c, 4))
        contract_remember_text(c, c->text);
    contract_check_description(c, state, player);
}

/* Checks that any text is a legal action or gives an error. */
static void contract_check_hostile_action(struct contract *c, const void *state, int player,
                                          const char *text)
{
    struct banyan_error err = {.message = ""};
    banyan_action action = 0;
    enum banyan_status status = contract_calls(c, "action_parse")
                                    ->action_parse(c->game, state, player, text, &action, &err);
    if (status != BANYAN_OK) {
        contract_check(c, status == BANYAN_INVALID || status == BANYAN_ILLEGAL,
                       "action_parse(\"%.100s\") returned '%s'", text, banyan_status_name(status));
        contract_check_error(c, status, &err, "action_parse()");
        return;
    }
    for (int i = 0; i < c->count[player]; ++i)
        if (c->legal[player][i] == action)
            return;
    contract_check(c, false,
                   "action_parse(\"%.100s\") accepted an action that legal() does not give", text);
}

/* Spoils a text in one or two places. */
static void contract_spoil(struct contract *c, char *text)
{
    size_t length = strlen(text);
    for (int times = 1 + contract_sometimes(c, 2); times > 0 && length > 0; --times) {
        uint32_t at = banyan_rng_below(&c->rng, (uint32_t)length);
        switch (banyan_rng_below(&c->rng, 4)) {
        case 0: /* another character, not 0 */
            text[at] = (char)(1 + banyan_rng_below(&c->rng, 255));
            break;
        case 1: /* cut off */
            text[at] = 0;
            break;
        case 2: /* one character left out */
            memmove(text + at, text + at + 1, length - at);
            break;
        default: /* one character replaced by another of the text */
            text[at] = text[banyan_rng_below(&c->rng, (uint32_t)length)];
        }
        length = strlen(text);
    }
}

static const char *const contract_garbage[] = {
    "xyzzy 12 ?",
    "\x01\x02\xff",
    "-999999999999999999999999",
    "%s%n%s",
    "((((((((((((((((((((((((((((((((",
    "=,;:=",
};
enum { CONTRACT_GARBAGE = sizeof contract_garbage / sizeof *contract_garbage };

void contract_check_actions(struct contract *c, const void *state, int player)
{
    int step = 1 + c->count[player] / 16; /* a sample of long lists */
    for (int i = 0; i < c->count[player]; i += step)
        contract_check_action_text(c, state, player, c->legal[player][i]);
    for (int i = 0; i < 4 && c->text_count > 0; ++i) {
        char text[CONTRACT_TEXT];
        uint32_t from = banyan_rng_below(&c->rng, (uint32_t)c->text_count);
        memcpy(text, c->texts[from], sizeof text);
        if (i % 2)
            contract_spoil(c, text);
        contract_check_hostile_action(c, state, player, text);
    }
    contract_check_hostile_action(c, state, player,
                                  contract_garbage[banyan_rng_below(&c->rng, CONTRACT_GARBAGE)]);
    contract_check_hostile_action(c, state, player, "");
}

/* --- malformed setups --- */

/* Checks that a position which init() accepted is like any other: it can be written as text and
 * played. */
static void contract_check_accepted(struct contract *c, const char *text)
{
    void *state = c->slot[SLOT_OTHER];
    void *copy = contract_soil(c, SLOT_COPY, 0x11);
    char kept[256];
    snprintf(kept, sizeof kept, "%s", text);
    unsigned movers;
    if (!contract_check_movers(c, state, &movers))
        return;
    int length = contract_calls(c, "format")->format(c->game, state, c->text_2, BANYAN_TEXT_MAX);
    if (!contract_check(c, length >= 0 && length < BANYAN_TEXT_MAX,
                        "format() returned the length %d after init(\"%s\"), which is too long or "
                        "negative",
                        length, kept) ||
        strnlen(c->text_2, BANYAN_TEXT_MAX) != (size_t)length)
        return; /* contract_write reports a text without an end */
    contract_check(
        c, contract_calls(c, "init")->init(c->game, copy, c->text_2, NULL, NULL) == BANYAN_OK,
        "init() took \"%s\" but not its own format \"%.200s\"", kept, c->text_2);
    contract_check(c, contract_same(c, copy, state),
                   "init() took \"%s\", but its format gives another state", kept);
    if (c->endless)
        return; /* nothing more is played */
    bool ends = contract_play_out(c, contract_copy(c, SLOT_PLAY, state), &c->rng) >= 0;
    contract_check(c, ends || c->too_long, "init() took \"%s\", and the game from there %s", kept,
                   c->why);
}

static void contract_check_setup(struct contract *c, const char *text, bool may_be_sound)
{
    struct banyan_error err = {.message = ""};
    void *state = contract_soil(c, SLOT_OTHER, 0x5a);
    enum banyan_status status = contract_calls(c, "init")->init(c->game, state, text, NULL, &err);
    if (status != BANYAN_OK)
        contract_check_error(c, status, &err, "init()");
    else if (contract_check(c, may_be_sound, "init() took \"%.60s\"", text))
        contract_check_accepted(c, text);
}

void contract_check_garbage_setups(struct contract *c)
{
    if (c->options->own_setups_only)
        return;
    for (int i = 0; i < CONTRACT_GARBAGE; ++i)
        contract_check_setup(c, contract_garbage[i], false);
    size_t length = 4 * BANYAN_TEXT_MAX;
    char *endless = malloc(length + 1);
    if (!endless)
        return;
    memset(endless, 'x', length);
    endless[length] = 0;
    contract_check_setup(c, endless, false);
    memset(endless, '1', length);
    contract_check_setup(c, endless, false);
    free(endless);
}

void contract_check_spoiled_setups(struct contract *c, int times)
{
    for (; times > 0 && !c->options->own_setups_only; --times) {
        int length = contract_calls(c, "format")
                         ->format(c->game, c->slot[SLOT_STATE], c->text, BANYAN_TEXT_MAX);
        if (length <= 0 || length >= BANYAN_TEXT_MAX ||
            strnlen(c->text, BANYAN_TEXT_MAX) != (size_t)length)
            return;
        contract_spoil(c, c->text);
        contract_check_setup(c, c->text, true);
    }
}
