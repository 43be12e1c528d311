/* Reads a random sample of states from recorded games, files as `banyan verify` reads them. */
#include "cli/bench/bench_pokemon.h"

#include "base/rng.h"
#include "records/pokemon_json.h"
#include "records/records.h"

#include <string.h>

struct states_reader {
    json_t *game; /* owned: the game whose steps are read */
    struct pokemon *out;
    int max;
    uint64_t seen; /* states in which a player chooses */
    struct banyan_rng rng;
};

/* Reservoir sampling: every state seen so far is kept with the same probability. */
static void states_keep(struct states_reader *r, const struct pokemon *state)
{
    uint64_t seen = ++r->seen;
    uint64_t at = seen <= (uint64_t)r->max ? seen - 1 : rng_next(&r->rng) % seen;
    if (at < (uint64_t)r->max)
        r->out[at] = *state;
}

static enum banyan_status states_line(struct states_reader *r, const char *line, size_t length,
                                      struct banyan_error *err)
{
    struct pokemon state;
    json_error_t why;
    json_t *json = json_loadb(line, length, 0, &why);
    const char *type = json_string_value(json_object_get(json, "t"));
    enum banyan_status status = BANYAN_OK;
    if (!type) {
        status = banyan_fail(err, BANYAN_CORRUPT,
                             "expected a JSON object with the key 't' (a record of a battle): %s",
                             why.text);
    } else if (strcmp(type, "game") == 0) {
        json_decref(r->game);
        r->game = json_incref(json);
    } else if (strcmp(type, "step") == 0 && r->game) {
        status = pokemon_json_state(r->game, json, &state, err);
        if (status == BANYAN_OK && turn_movers(&state))
            states_keep(r, &state);
    }
    json_decref(json);
    return status;
}

static enum banyan_status states_file(struct states_reader *r, const char *path,
                                      struct banyan_error *err)
{
    struct records_source *source;
    char *line;
    size_t length;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line)
        if (length && (status = states_line(r, line, length, err)) != BANYAN_OK)
            break;
    records_close(source);
    return status;
}

enum banyan_status bench_pokemon_states(const char *const *paths, int count, struct pokemon *out,
                                        int max, struct banyan_error *err)
{
    struct states_reader r = {.out = out, .max = max};
    enum banyan_status status = BANYAN_OK;
    banyan_rng_seed(&r.rng, 1);
    for (int i = 0; i < count && status == BANYAN_OK; ++i)
        status = states_file(&r, paths[i], err);
    json_decref(r.game);
    if (status == BANYAN_OK && r.seen < (uint64_t)max)
        status = banyan_fail(err, BANYAN_INVALID,
                             "%d states are needed, the files have %d: name more files", max,
                             (int)r.seen);
    return status;
}
