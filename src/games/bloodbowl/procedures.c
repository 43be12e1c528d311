/* The stack of procedures and the loop that runs it
 * (docs/games/bloodbowl-rules.md, "Engine loop"). */
#include "games/bloodbowl/rules.h"

#include <string.h>

struct bb_row {
    bb_asks_fn *asks; /* who must choose; NULL: the procedure never asks */
    bb_start_fn *start;
    bb_step_fn *step;
    bb_end_fn *end;
    bb_choices_fn *choices;
};

static const struct bb_row bb_rows[BB_PROCEDURES] = {
#define PROC(name, text, asks, start, step, end, choices) \
    [BB_##name] = {asks, start, step, end, choices},
#include "procedures.def"
#undef PROC
};

static struct bb_frame *procedures_top(struct bb_state *s)
{
    return &s->frame[s->depth - 1];
}

static void procedures_pop(struct bb_state *s)
{
    memset(&s->frame[--s->depth], 0, sizeof s->frame[0]);
}

/* Removes one finished frame below the top when the stack is nearly full: such a frame only waits
 * for the frames above it.  Frames with an end function stay, and also Turn frames, which bb_purge
 * needs. */
static void procedures_drop_finished(struct bb_play *p)
{
    struct bb_state *s = p->s;
    for (int i = s->depth - 1; i-- > 0;) {
        struct bb_frame *f = &s->frame[i];
        if (!(f->bits & BB_DONE) || bb_rows[f->procedure].end || f->procedure == BB_TURN)
            continue;
        memmove(f, f + 1, (size_t)(s->depth - 1 - i) * sizeof *f);
        procedures_pop(s);
        return;
    }
    assert(!"the stack is full");
}

struct bb_frame *bb_run(struct bb_play *p, enum bb_procedure procedure)
{
    struct bb_state *s = p->s;
    assert(s->depth < BB_DEPTH);
    struct bb_frame *f = &s->frame[s->depth++];
    f->procedure = (uint8_t)procedure;
    f->team = BB_NOBODY;
    f->player = f->other = BB_NONE;
    f->square = f->from = BB_NOWHERE;
    return f;
}

struct bb_frame *bb_run_for(struct bb_play *p, enum bb_procedure procedure, int player)
{
    struct bb_frame *f = bb_run(p, procedure);
    f->player = (uint8_t)player;
    return f;
}

struct bb_frame *bb_run_team(struct bb_play *p, enum bb_procedure procedure, int team)
{
    struct bb_frame *f = bb_run(p, procedure);
    f->team = (uint8_t)team;
    return f;
}

struct bb_frame *bb_top_turn(struct bb_state *s)
{
    for (int i = s->depth; i-- > 0;)
        if (s->frame[i].procedure == BB_TURN)
            return &s->frame[i];
    return NULL;
}

const struct bb_frame *bb_turn_frame(const struct bb_state *s)
{
    for (int i = s->depth; i-- > 0;)
        if (s->frame[i].procedure == BB_TURN)
            return &s->frame[i];
    return NULL;
}

bool bb_quick_snap(const struct bb_state *s)
{
    const struct bb_frame *turn = bb_turn_frame(s);
    return turn && turn->bits & BB_TURN_IS_QUICK_SNAP;
}

bool bb_purge(struct bb_play *p, bool turn_too)
{
    struct bb_state *s = p->s;
    const struct bb_frame *turn = bb_turn_frame(s);
    if (!turn)
        return false;
    int depth = (int)(turn - s->frame) + (turn_too ? 0 : 1);
    while (s->depth > depth)
        procedures_pop(s);
    s->path = 0;
    s->path_left = s->path_action = 0;
    s->path_square = BB_NOWHERE;
    p->base = depth;
    p->gone = true;
    return true;
}

/* Reverses the frames that a step has queued: the first of them must run first, so it must be on
 * top of the stack. */
static void procedures_reverse_queued(struct bb_play *p)
{
    struct bb_frame *low = &p->s->frame[p->base], *high = procedures_top(p->s);
    for (; low < high; ++low, --high) {
        struct bb_frame swap = *low;
        *low = *high;
        *high = swap;
    }
}

static void procedures_end_finished(struct bb_play *p)
{
    struct bb_state *s = p->s;
    while (s->depth > 0 && procedures_top(s)->bits & BB_DONE) {
        struct bb_frame ended = *procedures_top(s);
        procedures_pop(s);
        if (bb_rows[ended.procedure].end)
            bb_rows[ended.procedure].end(p, &ended);
    }
}

static void procedures_step(struct bb_play *p, const struct bb_action *action)
{
    struct bb_state *s = p->s;
    ++p->steps;
    if (s->depth > BB_DEPTH - 8)
        procedures_drop_finished(p);
    struct bb_frame *f = procedures_top(s);
    p->base = s->depth;
    p->gone = false;
    bool done = bb_rows[f->procedure].step(p, f, action);
    if (done && !p->gone)
        f->bits |= BB_DONE;
    procedures_reverse_queued(p);
    procedures_end_finished(p);
    if (s->depth > 0 && !(procedures_top(s)->bits & BB_STARTED)) {
        f = procedures_top(s);
        f->bits |= BB_STARTED;
        p->base = s->depth;
        if (bb_rows[f->procedure].start)
            bb_rows[f->procedure].start(p, f);
    }
}

int bb_asked(const struct bb_state *s)
{
    if (s->over || s->depth == 0)
        return BB_NOBODY;
    const struct bb_frame *f = &s->frame[s->depth - 1];
    bb_asks_fn *asks = bb_rows[f->procedure].asks;
    return asks ? asks(s, f) : BB_NOBODY;
}

void bb_apply(struct bb_state *s, const struct bb_action *action, struct banyan_dice *dice)
{
    static const struct bb_action nothing = {BB_DO_NOTHING, BB_NONE, BB_NOWHERE, 0, 0};
    static const struct bb_action end = {BB_DO_END_PLAYER_TURN, BB_NONE, BB_NOWHERE, 0, 0};
    struct bb_play play = {.s = s, .dice = dice};
    procedures_step(&play, action);
    while (!s->over && s->depth > 0) {
        if (bb_asked(s) == BB_NOBODY)
            procedures_step(&play, &nothing);
        else if (bb_activation_only_ends(s, procedures_top(s)))
            procedures_step(&play, &end);
        else
            return;
    }
}

void bb_list(const struct bb_state *s, struct bb_choices *out, bool annotate)
{
    out->annotate = annotate;
    out->count = out->options = 0;
    if (bb_asked(s) == BB_NOBODY)
        return;
    const struct bb_frame *f = &s->frame[s->depth - 1];
    bb_rows[f->procedure].choices(s, f, out);
}

int bb_ask_away(const struct bb_state *s, const struct bb_frame *f)
{
    (void)f;
    return bb_side(s, BB_AWAY);
}

int bb_ask_team(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return f->team;
}

int bb_ask_player(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return bb_team_of(f->player);
}
