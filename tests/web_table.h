/* Tables of the web server for tests: opened, and played to the end by their programs. */
#ifndef TESTS_WEB_TABLE_H
#define TESTS_WEB_TABLE_H

#include "web/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void sit(struct table *table, const struct table_question *question)
{
    struct banyan_error err;
    if (table_open(table, question, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static inline void play_on(struct table *table)
{
    bool played = true;
    while (played)
        assert_int_equal(table_step(table, &played, NULL), BANYAN_OK);
}

#endif
