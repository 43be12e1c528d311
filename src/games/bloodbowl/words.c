/* Tells people what a choice means and how likely it succeeds, what happened, and which players
 * there are. */
#include "games/bloodbowl/words.h"
#include "base/text.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/text.h"

#include <ctype.h>
#include <string.h>

static const char *words_team(int team)
{
    return team == BB_HOME ? "home" : "away";
}

/* --- the choice as people say it --- */

/* Texts of actions; the actions without one are written as their names in lower case. */
static const char *const words_actions[BB_ACTIONS] = {
    [BB_DO_PLACE_PLAYER] = "place",
    [BB_DO_PLACE_BALL] = "kick the ball to",
    [BB_DO_START_MOVE] = "move with",
    [BB_DO_START_BLOCK] = "block with",
    [BB_DO_START_BLITZ] = "blitz with",
    [BB_DO_START_PASS] = "pass with",
    [BB_DO_START_FOUL] = "foul with",
    [BB_DO_START_HANDOFF] = "hand off with",
    [BB_DO_START_THROW_BOMB] = "throw a bomb with",
    [BB_DO_MOVE] = "move to",
    [BB_DO_LEAP] = "leap to",
    [BB_DO_PASS] = "pass to",
    [BB_DO_HANDOFF] = "hand off to",
    [BB_DO_PUSH] = "push to",
    [BB_DO_FOLLOW_UP] = "follow up to",
    [BB_DO_THROW_BOMB] = "throw the bomb to",
    [BB_DO_PICKUP_TEAM_MATE] = "pick up",
    [BB_DO_THROW_TEAM_MATE] = "throw the team-mate to",
    [BB_DO_HYPNOTIC_GAZE] = "gaze at",
    [BB_DO_SELECT_PLAYER] = "choose",
    [BB_DO_SELECT_NONE] = "choose nobody",
    [BB_DO_SELECT_ATTACKER_DOWN] = "attacker down",
    [BB_DO_SELECT_BOTH_DOWN] = "both down",
    [BB_DO_SELECT_PUSH] = "push",
    [BB_DO_SELECT_DEFENDER_STUMBLES] = "defender stumbles",
    [BB_DO_SELECT_DEFENDER_DOWN] = "defender down",
    [BB_DO_DONT_USE_REROLL] = "do not use the reroll",
    [BB_DO_USE_REROLL] = "use the reroll",
    [BB_DO_END_PLAYER_TURN] = "end the player's turn",
    [BB_DO_END_SETUP] = "end the set-up",
    [BB_DO_END_TURN] = "end the turn",
};

/* Whether the square of an action stands for the player on it. */
static bool words_means_player(int type)
{
    return type == BB_DO_BLOCK || type == BB_DO_STAB || type == BB_DO_FOUL ||
           type == BB_DO_HANDOFF || type == BB_DO_HYPNOTIC_GAZE || type == BB_DO_PICKUP_TEAM_MATE;
}

static void words_add_small(struct text *text, const char *name)
{
    for (; *name; ++name)
        text_add(text, "%c", *name == '_' ? ' ' : tolower((unsigned char)*name));
}

static void words_add_name(struct text *text, const struct bb_state *s, const struct bb_action *a)
{
    int there = a->square != BB_NOWHERE ? bb_at(s, a->square) : BB_NONE;
    if (words_actions[a->type])
        text_add(text, "%s", words_actions[a->type]);
    else
        words_add_small(text, bb_action_names[a->type]);
    if (a->player != BB_NONE)
        text_add(text, " %s", bb_player_name(s, a->player).text);
    if (a->type == BB_DO_PLACE_PLAYER)
        text_add(text, "%s", a->square == BB_NOWHERE ? " off the pitch" : " at");
    if (words_means_player(a->type) && there != BB_NONE)
        text_add(text, " %s", bb_player_name(s, there).text);
    else if (a->square != BB_NOWHERE)
        text_add(text, " %d,%d", bb_x(a->square), bb_y(a->square));
}

/* --- the probabilities of a choice --- */

static double words_power(double p, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= p;
    return product;
}

/* The share of block faces that knock a player down: the attacker (own) or else the defender. */
static double words_face(const struct bb_state *s, int attacker, int defender, bool own)
{
    bool own_block = bb_skilled(s, attacker, BB_SKILL_BLOCK);
    bool block = bb_skilled(s, defender, BB_SKILL_BLOCK);
    bool dodge =
        bb_skilled(s, defender, BB_SKILL_DODGE) && !bb_skilled(s, attacker, BB_SKILL_TACKLE);
    if (own)
        return (own_block ? 1 : 2) / 6.0;
    return (1 + !dodge + (own_block && !block)) / 6.0; /* down, stumbles, both down */
}

/* Adds the dice of a block, who chooses a die, and the probabilities that the defender and that the
 * attacker fall if the chooser takes the best face. */
static void words_add_block(struct text *text, const struct bb_state *s, int attacker, int defender,
                            int dice)
{
    int n = dice < 0 ? -dice : dice;
    double hit = words_face(s, attacker, defender, false);
    double miss = words_face(s, attacker, defender, true);
    double down = dice > 0 ? 1 - words_power(1 - hit, n) : words_power(hit, n);
    double fall = dice > 0 ? words_power(miss, n) : 1 - words_power(1 - miss, n);
    text_add(text, "%d %s, %s; %s falls %.0f %%, %s %.0f %%", n, n == 1 ? "die" : "dice",
             n == 1     ? "no choice"
             : dice > 0 ? "you choose"
                        : "they choose",
             bb_player_name(s, defender).text, 100 * down, bb_player_name(s, attacker).text,
             100 * fall);
}

/* Probability that the sum of two dice is target or more. */
static double words_two_dice(int target)
{
    int ways = 0;
    for (int a = 1; a <= 6; ++a)
        for (int b = 1; b <= 6; ++b)
            ways += a + b >= target;
    return ways / 36.0;
}

static bool words_two_dice_needed(int type)
{
    return type == BB_DO_FOUL || type == BB_DO_STAB;
}

/* Adds "rolls 3+ 2+" and the probability that all of them succeed. */
static void words_add_rolls(struct text *text, int type, const struct bb_option *option)
{
    double chance = option->probability;
    for (int i = 0; i < option->targets; ++i) {
        text_add(text, "%s %d+",
                 i                             ? ""
                 : words_two_dice_needed(type) ? "armour"
                                               : "rolls",
                 option->target[i]);
        chance *= words_two_dice_needed(type) ? words_two_dice(option->target[i])
                                              : (7 - option->target[i]) / 6.0;
    }
    text_add(text, "%s%.0f %%", option->targets ? ": " : "", 100 * chance);
}

/* Adds the probability that a pass is accurate; interceptions and the catch come after it. */
static void words_add_pass(struct text *text, const struct bb_state *s, int passer, int square)
{
    int range = bb_pass_range(s->player[passer].square, square);
    int target =
        bb_clamp(bb_agility(s->player[passer].ag) - bb_pass_modifier(s, passer, range, false));
    text_add(text, "accurate with %d+: %.0f %%", target, 100 * (7 - target) / 6.0);
}

static const struct bb_option *words_option(const struct bb_choices *list,
                                            const struct bb_choice *choice,
                                            const struct bb_action *a)
{
    for (int i = 0; i < choice->count; ++i) {
        const struct bb_option *option = &list->option[choice->first + i];
        if (option->square == a->square && (a->length == 0 || option->path == a->path))
            return option;
    }
    return NULL;
}

static void words_add_chances(struct text *text, const struct bb_state *s,
                              const struct bb_action *a, const struct bb_option *option)
{
    int player = s->frame[s->depth - 1].player, there = bb_at(s, a->square);
    if (a->type == BB_DO_PASS) {
        words_add_pass(text, s, player, a->square);
        return;
    }
    if (option->probability < 1 || option->targets || !option->dice)
        words_add_rolls(text, a->type, option);
    if (option->dice && there != BB_NONE) {
        if (option->probability < 1 || option->targets)
            text_add(text, " to get there, ");
        words_add_block(text, s, player, there, option->dice);
    }
}

/* Whether an action of this kind can fail. */
static bool words_is_risky(const struct bb_action *a)
{
    return a->square != BB_NOWHERE && (words_means_player(a->type) || a->type == BB_DO_MOVE ||
                                       a->type == BB_DO_PASS || a->type == BB_DO_LEAP);
}

static void words_add_note(struct text *text, const struct bb_state *s, const struct bb_action *a)
{
    struct bb_choices list;
    if (a->type == BB_DO_USE_REROLL)
        text_add(text, "\t%d left", s->team[bb_asked(s)].rerolls);
    bool skill = a->type == BB_DO_USE_SKILL || a->type == BB_DO_DONT_USE_SKILL;
    if (!skill && !words_is_risky(a))
        return;
    bb_list(s, &list, true);
    for (int i = 0; i < list.count; ++i) {
        const struct bb_choice *choice = &list.choice[i];
        if (choice->type != a->type)
            continue;
        const struct bb_option *option = words_option(&list, choice, a);
        if (skill && choice->skill >= 0) {
            text_add(text, "\t");
            words_add_small(text, bb_skill_names[choice->skill]);
            return;
        }
        if (!skill && option) {
            text_add(text, "\t");
            words_add_chances(text, s, a, option);
            return;
        }
    }
}

int bb_describe(const struct bb_state *s, const struct bb_action *a, char *out, size_t size)
{
    struct text text = text_start(out, size);
    words_add_name(&text, s, a);
    words_add_note(&text, s, a);
    return (int)text.length;
}

/* --- what happened --- */

static int words_place(const struct bb_state *s, int player)
{
    const struct bb_team *team = &s->team[bb_team_of(player)];
    for (int place = 0; place < BB_PLACES; ++place)
        for (int i = 0; i < team->listed[place]; ++i)
            if (team->list[place][i] == player)
                return place;
    return BB_PLACES;
}

static void words_tell_player(struct text *text, const struct bb_state *before,
                              const struct bb_state *after, int player)
{
    static const char *const gone[] = {NULL, "knocked out", "injured", "sent off"};
    int place = words_place(after, player);
    const char *name = bb_player_name(after, player).text;
    if (!after->player[player].number)
        return;
    if (place < BB_PLACES && gone[place] && place != words_place(before, player))
        text_add(text, "  %s is %s\n", name, gone[place]);
    else if (!bb_on_pitch(before, player) || !bb_on_pitch(after, player))
        return;
    else if (bb_is(after, player, BB_STUNNED) && !bb_is(before, player, BB_STUNNED))
        text_add(text, "  %s is stunned\n", name);
    else if (bb_is(before, player, BB_UP) && !bb_is(after, player, BB_UP))
        text_add(text, "  %s falls\n", name);
}

/* The player who carries the ball; BB_NONE: nobody. */
static int words_carrier(const struct bb_state *s)
{
    return s->ball_out && s->ball_carried ? bb_at(s, s->ball) : BB_NONE;
}

static void words_tell_ball(struct text *text, const struct bb_state *before,
                            const struct bb_state *after)
{
    int had = words_carrier(before), has = words_carrier(after);
    if (has != BB_NONE && has != had)
        text_add(text, "  %s has the ball\n", bb_player_name(after, has).text);
    else if (has == BB_NONE && after->ball_out &&
             (had != BB_NONE || !before->ball_out || before->ball != after->ball))
        text_add(text, "  the ball is at %d,%d\n", bb_x(after->ball), bb_y(after->ball));
}

int bb_tell(const struct bb_state *before, const struct bb_state *after, char *out, size_t size)
{
    struct text text = text_start(out, size);
    text_add(&text, "%s", "");
    for (int player = 0; player < BB_PLAYERS; ++player)
        words_tell_player(&text, before, after, player);
    words_tell_ball(&text, before, after);
    for (int t = BB_HOME; t <= BB_AWAY; ++t)
        if (after->team[t].score > before->team[t].score)
            text_add(&text, "  TOUCHDOWN for %s: %d to %d\n", words_team(t),
                     after->team[BB_HOME].score, after->team[BB_AWAY].score);
    for (int t = BB_HOME; t <= BB_AWAY; ++t)
        if (after->team[t].turn > before->team[t].turn)
            text_add(&text, "half %d, turn %d of %s\n", after->half, after->team[t].turn,
                     words_team(t));
    return (int)text.length;
}

/* --- the players --- */

static void words_add_player(struct text *text, const struct bb_state *s, int player)
{
    static const char *const places[] = {"reserve", "knocked out", "injured", "sent off", "-"};
    const struct bb_player *who = &s->player[player];
    const char *state = bb_is(s, player, BB_UP)        ? "standing"
                        : bb_is(s, player, BB_STUNNED) ? "stunned"
                                                       : "prone";
    text_add(text, "%-4s MA %d ST %d AG %d AV %2d  ", bb_player_name(s, player).text, who->ma,
             who->st, who->ag, who->av);
    if (bb_on_pitch(s, player))
        text_add(text, "%d,%d %s%s", bb_x(who->square), bb_y(who->square), state,
                 bb_is(s, player, BB_USED) ? ", has acted" : "");
    else
        text_add(text, "%s", places[words_place(s, player)]);
    if (player == words_carrier(s))
        text_add(text, ", has the ball");
    for (int i = 0, told = 0; i < BB_SKILLS; ++i)
        if (bb_has(who, (enum bb_skill)i)) {
            text_add(text, "%s", told++ ? ", " : "; ");
            words_add_small(text, bb_skill_names[i]);
        }
    text_add(text, "\n");
}

int bb_sheet(const struct bb_state *s, char *out, size_t size)
{
    struct text text = text_start(out, size);
    for (int t = BB_HOME; t <= BB_AWAY; ++t) {
        const struct bb_team *team = &s->team[t];
        text_add(&text, "%s: %d rerolls, %d apothecaries, %d bribes\n", words_team(t),
                 team->rerolls, team->apothecaries, team->bribes);
        for (int player = bb_first(t); player < bb_end(s, t); ++player)
            words_add_player(&text, s, player);
    }
    return (int)text.length;
}
