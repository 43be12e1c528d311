/* Turns choices into a queue of actions, and runs it until a player must choose again. */
#include "games/pokemon/effects.h"

#include <string.h>

/* --- the queue --- */

/* Negative: a comes before c. */
static int turn_compare(const struct pokemon_action *a, const struct pokemon_action *c)
{
    if (a->choice != c->choice)
        return a->choice - c->choice;
    if (a->priority != c->priority)
        return c->priority - a->priority;
    return c->speed - a->speed;
}

static void turn_swap(struct pokemon_action *a, struct pokemon_action *c)
{
    struct pokemon_action keep = *a;
    *a = *c;
    *c = keep;
}

/* Sorts count actions; between two equal ones (one of each side) a die decides. */
static void turn_sort(struct battle *b, struct pokemon_action *list, int count)
{
    int ordered = 1;
    while (ordered < count && turn_compare(&list[ordered - 1], &list[ordered]) < 0)
        ++ordered;
    if (ordered >= count)
        return;
    for (int i = 0; i + 1 < count; ++i) {
        int first = i, equal = -1;
        for (int k = i + 1; k < count; ++k) {
            int order = turn_compare(&list[k], &list[first]);
            if (order < 0) {
                first = k;
                equal = -1;
            } else if (order == 0) {
                equal = k;
            }
        }
        bool tie = equal >= 0 && list[first].side != list[equal].side;
        if (tie && banyan_dice_pick(b->dice, DIE_ORDER_ACTION, 2) != list[first].side)
            turn_swap(&list[first], &list[equal]);
        turn_swap(&list[i], &list[first]);
        if (tie)
            turn_swap(&list[++i], &list[equal]);
    }
}

static void turn_remove(struct battle *b, int index)
{
    struct pokemon *s = b->s;
    --s->queued;
    memmove(&s->queue[index], &s->queue[index + 1],
            (size_t)(s->queued - index) * sizeof s->queue[0]);
    memset(&s->queue[s->queued], 0, sizeof s->queue[0]);
}

static void turn_put(struct battle *b, int index, const struct pokemon_action *action)
{
    struct pokemon *s = b->s;
    assert(s->queued < POKEMON_QUEUE);
    for (int i = s->queued; i > index; --i)
        s->queue[i] = s->queue[i - 1];
    s->queue[index] = *action;
    ++s->queued;
}

/* Removes all queued actions of a side's active Pokémon. */
void turn_cancel(struct battle *b, int side)
{
    for (int i = b->s->queued - 1; i >= 0; --i)
        if (b->s->queue[i].side == side && b->s->queue[i].choice != CHOICE_RESIDUAL &&
            b->s->queue[i].choice != CHOICE_BEFORE_TURN &&
            b->s->queue[i].mon == side_of(b, side)->order[0])
            turn_remove(b, i);
}

void turn_cancel_move(struct battle *b, int side)
{
    for (int i = 0; i < b->s->queued; ++i)
        if (b->s->queue[i].side == side && b->s->queue[i].choice == CHOICE_MOVE) {
            turn_remove(b, i);
            return;
        }
}

/* Inserts an action at its place in the queue. */
void turn_insert(struct battle *b, int choice, int side)
{
    struct pokemon_action action = {.choice = (uint8_t)choice, .side = (uint8_t)side};
    if (choice == CHOICE_RUN_SWITCH) {
        action.mon = side_of(b, side)->order[0];
        stats_update_speed(b, side);
        action.speed = active_of(b, side)->speed;
    }
    int at = 0;
    while (at < b->s->queued && turn_compare(&action, &b->s->queue[at]) > 0)
        ++at;
    turn_put(b, at, &action);
}

/* --- speeds and priorities --- */

static int turn_priority(struct battle *b, const struct pokemon_action *action)
{
    int side = action->side, ability = state_ability(b, side), id = action->move;
    if (action->max)
        id = use_max_move(mon_of(b, side), id, dex_moves[id].type);
    int priority = dex_moves[id].priority;
    if (move_hooks[id].priority)
        priority += move_hooks[id].priority(b, side);
    if (ability_hooks[ability].priority) {
        struct battle_move move;
        use_fill(&move, id);
        priority += ability_hooks[ability].priority(b, side, &move);
    }
    return priority;
}

static void turn_action_speed(struct battle *b, struct pokemon_action *action, int speed)
{
    if (action->choice == CHOICE_MOVE)
        action->priority = (int16_t)(10 * turn_priority(b, action) + action->fraction);
    bool timeless = action->choice == CHOICE_RESIDUAL || action->choice == CHOICE_BEFORE_TURN;
    action->speed = (uint16_t)(timeless ? 1 : speed);
}

/* The speed of a side's Pokémon.  If it has not fainted, stats_update_speeds has computed its
 * speed. */
static int turn_speed(const struct battle *b, int side)
{
    return is_active(b, side) ? active_of(b, side)->speed : stats_action_speed(b, side);
}

static void turn_resort(struct battle *b)
{
    stats_update_speeds(b);
    for (int i = 0; i < b->s->queued; ++i)
        turn_action_speed(b, &b->s->queue[i], turn_speed(b, b->s->queue[i].side));
    turn_sort(b, b->s->queue, b->s->queued);
}

/* --- from choices to actions --- */

static int turn_mon_of_species(const struct pokemon_side *side, int species)
{
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (side->mons[i].set_species == species)
            return i;
    return side->order[0];
}

static void turn_add(struct battle *b, struct pokemon_action action)
{
    turn_action_speed(b, &action, turn_speed(b, action.side));
    turn_put(b, b->s->queued, &action);
}

static void turn_choose_move(struct battle *b, int side, int move, bool dynamax)
{
    const struct move_hooks *hooks = &move_hooks[move];
    struct pokemon_action action = {.choice = CHOICE_MOVE,
                                    .side = (uint8_t)side,
                                    .mon = side_of(b, side)->order[0],
                                    .move = (uint16_t)move};
    bool locked = use_locked_move(b, side) != 0;
    action.max = !locked && move != MOVE_STRUGGLE && (dynamax || is_dynamaxed(b, side));
    struct pokemon_action before = action;
    if (!action.max && hooks->before_turn) {
        before.choice = CHOICE_BEFORE_MOVE;
        turn_add(b, before);
    }
    if (action.max && !is_dynamaxed(b, side)) {
        before.choice = CHOICE_DYNAMAX;
        before.move = 0;
        before.max = 0;
        turn_add(b, before);
    }
    if (!action.max && hooks->charge) {
        before.choice = CHOICE_CHARGE;
        turn_add(b, before);
    }
    int item = mon_of(b, side)->item;
    if (item_hooks[item].hurries && item_hooks[item].hurries(b, side)) {
        action.fraction = 1;
        turn_action_speed(b, &action, stats_action_speed(b, side)); /* it has eaten its Custap
                                                                     * Berry */
        turn_put(b, b->s->queued, &action);
        return;
    }
    turn_add(b, action);
}

/* --- actions that are drawn for a foe whose choice is hidden (redraw.c) --- */

int turn_move_priority(const struct pokemon *s, int side, int move)
{
    struct battle b;
    battle_open(&b, (struct pokemon *)(uintptr_t)s, NULL);
    const struct pokemon_action action = {
        .side = (uint8_t)side, .move = (uint16_t)move, .max = is_dynamaxed(&b, side)};
    return turn_priority(&b, &action);
}

void turn_plan(struct pokemon *s, int index, int side, banyan_action choice)
{
    struct battle b;
    battle_open(&b, s, NULL);
    int kind = (int)(choice >> 16), id = (int)(choice & 0xffff);
    struct pokemon_action action = {
        .choice = CHOICE_MOVE, .side = (uint8_t)side, .mon = side_of(&b, side)->order[0]};
    turn_remove(&b, index);
    if (kind == ACTION_SWITCH) {
        action.choice = CHOICE_SWITCH;
        action.target = (uint8_t)turn_mon_of_species(side_of(&b, side), id);
        turn_put(&b, index, &action);
        return;
    }
    struct pokemon_action before = action;
    bool large = kind == ACTION_DYNAMAX || is_dynamaxed(&b, side);
    action.move = (uint16_t)id;
    action.max = large && id != MOVE_STRUGGLE && !use_locked_move(&b, side);
    turn_put(&b, index, &action);
    if (kind == ACTION_DYNAMAX) {
        before.choice = CHOICE_DYNAMAX;
        turn_put(&b, index, &before);
    } else if (!action.max && move_hooks[id].charge &&
               !has_volatile(&b, side, VOLATILE_FOCUSPUNCH)) {
        before.choice = CHOICE_CHARGE;
        before.move = (uint16_t)id;
        turn_put(&b, index, &before);
    }
}

void turn_rate(struct pokemon *s)
{
    struct battle b;
    battle_open(&b, s, NULL);
    stats_update_speeds(&b);
    for (int i = 0; i < s->queued; ++i)
        turn_action_speed(&b, &s->queue[i], turn_speed(&b, s->queue[i].side));
}

static void turn_choose(struct battle *b, int side, banyan_action choice, int request)
{
    int kind = (int)(choice >> 16), id = (int)(choice & 0xffff);
    if (kind != ACTION_SWITCH) {
        turn_choose_move(b, side, id, kind == ACTION_DYNAMAX);
        return;
    }
    active_of(b, side)->flags &= (uint16_t) ~(ACTIVE_SWITCH | ACTIVE_EXIT);
    turn_add(b, (struct pokemon_action){
                    .choice = request == REQUEST_SWITCH ? CHOICE_INSTASWITCH : CHOICE_SWITCH,
                    .side = (uint8_t)side,
                    .mon = side_of(b, side)->order[0],
                    .target = (uint8_t)turn_mon_of_species(side_of(b, side), id)});
}

/* --- actions --- */

static void turn_run_switch(struct battle *b, const struct pokemon_action *action)
{
    unsigned sides = 1u << action->side;
    while (b->s->queued && b->s->queue[0].choice == CHOICE_RUN_SWITCH) {
        sides |= 1u << b->s->queue[0].side;
        turn_remove(b, 0);
    }
    entry_run(b, sides);
}

static void turn_move(struct battle *b, const struct pokemon_action *action)
{
    if (!is_fainted(b, action->side) && side_of(b, action->side)->order[0] == action->mon)
        use_run(b, action);
}

static void turn_dynamax(struct battle *b, const struct pokemon_action *action)
{
    volatile_add(b, action->side, VOLATILE_DYNAMAX, action->side);
    side_of(b, action->side)->dynamax_used = 1;
}

static void turn_before_move(struct battle *b, const struct pokemon_action *action)
{
    const struct move_hooks *hooks = &move_hooks[action->move];
    if (is_fainted(b, action->side) || side_of(b, action->side)->order[0] != action->mon)
        return;
    if (action->choice == CHOICE_BEFORE_MOVE)
        hooks->before_turn(b, action->side);
    else
        hooks->charge(b, action->side);
}

static void turn_switch(struct battle *b, const struct pokemon_action *action)
{
    entry_switch(b, action->side, action->target, false);
}

static void turn_start(struct battle *b, const struct pokemon_action *action)
{
    (void)action;
    turn_insert(b, CHOICE_RUN_SWITCH, 0);
    turn_insert(b, CHOICE_RUN_SWITCH, 1);
}

static void turn_residual(struct battle *b, const struct pokemon_action *action)
{
    (void)action;
    stats_update_speeds(b);
    residual_run(b);
}

static void turn_nothing(struct battle *b, const struct pokemon_action *action)
{
    (void)b, (void)action;
}

typedef void turn_runner(struct battle *b, const struct pokemon_action *action);

static turn_runner *const turn_runners[CHOICE_COUNT] = {[CHOICE_NONE] = turn_nothing,
                                                        [CHOICE_START] = turn_start,
                                                        [CHOICE_INSTASWITCH] = turn_switch,
                                                        [CHOICE_BEFORE_TURN] = turn_nothing,
                                                        [CHOICE_BEFORE_MOVE] = turn_before_move,
                                                        [CHOICE_RUN_SWITCH] = turn_run_switch,
                                                        [CHOICE_SWITCH] = turn_switch,
                                                        [CHOICE_DYNAMAX] = turn_dynamax,
                                                        [CHOICE_CHARGE] = turn_before_move,
                                                        [CHOICE_MOVE] = turn_move,
                                                        [CHOICE_RESIDUAL] = turn_residual};

/* Roar and similar moves: a Pokémon from the bench comes in immediately. */
static void turn_drag(struct battle *b)
{
    for (int side = 0; side < 2; ++side) {
        struct pokemon_active *active = active_of(b, side);
        if (!(active->flags & ACTIVE_FORCED))
            continue;
        active->flags &= (uint16_t)~ACTIVE_FORCED;
        int bench = state_switches(side_of(b, side));
        if (!mon_of(b, side)->hp || !bench)
            continue;
        int pick = banyan_dice_pick(b->dice, DIE_DRAG, bench);
        const struct pokemon_side *s = side_of(b, side);
        for (int i = 1; i < POKEMON_TEAM; ++i)
            if (!(s->mons[s->order[i]].flags & MON_FAINTED) && pick-- == 0) {
                entry_switch(b, side, s->order[i], true);
                break;
            }
    }
}

static void turn_mark_fainted(struct battle *b)
{
    for (int side = 0; side < 2; ++side)
        if (is_fainted(b, side)) {
            status_clear(mon_of(b, side));
            mon_of(b, side)->status = STATUS_FNT;
            active_of(b, side)->flags |= ACTIVE_SWITCH;
        }
}

/* Emergency Exit, when hp fall from above half (before) to half or less. */
static void turn_exit_if_crossed(struct battle *b, int side, int before)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    int full = state_undynamaxed(b, side, mon->max_hp), now = state_undynamaxed(b, side, mon->hp);
    if (mon->hp && now * 2 <= full && before * 2 > full)
        update_emergency_exit(b, side);
}

/* Asks for replacements of Pokémon that must leave; false: none must. */
static bool turn_request_switches(struct battle *b)
{
    bool asked = false;
    for (int side = 0; side < 2; ++side) {
        struct pokemon_active *active = active_of(b, side);
        if (!(active->flags & ACTIVE_SWITCH))
            continue;
        if (!state_switches(side_of(b, side))) {
            active->flags &= (uint16_t) ~(ACTIVE_SWITCH | ACTIVE_EXIT);
            continue;
        }
        if (mon_of(b, side)->hp && !(active->flags & ACTIVE_SWITCH_READY)) {
            entry_leave_ready(b, side);
            active->flags |= ACTIVE_SWITCH_READY;
        }
    }
    for (int side = 0; side < 2; ++side) {
        bool leaves = (active_of(b, side)->flags & ACTIVE_SWITCH) != 0;
        b->s->request[side] = leaves ? REQUEST_SWITCH : REQUEST_NONE;
        asked |= leaves;
    }
    return asked;
}

/* Returns true when the turn stops here: for a request, or at the end of the battle. */
static bool turn_action(struct battle *b, const struct pokemon_action *action)
{
    int before[2] = {0, 0}, own = mon_of(b, action->side)->hp;
    for (int side = 0; side < 2; ++side)
        before[side] = is_fainted(b, side) ? 0 : state_undynamaxed(b, side, mon_of(b, side)->hp);
    turn_runners[action->choice](b, action);
    if (is_over(b))
        return true;
    turn_drag(b);
    b->move = NULL;
    b->user = b->target = -1;
    b->move_count = 0;
    if (hp_faints(b, true))
        return true;
    if (!b->s->queued)
        turn_mark_fainted(b);
    else if (b->s->queue[0].choice == CHOICE_INSTASWITCH)
        return false;
    if (action->choice != CHOICE_START)
        update_all(b);
    for (int side = 0; action->choice == CHOICE_RESIDUAL && side < 2; ++side)
        if (before[side])
            turn_exit_if_crossed(b, side, before[side]);
    const struct pokemon_mon *mon = mon_of(b, action->side);
    if (action->choice == CHOICE_RUN_SWITCH && mon->hp && mon->hp * 2 <= mon->max_hp &&
        own * 2 > mon->max_hp)
        update_emergency_exit(b, action->side);
    if (hp_faints(b, true))
        return true;
    if (turn_request_switches(b))
        return true;
    if (b->s->queued &&
        (b->s->queue[0].choice == CHOICE_MOVE || b->s->queue[0].choice == CHOICE_DYNAMAX))
        turn_resort(b);
    return false;
}

/* --- the end of a turn --- */

void turn_disable_moves(struct battle *b, int side)
{
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    struct pokemon_active *a = active_of(b, side);
    const struct pokemon_mon *mon = mon_of(b, side);
    slots->disabled = slots->hard = 0;
    if (has_volatile(b, side, VOLATILE_CHOICELOCK)) {
        bool holds = (dex_items[mon->item].flags & ITEM_FLAG_CHOICE) != 0;
        if (!holds || state_slot_of(slots, a->choice_move) < 0)
            volatile_end(b, side, VOLATILE_CHOICELOCK);
        else if (!is_dynamaxed(b, side))
            slots->disabled |= (uint8_t)(~(1 << state_slot_of(slots, a->choice_move)) & 15);
    }
    uint8_t hard = 0;
    int encored =
        has_volatile(b, side, VOLATILE_ENCORE) ? state_slot_of(slots, a->encore_move) : -1;
    if (encored >= 0)
        hard |= (uint8_t)(~(1 << encored) & 15);
    const uint64_t forbid = (uint64_t)1 << VOLATILE_DISABLE | (uint64_t)1 << VOLATILE_TAUNT |
                            (uint64_t)1 << VOLATILE_THROATCHOP;
    for (int i = 0; (a->volatiles & forbid) && i < slots->count; ++i) {
        const struct dex_move *row = &dex_moves[slots->id[i]];
        if (has_volatile(b, side, VOLATILE_DISABLE) && slots->id[i] == a->disable_move)
            hard |= (uint8_t)(1 << i);
        if (has_volatile(b, side, VOLATILE_TAUNT) && row->category == CATEGORY_STATUS)
            hard |= (uint8_t)(1 << i);
        if (has_volatile(b, side, VOLATILE_THROATCHOP) && (row->flags & MOVE_FLAG_SOUND))
            slots->disabled |= (uint8_t)(1 << i);
    }
    slots->disabled |= hard;
    slots->hard = hard;
    if (ability_hooks[state_ability(b, side)].disable)
        ability_hooks[state_ability(b, side)].disable(b, side);
    if (item_hooks[mon->item].disable && !is_fainted(b, side))
        item_hooks[mon->item].disable(b, side);
    slots->disabled &= (uint8_t)((1 << slots->count) - 1);
    slots->hard &= slots->disabled;
}

static void turn_end_side(struct battle *b, int side)
{
    struct pokemon_active *a = active_of(b, side);
    a->flags &= (uint16_t)~ACTIVE_NEW;
    a->result_last = a->result_now;
    a->result_now = RESULT_NONE;
    if (b->s->turn != 1) {
        a->flags &= (uint16_t) ~(ACTIVE_RAISED | ACTIVE_LOWERED);
        a->hurt = 0;
    }
    a->hit_by = 0;
    turn_disable_moves(b, side);
    if (!is_fainted(b, side))
        ++a->turns;
}

static void turn_end(struct battle *b)
{
    struct pokemon *s = b->s;
    ++s->turn;
    s->last_success = 0;
    for (int side = 0; side < 2; ++side)
        if (is_active(b, side) && active_of(b, side)->dynamax_turns == 3)
            volatile_end(b, side, VOLATILE_DYNAMAX);
    for (int side = 0; side < 2; ++side)
        turn_end_side(b, side);
    if (s->turn > POKEMON_TURN_LIMIT) {
        s->winner = WINNER_TIE;
        memset(s->request, 0, sizeof s->request);
        return;
    }
    s->request[0] = s->request[1] = REQUEST_MOVE;
}

static void turn_loop(struct battle *b)
{
    struct pokemon *s = b->s;
    if (!s->mid_turn) {
        turn_insert(b, CHOICE_BEFORE_TURN, 0);
        turn_put(b, s->queued, &(struct pokemon_action){.choice = CHOICE_RESIDUAL, .speed = 1});
        s->mid_turn = 1;
    }
    while (s->queued) {
        struct pokemon_action action = s->queue[0];
        turn_remove(b, 0);
        if (turn_action(b, &action))
            return;
    }
    s->mid_turn = 0;
    turn_end(b);
}

/* --- the game --- */

unsigned turn_movers(const struct pokemon *s)
{
    return (s->request[0] != REQUEST_NONE ? 1u : 0u) | (s->request[1] != REQUEST_NONE ? 2u : 0u);
}

void turn_play(struct pokemon *s, const banyan_action joint[], struct banyan_dice *dice)
{
    struct battle b;
    battle_open(&b, s, dice);
    struct pokemon_action rest[POKEMON_QUEUE];
    int count = s->queued;
    memcpy(rest, s->queue, sizeof rest);
    memset(s->queue, 0, sizeof s->queue);
    s->queued = 0;
    stats_update_speeds(&b);
    uint8_t request[2] = {s->request[0], s->request[1]};
    memset(s->request, 0, sizeof s->request);
    for (int side = 0; side < 2; ++side)
        if (request[side] != REQUEST_NONE)
            turn_choose(&b, side, joint[side], request[side]);
    turn_sort(&b, s->queue, s->queued);
    for (int i = 0; i < count; ++i)
        turn_put(&b, s->queued, &rest[i]);
    turn_loop(&b);
}

/* The first Pokémon come in, and the first turn begins. */
void setup_start(struct pokemon *s, struct banyan_dice *dice)
{
    struct battle b;
    battle_open(&b, s, dice);
    matchup_fill(s);
    for (int side = 0; side < 2; ++side)
        entry_arrive(&b, side);
    s->mid_turn = 1;
    turn_put(&b, 0, &(struct pokemon_action){.choice = CHOICE_START});
    turn_loop(&b);
}
