/* The game of Othello that `banyan nboard` works on, and GGF. */
#include "cli/nboard_game.h"

#include "base/compiler.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct othello_state *nboard_game_state(const struct nboard_game *game)
{
    return &game->states[game->plies];
}

enum banyan_status nboard_game_start(struct nboard_game *game, struct banyan_error *err)
{
    game->plies = 0;
    return game->rules->init(game->rules, game->states, NULL, NULL, err);
}

struct othello_state nboard_game_after(const struct nboard_game *game,
                                       const struct othello_state *state, banyan_action action)
{
    const banyan_action joint[2] = {action, action};
    struct othello_state after = *state;
    game->rules->apply(game->rules, &after, joint, NULL);
    return after;
}

int nboard_game_empties(const struct othello_state *state)
{
    return bits_count64(board_empty(othello_board(state), BOARD_AREA_8));
}

int nboard_game_score(const struct othello_state *state)
{
    return board_score(othello_board(state), BOARD_AREA_8);
}

void nboard_game_square(banyan_action action, char out[3])
{
    if (action == OTHELLO_PASS)
        snprintf(out, 3, "PA");
    else
        snprintf(out, 3, "%c%c", 'A' + (int)(action & 7), '1' + (int)(action >> 3 & 7));
}

enum banyan_status nboard_game_move(struct nboard_game *game, const char *text,
                                    struct banyan_error *err)
{
    const struct othello_state *state = nboard_game_state(game);
    char word[16];
    banyan_action action;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, "/ "), text);
    if (!game->rules->movers(game->rules, state) || game->plies == NBOARD_MAX_PLIES)
        return banyan_fail(err, BANYAN_ILLEGAL, "%s: the game is over", word);
    enum banyan_status status =
        game->rules->action_parse(game->rules, state, othello_mover(state), word, &action, err);
    if (status != BANYAN_OK)
        return status;
    game->states[game->plies + 1] = nboard_game_after(game, state, action);
    ++game->plies;
    return BANYAN_OK;
}

/* One property of GGF, NAME[VALUE]. */
struct nboard_property {
    char name[4];
    char value[128];
};

/* Reads the next property and moves *text behind it; false: there is none. */
static bool nboard_next(const char **text, struct nboard_property *out)
{
    const char *open = strchr(*text, '['), *close = open ? strchr(open, ']') : NULL, *name = open;
    if (!close)
        return false;
    while (name > *text && isupper((unsigned char)name[-1]))
        --name;
    snprintf(out->name, sizeof out->name, "%.*s", (int)(open - name), name);
    snprintf(out->value, sizeof out->value, "%.*s", (int)(close - open - 1), open + 1);
    *text = close + 1;
    return true;
}

/* BO[8 ...]: the size, the squares and the side to move. */
static enum banyan_status nboard_board(struct nboard_game *game, const char *value,
                                       struct banyan_error *err)
{
    char *squares;
    long size = strtol(value, &squares, 10);
    if (size != 8)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "BO[%.8s...]: only boards of size 8 are played here", value);
    while (*squares == ' ')
        ++squares;
    game->plies = 0;
    return game->rules->init(game->rules, game->states, squares, NULL, err);
}

/* B[...] or W[...].  A pass of the other side before it may be missing. */
static enum banyan_status nboard_turn(struct nboard_game *game, int player, const char *value,
                                      struct banyan_error *err)
{
    const struct othello_state *state = nboard_game_state(game);
    enum banyan_status status = BANYAN_OK;
    bool turn = othello_mover(state) == player || state->moves & OTHELLO_OVER;
    if (!turn && othello_legal(state))
        return banyan_fail(err, BANYAN_ILLEGAL, "%c[%.8s]: it is %s's turn", "BW"[player], value,
                           player ? "black" : "white");
    if (!turn)
        status = nboard_game_move(game, "PA", err);
    return status == BANYAN_OK ? nboard_game_move(game, value, err) : status;
}

static enum banyan_status nboard_read(struct nboard_game *game, const char *ggf,
                                      struct banyan_error *err)
{
    struct nboard_property property;
    const char *at = ggf;
    bool begun = false;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && nboard_next(&at, &property)) {
        bool black = strcmp(property.name, "B") == 0, white = strcmp(property.name, "W") == 0;
        if (strcmp(property.name, "BO") == 0) {
            status = nboard_board(game, property.value, err);
            begun = true;
        } else if ((black || white) && begun) {
            status = nboard_turn(game, white, property.value, err);
        }
    }
    if (status == BANYAN_OK && !begun)
        return banyan_fail(err, BANYAN_INVALID,
                           "a game in GGF has a board, BO[8 ...]; '%.20s' has none", ggf);
    return status;
}

enum banyan_status nboard_game_read(struct nboard_game *game, const char *ggf,
                                    struct banyan_error *err)
{
    struct nboard_game *read = malloc(sizeof *read);
    if (!read)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    read->rules = game->rules;
    enum banyan_status status = nboard_read(read, ggf, err);
    if (status == BANYAN_OK)
        *game = *read;
    free(read);
    return status;
}
