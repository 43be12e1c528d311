/* Writes networks as ONNX files.  The format of protocol buffers needs only a few rules: tags,
 * variable-length numbers, and messages preceded by their length.  Field numbers are from
 * onnx.proto. */
#include "nn/onnx.h"

#include "base/output.h"
#include "nn/backend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- messages --- */

struct proto {
    unsigned char *bytes;
    size_t size, room;
    bool failed;
};

static void proto_add(struct proto *proto, const void *bytes, size_t size)
{
    if (proto->size + size > proto->room) {
        size_t room = 2 * (proto->room + size) + 64;
        unsigned char *more = realloc(proto->bytes, room);
        if (!more) {
            proto->failed = true;
            return;
        }
        proto->bytes = more;
        proto->room = room;
    }
    if (size)
        memcpy(proto->bytes + proto->size, bytes, size);
    proto->size += size;
}

static void proto_varint(struct proto *proto, uint64_t value)
{
    unsigned char byte;
    do {
        byte = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        proto_add(proto, &byte, 1);
    } while ((value >>= 7) != 0);
}

static void proto_number(struct proto *proto, int field, int64_t value)
{
    proto_varint(proto, (uint64_t)field << 3);
    proto_varint(proto, (uint64_t)value);
}

static void proto_bytes(struct proto *proto, int field, const void *bytes, size_t size)
{
    proto_varint(proto, (uint64_t)field << 3 | 2);
    proto_varint(proto, size);
    proto_add(proto, bytes, size);
}

static void proto_text(struct proto *proto, int field, const char *text)
{
    proto_bytes(proto, field, text, strlen(text));
}

/* Adds inner as a field of outer, and frees it. */
static void proto_nest(struct proto *outer, int field, struct proto *inner)
{
    proto_bytes(outer, field, inner->bytes, inner->size);
    outer->failed |= inner->failed;
    free(inner->bytes);
    memset(inner, 0, sizeof *inner);
}

/* --- the graph --- */

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { TENSOR_FLOAT = 1, TENSOR_INT64 = 7, ATTRIBUTE_INT = 2, ATTRIBUTE_INTS = 7, ONNX_NAME = 64 };

struct onnx {
    const struct nn_model *model;
    const float *folded;
    struct proto graph;
    int names;
    float *scratch; /* [model->size] */
};

/* A node while it is built. */
struct node {
    struct proto message;
};

static void node_begin(struct node *node, const char *type, const char *const *inputs,
                       const char *output)
{
    memset(node, 0, sizeof *node);
    for (; *inputs; ++inputs)
        proto_text(&node->message, NODE_INPUT, *inputs);
    proto_text(&node->message, NODE_OUTPUT, output);
    proto_text(&node->message, NODE_NAME, output);
    proto_text(&node->message, NODE_TYPE, type);
}

static void node_int(struct node *node, const char *name, int64_t value)
{
    struct proto attribute = {0};
    proto_text(&attribute, 1, name);
    proto_number(&attribute, 3, value);
    proto_number(&attribute, 20, ATTRIBUTE_INT);
    proto_nest(&node->message, NODE_ATTRIBUTE, &attribute);
}

static void node_ints(struct node *node, const char *name, const int64_t *values, int count)
{
    struct proto attribute = {0};
    proto_text(&attribute, 1, name);
    for (int i = 0; i < count; ++i)
        proto_number(&attribute, 8, values[i]);
    proto_number(&attribute, 20, ATTRIBUTE_INTS);
    proto_nest(&node->message, NODE_ATTRIBUTE, &attribute);
}

static void node_end(struct onnx *onnx, struct node *node)
{
    proto_nest(&onnx->graph, GRAPH_NODE, &node->message);
}

/* A node without attributes. */
static void onnx_node(struct onnx *onnx, const char *type, const char *const *inputs,
                      const char *output)
{
    struct node node;
    node_begin(&node, type, inputs, output);
    node_end(onnx, &node);
}

static void onnx_tensor(struct onnx *onnx, const char *name, int type, const int64_t *dims,
                        int count, const void *data)
{
    struct proto tensor = {0};
    size_t size = type == TENSOR_FLOAT ? sizeof(float) : sizeof(int64_t);
    for (int i = 0; i < count; ++i) {
        proto_number(&tensor, 1, dims[i]);
        size *= (size_t)dims[i];
    }
    proto_number(&tensor, 2, type);
    proto_text(&tensor, 8, name);
    proto_bytes(&tensor, 9, data, size);
    proto_nest(&onnx->graph, GRAPH_TENSOR, &tensor);
}

static const float *onnx_block(const struct onnx *onnx, int tensor)
{
    return onnx->folded + onnx->model->tensors[tensor].offset;
}

static const char *onnx_tensor_name(const struct onnx *onnx, int tensor)
{
    return onnx->model->tensors[tensor].name;
}

/* --- layers --- */

/* Converts weights from [out][row][column][in] to ONNX's [out][in][row][column]. */
static void onnx_conv_weights(struct onnx *onnx, const struct nn_conv *conv)
{
    const float *from = onnx_block(onnx, conv->weight);
    int taps = conv->kernel * conv->kernel;
    const int64_t dims[] = {conv->out, conv->in, conv->kernel, conv->kernel};
    const int64_t bias[] = {conv->out};
    for (int o = 0; o < conv->out; ++o)
        for (int k = 0; k < taps; ++k)
            for (int i = 0; i < conv->in; ++i)
                onnx->scratch[(o * conv->in + i) * taps + k] = *from++;
    onnx_tensor(onnx, onnx_tensor_name(onnx, conv->weight), TENSOR_FLOAT, dims, 4, onnx->scratch);
    onnx_tensor(onnx, onnx_tensor_name(onnx, conv->bias), TENSOR_FLOAT, bias, 1,
                onnx_block(onnx, conv->bias));
}

static void onnx_conv(struct onnx *onnx, const struct nn_conv *conv, const char *input,
                      const char *output)
{
    struct node node;
    int64_t pad = conv->kernel / 2;
    const int64_t pads[] = {pad, pad, pad, pad}, kernel[] = {conv->kernel, conv->kernel};
    const char *const inputs[] = {input, onnx_tensor_name(onnx, conv->weight),
                                  onnx_tensor_name(onnx, conv->bias), NULL};
    onnx_conv_weights(onnx, conv);
    node_begin(&node, "Conv", inputs, output);
    node_ints(&node, "kernel_shape", kernel, 2);
    node_ints(&node, "pads", pads, 4);
    node_end(onnx, &node);
}

static void onnx_relu(struct onnx *onnx, const char *input, const char *output)
{
    onnx_node(onnx, "Relu", (const char *const[]){input, NULL}, output);
}

static void onnx_dense(struct onnx *onnx, const struct nn_dense *dense, const char *input,
                       const char *output)
{
    struct node node;
    const int64_t dims[] = {dense->out, dense->in};
    const char *weight = onnx_tensor_name(onnx, dense->weight);
    const char *bias = onnx_tensor_name(onnx, dense->bias);
    onnx_tensor(onnx, weight, TENSOR_FLOAT, dims, 2, onnx_block(onnx, dense->weight));
    onnx_tensor(onnx, bias, TENSOR_FLOAT, dims, 1, onnx_block(onnx, dense->bias));
    node_begin(&node, "Gemm", (const char *const[]){input, weight, bias, NULL}, output);
    node_int(&node, "transB", 1);
    node_end(onnx, &node);
}

static void onnx_flatten(struct onnx *onnx, const char *input, const char *output)
{
    onnx_node(onnx, "Flatten", (const char *const[]){input, NULL}, output);
}

/* Transposes the board so that channels come last. */
static void onnx_last(struct onnx *onnx, const char *input, const char *output)
{
    struct node node;
    const int64_t order[] = {0, 2, 3, 1};
    node_begin(&node, "Transpose", (const char *const[]){input, NULL}, output);
    node_ints(&node, "perm", order, 4);
    node_end(onnx, &node);
}

static void onnx_concat(struct onnx *onnx, const char *a, const char *b, const char *output)
{
    struct node node;
    node_begin(&node, "Concat", (const char *const[]){a, b, NULL}, output);
    node_int(&node, "axis", 1);
    node_end(onnx, &node);
}

/* A unique name for an intermediate result of this layer. */
static const char *onnx_name(char out[ONNX_NAME], const char *layer, const char *what)
{
    snprintf(out, ONNX_NAME, "%s.%s", layer, what);
    return out;
}

/* Adds the pooled board, after its dense layer. */
static void onnx_pool(struct onnx *onnx, const struct nn_dense *dense, const char *layer,
                      const char *board, const char *sum, const char *output)
{
    char mean[ONNX_NAME], most[ONNX_NAME], flat[2][ONNX_NAME], both[ONNX_NAME], said[ONNX_NAME],
        wide[ONNX_NAME];
    onnx_node(onnx, "GlobalAveragePool", (const char *const[]){board, NULL},
              onnx_name(mean, layer, "mean"));
    onnx_node(onnx, "GlobalMaxPool", (const char *const[]){board, NULL},
              onnx_name(most, layer, "most"));
    onnx_flatten(onnx, mean, onnx_name(flat[0], layer, "mean_flat"));
    onnx_flatten(onnx, most, onnx_name(flat[1], layer, "most_flat"));
    onnx_concat(onnx, flat[0], flat[1], onnx_name(both, layer, "pooled"));
    onnx_dense(onnx, dense, both, onnx_name(said, layer, "said"));
    onnx_node(onnx, "Unsqueeze", (const char *const[]){said, "axes.cells", NULL},
              onnx_name(wide, layer, "spread"));
    onnx_node(onnx, "Add", (const char *const[]){sum, wide, NULL}, output);
}

static void onnx_block_layers(struct onnx *onnx, int i, const char *input, char output[ONNX_NAME])
{
    const struct nn_block *block = &onnx->model->blocks[i];
    char layer[24], a[ONNX_NAME], r[ONNX_NAME], b[ONNX_NAME], sum[ONNX_NAME], all[ONNX_NAME];
    snprintf(layer, sizeof layer, "block%d", i);
    onnx_conv(onnx, &block->first, input, onnx_name(a, layer, "a"));
    onnx_relu(onnx, a, onnx_name(r, layer, "r"));
    onnx_conv(onnx, &block->second, r, onnx_name(b, layer, "b"));
    onnx_node(onnx, "Add", (const char *const[]){b, input, NULL}, onnx_name(sum, layer, "sum"));
    if (block->pool.out)
        onnx_pool(onnx, &block->pool, layer, r, sum, onnx_name(all, layer, "all"));
    onnx_relu(onnx, block->pool.out ? all : sum, onnx_name(output, layer, "out"));
}

/* The constants of the policy of pairs: the cells of every action, shape, scale and bias. */
static void onnx_pairs_tensors(struct onnx *onnx)
{
    const struct nn_model *model = onnx->model;
    const struct nn_arch *arch = &model->arch;
    const float *table = onnx_block(onnx, model->pair_cells);
    const int64_t actions[] = {arch->actions}, three[] = {3}, one[] = {1};
    const int64_t shape[] = {0, nn_arch_cells(arch), 2 * arch->policy_channels};
    float scale = 1 / sqrtf((float)arch->policy_channels);
    int64_t *cells = calloc((size_t)arch->actions, sizeof *cells);
    if (!cells) {
        onnx->graph.failed = true;
        return;
    }
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < arch->actions; ++i)
            cells[i] = (int64_t)table[2 * i + side];
        onnx_tensor(onnx, side ? "pairs.second" : "pairs.first", TENSOR_INT64, actions, 1, cells);
    }
    free(cells);
    onnx_tensor(onnx, "pairs.shape", TENSOR_INT64, three, 1, shape);
    onnx_tensor(onnx, "pairs.scale", TENSOR_FLOAT, one, 1, &scale);
    onnx_tensor(onnx, "pairs.bias", TENSOR_FLOAT, actions, 1, onnx_block(onnx, model->pair_bias));
}

/* The cells' embeddings "policy.u" and "policy.v", [N][cells + 1][L]: for the first and for the second
 * cell of an action.  The last row is the mean of all cells. */
static void onnx_pairs_embed(struct onnx *onnx, const char *trunk)
{
    const int64_t axis[] = {1};
    struct node node;
    onnx_conv(onnx, &onnx->model->policy_conv, trunk, "policy.a");
    onnx_last(onnx, "policy.a", "policy.last");
    onnx_node(onnx, "Reshape", (const char *const[]){"policy.last", "pairs.shape", NULL},
              "policy.cells");
    node_begin(&node, "ReduceMean", (const char *const[]){"policy.cells", NULL}, "policy.mean");
    node_ints(&node, "axes", axis, 1);
    node_end(onnx, &node);
    onnx_concat(onnx, "policy.cells", "policy.mean", "policy.all");
    node_begin(&node, "Split", (const char *const[]){"policy.all", NULL}, "policy.u");
    proto_text(&node.message, NODE_OUTPUT, "policy.v");
    node_int(&node, "axis", 2);
    node_end(onnx, &node);
}

/* The policy of pairs: the logit of an action is the scaled dot product of the embeddings of its two cells, plus
 * a bias. */
static void onnx_policy_pairs(struct onnx *onnx, const char *trunk)
{
    struct node node;
    onnx_pairs_tensors(onnx);
    onnx_pairs_embed(onnx, trunk);
    for (int side = 0; side < 2; ++side) {
        const char *const inputs[] = {side ? "policy.v" : "policy.u",
                                      side ? "pairs.second" : "pairs.first", NULL};
        node_begin(&node, "Gather", inputs, side ? "policy.gv" : "policy.gu");
        node_int(&node, "axis", 1);
        node_end(onnx, &node);
    }
    onnx_node(onnx, "Mul", (const char *const[]){"policy.gu", "policy.gv", NULL}, "policy.uv");
    onnx_tensor(onnx, "axes.last", TENSOR_INT64, (const int64_t[]){1}, 1, (const int64_t[]){2});
    node_begin(&node, "ReduceSum", (const char *const[]){"policy.uv", "axes.last", NULL},
               "policy.dot");
    node_int(&node, "keepdims", 0);
    node_end(onnx, &node);
    onnx_node(onnx, "Mul", (const char *const[]){"policy.dot", "pairs.scale", NULL},
              "policy.scaled");
    onnx_node(onnx, "Add", (const char *const[]){"policy.scaled", "pairs.bias", NULL}, "policy");
}

static void onnx_policy_full(struct onnx *onnx, const char *trunk)
{
    onnx_conv(onnx, &onnx->model->policy_conv, trunk, "policy.a");
    onnx_relu(onnx, "policy.a", "policy.r");
    onnx_last(onnx, "policy.r", "policy.last");
    onnx_flatten(onnx, "policy.last", "policy.flat");
    onnx_dense(onnx, &onnx->model->policy, "policy.flat", "policy");
}

static void onnx_heads(struct onnx *onnx, const char *trunk)
{
    const struct nn_model *model = onnx->model;
    if (model->arch.actions && model->arch.policy_head == NN_POLICY_PAIRS)
        onnx_policy_pairs(onnx, trunk);
    else if (model->arch.actions)
        onnx_policy_full(onnx, trunk);
    onnx_conv(onnx, &model->value_conv, trunk, "value.a");
    onnx_relu(onnx, "value.a", "value.r");
    onnx_last(onnx, "value.r", "value.last");
    onnx_flatten(onnx, "value.last", "value.flat");
    onnx_dense(onnx, &model->value_hidden, "value.flat", "value.h");
    onnx_relu(onnx, "value.h", "value.hr");
    onnx_dense(onnx, &model->value, "value.hr", "value.t");
    onnx_node(onnx, "Tanh", (const char *const[]){"value.t", NULL}, "value");
}

/* An input or output: its name, and a shape whose first dimension is the free batch size. */
static void onnx_port(struct onnx *onnx, int field, const char *name, const int64_t *dims,
                      int count)
{
    struct proto shape = {0}, tensor = {0}, type = {0}, info = {0};
    for (int i = -1; i < count; ++i) {
        struct proto dim = {0};
        if (i < 0)
            proto_text(&dim, 2, "N");
        else
            proto_number(&dim, 1, dims[i]);
        proto_nest(&shape, 1, &dim);
    }
    proto_number(&tensor, 1, TENSOR_FLOAT);
    proto_nest(&tensor, 2, &shape);
    proto_nest(&type, 1, &tensor);
    proto_text(&info, 1, name);
    proto_nest(&info, 2, &type);
    proto_nest(&onnx->graph, field, &info);
}

static bool onnx_pools(const struct nn_model *model)
{
    for (int i = 0; i < model->arch.blocks; ++i)
        if (model->blocks[i].pool.out)
            return true;
    return false;
}

static void onnx_build(struct onnx *onnx)
{
    const struct nn_arch *arch = &onnx->model->arch;
    const int64_t planes[] = {arch->planes, arch->height, arch->width};
    const int64_t actions[] = {arch->actions}, values[] = {arch->values};
    const int64_t two[] = {2}, cell_axes[] = {2, 3};
    char names[2][ONNX_NAME] = {"stem.out", ""};
    proto_text(&onnx->graph, GRAPH_NAME, "banyan");
    onnx_port(onnx, GRAPH_INPUT, "planes", planes, 3);
    if (onnx_pools(onnx->model))
        onnx_tensor(onnx, "axes.cells", TENSOR_INT64, two, 1, cell_axes);
    onnx_conv(onnx, &onnx->model->stem, "planes", "stem.a");
    onnx_relu(onnx, "stem.a", "stem.out");
    for (int i = 0; i < arch->blocks; ++i)
        onnx_block_layers(onnx, i, names[i % 2], names[1 - i % 2]);
    onnx_heads(onnx, names[arch->blocks % 2]);
    if (arch->actions)
        onnx_port(onnx, GRAPH_OUTPUT, "policy", actions, 1);
    onnx_port(onnx, GRAPH_OUTPUT, "value", values, 1);
}

static enum banyan_status onnx_save(const char *path, const struct proto *file,
                                    struct banyan_error *err)
{
    struct output output;
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    fwrite(file->bytes, 1, file->size, output.stream);
    return output_close(&output, BANYAN_OK, err);
}

enum banyan_status nn_onnx_write(const char *path, const struct nn_model *model,
                                 const float *params, struct banyan_error *err)
{
    struct proto file = {0}, opset = {0};
    float *folded = nn_block_create(model->size), *scratch = nn_block_create(model->size);
    struct onnx onnx = {.model = model, .folded = folded, .scratch = scratch};
    enum banyan_status status = BANYAN_OK;
    if (folded && scratch) {
        nn_fold(model, params, folded);
        onnx_build(&onnx);
    }
    proto_text(&opset, 1, "");
    proto_number(&opset, 2, 13);
    proto_number(&file, 1, 7); /* version of the file format */
    proto_text(&file, 2, "banyan");
    proto_nest(&file, 7, &onnx.graph);
    proto_nest(&file, 8, &opset);
    if (!folded || !scratch || file.failed)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory to write '%s'", path);
    else
        status = onnx_save(path, &file, err);
    free(file.bytes);
    free(folded);
    free(scratch);
    return status;
}
