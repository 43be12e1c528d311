/* The evaluator "position": features of a state, and their weighted sum as a value. */
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/estimate.h"
#include "games/pokemon/players/priors.h"

#include <stdlib.h>
#include <string.h>

static void evaluate_mons(const struct pokemon_side *side, float out[FEATURE_COUNT])
{
    static const uint8_t ailments[STATUS_COUNT] = {
        [STATUS_BRN] = FEATURE_BURN,   [STATUS_PAR] = FEATURE_PARALYSIS,
        [STATUS_SLP] = FEATURE_SLEEP,  [STATUS_FRZ] = FEATURE_FREEZE,
        [STATUS_PSN] = FEATURE_POISON, [STATUS_TOX] = FEATURE_TOXIC};
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        if (!mon->hp)
            continue;
        out[FEATURE_HP] += (float)mon->hp / (float)mon->max_hp;
        out[FEATURE_ALIVE] += 1;
        if (mon->status)
            out[ailments[mon->status]] += 1;
    }
}

/* Adds up what hazards would do to the Pokémon on the bench that have no Heavy-Duty Boots. */
static void evaluate_hazards(const struct pokemon_side *side, float out[FEATURE_COUNT])
{
    const uint8_t *there = side->condition;
    if (!(there[SIDE_STEALTHROCK] | there[SIDE_SPIKES] | there[SIDE_TOXICSPIKES] |
          there[SIDE_STICKYWEB] | there[SIDE_GMAXSTEELSURGE]))
        return;
    for (int i = 1; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        if (!mon->hp || mon->item == ITEM_HEAVYDUTYBOOTS)
            continue;
        const uint8_t *types = dex_species[mon->species].types;
        uint32_t set = (1u << types[0] | 1u << types[1]) & ~(1u << TYPE_NONE);
        bool guarded = mon->ability == ABILITY_MAGICGUARD;
        bool grounded = !(set >> TYPE_FLYING & 1) && mon->ability != ABILITY_LEVITATE;
        if (there[SIDE_STEALTHROCK] && !guarded)
            out[FEATURE_ROCK] += estimate_type_factor(TYPE_ROCK, set);
        if (there[SIDE_GMAXSTEELSURGE] && !guarded)
            out[FEATURE_ROCK] += estimate_type_factor(TYPE_STEEL, set);
        if (!grounded)
            continue;
        out[FEATURE_SPIKES] += guarded ? 0 : there[SIDE_SPIKES];
        out[FEATURE_TOXIC_SPIKES] += there[SIDE_TOXICSPIKES] && !mon->status ? 1 : 0;
        out[FEATURE_WEB] += there[SIDE_STICKYWEB];
    }
}

static void evaluate_active(const struct pokemon_side *side, float out[FEATURE_COUNT])
{
    const struct pokemon_active *a = &side->active;
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    const uint8_t *there = side->condition;
    out[FEATURE_SCREENS] = (float)((there[SIDE_REFLECT] != 0) + (there[SIDE_LIGHTSCREEN] != 0)) +
                           2.0f * (float)(there[SIDE_AURORAVEIL] != 0);
    out[FEATURE_DYNAMAX] = !side->dynamax_used;
    if (!mon->hp)
        return;
    float share = (float)mon->hp / (float)mon->max_hp;
    out[FEATURE_ACTIVE_HP] = share;
    for (int i = BOOST_ATK; i <= BOOST_SPE; ++i)
        out[FEATURE_ATTACK + i] = (float)a->boosts[i] * share;
    out[FEATURE_SUBSTITUTE] = (float)(a->volatiles >> VOLATILE_SUBSTITUTE & 1);
    out[FEATURE_SEEDED] = (float)(a->volatiles >> VOLATILE_LEECHSEED & 1);
    out[FEATURE_CONFUSED] = (float)(a->volatiles >> VOLATILE_CONFUSION & 1);
    out[FEATURE_YAWNING] = (float)(a->volatiles >> VOLATILE_YAWN & 1);
    if (a->volatiles >> VOLATILE_DYNAMAX & 1)
        out[FEATURE_DYNAMAXED] = a->dynamax_turns;
}

/* --- each Pokémon against each of the foe's, from the table of match-ups --- */

float evaluate_force(const struct pokemon_mon *mon)
{
    switch (mon->item) {
    case ITEM_CHOICEBAND:
    case ITEM_CHOICESPECS:
        return 1.4f;
    case ITEM_LIFEORB:
        return 1.3f;
    case ITEM_THICKCLUB:
    case ITEM_LIGHTBALL:
        return 2;
    default:
        return 1;
    }
}

float evaluate_speed(const struct pokemon_mon *mon)
{
    float speed = mon->stats[BOOST_SPE];
    return mon->item == ITEM_CHOICESCARF ? 1.5f * speed
           : mon->status == STATUS_PAR   ? 0.5f * speed
                                         : speed;
}

float evaluate_boosted(const struct pokemon_active *a)
{
    static const float stages[13] = {0.25f, 0.29f, 0.33f, 0.4f, 0.5f, 0.67f, 1,
                                     1.5f,  2,     2.5f,  3,    3.5f, 4};
    int boost = a->stats[BOOST_ATK] > a->stats[BOOST_SPA] ? BOOST_ATK : BOOST_SPA;
    return stages[a->boosts[boost] + 6];
}

struct evaluate_team {
    int count;
    uint8_t index[POKEMON_TEAM]; /* indices of the Pokémon that are left, the active one first */
    bool active;
    float force[POKEMON_TEAM], speed[POKEMON_TEAM];
    float share[POKEMON_TEAM], toughness[POKEMON_TEAM]; /* share of hp; factor of the match-ups
                                                         * against it: 1 / its hp left */
};

static void evaluate_line_up(const struct pokemon_side *side, struct evaluate_team *team)
{
    const struct pokemon_active *a = &side->active;
    team->count = 0;
    team->active = side->mons[side->order[0]].hp != 0;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        if (!mon->hp)
            continue;
        int n = team->count++;
        team->index[n] = side->order[i];
        team->force[n] = evaluate_force(mon);
        team->speed[n] = evaluate_speed(mon);
        team->share[n] = (float)mon->hp / (float)mon->max_hp;
        float whole = MATCHUP_WHOLE * team->share[n];
        whole *= mon->item == ITEM_EVIOLITE ? 1.5f : mon->item == ITEM_ASSAULTVEST ? 1.2f : 1;
        team->toughness[n] = 1 / whole;
    }
    if (team->active) {
        team->force[0] *= evaluate_boosted(a);
        team->speed[0] = a->speed;
    }
}

static void evaluate_line(const struct pokemon *s, int side, const struct evaluate_team *own,
                          const struct evaluate_team *foe, float out[FEATURE_COUNT])
{
    if (!foe->count)
        return;
    float each = 1 / (float)foe->count;
    out[FEATURE_LAST] = own->count == 1;
    for (int i = 0; i < own->count; ++i) {
        const uint8_t *row = s->matchup[side][own->index[i]];
        float sum = 0, fast = 0;
        for (int k = 0; k < foe->count; ++k) {
            float takes = (float)row[foe->index[k]] * own->force[i] * foe->toughness[k];
            takes = takes > 1 ? 1 : takes;
            sum += takes;
            fast += own->speed[i] > foe->speed[k] ? takes : 0;
        }
        bool active = i == 0 && own->active;
        out[active ? FEATURE_SWEEP : FEATURE_BENCH] += sum * each * own->share[i];
        out[active ? FEATURE_SWEEP_FAST : FEATURE_BENCH_FAST] += fast * each * own->share[i];
    }
}

static void evaluate_teams(const struct pokemon *s, float out[2][FEATURE_COUNT])
{
    struct evaluate_team teams[2];
    for (int side = 0; side < 2; ++side)
        evaluate_line_up(&s->sides[side], &teams[side]);
    for (int side = 0; side < 2; ++side)
        evaluate_line(s, side, &teams[side], &teams[!side], out[side]);
}

/* Features of the two active Pokémon against each other. */
static void evaluate_duel(const struct pokemon *s, float out[2][FEATURE_COUNT])
{
    struct estimate_fighter fighters[2];
    const struct pokemon_mon *mons[2];
    for (int side = 0; side < 2; ++side) {
        mons[side] = &s->sides[side].mons[s->sides[side].order[0]];
        if (mons[side]->hp)
            estimate_active(s, side, &fighters[side]);
    }
    if (!mons[0]->hp || !mons[1]->hp)
        return;
    for (int side = 0; side < 2; ++side) {
        struct estimate_field field;
        estimate_field(s, !side, &field);
        const struct estimate_fighter *by = &fighters[side], *on = &fighters[!side];
        bool large = s->sides[side].active.volatiles >> VOLATILE_DYNAMAX & 1;
        float share =
            estimate_best(by, on, &field, large, estimate_part(on, 1)) * on->max_hp / on->hp;
        bool faster = s->sides[side].active.speed > s->sides[!side].active.speed;
        out[side][FEATURE_THREAT] = share > 1 ? 1 : share;
        out[side][FEATURE_FASTER] = faster;
        out[side][FEATURE_KO_FIRST] = faster && share >= 1;
        out[side][FEATURE_KO_SECOND] = !faster && share >= 1;
    }
}

void evaluate_features(const struct pokemon *s, int player, float out[FEATURE_COUNT])
{
    float sides[2][FEATURE_COUNT];
    memset(sides, 0, sizeof sides);
    for (int side = 0; side < 2; ++side) {
        evaluate_mons(&s->sides[side], sides[side]);
        evaluate_hazards(&s->sides[side], sides[side]);
        evaluate_active(&s->sides[side], sides[side]);
    }
    evaluate_duel(s, sides);
    evaluate_teams(s, sides);
    for (int i = 0; i < FEATURE_COUNT; ++i)
        out[i] = sides[player][i] - sides[!player][i];
}

/* Approximates tanh: a ratio of polynomials in -3..3, else -1 or 1.  The error is below 0.03. */
static float evaluate_squash(float x)
{
    if (x >= 3 || x <= -3)
        return x > 0 ? 1 : -1;
    return x * (27 + x * x) / (27 + 9 * x * x);
}

static float evaluate_by(const struct points *points, const struct pokemon *s, int player)
{
    float features[FEATURE_COUNT], sum = 0;
    evaluate_features(s, player, features);
    for (int i = 0; i < FEATURE_COUNT; ++i)
        sum += points->value[i] * features[i];
    return evaluate_squash(sum);
}

float evaluate_heuristic(const struct banyan_game *game, const void *state, int player)
{
    return evaluate_by(&points_usual, state, player);
}

/* --- the evaluator: computes both values at once, and priors only when a node needs them --- */

static enum banyan_status evaluate_leaves(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    (void)err;
    for (int i = 0; i < n; ++i) {
        leaves[i].values[0] = evaluate_by(ctx, leaves[i].state, 0);
        leaves[i].values[1] = -leaves[i].values[0];
    }
    return BANYAN_OK;
}

static void evaluate_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                            int n, float *out)
{
    const struct points *points = ctx;
    priors_by(&points->prior, state, player, actions, n, out);
}

enum banyan_status evaluate_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, struct banyan_evaluator *out,
                                   struct banyan_error *err)
{
    struct points *points = malloc(sizeof *points);
    if (!points)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the evaluator 'position'");
    enum banyan_status status = points_parse(points, args, err);
    if (status != BANYAN_OK) {
        free(points);
        return status;
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "position",
                                     .ctx = points,
                                     .reentrant = true,
                                     .evaluate = evaluate_leaves,
                                     .close = free,
                                     .priors = evaluate_priors};
    return BANYAN_OK;
}
