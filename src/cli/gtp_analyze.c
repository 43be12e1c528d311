/* Searches of banyan gtp that report while they run, in the forms of Leela Zero and KataGo, which GUIs
 * such as Sabaki, Lizzie and GoGui read:
 *
 *      lz-analyze [COLOUR] [INTERVAL] [NAME VALUE ...]
 *      =
 *      info move E5 visits 90 winrate 5123 ... pv E5 C4 info move ...     every INTERVAL centiseconds
 *                                                                         the next line ends it
 */
#include "cli/gtp.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/ownership.h"
#include "json/result.h"

#include <banyan/tree.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANALYZE_PV_MAX = 16,
    ANALYZE_POLL_MS = 20, /* between looks for the next line */
    ANALYZE_LIMITED_MAX = 64
};

enum gtp_style { STYLE_LZ, STYLE_KATA };

/* The arguments of an analysis command. */
struct gtp_wish {
    enum gtp_style style;
    int player;
    double interval_ms;
    double moves_most;    /* most moves in a report */
    bool ownership, root; /* what KataGo adds at the end of a report */
    const char *limited;  /* "C3,D4": allow or avoid them; NULL: no limit */
    bool avoids;
};

/* A search that reports. */
struct gtp_analysis {
    struct gtp *gtp;
    const struct gtp_wish *wish;
    double next_ms; /* when the next report is due */
};

/* --- arguments --- */

static bool gtp_truth(const char *word)
{
    return strcmp(word, "true") == 0 || strcmp(word, "1") == 0;
}

/* allow or avoid, COLOUR POINTS DEPTH.  Ignored if COLOUR is not the player who is analysed; DEPTH
 * is always ignored. */
static enum banyan_status gtp_wish_limit(struct gtp *gtp, struct gtp_wish *wish, int at,
                                         struct banyan_error *err)
{
    int player;
    if (at + 3 >= gtp->word_count)
        return banyan_fail(err, BANYAN_INVALID, "%s takes a colour, points and a depth",
                           gtp->words[at]);
    enum banyan_status status = gtp_colour(gtp->words[at + 1], &player, err);
    if (status != BANYAN_OK || player != wish->player)
        return status;
    if (wish->limited)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "only one allow or avoid for a colour");
    wish->limited = gtp->words[at + 2];
    wish->avoids = gtp->words[at][1] == 'v';
    return BANYAN_OK;
}

/* Reads a name with its value or values; *at moves behind them. */
static enum banyan_status gtp_wish_pair(struct gtp *gtp, struct gtp_wish *wish, int *at,
                                        struct banyan_error *err)
{
    static const char *const without_effect[] = {"minmoves", "movesownership", "ownershipstdev",
                                                 "pvvisits", "pvedgevisits",   NULL};
    const char *name = gtp->words[*at], *value = gtp->words[*at + 1];
    enum banyan_status status = BANYAN_OK;
    double number;
    if (strcmp(name, "allow") == 0 || strcmp(name, "avoid") == 0) {
        status = gtp_wish_limit(gtp, wish, *at, err);
        *at += 4;
        return status;
    }
    *at += 2;
    if (strcmp(name, "interval") == 0 || strcmp(name, "maxmoves") == 0) {
        status = gtp_number(value, &number, err);
        if (status == BANYAN_OK)
            *(*name == 'i' ? &wish->interval_ms : &wish->moves_most) =
                *name == 'i' ? 10 * number : number;
        return status;
    }
    if (strcmp(name, "ownership") == 0)
        wish->ownership = gtp_truth(value);
    else if (strcmp(name, "rootinfo") == 0)
        wish->root = gtp_truth(value);
    else
        for (int i = 0; strcmp(name, without_effect[i]) != 0;)
            if (!without_effect[++i])
                return banyan_fail(err, BANYAN_INVALID, "'%.20s' is unknown", name);
    return BANYAN_OK;
}

static enum banyan_status gtp_wish_read(struct gtp *gtp, struct gtp_wish *wish,
                                        struct banyan_error *err)
{
    unsigned movers = gtp->game->movers(gtp->game, gtp_state(gtp));
    enum banyan_status status = BANYAN_OK;
    double number;
    int at = 1;
    wish->player = movers == 2;
    wish->moves_most = 1000;
    if (at < gtp->word_count && gtp_colour(gtp->words[at], &wish->player, NULL) == BANYAN_OK)
        ++at;
    if (at < gtp->word_count && gtp_number(gtp->words[at], &number, NULL) == BANYAN_OK) {
        wish->interval_ms = 10 * number;
        ++at;
    }
    while (at < gtp->word_count && status == BANYAN_OK)
        status = at + 1 < gtp->word_count
                     ? gtp_wish_pair(gtp, wish, &at, err)
                     : banyan_fail(err, BANYAN_INVALID, "'%.20s' needs a value", gtp->words[at]);
    if (status == BANYAN_OK && (wish->interval_ms < 0 || wish->interval_ms > 1e9))
        status = banyan_fail(err, BANYAN_INVALID, "the interval is 0 to 100000000 centiseconds");
    return status;
}

/* --- reports --- */

/* The most visited edge of a node; false: none has visits. */
static bool gtp_best_edge(const struct banyan_search *search, banyan_node node, int *index,
                          struct banyan_tree_edge *out)
{
    struct banyan_tree_edge edge;
    bool found = false;
    for (int i = 0; banyan_tree_edge(search, node, i, &edge, sizeof edge); ++i)
        if (edge.move.visits > (found ? out->move.visits : 0)) {
            found = true;
            *index = i;
            *out = edge;
        }
    return found;
}

/* The node behind an edge; 0: none. */
static banyan_node gtp_node_after(const struct banyan_search *search, banyan_node node, int index)
{
    struct banyan_tree_outcome outcome = {.node = 0};
    return banyan_tree_outcomes(search, node, index, &outcome, 1) > 0 ? outcome.node : 0;
}

/* The node behind a root action; 0: none. */
static banyan_node gtp_node_of(const struct banyan_search *search, int player, banyan_action action)
{
    struct banyan_tree_edge edge;
    banyan_node root = banyan_tree_root(search, player, 0);
    for (int i = 0; root && banyan_tree_edge(search, root, i, &edge, sizeof edge); ++i)
        if (edge.move.action == action)
            return edge.is_tried ? gtp_node_after(search, root, i) : 0;
    return 0;
}

/* Adds the principal variation that begins with an action: the most visited edge of each node. */
static void gtp_add_line(const struct gtp *gtp, const struct banyan_search *search, int player,
                         banyan_action action, struct text *text)
{
    const struct banyan_game *game = gtp->game;
    struct banyan_tree_edge edge = {.move = {.action = action}};
    banyan_node node = gtp_node_of(search, player, action);
    void *state = malloc(game->state_size);
    int index;
    char name[64];
    if (!state)
        return;
    memcpy(state, gtp_state(gtp), game->state_size);
    text_add(text, " pv");
    for (int i = 0; i < ANALYZE_PV_MAX; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        int mover = game->movers(game, state) == 2;
        text_add(text, " %s", gtp_vertex(game, state, mover, edge.move.action, name, sizeof name));
        joint[mover] = edge.move.action;
        game->apply(game, state, joint, NULL);
        if (!node || !gtp_best_edge(search, node, &index, &edge))
            break;
        node = gtp_node_after(search, node, index);
    }
    free(state);
}

static void gtp_add_move(const struct gtp_analysis *analysis, const struct banyan_search *search,
                         const struct banyan_search_move *move, int order, struct text *text)
{
    const struct gtp *gtp = analysis->gtp;
    const struct gtp_wish *wish = analysis->wish;
    const struct banyan_game *game = gtp->game;
    char name[64];
    double rate = gtp_winrate(game, move->mean), prior = isnan(move->prior) ? 0 : move->prior;
    double low = gtp_winrate(game, move->mean) - 1 / sqrt((double)move->visits);
    low = low < 0 ? 0 : low;
    gtp_vertex(game, gtp_state(gtp), wish->player, move->action, name, sizeof name);
    if (wish->style == STYLE_LZ)
        text_add(text, "info move %s visits %" PRIu64 " winrate %d prior %d lcb %d order %d", name,
                 move->visits, (int)(10000 * rate), (int)(10000 * prior), (int)(10000 * low),
                 order);
    else
        text_add(text,
                 "info move %s visits %" PRIu64
                 " utility %.6f winrate %.6f prior %.6f lcb %.6f order %d",
                 name, move->visits, 2 * rate - 1, rate, prior, low, order);
    gtp_add_line(gtp, search, wish->player, move->action, text);
    text_add(text, " ");
}

/* Adds what KataGo reports about the position as a whole. */
static void gtp_add_whole(const struct gtp_analysis *analysis, const struct banyan_search *search,
                          struct text *text)
{
    const struct gtp *gtp = analysis->gtp;
    const struct gtp_wish *wish = analysis->wish;
    struct ownership now;
    struct banyan_search_stats stats;
    float values[BANYAN_MAX_PLAYERS];
    double sign = wish->player ? -1 : 1;
    bool known = ownership_estimate(gtp->game, gtp_state(gtp), gtp->seed, &now, NULL) == BANYAN_OK;
    banyan_search_stats(search, &stats, sizeof stats);
    banyan_search_root_values(search, values);
    if (wish->root)
        text_add(text, "rootInfo visits %" PRIu64 " winrate %.6f ", stats.simulations,
                 gtp_winrate(gtp->game, (double)values[wish->player]));
    if (wish->root && known && now.has_points)
        text_add(text, "scoreLead %.3f ", sign * (now.points[0] - now.points[1]));
    if (!wish->ownership || !known)
        return;
    text_add(text, "ownership");
    for (int i = 0; i < now.cells; ++i)
        text_add(text, " %.3f", sign * (double)now.owner[i]);
}

static void gtp_report(const struct gtp_analysis *analysis, const struct banyan_search *search)
{
    const struct gtp_wish *wish = analysis->wish;
    enum { REPORT_MAX = 1 << 17 };
    char *bytes = malloc(REPORT_MAX);
    struct result_row_list list = result_rows(analysis->gtp->game, search, wish->player);
    struct text text = text_start(bytes, bytes ? REPORT_MAX : 0);
    for (int i = 0; i < list.count && i < wish->moves_most; ++i)
        if (list.rows[i].visits > 0)
            gtp_add_move(analysis, search, &list.rows[i], i, &text);
    if (text.length > 0 && (wish->ownership || wish->root))
        gtp_add_whole(analysis, search, &text);
    if (bytes && text.length > 0 && text.length < REPORT_MAX) {
        while (bytes[text.length - 1] == ' ')
            bytes[--text.length] = 0;
        printf("%s\n", bytes);
        fflush(stdout);
    }
    free(list.rows);
    free(bytes);
}

/* --- searches --- */

/* Between simulations: reports if it is time; false as soon as the next line has come. */
static bool gtp_progress(void *ctx, const struct banyan_search *search)
{
    struct gtp_analysis *analysis = ctx;
    if (gtp_input_ready(&analysis->gtp->input, 0))
        return false;
    if (analysis->wish->interval_ms > 0 && clock_now_ms() >= analysis->next_ms) {
        gtp_report(analysis, search);
        analysis->next_ms = clock_now_ms() + analysis->wish->interval_ms;
    }
    return true;
}

/* Applies allow or avoid. */
static enum banyan_status gtp_limit(struct gtp *gtp, const struct gtp_wish *wish,
                                    struct banyan_search *search, struct banyan_error *err)
{
    banyan_action actions[ANALYZE_LIMITED_MAX];
    enum banyan_status status = BANYAN_OK;
    int count = 0;
    for (const char *at = wish->limited; at && *at && status == BANYAN_OK;) {
        char name[32];
        size_t length = strcspn(at, ",");
        if (count == ANALYZE_LIMITED_MAX)
            return banyan_fail(err, BANYAN_UNSUPPORTED, "at most %d points", ANALYZE_LIMITED_MAX);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
        status = gtp->game->action_parse(gtp->game, gtp_state(gtp), wish->player, name,
                                         &actions[count++], err);
    }
    if (status != BANYAN_OK || !wish->limited)
        return status;
    return (wish->avoids ? banyan_search_avoid : banyan_search_allow)(search, wish->player, actions,
                                                                      count, err);
}

/* Lifts the limit of a wish.  search NULL: there is none. */
static void gtp_lift_limit(const struct gtp_wish *wish, struct banyan_search *search)
{
    if (search && wish->limited)
        banyan_search_allow(search, wish->player, NULL, 0, NULL);
}

static void gtp_begin_answer(struct gtp *gtp)
{
    printf("=%s\n", gtp->id);
    fflush(stdout);
    gtp->answering = true;
}

/* Searches until the next line comes. */
static enum banyan_status gtp_search(struct gtp *gtp, const struct gtp_wish *wish,
                                     struct banyan_error *err)
{
    struct banyan_search *search = NULL;
    struct gtp_analysis analysis = {.gtp = gtp, .wish = wish, .next_ms = clock_now_ms()};
    const banyan_flag never = {0};
    struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                          .stop = &never,
                                          .progress = gtp_progress,
                                          .progress_ctx = &analysis,
                                          .progress_ms = ANALYZE_POLL_MS};
    enum banyan_status status = player_search(&gtp->player, gtp_state(gtp), &search, err);
    if (status == BANYAN_OK)
        status = gtp_limit(gtp, wish, search, err);
    if (status != BANYAN_OK) {
        gtp_lift_limit(wish, search);
        return status;
    }
    gtp_begin_answer(gtp);
    status = banyan_search_run(search, &limits, err);
    gtp_report(&analysis, search);
    gtp_lift_limit(wish, search);
    gtp_input_ready(&gtp->input, -1); /* a search that has solved the position ends early */
    return status == BANYAN_INTERRUPTED ? BANYAN_OK : status;
}

static enum banyan_status gtp_analyze(struct gtp *gtp, enum gtp_style style,
                                      struct banyan_error *err)
{
    struct gtp_wish wish = {.style = style};
    int length = gtp->length;
    enum banyan_status status = gtp_wish_read(gtp, &wish, err);
    if (status == BANYAN_OK)
        status = gtp_turn(gtp, wish.player, err);
    if (status == BANYAN_OK)
        status = gtp_search(gtp, &wish, err);
    enum banyan_status back = gtp_back(gtp, length, status == BANYAN_OK ? err : NULL);
    return status == BANYAN_OK ? back : status;
}

/* Chooses a move for the player of the wish, among the moves that the wish allows.  *search: the
 * player's, which keeps the limit if a move was chosen. */
static enum banyan_status gtp_choose_wished(struct gtp *gtp, const struct gtp_wish *wish,
                                            struct banyan_player_move *move,
                                            struct banyan_search **search, struct banyan_error *err)
{
    *search = NULL;
    enum banyan_status status = gtp_turn(gtp, wish->player, err);
    if (status == BANYAN_OK && gtp->seat != wish->player)
        status = gtp_open(gtp, wish->player, err);
    if (status == BANYAN_OK)
        status = player_search(&gtp->player, gtp_state(gtp), search, err);
    if (status == BANYAN_OK)
        status = gtp_limit(gtp, wish, *search, err);
    if (status == BANYAN_OK)
        status = gtp_choose(gtp, wish->player, move, err);
    if (status != BANYAN_OK)
        gtp_lift_limit(wish, *search);
    return status;
}

/* Chooses and plays a move, and reports the search behind it once it has ended. */
static enum banyan_status gtp_genmove_analyze(struct gtp *gtp, enum gtp_style style,
                                              struct banyan_error *err)
{
    struct gtp_wish wish = {.style = style};
    struct banyan_search *search;
    struct banyan_player_move move = {.action = 0};
    char name[64];
    int length = gtp->length;
    enum banyan_status status = gtp_wish_read(gtp, &wish, err);
    if (status == BANYAN_OK)
        status = gtp_choose_wished(gtp, &wish, &move, &search, err);
    if (status != BANYAN_OK) {
        gtp_back(gtp, length, NULL);
        return status;
    }
    gtp_begin_answer(gtp);
    gtp_report(&(struct gtp_analysis){.gtp = gtp, .wish = &wish}, search);
    if (gtp_resigns(gtp, &move)) {
        gtp_lift_limit(&wish, search);
        return gtp_answer(gtp, "play resign");
    }
    gtp_vertex(gtp->game, gtp_state(gtp), wish.player, move.action, name, sizeof name);
    snprintf(gtp->answer, sizeof gtp->answer, "play %s", name);
    return gtp_apply(gtp, wish.player, move.action, err);
}

enum banyan_status gtp_lz_analyze(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_analyze(gtp, STYLE_LZ, err);
}

enum banyan_status gtp_kata_analyze(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_analyze(gtp, STYLE_KATA, err);
}

enum banyan_status gtp_lz_genmove(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_genmove_analyze(gtp, STYLE_LZ, err);
}

enum banyan_status gtp_kata_genmove(struct gtp *gtp, struct banyan_error *err)
{
    return gtp_genmove_analyze(gtp, STYLE_KATA, err);
}
