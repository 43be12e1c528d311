/* A node's actions and edges against plain arrays: random steps on both, which must always tell the same.  For each
 * width of an action, with lists that grow and that do not. */
#include "searching.h"

#include "search/tree.h"

enum { MOST = 250, PLAYERS = 3 }; /* fewer than there are actions of one byte */

/* What is known of one action.  An edge's number is also written to all its columns, which move with it. */
struct entry {
    banyan_action action;
    float prior;
    uint32_t legal;
    uint32_t number; /* of the edge; 0: the action was not tried */
};

struct model {
    struct tree tree;
    uint32_t ref;
    struct entry entries[MOST];
    int count, tried;
    uint32_t numbers; /* given to edges so far */
    banyan_action next_action;
    struct banyan_rng rng;
    uint16_t places[256];
    uint8_t known[MOST];
};

static uint32_t below(struct model *m, int n)
{
    return banyan_rng_below(&m->rng, (uint32_t)n);
}

static struct tree_node *node_of(const struct model *m)
{
    return tree_node(&m->tree, m->ref);
}

/* An action that no entry has, spread over all values of this width. */
static banyan_action new_action(struct model *m)
{
    unsigned width = m->tree.layout.action_bytes;
    return m->next_action++ * 0x9e3779b97f4a7c15u & UINT64_MAX >> (64 - 8 * width);
}

static struct entry new_entry(struct model *m)
{
    return (struct entry){new_action(m), (float)below(m, 1 << 20) * 1e-30f, 0, 0};
}

static void write_edge(struct model *m, int index, uint32_t number)
{
    const struct tree_layout *layout = &m->tree.layout;
    struct tree_node *node = node_of(m);
    tree_edges(&m->tree, node)[index].visits = number;
    for (int i = 0; i < layout->edge_columns; ++i) {
        const struct tree_column_place *place = &layout->places[i];
        unsigned char *column = tree_column(&m->tree, node, place->column);
        memset(column + place->bytes * (size_t)index, (int)(number & 255), place->bytes);
    }
}

static void check_edge(const struct model *m, int index, uint32_t number)
{
    const struct tree_layout *layout = &m->tree.layout;
    const struct tree_node *node = node_of(m);
    assert_int_equal(tree_edges(&m->tree, node)[index].visits, number);
    for (int i = 0; i < layout->edge_columns; ++i) {
        const struct tree_column_place *place = &layout->places[i];
        const unsigned char *column = tree_column(&m->tree, node, place->column);
        for (unsigned k = 0; k < place->bytes; ++k)
            assert_int_equal(column[place->bytes * (size_t)index + k], number & 255);
    }
}

static void check_all(const struct model *m)
{
    const struct tree_node *node = node_of(m);
    const float *priors = tree_priors(&m->tree, node);
    const uint32_t *legal = tree_legal(&m->tree, node);
    assert_int_equal(node->count, m->count);
    assert_int_equal(node->tried, m->tried);
    assert_int_equal(m->tree.edges, m->tried);
    assert_true(node->capacity >= node->tried && node->capacity % 2 == 0);
    for (int i = 0; i < m->count; ++i) {
        if (tree_action(&m->tree, node, i) != m->entries[i].action)
            fail_msg("place %d of %d: another action", i, m->count);
        assert_true(priors[i] == m->entries[i].prior);
        assert_int_equal(legal[i], m->entries[i].legal);
        if (i < m->tried)
            check_edge(m, i, m->entries[i].number);
    }
}

static void open_model(struct model *m, unsigned width, bool growing, uint64_t seed)
{
    struct tree_layout layout = {.action_bytes = width, .players = PLAYERS, .growing = growing};
    banyan_action actions[2];
    float priors[2];
    memset(m, 0, sizeof *m);
    banyan_rng_seed(&m->rng, seed);
    tree_lay_out(&layout, (1u << TREE_COLUMNS) - 1);
    assert_int_equal(tree_init(&m->tree, &layout, 8 << 20, false, MOST), BANYAN_OK);
    for (; m->count < 2; ++m->count) {
        m->entries[m->count] = new_entry(m);
        actions[m->count] = m->entries[m->count].action;
        priors[m->count] = m->entries[m->count].prior;
    }
    m->ref = tree_make_node(
        &m->tree, &(struct tree_beginning){
                      .actions = actions, .priors = priors, .count = m->count, .capacity = 2});
    assert_int_not_equal(m->ref, 0);
}

/* --- steps --- */

static void append(struct model *m)
{
    int n = 1 + (int)below(m, 12);
    if (m->next_action + (banyan_action)n > MOST)
        return;
    int index = tree_append(&m->tree, node_of(m), n);
    assert_int_equal(index, m->count);
    for (int k = 0; k < n; ++k, ++index) {
        m->entries[m->count] = new_entry(m);
        m->entries[m->count].legal = below(m, 1000);
        tree_set_action(&m->tree, node_of(m), index, m->entries[m->count].action);
        tree_priors(&m->tree, node_of(m))[index] = m->entries[m->count].prior;
        tree_legal(&m->tree, node_of(m))[index] = m->entries[m->count].legal;
        ++m->count;
    }
}

/* Tries an action: it moves before the untried ones, whose order stays. */
static void try_one(struct model *m)
{
    if (m->tried == m->count)
        return;
    int index = m->tried + (int)below(m, m->count - m->tried);
    struct entry entry = m->entries[index];
    assert_int_equal(tree_try(&m->tree, node_of(m), index), m->tried);
    memmove(&m->entries[m->tried + 1], &m->entries[m->tried],
            (size_t)(index - m->tried) * sizeof entry);
    check_edge(m, m->tried, 0);
    entry.number = ++m->numbers;
    write_edge(m, m->tried, entry.number);
    m->entries[m->tried++] = entry;
}

/* The action of the highest prior, the first of equal ones, changes places with the first untried one. */
static void bring_next(struct model *m)
{
    if (m->tried == m->count)
        return;
    int best = m->tried;
    for (int i = best + 1; i < m->count; ++i)
        best = m->entries[i].prior > m->entries[best].prior ? i : best;
    struct entry entry = m->entries[best];
    m->entries[best] = m->entries[m->tried];
    m->entries[m->tried] = entry;
    assert_int_equal(tree_next(&m->tree, node_of(m)), m->tried);
}

static void keep_some(struct model *m)
{
    uint16_t keep[MOST] = {0};
    int n = 0, tried = 0;
    for (int i = 0; i < m->count; ++i)
        if (below(m, 8) || (n == 0 && i == m->count - 1)) {
            tried += i < m->tried;
            keep[n++] = (uint16_t)i;
        }
    assert_true(tree_keep_actions(&m->tree, node_of(m), keep, n));
    for (int k = 0; k < n; ++k)
        m->entries[k] = m->entries[keep[k]];
    m->count = n;
    m->tried = tried;
}

/* Looks up actions of the node, others, and some twice. */
static void look_up(struct model *m)
{
    banyan_action wanted[64];
    uint16_t found[64], right[MOST];
    struct tree_lookup lookup = {m->places, 256, m->known};
    int n = 1 + (int)below(m, 64), count = 0;
    for (int k = 0; k < n; ++k)
        wanted[k] = below(m, 3)   ? m->entries[below(m, m->count)].action
                    : below(m, 2) ? wanted[below(m, k + 1)]
                                  : 251 + below(m, 5);
    wanted[0] = m->entries[below(m, m->count)].action;
    for (int i = 0; i < m->count; ++i)
        for (int k = 0; k < n; ++k)
            if (wanted[k] == m->entries[i].action) {
                right[count++] = (uint16_t)i;
                break;
            }
    assert_int_equal(tree_find_actions(&m->tree, node_of(m), wanted, n, &lookup, found), count);
    assert_memory_equal(found, right, (size_t)count * sizeof *found);
    for (int k = 0; k < n; ++k) {
        int at = tree_find_action(&m->tree, node_of(m), wanted[k]);
        bool twice = false, known = false;
        for (int j = 0; j < k; ++j)
            twice = twice || wanted[j] == wanted[k];
        for (int i = 0; i < count; ++i)
            known = known || m->entries[right[i]].action == wanted[k];
        assert_int_equal(at >= 0, known);
        assert_true(at < 0 || m->entries[at].action == wanted[k]);
        assert_int_equal(m->known[k], known || twice);
    }
}

static void a_node_is_what_arrays_are(void **unused)
{
    static struct model m;
    (void)unused;
    for (unsigned width = 1; width <= 8; width *= 2) {
        for (uint64_t seed = 0; seed < 40; ++seed) {
            open_model(&m, width, seed % 2, seed);
            for (int step = 0; step < 300; ++step) {
                uint32_t kind = below(&m, 20);
                if (kind < 4)
                    append(&m);
                else if (kind < 12)
                    try_one(&m);
                else if (kind < 14)
                    bring_next(&m);
                else if (kind < 15)
                    keep_some(&m);
                else
                    look_up(&m);
                check_all(&m);
            }
            tree_free(&m.tree);
        }
    }
}

/* The list may be followed by anything: here actions whose bytes would be large priors. */
static void no_prior_stands_behind_the_last(void **unused)
{
    (void)unused;
    for (int count = 1; count <= 16; ++count) {
        struct tree_layout layout = {.action_bytes = 1, .players = 2};
        struct tree tree;
        banyan_action actions[16];
        float priors[16];
        for (int i = 0; i < count; ++i) {
            actions[i] = 0x41; /* 0x41414141 is 12.08 */
            priors[i] = 1e-20f;
        }
        tree_lay_out(&layout, TREE_COLUMN_BIT(TREE_PRIORS));
        assert_int_equal(tree_init(&tree, &layout, 1 << 18, false, 16), BANYAN_OK);
        uint32_t ref = tree_make_node(
            &tree, &(struct tree_beginning){
                       .actions = actions, .priors = priors, .count = count, .capacity = 2});
        assert_int_equal(tree_next(&tree, tree_node(&tree, ref)), 0);
        assert_true(tree_priors(&tree, tree_node(&tree, ref))[0] == 1e-20f);
        tree_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_is_what_arrays_are),
        cmocka_unit_test(no_prior_stands_behind_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
