#!/usr/bin/env python3
"""Liar's dice with one die each, written in Python: how far play by regret matching is from an equilibrium.

    python liars_dice.py --sides 3 --walks 20000          # exploitability <= 0.01
    python liars_dice.py --sides 3 --simulations 2000000  # <= 0.01; 1,000,000 are usually enough
    python liars_dice.py --sides 6 --walks 60000          # <= 0.05

Players take turns to bid how often a face lies on the table, counting both dice; a die that shows the highest face
counts for every face.  Each bid is higher than the last.  A player who doubts the last bid says "liar"; then the
bidder wins if the bid is true.  Exploitability is what a strategy loses, on average over both seats, against an
opponent who knows the strategy and plays best against it.
"""

import argparse
from collections.abc import Callable, Sequence

import banyan

State = tuple[int, int, int, int]
Strategy = Callable[[int, int], dict[int, float]]  # (die, bids so far) -> {action: probability}


class LiarsDice:
    """A state: the two dice, the bids so far as bits, and whether a player said "liar"."""

    players = 2
    traits = {"hidden", "zero-sum"}

    def __init__(self, sides: int) -> None:
        self.name, self.sides, self.bids = f"liars-dice-{sides}", sides, 2 * sides
        self.actions = self.max_legal = self.bids + 1  # the last one is "liar"
        self.max_plies = self.bids + 1

    def new(self, random: banyan.Random) -> State:
        return 1 + random.below(self.sides), 1 + random.below(self.sides), 0, 0

    def movers(self, state: State) -> int | tuple[int, ...]:
        return () if state[3] else state[2].bit_count() % 2

    def legal(self, state: State, player: int) -> list[int]:
        bids = list(range(state[2].bit_length(), self.bids))
        return bids + [self.bids] if state[2] else bids

    def apply(self, state: State, action: int, dice: banyan.Dice | None) -> State:
        first, second, said, _ = state
        return (first, second, said, 1) if action == self.bids else (first, second, said | 1 << action, 0)

    def returns(self, state: State) -> tuple[float, float]:
        bid, bidder = state[2].bit_length() - 1, (state[2].bit_count() + 1) % 2
        there = sum(die in (bid % self.sides + 1, self.sides) for die in state[:2])
        true = 1 if there >= bid // self.sides + 1 else -1
        return (true, -true) if bidder == 0 else (-true, true)

    def key(self, state: State, viewer: int) -> tuple[int, ...]:
        return state if state[3] else (viewer, state[viewer], state[2])

    def determinize(self, state: State, viewer: int, random: banyan.Random) -> State:
        other = 1 + random.below(self.sides)
        dice = (state[0], other) if viewer == 0 else (other, state[1])
        return state if state[3] else (*dice, state[2], state[3])

    def action_name(self, state: State, player: int, action: int) -> str:
        return "liar" if action == self.bids else f"{action // self.sides + 1}x{action % self.sides + 1}"


def exploitability(rules: LiarsDice, strategy: Strategy) -> float:
    """The mean value of a best response in both seats; strategy(die, said) is that of the player to move."""

    def best(seat: int, die: int, said: int, chances: list[float]) -> float:
        """The best value for seat with this die; chances[d]: how likely the other die is d + 1 with these bids."""
        actions, mover = rules.legal((1, 1, said, 0), 0), said.bit_count() % 2

        def after(action: int, weights: list[float]) -> float:
            if action < rules.bids:
                return best(seat, die, said | 1 << action, weights)
            dice = [(die, other) if seat == 0 else (other, die) for other in range(1, rules.sides + 1)]
            return sum(weight * rules.returns((*both, said, 1))[seat] for weight, both in zip(weights, dice))

        if mover == seat:
            return max(after(action, chances) for action in actions)
        shares = [strategy(other + 1, said) if chance else {} for other, chance in enumerate(chances)]
        return sum(
            after(action, [chance * share.get(action, 0) for chance, share in zip(chances, shares)])
            for action in actions
        )

    dice, even = range(1, rules.sides + 1), [1 / rules.sides] * rules.sides
    return sum(best(seat, die, 0, even) for seat in (0, 1) for die in dice) / rules.sides / 2


def average(search: banyan.Search, game: banyan.Game, rules: LiarsDice) -> Strategy:
    """The average strategy of a search; at information sets without visits all actions are equally likely."""
    known: dict[tuple[int, int], dict[int, float]] = {}

    def strategy(die: int, said: int) -> dict[int, float]:
        if (die, said) not in known:
            state, player = game.new(str((die, die, said, 0))), said.bit_count() % 2
            actions = state.legal(player)
            even = dict.fromkeys(actions, 1 / len(actions))
            known[die, said] = search.average_strategy(player, state) or even
        return known[die, said]

    return strategy


def main(words: Sequence[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sides", type=int, default=3)
    parser.add_argument("--walks", type=int, default=0)
    parser.add_argument("--simulations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    rules = LiarsDice(options.sides)
    game = banyan.define(rules)
    search = banyan.Search(game, rule="regret", seed=options.seed)
    search.set_root(game.new(seed=1), viewer=0)
    if options.walks:
        search.walk(options.walks)
    if options.simulations:
        search.run(options.simulations)
    far = exploitability(rules, average(search, game, rules))
    print(f"liar's dice, {options.sides} sides: exploitability {far:.4f}")
    return far


if __name__ == "__main__":
    main()
