#include "games/pokemon/pokemon.h"

/* What one Pokémon is worth: being alive, and hp. */
static float evaluate_mon(const struct pokemon_mon *mon)
{
    static const float harm[STATUS_COUNT] = {
        [STATUS_BRN] = 0.05f, [STATUS_PAR] = 0.05f, [STATUS_SLP] = 0.08f,
        [STATUS_FRZ] = 0.1f,  [STATUS_PSN] = 0.03f, [STATUS_TOX] = 0.06f};
    if (!mon->hp)
        return 0;
    return 0.4f + 0.6f * (float)mon->hp / (float)mon->max_hp - harm[mon->status];
}

static float evaluate_side(const struct pokemon_side *side)
{
    float value = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        value += evaluate_mon(&side->mons[i]);
    for (int i = 0; i < 5; ++i)
        value += 0.02f * (float)side->active.boosts[i];
    value -= 0.02f * (float)side->left *
             (float)(side->condition[SIDE_STEALTHROCK] + side->condition[SIDE_SPIKES] +
                     side->condition[SIDE_STICKYWEB]);
    return side->dynamax_used ? value : value + 0.25f;
}

/* Material, hp, boosts, hazards and an unused Dynamax; -1..1. */
float evaluate_heuristic(const void *state, int player)
{
    const struct pokemon *s = state;
    float own = evaluate_side(&s->sides[player]), foe = evaluate_side(&s->sides[!player]);
    float sum = (own < 0 ? 0 : own) + (foe < 0 ? 0 : foe) + 0.5f;
    float value = (own - foe) / sum;
    return value > 1 ? 1 : value < -1 ? -1 : value;
}
