/* Answers to the last stone: save, capture, patterns. */
#include "games/go/answer.h"
#include "games/go/patterns.h"

enum { ANSWERS_MAX = 32 };

struct answers {
    int points[ANSWERS_MAX], count;
};

/* Adds a point if it is legal and not there yet. */
static void answers_add(struct answers *answers, const struct go_chains *board, int point)
{
    for (int i = 0; i < answers->count; ++i)
        if (answers->points[i] == point)
            return;
    if (answers->count < ANSWERS_MAX && go_chains_legal(board, point))
        answers->points[answers->count++] = point;
}

static const struct go_chain *answer_chain(const struct go_chains *board, int stone)
{
    return &board->chain[board->head[stone]];
}

/* The only liberty of a chain in atari. */
static int answer_liberty(const struct go_chain *chain)
{
    return (int)(chain->sum / chain->count);
}

/* Whether a stone of the mover on a point captures, has two empty neighbours, or joins a chain that
 * has more liberties than this one. */
static bool answer_is_safe(const struct go_chains *board, int point)
{
    int own = 1 + board->state->mover, empty = 0;
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        int stone = board->stone[near];
        if (stone == GO_EMPTY) {
            ++empty;
            continue;
        }
        if (stone == GO_EDGE)
            continue;
        const struct go_chain *chain = answer_chain(board, near);
        if (stone == own ? !go_chain_in_atari(chain) && chain->count > 2 : go_chain_in_atari(chain))
            return true;
    }
    return empty >= 2;
}

bool go_answer_is_bad(const struct go_chains *board, int point)
{
    return !answer_is_safe(board, point);
}

/* Ways to save the mover's chain in atari: to take one of its attackers, or to run. */
static void answer_save(struct answers *answers, const struct go_chains *board, int first)
{
    int stone = first, other = 2 - board->state->mover;
    do {
        GO_EACH_NEIGHBOUR(board, stone, near)
        if (board->stone[near] == other && go_chain_in_atari(answer_chain(board, near)))
            answers_add(answers, board, answer_liberty(answer_chain(board, near)));
        stone = board->next[stone];
    } while (stone != first);
    int liberty = answer_liberty(answer_chain(board, first));
    if (answer_is_safe(board, liberty))
        answers_add(answers, board, liberty);
}

/* The stones on the eight points around, as go_pattern() takes them. */
static unsigned answer_surrounding(const struct go_chains *board, int point)
{
    const uint8_t *at = board->stone + point;
    int width = board->width;
    return (unsigned)(at[-width - 1] | at[-width] << 2 | at[-width + 1] << 4 | at[-1] << 6 |
                      at[1] << 8 | at[width - 1] << 10 | at[width] << 12 | at[width + 1] << 14);
}

static void answer_patterns(struct answers *answers, const struct go_chains *board, int last)
{
    int mover = board->state->mover;
    for (int row = -board->width; row <= board->width; row += board->width)
        for (int column = -1; column <= 1; ++column) {
            int point = last + row + column;
            if (board->stone[point] == GO_EMPTY &&
                go_pattern(mover, answer_surrounding(board, point)) && answer_is_safe(board, point))
                answers_add(answers, board, point);
        }
}

int go_answer(const struct go_chains *board, struct banyan_rng *rng)
{
    struct answers answers = {.count = 0};
    int last = go_chains_last(board), own = 1 + board->state->mover;
    if (!last || board->stone[last] == GO_EMPTY)
        return 0;
    GO_EACH_NEIGHBOUR(board, last, near)
    if (board->stone[near] == own && go_chain_in_atari(answer_chain(board, near)))
        answer_save(&answers, board, near);
    if (go_chain_in_atari(answer_chain(board, last)))
        answers_add(&answers, board, answer_liberty(answer_chain(board, last)));
    if (answers.count == 0)
        answer_patterns(&answers, board, last);
    return answers.count ? answers.points[rng_below(rng, (uint32_t)answers.count)] : 0;
}
