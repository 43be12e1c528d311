/* Estimates which Pokémon beats which, from their sets.  The state stores the table, so that the
 * value of a position need not estimate the best of four attacks seventy-two times.
 *
 * The damage of an attack is a product of the user's part (power, stat, bonus for its own type) and
 * the target's part (type chart, defence, hp), so each Pokémon is evaluated once.
 */
#include "games/pokemon/players/estimate.h"

enum { MATCHUP_MOVES = 4 };

struct matchup_fighter {
    float attack[MATCHUP_MOVES]; /* the user's part of the product */
    uint8_t type[MATCHUP_MOVES], special[MATCHUP_MOVES];
    int attacks;
    float takes[2][TYPE_COUNT]; /* the target's part for physical and special attacks, as a share
                                 * of full hp */
};

/* The power that counts for a move: an average if it depends on the target, less if the move takes two
 * turns or may fail. */
static float matchup_power(const struct dex_move *row, int move)
{
    switch (move) {
    case MOVE_GRASSKNOT:
    case MOVE_LOWKICK:
    case MOVE_GYROBALL:
        return 70;
    case MOVE_HEAVYSLAM:
    case MOVE_HEATCRASH:
        return 80;
    case MOVE_TRIPLEAXEL:
        return 110;
    case MOVE_FAKEOUT:
    case MOVE_FIRSTIMPRESSION:
        return 0;
    case MOVE_FOCUSPUNCH:
        return 0.4f * row->power;
    case MOVE_SOLARBEAM:
    case MOVE_METEORBEAM:
    case MOVE_FLY:
    case MOVE_BOUNCE:
    case MOVE_PHANTOMFORCE:
        return 0.5f * row->power;
    case MOVE_SUPERFANG:
    case MOVE_NATURESMADNESS:
        return 60;
    default:
        return row->props & MOVE_IS_DAMAGE_LEVEL ? 60 : row->power;
    }
}

static void matchup_attack(const struct pokemon_mon *mon, const uint16_t stats[STAT_COUNT],
                           uint32_t types, int move, struct matchup_fighter *f)
{
    const struct dex_move *row = &dex_moves[move];
    if (row->category == CATEGORY_STATUS)
        return;
    const struct estimate_force *force = &estimate_forces[mon->set_ability];
    bool special = row->category == CATEGORY_SPECIAL;
    float power = matchup_power(row, move);
    int stat = row->attack_stat ? row->attack_stat : special ? STAT_SPA : STAT_ATK;
    float factor = special ? force->special : force->physical;
    float attack = (0.4f * mon->level + 2) * power * stats[stat] * 0.02f;
    attack *= factor > 0 ? factor : 1;
    if (force->type == row->type + 1 && force->typed > 0)
        attack *= force->typed;
    if (row->flags & force->flags)
        attack *= force->flagged;
    if (mon->set_ability == ABILITY_TECHNICIAN && row->power <= 60)
        attack *= 1.5f;
    if (types >> row->type & 1)
        attack *= mon->set_ability == ABILITY_ADAPTABILITY ? 2 : 1.5f;
    if (row->hits[1] && !(row->props & MOVE_IS_MULTIACCURACY))
        attack *= row->hits[0] == row->hits[1]            ? row->hits[0]
                  : mon->set_ability == ABILITY_SKILLLINK ? 5.0f
                                                          : 3.0f;
    if (row->accuracy && mon->set_ability != ABILITY_NOGUARD)
        attack *= (float)row->accuracy * 0.01f;
    f->attack[f->attacks] = attack;
    f->type[f->attacks] = row->type;
    f->special[f->attacks++] = row->defence_stat ? row->defence_stat == STAT_SPD : special;
}

static void matchup_look(const struct pokemon_mon *mon, struct matchup_fighter *f)
{
    const struct dex_species *row = &dex_species[mon->set_species];
    const struct estimate_guard *guard = &estimate_guards[mon->set_ability];
    uint32_t types = (1u << row->types[0] | 1u << row->types[1]) & ~(1u << TYPE_NONE);
    uint16_t stats[STAT_COUNT];
    dex_stats(mon->set_species, mon->level, mon->evs, mon->ivs, stats);
    f->attacks = 0;
    for (int i = 0; i < mon->slots.count && i < MATCHUP_MOVES; ++i)
        matchup_attack(mon, stats, types, mon->slots.id[i], f);
    float whole = 0.94f * MATCHUP_WHOLE / (float)stats[STAT_HP];
    float physical = whole * (guard->physical > 0 ? guard->physical : 1) / (float)stats[STAT_DEF];
    float special = whole * (guard->special > 0 ? guard->special : 1) / (float)stats[STAT_SPD];
    for (int type = 0; type < TYPE_NONE; ++type) {
        float factor = guard->immune == type + 1 ? 0 : estimate_type_factor(type, types);
        if (guard->type == type + 1)
            factor *= guard->typed;
        if (factor > 1 && guard->effective > 0)
            factor *= guard->effective;
        if (mon->set_ability == ABILITY_WONDERGUARD && factor <= 1)
            factor = 0;
        f->takes[0][type] = factor * physical;
        f->takes[1][type] = factor * special;
    }
    f->takes[0][TYPE_NONE] = physical;
    f->takes[1][TYPE_NONE] = special;
}

static uint8_t matchup_best(const struct matchup_fighter *by, const struct matchup_fighter *on)
{
    float best = 0;
    for (int i = 0; i < by->attacks; ++i) {
        float share = by->attack[i] * on->takes[by->special[i]][by->type[i]];
        best = share > best ? share : best;
    }
    return best > 255 ? 255 : (uint8_t)best;
}

void matchup_fill(struct pokemon *s)
{
    struct matchup_fighter fighters[2][POKEMON_TEAM];
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i)
            matchup_look(&s->sides[side].mons[i], &fighters[side][i]);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i)
            for (int k = 0; k < POKEMON_TEAM; ++k)
                s->matchup[side][i][k] = matchup_best(&fighters[side][i], &fighters[!side][k]);
}
