"""All memory is freed: many rounds of all kinds of calls leave no memory behind."""

import gc
import pathlib
import sys

import banyan
import pytest

STATM = pathlib.Path("/proc/self/statm")
BATCHES, ROUNDS = 5, 300


def refused(call, *arguments, **named):
    with pytest.raises((TypeError, ValueError, KeyError, banyan.BanyanError)):
        call(*arguments, **named)


def fails(leaves):
    raise KeyError(len(leaves))


def even(leaves):
    return [0.0] * len(leaves), [[0.0] * 65] * len(leaves)


def rooted(evaluator):
    search = banyan.Search("othello", evaluator, memory=1 << 18)
    search.set_root(banyan.game("othello").new())
    return search


def one_round():
    game = banyan.game("othello")
    state = game.new()
    for call in (state.mask, state.observe, state.legal_array, state.key, state.symmetries, state.draw):
        call()
    after = state.after(19)
    refused(state.apply, 999)
    refused(game.new, "?")
    search = rooted("rollout")
    search.run(20)
    for call in (search.moves, search.policy, search.pv, search.stats, search.tree):
        call()
    search.advance(19, after)
    asked = rooted(banyan.Evaluator(even, policy=True))
    asked.run(5)
    leaves = asked.select()
    asked.update(leaves, *even(leaves))
    refused(rooted(fails).run, 5)
    refused(banyan.Search, game, nonsense=1)
    banyan.player(game, "mcts:simulations=5,memory=256K").choose(state)
    env = banyan.Env(game, 4)
    env.step([19] * 4)
    refused(env.step, [1])
    cycle = [banyan.Search(game, lambda leaves: cycle, memory=1 << 18)]


def kilobytes():
    gc.collect()
    return int(STATM.read_text().split()[1]) * 4


@pytest.mark.skipif(not STATM.exists(), reason="SKIPPED: no /proc/self/statm here")
def test_nothing_is_left_behind():
    """Leaked memory grows with every batch of rounds; memory that the allocator keeps does not."""
    blocks, memory = [], []
    for _ in range(BATCHES):
        for _ in range(ROUNDS):
            one_round()
        memory.append(kilobytes())
        blocks.append(sys.getallocatedblocks())
    assert min(b - a for a, b in zip(memory, memory[1:])) < ROUNDS, f"{memory} kB"
    assert min(b - a for a, b in zip(blocks, blocks[1:])) < ROUNDS, f"{blocks} blocks"
