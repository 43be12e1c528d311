/* The pitch as a board that people click: players, the ball, tackle zones, squares of actions. */
#include "games/bloodbowl/board.h"
#include "base/text.h"
#include "games/bloodbowl/rules.h"

#include <banyan/board.h>

#include <ctype.h>
#include <stdio.h>

static int board_cell(const struct bb_state *s, int square)
{
    return bb_variant(s)->width * bb_y(square) + bb_x(square);
}

/* "MA 6 ST 3 AG 3 AV 8, standing; block, dodge": as much of it as there is room for. */
static void board_add_note(const struct bb_state *s, int player, struct banyan_cell *cell)
{
    const struct bb_player *who = &s->player[player];
    struct text text = text_start(cell->note, sizeof cell->note);
    text_add(&text, "MA %d ST %d AG %d AV %d, %s%s", who->ma, who->st, who->ag, who->av,
             bb_is(s, player, BB_UP)        ? "standing"
             : bb_is(s, player, BB_STUNNED) ? "stunned"
                                            : "prone",
             bb_is(s, player, BB_USED) ? ", has acted" : "");
    for (int i = 0, told = 0; i < BB_SKILLS; ++i)
        if (bb_has(who, (enum bb_skill)i)) {
            text_add(&text, "%s", told++ ? ", " : "; ");
            for (const char *at = bb_skill_names[i]; *at; ++at)
                text_add(&text, "%c", *at == '_' ? ' ' : tolower((unsigned char)*at));
        }
}

static void board_add_player(const struct bb_state *s, int player, struct banyan_board *out)
{
    struct banyan_cell *cell = &out->cells[board_cell(s, s->player[player].square)];
    snprintf(cell->mark, sizeof cell->mark, "%d", s->player[player].number);
    cell->owner = (int8_t)bb_team_of(player);
    cell->looks |= BANYAN_CELL_PIECE;
    if (!bb_is(s, player, BB_UP))
        cell->looks |= BANYAN_CELL_DOWN;
    if (bb_is(s, player, BB_USED))
        cell->looks |= BANYAN_CELL_SPENT;
    if (s->active == player)
        cell->looks |= BANYAN_CELL_ACTIVE;
    board_add_note(s, player, cell);
}

/* Marks the squares beside a player who has a tackle zone. */
static void board_add_zone(const struct bb_state *s, int player, struct banyan_board *out)
{
    for (int i = 0; i < 8; ++i) {
        int square = s->player[player].square + bb_direction(s, i);
        if (!bb_out(s, square))
            out->cells[board_cell(s, square)].guards |= (uint8_t)(1 << bb_team_of(player));
    }
}

static void board_add_ground(const struct bb_state *s, struct banyan_board *out)
{
    for (int y = 0; y < out->rows; ++y)
        for (int x = 0; x < out->cols; ++x) {
            struct banyan_cell *cell = &out->cells[out->cols * y + x];
            int square = bb_square(x, y);
            if (bb_out(s, square))
                cell->looks = BANYAN_CELL_ABSENT;
            else if (bb_end_zone(s, square, BB_HOME) || bb_end_zone(s, square, BB_AWAY))
                cell->looks = BANYAN_CELL_DARK;
        }
}

void bb_board(const struct banyan_game *game, const void *state, int viewer,
              struct banyan_board *out)
{
    (void)viewer;
    const struct bb_state *s = state;
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, bb_variant(s)->height, bb_variant(s)->width);
    banyan_board_number(out, 0);
    board_add_ground(s, out);
    for (int player = 0; player < BB_PLAYERS; ++player)
        if (s->player[player].number && bb_on_pitch(s, player)) {
            board_add_player(s, player, out);
            if (bb_has_zone(s, player))
                board_add_zone(s, player, out);
        }
    if (s->ball_out && s->ball != BB_NOWHERE && !bb_out(s, s->ball))
        out->cells[board_cell(s, s->ball)].looks |= BANYAN_CELL_BALL;
}

int bb_board_cells(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, int out[])
{
    (void)player;
    const struct bb_state *s = state;
    struct bb_action a = bb_action_unpack(s, action);
    int n = 0;
    if (a.player != BB_NONE && a.type == BB_DO_PLACE_PLAYER && a.square == BB_NOWHERE)
        return 0; /* off the pitch */
    if (a.player != BB_NONE && bb_on_pitch(s, a.player))
        out[n++] = board_cell(s, s->player[a.player].square);
    if (a.square != BB_NOWHERE && bb_out(s, a.square))
        return 0; /* into the crowd */
    if (a.square != BB_NOWHERE)
        out[n++] = board_cell(s, a.square);
    return n;
}
