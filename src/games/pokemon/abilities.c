/* The table of abilities: which functions each of them has for which event. */
#include "games/pokemon/abilities.h"

#include <stddef.h>

/* clang-format off */
const struct ability_hooks ability_hooks[ABILITY_COUNT] = {
    [ABILITY_ADAPTABILITY] = {.stab = attack_adaptability},
    [ABILITY_AFTERMATH] = {.hit_taken = guard_aftermath, .hit_order = 1},
    [ABILITY_AIRLOCK] = {.announced = true, .start = presence_start_air_lock, .end = presence_end_air_lock},
    [ABILITY_ANALYTIC] = {.power = attack_analytic, .power_priority = 21},
    [ABILITY_ARENATRAP] = {.traps = presence_traps_arena},
    [ABILITY_AROMAVEIL] = {.blocks_volatile = guard_aroma_veil},
    [ABILITY_ASONEGLASTRIER] = {.announced = true, .start = presence_start_unnerve, .start_priority = 1, .end = presence_end_unnerve, .after_faint = presence_faint_attack},
    [ABILITY_ASONESPECTRIER] = {.announced = true, .start = presence_start_unnerve, .start_priority = 1, .end = presence_end_unnerve, .after_faint = presence_faint_special},
    [ABILITY_AURABREAK] = {.announced = true, .try_primary = guard_aura_break},
    [ABILITY_BATTLEARMOR] = {.no_crit = true},
    [ABILITY_BEASTBOOST] = {.after_faint = presence_faint_best},
    [ABILITY_BERSERK] = {.hurt = guard_berserk_hurt, .after_hit = guard_berserk_after},
    [ABILITY_BULLETPROOF] = {.try_hit = guard_bulletproof},
    [ABILITY_CHEEKPOUCH] = {.eaten = presence_cheek_pouch},
    [ABILITY_CHILLINGNEIGH] = {.after_faint = presence_faint_attack},
    [ABILITY_CHLOROPHYLL] = {.spe = attack_chlorophyll},
    [ABILITY_CLEARBODY] = {.try_boost = guard_clear_body},
    [ABILITY_CLOUDNINE] = {.announced = true, .start = presence_start_air_lock, .end = presence_end_air_lock},
    [ABILITY_COMPETITIVE] = {.each_boost = guard_competitive},
    [ABILITY_COMPOUNDEYES] = {.accuracy = attack_compound_eyes},
    [ABILITY_CONTRARY] = {.boost_factor = -1},
    [ABILITY_CURSEDBODY] = {.hit_taken = guard_cursed_body},
    [ABILITY_DARKAURA] = {.announced = true, .any_power = attack_dark_aura},
    [ABILITY_DAUNTLESSSHIELD] = {.announced = true, .start = presence_start_dauntless_shield},
    [ABILITY_DEFEATIST] = {.atk = attack_defeatist, .spa = attack_defeatist},
    [ABILITY_DEFIANT] = {.each_boost = guard_defiant},
    [ABILITY_DISGUISE] = {.hurt = guard_disguise_hurt, .prevents_crit = guard_disguise_crit, .effectiveness = guard_disguise_type, .update = presence_update_disguise},
    [ABILITY_DOWNLOAD] = {.announced = true, .start = presence_start_download},
    [ABILITY_DRAGONSMAW] = {.atk = attack_dragons_maw, .spa = attack_dragons_maw},
    [ABILITY_DRIZZLE] = {.announced = true, .start = presence_start_drizzle},
    [ABILITY_DROUGHT] = {.announced = true, .start = presence_start_drought},
    [ABILITY_DRYSKIN] = {.try_hit = guard_water_absorb, .foe_power = attack_at_dry_skin, .weather = presence_weather_dry_skin},
    [ABILITY_EFFECTSPORE] = {.hit_taken = guard_effect_spore},
    [ABILITY_ELECTRICSURGE] = {.announced = true, .start = presence_start_electric_surge},
    [ABILITY_FAIRYAURA] = {.announced = true, .any_power = attack_fairy_aura},
    [ABILITY_FILTER] = {.foe_damage = attack_at_filter},
    [ABILITY_FLAMEBODY] = {.hit_taken = guard_flame_body},
    [ABILITY_FLASHFIRE] = {.try_hit = guard_flash_fire, .end = guard_flash_fire_end},
    [ABILITY_FLOWERGIFT] = {.start = presence_start_flower_gift, .start_priority = -2, .weather_changed = presence_flower_gift, .atk = attack_flower_gift, .spd = attack_flower_gift},
    [ABILITY_FLUFFY] = {.foe_damage = attack_at_fluffy},
    [ABILITY_FRISK] = {.start = presence_start_frisk},
    [ABILITY_FULLMETALBODY] = {.try_boost = guard_clear_body},
    [ABILITY_FURCOAT] = {.def = attack_double},
    [ABILITY_GALEWINGS] = {.priority = attack_gale_wings},
    [ABILITY_GLUTTONY] = {.start = presence_start_gluttony, .hurt = guard_gluttony_hurt},
    [ABILITY_GORILLATACTICS] = {.start = presence_start_gorilla, .end = presence_start_gorilla, .before_move = attack_gorilla_stops, .modify_move = attack_gorilla_choose, .atk = attack_gorilla_tactics, .disable = attack_gorilla_disable},
    [ABILITY_GRASSYSURGE] = {.announced = true, .start = presence_start_grassy_surge},
    [ABILITY_GRIMNEIGH] = {.after_faint = presence_faint_special},
    [ABILITY_GULPMISSILE] = {.hit_taken = guard_gulp_missile, .try_primary = guard_gulp},
    [ABILITY_GUTS] = {.atk = attack_guts},
    [ABILITY_HARVEST] = {.residual = presence_residual_harvest, .residual_order = 28, .residual_sub = 2},
    [ABILITY_HEAVYMETAL] = {.weight = attack_heavy_metal},
    [ABILITY_HUGEPOWER] = {.atk = attack_double},
    [ABILITY_HUNGERSWITCH] = {.residual = presence_residual_hunger_switch, .residual_order = 29, .residual_sub = 7},
    [ABILITY_HUSTLE] = {.raw_atk = attack_hustle, .accuracy = attack_hustle_accuracy},
    [ABILITY_ICEBODY] = {.weather = presence_weather_ice_body, .immune = guard_immune_hail},
    [ABILITY_ICEFACE] = {.start = presence_start_ice_face, .start_priority = -2, .hurt = guard_ice_face_hurt, .prevents_crit = guard_ice_face_crit, .effectiveness = guard_ice_face_type, .update = presence_update_ice_face, .weather_changed = presence_ice_face},
    [ABILITY_ICESCALES] = {.foe_damage = attack_at_ice_scales},
    [ABILITY_ILLUSION] = {.hit_taken = guard_illusion, .end = presence_end_illusion},
    [ABILITY_IMPOSTER] = {.announced = true, .start = presence_start_imposter},
    [ABILITY_INFILTRATOR] = {.modify_move = attack_infiltrate},
    [ABILITY_INNERFOCUS] = {.blocks_volatile = guard_flinch, .try_boost = guard_intimidate},
    [ABILITY_INSOMNIA] = {.update = guard_cure_sleep, .blocks_status = guard_sleep, .blocks_volatile = guard_yawn},
    [ABILITY_INTIMIDATE] = {.announced = true, .start = presence_start_intimidate},
    [ABILITY_INTREPIDSWORD] = {.announced = true, .start = presence_start_intrepid_sword},
    [ABILITY_IRONBARBS] = {.hit_taken = guard_rough_skin, .hit_order = 1},
    [ABILITY_IRONFIST] = {.power = attack_iron_fist, .power_priority = 23},
    [ABILITY_JUSTIFIED] = {.hit_taken = guard_justified},
    [ABILITY_LEAFGUARD] = {.blocks_status = guard_leaf, .blocks_volatile = guard_leaf_yawn},
    [ABILITY_LIBERO] = {.prepare = presence_libero},
    [ABILITY_LIGHTMETAL] = {.weight = attack_light_metal},
    [ABILITY_LIGHTNINGROD] = {.try_hit = guard_lightning_rod},
    [ABILITY_LIMBER] = {.update = guard_cure_paralysis, .blocks_status = guard_paralysis},
    [ABILITY_MAGICBOUNCE] = {.try_hit = guard_magic_bounce, .try_hit_side = guard_magic_bounce_side},
    [ABILITY_MAGICGUARD] = {.hurt = guard_magic_guard},
    [ABILITY_MAGNETPULL] = {.traps = presence_traps_magnet},
    [ABILITY_MARVELSCALE] = {.def = attack_marvel_scale},
    [ABILITY_MEGALAUNCHER] = {.power = attack_mega_launcher, .power_priority = 19},
    [ABILITY_MIMICRY] = {.start = presence_mimicry, .start_priority = -1, .terrain_changed = presence_mimicry},
    [ABILITY_MIRRORARMOR] = {.try_boost = guard_mirror_armor},
    [ABILITY_MISTYSURGE] = {.announced = true, .start = presence_start_misty_surge},
    [ABILITY_MOLDBREAKER] = {.announced = true, .modify_move = attack_mold_breaker},
    [ABILITY_MOTORDRIVE] = {.try_hit = guard_motor_drive},
    [ABILITY_MOXIE] = {.after_faint = presence_faint_attack},
    [ABILITY_MULTISCALE] = {.foe_damage = attack_at_multiscale},
    [ABILITY_MUMMY] = {.hit_taken = guard_mummy},
    [ABILITY_NATURALCURE] = {.leave = presence_leave_natural_cure},
    [ABILITY_OBLIVIOUS] = {.update = guard_cure_taunt, .try_hit = guard_oblivious, .try_boost = guard_intimidate},
    [ABILITY_OVERCOAT] = {.immune = guard_immune_overcoat, .try_hit = guard_overcoat},
    [ABILITY_OVERGROW] = {.atk = attack_overgrow, .spa = attack_overgrow},
    [ABILITY_OWNTEMPO] = {.update = guard_cure_confusion, .blocks_volatile = guard_confusion, .try_boost = guard_intimidate},
    [ABILITY_PASTELVEIL] = {.start = guard_cure_poison, .update = guard_cure_poison, .blocks_status = guard_poison},
    [ABILITY_PICKPOCKET] = {.after_hit = guard_pickpocket},
    [ABILITY_PIXILATE] = {.modify_type = attack_pixilate_type, .power = attack_pixilate, .power_priority = 23},
    [ABILITY_POWERCONSTRUCT] = {.residual = presence_residual_power_construct, .residual_order = 29, .residual_sub = 7},
    [ABILITY_PRANKSTER] = {.priority = attack_prankster},
    [ABILITY_PRESSURE] = {.announced = true},
    [ABILITY_PRISMARMOR] = {.foe_damage = attack_at_filter},
    [ABILITY_PSYCHICSURGE] = {.announced = true, .start = presence_start_psychic_surge},
    [ABILITY_PUNKROCK] = {.power = attack_punk_rock, .power_priority = 7, .foe_damage = attack_at_punk_rock},
    [ABILITY_QUEENLYMAJESTY] = {.foe_try_move = guard_queenly_majesty},
    [ABILITY_RECKLESS] = {.power = attack_reckless, .power_priority = 23},
    [ABILITY_REGENERATOR] = {.leave = presence_leave_regenerator},
    [ABILITY_ROCKHEAD] = {.hurt = guard_rock_head},
    [ABILITY_ROUGHSKIN] = {.hit_taken = guard_rough_skin, .hit_order = 1},
    [ABILITY_SANDRUSH] = {.spe = attack_sand_rush, .immune = guard_immune_sand},
    [ABILITY_SANDSTREAM] = {.announced = true, .start = presence_start_sand_stream},
    [ABILITY_SAPSIPPER] = {.try_hit = guard_sap_sipper},
    [ABILITY_SCHOOLING] = {.start = presence_schooling, .start_priority = -1, .residual = presence_schooling, .residual_order = 29, .residual_sub = 7},
    [ABILITY_SCRAPPY] = {.modify_move = attack_scrappy, .try_boost = guard_intimidate},
    [ABILITY_SCREENCLEANER] = {.announced = true, .start = presence_start_screen_cleaner},
    [ABILITY_SERENEGRACE] = {.modify_move = attack_serene_grace},
    [ABILITY_SHADOWSHIELD] = {.foe_damage = attack_at_multiscale},
    [ABILITY_SHADOWTAG] = {.traps = presence_traps_shadow},
    [ABILITY_SHEDSKIN] = {.residual = presence_residual_shed_skin, .residual_order = 5, .residual_sub = 3},
    [ABILITY_SHEERFORCE] = {.modify_move = attack_sheer, .power = attack_sheer_force, .power_priority = 21},
    [ABILITY_SHELLARMOR] = {.no_crit = true},
    [ABILITY_SIMPLE] = {.boost_factor = 2},
    [ABILITY_SKILLLINK] = {.modify_move = attack_skill_link},
    [ABILITY_SLOWSTART] = {.announced = true, .start = presence_start_slow_start, .residual = presence_residual_slow_start, .residual_order = 28, .residual_sub = 2, .atk = attack_slow_start, .spe = attack_slow_start},
    [ABILITY_SLUSHRUSH] = {.spe = attack_slush_rush},
    [ABILITY_SNIPER] = {.damage = attack_sniper},
    [ABILITY_SNOWWARNING] = {.announced = true, .start = presence_start_snow_warning},
    [ABILITY_SOLARPOWER] = {.spa = attack_solar_power, .weather = presence_weather_solar_power},
    [ABILITY_SOLIDROCK] = {.foe_damage = attack_at_filter},
    [ABILITY_SOULHEART] = {.any_faint = presence_soul_heart},
    [ABILITY_SOUNDPROOF] = {.try_hit = guard_soundproof},
    [ABILITY_SPEEDBOOST] = {.residual = presence_residual_speed_boost, .residual_order = 28, .residual_sub = 2},
    [ABILITY_STAKEOUT] = {.atk = attack_stakeout, .spa = attack_stakeout},
    [ABILITY_STAMINA] = {.hit_taken = guard_stamina},
    [ABILITY_STANCECHANGE] = {.modify_move = presence_stance_change},
    [ABILITY_STATIC] = {.hit_taken = guard_static},
    [ABILITY_STEELWORKER] = {.atk = attack_steelworker, .spa = attack_steelworker},
    [ABILITY_STEELYSPIRIT] = {.power = attack_steely_spirit, .power_priority = 22},
    [ABILITY_STORMDRAIN] = {.try_hit = guard_storm_drain},
    [ABILITY_STRONGJAW] = {.power = attack_strong_jaw, .power_priority = 19},
    [ABILITY_STURDY] = {.hurt = guard_sturdy},
    [ABILITY_SUPERLUCK] = {.crit = 1},
    [ABILITY_SURGESURFER] = {.spe = attack_surge_surfer},
    [ABILITY_SWARM] = {.atk = attack_swarm, .spa = attack_swarm},
    [ABILITY_SWIFTSWIM] = {.spe = attack_swift_swim},
    [ABILITY_SYNCHRONIZE] = {.after_status = guard_synchronize},
    [ABILITY_TANGLINGHAIR] = {.hit_taken = guard_tangling_hair},
    [ABILITY_TECHNICIAN] = {.power = attack_technician, .power_priority = 30},
    [ABILITY_TERAVOLT] = {.announced = true, .modify_move = attack_mold_breaker},
    [ABILITY_THICKFAT] = {.foe_attack = attack_thick_fat},
    [ABILITY_TINTEDLENS] = {.damage = attack_tinted_lens},
    [ABILITY_TORRENT] = {.atk = attack_torrent, .spa = attack_torrent},
    [ABILITY_TOUGHCLAWS] = {.power = attack_tough_claws, .power_priority = 21},
    [ABILITY_TRACE] = {.announced = true, .start = presence_start_trace, .update = presence_update_trace},
    [ABILITY_TRANSISTOR] = {.atk = attack_transistor, .spa = attack_transistor},
    [ABILITY_TRIAGE] = {.priority = attack_triage},
    [ABILITY_TURBOBLAZE] = {.announced = true, .modify_move = attack_mold_breaker},
    [ABILITY_UNBURDEN] = {.lost_item = presence_unburden, .end = presence_unburden_end},
    [ABILITY_UNNERVE] = {.announced = true, .start = presence_start_unnerve, .start_priority = 1, .end = presence_end_unnerve},
    [ABILITY_UNSEENFIST] = {.modify_move = attack_unseen_fist},
    [ABILITY_VICTORYSTAR] = {.accuracy = attack_victory_star},
    [ABILITY_VITALSPIRIT] = {.update = guard_cure_sleep, .blocks_status = guard_sleep, .blocks_volatile = guard_yawn},
    [ABILITY_VOLTABSORB] = {.try_hit = guard_volt_absorb},
    [ABILITY_WANDERINGSPIRIT] = {.hit_taken = guard_wandering_spirit},
    [ABILITY_WATERABSORB] = {.try_hit = guard_water_absorb},
    [ABILITY_WATERBUBBLE] = {.foe_attack = attack_at_water_bubble, .atk = attack_water_bubble, .spa = attack_water_bubble, .update = guard_cure_burn, .blocks_status = guard_burn},
    [ABILITY_WATERCOMPACTION] = {.hit_taken = guard_water_compaction},
    [ABILITY_WATERVEIL] = {.update = guard_cure_burn, .blocks_status = guard_burn},
    [ABILITY_WEAKARMOR] = {.hit_taken = guard_weak_armor},
    [ABILITY_WONDERGUARD] = {.try_hit = guard_wonder_guard},
};
/* clang-format on */

void ability_start(struct battle *b, int side)
{
    int ability = state_ability(b, side);
    if (ability_hooks[ability].announced)
        mon_of(b, side)->seen |= SEEN_ABILITY;
    if (ability_hooks[ability].start)
        ability_hooks[ability].start(b, side);
}

void ability_end(struct battle *b, int side, int ability)
{
    if (ability_hooks[ability].end)
        ability_hooks[ability].end(b, side);
}

bool ability_set(struct battle *b, int side, int ability, bool from_forme, bool transform)
{
    struct pokemon_mon *mon = mon_of(b, side);
    struct pokemon_active *active = active_of(b, side);
    int old = mon->ability;
    if (!mon->hp)
        return false;
    if (!from_forme &&
        ((dex_abilities[ability].flags | dex_abilities[old].flags) & ABILITY_FLAG_CANTSUPPRESS))
        return false;
    ability_end(b, side, old);
    mon->ability = (uint8_t)ability;
    active->ability_flags = active->ability_counter = 0;
    active->gorilla_move = 0;
    if (!transform || old != ability)
        ability_start(b, side);
    return true;
}
