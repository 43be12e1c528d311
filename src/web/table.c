/* Plays a game between persons at the page and players of the program. */
#include "web/table.h"

#include "base/clock.h"
#include "base/movers.h"
#include "base/text.h"
#include "players/program/offers.h"
#include "web/describe.h"
#include "json/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_LOG = 60, TABLE_TEXT = 512, TABLE_DICE = 1024 };

static void *table_state(const struct table *table, int ply)
{
    return table->states + (size_t)ply * table->game->state_size;
}

static void *table_now(const struct table *table)
{
    return table_state(table, table->record.plies);
}

/* Who must choose; nobody after a loss on time. */
static unsigned table_movers(const struct table *table)
{
    return table->clocks.lost < 0 ? table->game->movers(table->game, table_now(table)) : 0;
}

/* From whose side the page sees the game; -1: everything. */
static int table_viewer(const struct table *table)
{
    if (!(table->game->traits & BANYAN_HIDDEN) || !table->persons)
        return -1;
    unsigned choosing = table_movers(table) & table->persons & ~table->chosen;
    return movers_first(choosing ? choosing : table->persons);
}

static bool table_keeps_secrets(const struct table *table)
{
    return table->game->traits & BANYAN_HIDDEN && table->persons && table_movers(table);
}

/* --- open --- */

static enum banyan_status table_sit(struct table *table, int player, const char *text,
                                    struct banyan_error *err)
{
    struct table_seat *seat = &table->seats[player];
    seat->text = strdup(text);
    if (!seat->text)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a player");
    if (strcmp(text, "human") == 0) {
        table->persons |= 1u << player;
        return BANYAN_OK;
    }
    return banyan_player_create(table->game, text, program_offers_inside,
                                banyan_rng_child(table->seed, "player", (uint64_t)player),
                                &seat->player, err);
}

static enum banyan_status table_seat(struct table *table, const char *seats,
                                     struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < table->game->players && status == BANYAN_OK; ++p) {
        char text[TABLE_TEXT];
        size_t length = strcspn(seats, "\n");
        if (length == 0 || length >= sizeof text)
            return banyan_fail(err, BANYAN_INVALID,
                               "each of the %d players needs a line with a name",
                               table->game->players);
        memcpy(text, seats, length);
        text[length] = 0;
        status = table_sit(table, p, text, err);
        seats += length + (seats[length] == '\n');
    }
    return status;
}

/* Opens all players at the present position.  They choose by seed and state, so any position may begin their game. */
static enum banyan_status table_greet(struct table *table, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < table->game->players && status == BANYAN_OK; ++p) {
        struct banyan_player *player = &table->seats[p].player;
        uint64_t seed = banyan_rng_child(table->seed, "seat", (uint64_t)p);
        if (player->open)
            status = player->open(player->ctx, table_now(table), p, seed, err);
    }
    return status;
}

static bool table_make_room(struct table *table, int plies)
{
    if (plies <= table->room)
        return true;
    int room = 2 * plies + 16;
    unsigned char *states = realloc(table->states, (size_t)room * table->game->state_size);
    if (!states)
        return false;
    table->states = states;
    table->room = room;
    return true;
}

static enum banyan_status table_begin(struct table *table, const struct table_question *question,
                                      struct banyan_error *err)
{
    const char *position =
        question->position && *question->position ? question->position : table->game->person_setup;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(table->seed, "position", 0));
    memset(table->states, 0, table->game->state_size);
    enum banyan_status status = table->game->init(table->game, table->states, position, &rng, err);
    if (status == BANYAN_OK)
        status = game_record_begin(&table->record, table->game, table->states, err);
    return status;
}

/* Replays a record up to its end. */
static enum banyan_status table_load(struct table *table, const char *line,
                                     struct banyan_error *err)
{
    struct game_replay replay;
    enum banyan_status status = game_record_parse(&table->record, line, strlen(line), err);
    if (status != BANYAN_OK)
        return status;
    if (table->record.game != table->game)
        return banyan_fail(err, BANYAN_INVALID, "this is a game of %s", table->record.game->name);
    status = game_replay_begin(&replay, &table->record, err);
    if (status != BANYAN_OK)
        return status;
    for (;;) {
        if (!table_make_room(table, replay.ply + 2)) {
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the game");
            break;
        }
        memcpy(table_state(table, replay.ply), replay.state, table->game->state_size);
        if (replay.ply >= table->record.plies)
            break;
        status = game_replay_next(&replay, err);
        if (status != BANYAN_OK)
            break;
    }
    game_replay_end(&replay);
    return status;
}

enum banyan_status table_open(struct table *table, const struct table_question *question,
                              struct banyan_error *err)
{
    table_close(table);
    const struct banyan_game *game;
    enum banyan_status status = banyan_game_find(question->game, &game, err);
    if (status != BANYAN_OK)
        return status;
    table->game = game;
    table->seed = question->seed;
    clocks_begin(&table->clocks, question->clock_ms, question->increment_ms);
    bool loads = question->record && *question->record;
    status = table_seat(table, question->seats, err);
    if (status == BANYAN_OK && !table_make_room(table, 2))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the game");
    if (status == BANYAN_OK)
        status =
            loads ? table_load(table, question->record, err) : table_begin(table, question, err);
    for (int p = 0; status == BANYAN_OK && p < game->players; ++p)
        status = game_record_player(&table->record, p, table->seats[p].text, err);
    if (status == BANYAN_OK)
        status = table_greet(table, err);
    clocks_start(&table->clocks, clock_now_ms());
    if (status != BANYAN_OK)
        table_close(table);
    return status;
}

void table_close(struct table *table)
{
    banyan_flag *stop = table->stop;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p) {
        banyan_player_close(&table->seats[p].player);
        free(table->seats[p].text);
    }
    if (table->game)
        game_record_free(&table->record);
    free(table->states);
    memset(table, 0, sizeof *table);
    table->stop = stop;
}

/* --- play --- */

enum banyan_status table_choose(struct table *table, int player, const char *text,
                                struct banyan_error *err)
{
    if (!table->game || player >= table->game->players)
        return banyan_fail(err, BANYAN_INVALID, "no game is open in which player %d could choose",
                           player);
    unsigned waiting = table_movers(table) & table->persons & ~table->chosen;
    if (!(waiting >> player & 1))
        return banyan_fail(err, BANYAN_ILLEGAL, "%s does not choose now",
                           banyan_game_player_name(table->game, player));
    enum banyan_status status = table->game->action_parse(table->game, table_now(table), player,
                                                          text, &table->joint[player], err);
    if (status == BANYAN_OK && clocks_stop(&table->clocks, player, clock_now_ms()))
        table->chosen |= 1u << player;
    return status;
}

enum banyan_status table_look_at_clocks(struct table *table, struct banyan_error *err)
{
    if (!table->game)
        return banyan_fail(err, BANYAN_INVALID, "no game is open");
    unsigned waiting = table_movers(table) & table->persons & ~table->chosen;
    for (int p = 0; p < table->game->players; ++p)
        if (waiting >> p & 1)
            clocks_check(&table->clocks, p, clock_now_ms());
    return BANYAN_OK;
}

bool table_is_ready(const struct table *table)
{
    if (!table->game)
        return false;
    unsigned movers = table_movers(table);
    return movers && !(movers & table->persons & ~table->chosen);
}

static enum banyan_status table_ask(struct table *table, int p, struct banyan_error *err)
{
    struct banyan_player *player = &table->seats[p].player;
    const struct banyan_player_clock clock = clocks_for(&table->clocks, table->stop);
    struct banyan_player_move move;
    enum banyan_status status = player->choose(player->ctx, table_now(table), &clock, &move, err);
    if (status != BANYAN_OK)
        return status;
    clocks_stop(&table->clocks, p, clock_now_ms());
    table->joint[p] = move.action;
    table->thoughts[p] = (struct game_thought){move.value, NAN, move.simulations};
    return BANYAN_OK;
}

static enum banyan_status table_tell(struct table *table, struct banyan_error *err)
{
    int plies = table->record.plies;
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < table->game->players && status == BANYAN_OK; ++p) {
        struct banyan_player *player = &table->seats[p].player;
        if (player->observe)
            status = player->observe(player->ctx, table_state(table, plies - 1), table->joint,
                                     table_state(table, plies), err);
    }
    return status;
}

/* Applies the joint action, and records it. */
static enum banyan_status table_apply(struct table *table, unsigned movers,
                                      struct banyan_error *err)
{
    const struct banyan_game *game = table->game;
    int plies = table->record.plies;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die fallen[TABLE_DICE];
    if (!table_make_room(table, plies + 2))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for another ply");
    banyan_rng_seed(&rng, banyan_rng_child(table->seed, "dice", (uint64_t)plies));
    banyan_dice_drawn(&dice, &rng);
    dice.log = fallen;
    dice.log_max = TABLE_DICE;
    memcpy(table_state(table, plies + 1), table_state(table, plies), game->state_size);
    game->apply(game, table_state(table, plies + 1), table->joint, &dice);
    table->chosen = 0;
    return game_record_step(&table->record,
                            &(struct game_played){table_state(table, plies), movers, table->joint,
                                                  &dice, table->thoughts},
                            err);
}

enum banyan_status table_step(struct table *table, bool *played, struct banyan_error *err)
{
    *played = table_is_ready(table);
    if (!*played)
        return BANYAN_OK;
    enum banyan_status status = BANYAN_OK;
    unsigned movers = table_movers(table);
    for (int p = 0; p < table->game->players; ++p)
        table->thoughts[p] = (struct game_thought){NAN, NAN, 0};
    for (int p = 0; p < table->game->players && status == BANYAN_OK; ++p)
        if ((movers & ~table->persons) >> p & 1)
            status = table_ask(table, p, err);
    if (status != BANYAN_OK || table->clocks.lost >= 0)
        return status;
    status = table_apply(table, movers, err);
    clocks_start(&table->clocks, clock_now_ms());
    return status == BANYAN_OK ? table_tell(table, err) : status;
}

enum banyan_status table_undo(struct table *table, struct banyan_error *err)
{
    if (!table->game)
        return banyan_fail(err, BANYAN_INVALID, "no game is open");
    int ply = table->record.plies - 1;
    while (ply >= 0 && !(table->record.steps[ply].movers & table->persons))
        --ply;
    if (ply < 0)
        return banyan_fail(err, BANYAN_INVALID, "there is no choice of yours to take back");
    game_record_cut(&table->record, ply);
    table->chosen = 0;
    clocks_start(&table->clocks, clock_now_ms());
    return table_greet(table, err);
}

/* --- look --- */

/* The dice of a ply in words; "" where they may tell what is hidden. */
static json_t *table_dice(const struct table *table, const struct game_step *step)
{
    char words[TABLE_TEXT] = "";
    struct text text = text_start(words, sizeof words);
    if (!(table->game->traits & BANYAN_HIDDEN) && step->dice_count)
        text_add_dice(&text, table->game->dice_kinds, table->record.dice + step->dice_first,
                      step->dice_count);
    return json_string(words);
}

/* What happened in a ply, in words, as viewer saw it. */
static void table_add_step(const struct table *table, int ply, int viewer, json_t *log)
{
    const struct banyan_game *game = table->game;
    const struct game_step *step = &table->record.steps[ply];
    char text[BANYAN_TEXT_MAX] = "";
    size_t length = 0;
    if (game->tell)
        length = (size_t)game->tell(game,
                                    &(struct banyan_step){table_state(table, ply),
                                                          table_state(table, ply + 1), step->joint},
                                    viewer, text, sizeof text);
    for (int p = 0; !game->tell && p < game->players; ++p) {
        char action[TABLE_TEXT];
        if (!(step->movers >> p & 1) || (viewer >= 0 && viewer != p) || length >= sizeof text)
            continue;
        show_action(game, table_state(table, ply), p, step->joint[p], action, sizeof action);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s: %s",
                                   length ? ", " : "", banyan_game_player_name(game, p), action);
    }
    if (*text)
        json_array_append_new(log, json_pack("{s:i, s:s, s:o}", "ply", ply + 1, "text", text,
                                             "dice", table_dice(table, step)));
}

/* Whether the page may see what a player of the program thought of the last ply: the player simulated, and hidden cards
 * are not given away. */
static bool table_tells(const struct table *table, int p)
{
    return table->record.plies > 0 && !table_keeps_secrets(table) && table->thoughts[p].simulations;
}

static json_t *table_thoughts(const struct table *table)
{
    json_t *out = json_array();
    for (int p = 0; p < table->game->players; ++p)
        json_array_append_new(out, table_tells(table, p) ? show_number(table->thoughts[p].value)
                                                         : json_null());
    return out;
}

static json_t *table_simulations(const struct table *table)
{
    json_t *out = json_array();
    for (int p = 0; p < table->game->players; ++p)
        json_array_append_new(out, table_tells(table, p)
                                       ? json_integer((json_int_t)table->thoughts[p].simulations)
                                       : json_null());
    return out;
}

static json_t *table_bits(unsigned bits)
{
    json_t *out = json_array();
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        if (bits >> p & 1)
            json_array_append_new(out, json_integer(p));
    return out;
}

json_t *table_json(const struct table *table)
{
    int viewer = table_keeps_secrets(table) ? table_viewer(table) : -1;
    unsigned waiting = table_movers(table) & table->persons & ~table->chosen;
    unsigned eyes = viewer < 0 ? waiting : waiting & 1u << viewer;
    int plies = table->record.plies, undo = plies - 1;
    json_t *log = json_array();
    for (int ply = plies > TABLE_LOG ? plies - TABLE_LOG : 0; ply < plies; ++ply)
        table_add_step(table, ply, viewer, log);
    while (undo >= 0 && !(table->record.steps[undo].movers & table->persons))
        --undo;
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:b, s:o}", "t", "table", "position",
        describe_position(table->game, table_now(table), viewer, eyes), "waiting",
        table_bits(waiting), "log", log, "values", table_thoughts(table), "simulations",
        table_simulations(table), "plies", plies, "can_undo", undo >= 0, "thinking",
        table_is_ready(table), "clocks",
        clocks_json(&table->clocks, table->game->players, table_movers(table), clock_now_ms()));
}

char *table_record(struct table *table, struct banyan_error *err)
{
    char *text = NULL;
    size_t length;
    if (!table->game || table_keeps_secrets(table)) {
        banyan_fail(err, BANYAN_INVALID,
                    table->game ? "a game with hidden cards can be saved only when it is over"
                                : "no game is open");
        return NULL;
    }
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the record");
        return NULL;
    }
    table->record.overstepped = table->clocks.lost;
    game_record_end(&table->record, table_now(table));
    enum banyan_status status = game_record_write(&table->record, file, err);
    if (fclose(file) == 0 && status == BANYAN_OK)
        return text;
    free(text);
    return NULL;
}

enum banyan_status table_hint(struct table *table, int player, json_t **out,
                              struct banyan_error *err)
{
    struct banyan_player best;
    struct banyan_player_move move;
    char text[TABLE_TEXT];
    struct banyan_player_clock clock = {.stop = table->stop};
    for (int i = 0; i < BANYAN_MAX_PLAYERS; ++i)
        clock.left_ms[i] = -1;
    if (!table->game || player >= table->game->players ||
        !((table_movers(table) & table->persons) >> player & 1))
        return banyan_fail(err, BANYAN_INVALID, "no game is open in which player %d chooses",
                           player);
    enum banyan_status status =
        banyan_player_create(table->game, "best", program_offers_inside, table->seed, &best, err);
    if (status != BANYAN_OK)
        return status;
    status = best.open(best.ctx, table_now(table), player, table->seed, err);
    if (status == BANYAN_OK)
        status = best.choose(best.ctx, table_now(table), &clock, &move, err);
    if (status == BANYAN_OK)
        *out = json_pack(
            "{s:s, s:o}", "action",
            show_action(table->game, table_now(table), player, move.action, text, sizeof text),
            "value", show_number(move.value));
    banyan_player_close(&best);
    return status;
}
