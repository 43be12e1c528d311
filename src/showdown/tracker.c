/* Stores what the lines of a battle say about both sides and the field. */
#include "showdown/tracker.h"
#include "showdown/tracker_pokemon.h"

#include <stdio.h>
#include <string.h>

void tracker_start(struct tracker *tracker)
{
    memset(tracker, 0, sizeof *tracker);
    tracker->viewer = -1;
    for (int side = 0; side < 2; ++side)
        tracker->sides[side].active = -1;
}

const struct tracker_pokemon *tracker_active(const struct tracker *tracker, int side)
{
    const struct tracker_side *of = &tracker->sides[side];
    return of->active < 0 ? NULL : &of->team[of->active];
}

int tracker_fainted(const struct tracker *tracker, int side)
{
    int count = 0;
    for (int i = 0; i < tracker->sides[side].count; ++i)
        count += tracker->sides[side].team[i].fainted;
    return count;
}

/* --- effects --- */

static struct tracker_effect *effects_find(struct tracker_effects *effects, const char *id)
{
    for (int i = 0; i < effects->count; ++i)
        if (strcmp(effects->list[i].id, id) == 0)
            return &effects->list[i];
    return NULL;
}

const struct tracker_effect *tracker_effect(const struct tracker_effects *effects, const char *id)
{
    for (int i = 0; i < effects->count; ++i)
        if (strcmp(effects->list[i].id, id) == 0)
            return &effects->list[i];
    return NULL;
}

bool tracker_dynamaxed(const struct tracker *tracker, int side)
{
    return tracker_effect(&tracker->sides[side].volatiles, "dynamax") != NULL;
}

static void effects_remove(struct tracker_effects *effects, const char *id)
{
    struct tracker_effect *found = effects_find(effects, id);
    if (!found)
        return;
    size_t behind = (size_t)(&effects->list[effects->count] - (found + 1));
    memmove(found, found + 1, behind * sizeof *found);
    memset(&effects->list[--effects->count], 0, sizeof *found);
}

/* Starts the effect that `what` names, or adds one layer to it. */
static void effects_add(struct tracker *tracker, struct tracker_effects *effects,
                        const struct protocol_line *line, struct protocol_text what,
                        struct protocol_text detail)
{
    char id[PROTOCOL_ID];
    protocol_effect(what, id, sizeof id);
    struct tracker_effect *effect = effects_find(effects, id);
    if (!effect) {
        if (effects->count == TRACKER_EFFECTS || !id[0]) {
            tracker_strange(tracker, line);
            return;
        }
        effect = &effects->list[effects->count++];
        memcpy(effect->id, id, sizeof id);
        effect->since = tracker->turn;
        effect->ends = tracker->ends;
        effect->count = 0;
    }
    ++effect->count;
    protocol_id(detail, effect->detail, sizeof effect->detail);
}

static void effects_end(struct tracker_effects *effects, struct protocol_text what)
{
    char id[PROTOCOL_ID];
    protocol_effect(what, id, sizeof id);
    effects_remove(effects, id);
}

/* The side of "p1: NAME" or "p1a: NAME"; NULL: it is neither player's. */
static struct tracker_side *tracker_side(struct tracker *tracker, struct protocol_text text)
{
    bool one = protocol_starts(text, "p1"), two = protocol_starts(text, "p2");
    return one || two ? &tracker->sides[two] : NULL;
}

/* --- the start of a log --- */

static void tracker_head(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *side = tracker_side(tracker, line->args[0]);
    switch (line->kind) {
    case PROTOCOL_PLAYER: /* sent again with an empty name when a player leaves */
        if (side && line->args[1].length)
            protocol_copy(line->args[1], side->player, sizeof side->player);
        break;
    case PROTOCOL_TEAMSIZE:
        if (side)
            side->team_size = protocol_number(line->args[1]);
        break;
    case PROTOCOL_GEN:
        tracker->gen = protocol_number(line->args[0]);
        break;
    case PROTOCOL_GAMETYPE:
        tracker->singles = protocol_is(line->args[0], "singles");
        break;
    case PROTOCOL_TIER:
        protocol_copy(line->args[0], tracker->tier, sizeof tracker->tier);
        break;
    case PROTOCOL_RATED:
        tracker->rated = true;
        break;
    default:
        tracker->started = true;
        break;
    }
}

/* --- hp, status, boosts --- */

static void tracker_health(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], NULL);
    if (!pokemon) {
        tracker_strange(tracker, line);
        return;
    }
    char id[PROTOCOL_ID];
    protocol_id(line->args[1], id, sizeof id);
    if (line->kind == PROTOCOL_FAINT) {
        pokemon->hp = 0;
        pokemon->fainted = true;
        pokemon->status[0] = 0;
    } else if (line->kind == PROTOCOL_STATUS) {
        tracker_status(tracker, pokemon, id);
        protocol_effect(line->from, id, sizeof id);
        pokemon->rested = strcmp(id, "rest") == 0;
    } else if (line->kind == PROTOCOL_CURESTATUS) {
        tracker_status(tracker, pokemon, "");
    } else {
        tracker_condition(tracker, pokemon, line->args[1]);
    }
}

static void tracker_cure_team(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *side = tracker_side(tracker, line->args[0]);
    for (int i = 0; side && i < side->count; ++i)
        tracker_status(tracker, &side->team[i], "");
}

static int tracker_stat(struct protocol_text text)
{
    static const char *const names[TRACKER_BOOSTS] = {"atk", "def",      "spa",    "spd",
                                                      "spe", "accuracy", "evasion"};
    for (int i = 0; i < TRACKER_BOOSTS; ++i)
        if (protocol_is(text, names[i]))
            return i;
    return -1;
}

static void tracker_boost(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *side = tracker_side(tracker, line->args[0]);
    int stat = tracker_stat(line->args[1]);
    struct protocol_text amount = line->args[2];
    bool minus = protocol_starts(amount, "-");
    if (minus) {
        ++amount.at;
        --amount.length;
    }
    int by = protocol_number(amount);
    if (!side || stat < 0 || by < 0) {
        tracker_strange(tracker, line);
        return;
    }
    by = minus != (line->kind == PROTOCOL_UNBOOST) ? -by : by;
    int value = line->kind == PROTOCOL_SETBOOST ? by : side->boosts[stat] + by;
    side->boosts[stat] = value > 6 ? 6 : value < -6 ? -6 : value;
}

/* -swapboost|SOURCE|TARGET|atk, spa: all boosts when none is named. */
static void tracker_swap_boosts(struct tracker_side *a, struct tracker_side *b,
                                struct protocol_text stats)
{
    bool all = stats.length == 0;
    for (int i = 0; i < TRACKER_BOOSTS; ++i) {
        struct protocol_text rest = stats;
        bool named = all;
        while (rest.length) {
            struct protocol_text piece = protocol_take(&rest, ',');
            if (piece.length && piece.at[0] == ' ')
                protocol_take(&piece, ' ');
            named |= tracker_stat(piece) == i;
        }
        if (!named)
            continue;
        int kept = a->boosts[i];
        a->boosts[i] = b->boosts[i];
        b->boosts[i] = kept;
    }
}

static void tracker_boosts(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *a = tracker_side(tracker, line->args[0]);
    struct tracker_side *b = tracker_side(tracker, line->args[1]);
    if (line->kind == PROTOCOL_CLEARALLBOOST) {
        for (int side = 0; side < 2; ++side)
            memset(tracker->sides[side].boosts, 0, sizeof tracker->sides[side].boosts);
        return;
    }
    if (!a || (!b && (line->kind == PROTOCOL_COPYBOOST || line->kind == PROTOCOL_SWAPBOOST))) {
        tracker_strange(tracker, line);
        return;
    }
    if (line->kind == PROTOCOL_COPYBOOST) {
        memmove(a->boosts, b->boosts, sizeof a->boosts);
        return;
    }
    if (line->kind == PROTOCOL_SWAPBOOST) {
        tracker_swap_boosts(a, b, line->args[2]);
        return;
    }
    for (int i = 0; i < TRACKER_BOOSTS; ++i) {
        int *boost = &a->boosts[i];
        if (line->kind == PROTOCOL_INVERTBOOST)
            *boost = -*boost;
        else if (line->kind == PROTOCOL_CLEARBOOST ||
                 (*boost > 0) == (line->kind == PROTOCOL_CLEARPOSITIVEBOOST))
            *boost = 0;
    }
}

/* --- items, abilities, formes --- */

/* Whether this effect gives a Pokémon the item that the opposite one had. */
static bool tracker_hands_over(const char *effect)
{
    static const char *const effects[] = {"trick", "switcheroo", "thief",
                                          "covet", "magician",   "pickpocket"};
    for (size_t i = 0; i < sizeof effects / sizeof *effects; ++i)
        if (strcmp(effects[i], effect) == 0)
            return true;
    return false;
}

static struct tracker_pokemon *tracker_opposite(struct tracker *tracker, int side)
{
    struct tracker_side *other = &tracker->sides[!side];
    return other->active < 0 ? NULL : &other->team[other->active];
}

static void tracker_thing(struct tracker *tracker, const struct protocol_line *line)
{
    int side;
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], &side);
    if (!pokemon) {
        tracker_strange(tracker, line);
        return;
    }
    char id[PROTOCOL_ID], from[PROTOCOL_ID];
    protocol_id(line->args[1], id, sizeof id);
    char what = protocol_effect(line->from, from, sizeof from);
    bool own = !tracker->sides[side].transformed;
    switch (line->kind) {
    case PROTOCOL_ITEM:
        if (tracker_hands_over(from))
            tracker_item_given(pokemon, tracker_opposite(tracker, side), id);
        else
            tracker_item_seen(pokemon, id);
        break;
    case PROTOCOL_ENDITEM:
        tracker_item_lost(pokemon, id);
        pokemon->ate |= line->eaten;
        pokemon->taken = what == 'm';
        break;
    case PROTOCOL_ABILITY:
        if (what == 'a' && strcmp(from, "trace") == 0) { /* [of] is the Pokémon whose ability was
                                                          * traced */
            tracker_ability_seen(pokemon, from, own);
            struct tracker_pokemon *source = tracker_named(tracker, line->of, NULL);
            if (source)
                tracker_ability_seen(source, id, true);
        }
        tracker_ability_seen(pokemon, id, own && !from[0]);
        break;
    case PROTOCOL_ENDABILITY: /* Gastro Acid: the ability is suppressed, but still there */
        if (id[0])
            tracker_ability_seen(pokemon, id, own);
        break;
    case PROTOCOL_DETAILSCHANGE:
        protocol_copy(protocol_details(line->args[1]).species, pokemon->species,
                      sizeof pokemon->species);
        break;
    default:
        protocol_copy(protocol_details(line->args[1]).species, pokemon->forme,
                      sizeof pokemon->forme);
        break;
    }
}

static void tracker_transform(struct tracker *tracker, const struct protocol_line *line)
{
    int side, other;
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], &side);
    const struct tracker_pokemon *model = tracker_named(tracker, line->args[1], &other);
    if (!pokemon || !model || side == other) {
        tracker_strange(tracker, line);
        return;
    }
    memcpy(pokemon->forme, model->forme[0] ? model->forme : model->species, sizeof pokemon->forme);
    memcpy(pokemon->ability, model->ability, sizeof pokemon->ability);
    memcpy(tracker->sides[side].boosts, tracker->sides[other].boosts,
           sizeof tracker->sides[side].boosts);
    tracker->sides[side].transformed = true;
}

/* --- effects of Pokémon, sides, the field --- */

static void tracker_volatile(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *side = tracker_side(tracker, line->args[0]);
    if (!side) {
        tracker_strange(tracker, line);
        return;
    }
    if (line->kind == PROTOCOL_EFFECT_END) {
        effects_end(&side->volatiles, line->args[1]);
        return;
    }
    effects_add(tracker, &side->volatiles, line, line->args[1], line->args[2]);
    char id[PROTOCOL_ID];
    char what = protocol_effect(line->args[1], id, sizeof id);
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], NULL);
    if (strcmp(id, "dynamax") == 0 && !side->dynamax_turn)
        side->dynamax_turn = tracker->turn;
    if (pokemon && what == 'a')
        tracker_ability_seen(pokemon, id, !side->transformed);
}

/* |-activate|P|ability: Mummy|TARGET|[ability] WHAT IT HAD */
static void tracker_infected(struct tracker *tracker, const struct protocol_line *line,
                             const char *ability)
{
    int side;
    struct tracker_pokemon *target = tracker_named(tracker, line->args[2], &side);
    char had[PROTOCOL_ID];
    if (!target)
        return;
    protocol_id(line->ability, had, sizeof had);
    tracker_ability_seen(target, had, !tracker->sides[side].transformed);
    tracker_ability_seen(target, ability, false);
}

/* |-activate|SOURCE|Skill Swap|TARGET'S|SOURCE'S|[of] TARGET: what each had before. */
static void tracker_skills_swapped(struct tracker *tracker, const struct protocol_line *line)
{
    int side[2];
    struct tracker_pokemon *pair[2] = {tracker_named(tracker, line->args[0], &side[0]),
                                       tracker_named(tracker, line->of, &side[1])};
    char had[2][PROTOCOL_ID];
    protocol_id(line->args[3], had[0], sizeof had[0]);
    protocol_id(line->args[2], had[1], sizeof had[1]);
    for (int i = 0; i < 2; ++i) {
        if (!pair[i])
            continue;
        tracker_ability_seen(pair[i], had[i], !tracker->sides[side[i]].transformed);
        tracker_ability_seen(pair[i], had[1 - i], false);
    }
}

/* |-activate|P|ability: X| shows an ability, |-activate|P|item: X| an item. */
static void tracker_activate(struct tracker *tracker, const struct protocol_line *line)
{
    int side;
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], &side);
    char id[PROTOCOL_ID];
    char what = protocol_effect(line->args[1], id, sizeof id);
    if (!pokemon)
        return; /* some activations belong to no Pokémon */
    if (what == 'a')
        tracker_ability_seen(pokemon, id, !tracker->sides[side].transformed);
    else if (what == 'i' && pokemon->item_state != TRACKER_ITEM_NONE)
        tracker_item_seen(pokemon, id);
    if (strcmp(id, "mummy") == 0)
        tracker_infected(tracker, line, id);
    else if (strcmp(id, "skillswap") == 0)
        tracker_skills_swapped(tracker, line);
}

static void tracker_side_condition(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_side *side = tracker_side(tracker, line->args[0]);
    if (!side)
        tracker_strange(tracker, line);
    else if (line->kind == PROTOCOL_SIDESTART)
        effects_add(tracker, &side->conditions, line, line->args[1], line->args[2]);
    else
        effects_end(&side->conditions, line->args[1]);
}

static void tracker_swap_conditions(struct tracker *tracker)
{
    struct tracker_effects kept = tracker->sides[0].conditions;
    tracker->sides[0].conditions = tracker->sides[1].conditions;
    tracker->sides[1].conditions = kept;
}

/* A new terrain replaces the old one; no line says that the old one ended. */
static void tracker_field(struct tracker *tracker, const struct protocol_line *line)
{
    static const char *const terrains[] = {"electricterrain", "grassyterrain", "mistyterrain",
                                           "psychicterrain"};
    if (line->kind == PROTOCOL_FIELDEND) {
        effects_end(&tracker->field, line->args[0]);
        return;
    }
    char id[PROTOCOL_ID];
    protocol_effect(line->args[0], id, sizeof id);
    for (int i = 0; i < 4; ++i)
        if (strstr(id, "terrain"))
            effects_remove(&tracker->field, terrains[i]);
    effects_add(tracker, &tracker->field, line, line->args[0], line->args[1]);
}

static void tracker_weather(struct tracker *tracker, const struct protocol_line *line)
{
    char id[PROTOCOL_ID];
    protocol_id(line->args[0], id, sizeof id);
    if (strcmp(id, "none") == 0)
        id[0] = 0;
    if (strcmp(tracker->weather, id) == 0)
        return; /* [upkeep]: the weather continues */
    memcpy(tracker->weather, id, sizeof id);
    tracker->weather_since = tracker->turn;
    tracker->weather_ends = tracker->ends;
}

/* --- the course of a battle --- */

static void tracker_cant(struct tracker *tracker, const struct protocol_line *line)
{
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], NULL);
    if (!pokemon) {
        tracker_strange(tracker, line);
        return;
    }
    char id[PROTOCOL_ID];
    char what = protocol_effect(line->args[1], id, sizeof id);
    if (what == 'a')
        tracker_ability_seen(pokemon, id, true);
    if (strcmp(id, "slp") == 0)
        ++pokemon->slept;
}

static void tracker_end(struct tracker *tracker, const struct protocol_line *line)
{
    tracker->over = true;
    if (line->kind == PROTOCOL_WIN)
        protocol_copy(line->args[0], tracker->winner, sizeof tracker->winner);
}

static void tracker_course(struct tracker *tracker, const struct protocol_line *line)
{
    switch (line->kind) {
    case PROTOCOL_TURN:
        tracker->turn =
            protocol_number(line->args[0]) > 0 ? protocol_number(line->args[0]) : tracker->turn;
        break;
    case PROTOCOL_SWITCH:
    case PROTOCOL_DRAG:
        tracker_enter(tracker, line);
        break;
    case PROTOCOL_REPLACE:
        tracker_replace(tracker, line);
        break;
    case PROTOCOL_MOVE:
        tracker_move_used(tracker, line);
        break;
    case PROTOCOL_CANT:
        tracker_cant(tracker, line);
        break;
    case PROTOCOL_ACTIVATE:
        tracker_activate(tracker, line);
        break;
    case PROTOCOL_SWAPSIDES:
        tracker_swap_conditions(tracker);
        break;
    default:
        tracker_end(tracker, line);
        break;
    }
}

/* The functions that read each kind of line. */
static const struct {
    enum protocol_kind kind;
    void (*read)(struct tracker *tracker, const struct protocol_line *line);
} tracker_readers[] = {
    {PROTOCOL_PLAYER, tracker_head},
    {PROTOCOL_TEAMSIZE, tracker_head},
    {PROTOCOL_GEN, tracker_head},
    {PROTOCOL_GAMETYPE, tracker_head},
    {PROTOCOL_TIER, tracker_head},
    {PROTOCOL_RATED, tracker_head},
    {PROTOCOL_BATTLE_START, tracker_head},
    {PROTOCOL_DAMAGE, tracker_health},
    {PROTOCOL_HEAL, tracker_health},
    {PROTOCOL_SETHP, tracker_health},
    {PROTOCOL_STATUS, tracker_health},
    {PROTOCOL_CURESTATUS, tracker_health},
    {PROTOCOL_FAINT, tracker_health},
    {PROTOCOL_CURETEAM, tracker_cure_team},
    {PROTOCOL_BOOST, tracker_boost},
    {PROTOCOL_UNBOOST, tracker_boost},
    {PROTOCOL_SETBOOST, tracker_boost},
    {PROTOCOL_SWAPBOOST, tracker_boosts},
    {PROTOCOL_COPYBOOST, tracker_boosts},
    {PROTOCOL_INVERTBOOST, tracker_boosts},
    {PROTOCOL_CLEARBOOST, tracker_boosts},
    {PROTOCOL_CLEARALLBOOST, tracker_boosts},
    {PROTOCOL_CLEARPOSITIVEBOOST, tracker_boosts},
    {PROTOCOL_CLEARNEGATIVEBOOST, tracker_boosts},
    {PROTOCOL_ITEM, tracker_thing},
    {PROTOCOL_ENDITEM, tracker_thing},
    {PROTOCOL_ABILITY, tracker_thing},
    {PROTOCOL_ENDABILITY, tracker_thing},
    {PROTOCOL_DETAILSCHANGE, tracker_thing},
    {PROTOCOL_FORMECHANGE, tracker_thing},
    {PROTOCOL_TRANSFORM, tracker_transform},
    {PROTOCOL_EFFECT_START, tracker_volatile},
    {PROTOCOL_EFFECT_END, tracker_volatile},
    {PROTOCOL_SIDESTART, tracker_side_condition},
    {PROTOCOL_SIDEEND, tracker_side_condition},
    {PROTOCOL_FIELDSTART, tracker_field},
    {PROTOCOL_FIELDEND, tracker_field},
    {PROTOCOL_WEATHER, tracker_weather},
    {PROTOCOL_TURN, tracker_course},
    {PROTOCOL_SWITCH, tracker_course},
    {PROTOCOL_DRAG, tracker_course},
    {PROTOCOL_REPLACE, tracker_course},
    {PROTOCOL_MOVE, tracker_course},
    {PROTOCOL_CANT, tracker_course},
    {PROTOCOL_ACTIVATE, tracker_course},
    {PROTOCOL_SWAPSIDES, tracker_course},
    {PROTOCOL_WIN, tracker_course},
    {PROTOCOL_TIE, tracker_course},
};

void tracker_line(struct tracker *tracker, const struct protocol_line *line)
{
    tracker->ends += protocol_is(line->word, "upkeep");
    /* [from] names Imposter, the ability before the transformation, so it is read first. */
    if (line->kind == PROTOCOL_TRANSFORM)
        tracker_evidence(tracker, line);
    for (size_t i = 0; i < sizeof tracker_readers / sizeof *tracker_readers; ++i)
        if (tracker_readers[i].kind == line->kind)
            tracker_readers[i].read(tracker, line);
    /* A line of a traced ability names both abilities and has been read above. */
    if (line->kind != PROTOCOL_ABILITY && line->kind != PROTOCOL_TRANSFORM)
        tracker_evidence(tracker, line);
}
