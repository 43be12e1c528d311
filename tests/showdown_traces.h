/* Recorded games of the real simulator (tools/showdown_trace.js): their steps, the lines
 * that each player receives, and the requests. */
#ifndef SHOWDOWN_TRACES_H
#define SHOWDOWN_TRACES_H

#include "games/pokemon/dex/dex.h"
#include "showdown/request.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- requests --- */

static inline void traces_pokemon(const json_t *set, const json_t *mon, bool active,
                                  struct request_pokemon *out)
{
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%s", json_string_value(json_object_get(set, "name")));
    snprintf(out->species, sizeof out->species, "%s",
             json_string_value(json_object_get(mon, "bsp")));
    out->level = (int)json_integer_value(json_object_get(set, "level"));
    const char *gender = json_string_value(json_object_get(set, "gender"));
    out->gender = gender && *gender ? *gender : 'N';
    int species = dex_find_species(out->species);
    if (dex_species[species].gender)
        out->gender = dex_species[species].gender;
    out->hp = (int)json_integer_value(json_object_get(mon, "hp"));
    out->fainted = out->hp == 0;
    out->hp_max = out->fainted ? 0 : (int)json_integer_value(json_object_get(mon, "mhp"));
    snprintf(out->status, sizeof out->status, "%s", json_string_value(json_object_get(mon, "st")));
    out->active = active;
    for (size_t i = 0; i < 5; ++i)
        out->stats[i] = (int)json_integer_value(json_array_get(json_object_get(mon, "bst"), i));
    for (size_t i = 0; i < REQUEST_MOVES; ++i) {
        const json_t *move = json_array_get(json_object_get(mon, "mv"), i);
        if (move)
            snprintf(out->moves[i], sizeof out->moves[i], "%s",
                     json_string_value(json_array_get(move, 0)));
    }
    snprintf(out->item, sizeof out->item, "%s", json_string_value(json_object_get(mon, "it")));
    snprintf(out->ability, sizeof out->ability, "%s",
             json_string_value(json_object_get(mon, "ab")));
    snprintf(out->base_ability, sizeof out->base_ability, "%s",
             json_string_value(json_object_get(mon, "bab")));
}

static inline void traces_moves(const json_t *rq, const json_t *mon, struct request *out)
{
    const json_t *moves = json_object_get(rq, "moves"), *slots = json_object_get(mon, "mv");
    out->move_count = (int)json_array_size(moves);
    for (size_t i = 0; i < json_array_size(moves); ++i) {
        struct request_move *move = &out->moves[i];
        snprintf(move->id, sizeof move->id, "%s", json_string_value(json_array_get(moves, i)));
        move->pp = move->pp_max = -1;
        for (size_t k = 0; json_array_size(moves) > 1 && k < json_array_size(slots); ++k) {
            const json_t *slot = json_array_get(slots, k);
            if (strcmp(json_string_value(json_array_get(slot, 0)), move->id) != 0)
                continue;
            move->pp = (int)json_integer_value(json_array_get(slot, 1));
            move->pp_max = (int)json_integer_value(json_array_get(slot, 2));
            move->disabled = json_integer_value(json_array_get(slot, 3)) != 0;
        }
    }
}

static inline void traces_choices(const json_t *rq, struct request *out)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(rq, "legal"), i, value)
    {
        const char *text = json_string_value(value);
        int slot = atoi(strchr(text, ' ') ? strchr(text, ' ') : "0") - 1;
        enum request_choice_kind kind = strncmp(text, "switch", 6) == 0 ? REQUEST_CHOOSE_SWITCH
                                        : strstr(text, "dynamax")       ? REQUEST_CHOOSE_DYNAMAX
                                        : slot >= 0                     ? REQUEST_CHOOSE_MOVE
                                                                        : REQUEST_CHOOSE_DEFAULT;
        out->choices[out->choice_count++] = (struct request_choice){kind, slot < 0 ? 0 : slot};
    }
}

/* What the simulator asked `side` for at a step. */
static inline void traces_request(const json_t *game, const json_t *step, int side,
                                  struct request *out)
{
    const json_t *rq = json_array_get(json_object_get(step, "rq"), (size_t)side);
    const json_t *sides = json_object_get(json_object_get(step, "s"), "sides");
    const json_t *mons = json_object_get(json_array_get(sides, (size_t)side), "p");
    const json_t *team = json_array_get(json_object_get(game, "teams"), (size_t)side);
    memset(out, 0, sizeof *out);
    out->kind = json_is_true(json_object_get(rq, "force")) ||
                        json_integer_value(json_object_get(rq, "force"))
                    ? REQUEST_FOR_SWITCH
                    : REQUEST_FOR_MOVE;
    out->side = side;
    out->rqid = 1;
    for (size_t i = 0; i < json_array_size(mons); ++i) {
        const json_t *mon = json_array_get(mons, i);
        size_t index = (size_t)json_integer_value(json_object_get(mon, "i"));
        traces_pokemon(json_array_get(team, index), mon, i == 0, &out->team[i]);
        ++out->team_count;
    }
    if (out->kind == REQUEST_FOR_MOVE)
        traces_moves(rq, json_array_get(mons, 0), out);
    out->trapped = json_integer_value(json_object_get(rq, "trapped")) ||
                   json_is_true(json_object_get(rq, "trapped"));
    out->maybe_trapped = json_object_get(rq, "maybeTrapped") != NULL;
    out->can_dynamax = json_object_get(rq, "canDynamax") != NULL;
    out->gigantamax = json_object_get(rq, "gmax") != NULL;
    traces_choices(rq, out);
}

/* --- lines --- */

typedef void traces_hear(void *seat, const char *line);

/* The lines of a step as `side` is told them.  Behind |split|p1 stand two lines: the one that p1 is
 * told, and the one for everybody else. */
static inline void traces_tell(const json_t *step, int side, traces_hear *hear, void *seat)
{
    const json_t *log = json_object_get(step, "log");
    for (size_t i = 0; i < json_array_size(log); ++i) {
        const char *text = json_string_value(json_array_get(log, i));
        if (strncmp(text, "|split|p", 8) != 0) {
            hear(seat, text);
            continue;
        }
        size_t secret = text[8] - '1' == side ? 1 : 2;
        hear(seat, json_string_value(json_array_get(log, i + secret)));
        i += 2;
    }
}

/* --- games --- */

struct traces_reader {
    void (*start)(void); /* of a game */
    void (*step)(const json_t *game, const json_t *step, const char *file);
};

static inline void traces_read_file(const struct traces_reader *reader, const char *path)
{
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    size_t size = 1 << 22;
    char *text = malloc(size);
    json_t *game = NULL;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    while (gzgets(file, text, (int)size)) {
        json_t *record = json_loads(text, 0, NULL);
        const char *kind = json_string_value(json_object_get(record, "t"));
        if (kind && strcmp(kind, "game") == 0) {
            json_decref(game);
            game = json_incref(record);
            reader->start();
        } else if (kind && strcmp(kind, "step") == 0) {
            reader->step(game, record, name);
        }
        json_decref(record);
    }
    json_decref(game);
    free(text);
    gzclose(file);
}

/* Reads these files; without any, the games in tests/data. */
static inline void traces_read(const struct traces_reader *reader, char **files, int count)
{
    if (count == 0)
        traces_read_file(reader, TEST_DATA "/pokemon/cover.jsonl.gz");
    for (int i = 0; i < count; ++i)
        traces_read_file(reader, files[i]);
}

#endif
