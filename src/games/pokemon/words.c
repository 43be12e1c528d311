/* Tells a player of a battle what a choice means, what happened, and what the player knows of
 * both teams. */
#include "games/pokemon/words.h"
#include "base/text.h"

#include <string.h>

enum { WORDS_DYNAMAX = 3 }; /* turns that Dynamax lasts */

static const char *const words_stats[BOOST_COUNT] = {"Attack", "Defense",  "Sp. Atk", "Sp. Def",
                                                     "Speed",  "accuracy", "evasion"};

const char *words_status(int status)
{
    static const char *const names[STATUS_COUNT] = {
        "", "burned", "paralysed", "asleep", "frozen", "poisoned", "badly poisoned", "fainted"};
    return names[status];
}

/* The battle as viewer sees it; -1: all of it. */
static struct pokemon words_seen(const struct pokemon *s, int viewer)
{
    struct pokemon copy = *s;
    if (viewer >= 0)
        conceal(&copy, viewer);
    return copy;
}

static const struct pokemon_mon *words_active(const struct pokemon *s, int side)
{
    return &s->sides[side].mons[s->sides[side].order[0]];
}

static bool words_has(const struct pokemon *s, int side, enum dex_volatile condition)
{
    return s->sides[side].active.volatiles >> condition & 1;
}

/* "Fire", or "Fire/Flying". */
static void words_add_types(struct text *text, const uint8_t types[2])
{
    text_add(text, "%s", dex_type_names[types[0]]);
    if (types[1] != TYPE_NONE && types[1] != types[0])
        text_add(text, "/%s", dex_type_names[types[1]]);
}

static void words_add_hp(struct text *text, const struct pokemon_mon *mon, bool exact)
{
    if (exact)
        text_add(text, "%d/%d", mon->hp, mon->max_hp);
    else
        text_add(text, "%d %%", hp_percent(mon->hp, mon->max_hp));
}

/* --- choices --- */

static const struct pokemon_slots *words_slots(const struct pokemon *s, int side)
{
    const struct pokemon_active *active = &s->sides[side].active;
    return active->flags & ACTIVE_TRANSFORMED ? &active->slots : &words_active(s, side)->slots;
}

/* Adds the effectiveness of a type against the foe's types, if it is not the usual one. */
static void words_add_effect(struct text *text, const struct pokemon *s, int foe, int type)
{
    const uint8_t *types = s->sides[foe].active.types;
    int doubled = 0;
    bool immune = false;
    for (int i = 0; i < 2; ++i) {
        if (types[i] == TYPE_NONE || (i && types[1] == types[0]))
            continue;
        doubled += dex_effectiveness[type][types[i]];
        immune |= dex_immune_types[type] >> types[i] & 1;
    }
    if (immune)
        text_add(text, ", no effect on its type");
    else if (doubled)
        text_add(text, ", %s against its type",
                 doubled > 1    ? "x4"
                 : doubled == 1 ? "x2"
                 : doubled < -1 ? "x1/4"
                                : "x1/2");
}

static void words_add_move(struct text *text, const struct pokemon *s, int player, int id, bool max)
{
    static const char *const categories[] = {"status", "physical", "special"};
    const struct dex_move *move = &dex_moves[id];
    const struct pokemon_slots *slots = words_slots(s, player);
    bool attack = move->category != CATEGORY_STATUS;
    if (max && !attack)
        text_add(text, "becomes Max Guard: ");
    text_add(text, "%s %s", dex_type_names[move->type], categories[move->category]);
    if (attack && (max || move->power))
        text_add(text, ", power %d", max ? move->max_power : move->power);
    if (!max && move->accuracy)
        text_add(text, ", hits %d %%", move->accuracy);
    for (int i = 0; i < slots->count; ++i)
        if (slots->id[i] == id)
            text_add(text, ", PP %d of %d", slots->pp[i], slots->max_pp[i]);
    if (attack)
        words_add_effect(text, s, !player, move->type);
}

static void words_add_switch(struct text *text, const struct pokemon *s, int player, int species)
{
    const struct pokemon_side *side = &s->sides[player];
    for (int i = 1; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        if (mon->set_species != species || mon->flags & MON_FAINTED)
            continue;
        text_add(text, "hp ");
        words_add_hp(text, mon, true);
        text_add(text, ", ");
        words_add_types(text, dex_species[mon->species].types);
        if (mon->status)
            text_add(text, ", %s", words_status(mon->status));
        return;
    }
}

int words_describe(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, char *out, size_t size)
{
    int kind = (int)(action >> 16), id = (int)(action & 0xffff);
    struct pokemon s = words_seen(state, player);
    struct text text = text_start(out, size);
    if (kind == ACTION_SWITCH) {
        text_add(&text, "switch to %s\t", dex_species[id].name);
        words_add_switch(&text, &s, player, id);
        return (int)text.length;
    }
    bool max = kind == ACTION_DYNAMAX || words_has(&s, player, VOLATILE_DYNAMAX);
    text_add(&text, "%s%s\t", dex_moves[id].name, kind == ACTION_DYNAMAX ? ", Dynamax" : "");
    words_add_move(&text, &s, player, id, max);
    if (kind == ACTION_MOVE && dex_moves[id].category != CATEGORY_STATUS)
        words_add_damage(&text, game, state, player, id);
    return (int)text.length;
}

/* --- what happened --- */

struct words_step {
    const struct pokemon *was, *is;  /* the whole states: both players see who used a move */
    const struct pokemon *from, *to; /* as the viewer sees it */
    int viewer;
};

/* The words before a Pokémon's name that tell whose it is. */
static const char *words_whose(const struct words_step *step, int side)
{
    static const char *const named[] = {"p1's ", "p2's "};
    return step->viewer < 0 ? named[side] : step->viewer == side ? "" : "the foe's ";
}

static const char *words_name(const struct pokemon *s, int side, int mon)
{
    return dex_species[s->sides[side].mons[mon].species].name;
}

/* The move on which the active Pokémon has spent PP; MOVE_NONE: it has spent none. */
static int words_spent(const struct words_step *step, int side)
{
    int mon = step->is->sides[side].order[0];
    const struct pokemon_slots *was = &step->was->sides[side].mons[mon].slots;
    const struct pokemon_slots *is = &step->is->sides[side].mons[mon].slots;
    if (step->is->sides[side].active.flags & ACTIVE_TRANSFORMED) {
        was = &step->was->sides[side].active.slots;
        is = &step->is->sides[side].active.slots;
    }
    for (int i = 0; i < is->count && i < was->count; ++i)
        if (is->id[i] == was->id[i] && is->pp[i] < was->pp[i])
            return is->id[i];
    return MOVE_NONE;
}

static bool words_same_active(const struct pokemon *from, const struct pokemon *to, int side)
{
    return from->sides[side].order[0] == to->sides[side].order[0];
}

/* The move that the active Pokémon used, as both players were told; MOVE_NONE: it used none.  A
 * use costs PP, except for moves that continue by themselves.  A Pokémon that faints forgets its
 * last move. */
static int words_used(const struct words_step *step, int side)
{
    int last = step->is->sides[side].active.last_move, spent = words_spent(step, side);
    bool goes_on = last == MOVE_STRUGGLE || words_has(step->was, side, VOLATILE_LOCKEDMOVE) ||
                   words_has(step->was, side, VOLATILE_TWOTURNMOVE);
    return spent == MOVE_NONE && !goes_on ? MOVE_NONE : last ? last : spent;
}

static void words_tell_action(struct text *text, const struct words_step *step, int side)
{
    const struct pokemon_active *was = &step->was->sides[side].active;
    const struct pokemon_active *is = &step->is->sides[side].active;
    const char *whose = words_whose(step, side);
    int now = step->to->sides[side].order[0];
    if (!words_same_active(step->from, step->to, side)) {
        text_add(text, "%s%s comes in (", whose, words_name(step->to, side, now));
        words_add_hp(text, words_active(step->to, side), step->viewer < 0 || step->viewer == side);
        text_add(text, ")\n");
        return;
    }
    if (is->actions <= was->actions)
        return;
    text_add(text, "%s%s ", whose, words_name(step->to, side, now));
    if (words_used(step, side) == MOVE_NONE)
        text_add(text, "cannot move\n");
    else
        text_add(text, "uses %s%s\n", dex_moves[words_used(step, side)].name,
                 is->result_now == RESULT_FAILED ? ", but it fails" : "");
}

/* Whether the viewer had seen the Pokémon before the step, and sees it after. */
static bool words_known(const struct words_step *step, int side, int mon)
{
    return step->from->sides[side].mons[mon].species && step->to->sides[side].mons[mon].species;
}

/* Tells which item was seen.  An item that was taken away when it was first seen is known from the state before, if
 * the viewer knew it there. */
static void words_tell_item(struct text *text, const struct pokemon_mon *from,
                            const struct pokemon_mon *to, const char *whose, const char *name)
{
    int item = to->item ? to->item : to->last_item ? to->last_item : from->item;
    if (item)
        text_add(text, "  %s%s shows its item: %s\n", whose, name, dex_items[item].name);
    else
        text_add(text, "  %s%s has no item\n", whose, name);
}

static void words_tell_mon(struct text *text, const struct words_step *step, int side, int mon)
{
    const struct pokemon_mon *from = &step->from->sides[side].mons[mon];
    const struct pokemon_mon *to = &step->to->sides[side].mons[mon];
    bool exact = step->viewer < 0 || step->viewer == side;
    int before = exact ? from->hp : hp_percent(from->hp, from->max_hp);
    int after = exact ? to->hp : hp_percent(to->hp, to->max_hp);
    const char *name = dex_species[to->species].name, *whose = words_whose(step, side);
    if (before != after && to->max_hp == from->max_hp) {
        text_add(text, "  %s%s: %d -> ", whose, name, before);
        words_add_hp(text, to, exact);
        text_add(text, "%s\n", after ? "" : ", fainted");
    }
    if (to->status != from->status && after)
        text_add(text, "  %s%s is %s\n", whose, name,
                 to->status ? words_status(to->status) : "healthy again");
    if (to->seen & ~from->seen & SEEN_ITEM)
        words_tell_item(text, from, to, whose, name);
    if (to->seen & ~from->seen & SEEN_ABILITY)
        text_add(text, "  %s%s shows its ability: %s\n", whose, name,
                 dex_abilities[to->ability].name);
}

static void words_tell_active(struct text *text, const struct words_step *step, int side)
{
    const struct pokemon_active *from = &step->from->sides[side].active;
    const struct pokemon_active *to = &step->to->sides[side].active;
    const char *name = words_name(step->to, side, step->to->sides[side].order[0]);
    const char *whose = words_whose(step, side);
    if (!words_same_active(step->from, step->to, side))
        return;
    bool large = words_has(step->to, side, VOLATILE_DYNAMAX);
    if (large != words_has(step->from, side, VOLATILE_DYNAMAX))
        text_add(text, "  %s%s is %s\n", whose, name, large ? "Dynamaxed" : "small again");
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (to->boosts[i] != from->boosts[i])
            text_add(text, "  %s%s: %s %+d, now %+d\n", whose, name, words_stats[i],
                     to->boosts[i] - from->boosts[i], to->boosts[i]);
}

static const char *const words_weathers[WEATHER_COUNT] = {"", "the sun is strong", "it rains",
                                                          "a sandstorm rages", "it hails"};
static const char *const words_terrains[TERRAIN_COUNT] = {"", "electric", "grassy", "misty",
                                                          "psychic"};

static void words_tell_field(struct text *text, const struct pokemon *from,
                             const struct pokemon *to)
{
    if (to->weather != from->weather)
        text_add(text, "  %s\n", to->weather ? words_weathers[to->weather] : "the weather clears");
    if (to->terrain != from->terrain && to->terrain)
        text_add(text, "  the terrain is %s\n", words_terrains[to->terrain]);
    else if (to->terrain != from->terrain)
        text_add(text, "  the terrain ends\n");
    if (!to->trick_room != !from->trick_room)
        text_add(text, "  Trick Room %s\n", to->trick_room ? "begins" : "ends");
}

static const char *const words_conditions[SIDE_COUNT] = {
    "",        "Stealth Rock", "Spikes",      "Toxic Spikes", "Sticky Web", "Steelsurge",
    "Reflect", "Light Screen", "Aurora Veil", "Vine Lash",    "Cannonade",  "Volcalith"};

static void words_tell_conditions(struct text *text, const struct words_step *step, int side)
{
    const uint8_t *from = step->from->sides[side].condition;
    const uint8_t *to = step->to->sides[side].condition;
    const char *whose = step->viewer < 0       ? side ? "p2's" : "p1's"
                        : step->viewer == side ? "your"
                                               : "the foe's";
    for (int i = 1; i < SIDE_COUNT; ++i)
        if (!to[i] != !from[i] || (i <= SIDE_STICKYWEB && to[i] > from[i]))
            text_add(text, "  %s%s on %s side\n", words_conditions[i], to[i] ? "" : " ends", whose);
}

int words_tell(const struct banyan_game *game, const struct banyan_step *given, int viewer,
               char *out, size_t size)
{
    struct pokemon from = words_seen(given->before, viewer), to = words_seen(given->after, viewer);
    struct words_step step = {
        .was = given->before, .is = given->after, .from = &from, .to = &to, .viewer = viewer};
    struct text text = text_start(out, size);
    text_add(&text, "%s", "");
    for (int side = 0; side < 2; ++side)
        words_tell_action(&text, &step, side);
    for (int side = 0; side < 2; ++side) {
        words_tell_active(&text, &step, side);
        for (int mon = 0; mon < POKEMON_TEAM; ++mon)
            if (words_known(&step, side, mon))
                words_tell_mon(&text, &step, side, mon);
        words_tell_conditions(&text, &step, side);
    }
    words_tell_field(&text, &from, &to);
    return (int)text.length;
}

/* --- what is known --- */

static void words_add_known_moves(struct text *text, const struct pokemon_mon *mon, bool own)
{
    for (int i = 0; i < mon->slots.count; ++i) {
        const struct dex_move *move = &dex_moves[mon->slots.id[i]];
        text_add(text, "%s%s (%s", i ? ", " : "    ", move->name, dex_type_names[move->type]);
        if (move->category != CATEGORY_STATUS && move->power)
            text_add(text, " %d", move->power);
        text_add(text, own ? ", PP %d)" : ")", mon->slots.pp[i]);
    }
    text_add(text, "%s", mon->slots.count ? "\n" : "");
}

/* The ability of the foe's Pokémon is written if it was seen, or if the forme implies it. */
static void words_add_mon(struct text *text, const struct pokemon_mon *mon, bool own)
{
    bool item = own || mon->seen & SEEN_ITEM, ability = own || !conceal_hides_ability(mon);
    text_add(text, "  %s level %d, ", dex_species[mon->species].name, mon->level);
    words_add_types(text, dex_species[mon->species].types);
    text_add(text, ", hp ");
    words_add_hp(text, mon, own);
    if (mon->status)
        text_add(text, ", %s", words_status(mon->status));
    text_add(text, "; item %s; ability %s\n",
             !item       ? "unknown"
             : mon->item ? dex_items[mon->item].name
                         : "none",
             ability ? dex_abilities[mon->ability].name : "unknown");
    if (own)
        text_add(text, "    Attack %d, Defense %d, Sp. Atk %d, Sp. Def %d, Speed %d\n",
                 mon->stats[0], mon->stats[1], mon->stats[2], mon->stats[3], mon->stats[4]);
    words_add_known_moves(text, mon, own);
}

static void words_add_conditions(struct text *text, const struct pokemon *s, int side)
{
    const struct pokemon_active *active = &s->sides[side].active;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (active->boosts[i])
            text_add(text, "  %s %+d\n", words_stats[i], active->boosts[i]);
    if (words_has(s, side, VOLATILE_DYNAMAX)) {
        int left = WORDS_DYNAMAX - active->dynamax_turns;
        text_add(text, "  Dynamaxed for %d more turn%s\n", left, left == 1 ? "" : "s");
    }
    for (int i = 1; i < SIDE_COUNT; ++i)
        if (s->sides[side].condition[i])
            text_add(text, "  %s on this side\n", words_conditions[i]);
}

static const char *words_team(int viewer, int side)
{
    static const char *const named[] = {"p1's team", "p2's team"};
    return viewer < 0 ? named[side] : viewer == side ? "your team" : "the foe";
}

int words_sheet(const struct banyan_game *game, const void *state, int viewer, char *out,
                size_t size)
{
    struct pokemon s = words_seen(state, viewer);
    struct text text = text_start(out, size);
    for (int i = 0; i < 2; ++i) {
        int side = viewer == 1 ? !i : i;
        bool own = viewer < 0 || viewer == side;
        const struct pokemon_side *p = &s.sides[side];
        text_add(&text, "%s, %d left, Dynamax %s:\n", words_team(viewer, side), p->left,
                 p->dynamax_used ? "used" : "not used");
        for (int k = 0; k < POKEMON_TEAM; ++k)
            if (p->mons[p->order[k]].species)
                words_add_mon(&text, &p->mons[p->order[k]], own);
        words_add_conditions(&text, &s, side);
    }
    return (int)text.length;
}
