/* Writes and reads networks, and training checkpoints, as safetensors files. */
#include "nn/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- saving --- */

static int checkpoint_parts(const struct nn_model *model, const char *prefix, const float *block,
                            struct safetensors_part *parts)
{
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        struct safetensors_part *part = &parts[i];
        snprintf(part->name, sizeof part->name, "%s%s", prefix, tensor->name);
        part->dims = tensor->dims;
        memcpy(part->shape, tensor->shape, sizeof tensor->shape);
        part->data = block + tensor->offset;
    }
    return model->tensor_count;
}

enum banyan_status nn_checkpoint_save(const char *path, const struct nn_model *model,
                                      const struct nn_state *state, const struct nn_header *header,
                                      bool whole, struct banyan_error *err)
{
    char arch[NN_TEXT_MAX], step[24], generation[24], rng[80];
    struct safetensors_part *parts = calloc(4 * NN_MAX_TENSORS, sizeof *parts);
    if (!parts)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to write '%s'", path);
    int count = checkpoint_parts(model, "", state->average, parts);
    if (whole) {
        count += checkpoint_parts(model, "learn.", state->params, parts + count);
        count += checkpoint_parts(model, "first.", state->first, parts + count);
        count += checkpoint_parts(model, "second.", state->second, parts + count);
    }
    banyan_options_dump(nn_arch_table, &model->arch, NULL, arch, sizeof arch);
    snprintf(step, sizeof step, "%" PRId64, state->step);
    snprintf(generation, sizeof generation, "%" PRId64, header->generation);
    snprintf(rng, sizeof rng, "%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64,
             header->rng.s[0], header->rng.s[1], header->rng.s[2], header->rng.s[3]);
    const struct safetensors_note notes[] = {{"format", "banyan net 1"},
                                             {"arch", arch},
                                             {"game", header->game},
                                             {"step", step},
                                             {"rng", rng},
                                             {"generation", generation},
                                             {"options", header->options}};
    enum banyan_status status =
        safetensors_write(path, parts, count, notes, (int)(sizeof notes / sizeof *notes), err);
    free(parts);
    return status;
}

/* --- reading --- */

static int64_t checkpoint_number(const struct safetensors *file, const char *key)
{
    const char *text = safetensors_note(file, key);
    return text ? strtoll(text, NULL, 10) : 0;
}

static void checkpoint_read_header(const struct safetensors *file, struct nn_header *header)
{
    const char *game = safetensors_note(file, "game"), *rng = safetensors_note(file, "rng");
    const char *options = safetensors_note(file, "options");
    memset(header, 0, sizeof *header);
    snprintf(header->game, sizeof header->game, "%s", game ? game : "");
    snprintf(header->options, sizeof header->options, "%s", options ? options : "");
    header->step = checkpoint_number(file, "step");
    header->generation = checkpoint_number(file, "generation");
    uint64_t *s = header->rng.s;
    if (!rng ||
        sscanf(rng, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, &s[0], &s[1], &s[2], &s[3]) !=
            4 ||
        !(s[0] | s[1] | s[2] | s[3]))
        banyan_rng_seed(&header->rng, 0);
}

static enum banyan_status checkpoint_model(const struct safetensors *file, const char *name,
                                           const struct nn_arch *given, struct nn_model *model,
                                           struct banyan_error *err)
{
    const char *own = safetensors_note(file, "arch");
    const char *text =
        own ? own : safetensors_note(file, "network"); /* written by other programs */
    struct nn_arch arch;
    struct banyan_error why;
    nn_arch_default(&arch);
    if (!text && !given)
        return banyan_fail(err, BANYAN_INVALID,
                           "'%s' does not describe its network (no 'arch' in its metadata): give "
                           "its architecture",
                           name);
    if (!text)
        arch = *given;
    else if (banyan_options_parse(nn_arch_table, &arch, text, &why) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "'%s': its architecture is not understood: %s",
                           name, why.message);
    if (nn_model_build(model, &arch, &why) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "'%s': %s", name, why.message);
    return BANYAN_OK;
}

/* Checks that the file has enough data for the network, before memory is allocated. */
static enum banyan_status checkpoint_holds(const struct safetensors *file, const char *name,
                                           const struct nn_model *model, struct banyan_error *err)
{
    size_t needed = 0, there = 0;
    for (int i = 0; i < model->tensor_count; ++i)
        needed += model->tensors[i].count;
    for (int i = 0; i < safetensors_count(file); ++i)
        there += safetensors_size(file, i);
    if (there >= needed)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_CORRUPT, "'%s' has %zu weights, its network needs %zu", name,
                       there, needed);
}

/* Reads every tensor of the model into block; the names in the file begin with prefix. */
static enum banyan_status checkpoint_block(const struct safetensors *file, const char *name,
                                           const struct nn_model *model, const char *prefix,
                                           float *block, struct banyan_error *err)
{
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        char full[SAFETENSORS_NAME];
        const char *found_name, *type;
        const int64_t *shape;
        snprintf(full, sizeof full, "%s%s", prefix, tensor->name);
        int found = safetensors_find(file, full);
        if (found < 0)
            return banyan_fail(err, BANYAN_CORRUPT, "'%s' has no tensor '%s'", name, full);
        bool same = safetensors_describe(file, found, &found_name, &shape, &type) == tensor->dims;
        for (int d = 0; same && d < tensor->dims; ++d)
            same = shape[d] == tensor->shape[d];
        if (!same)
            return banyan_fail(err, BANYAN_CORRUPT,
                               "'%s': tensor '%s' does not have the shape that its "
                               "network needs",
                               name, full);
        enum banyan_status status = safetensors_floats(file, found, block + tensor->offset, err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

/* Checks the tables of cell pairs, which are used as indices. */
static enum banyan_status checkpoint_tables(const struct nn_model *model, const char *name,
                                            const float *params, struct banyan_error *err)
{
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        for (size_t j = 0; tensor->role == NN_TABLE && j < tensor->count; ++j) {
            float cell = params[tensor->offset + j];
            if (!(cell >= 0 && cell <= (float)nn_arch_cells(&model->arch)))
                return banyan_fail(err, BANYAN_CORRUPT,
                                   "'%s': '%s' contains a cell outside the board", name,
                                   tensor->name);
        }
    }
    return BANYAN_OK;
}

enum banyan_status nn_net_parse(struct nn_net **out, const struct safetensors *file,
                                const char *name, const struct nn_arch *arch,
                                struct banyan_error *err)
{
    struct nn_net *net = calloc(1, sizeof *net);
    *out = NULL;
    if (!net)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    checkpoint_read_header(file, &net->header);
    enum banyan_status status = checkpoint_model(file, name, arch, &net->model, err);
    if (status == BANYAN_OK)
        status = checkpoint_holds(file, name, &net->model, err);
    if (status == BANYAN_OK && !(net->params = nn_block_create(net->model.size)))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    if (status == BANYAN_OK)
        status = checkpoint_block(file, name, &net->model, "", net->params, err);
    if (status == BANYAN_OK)
        status = checkpoint_tables(&net->model, name, net->params, err);
    if (status != BANYAN_OK) {
        nn_net_free(net);
        return status;
    }
    *out = net;
    return BANYAN_OK;
}

enum banyan_status nn_net_read(struct nn_net **out, const char *path, const struct nn_arch *arch,
                               struct banyan_error *err)
{
    struct safetensors *file;
    *out = NULL;
    enum banyan_status status = safetensors_read(&file, path, err);
    if (status == BANYAN_OK)
        status = nn_net_parse(out, file, path, arch, err);
    safetensors_free(file);
    return status;
}

void nn_net_free(struct nn_net *net)
{
    if (!net)
        return;
    free(net->params);
    free(net);
}

enum banyan_status nn_checkpoint_read(const char *path, struct nn_model *model,
                                      struct nn_state *state, struct nn_header *header,
                                      struct banyan_error *err)
{
    struct safetensors *file;
    memset(state, 0, sizeof *state);
    enum banyan_status status = safetensors_read(&file, path, err);
    if (status != BANYAN_OK)
        return status;
    checkpoint_read_header(file, header);
    status = checkpoint_model(file, path, NULL, model, err);
    if (status == BANYAN_OK)
        status = checkpoint_holds(file, path, model, err);
    if (status == BANYAN_OK)
        status = nn_state_create(state, model, err);
    const char *const prefixes[] = {"", "learn.", "first.", "second."};
    float *const blocks[] = {state->average, state->params, state->first, state->second};
    for (int i = 0; i < 4 && status == BANYAN_OK; ++i)
        status = checkpoint_block(file, path, model, prefixes[i], blocks[i], err);
    if (status == BANYAN_OK)
        status = checkpoint_tables(model, path, state->params, err);
    state->step = header->step;
    if (status != BANYAN_OK)
        nn_state_destroy(state);
    safetensors_free(file);
    return status;
}
