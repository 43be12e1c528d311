/* Fast estimates of the share of hp that an attack takes from a foe. */
#include "games/pokemon/players/estimate.h"

#include "base/compiler.h"

/* --- the Pokémon --- */

static const float estimate_stages[13] = {0.25f, 2.0f / 7, 1.0f / 3, 0.4f, 0.5f, 2.0f / 3, 1,
                                          1.5f,  2,        2.5f,     3,    3.5f, 4};

static uint32_t estimate_type_set(const uint8_t types[2])
{
    uint32_t set = (1u << types[0] | 1u << types[1]) & ~(1u << TYPE_NONE);
    return set ? set : 1u << TYPE_NORMAL;
}

/* Changes the stats as the item, the ability and the status do. */
static void estimate_equip(struct estimate_fighter *f, const struct dex_species *row)
{
    float *stats = f->stats;
    switch (f->item) {
    case ITEM_CHOICEBAND:
        stats[BOOST_ATK] *= 1.5f;
        break;
    case ITEM_CHOICESPECS:
        stats[BOOST_SPA] *= 1.5f;
        break;
    case ITEM_CHOICESCARF:
        stats[BOOST_SPE] *= 1.5f;
        break;
    case ITEM_ASSAULTVEST:
        stats[BOOST_SPD] *= 1.5f;
        break;
    case ITEM_EVIOLITE:
        if (row->flags & SPECIES_IS_NFE) {
            stats[BOOST_DEF] *= 1.5f;
            stats[BOOST_SPD] *= 1.5f;
        }
        break;
    case ITEM_LIFEORB:
        stats[BOOST_ATK] *= 1.3f;
        stats[BOOST_SPA] *= 1.3f;
        break;
    case ITEM_THICKCLUB:
        stats[BOOST_ATK] *= 2;
        break;
    case ITEM_LIGHTBALL:
        stats[BOOST_ATK] *= 2;
        stats[BOOST_SPA] *= 2;
        break;
    default:
        break;
    }
    const struct estimate_force *force = &estimate_forces[f->ability];
    if (force->physical > 0)
        stats[BOOST_ATK] *= force->physical;
    if (force->special > 0)
        stats[BOOST_SPA] *= force->special;
    if (f->ability == ABILITY_GUTS && f->status)
        stats[BOOST_ATK] *= 1.5f;
    else if (f->status == STATUS_BRN)
        stats[BOOST_ATK] *= 0.5f;
    if (f->ability == ABILITY_DEFEATIST && f->hp * 2 <= f->max_hp) {
        stats[BOOST_ATK] *= 0.5f;
        stats[BOOST_SPA] *= 0.5f;
    }
}

/* Whether the ability may change attacks by its holder (force), or attacks on its holder (guard). */
static bool estimate_has_force(int ability)
{
    const struct estimate_force *force = &estimate_forces[ability];
    return force->type || force->flags || ability == ABILITY_MOLDBREAKER ||
           ability == ABILITY_TERAVOLT || ability == ABILITY_TURBOBLAZE ||
           ability == ABILITY_TINTEDLENS || ability == ABILITY_TECHNICIAN;
}

static bool estimate_has_guard(int ability)
{
    const struct estimate_guard *guard = &estimate_guards[ability];
    return guard->immune || guard->type || guard->immune_flags || guard->physical > 0 ||
           guard->special > 0 || guard->effective > 0 || ability == ABILITY_MULTISCALE ||
           ability == ABILITY_SHADOWSHIELD || ability == ABILITY_WONDERGUARD;
}

static void estimate_fill(struct estimate_fighter *f, const struct pokemon_mon *mon)
{
    f->hp = mon->hp;
    f->max_hp = mon->max_hp;
    f->item = mon->item;
    f->ability = mon->ability;
    f->status = mon->status;
    f->level = mon->level;
    f->forces = estimate_has_force(mon->ability);
    f->guards = estimate_has_guard(mon->ability);
}

/* The moves that have no PP or may not be chosen. */
static uint8_t estimate_closed(const struct pokemon_slots *slots)
{
    unsigned closed = slots->disabled;
    for (int i = 0; i < slots->count; ++i)
        closed |= (unsigned)(slots->pp[i] == 0) << i;
    return (uint8_t)closed;
}

void estimate_active(const struct pokemon *s, int side, struct estimate_fighter *f)
{
    const struct pokemon_side *p = &s->sides[side];
    const struct pokemon_active *a = &p->active;
    const struct pokemon_mon *mon = &p->mons[p->order[0]];
    estimate_fill(f, mon);
    f->types = estimate_type_set(a->types);
    f->boosted = 0;
    for (int i = 0; i < 5; ++i) {
        f->stats[i] = (float)a->stats[i] * estimate_stages[a->boosts[i] + 6] + 1;
        f->boosted = (uint8_t)(f->boosted + (a->boosts[i] > 0 ? a->boosts[i] : 0));
    }
    estimate_equip(f, &dex_species[mon->species]);
    f->stats[BOOST_SPE] = a->speed;
    f->slots = a->flags & ACTIVE_TRANSFORMED ? &a->slots : &mon->slots;
    f->closed = estimate_closed(f->slots);
    f->weight = a->weight;
    f->fresh = a->actions == 0;
    f->grounded = !(f->types >> TYPE_FLYING & 1) && f->ability != ABILITY_LEVITATE &&
                  !(a->volatiles >> VOLATILE_MAGNETRISE & 1);
}

void estimate_bench(const struct pokemon *s, int side, int index, struct estimate_fighter *f)
{
    const struct pokemon_mon *mon = &s->sides[side].mons[index];
    const struct dex_species *row = &dex_species[mon->species];
    estimate_fill(f, mon);
    f->types = estimate_type_set(row->types);
    for (int i = 0; i < 5; ++i)
        f->stats[i] = (float)mon->stats[i] + 1;
    estimate_equip(f, row);
    if (f->status == STATUS_PAR)
        f->stats[BOOST_SPE] *= 0.5f;
    f->boosted = 0;
    f->slots = &mon->slots;
    f->closed = estimate_closed(f->slots);
    f->weight = row->weight;
    f->fresh = true;
    f->grounded = !(f->types >> TYPE_FLYING & 1) && f->ability != ABILITY_LEVITATE;
}

void estimate_field(const struct pokemon *s, int side, struct estimate_field *out)
{
    const uint8_t *condition = s->sides[side].condition;
    out->weather = s->weather;
    out->terrain = s->terrain;
    out->screen[CATEGORY_STATUS] = 1;
    bool veil = condition[SIDE_AURORAVEIL] != 0;
    out->screen[CATEGORY_PHYSICAL] = veil || condition[SIDE_REFLECT] ? 0.5f : 1;
    out->screen[CATEGORY_SPECIAL] = veil || condition[SIDE_LIGHTSCREEN] ? 0.5f : 1;
}

/* --- the attack --- */

/* The product of the factors against the target's types; a Pokémon has one type or two. */
float estimate_type_factor(int type, uint32_t target_types)
{
    static const float steps[3] = {0.5f, 1, 2};
    if ((target_types & dex_immune_types[type]) || !target_types)
        return target_types ? 0 : 1;
    int low = bits_first64(target_types), high = bits_last64(target_types);
    float factor = steps[dex_effectiveness[type][low] + 1];
    return low == high ? factor : factor * steps[dex_effectiveness[type][high] + 1];
}

static float estimate_kick(int weight)
{
    return weight >= 2000   ? 120
           : weight >= 1000 ? 100
           : weight >= 500  ? 80
           : weight >= 250  ? 60
           : weight >= 100  ? 40
                            : 20;
}

static float estimate_slam(const struct estimate_fighter *by, const struct estimate_fighter *on)
{
    int ratio = by->weight / (on->weight ? on->weight : 1);
    return ratio >= 5 ? 120 : ratio == 4 ? 100 : ratio == 3 ? 80 : ratio == 2 ? 60 : 40;
}

/* Moves with a rule in estimate_power or estimate_fixed; all others follow from their table row. */
static const bool estimate_special[MOVE_COUNT] = {
    [MOVE_GRASSKNOT] = true,
    [MOVE_LOWKICK] = true,
    [MOVE_HEAVYSLAM] = true,
    [MOVE_HEATCRASH] = true,
    [MOVE_GYROBALL] = true,
    [MOVE_ACROBATICS] = true,
    [MOVE_HEX] = true,
    [MOVE_FACADE] = true,
    [MOVE_KNOCKOFF] = true,
    [MOVE_WATERSPOUT] = true,
    [MOVE_DRAGONENERGY] = true,
    [MOVE_STOREDPOWER] = true,
    [MOVE_BOLTBEAK] = true,
    [MOVE_FISHIOUSREND] = true,
    [MOVE_AVALANCHE] = true,
    [MOVE_PAYBACK] = true,
    [MOVE_TRIPLEAXEL] = true,
    [MOVE_RISINGVOLTAGE] = true,
    [MOVE_EXPANDINGFORCE] = true,
    [MOVE_FOCUSPUNCH] = true,
    [MOVE_SUCKERPUNCH] = true,
    [MOVE_SOLARBEAM] = true,
    [MOVE_METEORBEAM] = true,
    [MOVE_FLY] = true,
    [MOVE_BOUNCE] = true,
    [MOVE_PHANTOMFORCE] = true,
    [MOVE_FAKEOUT] = true,
    [MOVE_FIRSTIMPRESSION] = true,
    [MOVE_POLTERGEIST] = true,
    [MOVE_SUPERFANG] = true,
    [MOVE_NATURESMADNESS] = true,
    [MOVE_COUNTER] = true,
    [MOVE_MIRRORCOAT] = true,
};

/* Power of moves that cost a turn, or succeed only under a condition; otherwise the table's power. */
static float estimate_slow_power(const struct estimate_fighter *by,
                                 const struct estimate_fighter *on,
                                 const struct estimate_field *field, int move)
{
    float power = dex_moves[move].power;
    switch (move) {
    case MOVE_FOCUSPUNCH:
        return 0.4f * power;
    case MOVE_SUCKERPUNCH:
        return 0.75f * power;
    case MOVE_SOLARBEAM:
        return field->weather == WEATHER_SUNNYDAY || by->item == ITEM_POWERHERB ? power
                                                                                : 0.5f * power;
    case MOVE_METEORBEAM:
        return by->item == ITEM_POWERHERB ? power : 0.5f * power;
    case MOVE_FLY:
    case MOVE_BOUNCE:
    case MOVE_PHANTOMFORCE:
        return 0.5f * power;
    case MOVE_FAKEOUT:
    case MOVE_FIRSTIMPRESSION:
        return by->fresh ? power : 0;
    case MOVE_POLTERGEIST:
        return on->item ? power : 0;
    default:
        return power;
    }
}

/* Power of moves whose power depends on the battle. */
static float estimate_power(const struct estimate_fighter *by, const struct estimate_fighter *on,
                            const struct estimate_field *field, int move)
{
    float power = dex_moves[move].power;
    bool faster = by->stats[BOOST_SPE] > on->stats[BOOST_SPE];
    switch (move) {
    case MOVE_GRASSKNOT:
    case MOVE_LOWKICK:
        return estimate_kick(on->weight);
    case MOVE_HEAVYSLAM:
    case MOVE_HEATCRASH:
        return estimate_slam(by, on);
    case MOVE_GYROBALL: {
        float turn = 25 * on->stats[BOOST_SPE] / (by->stats[BOOST_SPE] + 1) + 1;
        return turn > 150 ? 150 : turn;
    }
    case MOVE_ACROBATICS:
        return by->item ? power : 2 * power;
    case MOVE_HEX:
        return on->status ? 2 * power : power;
    case MOVE_FACADE:
        return by->status == STATUS_BRN ? 4 * power : by->status ? 2 * power : power;
    case MOVE_KNOCKOFF:
        return on->item ? 1.5f * power : power;
    case MOVE_WATERSPOUT:
    case MOVE_DRAGONENERGY:
        return power * by->hp / by->max_hp;
    case MOVE_STOREDPOWER:
        return power + 20.0f * by->boosted;
    case MOVE_BOLTBEAK:
    case MOVE_FISHIOUSREND:
        return faster ? 2 * power : power;
    case MOVE_AVALANCHE:
    case MOVE_PAYBACK:
        return faster ? power : 2 * power;
    case MOVE_TRIPLEAXEL:
        return 120;
    case MOVE_RISINGVOLTAGE:
        return field->terrain == TERRAIN_ELECTRICTERRAIN && on->grounded ? 2 * power : power;
    case MOVE_EXPANDINGFORCE:
        return field->terrain == TERRAIN_PSYCHICTERRAIN ? 1.5f * power : power;
    default:
        return estimate_slow_power(by, on, field, move);
    }
}

/* The share of a move whose damage does not follow the usual formula; < 0: the move follows it. */
static float estimate_fixed(const struct estimate_fighter *by, const struct estimate_fighter *on,
                            int move)
{
    if (dex_moves[move].props & MOVE_IS_DAMAGE_LEVEL)
        return by->level / on->max_hp;
    if (move == MOVE_SUPERFANG || move == MOVE_NATURESMADNESS)
        return 0.5f * on->hp / on->max_hp;
    if (move == MOVE_COUNTER || move == MOVE_MIRRORCOAT)
        return 0.1f;
    return -1;
}

static float estimate_hits(const struct estimate_fighter *by, const struct dex_move *row)
{
    if (!row->hits[1] || (row->props & MOVE_IS_MULTIACCURACY))
        return 1;
    if (row->hits[0] == row->hits[1])
        return row->hits[0];
    return by->ability == ABILITY_SKILLLINK ? 5 : 3;
}

static float estimate_abilities(const struct estimate_fighter *by,
                                const struct estimate_fighter *on, const struct dex_move *row,
                                int type, bool max, float effect)
{
    static const struct estimate_guard none;
    bool breaks = by->ability == ABILITY_MOLDBREAKER || by->ability == ABILITY_TERAVOLT ||
                  by->ability == ABILITY_TURBOBLAZE;
    const struct estimate_force *force = &estimate_forces[by->ability];
    const struct estimate_guard *guard = breaks ? &none : &estimate_guards[on->ability];
    float factor = 1;
    if (guard->immune == type + 1 || (!max && (row->flags & guard->immune_flags)))
        return 0;
    if (guard->type == type + 1)
        factor *= guard->typed;
    if (row->category == CATEGORY_PHYSICAL && guard->physical > 0)
        factor *= guard->physical;
    if (row->category == CATEGORY_SPECIAL && guard->special > 0)
        factor *= guard->special;
    if (effect > 1 && guard->effective > 0)
        factor *= guard->effective;
    if ((on->ability == ABILITY_MULTISCALE || on->ability == ABILITY_SHADOWSHIELD) && !breaks &&
        on->hp >= on->max_hp)
        factor *= 0.5f;
    if (on->ability == ABILITY_WONDERGUARD && !breaks && effect <= 1)
        return 0;
    if (force->type == type + 1)
        factor *= force->typed > 0 ? force->typed : by->hp * 3 <= by->max_hp ? force->pinch : 1;
    if (!max && (row->flags & force->flags))
        factor *= force->flagged;
    if (by->ability == ABILITY_TINTEDLENS && effect < 1)
        factor *= 2;
    if (by->ability == ABILITY_TECHNICIAN && !max && row->power <= 60)
        factor *= 1.5f;
    return factor;
}

static float estimate_outside(const struct estimate_fighter *by, const struct estimate_field *field,
                              int type)
{
    static const uint8_t boosted[TERRAIN_COUNT] = {TYPE_NONE, TYPE_ELECTRIC, TYPE_GRASS, TYPE_NONE,
                                                   TYPE_PSYCHIC};
    float factor = 1;
    if (field->weather == WEATHER_RAINDANCE || field->weather == WEATHER_SUNNYDAY) {
        bool rain = field->weather == WEATHER_RAINDANCE;
        if (type == TYPE_WATER)
            factor = rain ? 1.5f : 0.5f;
        else if (type == TYPE_FIRE)
            factor = rain ? 0.5f : 1.5f;
    }
    if (field->terrain && by->grounded && boosted[field->terrain] == type)
        factor *= 1.3f;
    return factor;
}

static inline float estimate_attack_share(const struct estimate_fighter *by,
                                          const struct estimate_fighter *on,
                                          const struct estimate_field *field, int move, bool max)
{
    const struct dex_move *row = &dex_moves[move];
    if (row->category == CATEGORY_STATUS)
        return 0;
    int type = row->type;
    if (type == TYPE_NORMAL && by->ability == ABILITY_PIXILATE)
        type = TYPE_FAIRY;
    float effect = type == TYPE_NONE ? 1 : estimate_type_factor(type, on->types);
    if (type == TYPE_GROUND && !on->grounded && move != MOVE_THOUSANDARROWS)
        effect = 0;
    if (move == MOVE_FREEZEDRY && !max && (on->types >> TYPE_WATER & 1))
        effect *= 4;
    if (effect <= 0)
        return 0;
    bool special = !max && (estimate_special[move] || (row->props & MOVE_IS_DAMAGE_LEVEL));
    float fixed = special ? estimate_fixed(by, on, move) : -1;
    if (fixed >= 0)
        return fixed;
    bool physical = row->category == CATEGORY_PHYSICAL;
    float power = max ? row->max_power : special ? estimate_power(by, on, field, move) : row->power;
    float attack = by->stats[physical ? BOOST_ATK : BOOST_SPA];
    float defence = on->stats[physical ? BOOST_DEF : BOOST_SPD];
    if (!max && row->attack_stat)
        attack = by->stats[row->attack_stat - STAT_ATK];
    if (!max && row->defence_stat)
        defence = on->stats[row->defence_stat - STAT_ATK];
    if (!max && (row->props & MOVE_IS_FOE_ATTACK))
        attack = on->stats[BOOST_ATK];
    if (field->weather == WEATHER_SANDSTORM && !physical && (on->types >> TYPE_ROCK & 1))
        defence *= 1.5f;
    float damage = (0.4f * by->level + 2) * power * attack / defence * 0.02f + 2;
    if (by->types >> type & 1)
        damage *= by->ability == ABILITY_ADAPTABILITY ? 2 : 1.5f;
    damage *= effect * 0.94f * field->screen[row->category]; /* average of damage rolls and
                                                              * critical hits */
    float around =
        by->forces || on->guards ? estimate_abilities(by, on, row, type, max, effect) : 1;
    if (field->weather || field->terrain)
        around *= estimate_outside(by, field, type);
    damage *= around;
    if (!max) {
        damage *= estimate_hits(by, row);
        if (row->accuracy && by->ability != ABILITY_NOGUARD)
            damage *= (float)row->accuracy * 0.01f;
    }
    return damage / on->max_hp;
}

float estimate_share(const struct estimate_fighter *by, const struct estimate_fighter *on,
                     const struct estimate_field *field, int move, bool max)
{
    return estimate_attack_share(by, on, field, move, max);
}

float estimate_best(const struct estimate_fighter *by, const struct estimate_fighter *on,
                    const struct estimate_field *field, bool max, float enough)
{
    float best = 0;
    for (int i = 0; i < by->slots->count && best < enough; ++i) {
        int move = by->slots->id[i];
        if ((by->closed >> i & 1) || dex_moves[move].category == CATEGORY_STATUS)
            continue;
        float share = estimate_attack_share(by, on, field, move, max);
        best = share > best ? share : best;
    }
    return best;
}

/* --- the same for several targets --- */

/* Whether estimate_plain_share gives the same result as estimate_share. */
static bool estimate_is_plain(const struct dex_move *row, int move, bool max)
{
    const uint32_t other = MOVE_IS_DAMAGE_LEVEL | MOVE_IS_FOE_ATTACK;
    if (move == MOVE_THOUSANDARROWS)
        return false;
    return max || !(estimate_special[move] || (row->props & other) || row->attack_stat ||
                    row->defence_stat || row->hits[1] || move == MOVE_FREEZEDRY);
}

void estimate_arm(const struct estimate_fighter *by, bool max, struct estimate_arms *out)
{
    out->count = 0;
    out->max = max;
    for (int i = 0; i < by->slots->count; ++i) {
        int move = by->slots->id[i];
        const struct dex_move *row = &dex_moves[move];
        if ((by->closed >> i & 1) || row->category == CATEGORY_STATUS)
            continue;
        struct estimate_attack *attack = &out->attacks[out->count++];
        bool physical = row->category == CATEGORY_PHYSICAL;
        float power = max ? row->max_power : row->power;
        int type = row->type;
        if (type == TYPE_NORMAL && by->ability == ABILITY_PIXILATE)
            type = TYPE_FAIRY;
        attack->move = (uint16_t)move;
        attack->type = (uint8_t)type;
        attack->physical = physical;
        attack->plain = estimate_is_plain(row, move, max);
        attack->product =
            (0.4f * by->level + 2) * power * by->stats[physical ? BOOST_ATK : BOOST_SPA];
        attack->stab = 1;
        if (by->types >> type & 1)
            attack->stab = by->ability == ABILITY_ADAPTABILITY ? 2 : 1.5f;
        attack->accuracy = 1;
        if (!max && row->accuracy && by->ability != ABILITY_NOGUARD)
            attack->accuracy = (float)row->accuracy * 0.01f;
    }
}

/* Multiplies in the same order as estimate_share, so that the results have the same bits. */
static float estimate_plain_share(const struct estimate_fighter *by,
                                  const struct estimate_attack *attack,
                                  const struct estimate_fighter *on,
                                  const struct estimate_field *field, bool max)
{
    int type = attack->type;
    float effect = type == TYPE_NONE ? 1 : estimate_type_factor(type, on->types);
    if (effect <= 0 || (type == TYPE_GROUND && !on->grounded))
        return 0;
    float defence = on->stats[attack->physical ? BOOST_DEF : BOOST_SPD];
    if (field->weather == WEATHER_SANDSTORM && !attack->physical && (on->types >> TYPE_ROCK & 1))
        defence *= 1.5f;
    float damage = attack->product / defence * 0.02f + 2;
    damage *= attack->stab;
    damage *=
        effect * 0.94f * field->screen[attack->physical ? CATEGORY_PHYSICAL : CATEGORY_SPECIAL];
    if (by->forces || on->guards || field->weather || field->terrain) {
        const struct dex_move *row = &dex_moves[attack->move];
        float around =
            by->forces || on->guards ? estimate_abilities(by, on, row, type, max, effect) : 1;
        if (field->weather || field->terrain)
            around *= estimate_outside(by, field, type);
        damage *= around;
    }
    return damage * attack->accuracy / on->max_hp;
}

float estimate_best_armed(const struct estimate_fighter *by, const struct estimate_arms *arms,
                          const struct estimate_fighter *on, const struct estimate_field *field,
                          float enough)
{
    float best = 0;
    for (int i = 0; i < arms->count && best < enough; ++i) {
        const struct estimate_attack *attack = &arms->attacks[i];
        float share = attack->plain ? estimate_plain_share(by, attack, on, field, arms->max)
                                    : estimate_share(by, on, field, attack->move, arms->max);
        best = share > best ? share : best;
    }
    return best;
}
