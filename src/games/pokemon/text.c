/* Pokémon battles as text: states, setups and actions, written and read. */
#include "games/pokemon/effects.h"
#include "games/pokemon/text_fields.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one member of a struct --- */

static int64_t text_get(const void *base, const struct text_field *field, int i)
{
    const char *at = (const char *)base + field->offset;
    uint16_t wide;
    switch (field->kind) {
    case TEXT_I8:
        return ((const int8_t *)at)[i];
    case TEXT_U16:
    case TEXT_I16:
    case TEXT_SPECIES:
    case TEXT_MOVE:
        memcpy(&wide, at + 2 * i, sizeof wide);
        return field->kind == TEXT_I16 ? (int16_t)wide : wide;
    case TEXT_VOLATILES: {
        uint64_t set;
        memcpy(&set, at, sizeof set);
        return (int64_t)set;
    }
    default:
        return ((const uint8_t *)at)[i];
    }
}

static void text_put(void *base, const struct text_field *field, int i, int64_t value)
{
    char *at = (char *)base + field->offset;
    uint16_t wide = (uint16_t)value;
    uint64_t set = (uint64_t)value;
    switch (field->kind) {
    case TEXT_U16:
    case TEXT_I16:
    case TEXT_SPECIES:
    case TEXT_MOVE:
        memcpy(at + 2 * i, &wide, sizeof wide);
        break;
    case TEXT_VOLATILES:
        memcpy(at, &set, sizeof set);
        break;
    default:
        ((uint8_t *)at)[i] = (uint8_t)value;
    }
}

/* The name of a value; NULL: the kind has numbers. */
static const char *text_name(enum text_kind kind, int64_t value)
{
    switch (kind) {
    case TEXT_SPECIES:
        return dex_species[value].id;
    case TEXT_MOVE:
        return dex_moves[value].id;
    case TEXT_ABILITY:
        return dex_abilities[value].id;
    case TEXT_ITEM:
        return dex_items[value].id;
    case TEXT_STATUS:
        return text_status_names[value];
    case TEXT_TYPE:
        return dex_type_names[value];
    case TEXT_WEATHER:
        return text_weather_names[value];
    case TEXT_TERRAIN:
        return text_terrain_names[value];
    case TEXT_CHOICE:
        return text_choice_names[value];
    default:
        return NULL;
    }
}

static void text_write_value(struct text *out, const struct text_field *field, int64_t value)
{
    const char *name = text_name(field->kind, value);
    if (name) {
        text_add(out, "%s", name);
    } else if (field->kind == TEXT_CHAR) {
        text_add(out, "%c", (char)value);
    } else if (field->kind == TEXT_VOLATILES) {
        bool first = true;
        for (int i = 1; i < VOLATILE_COUNT; ++i)
            if ((uint64_t)value >> i & 1) {
                text_add(out, "%s%s", first ? "" : "+", text_volatile_names[i]);
                first = false;
            }
    } else {
        text_add(out, "%lld", (long long)value);
    }
}

static void text_write_fields(struct text *out, const void *base, const struct text_field *fields)
{
    for (; fields->key; ++fields) {
        bool any = false;
        for (int i = 0; i < fields->count; ++i)
            any |= text_get(base, fields, i) != 0;
        if (!any)
            continue;
        text_add(out, " %s=", fields->key);
        for (int i = 0; i < fields->count; ++i) {
            if (i)
                text_add(out, ",");
            text_write_value(out, fields, text_get(base, fields, i));
        }
    }
}

int text_state(const struct pokemon *s, char *out, size_t size)
{
    struct text writer = text_start(out, size);
    text_add(&writer, "battle");
    text_write_fields(&writer, s, text_battle_fields);
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &s->sides[side];
        text_add(&writer, " | p%d", side + 1);
        text_write_fields(&writer, p, text_side_fields);
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            text_add(&writer, " | p%d.%d", side + 1, i);
            text_write_fields(&writer, &p->mons[i], text_mon_fields);
        }
        text_add(&writer, " | p%d.active", side + 1);
        text_write_fields(&writer, &p->active, text_active_fields);
    }
    for (int i = 0; i < s->queued; ++i) {
        text_add(&writer, " | q");
        text_write_fields(&writer, &s->queue[i], text_action_fields);
    }
    return (int)writer.length;
}

int text_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    return text_state(state, out, size);
}

/* --- reading --- */

struct text_source {
    const char *at;
    char token[256];
};

static bool text_next(struct text_source *source)
{
    while (isspace((unsigned char)*source->at))
        ++source->at;
    size_t length = 0;
    while (source->at[length] && !isspace((unsigned char)source->at[length]))
        ++length;
    if (length >= sizeof source->token)
        length = sizeof source->token - 1;
    memcpy(source->token, source->at, length);
    source->token[length] = 0;
    source->at += length;
    return length != 0;
}

static int text_among(const char *const *names, int count, const char *word)
{
    for (int i = 0; i < count; ++i)
        if (names[i] && strcmp(names[i], word) == 0)
            return i;
    return -1;
}

static bool text_read_number(const char *word, int64_t lo, int64_t hi, int64_t *out)
{
    char *end;
    *out = strtoll(word, &end, 10);
    return end != word && !*end && *out >= lo && *out <= hi;
}

static bool text_found(int index, const char *word, int64_t *out)
{
    *out = index;
    return index > 0 || strcmp(word, "none") == 0;
}

static bool text_read_value(const struct text_field *field, const char *word, int64_t *out)
{
    switch (field->kind) {
    case TEXT_SPECIES:
        return text_found(dex_find_species(word), word, out);
    case TEXT_MOVE:
        return text_found(dex_find_move(word), word, out);
    case TEXT_ABILITY:
        return text_found(dex_find_ability(word), word, out);
    case TEXT_ITEM:
        return text_found(dex_find_item(word), word, out);
    case TEXT_STATUS:
        return (*out = text_among(text_status_names, STATUS_COUNT, word)) >= 0;
    case TEXT_TYPE:
        return (*out = text_among(dex_type_names, TYPE_COUNT, word)) >= 0;
    case TEXT_WEATHER:
        return (*out = text_among(text_weather_names, WEATHER_COUNT, word)) >= 0;
    case TEXT_TERRAIN:
        return (*out = text_among(text_terrain_names, TERRAIN_COUNT, word)) >= 0;
    case TEXT_CHOICE:
        return (*out = text_among(text_choice_names, CHOICE_COUNT, word)) >= 0;
    case TEXT_CHAR:
        *out = word[0];
        return (word[0] == 'M' || word[0] == 'F') && !word[1];
    case TEXT_I8:
        return text_read_number(word, -128, 127, out);
    case TEXT_I16:
        return text_read_number(word, -32768, 32767, out);
    case TEXT_U16:
        return text_read_number(word, 0, 65535, out);
    default:
        return text_read_number(word, 0, 255, out);
    }
}

static bool text_read_volatiles(void *base, const struct text_field *field, char *words)
{
    uint64_t set = 0;
    for (char *word = words, *end; word; word = end) {
        end = strchr(word, '+');
        if (end)
            *end++ = 0;
        int id = text_among(text_volatile_names, VOLATILE_COUNT, word);
        if (id <= 0)
            return false;
        set |= (uint64_t)1 << id;
    }
    text_put(base, field, 0, (int64_t)set);
    return true;
}

static bool text_read_field(void *base, const struct text_field *fields, char *token)
{
    char *value = strchr(token, '=');
    if (!value)
        return false;
    *value++ = 0;
    while (fields->key && strcmp(fields->key, token) != 0)
        ++fields;
    if (!fields->key)
        return false;
    if (fields->kind == TEXT_VOLATILES)
        return text_read_volatiles(base, fields, value);
    int i = 0;
    for (char *end; value; value = end, ++i) {
        int64_t number;
        end = strchr(value, ',');
        if (end)
            *end++ = 0;
        if (i >= fields->count || !text_read_value(fields, value, &number))
            return false;
        text_put(base, fields, i, number);
    }
    return i == fields->count;
}

/* The struct and the fields that a section of this name describes; NULL: there is no such section. */
static void *text_section(struct pokemon *s, const char *name, const struct text_field **fields)
{
    int side, mon, end = 0;
    if (strcmp(name, "q") == 0 && s->queued < POKEMON_QUEUE) {
        *fields = text_action_fields;
        return &s->queue[s->queued++];
    }
    if (sscanf(name, "p%d%n", &side, &end) != 1 || side < 1 || side > 2)
        return NULL;
    if (!name[end]) {
        *fields = text_side_fields;
        return &s->sides[side - 1];
    }
    if (strcmp(name + end, ".active") == 0) {
        *fields = text_active_fields;
        return &s->sides[side - 1].active;
    }
    if (sscanf(name + end, ".%1d%n", &mon, &end) != 1 || mon < 0 || mon >= POKEMON_TEAM)
        return NULL;
    *fields = text_mon_fields;
    return &s->sides[side - 1].mons[mon];
}

/* --- checks that the rules rely on --- */

static bool text_check_mon(const struct pokemon_mon *mon)
{
    bool whole = mon->species && mon->base_species && mon->set_species && mon->level >= 1 &&
                 mon->level <= 100 && mon->base_max_hp && mon->max_hp && mon->hp <= mon->max_hp &&
                 mon->base_max_hp <= 2000 && mon->max_hp <= 4000 && mon->slots.count >= 1 &&
                 mon->slots.count <= 4;
    for (int i = 0; whole && i < mon->slots.count; ++i)
        whole = mon->slots.id[i] != MOVE_NONE;
    bool fainted = (mon->flags & MON_FAINTED) != 0;
    if (fainted ? mon->hp != 0 : mon->hp == 0)
        whole = false;
    return whole && (mon->status != STATUS_SLP || mon->status_time);
}

/* Whether each condition has the numbers that belong to it. */
static bool text_check_volatiles(const struct pokemon_active *a)
{
    const struct {
        int id, value;
    } needs[] = {{VOLATILE_CHOICELOCK, a->choice_move},
                 {VOLATILE_CONFUSION, a->confusion},
                 {VOLATILE_DISABLE, a->disable_move && a->disable_turns},
                 {VOLATILE_ENCORE, a->encore_move && a->encore_turns},
                 {VOLATILE_BOUNCE, a->hidden_turns},
                 {VOLATILE_FLY, a->hidden_turns},
                 {VOLATILE_PHANTOMFORCE, a->hidden_turns},
                 {VOLATILE_LOCKEDMOVE, a->locked_move && a->locked_turns},
                 {VOLATILE_MAGNETRISE, a->magnet_turns},
                 {VOLATILE_PARTIALLYTRAPPED, a->trap_turns && a->trap_divisor},
                 {VOLATILE_STALL, a->stall_counter && a->stall_turns},
                 {VOLATILE_SUBSTITUTE, a->substitute},
                 {VOLATILE_TAUNT, a->taunt_turns},
                 {VOLATILE_THROATCHOP, a->throat_turns},
                 {VOLATILE_TWOTURNMOVE, a->charge_move && a->charge_turns},
                 {VOLATILE_YAWN, a->yawn_turns}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; ++i)
        if ((a->volatiles >> needs[i].id & 1) && !needs[i].value)
            return false;
    return true;
}

static bool text_check_active(const struct pokemon_active *a)
{
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (a->boosts[i] < -6 || a->boosts[i] > 6)
            return false;
    for (int i = 0; i < STAT_COUNT - 1; ++i)
        if (!a->stats[i] || a->stats[i] > 3000)
            return false;
    bool copied = !(a->flags & ACTIVE_TRANSFORMED) || (a->slots.count >= 1 && a->slots.count <= 4);
    for (int i = 0; copied && i < a->slots.count && i < 4; ++i)
        copied = a->slots.id[i] != MOVE_NONE;
    return copied && a->illusion <= POKEMON_TEAM && a->trap_source < POKEMON_TEAM &&
           a->dynamax_turns <= 3 && text_check_volatiles(a);
}

static bool text_check_conditions(const struct pokemon_side *p)
{
    static const uint8_t most[SIDE_COUNT] = {0, 1, 3, 2, 1, 1, 8, 8, 8, 4, 4, 4};
    for (int i = 0; i < SIDE_COUNT; ++i)
        if (p->condition[i] > most[i] || (i < SIDE_HAZARDS && (!p->condition[i] != !p->stamp[i] ||
                                                               p->stamp[i] > 2 * SIDE_HAZARDS)))
            return false;
    return true;
}

static bool text_check_side(const struct pokemon *s, int side)
{
    const struct pokemon_side *p = &s->sides[side];
    unsigned seen = 0, left = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (p->order[i] < POKEMON_TEAM) {
            seen |= 1u << p->order[i];
            left += !(p->mons[i].flags & MON_FAINTED);
        }
    if (seen != (1u << POKEMON_TEAM) - 1 || p->left != left || !text_check_conditions(p) ||
        p->web_source >= 2 * POKEMON_TEAM || p->future_source >= POKEMON_TEAM ||
        p->wish_source >= POKEMON_TEAM || s->request[side] > REQUEST_SWITCH)
        return false;
    bool out = (p->mons[p->order[0]].flags & MON_FAINTED) != 0;
    if (s->request[side] == REQUEST_SWITCH)
        return left > (out ? 0u : 1u);
    return s->request[side] != REQUEST_MOVE || (!out && !s->mid_turn);
}

/* Whether this action may be waiting when a turn stops for a switch.  It may be the other side's move,
 * an action before this move, the other side's switch (after an Emergency Exit of a Pokémon that has
 * just come in), or the end of the turn. */
static bool text_check_action(const struct pokemon *s, const struct pokemon_action *action)
{
    if (action->side > 1 || action->mon >= POKEMON_TEAM || action->target >= POKEMON_TEAM)
        return false;
    const struct pokemon_side *side = &s->sides[action->side];
    switch (action->choice) {
    case CHOICE_MOVE:
        return action->move != MOVE_NONE;
    case CHOICE_CHARGE:
        return move_hooks[action->move].charge != NULL;
    case CHOICE_SWITCH:
        return action->target != side->order[0] &&
               !(side->mons[action->target].flags & MON_FAINTED);
    default:
        return action->choice == CHOICE_DYNAMAX || action->choice == CHOICE_RESIDUAL;
    }
}

static bool text_check_queue(const struct pokemon *s)
{
    for (int i = 0; i < s->queued; ++i)
        if (!text_check_action(s, &s->queue[i]))
            return false;
    return s->queued <= 4;
}

static enum banyan_status text_check(const struct pokemon *s, struct banyan_error *err)
{
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < POKEMON_TEAM; ++i)
            if (!text_check_mon(&s->sides[side].mons[i]))
                return banyan_fail(err, BANYAN_INVALID,
                                   "pokemon: p%d.%d is incomplete: it needs species, base, "
                                   "set, level, hp, maxhp, basehp, moves and count",
                                   side + 1, i);
        if (!text_check_active(&s->sides[side].active))
            return banyan_fail(
                err, BANYAN_INVALID,
                "pokemon: p%d.active has no stats, or conditions without their numbers", side + 1);
        if (!text_check_side(s, side))
            return banyan_fail(err, BANYAN_INVALID,
                               "pokemon: p%d is inconsistent: order, left or request", side + 1);
    }
    bool fields = !s->weather == !s->weather_turns && !s->terrain == !s->terrain_turns;
    if (!text_check_queue(s) || !fields || !s->turn || s->turn > POKEMON_TURN_LIMIT + 1 ||
        s->winner > WINNER_TIE || (s->winner && turn_movers(s)) ||
        (!s->winner && !turn_movers(s)) || s->mid_turn > 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "pokemon: the battle is inconsistent: turn, queue, weather, terrain, "
                           "request or winner");
    return BANYAN_OK;
}

static enum banyan_status text_read_sections(struct pokemon *s, struct text_source *source,
                                             struct banyan_error *err)
{
    const struct text_field *fields = text_battle_fields;
    void *base = s;
    while (text_next(source)) {
        if (strcmp(source->token, "|") == 0) {
            if (!text_next(source) || !(base = text_section(s, source->token, &fields)))
                return banyan_fail(err, BANYAN_INVALID,
                                   "pokemon: '%s' is not a section; the sections are p1, p1.0 .. "
                                   "p1.5, p1.active, p2 "
                                   "..., q",
                                   source->token);
            continue;
        }
        char shown[64];
        snprintf(shown, sizeof shown, "%.60s", source->token);
        if (!text_read_field(base, fields, source->token))
            return banyan_fail(err, BANYAN_INVALID, "pokemon: '%s' is not understood", shown);
    }
    return BANYAN_OK;
}

/* Sets up a team from a text that says no more of each Pokémon than its set. */
static void text_complete_team(struct pokemon_side *side)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon set = side->mons[i];
        setup_mon(&side->mons[i], &(struct pokemon_set){.species = set.species,
                                                        .level = set.level ? set.level : 100,
                                                        .gmax = (set.flags & MON_GIGANTAMAX) != 0,
                                                        .gender = set.gender,
                                                        .item = set.item,
                                                        .ability = set.ability,
                                                        .moves = set.slots.id,
                                                        .evs = set.evs,
                                                        .ivs = set.ivs});
        side->order[i] = (uint8_t)i;
    }
    side->left = POKEMON_TEAM;
}

enum banyan_status text_parse(struct pokemon *s, const char *text, struct banyan_error *err)
{
    struct text_source source = {.at = text};
    memset(s, 0, sizeof *s);
    text_next(&source);
    bool teams = strcmp(source.token, "teams") == 0;
    if (!teams && strcmp(source.token, "battle") != 0)
        return banyan_fail(
            err, BANYAN_INVALID,
            "pokemon: a setup begins with 'battle' (a state) or 'teams', not '%.40s'",
            source.token);
    enum banyan_status status = text_read_sections(s, &source, err);
    if (status == BANYAN_OK && !teams)
        status = text_check(s, err);
    if (status == BANYAN_OK && !teams)
        matchup_fill(s);
    if (status != BANYAN_OK || !teams)
        return status;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < POKEMON_TEAM; ++i)
            if (!s->sides[side].mons[i].species || !s->sides[side].mons[i].slots.id[0])
                return banyan_fail(err, BANYAN_INVALID, "pokemon: p%d.%d has no species or moves",
                                   side + 1, i);
        text_complete_team(&s->sides[side]);
    }
    return BANYAN_OK;
}

/* --- actions --- */

int text_action(banyan_action action, char *out, size_t size)
{
    int kind = (int)(action >> 16), id = (int)(action & 0xffff);
    if (kind == ACTION_SWITCH)
        return snprintf(out, size, "switch %s", dex_species[id].name);
    return snprintf(out, size, "move %s%s", dex_moves[id].id,
                    kind == ACTION_DYNAMAX ? " dynamax" : "");
}

int text_action_format(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, char *out, size_t size)
{
    return text_action(action, out, size);
}

/* Keeps letters and digits only, in lower case: Showdown compares names in this form. */
static void text_plain(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (; *text && length + 1 < size; ++text)
        if (isalnum((unsigned char)*text))
            out[length++] = (char)tolower((unsigned char)*text);
    out[length] = 0;
}

enum banyan_status text_action_parse(const struct banyan_game *game, const void *state, int player,
                                     const char *text, banyan_action *out, struct banyan_error *err)
{
    const struct pokemon *s = state;
    char wanted[96], shown[96], plain[96];
    banyan_action actions[16];
    text_plain(text, wanted, sizeof wanted);
    if (strncmp(text, "move ", 5) != 0 && strncmp(text, "switch ", 7) != 0)
        return banyan_fail(
            err, BANYAN_INVALID,
            "'%.60s' is not a choice: write 'move earthquake', 'move earthquake dynamax' or "
            "'switch Snorlax'",
            text);
    if (!(turn_movers(s) >> player & 1))
        return banyan_fail(err, BANYAN_ILLEGAL, "p%d has nothing to choose now", player + 1);
    int count = legal_actions(s, player, actions);
    for (int i = 0; i < count; ++i) {
        text_action(actions[i], shown, sizeof shown);
        text_plain(shown, plain, sizeof plain);
        if (strcmp(plain, wanted) == 0) {
            *out = actions[i];
            return BANYAN_OK;
        }
    }
    return banyan_fail(err, BANYAN_ILLEGAL, "'%.60s' is not among the %d legal choices", text,
                       count);
}
