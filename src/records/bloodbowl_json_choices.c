/* Writes Blood Bowl's choices as the JSON of botbowl's recorded games, and reads actions from it. */
#include "records/bloodbowl_json_parts.h"

#include "games/bloodbowl/text.h"

#include <string.h>

/* --- choices --- */

static int json_option_before(const struct bb_option *a, const struct bb_option *b)
{
    bool none_a = a->square == BB_NOWHERE, none_b = b->square == BB_NOWHERE;
    if (none_a || none_b)
        return none_a && !none_b;
    int xa = bb_x(a->square), xb = bb_x(b->square);
    return xa != xb ? xa < xb : a->square < b->square;
}

/* Sorts by x, then y, as in the records. */
static void json_sort_options(struct bb_option *option, int n)
{
    for (int i = 1; i < n; ++i) {
        struct bb_option moving = option[i];
        int to = i;
        for (; to > 0 && json_option_before(&moving, &option[to - 1]); --to)
            option[to] = option[to - 1];
        option[to] = moving;
    }
}

static json_t *json_targets(const struct bb_option *option)
{
    json_t *targets = json_array();
    for (int i = 0; i < option->targets; ++i)
        json_array_append_new(targets, json_integer(option->target[i]));
    return targets;
}

/* Sorts pairs [name, targets] by name as text: A10 comes before A2. */
static json_t *json_by_name(json_t *targets)
{
    json_t *pairs = json_array(), *value;
    const char *name;
    char last[8] = "";
    for (size_t i = 0; i < json_object_size(targets); ++i) {
        char best[8] = "~";
        json_object_foreach(targets, name,
                            value) if (strcmp(name, last) > 0 && strcmp(name, best) < 0)
            memcpy(best, name, strlen(name) + 1);
        json_array_append_new(pairs, json_pack("[s,O]", best, json_object_get(targets, best)));
        memcpy(last, best, sizeof last);
    }
    return pairs;
}

static void json_add_players(const struct bb_state *s, const struct bb_option *option, int n,
                             json_t *out)
{
    json_t *players = json_array(), *targets = json_object();
    for (int i = 0; i < BB_PLAYERS; ++i) /* players are in roster order */
        for (int k = 0; k < n; ++k)
            if (option[k].player == i) {
                json_array_append_new(players, bloodbowl_json_player(s, i));
                json_object_set_new(targets, bb_player_name(s, i).text, json_targets(&option[k]));
            }
    if (n)
        json_object_set(out, "p", players);
    if (n && option[0].targets)
        json_object_set_new(out, "pr", json_by_name(targets));
    json_decref(players);
    json_decref(targets);
}

static void json_add_squares(const struct bb_choice *choice, struct bb_option *option, int n,
                             json_t *out)
{
    json_t *q = json_array(), *bd = json_array(), *r = json_array(), *prob = json_array(),
           *len = json_array();
    json_sort_options(option, n);
    for (int i = 0; i < n; ++i) {
        json_array_append_new(q, bloodbowl_json_square(option[i].square));
        json_array_append_new(bd, json_integer(option[i].dice));
        json_array_append_new(r, json_targets(&option[i]));
        json_array_append_new(prob, json_real(option[i].probability));
        json_array_append_new(len, json_integer(option[i].length));
    }
    json_object_set_new(out, "q", q);
    json_object_set(out, "r", r);
    if (choice->type == BB_DO_BLOCK)
        json_object_set(out, "bd", bd);
    if (option[0].length) {
        json_object_set(out, "prob", prob);
        json_object_set(out, "len", len);
    }
    json_decref(bd);
    json_decref(r);
    json_decref(prob);
    json_decref(len);
}

static json_t *json_choice(const struct bb_state *s, struct bb_choices *list, int index)
{
    struct bb_choice *choice = &list->choice[index];
    struct bb_option *option = &list->option[choice->first];
    int type = choice->type == BB_DO_SELECT_SECOND_ROLL ? BB_DO_DONT_USE_REROLL : choice->type;
    json_t *out =
        json_pack("{s:s,s:o}", "a", bb_action_names[type], "t", bloodbowl_json_team(choice->team));
    if (choice->type == BB_DO_PLACE_PLAYER)
        json_add_players(s, &list->option[choice->first_player], choice->player_count, out);
    if (choice->count && option[0].player != BB_NONE)
        json_add_players(s, option, choice->count, out);
    else if (choice->count)
        json_add_squares(choice, option, choice->count, out);
    if (choice->skill >= 0)
        json_object_set_new(out, "s", json_string(bb_skill_names[choice->skill]));
    if (choice->disabled)
        json_object_set_new(out, "dis", json_integer(1));
    return out;
}

json_t *bloodbowl_json_choices(const struct bb_state *state)
{
    struct bb_choices list;
    json_t *out = json_array();
    bb_list(state, &list, true);
    for (int i = 0; i < list.count; ++i)
        json_array_append_new(out, json_choice(state, &list, i));
    return out;
}

/* --- actions --- */

static int json_step(int from, int to)
{
    static const int8_t direction[9] = {0, 1, 2, 3, -1, 4, 5, 6, 7};
    int dx = bb_x(to) - bb_x(from), dy = bb_y(to) - bb_y(from);
    return dx < -1 || dx > 1 || dy < -1 || dy > 1 ? -1 : direction[(dy + 1) * 3 + dx + 1];
}

/* Reads a path.  If its first square is the player's own, the player stands up first. */
static bool json_path(int from, const json_t *steps, struct bb_action *out)
{
    size_t i;
    json_t *square;
    json_array_foreach(steps, i, square)
    {
        int to = bloodbowl_json_square_of(square), step;
        if (to == from)
            continue;
        step = to == BB_NOWHERE ? -1 : json_step(from, to);
        if (step < 0 || out->length >= BB_PATH_MAX)
            return false;
        out->path |= (uint64_t)step << 3 * out->length++;
        from = to;
    }
    return true;
}

enum banyan_status bloodbowl_json_action(const struct bb_state *state, const json_t *act,
                                         const json_t *path, struct bb_action *out,
                                         struct banyan_error *err)
{
    const char *type = json_string_value(json_array_get(act, 0));
    int found = type ? bloodbowl_json_choice_of(type, bb_action_names, BB_ACTIONS) : -1;
    if (found <= 0)
        return bloodbowl_json_missing(err, "act");
    if (found == BB_DO_DONT_USE_REROLL && state->depth &&
        state->frame[state->depth - 1].procedure == BB_APOTHECARY)
        found = BB_DO_SELECT_SECOND_ROLL; /* botbowl has one number for both actions */
    *out = (struct bb_action){.type = (uint8_t)found};
    out->player = (uint8_t)bloodbowl_json_player_of(state, json_array_get(act, 1));
    out->square = (uint16_t)bloodbowl_json_square_of(json_array_get(act, 2));
    if (!path || state->depth == 0)
        return BANYAN_OK;
    int player = state->frame[state->depth - 1].player;
    if (player == BB_NONE ||
        !json_path(state->player[player].square, json_object_get(path, "steps"), out))
        return bloodbowl_json_missing(err, "path");
    return BANYAN_OK;
}
