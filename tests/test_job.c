/* The jobs of a run as bytes: written, read, and refused where something is wrong with them. */
#include "train/job.h"

#include "nn_check.h"

#include <string.h>

static const struct job_play example = {
    .generation = 3,
    .first = 16,
    .count = 4,
    .network = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    .settings = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"};

static void check_same(const struct job_play *a, const struct job_play *b)
{
    assert_int_equal(a->generation, b->generation);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->count, b->count);
    assert_string_equal(a->network, b->network);
    assert_string_equal(a->settings, b->settings);
}

static void test_line(void **state)
{
    (void)state;
    char text[JOB_TEXT + 8];
    struct job_play job;
    size_t used, length = (size_t)job_play_write(&example, text);
    assert_string_equal(text, "play generation=3 first=16 count=4 "
                              "network=00112233445566778899aabbccddeeff"
                              "00112233445566778899aabbccddeeff "
                              "settings=ffeeddccbbaa99887766554433221100"
                              "ffeeddccbbaa99887766554433221100");
    assert_int_equal(job_play_read(&job, text, length, &used, NULL), BANYAN_OK);
    assert_int_equal(used, length);
    check_same(&job, &example);
    memcpy(text + length, "\nframes", 7); /* of a result */
    assert_int_equal(job_play_read(&job, text, length + 7, &used, NULL), BANYAN_OK);
    assert_int_equal(used, length + 1);
    check_same(&job, &example);
    assert_true(job_is("play", text, length));
    assert_false(job_is("pla", text, length));
    assert_false(job_is("play", text, 4));
}

/* The greatest values fit into the text, and one more is refused. */
static void test_bounds(void **state)
{
    (void)state;
    char text[JOB_TEXT], more[JOB_TEXT + 8];
    struct job_play greatest = example, job;
    greatest.generation = JOB_NUMBER_MAX - 1;
    greatest.first = JOB_NUMBER_MAX - JOB_GAMES;
    greatest.count = JOB_GAMES;
    int length = job_play_write(&greatest, text);
    assert_true(length > 0 && length < JOB_TEXT);
    assert_int_equal(job_play_read(&job, text, (size_t)length, NULL, NULL), BANYAN_OK);
    check_same(&job, &greatest);
    assert_true(job_play_of_number(job_play_number(&greatest), &job));
    memcpy(job.network, greatest.network, sizeof job.network);
    memcpy(job.settings, greatest.settings, sizeof job.settings);
    check_same(&job, &greatest);
    for (const char *digit = strchr(text, '='); digit; digit = strchr(digit + 1, '=')) {
        int at = (int)(digit - text) + 1; /* every value gets one more digit */
        int size = snprintf(more, sizeof more, "%.*s1%s", at, text, text + at);
        assert_int_equal(job_play_read(&job, more, (size_t)size, NULL, NULL), BANYAN_CORRUPT);
    }
    assert_false(job_play_of_number(0, &job));
}

/* A line that is changed in any one byte is refused, or is another line of its own. */
static void test_changed(void **state)
{
    (void)state;
    char text[JOB_TEXT], changed[JOB_TEXT], again[JOB_TEXT];
    struct banyan_error err;
    size_t length = (size_t)job_play_write(&example, text), refused = 0;
    for (size_t i = 0; i < length; ++i)
        for (int c = 0; c < 256; ++c) {
            struct job_play job = example;
            memcpy(changed, text, sizeof text);
            if (changed[i] == (char)c || c == '\n')
                continue;
            changed[i] = (char)c;
            if (job_play_read(&job, changed, length, NULL, &err) == BANYAN_OK) {
                job_play_write(&job, again);
                assert_memory_equal(again, changed, length);
            } else {
                ++refused;
                check_same(&job, &example);
                assert_non_null(strstr(err.message, "play generation="));
            }
        }
    assert_true(refused > 200 * length);
    for (size_t i = 0; i < length; ++i)
        assert_int_equal(job_play_read(&(struct job_play){.count = 0}, text, i, NULL, NULL),
                         BANYAN_CORRUPT);
}

/* A game as a frame is the game again; damaged or cut off it is refused. */
static void test_frame(void **state)
{
    (void)state;
    struct record record = {.generation = 3, .number = 17}, read = {.start = NULL};
    const struct record_choice choice = {.action = 5, .value = 0.5f, .count = 1};
    unsigned char *frame, *bytes[2];
    size_t length, used = 0, sizes[2];
    record.start = strdup("start");
    assert_true(record.start && record_add_action(&record, 5, 7) &&
                record_add_choice(&record, &choice));
    assert_int_equal(record_frame(&record, &frame, &length, NULL), BANYAN_OK);
    assert_int_equal(record_unframe(&read, frame, length, &used, NULL), BANYAN_OK);
    assert_int_equal(used, length);
    assert_int_equal(record_pack(&record, &bytes[0], &sizes[0], NULL), BANYAN_OK);
    assert_int_equal(record_pack(&read, &bytes[1], &sizes[1], NULL), BANYAN_OK);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    for (size_t i = 0; i < length; ++i) {
        assert_int_equal(record_unframe(&read, frame, i, &used, NULL), BANYAN_CORRUPT);
        frame[i] ^= 4;
        assert_int_equal(record_unframe(&read, frame, length, &used, NULL), BANYAN_CORRUPT);
        frame[i] ^= 4;
    }
    free(bytes[0]);
    free(bytes[1]);
    free(frame);
    record_free(&record);
    record_free(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
