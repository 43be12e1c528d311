/* Pokémon, the leak test: positions, and games played again with other dice and hidden sets, of which
 * those are kept that looked the same to the viewer after every turn. */
#ifndef TESTS_LEAK_POKEMON_PLAY_H
#define TESTS_LEAK_POKEMON_PLAY_H

#include "leak_pokemon_edit.h"

/* --- positions --- */

enum { LEAK_TRAITS = 13, LEAK_POSITIONS = 200, LEAK_SEARCHED = 500 };

static inline const struct banyan_game *leak_pokemon_game(void)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    return game;
}

/* A lead of a species that is not on the team, with a set that has the move (0: with Illusion). */
static inline void leak_lead(struct pokemon_side *side, int move, struct banyan_rng *rng)
{
    uint32_t found = 0;
    const struct pokemon_side team = *side;
    for (int i = 0; i < dex_entry_count; ++i)
        for (int k = 0; k < dex_entries[i].sets; ++k) {
            const struct dex_set *set = &dex_sets[dex_entries[i].first_set + k];
            bool there = false;
            for (int m = 1; m < POKEMON_TEAM; ++m)
                there |= team.mons[m].set_species == dex_entries[i].species;
            bool wanted = move ? leak_set_has(set, move) : set->ability == ABILITY_ILLUSION;
            if (wanted && !there && banyan_rng_below(rng, ++found) == 0)
                setup_from_set(&side->mons[0], &dex_entries[i], set, rng);
        }
}

/* Leads that bring rare conditions: sleep, confusion, traps, substitutes, wishes, pivots,
 * Illusion. */
static inline void leak_start(struct pokemon *s, int index, struct banyan_rng *rng)
{
    static const uint16_t rare[] = {MOVE_MAGMASTORM, MOVE_SUBSTITUTE, MOVE_WISH,  MOVE_SLEEPPOWDER,
                                    MOVE_OUTRAGE,    MOVE_HURRICANE,  MOVE_UTURN, MOVE_NONE};
    enum { RARE = sizeof rare / sizeof *rare };
    struct banyan_dice dice;
    memset(s, 0, sizeof *s);
    for (int side = 0; side < 2; ++side) {
        setup_team(&s->sides[side], rng);
        leak_lead(&s->sides[side], rare[(index + side) % RARE], rng);
    }
    banyan_dice_drawn(&dice, rng);
    setup_start(s, &dice);
}

/* Traits of a position, as bits; positions with rare traits are searched for. */
static inline unsigned leak_traits(struct pokemon *s, int viewer)
{
    const struct pokemon_side *foe = &s->sides[!viewer];
    unsigned bits = 0;
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &s->sides[side];
        for (int i = 0; i < POKEMON_TEAM; ++i)
            if (p->mons[i].status == STATUS_SLP && (p->mons[i].flags & MON_FOE_STATUS))
                bits |= 1u << side;
        bits |= (unsigned)(p->active.volatiles >> VOLATILE_CONFUSION & 1) << 2;
        bits |= (unsigned)(p->active.volatiles >> VOLATILE_LOCKEDMOVE & 1) << 3;
        bits |= (unsigned)(p->active.volatiles >> VOLATILE_PARTIALLYTRAPPED & 1) << 4;
        bool substitute = p->active.volatiles >> VOLATILE_SUBSTITUTE & 1;
        bits |= (unsigned)(substitute && p->active.substitute < p->mons[p->order[0]].max_hp / 4)
                << 5;
    }
    for (int i = 0; i < s->queued; ++i)
        bits |= (unsigned)(s->queue[i].side != viewer && s->queue[i].choice == CHOICE_MOVE) << 6;
    bits |= (unsigned)(foe->active.last_base != 0) << 7;
    bits |= (unsigned)(foe->active.illusion != 0) << 8;
    bits |= (unsigned)(s->turn == 1) << 9;
    bits |= (unsigned)(foe->wish_there != 0) << 10;
    bits |= (unsigned)(foe->active.volatiles >> VOLATILE_CHOICELOCK & 1) << 11;
    bits |= (unsigned)(foe->active.hurt != 0) << 12;
    return bits;
}

struct leak_position {
    struct pokemon state;
    int viewer;
};

/* Positions from games of the scripted players: first about 9 with each trait, then any.  Each set
 * (0, 1, ...) has other positions. */
static inline const struct leak_position *leak_positions(int set)
{
    static struct leak_position all[LEAK_POSITIONS];
    static int there = -1;
    int had[LEAK_TRAITS] = {0}, plain = 0, count = 0;
    struct banyan_rng rng;
    if (there == set)
        return all;
    there = set;
    banyan_rng_seed(&rng, 22 + (uint64_t)set);
    for (int g = 0; count < LEAK_POSITIONS; ++g) {
        struct pokemon s;
        leak_start(&s, g, &rng);
        while (turn_movers(&s) && count < LEAK_POSITIONS) {
            int viewer =
                turn_movers(&s) == 3 ? (int)banyan_rng_below(&rng, 2) : (int)turn_movers(&s) - 1;
            unsigned bits = leak_traits(&s, viewer);
            bool wanted = plain < 40 && banyan_rng_below(&rng, 40) == 0;
            plain += wanted;
            for (int i = 0; i < LEAK_TRAITS; ++i)
                wanted |= (bits >> i & 1) && had[i] < 9 && banyan_rng_below(&rng, 3) == 0;
            if (wanted || (g > LEAK_SEARCHED && banyan_rng_below(&rng, 40) == 0)) {
                for (int i = 0; i < LEAK_TRAITS; ++i)
                    had[i] += (int)(bits >> i & 1);
                all[count++] = (struct leak_position){s, viewer};
            }
            leak_pokemon_game()->rollout(leak_pokemon_game(), &s, g % 3, 1, &rng);
        }
    }
    return all;
}

static inline int leak_pokemon_position(int index, void *state)
{
    const struct leak_position *position =
        &leak_positions(index / LEAK_POSITIONS)[index % LEAK_POSITIONS];
    memcpy(state, &position->state, sizeof position->state);
    return position->viewer;
}

/* --- the same game again, with other dice and other hidden sets --- */

/* A hash of everything that the viewer is told of one Pokémon. */
static inline uint64_t leak_look_mon(const struct pokemon_mon *mon)
{
    uint64_t moves = 0, look = (uint64_t)mon->set_species << 32 | (uint64_t)mon->species << 16 |
                               (uint64_t)leak_percent(mon->hp, mon->max_hp) << 8 | mon->status;
    bool drawn = mon->status == STATUS_SLP && (mon->flags & MON_FOE_STATUS);
    int seen = mon->seen & ~15;
    for (int i = 0; i < mon->slots.count; ++i)
        if (mon->seen >> i & 1)
            moves += leak_mix((uint64_t)mon->slots.id[i] << 8 | mon->slots.pp[i]);
    look = leak_mix(look) + moves;
    look = leak_mix(look) +
           (uint64_t)(drawn ? mon->status_start - mon->status_time : mon->status_time);
    look = leak_mix(look) + (uint64_t)(seen << 16 | (mon->flags & ~MON_GIGANTAMAX));
    look = leak_mix(look) + (uint64_t)((seen & SEEN_ITEM) ? mon->item << 8 | mon->last_item : 0);
    bool ability = (seen & SEEN_ABILITY) || mon->ability != mon->set_ability;
    return leak_mix(look) + (uint64_t)(ability ? mon->ability + 1 : 0) +
           (uint64_t)mon->gender * 4096 + (uint64_t)mon->level * 65536;
}

/* A hash of the members that the viewer sees, by the classes of the table. */
static inline uint64_t leak_look_public(const struct pokemon *s, int viewer)
{
    static struct leak_field fields[2][LEAK_FIELDS];
    static int count;
    uint64_t look = 0;
    if (!count)
        for (int v = 0; v < 2; ++v)
            count = leak_pokemon_fields(v, fields[v]);
    for (int i = 0; i < count; ++i) {
        const struct leak_field *field = &fields[viewer][i];
        if (field->class != LEAK_PUBLIC)
            continue;
        for (int k = 0; k < field->size; ++k)
            look = leak_mix(look) + ((const uint8_t *)s)[field->offset + (size_t)k];
    }
    return look;
}

static inline uint64_t leak_drawn_passed(struct pokemon_active *active, const char *left,
                                         const char *drawn)
{
    const uint8_t *a = leak_active_byte(active, left), *b = leak_active_byte(active, drawn);
    return a && b ? (uint64_t)(*b - *a) : 0;
}

static inline uint64_t leak_look_active(const struct pokemon_side *side)
{
    const uint64_t untold = (uint64_t)1 << VOLATILE_CHOICELOCK | (uint64_t)1 << VOLATILE_UNBURDEN |
                            (uint64_t)1 << VOLATILE_COUNTER | (uint64_t)1 << VOLATILE_MIRRORCOAT;
    struct pokemon_active active = side->active;
    const struct pokemon_mon *out = &side->mons[side->order[0]];
    uint64_t look = leak_mix(active.volatiles & ~untold);
    look = leak_mix(look) + leak_drawn_passed(&active, "confusion", "confusiondrawn");
    look = leak_mix(look) + leak_drawn_passed(&active, "lockedtrue", "lockeddrawn");
    look = leak_mix(look) + leak_drawn_passed(&active, "trapturns", "trapdrawn");
    look = leak_mix(look) + (uint64_t)(active.substitute < out->max_hp / 4) * 2;
    look = leak_mix(look) + (uint64_t)leak_percent(active.hurt, out->max_hp);
    look = leak_mix(look) + (uint64_t)active.types[0] * 64 + active.types[1];
    look = leak_mix(look) +
           (active.flags & ~((unsigned)ACTIVE_COUNTER_HIT | (unsigned)ACTIVE_MIRROR_HIT));
    for (int i = 0; i < out->slots.count; ++i) /* moves that the viewer has seen since it came in */
        if ((out->seen & out->slots.used) >> i & 1)
            look += leak_mix(out->slots.id[i]);
    return leak_mix(look) + (uint64_t)(active.last_base != 0);
}

static inline uint64_t leak_look(const struct pokemon *s, int viewer)
{
    const struct pokemon_side *foe = &s->sides[!viewer], *own = &s->sides[viewer];
    uint64_t look = leak_look_public(s, viewer);
    look = leak_mix(look) + leak_look_active(foe);
    look = leak_mix(look) + leak_look_active(own);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        if (leak_told(foe, i))
            look = leak_mix(look) + leak_look_mon(&foe->mons[i]) + (uint64_t)i;
        const struct pokemon_mon *mine = &own->mons[i];
        look = leak_mix(look) + mine->status_start - mine->status_time;
    }
    look = leak_mix(look) + (uint64_t)(foe->order[0] * 256) + legal_trapped(s, viewer);
    look = leak_mix(look) + s->queued;
    if (turn_movers(s) >> viewer & 1) {
        banyan_action legal[16];
        int count = legal_actions(s, viewer, legal);
        for (int i = 0; i < count; ++i)
            look = leak_mix(look) + legal[i];
    }
    return look;
}

enum { LEAK_PLIES = 24, LEAK_DICE = 4096 };

struct leak_past {
    struct pokemon states[LEAK_PLIES + 1];
    banyan_action joint[LEAK_PLIES][2];
    struct banyan_die dice[LEAK_DICE];
    int starts[LEAK_PLIES + 2]; /* where the dice of a ply begin in the record; the first entry
                                   is for the start */
    int plies;
};

static inline void leak_play(struct leak_past *past, const struct pokemon *teams, int plies,
                             struct banyan_rng *rng)
{
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    dice.log = past->dice;
    dice.log_max = LEAK_DICE;
    past->states[0] = *teams;
    setup_start(&past->states[0], &dice);
    for (past->plies = 0; past->plies < plies; ++past->plies) {
        struct pokemon *s = &past->states[past->plies];
        unsigned movers = turn_movers(s);
        banyan_action legal[16];
        if (!movers || dice.log_count > LEAK_DICE - 200)
            break;
        past->starts[past->plies + 1] = dice.log_count;
        for (int p = 0; p < 2; ++p)
            if (movers >> p & 1) {
                uint32_t count = (uint32_t)legal_actions(s, p, legal);
                past->joint[past->plies][p] = legal[banyan_rng_below(rng, count)];
            }
        s[1] = s[0];
        turn_play(&s[1], past->joint[past->plies], &dice);
    }
    past->starts[past->plies + 1] = dice.log_count;
}

/* Draws other dice where the viewer may not notice the change. */
static inline void leak_other_dice(struct leak_past *past, struct banyan_rng *rng)
{
    for (int i = 0; i < past->starts[past->plies + 1]; ++i) {
        struct banyan_die *die = &past->dice[i];
        bool length = die->kind == DIE_SLEEP || die->kind == DIE_CONFUSION_TURNS ||
                      die->kind == DIE_LOCKED || die->kind == DIE_TRAP;
        if (length)
            die->value = (int32_t)banyan_rng_below(rng, (uint32_t)die->sides);
        else if (die->kind == DIE_DAMAGE && banyan_rng_below(rng, 8) == 0)
            die->value += die->value < 15 ? 1 : -1;
    }
}

static inline bool leak_may(const struct pokemon *s, int player, banyan_action action)
{
    banyan_action legal[16];
    int count = legal_actions(s, player, legal);
    for (int i = 0; i < count; ++i)
        if (legal[i] == action)
            return true;
    return false;
}

/* Plays the same choices with other teams; false: the viewer could tell both games apart. */
static inline bool leak_play_again(const struct leak_past *past, const struct pokemon *teams,
                                   int viewer, struct pokemon *out)
{
    struct banyan_dice dice;
    banyan_dice_recorded(&dice, past->dice, past->starts[1]);
    *out = *teams;
    setup_start(out, &dice);
    for (int i = 0; i <= past->plies; ++i) {
        if (dice.failed || dice.next != dice.count ||
            leak_look(out, viewer) != leak_look(&past->states[i], viewer))
            return false;
        if (i == past->plies)
            break;
        for (int p = 0; p < 2; ++p)
            if ((turn_movers(out) >> p & 1) && !leak_may(out, p, past->joint[i][p]))
                return false;
        banyan_dice_recorded(&dice, past->dice + past->starts[i + 1],
                             past->starts[i + 2] - past->starts[i + 1]);
        turn_play(out, past->joint[i], &dice);
    }
    return true;
}

/* Other sets for the foe's team: whatever the viewer has not seen by the end of the game may
 * differ. */
static inline void leak_other_team(const struct pokemon *end, int viewer, struct pokemon *teams,
                                   struct banyan_rng *rng)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *seen = &end->sides[!viewer].mons[i];
        struct pokemon_mon *mon = &teams->sides[!viewer].mons[i], before = *mon;
        const struct dex_set *set = NULL;
        const struct dex_entry *entry = leak_entry(mon);
        if (leak_told(&end->sides[!viewer], i))
            set = banyan_rng_below(rng, 3) ? leak_other_set(seen, rng) : NULL;
        else if (banyan_rng_below(rng, 2)) {
            do
                entry = setup_draw_entry(rng);
            while (entry->species == SPECIES_ZOROARK);
            set = &dex_sets[entry->first_set + banyan_rng_below(rng, entry->sets)];
        }
        if (!set)
            continue;
        setup_from_set(mon, entry, set, rng);
        if (!leak_told(&end->sides[!viewer], i))
            continue;
        mon->gender = before.gender;
        if (seen->seen & SEEN_ITEM)
            mon->item = before.item;
        if (seen->seen & SEEN_ABILITY)
            mon->ability = mon->base_ability = mon->set_ability = before.set_ability;
    }
}

static inline int leak_pokemon_replay(struct banyan_rng *rng, void *a, void *b)
{
    static struct leak_past past;
    struct pokemon teams, other;
    memset(&teams, 0, sizeof teams);
    for (int side = 0; side < 2; ++side)
        setup_team(&teams.sides[side], rng);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (teams.sides[0].mons[i].set_species == SPECIES_ZOROARK ||
            teams.sides[1].mons[i].set_species == SPECIES_ZOROARK)
            return -1;
    leak_play(&past, &teams, 1 + (int)banyan_rng_below(rng, LEAK_PLIES - 1), rng);
    const struct pokemon *end = &past.states[past.plies];
    if (!turn_movers(end))
        return -1;
    int viewer = turn_movers(end) == 3 ? (int)banyan_rng_below(rng, 2) : (int)turn_movers(end) - 1;
    other = teams;
    leak_other_team(end, viewer, &other, rng);
    leak_other_dice(&past, rng);
    struct pokemon *again = b;
    if (!leak_play_again(&past, &other, viewer, again) || memcmp(again, end, sizeof *end) == 0)
        return -1;
    memcpy(a, end, sizeof *end);
    return viewer;
}

#endif
