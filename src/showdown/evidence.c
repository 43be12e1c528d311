/* Computes from a battle how likely each set of the foe's Pokémon is. */
#include "showdown/evidence.h"
#include "showdown/position_parts.h"

#include "games/pokemon/battle.h"
#include "games/pokemon/calc.h"

#include <banyan/rng.h>

#include <string.h>

void evidence_start(struct evidence *evidence)
{
    struct belief nothing;
    memset(evidence, 0, sizeof *evidence);
    belief_start(&nothing, 0);
    for (int i = 0; i < TRACKER_TEAM; ++i)
        evidence->mons[i] = nothing.mons[0];
    evidence->first_mover = evidence->mover = -1;
}

void evidence_request(struct evidence *evidence, const struct request *request,
                      const struct pokemon *state)
{
    evidence->request = *request;
    evidence->has_request = true;
    if (request->kind != REQUEST_FOR_MOVE)
        return;
    evidence->has_start = state != NULL;
    if (state)
        evidence->start = *state;
}

/* --- candidates of the foe's active Pokémon --- */

struct evidence_foe {
    struct belief_candidates of;
    float *factor;
    const struct tracker_pokemon *mon;
    int side;
};

static bool evidence_foe(struct evidence *evidence, const struct tracker *tracker,
                         struct evidence_foe *foe)
{
    struct pokemon_mon mon;
    foe->side = !evidence->request.side;
    const struct tracker_side *side = &tracker->sides[foe->side];
    if (!evidence->has_request || evidence->request.side < 0 || side->active < 0 ||
        side->transformed)
        return false;
    foe->mon = &side->team[side->active];
    foe->factor = evidence->mons[side->active].factor;
    if (!parts_identity(foe->mon, &mon))
        return false;
    foe->of = belief_candidates(&mon);
    return foe->of.count > 0;
}

typedef bool evidence_test(const struct evidence_foe *foe, const struct dex_set *set);

/* Lowers the factor of every set for which the test is true (NULL: of none), then scales all factors. */
static void evidence_against(struct evidence *evidence, const struct evidence_foe *foe,
                             evidence_test *test)
{
    for (int i = 0; i < foe->of.count; ++i)
        if (test && test(foe, &dex_sets[foe->of.first + i])) {
            foe->factor[i] *= EVIDENCE_AGAINST;
            ++evidence->used;
        }
    /* only ratios matter: the largest becomes 1 */
    float most = 0;
    for (int i = 0; i < foe->of.count; ++i)
        most = foe->factor[i] > most ? foe->factor[i] : most;
    for (int i = 0; most > 0 && i < foe->of.count; ++i)
        foe->factor[i] = foe->factor[i] / most > 1e-6f ? foe->factor[i] / most : 1e-6f;
}

/* Whether nothing is known of the Pokémon's item, so that it still has the item that it brought. */
static bool evidence_item_open(const struct evidence_foe *foe)
{
    return foe->mon->item_state == TRACKER_ITEM_UNKNOWN;
}

static bool test_heals(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return set->item == ITEM_LEFTOVERS || set->item == ITEM_BLACKSLUDGE;
}

static bool test_no_boots(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return set->item != ITEM_HEAVYDUTYBOOTS && set->ability != ABILITY_MAGICGUARD;
}

static bool test_boots(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return set->item == ITEM_HEAVYDUTYBOOTS;
}

static bool test_recoils(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return set->item == ITEM_LIFEORB && set->ability != ABILITY_MAGICGUARD &&
           set->ability != ABILITY_SHEERFORCE;
}

static bool test_choice(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return (dex_items[set->item].flags & ITEM_FLAG_CHOICE) != 0;
}

static bool test_vest(const struct evidence_foe *foe, const struct dex_set *set)
{
    (void)foe;
    return set->item == ITEM_ASSAULTVEST;
}

/* Abilities that are announced when the Pokémon comes in, whatever the field is. */
static bool test_announces(const struct evidence_foe *foe, const struct dex_set *set)
{
    static const uint8_t loud[] = {
        ABILITY_INTIMIDATE, ABILITY_PRESSURE, ABILITY_MOLDBREAKER,   ABILITY_TERAVOLT,
        ABILITY_TURBOBLAZE, ABILITY_UNNERVE,  ABILITY_INTREPIDSWORD, ABILITY_DAUNTLESSSHIELD,
        ABILITY_DOWNLOAD,   ABILITY_AIRLOCK,  ABILITY_CLOUDNINE,     ABILITY_FAIRYAURA,
        ABILITY_DARKAURA,   ABILITY_AURABREAK};
    (void)foe;
    for (size_t i = 0; i < sizeof loud; ++i)
        if (loud[i] == set->ability)
            return true;
    return false;
}

/* --- events that did not happen --- */

/* Counts against a set what it would have shown by now: the lines about coming in, and about an
 * attack, are complete. */
static void evidence_settle(struct evidence *evidence, const struct tracker *tracker)
{
    struct evidence_foe foe;
    if (evidence_foe(evidence, tracker, &foe) && !foe.mon->fainted) {
        if (evidence->came_in && !foe.mon->ability[0])
            evidence_against(evidence, &foe, test_announces);
        if (evidence->came_in && evidence->stones && evidence_item_open(&foe))
            evidence_against(evidence, &foe, evidence->stones_hurt ? test_boots : test_no_boots);
        if (evidence->hit && !evidence->recoiled && evidence_item_open(&foe))
            evidence_against(evidence, &foe, test_recoils);
    }
    evidence->came_in = evidence->stones = evidence->stones_hurt = false;
    evidence->hit = evidence->recoiled = false;
}

static void evidence_end_of_turn(struct evidence *evidence, const struct tracker *tracker)
{
    struct evidence_foe foe;
    if (evidence_foe(evidence, tracker, &foe) && evidence->needs_healing && !evidence->healed &&
        !foe.mon->fainted && evidence_item_open(&foe))
        evidence_against(evidence, &foe, test_heals);
    evidence->needs_healing = evidence->healed = false;
}

static void evidence_chose(struct evidence *evidence, const struct tracker *tracker,
                           const struct chronicle *chronicle, int move)
{
    struct evidence_foe foe;
    if (!evidence_foe(evidence, tracker, &foe) || !evidence_item_open(&foe) || !move ||
        tracker_dynamaxed(tracker, foe.side))
        return;
    const char *first = chronicle->sides[foe.side].first_move;
    if (first[0] && position_move(first) != move)
        evidence_against(evidence, &foe, test_choice);
    if (dex_moves[move].category == CATEGORY_STATUS)
        evidence_against(evidence, &foe, test_vest);
}

/* --- who moved first --- */

/* Whether the move's priority is the one in the table. */
static bool evidence_plain(int move)
{
    return move && move != MOVE_GRASSYGLIDE && !(dex_moves[move].props & MOVE_IS_MAX);
}

static void evidence_order(struct evidence *evidence, const struct tracker *tracker, int second,
                           int move)
{
    struct evidence_foe foe;
    struct pokemon *s = &evidence->start;
    if (!evidence->has_start || !evidence_foe(evidence, tracker, &foe) ||
        !evidence_plain(evidence->first_move) || !evidence_plain(move) ||
        dex_moves[evidence->first_move].priority != dex_moves[move].priority)
        return;
    struct battle b;
    battle_open(&b, s, NULL);
    bool foe_first = second != foe.side;
    int own = stats_action_speed(&b, !foe.side);
    struct pokemon_mon *mon = &s->sides[foe.side].mons[s->sides[foe.side].order[0]];
    struct pokemon_active *active = &s->sides[foe.side].active;
    for (int i = 0; i < foe.of.count; ++i) {
        const struct dex_set *set = &dex_sets[foe.of.first + i];
        bool odd = set->ability == ABILITY_PRANKSTER || set->ability == ABILITY_GALEWINGS ||
                   set->ability == ABILITY_TRIAGE || set->item == ITEM_CUSTAPBERRY;
        belief_assume(mon, active, set);
        int speed = stats_action_speed(&b, foe.side);
        if (!odd && (foe_first ? speed < own : speed > own)) {
            foe.factor[i] *= EVIDENCE_AGAINST;
            ++evidence->used;
        }
    }
    evidence_against(evidence, &foe, NULL);
}

/* --- how much damage an attack did --- */

/* Computes the state at this moment from the last request and the lines since then. */
static bool evidence_snapshot(struct evidence *evidence, const struct tracker *tracker,
                              const struct chronicle *chronicle,
                              const struct position_memory *memory)
{
    struct request request = evidence->request;
    if (request.side < 0)
        return false; /* no request has said yet which side is ours */
    const struct tracker_side *side = &tracker->sides[request.side];
    const struct tracker_pokemon *active = tracker_active(tracker, request.side);
    int found = -1;
    for (int i = 0; active && i < request.team_count; ++i) {
        struct request_pokemon *mon = &request.team[i];
        const struct tracker_pokemon *seen = parts_tracked(side, mon->name);
        mon->active = strcmp(mon->name, active->name) == 0;
        if (mon->active)
            found = i;
        if (!seen || strcmp(mon->base_ability, "illusion") == 0)
            continue;
        mon->hp = seen->hp;
        mon->hp_max = seen->fainted ? 0 : seen->hp_max;
        mon->fainted = seen->fainted;
        memcpy(mon->status, seen->status, sizeof mon->status);
        if (seen->item_state != TRACKER_ITEM_UNKNOWN)
            memcpy(mon->item, seen->item, sizeof mon->item);
        if (seen->ability[0])
            memcpy(mon->ability, seen->ability, sizeof mon->ability);
    }
    if (found < 0 || strcmp(request.team[found].base_ability, "illusion") == 0 || side->transformed)
        return false;
    struct request_pokemon keep = request.team[0];
    request.team[0] = request.team[found];
    request.team[found] = keep;
    request.kind = REQUEST_FOR_MOVE;
    request.move_count = 0;
    memset(request.moves, 0, sizeof request.moves);
    struct position_source source = {&request, tracker, chronicle, memory, NULL};
    struct belief belief;
    struct banyan_rng rng;
    struct banyan_error err;
    banyan_rng_seed(&rng, 1);
    return position_build(&source, &evidence->before, &belief, &rng, &err) == BANYAN_OK;
}

/* The probability of the damage that was seen, if these are the possible amounts. */
static double evidence_likelihood(const struct calc *calc, bool crit, int lost_least, int lost_most,
                                  bool fainted)
{
    double sum = 0, all = 0;
    for (int i = 0; i < calc->count; ++i) {
        const struct calc_amount *amount = &calc->amounts[i];
        if (amount->crit != crit || !amount->damage)
            continue;
        all += amount->chance;
        if (fainted ? amount->damage >= lost_least
                    : amount->damage >= lost_least && amount->damage <= lost_most)
            sum += amount->chance;
    }
    return all > 0 ? sum / all : 0;
}

struct evidence_loss {
    int least, most;
    bool fainted;
};

/* The range of hp that the target lost, at this maximum; percentages leave a range. */
static struct evidence_loss evidence_lost(const struct tracker_pokemon *target, bool own,
                                          int before, int max_hp)
{
    struct evidence_loss loss = {0, 0, target->fainted || target->hp == 0};
    if (own) {
        loss.least = loss.most = before - target->hp;
        return loss;
    }
    int percent = (100 * before + max_hp - 1) / max_hp, after = target->hp;
    int before_most = percent >= 100 ? max_hp : percent * max_hp / 100;
    int before_least = percent >= 100 ? max_hp : (percent - 1) * max_hp / 100 + 1;
    int after_most = after * max_hp / 100, after_least = after ? (after - 1) * max_hp / 100 + 1 : 0;
    loss.least = before_least - after_most;
    loss.most = before_most - after_least;
    if (loss.fainted)
        loss.least = before_least;
    return loss;
}

static bool evidence_same_parts(const struct dex_set *a, const struct dex_set *b)
{
    return a->item == b->item && a->ability == b->ability && a->spread == b->spread;
}

/* Multiplies every candidate's factor by the relative probability of the damage if the foe has that
 * set. */
static void evidence_weigh(struct evidence *evidence, const struct evidence_foe *foe,
                           const struct tracker_pokemon *target, bool own_target)
{
    double chance[BELIEF_SETS], most = 0;
    struct pokemon base = evidence->before;
    int viewer = !foe->side, target_side = own_target ? viewer : foe->side;
    for (int i = 0; i < foe->of.count; ++i) {
        const struct dex_set *set = &dex_sets[foe->of.first + i];
        int same = 0;
        while (same < i && !evidence_same_parts(set, &dex_sets[foe->of.first + same]))
            ++same;
        if (same < i) {
            chance[i] = chance[same];
            continue;
        }
        struct pokemon s = base;
        struct calc calc;
        belief_assume(&s.sides[foe->side].mons[s.sides[foe->side].order[0]],
                      &s.sides[foe->side].active, set);
        const struct pokemon_mon *mon = &s.sides[target_side].mons[s.sides[target_side].order[0]];
        struct evidence_loss loss = evidence_lost(target, own_target, mon->hp, mon->max_hp);
        calc_attack(&s, evidence->mover, evidence->move, false, &calc);
        chance[i] = evidence_likelihood(&calc, evidence->crit, loss.least, loss.most, loss.fainted);
        most = chance[i] > most ? chance[i] : most;
    }
    if (most <= 0)
        return; /* no candidate explains the damage, so something else had an effect */
    for (int i = 0; i < foe->of.count; ++i) {
        float share = (float)(chance[i] / most);
        foe->factor[i] *= share > EVIDENCE_AGAINST ? share : EVIDENCE_AGAINST;
        evidence->used += share < 1;
    }
    evidence_against(evidence, foe, NULL);
}

/* Whether the damage can differ between candidates. */
static bool evidence_varied(const struct evidence_foe *foe)
{
    for (int i = 1; i < foe->of.count; ++i)
        if (!evidence_same_parts(&dex_sets[foe->of.first], &dex_sets[foe->of.first + i]))
            return true;
    return false;
}

static void evidence_damage(struct evidence *evidence, const struct tracker *tracker, int side)
{
    struct evidence_foe foe;
    int move = evidence->move;
    evidence->move = 0; /* only the first of several hits is used */
    if (!move || !evidence->has_before || side == evidence->mover ||
        !evidence_foe(evidence, tracker, &foe) || !evidence_varied(&foe))
        return;
    const struct tracker_pokemon *target = tracker_active(tracker, side);
    evidence->move = move;
    if (target)
        evidence_weigh(evidence, &foe, target, side != foe.side);
    evidence->move = 0;
}

static void evidence_move(struct evidence *evidence, const struct tracker *tracker,
                          const struct chronicle *chronicle, const struct position_memory *memory,
                          const struct protocol_line *line, int side)
{
    char id[PROTOCOL_ID], from[PROTOCOL_ID];
    protocol_id(line->args[1], id, sizeof id);
    protocol_effect(line->from, from, sizeof from);
    int move = position_move(id);
    bool called = from[0] && strcmp(from, "lockedmove") != 0;
    if (!evidence->has_request)
        return;
    if (!called && evidence->first_mover == -1) {
        evidence->first_mover = side;
        evidence->first_move = move;
    } else if (!called && evidence->first_mover == !side) {
        evidence_order(evidence, tracker, side, move);
        evidence->first_mover = -2;
    } else {
        evidence->first_mover = -2;
    }
    if (!called && side != evidence->request.side)
        evidence_chose(evidence, tracker, chronicle, move);
    bool plain = move && dex_moves[move].category != CATEGORY_STATUS &&
                 dex_moves[move].hits[1] < 2 &&
                 !(dex_moves[move].props & (MOVE_IS_MAX | MOVE_IS_FIXED_DAMAGE)) &&
                 !(dex_moves[move].flags & MOVE_FLAG_FUTUREMOVE);
    evidence->mover = side;
    evidence->move = plain ? move : 0;
    evidence->crit = false;
    evidence->has_before = plain && evidence_snapshot(evidence, tracker, chronicle, memory);
}

/* --- lines --- */

static void evidence_hurt(struct evidence *evidence, const struct tracker *tracker,
                          const struct protocol_line *line, int side)
{
    char from[PROTOCOL_ID];
    protocol_effect(line->from, from, sizeof from);
    int foe = !evidence->request.side;
    if (!from[0] && evidence->mover == !side) {
        evidence->hit |= evidence->mover == foe;
        evidence_damage(evidence, tracker, side);
    }
    if (side == foe) {
        evidence->stones_hurt |= strcmp(from, "stealthrock") == 0;
        evidence->recoiled |= strcmp(from, "lifeorb") == 0;
    }
}

static void evidence_enter(struct evidence *evidence, const struct tracker *tracker, int side)
{
    evidence->first_mover = -2; /* one of the choices was not a move */
    evidence->mover = -1;
    evidence->move = 0;
    if (side == evidence->request.side)
        return;
    evidence->came_in = true;
    evidence->stones = tracker_effect(&tracker->sides[side].conditions, "stealthrock") != NULL;
}

void evidence_line(struct evidence *evidence, const struct tracker *tracker,
                   const struct chronicle *chronicle, const struct position_memory *memory,
                   const struct protocol_line *line)
{
    struct protocol_pokemon who = protocol_pokemon(line->args[0]);
    const struct tracker_pokemon *mon;
    int foe = !evidence->request.side;
    switch (line->kind) {
    case PROTOCOL_TURN:
        evidence_settle(evidence, tracker);
        evidence->first_mover = evidence->mover = -1;
        evidence->has_start = false;
        return;
    case PROTOCOL_UPKEEP:
        evidence_end_of_turn(evidence, tracker);
        return;
    case PROTOCOL_EMPTY: /* "|" alone ends the turn */
        evidence_settle(evidence, tracker);
        mon = evidence->has_request ? tracker_active(tracker, foe) : NULL;
        evidence->needs_healing = mon && !mon->fainted && mon->hp < mon->hp_max;
        evidence->healed = false;
        evidence->mover = -1;
        return;
    case PROTOCOL_SWITCH:
    case PROTOCOL_DRAG:
        evidence_settle(evidence, tracker);
        if (who.side >= 0)
            evidence_enter(evidence, tracker, who.side);
        return;
    case PROTOCOL_REPLACE:
        evidence->came_in = evidence->hit = evidence->needs_healing = false;
        return;
    case PROTOCOL_MOVE:
    case PROTOCOL_CANT:
        evidence_settle(evidence, tracker);
        if (who.side >= 0 && line->kind == PROTOCOL_MOVE)
            evidence_move(evidence, tracker, chronicle, memory, line, who.side);
        else
            evidence->mover = -1;
        return;
    case PROTOCOL_DAMAGE:
        if (who.side >= 0 && evidence->has_request)
            evidence_hurt(evidence, tracker, line, who.side);
        return;
    case PROTOCOL_HEAL:
        if (who.side == foe) {
            char from[PROTOCOL_ID];
            evidence->healed |= protocol_effect(line->from, from, sizeof from) == 'i';
        }
        return;
    default:
        evidence->crit |= protocol_is(line->word, "-crit");
        return;
    }
}
