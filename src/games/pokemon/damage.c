/* How much damage an attack does. */
#include "games/pokemon/effects.h"

#include "base/compiler.h"

/* --- types --- */

int damage_effectiveness(const struct battle *b, int target, const struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    int ability = state_ability_unbroken(b, target), total = 0;
    for (uint32_t types = state_types(b, target); types; types &= types - 1) {
        int type = bits_first64(types);
        int mod = move->type == TYPE_NONE ? 0 : dex_effectiveness[move->type][type];
        if (hooks->effectiveness)
            mod = hooks->effectiveness(b, target, type, mod);
        if (ability_hooks[ability].effectiveness)
            mod = ability_hooks[ability].effectiveness(b, target, move, mod);
        total += mod;
    }
    return total < -6 ? -6 : total > 6 ? 6 : total;
}

bool damage_immune(const struct battle *b, int target, const struct battle_move *move)
{
    if (move->ignores_immunity || move->type == TYPE_NONE)
        return false;
    if (move->hits_ghosts && (move->type == TYPE_NORMAL || move->type == TYPE_FIGHTING))
        return false;
    if (move->type == TYPE_GROUND)
        return move->id != MOVE_THOUSANDARROWS && !state_grounded(b, target);
    return (state_types(b, target) & dex_immune_types[move->type]) != 0;
}

/* --- critical hits --- */

static int damage_crit_stage(const struct battle *b, int user, const struct battle_move *move)
{
    int item = mon_of(b, user)->item;
    int stage =
        move->row->crit + ability_hooks[state_ability(b, user)].crit + item_hooks[item].crit;
    if (item_hooks[item].crit_for)
        stage += item_hooks[item].crit_for(b, user);
    if (has_volatile(b, user, VOLATILE_FOCUSENERGY))
        stage += 2;
    return stage > 4 ? 4 : stage;
}

static bool damage_crits(struct battle *b, int user, int target, const struct battle_move *move)
{
    static const uint8_t odds[] = {0, 24, 8, 2, 1};
    bool crit = (move->props & MOVE_IS_WILL_CRIT) != 0;
    int stage = damage_crit_stage(b, user, move);
    if (!crit && stage)
        crit = banyan_dice_chance(b->dice, DIE_CRIT, 1, odds[stage]);
    if (!crit)
        return false;
    const struct ability_hooks *guard = &ability_hooks[state_ability_unbroken(b, target)];
    return !guard->no_crit && !(guard->prevents_crit && guard->prevents_crit(b, target, move));
}

/* --- power --- */

static int damage_terrain(const struct battle *b, int user, int target,
                          const struct battle_move *move, int modifier)
{
    static const uint8_t boosted[TERRAIN_COUNT] = {[TERRAIN_ELECTRICTERRAIN] = TYPE_ELECTRIC,
                                                   [TERRAIN_GRASSYTERRAIN] = TYPE_GRASS,
                                                   [TERRAIN_PSYCHICTERRAIN] = TYPE_PSYCHIC};
    int terrain = state_terrain(b);
    if (terrain == TERRAIN_NONE)
        return modifier;
    bool reaches = state_grounded(b, target) && !state_hidden(b, target);
    if (terrain == TERRAIN_MISTYTERRAIN)
        return move->type == TYPE_DRAGON && reaches ? modifier_chain(modifier, MODIFIER_0_5)
                                                    : modifier;
    if (terrain == TERRAIN_GRASSYTERRAIN && reaches && move->id == MOVE_EARTHQUAKE)
        return modifier_chain(modifier, MODIFIER_0_5);
    bool hidden = terrain != TERRAIN_GRASSYTERRAIN && state_hidden(b, user);
    if (move->type == boosted[terrain] && state_grounded(b, user) && !hidden)
        return modifier_chain(modifier, MODIFIER_1_3_UP);
    return modifier;
}

/* Applies the modifiers in the order of their priorities: the user's ability if its priority is above
 * 20, auras, the user's ability from 8 to 20, the target's ability, the item, the user's ability up to
 * 7, terrain, the move itself. */
static int damage_power(struct battle *b, int user, int target, struct battle_move *move, int power)
{
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    const struct ability_hooks *theirs = &ability_hooks[state_ability_unbroken(b, target)];
    const struct item_hooks *item = &item_hooks[mon_of(b, user)->item];
    const struct move_hooks *hooks = &move_hooks[move->id];
    int modifier = MODIFIER_1;
    move->current = (int16_t)power;
    if (own->power && own->power_priority > 20)
        modifier = own->power(b, user, target, move, modifier);
    if (own->any_power)
        modifier = own->any_power(b, user, target, move, modifier);
    if (theirs->any_power && theirs->any_power != own->any_power && user != target)
        modifier = theirs->any_power(b, target, user, move, modifier);
    if (own->power && own->power_priority <= 20 && own->power_priority > 7)
        modifier = own->power(b, user, target, move, modifier);
    if (theirs->foe_power)
        modifier = theirs->foe_power(b, target, user, move, modifier);
    if (item->power)
        modifier = item->power(b, user, target, move, modifier);
    if (own->power && own->power_priority <= 7)
        modifier = own->power(b, user, target, move, modifier);
    modifier = damage_terrain(b, user, target, move, modifier);
    if (hooks->boost)
        modifier = hooks->boost(b, user, target, move, modifier);
    return modifier_apply(power, modifier);
}

/* --- attack and defence --- */

static int damage_attack(const struct battle *b, int user, int target,
                         const struct battle_move *move)
{
    int physical = move->category == CATEGORY_PHYSICAL;
    int stat = move->row->attack_stat ? move->row->attack_stat - STAT_ATK
               : physical             ? BOOST_ATK
                                      : BOOST_SPA;
    int from = move->props & MOVE_IS_FOE_ATTACK ? target : user;
    int boost = active_of(b, from)->boosts[stat];
    if (move->is_critical && boost < 0)
        boost = 0;
    int value =
        stats_boosted(active_of(b, from)->stats[stat], stats_seen_boost(b, user, stat, boost));
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    const struct ability_hooks *theirs = &ability_hooks[state_ability_unbroken(b, target)];
    const struct item_hooks *item = &item_hooks[mon_of(b, user)->item];
    hook_modifier *mine = physical ? own->atk : own->spa;
    hook_modifier *held = physical ? item->atk : item->spa;
    int modifier = MODIFIER_1;
    if (theirs->foe_attack)
        modifier = theirs->foe_attack(b, target, user, move, modifier);
    if (has_volatile(b, user, VOLATILE_FLASHFIRE) && move->type == TYPE_FIRE &&
        state_ability(b, user) == ABILITY_FLASHFIRE)
        modifier = modifier_chain(modifier, MODIFIER_1_5);
    if (mine)
        modifier = mine(b, user, target, move, modifier);
    if (physical && own->raw_atk)
        value = own->raw_atk(value);
    if (held)
        modifier = held(b, user, target, move, modifier);
    return modifier_apply(value, modifier);
}

static int damage_defence(const struct battle *b, int user, int target,
                          const struct battle_move *move)
{
    int stat = move->row->defence_stat               ? move->row->defence_stat - STAT_ATK
               : move->category == CATEGORY_PHYSICAL ? BOOST_DEF
                                                     : BOOST_SPD;
    int boost = active_of(b, target)->boosts[stat];
    if ((move->is_critical && boost > 0) || (move->props & MOVE_IS_IGNORE_DEFENSIVE))
        boost = 0;
    int value =
        stats_boosted(active_of(b, target)->stats[stat], stats_seen_boost(b, target, stat, boost));
    if (stat == BOOST_SPD && state_weather(b) == WEATHER_SANDSTORM &&
        state_has_type(b, target, TYPE_ROCK))
        value = modifier_apply(value, MODIFIER_1_5);
    const struct ability_hooks *own = &ability_hooks[state_ability_unbroken(b, target)];
    const struct item_hooks *item = &item_hooks[mon_of(b, target)->item];
    hook_modifier *mine = stat == BOOST_DEF ? own->def : own->spd;
    hook_modifier *held = stat == BOOST_DEF ? item->def : item->spd;
    int modifier = MODIFIER_1;
    if (mine)
        modifier = mine(b, target, user, move, modifier);
    if (held)
        modifier = held(b, target, user, move, modifier);
    return modifier_apply(value, modifier);
}

/* --- modifiers of the damage --- */

static int damage_weather(const struct battle *b, const struct battle_move *move, int damage)
{
    int weather = state_weather(b);
    if (weather == WEATHER_RAINDANCE && move->type == TYPE_WATER)
        return modifier_apply(damage, MODIFIER_1_5);
    if (weather == WEATHER_RAINDANCE && move->type == TYPE_FIRE)
        return modifier_apply(damage, MODIFIER_0_5);
    if (weather == WEATHER_SUNNYDAY && move->type == TYPE_FIRE)
        return modifier_apply(damage, MODIFIER_1_5);
    if (weather == WEATHER_SUNNYDAY && move->type == TYPE_WATER)
        return modifier_apply(damage, MODIFIER_0_5);
    return damage;
}

static int damage_screens(const struct battle *b, int user, int target,
                          const struct battle_move *move, int modifier)
{
    const uint8_t *c = side_of(b, target)->condition;
    if (user == target || move->is_critical || move->infiltrates)
        return modifier;
    bool physical = move->category == CATEGORY_PHYSICAL;
    bool screened = physical ? c[SIDE_REFLECT] : c[SIDE_LIGHTSCREEN];
    if (screened || c[SIDE_AURORAVEIL])
        modifier = modifier_chain(modifier, MODIFIER_0_5);
    return modifier;
}

static int damage_by_side(const struct battle *b, int side, int user, int target,
                          const struct battle_move *move, int modifier)
{
    if (side == user) {
        const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
        const struct item_hooks *item = &item_hooks[mon_of(b, user)->item];
        if (own->damage)
            modifier = own->damage(b, user, target, move, modifier);
        return item->damage ? item->damage(b, user, target, move, modifier) : modifier;
    }
    const struct ability_hooks *theirs = &ability_hooks[state_ability_unbroken(b, target)];
    if (is_dynamaxed(b, target) &&
        (move->id == MOVE_BEHEMOTHBASH || move->id == MOVE_BEHEMOTHBLADE ||
         move->id == MOVE_DYNAMAXCANNON))
        modifier = modifier_chain(modifier, MODIFIER_2);
    return theirs->foe_damage ? theirs->foe_damage(b, target, user, move, modifier) : modifier;
}

static int damage_final(const struct battle *b, int user, int target,
                        const struct battle_move *move, int damage)
{
    int first[2], modifier = MODIFIER_1;
    state_order(b, first, -1);
    for (int i = 0; i < 2; ++i)
        modifier = damage_by_side(b, first[i], user, target, move, modifier);
    modifier = damage_screens(b, user, target, move, modifier);
    return modifier_apply(damage, modifier);
}

static int damage_stab(const struct battle *b, int user, int target, const struct battle_move *move,
                       int damage)
{
    if (move->type == TYPE_NONE)
        return damage;
    int modifier = state_has_type(b, user, move->type) ? MODIFIER_1_5 : MODIFIER_1;
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    if (own->stab)
        modifier = own->stab(b, user, target, move, modifier);
    return modifier_apply(damage, modifier);
}

static int damage_modify(struct battle *b, int user, int target, struct battle_move *move, int base)
{
    int damage = damage_weather(b, move, base + 2);
    if (move->is_critical)
        damage = damage * 3 / 2;
    damage = damage * (100 - banyan_dice_pick(b->dice, DIE_DAMAGE, 16)) / 100;
    damage = damage_stab(b, user, target, move, damage);
    move->effectiveness = (int8_t)damage_effectiveness(b, target, move);
    for (int i = 0; i < move->effectiveness; ++i)
        damage *= 2;
    for (int i = 0; i > move->effectiveness; --i)
        damage /= 2;
    if (mon_of(b, user)->status == STATUS_BRN && move->category == CATEGORY_PHYSICAL &&
        state_ability(b, user) != ABILITY_GUTS && move->id != MOVE_FACADE)
        damage = modifier_apply(damage, MODIFIER_0_5);
    damage = damage_final(b, user, target, move, damage);
    if (move->hits_through_protect)
        damage = modifier_apply(damage, MODIFIER_0_25);
    return damage ? damage & 0xffff : 1;
}

/* Returns the damage, HIT_FAIL, HIT_NULL, or HIT_NOTHING if the move does no damage. */
int damage_get(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    if (damage_immune(b, target, move))
        return HIT_FAIL;
    if (hooks->damage)
        return hooks->damage(b, user, target, move);
    if (move->props & MOVE_IS_DAMAGE_LEVEL)
        return mon_of(b, user)->level;
    int power = hooks->power ? hooks->power(b, user, target, move) : move->power;
    if (!power && !hooks->power)
        return HIT_NOTHING;
    if (power < 1)
        power = 1;
    move->is_critical = damage_crits(b, user, target, move);
    power = damage_power(b, user, target, move, power);
    if (power < 1)
        power = 1;
    if (move->is_max && !is_dynamaxed(b, user))
        power = 0;
    int attack = damage_attack(b, user, target, move);
    int defence = damage_defence(b, user, target, move);
    int64_t base = (int64_t)(2 * mon_of(b, user)->level / 5 + 2) * power * attack;
    return damage_modify(b, user, target, move, (int)(base / defence / 50));
}

int damage_confusion(struct battle *b, int side)
{
    const struct pokemon_active *active = active_of(b, side);
    int attack = stats_boosted(active->stats[BOOST_ATK],
                               stats_seen_boost(b, side, BOOST_ATK, active->boosts[BOOST_ATK]));
    int defence = stats_boosted(active->stats[BOOST_DEF],
                                stats_seen_boost(b, side, BOOST_DEF, active->boosts[BOOST_DEF]));
    int base = (2 * mon_of(b, side)->level / 5 + 2) * 40 * attack / defence / 50 + 2;
    int damage = (base & 0xffff) * (100 - banyan_dice_pick(b->dice, DIE_DAMAGE, 16)) / 100;
    return damage < 1 ? 1 : damage;
}
