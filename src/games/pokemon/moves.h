/* The functions of moves, by kind; moves.c has the table that uses them. */
#ifndef GAMES_POKEMON_MOVES_H
#define GAMES_POKEMON_MOVES_H

#include "games/pokemon/effects.h"

/* The signature of most functions below. */
#define EFFECT(name) int name(struct battle *b, int user, int target, struct battle_move *move)
#define DEED(name)   void name(struct battle *b, int user, int target, struct battle_move *move)
#define UNUSED       (void)b, (void)user, (void)target, (void)move

static inline int effect_done(bool done)
{
    return done ? HIT_DONE : HIT_FAIL;
}

int power_acrobatics(struct battle *b, int user, int target, struct battle_move *move);
int power_avalanche(struct battle *b, int user, int target, struct battle_move *move);
int power_before_target(struct battle *b, int user, int target, struct battle_move *move);
int power_payback(struct battle *b, int user, int target, struct battle_move *move);
int power_by_hp(struct battle *b, int user, int target, struct battle_move *move);
int power_low_kick(struct battle *b, int user, int target, struct battle_move *move);
int power_heavy_slam(struct battle *b, int user, int target, struct battle_move *move);
int power_gyro_ball(struct battle *b, int user, int target, struct battle_move *move);
int power_hex(struct battle *b, int user, int target, struct battle_move *move);
int power_rising_voltage(struct battle *b, int user, int target, struct battle_move *move);
int power_stomping_tantrum(struct battle *b, int user, int target, struct battle_move *move);
int power_stored(struct battle *b, int user, int target, struct battle_move *move);
int power_triple_axel(struct battle *b, int user, int target, struct battle_move *move);
hook_modifier power_expanding_force;
hook_modifier power_facade;
hook_modifier power_fusion_bolt;
hook_modifier power_fusion_flare;
hook_modifier power_knock_off;
hook_modifier power_solar_beam;
int damage_counter(struct battle *b, int user, int target, struct battle_move *move);
int damage_mirror_coat(struct battle *b, int user, int target, struct battle_move *move);
int damage_half(struct battle *b, int user, int target, struct battle_move *move);
void type_aura_wheel(struct battle *b, int user, int target, struct battle_move *move);
void type_multi_attack(struct battle *b, int user, int target, struct battle_move *move);
void modify_struggle(struct battle *b, int user, int target, struct battle_move *move);
void modify_blizzard(struct battle *b, int user, int target, struct battle_move *move);
void modify_thunder(struct battle *b, int user, int target, struct battle_move *move);
void modify_photon_geyser(struct battle *b, int user, int target, struct battle_move *move);
void modify_shell_side_arm(struct battle *b, int user, int target, struct battle_move *move);
void modify_curse(struct battle *b, int user, int target, struct battle_move *move);
int effect_freeze_dry(const struct battle *b, int target, int type, int mod);
int effect_thousand_arrows(const struct battle *b, int target, int type, int mod);
int priority_grassy_glide(const struct battle *b, int user);
int try_first_turn(struct battle *b, int user, int target, struct battle_move *move);
int try_aura_wheel(struct battle *b, int user, int target, struct battle_move *move);
int try_aurora_veil(struct battle *b, int user, int target, struct battle_move *move);
int try_clangorous_soul(struct battle *b, int user, int target, struct battle_move *move);
int try_counter(struct battle *b, int user, int target, struct battle_move *move);
int try_mirror_coat(struct battle *b, int user, int target, struct battle_move *move);
int try_future_sight(struct battle *b, int user, int target, struct battle_move *move);
int try_magnet_rise(struct battle *b, int user, int target, struct battle_move *move);
int try_no_retreat(struct battle *b, int user, int target, struct battle_move *move);
int try_poltergeist(struct battle *b, int user, int target, struct battle_move *move);
int try_rest(struct battle *b, int user, int target, struct battle_move *move);
int try_asleep(struct battle *b, int user, int target, struct battle_move *move);
int try_sucker_punch(struct battle *b, int user, int target, struct battle_move *move);
int try_teleport(struct battle *b, int user, int target, struct battle_move *move);
int prepare_destiny_bond(struct battle *b, int user, int target, struct battle_move *move);
int prepare_protect(struct battle *b, int user, int target, struct battle_move *move);
int hit_stall(struct battle *b, int user, int target, struct battle_move *move);
int charge_bounce(struct battle *b, int user, int target, struct battle_move *move);
int charge_fly(struct battle *b, int user, int target, struct battle_move *move);
int charge_geomancy(struct battle *b, int user, int target, struct battle_move *move);
int charge_meteor_beam(struct battle *b, int user, int target, struct battle_move *move);
int charge_phantom_force(struct battle *b, int user, int target, struct battle_move *move);
int charge_solar_beam(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_autotomize(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_break_screens(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_clangorous_soul(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_curse(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_by_weight(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_healing_wish(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_nature_power(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_substitute(struct battle *b, int user, int target, struct battle_move *move);
int try_hit_yawn(struct battle *b, int user, int target, struct battle_move *move);
int hit_cure_team(struct battle *b, int user, int target, struct battle_move *move);
int hit_autotomize(struct battle *b, int user, int target, struct battle_move *move);
int hit_belly_drum(struct battle *b, int user, int target, struct battle_move *move);
int hit_bug_bite(struct battle *b, int user, int target, struct battle_move *move);
void secondary_burning_jealousy(struct battle *b, int user, int target, struct battle_move *move);
void secondary_anchor_shot(struct battle *b, int user, int target, struct battle_move *move);
void secondary_throat_chop(struct battle *b, int user, int target, struct battle_move *move);
void secondary_tri_attack(struct battle *b, int user, int target, struct battle_move *move);
int hit_clangorous_soul(struct battle *b, int user, int target, struct battle_move *move);
int hit_clear_smog(struct battle *b, int user, int target, struct battle_move *move);
int hit_court_change(struct battle *b, int user, int target, struct battle_move *move);
int hit_curse(struct battle *b, int user, int target, struct battle_move *move);
int hit_defog(struct battle *b, int user, int target, struct battle_move *move);
int hit_haze(struct battle *b, int user, int target, struct battle_move *move);
int hit_jungle_healing(struct battle *b, int user, int target, struct battle_move *move);
void after_knock_off(struct battle *b, int user, int target, struct battle_move *move);
int hit_synthesis(struct battle *b, int user, int target, struct battle_move *move);
int hit_shore_up(struct battle *b, int user, int target, struct battle_move *move);
int hit_pain_split(struct battle *b, int user, int target, struct battle_move *move);
int hit_parting_shot(struct battle *b, int user, int target, struct battle_move *move);
void after_rapid_spin(struct battle *b, int user, int target, struct battle_move *move);
int hit_recycle(struct battle *b, int user, int target, struct battle_move *move);
int hit_rest(struct battle *b, int user, int target, struct battle_move *move);
int hit_sleep_talk(struct battle *b, int user, int target, struct battle_move *move);
void after_sparkling_aria(struct battle *b, int user, int target, struct battle_move *move);
int hit_strength_sap(struct battle *b, int user, int target, struct battle_move *move);
int hit_substitute_made(struct battle *b, int user, int target, struct battle_move *move);
int hit_trick(struct battle *b, int user, int target, struct battle_move *move);
int hit_transform(struct battle *b, int user, int target, struct battle_move *move);
void fail_crash(struct battle *b, int user, int target, struct battle_move *move);
bool works_leech_seed(struct battle *b, int user, int target, struct battle_move *move);
bool works_trick(struct battle *b, int user, int target, struct battle_move *move);
void effect_trap(struct battle *b, int user, int target);
bool effect_clear_hazards(struct battle *b, int side);
int effect_defog(struct battle *b, int user, int target, bool done);
void ready_counter(struct battle *b, int user);
void ready_mirror_coat(struct battle *b, int user);
void ready_focus_punch(struct battle *b, int user);
bool spoiled_focus_punch(struct battle *b, int user);
void max_airstream(struct battle *b, int user, int target, struct battle_move *move);
void max_knuckle(struct battle *b, int user, int target, struct battle_move *move);
void max_ooze(struct battle *b, int user, int target, struct battle_move *move);
void max_quake(struct battle *b, int user, int target, struct battle_move *move);
void max_steelspike(struct battle *b, int user, int target, struct battle_move *move);
void max_strike(struct battle *b, int user, int target, struct battle_move *move);
void max_wyrmwind(struct battle *b, int user, int target, struct battle_move *move);
void max_phantasm(struct battle *b, int user, int target, struct battle_move *move);
void max_flutterby(struct battle *b, int user, int target, struct battle_move *move);
void max_darkness(struct battle *b, int user, int target, struct battle_move *move);
void max_flare(struct battle *b, int user, int target, struct battle_move *move);
void max_geyser(struct battle *b, int user, int target, struct battle_move *move);
void max_hailstorm(struct battle *b, int user, int target, struct battle_move *move);
void max_rockfall(struct battle *b, int user, int target, struct battle_move *move);
void max_lightning(struct battle *b, int user, int target, struct battle_move *move);
void max_overgrowth(struct battle *b, int user, int target, struct battle_move *move);
void max_starfall(struct battle *b, int user, int target, struct battle_move *move);
void max_mindstorm(struct battle *b, int user, int target, struct battle_move *move);
void gmax_befuddle(struct battle *b, int user, int target, struct battle_move *move);
void gmax_malodor(struct battle *b, int user, int target, struct battle_move *move);
void gmax_smite(struct battle *b, int user, int target, struct battle_move *move);
void gmax_terror(struct battle *b, int user, int target, struct battle_move *move);
void gmax_cannonade(struct battle *b, int user, int target, struct battle_move *move);
void gmax_vine_lash(struct battle *b, int user, int target, struct battle_move *move);
void gmax_volcalith(struct battle *b, int user, int target, struct battle_move *move);
void gmax_steelsurge(struct battle *b, int user, int target, struct battle_move *move);
void gmax_finale(struct battle *b, int user, int target, struct battle_move *move);
void gmax_replenish(struct battle *b, int user, int target, struct battle_move *move);
void gmax_sweetness(struct battle *b, int user, int target, struct battle_move *move);
int gmax_snooze(struct battle *b, int user, int target, struct battle_move *move);
void gmax_snooze_substitute(struct battle *b, int user, int target, struct battle_move *move);

#endif
