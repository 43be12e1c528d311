/* The level of instructions can be lowered, and nothing that games and networks compute changes. */
#include "base/cpu.h"
#include "nn/gemm.h"
#include "nn/plugin.h"

#include "cli_program.h"
#include "nn_check.h"

#include <banyan/dice.h>
#include <banyan/game.h>

static enum cpu_level most; /* the highest level, read before a test lowers it */
static char inherited[32];  /* BANYAN_CPU_LEVEL */

static int raise_again(void **state)
{
    (void)state;
    cpu_limit(most);
    return 0;
}

static void test_limits(void **state)
{
    (void)state;
    struct banyan_error err;
    assert_true(most <= cpu_processor_level());
    for (int level = 0; level <= (int)most; ++level) {
        assert_int_equal(cpu_limit_named(cpu_level_name((enum cpu_level)level), &err), BANYAN_OK);
        assert_int_equal(cpu_level(), level);
    }
    cpu_limit(CPU_AMX); /* a level that the machine may not have */
    assert_int_equal(cpu_level(), cpu_processor_level());
    assert_int_equal(cpu_limit_named("avx3", &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "'avx3'; there are portable, avx2"));
    assert_int_equal(cpu_level(), cpu_processor_level());
    if (cpu_processor_level() == CPU_AMX)
        return;
    assert_int_equal(cpu_limit_named("amx", &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "its highest level is"));
}

static void test_kernels_keep_to_the_level(void **state)
{
    (void)state;
    static const char *const names[CPU_LEVELS] = {"portable", "avx2",   "avx512",
                                                  "avx512",   "avx512", "avx512"};
    for (int level = 0; level <= (int)most; ++level) {
        cpu_limit((enum cpu_level)level);
        assert_string_equal(gemm_kernel_best()->name, names[level]);
    }
}

/* --- games --- */

enum { GAMES = 4, PLIES = 120, HASH_WORDS = 64 };

/* A hash of some random games at one level of instructions. */
static uint64_t games_hash(const struct banyan_game *game)
{
    struct banyan_rng rng;
    uint64_t hash = 0;
    unsigned char *state = calloc(2, game->state_size);
    unsigned char *copy = state + game->state_size;
    banyan_action *legal = calloc((size_t)game->max_legal, sizeof *legal);
    assert_true(state && legal);
    banyan_rng_seed(&rng, 5);
    for (int i = 0; i < GAMES; ++i) {
        assert_int_equal(game->init(game, state, NULL, &rng, NULL), BANYAN_OK);
        for (int ply = 0; ply < PLIES && game->movers(game, state); ++ply) {
            banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
            struct banyan_dice dice;
            for (int player = 0; player < game->players; ++player)
                if (game->movers(game, state) >> player & 1) {
                    int count = game->legal(game, state, player, legal);
                    for (int j = 0; j < count; ++j)
                        hash = banyan_rng_child(hash, "legal", legal[j]);
                    joint[player] = legal[banyan_rng_below(&rng, (uint32_t)count)];
                }
            banyan_dice_drawn(&dice, &rng);
            game->apply(game, state, joint, &dice);
            hash = banyan_rng_child(hash, "key", game->key(game, state, 0));
        }
        memcpy(copy, state, game->state_size);
        if (game->rollout && game->movers(game, copy))
            game->rollout(game, copy, 0, PLIES, &rng);
        for (size_t j = 0; j < game->state_size; ++j)
            hash = banyan_rng_child(hash, "byte", copy[j]);
    }
    free(state);
    free(legal);
    return hash;
}

static void test_games_are_the_same(void **state)
{
    (void)state;
    uint64_t portable[HASH_WORDS] = {0};
    for (int level = 0; level <= (int)most; ++level) {
        const struct banyan_game *game;
        cpu_limit((enum cpu_level)level);
        for (int i = 0; (game = banyan_game_at(i)); ++i) {
            assert_true(i < HASH_WORDS);
            uint64_t hash = games_hash(game);
            if (level == 0)
                portable[i] = hash;
            if (hash != portable[i])
                fail_msg("%s differs at level %s", game->name,
                         cpu_level_name((enum cpu_level)level));
        }
    }
}

/* --- networks --- */

enum { POSITIONS = 5, ACTIONS = 6, CELLS = 5 * 7, PLANES = 3, VALUES = 1 };

static void network_gradients(const struct nn_model *model, const float *params, float *out)
{
    float planes[POSITIONS * PLANES * CELLS], policy[POSITIONS * ACTIONS], weight[POSITIONS];
    float values[POSITIONS * VALUES];
    int start[POSITIONS + 1] = {0};
    int32_t actions[POSITIONS * ACTIONS];
    for (int i = 0; i < POSITIONS * PLANES * CELLS; ++i)
        planes[i] = (float)(i * 7 % 11 % 2);
    for (int i = 0; i < POSITIONS; ++i) {
        start[i + 1] = start[i] + ACTIONS, weight[i] = 1, values[i] = (float)(i % 3) - 1;
        for (int j = 0; j < ACTIONS; ++j) {
            actions[i * ACTIONS + j] = (i + j) % 9;
            policy[i * ACTIONS + j] = 1.0f / ACTIONS;
        }
    }
    struct nn_batch batch = {.count = POSITIONS,
                             .planes = planes,
                             .start = start,
                             .actions = actions,
                             .policy = policy,
                             .policy_weight = weight,
                             .values = values,
                             .value_weight = 1};
    struct nn_losses losses;
    struct banyan_error err = {.message = ""};
    void *ctx;
    assert_int_equal(nn_plain.open(model, NULL, &ctx, &err), BANYAN_OK);
    assert_int_equal(nn_plain.gradients(ctx, params, &batch, out, &losses, &err), BANYAN_OK);
    nn_plain.close(ctx);
}

/* Eighteen channels: a tile of sixteen, and a rest of two. */
static void test_networks_are_the_same(void **state)
{
    (void)state;
    static struct nn_model model;
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = PLANES, arch.height = 5, arch.width = 7, arch.actions = 9;
    arch.channels = 18, arch.blocks = 2, arch.pool = 2, arch.values = VALUES;
    for (int norm = NN_NORM_NONE; norm <= NN_NORM_WEIGHT; ++norm) {
        arch.norm = norm;
        assert_int_equal(nn_model_build(&model, &arch, NULL), BANYAN_OK);
        float *params = nn_check_random(model.size, 9), *out[2];
        nn_model_start(&model, params, 3);
        for (int i = 0; i < 2; ++i)
            out[i] = nn_check_random(model.size, 1);
        for (int level = 0; level <= (int)most; ++level) {
            cpu_limit((enum cpu_level)level);
            network_gradients(&model, params, out[level > 0]);
            assert_memory_equal(out[0], out[level > 0], model.size * sizeof *params);
        }
        free(params), free(out[0]), free(out[1]);
    }
}

/* --- the program --- */

static void limit_programs(const char *level)
{
    if (level)
        setenv("BANYAN_CPU_LEVEL", level, 1);
    else
        unsetenv("BANYAN_CPU_LEVEL");
    unsetenv("ONEDNN_MAX_CPU_ISA"); /* the level sets this variable */
}

static int restore_programs(void **state)
{
    (void)state;
    limit_programs(inherited[0] ? inherited : NULL);
    return 0;
}

static void test_doctor_names_the_level(void **state)
{
    (void)state;
    for (int level = 0; level <= (int)most; ++level) {
        const char *name = cpu_level_name((enum cpu_level)level);
        char expected[64];
        limit_programs(name);
        char *out = run_well(NULL, "doctor");
        snprintf(expected, sizeof expected, "level        %s%s", name,
                 level == (int)cpu_processor_level() ? ": all" : ", because of BANYAN_CPU_LEVEL");
        assert_contains(out, expected);
        assert_contains(out, "chosen by default: ");
        free(out);
    }
    limit_programs("avx3");
    struct program_run run = program_run(NULL, "doctor");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "BANYAN_CPU_LEVEL: no instruction level is called 'avx3'");
    program_free(&run);
}

static void check_train(enum cpu_level level, const char *options, const char *expected)
{
    char words[512], folder[64];
    if (level > most)
        return;
    snprintf(folder, sizeof folder, "/tmp/banyan_test_cpu_%ld", (long)getpid());
    snprintf(words, sizeof words,
             "train tictactoe --run %s --play simulations=2 --option "
             "generations=1,games=2,test=,gate-games=0,batch=8,%s",
             folder, options);
    limit_programs(cpu_level_name(level));
    char *out = run_well(NULL, words);
    assert_contains(out, expected);
    free(out);
    snprintf(words, sizeof words, "rm -rf %s", folder);
    assert_int_equal(system(words), 0);
}

static void test_train_says_what_computes(void **state)
{
    (void)state;
    check_train(CPU_PORTABLE, "backend=plain",
                "networks: plain fp32 portable (backend plain was requested; instructions up to "
                "portable)");
    check_train(CPU_PORTABLE, "backend=",
                "networks: plain fp32 portable (0.1 million operations per position: below 2 a "
                "plugin is slower");
    struct banyan_error err;
    if (!nn_backend_find("onednn", &err)) {
        printf("SKIPPED: %s\n", err.message);
        return;
    }
    check_train(CPU_AVX2, "backend=onednn,type=bf16",
                "networks: onednn fp32 jit:avx2, because oneDNN has no bf16 for this processor");
    check_train(CPU_AVX512, "backend=onednn,type=bf16",
                "; trains in fp32: this processor has no AMX");
    check_train(CPU_AMX,
                "backend=onednn,type=", "amx_bf16, because this processor has AMX (backend");
}

int main(void)
{
    const char *level = getenv("BANYAN_CPU_LEVEL");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_limits, raise_again),
        cmocka_unit_test_teardown(test_kernels_keep_to_the_level, raise_again),
        cmocka_unit_test_teardown(test_games_are_the_same, raise_again),
        cmocka_unit_test_teardown(test_networks_are_the_same, raise_again),
        cmocka_unit_test_teardown(test_doctor_names_the_level, restore_programs),
        cmocka_unit_test_teardown(test_train_says_what_computes, restore_programs),
    };
    most = cpu_level();
    snprintf(inherited, sizeof inherited, "%s", level ? level : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
