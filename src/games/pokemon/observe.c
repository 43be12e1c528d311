/* What a player knows of a battle, as numbers with names; policy indices.
 *
 *     state --conceal--> what the viewer knows --> one function for each feature of observe.def
 *
 * The viewer's Pokémon stand in the order in which their player sees them, the active one first.  The
 * foe's stand in this order: the active one, those that were seen, by the number of their species, then
 * unknown ones.  So nothing depends on where a Pokémon stands in the foe's team.
 *
 * Policy: moves by slot, Dynamax with a move by slot, switches to Pokémon 1..5 of the viewer's order, and a
 * move that is in no slot (Struggle, or a move of an earlier turn that must be continued).
 */
#include "games/pokemon/observe.h"

#include "games/pokemon/battle.h"
#include "games/pokemon/text_fields.h"

/* What the viewer knows. */
struct observe {
    struct pokemon s; /* concealed */
    int viewer;
    bool trapped;
    int order[2][POKEMON_TEAM]; /* the viewer's side first: indices into mons; -1: unknown */
};

struct observe_mon {
    const struct pokemon_mon *mon;
    const struct pokemon_slots *slots;
    bool own;
};

struct observe_side {
    const struct pokemon_side *side;
    const struct pokemon_mon *active;
    const struct pokemon *s;
    int number;
    bool own;
};

static const float unknown = BANYAN_UNKNOWN;

/* The moves of the active Pokémon. */
static const struct pokemon_slots *observe_slots(const struct pokemon_side *side)
{
    const struct pokemon_active *active = &side->active;
    return active->flags & ACTIVE_TRANSFORMED ? &active->slots : &side->mons[side->order[0]].slots;
}

/* --- words --- */

static const char *observe_word_species(int value)
{
    return value ? dex_species[value].name : "none";
}

static const char *observe_word_move(int value)
{
    return value ? dex_moves[value].name : "none";
}

static const char *observe_word_item(int value)
{
    return value ? dex_items[value].name : "none";
}

static const char *observe_word_ability(int value)
{
    return value ? dex_abilities[value].name : "none";
}

static const char *observe_word_gender(int value)
{
    static const char *const names[] = {"none", "male", "female"};
    return names[value];
}

static const char *observe_word_status(int value)
{
    return value ? text_status_names[value] : "none";
}

static const char *observe_word_weather(int value)
{
    return value ? text_weather_names[value] : "none";
}

static const char *observe_word_terrain(int value)
{
    return value ? text_terrain_names[value] : "none";
}

static const char *observe_word_type(int value)
{
    return value == TYPE_NONE ? "none" : dex_type_names[value];
}

/* --- one Pokémon: number k of a feature --- */

static float mon_species(const struct observe_mon *m, int k)
{
    return m->mon->species;
}

static float mon_level(const struct observe_mon *m, int k)
{
    return m->mon->level;
}

static float mon_gender(const struct observe_mon *m, int k)
{
    return m->mon->gender == 'M' ? 1 : m->mon->gender == 'F' ? 2 : 0;
}

static float mon_hp(const struct observe_mon *m, int k)
{
    const struct pokemon_mon *mon = m->mon;
    if (m->own)
        return (float)mon->hp / (float)mon->max_hp;
    return (float)hp_percent(mon->hp, mon->max_hp) / 100;
}

static float mon_max_hp(const struct observe_mon *m, int k)
{
    return m->own ? m->mon->max_hp : unknown;
}

static float mon_stat(const struct observe_mon *m, int k)
{
    return m->own ? m->mon->stats[k] : unknown;
}

static float mon_status(const struct observe_mon *m, int k)
{
    return m->mon->status;
}

static float mon_status_turns(const struct observe_mon *m, int k)
{
    const struct pokemon_mon *mon = m->mon;
    return (float)(mon->status == STATUS_SLP ? mon->status_start - mon->status_time
                                             : mon->status_time);
}

static float mon_item(const struct observe_mon *m, int k)
{
    return m->own || (m->mon->seen & SEEN_ITEM) ? m->mon->item : unknown;
}

static float mon_ability(const struct observe_mon *m, int k)
{
    const struct pokemon_mon *mon = m->mon;
    bool known = m->own || !conceal_hides_ability(mon) || mon->ability != mon->set_ability;
    return known ? mon->ability : unknown;
}

static float mon_gigantamax(const struct observe_mon *m, int k)
{
    bool large = m->mon->max_hp > m->mon->base_max_hp;
    return m->own || large ? (m->mon->flags & MON_GIGANTAMAX) != 0 : unknown;
}

static float mon_shown(const struct observe_mon *m, int k)
{
    static const int what[] = {SEEN_SPECIES, SEEN_ITEM, SEEN_ABILITY};
    return (m->mon->seen & what[k]) != 0;
}

static float mon_slot(const struct observe_mon *m, int k, int value)
{
    if (k < m->slots->count)
        return (float)value;
    return m->own ? 0 : unknown;
}

static float mon_move(const struct observe_mon *m, int k)
{
    return mon_slot(m, k, m->slots->id[k]);
}

static float mon_pp(const struct observe_mon *m, int k)
{
    return mon_slot(m, k, m->slots->pp[k]);
}

static float mon_max_pp(const struct observe_mon *m, int k)
{
    return mon_slot(m, k, m->slots->max_pp[k]);
}

/* --- one side --- */

static float side_type(const struct observe_side *p, int k)
{
    return p->side->active.types[k];
}

static float side_boost(const struct observe_side *p, int k)
{
    return p->side->active.boosts[k];
}

static float side_volatile(const struct observe_side *p, int k)
{
    return (float)(p->side->active.volatiles >> k & 1);
}

static float side_timer(const struct observe_side *p, int k)
{
    const struct pokemon_active *a = &p->side->active;
    const uint8_t turns[] = {a->dynamax_turns, a->encore_turns, a->taunt_turns, a->disable_turns,
                             a->throat_turns,  a->yawn_turns,   a->magnet_turns};
    return turns[k];
}

static float side_passed(const struct observe_side *p, int k)
{
    const struct pokemon_active *a = &p->side->active;
    const uint8_t left[] = {a->confusion, a->locked_true, a->trap_turns};
    const uint8_t start[] = {a->confusion_start, a->locked_start, a->trap_start};
    static const int conditions[] = {VOLATILE_CONFUSION, VOLATILE_LOCKEDMOVE,
                                     VOLATILE_PARTIALLYTRAPPED};
    bool there = a->volatiles >> conditions[k] & 1;
    return there && start[k] > left[k] ? (float)(start[k] - left[k]) : 0;
}

static float side_bound(const struct observe_side *p, int k)
{
    const struct pokemon_active *a = &p->side->active;
    const uint16_t moves[] = {a->choice_move, a->locked_move, a->charge_move, a->encore_move,
                              a->disable_move};
    return moves[k];
}

static float side_last_move(const struct observe_side *p, int k)
{
    return p->side->active.last_move;
}

static float side_substitute(const struct observe_side *p, int k)
{
    const struct pokemon_active *a = &p->side->active;
    if (!(a->volatiles >> VOLATILE_SUBSTITUTE & 1))
        return 0;
    return a->substitute >= p->active->max_hp / 4 ? 2 : 1;
}

static float side_turns(const struct observe_side *p, int k)
{
    return p->side->active.turns;
}

static float side_stall(const struct observe_side *p, int k)
{
    return p->side->active.stall_counter;
}

static float side_disguise(const struct observe_side *p, int k)
{
    int shown = p->side->active.illusion;
    return p->own && shown ? p->side->mons[shown - 1].species : 0;
}

static float side_condition(const struct observe_side *p, int k)
{
    return p->side->condition[k];
}

static float side_left(const struct observe_side *p, int k)
{
    return p->side->left;
}

static float side_dynamax_used(const struct observe_side *p, int k)
{
    return p->side->dynamax_used != 0;
}

static float side_wish(const struct observe_side *p, int k)
{
    return (k ? p->side->healing_wish : p->side->wish_there) != 0;
}

static float side_future(const struct observe_side *p, int k)
{
    return p->side->future_move ? MOVE_FUTURESIGHT : MOVE_NONE;
}

static float side_request(const struct observe_side *p, int k)
{
    return p->s->request[p->number];
}

static float side_waits(const struct observe_side *p, int k)
{
    for (int i = 0; i < p->s->queued; ++i)
        if (p->s->queue[i].side == p->number && p->s->queue[i].choice != CHOICE_RESIDUAL)
            return 1;
    return 0;
}

/* --- the battle --- */

static float battle_turn(const struct observe *o, int k)
{
    return o->s.turn;
}

static float battle_weather(const struct observe *o, int k)
{
    return o->s.weather;
}

static float battle_terrain(const struct observe *o, int k)
{
    return o->s.terrain;
}

static float battle_field_turns(const struct observe *o, int k)
{
    const uint8_t turns[] = {o->s.weather_turns, o->s.terrain_turns, o->s.trick_room,
                             o->s.ion_deluge};
    return turns[k];
}

static float battle_trapped(const struct observe *o, int k)
{
    return o->trapped;
}

static float battle_mid_turn(const struct observe *o, int k)
{
    return o->s.mid_turn != 0;
}

static float battle_result(const struct observe *o, int k)
{
    if (o->s.winner == WINNER_NONE || o->s.winner == WINNER_TIE)
        return o->s.winner == WINNER_TIE ? 3 : 0;
    return (o->s.winner == WINNER_FIRST) == (o->viewer == 0) ? 1 : 2;
}

/* --- the table --- */

#define ROW(name_, help_, kind_, least, most, hidden_, word_, ...) \
    {.name = name_,                                                \
     .help = help_,                                                \
     .kind = BANYAN_FEATURE_##kind_,                               \
     .shape = {__VA_ARGS__},                                       \
     .min = least,                                                 \
     .max = most,                                                  \
     .hidden = hidden_,                                            \
     .word = word_},

const struct banyan_feature pokemon_features[] = {
#define MON(name, help, kind, count, least, most, word, write) \
    ROW(name, help, kind, least, most, true, word, 2, POKEMON_TEAM, count)
#define SIDE(name, help, kind, count, least, most, word, write) \
    ROW(name, help, kind, least, most, false, word, 2, count, 1)
#define BATTLE(name, help, kind, count, least, most, word, write) \
    ROW(name, help, kind, least, most, false, word, count, 1, 1)
#include "games/pokemon/observe.def"
#undef MON
#undef SIDE
#undef BATTLE
    {0}};

static float *observe_mons(const struct observe *o, int count,
                           float (*number)(const struct observe_mon *m, int k), float *out)
{
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_side *p = &o->s.sides[o->viewer ^ side];
            int at = o->order[side][i];
            struct observe_mon m = {.mon = at < 0 ? NULL : &p->mons[at], .own = side == 0};
            if (m.mon)
                m.slots = i == 0 ? observe_slots(p) : &m.mon->slots;
            for (int k = 0; k < count; ++k)
                *out++ = m.mon ? number(&m, k) : unknown;
        }
    return out;
}

static float *observe_sides(const struct observe *o, int count,
                            float (*number)(const struct observe_side *p, int k), float *out)
{
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &o->s.sides[o->viewer ^ side];
        const struct observe_side at = {.side = p,
                                        .active = &p->mons[p->order[0]],
                                        .s = &o->s,
                                        .number = o->viewer ^ side,
                                        .own = side == 0};
        for (int k = 0; k < count; ++k)
            *out++ = number(&at, k);
    }
    return out;
}

static float *observe_battle(const struct observe *o, int count,
                             float (*number)(const struct observe *o, int k), float *out)
{
    for (int k = 0; k < count; ++k)
        *out++ = number(o, k);
    return out;
}

/* Writes the order of the foe's Pokémon: the active one, the others that are known, by the number of
 * their species, then -1 for each unknown one. */
static void observe_order(const struct pokemon_side *foe, int *order)
{
    int count = 1;
    order[0] = foe->order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        if (i == order[0] || !foe->mons[i].species)
            continue;
        int at = count++;
        for (; at > 1 && foe->mons[order[at - 1]].set_species > foe->mons[i].set_species; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    while (count < POKEMON_TEAM)
        order[count++] = -1;
}

void pokemon_observe(const struct banyan_game *game, const void *state, int viewer, float *out)
{
    struct observe o = {.s = *(const struct pokemon *)state, .viewer = viewer};
    o.trapped = o.s.request[viewer] == REQUEST_MOVE && legal_trapped(&o.s, viewer);
    conceal(&o.s, viewer);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        o.order[0][i] = o.s.sides[viewer].order[i];
    observe_order(&o.s.sides[!viewer], o.order[1]);
#define MON(name, help, kind, count, least, most, word, number) \
    out = observe_mons(&o, count, number, out);
#define SIDE(name, help, kind, count, least, most, word, number) \
    out = observe_sides(&o, count, number, out);
#define BATTLE(name, help, kind, count, least, most, word, number) \
    out = observe_battle(&o, count, number, out);
#include "games/pokemon/observe.def"
#undef MON
#undef SIDE
#undef BATTLE
}

/* --- policy --- */

int pokemon_policy_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action)
{
    const struct pokemon *s = state;
    const struct pokemon_side *side = &s->sides[player];
    const struct pokemon_slots *slots = observe_slots(side);
    int kind = (int)(action >> 16), id = (int)(action & 0xffff);
    for (int i = 1; kind == ACTION_SWITCH && i < POKEMON_TEAM; ++i)
        if (side->mons[side->order[i]].set_species == id)
            return OBSERVE_SWITCH + i - 1;
    int slot = state_slot_of(slots, id);
    if (slot < 0)
        return OBSERVE_OTHER;
    return kind == ACTION_DYNAMAX ? OBSERVE_DYNAMAX + slot : OBSERVE_MOVE + slot;
}
