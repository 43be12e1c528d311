/* Settings of a run, and the presets of games. */
#include "train/loop.h"

#include "players/program/net.h"

#include <stdio.h>
#include <string.h>

#define AT(member)     offsetof(struct loop_options, member)
#define SIZEOF(member) sizeof(((struct loop_options *)0)->member)
/* clang-format off */
const struct banyan_option loop_table[] = {
    {"generations", BANYAN_OPTION_INT, AT(generations), 1, 1e9, NULL, 0, "how many generations the run has"},
    {"games", BANYAN_OPTION_INT, AT(games), 1, LOOP_GAMES_MAX, NULL, 0, "games of a generation"},
    {"ahead", BANYAN_OPTION_INT, AT(ahead), 0, 1, NULL, 0, "1: while the network learns, the next generation is played, by the best network of one generation earlier"},
    {"window", BANYAN_OPTION_INT64, AT(window), 1, 1e12, NULL, 0, "number of latest positions from which the network learns"},
    {"hold", BANYAN_OPTION_INT, AT(hold), 0, 1e6, NULL, 0, "every hold-th game is used for measuring the losses, not for learning; 0: none"},
    {"passes", BANYAN_OPTION_REAL, AT(passes), 0.001, 1e6, NULL, 0, "how often a new position is used for learning, on average"},
    {"batch", BANYAN_OPTION_INT, AT(batch), 1, 65536, NULL, 0, "positions of a step"},
    {"rate-end", BANYAN_OPTION_REAL, AT(rate_end), 0, 1, NULL, 0, "share of the first learning rate that is left after the last generation; it falls by the same amount with each generation"},
    {"value-mix", BANYAN_OPTION_REAL, AT(value_mix), 0, 1, NULL, 0, "share of the search's value in the value target"},
    {"value-weight", BANYAN_OPTION_REAL, AT(value_weight), 0, 100, NULL, 0, "weight of the value loss"},
    {"owner-weight", BANYAN_OPTION_REAL, AT(owner_weight), 0, 100, NULL, 0, "weight of the ownership loss"},
    {"score-weight", BANYAN_OPTION_REAL, AT(score_weight), 0, 100, NULL, 0, "weight of the score loss"},
    {"symmetries", BANYAN_OPTION_BOOL, AT(symmetries), 0, 1, NULL, 0, "learn from positions that are turned or mirrored at random, by the symmetries of the game"},
    {"gate-games", BANYAN_OPTION_INT, AT(gate_games), 0, 1e6, NULL, 0, "games of a candidate against the best; 0: no gate"},
    {"gate-simulations", BANYAN_OPTION_INT, AT(gate_simulations), 1, 1e9, NULL, 0, "simulations per decision in games of the gate"},
    {"gate-plies", BANYAN_OPTION_INT, AT(gate_plies), 0, 1000, NULL, 0, "random plies at the start of games of the gate"},
    {"gate-share", BANYAN_OPTION_REAL, AT(gate_share), 0, 1, NULL, 0, "a candidate with at least this share of points is published"},
    {"gate-elo0", BANYAN_OPTION_REAL, AT(gate_elo0), -1000, 1000, NULL, 0, "sequential test of the gate: Elo difference of a candidate to reject"},
    {"gate-elo1", BANYAN_OPTION_REAL, AT(gate_elo1), -1000, 1000, NULL, 0, "sequential test of the gate: Elo difference of a candidate to publish; if it is not above gate-elo0, all games are played"},
    {"test", BANYAN_OPTION_TEXT, AT(test), 0, 0, NULL, SIZEOF(test), "opponents A|B|... that the best network is tested against"},
    {"test-games", BANYAN_OPTION_INT, AT(test_games), 1, 1e6, NULL, 0, "games of a test, against each opponent"},
    {"test-every", BANYAN_OPTION_INT, AT(test_every), 1, 1e6, NULL, 0, "generations between tests"},
    {"test-simulations", BANYAN_OPTION_INT, AT(test_simulations), 1, 1e9, NULL, 0, "simulations per decision in a test"},
    {"test-plies", BANYAN_OPTION_INT, AT(test_plies), 0, 1000, NULL, 0, "random plies at the start of the games of a test"},
    {"test-stop", BANYAN_OPTION_BOOL, AT(test_stop), 0, 1, NULL, 0, "end the run after a test without a loss to any of its opponents"},
    {"seed", BANYAN_OPTION_SEED, AT(seed), 0, 1e18, NULL, 0, "seed of all random numbers"},
    {"backend", BANYAN_OPTION_TEXT, AT(backend), 0, 0, NULL, SIZEOF(backend), "plain, onednn, cuda; empty: the best"},
    {"type", BANYAN_OPTION_TEXT, AT(type), 0, 0, NULL, SIZEOF(type), "fp32, bf16; empty: the backend's choice"},
    {"setup", BANYAN_OPTION_TEXT, AT(setup), 0, 0, NULL, SIZEOF(setup), "how games begin"},
    {0},
};
/* clang-format on */
#undef AT
#undef SIZEOF

const char *const loop_parts[] = {"loop", "play", "search", "optimizer", "net", NULL};

const struct banyan_option *loop_part(struct loop_settings *settings, const char *part,
                                      void **values)
{
    const struct banyan_option *const tables[] = {
        loop_table, play_table, banyan_search_option_table(), nn_optimizer_table, nn_arch_table};
    void *const structs[] = {&settings->loop, &settings->play, &settings->search,
                             &settings->optimizer, &settings->arch};
    for (int i = 0; loop_parts[i]; ++i)
        if (strcmp(loop_parts[i], part) == 0) {
            *values = structs[i];
            return tables[i];
        }
    return NULL;
}

enum banyan_status loop_settings_parse(struct loop_settings *settings, const char *part,
                                       const char *text, struct banyan_error *err)
{
    void *values;
    const struct banyan_option *table = loop_part(settings, part, &values);
    if (!table)
        return banyan_fail(err, BANYAN_INVALID,
                           "no part of a run is called '%s'; there are loop, play, search, "
                           "optimizer, net",
                           part);
    return banyan_options_parse(table, values, text, err);
}

/* --- presets --- */

struct loop_preset {
    const char *game;     /* the beginning of the game's name */
    const char *texts[5]; /* settings in the order of loop_parts */
};

static const struct loop_preset loop_presets[] = {
    {"tictactoe",
     {"generations=30,games=200,window=6000,passes=8,batch=128,gate-games=0,test=perfect,"
      "test-games=200,test-every=1,test-simulations=25,test-stop=on,backend=plain",
      "at-once=50,simulations=30,warm-plies=6,cold=0.5",
      "noise-weight=0.25,noise-alpha=1,memory=1M", "rate=0.005,average=0.98",
      "channels=16,blocks=1,policy-channels=4,value-channels=4,value-hidden=32"}},
    {"connect4",
     {"generations=72,games=800,window=400000,passes=6,value-mix=0.5,rate-end=0.05,gate-games=0,"
      "test=mcts:simulations=1000,test-games=40,test-every=20,test-simulations=200,test-plies=4",
      "at-once=64,simulations=100,random-plies=24,warm-plies=4",
      "noise-weight=0.25,noise-alpha=0.7,forced-playouts=on", "", "channels=64,blocks=5"}},
    {"othello",
     {"generations=40,games=400,window=400000,passes=16,value-mix=0.5,rate-end=0.05,gate-games=0,"
      "test=mcts:simulations=1000,test-games=40,test-every=10,test-simulations=200,test-plies=4",
      "at-once=64,simulations=100,fast-simulations=20,whole-share=0.3,random-plies=8,warm-plies=8",
      "cpuct=0.7,fpu=0.1,noise-weight=0.25,noise-alpha=0.5,forced-playouts=on,memory=8M",
      "average=0.995", "channels=64,blocks=4,owner=on,score=on"}},
    {"mushroom",
     {"generations=40,games=1000,hold=20,window=500000,passes=2,batch=32,value-mix=0.8,"
      "score-weight=4,rate-end=0.05,gate-games=0,"
      "test=(mcts:rule=ucb1,evaluator=heuristic,simulations=200|alphabeta:nodes=2000,memory=1M|"
      "tournament:nodes=5000,memory=1M),test-games=20,test-every=20,test-simulations=200",
      "at-once=64,simulations=80,fast-simulations=20,whole-share=0.35,warm-plies=10,"
      "teacher=(tournament:nodes=5000,memory=1M),teacher-generations=40,teacher-stray=0.12",
      "noise-weight=0.25,noise-alpha=0.2,forced-playouts=on,memory=16M", "rate=0.006,average=0.998",
      "channels=32,blocks=3,pool=3,policy-head=pairs,policy-channels=16,value-channels=8,"
      "value-hidden=32,owner=on,score=on"}},
};

static enum banyan_status loop_preset_set(struct loop_settings *settings,
                                          const struct loop_preset *preset,
                                          struct banyan_error *err)
{
    for (int i = 0; loop_parts[i]; ++i) {
        enum banyan_status status =
            loop_settings_parse(settings, loop_parts[i], preset->texts[i], err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

enum banyan_status loop_settings_default(const struct banyan_game *game,
                                         struct loop_settings *settings, struct banyan_error *err)
{
    memset(settings, 0, sizeof *settings);
    settings->loop = (struct loop_options){.generations = 50,
                                           .games = 200,
                                           .window = 50000,
                                           .passes = 2,
                                           .batch = 256,
                                           .rate_end = 0.2,
                                           .value_weight = 1,
                                           .owner_weight = 0.5,
                                           .score_weight = 0.25,
                                           .symmetries = true,
                                           .gate_games = 40,
                                           .gate_simulations = 50,
                                           .gate_plies = 2,
                                           .gate_share = 0.5,
                                           .test_games = 100,
                                           .test_every = 10,
                                           .test_simulations = 100,
                                           .seed = 1};
    play_options_default(&settings->play);
    banyan_search_options_default(&settings->search);
    settings->search.rule = BANYAN_RULE_PUCT;
    settings->search.memory_bytes = (uint64_t)8 << 20;
    nn_optimizer_options_default(&settings->optimizer);
    nn_arch_default(&settings->arch);
    enum banyan_status status = net_arch_game(game, &settings->arch, err);
    for (size_t i = 0; status == BANYAN_OK && i < sizeof loop_presets / sizeof *loop_presets; ++i)
        if (strncmp(game->name, loop_presets[i].game, strlen(loop_presets[i].game)) == 0)
            return loop_preset_set(settings, &loop_presets[i], err);
    return status;
}
