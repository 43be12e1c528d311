/* One step of a game at the terminal: the seats choose, the game goes on, and the human is told. */
#include "cli/play.h"
#include "cli/show.h"
#include "players/program/offers.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURN_DICE = 1024 /* dice of a step: more than any game needs */ };

/* --- what is told --- */

static bool turn_log_room(struct play *play, size_t length)
{
    if (play->log_length + length < play->log_room)
        return true;
    size_t room = 2 * play->log_room + length + 1024;
    char *log = realloc(play->log, room);
    if (!log)
        return false;
    play->log = log;
    play->log_room = room;
    return true;
}

/* Prints text, whole lines, and keeps it for `log`. */
static void turn_say(struct play *play, const char *text)
{
    size_t length = strlen(text);
    if (!play->replaying)
        printf("%s%s%s", play->style.event, text, play->style.off);
    if (turn_log_room(play, length)) {
        memcpy(play->log + play->log_length, text, length + 1);
        play->log_length += length;
    }
}

void play_show_board(const struct play *play)
{
    show_board(play->game, play_now(play), play->viewer, stdout);
}

/* --- history --- */

static bool turn_history_room(struct play *play)
{
    if (play->length < play->room)
        return true;
    int room = play->room ? 2 * play->room : 64;
    void *history = realloc(play->history, (size_t)room * play->game->state_size);
    if (history)
        play->history = history;
    struct play_step *steps = realloc(play->steps, (size_t)room * sizeof *steps);
    if (steps)
        play->steps = steps;
    if (!history || !steps)
        return false;
    play->room = room;
    return true;
}

enum banyan_status play_push(struct play *play, const void *state, struct banyan_error *err)
{
    if (!turn_history_room(play))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d states", play->length);
    memcpy(play_state(play, play->length), state, play->game->state_size);
    play->steps[play->length++] =
        (struct play_step){.rng = play->rng, .log_length = play->log_length};
    return BANYAN_OK;
}

static enum banyan_status turn_undo(struct play *play, struct banyan_error *err)
{
    int to = play->length - 2;
    while (to >= 0 && !play->steps[to].humans_chose)
        --to;
    if (to < 0) {
        printf("there is nothing to take back\n");
        return BANYAN_OK;
    }
    play->length = to + 1;
    play->steps[to].humans_chose = 0;
    game_record_cut(&play->record, to);
    play->rng = play->steps[to].rng;
    play->log_length = play->steps[to].log_length;
    if (play->log)
        play->log[play->log_length] = 0;
    return play_open_seats(play, false, err);
}

/* --- seats --- */

enum banyan_status play_open_seats(struct play *play, bool make, struct banyan_error *err)
{
    for (int p = 0; p < play->game->players; ++p) {
        struct play_seat *seat = &play->seats[p];
        uint64_t seed = banyan_rng_child(play->position.seed, "seat", (uint64_t)p);
        if (seat->human)
            continue;
        enum banyan_status status = BANYAN_OK;
        if (make) {
            status = banyan_player_create(play->game, seat->text, program_offers, seed,
                                          &seat->player, err);
            seat->made = status == BANYAN_OK;
        }
        if (status == BANYAN_OK && seat->player.open)
            status = seat->player.open(seat->player.ctx, play_now(play), p, seed, err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

static enum banyan_status turn_choose(struct play *play, int player,
                                      struct banyan_player_move *move, struct banyan_error *err)
{
    struct play_seat *seat = &play->seats[player];
    struct banyan_player_clock clock = {.increment_ms = 0, .stop = play->stop};
    *move = (struct banyan_player_move){.value = NAN};
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = -1;
    return seat->player.choose(seat->player.ctx, play_now(play), &clock, move, err);
}

static enum banyan_status turn_observe(struct play *play, const void *before,
                                       const banyan_action joint[], struct banyan_error *err)
{
    for (int p = 0; p < play->game->players; ++p) {
        struct banyan_player *player = &play->seats[p].player;
        if (play->seats[p].human || !player->observe)
            continue;
        enum banyan_status status =
            player->observe(player->ctx, before, joint, play_now(play), err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

/* --- what happened --- */

/* Whether a human plays from whom something is hidden. */
static bool turn_is_secret(const struct play *play)
{
    return play->humans && play->game->traits & BANYAN_HIDDEN;
}

/* Adds the values of the player's search; not where cards are hidden, because that search knows its own cards. */
static void turn_add_thought(const struct play *play, const struct banyan_player_move *move,
                             char *out, size_t size)
{
    size_t used = strlen(out);
    if (turn_is_secret(play))
        return;
    if (!isnan(move->value) && move->visits)
        used += (size_t)snprintf(out + used, size - used, "   Q %+.2f  N %" PRIu64,
                                 move->value * (double)move->visits, move->visits);
    if (!isnan(move->value))
        used += (size_t)snprintf(out + used, size - used, "  Q/N %+.4f", move->value);
    if (move->simulations)
        snprintf(out + used, size - used, "  (%" PRIu64 " simulations, %.1f ms)", move->simulations,
                 move->elapsed_ms);
}

char *play_name_action(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, char out[PLAY_ACTION])
{
    if (game->describe)
        game->describe(game, state, player, action, out, PLAY_ACTION);
    else
        show_action(game, state, player, action, out, PLAY_ACTION);
    out[strcspn(out, "\t")] = 0;
    return out;
}

/* "white (mcts) plays d3", or "white plays d3" of a human. */
static void turn_say_choice(struct play *play, int player, const struct banyan_player_move *move)
{
    char action[PLAY_ACTION], line[BANYAN_TEXT_MAX + PLAY_ACTION];
    const struct play_seat *seat = &play->seats[player];
    const char *name = banyan_game_player_name(play->game, player);
    play_name_action(play->game, play_now(play), player, move->action, action);
    if (seat->human)
        snprintf(line, sizeof line, "%s plays %s", name, action);
    else
        snprintf(line, sizeof line, "%s (%s) plays %s", name, seat->text, action);
    turn_add_thought(play, move, line, sizeof line - 1);
    strcat(line, "\n");
    turn_say(play, line);
}

/* Says the dice of a step with their meaning, unless they would show hidden cards. */
static void turn_say_dice(struct play *play, const struct banyan_dice *dice)
{
    const struct banyan_game *game = play->game;
    char line[BANYAN_TEXT_MAX] = "dice:";
    size_t used = strlen(line);
    if (!game->dice_kinds || game->traits & BANYAN_HIDDEN || dice->log_count == 0)
        return;
    for (int i = 0; i < dice->log_count && used < sizeof line - 128; ++i) {
        const struct banyan_die *die = &dice->log[i];
        if (i == 0 || die->kind != die[-1].kind)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s %s", i ? ";" : "",
                                     game->dice_kinds[die->kind]);
        if (die->sides == 2)
            used += (size_t)snprintf(line + used, sizeof line - used,
                                     die->value ? " succeeds" : " fails");
        else
            used += (size_t)snprintf(line + used, sizeof line - used, " %d", (int)die->value);
    }
    snprintf(line + used, sizeof line - used, "\n");
    turn_say(play, line);
}

/* Tells the step in the game's own words, if the game has tell(). */
static void turn_say_story(struct play *play, const void *before, const banyan_action joint[])
{
    char text[BANYAN_TEXT_MAX] = "";
    if (!play->game->tell)
        return;
    struct banyan_step step = {.before = before, .after = play_now(play), .joint = joint};
    play->game->tell(play->game, &step, play->viewer, text, sizeof text);
    turn_say(play, text);
}

/* Makes `next`, the result of joint, the present state. */
static enum banyan_status turn_advance(struct play *play, const banyan_action joint[],
                                       const void *next, struct banyan_error *err)
{
    enum banyan_status status = play_push(play, next, err);
    if (status != BANYAN_OK)
        return status;
    turn_say_story(play, play_state(play, play->length - 2), joint);
    play->steps[play->length - 1].log_length = play->log_length;
    return BANYAN_OK;
}

static enum banyan_status turn_apply(struct play *play, unsigned movers,
                                     const banyan_action joint[], struct banyan_error *err)
{
    struct banyan_dice dice;
    struct banyan_die log[TURN_DICE];
    banyan_dice_drawn(&dice, &play->rng);
    dice.log = log;
    dice.log_max = TURN_DICE;
    void *next = malloc(play->game->state_size);
    if (!next)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    memcpy(next, play_now(play), play->game->state_size);
    play->game->apply(play->game, next, joint, &dice);
    turn_say_dice(play, &dice);
    enum banyan_status status = game_record_step(
        &play->record,
        &(struct game_played){
            .before = play_now(play), .movers = movers, .joint = joint, .dice = &dice},
        err);
    if (status == BANYAN_OK)
        status = turn_advance(play, joint, next, err);
    free(next);
    return status == BANYAN_OK ? turn_observe(play, play_state(play, play->length - 2), joint, err)
                               : status;
}

/* --- a step --- */

/* One mover chooses; *answer is PLAY_MOVE if the mover is no human. */
static enum banyan_status turn_ask(struct play *play, int player, struct banyan_player_move *move,
                                   enum play_answer *answer, struct banyan_error *err)
{
    *answer = PLAY_MOVE;
    if (!play->seats[player].human)
        return turn_choose(play, player, move, err);
    *move = (struct banyan_player_move){.value = NAN};
    *answer = play_human(play, player, &move->action);
    return BANYAN_OK;
}

/* Says what was chosen.  If something is hidden from a human and the game has tell(), only tell()
 * speaks. */
static void turn_say_choices(struct play *play, unsigned movers,
                             const struct banyan_player_move moves[])
{
    for (int p = 0; p < play->game->players; ++p)
        if (movers >> p & 1 && !(play->game->tell && turn_is_secret(play)))
            turn_say_choice(play, p, &moves[p]);
}

enum banyan_status play_turn(struct play *play, bool *quit, struct banyan_error *err)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_player_move moves[BANYAN_MAX_PLAYERS];
    unsigned movers = play->game->movers(play->game, play_now(play)), humans = 0;
    for (int p = 0; p < play->game->players; ++p) {
        enum play_answer answer;
        if (!(movers >> p & 1))
            continue;
        enum banyan_status status = turn_ask(play, p, &moves[p], &answer, err);
        if (status == BANYAN_INTERRUPTED || answer == PLAY_QUIT)
            *quit = true;
        if (*quit)
            return BANYAN_OK;
        if (status != BANYAN_OK)
            return status;
        if (answer == PLAY_UNDO)
            return turn_undo(play, err);
        joint[p] = moves[p].action;
        humans |= (unsigned)play->seats[p].human << p;
    }
    play->steps[play->length - 1].humans_chose = humans;
    turn_say_choices(play, movers, moves);
    return turn_apply(play, movers, joint, err);
}

enum banyan_status play_replayed(struct play *play, unsigned movers, const banyan_action joint[],
                                 const void *next, struct banyan_error *err)
{
    struct banyan_player_move moves[BANYAN_MAX_PLAYERS];
    struct play_step *step = &play->steps[play->length - 1];
    for (int p = 0; p < play->game->players; ++p) {
        moves[p] = (struct banyan_player_move){.action = joint[p], .value = NAN};
        step->humans_chose |= (movers >> p & 1u & play->seats[p].human) << p;
    }
    play->replaying = true;
    turn_say_choices(play, movers, moves);
    enum banyan_status status = turn_advance(play, joint, next, err);
    play->replaying = false;
    return status;
}
