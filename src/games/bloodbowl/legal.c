/* Legal actions: the choices without duplicates, disabled entries and actions that change nothing.
 * Placements and undone activations are limited in number, so that every game ends. */
#include "base/rng.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

struct legal_out {
    const struct bb_state *s;
    banyan_action *out;
    int n;
};

static void legal_add(struct legal_out *to, const struct bb_action *a)
{
    to->out[to->n++] = bb_action_pack(a);
}

/* Whether placements, and in a turn UNDO, are no longer legal, because the coach has made too many
 * of them. */
static bool legal_bounded(const struct bb_state *s)
{
    return s->idle >= BB_MAX_IDLE;
}

static void legal_placements(struct legal_out *to, const struct bb_choices *list,
                             const struct bb_choice *choice)
{
    if (legal_bounded(to->s))
        return;
    for (int i = 0; i < choice->player_count; ++i) {
        int player = list->option[choice->first_player + i].player;
        int from = to->s->player[player].square;
        for (int k = 0; k < choice->count; ++k) {
            struct bb_action a = {.type = BB_DO_PLACE_PLAYER,
                                  .player = (uint8_t)player,
                                  .square = list->option[choice->first + k].square};
            if (a.square != from)
                legal_add(to, &a);
        }
    }
}

/* The action of option number `index` of a choice. */
static struct bb_action legal_option(const struct bb_choices *list, const struct bb_choice *choice,
                                     int index)
{
    if (choice->count == 0)
        return (struct bb_action){.type = choice->type, .player = BB_NONE, .square = BB_NOWHERE};
    const struct bb_option *option = &list->option[choice->first + index];
    struct bb_action a = {.type = choice->type,
                          .player = option->player,
                          .square = option->square,
                          .length = option->steps,
                          .path = option->path};
    if (option->steps == 1 && choice->type != BB_DO_MOVE)
        a.length = 0, a.path = 0; /* the neighbour is reached without a path */
    return a;
}

static void legal_options(struct legal_out *to, const struct bb_choices *list,
                          const struct bb_choice *choice)
{
    int count = choice->count ? choice->count : 1;
    for (int i = 0; i < count; ++i) {
        struct bb_action a = legal_option(list, choice, i);
        legal_add(to, &a);
    }
}

static bool legal_repeated(const struct bb_choices *list, int index)
{
    for (int i = 0; i < index; ++i)
        if (list->choice[i].type == list->choice[index].type)
            return true;
    return false;
}

static bool legal_allowed(const struct bb_state *s, const struct bb_choice *choice)
{
    bool good = choice->type == BB_DO_END_SETUP || legal_bounded(s)
                    ? bb_asked(s) != BB_NOBODY && bb_setup_legal(s, choice->team)
                    : false;
    if (choice->type == BB_DO_END_SETUP)
        return good;
    if (choice->type >= BB_DO_SETUP_FORMATION_WEDGE && choice->type <= BB_DO_SETUP_FORMATION_SPREAD)
        return !legal_bounded(s) || !good;
    return choice->type != BB_DO_UNDO || !legal_bounded(s);
}

static bool legal_counts(const struct bb_choices *list, int index)
{
    const struct bb_choice *choice = &list->choice[index];
    return !choice->disabled && !legal_repeated(list, index);
}

int bb_legal(const struct bb_state *s, banyan_action *out)
{
    struct bb_choices list;
    struct legal_out to = {.s = s, .out = out};
    bb_list(s, &list, false);
    for (int i = 0; i < list.count; ++i) {
        const struct bb_choice *choice = &list.choice[i];
        if (!legal_counts(&list, i) || !legal_allowed(s, choice))
            continue;
        if (choice->type == BB_DO_PLACE_PLAYER)
            legal_placements(&to, &list, choice);
        else
            legal_options(&to, &list, choice);
    }
    return to.n;
}

/* --- draws one action at random, without listing thousands of placements --- */

/* Number of options; each player's placement on their own square is left out, because it changes
 * nothing. */
static int legal_count(const struct bb_state *s, const struct bb_choice *choice)
{
    if (choice->type == BB_DO_PLACE_PLAYER)
        return legal_bounded(s) ? 0 : choice->player_count * (choice->count - 1);
    return choice->count ? choice->count : 1;
}

static struct bb_action legal_placement(const struct bb_state *s, const struct bb_choices *list,
                                        const struct bb_choice *choice, int index)
{
    int player = list->option[choice->first_player + index / (choice->count - 1)].player;
    int k = index % (choice->count - 1);
    for (int i = 0; i <= k; ++i)
        k += list->option[choice->first + i].square == s->player[player].square;
    return (struct bb_action){.type = BB_DO_PLACE_PLAYER,
                              .player = (uint8_t)player,
                              .square = list->option[choice->first + k].square};
}

struct bb_action bb_random_action(const struct bb_state *s, struct banyan_rng *rng)
{
    struct bb_choices list;
    int count[BB_MAX_CHOICES], sum = 0, i = 0;
    bb_list(s, &list, false);
    for (i = 0; i < list.count; ++i) {
        bool counts = legal_counts(&list, i) && legal_allowed(s, &list.choice[i]);
        count[i] = counts ? legal_count(s, &list.choice[i]) : 0;
        sum += count[i];
    }
    int index = (int)rng_below(rng, (uint32_t)sum);
    for (i = 0; index >= count[i]; ++i)
        index -= count[i];
    const struct bb_choice *choice = &list.choice[i];
    return choice->type == BB_DO_PLACE_PLAYER ? legal_placement(s, &list, choice, index)
                                              : legal_option(&list, choice, index);
}

/* --- actions from outside the program --- */

static bool legal_has_player(const struct bb_choices *list, int first, int count, int player)
{
    for (int i = 0; i < count; ++i)
        if (list->option[first + i].player == player)
            return true;
    return false;
}

static const struct bb_option *legal_at(const struct bb_choices *list,
                                        const struct bb_choice *choice, int square)
{
    for (int i = 0; i < choice->count; ++i)
        if (list->option[choice->first + i].square == square)
            return &list->option[choice->first + i];
    return NULL;
}

/* Whether the path leads to the option's square and all squares before it are free.  A single step
 * needs no path. */
static bool legal_way(const struct bb_state *s, const struct bb_action *a,
                      const struct bb_option *option)
{
    if (option->steps == 0) /* the square is not reached by moving */
        return a->length == 0;
    int square = s->player[s->frame[s->depth - 1].player].square;
    if (a->length == 0)
        return bb_adjacent(square, a->square);
    for (int i = 0; i < a->length; ++i) {
        if (i && bb_at(s, square) != BB_NONE)
            return false;
        square += bb_d8(s, (unsigned)(a->path >> 3 * i & 7));
        if (bb_out(s, square))
            return false;
    }
    return square == option->square && a->length <= option->steps;
}

static bool legal_fits(const struct bb_state *s, const struct bb_choices *list,
                       const struct bb_choice *choice, const struct bb_action *a)
{
    if (choice->type == BB_DO_PLACE_PLAYER)
        return legal_has_player(list, choice->first_player, choice->player_count, a->player) &&
               legal_at(list, choice, a->square);
    if (choice->count == 0)
        return a->length == 0;
    if (list->option[choice->first].player != BB_NONE)
        return a->length == 0 && legal_has_player(list, choice->first, choice->count, a->player);
    const struct bb_option *option = legal_at(list, choice, a->square);
    return option && legal_way(s, a, option);
}

bool bb_possible(const struct bb_state *s, const struct bb_action *a)
{
    struct bb_choices list;
    bb_list(s, &list, false);
    for (int i = 0; i < list.count; ++i)
        if (list.choice[i].type == a->type && legal_fits(s, &list, &list.choice[i], a))
            return true;
    return false;
}
