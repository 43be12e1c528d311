/* banyan play: a game at the terminal, or from a pipe. */
#include "cli/play.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "players/program/offers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- words --- */

enum {
    PLAY_DICE = 64,      /* of a move, shown */
    PLAY_SEEDS = 1000000 /* there are this many different seeds: few enough to be typed */
};

enum {
    PLAY_SEAT = 0x1000, /* + player */
    PLAY_BLACK = 'b',
    PLAY_WHITE = 'w',
    PLAY_SEED = 's',
    PLAY_HINT = 0x1100,
    PLAY_SETUP
};

static const struct argp_option play_options[] = {
    {"player1", PLAY_SEAT + 0, "PLAYER", 0,
     "Who plays first: human, random, mcts[:OPTION=VALUE,...], ... (`banyan list`)", 0},
    {"player2", PLAY_SEAT + 1, "PLAYER", 0, "The second player, and so on", 0},
    {"player3", PLAY_SEAT + 2, "PLAYER", 0, NULL, 0},
    {"player4", PLAY_SEAT + 3, "PLAYER", 0, NULL, 0},
    {"player5", PLAY_SEAT + 4, "PLAYER", 0, NULL, 0},
    {"player6", PLAY_SEAT + 5, "PLAYER", 0, NULL, 0},
    {"player7", PLAY_SEAT + 6, "PLAYER", 0, NULL, 0},
    {"player8", PLAY_SEAT + 7, "PLAYER", 0, NULL, 0},
    {"black", PLAY_BLACK, "PLAYER", 0, "The same as --player1", 0},
    {"white", PLAY_WHITE, "PLAYER", 0, "The same as --player2", 0},
    {"setup", PLAY_SETUP, "TEXT", 0, "The same as --position", 0},
    {"seed", PLAY_SEED, "N", 0,
     "Seed of dice, deals and players; default: 1, or with a human a new one, which is printed", 0},
    {"hint-simulations", PLAY_HINT, "N", 0, "Simulations behind `hint` and `eval`; default 10k", 0},
    {0}};

static error_t play_option(int key, char *arg, struct argp_state *state)
{
    struct play *play = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &play->position;
        return 0;
    case PLAY_BLACK:
        play->seats[0].text = cli_text(state, arg);
        return 0;
    case PLAY_WHITE:
        play->seats[1].text = cli_text(state, arg);
        return 0;
    case PLAY_SETUP:
        play->position.setup = arg;
        return 0;
    case PLAY_SEED:
        play->position.seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_MAX);
        play->seed_given = true;
        return 0;
    case PLAY_HINT:
        play->hint_simulations =
            (uint64_t)cli_integer(state, "--hint-simulations", arg, 1, (int64_t)1e12);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_usage(state, "'%s' is one word too many", arg);
        play->game = play->position.game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            cli_usage(state, "needs a GAME; `banyan list` names them");
        for (int p = play->game->players; p < BANYAN_MAX_PLAYERS; ++p)
            if (play->seats[p].text)
                cli_usage(state, "%s has no player %d: its players are 1 to %d", play->game->name,
                          p + 1, play->game->players);
        return 0;
    default:
        if (key < PLAY_SEAT || key >= PLAY_SEAT + BANYAN_MAX_PLAYERS)
            return ARGP_ERR_UNKNOWN;
        play->seats[key - PLAY_SEAT].text = cli_text(state, arg);
        return 0;
    }
}

/* --- history --- */

static enum banyan_status play_push(struct play *play, const void *state, struct banyan_error *err)
{
    if (play->length == play->room) {
        int room = play->room ? 2 * play->room : 64;
        void *history = realloc(play->history, (size_t)room * play->game->state_size);
        if (history)
            play->history = history;
        unsigned *chose = realloc(play->humans_chose, (size_t)room * sizeof *chose);
        if (chose)
            play->humans_chose = chose;
        if (!history || !chose)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d states", room);
        play->room = room;
    }
    memcpy(play_state(play, play->length), state, play->game->state_size);
    play->humans_chose[play->length++] = 0;
    return BANYAN_OK;
}

/* --- seats --- */

/* Gives empty seats to players: the first one to the human if there is none yet, the others to
 * mcts. Returns the number of humans. */
static int play_seat_defaults(struct play *play)
{
    bool human = false;
    for (int p = 0; p < play->game->players; ++p)
        human |= play->seats[p].text && strcmp(play->seats[p].text, "human") == 0;
    int humans = 0;
    for (int p = 0; p < play->game->players; ++p) {
        struct play_seat *seat = &play->seats[p];
        if (!seat->text) {
            seat->text = human ? "mcts" : "human";
            human = true;
        }
        seat->human = strcmp(seat->text, "human") == 0;
        humans += seat->human;
        if (seat->human)
            play->viewer = p;
    }
    if (humans != 1)
        play->viewer = -1;
    return humans;
}

static enum banyan_status play_open_seats(struct play *play, bool make, struct banyan_error *err)
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

/* --- a ply --- */

static enum banyan_status play_engine(struct play *play, int player, banyan_action *action,
                                      struct banyan_error *err)
{
    struct play_seat *seat = &play->seats[player];
    struct banyan_player_clock clock = {.increment_ms = 0};
    struct banyan_player_move move = {.value = NAN};
    char text[PLAY_ACTION];
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = -1;
    enum banyan_status status =
        seat->player.choose(seat->player.ctx, play_now(play), &clock, &move, err);
    if (status != BANYAN_OK)
        return status;
    *action = move.action;
    printf("%s (%s) plays %s", banyan_game_player_name(play->game, player), seat->text,
           show_action(play->game, play_now(play), player, move.action, text, sizeof text));
    if (!isnan(move.value)) {
        if (move.visits)
            printf("   Q %+.2f  N %" PRIu64, move.value * (double)move.visits, move.visits);
        printf("  Q/N %+.4f", move.value);
    }
    if (move.simulations)
        printf("  (%" PRIu64 " simulations, %.1f ms)", move.simulations, move.elapsed_ms);
    putchar('\n');
    return BANYAN_OK;
}

static enum banyan_status play_tell(struct play *play, const void *before,
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

/* Prints the dice of a move with their meaning, unless they would show hidden cards. */
static void play_show_dice(const struct banyan_game *game, const struct banyan_dice *dice)
{
    if (!game->dice_kinds || game->traits & BANYAN_HIDDEN || dice->log_count == 0)
        return;
    printf("dice:");
    for (int i = 0; i < dice->log_count; ++i) {
        const struct banyan_die *die = &dice->log[i];
        if (i == 0 || die->kind != die[-1].kind)
            printf("%s %s", i ? ";" : "", game->dice_kinds[die->kind]);
        if (die->sides == 2)
            printf(die->value ? " succeeds" : " fails");
        else
            printf(" %d", (int)die->value);
    }
    printf("\n");
}

static enum banyan_status play_apply(struct play *play, const banyan_action joint[],
                                     struct banyan_error *err)
{
    struct banyan_dice dice;
    struct banyan_die log[PLAY_DICE];
    banyan_dice_drawn(&dice, &play->rng);
    dice.log = log;
    dice.log_max = PLAY_DICE;
    enum banyan_status status = BANYAN_NO_MEMORY;
    void *next = malloc(play->game->state_size);
    if (next) {
        memcpy(next, play_now(play), play->game->state_size);
        play->game->apply(play->game, next, joint, &dice);
        play_show_dice(play->game, &dice);
        status = play_push(play, next, err);
        free(next);
    } else {
        banyan_fail(err, status, "no memory for a state");
    }
    if (status != BANYAN_OK)
        return status;
    return play_tell(play, play_state(play, play->length - 2), joint, err);
}

static enum banyan_status play_undo(struct play *play, struct banyan_error *err)
{
    int to = play->length - 2;
    while (to >= 0 && !play->humans_chose[to])
        --to;
    if (to < 0) {
        printf("there is nothing to take back\n");
        return BANYAN_OK;
    }
    play->length = to + 1;
    play->humans_chose[to] = 0;
    return play_open_seats(play, false, err);
}

/* All movers choose; *quit: a human has quit. */
static enum banyan_status play_ply(struct play *play, bool *quit, struct banyan_error *err)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    unsigned movers = play->game->movers(play->game, play_now(play));
    for (int p = 0; p < play->game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        if (!play->seats[p].human) {
            enum banyan_status status = play_engine(play, p, &joint[p], err);
            if (status != BANYAN_OK)
                return status;
            continue;
        }
        enum play_answer answer = play_human(play, p, &joint[p]);
        if (answer == PLAY_UNDO)
            return play_undo(play, err);
        if (answer == PLAY_QUIT) {
            *quit = true;
            return BANYAN_OK;
        }
        play->humans_chose[play->length - 1] = 1;
    }
    return play_apply(play, joint, err);
}

static enum banyan_status play_run(struct play *play, struct banyan_error *err)
{
    bool quit = false;
    if (play->seed_new)
        printf("seed %" PRIu64 " (--seed=%" PRIu64 " deals this game again)\n", play->position.seed,
               play->position.seed);
    while (play->game->movers(play->game, play_now(play)) && !quit) {
        putchar('\n');
        show_board(play->game, play_now(play), play->viewer, stdout);
        enum banyan_status status = play_ply(play, &quit, err);
        if (status != BANYAN_OK)
            return status;
    }
    if (quit)
        return BANYAN_OK;
    float returns[BANYAN_MAX_PLAYERS];
    play->game->returns(play->game, play_now(play), returns);
    putchar('\n');
    show_board(play->game, play_now(play), -1, stdout);
    printf("result:");
    for (int p = 0; p < play->game->players; ++p)
        printf(" %s %+g", banyan_game_player_name(play->game, p), (double)returns[p]);
    putchar('\n');
    return BANYAN_OK;
}

static void play_close(struct play *play)
{
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        if (play->seats[p].made)
            banyan_player_close(&play->seats[p].player);
    free(play->history);
    free(play->humans_chose);
}

/* A human wants a new game every time, but may want to repeat one: the seed is printed. */
static void play_new_seed(struct play *play)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mixed = banyan_rng_child((uint64_t)now.tv_sec, "play",
                                      (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
    play->position.seed = 1 + mixed % PLAY_SEEDS;
}

static enum banyan_status play_start(struct play *play, struct banyan_error *err)
{
    void *state;
    int humans = play_seat_defaults(play);
    play->seed_new = humans && !play->seed_given;
    if (play->seed_new)
        play_new_seed(play);
    enum banyan_status status = position_create(&play->position, &state, err);
    if (status != BANYAN_OK)
        return status;
    status = play_push(play, state, err);
    free(state);
    banyan_rng_seed(&play->rng, banyan_rng_child(play->position.seed, "dice", 0));
    return status == BANYAN_OK ? play_open_seats(play, true, err) : status;
}

int cli_play(int argc, char **argv)
{
    struct play play = {.position = {.seed = 1}, .hint_simulations = 10000};
    static const struct argp_child children[] = {{&position_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        play_options,
        play_option,
        "GAME",
        "Plays a game: by default you against a search.\v"
        "For each move of a search Q is the sum of its returns, N its visits, Q/N its mean. While "
        "it is your turn, `help` lists what you can ask. Moves may come from a pipe. Example: "
        "banyan play othello --white=human --black=mcts:simulations=5000",
        children,
        NULL,
        NULL};
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &play);
    play.terminal = isatty(0);
    int code = CLI_OK;
    if (play_start(&play, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_USAGE, &err);
    else if (play_run(&play, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_FAILURE, &err);
    play_close(&play);
    return code;
}
