/* The numbers about a position that the evaluator "learned" reads. */
#include "games/pokemon/players/estimate.h"
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/learned.h"

#include <string.h>

/* --- the team --- */

struct learned_mon {
    uint8_t index; /* in mons */
    float force;   /* a factor of its attacks, by its item and boosts */
    float speed;
    float share;     /* of full hp */
    float toughness; /* a factor of the match-ups against it: 1 / its hp left, in hundredths */
    float entry;     /* share of full hp that hazards would take */
};

struct learned_team {
    int count, first; /* mons[0] is the front if there is one: the bench begins at `first` */
    struct learned_mon mons[POKEMON_TEAM];
};

static float learned_flag(uint64_t set, int bit)
{
    return (float)(set >> bit & 1);
}

static float learned_atmost(float x, float most)
{
    return x > most ? most : x;
}

static bool learned_heals(const struct pokemon_slots *slots)
{
    for (int i = 0; i < slots->count; ++i)
        if ((dex_moves[slots->id[i]].flags & MOVE_FLAG_HEAL) && slots->pp[i] &&
            dex_moves[slots->id[i]].category == CATEGORY_STATUS)
            return true;
    return false;
}

static void learned_mons(const struct pokemon_side *side, float out[INPUT_COUNT])
{
    static const uint8_t ailments[STATUS_COUNT] = {
        [STATUS_BRN] = INPUT_BURNT,  [STATUS_PAR] = INPUT_PARALYSED, [STATUS_SLP] = INPUT_ASLEEP,
        [STATUS_FRZ] = INPUT_FROZEN, [STATUS_PSN] = INPUT_POISONED,  [STATUS_TOX] = INPUT_POISONED};
    const float each = 1.0f / POKEMON_TEAM;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        if (!mon->hp)
            continue;
        out[INPUT_LEFT] += each;
        out[INPUT_HP] += each * (float)mon->hp / (float)mon->max_hp;
        out[INPUT_WEAK] += 3 * mon->hp < mon->max_hp ? each : 0;
        out[INPUT_LEFTOVERS] +=
            mon->item == ITEM_LEFTOVERS || mon->item == ITEM_BLACKSLUDGE ? each : 0;
        out[INPUT_HEALERS] += learned_heals(&mon->slots) ? each : 0;
        if (mon->status)
            out[ailments[mon->status]] += each;
    }
    out[INPUT_LAST] = side->left == 1;
    out[INPUT_LAST_TWO] = side->left == 2;
    out[INPUT_DYNAMAX] = !side->dynamax_used;
}

static void learned_species(const struct pokemon_side *side, float out[INPUT_COUNT])
{
    float *kinds = out + INPUT_KINDS;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        const float *row = learned_kinds[mon->set_species];
        float share = (float)mon->hp / (float)mon->max_hp;
        for (int k = 0; k < 4 && mon->hp; ++k)
            kinds[k] += k < 2 ? row[k] : share * row[k];
        for (int k = 4; k < 8 && mon->hp && i == 0; ++k)
            kinds[k] = row[k];
    }
}

/* --- hazards --- */

static uint32_t learned_types(const struct pokemon_mon *mon)
{
    const uint8_t *types = dex_species[mon->species].types;
    return (1u << types[0] | 1u << types[1]) & ~(1u << TYPE_NONE);
}

static bool learned_grounded(const struct pokemon_mon *mon, uint32_t types)
{
    return !(types >> TYPE_FLYING & 1) && mon->ability != ABILITY_LEVITATE;
}

/* Share of full hp that a Pokémon loses when it comes in. */
static float learned_entry(const struct pokemon_side *side, const struct pokemon_mon *mon)
{
    static const float spikes[4] = {0, 1.0f / 8, 1.0f / 6, 1.0f / 4};
    const uint8_t *there = side->condition;
    if (mon->item == ITEM_HEAVYDUTYBOOTS || mon->ability == ABILITY_MAGICGUARD)
        return 0;
    uint32_t types = learned_types(mon);
    float loss = 0;
    if (there[SIDE_STEALTHROCK])
        loss += 0.125f * estimate_type_factor(TYPE_ROCK, types);
    if (there[SIDE_GMAXSTEELSURGE])
        loss += 0.125f * estimate_type_factor(TYPE_STEEL, types);
    if (there[SIDE_SPIKES] && learned_grounded(mon, types))
        loss += spikes[there[SIDE_SPIKES] & 3];
    return loss;
}

static bool learned_has_hazards(const struct pokemon_side *side)
{
    const uint8_t *there = side->condition;
    return (there[SIDE_STEALTHROCK] | there[SIDE_SPIKES] | there[SIDE_TOXICSPIKES] |
            there[SIDE_STICKYWEB] | there[SIDE_GMAXSTEELSURGE]) != 0;
}

static void learned_hazards(const struct pokemon_side *side, struct learned_team *team,
                            float out[INPUT_COUNT])
{
    const uint8_t *there = side->condition;
    float each = 0.2f;
    if (!learned_has_hazards(side))
        return;
    out[INPUT_ROCKS] = (float)(there[SIDE_STEALTHROCK] + there[SIDE_GMAXSTEELSURGE]);
    out[INPUT_SPIKES] = (float)there[SIDE_SPIKES] / 3;
    for (int i = team->first; i < team->count; ++i) {
        struct learned_mon *m = &team->mons[i];
        const struct pokemon_mon *mon = &side->mons[m->index];
        m->entry = learned_entry(side, mon);
        out[INPUT_ENTRY] += each * learned_atmost(m->entry, m->share);
        out[INPUT_ENTRY_FAINT] += m->entry >= m->share ? each : 0;
        if (mon->item == ITEM_HEAVYDUTYBOOTS || !learned_grounded(mon, learned_types(mon)))
            continue;
        out[INPUT_TOXIC_SPIKES] += there[SIDE_TOXICSPIKES] && !mon->status ? each : 0;
        out[INPUT_WEB] += there[SIDE_STICKYWEB] ? each : 0;
    }
}

static void learned_field(const struct pokemon *s, int player, float out[INPUT_COUNT])
{
    const struct pokemon_side *side = &s->sides[player];
    const uint8_t *there = side->condition;
    out[INPUT_REFLECT] = 0.125f * there[SIDE_REFLECT];
    out[INPUT_LIGHT_SCREEN] = 0.125f * there[SIDE_LIGHTSCREEN];
    out[INPUT_VEIL] = 0.125f * there[SIDE_AURORAVEIL];
    out[INPUT_WISH] = side->wish_there;
    out[INPUT_HEALING_WISH] = side->healing_wish != 0;
    out[INPUT_FUTURE] = side->future_move;
    out[INPUT_GMAX] = 0.25f * (float)(there[SIDE_GMAXVINELASH] + there[SIDE_GMAXCANNONADE] +
                                      there[SIDE_GMAXVOLCALITH]);
    out[INPUT_CHOOSES_SWITCH] = s->request[player] == REQUEST_SWITCH;
    for (int i = 0; i < s->queued; ++i)
        if (s->queue[i].side == player && s->queue[i].choice == CHOICE_MOVE)
            out[INPUT_WAITS] = 1;
    out[INPUT_TRICK_ROOM] = s->trick_room != 0;
}

/* --- the front --- */

static void learned_status(const struct pokemon_mon *mon, float out[INPUT_COUNT])
{
    switch (mon->status) {
    case STATUS_SLP:
        out[INPUT_FRONT_ASLEEP] = 1;
        out[INPUT_FRONT_SLEEP] = (float)mon->status_time / 3;
        break;
    case STATUS_FRZ:
        out[INPUT_FRONT_FROZEN] = 1;
        break;
    case STATUS_PAR:
        out[INPUT_FRONT_PARALYSED] = 1;
        break;
    case STATUS_BRN:
        out[INPUT_FRONT_BURNT] = 1;
        break;
    case STATUS_PSN:
        out[INPUT_FRONT_POISONED] = 1;
        break;
    case STATUS_TOX:
        out[INPUT_FRONT_TOXIC] = 1;
        break;
    default:
        break;
    }
}

static void learned_volatiles(const struct pokemon_active *a, float out[INPUT_COUNT])
{
    uint64_t set = a->volatiles;
    if (!set)
        return;
    out[INPUT_DYNAMAXED] = learned_flag(set, VOLATILE_DYNAMAX);
    out[INPUT_DYNAMAX_TURNS] = out[INPUT_DYNAMAXED] * (float)a->dynamax_turns / 3;
    out[INPUT_SUBSTITUTE] = learned_flag(set, VOLATILE_SUBSTITUTE);
    out[INPUT_SEEDED] = learned_flag(set, VOLATILE_LEECHSEED);
    out[INPUT_CONFUSED] = learned_flag(set, VOLATILE_CONFUSION);
    out[INPUT_YAWNING] = learned_flag(set, VOLATILE_YAWN);
    out[INPUT_TAUNTED] = learned_flag(set, VOLATILE_TAUNT);
    out[INPUT_ENCORED] = learned_flag(set, VOLATILE_ENCORE);
    out[INPUT_CHOICE_LOCKED] = learned_flag(set, VOLATILE_CHOICELOCK);
    out[INPUT_RAMPAGING] = learned_flag(set, VOLATILE_LOCKEDMOVE);
    out[INPUT_CHARGING] = learned_flag(set, VOLATILE_TWOTURNMOVE);
    out[INPUT_STALLED] = learned_flag(set, VOLATILE_STALL);
    out[INPUT_CURSED] = learned_flag(set, VOLATILE_CURSE);
    out[INPUT_TRAPPED] =
        learned_flag(set, VOLATILE_TRAPPED) + learned_flag(set, VOLATILE_PARTIALLYTRAPPED) > 0;
}

/* Share of full hp that the front loses at the end of a turn. */
static float learned_loss(const struct pokemon_active *a, const struct pokemon_mon *mon)
{
    uint64_t set = a->volatiles;
    float loss = 0;
    if (mon->item == ITEM_LEFTOVERS || mon->item == ITEM_BLACKSLUDGE)
        loss -= 1.0f / 16;
    if (mon->ability == ABILITY_MAGICGUARD)
        return loss;
    if (mon->status == STATUS_BRN)
        loss += 1.0f / 16;
    if (mon->status == STATUS_PSN)
        loss += 1.0f / 8;
    else if (mon->status == STATUS_TOX)
        loss += (float)(mon->status_time + 1) / 16;
    loss += learned_flag(set, VOLATILE_LEECHSEED) / 8;
    loss += learned_flag(set, VOLATILE_CURSE) / 4;
    loss += learned_flag(set, VOLATILE_PARTIALLYTRAPPED) / 8;
    return loss;
}

static void learned_moves(const struct pokemon_slots *slots, float out[INPUT_COUNT])
{
    int left = 0, all = 0, most = 0;
    for (int i = 0; i < slots->count; ++i) {
        const struct dex_move *row = &dex_moves[slots->id[i]];
        if (row->category != CATEGORY_STATUS) {
            left += slots->pp[i];
            all += slots->max_pp[i];
            most = slots->pp[i] > most ? slots->pp[i] : most;
        } else if (slots->pp[i]) {
            if (row->flags & MOVE_FLAG_HEAL)
                out[INPUT_RECOVERS] = 1;
            if (row->has_boosts && row->target == TARGET_SELF)
                out[INPUT_SETS_UP] = 1;
        }
    }
    out[INPUT_PP] = all ? (float)left / (float)all : 0;
    out[INPUT_NO_PP] = all && most <= 2;
}

static void learned_front(const struct pokemon_side *side, float out[INPUT_COUNT])
{
    const struct pokemon_active *a = &side->active;
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    if (!mon->hp)
        return;
    out[INPUT_FRONT] = 1;
    out[INPUT_FRONT_HP] = (float)mon->hp / (float)mon->max_hp;
    for (int i = 0; i < BOOST_COUNT; ++i)
        out[INPUT_ATTACK + i] = (float)a->boosts[i] / 6;
    learned_status(mon, out);
    learned_volatiles(a, out);
    learned_moves(a->flags & ACTIVE_TRANSFORMED ? &a->slots : &mon->slots, out);
    out[INPUT_LOSS] = 4 * learned_loss(a, mon);
    out[INPUT_LIFE_ORB] = mon->item == ITEM_LIFEORB;
    out[INPUT_CHOICE_ITEM] = (dex_items[mon->item].flags & ITEM_FLAG_CHOICE) != 0;
    out[INPUT_SURVIVES] =
        mon->hp == mon->max_hp && (mon->item == ITEM_FOCUSSASH || mon->ability == ABILITY_STURDY);
}

/* --- front against front --- */

/* About how many hits of this share a Pokémon survives, 0..6. */
static int learned_hits(float share)
{
    return (share < 1) + (share < 0.5f) + (share < 1.0f / 3) + (share < 0.25f) + (share < 0.15f) +
           (share < 0.08f);
}

/* own, foe: hits that each side's Pokémon survives. */
static float learned_margin(int own, int foe, bool first)
{
    float value = ((float)(own - foe) + (first ? 0.5f : -0.5f)) * (1.0f / 3);
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

float learned_duel(float takes, float given, bool first)
{
    return learned_margin(learned_hits(given), learned_hits(takes), first);
}

static bool learned_may_dynamax(const struct pokemon_side *side)
{
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    return !side->dynamax_used && !(dex_species[mon->species].flags & SPECIES_IS_NO_DYNAMAX);
}

/* The largest share of full hp that a move with priority takes. */
static float learned_quick(const struct estimate_fighter *by, const struct estimate_fighter *on,
                           const struct estimate_field *field)
{
    float best = 0;
    for (int i = 0; i < by->slots->count; ++i) {
        const struct dex_move *row = &dex_moves[by->slots->id[i]];
        if (row->priority <= 0 || row->category == CATEGORY_STATUS || (by->closed >> i & 1))
            continue;
        float share = estimate_share(by, on, field, by->slots->id[i], false);
        best = share > best ? share : best;
    }
    return best;
}

static void learned_strike(const struct pokemon *s, int player, const struct estimate_fighter *by,
                           const struct estimate_fighter *on, float out[INPUT_COUNT])
{
    const struct pokemon_side *own = &s->sides[player];
    struct estimate_field field;
    estimate_field(s, !player, &field);
    bool large = own->active.volatiles >> VOLATILE_DYNAMAX & 1;
    float scale = on->max_hp / on->hp;
    float share = estimate_best(by, on, &field, large, 2);
    out[INPUT_THREAT] = learned_atmost(share * scale, 1);
    out[INPUT_THREAT_FULL] = learned_atmost(share, 1);
    out[INPUT_QUICK] = large ? 0 : learned_atmost(scale * learned_quick(by, on, &field), 1);
    if (learned_may_dynamax(own))
        out[INPUT_MAX] = learned_atmost(scale * estimate_best(by, on, &field, true, 2), 1);
}

static void learned_duels_front(const struct pokemon *s, float out[2][INPUT_COUNT])
{
    struct estimate_fighter fighters[2];
    for (int side = 0; side < 2; ++side)
        if (!s->sides[side].mons[s->sides[side].order[0]].hp)
            return;
    for (int side = 0; side < 2; ++side)
        estimate_active(s, side, &fighters[side]);
    for (int side = 0; side < 2; ++side)
        learned_strike(s, side, &fighters[side], &fighters[!side], out[side]);
    int lead = s->sides[0].active.speed - s->sides[1].active.speed;
    for (int side = 0; side < 2; ++side, lead = -lead) {
        bool kills = out[side][INPUT_THREAT] >= 1;
        out[side][INPUT_FASTER] = lead > 0 ? 1 : lead ? 0 : 0.5f;
        out[side][INPUT_KO_FIRST] = kills && lead > 0;
        out[side][INPUT_KO_SECOND] = kills && lead < 0;
        out[side][INPUT_DUEL] =
            learned_duel(out[side][INPUT_THREAT], out[!side][INPUT_THREAT], lead > 0);
    }
}

/* --- pairs of Pokémon --- */

static void learned_line_up(const struct pokemon *s, const struct pokemon_side *side,
                            struct learned_team *team)
{
    const struct pokemon_active *a = &side->active;
    team->count = 0;
    team->first = side->mons[side->order[0]].hp != 0;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        if (!mon->hp)
            continue;
        struct learned_mon *m = &team->mons[team->count++];
        m->index = side->order[i];
        m->force = evaluate_force(mon);
        m->speed = evaluate_speed(mon);
        m->speed = s->trick_room ? 10000 - m->speed : m->speed;
        m->share = (float)mon->hp / (float)mon->max_hp;
        m->entry = 0;
        float whole = MATCHUP_WHOLE * m->share;
        whole *= mon->item == ITEM_EVIOLITE ? 1.5f : mon->item == ITEM_ASSAULTVEST ? 1.2f : 1;
        m->toughness = 1 / whole;
    }
    if (team->first) {
        team->mons[0].force *= evaluate_boosted(a);
        team->mons[0].speed = a->speed;
    }
}

/* The hits of each own Pokémon on each of the foe's. */
struct learned_strikes {
    float share[POKEMON_TEAM][POKEMON_TEAM];  /* of the target's hp left that a hit takes */
    uint8_t hits[POKEMON_TEAM][POKEMON_TEAM]; /* how many hits the target survives: learned_hits */
};

struct learned_pairs {
    const struct learned_team *own, *foe;
    const struct learned_strikes *by, *on; /* by own Pokémon; by the foe's, on own ones */
};

static void learned_strikes(const struct pokemon *s, int side, const struct learned_team teams[2],
                            struct learned_strikes *out)
{
    const struct learned_team *own = &teams[side], *foe = &teams[!side];
    for (int i = 0; i < own->count; ++i) {
        const uint8_t *row = s->matchup[side][own->mons[i].index];
        for (int k = 0; k < foe->count; ++k) {
            float share =
                (float)row[foe->mons[k].index] * own->mons[i].force * foe->mons[k].toughness;
            out->share[i][k] = share;
            out->hits[i][k] = (uint8_t)learned_hits(share);
        }
    }
}

/* What the bench could do against the foe's front. */
static void learned_answers(const struct learned_pairs *p, float out[INPUT_COUNT])
{
    float best = -1, struck = -1, wall = 0;
    if (!p->foe->first)
        return;
    for (int i = p->own->first; i < p->own->count; ++i) {
        const struct learned_mon *m = &p->own->mons[i];
        float takes = p->by->share[i][0], given = p->on->share[0][i];
        float left = 1 - given - m->entry / m->share;
        bool first = m->speed > p->foe->mons[0].speed;
        float fresh = learned_margin(p->on->hits[0][i], p->by->hits[i][0], first);
        float hurt = left > 0.01f ? learned_duel(takes, given / left, first) : -1;
        best = fresh > best ? fresh : best;
        struck = hurt > struck ? hurt : struck;
        wall = 1 - given > wall ? 1 - given : wall;
    }
    out[INPUT_ANSWER] = best;
    out[INPUT_ANSWER_STRUCK] = struck;
    out[INPUT_WALL] = wall;
}

/* Own Pokémon i against all of the foe's: adds what it takes to out[], returns its mean duel, and sets
 * in *beaten the bits of the foe's Pokémon that it beats. */
static float learned_row(const struct learned_pairs *p, int i, unsigned *beaten,
                         float out[INPUT_COUNT])
{
    const struct learned_mon *m = &p->own->mons[i];
    float sum = 0, quick = 0, duels = 0, each = 1 / (float)p->foe->count;
    for (int k = 0; k < p->foe->count; ++k) {
        bool first = m->speed > p->foe->mons[k].speed;
        float takes = learned_atmost(p->by->share[i][k], 1);
        float duel = learned_margin(p->on->hits[k][i], p->by->hits[i][k], first);
        sum += takes;
        quick += first ? takes : 0;
        duels += duel;
        *beaten |= (unsigned)(duel > 0) << k;
    }
    bool front = i < p->own->first;
    float weight = front ? each : each / POKEMON_TEAM;
    out[front ? INPUT_FRONT_TAKES : INPUT_BENCH_TAKES] += weight * sum;
    out[front ? INPUT_FRONT_TAKES_FIRST : INPUT_BENCH_TAKES_FIRST] += weight * quick;
    return duels * each;
}

static void learned_all_pairs(const struct learned_pairs *p, float out[INPUT_COUNT])
{
    float most = -1, sum = 0;
    unsigned beaten = 0;
    for (int i = 0; i < p->own->count; ++i) {
        float mean = learned_row(p, i, &beaten, out);
        if (i < p->own->first)
            out[INPUT_FRONT_DUELS] = mean;
        sum += mean;
        most = mean > most ? mean : most;
    }
    out[INPUT_DUELS] = sum / (float)p->own->count;
    out[INPUT_BEST_DUELS] = most;
    for (int k = 0; k < p->foe->count; ++k)
        out[INPUT_UNANSWERED] += beaten >> k & 1 ? 0 : 1 / (float)p->foe->count;
}

static void learned_teams(const struct pokemon *s, const struct learned_team teams[2],
                          float out[2][INPUT_COUNT])
{
    struct learned_strikes strikes[2];
    if (!teams[0].count || !teams[1].count)
        return;
    for (int side = 0; side < 2; ++side)
        learned_strikes(s, side, teams, &strikes[side]);
    for (int side = 0; side < 2; ++side) {
        struct learned_pairs pairs = {&teams[side], &teams[!side], &strikes[side], &strikes[!side]};
        learned_all_pairs(&pairs, out[side]);
        learned_answers(&pairs, out[side]);
    }
}

void learned_inputs(const struct pokemon *s, float out[2][INPUT_COUNT])
{
    struct learned_team teams[2];
    memset(out, 0, 2 * sizeof out[0]);
    for (int side = 0; side < 2; ++side) {
        learned_line_up(s, &s->sides[side], &teams[side]);
        learned_mons(&s->sides[side], out[side]);
        learned_hazards(&s->sides[side], &teams[side], out[side]);
        learned_field(s, side, out[side]);
        learned_front(&s->sides[side], out[side]);
        learned_species(&s->sides[side], out[side]);
    }
    learned_duels_front(s, out);
    learned_teams(s, teams, out);
}
