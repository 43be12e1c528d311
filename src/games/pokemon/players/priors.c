/* Priors of actions: expected damage for attacks, a few rules for everything else (points.def). */
#include "games/pokemon/players/priors.h"
#include "games/pokemon/players/estimate.h"

struct prior_view {
    const struct points_prior *points;
    const struct pokemon *s;
    int player;
    struct estimate_fighter own, foe;
    struct estimate_arms against;         /* the foe's attacks, if it has an active Pokémon */
    struct estimate_field on_foe, on_own; /* effects on attacks against the foe, and against the
                                           * own side */
    float threat;                         /* expected damage, as a share of own hp left */
    bool duel;                            /* both sides have an active Pokémon */
};

static void prior_look(const struct points_prior *points, const struct pokemon *s, int player,
                       struct prior_view *v)
{
    const struct pokemon_side *own = &s->sides[player], *foe = &s->sides[!player];
    v->points = points;
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

static float prior_atmost(float x, float most)
{
    return x > most ? most : x;
}

/* --- status moves --- */

static float prior_heal(const struct prior_view *v)
{
    const struct points_prior *points = v->points;
    float missing = 1 - v->own.hp / v->own.max_hp;
    return missing < points->heal_from ? points->heal_useless
                                       : points->heal * missing + points->heal_base;
}

/* Whether none of the stats that the move raises can rise. */
static bool prior_is_full(const struct prior_view *v, const struct dex_move *row)
{
    const int8_t *boosts = v->s->sides[v->player].active.boosts;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (row->boosts[i] > 0 && boosts[i] < 6)
            return false;
    return true;
}

static float prior_set_up(const struct prior_view *v, const struct dex_move *row)
{
    return prior_is_full(v, row) ? v->points->useless
           : v->threat < 0.5f    ? v->points->set_up_safe
           : v->threat < 1       ? v->points->set_up_hurt
                                 : v->points->set_up_dead;
}

/* Whether a status move at the foe in front fails: by its types or its substitute, or because the foe has that condition
 * already. */
static bool prior_fails(const struct prior_view *v, const struct dex_move *row)
{
    uint64_t there = v->s->sides[!v->player].active.volatiles;
    uint32_t types = v->foe.types;
    int immunity = status_immunity(row->status);
    if (row->target != TARGET_FOE)
        return false;
    return (row->volatile_id && there >> row->volatile_id & 1) ||
           (row->volatile_id == VOLATILE_LEECHSEED && types >> TYPE_GRASS & 1) ||
           (immunity >= 0 && types & dex_immune_to[immunity]) ||
           (!(row->props & MOVE_IS_IGNORE_IMMUNITY) && types & dex_immune_types[row->type]) ||
           (row->flags & MOVE_FLAG_POWDER && types & dex_immune_to[IMMUNE_POWDER]) ||
           (there >> VOLATILE_SUBSTITUTE & 1 &&
            !(row->flags & (MOVE_FLAG_BYPASSSUB | MOVE_FLAG_SOUND)));
}

static float prior_status_move(const struct prior_view *v, const struct dex_move *row)
{
    const struct points_prior *points = v->points;
    const struct pokemon_side *own = &v->s->sides[v->player], *foe = &v->s->sides[!v->player];
    if (row->flags & MOVE_FLAG_HEAL)
        return prior_heal(v);
    if (row->has_boosts && row->target == TARGET_SELF)
        return prior_set_up(v, row);
    if (row->side_condition && row->target == TARGET_FOE_SIDE)
        return foe->condition[row->side_condition] ? points->hazard_again
               : foe->left >= 3                    ? points->hazard
                                                   : points->hazard_late;
    if (row->side_condition)
        return own->condition[row->side_condition] ? points->screen_again : points->screen;
    if (prior_fails(v, row))
        return points->useless;
    if (row->status && row->target == TARGET_FOE)
        return v->foe.status ? points->status_again : points->status;
    return row->props & MOVE_IS_STALLING ? points->stall : points->other;
}

/* --- moves and switches --- */

static float prior_attack(const struct prior_view *v, const struct dex_move *row, int move,
                          bool max)
{
    const struct points_prior *points = v->points;
    float share = estimate_share(&v->own, &v->foe, &v->on_foe, move, max);
    float left = share * v->foe.max_hp / v->foe.hp; /* as a share of the hp that the foe has left */
    float score = points->damage * prior_atmost(left, 1 + points->damage_over);
    if (share <= 0 && row->power)
        score += points->useless;
    if (left >= 1)
        score += points->ko;
    if (left >= 1 && v->own.stats[BOOST_SPE] > v->foe.stats[BOOST_SPE])
        score += points->ko_first;
    if (left >= 1 && row->priority > 0 && !max)
        score += points->ko_priority;
    if (row->priority < 0 && !max)
        score += points->late;
    if ((row->props & MOVE_IS_EXPLODES) && !max)
        score += points->explode;
    return score;
}

static float prior_move(const struct prior_view *v, int move, bool max)
{
    const struct dex_move *row = &dex_moves[move];
    if (!v->duel)
        return 0;
    float score = row->category != CATEGORY_STATUS ? prior_attack(v, row, move, max)
                  : max                            ? v->points->max_guard
                                                   : prior_status_move(v, row);
    if (max && v->own.hp < 0.5f * v->own.max_hp && v->s->sides[v->player].left > 1)
        score += v->points->max_hurt;
    return score;
}

static float prior_switch(const struct prior_view *v, int species)
{
    const struct points_prior *points = v->points;
    const struct pokemon_side *side = &v->s->sides[v->player];
    int index = 0;
    while (index < POKEMON_TEAM - 1 && side->mons[index].set_species != species)
        ++index;
    const struct pokemon_side *foe = &v->s->sides[!v->player];
    bool forced = v->s->request[v->player] == REQUEST_SWITCH;
    float score = !forced && v->duel ? points->switch_out : 0;
    if (!foe->mons[foe->order[0]].hp)
        return score;
    struct estimate_fighter in;
    estimate_bench(v->s, v->player, index, &in);
    float most = 1 + points->takes_over;
    float takes =
        estimate_best_armed(&v->foe, &v->against, &in, &v->on_own, estimate_part(&in, most)) *
        in.max_hp / in.hp;
    float gives = estimate_best(&in, &v->foe, &v->on_foe, false, estimate_part(&v->foe, 1)) *
                  v->foe.max_hp / v->foe.hp;
    gives = prior_atmost(gives, 1);
    bool first = forced && in.stats[BOOST_SPE] > v->foe.stats[BOOST_SPE] && gives >= 1;
    score += points->gives * gives +
             (first ? points->takes_first : points->takes) * prior_atmost(takes, most);
    if (v->duel && v->threat >= 1)
        score += points->threat_dead;
    return v->duel ? score + points->threat * prior_atmost(v->threat, 1) : score;
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

/* The points of one action. */
static float prior_points(const struct prior_view *v, banyan_action action)
{
    int kind = (int)(action >> 16), id = (int)(action & 0xffff);
    bool large = v->s->sides[v->player].active.volatiles >> VOLATILE_DYNAMAX & 1;
    if (kind == ACTION_SWITCH)
        return prior_switch(v, id);
    float score = prior_move(v, id, kind == ACTION_DYNAMAX || large);
    return kind == ACTION_DYNAMAX ? score + v->points->dynamax : score;
}

void priors_by(const struct points_prior *points, const struct pokemon *s, int player,
               const banyan_action *actions, int n, float *out)
{
    struct prior_view v;
    float top = -1e9f, sum = 0;
    prior_look(points, s, player, &v);
    for (int i = 0; i < n; ++i) {
        out[i] = prior_points(&v, actions[i]);
        top = out[i] > top ? out[i] : top;
    }
    for (int i = 0; i < n; ++i)
        sum += out[i] = prior_exp(out[i] - top);
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}

void priors_pokemon(const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, float *out)
{
    priors_by(&points_usual.prior, state, player, actions, n, out);
}
