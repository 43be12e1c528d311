/* The published baseline players of poke-env (MaxBasePowerPlayer, SimpleHeuristicsPlayer), written
 * after their description; docs/results.md compares their results here with those in poke-env. */
#include "games/pokemon/players/baselines.h"
#include "games/pokemon/battle.h"

#include "base/rng.h"

enum { BASELINE_ACTIONS = 16 };

banyan_action baseline_random(const struct pokemon *s, int player, struct banyan_rng *rng)
{
    banyan_action legal[BASELINE_ACTIONS];
    return legal[rng_below(rng, (uint32_t)legal_actions(s, player, legal))];
}

/* The move of the highest base power, the first one at a tie; a random switch if there is no move. */
banyan_action baseline_power(const struct pokemon *s, int player, struct banyan_rng *rng)
{
    banyan_action legal[BASELINE_ACTIONS], best = 0;
    int count = legal_actions(s, player, legal), most = -1;
    for (int i = 0; i < count && legal[i] >> 16 == ACTION_MOVE; ++i) {
        int power = dex_moves[legal[i] & 0xffff].power;
        if (power > most) {
            most = power;
            best = legal[i];
        }
    }
    return most >= 0 ? best : legal[rng_below(rng, (uint32_t)count)];
}

/* --- what the heuristic player uses --- */

/* What the heuristic player considers about a Pokémon. */
struct baseline_mon {
    uint8_t types[2];
    const uint8_t *stats; /* of its species, [STAT_COUNT] */
    float hp;             /* share of full hp */
};

struct baseline_view {
    const struct pokemon *s;
    const struct pokemon_side *own, *theirs;
    struct baseline_mon active, foe;
    banyan_action legal[BASELINE_ACTIONS];
    int count, moves; /* moves are listed first */
};

static struct baseline_mon baseline_look(const struct pokemon_mon *mon, int species)
{
    const struct dex_species *row = &dex_species[species];
    struct baseline_mon look = {.types = {row->types[0], row->types[1]}, .stats = row->stats};
    look.hp = (float)mon->hp / (float)mon->max_hp;
    return look;
}

/* The active Pokémon as it looks, with its present types. */
static struct baseline_mon baseline_active(const struct pokemon_side *side)
{
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    const struct pokemon_active *a = &side->active;
    if (a->illusion)
        return baseline_look(mon, side->mons[a->illusion - 1].species);
    struct baseline_mon look = baseline_look(mon, mon->species);
    look.types[0] = a->types[0];
    look.types[1] = a->types[1];
    return look;
}

/* Effectiveness by the type chart alone. */
static float baseline_effect(int type, const struct baseline_mon *target)
{
    float factor = 1;
    if (type == TYPE_NONE)
        return factor;
    for (int i = 0; i < 2; ++i) {
        int other = target->types[i];
        if (other == TYPE_NONE || (i == 1 && other == target->types[0]))
            continue;
        if (dex_immune_types[type] >> other & 1)
            return 0;
        int steps = dex_effectiveness[type][other];
        factor *= steps > 0 ? 2.0f : steps < 0 ? 0.5f : 1.0f;
    }
    return factor;
}

static float baseline_best_effect(const struct baseline_mon *by, const struct baseline_mon *target)
{
    float best = 0;
    for (int i = 0; i < 2; ++i) {
        if (by->types[i] == TYPE_NONE)
            continue;
        float factor = baseline_effect(by->types[i], target);
        best = factor > best ? factor : best;
    }
    return best;
}

/* Estimates the match-up: above 0 it is good for mon. */
static float baseline_matchup(const struct baseline_mon *mon, const struct baseline_mon *foe)
{
    float score = baseline_best_effect(mon, foe) - baseline_best_effect(foe, mon);
    int faster = mon->stats[STAT_SPE] - foe->stats[STAT_SPE];
    score += faster > 0 ? 0.1f : faster < 0 ? -0.1f : 0.0f;
    return score + 0.4f * (mon->hp - foe->hp);
}

static int baseline_alive(const struct pokemon_side *side)
{
    return side->left;
}

/* --- whether to switch --- */

static const struct pokemon_mon *baseline_of_species(const struct pokemon_side *side, int species)
{
    int i = 0;
    while (i < POKEMON_TEAM - 1 && side->mons[i].set_species != species)
        ++i;
    return &side->mons[i];
}

/* The Pokémon on the bench with the best match-up; 0: no switch is legal. */
static banyan_action baseline_best_switch(const struct baseline_view *v, float *score)
{
    banyan_action best = 0;
    for (int i = v->moves; i < v->count; ++i) {
        if (v->legal[i] >> 16 != ACTION_SWITCH)
            continue;
        const struct pokemon_mon *mon = baseline_of_species(v->own, (int)(v->legal[i] & 0xffff));
        struct baseline_mon look = baseline_look(mon, mon->species);
        float here = baseline_matchup(&look, &v->foe);
        if (!best || here > *score) {
            best = v->legal[i];
            *score = here;
        }
    }
    return best;
}

static bool baseline_leaves(const struct baseline_view *v)
{
    const int8_t *boosts = v->own->active.boosts;
    const uint16_t *stats = v->own->active.stats;
    float best = 0;
    if (!baseline_best_switch(v, &best) || best <= 0)
        return false;
    if (boosts[BOOST_DEF] <= -3 || boosts[BOOST_SPD] <= -3)
        return true;
    if (boosts[BOOST_ATK] <= -3 && stats[BOOST_ATK] >= stats[BOOST_SPA])
        return true;
    if (boosts[BOOST_SPA] <= -3 && stats[BOOST_ATK] <= stats[BOOST_SPA])
        return true;
    return baseline_matchup(&v->active, &v->foe) < -2;
}

/* --- which move --- */

static bool baseline_has_hazards(const struct pokemon_side *side)
{
    for (int i = 1; i < SIDE_HAZARDS; ++i)
        if (side->condition[i])
            return true;
    return false;
}

static bool baseline_lays_hazard(const struct baseline_view *v, const struct dex_move *move)
{
    int hazard = move->category == CATEGORY_STATUS ? move->side_condition : SIDE_NONE;
    return hazard && hazard < SIDE_HAZARDS && !v->theirs->condition[hazard] &&
           baseline_alive(v->theirs) >= 3;
}

static bool baseline_clears_hazards(const struct baseline_view *v, int move)
{
    return (move == MOVE_RAPIDSPIN || move == MOVE_DEFOG) && baseline_has_hazards(v->own) &&
           baseline_alive(v->own) >= 2;
}

/* Whether the move raises stats by at least two stages in all, and at least one of them can still
 * rise. */
static bool baseline_sets_up(const struct baseline_view *v, const struct dex_move *move)
{
    int sum = 0, least = 6;
    if (!move->has_boosts || move->target != TARGET_SELF)
        return false;
    for (int i = 0; i < BOOST_COUNT; ++i) {
        sum += move->boosts[i];
        if (move->boosts[i] > 0 && v->own->active.boosts[i] < least)
            least = v->own->active.boosts[i];
    }
    return sum >= 2 && least < 6;
}

static float baseline_stat(const struct baseline_mon *mon, const struct pokemon_active *active,
                           int boost)
{
    int stage = active->boosts[boost];
    float factor = stage >= 0 ? (float)(2 + stage) / 2 : 2 / (float)(2 - stage);
    return (float)(2 * mon->stats[STAT_ATK + boost] + 36) * factor;
}

static float baseline_hits(const struct dex_move *move)
{
    if (move->hits[0] == 2 && move->hits[1] == 5)
        return 19.0f / 6;
    return move->hits[1] ? (float)(move->hits[0] + move->hits[1]) / 2 : 1;
}

static float baseline_promise(const struct baseline_view *v, const struct dex_move *move)
{
    bool physical = move->category == CATEGORY_PHYSICAL;
    float attack = baseline_stat(&v->active, &v->own->active, physical ? BOOST_ATK : BOOST_SPA);
    float defence = baseline_stat(&v->foe, &v->theirs->active, physical ? BOOST_DEF : BOOST_SPD);
    bool own_type = move->type == v->active.types[0] || move->type == v->active.types[1];
    return (float)move->power * (own_type ? 1.5f : 1.0f) * attack / defence *
           (move->accuracy ? (float)move->accuracy / 100 : 1.0f) * baseline_hits(move) *
           baseline_effect(move->type, &v->foe);
}

/* Chooses the first move that lays or removes hazards, otherwise a set-up move; 0: none is useful. */
static int baseline_quiet_move(const struct baseline_view *v)
{
    for (int i = 0; i < v->moves; ++i) {
        int id = (int)(v->legal[i] & 0xffff);
        if (baseline_lays_hazard(v, &dex_moves[id]) || baseline_clears_hazards(v, id))
            return id;
    }
    bool is_safe = v->active.hp >= 1 && baseline_matchup(&v->active, &v->foe) > 0;
    for (int i = 0; i < v->moves && is_safe; ++i)
        if (baseline_sets_up(v, &dex_moves[v->legal[i] & 0xffff]))
            return (int)(v->legal[i] & 0xffff);
    return 0;
}

static int baseline_best_attack(const struct baseline_view *v)
{
    int best = 0;
    float most = -1;
    for (int i = 0; i < v->moves; ++i) {
        float here = baseline_promise(v, &dex_moves[v->legal[i] & 0xffff]);
        if (here > most) {
            most = here;
            best = (int)(v->legal[i] & 0xffff);
        }
    }
    return best;
}

/* --- Dynamax: for the last Pokémon, for the last healthy one, or when the match-up is good --- */

static bool baseline_grows(const struct baseline_view *v)
{
    int healthy = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        healthy += v->own->mons[i].hp == v->own->mons[i].max_hp;
    if (healthy == 1 && v->active.hp >= 1)
        return true;
    if (v->active.hp >= 1 && v->foe.hp >= 1 && baseline_matchup(&v->active, &v->foe) > 0)
        return true;
    return baseline_alive(v->own) == 1;
}

static banyan_action baseline_with_dynamax(const struct baseline_view *v, int move)
{
    banyan_action large = POKEMON_ACTION(ACTION_DYNAMAX, move);
    for (int i = v->moves; i < v->count; ++i)
        if (v->legal[i] == large && baseline_grows(v))
            return large;
    return POKEMON_ACTION(ACTION_MOVE, move);
}

banyan_action baseline_heuristic(const struct pokemon *s, int player, struct banyan_rng *rng)
{
    struct baseline_view v = {.s = s, .own = &s->sides[player], .theirs = &s->sides[!player]};
    (void)rng;
    v.active = baseline_active(v.own);
    v.foe = baseline_active(v.theirs);
    v.count = legal_actions(s, player, v.legal);
    while (v.moves < v.count && v.legal[v.moves] >> 16 == ACTION_MOVE)
        ++v.moves;
    if (v.moves && !baseline_leaves(&v)) {
        int quiet = baseline_quiet_move(&v);
        return quiet ? POKEMON_ACTION(ACTION_MOVE, quiet)
                     : baseline_with_dynamax(&v, baseline_best_attack(&v));
    }
    float score = 0;
    return baseline_best_switch(&v, &score);
}
