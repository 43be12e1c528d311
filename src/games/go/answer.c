/* Answers to the last stone: save a chain, capture, kill an eye, play a pattern. */
#include "games/go/answer.h"

#include "base/compiler.h"
#include "games/go/patterns.h"

enum {
    ANSWERS_MAX = 32,
    VITAL_MAX = 6,    /* most points of an eye that one stone can decide */
    ANSWER_INSIDE = 4 /* most stones of a shape that kills from inside */
};

struct answers {
    int points[ANSWERS_MAX], count;
};

/* Adds a point if it is legal and not in the list yet. */
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

static bool answer_is_safe(const struct go_chains *board, int point)
{
    int stones;
    return !go_chains_self_atari(board, point, &stones);
}

bool go_is_eye(const struct go_chains *board, int point)
{
    const uint8_t *at = board->stone + point;
    int width = board->width, own = 1 + board->state->mover, count[4] = {0};
    const uint8_t near[4] = {at[-width], at[-1], at[1], at[width]};
    for (int i = 0; i < 4; ++i)
        if (near[i] != own && near[i] != GO_EDGE)
            return false;
    ++count[at[-width - 1]];
    ++count[at[-width + 1]];
    ++count[at[width - 1]];
    ++count[at[width + 1]];
    return count[3 - own] + (count[GO_EDGE] > 0) < 2;
}

bool go_answer_is_bad(const struct go_chains *board, int point)
{
    return !answer_is_safe(board, point);
}

/* Whether all enemy stones beside a stone belong to chain *enemy; if *enemy is 0, it becomes the
 * chain of the first one. */
static bool answer_one_enemy(const struct go_chains *board, int stone, int *enemy)
{
    int other = 2 - board->state->mover;
    GO_EACH_NEIGHBOUR(board, stone, near)
    {
        if (board->stone[near] != other)
            continue;
        if (*enemy && board->head[near] != *enemy)
            return false;
        *enemy = board->head[near];
    }
    return true;
}

bool go_answer_loses(const struct go_chains *board, int point)
{
    int stones, enemy = 0, own = 1 + board->state->mover;
    if (!go_chains_self_atari(board, point, &stones))
        return false;
    if (stones > ANSWER_INSIDE)
        return true;
    bool inside = answer_one_enemy(board, point, &enemy);
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        if (board->stone[near] != own)
            continue;
        int stone = near;
        do {
            inside = inside && answer_one_enemy(board, stone, &enemy);
            stone = board->next[stone];
        } while (stone != near);
    }
    return !inside;
}

/* Adds the ways to save the mover's chain in atari: to capture a chain beside it, or to extend
 * it. */
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

unsigned go_surrounding(const struct go_chains *board, int point)
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
                go_pattern(mover, go_surrounding(board, point)) && answer_is_safe(board, point))
                answers_add(answers, board, point);
        }
}

/* Writes the empty points that are connected with `first` to region[VITAL_MAX]; returns their
 * number.  0: there are more than VITAL_MAX, or one of them touches a stone that is not of
 * `colour`. */
static int vital_region(const struct go_chains *board, int first, int colour, int region[])
{
    int count = 1;
    region[0] = first;
    for (int i = 0; i < count; ++i)
        GO_EACH_NEIGHBOUR(board, region[i], near)
        {
            int stone = board->stone[near], k = 0;
            if (stone == colour || stone == GO_EDGE)
                continue;
            if (stone != GO_EMPTY)
                return 0;
            while (k < count && region[k] != near)
                ++k;
            if (k == VITAL_MAX)
                return 0;
            region[k] = near;
            count += k == count;
        }
    return count;
}

/* Whether the player who plays first on the point with `most` neighbours decides if a region of
 * `count` points, with `links` pairs of neighbours, becomes one eye or two: any three points, the
 * pyramid, the cross, the bulky five and the rabbity six. */
static bool vital_shape(int count, int links, int most)
{
    return (count == 3 && most == 2) || (count == 4 && most == 3) || (count == 5 && most == 4) ||
           (count == 5 && most == 3 && links == 5) || (count == 6 && most == 4 && links == 6);
}

/* A quick test before vital_region().  True: the empty point is in no eye of 3 to VITAL_MAX points;
 * this holds for most points. */
static bool vital_is_open(const struct go_chains *board, int point, int colour)
{
    int free = 0;
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        int stone = board->stone[near];
        free += stone == GO_EMPTY;
        if (stone != GO_EMPTY && stone != colour && stone != GO_EDGE)
            return true;
    }
    if (free < 3)
        return free == 0;
    unsigned around = go_surrounding(board, point);
    return bits_count64(~(around | around >> 1) & 0x5555) >= VITAL_MAX;
}

/* The point that decides whether an eye becomes one eye or two; 0: there is none.  first: an empty
 * point of the eye; colour: the stones around it. */
static int answer_vital(const struct go_chains *board, int first, int colour)
{
    if (vital_is_open(board, first, colour))
        return 0;
    int region[VITAL_MAX], count = vital_region(board, first, colour, region);
    int vital = 0, most = 0, ends = 0;
    if (count < 3)
        return 0;
    for (int i = 0; i < count; ++i) {
        int neighbours = 0;
        GO_EACH_NEIGHBOUR(board, region[i], near)
        neighbours += board->stone[near] == GO_EMPTY;
        ends += neighbours;
        if (neighbours > most) {
            most = neighbours;
            vital = region[i];
        }
    }
    return vital_shape(count, ends / 2, most) ? vital : 0;
}

/* Adds the vital points of eyes of the last stone's colour beside this stone. */
static void answer_kill(struct answers *answers, const struct go_chains *board, int last)
{
    GO_EACH_NEIGHBOUR(board, last, near)
    {
        int vital =
            board->stone[near] == GO_EMPTY ? answer_vital(board, near, board->stone[last]) : 0;
        if (vital)
            answers_add(answers, board, vital);
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
        answer_kill(&answers, board, last);
    if (answers.count == 0)
        answer_patterns(&answers, board, last);
    return answers.count ? answers.points[rng_below(rng, (uint32_t)answers.count)] : 0;
}
