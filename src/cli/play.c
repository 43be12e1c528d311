/* banyan play: a game at the terminal, or from a pipe. */
#include "cli/play.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- words --- */

enum {
    PLAY_SEEDS = 1000000 /* there are this many different seeds: few enough to be typed */
};

enum {
    PLAY_SEAT = 0x1000, /* + player */
    PLAY_BLACK = 'b',
    PLAY_WHITE = 'w',
    PLAY_SEED = 's',
    PLAY_LEVEL = 'l',
    PLAY_FROM = 'f',
    PLAY_HINT = 0x1100,
    PLAY_SETUP
};

static const struct argp_option play_options[] = {
    {"player1", PLAY_SEAT + 0, "PLAYER", 0,
     "The player who moves first: human, random, mcts[:OPTION=VALUE,...], ... (`banyan list`)", 0},
    {"player2", PLAY_SEAT + 1, "PLAYER", 0, "The second player, and so on", 0},
    {"player3", PLAY_SEAT + 2, "PLAYER", 0, NULL, 0},
    {"player4", PLAY_SEAT + 3, "PLAYER", 0, NULL, 0},
    {"player5", PLAY_SEAT + 4, "PLAYER", 0, NULL, 0},
    {"player6", PLAY_SEAT + 5, "PLAYER", 0, NULL, 0},
    {"player7", PLAY_SEAT + 6, "PLAYER", 0, NULL, 0},
    {"player8", PLAY_SEAT + 7, "PLAYER", 0, NULL, 0},
    {"black", PLAY_BLACK, "PLAYER", 0, "The same as --player1", 0},
    {"white", PLAY_WHITE, "PLAYER", 0, "The same as --player2", 0},
    {"level", PLAY_LEVEL, "N", 0,
     "How strong the other players are, 1 being the weakest; default: the best (`banyan list "
     "GAME`)",
     0},
    {"from", PLAY_FROM, "FILE[:GAME][:PLY]", 0,
     "Go on with a saved game (`save`, `banyan match --save`), at its end or at a ply", 0},
    {"setup", PLAY_SETUP, "TEXT", 0, "The same as --position", 0},
    {"seed", PLAY_SEED, "N", 0,
     "Seed of dice, deals and players; default: 1, or with a human a new one, which is printed", 0},
    {"hint-simulations", PLAY_HINT, "N", 0,
     "Simulations of the search for `hint` and `eval`; default 10k", 0},
    {0}};

/* Reads the game that --from names. */
static void play_option_from(struct play *play, const struct argp_state *state)
{
    struct banyan_error err;
    if (!play->from)
        return;
    if (play->position.setup || play->position.moves)
        cli_usage(state, "--from has its own position: leave --position and --moves out");
    if (play_find(play, play->from, &err) != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

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
    case PLAY_LEVEL:
        snprintf(play->level, sizeof play->level, "level:%d",
                 (int)cli_integer(state, "--level", arg, 1, 99));
        play->level_given = true;
        return 0;
    case PLAY_FROM:
        play->from = arg;
        return 0;
    case PLAY_HINT:
        play->hint_simulations =
            (uint64_t)cli_integer(state, "--hint-simulations", arg, 1, (int64_t)1e12);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        play->game = play->position.game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        play_option_from(play, state);
        if (!play->game)
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

/* --- seats --- */

void play_seat_defaults(struct play *play)
{
    bool human = false;
    for (int p = 0; p < play->game->players; ++p)
        human |= play->seats[p].text && strcmp(play->seats[p].text, "human") == 0;
    for (int p = 0; p < play->game->players; ++p) {
        struct play_seat *seat = &play->seats[p];
        if (!seat->text) {
            seat->text = human ? play->level : "human";
            human = true;
        }
        seat->human = strcmp(seat->text, "human") == 0;
        play->humans += seat->human;
        if (seat->human)
            play->viewer = p;
    }
    if (play->humans != 1)
        play->viewer = -1;
}

/* Whether a human plays: a seat is the human's, or free, so that the human takes it. */
static bool play_has_human(const struct play *play)
{
    for (int p = 0; p < play->game->players; ++p)
        if (!play->seats[p].text || strcmp(play->seats[p].text, "human") == 0)
            return true;
    return false;
}

/* --- the game --- */

/* The first lines that the human reads. */
static void play_greet(const struct play *play)
{
    if (play->seed_new)
        printf("seed %" PRIu64 " (--seed=%" PRIu64 " deals this game again)\n", play->position.seed,
               play->position.seed);
    if (play->humans)
        printf("%s: `help` lists what you can type.\n", play->game->title);
}

static void play_print_result(const struct play *play)
{
    float returns[BANYAN_MAX_PLAYERS];
    play->game->returns(play->game, play_now(play), returns);
    putchar('\n');
    show_board(play->game, play_now(play), -1, stdout);
    printf("%sresult:", play->style.prompt);
    for (int p = 0; p < play->game->players; ++p)
        printf(" %s %+g", banyan_game_player_name(play->game, p), (double)returns[p]);
    printf("%s\n", play->style.off);
}

/* Whether the position is drawn now: if a human chooses, or if no seat has a human. */
static bool play_is_drawn(const struct play *play, unsigned movers)
{
    for (int p = 0; p < play->game->players; ++p)
        if (movers >> p & 1 && play->seats[p].human)
            return true;
    return play->humans == 0;
}

static enum banyan_status play_run(struct play *play, struct banyan_error *err)
{
    unsigned movers;
    bool quit = false;
    play_greet(play);
    while ((movers = play->game->movers(play->game, play_now(play))) && !quit) {
        if (play_is_drawn(play, movers)) {
            putchar('\n');
            play_show_board(play);
        }
        enum banyan_status status = play_turn(play, &quit, err);
        if (status != BANYAN_OK)
            return status;
    }
    if (!quit)
        play_print_result(play);
    return BANYAN_OK;
}

static void play_close(struct play *play)
{
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        if (play->seats[p].made)
            banyan_player_close(&play->seats[p].player);
    play_lines_close(play->lines);
    game_record_free(&play->record);
    free(play->history);
    free(play->steps);
    free(play->log);
}

/* Chooses a seed by the clock: a human wants a new game every time.  Few seeds are possible, so that it is easy to
 * type one again. */
static void play_new_seed(struct play *play)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mixed = banyan_rng_child((uint64_t)now.tv_sec, "play",
                                      (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
    play->position.seed = 1 + mixed % PLAY_SEEDS;
}

/* Begins a new game, up to its first state. */
static enum banyan_status play_deal(struct play *play, struct banyan_error *err)
{
    void *state;
    play_seat_defaults(play);
    if (play->humans && !play->position.setup)
        play->position.setup = play->game->person_setup;
    enum banyan_status status = position_create(&play->position, &state, err);
    if (status != BANYAN_OK)
        return status;
    status = play_push(play, state, err);
    free(state);
    return status == BANYAN_OK ? play_record_begin(play, err) : status;
}

static enum banyan_status play_start(struct play *play, struct banyan_error *err)
{
    if (!play->lines)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    play->seed_new = !play->seed_given && play_has_human(play);
    if (play->seed_new)
        play_new_seed(play);
    banyan_rng_seed(&play->rng, banyan_rng_child(play->position.seed, "dice", 0));
    enum banyan_status status = play->from ? play_restore(play, err) : play_deal(play, err);
    return status == BANYAN_OK ? play_open_seats(play, true, err) : status;
}

int cli_play(int argc, char **argv)
{
    struct play play = {.position = {.seed = 1}, .hint_simulations = 10000, .level = "best"};
    static const struct argp_child children[] = {{&position_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        play_options,
        play_option,
        "GAME\n--from=FILE",
        "Plays a game: by default you play against the game's best player, or against that of "
        "--level.\v"
        "For each move of a search Q is the sum of its returns, N its visits, Q/N its mean. While "
        "it is your turn, `help` lists what you can ask. Moves may come from a pipe. Example: "
        "banyan play othello --white=human --black=mcts:simulations=5000",
        children,
        NULL,
        NULL};
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &play);
    play.stop = interrupt_watch();
    play_style_open(&play.style);
    play.lines = play_lines_open();
    int code = CLI_OK;
    enum banyan_status status = play_start(&play, &err);
    if (status != BANYAN_OK)
        code = cli_fail(argv[0], status == BANYAN_INTERRUPTED ? CLI_INTERRUPTED : CLI_USAGE, &err);
    else if (play_run(&play, &err) != BANYAN_OK)
        code = cli_fail(argv[0], CLI_FAILURE, &err);
    play_close(&play);
    return code;
}
