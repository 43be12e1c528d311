#include "cli/position.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { POSITION_SETUP = 'p', POSITION_MOVES = 'm' };

static const struct argp_option position_options[] = {
    {"position", POSITION_SETUP, "TEXT", 0, "Start from this position, in the game's own text", 0},
    {"moves", POSITION_MOVES, "MOVES", 0,
     "Play these moves first, separated by blanks; those made at once joined by '|'", 0},
    {0}};

static error_t position_option(int key, char *arg, struct argp_state *state)
{
    struct position *position = state->input;
    if (key == POSITION_SETUP)
        position->setup = arg;
    else if (key == POSITION_MOVES)
        position->moves = arg;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

const struct argp position_argp = {position_options, position_option, NULL, NULL, NULL, NULL, NULL};

static int position_first(unsigned movers)
{
    int player = 0;
    while (!(movers >> player & 1))
        ++player;
    return player;
}

enum banyan_status position_parse_joint(const struct banyan_game *game, const void *state,
                                        const char *text, banyan_action joint[],
                                        struct banyan_error *err)
{
    unsigned movers = game->movers(state);
    if (movers == 0)
        return banyan_fail(err, BANYAN_ILLEGAL, "'%s': the game is over", text);
    if ((movers & (movers - 1)) == 0) {
        int player = position_first(movers);
        return game->action_parse(state, player, text, &joint[player], err);
    }
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        char one[256];
        size_t length = strcspn(text, "|");
        if (length == 0 || length >= sizeof one)
            return banyan_fail(err, BANYAN_INVALID,
                               "player %d chooses too: join the actions by '|'", p);
        memcpy(one, text, length);
        one[length] = 0;
        enum banyan_status status = game->action_parse(state, p, one, &joint[p], err);
        if (status != BANYAN_OK)
            return status;
        text += length + (text[length] == '|');
    }
    if (*text)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is one action too many", text);
    return BANYAN_OK;
}

/* Reads the longest beginning of word that is an action; returns its length, 0 for none. */
static size_t position_longest(const struct banyan_game *game, const void *state, char *word,
                               banyan_action joint[])
{
    for (size_t length = strlen(word); length > 0; --length) {
        char kept = word[length];
        word[length] = 0;
        enum banyan_status status = position_parse_joint(game, state, word, joint, NULL);
        word[length] = kept;
        if (status == BANYAN_OK)
            return length;
    }
    return 0;
}

static enum banyan_status position_play_word(const struct banyan_game *game, void *state,
                                             char *word, int *ply, struct banyan_rng *rng,
                                             struct banyan_error *err)
{
    while (*word) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        size_t length = position_longest(game, state, word, joint);
        if (length == 0) {
            struct banyan_error why = {.message = ""};
            enum banyan_status status = position_parse_joint(game, state, word, joint, &why);
            return banyan_fail(err, status, "move %d: %.400s", *ply + 1, why.message);
        }
        struct banyan_dice dice;
        banyan_dice_drawn(&dice, rng);
        game->apply(state, joint, &dice);
        word += length;
        ++*ply;
    }
    return BANYAN_OK;
}

enum banyan_status position_play(const struct banyan_game *game, void *state, const char *moves,
                                 struct banyan_rng *rng, struct banyan_error *err)
{
    char *text = strdup(moves), *rest = text;
    if (!text)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the moves");
    const char *separators = strchr(moves, ';') ? ";\n" : " ,\t\n";
    enum banyan_status status = BANYAN_OK;
    int ply = 0;
    for (char *word; status == BANYAN_OK && (word = strtok_r(rest, separators, &rest)) != NULL;)
        status = position_play_word(game, state, word + strspn(word, " \t"), &ply, rng, err);
    free(text);
    return status;
}

enum banyan_status position_create(const struct position *position, void **state,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = position->game;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(position->seed, "position", 0));
    void *made = calloc(1, game->state_size);
    if (!made)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    enum banyan_status status = game->init(made, position->setup, &rng, err);
    if (status == BANYAN_OK && position->moves)
        status = position_play(game, made, position->moves, &rng, err);
    if (status != BANYAN_OK) {
        free(made);
        made = NULL;
    }
    *state = made;
    return status;
}
