/* Plays seeded random games of every registered game, searches some of their positions, and prints
 * one fingerprint for each game: a hash of all results of the rules and of the searches.  Every
 * compiler, optimization level and machine must print the same; tools/check compares them.  The
 * program needs the library only, so it also runs where nothing else is installed (a cross-compiled
 * build in an emulator). */
#include <banyan/dice.h>
#include <banyan/game.h>
#include <banyan/rng.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PORTABLE_GAMES = 6,
    PORTABLE_PLIES = 300,
    PORTABLE_SEED = 20,
    PORTABLE_SEARCHES = 2, /* of the first positions of a game, by each rule */
    PORTABLE_SIMULATIONS = 150,
    PORTABLE_MEMORY = 8 << 20
};

struct course {
    const struct banyan_game *game;
    struct banyan_rng rng;
    uint64_t hash;
    void *state, *scratch;
    banyan_action *legal;
};

/* FNV-1a (Fowler, Noll, Vo 1991). */
static void course_note(struct course *course, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i)
        course->hash = (course->hash ^ bytes[i]) * 0x100000001b3u;
}

static void course_note_number(struct course *course, uint64_t number)
{
    unsigned char bytes[8]; /* little-endian on every machine */
    for (int i = 0; i < 8; ++i)
        bytes[i] = (unsigned char)(number >> 8 * i);
    course_note(course, bytes, sizeof bytes);
}

/* All bits of a float: the arithmetic must agree to the last of them. */
static void course_note_float(struct course *course, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    course_note_number(course, bits);
}

static void course_note_text(struct course *course)
{
    char text[BANYAN_TEXT_MAX];
    course->game->format(course->game, course->state, text, sizeof text);
    course_note(course, text, strlen(text));
}

static void course_note_opinions(struct course *course)
{
    const struct banyan_game *game = course->game;
    for (int player = 0; player < game->players; ++player) {
        float lo, hi;
        course_note_number(course, game->key(game, course->state, player));
        if (game->heuristic)
            course_note_float(course, game->heuristic(game, course->state, player));
        if (game->bounds) {
            game->bounds(game, course->state, player, &lo, &hi);
            course_note_float(course, lo);
            course_note_float(course, hi);
        }
    }
}

static void course_note_rollout(struct course *course)
{
    const struct banyan_game *game = course->game;
    float returns[BANYAN_MAX_PLAYERS];
    if (!game->rollout)
        return;
    memcpy(course->scratch, course->state, game->state_size);
    game->rollout(game, course->scratch, 0, game->max_plies, &course->rng);
    game->returns(game, course->scratch, returns);
    for (int player = 0; player < game->players; ++player)
        course_note_float(course, returns[player]);
}

/* Adds the tree that one selection rule builds from this position.  If the rule refuses the game,
 * the refusal is added instead. */
static void course_note_search(struct course *course, struct banyan_evaluator *evaluator, int rule)
{
    struct banyan_search_options options;
    bool long_game = course->game->max_plies > 1000; /* each simulation plays one to its end */
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = long_game ? PORTABLE_SIMULATIONS / 15
                                                                   : PORTABLE_SIMULATIONS};
    struct banyan_search *search = NULL;
    banyan_search_options_default(&options);
    options.rule = (enum banyan_search_rule)rule;
    options.memory_bytes = PORTABLE_MEMORY;
    enum banyan_status status =
        banyan_search_create(&search, course->game, &options, evaluator, NULL);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, course->state, -1, NULL);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, NULL);
    course_note_number(course, (uint64_t)status);
    if (status == BANYAN_OK)
        course_note_number(course, banyan_search_signature(search));
    banyan_search_destroy(search);
}

static void course_note_searches(struct course *course)
{
    struct banyan_evaluator evaluator;
    if (banyan_evaluator_create(course->game, "rollout", NULL, &evaluator, NULL) != BANYAN_OK)
        return;
    for (int rule = BANYAN_RULE_UCB1; rule <= BANYAN_RULE_REGRET; ++rule)
        course_note_search(course, &evaluator, rule);
    banyan_evaluator_close(&evaluator);
}

static void course_ply(struct course *course, unsigned movers)
{
    const struct banyan_game *game = course->game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    for (int player = 0; player < game->players; ++player) {
        if (!(movers >> player & 1u))
            continue;
        int count = game->legal(game, course->state, player, course->legal);
        for (int i = 0; i < count; ++i)
            course_note_number(course, course->legal[i]);
        joint[player] = course->legal[banyan_rng_below(&course->rng, (uint32_t)count)];
    }
    banyan_dice_drawn(&dice, &course->rng);
    game->apply(game, course->state, joint, &dice);
}

static int course_play(struct course *course, uint64_t index)
{
    const struct banyan_game *game = course->game;
    struct banyan_error err;
    unsigned movers;
    banyan_rng_seed(&course->rng, banyan_rng_child(PORTABLE_SEED, game->name, index));
    if (game->init(game, course->state, NULL, &course->rng, &err) != BANYAN_OK) {
        fprintf(stderr, "%s: %s\n", game->name, err.message);
        return 0;
    }
    for (int ply = 0; ply < PORTABLE_PLIES && (movers = game->movers(game, course->state)); ++ply) {
        course_note_text(course);
        course_note_opinions(course);
        if (ply % 16 == 0)
            course_note_rollout(course);
        if (index == 0 && ply < PORTABLE_SEARCHES)
            course_note_searches(course);
        course_ply(course, movers);
    }
    course_note_text(course);
    return 1;
}

/* Fingerprint of one game; 0: something refused. */
static uint64_t course_run(const struct banyan_game *game)
{
    struct course course = {.game = game, .hash = 0xcbf29ce484222325u};
    course.state = calloc(1, game->state_size);
    course.scratch = calloc(1, game->state_size);
    course.legal = calloc((size_t)game->max_legal, sizeof *course.legal);
    int well = course.state && course.scratch && course.legal;
    for (uint64_t index = 0; well && index < PORTABLE_GAMES; ++index)
        well = course_play(&course, index);
    free(course.state);
    free(course.scratch);
    free(course.legal);
    return well ? course.hash : 0;
}

int main(void)
{
    const struct banyan_game *game;
    struct banyan_rng rng;
    int refused = 0;
    banyan_rng_seed(&rng, PORTABLE_SEED);
    printf("%-24s %016" PRIx64 "\n", "rng", banyan_rng_next(&rng));
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        uint64_t hash = course_run(game);
        printf("%-24s %016" PRIx64 "\n", game->name, hash);
        refused += hash == 0;
    }
    return refused ? EXIT_FAILURE : EXIT_SUCCESS;
}
