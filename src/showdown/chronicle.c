/* Counts what the rules need from the lines of a battle: turns, protections, who has acted. */
#include "showdown/chronicle.h"

#include <stddef.h>
#include <string.h>

void chronicle_start(struct chronicle *chronicle)
{
    memset(chronicle, 0, sizeof *chronicle);
    chronicle->mover = -1;
}

static bool chronicle_among(const char *id, const char *const *list)
{
    for (; *list; ++list)
        if (strcmp(*list, id) == 0)
            return true;
    return false;
}

/* --- coming in, and turns --- */

static void chronicle_enter(struct chronicle *chronicle, int side)
{
    struct chronicle_side *of = &chronicle->sides[side];
    bool acted = of->acted;
    memset(of, 0, offsetof(struct chronicle_side, wished));
    of->acted = acted || !chronicle->run_down;
    chronicle->sides[!side].trapped = false; /* the Pokémon that trapped it is gone */
    chronicle->sides[!side].bound[0] = 0;
}

static void chronicle_turn(struct chronicle *chronicle, const struct tracker *tracker)
{
    for (int side = 0; side < 2; ++side) {
        struct chronicle_side *of = &chronicle->sides[side];
        ++of->turns;
        of->acted = false;
        of->failed_once = of->failed;
        of->failed = false;
        if (of->wished && tracker->turn - of->wish_turn >= 2)
            of->wished = false;
    }
    chronicle->mover = -1;
    chronicle->run_down = false;
}

/* --- moves --- */

static const char *const chronicle_rampages[] = {"outrage", "petaldance", "thrash", NULL};

/* Notes a move that the Pokémon chose itself and that is not a Max move; locked: it is locked into the move. */
static void chronicle_own_move(struct chronicle_side *of, const char *id, bool locked)
{
    memcpy(of->own_move, id, sizeof of->own_move);
    of->own_last = true;
    if (!of->first_move[0])
        memcpy(of->first_move, id, sizeof of->first_move);
    if (!chronicle_among(id, chronicle_rampages)) {
        of->rampage[0] = 0;
        return;
    }
    of->rampaged = locked && of->rampage[0] ? of->rampaged + 1 : 1;
    memcpy(of->rampage, id, sizeof of->rampage);
}

/* Notes effects that stay for the next Pokémon at this place. */
static void chronicle_place(struct chronicle *chronicle, const struct tracker *tracker, int side,
                            const char *id)
{
    struct chronicle_side *of = &chronicle->sides[side];
    const struct tracker_pokemon *mon = tracker_active(tracker, side);
    if (strcmp(id, "wish") == 0 && !of->wished && mon) {
        of->wished = true;
        of->wish_turn = tracker->turn;
        of->wish_hp = mon->hp_max;
    }
    if (strcmp(id, "healingwish") == 0)
        of->healing_wish = true;
}

static void chronicle_move(struct chronicle *chronicle, const struct tracker *tracker,
                           const struct protocol_line *line, int side)
{
    struct chronicle_side *of = &chronicle->sides[side];
    char id[PROTOCOL_ID], from[PROTOCOL_ID];
    protocol_id(line->args[1], id, sizeof id);
    protocol_effect(line->from, from, sizeof from);
    bool locked = strcmp(from, "lockedmove") == 0;
    chronicle->mover = side;
    of->destiny = of->failed = false;
    if (!from[0] || locked) {
        of->acted = true;
        ++of->tries;
        of->charging[0] = 0;
        of->own_last = false;
        if (!tracker_dynamaxed(tracker, side) && strcmp(id, "struggle") != 0)
            chronicle_own_move(of, id, locked);
    }
    chronicle_place(chronicle, tracker, side, id);
}

static void chronicle_cant(struct chronicle *chronicle, int side)
{
    struct chronicle_side *of = &chronicle->sides[side];
    of->acted = of->failed = true;
    of->destiny = false;
    of->charging[0] = of->rampage[0] = 0;
    ++of->tries;
    chronicle->mover = side;
}

/* Records that the last move failed. */
static void chronicle_failed(struct chronicle *chronicle)
{
    if (chronicle->mover < 0)
        return;
    struct chronicle_side *of = &chronicle->sides[chronicle->mover];
    of->failed = true;
    of->rampage[0] = 0;
}

/* --- effects --- */

static void chronicle_single_turn(struct chronicle *chronicle, const struct tracker *tracker,
                                  int side, const char *id)
{
    static const char *const guards[] = {"protect",     "maxguard",    "banefulbunker",
                                         "kingsshield", "spikyshield", "detect",
                                         "endure",      "obstruct",    NULL};
    struct chronicle_side *of = &chronicle->sides[side];
    if (!chronicle_among(id, guards))
        return;
    of->protects = of->protects && of->protect_ends == tracker->ends - 1 ? of->protects + 1 : 1;
    of->protect_ends = tracker->ends;
}

static void chronicle_begins(struct chronicle *chronicle, const struct tracker *tracker, int side,
                             const char *id)
{
    struct chronicle_side *of = &chronicle->sides[side];
    if (strcmp(id, "confusion") == 0) {
        of->confused = 0;
        of->rampage[0] = 0;
    } else if (strcmp(id, "substitute") == 0) {
        of->substitute_hit = false;
        of->bound[0] = 0;
    } else if (strcmp(id, "taunt") == 0) {
        of->taunt_late = of->acted && of->turns > 0;
    } else if (strcmp(id, "encore") == 0) {
        of->encore_late = of->acted;
    } else if (strcmp(id, "disable") == 0) {
        of->disable_late = of->acted && chronicle->mover != side;
    } else if (strcmp(id, "futuresight") == 0 || strcmp(id, "doomdesire") == 0) {
        struct chronicle_side *target = &chronicle->sides[!side];
        const struct tracker_pokemon *mon = tracker_active(tracker, side);
        target->foreseen = true;
        target->foreseen_turn = tracker->turn;
        memcpy(target->foreseen_by, mon ? mon->name : "", mon ? sizeof mon->name : 1);
    }
}

static void chronicle_ends(struct chronicle *chronicle, int side, const char *id)
{
    struct chronicle_side *of = &chronicle->sides[side];
    if (strcmp(id, of->bound) == 0)
        of->bound[0] = 0;
    if (strcmp(id, "futuresight") == 0 || strcmp(id, "doomdesire") == 0)
        of->foreseen = false;
}

static void chronicle_activates(struct chronicle *chronicle, const struct tracker *tracker,
                                const struct protocol_line *line, int side, const char *id)
{
    static const char *const binds[] = {"magmastorm", "infestation", "whirlpool", "firespin",
                                        "sandtomb",   "thundercage", "snaptrap",  "wrap",
                                        "bind",       "clamp",       NULL};
    struct chronicle_side *of = &chronicle->sides[side];
    if (strcmp(id, "confusion") == 0) {
        ++of->confused;
    } else if (strcmp(id, "trapped") == 0) {
        of->trapped = true;
    } else if (strcmp(id, "substitute") == 0) {
        of->substitute_hit = true;
    } else if (chronicle_among(id, binds)) {
        memcpy(of->bound, id, sizeof of->bound);
        of->bound_ends = tracker->ends;
    } else if (strcmp(id, "protect") == 0 || strcmp(id, "maxguard") == 0) {
        chronicle_failed(chronicle);
    }
    (void)line;
}

static void chronicle_hurt(struct chronicle *chronicle, const struct tracker *tracker,
                           const struct protocol_line *line, int side)
{
    char from[PROTOCOL_ID];
    protocol_effect(line->from, from, sizeof from);
    const struct tracker_pokemon *mon = tracker_active(tracker, side);
    if (strcmp(from, "psn") == 0 && mon && strcmp(mon->status, "tox") == 0)
        ++chronicle->sides[side].tox;
    if (strcmp(from, "healingwish") == 0)
        chronicle->sides[side].healing_wish = false;
}

static void chronicle_charge(struct chronicle *chronicle, const struct tracker *tracker,
                             const struct protocol_line *line, int side)
{
    struct chronicle_side *of = &chronicle->sides[side];
    protocol_id(line->args[1], of->charging, sizeof of->charging);
    of->charge_ends = tracker->ends;
}

/* --- lines --- */

static void chronicle_word(struct chronicle *chronicle, const struct tracker *tracker,
                           const struct protocol_line *line, int side)
{
    bool alone = line->arg_count < 2;
    if (protocol_is(line->word, "-prepare"))
        chronicle_charge(chronicle, tracker, line, side);
    else if (protocol_is(line->word, "-anim"))
        chronicle->sides[side].charging[0] = 0;
    else if (protocol_is(line->word, "-miss") || protocol_is(line->word, "-notarget") ||
             (protocol_is(line->word, "-fail") && alone))
        chronicle_failed(chronicle);
}

void chronicle_line(struct chronicle *chronicle, const struct tracker *tracker,
                    const struct protocol_line *line)
{
    struct protocol_pokemon who = protocol_pokemon(line->args[0]);
    char id[PROTOCOL_ID];
    if (line->kind == PROTOCOL_TURN) {
        chronicle_turn(chronicle, tracker);
        return;
    }
    if (line->kind == PROTOCOL_UPKEEP) {
        chronicle->run_down = true;
        return;
    }
    if (who.side < 0)
        return;
    protocol_effect(line->args[1], id, sizeof id);
    switch (line->kind) {
    case PROTOCOL_SWITCH:
    case PROTOCOL_DRAG:
        chronicle_enter(chronicle, who.side);
        break;
    case PROTOCOL_MOVE:
        chronicle_move(chronicle, tracker, line, who.side);
        break;
    case PROTOCOL_CANT:
        chronicle_cant(chronicle, who.side);
        break;
    case PROTOCOL_SINGLETURN:
        chronicle_single_turn(chronicle, tracker, who.side, id);
        break;
    case PROTOCOL_SINGLEMOVE:
        chronicle->sides[who.side].destiny |= strcmp(id, "destinybond") == 0;
        break;
    case PROTOCOL_EFFECT_START:
        chronicle_begins(chronicle, tracker, who.side, id);
        break;
    case PROTOCOL_EFFECT_END:
        chronicle_ends(chronicle, who.side, id);
        break;
    case PROTOCOL_ACTIVATE:
        chronicle_activates(chronicle, tracker, line, who.side, id);
        break;
    case PROTOCOL_DAMAGE:
    case PROTOCOL_HEAL:
        chronicle_hurt(chronicle, tracker, line, who.side);
        break;
    case PROTOCOL_STATUS:
        chronicle->sides[who.side].tox = 0;
        break;
    case PROTOCOL_IMMUNE:
        chronicle_failed(chronicle);
        break;
    default:
        chronicle_word(chronicle, tracker, line, who.side);
        break;
    }
}
