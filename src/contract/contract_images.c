/* The contract: symmetries, and the mirror that exchanges the players. */
#include "contract/contract.h"

#include <banyan/observe.h>

#include <math.h>

static void contract_image(const struct contract *c, const void *state, int k, void *out)
{
    if (k == CONTRACT_MIRROR)
        contract_calls(c, "mirror")->mirror(c->game, state, out);
    else
        contract_calls(c, "symmetry")->symmetry(c->game, state, k, out);
}

static banyan_action contract_image_action(const struct contract *c, const void *state, int k,
                                           banyan_action action)
{
    return k == CONTRACT_MIRROR
               ? contract_calls(c, "mirror_action")->mirror_action(c->game, state, action)
               : contract_calls(c, "symmetry_action")->symmetry_action(c->game, state, k, action);
}

static int contract_image_player(int k, int player)
{
    return k == CONTRACT_MIRROR ? !player : player;
}

static const char *contract_image_name(int k)
{
    return k == CONTRACT_MIRROR ? "mirror()" : "symmetry()";
}

/* contract_check with a message that begins with the name of the mirror or of symmetry number k. */
static void contract_check_of_image(struct contract *c, bool ok, int k, const char *what)
{
    if (k == CONTRACT_MIRROR)
        contract_check(c, ok, "mirror()%s", what);
    else
        contract_check(c, ok, "symmetry() %d%s", k, what);
}

void contract_check_image(struct contract *c, unsigned movers, int k)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    void *image = contract_soil(c, SLOT_IMAGE, 0xff);
    contract_image(c, state, k, image);
    contract_check_guard(c, SLOT_IMAGE, contract_image_name(k));
    unsigned expected = k == CONTRACT_MIRROR ? movers >> 1 | (movers & 1) << 1 : movers;
    if (!contract_check(c, contract_calls(c, "movers")->movers(g, image) == expected,
                        "%s has other movers", contract_image_name(k)))
        return;
    for (int p = 0; p < g->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        int q = contract_image_player(k, p), n = contract_legal(c, image, q, c->actions);
        for (int i = 0; i < c->count[p]; ++i)
            c->mapped[i] = contract_image_action(c, state, k, c->legal[p][i]);
        contract_check_of_image(
            c, contract_same_set(c->mapped, c->count[p], c->actions, n), k,
            ": the legal actions of the image are not the image of the legal ones");
    }
    if (k == 0)
        contract_check(c, contract_same(c, image, state), "symmetry 0 is not the identity");
    if (k == CONTRACT_MIRROR) {
        contract_calls(c, "mirror")->mirror(g, image, contract_soil(c, SLOT_COPY, 0xee));
        contract_check(c, contract_same(c, c->slot[SLOT_COPY], state),
                       "mirror() twice is not the same state");
    }
}

static void contract_check_mirror_policy(struct contract *c, int player)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE], *image = c->slot[SLOT_IMAGE];
    for (int i = 0; g->policy_index && i < c->count[player]; ++i) {
        banyan_action action = c->legal[player][i];
        int index = contract_calls(c, "policy_index")->policy_index(g, state, player, action);
        int mirrored =
            contract_calls(c, "policy_index")
                ->policy_index(g, image, !player,
                               contract_calls(c, "mirror_action")->mirror_action(g, state, action));
        contract_check(c, index == mirrored, "mirror() changes policy index %d to %d", index,
                       mirrored);
    }
}

void contract_check_mirror_look(struct contract *c, unsigned movers)
{
    const struct banyan_game *g = c->game;
    int size = banyan_observation_size(g);
    for (int p = 0; p < 2; ++p) {
        int at = 0;
        banyan_observe(g, c->slot[SLOT_STATE], p, c->planes);
        banyan_observe(g, c->slot[SLOT_IMAGE], !p, c->planes_2);
        while (at < size && c->planes[at] == c->planes_2[at])
            ++at;
        contract_check(c, at == size, "mirror() changes number %d of what player %d observes", at,
                       p);
        if (movers >> p & 1)
            contract_check_mirror_policy(c, p);
    }
}

void contract_check_image_values(struct contract *c, int k, bool over)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE], *image = c->slot[SLOT_IMAGE];
    float out[BANYAN_MAX_PLAYERS], out_image[BANYAN_MAX_PLAYERS];
    float slack = 1e-4f * (g->return_max - g->return_min);
    if (over) {
        contract_returns(c, state, out);
        contract_returns(c, image, out_image);
    }
    for (int p = 0; p < g->players; ++p) {
        int q = contract_image_player(k, p);
        contract_check(c, !over || out[p] == out_image[q], "%s changes returns()",
                       contract_image_name(k));
        contract_check_of_image(
            c,
            !g->heuristic || fabsf(contract_calls(c, "heuristic")->heuristic(g, state, p) -
                                   contract_calls(c, "heuristic")->heuristic(g, image, q)) <= slack,
            k, " changes heuristic()");
    }
}

void contract_check_image_apply(struct contract *c, const banyan_action joint[], int k)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    banyan_action image_joint[BANYAN_MAX_PLAYERS];
    unsigned movers = contract_calls(c, "movers")->movers(g, state);
    contract_image(c, state, k, contract_soil(c, SLOT_IMAGE, 0xff));
    void *image_next = contract_copy(c, SLOT_IMAGE_NEXT, c->slot[SLOT_IMAGE]);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        image_joint[p] = UINT64_MAX;
    for (int p = 0; p < g->players; ++p)
        if (movers >> p & 1)
            image_joint[contract_image_player(k, p)] = contract_image_action(c, state, k, joint[p]);
    struct banyan_rng rng = c->rng;
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &rng);
    contract_calls(c, "apply")->apply(g, image_next, image_joint, &dice);
    contract_image(c, c->slot[SLOT_NEXT], k, contract_soil(c, SLOT_COPY, 0xff));
    contract_check_of_image(c, contract_same(c, image_next, c->slot[SLOT_COPY]), k,
                            " after apply() gives another state than apply() after it");
}
