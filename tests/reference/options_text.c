/* Options of a search as text: names, choices, defaults and ranges as the manual has them. */
#include "reference/pair.h"

#include <inttypes.h>
#include <stdio.h>

/* --- a drawing's options --- */

static const char *on_off(bool on)
{
    return on ? "on" : "off";
}

static int say_selection(const struct banyan_search_options *o, char *out, size_t size)
{
    static const char *const rules[] = {
        [BANYAN_RULE_UCB1] = "ucb1",     [BANYAN_RULE_UCB1_TUNED] = "ucb1-tuned",
        [BANYAN_RULE_PUCT] = "puct",     [BANYAN_RULE_GUMBEL] = "gumbel",
        [BANYAN_RULE_REGRET] = "regret", [BANYAN_RULE_GRAVE] = "grave"};
    return snprintf(
        out, size,
        "rule=%s,exploration=%.17g,raw-rewards=%s,cpuct=%.17g,fpu=%.17g,puct-log-base=%.17g,"
        "order=%s,children-first=%s,expand-visits=%d,widen-factor=%.17g,widen-power=%.17g,"
        "progressive-bias=%.17g,progressive-history=%.17g,implicit-minimax=%.17g,score-weight=%."
        "17g,"
        "score-scale=%.17g,gumbel-actions=%d,"
        "gumbel-visit=%.17g,gumbel-"
        "scale=%.17g,"
        "regret-explore=%.17g,grave-visits=%d,grave-bias=%.17g,grave-exploration=%.17g,grave-"
        "prior=%.17g,noise-"
        "weight=%.17g,noise-alpha=%.17g,prior-temperature=%.17g,root-prior-temperature=%.17g,root-"
        "pruning=%.17g,"
        "forced-playouts=%s,",
        rules[o->rule], o->exploration, on_off(o->raw_rewards), o->cpuct, o->fpu, o->puct_log_base,
        o->order == BANYAN_ORDER_FIRST ? "first" : "random", on_off(o->children_first),
        o->expand_visits, o->widen_factor, o->widen_power, o->progressive_bias,
        o->progressive_history, o->implicit_minimax, o->score_weight, o->score_scale,
        o->gumbel_actions, o->gumbel_visit, o->gumbel_scale, o->regret_explore, o->grave_visits,
        o->grave_bias, o->grave_exploration, o->grave_prior, o->noise_weight, o->noise_alpha,
        o->prior_temperature, o->root_prior_temperature, o->root_pruning,
        on_off(o->forced_playouts));
}

static int say_model(const struct banyan_search_options *o, char *out, size_t size)
{
    static const char *const opponents[] = {[BANYAN_OPPONENTS_MAXN] = "maxn",
                                            [BANYAN_OPPONENTS_PARANOID] = "paranoid",
                                            [BANYAN_OPPONENTS_COALITION] = "coalition"};
    static const char *const solvers[] = {
        [BANYAN_SOLVER_OFF] = "off", [BANYAN_SOLVER_ON] = "on", [BANYAN_SOLVER_AUTO] = "auto"};
    static const char *const draws[] = {
        [BANYAN_DRAW_AUTO] = "auto", [BANYAN_DRAW_HIDDEN] = "hidden", [BANYAN_DRAW_ALL] = "all"};
    return snprintf(
        out, size,
        "opponents=%s,side0=%d,side1=%d,side2=%d,side3=%d,side4=%d,side5=%d,side6=%d,"
        "side7=%d,solver=%s,decisive=%s,transpositions=%s,worlds=%d,world-baseline=%s,draw=%s,"
        "availability=%s,rare-share=%s,keys=%s,prebuild-depth=%d,",
        opponents[o->opponents], o->side[0], o->side[1], o->side[2], o->side[3], o->side[4],
        o->side[5], o->side[6], o->side[7], solvers[o->solver], on_off(o->decisive),
        on_off(o->transpositions), o->worlds, on_off(o->world_baseline), draws[o->draw],
        on_off(o->availability), on_off(o->rare_share),
        o->keys == BANYAN_KEYS_FULL ? "full" : "coarse", o->prebuild_depth);
}

static int say_rest(const struct banyan_search_options *o, char *out, size_t size)
{
    static const char *const finals[] = {
        [BANYAN_FINAL_MAX] = "max",       [BANYAN_FINAL_ROBUST] = "robust",
        [BANYAN_FINAL_SECURE] = "secure", [BANYAN_FINAL_MAX_ROBUST] = "max-robust",
        [BANYAN_FINAL_SAMPLE] = "sample", [BANYAN_FINAL_AVERAGE] = "average"};
    return snprintf(out, size,
                    "final=%s,w1=%.17g,w2=%.17g,agree=%s,temperature=%.17g,secure-z=%.17g,"
                    "memory=%" PRIu64 ",batch=%d,threads=%d,ensemble=%d,reuse=%s,profile=%s",
                    finals[o->final], o->final_w1, o->final_w2, on_off(o->final_agree),
                    o->temperature, o->secure_z, o->memory_bytes, o->batch, o->threads, o->ensemble,
                    on_off(o->reuse), on_off(o->profile));
}

/* Writes the drawing's options by their names; seed and sampler cannot be written as text. */
bool options_by_text(const struct banyan_search_options *drawn, struct banyan_search_options *out,
                     struct banyan_error *err)
{
    char text[4096];
    int at = say_selection(drawn, text, sizeof text);
    at += say_model(drawn, text + at, sizeof text - (size_t)at);
    say_rest(drawn, text + at, sizeof text - (size_t)at);
    banyan_search_options_default(out);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        out->side[p] = -1; /* every option must get its value from the text */
    out->seed = drawn->seed;
    out->sampler = drawn->sampler;
    out->own_rule = drawn->own_rule;
    return banyan_options_parse(banyan_search_option_table(), out, text, err) == BANYAN_OK;
}

/* --- defaults and ranges --- */

static const struct {
    const char *name, *normal, *least, *most, *below, *above; /* NULL: any value is taken, so
                                                                 none is tested */
} numbers[] = {
    {"exploration", "0.5", "0", "1e6", "-1e-9", "1000001"},
    {"cpuct", "1.25", "0", "1e6", "-1e-9", "1000001"},
    {"fpu", "0.2", "-10", "10", "-10.01", "10.01"},
    {"puct-log-base", "0", "0", "1e9", "-1e-9", "1000000001"},
    {"expand-visits", "0", "0", "1000000", "-1", "1000001"},
    {"widen-factor", "0", "0", "1e6", "-1e-9", "1000001"},
    {"widen-power", "0.5", "0", "1", "-1e-9", "1.01"},
    {"progressive-bias", "0", "0", "1e6", "-1e-9", "1000001"},
    {"progressive-history", "0", "0", "1e6", "-1e-9", "1000001"},
    {"implicit-minimax", "0", "0", "1", "-1e-9", "1.01"},
    {"score-weight", "0", "0", "1", "-1e-9", "1.01"},
    {"score-scale", "10", "1e-6", "1e9", "0", "1000000001"},
    {"gumbel-actions", "16", "1", "65535", "0", "65536"},
    {"gumbel-visit", "50", "0", "1e6", "-1e-9", "1000001"},
    {"gumbel-scale", "1", "0", "1e6", "-1e-9", "1000001"},
    {"regret-explore", "0.2", "0", "1", "-1e-9", "1.01"},
    {"grave-visits", "50", "0", "1000000", "-1", "1000001"},
    {"grave-bias", "1e-4", "0", "1e6", "-1e-9", "1000001"},
    {"grave-exploration", "0", "0", "1e6", "-1e-9", "1000001"},
    {"grave-prior", "0", "0", "1e6", "-1e-9", "1000001"},
    {"noise-weight", "0", "0", "1", "-1e-9", "1.01"},
    {"noise-alpha", "0.3", "0.001", "1000", "0.0009", "1001"},
    {"prior-temperature", "1", "0.01", "100", "0.0099", "100.1"},
    {"root-prior-temperature", "1", "0.01", "100", "0.0099", "100.1"},
    {"root-pruning", "0", "0", "100", "-1e-9", "100.1"},
    {"side0", "0", "0", "7", "-1", "8"},
    {"side1", "1", "0", "7", "-1", "8"},
    {"side2", "2", "0", "7", "-1", "8"},
    {"side3", "3", "0", "7", "-1", "8"},
    {"side4", "4", "0", "7", "-1", "8"},
    {"side5", "5", "0", "7", "-1", "8"},
    {"side6", "6", "0", "7", "-1", "8"},
    {"side7", "7", "0", "7", "-1", "8"},
    {"worlds", "0", "0", "65535", "-1", "65536"},
    {"prebuild-depth", "0", "0", "64", "-1", "65"},
    {"w1", "1", "0", "1e6", "-1e-9", "1000001"},
    {"w2", "1", "0", "1e6", "-1e-9", "1000001"},
    {"temperature", "1", "0", "1e3", "-1e-9", "1001"},
    {"secure-z", "1", "0", "1e3", "-1e-9", "1001"},
    {"memory", "256M", "128K", "1000000000000", "131071", "1000000000001"},
    {"batch", "1", "1", "4096", "0", "4097"},
    {"threads", "1", "0", "256", "-1", "257"},
    {"ensemble", "1", "1", "256", "0", "257"},
    {"seed", "1", NULL, NULL, NULL, NULL},
};

static const char *const choices[] = {"rule=ucb1",
                                      "raw-rewards=off",
                                      "order=random",
                                      "children-first=on",
                                      "forced-playouts=off",
                                      "opponents=maxn",
                                      "solver=auto",
                                      "decisive=on",
                                      "transpositions=off",
                                      "draw=auto",
                                      "availability=on",
                                      "rare-share=off",
                                      "keys=coarse",
                                      "world-baseline=off",
                                      "final=robust",
                                      "agree=off",
                                      "reuse=on",
                                      "profile=off"};

static bool takes(const char *name, const char *value)
{
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    return banyan_options_set(banyan_search_option_table(), &options, name, value, NULL) ==
           BANYAN_OK;
}

/* Whether setting the option to this value leaves the default options as they are. */
static bool is_default(const char *name, const char *value)
{
    struct banyan_search_options options, defaults;
    char text[64];
    banyan_search_options_default(&options);
    banyan_search_options_default(&defaults);
    banyan_options_set(banyan_search_option_table(), &options, name, value, NULL);
    return banyan_options_dump(banyan_search_option_table(), &options, &defaults, text,
                               sizeof text) == 0;
}

bool options_as_documented(char *message, size_t size)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        const char *name = numbers[i].name;
        bool right = is_default(name, numbers[i].normal);
        if (numbers[i].least)
            right = right && takes(name, numbers[i].least) && takes(name, numbers[i].most) &&
                    !takes(name, numbers[i].below) && !takes(name, numbers[i].above);
        if (!right) {
            snprintf(message, size, "the option %s has another default or range", name);
            return false;
        }
    }
    for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s", choices[i]);
        *strchr(name, '=') = 0;
        if (!is_default(name, strchr(choices[i], '=') + 1)) {
            snprintf(message, size, "the default is not %s", choices[i]);
            return false;
        }
    }
    return true;
}
