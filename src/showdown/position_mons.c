/* The teams of a position: species, hp, moves, items and what was seen of them. */
#include "showdown/position_parts.h"

#include "games/pokemon/battle.h"

#include <banyan/rng.h>

#include <string.h>

const struct tracker_pokemon *parts_tracked(const struct tracker_side *side, const char *name)
{
    for (int i = 0; i < side->count; ++i)
        if (strcmp(side->team[i].name, name) == 0)
            return &side->team[i];
    return NULL;
}

/* --- both sides --- */

/* The species that has the set: for a forme that exists only in battle its usual species, else species itself. */
static int mons_set_species(int species)
{
    static const uint16_t formes[][2] = {
        {SPECIES_AEGISLASHBLADE, SPECIES_AEGISLASH},
        {SPECIES_CHERRIMSUNSHINE, SPECIES_CHERRIM},
        {SPECIES_CRAMORANTGORGING, SPECIES_CRAMORANT},
        {SPECIES_CRAMORANTGULPING, SPECIES_CRAMORANT},
        {SPECIES_DARMANITANGALARZEN, SPECIES_DARMANITANGALAR},
        {SPECIES_DARMANITANZEN, SPECIES_DARMANITAN},
        {SPECIES_EISCUENOICE, SPECIES_EISCUE},
        {SPECIES_MIMIKYUBUSTED, SPECIES_MIMIKYU},
        {SPECIES_MORPEKOHANGRY, SPECIES_MORPEKO},
        {SPECIES_WISHIWASHISCHOOL, SPECIES_WISHIWASHI},
        {SPECIES_ZYGARDECOMPLETE, SPECIES_ZYGARDE},
    };
    for (size_t i = 0; i < sizeof formes / sizeof *formes; ++i)
        if (formes[i][0] == species)
            return formes[i][1];
    return species;
}

bool parts_identity(const struct tracker_pokemon *from, struct pokemon_mon *mon)
{
    int species = position_species(from->species);
    memset(mon, 0, sizeof *mon);
    mon->set_species = (uint16_t)mons_set_species(species);
    mon->level = (uint8_t)from->level;
    return species != 0;
}

static int mons_status(const char *id)
{
    static const char *const names[STATUS_COUNT] = {"",    "brn", "par", "slp",
                                                    "frz", "psn", "tox", "fnt"};
    for (int i = 1; i < STATUS_COUNT; ++i)
        if (strcmp(names[i], id) == 0)
            return i;
    return STATUS_NONE;
}

/* tracked may be NULL: the Pokémon never came in. */
static void mons_take_status(struct pokemon_mon *mon, int status,
                             const struct tracker_pokemon *tracked, int tox, struct banyan_rng *rng)
{
    mon->status = (uint8_t)status;
    if (status == STATUS_TOX)
        mon->status_time = (uint8_t)(tox < 15 ? tox : 15);
    if (status != STATUS_SLP)
        return;
    int slept = tracked ? tracked->slept : 0;
    int least = slept + 1 > 2 ? slept + 1 : 2;
    int start = least >= 4 ? least : least + (int)banyan_rng_below(rng, (uint32_t)(5 - least));
    if (tracked && tracked->rested)
        start = slept < 3 ? 3 : slept + 1;
    else
        mon->flags |= MON_FOE_STATUS;
    mon->status_start = (uint8_t)start;
    mon->status_time = (uint8_t)(start - slept);
}

static void mons_faint(struct pokemon_mon *mon, bool active)
{
    mon->hp = 0;
    mon->flags |= MON_FAINTED | MON_FAINT_QUEUED;
    mon->status = active ? STATUS_FNT : STATUS_NONE;
    mon->status_time = mon->status_start = 0;
}

/* Marks the moves that the other side has seen, by their slot. */
static void mons_seen_moves(struct pokemon_mon *mon, const struct tracker_pokemon *tracked)
{
    for (int i = 0; i < tracked->move_count; ++i)
        for (int k = 0; k < mon->slots.count; ++k)
            if (position_move(tracked->moves[i].id) == mon->slots.id[k])
                mon->seen |= (uint8_t)(SEEN_MOVE << k);
}

static int mons_forme(const struct tracker_side *side, const struct tracker_pokemon *tracked,
                      int species)
{
    int forme =
        tracked && tracked->forme[0] && !side->transformed ? position_species(tracked->forme) : 0;
    return forme ? forme : species;
}

/* --- own Pokémon --- */

/* Takes the effort values with which most stats are equal to those of the request, and then the
 * request's own stats. */
static void mons_own_spread(struct pokemon_mon *mon, const struct request_pokemon *from)
{
    uint16_t stats[STAT_COUNT], own[STAT_COUNT];
    int best = 0, most = -1;
    for (int i = 0; i < dex_spread_count; ++i) {
        const struct dex_spread *spread = &dex_spreads[i];
        int same = 0;
        dex_stats(mon->species, mon->level, spread->evs, spread->ivs, stats);
        for (int k = 1; k < STAT_COUNT; ++k)
            same += stats[k] == from->stats[k - 1];
        dex_stats(mon->base_species, mon->level, spread->evs, spread->ivs, stats);
        same += stats[STAT_HP] == from->hp_max || 2 * stats[STAT_HP] == from->hp_max;
        if (same > most) {
            most = same;
            best = i;
        }
    }
    memcpy(mon->evs, dex_spreads[best].evs, sizeof mon->evs);
    memcpy(mon->ivs, dex_spreads[best].ivs, sizeof mon->ivs);
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, own);
    for (int k = 0; k < STAT_COUNT - 1; ++k)
        mon->stats[k] =
            (uint16_t)(from->stats[k] > 0 && from->stats[k] <= 3000 ? from->stats[k] : own[k + 1]);
    dex_stats(mon->base_species, mon->level, mon->evs, mon->ivs, stats);
    mon->base_max_hp = stats[STAT_HP];
}

static void mons_own_slots(struct pokemon_mon *mon, const struct position_known *known,
                           const struct tracker_pokemon *tracked)
{
    for (int i = 0; i < REQUEST_MOVES; ++i) {
        int move = known ? position_move(known->moves[i]) : 0;
        if (!move)
            continue;
        int k = mon->slots.count++, full = dex_moves[move].pp;
        int since = parts_used(tracked, known->moves[i]) - known->used[i];
        int pp = (known->pp[i] < 0 || known->pp[i] > full ? full : known->pp[i]) - since;
        mon->slots.id[k] = (uint16_t)move;
        mon->slots.max_pp[k] = (uint8_t)full;
        mon->slots.pp[k] = (uint8_t)(pp > 0 ? pp : 0);
    }
}

/* Whether the own set is one of the entry that can Gigantamax. */
static bool mons_own_gigantamax(const struct position_known *known, const struct pokemon_mon *mon)
{
    struct belief_candidates of = belief_candidates(mon);
    if ((known && known->gigantamax) || !of.entry)
        return of.entry != NULL;
    int best = 0, most = -1;
    for (int i = 0; i < of.count; ++i) {
        const struct dex_set *set = &dex_sets[of.first + i];
        int same = (set->item == mon->item) + (set->ability == mon->set_ability);
        for (int k = 0; k < 4; ++k)
            same += set->moves[k] && state_slot_of(&mon->slots, set->moves[k]) >= 0;
        if (same > most) {
            most = same;
            best = i;
        }
    }
    return belief_entry_of(&of, best)->gmax;
}

static void mons_own_hp(struct pokemon_mon *mon, const struct request_pokemon *from,
                        const struct position_known *known, bool large)
{
    if (!from->hp_max || from->fainted) {
        if (known && known->hp_max)
            mon->base_max_hp = (uint16_t)known->hp_max;
        mon->max_hp = mon->base_max_hp;
        return;
    }
    mon->hp = (uint16_t)from->hp;
    mon->max_hp = (uint16_t)from->hp_max;
    bool one = (dex_species[mon->base_species].flags & SPECIES_IS_ONE_HP) != 0;
    mon->base_max_hp = (uint16_t)(large && !one ? from->hp_max / 2 : from->hp_max);
}

static enum banyan_status mons_own(const struct position_source *source, int i,
                                   struct pokemon_mon *mon, struct banyan_rng *rng,
                                   struct banyan_error *err)
{
    const struct request_pokemon *from = &source->request->team[i];
    int viewer = source->request->side;
    const struct tracker_side *side = &source->tracker->sides[viewer];
    const struct tracker_pokemon *tracked = parts_tracked(side, from->name);
    const struct position_known *known = NULL;
    for (int k = 0; k < source->memory->count; ++k)
        if (strcmp(source->memory->own[k].name, from->name) == 0)
            known = &source->memory->own[k];
    int species = position_species(from->species);
    if (!species)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the Pokémon '%s' is not in the tables",
                           from->species);
    mon->base_species = (uint16_t)species;
    mon->set_species = (uint16_t)mons_set_species(species);
    mon->species = (uint16_t)(from->active ? mons_forme(side, tracked, species) : species);
    mon->flags = species != mon->set_species ? MON_REGRESSES : 0;
    mon->level = (uint8_t)from->level;
    mon->gender = (char)(from->gender == 'N' ? 0 : from->gender);
    mons_own_spread(mon, from);
    mons_own_hp(mon, from, known, from->active && tracker_dynamaxed(source->tracker, viewer));
    mons_own_slots(mon, known, tracked);
    if (!mon->slots.count)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "no move of %s is in the tables", from->name);
    mon->item = (uint8_t)position_item(from->item);
    mon->last_item = (uint8_t)(tracked && !tracked->taken ? position_item(tracked->last_item) : 0);
    mon->ability = (uint8_t)position_ability(from->ability);
    mon->base_ability = mon->set_ability = (uint8_t)position_ability(from->base_ability);
    if (mons_own_gigantamax(known, mon))
        mon->flags |= MON_GIGANTAMAX;
    mons_take_status(mon, mons_status(from->status), tracked,
                     from->active ? source->chronicle->sides[viewer].tox : 0, rng);
    if (from->fainted)
        mons_faint(mon, from->active);
    if (tracked) {
        mon->seen |= SEEN_SPECIES;
        mons_seen_moves(mon, tracked);
        mon->seen |= tracked->item_state != TRACKER_ITEM_UNKNOWN ? SEEN_ITEM : 0;
        mon->seen |= tracked->ability[0] ? SEEN_ABILITY : 0;
        mon->flags |= tracked->ate ? MON_ATE_BERRY : 0;
    }
    return BANYAN_OK;
}

enum banyan_status parts_own(const struct position_source *source, struct pokemon_side *side,
                             struct banyan_rng *rng, struct banyan_error *err)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        enum banyan_status status = mons_own(source, i, &side->mons[i], rng, err);
        if (status != BANYAN_OK)
            return status;
        side->order[i] = (uint8_t)i;
        side->left = (uint8_t)(side->left + !(side->mons[i].flags & MON_FAINTED));
    }
    return BANYAN_OK;
}

/* --- the foe's Pokémon --- */

static void mons_foe_slots(struct pokemon_mon *mon, const struct tracker_pokemon *from,
                           const struct dex_set *set)
{
    struct pokemon_slots *slots = &mon->slots;
    memset(slots, 0, sizeof *slots);
    for (int i = 0; i < from->move_count && slots->count < 4; ++i) {
        int move = position_move(from->moves[i].id), k = slots->count;
        if (!move || state_slot_of(slots, move) >= 0)
            continue;
        slots->id[k] = (uint16_t)move;
        slots->max_pp[k] = dex_moves[move].pp;
        int left = dex_moves[move].pp - from->moves[i].used;
        slots->pp[k] = (uint8_t)(left > 0 ? left : 0);
        mon->seen |= (uint8_t)(SEEN_MOVE << k);
        ++slots->count;
    }
    for (int i = 0; set && i < 4 && slots->count < 4; ++i) {
        int move = set->moves[i], k = slots->count;
        if (!move || state_slot_of(slots, move) >= 0)
            continue;
        slots->id[k] = (uint16_t)move;
        slots->pp[k] = slots->max_pp[k] = dex_moves[move].pp;
        ++slots->count;
    }
    if (!slots->count) {
        slots->id[0] = MOVE_STRUGGLE;
        slots->pp[0] = slots->max_pp[0] = slots->count = 1;
    }
}

/* hp that is shown as this percentage. */
static int mons_percent(int percent, int max_hp)
{
    if (percent >= 100)
        return max_hp;
    int hp = percent * max_hp / 100;
    if ((100 * hp + max_hp - 1) / max_hp < percent && hp + 1 < max_hp)
        ++hp;
    return hp < 1 ? 1 : hp;
}

static void mons_foe_hp(struct pokemon_mon *mon, const struct tracker_pokemon *from, bool large)
{
    uint16_t stats[STAT_COUNT];
    dex_stats(mon->base_species, mon->level, mon->evs, mon->ivs, stats);
    bool one = (dex_species[mon->base_species].flags & SPECIES_IS_ONE_HP) != 0;
    mon->base_max_hp = stats[STAT_HP];
    mon->max_hp = (uint16_t)(large && !one ? 2 * stats[STAT_HP] : stats[STAT_HP]);
    int percent = from->hp_max > 0 ? (100 * from->hp + from->hp_max - 1) / from->hp_max : 100;
    if (percent == 100 && from->hp < from->hp_max)
        percent = 99;
    mon->hp = (uint16_t)mons_percent(percent, mon->max_hp);
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
}

static void mons_foe_items(struct pokemon_mon *mon, const struct tracker_pokemon *from,
                           struct belief_mon *belief)
{
    mon->item = (uint8_t)(from->item_state == TRACKER_ITEM_HELD ? position_item(from->item) : 0);
    mon->last_item = (uint8_t)(from->taken ? 0 : position_item(from->last_item));
    if (from->item_state != TRACKER_ITEM_UNKNOWN)
        mon->seen |= SEEN_ITEM;
    belief->brought_known = from->brought[0] != 0;
    belief->brought = (uint8_t)position_item(from->brought);
    mon->flags |= from->ate ? MON_ATE_BERRY : 0;
    if (from->base_ability[0]) {
        int ability = position_ability(from->base_ability);
        mon->ability = mon->base_ability = mon->set_ability = (uint8_t)ability;
        mon->seen |= ability ? SEEN_ABILITY : 0;
    }
    int now = position_ability(from->ability);
    if (now)
        mon->ability = (uint8_t)now;
}

static bool mons_all_have(const struct belief_candidates *of, int ability)
{
    for (int i = 0; i < of->count; ++i)
        if (dex_sets[of->first + i].ability != ability)
            return false;
    return of->count > 0;
}

/* Regenerator heals a Pokémon that leaves, and no line says so.  (Of Natural Cure there is a line.) */
static void mons_regenerate(struct pokemon_mon *mon, const struct belief_candidates *of)
{
    if (mon->seen & SEEN_ABILITY ? mon->ability != ABILITY_REGENERATOR
                                 : !mons_all_have(of, ABILITY_REGENERATOR))
        return;
    int hp = mon->hp + mon->base_max_hp / 3;
    mon->hp = (uint16_t)(hp < mon->max_hp ? hp : mon->max_hp);
}

static enum banyan_status mons_foe(const struct position_source *source, int index,
                                   struct pokemon_mon *mon, struct belief_mon *belief,
                                   struct banyan_rng *rng, struct banyan_error *err)
{
    int foe = !source->request->side;
    const struct tracker_side *side = &source->tracker->sides[foe];
    const struct tracker_pokemon *from = &side->team[index];
    bool active = index == side->active;
    int species = position_species(from->species);
    if (!species)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the Pokémon '%s' is not in the tables",
                           from->species);
    mon->base_species = (uint16_t)species;
    mon->set_species = (uint16_t)mons_set_species(species);
    mon->species = (uint16_t)(active ? mons_forme(side, from, species) : species);
    mon->flags = species != mon->set_species ? MON_REGRESSES : 0;
    mon->level = (uint8_t)from->level;
    mon->gender = (char)(from->gender == 'N' ? 0 : from->gender);
    mon->seen = SEEN_SPECIES;
    struct belief_candidates of = belief_candidates(mon);
    const struct dex_set *set = of.count ? &dex_sets[of.first] : NULL;
    const struct dex_spread *spread = &dex_spreads[set ? set->spread : 1];
    memcpy(mon->evs, spread->evs, sizeof mon->evs);
    memcpy(mon->ivs, spread->ivs, sizeof mon->ivs);
    mon->flags |= of.entry && of.entry->gmax ? MON_GIGANTAMAX : 0;
    mon->ability = mon->base_ability = mon->set_ability =
        (uint8_t)(set ? set->ability : dex_species[species].ability);
    mons_foe_slots(mon, from, set);
    mons_foe_hp(mon, from, active && tracker_dynamaxed(source->tracker, foe));
    mons_foe_items(mon, from, belief);
    if (!active)
        mons_regenerate(mon, &of);
    mons_take_status(mon, mons_status(from->status), from,
                     active ? source->chronicle->sides[foe].tox : 0, rng);
    if (from->fainted)
        mons_faint(mon, active);
    return BANYAN_OK;
}

/* Writes the entries that are most likely real, at most six, and returns their number; after an Illusion there is
 * one entry too many. */
static int mons_choose_foes(const struct tracker_side *side, int chosen[POKEMON_TEAM])
{
    int count = 0, skip = side->count - POKEMON_TEAM;
    if (side->active >= 0)
        chosen[count++] = side->active;
    for (int i = 0; i < side->count; ++i) {
        if (i == side->active)
            continue;
        const struct tracker_pokemon *mon = &side->team[i];
        bool blank = !mon->fainted && mon->hp == mon->hp_max && !mon->move_count;
        if (skip > 0 && blank)
            --skip;
        else if (count < POKEMON_TEAM)
            chosen[count++] = i;
    }
    return count;
}

enum banyan_status parts_foe(const struct position_source *source, struct pokemon_side *side,
                             struct belief *belief, struct banyan_rng *rng,
                             struct banyan_error *err)
{
    const struct tracker_side *from = &source->tracker->sides[!source->request->side];
    int chosen[POKEMON_TEAM], count = mons_choose_foes(from, chosen);
    if (from->active < 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the foe has no active Pokémon");
    for (int i = 0; i < count; ++i) {
        if (source->evidence)
            belief->mons[i] = source->evidence[chosen[i]];
        enum banyan_status status =
            mons_foe(source, chosen[i], &side->mons[i], &belief->mons[i], rng, err);
        if (status != BANYAN_OK)
            return status;
    }
    if (count < POKEMON_TEAM) { /* any Pokémon for now: belief_draw will draw them by the rules */
        struct pokemon_side team;
        memset(&team, 0, sizeof team);
        setup_team(&team, rng);
        for (int i = count; i < POKEMON_TEAM; ++i)
            side->mons[i] = team.mons[i];
    }
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        side->order[i] = (uint8_t)i;
        side->left = (uint8_t)(side->left + !(side->mons[i].flags & MON_FAINTED));
    }
    return BANYAN_OK;
}
