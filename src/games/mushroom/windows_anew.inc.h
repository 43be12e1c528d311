/* The functions of windows.h for an instruction set that finds all windows again at each ply.  The
 * file is included after windows_fill of that instruction set. */
#ifndef MUSHROOM_WINDOWS_ANEW_H
#define MUSHROOM_WINDOWS_ANEW_H

static inline void windows_number(const struct windows_list *list, uint64_t *out)
{
    windows_number_plain(list, out);
}

/* Nothing is reused from the ply before: all windows are found again. */
struct windows_kept {
    struct windows windows;
};

static inline void windows_keep(const struct mushroom_state *state, struct windows_kept *out)
{
    windows_fill(state, &out->windows);
}

static inline int windows_count(const struct windows_kept *kept)
{
    return windows_hits(&kept->windows);
}

static inline struct rectangle windows_pick(const struct windows_kept *kept, int index)
{
    return windows_nth(&kept->windows, index);
}

static inline void windows_harvest(struct windows_kept *kept, struct mushroom_state *state,
                                   struct rectangle x)
{
    play_harvest(state, x);
    windows_fill(state, &kept->windows);
}

static inline void windows_leave(const struct windows_kept *kept, struct mushroom_state *state)
{
    (void)kept;
    (void)state;
}

#endif
