/* Moves whose power, damage, type or accuracy follows a rule of its own. */
#include "games/pokemon/moves.h"

#define POWER(name) int name(struct battle *b, int user, int target, struct battle_move *move)
#define BOOST(name)                                                                        \
    int name(const struct battle *b, int user, int target, const struct battle_move *move, \
             int modifier)
#define CHANGE(name) void name(struct battle *b, int user, int target, struct battle_move *move)

/* --- power --- */

POWER(power_acrobatics)
{
    UNUSED;
    return mon_of(b, user)->item ? move->power : move->power * 2;
}

POWER(power_avalanche)
{
    UNUSED;
    bool hit = active_of(b, user)->hit_by >> side_of(b, target)->order[0] & 1;
    return hit ? move->power * 2 : move->power;
}

POWER(power_before_target)
{
    UNUSED;
    bool first = (active_of(b, target)->flags & ACTIVE_NEW) || state_will_move(b, target);
    return first ? move->power * 2 : move->power;
}

POWER(power_payback)
{
    UNUSED;
    bool first = (active_of(b, target)->flags & ACTIVE_NEW) || state_will_move(b, target);
    return first ? move->power : move->power * 2;
}

POWER(power_by_hp)
{
    UNUSED;
    return move->power * mon_of(b, user)->hp / mon_of(b, user)->max_hp;
}

POWER(power_low_kick)
{
    UNUSED;
    int weight = stats_weight(b, target);
    return weight >= 2000   ? 120
           : weight >= 1000 ? 100
           : weight >= 500  ? 80
           : weight >= 250  ? 60
           : weight >= 100  ? 40
                            : 20;
}

POWER(power_heavy_slam)
{
    UNUSED;
    int theirs = stats_weight(b, target), own = stats_weight(b, user);
    return own >= theirs * 5   ? 120
           : own >= theirs * 4 ? 100
           : own >= theirs * 3 ? 80
           : own >= theirs * 2 ? 60
                               : 40;
}

POWER(power_gyro_ball)
{
    UNUSED;
    int own = stats_get(b, user, BOOST_SPE, false, false);
    int power = own ? 25 * stats_get(b, target, BOOST_SPE, false, false) / own + 1 : 1;
    return power > 150 ? 150 : power;
}

POWER(power_hex)
{
    UNUSED;
    return mon_of(b, target)->status ? move->power * 2 : move->power;
}

POWER(power_rising_voltage)
{
    UNUSED;
    bool boosted = state_terrain(b) == TERRAIN_ELECTRICTERRAIN && state_grounded(b, target);
    return boosted ? move->power * 2 : move->power;
}

POWER(power_stomping_tantrum)
{
    UNUSED;
    return active_of(b, user)->result_last == RESULT_FAILED ? move->power * 2 : move->power;
}

POWER(power_stored)
{
    UNUSED;
    int stages = 0;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (active_of(b, user)->boosts[i] > 0)
            stages += active_of(b, user)->boosts[i];
    return move->power + 20 * stages;
}

POWER(power_triple_axel)
{
    UNUSED;
    return 20 * move->hit;
}

BOOST(power_expanding_force)
{
    UNUSED;
    bool boosted = state_terrain(b) == TERRAIN_PSYCHICTERRAIN && state_grounded(b, user);
    return boosted ? modifier_chain(modifier, MODIFIER_1_5) : modifier;
}

BOOST(power_facade)
{
    UNUSED;
    int status = mon_of(b, user)->status;
    return status && status != STATUS_SLP ? modifier_chain(modifier, MODIFIER_2) : modifier;
}

BOOST(power_fusion_bolt)
{
    UNUSED;
    return b->s->last_success == MOVE_FUSIONFLARE ? modifier_chain(modifier, MODIFIER_2) : modifier;
}

BOOST(power_fusion_flare)
{
    UNUSED;
    return b->s->last_success == MOVE_FUSIONBOLT ? modifier_chain(modifier, MODIFIER_2) : modifier;
}

BOOST(power_knock_off)
{
    UNUSED;
    int item = mon_of(b, target)->item;
    bool boosted = item && item_may_leave(b, item, target, target);
    return boosted ? modifier_chain(modifier, MODIFIER_1_5) : modifier;
}

BOOST(power_solar_beam)
{
    UNUSED;
    int weather = state_weather(b);
    bool weak = weather && weather != WEATHER_SUNNYDAY;
    return weak ? modifier_chain(modifier, MODIFIER_0_5) : modifier;
}

/* --- fixed damage --- */

POWER(damage_counter)
{
    UNUSED;
    if (!has_volatile(b, user, VOLATILE_COUNTER))
        return 0;
    int damage = active_of(b, user)->counter_damage;
    return damage ? damage : 1;
}

POWER(damage_mirror_coat)
{
    UNUSED;
    if (!has_volatile(b, user, VOLATILE_MIRRORCOAT))
        return 0;
    int damage = active_of(b, user)->mirror_damage;
    return damage ? damage : 1;
}

POWER(damage_half)
{
    UNUSED;
    int half = state_undynamaxed(b, target, mon_of(b, target)->hp) / 2;
    return half < 1 ? 1 : half;
}

/* --- type, category, accuracy --- */

CHANGE(type_aura_wheel)
{
    UNUSED;
    move->type = mon_of(b, user)->species == SPECIES_MORPEKOHANGRY ? TYPE_DARK : TYPE_ELECTRIC;
}

CHANGE(type_multi_attack)
{
    UNUSED;
    int item = mon_of(b, user)->item;
    move->type = dex_items[item].kept_by == 773 ? dex_items[item].memory : TYPE_NORMAL;
}

CHANGE(modify_struggle)
{
    UNUSED;
    move->type = TYPE_NONE;
}

CHANGE(modify_blizzard)
{
    UNUSED;
    if (state_weather(b) == WEATHER_HAIL)
        move->accuracy = 0;
}

CHANGE(modify_thunder)
{
    UNUSED;
    int weather = state_weather(b);
    if (weather == WEATHER_RAINDANCE)
        move->accuracy = 0;
    else if (weather == WEATHER_SUNNYDAY)
        move->accuracy = 50;
}

CHANGE(modify_photon_geyser)
{
    UNUSED;
    if (stats_get(b, user, BOOST_ATK, false, true) > stats_get(b, user, BOOST_SPA, false, true))
        move->category = CATEGORY_PHYSICAL;
}

static int modify_shell_damage(const struct battle *b, int user, int target, int attack,
                               int defence)
{
    int level = mon_of(b, user)->level;
    return (2 * level / 5 + 2) * 90 * stats_get(b, user, attack, false, true) /
           stats_get(b, target, defence, false, true) / 50;
}

CHANGE(modify_shell_side_arm)
{
    UNUSED;
    int physical = modify_shell_damage(b, user, target, BOOST_ATK, BOOST_DEF);
    int special = modify_shell_damage(b, user, target, BOOST_SPA, BOOST_SPD);
    if (physical > special ||
        (physical == special && banyan_dice_chance(b->dice, DIE_SHELL_SIDE_ARM, 1, 2))) {
        move->category = CATEGORY_PHYSICAL;
        move->flags |= MOVE_FLAG_CONTACT;
    }
}

CHANGE(modify_curse)
{
    UNUSED;
    if (!state_has_type(b, user, TYPE_GHOST))
        move->target = TARGET_SELF;
}

int effect_freeze_dry(const struct battle *b, int target, int type, int mod)
{
    (void)b, (void)target;
    return type == TYPE_WATER ? 1 : mod;
}

/* Against a Flying target that is not on the ground, each of its types counts as neutral. */
int effect_thousand_arrows(const struct battle *b, int target, int type, int mod)
{
    (void)type;
    if (!state_grounded(b, target) && state_has_type(b, target, TYPE_FLYING))
        return 0;
    return mod;
}

int priority_grassy_glide(const struct battle *b, int user)
{
    return state_terrain(b) == TERRAIN_GRASSYTERRAIN && state_grounded(b, user) ? 1 : 0;
}
