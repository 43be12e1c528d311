/* Networks on disk: a written file is read back, and damage is always found. */
#include "nn/checkpoint.h"
#include "nn/onnx.h"

#include "nn_check.h"

#include <stdio.h>
#include <unistd.h>

static struct nn_arch file_arch(void)
{
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = 2, arch.height = 3, arch.width = 2, arch.actions = 19;
    arch.channels = 4, arch.blocks = 1, arch.policy_head = NN_POLICY_PAIRS;
    return arch;
}

struct saved {
    char path[64];
    struct nn_model model;
    struct nn_state state;
    struct nn_header header;
};

static void saved_create(struct saved *saved, bool whole)
{
    struct nn_arch arch = file_arch();
    memset(saved, 0, sizeof *saved);
    snprintf(saved->path, sizeof saved->path, "/tmp/banyan_test_nn_%ld", (long)getpid());
    assert_int_equal(nn_model_build(&saved->model, &arch, NULL), BANYAN_OK);
    assert_int_equal(nn_state_create(&saved->state, &saved->model, NULL), BANYAN_OK);
    nn_state_start(&saved->state, &saved->model, 3);
    saved->state.step = 12345;
    saved->state.params[0] += 1;
    saved->state.first[1] = 2;
    saved->state.second[2] = 3;
    snprintf(saved->header.game, sizeof saved->header.game, "tictactoe");
    snprintf(saved->header.options, sizeof saved->header.options, "rate=\"1\\2\"");
    saved->header.generation = 7;
    banyan_rng_seed(&saved->header.rng, 5);
    struct banyan_error err = {.message = ""};
    if (nn_checkpoint_save(saved->path, &saved->model, &saved->state, &saved->header, whole,
                           &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void saved_destroy(struct saved *saved)
{
    nn_state_destroy(&saved->state);
    remove(saved->path);
}

static void test_round_trip(void **state)
{
    (void)state;
    struct saved saved;
    struct nn_model model;
    struct nn_state read;
    struct nn_header header;
    struct nn_net *net;
    saved_create(&saved, true);
    assert_int_equal(nn_checkpoint_read(saved.path, &model, &read, &header, NULL), BANYAN_OK);
    size_t bytes = model.size * sizeof(float);
    assert_true(nn_arch_equal(&model.arch, &saved.model.arch));
    assert_memory_equal(read.params, saved.state.params, bytes);
    assert_memory_equal(read.average, saved.state.average, bytes);
    assert_memory_equal(read.first, saved.state.first, bytes);
    assert_memory_equal(read.second, saved.state.second, bytes);
    assert_int_equal(read.step, 12345);
    assert_int_equal(header.generation, 7);
    assert_memory_equal(&header.rng, &saved.header.rng, sizeof header.rng);
    assert_string_equal(header.game, "tictactoe");
    assert_string_equal(header.options, saved.header.options);
    assert_int_equal(nn_net_read(&net, saved.path, NULL, NULL), BANYAN_OK);
    assert_memory_equal(net->params, saved.state.average, bytes);
    nn_net_free(net);
    nn_state_destroy(&read);
    saved_destroy(&saved);
}

static void check_refused(const unsigned char *bytes, size_t size, const char *how, size_t at)
{
    struct safetensors *file;
    struct banyan_error err = {.message = ""};
    struct nn_net *net = NULL;
    enum banyan_status status = safetensors_parse(&file, bytes, size, "damaged", &err);
    if (status == BANYAN_OK) {
        status = nn_net_parse(&net, file, "damaged", NULL, &err);
        nn_net_free(net);
        safetensors_free(file);
    }
    if (status == BANYAN_OK)
        fail_msg("%s at %zu of %zu went unseen", how, at, size);
    assert_true(err.message[0] != 0);
}

static void test_damage_is_seen(void **state)
{
    (void)state;
    struct saved saved;
    saved_create(&saved, false);
    size_t size;
    unsigned char *bytes = nn_check_bytes(saved.path, &size);
    for (size_t at = 0; at < size; at += at < 2048 ? 1 : 37)
        check_refused(bytes, at, "truncation", at);
    for (size_t at = 0; at < size; at += at < 2048 ? 1 : 37)
        for (int bit = 0; bit < 8; ++bit) {
            bytes[at] ^= (unsigned char)(1 << bit);
            check_refused(bytes, size, "a flipped bit", at);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    free(bytes);
    saved_destroy(&saved);
}

/* A file as other programs write it: no metadata, bf16 and half tensors. */
static void test_files_of_others(void **state)
{
    (void)state;
    static const char header[] =
        "{\"a\": {\"dtype\": \"BF16\", \"shape\": [2], \"data_offsets\": [0, 4]}, "
        "\"b\": {\"dtype\":\"F16\",\"shape\":[1,1],\"data_offsets\":[4,6]}}   ";
    unsigned char bytes[256] = {sizeof header - 1};
    static const unsigned char data[] = {0x80, 0x3f, 0x00, 0xc0, 0x00, 0x3e};
    memcpy(bytes + 8, header, sizeof header - 1);
    memcpy(bytes + 8 + sizeof header - 1, data, sizeof data);
    size_t size = 8 + sizeof header - 1 + sizeof data;
    struct safetensors *file;
    struct banyan_error err = {.message = ""};
    if (safetensors_parse(&file, bytes, size, "other", &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    float a[2], b[1];
    assert_int_equal(safetensors_floats(file, safetensors_find(file, "a"), a, NULL), BANYAN_OK);
    assert_int_equal(safetensors_floats(file, safetensors_find(file, "b"), b, NULL), BANYAN_OK);
    assert_true(a[0] == 1 && a[1] == -2 && b[0] == 1.5f);
    struct nn_net *net;
    assert_int_equal(nn_net_parse(&net, file, "other", NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "architecture"));
    safetensors_free(file);
}

static void test_unwritable(void **state)
{
    (void)state;
    struct saved saved;
    struct banyan_error err;
    saved_create(&saved, false);
    assert_int_equal(nn_checkpoint_save("/nonexistent/net", &saved.model, &saved.state,
                                        &saved.header, false, &err),
                     BANYAN_IO);
    struct nn_net *net;
    assert_int_equal(nn_net_read(&net, "/nonexistent/net", NULL, &err), BANYAN_NOT_FOUND);
    saved_destroy(&saved);
}

/* Architectures are compared field by field: bytes between the fields make no difference, and
 * every field does. */
static void test_same_architecture(void **state)
{
    (void)state;
    struct nn_arch arch = file_arch(), same;
    memset(&same, 0xa5, sizeof same);
    for (const struct banyan_option *o = nn_arch_table; o->name; ++o)
        memcpy((char *)&same + o->offset, (char *)&arch + o->offset,
               o->type == BANYAN_OPTION_BOOL ? sizeof(bool) : sizeof(int));
    assert_true(nn_arch_equal(&arch, &same));
    for (const struct banyan_option *o = nn_arch_table; o->name; ++o) {
        ((char *)&same)[o->offset] ^= 1;
        assert_false(nn_arch_equal(&arch, &same));
        ((char *)&same)[o->offset] ^= 1;
    }
    assert_true(nn_arch_equal(&arch, &same));
}

/* --- ONNX: protocol buffers --- */

struct field {
    const unsigned char *at; /* content of a nested field */
    size_t size;
    unsigned number;
};

static size_t read_number(const unsigned char **at)
{
    size_t value = 0;
    for (int shift = 0;; shift += 7) {
        value |= (size_t)(**at & 0x7f) << shift;
        if (!(*(*at)++ & 0x80))
            return value;
    }
}

/* The next field of a message; false: its end.  Numbers have no content. */
static bool next_field(struct field *message, struct field *field)
{
    const unsigned char *at = message->at, *end = at + message->size;
    if (at == end)
        return false;
    size_t tag = read_number(&at);
    *field = (struct field){.number = (unsigned)(tag >> 3)};
    switch (tag & 7) {
    case 0:
        read_number(&at);
        break;
    case 2:
        field->size = read_number(&at);
        field->at = at;
        at += field->size;
        break;
    default:
        assert_int_equal(tag & 7, 5);
        at += 4;
    }
    assert_true(at <= end);
    message->size = (size_t)(end - at);
    message->at = at;
    return true;
}

/* Whether a node of the graph takes the tensor of this name. */
static bool is_input(struct field graph, const struct field *name)
{
    struct field node, input;
    while (next_field(&graph, &node)) {
        if (node.number != 1)
            continue;
        while (next_field(&node, &input))
            if (input.number == 1 && input.size == name->size &&
                memcmp(input.at, name->at, name->size) == 0)
                return true;
    }
    return false;
}

/* Other programs warn of initializers that are never used.  Field numbers are those of
 * onnx.proto. */
static void test_onnx_has_nothing_to_spare(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/banyan_test_onnx_%ld", (long)getpid());
    for (int kind = 0; kind < 4; ++kind) {
        struct nn_arch arch = file_arch();
        struct nn_model model;
        struct nn_state weights;
        arch.pool = kind & 1;
        arch.policy_head = kind & 2 ? NN_POLICY_PAIRS : NN_POLICY_FULL;
        assert_int_equal(nn_model_build(&model, &arch, NULL), BANYAN_OK);
        assert_int_equal(nn_state_create(&weights, &model, NULL), BANYAN_OK);
        nn_state_start(&weights, &model, 3);
        assert_int_equal(nn_onnx_write(path, &model, weights.params, NULL), BANYAN_OK);
        int tensors = 0;
        struct field file = {.number = 0}, graph, part, name;
        unsigned char *bytes = nn_check_bytes(path, &file.size);
        file.at = bytes;
        while (next_field(&file, &graph) && graph.number != 7)
            ;
        assert_int_equal(graph.number, 7);
        for (struct field rest = graph; next_field(&rest, &part);) {
            if (part.number != 5)
                continue;
            while (next_field(&part, &name) && name.number != 8)
                ;
            assert_int_equal(name.number, 8);
            if (!is_input(graph, &name))
                fail_msg("kind %d: nothing uses %.*s", kind, (int)name.size, (const char *)name.at);
            ++tensors;
        }
        assert_true(tensors > 10);
        free(bytes);
        nn_state_destroy(&weights);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),        cmocka_unit_test(test_damage_is_seen),
        cmocka_unit_test(test_files_of_others),   cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_same_architecture), cmocka_unit_test(test_onnx_has_nothing_to_spare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
