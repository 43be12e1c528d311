/* Builds the record of a game while it is played. */
#include "records/game_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum banyan_status game_record_no_memory(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the record of a game");
}

enum banyan_status game_record_begin(struct game_record *record, const struct banyan_game *game,
                                     const void *state, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    *record =
        (struct game_record){.game = game, .has_dice = true, .overstepped = -1, .forfeited = -1};
    game->format(game, state, text, sizeof text);
    record->start = strdup(text);
    return record->start ? BANYAN_OK : game_record_no_memory(err);
}

void game_record_free(struct game_record *record)
{
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        free(record->players[p]);
    free(record->start);
    free(record->steps);
    free(record->texts);
    free(record->dice);
    free(record->reason);
    *record = (struct game_record){.overstepped = -1, .forfeited = -1};
}

enum banyan_status game_record_player(struct game_record *record, int player, const char *text,
                                      struct banyan_error *err)
{
    free(record->players[player]);
    record->players[player] = strdup(text);
    return record->players[player] ? BANYAN_OK : game_record_no_memory(err);
}

/* Grows the list for one more element of this size, if `used` elements fill it; false: there is
 * no memory. */
static bool game_record_grow(void **list, int used, int *room, size_t size)
{
    if (used < *room)
        return true;
    int larger = 2 * *room + 64;
    void *grown = realloc(*list, (size_t)larger * size);
    if (!grown)
        return false;
    *list = grown;
    *room = larger;
    return true;
}

static bool game_record_add_text(struct game_record *record, const char *text, size_t length)
{
    if (record->text_used + length > record->text_room) {
        size_t room = 2 * record->text_room + length + 256;
        char *larger = realloc(record->texts, room);
        if (!larger)
            return false;
        record->texts = larger;
        record->text_room = room;
    }
    memcpy(record->texts + record->text_used, text, length);
    record->text_used += length;
    return true;
}

/* Adds the actions of a ply: "a", or "a|b" if several players chose. */
static bool game_record_add_actions(struct game_record *record, const struct game_played *played)
{
    const struct banyan_game *game = record->game;
    char text[BANYAN_TEXT_MAX];
    bool fits = true, first = true;
    for (int p = 0; p < game->players; ++p) {
        if (!(played->movers >> p & 1))
            continue;
        game->action_format(game, played->before, p, played->joint[p], text, sizeof text);
        fits = fits && (first || game_record_add_text(record, "|", 1)) &&
               game_record_add_text(record, text, strlen(text));
        first = false;
    }
    return fits && game_record_add_text(record, "", 1);
}

/* Moves the log of the dice to the record.  If a log was too short for a ply, the game cannot be
 * replayed from it; the record then has no dice at all, and a replay draws them from dice_seed. */
static bool game_record_add_dice(struct game_record *record, struct banyan_dice *dice)
{
    if (!dice)
        return true;
    record->has_dice = record->has_dice && dice->log && dice->log_count < dice->log_max;
    int count = record->has_dice ? dice->log_count : 0;
    dice->log_count = 0;
    for (int i = 0; i < count; ++i) {
        if (!game_record_grow((void **)&record->dice, record->dice_count, &record->dice_room,
                              sizeof *record->dice))
            return false;
        record->dice[record->dice_count++] = dice->log[i];
    }
    return true;
}

enum banyan_status game_record_step(struct game_record *record, const struct game_played *played,
                                    struct banyan_error *err)
{
    if (!game_record_grow((void **)&record->steps, record->plies, &record->room,
                          sizeof *record->steps))
        return game_record_no_memory(err);
    struct game_step *step = &record->steps[record->plies];
    *step = (struct game_step){
        .movers = played->movers, .text = record->text_used, .dice_first = record->dice_count};
    for (int p = 0; p < record->game->players; ++p) {
        step->joint[p] = played->movers >> p & 1 ? played->joint[p] : 0;
        step->thoughts[p] = played->thoughts ? played->thoughts[p]
                                             : (struct game_thought){.value = (double)NAN,
                                                                     .elapsed_ms = (double)NAN};
    }
    if (!game_record_add_actions(record, played) || !game_record_add_dice(record, played->dice))
        return game_record_no_memory(err);
    step->dice_count = record->dice_count - step->dice_first;
    ++record->plies;
    return BANYAN_OK;
}

void game_record_cut(struct game_record *record, int plies)
{
    if (plies >= record->plies)
        return;
    record->plies = plies;
    record->text_used = record->steps[plies].text;
    record->dice_count = record->steps[plies].dice_first;
    record->finished = false;
}

void game_record_end(struct game_record *record, const void *state)
{
    const struct banyan_game *game = record->game;
    int loser = record->overstepped >= 0 ? record->overstepped : record->forfeited;
    record->finished = loser >= 0 || !game->movers(game, state);
    record->has_points = game->points != NULL;
    if (game->points)
        game->points(game, state, record->points);
    if (record->finished && loser < 0)
        game->returns(game, state, record->returns);
    for (int p = 0; loser >= 0 && p < game->players; ++p)
        record->returns[p] = p == loser ? game->return_min : game->return_max;
}

const char *game_record_text(const struct game_record *record, int ply)
{
    return record->texts + record->steps[ply].text;
}

char *game_record_actions(const struct game_record *record)
{
    char *text = malloc(record->text_used + 1);
    bool blanks = false;
    if (!text)
        return NULL;
    for (size_t i = 0; i < record->text_used; ++i)
        blanks |= record->texts[i] == ' ' || record->texts[i] == ',';
    for (size_t i = 0; i < record->text_used; ++i)
        text[i] = record->texts[i] ? record->texts[i] : blanks ? ';' : ' ';
    text[record->text_used ? record->text_used - 1 : 0] = 0;
    return text;
}
