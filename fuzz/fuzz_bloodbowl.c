/* The reader of Blood Bowl positions on arbitrary text.  A position that it accepts is complete:
 * written as JSON and read again it has equal bytes, and the game can go on from it.  A refusal is
 * one line. */
#include "fuzz.h"

#include "games/bloodbowl/table.h"
#include "records/bloodbowl_position.h"

enum { BLOODBOWL_PLIES = 40 };

static void bloodbowl_round_trip(const struct bb_state *s)
{
    struct bb_state copy;
    struct banyan_error err = {.message = ""};
    json_t *json = bloodbowl_position_write(s);
    if (bloodbowl_position_read(json, &copy, &err) != BANYAN_OK) {
        fprintf(stderr, "its own position is refused: %s\n", err.message);
        abort();
    }
    FUZZ_CHECK(memcmp(&copy, s, sizeof copy) == 0);
    json_decref(json);
}

static void bloodbowl_play(struct bb_state *s, uint64_t seed)
{
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_rng_seed(&rng, seed);
    for (int ply = 0; ply < BLOODBOWL_PLIES && bb_asked(s) != BB_NOBODY; ++ply) {
        struct bb_action action = bb_random_action(s, &rng);
        FUZZ_CHECK(bb_possible(s, &action));
        banyan_dice_drawn(&dice, &rng);
        bb_apply(s, &action, &dice);
    }
    bloodbowl_round_trip(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bb_state s, before;
    struct banyan_error err = {.message = ""};
    memset(&s, 0x5a, sizeof s);
    before = s;
    char *text = fuzz_take(&data, &size, size);
    if (bloodbowl_position_parse(text, strlen(text), &s, &err) == BANYAN_OK) {
        bloodbowl_round_trip(&s);
        bloodbowl_play(&s, fuzz_hash(text));
    } else {
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
        FUZZ_CHECK(memcmp(&s, &before, sizeof s) == 0);
    }
    free(text);
    return 0;
}
