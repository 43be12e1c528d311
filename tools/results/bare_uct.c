/* A search of one game with nothing else in it: how fast plain UCT can be on this machine.
 *
 *     cc -O3 -march=native -o bare_uct tools/results/bare_uct.c -lm
 *     ./bare_uct othello|ttt SIMULATIONS    UCT from the start, c = sqrt 2 for results of -1..1
 *     ./bare_uct play othello SECONDS       random games from the start
 *     ./bare_uct perft DEPTH                positions of Othello, the last ply not played
 *
 * One thread, nodes of 16 bytes in one array, children side by side, made at a node's second visit.
 * No options, no limits, no checks.  Needs AVX2 and BMI2.  tools/results/speed.sh compares Banyan
 * with it. */
#define _POSIX_C_SOURCE 200809L
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum game { OTHELLO, TICTACTOE };
enum { PLIES = 130, MOVES = 34 };

/* A board as the player to move sees it. */
struct board {
    uint64_t own, foe;
};

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 0x5851f42d4c957f2dull + 0x14057b7ef767814full;
    return (uint32_t)((random_state >> 32) * n >> 32);
}

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- Othello: four directions to either side at once --- */

static uint64_t join(__m256i x)
{
    __m128i two = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_extract_epi64(two, 0) | (uint64_t)_mm_extract_epi64(two, 1);
}

/* The discs of the foe that form lines from `from`: towards higher squares in *up, lower ones in
 * *down. */
static void othello_lines(uint64_t from, uint64_t foe, __m256i *up, __m256i *down)
{
    const __m256i by = _mm256_setr_epi64x(1, 7, 8, 9), twice = _mm256_add_epi64(by, by);
    const __m256i inner =
        _mm256_setr_epi64x(0x7e7e7e7e7e7e7e7e, 0x7e7e7e7e7e7e7e7e, -1, 0x7e7e7e7e7e7e7e7e);
    __m256i start = _mm256_set1_epi64x((int64_t)from);
    __m256i discs = _mm256_and_si256(_mm256_set1_epi64x((int64_t)foe), inner);
    __m256i u = _mm256_and_si256(discs, _mm256_sllv_epi64(start, by));
    __m256i d = _mm256_and_si256(discs, _mm256_srlv_epi64(start, by));
    __m256i pairs_up = _mm256_and_si256(discs, _mm256_sllv_epi64(discs, by));
    __m256i pairs_down = _mm256_and_si256(discs, _mm256_srlv_epi64(discs, by));
    u = _mm256_or_si256(u, _mm256_and_si256(discs, _mm256_sllv_epi64(u, by)));
    d = _mm256_or_si256(d, _mm256_and_si256(discs, _mm256_srlv_epi64(d, by)));
    for (int i = 0; i < 2; ++i) {
        u = _mm256_or_si256(u, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(u, twice)));
        d = _mm256_or_si256(d, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(d, twice)));
    }
    *up = u;
    *down = d;
}

static uint64_t othello_legal(struct board b)
{
    const __m256i by = _mm256_setr_epi64x(1, 7, 8, 9);
    __m256i up, down;
    othello_lines(b.own, b.foe, &up, &down);
    return join(_mm256_or_si256(_mm256_sllv_epi64(up, by), _mm256_srlv_epi64(down, by))) &
           ~(b.own | b.foe);
}

static struct board othello_play(struct board b, uint64_t move)
{
    const __m256i by = _mm256_setr_epi64x(1, 7, 8, 9), none = _mm256_setzero_si256();
    const __m256i own = _mm256_set1_epi64x((int64_t)b.own);
    __m256i up, down;
    othello_lines(move, b.foe, &up, &down);
    __m256i up_ends = _mm256_and_si256(_mm256_sllv_epi64(up, by), own);
    __m256i down_ends = _mm256_and_si256(_mm256_srlv_epi64(down, by), own);
    up = _mm256_andnot_si256(_mm256_cmpeq_epi64(up_ends, none), up);
    down = _mm256_andnot_si256(_mm256_cmpeq_epi64(down_ends, none), down);
    uint64_t flipped = move ? join(_mm256_or_si256(up, down)) : 0;
    return (struct board){b.foe & ~flipped, b.own | flipped | move};
}

/* --- either game; move 0 is a pass --- */

static uint8_t has_line[512];

static void tictactoe_open(void)
{
    static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int i = 0; i < 512; ++i)
        for (int k = 0; k < 8; ++k)
            has_line[i] |= (i & lines[k]) == lines[k];
}

static struct board board_start(enum game game)
{
    return game == OTHELLO ? (struct board){0x0000000810000000, 0x0000001008000000}
                           : (struct board){0, 0};
}

static struct board board_play(enum game game, struct board b, uint64_t move)
{
    return game == OTHELLO ? othello_play(b, move) : (struct board){b.foe, b.own | move};
}

/* The moves; *is_over: there are none, and the game has ended. */
static uint64_t board_legal(enum game game, struct board b, int *is_over)
{
    uint64_t moves = game == OTHELLO         ? othello_legal(b)
                     : has_line[b.foe & 511] ? 0
                                             : ~(b.own | b.foe) & 511;
    *is_over = !moves && (game == TICTACTOE || !othello_legal((struct board){b.foe, b.own}));
    return moves;
}

static float board_result(enum game game, struct board b)
{
    int own = _mm_popcnt_u64(b.own) > _mm_popcnt_u64(b.foe);
    int foe =
        game == OTHELLO ? _mm_popcnt_u64(b.own) < _mm_popcnt_u64(b.foe) : has_line[b.foe & 511];
    return game == OTHELLO ? (float)(own - foe) : (float)-foe;
}

/* The result of a random game, for the player to move in b. */
static float board_playout(enum game game, struct board b)
{
    float sign = 1;
    int is_over;
    for (;; sign = -sign) {
        uint64_t moves = board_legal(game, b, &is_over);
        if (is_over)
            return sign * board_result(game, b);
        uint64_t move =
            moves ? _pdep_u64(1ull << random_below((uint32_t)_mm_popcnt_u64(moves)), moves) : 0;
        b = board_play(game, b, move);
    }
}

/* --- UCT --- */

struct node {
    float sum; /* for the player who moved here */
    uint32_t visits, first;
    uint8_t move, count; /* 64: a pass */
};

static struct node *nodes;
static uint32_t used = 1;

static void expand(struct node *node, uint64_t moves)
{
    node->first = used;
    node->count = (uint8_t)(moves ? _mm_popcnt_u64(moves) : 1);
    for (int i = 0; i < node->count; ++i, moves &= moves - 1)
        nodes[used++] = (struct node){.move = (uint8_t)(moves ? _tzcnt_u64(moves) : 64)};
}

static uint32_t choose(const struct node *node)
{
    float ln = 2 * logf((float)node->visits), best_score = -INFINITY;
    uint32_t best = node->first;
    for (uint32_t i = node->first; i < node->first + node->count; ++i) {
        if (!nodes[i].visits)
            return i;
        float part = 1 / (float)nodes[i].visits;
        float score = nodes[i].sum * part + sqrtf(ln * part);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void simulate(enum game game, struct board b)
{
    uint32_t path[PLIES], at = 0;
    int depth = 0, is_over = 0;
    for (;; ++depth) {
        struct node *node = &nodes[at];
        path[depth] = at;
        if (!node->visits)
            break;
        if (!node->count) {
            uint64_t moves = board_legal(game, b, &is_over);
            if (is_over)
                break;
            expand(node, moves);
        }
        at = choose(node);
        b = board_play(game, b, nodes[at].move < 64 ? 1ull << nodes[at].move : 0);
    }
    float value = -(is_over ? board_result(game, b) : board_playout(game, b));
    for (; depth >= 0; --depth, value = -value) {
        nodes[path[depth]].sum += value;
        ++nodes[path[depth]].visits;
    }
}

static void search(enum game game, long simulations)
{
    struct board start = board_start(game);
    nodes = calloc((size_t)simulations * MOVES / 4 + MOVES, sizeof *nodes);
    if (!nodes)
        exit(1);
    double begin = cpu_s();
    for (long i = 0; i < simulations; ++i)
        simulate(game, start);
    double spent = cpu_s() - begin;
    printf("nodes=%u mean=%.4f sims/s=%.0f\n", used, nodes[0].sum / (float)nodes[0].visits,
           (double)simulations / spent);
}

static uint64_t perft(struct board b, int depth)
{
    uint64_t count = 0;
    int is_over;
    if (depth == 0)
        return 1;
    uint64_t moves = board_legal(OTHELLO, b, &is_over);
    if (is_over)
        return 1;
    if (depth == 1)
        return moves ? (uint64_t)_mm_popcnt_u64(moves) : 1;
    if (!moves)
        return perft(othello_play(b, 0), depth - 1);
    for (; moves; moves &= moves - 1)
        count += perft(othello_play(b, moves & (~moves + 1)), depth - 1);
    return count;
}

static void play(double seconds)
{
    struct board start = board_start(OTHELLO);
    double begin = cpu_s(), now = begin, sum = 0;
    long games = 0;
    for (; now - begin < seconds; now = cpu_s(), games += 1000)
        for (int i = 0; i < 1000; ++i)
            sum += board_playout(OTHELLO, start);
    printf("mean=%.4f playouts/s=%.0f\n", sum / (double)games, (double)games / (now - begin));
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    tictactoe_open();
    if (strcmp(what, "othello") == 0) {
        search(OTHELLO, atol(argv[2]));
    } else if (strcmp(what, "ttt") == 0) {
        search(TICTACTOE, atol(argv[2]));
    } else if (strcmp(what, "play") == 0 && argc > 3) {
        play(atof(argv[3]));
    } else if (strcmp(what, "perft") == 0) {
        double begin = cpu_s();
        uint64_t leaves = perft(board_start(OTHELLO), atoi(argv[2]));
        printf("positions=%llu leaves/s=%.0f\n", (unsigned long long)leaves,
               (double)leaves / (cpu_s() - begin));
    } else {
        fprintf(stderr, "bare_uct othello|ttt SIMULATIONS, play othello SECONDS, or perft DEPTH\n");
        return 2;
    }
    return 0;
}
