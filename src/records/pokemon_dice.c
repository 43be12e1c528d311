/* Converts Showdown's random calls to dice of the game.
 *
 * The tag of each call says where it was made: site|event|effect|move.  A table says which die that
 * is.  Shuffles decide speed ties; only those between the two active Pokémon matter.
 */
#include "records/pokemon_json.h"

#include <stdio.h>
#include <string.h>

enum dice_value {
    VALUE_AS_IS,
    VALUE_FACE, /* converts 0..99 to a face of a d100 on which high is good */
    VALUE_LESS_2,
    VALUE_LESS_5
};

struct dice_row {
    char type;                 /* type of the call: r, c, s */
    const char *site, *effect; /* effect NULL: any effect */
    int kind;                  /* the die */
    enum dice_value value;
    int sides;
};

static const struct dice_row dice_rows[] = {
    {'c', "hitStepAccuracy", NULL, DIE_ACCURACY, VALUE_AS_IS, 2},
    {'c', "hitStepMoveHitLoop", NULL, DIE_ACCURACY, VALUE_AS_IS, 2},
    {'c', "getDamage", NULL, DIE_CRIT, VALUE_AS_IS, 2},
    {'r', "randomizer", NULL, DIE_DAMAGE, VALUE_AS_IS, 16},
    {'r', "secondaries", NULL, DIE_SECONDARY, VALUE_FACE, 100},
    {'r', "selfDrops", NULL, DIE_SELF, VALUE_FACE, 100},
    {'s', "hitStepMoveHitLoop", NULL, DIE_HITS, VALUE_AS_IS, 20},
    {'r', "onStart", "slp", DIE_SLEEP, VALUE_LESS_2, 3},
    {'r', "onStart", "confusion", DIE_CONFUSION_TURNS, VALUE_LESS_2, 4},
    {'r', "onStart", "lockedmove", DIE_LOCKED, VALUE_LESS_2, 2},
    {'r', "durationCallback", NULL, DIE_TRAP, VALUE_LESS_5, 2},
    {'c', "onBeforeMove", "par", DIE_PARALYSIS, VALUE_AS_IS, 2},
    {'c', "onBeforeMove", "frz", DIE_THAW, VALUE_AS_IS, 2},
    {'c', "onBeforeMove", "confusion", DIE_CONFUSION, VALUE_AS_IS, 2},
    {'c', "onStallMove", NULL, DIE_STALL, VALUE_AS_IS, 2},
    {'c', "onDamagingHit", NULL, DIE_ABILITY, VALUE_AS_IS, 2},
    {'r', "onDamagingHit", NULL, DIE_EFFECT_SPORE, VALUE_AS_IS, 100},
    {'c', "onResidual", "harvest", DIE_HARVEST, VALUE_AS_IS, 2},
    {'c', "onResidual", "shedskin", DIE_SHED_SKIN, VALUE_AS_IS, 2},
    {'s', "getRandomSwitchable", NULL, DIE_DRAG, VALUE_AS_IS, 0},
    {'s', "onHit", "sleeptalk", DIE_SLEEP_TALK, VALUE_AS_IS, 0},
    {'s', "onHit", NULL, DIE_PICK_STATUS, VALUE_AS_IS, 3},
    {'c', "onHit", NULL, DIE_GMAX, VALUE_AS_IS, 2},
    {'c', "onAfterSubDamage", NULL, DIE_GMAX, VALUE_AS_IS, 2},
    {'c', "onModifyMove", NULL, DIE_SHELL_SIDE_ARM, VALUE_AS_IS, 2},
};

/* Splits a tag at its bars: site, event, effect. */
static void dice_tag(const char *tag, char parts[3][64])
{
    for (int i = 0; i < 3; ++i) {
        size_t length = strcspn(tag, "|");
        snprintf(parts[i], 64, "%.*s", (int)(length < 63 ? length : 63), tag);
        tag += length;
        tag += *tag == '|';
    }
}

static bool dice_call(const json_t *call, char type, char parts[3][64], struct banyan_die *die)
{
    const json_t *value = json_array_get(call, type == 's' ? 2 : 3);
    for (size_t i = 0; i < sizeof dice_rows / sizeof *dice_rows; ++i) {
        const struct dice_row *row = &dice_rows[i];
        if (row->type != type || strcmp(row->site, parts[0]) != 0 ||
            (row->effect && strcmp(row->effect, parts[2]) != 0))
            continue;
        int number = (int)json_integer_value(value);
        number = row->value == VALUE_FACE     ? 100 - number
                 : row->value == VALUE_LESS_2 ? number - 2
                 : row->value == VALUE_LESS_5 ? number - 5
                                              : number;
        *die = (struct banyan_die){
            .kind = (int16_t)row->kind, .sides = (int16_t)row->sides, .value = number};
        return true;
    }
    return false;
}

/* The side of the holder in "effect@p1:3" or "p2:0"; -1: the tag names a side or the field. */
static int dice_side(const char *item)
{
    const char *at = strrchr(item, '@');
    at = at ? at + 1 : item;
    if (at[0] != 'p' || (at[1] != '1' && at[1] != '2') || at[2] != ':')
        return -1;
    return at[1] - '1';
}

static bool dice_unmodelled(const char *item)
{
    static const char *const ids[] = {
        "stall@",       "flinch@",      "protect@",  "lockedmove@",    "twoturnmove@", "dynamax@",
        "kingsshield@", "spikyshield@", "maxguard@", "banefulbunker@", "focuspunch@",  "counter@",
        "mirrorcoat@",  "bounce@",      "fly@",      "phantomforce@"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i)
        if (strncmp(item, ids[i], strlen(ids[i])) == 0)
            return true;
    return false;
}

/* A tie between one Pokémon of each side: which one is first after the shuffle. */
static bool dice_tie(const json_t *call, int kind, struct banyan_die *die)
{
    const json_t *after = json_array_get(call, 5);
    const char *a = json_string_value(json_array_get(after, 0));
    const char *c = json_string_value(json_array_get(after, 1));
    if (!a || !c || json_array_size(after) != 2)
        return false;
    int first = dice_side(a), second = dice_side(c);
    if (first < 0 || second < 0 || first == second)
        return false;
    if (kind == DIE_ORDER_RESIDUAL && (dice_unmodelled(a) || dice_unmodelled(c)))
        return false;
    *die = (struct banyan_die){.kind = (int16_t)kind, .sides = 2, .value = first};
    return true;
}

static bool dice_shuffle(const json_t *call, const char *site, struct banyan_die *die)
{
    static const struct {
        const char *start;
        int kind;
    } ties[] = {{"speedSort<sort<", DIE_ORDER_ACTION},
                {"speedSort<runSwitch", DIE_ORDER_SWITCH},
                {"speedSort<eachEvent<onFieldResidual", DIE_ORDER_WEATHER},
                {"speedSort<fieldEvent<runAction", DIE_ORDER_RESIDUAL}};
    for (size_t i = 0; i < sizeof ties / sizeof *ties; ++i)
        if (strncmp(site, ties[i].start, strlen(ties[i].start)) == 0)
            return dice_tie(call, ties[i].kind, die);
    return false;
}

int pokemon_json_dice(const json_t *calls, struct banyan_die *out, int max)
{
    int count = 0;
    size_t i;
    json_t *call;
    json_array_foreach((json_t *)calls, i, call)
    {
        const char *type = json_string_value(json_array_get(call, 0));
        const char *tag = json_string_value(json_array_get(call, json_array_size(call) - 1));
        char parts[3][64];
        struct banyan_die die;
        if (!type || !tag)
            continue;
        dice_tag(tag, parts);
        bool known =
            *type == 'h' ? dice_shuffle(call, parts[0], &die) : dice_call(call, *type, parts, &die);
        if (!known)
            continue;
        if (count == max)
            return -1;
        out[count++] = die;
    }
    return count;
}
