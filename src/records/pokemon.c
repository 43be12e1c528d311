/* Verifies battles of Pokémon Showdown recorded by showdown_trace.js, one JSON object per line.
 *
 *    game record --> teams ----------------------------> a whole game with Banyan's rules only
 *    step record --> state before + choices + calls ---> Banyan's state after  <-compare-> recorded
 *
 * Each step starts from the recorded state of the step before, so that one error counts once; a
 * step that differs is one difference.  In addition, every game is played from its teams alone.  At
 * the end of a file, those abilities, items and moves are listed that are clearly more frequent in the
 * steps that differ than in all steps.
 */
#include "records/pokemon_json.h"
#include "records/records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READER_MAX_DICE = 512, READER_TEXT = 16384, READER_TAGS = 2048 };

/* How many steps have this ability, item or move, and how many of them differ. */
struct reader_tag {
    char name[40];
    uint32_t steps, failed;
};

struct reader {
    struct records_source *source;
    struct records_report *report;
    json_t *game, *last;  /* game record; the step record before this one */
    struct pokemon whole; /* the game that is played from its teams alone */
    bool whole_equal, whole_there;
    int game_id, step;
    uint64_t failed, steps;
    struct reader_tag tags[READER_TAGS];
    int tag_count;
};

/* --- comparing two states as texts --- */

/* Whether the record does not have this field, or does not need to agree in it. */
static bool reader_ignores(const char *section, const char *key)
{
    static const char *const ignored[] = {
        "seen",           "hard",         "lastbase",    "winner",          "wishsource",
        "confusiondrawn", "lockeddrawn",  "trapdrawn",   "arrivedhp",       "arrivedstatus",
        "arrivedtime",    "arrivedstart", "arriveditem", "arrivedlastitem", "arrivedflags",
        "arrivedseen",    "struck",       "spent"};
    static const char *const of_active[] = {"speed"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i)
        if (strcmp(key, ignored[i]) == 0)
            return true;
    for (size_t i = 0; strstr(section, "active") && i < sizeof of_active / sizeof *of_active; ++i)
        if (strcmp(key, of_active[i]) == 0)
            return true;
    return false;
}

/* Finds the pair "key=value" of a key in one section of a text.  False, with the value "0": there is none. */
static bool reader_find(const char *section, const char *end, const char *key, size_t length,
                        const char **value, size_t *value_length)
{
    for (const char *at = section; at < end; ++at) {
        bool start = at == section || at[-1] == ' ';
        if (!start || strncmp(at, key, length) != 0 || at[length] != '=')
            continue;
        *value = at + length + 1;
        *value_length = strcspn(*value, " ");
        return true;
    }
    *value = "0";
    *value_length = 1;
    return false;
}

static const char *reader_section_end(const char *section)
{
    const char *end = strstr(section, " | ");
    return end ? end : section + strlen(section);
}

struct reader_text {
    char out[600];
    size_t length;
    int count;
};

/* A word within a text. */
struct reader_word {
    const char *at;
    size_t length;
};

static void reader_note(struct reader_text *note, const char *section, struct reader_word key,
                        struct reader_word ours, struct reader_word theirs)
{
    ++note->count;
    int n = snprintf(note->out + note->length, sizeof note->out - note->length,
                     "%s%.*s %.*s ours %.*s record %.*s", note->length ? "; " : "",
                     (int)strcspn(section, " "), section, (int)key.length, key.at, (int)ours.length,
                     ours.at, (int)theirs.length, theirs.at);
    if (n > 0)
        note->length += (size_t)n;
    if (note->length >= sizeof note->out)
        note->length = sizeof note->out - 1;
}

/* Reports the pairs of `from` that are missing or different in `other`.  swapped: `from` is the
 * record, and only missing pairs are reported, since the different ones were reported before. */
static void reader_compare_section(const char *from, const char *other, bool swapped,
                                   struct reader_text *note)
{
    const char *end = reader_section_end(from), *other_end = reader_section_end(other);
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(from, " "), from);
    for (const char *at = from; at < end;) {
        size_t token = strcspn(at, " "), key = strcspn(at, "=");
        if (key < token) {
            const char *value = at + key + 1, *found;
            size_t length = token - key - 1, found_length;
            char copy[40];
            snprintf(copy, sizeof copy, "%.*s", (int)key, at);
            bool there = reader_find(other, other_end, at, key, &found, &found_length);
            bool differs = !there || found_length != length || memcmp(found, value, length) != 0;
            if (differs && !reader_ignores(name, copy) && !(swapped && there)) {
                struct reader_word own = {value, length}, others = {found, found_length};
                reader_note(note, from, (struct reader_word){at, key}, swapped ? others : own,
                            swapped ? own : others);
            }
        }
        at += token;
        at += *at == ' ';
    }
}

static const char *reader_next_section(const char *section)
{
    const char *end = strstr(section, " | ");
    return end ? end + 3 : NULL;
}

/* Compares Banyan's state with the record; returns the number of differences. */
static int reader_compare(const struct pokemon *ours, const struct pokemon *record,
                          struct reader_text *note)
{
    char a[READER_TEXT], c[READER_TEXT];
    memset(note, 0, sizeof *note);
    text_state(ours, a, sizeof a);
    text_state(record, c, sizeof c);
    if (strcmp(a, c) == 0)
        return 0;
    const char *p = a, *q = c;
    for (; p && q; p = reader_next_section(p), q = reader_next_section(q)) {
        reader_compare_section(p, q, false, note);
        reader_compare_section(q, p, true, note);
    }
    if (p || q)
        reader_note(note, "queue", (struct reader_word){"length", 6},
                    (struct reader_word){p ? "longer" : "shorter", p ? 6 : 7},
                    (struct reader_word){"other", 5});
    return note->count;
}

/* Clears what is not recorded: the active section of a fainted Pokémon, and which of its own moves
 * a transformed one has used. */
static void reader_blank_untold(struct pokemon *s)
{
    for (int side = 0; side < 2; ++side) {
        struct pokemon_side *p = &s->sides[side];
        struct pokemon_mon *mon = &p->mons[p->order[0]];
        if (mon->flags & MON_FAINTED)
            memset(&p->active, 0, sizeof p->active);
        else if (p->active.flags & ACTIVE_TRANSFORMED)
            mon->slots.used = 0;
    }
}

static int reader_compare_states(const struct pokemon *ours, const struct pokemon *record,
                                 struct reader_text *note)
{
    struct pokemon a = *ours, c = *record;
    reader_blank_untold(&a);
    reader_blank_untold(&c);
    return reader_compare(&a, &c, note);
}

/* --- frequent abilities, items and moves in steps that differ --- */

static struct reader_tag *reader_tag(struct reader *r, const char *kind, const char *id)
{
    char name[40];
    snprintf(name, sizeof name, "%s %s", kind, id);
    for (int i = 0; i < r->tag_count; ++i)
        if (strcmp(r->tags[i].name, name) == 0)
            return &r->tags[i];
    if (r->tag_count == READER_TAGS)
        return NULL;
    struct reader_tag *tag = &r->tags[r->tag_count++];
    snprintf(tag->name, sizeof tag->name, "%s", name);
    return tag;
}

static void reader_count(struct reader *r, const char *kind, const char *id, bool failed)
{
    struct reader_tag *tag = *id ? reader_tag(r, kind, id) : NULL;
    if (!tag)
        return;
    ++tag->steps;
    tag->failed += failed;
}

/* Counts the abilities and items of the active Pokémon before and after the step, and the moves in
 * its protocol. */
static void reader_count_step(struct reader *r, const struct pokemon *before,
                              const struct pokemon *after, const json_t *step, bool failed)
{
    const json_t *log = json_object_get(step, "log");
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *p = &before->sides[side], *q = &after->sides[side];
        const struct pokemon_mon *mon = &p->mons[p->order[0]], *now = &q->mons[q->order[0]];
        reader_count(r, "ability", dex_abilities[mon->ability].id, failed);
        if (p->order[0] != q->order[0])
            reader_count(r, "ability", dex_abilities[now->ability].id, failed);
        reader_count(r, "item", dex_items[mon->item].id, failed);
        if (p->order[0] != q->order[0])
            reader_count(r, "item", dex_items[now->item].id, failed);
    }
    for (size_t i = 0; i < json_array_size(log); ++i) {
        const char *line = json_string_value(json_array_get(log, i));
        if (!line || strncmp(line, "|move|", 6) != 0)
            continue;
        const char *name = strchr(line + 6, '|');
        char id[32];
        size_t length = 0;
        for (++name; name != (char *)1 && *name && *name != '|' && length < 30; ++name)
            if ((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9'))
                id[length++] = *name;
            else if (*name >= 'A' && *name <= 'Z')
                id[length++] = (char)(*name - 'A' + 'a');
        id[length] = 0;
        reader_count(r, "move", id, failed);
    }
}

static double reader_lift(const struct reader *r, const struct reader_tag *tag)
{
    double all = (double)r->failed / (double)r->steps;
    return ((double)tag->failed / (double)tag->steps) / all;
}

static void reader_print_tags(struct reader *r)
{
    if (!r->report->out || !r->failed)
        return;
    fprintf(r->report->out, "%s: frequent in %" PRIu64 " failing steps of %" PRIu64 ":",
            records_path(r->source), r->failed, r->steps);
    for (int shown = 0; shown < 12; ++shown) {
        struct reader_tag *best = NULL;
        double score = 0;
        for (int i = 0; i < r->tag_count; ++i) {
            struct reader_tag *tag = &r->tags[i];
            double here = tag->failed ? reader_lift(r, tag) * (double)tag->failed : 0;
            if (here > score && reader_lift(r, tag) > 1.5) {
                score = here;
                best = tag;
            }
        }
        if (!best)
            break;
        fprintf(r->report->out, "%s %s %u/%u (x%.1f)", shown ? "," : "", best->name, best->failed,
                best->steps, reader_lift(r, best));
        best->failed = 0;
    }
    fprintf(r->report->out, "\n");
}

/* --- legal choices --- */

static bool reader_has(const banyan_action *actions, int count, banyan_action wanted)
{
    for (int i = 0; i < count; ++i)
        if (actions[i] == wanted)
            return true;
    return false;
}

/* Checks that the legal actions are those of the request, without the switches that trapping
 * forbids. */
static const char *reader_check_legal(struct reader *r, const struct pokemon *state, int player,
                                      const json_t *request)
{
    const json_t *legal = json_object_get(request, "legal");
    banyan_action ours[16], theirs[16];
    int count = 0, n = legal_actions(state, player, ours);
    (void)r;
    for (size_t i = 0; i < json_array_size(legal) && count < 16; ++i)
        theirs[count++] = pokemon_json_choice(state, player, request,
                                              json_string_value(json_array_get(legal, i)));
    for (int i = 0; i < n; ++i)
        if (!reader_has(theirs, count, ours[i]))
            return "one of Banyan's legal choices is not in the request";
    for (int i = 0; i < count; ++i)
        if (!reader_has(ours, n, theirs[i]) &&
            !(theirs[i] >> 16 == ACTION_SWITCH && legal_trapped(state, player)))
            return "a choice of the request is not legal by Banyan's rules";
    return NULL;
}

/* --- a step --- */

/* Whether the rules asked for exactly the recorded dice; else message says how many they used. */
static bool reader_dice_fit(const struct banyan_dice *dice, char message[200])
{
    if (!dice->failed && dice->next == dice->count)
        return true;
    snprintf(message, 200, "dice: %d of %d used%s%.120s", dice->next, dice->count,
             *dice->message ? "; " : "", dice->message);
    return false;
}

static bool reader_play(struct reader *r, struct pokemon *state, const json_t *step,
                        char message[200])
{
    const json_t *chosen = json_object_get(step, "ch");
    struct banyan_die list[READER_MAX_DICE];
    struct banyan_dice dice;
    banyan_action joint[2] = {0, 0};
    int count = pokemon_json_dice(json_object_get(step, "rng"), list, READER_MAX_DICE);
    for (int player = 0; player < 2; ++player) {
        const char *choice = json_string_value(json_array_get(chosen, (size_t)player));
        const json_t *request = json_array_get(json_object_get(r->last, "rq"), (size_t)player);
        bool asked = state->request[player] != REQUEST_NONE;
        if (!choice != !asked) {
            snprintf(message, 200, "p%d is %s", player + 1, asked ? "asked" : "not asked");
            return false;
        }
        if (!choice)
            continue;
        joint[player] = pokemon_json_choice(state, player, request, choice);
        banyan_action legal[16];
        int n = legal_actions(state, player, legal);
        if (!reader_has(legal, n, joint[player])) {
            snprintf(message, 200, "p%d's choice '%.40s' is not legal", player + 1, choice);
            return false;
        }
    }
    banyan_dice_recorded(&dice, list, count < 0 ? 0 : count);
    turn_play(state, joint, &dice);
    return reader_dice_fit(&dice, message);
}

/* Plays a step again with the outcomes of its dice given, and returns whether their probability differs
 * from the recorded one.  Steps with tests of a d100 are left out, because their probabilities are not
 * recorded; those of Effect Spore are known. */
static bool reader_odds(const struct reader *r, const struct pokemon *before, const json_t *step,
                        double *ours, double *theirs)
{
    const json_t *calls = json_object_get(step, "rng");
    struct pokemon state = *before;
    struct banyan_dice dice;
    banyan_action joint[2] = {0, 0};
    *theirs = 1;
    banyan_dice_enumerated(&dice, NULL, 0);
    for (size_t i = 0; i < json_array_size(calls); ++i) {
        json_t *call = json_array_get(calls, i), *one = json_pack("[O]", call);
        struct banyan_die die;
        bool known = pokemon_json_dice(one, &die, 1) == 1;
        json_decref(one);
        if (!known)
            continue;
        if (die.sides == 100 && die.kind != DIE_EFFECT_SPORE)
            return false;
        bool chance = strcmp(json_string_value(json_array_get(call, 0)), "c") == 0;
        int p = (int)json_integer_value(json_array_get(call, 1));
        int q = (int)json_integer_value(json_array_get(call, 2));
        if (chance && p >= q)
            continue;
        if (dice.count == BANYAN_DICE_MAX_ODOMETER)
            return false;
        int sides = die.sides ? die.sides : p; /* a sample says how long its list is */
        *theirs *= chance ? (double)(die.value ? p : q - p) / q : 1.0 / sides;
        dice.position[dice.count++] = (int16_t)(chance ? !die.value : die.value);
    }
    for (int player = 0; player < 2; ++player) {
        const json_t *choice = json_array_get(json_object_get(step, "ch"), (size_t)player);
        const json_t *request = json_array_get(json_object_get(r->last, "rq"), (size_t)player);
        if (json_is_string(choice))
            joint[player] = pokemon_json_choice(before, player, request, json_string_value(choice));
    }
    turn_play(&state, joint, &dice);
    *ours = dice.probability;
    double ratio = *ours / *theirs;
    return ratio < 0.999999 || ratio > 1.000001;
}

static void reader_whole(struct reader *r, const json_t *step, const struct pokemon *record)
{
    char message[200] = "";
    struct reader_text note = {{0}, 0, 0};
    if (!r->whole_there || !r->whole_equal)
        return;
    r->whole_equal = reader_play(r, &r->whole, step, message) &&
                     !reader_compare_states(&r->whole, record, &note);
    if (!r->whole_equal && r->report->out)
        fprintf(r->report->out, "game %d, played from its teams, differs from step %d on: %s %s\n",
                r->game_id, r->step, message, note.out);
}

static const char *reader_refused(const struct reader *r, const struct pokemon *before,
                                  const json_t *step)
{
    const json_t *rejected = json_object_get(step, "rej");
    for (size_t i = 0; i < json_array_size(rejected); ++i) {
        const json_t *row = json_array_get(rejected, i);
        const char *who = json_string_value(json_array_get(row, 0));
        const char *what = json_string_value(json_array_get(row, 1));
        if (!who || !what)
            continue;
        int player = who[1] == '2';
        banyan_action legal[16];
        const json_t *request = json_array_get(json_object_get(r->last, "rq"), (size_t)player);
        int n = legal_actions(before, player, legal);
        if (reader_has(legal, n, pokemon_json_choice(before, player, request, what)))
            return "a choice that Showdown refused is legal by Banyan's rules";
    }
    return NULL;
}

static enum banyan_status reader_first(struct reader *r, const json_t *step,
                                       const struct pokemon *record)
{
    char setup[READER_TEXT];
    struct banyan_die list[READER_MAX_DICE];
    struct banyan_dice dice;
    struct reader_text note = {{0}, 0, 0};
    char message[200] = "";
    r->whole_there = pokemon_json_teams(r->game, setup, sizeof setup, NULL) == BANYAN_OK &&
                     text_parse(&r->whole, setup, NULL) == BANYAN_OK;
    if (!r->whole_there)
        return BANYAN_OK;
    int count = pokemon_json_dice(json_object_get(step, "rng"), list, READER_MAX_DICE);
    banyan_dice_recorded(&dice, list, count < 0 ? 0 : count);
    setup_start(&r->whole, &dice);
    r->whole_equal =
        reader_dice_fit(&dice, message) && !reader_compare_states(&r->whole, record, &note);
    if (!r->whole_equal) {
        records_differ(r->report, r->source, "game %d start: %s%s", r->game_id, message, note.out);
        ++r->failed;
    }
    return BANYAN_OK;
}

/* Completes what is not recorded: which move a Max move was, and what a transformed Pokémon used
 * before. The game played from its teams knows it, as long as it agrees with the record. */
static void reader_recall(const struct reader *r, struct pokemon *before)
{
    for (int side = 0; side < 2 && r->whole_there && r->whole_equal; ++side) {
        const struct pokemon_active *known = &r->whole.sides[side].active;
        struct pokemon_active *active = &before->sides[side].active;
        if (active->last_move == known->last_move)
            active->last_base = known->last_base;
        int at = before->sides[side].order[0];
        if (active->flags & ACTIVE_TRANSFORMED)
            before->sides[side].mons[at].slots.used = r->whole.sides[side].mons[at].slots.used;
    }
}

static enum banyan_status reader_step(struct reader *r, json_t *step, struct banyan_error *err)
{
    struct pokemon before, after, state;
    char message[200] = "";
    struct reader_text note = {{0}, 0, 0};
    r->step = (int)json_integer_value(json_object_get(step, "n"));
    enum banyan_status status = pokemon_json_state(r->game, step, &after, err);
    if (status != BANYAN_OK)
        return status;
    ++r->report->steps;
    ++r->steps;
    if (!r->last)
        return reader_first(r, step, &after);
    status = pokemon_json_state(r->game, r->last, &before, err);
    if (status != BANYAN_OK)
        return status;
    reader_recall(r, &before);
    state = before;
    const char *refused = reader_refused(r, &before, step);
    bool fits = reader_play(r, &state, step, message);
    int count = reader_compare_states(&state, &after, &note);
    const char *legal = NULL;
    for (int player = 0; player < 2 && !legal; ++player)
        if (after.request[player] != REQUEST_NONE)
            legal = reader_check_legal(r, &after, player,
                                       json_array_get(json_object_get(step, "rq"), (size_t)player));
    double ours = 1, theirs = 1;
    if (fits && !count && reader_odds(r, &before, step, &ours, &theirs)) {
        snprintf(message, sizeof message, "probability %.9f, recorded %.9f", ours, theirs);
        fits = false;
    }
    bool failed = !fits || count || legal || refused;
    if (failed)
        records_differ(r->report, r->source, "game %d step %d: %s%s%s%s%s", r->game_id, r->step,
                       message, *message ? "; " : "", note.out, legal ? legal : "",
                       refused ? refused : "");
    r->failed += failed;
    reader_count_step(r, &before, &after, step, failed);
    reader_whole(r, step, &after);
    return BANYAN_OK;
}

/* --- a file --- */

static void reader_end(struct reader *r, const json_t *end)
{
    const char *winner = json_string_value(json_object_get(end, "winner"));
    static const char *const names[] = {"cut", "p1", "p2", "tie"};
    bool cut = winner && strcmp(winner, "cut") == 0;
    if (r->whole_there && r->whole_equal && winner &&
        (cut || strcmp(winner, names[r->whole.winner]) == 0))
        ++r->report->whole;
}

static enum banyan_status reader_line(struct reader *r, const char *line, size_t length,
                                      struct banyan_error *err)
{
    json_error_t why;
    json_t *json = json_loadb(line, length, 0, &why);
    if (!json)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: line %" PRIu64 ": %s", records_path(r->source),
                           records_line_number(r->source), why.text);
    enum banyan_status status = BANYAN_OK;
    const char *type = json_string_value(json_object_get(json, "t"));
    if (type && strcmp(type, "game") == 0) {
        json_decref(r->game);
        json_decref(r->last);
        r->game = json_incref(json);
        r->last = NULL;
        r->whole_there = r->whole_equal = false; /* until its first step */
        r->game_id = (int)json_integer_value(json_object_get(json, "id"));
        ++r->report->games;
    } else if (type && strcmp(type, "end") == 0) {
        reader_end(r, json);
    } else if (type && strcmp(type, "step") == 0 && r->game) {
        status = reader_step(r, json, err);
        json_decref(r->last);
        r->last = json_incref(json);
    } else {
        status =
            banyan_fail(err, BANYAN_CORRUPT, "%s: line %" PRIu64 " is not a record of a battle",
                        records_path(r->source), records_line_number(r->source));
    }
    json_decref(json);
    return status;
}

static enum banyan_status reader_read(const struct banyan_game *game, struct records_source *source,
                                      struct records_report *report, struct banyan_error *err)
{
    struct reader *r = calloc(1, sizeof *r);
    char *line;
    size_t length;
    enum banyan_status status;
    (void)game;
    if (!r)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a reader of battles");
    r->source = source;
    r->report = report;
    report->wholes = true;
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line &&
           !records_stopped(report)) {
        if (length == 0)
            continue;
        status = reader_line(r, line, length, err);
        if (status != BANYAN_OK)
            break;
    }
    reader_print_tags(r);
    json_decref(r->game);
    json_decref(r->last);
    free(r);
    return status;
}

static bool reader_claims(const char *first_line)
{
    return strncmp(first_line, "{\"t\":\"game\"", 11) == 0 &&
           strstr(first_line, "gen8randombattle");
}

const struct records_format records_pokemon = {
    .name = "pokemon",
    .games = "pokemon",
    .help = "battles recorded by showdown_trace.js, one JSON object per line",
    .claims = reader_claims,
    .read = reader_read,
};
