/* banyan tree: a search, and its tree as text, XML, JSON, DOT, SVG or a page. */
#include "base/output.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/searcher.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

struct tree {
    struct searcher searcher;
    struct banyan_search_tree_view view;
    const char *file; /* NULL: standard output */
};

/* Actions shown per node: at the default depth, 3 levels, the picture then fits on a screen. */
enum { TREE_DRAWN_CHILDREN = 3 };

enum { TREE_FORMAT = 'f', TREE_DEPTH = 'd', TREE_FILE = 'O', TREE_VISITS = 0x1000, TREE_CHILDREN };

static const char *const tree_formats[] = {
    [BANYAN_TREE_TEXT] = "text",  [BANYAN_TREE_XML] = "xml", [BANYAN_TREE_JSON] = "json",
    [BANYAN_TREE_DOT] = "dot",    [BANYAN_TREE_SVG] = "svg", [BANYAN_TREE_HTML] = "html",
    [BANYAN_TREE_HTML + 1] = NULL};

static const struct argp_option tree_options[] = {
    {"format", TREE_FORMAT, "NAME", 0, "text, xml, json, dot, svg or html; default text", 0},
    {"depth", TREE_DEPTH, "D", 0, "Levels of actions shown; 0: all; default 3", 0},
    {"min-visits", TREE_VISITS, "V", 0, "Leave out subtrees with fewer visits; default 1", 0},
    {"max-children", TREE_CHILDREN, "N", 0,
     "Show only the N most visited actions, and outcomes of each; 0: all; default 3 in svg and "
     "html, else all",
     0},
    {"output", TREE_FILE, "FILE", 0, "Write to FILE", 0},
    {0}};

static error_t tree_option(int key, char *arg, struct argp_state *state)
{
    struct tree *tree = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &tree->searcher;
        return 0;
    case TREE_FORMAT:
        tree->view.format =
            (enum banyan_search_tree_format)cli_choice(state, "--format", arg, tree_formats);
        return 0;
    case TREE_DEPTH:
        tree->view.depth = (int)cli_integer(state, "--depth", arg, 0, 1000);
        return 0;
    case TREE_VISITS:
        tree->view.min_visits = (uint32_t)cli_integer(state, "--min-visits", arg, 0, UINT32_MAX);
        return 0;
    case TREE_CHILDREN:
        tree->view.max_children = (int)cli_integer(state, "--max-children", arg, 0, 100000);
        return 0;
    case TREE_FILE:
        tree->file = cli_path(state, "--output", arg);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        tree->searcher.position.game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            cli_usage(state, "needs a GAME; `banyan list` names them");
        if (tree->view.max_children < 0)
            tree->view.max_children =
                tree->view.format >= BANYAN_TREE_SVG ? TREE_DRAWN_CHILDREN : 0;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status tree_write(const struct tree *tree, struct banyan_error *err)
{
    const struct banyan_game *game = tree->searcher.game;
    enum banyan_status status = BANYAN_OK;
    if (!tree->file) {
        status =
            banyan_search_write_tree(tree->searcher.search, &tree->view, show_write, stdout, err);
        if (status == BANYAN_OK && tree->view.format == BANYAN_TREE_TEXT)
            printf("(n: number of simulations; mean: average of their results for the player "
                   "named, from "
                   "%g to %g)\n",
                   (double)game->return_min, (double)game->return_max);
        return status;
    }
    struct output output;
    status = output_open(&output, tree->file, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_write_tree(tree->searcher.search, &tree->view, show_write, output.stream,
                                      err);
    return output_close(&output, status, err);
}

int cli_tree(int argc, char **argv)
{
    struct tree tree = {
        .view = {.format = BANYAN_TREE_TEXT, .depth = 3, .min_visits = 1, .max_children = -1}};
    struct searcher *searcher = &tree.searcher;
    struct banyan_error err;
    searcher_init(searcher, 1000);
    const struct argp_child children[] = {{&searcher->argp, 0, NULL, 0}, {0}};
    const struct argp argp = {tree_options,
                              tree_option,
                              "GAME",
                              "Searches a position and writes the tree.\v"
                              "Example: banyan tree tictactoe -n 500 --format=svg -O tree.svg",
                              children,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &tree);
    if (searcher_open(searcher, &err) != BANYAN_OK) {
        searcher_close(searcher);
        return cli_fail(argv[0], CLI_USAGE, &err);
    }
    searcher->limits.stop = interrupt_watch();
    enum banyan_status status = banyan_search_run(searcher->search, &searcher->limits, &err);
    if (status == BANYAN_OK || status == BANYAN_INTERRUPTED)
        status = tree_write(&tree, &err);
    searcher_tell_interrupted(searcher, argv[0]);
    int code = cli_end(argv[0], status, &err);
    searcher_close(searcher);
    return code;
}
