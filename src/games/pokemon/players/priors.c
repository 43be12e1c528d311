/* Priors of actions: expected damage for attacks, a few rules for everything else. */
#include "games/pokemon/players/priors.h"
#include "games/pokemon/players/estimate.h"

struct prior_view {
    const struct pokemon *s;
    int player;
    struct estimate_fighter own, foe;
    struct estimate_arms against;         /* the foe's attacks, if it has an active Pokémon */
    struct estimate_field on_foe, on_own; /* effects on attacks against the foe, and against the
                                           * own side */
    float threat;                         /* expected damage, as a share of own hp left */
    bool duel;                            /* both sides have an active Pokémon */
};

static void prior_look(const struct pokemon *s, int player, struct prior_view *v)
{
    const struct pokemon_side *own = &s->sides[player], *foe = &s->sides[!player];
    v->s = s;
    v->player = player;
    bool out = own->mons[own->order[0]].hp != 0;
    v->duel = foe->mons[foe->order[0]].hp != 0;
    estimate_field(s, !player, &v->on_foe);
    estimate_field(s, player, &v->on_own);
    if (out)
        estimate_active(s, player, &v->own);
    if (v->duel) {
        bool large = foe->active.volatiles >> VOLATILE_DYNAMAX & 1;
        estimate_active(s, !player, &v->foe);
        estimate_arm(&v->foe, large, &v->against);
    }
    v->threat = 0;
    if (out && v->duel) {
        float all = estimate_part(&v->own, 1); /* damage beyond the target's hp does not count */
        v->threat = estimate_best_armed(&v->foe, &v->against, &v->own, &v->on_own, all) *
                    v->own.max_hp / v->own.hp;
    }
    v->duel = v->duel && out;
}

/* --- status moves --- */

static float prior_heal(const struct prior_view *v)
{
    float missing = 1 - v->own.hp / v->own.max_hp;
    return missing < 0.25f ? -1.5f : 1.5f * missing;
}

static float prior_status_move(const struct prior_view *v, const struct dex_move *row)
{
    const struct pokemon_side *foe = &v->s->sides[!v->player];
    float safety = v->threat < 0.5f ? 1 : v->threat < 1 ? 0.3f : -1;
    if (row->flags & MOVE_FLAG_HEAL)
        return prior_heal(v);
    if (row->has_boosts && row->target == TARGET_SELF)
        return safety;
    if (row->side_condition && row->target == TARGET_FOE_SIDE)
        return foe->condition[row->side_condition] ? -1.5f : foe->left >= 3 ? 0.9f : -0.5f;
    if (row->side_condition)
        return v->s->sides[v->player].condition[row->side_condition] ? -2 : 0.5f;
    if (row->status && row->target == TARGET_FOE)
        return v->foe.status ? -2 : 0.5f;
    if (row->props & MOVE_IS_STALLING)
        return -0.7f;
    return 0;
}

/* --- moves and switches --- */

static float prior_attack(const struct prior_view *v, const struct dex_move *row, int move,
                          bool max)
{
    float share = estimate_share(&v->own, &v->foe, &v->on_foe, move, max);
    float left = share * v->foe.max_hp / v->foe.hp; /* as a share of the hp that the foe has left */
    float score = 3 * (left > 1.2f ? 1.2f : left);
    if (left >= 1 && row->priority > 0 && !max)
        score += 1;
    if ((row->props & MOVE_IS_EXPLODES) && !max)
        score -= 2.5f;
    return score;
}

static float prior_move(const struct prior_view *v, int move, bool max)
{
    const struct dex_move *row = &dex_moves[move];
    if (!v->duel)
        return 0;
    float score = row->category != CATEGORY_STATUS ? prior_attack(v, row, move, max)
                  : max                            ? -1.5f
                                                   : prior_status_move(v, row);
    if (max && v->own.hp < 0.5f * v->own.max_hp && v->s->sides[v->player].left > 1)
        score -= 0.7f;
    return score;
}

static float prior_switch(const struct prior_view *v, int species)
{
    const struct pokemon_side *side = &v->s->sides[v->player];
    int index = 0;
    while (index < POKEMON_TEAM - 1 && side->mons[index].set_species != species)
        ++index;
    const struct pokemon_side *foe = &v->s->sides[!v->player];
    bool forced = v->s->request[v->player] == REQUEST_SWITCH;
    float score = forced ? 0 : v->duel ? -0.7f : 0;
    if (!foe->mons[foe->order[0]].hp)
        return score;
    struct estimate_fighter in;
    estimate_bench(v->s, v->player, index, &in);
    float takes =
        estimate_best_armed(&v->foe, &v->against, &in, &v->on_own, estimate_part(&in, 1.2f)) *
        in.max_hp / in.hp;
    float gives = estimate_best(&in, &v->foe, &v->on_foe, false, estimate_part(&v->foe, 1)) *
                  v->foe.max_hp / v->foe.hp;
    takes = takes > 1.2f ? 1.2f : takes;
    gives = gives > 1 ? 1 : gives;
    bool faster = in.stats[BOOST_SPE] > v->foe.stats[BOOST_SPE];
    score += 1.5f * gives - (forced && faster && gives >= 1 ? 0.5f : 2) * takes;
    return v->duel ? score + (v->threat > 1 ? 1 : v->threat) : score;
}

/* An approximation of e^x for x <= 0, by five squarings, plus 0.0001, so that no prior is 0. */
static float prior_exp(float x)
{
    float t = 1 + x / 32;
    t = t < 0 ? 0 : t;
    for (int i = 0; i < 5; ++i)
        t *= t;
    return t + 1e-4f;
}

/* Writes the softmax of the scores of the actions. */
void priors_pokemon(const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, float *out)
{
    struct prior_view v;
    float top = -1e9f, sum = 0;
    prior_look(state, player, &v);
    for (int i = 0; i < n; ++i) {
        int kind = (int)(actions[i] >> 16), id = (int)(actions[i] & 0xffff);
        bool large = v.s->sides[player].active.volatiles >> VOLATILE_DYNAMAX & 1;
        out[i] = kind == ACTION_SWITCH ? prior_switch(&v, id)
                                       : prior_move(&v, id, kind == ACTION_DYNAMAX || large);
        top = out[i] > top ? out[i] : top;
    }
    for (int i = 0; i < n; ++i)
        sum += out[i] = prior_exp(out[i] - top);
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}
