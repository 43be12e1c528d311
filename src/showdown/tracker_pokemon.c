/* Stores what the lines of a battle say about single Pokémon and their places in the team. */
#include "showdown/tracker_pokemon.h"

#include <stdio.h>
#include <string.h>

void tracker_strange(struct tracker *tracker, const struct protocol_line *line)
{
    ++tracker->strange;
    snprintf(tracker->strange_line, sizeof tracker->strange_line, "%.*s|%.*s",
             (int)(line->word.length < 30 ? line->word.length : 30),
             line->word.length ? line->word.at : "",
             (int)(line->rest.length < 60 ? line->rest.length : 60),
             line->rest.length ? line->rest.at : "");
}

static struct tracker_pokemon *tracker_find(struct tracker_side *side, struct protocol_text name)
{
    char wanted[PROTOCOL_NAME];
    protocol_copy(name, wanted, sizeof wanted);
    for (int i = 0; i < side->count; ++i)
        if (strcmp(side->team[i].name, wanted) == 0)
            return &side->team[i];
    return NULL;
}

struct tracker_pokemon *tracker_named(struct tracker *tracker, struct protocol_text text, int *side)
{
    struct protocol_pokemon named = protocol_pokemon(text);
    if (side)
        *side = named.side;
    if (named.side < 0)
        return NULL;
    struct tracker_side *of = &tracker->sides[named.side];
    struct tracker_pokemon *found = tracker_find(of, named.name);
    /* An active Pokémon's name may change after it came in, so its place on the field identifies
     * it. */
    if (!found && named.active && of->active >= 0)
        found = &of->team[of->active];
    return found;
}

/* --- coming and going --- */

static struct tracker_pokemon *tracker_enroll(struct tracker *tracker,
                                              const struct protocol_line *line, int *side)
{
    struct protocol_pokemon named = protocol_pokemon(line->args[0]);
    *side = named.side;
    if (named.side < 0)
        return NULL;
    struct tracker_side *of = &tracker->sides[named.side];
    struct tracker_pokemon *found = tracker_find(of, named.name);
    if (!found) {
        if (of->count == TRACKER_TEAM)
            return NULL;
        found = &of->team[of->count++];
        memset(found, 0, sizeof *found);
        protocol_copy(named.name, found->name, sizeof found->name);
        found->hp = found->hp_max = 100;
    }
    struct protocol_details details = protocol_details(line->args[1]);
    protocol_copy(details.species, found->species, sizeof found->species);
    found->level = details.level;
    found->gender = details.gender;
    return found;
}

static void tracker_leave(struct tracker_side *side)
{
    if (side->active >= 0) {
        struct tracker_pokemon *old = &side->team[side->active];
        old->forme[0] = 0;
        memcpy(old->ability, old->base_ability, sizeof old->ability);
    }
    memset(side->boosts, 0, sizeof side->boosts);
    memset(&side->volatiles, 0, sizeof side->volatiles);
    side->last_move[0] = 0;
    side->transformed = false;
}

void tracker_enter(struct tracker *tracker, const struct protocol_line *line)
{
    int side;
    struct tracker_pokemon *pokemon = tracker_enroll(tracker, line, &side);
    if (!pokemon) {
        tracker_strange(tracker, line);
        return;
    }
    struct tracker_side *of = &tracker->sides[side];
    tracker_leave(of);
    of->disguise = *pokemon;
    of->active = (int)(pokemon - of->team);
    of->active_since = tracker->turn;
    tracker_condition(tracker, pokemon, line->args[2]);
}

/* When a disguise ends, what was seen since the Pokémon came in belongs to the real Pokémon. */
static void tracker_unmask(struct tracker_pokemon *real, const struct tracker_pokemon *seen,
                           const struct tracker_pokemon *before)
{
    for (int i = 0; i < seen->move_count; ++i) {
        int used = seen->moves[i].used;
        if (i < before->move_count)
            used -= before->moves[i].used;
        if (used <= 0)
            continue;
        int at = 0;
        while (at < real->move_count && strcmp(real->moves[at].id, seen->moves[i].id) != 0)
            ++at;
        if (at == TRACKER_MOVES)
            continue;
        if (at == real->move_count) {
            real->moves[real->move_count++] = seen->moves[i];
            real->moves[at].used = 0;
        }
        real->moves[at].used += used;
    }
    if (seen->item_state != before->item_state) {
        real->item_state = seen->item_state;
        memcpy(real->item, seen->item, sizeof real->item);
        memcpy(real->last_item, seen->last_item, sizeof real->last_item);
        memcpy(real->brought, seen->brought, sizeof real->brought);
    }
    real->hp = seen->hp;
    real->hp_max = seen->hp_max;
    memcpy(real->status, seen->status, sizeof real->status);
    real->status_since = seen->status_since;
}

void tracker_replace(struct tracker *tracker, const struct protocol_line *line)
{
    int side;
    struct tracker_pokemon *real = tracker_enroll(tracker, line, &side);
    struct tracker_side *of = side >= 0 ? &tracker->sides[side] : NULL;
    if (!real || of->active < 0) {
        tracker_strange(tracker, line);
        return;
    }
    struct tracker_pokemon *mask = &of->team[of->active];
    if (mask != real) {
        tracker_unmask(real, mask, &of->disguise);
        if (of->disguise.level)
            *mask = of->disguise;
        of->active = (int)(real - of->team);
    }
    if (line->arg_count > 2)
        tracker_condition(tracker, real, line->args[2]);
}

/* --- hp and status --- */

void tracker_status(struct tracker *tracker, struct tracker_pokemon *pokemon, const char *status)
{
    if (strcmp(pokemon->status, status) == 0)
        return;
    snprintf(pokemon->status, sizeof pokemon->status, "%s", status);
    pokemon->status_since = tracker->turn;
    pokemon->slept = 0;
}

void tracker_condition(struct tracker *tracker, struct tracker_pokemon *pokemon,
                       struct protocol_text text)
{
    if (text.length == 0)
        return;
    struct protocol_condition condition = protocol_condition(text);
    char status[PROTOCOL_ID];
    protocol_id(condition.status, status, sizeof status);
    pokemon->hp = condition.hp;
    if (condition.hp_max)
        pokemon->hp_max = condition.hp_max;
    pokemon->fainted = condition.fainted;
    tracker_status(tracker, pokemon, status);
}

/* --- moves --- */

static bool tracker_pressed(const struct tracker *tracker, int side)
{
    const struct tracker_pokemon *foe = tracker_active(tracker, 1 - side);
    return foe && !foe->fainted && strcmp(foe->ability, "pressure") == 0;
}

/* Whether the move is one of the Pokémon's own moves and uses PP now. */
static bool tracker_own_move(const struct tracker *tracker, const struct protocol_line *line,
                             int side, const char *id)
{
    char from[PROTOCOL_ID];
    protocol_effect(line->from, from, sizeof from);
    if (from[0] || tracker->sides[side].transformed)
        return false; /* called by another move, locked in, or from Transform */
    if (tracker_dynamaxed(tracker, side))
        return false; /* a Max move does not show which move it came from */
    return id[0] && strcmp(id, "struggle") != 0 && strcmp(id, "recharge") != 0;
}

void tracker_move_used(struct tracker *tracker, const struct protocol_line *line)
{
    int side;
    struct tracker_pokemon *pokemon = tracker_named(tracker, line->args[0], &side);
    if (!pokemon) {
        tracker_strange(tracker, line);
        return;
    }
    char id[PROTOCOL_ID];
    protocol_id(line->args[1], id, sizeof id);
    snprintf(tracker->sides[side].last_move, PROTOCOL_ID, "%s", id);
    if (!tracker_own_move(tracker, line, side, id))
        return;
    int at = 0;
    while (at < pokemon->move_count && strcmp(pokemon->moves[at].id, id) != 0)
        ++at;
    if (at == TRACKER_MOVES) {
        tracker_strange(tracker, line);
        return;
    }
    if (at == pokemon->move_count) {
        memcpy(pokemon->moves[at].id, id, sizeof id);
        pokemon->moves[at].used = 0;
        ++pokemon->move_count;
    }
    struct protocol_pokemon target = protocol_pokemon(line->args[2]);
    bool pressed = target.side == 1 - side && tracker_pressed(tracker, side);
    pokemon->moves[at].used += pressed ? 2 : 1;
}

/* --- items and abilities --- */

void tracker_item_seen(struct tracker_pokemon *pokemon, const char *item)
{
    if (!item[0])
        return;
    if (!pokemon->brought[0])
        snprintf(pokemon->brought, sizeof pokemon->brought, "%s", item);
    pokemon->item_state = TRACKER_ITEM_HELD;
    snprintf(pokemon->item, sizeof pokemon->item, "%s", item);
}

void tracker_item_given(struct tracker_pokemon *pokemon, struct tracker_pokemon *giver,
                        const char *item)
{
    if (giver && !giver->brought[0])
        snprintf(giver->brought, sizeof giver->brought, "%s", item);
    pokemon->item_state = TRACKER_ITEM_HELD;
    snprintf(pokemon->item, sizeof pokemon->item, "%s", item);
}

void tracker_item_lost(struct tracker_pokemon *pokemon, const char *item)
{
    if (!pokemon->brought[0])
        snprintf(pokemon->brought, sizeof pokemon->brought, "%s", item);
    pokemon->item_state = TRACKER_ITEM_NONE;
    snprintf(pokemon->last_item, sizeof pokemon->last_item, "%s", item);
    pokemon->item[0] = 0;
}

void tracker_ability_seen(struct tracker_pokemon *pokemon, const char *ability, bool own)
{
    if (!ability[0])
        return;
    /* As One is announced by its name, and then as the two abilities that it consists of. */
    if (strcmp(pokemon->ability, "asone") == 0 && pokemon->base_ability[0])
        return;
    /* Only the first ability that is seen can be its own: a later one may come from another
     * Pokémon. */
    own = own && !pokemon->base_ability[0] && !pokemon->ability[0];
    snprintf(pokemon->ability, sizeof pokemon->ability, "%s", ability);
    if (own)
        snprintf(pokemon->base_ability, sizeof pokemon->base_ability, "%s", ability);
}

void tracker_evidence(struct tracker *tracker, const struct protocol_line *line)
{
    if (line->from.length == 0)
        return;
    char id[PROTOCOL_ID];
    char what = protocol_effect(line->from, id, sizeof id);
    if (what != 'a' && what != 'i')
        return;
    /* [of] names the owner if it is not the subject of the line; but for healing it names the cause
     * (Water Absorb: the attacker), and for a stolen item the Pokémon that lost it. */
    bool of = line->of.length && line->kind != PROTOCOL_HEAL &&
              (line->kind != PROTOCOL_ITEM || strcmp(id, "frisk") == 0);
    if (line->kind == PROTOCOL_ENDITEM)
        return; /* lines about taking or destroying an item do not always name the owner */
    int side;
    struct tracker_pokemon *owner = tracker_named(tracker, of ? line->of : line->args[0], &side);
    if (!owner)
        return;
    if (what == 'a')
        tracker_ability_seen(owner, id, !tracker->sides[side].transformed);
    else if (owner->item_state != TRACKER_ITEM_NONE)
        tracker_item_seen(owner, id);
}
