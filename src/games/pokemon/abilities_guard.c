/* Abilities that protect their holder from moves, damage, status and boosts, or react to them. */
#include "games/pokemon/abilities.h"

/* --- moves that do not reach the holder --- */

static int guard_heal(struct battle *b, int side, int source, const struct battle_move *move,
                      int type)
{
    if (side == source || move->type != type)
        return HIT_DONE;
    hp_heal(b, side, mon_of(b, side)->base_max_hp / 4);
    return HIT_NULL;
}

static int guard_boost(struct battle *b, int side, int source, const struct battle_move *move,
                       int type, int boost)
{
    if (side == source || move->type != type)
        return HIT_DONE;
    boost_one(b, side, source, boost, 1, CAUSE_ABILITY);
    return HIT_NULL;
}

int guard_water_absorb(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_heal(b, side, source, move, TYPE_WATER);
}

int guard_volt_absorb(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_heal(b, side, source, move, TYPE_ELECTRIC);
}

int guard_lightning_rod(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_boost(b, side, source, move, TYPE_ELECTRIC, BOOST_SPA);
}

int guard_motor_drive(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_boost(b, side, source, move, TYPE_ELECTRIC, BOOST_SPE);
}

int guard_storm_drain(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_boost(b, side, source, move, TYPE_WATER, BOOST_SPA);
}

int guard_sap_sipper(struct battle *b, int side, int source, struct battle_move *move)
{
    return guard_boost(b, side, source, move, TYPE_GRASS, BOOST_ATK);
}

int guard_flash_fire(struct battle *b, int side, int source, struct battle_move *move)
{
    if (side == source || move->type != TYPE_FIRE)
        return HIT_DONE;
    volatile_add(b, side, VOLATILE_FLASHFIRE, side);
    return HIT_NULL;
}

void guard_flash_fire_end(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_FLASHFIRE);
}

int guard_bulletproof(struct battle *b, int side, int source, struct battle_move *move)
{
    (void)b, (void)side, (void)source;
    return move->flags & MOVE_FLAG_BULLET ? HIT_NULL : HIT_DONE;
}

int guard_soundproof(struct battle *b, int side, int source, struct battle_move *move)
{
    (void)b;
    return side != source && (move->flags & MOVE_FLAG_SOUND) ? HIT_NULL : HIT_DONE;
}

int guard_overcoat(struct battle *b, int side, int source, struct battle_move *move)
{
    (void)b;
    return side != source && (move->flags & MOVE_FLAG_POWDER) ? HIT_NULL : HIT_DONE;
}

int guard_oblivious(struct battle *b, int side, int source, struct battle_move *move)
{
    (void)b, (void)side, (void)source;
    return move->id == MOVE_TAUNT ? HIT_NULL : HIT_DONE;
}

int guard_wonder_guard(struct battle *b, int side, int source, struct battle_move *move)
{
    if (side == source || move->category == CATEGORY_STATUS || move->id == MOVE_STRUGGLE)
        return HIT_DONE;
    return damage_effectiveness(b, side, move) <= 0 || damage_immune(b, side, move) ? HIT_NULL
                                                                                    : HIT_DONE;
}

/* Sends the move back at its user. */
static void guard_bounce(struct battle *b, int side, int source, const struct battle_move *move)
{
    struct battle_move back;
    use_fill(&back, move->id);
    back.is_bounced = true;
    use_move(b, &back, side, source, USE_CALLED_BY_EFFECT);
}

int guard_magic_bounce(struct battle *b, int side, int source, struct battle_move *move)
{
    if (side == source || move->is_bounced || !(move->flags & MOVE_FLAG_REFLECTABLE) ||
        state_hidden(b, side))
        return HIT_DONE;
    guard_bounce(b, side, source, move);
    return HIT_NULL;
}

int guard_magic_bounce_side(struct battle *b, int side, int source, struct battle_move *move)
{
    if (side == source || move->is_bounced || !(move->flags & MOVE_FLAG_REFLECTABLE) ||
        state_hidden(b, side))
        return HIT_DONE;
    guard_bounce(b, side, source, move);
    move->is_bounced = true;
    return HIT_NULL;
}

bool guard_queenly_majesty(struct battle *b, int side, const struct battle_move *move, int target)
{
    (void)b;
    if (move->target == TARGET_FOE_SIDE || move->target == TARGET_ALL)
        return false;
    return target == side && move->priority > 0;
}

void guard_aura_break(struct battle *b, int side, int target, struct battle_move *move)
{
    (void)b, (void)side, (void)target;
    if (move->category != CATEGORY_STATUS)
        move->meets_aura_break = true;
}

/* --- damage --- */

static bool guard_hits_substitute(const struct battle *b, int side, const struct battle_move *move)
{
    return has_volatile(b, side, VOLATILE_SUBSTITUTE) && !(move->flags & MOVE_FLAG_BYPASSSUB) &&
           !move->infiltrates;
}

static bool guard_face(const struct battle *b, int side, const struct battle_move *move,
                       int species)
{
    return mon_of(b, side)->species == species && !guard_hits_substitute(b, side, move) &&
           !damage_immune(b, side, move);
}

int guard_disguise_hurt(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source;
    if (cause != CAUSE_MOVE || mon_of(b, side)->species != SPECIES_MIMIKYU)
        return amount;
    active_of(b, side)->ability_flags |= ABILITY_BUSTED;
    return 0;
}

bool guard_disguise_crit(struct battle *b, int side, const struct battle_move *move)
{
    return guard_face(b, side, move, SPECIES_MIMIKYU);
}

int guard_disguise_type(const struct battle *b, int side, const struct battle_move *move, int mod)
{
    return move->category != CATEGORY_STATUS && guard_face(b, side, move, SPECIES_MIMIKYU) ? 0
                                                                                           : mod;
}

int guard_ice_face_hurt(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source;
    if (cause != CAUSE_MOVE || !b->move || b->move->category != CATEGORY_PHYSICAL || b->confused ||
        mon_of(b, side)->species != SPECIES_EISCUE)
        return amount;
    active_of(b, side)->ability_flags |= ABILITY_BUSTED;
    return 0;
}

bool guard_ice_face_crit(struct battle *b, int side, const struct battle_move *move)
{
    return move->category == CATEGORY_PHYSICAL && guard_face(b, side, move, SPECIES_EISCUE);
}

int guard_ice_face_type(const struct battle *b, int side, const struct battle_move *move, int mod)
{
    return move->category == CATEGORY_PHYSICAL && guard_face(b, side, move, SPECIES_EISCUE) ? 0
                                                                                            : mod;
}

int guard_magic_guard(struct battle *b, int side, int amount, int source, int cause)
{
    (void)b, (void)side, (void)source;
    return cause == CAUSE_MOVE ? amount : HIT_FAIL;
}

int guard_rock_head(struct battle *b, int side, int amount, int source, int cause)
{
    (void)b, (void)side, (void)source;
    return cause == CAUSE_RECOIL ? HIT_NULL : amount;
}

int guard_sturdy(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source;
    const struct pokemon_mon *mon = mon_of(b, side);
    bool saved = mon->hp == mon->max_hp && amount >= mon->hp && cause == CAUSE_MOVE;
    return saved ? mon->hp - 1 : amount;
}

int guard_berserk_hurt(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source;
    struct pokemon_active *active = active_of(b, side);
    bool waits = cause == CAUSE_MOVE &&
                 (b->confused || (b->move && !b->move->hits_to && !b->move->has_sheer_force));
    active->ability_flags |= ABILITY_BERSERK_KNOWN | ABILITY_CHECKED_BERSERK;
    if (waits)
        active->ability_flags &= (uint8_t)~ABILITY_CHECKED_BERSERK;
    return amount;
}

void guard_berserk_after(struct battle *b, int side, int source, struct battle_move *move, int last)
{
    struct pokemon_mon *mon = mon_of(b, side);
    active_of(b, side)->ability_flags |= ABILITY_BERSERK_KNOWN | ABILITY_CHECKED_BERSERK;
    if (source == side || !mon->hp || !move->total_damage)
        return;
    bool several = move->hits_to && !(move->props & MOVE_IS_SMART_TARGET);
    int damage = several ? move->total_damage : last;
    if (mon->hp * 2 <= mon->max_hp && (mon->hp + damage) * 2 > mon->max_hp)
        boost_one(b, side, side, BOOST_SPA, 1, CAUSE_ABILITY);
}

int guard_gluttony_hurt(struct battle *b, int side, int amount, int source, int cause)
{
    (void)source, (void)cause;
    active_of(b, side)->ability_flags |= ABILITY_GLUTTONY_AWAKE;
    return amount;
}

/* --- status and other conditions --- */

bool guard_sleep(const struct battle *b, int side, int status)
{
    (void)b, (void)side;
    return status == STATUS_SLP;
}

bool guard_paralysis(const struct battle *b, int side, int status)
{
    (void)b, (void)side;
    return status == STATUS_PAR;
}

bool guard_burn(const struct battle *b, int side, int status)
{
    (void)b, (void)side;
    return status == STATUS_BRN;
}

bool guard_poison(const struct battle *b, int side, int status)
{
    (void)b, (void)side;
    return status == STATUS_PSN || status == STATUS_TOX;
}

bool guard_leaf(const struct battle *b, int side, int status)
{
    (void)side, (void)status;
    return state_weather(b) == WEATHER_SUNNYDAY;
}

bool guard_leaf_yawn(const struct battle *b, int side, int id)
{
    (void)side;
    return id == VOLATILE_YAWN && state_weather(b) == WEATHER_SUNNYDAY;
}

bool guard_yawn(const struct battle *b, int side, int id)
{
    (void)b, (void)side;
    return id == VOLATILE_YAWN;
}

bool guard_flinch(const struct battle *b, int side, int id)
{
    (void)b, (void)side;
    return id == VOLATILE_FLINCH;
}

bool guard_confusion(const struct battle *b, int side, int id)
{
    (void)b, (void)side;
    return id == VOLATILE_CONFUSION;
}

bool guard_aroma_veil(const struct battle *b, int side, int id)
{
    (void)b, (void)side;
    return id == VOLATILE_DISABLE || id == VOLATILE_ENCORE || id == VOLATILE_TAUNT;
}

bool guard_immune_overcoat(const struct battle *b, int side, int what)
{
    (void)b, (void)side;
    return what == IMMUNE_SANDSTORM || what == IMMUNE_HAIL || what == IMMUNE_POWDER;
}

bool guard_immune_sand(const struct battle *b, int side, int what)
{
    (void)b, (void)side;
    return what == IMMUNE_SANDSTORM;
}

bool guard_immune_hail(const struct battle *b, int side, int what)
{
    (void)b, (void)side;
    return what == IMMUNE_HAIL;
}

static void guard_cure(struct battle *b, int side, bool (*blocks)(const struct battle *, int, int))
{
    if (mon_of(b, side)->status && blocks(b, side, mon_of(b, side)->status))
        status_cure(b, side);
}

void guard_cure_sleep(struct battle *b, int side)
{
    guard_cure(b, side, guard_sleep);
}

void guard_cure_paralysis(struct battle *b, int side)
{
    guard_cure(b, side, guard_paralysis);
}

void guard_cure_burn(struct battle *b, int side)
{
    guard_cure(b, side, guard_burn);
}

void guard_cure_poison(struct battle *b, int side)
{
    guard_cure(b, side, guard_poison);
}

void guard_cure_confusion(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_CONFUSION);
}

void guard_cure_taunt(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_TAUNT);
}

void guard_synchronize(struct battle *b, int side, int status, int source, int cause)
{
    if (source == side || cause == CAUSE_TOXIC_SPIKES || status == STATUS_SLP ||
        status == STATUS_FRZ)
        return;
    status_try(b, source, status, side, CAUSE_SYNCHRONIZE);
}

/* --- boosts --- */

void guard_clear_body(struct battle *b, int side, int source, int8_t *boosts, bool *there,
                      int cause)
{
    (void)b, (void)cause;
    if (source == side)
        return;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (boosts[i] < 0)
            there[i] = false;
}

void guard_intimidate(struct battle *b, int side, int source, int8_t *boosts, bool *there,
                      int cause)
{
    (void)b, (void)side, (void)source;
    if (cause == CAUSE_INTIMIDATE && boosts[BOOST_ATK])
        there[BOOST_ATK] = false;
}

void guard_mirror_armor(struct battle *b, int side, int source, int8_t *boosts, bool *there,
                        int cause)
{
    if (source < 0 || source == side || cause == CAUSE_MIRROR_ARMOR)
        return;
    bool present = source < 2;
    for (int i = 0; i < BOOST_COUNT; ++i) {
        if (!there[i] || boosts[i] >= 0 || active_of(b, side)->boosts[i] == -6)
            continue;
        there[i] = false;
        if (present && mon_of(b, source)->hp)
            boost_one(b, source, side, i, boosts[i], CAUSE_MIRROR_ARMOR);
    }
}

static void guard_answer(struct battle *b, int side, int source, int stages, int boost)
{
    if (source >= 0 && source != side && source != FIELD_ABSENT_ALLY && stages < 0)
        boost_one(b, side, side, boost, 2, CAUSE_ABILITY);
}

void guard_defiant(struct battle *b, int side, int source, int stages)
{
    guard_answer(b, side, source, stages, BOOST_ATK);
}

void guard_competitive(struct battle *b, int side, int source, int stages)
{
    guard_answer(b, side, source, stages, BOOST_SPA);
}
