/* The comparison of test_reference.c over a million games:
 *
 *     slow_reference [FIRST [NUMBER [PROCESSES]]]
 *
 * compares the games of NUMBER seeds from FIRST on, in so many processes (0, 1,000,000 and one for
 * each processor if not given).  Exit status 1: the searches disagreed, or (with 100,000 games or
 * more) some pair of an option and a trait was drawn less than once in 1,000 games. */
#include "reference/many.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static struct many many;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t number = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
    int jobs = argc > 3 ? atoi(argv[3]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    compare_many(first, number, jobs, 10000, &many);
    many_print(&many);
    bool enough = number < 100000 || draw_least(many.table) >= number / 1000;
    bool clear = many.comparison.ties <= many.comparison.choices / 1000;
    return many.disagreements == 0 && enough && clear ? 0 : 1;
}
