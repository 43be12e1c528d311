/* Setting up: placing players one by one or by a formation
 * (docs/games/bloodbowl-rules.md, "Setting up"). */
#include "games/bloodbowl/rules.h"

#include <string.h>

/* Whether the player may take part: by the rules a player who suffers from heat misses a drive. */
static bool setup_may_play(const struct bb_state *s, int player)
{
    return bb_quirk(s, BB_QUIRK_HEAT) || !bb_is(s, player, BB_HEATED);
}

void bb_setup_start(struct bb_play *p, struct bb_frame *f)
{
    p->s->current = f->team;
    p->s->idle = 0;
}

/* phase 1: Perfect Defence, in which only players on the pitch are moved. */
static bool setup_reorganizes(const struct bb_frame *f)
{
    return f->phase == 1;
}

static void setup_place(struct bb_state *s, int player, int square)
{
    if (square == BB_NOWHERE) {
        if (bb_on_pitch(s, player))
            bb_to_reserves(s, player);
        return;
    }
    if (!bb_on_pitch(s, player)) {
        bb_to_pitch(s, player, square);
        return;
    }
    int other = bb_at(s, square), from = s->player[player].square;
    if (other == player)
        return;
    if (other != BB_NONE)
        bb_remove(s, other);
    bb_remove(s, player);
    bb_put(s, player, square);
    if (other != BB_NONE)
        bb_put(s, other, from);
}

/* --- formations --- */

static int setup_tens(const struct bb_state *s, int player, char letter)
{
    const struct bb_player *who = &s->player[player];
    bool block = bb_has(who, BB_SKILL_BLOCK), hands = bb_has(who, BB_SKILL_SURE_HANDS),
         pass = bb_has(who, BB_SKILL_PASS), catch = bb_has(who, BB_SKILL_CATCH);
    switch (letter) {
    case 'S':
        return 10 * who->st + 5 * block - 5 * hands;
    case 's':
        return hands;
    case 'p':
        return pass;
    case 'b':
        return block;
    case 'c':
        return catch;
    case 'm':
        return bb_ma(s, player);
    case 'a':
        return who->ag;
    case 'v':
        return who->av;
    case 'd':
        return bb_has(who, BB_SKILL_DODGE);
    case '0':
        return -who->skill_count;
    default: /* 'x' */
        return block ? 10 : pass || catch ? 0 : 5;
    }
}

struct setup_list {
    uint8_t player[BB_TEAM_MAX];
    int count;
};

/* Takes from the list the first of the players who fit this letter best. */
static int setup_pick(const struct bb_state *s, struct setup_list *list, char letter)
{
    int best = 0;
    for (int i = 1; i < list->count; ++i)
        if (setup_tens(s, list->player[i], letter) > setup_tens(s, list->player[best], letter))
            best = i;
    int player = list->player[best];
    --list->count;
    memmove(list->player + best, list->player + best + 1, (size_t)(list->count - best));
    return player;
}

static bool setup_on_scrimmage(const struct bb_variant *v, int x, int y)
{
    return x == v->width / 2 - 1 && y >= v->centre_top && y <= v->centre_bottom;
}

/* One of two passes: first the line of scrimmage, then all other squares. */
static void setup_form(struct bb_state *s, int team, const struct bb_spot *spots,
                       struct setup_list *list, bool scrimmage)
{
    const struct bb_variant *v = bb_variant(s);
    for (const char *letter = "SspbcmavdOx"; *letter; ++letter) {
        char wanted = *letter == 'O' ? '0' : *letter;
        for (const struct bb_spot *spot = spots; spot->letter && list->count; ++spot) {
            if (spot->letter != wanted || setup_on_scrimmage(v, spot->x, spot->y) != scrimmage)
                continue;
            int x = team == BB_AWAY ? spot->x : v->width - 1 - spot->x;
            setup_place(s, setup_pick(s, list, wanted), bb_square(x, spot->y));
        }
    }
}

static void setup_formation(struct bb_state *s, const struct bb_frame *f,
                            const struct bb_formation *formation)
{
    struct setup_list list = {.count = 0};
    const struct bb_team *team = &s->team[f->team];
    for (int i = bb_first(f->team); i < bb_end(s, f->team); ++i)
        if (bb_on_pitch(s, i))
            list.player[list.count++] = (uint8_t)i;
    int on_pitch = list.count;
    if (!setup_reorganizes(f)) {
        for (int i = 0; i < team->listed[BB_RESERVES]; ++i)
            if (setup_may_play(s, team->list[BB_RESERVES][i]))
                list.player[list.count++] = team->list[BB_RESERVES][i];
        for (int i = 0; i < on_pitch; ++i)
            bb_to_reserves(s, list.player[i]);
    }
    setup_form(s, f->team, formation->spots, &list, true);
    setup_form(s, f->team, formation->spots, &list, false);
}

/* --- legality --- */

static int setup_least(int least, int available)
{
    return least < available ? least : available;
}

bool bb_setup_legal(const struct bb_state *s, int team)
{
    const struct bb_variant *v = bb_variant(s);
    int count = 0, scrimmage = 0, wing[2] = {0, 0};
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        if (!bb_on_pitch(s, i))
            continue;
        int x = bb_x(s->player[i].square), y = bb_y(s->player[i].square);
        if (team == BB_HOME)
            x = v->width - 1 - x;
        ++count;
        scrimmage += setup_on_scrimmage(v, x, y);
        if (x != 1 && (y < v->centre_top || y > v->centre_bottom))
            ++wing[y > v->centre_bottom];
    }
    int available = count;
    for (int i = 0; i < s->team[team].listed[BB_RESERVES]; ++i)
        available += setup_may_play(s, s->team[team].list[BB_RESERVES][i]);
    int fewest = bb_quirk(s, BB_QUIRK_SHORT_TEAM) ? v->pitch_min : v->pitch_max;
    return count <= v->pitch_max && count >= setup_least(fewest, available) &&
           scrimmage >= setup_least(v->scrimmage_min, available) && wing[0] <= v->wing_max &&
           wing[1] <= v->wing_max;
}

/* --- the procedure --- */

static const struct bb_formation *setup_formations(const struct bb_state *s, int team)
{
    return team == s->kick_drive ? bb_variant(s)->defence : bb_variant(s)->offence;
}

bool bb_setup_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    const struct bb_formation *formations = setup_formations(s, f->team);
    if (s->idle < BB_MAX_IDLE)
        ++s->idle;
    if (a->type == BB_DO_END_SETUP) {
        if (!bb_setup_legal(s, f->team))
            return false;
        s->current = BB_NOBODY;
        return true;
    }
    if (a->type == BB_DO_PLACE_PLAYER)
        setup_place(s, a->player, a->square);
    for (int i = 0; i < 2; ++i)
        if (formations[i].spots && formations[i].action == a->type)
            setup_formation(s, f, &formations[i]);
    return false;
}

static void setup_offer_players(const struct bb_state *s, const struct bb_frame *f,
                                struct bb_choices *out, struct bb_choice *choice)
{
    const struct bb_team *team = &s->team[f->team];
    choice->first_player = (uint16_t)out->options;
    for (int i = bb_first(f->team); i < bb_end(s, f->team); ++i)
        if (bb_on_pitch(s, i))
            bb_offer_player(out, i);
    if (!setup_reorganizes(f))
        for (int i = 0; i < team->listed[BB_RESERVES]; ++i)
            if (setup_may_play(s, team->list[BB_RESERVES][i]))
                bb_offer_player(out, team->list[BB_RESERVES][i]);
    choice->player_count = (uint16_t)(out->options - choice->first_player);
    choice->first = (uint16_t)out->options;
    choice->count = 0;
}

void bb_setup_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    const struct bb_formation *formations = setup_formations(s, f->team);
    uint16_t squares[BB_SQUARES];
    int n = bb_half_squares(s, f->team, squares);
    setup_offer_players(s, f, out, bb_offer(out, BB_DO_PLACE_PLAYER, f->team));
    bb_offer_squares(out, squares, n);
    if (!setup_reorganizes(f))
        bb_offer_square(out, BB_NOWHERE);
    bb_offer(out, BB_DO_END_SETUP, f->team);
    for (int i = 0; i < 2; ++i)
        if (formations[i].spots)
            bb_offer(out, formations[i].action, f->team);
}
