/* The probability that the foe's active Pokémon is a Zoroark in disguise, given what it has shown.
 *
 *    odds = probability that the team has a Zoroark
 *           x  probability that the Pokémon that is shown is the last one of the bench
 *           x  likelihood of what was shown for a Zoroark  /  likelihood for the other Pokémon
 */
#include "games/pokemon/belief.h"

#include "base/rng.h"

#include <string.h>

/* The entry of Zoroark, the only species with Illusion in this format. */
static const struct dex_entry *suspect_entry(void)
{
    for (int i = dex_entry_count - 1; i >= 0; --i) /* its name is near the end of the alphabet */
        if (dex_entries[i].species == SPECIES_ZOROARK)
            return &dex_entries[i];
    return NULL;
}

/* The index of the Pokémon that may be disguised: a Zoroark on the bench that was seen, otherwise
 * an unseen Pokémon; -1: none.  chance: probability that the team has a Zoroark. */
static int suspect_wearer(const struct pokemon_side *foe, const struct dex_entry *entry,
                          double *chance, struct banyan_rng *rng)
{
    int unseen = 0, chosen = -1;
    *chance = 1;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &foe->mons[i];
        if (mon->set_species == entry->species)
            return i == foe->order[0] || (mon->flags & MON_FAINTED) ? -1 : i;
        if (!mon->set_species && rng_below(rng, (uint32_t)++unseen) == 0)
            chosen = i;
    }
    *chance = (double)unseen * entry->count / dex_entry_total;
    return chosen;
}

/* Puts an unseen Zoroark in the place of a Pokémon that did not come in. */
static void suspect_blank(struct pokemon_mon *mon, const struct dex_entry *entry,
                          struct banyan_rng *rng)
{
    setup_from_set(mon, entry, &dex_sets[entry->first_set], rng);
    memset(&mon->slots, 0, sizeof mon->slots);
    mon->item = ITEM_NONE;
}

void belief_disguise(const struct belief *belief, struct pokemon *s, struct banyan_rng *rng)
{
    struct pokemon_side *foe = &s->sides[!belief->viewer];
    const struct pokemon_arrival *at = &foe->active.arrival;
    int shown = foe->order[0], bench = foe->left - 1;
    if (!at->hp || at->struck || !foe->mons[shown].hp || foe->active.illusion || bench < 1)
        return;
    const struct dex_entry *entry = suspect_entry();
    double chance;
    int wearer = entry ? suspect_wearer(foe, entry, &chance, rng) : -1;
    if (wearer < 0)
        return;
    struct pokemon trial = *s;
    struct pokemon_side *other = &trial.sides[!belief->viewer];
    if (!other->mons[wearer].set_species)
        suspect_blank(&other->mons[wearer], entry, rng);
    if (!disguise_possible(other, wearer))
        return;
    double own_before = belief_fit(&belief->mons[wearer], &other->mons[wearer]);
    double own = belief_fit(&belief->mons[shown], &foe->mons[shown]);
    disguise_pass(&trial, !belief->viewer, wearer);
    other->active.illusion = (uint8_t)(shown + 1);
    double before = belief_fit(&belief->mons[shown], &other->mons[shown]);
    double after = belief_fit(&belief->mons[wearer], &other->mons[wearer]);
    if (own_before <= 0 || before <= 0)
        return;
    double real = own / before + BELIEF_STRANGE;
    double odds = chance / bench * (after / own_before) / real;
    if ((double)(rng_next(rng) >> 40) * (1.0 / 16777216.0) < odds / (1 + odds))
        memcpy(s, &trial, sizeof *s);
}
