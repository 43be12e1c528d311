#!/usr/bin/env python3
"""2048, written in Python, played by a search with 20 simulations a move.

    python tiles_2048.py --games 100                      # mean >= 11,000; random play: about 1,100

Tiles slide in one direction; two equal tiles that meet become one of twice the value, which is added to the points.
Then a 2 (in 9 of 10 cases) or a 4 appears in an empty cell.  The board is one number, so that a step is fast.
"""

import argparse
import functools
import itertools
import statistics
from collections.abc import Sequence

import banyan

State = tuple[int, int]


def slide(line: Sequence[int]) -> tuple[list[int], int]:
    """The line after its tiles have slid to its front, and the points scored."""
    out: list[int] = []
    points = 0
    for tile, run in itertools.groupby(tile for tile in line if tile):
        count = len(list(run))
        out += [min(tile + 1, 15)] * (count // 2) + [tile] * (count % 2)
        points += (count // 2) << (tile + 1)
    return out + [0] * (4 - len(out)), points


def packed(line: Sequence[int]) -> int:
    """A line of four tiles as a number of 16 bits, n for the tile 2^n."""
    return line[0] << 12 | line[1] << 8 | line[2] << 4 | line[3]


# Each line after its tiles have slid to the left or to the right, and the points scored.
LEFT: list[tuple[int, int]] = []
RIGHT: list[tuple[int, int]] = []
for line in itertools.product(range(16), repeat=4):
    after, points = slide(line)
    LEFT.append((packed(after), points))
    after, points = slide(line[::-1])
    RIGHT.append((packed(after[::-1]), points))


def turned(board: int) -> int:
    """The board with rows and columns exchanged."""
    a = board & 0xF0F00F0FF0F00F0F | (board & 0x0000F0F00000F0F0) << 12 | (board & 0x0F0F00000F0F0000) >> 12
    return a & 0xFF00FF0000FF00FF | (a & 0x00FF00FF00000000) >> 24 | (a & 0x00000000FF00FF00) << 24


@functools.lru_cache(1 << 14)
def slides(board: int) -> dict[int, tuple[int, int]]:
    """{action: (the board after it, its points)} for the actions that move a tile."""
    found: dict[int, tuple[int, int]] = {}
    ways = (LEFT, True), (RIGHT, False), (RIGHT, True), (LEFT, False)  # up, right, down, left
    columns = turned(board)
    for action, (table, down) in enumerate(ways):
        lines = columns if down else board
        (a, k), (b, m) = table[lines >> 48], table[lines >> 32 & 0xFFFF]
        (c, n), (d, o) = table[lines >> 16 & 0xFFFF], table[lines & 0xFFFF]
        after = a << 48 | b << 32 | c << 16 | d
        if after != lines:
            found[action] = (turned(after) if down else after), k + m + n + o
    return found


class Tiles:
    """A state: the points, and the sixteen cells as four bits each, row by row."""

    name = "tiles-2048"
    players, max_legal, actions = 1, 4, 4
    traits = {"chance"}
    return_min, return_max = 0, 65536
    max_plies = 65536 // 4 + 32
    names = ["up", "right", "down", "left"]

    def new(self, random: banyan.Random) -> State:
        board = 0
        for cell in random.shuffle(range(16))[:2]:
            board |= (1 if random.below(10) else 2) << 4 * cell
        return 0, board

    def movers(self, state: State) -> int | tuple[int, ...]:
        return 0 if state[0] < 65536 and slides(state[1]) else ()

    def legal(self, state: State, player: int) -> list[int]:
        return list(slides(state[1]))

    def apply(self, state: State, action: int, dice: banyan.Dice) -> State:
        board, points = slides(state[1])[action]
        empty = [shift for shift in range(0, 64, 4) if not board >> shift & 15]
        shift = empty[dice.pick(len(empty))]
        tile = 1 if dice.chance(9, 10) else 2
        return min(state[0] + points, 65536), board | tile << shift

    def returns(self, state: State) -> tuple[float]:
        return (state[0],)

    def heuristic(self, state: State, player: int) -> float:
        """The points, and 50 for each empty cell."""
        empty = sum(not state[1] >> shift & 15 for shift in range(0, 64, 4))
        return min(state[0] + 50 * empty, 65536)

    def action_name(self, state: State, player: int, action: int) -> str:
        return self.names[action]

    def draw(self, state: State, viewer: int) -> str:
        cells = [1 << (state[1] >> shift & 15) for shift in range(60, -1, -4)]
        rows = ["".join(f"{cell if cell > 1 else '.':>6}" for cell in cells[at : at + 4]) for at in range(0, 16, 4)]
        return "\n".join([*rows, f"{state[0]} points"])


# Eight random slides, valued by the heuristic, tell more than a random game to its end, and take less time.
PLAYER = "mcts:simulations={},exploration=0.002,evaluator=(rollout:cutoff=8)"


def main(words: Sequence[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    game = banyan.define(Tiles())
    points: list[float] = []
    for seed in range(options.seed, options.seed + options.games):
        player = banyan.player(game, PLAYER.format(options.simulations), seed=seed)
        state = game.new(seed=seed)
        while not state.over:
            state.apply(player.choose(state).action)
        points.append(state.returns[0])
        print(f"game {len(points)}: {points[-1]:.0f}, mean {statistics.mean(points):.0f}", flush=True)
    return statistics.mean(points)


if __name__ == "__main__":
    main()
