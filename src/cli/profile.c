/* Prints where the time of a search went, as text and as JSON. */
#include "cli/result.h"

#include "cli/show.h"

#include <inttypes.h>
#include <stddef.h>

/* One line of the profile: a phase with its time and its count. */
struct profile_phase {
    const char *name;
    double ms;
    uint64_t count;
};

enum { PROFILE_PHASES = 6, PROFILE_DEPTHS = 64 };

static void profile_phases(const struct banyan_search_profile *p, struct profile_phase *out)
{
    out[0] = (struct profile_phase){"select", p->select_ms, p->selects};
    out[1] = (struct profile_phase){"apply", p->apply_ms, p->applies};
    out[2] = (struct profile_phase){"expand", p->expand_ms, p->expansions};
    out[3] = (struct profile_phase){"evaluate", p->evaluate_ms, p->evaluations};
    out[4] = (struct profile_phase){"backup", p->backup_ms, p->backups};
    out[5] = (struct profile_phase){"compact", p->compact_ms, 0};
}

void result_print_profile(const struct banyan_search *search, FILE *out)
{
    struct banyan_search_profile profile;
    struct profile_phase phases[PROFILE_PHASES];
    banyan_search_profile(search, &profile, sizeof profile);
    profile_phases(&profile, phases);
    fprintf(out, "\n%-10s %12s %12s %12s\n", "phase", "ms", "count", "ns each");
    for (int i = 0; i < PROFILE_PHASES; ++i)
        fprintf(out, "%-10s %12.2f %12" PRIu64 " %12.1f\n", phases[i].name, phases[i].ms,
                phases[i].count,
                phases[i].count ? 1e6 * phases[i].ms / (double)phases[i].count : 0);
    fprintf(out, "%" PRIu64 " edge scores, %" PRIu64 " states copied, %" PRIu64 " states sampled\n",
            profile.ucb_terms, profile.copies, profile.samples);
    fprintf(out, "depth of leaves:");
    for (int d = 0; d < PROFILE_DEPTHS; ++d)
        if (profile.depth[d])
            fprintf(out, " %d%s:%" PRIu64, d, d == PROFILE_DEPTHS - 1 ? "+" : "", profile.depth[d]);
    fputc('\n', out);
}

json_t *result_profile_json(const struct banyan_search *search)
{
    struct banyan_search_profile profile;
    struct profile_phase phases[PROFILE_PHASES];
    banyan_search_profile(search, &profile, sizeof profile);
    profile_phases(&profile, phases);
    json_t *out = json_object(), *depths = json_array();
    for (int i = 0; i < PROFILE_PHASES; ++i)
        json_object_set_new(
            out, phases[i].name,
            json_pack("{s:f, s:I}", "ms", phases[i].ms, "count", (json_int_t)phases[i].count));
    int deepest = PROFILE_DEPTHS - 1;
    while (deepest > 0 && profile.depth[deepest] == 0)
        --deepest;
    for (int d = 0; d <= deepest; ++d)
        json_array_append_new(depths, json_integer((json_int_t)profile.depth[d]));
    json_object_set_new(out, "edge_scores", json_integer((json_int_t)profile.ucb_terms));
    json_object_set_new(out, "copies", json_integer((json_int_t)profile.copies));
    json_object_set_new(out, "samples", json_integer((json_int_t)profile.samples));
    json_object_set_new(out, "depths", depths);
    return out;
}
