/* The table of the game's functions, and the functions that have no other file. */
#include "games/pokemon/observe.h"
#include "games/pokemon/players/baselines.h"
#include "games/pokemon/players/priors.h"
#include "games/pokemon/text_fields.h"
#include "games/pokemon/words.h"

#include "base/rng.h"
#include "base/text.h"

#include <string.h>

static enum banyan_status table_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    struct pokemon *s = state;
    struct banyan_rng fixed;
    struct banyan_dice dice;
    if (!rng) {
        banyan_rng_seed(&fixed, 0);
        rng = &fixed;
    }
    if (setup && *setup) {
        enum banyan_status status = text_parse(s, setup, err);
        if (status != BANYAN_OK || s->turn)
            return status;
    } else {
        memset(s, 0, sizeof *s);
        setup_team(&s->sides[0], rng);
        setup_team(&s->sides[1], rng);
    }
    banyan_dice_drawn(&dice, rng);
    setup_start(s, &dice);
    return BANYAN_OK;
}

static unsigned table_movers(const struct banyan_game *game, const void *state)
{
    return turn_movers(state);
}

static int table_legal(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out)
{
    return legal_actions(state, player, out);
}

static void table_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    turn_play(state, joint, dice);
}

static void table_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct pokemon *s = state;
    out[0] = s->winner == WINNER_FIRST ? 1.0f : s->winner == WINNER_SECOND ? -1.0f : 0.0f;
    out[1] = -out[0];
}

/* Plays with one of the scripted players on both sides. */
static void table_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                          struct banyan_rng *rng)
{
    static baseline_choice *const choices[] = {baseline_random, baseline_power, baseline_heuristic};
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    for (int ply = 0; ply < max_plies; ++ply) {
        unsigned movers = turn_movers(state);
        banyan_action joint[2] = {0, 0};
        if (!movers)
            return;
        for (int player = 0; player < 2; ++player)
            if (movers >> player & 1)
                joint[player] = choices[policy](state, player, rng);
        turn_play(state, joint, &dice);
    }
}

static const char *const table_policies[] = {"random", "power", "heuristic", NULL};

static void table_draw_mon(struct text *out, const char *label, const struct pokemon_mon *mon,
                           bool exact)
{
    text_add(out, "%s %-24s", label, dex_species[mon->species].name);
    if (exact)
        text_add(out, " %3d/%-3d", mon->hp, mon->max_hp);
    else
        text_add(out, " %3d%%", hp_percent(mon->hp, mon->max_hp));
    text_add(out, " %s%s\n", mon->status ? text_status_names[mon->status] : "",
             mon->max_hp > mon->base_max_hp ? " Dynamax" : "");
}

/* Draws the side as the other player sees it: the active Pokémon, then those that were seen.  The
 * order of the bench is not shown. */
static void table_draw_face(struct text *out, const struct pokemon_side *side, const char *label)
{
    struct pokemon_side copy;
    const struct pokemon_side *face = disguise_face(side, &copy);
    int active = face->order[0], hidden = 0;
    int shown = face->active.illusion ? face->active.illusion - 1 : active;
    struct pokemon_mon mon = face->mons[active];
    mon.species = face->mons[shown].species;
    table_draw_mon(out, label, &mon, false);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (i != active && (face->mons[i].seen & SEEN_SPECIES))
            table_draw_mon(out, "  ", &face->mons[i], false);
        else
            hidden += i != active;
    while (hidden-- > 0)
        text_add(out, "   ?\n");
}

static int table_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                      size_t size)
{
    static const char *const labels[] = {"1 ", "2 "};
    const struct pokemon *s = state;
    struct text writer = text_start(out, size);
    text_add(&writer, "turn %d", s->turn);
    if (s->weather)
        text_add(&writer, ", %s", text_weather_names[s->weather]);
    if (s->terrain)
        text_add(&writer, ", %s", text_terrain_names[s->terrain]);
    text_add(&writer, "\n");
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &s->sides[side];
        if (viewer == !side)
            table_draw_face(&writer, p, labels[side]);
        for (int i = 0; viewer != !side && i < POKEMON_TEAM; ++i)
            table_draw_mon(&writer, i ? "  " : labels[side], &p->mons[p->order[i]], true);
    }
    return (int)writer.length;
}

static const char *const table_dice_kinds[] = {[DIE_ACCURACY] = "accuracy",
                                               [DIE_CRIT] = "critical hit",
                                               [DIE_DAMAGE] = "damage",
                                               [DIE_SECONDARY] = "secondary effect",
                                               [DIE_SELF] = "effect on the user",
                                               [DIE_HITS] = "number of hits",
                                               [DIE_SLEEP] = "turns of sleep",
                                               [DIE_CONFUSION_TURNS] = "turns of confusion",
                                               [DIE_CONFUSION] = "confusion",
                                               [DIE_PARALYSIS] = "paralysis",
                                               [DIE_THAW] = "thawing",
                                               [DIE_STALL] = "protecting again",
                                               [DIE_LOCKED] = "turns of a locked move",
                                               [DIE_TRAP] = "turns of a trap",
                                               [DIE_ABILITY] = "ability",
                                               [DIE_EFFECT_SPORE] = "effect spore",
                                               [DIE_HARVEST] = "harvest",
                                               [DIE_SHED_SKIN] = "shed skin",
                                               [DIE_DRAG] = "dragged in",
                                               [DIE_SLEEP_TALK] = "move of sleep talk",
                                               [DIE_PICK_STATUS] = "which status",
                                               [DIE_GMAX] = "effect of a G-Max move",
                                               [DIE_SHELL_SIDE_ARM] = "shell side arm",
                                               [DIE_ORDER_ACTION] = "order of actions",
                                               [DIE_ORDER_SWITCH] = "order of switches",
                                               [DIE_ORDER_RESIDUAL] =
                                                   "order at the end of the turn",
                                               [DIE_ORDER_WEATHER] = "order of the weather",
                                               [DIE_COUNT] = NULL};

static const struct banyan_game table_pokemon = {
    .struct_size = sizeof(struct banyan_game),
    .name = "pokemon",
    .title = "Pokémon Showdown gen8randombattle",
    .players = 2,
    .state_size = sizeof(struct pokemon),
    .action_bytes = 4,
    .max_legal = 13,
    .max_plies = 4 * POKEMON_TURN_LIMIT,
    .return_min = -1,
    .return_max = 1,
    .traits = BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN | BANYAN_ZERO_SUM,
    .init = table_init,
    .movers = table_movers,
    .legal = table_legal,
    .apply = table_apply,
    .returns = table_returns,
    .key = key_full,
    .coarse_keys = key_coarse,
    .format = text_format,
    .action_format = text_action_format,
    .action_parse = text_action_parse,
    .determinize = hidden_determinize,
    .rollout = table_rollout,
    .rollout_policies = table_policies,
    .heuristic = evaluate_heuristic,
    .priors = priors_pokemon,
    .draw = table_draw,
    .features = pokemon_features,
    .observe = pokemon_observe,
    .policy_size = OBSERVE_POLICY,
    .policy_index = pokemon_policy_index,
    .player_names = (const char *const[]){"p1", "p2"},
    .best = "agent",
    .levels = (const char *const[]){"random", "maxpower", "heuristic",
                                    "agent:time=0ms,simulations=100", "best", NULL},
    .describe = words_describe,
    .tell = words_tell,
    .sheet = words_sheet,
    .dice_kinds = table_dice_kinds,
    .offers = pokemon_offers,
};

const struct banyan_game *pokemon_variant(int index)
{
    return index == 0 ? &table_pokemon : NULL;
}
