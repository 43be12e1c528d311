/* The reader of network files on arbitrary bytes: it takes or refuses them, and what it takes can be
 * read to the last float. */
#include "fuzz.h"

#include "nn/checkpoint.h"

static void fuzz_tensors(const struct safetensors *file)
{
    for (int i = 0; i < safetensors_count(file); ++i) {
        const char *name, *type;
        const int64_t *shape;
        FUZZ_CHECK(safetensors_describe(file, i, &name, &shape, &type) <= SAFETENSORS_DIMS);
        FUZZ_CHECK(safetensors_find(file, name) >= 0);
        float *out = malloc((safetensors_size(file, i) + 1) * sizeof *out);
        FUZZ_CHECK(out);
        (void)safetensors_floats(file, i, out, NULL);
        free(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct safetensors *file;
    struct banyan_error err = {.message = ""};
    if (safetensors_parse(&file, data, size, "fuzz", &err) != BANYAN_OK) {
        FUZZ_CHECK(!file && err.message[0]);
        return 0;
    }
    fuzz_tensors(file);
    struct nn_net *net;
    if (nn_net_parse(&net, file, "fuzz", NULL, &err) == BANYAN_OK)
        FUZZ_CHECK(net->params);
    nn_net_free(net);
    safetensors_free(file);
    return 0;
}
