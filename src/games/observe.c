/* Observations of any game, from its table of features, and the actions of policy indices. */
#include <banyan/observe.h>

#include "base/text.h"

#include <math.h>
#include <string.h>

static const struct banyan_feature observe_planes[] = {{"planes",
                                                        "the planes that a network sees",
                                                        BANYAN_FEATURE_REAL,
                                                        {0, 0, 0},
                                                        -INFINITY,
                                                        INFINITY,
                                                        false,
                                                        NULL},
                                                       {0}};

/* The number of numbers in a feature; every dimension of its shape must be filled in (not 0). */
static int observe_count(const struct banyan_feature *feature)
{
    return feature->shape[0] * feature->shape[1] * feature->shape[2];
}

int banyan_observation_feature(const struct banyan_game *game, int index,
                               struct banyan_feature *out)
{
    const struct banyan_feature *features = game->features ? game->features : observe_planes;
    int at = 0;
    if (!game->features && !game->encode)
        return -1;
    for (int i = 0; features[i].name; ++i) {
        *out = features[i];
        for (int k = 0; k < 3; ++k)
            if (out->shape[k] == 0)
                out->shape[k] = game->planes[k];
        if (i == index)
            return at;
        at += observe_count(out);
    }
    return -1;
}

int banyan_observation_size(const struct banyan_game *game)
{
    struct banyan_feature feature;
    int size = 0;
    for (int i = 0, at; (at = banyan_observation_feature(game, i, &feature)) >= 0; ++i)
        size = at + observe_count(&feature);
    return size;
}

void banyan_observe(const struct banyan_game *game, const void *state, int viewer, float *out)
{
    if (game->observe)
        game->observe(game, state, viewer, out);
    else if (game->encode)
        game->encode(game, state, viewer, out);
}

/* --- JSON --- */

/* Numbers from here on have no fraction, and are too large to be counted in millionths. */
#define OBSERVE_LARGE 9e12f

static void observe_write_real(struct text *text, float number)
{
    if (number >= OBSERVE_LARGE || number <= -OBSERVE_LARGE)
        text_add(text, "%.0f", (double)number);
    else
        text_add_decimal(text, (int64_t)((double)number * 1e6 + (number < 0 ? -0.5 : 0.5)), 6);
}

static void observe_write_number(struct text *text, const struct banyan_feature *feature,
                                 float number)
{
    if ((feature->hidden && number == (float)BANYAN_UNKNOWN) || !isfinite(number))
        text_add(text, "null");
    else if (feature->kind == BANYAN_FEATURE_ID && feature->word && fabsf(number) < 1e9f)
        text_add(text, "\"%s\"", feature->word((int)number));
    else
        observe_write_real(text, number);
}

/* Writes the array of dimension number `level` with the arrays in it; returns where the next
 * numbers begin. */
static const float *observe_write_array(struct text *text, const struct banyan_feature *feature,
                                        int level, const float *numbers)
{
    if (level == 3) {
        observe_write_number(text, feature, *numbers);
        return numbers + 1;
    }
    bool brackets = feature->shape[level] > 1;
    text_add(text, brackets ? "[" : "");
    for (int i = 0; i < feature->shape[level]; ++i) {
        text_add(text, i ? "," : "");
        numbers = observe_write_array(text, feature, level + 1, numbers);
    }
    text_add(text, brackets ? "]" : "");
    return numbers;
}

int banyan_observation_json(const struct banyan_game *game, const float *observation, char *out,
                            size_t size)
{
    struct text text = text_start(out, size);
    struct banyan_feature feature;
    text_add(&text, "{");
    for (int i = 0, at; (at = banyan_observation_feature(game, i, &feature)) >= 0; ++i) {
        text_add(&text, "%s\"%s\":", i ? "," : "", feature.name);
        observe_write_array(&text, &feature, 0, observation + at);
    }
    text_add(&text, "}");
    return (int)text.length;
}

/* --- policies --- */

int banyan_policy_width(const struct banyan_game *game)
{
    return game->policy_index ? game->policy_size : game->max_legal;
}

void banyan_policy_mask(const struct banyan_game *game, const void *state, int player,
                        banyan_action *legal, int8_t *out)
{
    int count = game->legal(game, state, player, legal);
    memset(out, 0, (size_t)banyan_policy_width(game));
    for (int i = 0; i < count; ++i)
        out[game->policy_index ? game->policy_index(game, state, player, legal[i]) : i] = 1;
}

bool banyan_policy_action(const struct banyan_game *game, const void *state, int player,
                          int64_t index, banyan_action *legal, banyan_action *out)
{
    int count = game->legal(game, state, player, legal);
    if (!game->policy_index && index >= 0 && index < count) {
        *out = legal[index];
        return true;
    }
    for (int i = 0; game->policy_index && i < count; ++i)
        if (game->policy_index(game, state, player, legal[i]) == index) {
            *out = legal[i];
            return true;
        }
    return false;
}
