/* Converts Showdown's state to the text of a state, which the game then reads. */
#include "records/pokemon_json.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE_TEXT_MAX = 16384 };

/* --- reading values --- */

static int state_int(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_true(value) ? 1 : (int)lround(json_number_value(value));
}

static const char *state_string(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* Showdown's id of a name: its letters and digits in lower case. */
static void state_id(const char *name, char out[64])
{
    size_t length = 0;
    for (; name && *name && length < 63; ++name)
        if (isalnum((unsigned char)*name))
            out[length++] = (char)tolower((unsigned char)*name);
    out[length] = 0;
}

/* "p2:4" gives index 4; -1: no Pokémon. */
static int state_index(const char *ref)
{
    return ref && ref[0] == 'p' && ref[1] && ref[2] == ':' ? ref[3] - '0' : -1;
}

static int state_ref_side(const char *ref)
{
    return ref && ref[0] == 'p' ? ref[1] - '1' : -1;
}

static void state_add_int(struct text *out, const char *key, int value)
{
    if (value)
        text_add(out, " %s=%d", key, value);
}

static void state_add_id(struct text *out, const char *key, const char *id)
{
    if (id && *id)
        text_add(out, " %s=%s", key, id);
}

/* Adds the numbers of a list; column >= 0: the entries are rows, and only this column is added. */
static void state_add_list(struct text *out, const char *key, const json_t *list, int count,
                           int column, const char *missing)
{
    text_add(out, " %s=", key);
    for (int i = 0; i < count; ++i) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (column >= 0)
            item = json_array_get(item, (size_t)column);
        if (json_is_string(item))
            text_add(out, "%s%s", i ? "," : "", json_string_value(item));
        else if (item)
            text_add(out, "%s%d", i ? "," : "", (int)json_integer_value(item));
        else
            text_add(out, "%s%s", i ? "," : "", missing);
    }
}

static int state_mask(const json_t *slots, int column)
{
    int mask = 0;
    for (size_t i = 0; i < json_array_size(slots); ++i)
        if (json_integer_value(json_array_get(json_array_get(slots, i), (size_t)column)))
            mask |= 1 << i;
    return mask;
}

/* --- teams --- */

static void state_add_spread(struct text *out, const json_t *set, const char *key)
{
    static const char *const stats[] = {"hp", "atk", "def", "spa", "spd", "spe"};
    const json_t *spread = json_object_get(set, key);
    text_add(out, " %s=", key);
    for (int i = 0; i < 6; ++i)
        text_add(out, "%s%d", i ? "," : "", state_int(spread, stats[i]));
}

static void state_add_gender(struct text *out, const json_t *set)
{
    const char *gender = state_string(set, "gender");
    char species[64];
    state_id(state_string(set, "species"), species);
    char fixed = dex_species[dex_find_species(species)].gender;
    if (fixed == 'M' || fixed == 'F')
        text_add(out, " gender=%c", fixed);
    else if (!fixed && (*gender == 'M' || *gender == 'F'))
        text_add(out, " gender=%c", *gender);
}

enum banyan_status pokemon_json_teams(const json_t *game, char *out, size_t size,
                                      struct banyan_error *err)
{
    const json_t *teams = json_object_get(game, "teams");
    struct text text = text_start(out, size);
    text_add(&text, "teams");
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const json_t *set = json_array_get(json_array_get(teams, (size_t)side), (size_t)i);
            char id[64];
            if (!json_is_object(set))
                return banyan_fail(err, BANYAN_CORRUPT,
                                   "a Pokémon of p%d is missing in the game record", side + 1);
            text_add(&text, " | p%d.%d", side + 1, i);
            state_id(state_string(set, "species"), id);
            state_add_id(&text, "species", id);
            state_add_int(&text, "level", state_int(set, "level"));
            state_add_gender(&text, set);
            state_add_int(&text, "flags", state_int(set, "gigantamax") ? MON_GIGANTAMAX : 0);
            state_id(state_string(set, "ability"), id);
            state_add_id(&text, "ability", id);
            state_id(state_string(set, "item"), id);
            state_add_id(&text, "item", id);
            const json_t *moves = json_object_get(set, "moves");
            state_add_list(&text, "moves", moves, 4, -1, "none");
            state_add_spread(&text, set, "evs");
            state_add_spread(&text, set, "ivs");
        }
    return BANYAN_OK;
}

/* --- a Pokémon --- */

static void state_add_slots(struct text *out, const json_t *slots, bool masks)
{
    state_add_list(out, "moves", slots, 4, 0, "none");
    state_add_list(out, "pp", slots, 4, 1, "0");
    state_add_list(out, "maxpp", slots, 4, 2, "0");
    state_add_int(out, "count", (int)json_array_size(slots));
    if (masks) {
        state_add_int(out, "disabled", state_mask(slots, 3));
        state_add_int(out, "used", state_mask(slots, 4));
    }
}

/* The species with which a set starts: Zacian and Zamazenta are crowned if they hold their item.
 * *ability: that of the crowned forme, or NULL. */
static const char *state_set_species(const json_t *set, char id[64], const char **ability)
{
    char item[64];
    state_id(state_string(set, "species"), id);
    state_id(state_string(set, "item"), item);
    *ability = NULL;
    if (strcmp(id, "zacian") == 0 && strcmp(item, "rustedsword") == 0) {
        *ability = "intrepidsword";
        return "zaciancrowned";
    }
    if (strcmp(id, "zamazenta") == 0 && strcmp(item, "rustedshield") == 0) {
        *ability = "dauntlessshield";
        return "zamazentacrowned";
    }
    return id;
}

static void state_add_status(struct text *out, const json_t *mon, int side, int *flags)
{
    const char *status = state_string(mon, "st");
    const json_t *ss = json_object_get(mon, "ss");
    if (!*status)
        return;
    text_add(out, " status=%s", status);
    if (strcmp(status, "slp") == 0) {
        state_add_int(out, "time", state_int(ss, "time"));
        state_add_int(out, "start", state_int(ss, "startTime"));
    }
    if (strcmp(status, "tox") == 0)
        state_add_int(out, "time", state_int(ss, "stage"));
    int source = state_ref_side(json_string_value(json_object_get(ss, "source")));
    if (source >= 0 && source != side && strcmp(status, "fnt") != 0)
        *flags |= MON_FOE_STATUS;
}

static void state_add_mon(struct text *out, const json_t *mon, const json_t *set, int side)
{
    char id[64];
    const char *ability;
    const json_t *f = json_object_get(mon, "f");
    int flags = state_int(set, "gigantamax") ? MON_GIGANTAMAX : 0;
    state_add_id(out, "species", state_string(mon, "sp"));
    state_add_id(out, "base", state_string(mon, "bsp"));
    state_add_id(out, "set", state_set_species(set, id, &ability));
    state_add_int(out, "level", state_int(set, "level"));
    state_add_gender(out, set);
    state_add_int(out, "hp", state_int(mon, "hp"));
    state_add_int(out, "maxhp", state_int(mon, "mhp"));
    state_add_int(out, "basehp", state_int(mon, "bmhp"));
    state_add_status(out, mon, side, &flags);
    state_add_id(out, "ability", state_string(mon, "ab"));
    state_add_id(out, "baseability", state_string(mon, "bab"));
    if (!ability)
        state_id(state_string(set, "ability"), id);
    state_add_id(out, "setability", ability ? ability : id);
    state_add_id(out, "item", state_string(mon, "it"));
    state_add_id(out, "lastitem", state_string(mon, "lit"));
    const json_t *base = json_object_get(mon, "bmv");
    state_add_slots(out, base ? base : json_object_get(mon, "mv"), !base);
    state_add_list(out, "stats", json_object_get(mon, "bst"), 5, -1, "0");
    state_add_spread(out, set, "evs");
    state_add_spread(out, set, "ivs");
    flags |= state_int(f, "fainted") ? MON_FAINTED : 0;
    flags |= state_int(f, "faintQueued") ? MON_FAINT_QUEUED : 0;
    flags |= state_int(f, "ateBerry") ? MON_ATE_BERRY : 0;
    flags |= state_int(f, "formeRegression") ? MON_REGRESSES : 0;
    state_add_int(out, "flags", flags);
}

/* --- the active Pokémon --- */

static void state_add_types(struct text *out, const json_t *mon)
{
    const json_t *types = json_object_get(mon, "ty");
    const char *second = json_string_value(json_array_get(types, 1));
    text_add(out, " types=%s,%s", json_string_value(json_array_get(types, 0)),
             second ? second : "???");
}

static int state_active_flags(const json_t *mon)
{
    const json_t *f = json_object_get(mon, "f"), *v = json_object_get(mon, "v");
    const json_t *flag = json_object_get(f, "switchFlag");
    int flags = 0;
    flags |= state_int(f, "transformed") ? ACTIVE_TRANSFORMED : 0;
    flags |= flag ? ACTIVE_SWITCH : 0;
    flags |= json_is_true(flag) && state_int(mon, "hp") ? ACTIVE_EXIT : 0;
    flags |= state_int(f, "forceSwitchFlag") ? ACTIVE_FORCED : 0;
    flags |= state_int(f, "skipBeforeSwitchOutEventFlag") ? ACTIVE_SWITCH_READY : 0;
    flags |= state_int(f, "statsRaisedThisTurn") ? ACTIVE_RAISED : 0;
    flags |= state_int(f, "statsLoweredThisTurn") ? ACTIVE_LOWERED : 0;
    flags |= state_int(f, "newlySwitched") ? ACTIVE_NEW : 0;
    flags |= state_int(json_object_get(v, "focuspunch"), "lostFocus") ? ACTIVE_LOST_FOCUS : 0;
    flags |= json_is_string(json_object_get(json_object_get(v, "counter"), "slot"))
                 ? ACTIVE_COUNTER_HIT
                 : 0;
    flags |= json_is_string(json_object_get(json_object_get(v, "mirrorcoat"), "slot"))
                 ? ACTIVE_MIRROR_HIT
                 : 0;
    return flags;
}

static int state_ability_flags(const json_t *mon)
{
    const json_t *abs = json_object_get(mon, "abs");
    int flags = 0;
    flags |= state_int(abs, "unnerved") ? ABILITY_UNNERVED : 0;
    flags |= state_int(abs, "checkedBerserk") ? ABILITY_CHECKED_BERSERK : 0;
    flags |= json_object_get(abs, "checkedBerserk") ? ABILITY_BERSERK_KNOWN : 0;
    flags |= state_int(abs, "ending") ? ABILITY_ENDING : 0;
    flags |= state_int(abs, "gluttony") ? ABILITY_GLUTTONY_AWAKE : 0;
    flags |= state_int(abs, "busted") ? ABILITY_BUSTED : 0;
    flags |= state_int(abs, "seek") ? ABILITY_SEEK : 0;
    return flags;
}

struct state_detail {
    const char *id, *member, *key;
};

/* Numbers and moves that belong to conditions. */
static const struct state_detail state_details[] = {
    {"choicelock", "move", "choicelock"},
    {"confusion", "time", "confusion"},
    {"counter", "damage", "counter"},
    {"mirrorcoat", "damage", "mirrorcoat"},
    {"disable", "move", "disable"},
    {"disable", "duration", "disableturns"},
    {"dynamax", "turns", "dynamax"},
    {"encore", "move", "encore"},
    {"encore", "duration", "encoreturns"},
    {"bounce", "duration", "hidden"},
    {"fly", "duration", "hidden"},
    {"phantomforce", "duration", "hidden"},
    {"lockedmove", "move", "locked"},
    {"lockedmove", "duration", "lockedturns"},
    {"lockedmove", "trueDuration", "lockedtrue"},
    {"magnetrise", "duration", "magnetrise"},
    {"partiallytrapped", "duration", "trapturns"},
    {"partiallytrapped", "boundDivisor", "trapdivisor"},
    {"stall", "counter", "stall"},
    {"stall", "duration", "stallturns"},
    {"substitute", "hp", "substitute"},
    {"taunt", "duration", "taunt"},
    {"throatchop", "duration", "throatchop"},
    {"twoturnmove", "move", "charge"},
    {"twoturnmove", "duration", "chargeturns"},
    {"yawn", "duration", "yawn"},
};

static void state_add_volatiles(struct text *out, const json_t *v)
{
    const char *id;
    json_t *value;
    bool first = true;
    json_object_foreach((json_t *)v, id, value)
    {
        text_add(out, "%s%s", first ? " volatiles=" : "+", id);
        first = false;
    }
    for (size_t i = 0; i < sizeof state_details / sizeof *state_details; ++i) {
        const struct state_detail *row = &state_details[i];
        const json_t *member = json_object_get(json_object_get(v, row->id), row->member);
        if (json_is_string(member))
            state_add_id(out, row->key, json_string_value(member));
        else
            state_add_int(out, row->key, (int)json_integer_value(member));
    }
    int trapper = state_index(
        json_string_value(json_object_get(json_object_get(v, "partiallytrapped"), "source")));
    state_add_int(out, "trapsource", trapper > 0 ? trapper : 0);
}

static int state_result(const json_t *mon, const char *key)
{
    const json_t *value = json_object_get(mon, key);
    return json_is_null(value)    ? RESULT_NULL
           : json_is_false(value) ? RESULT_FAILED
           : json_is_true(value)  ? RESULT_DONE
                                  : RESULT_NONE;
}

static int state_hit_by(const json_t *mon, int side)
{
    const json_t *list = json_object_get(mon, "aby");
    int mask = 0;
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const json_t *hit = json_array_get(list, i);
        const char *source = json_string_value(json_array_get(hit, 0));
        if (json_integer_value(json_array_get(hit, 1)) > 0 &&
            json_integer_value(json_array_get(hit, 3)) && state_ref_side(source) != side)
            mask |= 1 << state_index(source);
    }
    return mask;
}

/* The moves that stay disabled while the Pokémon is Dynamaxed, as a mask. */
static int state_hard(const json_t *mon)
{
    const json_t *mv = json_object_get(mon, "mv"), *v = json_object_get(mon, "v");
    int mask = 0;
    for (size_t i = 0; i < json_array_size(mv); ++i) {
        const char *id = json_string_value(json_array_get(json_array_get(mv, i), 0));
        bool status = id && dex_moves[dex_find_move(id)].category == CATEGORY_STATUS;
        const json_t *encore = json_object_get(v, "encore"),
                     *disable = json_object_get(v, "disable");
        bool off = (encore && id && strcmp(id, state_string(encore, "move")) != 0) ||
                   (disable && id && strcmp(id, state_string(disable, "move")) == 0) ||
                   (status && (json_object_get(v, "taunt") ||
                               strcmp(state_string(mon, "it"), "assaultvest") == 0));
        mask |= off ? 1 << i : 0;
    }
    return mask & state_mask(mv, 3);
}

static void state_add_active(struct text *out, const json_t *mon, int side)
{
    const json_t *f = json_object_get(mon, "f");
    int flags = state_active_flags(mon);
    state_add_types(out, mon);
    state_add_int(out, "flags", flags);
    if (!json_object_get(mon, "sst")) { /* fainted */
        state_add_list(out, "stats", json_object_get(mon, "bst"), 5, -1, "0");
        state_add_int(out, "speed",
                      (int)json_integer_value(json_array_get(json_object_get(mon, "bst"), 4)));
        return;
    }
    state_add_volatiles(out, json_object_get(mon, "v"));
    state_add_list(out, "boosts", json_object_get(mon, "b"), 7, -1, "0");
    state_add_list(out, "stats", json_object_get(mon, "sst"), 5, -1, "0");
    state_add_int(out, "weight", state_int(mon, "wt"));
    state_add_int(out, "speed", state_int(mon, "spd"));
    state_add_int(out, "hurt", state_int(f, "hurtThisTurn"));
    state_add_id(out, "lastmove", state_string(mon, "lm"));
    state_add_int(out, "turns", state_int(mon, "at"));
    state_add_int(out, "actions", state_int(mon, "ama"));
    state_add_int(out, "illusion", state_index(json_string_value(json_object_get(mon, "ill"))) + 1);
    state_add_int(out, "abilityflags", state_ability_flags(mon));
    state_add_int(out, "abilitycounter", state_int(json_object_get(mon, "abs"), "counter"));
    state_add_id(out, "gorillatactics", state_string(json_object_get(mon, "abs"), "choiceLock"));
    state_add_int(out, "resultlast", state_result(mon, "mlr"));
    state_add_int(out, "resultnow", state_result(mon, "mtr"));
    state_add_int(out, "hitby", state_hit_by(mon, side));
    if (flags & ACTIVE_TRANSFORMED)
        state_add_slots(out, json_object_get(mon, "mv"), true);
}

/* --- sides --- */

static int state_layers(const json_t *conditions, const char *id)
{
    const json_t *condition = json_object_get(conditions, id);
    int layers = state_int(condition, "layers"), turns = state_int(condition, "duration");
    return !condition ? 0 : layers ? layers : turns ? turns : 1;
}

static const char *const state_hazards[SIDE_HAZARDS] = {
    NULL, "stealthrock", "spikes", "toxicspikes", "stickyweb", "gmaxsteelsurge"};

/* The position of a hazard in the order in which hazards were laid, over both sides. */
static int state_laid(const json_t *sides, const json_t *hazard)
{
    int rank = 0, order = state_int(hazard, "effectOrder");
    for (size_t side = 0; hazard && side < 2; ++side)
        for (int i = 1; i < SIDE_HAZARDS; ++i) {
            const json_t *other = json_object_get(
                json_object_get(json_array_get(sides, side), "sc"), state_hazards[i]);
            rank += other && state_int(other, "effectOrder") <= order;
        }
    return rank;
}

static void state_add_side(struct text *out, const json_t *sides, int index)
{
    static const char *const others[] = {"reflect",      "lightscreen",   "auroraveil",
                                         "gmaxvinelash", "gmaxcannonade", "gmaxvolcalith"};
    const json_t *side = json_array_get(sides, (size_t)index), *sc = json_object_get(side, "sc");
    const json_t *slot = json_object_get(side, "slot"), *team = json_object_get(side, "p");
    text_add(out, " order=");
    for (size_t i = 0; i < POKEMON_TEAM; ++i)
        text_add(out, "%s%d", i ? "," : "", state_int(json_array_get(team, i), "i"));
    state_add_int(out, "left", state_int(side, "left"));
    state_add_int(out, "dynamaxed", state_int(side, "dmax"));
    for (int i = 1; i < SIDE_HAZARDS; ++i)
        state_add_int(out, state_hazards[i], state_layers(sc, state_hazards[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        state_add_int(out, others[i], state_layers(sc, others[i]));
    text_add(out, " laid=0");
    for (int i = 1; i < SIDE_HAZARDS; ++i)
        text_add(out, ",%d", state_laid(sides, json_object_get(sc, state_hazards[i])));
    const char *web =
        json_string_value(json_object_get(json_object_get(sc, "stickyweb"), "source"));
    state_add_int(out, "websource",
                  web ? state_ref_side(web) * POKEMON_TEAM + state_index(web) : 0);
    state_add_int(out, "healingwish", json_object_get(slot, "healingwish") != NULL);
    const json_t *wish = json_object_get(slot, "wish"),
                 *future = json_object_get(slot, "futuremove");
    state_add_int(out, "wish", wish != NULL);
    state_add_int(out, "wishturn", state_int(wish, "startingTurn"));
    state_add_int(out, "wishhp", (int)lround(2 * json_number_value(json_object_get(wish, "hp"))));
    state_add_int(out, "future", future != NULL);
    state_add_int(out, "futureturn", state_int(future, "endingTurn"));
    int seer = state_index(json_string_value(json_object_get(future, "source")));
    state_add_int(out, "futuresource", seer > 0 ? seer : 0);
}

/* --- the battle --- */

static void state_add_queue(struct text *out, const json_t *queue)
{
    for (size_t i = 0; i < json_array_size(queue); ++i) {
        const json_t *action = json_array_get(queue, i);
        const char *who = json_string_value(json_object_get(action, "k"));
        int target = state_index(json_string_value(json_object_get(action, "t")));
        text_add(out, " | q choice=%s", state_string(action, "c"));
        state_add_int(out, "side", state_ref_side(who) > 0);
        state_add_int(out, "mon", who ? state_index(who) : 0);
        state_add_id(out, "move", state_string(action, "m"));
        state_add_int(out, "max", json_object_get(action, "x") != NULL);
        state_add_int(out, "target", target > 0 ? target : 0);
        double fraction = json_number_value(json_object_get(action, "fp"));
        double priority = json_number_value(json_object_get(action, "p"));
        state_add_int(out, "priority", (int)lround(10 * priority));
        state_add_int(out, "fraction", (int)lround(10 * fraction));
        state_add_int(out, "speed", state_int(action, "s"));
    }
}

static int state_request(const json_t *step, size_t side)
{
    const json_t *request = json_array_get(json_object_get(step, "rq"), side);
    return !json_is_object(request)            ? REQUEST_NONE
           : json_object_get(request, "force") ? REQUEST_SWITCH
                                               : REQUEST_MOVE;
}

static void state_add_battle(struct text *out, const json_t *step)
{
    const json_t *s = json_object_get(step, "s"), *pw = json_object_get(s, "pw");
    text_add(out, "battle turn=%d request=%d,%d", state_int(s, "turn"), state_request(step, 0),
             state_request(step, 1));
    const json_t *sides = json_object_get(s, "sides");
    int left[2] = {state_int(json_array_get(sides, 0), "left"),
                   state_int(json_array_get(sides, 1), "left")};
    if (state_int(s, "ended")) /* the record of the end says who won when no Pokémon is left */
        state_add_int(out, "winner", left[0] ? WINNER_FIRST : left[1] ? WINNER_SECOND : WINNER_TIE);
    state_add_int(out, "mid", state_int(s, "mid"));
    state_add_id(out, "weather", state_string(s, "w"));
    state_add_int(out, "weatherturns", state_int(json_object_get(s, "ws"), "duration"));
    state_add_id(out, "terrain", state_string(s, "t"));
    state_add_int(out, "terrainturns", state_int(json_object_get(s, "ts"), "duration"));
    state_add_int(out, "trickroom", state_int(json_object_get(pw, "trickroom"), "duration"));
    state_add_int(out, "iondeluge", state_int(json_object_get(pw, "iondeluge"), "duration"));
    state_add_id(out, "success", state_string(s, "lsm"));
}

static void state_set_hard(const json_t *team, struct pokemon_side *side)
{
    const json_t *mon = json_array_get(team, 0);
    struct pokemon_slots *slots = side->active.flags & ACTIVE_TRANSFORMED
                                      ? &side->active.slots
                                      : &side->mons[side->order[0]].slots;
    if (json_object_get(mon, "sst"))
        slots->hard = (uint8_t)state_hard(mon);
}

enum banyan_status pokemon_json_state(const json_t *game, const json_t *step, struct pokemon *out,
                                      struct banyan_error *err)
{
    char buffer[STATE_TEXT_MAX];
    struct text text = text_start(buffer, sizeof buffer);
    const json_t *s = json_object_get(step, "s"), *sides = json_object_get(s, "sides");
    const json_t *teams = json_object_get(game, "teams");
    state_add_battle(&text, step);
    for (int side = 0; side < 2; ++side) {
        const json_t *mons = json_object_get(json_array_get(sides, (size_t)side), "p");
        text_add(&text, " | p%d", side + 1);
        state_add_side(&text, sides, side);
        for (size_t i = 0; i < POKEMON_TEAM; ++i) {
            const json_t *mon = json_array_get(mons, i);
            size_t index = (size_t)state_int(mon, "i");
            text_add(&text, " | p%d.%d", side + 1, (int)index);
            state_add_mon(&text, mon, json_array_get(json_array_get(teams, (size_t)side), index),
                          side);
        }
        text_add(&text, " | p%d.active", side + 1);
        state_add_active(&text, json_array_get(mons, 0), side);
    }
    state_add_queue(&text, json_object_get(s, "q"));
    if (text.length >= sizeof buffer)
        return banyan_fail(err, BANYAN_CORRUPT, "a recorded state is too long");
    enum banyan_status status = text_parse(out, buffer, err);
    for (size_t side = 0; status == BANYAN_OK && side < 2; ++side)
        state_set_hard(json_object_get(json_array_get(sides, side), "p"), &out->sides[side]);
    return status;
}

banyan_action pokemon_json_choice(const struct pokemon *state, int player, const json_t *request,
                                  const char *choice)
{
    int number = 0;
    if (sscanf(choice, "switch %d", &number) == 1 && number >= 1 && number <= POKEMON_TEAM) {
        const struct pokemon_side *side = &state->sides[player];
        return POKEMON_ACTION(ACTION_SWITCH, side->mons[side->order[number - 1]].set_species);
    }
    if (sscanf(choice, "move %d", &number) != 1 || number < 1)
        return 0;
    const char *id =
        json_string_value(json_array_get(json_object_get(request, "moves"), (size_t)(number - 1)));
    int move = id ? dex_find_move(id) : 0;
    bool dynamax = strstr(choice, "dynamax") != NULL;
    return move ? POKEMON_ACTION(dynamax ? ACTION_DYNAMAX : ACTION_MOVE, move) : 0;
}
