/* The player "tutorial": the search of a published tutorial, with its own model of a turn. */
#include "games/pokemon/players/tutorial.h"
#include "games/pokemon/players/estimate.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <banyan/options.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TUTORIAL_MOVES = 4,
    TUTORIAL_CHOICES = TUTORIAL_MOVES + POKEMON_TEAM, /* a move slot, or a Pokémon on the bench */
    TUTORIAL_DEPTH = 64,
    TUTORIAL_BASE = 80 /* base stats, and level, of a Pokémon that has not been seen */
};

/* --- its model of a battle --- */

struct tutorial_mon {
    float hp, stats[STAT_COUNT]; /* stats: hp first */
    uint32_t types;
    uint8_t first_type, level;
    uint16_t moves[TUTORIAL_MOVES]; /* own moves that may be chosen; 0: none */
};

struct tutorial_side {
    struct tutorial_mon mons[POKEMON_TEAM];
    int active;
};

struct tutorial_state {
    struct tutorial_side own, foe;
};

struct tutorial_node {
    double sum;
    uint32_t visits;
    uint32_t child[TUTORIAL_CHOICES]; /* 0: none */
};

struct tutorial {
    int simulations;
    struct tutorial_node *nodes; /* [simulations + 1], the root first */
    uint32_t used;
    struct banyan_rng rng;
    int seat;
};

static float tutorial_stat(int base, int level)
{
    return (float)((2 * base + 31 + 21) * level / 100 + 5);
}

/* Sets the level, the types and the stats that follow from base; base NULL: TUTORIAL_BASE for each. */
static void tutorial_shape(struct tutorial_mon *mon, const uint8_t types[2], int level,
                           const uint8_t base[STAT_COUNT])
{
    mon->level = (uint8_t)level;
    mon->types = (1u << types[0] | 1u << types[1]) & ~(1u << TYPE_NONE);
    mon->first_type = types[0];
    for (int i = 0; i < STAT_COUNT; ++i)
        mon->stats[i] = tutorial_stat(base ? base[i] : TUTORIAL_BASE, level);
    mon->stats[STAT_HP] += (float)level + 5;
}

static void tutorial_own(struct tutorial_mon *mon, const struct pokemon_mon *from)
{
    memset(mon, 0, sizeof *mon);
    tutorial_shape(mon, dex_species[from->species].types, from->level, NULL);
    mon->hp = from->hp;
    mon->stats[STAT_HP] = from->max_hp;
    for (int i = 0; i < BOOST_ACCURACY; ++i)
        mon->stats[STAT_ATK + i] = from->stats[i];
    for (int i = 0; i < from->slots.count; ++i)
        if (from->slots.pp[i])
            mon->moves[i] = from->slots.id[i];
}

/* What was seen of a Pokémon: its species, level and share of hp. */
static void tutorial_foe(struct tutorial_mon *mon, const struct pokemon_mon *from, bool seen)
{
    static const uint8_t unknown[2] = {TYPE_NORMAL, TYPE_NONE};
    const struct dex_species *row = &dex_species[from->species];
    memset(mon, 0, sizeof *mon);
    tutorial_shape(mon, seen ? row->types : unknown, seen ? from->level : TUTORIAL_BASE,
                   seen ? row->stats : NULL);
    float share = seen ? (float)from->hp / (float)from->max_hp : 1;
    mon->hp = share * mon->stats[STAT_HP];
}

static void tutorial_look(const struct pokemon *s, int seat, struct tutorial_state *out)
{
    const struct pokemon_side *own = &s->sides[seat], *foe = &s->sides[!seat];
    out->own.active = own->order[0];
    out->foe.active = foe->order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        tutorial_own(&out->own.mons[i], &own->mons[i]);
        tutorial_foe(&out->foe.mons[i], &foe->mons[i],
                     (foe->mons[i].seen & SEEN_SPECIES) || i == foe->order[0]);
    }
}

static float tutorial_damage(const struct tutorial_mon *by, const struct tutorial_mon *on, int type,
                             float power, bool special, struct banyan_rng *rng)
{
    float attack = by->stats[special ? STAT_SPA : STAT_ATK];
    float defence = on->stats[special ? STAT_SPD : STAT_DEF];
    float damage = (0.4f * by->level + 2) * power * attack / defence / 50 + 2;
    damage *= by->types >> type & 1 ? 1.5f : 1;
    damage *= type == TYPE_NONE ? 1 : estimate_type_factor(type, on->types);
    return damage * (0.85f + 0.15f * (float)rng_unit(rng));
}

static void tutorial_hit(struct tutorial_mon *mon, float damage)
{
    mon->hp = mon->hp > damage ? mon->hp - damage : 0;
}

static bool tutorial_lost(const struct tutorial_side *side)
{
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (side->mons[i].hp > 0)
            return false;
    return true;
}

static void tutorial_foe_replaces(struct tutorial_side *foe, struct banyan_rng *rng)
{
    while (foe->mons[foe->active].hp <= 0)
        foe->active = (int)rng_below(rng, POKEMON_TEAM);
}

/* Plays one turn, or the replacement of an own Pokémon that has fainted. */
static void tutorial_turn(struct tutorial_state *s, int choice, struct banyan_rng *rng)
{
    struct tutorial_mon *own = &s->own.mons[s->own.active], *foe = &s->foe.mons[s->foe.active];
    bool replaced = own->hp <= 0;
    if (choice >= TUTORIAL_MOVES) {
        s->own.active = choice - TUTORIAL_MOVES;
        own = &s->own.mons[s->own.active];
        if (replaced)
            return;
    } else {
        const struct dex_move *row = &dex_moves[own->moves[choice]];
        if (row->category != CATEGORY_STATUS)
            tutorial_hit(foe, tutorial_damage(own, foe, row->type, row->power,
                                              row->category == CATEGORY_SPECIAL, rng));
    }
    if (foe->hp > 0) {
        float power = 50 + (float)rng_below(rng, 31);
        bool special = rng_below(rng, 2) != 0;
        tutorial_hit(own, tutorial_damage(foe, own, foe->first_type, power, special, rng));
    } else if (!tutorial_lost(&s->foe)) {
        tutorial_foe_replaces(&s->foe, rng);
    }
}

/* --- its value of a position --- */

static double tutorial_share(double own, double foe)
{
    return own + foe > 0 ? own / (own + foe) : 0.5;
}

static double tutorial_value(const struct tutorial_state *s)
{
    const struct tutorial_side *sides[2] = {&s->own, &s->foe};
    double field[2], alive[2] = {0, 0}, total[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct tutorial_mon *mon = &sides[k]->mons[i];
            alive[k] += mon->hp > 0;
            total[k] += (double)(mon->hp / mon->stats[STAT_HP]);
        }
        const struct tutorial_mon *out = &sides[k]->mons[sides[k]->active];
        field[k] = (double)(out->hp / out->stats[STAT_HP]);
    }
    if (alive[0] == 0 || alive[1] == 0)
        return alive[0] > 0;
    return 0.5 * tutorial_share(field[0], field[1]) + 0.3 * tutorial_share(alive[0], alive[1]) +
           0.2 * tutorial_share(total[0], total[1]);
}

/* --- the search --- */

static unsigned tutorial_choices(const struct tutorial_state *s)
{
    const struct tutorial_mon *own = &s->own.mons[s->own.active];
    unsigned set = 0;
    for (int i = 0; own->hp > 0 && i < TUTORIAL_MOVES; ++i)
        set |= (unsigned)(own->moves[i] != 0) << i;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (i != s->own.active && s->own.mons[i].hp > 0)
            set |= 1u << (TUTORIAL_MOVES + i);
    return set;
}

/* Chooses an untried action at random if there is one, otherwise by UCB1. */
static int tutorial_pick(struct tutorial *t, const struct tutorial_node *node, unsigned choices)
{
    int best = 0, fresh = 0;
    double best_score = -1, spread = numeric_ln(node->visits > 1 ? node->visits : 1);
    for (int i = 0; i < TUTORIAL_CHOICES; ++i) {
        if (!(choices >> i & 1))
            continue;
        const struct tutorial_node *child = &t->nodes[node->child[i]];
        if (!node->child[i]) {
            best = rng_below(&t->rng, (uint32_t)++fresh) == 0 ? i : best;
            continue;
        }
        double score = child->sum / child->visits + 1.4 * sqrt(spread / child->visits);
        if (!fresh && score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void tutorial_simulate(struct tutorial *t, const struct tutorial_state *root, unsigned legal)
{
    struct tutorial_state s = *root;
    uint32_t path[TUTORIAL_DEPTH + 1], at = 0;
    int length = 0;
    bool made = false;
    path[length++] = 0;
    while (!made && length <= TUTORIAL_DEPTH) {
        unsigned choices = length == 1 ? legal : tutorial_choices(&s);
        if (!choices || tutorial_lost(&s.foe) || tutorial_lost(&s.own))
            break;
        int choice = tutorial_pick(t, &t->nodes[at], choices);
        tutorial_turn(&s, choice, &t->rng);
        made = !t->nodes[at].child[choice];
        if (made) {
            t->nodes[at].child[choice] = t->used;
            memset(&t->nodes[t->used++], 0, sizeof *t->nodes);
        }
        at = t->nodes[at].child[choice];
        path[length++] = at;
    }
    double value = tutorial_value(&s);
    for (int i = 0; i < length; ++i) {
        t->nodes[path[i]].sum += value;
        ++t->nodes[path[i]].visits;
    }
}

static int tutorial_best(const struct tutorial *t, unsigned legal)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < TUTORIAL_CHOICES; ++i) {
        const struct tutorial_node *child = &t->nodes[t->nodes[0].child[i]];
        if (!(legal >> i & 1) || !t->nodes[0].child[i] || child->sum / child->visits <= most)
            continue;
        most = child->sum / child->visits;
        best = i;
    }
    return best;
}

/* --- the player --- */

/* The tutorial's choice for a legal action; -1: it has none (Dynamax, Struggle). */
static int tutorial_choice_of(const struct pokemon *s, int seat, banyan_action action)
{
    const struct pokemon_side *side = &s->sides[seat];
    int kind = (int)(action >> 16), id = (int)(action & 0xffff);
    const struct pokemon_slots *slots = &side->mons[side->order[0]].slots;
    for (int i = 0; kind == ACTION_MOVE && i < slots->count; ++i)
        if (slots->id[i] == id)
            return i;
    for (int i = 0; kind == ACTION_SWITCH && i < POKEMON_TEAM; ++i)
        if (side->mons[i].set_species == id)
            return TUTORIAL_MOVES + i;
    return -1;
}

static enum banyan_status tutorial_choose(void *ctx, const void *state,
                                          const struct banyan_player_clock *clock,
                                          struct banyan_player_move *out, struct banyan_error *err)
{
    struct tutorial *t = ctx;
    struct tutorial_state root;
    banyan_action actions[16], by_choice[TUTORIAL_CHOICES] = {0};
    unsigned legal = 0;
    int done = 0;
    const banyan_flag *stop = clock ? clock->stop : NULL;
    (void)err;
    int count = legal_actions(state, t->seat, actions);
    *out = (struct banyan_player_move){.action = actions[0], .value = (double)NAN};
    for (int i = 0; i < count; ++i) {
        int choice = tutorial_choice_of(state, t->seat, actions[i]);
        if (choice < 0)
            continue;
        legal |= 1u << choice;
        by_choice[choice] = actions[i];
    }
    if (count == 1 || !legal)
        return BANYAN_OK;
    tutorial_look(state, t->seat, &root);
    memset(&t->nodes[0], 0, sizeof *t->nodes);
    t->used = 1;
    for (; done < t->simulations && !banyan_flag_is_set(stop); ++done)
        tutorial_simulate(t, &root, legal);
    int best = tutorial_best(t, legal);
    if (best >= 0)
        out->action = by_choice[best];
    out->simulations = (uint64_t)done;
    return BANYAN_OK;
}

static enum banyan_status tutorial_open(void *ctx, const void *state, int seat, uint64_t seed,
                                        struct banyan_error *err)
{
    struct tutorial *t = ctx;
    (void)state, (void)err;
    t->seat = seat;
    banyan_rng_seed(&t->rng, seed);
    return BANYAN_OK;
}

static void tutorial_close(void *ctx)
{
    struct tutorial *t = ctx;
    free(t->nodes);
    free(t);
}

static const struct banyan_option tutorial_options[] = {{"simulations", BANYAN_OPTION_INT,
                                                         offsetof(struct tutorial, simulations), 1,
                                                         1e6, NULL, 0, "simulations per decision"},
                                                        {0}};

enum banyan_status tutorial_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err)
{
    (void)game, (void)seed; /* open sets the random stream for every game */
    struct tutorial *t = calloc(1, sizeof *t);
    if (!t)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'tutorial'");
    t->simulations = 200;
    enum banyan_status status = banyan_options_parse(tutorial_options, t, args, err);
    if (status == BANYAN_OK) {
        t->nodes = calloc((size_t)t->simulations + 1, sizeof *t->nodes);
        if (!t->nodes)
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a tree of %d nodes",
                                 t->simulations);
    }
    if (status != BANYAN_OK) {
        tutorial_close(t);
        return status;
    }
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = t,
                                  .open = tutorial_open,
                                  .choose = tutorial_choose,
                                  .close = tutorial_close};
    return BANYAN_OK;
}
