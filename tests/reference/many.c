/* Comparing many drawings: the loop, its processes, and the report. */
#include "reference/many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY_JOBS = 256, MANY_DESCRIBED = 10 /* disagreements that a process describes */ };

/* --- one process --- */

static void note_disagreement(const struct drawing *drawing, const char *message, struct many *many)
{
    char text[sizeof many->comparison.message], what[1024];
    draw_describe(drawing, what, sizeof what);
    snprintf(text, sizeof text, "%.2500s\n%s", message, what);
    if (many->disagreements++ == 0)
        memcpy(many->comparison.message, text, sizeof text);
    if (many->disagreements <= MANY_DESCRIBED)
        fprintf(stderr, "disagreement: %s\n", text);
}

static void compare_range(uint64_t first, uint64_t end, uint64_t progress, struct many *many)
{
    struct comparison *all = &many->comparison;
    for (uint64_t seed = first; seed < end; ++seed) {
        struct drawing drawing;
        struct comparison one = {.message = ""};
        draw(seed, &drawing);
        draw_count(&drawing, many->table);
        if (!compare_drawing(&drawing, &one))
            note_disagreement(&drawing, one.message, many);
        ++many->games;
        all->simulations += one.simulations;
        all->nodes += one.nodes;
        all->choices += one.choices;
        all->ties += one.ties;
        if (progress && (seed + 1 - first) % progress == 0)
            fprintf(stderr, "seeds %llu..%llu: %llu disagreements\n", (unsigned long long)first,
                    (unsigned long long)seed, (unsigned long long)many->disagreements);
    }
}

/* --- several --- */

static void add_up(struct many *all, const struct many *part)
{
    if (all->disagreements == 0)
        memcpy(all->comparison.message, part->comparison.message, sizeof all->comparison.message);
    all->games += part->games;
    all->disagreements += part->disagreements;
    all->comparison.simulations += part->comparison.simulations;
    all->comparison.nodes += part->comparison.nodes;
    all->comparison.choices += part->comparison.choices;
    all->comparison.ties += part->comparison.ties;
    for (int o = 0; o < DRAW_OPTIONS; ++o)
        for (int t = 0; t < DRAW_TRAITS; ++t)
            all->table[o][t] += part->table[o][t];
}

/* Starts a process for these seeds; returns the file from which its report can be read. */
static FILE *begin_job(uint64_t first, uint64_t end, uint64_t progress)
{
    int ends[2];
    if (pipe(ends) != 0)
        return NULL;
    pid_t child = fork();
    if (child == 0) {
        static struct many part;
        FILE *report = fdopen(ends[1], "wb");
        compare_range(first, end, progress, &part);
        bool written = report && fwrite(&part, sizeof part, 1, report) == 1 && !fclose(report);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    return child > 0 ? fdopen(ends[0], "rb") : NULL;
}

/* A process that was killed by a signal counts as a disagreement. */
static void end_job(FILE *report, struct many *out)
{
    static struct many part;
    int status;
    if (report && fread(&part, sizeof part, 1, report) == 1) {
        add_up(out, &part);
    } else {
        ++out->disagreements;
        snprintf(out->comparison.message, sizeof out->comparison.message,
                 "a process ended before its seeds did");
    }
    if (report)
        fclose(report);
    wait(&status);
}

void compare_many(uint64_t first, uint64_t count, int jobs, uint64_t progress, struct many *out)
{
    FILE *reports[MANY_JOBS];
    memset(out, 0, sizeof *out);
    if (jobs <= 1) {
        compare_range(first, first + count, progress, out);
        return;
    }
    jobs = jobs < MANY_JOBS ? jobs : MANY_JOBS;
    for (int i = 0; i < jobs; ++i)
        reports[i] = begin_job(first + count * (uint64_t)i / (uint64_t)jobs,
                               first + count * (uint64_t)(i + 1) / (uint64_t)jobs, progress);
    for (int i = 0; i < jobs; ++i)
        end_job(reports[i], out);
}

void many_print(struct many *many)
{
    const struct comparison *all = &many->comparison;
    draw_print(many->table);
    printf("%llu games, %llu simulations, %llu nodes compared, %llu choices, %llu of them ties\n"
           "%llu disagreements\n",
           (unsigned long long)many->games, (unsigned long long)all->simulations,
           (unsigned long long)all->nodes, (unsigned long long)all->choices,
           (unsigned long long)all->ties, (unsigned long long)many->disagreements);
    draw_print_rare(many->table, many->games / 1000);
}
