/* Adds choices and their options to a list, also the choices that several procedures share. */
#include "games/bloodbowl/rules.h"

struct bb_choice *bb_offer(struct bb_choices *out, int type, int team)
{
    assert(out->count < BB_MAX_CHOICES);
    struct bb_choice *choice = &out->choice[out->count++];
    *choice = (struct bb_choice){
        .type = (uint8_t)type, .team = (uint8_t)team, .skill = -1, .first = (uint16_t)out->options};
    return choice;
}

static struct bb_option *choices_option(struct bb_choices *out)
{
    assert(out->options < BB_MAX_OPTIONS);
    struct bb_option *option = &out->option[out->options++];
    option->path = 0;
    option->probability = 1;
    option->dice = 0;
    option->length = option->steps = option->targets = 0;
    ++out->choice[out->count - 1].count;
    return option;
}

struct bb_option *bb_offer_square(struct bb_choices *out, int square)
{
    struct bb_option *option = choices_option(out);
    option->square = (uint16_t)square;
    option->player = BB_NONE;
    return option;
}

struct bb_option *bb_offer_player(struct bb_choices *out, int player)
{
    struct bb_option *option = choices_option(out);
    option->square = BB_NOWHERE;
    option->player = (uint8_t)player;
    return option;
}

void bb_offer_squares(struct bb_choices *out, const uint16_t *squares, int count)
{
    struct bb_option *option = &out->option[out->options];
    struct bb_choice *choice = &out->choice[out->count - 1];
    assert(out->options + count <= BB_MAX_OPTIONS);
    for (int i = 0; i < count; ++i)
        option[i] = (struct bb_option){.probability = 1, .square = squares[i], .player = BB_NONE};
    choice->count = (uint16_t)(choice->count + count);
    out->options += count;
}

struct bb_option *bb_offer_room(struct bb_choices *out, int type, int team, int count)
{
    struct bb_option *option = &out->option[out->options];
    assert(out->options + count <= BB_MAX_OPTIONS);
    bb_offer(out, type, team)->count = (uint16_t)count;
    out->options += count;
    return option;
}

void bb_offer_end(struct bb_choices *out)
{
    if (out->choice[out->count - 1].count == 0)
        --out->count;
}

void bb_offer_skill(struct bb_choices *out, enum bb_skill skill, int team, int player)
{
    for (int type = BB_DO_USE_SKILL; type <= BB_DO_DONT_USE_SKILL; ++type) {
        bb_offer(out, type, team)->skill = (int8_t)skill;
        if (player != BB_NONE)
            bb_offer_player(out, player);
    }
}

/* Offers one choice per die, so the same face may be offered twice. */
void bb_offer_block_dice(const struct bb_frame *f, struct bb_choices *out, int team, bool disabled)
{
    for (int i = 0; i < bb_dice_count(f); ++i)
        bb_offer(out, BB_DO_SELECT_ATTACKER_DOWN + bb_lying(f, i) - 1, team)->disabled = disabled;
}

void bb_add_target(struct bb_option *option, int target)
{
    option->target[option->targets++] = (uint8_t)bb_clamp(target);
}
