/* The effect of each held item, and the table of these functions. */
#include "games/pokemon/effects.h"

/* --- stats --- */

static int items_choice_stat(const struct battle *b, int side, int other,
                             const struct battle_move *move, int modifier)
{
    (void)other, (void)move;
    return is_dynamaxed(b, side) ? modifier : modifier_chain(modifier, MODIFIER_1_5);
}

static int items_half(const struct battle *b, int side, int other, const struct battle_move *move,
                      int modifier)
{
    (void)b, (void)side, (void)other, (void)move;
    return modifier_chain(modifier, MODIFIER_1_5);
}

static int items_eviolite(const struct battle *b, int side, int other,
                          const struct battle_move *move, int modifier)
{
    (void)other, (void)move;
    bool grows = dex_species[mon_of(b, side)->base_species].flags & SPECIES_IS_NFE;
    return grows ? modifier_chain(modifier, MODIFIER_1_5) : modifier;
}

static bool items_holder_is(const struct battle *b, int side, int species)
{
    return dex_species[mon_of(b, side)->base_species].number == dex_species[species].number;
}

static int items_thick_club(const struct battle *b, int side, int other,
                            const struct battle_move *move, int modifier)
{
    (void)other, (void)move;
    bool fits = items_holder_is(b, side, SPECIES_MAROWAK);
    return fits ? modifier_chain(modifier, MODIFIER_2) : modifier;
}

static int items_light_ball(const struct battle *b, int side, int other,
                            const struct battle_move *move, int modifier)
{
    (void)other, (void)move;
    bool fits = items_holder_is(b, side, SPECIES_PIKACHU);
    return fits ? modifier_chain(modifier, MODIFIER_2) : modifier;
}

/* --- power --- */

static int items_type_power(const struct battle_move *move, int type, int modifier)
{
    return move->type == type ? modifier_chain(modifier, MODIFIER_1_2) : modifier;
}

static int items_magnet(const struct battle *b, int side, int other, const struct battle_move *move,
                        int modifier)
{
    (void)b, (void)side, (void)other;
    return items_type_power(move, TYPE_ELECTRIC, modifier);
}

static int items_silk_scarf(const struct battle *b, int side, int other,
                            const struct battle_move *move, int modifier)
{
    (void)b, (void)side, (void)other;
    return items_type_power(move, TYPE_NORMAL, modifier);
}

/* An item that strengthens two types of its species. */
struct items_orb {
    int species, types[2];
};

static int items_two_types(const struct battle *b, int side, const struct battle_move *move,
                           struct items_orb orb, int modifier)
{
    bool fits = move->type == orb.types[0] || move->type == orb.types[1];
    if (!fits || !items_holder_is(b, side, orb.species))
        return modifier;
    return modifier_chain(modifier, MODIFIER_1_2);
}

static int items_soul_dew(const struct battle *b, int side, int other,
                          const struct battle_move *move, int modifier)
{
    (void)other;
    int species = items_holder_is(b, side, SPECIES_LATIAS) ? SPECIES_LATIAS : SPECIES_LATIOS;
    return items_two_types(b, side, move, (struct items_orb){species, {TYPE_PSYCHIC, TYPE_DRAGON}},
                           modifier);
}

static int items_griseous_orb(const struct battle *b, int side, int other,
                              const struct battle_move *move, int modifier)
{
    (void)other;
    return items_two_types(b, side, move,
                           (struct items_orb){SPECIES_GIRATINAORIGIN, {TYPE_GHOST, TYPE_DRAGON}},
                           modifier);
}

static int items_lustrous_orb(const struct battle *b, int side, int other,
                              const struct battle_move *move, int modifier)
{
    (void)other;
    return items_two_types(b, side, move,
                           (struct items_orb){SPECIES_PALKIA, {TYPE_WATER, TYPE_DRAGON}}, modifier);
}

/* --- choice items --- */

static void items_choice_start(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_CHOICELOCK);
}

static void items_choice_move(struct battle *b, int side, struct battle_move *move)
{
    (void)move;
    volatile_add(b, side, VOLATILE_CHOICELOCK, side);
}

static void items_assault_vest(struct battle *b, int side)
{
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    for (int i = 0; i < slots->count; ++i)
        if (dex_moves[slots->id[i]].category == CATEGORY_STATUS) {
            slots->disabled |= (uint8_t)(1 << i);
            slots->hard |= (uint8_t)(1 << i);
        }
}

/* --- attacks --- */

static int items_life_orb(const struct battle *b, int side, int other,
                          const struct battle_move *move, int modifier)
{
    (void)b, (void)side, (void)other, (void)move;
    return modifier_chain(modifier, MODIFIER_1_3_DOWN);
}

static void items_life_orb_cost(struct battle *b, int side, int target, struct battle_move *move)
{
    if (side != target && move->category != CATEGORY_STATUS &&
        !(active_of(b, side)->flags & ACTIVE_FORCED))
        hp_damage(b, side, mon_of(b, side)->base_max_hp / 10, side, CAUSE_LIFE_ORB);
}

static int items_wide_lens(const struct battle *b, int side, int other,
                           const struct battle_move *move, int modifier)
{
    (void)b, (void)side, (void)other, (void)move;
    return modifier_chain(modifier, MODIFIER_1_1_DOWN);
}

static int items_leek(const struct battle *b, int side)
{
    int number = dex_species[mon_of(b, side)->base_species].number;
    return number == 83 || number == 865 ? 2 : 0; /* Farfetch'd, Sirfetch'd */
}

static bool items_power_herb(struct battle *b, int side)
{
    return item_use(b, side);
}

static void items_throat_spray(struct battle *b, int side, int target, struct battle_move *move)
{
    (void)target;
    if (move->flags & MOVE_FLAG_SOUND)
        item_use(b, side);
}

/* --- being hit --- */

static void items_rocky_helmet(struct battle *b, int side, int source, struct battle_move *move,
                               int damage)
{
    (void)damage;
    if (move->flags & MOVE_FLAG_CONTACT)
        hp_damage(b, source, mon_of(b, source)->base_max_hp / 6, side, CAUSE_ITEM);
}

static void items_weakness_policy(struct battle *b, int side, int source, struct battle_move *move,
                                  int damage)
{
    (void)source, (void)damage;
    if (!(move->props & MOVE_IS_FIXED_DAMAGE) && move->effectiveness > 0)
        item_use(b, side);
}

static int items_focus_sash(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source;
    struct pokemon_mon *mon = mon_of(b, side);
    if (mon->hp == mon->max_hp && amount >= mon->hp && cause == CAUSE_MOVE && item_use(b, side))
        return mon->hp - 1;
    return amount;
}

/* --- at the end of the turn --- */

static void items_leftovers(struct battle *b, int side)
{
    hp_heal(b, side, mon_of(b, side)->base_max_hp / 16);
}

static void items_black_sludge(struct battle *b, int side)
{
    if (state_has_type(b, side, TYPE_POISON))
        hp_heal(b, side, mon_of(b, side)->base_max_hp / 16);
    else
        hp_damage(b, side, mon_of(b, side)->base_max_hp / 8, -1, CAUSE_ITEM);
}

static void items_flame_orb(struct battle *b, int side)
{
    status_try(b, side, STATUS_BRN, side, CAUSE_ITEM);
}

static void items_toxic_orb(struct battle *b, int side)
{
    status_try(b, side, STATUS_TOX, side, CAUSE_ITEM);
}

/* --- herbs and berries --- */

static void items_white_herb(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    bool low[BOOST_COUNT], any = false;
    for (int i = 0; i < BOOST_COUNT; ++i)
        any |= low[i] = active->boosts[i] < 0;
    if (!any || !item_use(b, side))
        return;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (low[i])
            active->boosts[i] = 0;
}

static bool items_hp_is_low(const struct battle *b, int side)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    bool gluttony = state_ability(b, side) == ABILITY_GLUTTONY &&
                    (active_of(b, side)->ability_flags & ABILITY_GLUTTONY_AWAKE);
    return mon->hp * 4 <= mon->max_hp || (gluttony && mon->hp * 2 <= mon->max_hp);
}

static void items_pinch_update(struct battle *b, int side)
{
    if (items_hp_is_low(b, side))
        item_eat(b, side, false);
}

static void items_sitrus_update(struct battle *b, int side)
{
    if (mon_of(b, side)->hp * 2 <= mon_of(b, side)->max_hp)
        item_eat(b, side, false);
}

static void items_eat_quarter(struct battle *b, int side)
{
    hp_heal(b, side, mon_of(b, side)->base_max_hp / 4);
}

static void items_eat_third(struct battle *b, int side)
{
    hp_heal(b, side, mon_of(b, side)->base_max_hp / 3);
}

static void items_eat_salac(struct battle *b, int side)
{
    boost_one(b, side, side, BOOST_SPE, 1, CAUSE_ITEM);
}

static void items_lum_update(struct battle *b, int side)
{
    if (mon_of(b, side)->status || has_volatile(b, side, VOLATILE_CONFUSION))
        item_eat(b, side, false);
}

static void items_lum_status(struct battle *b, int side)
{
    item_eat(b, side, false);
}

static void items_eat_lum(struct battle *b, int side)
{
    status_cure(b, side);
    volatile_end(b, side, VOLATILE_CONFUSION);
}

static void items_chesto_update(struct battle *b, int side)
{
    if (mon_of(b, side)->status == STATUS_SLP)
        item_eat(b, side, false);
}

static void items_eat_chesto(struct battle *b, int side)
{
    if (mon_of(b, side)->status == STATUS_SLP)
        status_cure(b, side);
}

static bool items_custap(struct battle *b, int side)
{
    return items_hp_is_low(b, side) && item_eat(b, side, false);
}

/* clang-format off */
#define PINCH_BERRY {.update = items_pinch_update, .eat = items_eat_third}
/* clang-format on */

const struct item_hooks item_hooks[ITEM_COUNT] = {
    [ITEM_AGUAVBERRY] = PINCH_BERRY,
    [ITEM_ASSAULTVEST] = {.spd = items_half, .disable = items_assault_vest},
    [ITEM_BLACKSLUDGE] = {.residual = items_black_sludge, .residual_order = 5, .residual_sub = 4},
    [ITEM_CHESTOBERRY] = {.update = items_chesto_update, .eat = items_eat_chesto},
    [ITEM_CHOICEBAND] = {.atk = items_choice_stat,
                         .start = items_choice_start,
                         .modify_move = items_choice_move},
    [ITEM_CHOICESCARF] = {.spe = items_choice_stat,
                          .start = items_choice_start,
                          .modify_move = items_choice_move},
    [ITEM_CHOICESPECS] = {.spa = items_choice_stat,
                          .start = items_choice_start,
                          .modify_move = items_choice_move},
    [ITEM_CUSTAPBERRY] = {.hurries = items_custap},
    [ITEM_EVIOLITE] = {.def = items_eviolite, .spd = items_eviolite},
    [ITEM_FIGYBERRY] = PINCH_BERRY,
    [ITEM_FLAMEORB] = {.residual = items_flame_orb, .residual_order = 28, .residual_sub = 3},
    [ITEM_FOCUSSASH] = {.hurt = items_focus_sash},
    [ITEM_GRISEOUSORB] = {.power = items_griseous_orb},
    [ITEM_IAPAPABERRY] = PINCH_BERRY,
    [ITEM_LEEK] = {.crit_for = items_leek},
    [ITEM_LEFTOVERS] = {.residual = items_leftovers, .residual_order = 5, .residual_sub = 4},
    [ITEM_LIFEORB] = {.damage = items_life_orb, .after_move = items_life_orb_cost},
    [ITEM_LIGHTBALL] = {.atk = items_light_ball, .spa = items_light_ball},
    [ITEM_LUMBERRY] = {.update = items_lum_update,
                       .after_status = items_lum_status,
                       .eat = items_eat_lum},
    [ITEM_LUSTROUSORB] = {.power = items_lustrous_orb},
    [ITEM_MAGNET] = {.power = items_magnet},
    [ITEM_MAGOBERRY] = PINCH_BERRY,
    [ITEM_POWERHERB] = {.charge = items_power_herb},
    [ITEM_ROCKYHELMET] = {.hit_taken = items_rocky_helmet},
    [ITEM_SALACBERRY] = {.update = items_pinch_update, .eat = items_eat_salac},
    [ITEM_SCOPELENS] = {.crit = 1},
    [ITEM_SILKSCARF] = {.power = items_silk_scarf},
    [ITEM_SITRUSBERRY] = {.update = items_sitrus_update, .eat = items_eat_quarter},
    [ITEM_SOULDEW] = {.power = items_soul_dew},
    [ITEM_THICKCLUB] = {.atk = items_thick_club},
    [ITEM_THROATSPRAY] = {.after_move = items_throat_spray},
    [ITEM_TOXICORB] = {.residual = items_toxic_orb, .residual_order = 28, .residual_sub = 3},
    [ITEM_WEAKNESSPOLICY] = {.hit_taken = items_weakness_policy},
    [ITEM_WHITEHERB] = {.start = items_white_herb,
                        .residual = items_white_herb,
                        .residual_order = 29,
                        .residual_sub = 8},
    [ITEM_WIDELENS] = {.accuracy = items_wide_lens},
    [ITEM_WIKIBERRY] = PINCH_BERRY,
};
