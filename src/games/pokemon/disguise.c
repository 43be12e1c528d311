/* Illusion: a Pokémon with this ability looks like the last Pokémon of its team that has not
 * fainted.
 *
 * The other player sees a Pokémon come in as it was when it left, and sees what it does after that.
 * A disguise is possible only if both explanations agree with what was seen:
 *
 *    the Pokémon itself came in and did this      Zoroark came in disguised and did this
 *                                      \              /
 *                    disguise_pass(): exchanges the two explanations
 */
#include "games/pokemon/pokemon.h"

#include <string.h>

void disguise_arrival(const struct pokemon_mon *mon, struct pokemon_arrival *out)
{
    memset(out, 0, sizeof *out);
    out->hp = mon->hp;
    out->status = mon->status;
    out->status_time = mon->status_time;
    out->status_start = mon->status_start;
    out->flags = mon->flags & (MON_FOE_STATUS | MON_ATE_BERRY);
    out->seen = mon->seen;
    if (mon->seen & SEEN_ITEM) {
        out->item = mon->item;
        out->last_item = mon->last_item;
    }
}

void disguise_end(struct pokemon_side *side)
{
    if (side->active.illusion)
        side->mons[side->order[0]].seen |= SEEN_SPECIES;
    side->active.illusion = 0;
}

void hp_percent_range(int percent, int max_hp, int *least, int *most)
{
    *least = *most = percent <= 0 ? 0 : max_hp;
    if (percent <= 0 || percent >= 100)
        return;
    *least = (percent - 1) * max_hp / 100 + 1;
    *most = percent == 99 ? max_hp - 1 : percent * max_hp / 100;
    if (*least > *most) /* with a maximum below 100, no hp is shown as this percentage */
        *least = *most = *most < 1 ? 1 : *most;
}

/* --- whether both explanations are possible --- */

static int disguise_slept(int status, int time, int start)
{
    return status == STATUS_SLP ? start - time : 0;
}

static bool disguise_item_shown(const struct pokemon_mon *mon, const struct pokemon_arrival *at)
{
    return (mon->seen & SEEN_ITEM) &&
           (!(at->seen & SEEN_ITEM) || mon->item != at->item || mon->last_item != at->last_item);
}

/* The slot in which a Pokémon may have the move: the slot of this move, else one whose move was not
 * seen; -1: there is none. */
static int disguise_slot(const struct pokemon_mon *mon, int move)
{
    for (int i = 0; i < mon->slots.count; ++i)
        if (mon->slots.id[i] == move)
            return i;
    for (int i = 0; i < 4; ++i)
        if (!(mon->seen >> i & 1))
            return i;
    return -1;
}

/* The moves that were used and seen since the Pokémon came in.  A Max move does not show which move
 * it came from. */
static unsigned disguise_used(const struct pokemon_mon *mon)
{
    return mon->slots.used & mon->seen & 15u;
}

static bool disguise_moves_fit(const struct pokemon_mon *from, const struct pokemon_mon *to)
{
    struct pokemon_mon trial = *to;
    for (int i = 0; i < from->slots.count; ++i) {
        if (!(disguise_used(from) >> i & 1))
            continue;
        int slot = disguise_slot(&trial, from->slots.id[i]);
        if (slot < 0)
            return false;
        trial.slots.id[slot] = from->slots.id[i];
        trial.seen |= (uint8_t)(SEEN_MOVE << slot);
        if (slot >= trial.slots.count)
            trial.slots.count = (uint8_t)(slot + 1);
    }
    return true;
}

/* Whether `to` could have come in and shown what the active Pokémon has shown. */
static bool disguise_fits(const struct pokemon_side *side, int to)
{
    const struct pokemon_mon *from = &side->mons[side->order[0]], *mon = &side->mons[to];
    const struct pokemon_arrival *at = &side->active.arrival;
    bool item = disguise_item_shown(from, at) && (mon->seen & SEEN_ITEM) && mon->item != at->item;
    return at->hp && from->hp && mon->hp && !at->struck &&
           !(side->active.flags & ACTIVE_TRANSFORMED) &&
           hp_percent(at->hp, from->base_max_hp) == hp_percent(mon->hp, mon->max_hp) &&
           at->status == mon->status &&
           disguise_slept(at->status, at->status_time, at->status_start) ==
               disguise_slept(mon->status, mon->status_time, mon->status_start) &&
           !(from->seen & ~at->seen & SEEN_ABILITY) && !item && disguise_moves_fit(from, mon);
}

bool disguise_holds(const struct pokemon_side *side)
{
    return side->active.illusion && disguise_fits(side, side->active.illusion - 1);
}

bool disguise_possible(const struct pokemon_side *side, int wearer)
{
    return disguise_fits(side, wearer);
}

/* --- exchanging the explanations --- */

static void disguise_pass_moves(struct pokemon_mon *from, struct pokemon_mon *to,
                                const uint8_t spent[4], uint8_t out[4])
{
    to->slots.used = 0;
    for (int i = 0; i < from->slots.count; ++i) {
        int pp = from->slots.pp[i] + spent[i];
        from->slots.pp[i] = (uint8_t)(pp < from->slots.max_pp[i] ? pp : from->slots.max_pp[i]);
        if (!(disguise_used(from) >> i & 1))
            continue;
        int move = from->slots.id[i], slot = disguise_slot(to, move);
        if (slot < 0)
            continue;
        if (slot >= to->slots.count || to->slots.id[slot] != move) {
            to->slots.id[slot] = (uint16_t)move;
            to->slots.pp[slot] = to->slots.max_pp[slot] = dex_moves[move].pp;
        }
        if (slot >= to->slots.count)
            to->slots.count = (uint8_t)(slot + 1);
        to->seen |= (uint8_t)(SEEN_MOVE << slot);
        to->slots.used |= (uint8_t)(1 << slot);
        out[slot] = spent[i];
        to->slots.pp[slot] =
            (uint8_t)(to->slots.pp[slot] > spent[i] ? to->slots.pp[slot] - spent[i] : 0);
    }
    from->slots.used = 0;
}

/* Applies to `to` what has happened to `from` since it came in. */
static void disguise_pass_body(const struct pokemon_mon *from, const struct pokemon_arrival *at,
                               struct pokemon_mon *to)
{
    enum { CARRIED = MON_FOE_STATUS };
    int least, most;
    bool large = from->max_hp > from->base_max_hp;
    to->max_hp = (uint16_t)(large ? 2 * to->base_max_hp : to->base_max_hp);
    hp_percent_range(hp_percent(from->hp, from->max_hp), to->max_hp, &least, &most);
    to->hp = (uint16_t)most;
    to->status = from->status;
    to->status_time = from->status_time;
    to->status_start = from->status_start;
    to->flags = (uint8_t)((to->flags & ~CARRIED) | (from->flags & CARRIED) |
                          (from->flags & ~at->flags & MON_ATE_BERRY));
    if (disguise_item_shown(from, at)) {
        to->item = from->item;
        to->last_item = from->last_item;
        to->seen |= SEEN_ITEM;
    }
}

/* Restores a Pokémon to what it was when it came in. */
static void disguise_restore(struct pokemon_mon *mon, const struct pokemon_arrival *at)
{
    enum { CARRIED = MON_FOE_STATUS | MON_ATE_BERRY };
    mon->max_hp = mon->base_max_hp;
    mon->hp = at->hp < mon->max_hp ? at->hp : mon->max_hp;
    mon->status = at->status;
    mon->status_time = at->status_time;
    mon->status_start = at->status_start;
    mon->flags = (uint8_t)((mon->flags & ~CARRIED) | (at->flags & CARRIED));
    mon->seen = at->seen;
    if (at->seen & SEEN_ITEM) {
        mon->item = at->item;
        mon->last_item = at->last_item;
    }
}

/* Converts the hp after the last damage and the hp of a substitute to the maximum of `to`. */
static void disguise_pass_shares(struct pokemon_active *active, const struct pokemon_mon *from,
                                 const struct pokemon_mon *to)
{
    int least, most, whole = active->substitute >= from->max_hp / 4;
    hp_percent_range(hp_percent(active->hurt, from->max_hp), to->max_hp, &least, &most);
    active->hurt = (uint16_t)most;
    if (active->volatiles >> VOLATILE_SUBSTITUTE & 1)
        active->substitute = (uint16_t)(whole ? to->max_hp / 4 : 1);
}

static void disguise_pass_active(struct pokemon_side *side, int from, int to)
{
    struct pokemon_active *active = &side->active;
    const struct dex_species *old = &dex_species[side->mons[from].species],
                             *now = &dex_species[side->mons[to].species];
    if (memcmp(active->types, old->types, sizeof active->types) == 0)
        memcpy(active->types, now->types, sizeof active->types);
    if (active->weight == old->weight)
        active->weight = now->weight;
    memcpy(active->stats, side->mons[to].stats, sizeof active->stats);
    for (int i = 1; i < POKEMON_TEAM; ++i)
        if (side->order[i] == to)
            side->order[i] = (uint8_t)from;
    side->order[0] = (uint8_t)to;
}

static void disguise_pass_side(struct pokemon_side *side, int to)
{
    int from = side->order[0];
    struct pokemon_mon *old = &side->mons[from], *mon = &side->mons[to];
    struct pokemon_arrival at = side->active.arrival, other;
    disguise_arrival(mon, &other);
    disguise_pass_body(old, &at, mon);
    disguise_pass_shares(&side->active, old, mon);
    disguise_pass_moves(old, mon, at.spent, other.spent);
    disguise_restore(old, &at);
    disguise_pass_active(side, from, to);
    side->active.arrival = other;
}

/* The moves and the item that the disguised Pokémon has shown count as seen of the Pokémon that it
 * looked like, if that one has them, too. */
static void disguise_credit(const struct pokemon_side *side, struct pokemon_mon *shown)
{
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    for (int i = 0; i < mon->slots.count; ++i)
        for (int k = 0; k < shown->slots.count && (disguise_used(mon) >> i & 1); ++k)
            if (shown->slots.id[k] == mon->slots.id[i])
                shown->seen |= (uint8_t)(SEEN_MOVE << k);
    if (disguise_item_shown(mon, &side->active.arrival) && mon->item == shown->item &&
        mon->last_item == shown->last_item)
        shown->seen |= SEEN_ITEM;
    shown->seen |= SEEN_SPECIES;
}

void disguise_leave(struct pokemon_side *side)
{
    if (!disguise_holds(side)) { /* the Pokémon that it looked like could not have shown this */
        disguise_end(side);
        return;
    }
    disguise_credit(side, &side->mons[side->active.illusion - 1]);
    side->mons[side->order[0]].seen = side->active.arrival.seen;
    side->active.illusion = 0;
}

void disguise_pass_foe(struct pokemon_active *foe, int from, int to)
{
    if ((foe->volatiles >> VOLATILE_PARTIALLYTRAPPED & 1) && foe->trap_source == from)
        foe->trap_source = (uint8_t)to;
    if (foe->hit_by >> from & 1)
        foe->hit_by = (uint8_t)((foe->hit_by & ~(1u << from)) | 1u << to);
}

void disguise_pass(struct pokemon *s, int side, int to)
{
    int from = s->sides[side].order[0];
    disguise_pass_side(&s->sides[side], to);
    for (int i = 0; i < s->queued; ++i)
        if (s->queue[i].side == side && s->queue[i].choice != CHOICE_RESIDUAL &&
            s->queue[i].mon == from)
            s->queue[i].mon = (uint8_t)to;
    disguise_pass_foe(&s->sides[!side].active, from, to);
}

const struct pokemon_side *disguise_face(const struct pokemon_side *side, struct pokemon_side *out)
{
    if (!disguise_holds(side))
        return side;
    int shown = side->active.illusion - 1;
    memcpy(out, side, sizeof *out);
    disguise_pass_side(out, shown);
    out->active.illusion = 0;
    out->mons[shown].seen |= SEEN_SPECIES;
    return out;
}
