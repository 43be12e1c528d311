#!/usr/bin/env python3
"""2048, written in Python, played by a search with 20 simulations a move.

    python tiles_2048.py --games 100                      # mean >= 11,000; random play: about 1,100

Tiles slide in one direction; two equal ones that meet become one of twice the value, which is worth as many points.
Then a 2 (in 9 of 10 cases) or a 4 appears in an empty cell.
"""

import argparse
import itertools
import statistics

import banyan


def slide(line):
    """What a line becomes that slides to its front, and the points."""
    out, points = [], 0
    for tile, run in itertools.groupby(tile for tile in line if tile):
        count = len(list(run))
        out += [tile + 1] * (count // 2) + [tile] * (count % 2)
        points += (count // 2) << (tile + 1)
    return tuple(out + [0] * (4 - len(out))), points


class Tiles:
    """A state: the points and the sixteen cells row by row, n for the tile 2^n."""

    name = "tiles-2048"
    players, max_legal, actions = 1, 4, 4
    traits = {"chance"}
    return_min, return_max = 0, 65536
    max_plies = 65536 // 4 + 32
    names = ["up", "right", "down", "left"]

    def __init__(self):
        rows = [[range(4 * r, 4 * r + 4) for r in range(4)], [range(c, 16, 4) for c in range(4)]]
        back = [[tuple(reversed(line)) for line in lines] for lines in rows]
        self.lines = [[tuple(line) for line in lines] for lines in (rows[1], back[0], back[1], rows[0])]
        self.order = []  # of each direction: where each cell's tile stands when the four lines are put together
        for lines in self.lines:
            flat = [cell for line in lines for cell in line]
            self.order.append(tuple(flat.index(cell) for cell in range(16)))
        self.known = {}

    def slid(self, state, action):
        """The cells after sliding, and the points; None: nothing moves."""
        cells, flat, points = state[1:], (), state[0]
        for a, b, c, d in self.lines[action]:
            line = cells[a], cells[b], cells[c], cells[d]
            if line not in self.known:
                self.known[line] = slide(line)
            tiles, more = self.known[line]
            flat += tiles
            points += more
        after = tuple([flat[at] for at in self.order[action]])
        return None if after == cells else (points, after)

    def new(self, random):
        cells = [0] * 16
        for cell in random.shuffle(range(16))[:2]:
            cells[cell] = 1 if random.below(10) else 2
        return 0, *cells

    def movers(self, state):
        return 0 if state[0] < 65536 and self.legal(state, 0) else ()

    def legal(self, state, player):
        return [action for action in range(4) if self.slid(state, action)]

    def apply(self, state, action, dice):
        points, cells = self.slid(state, action)
        empty = [cell for cell in range(16) if not cells[cell]]
        cell = empty[dice.pick(len(empty))]
        tile = 1 if dice.chance(9, 10) else 2
        return min(points, 65536), *cells[:cell], tile, *cells[cell + 1 :]

    def returns(self, state):
        return (state[0],)

    def action_name(self, state, action, player):
        return self.names[action]


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    game, points = banyan.define(Tiles()), []
    for seed in range(options.seed, options.seed + options.games):
        player = banyan.player(game, f"mcts:simulations={options.simulations},exploration=0.05", seed=seed)
        state = game.new(seed=seed)
        while not state.over:
            state.apply(player.choose(state).action)
        points.append(state.returns[0])
        print(f"game {len(points)}: {points[-1]:.0f}, mean {statistics.mean(points):.0f}", flush=True)
    return statistics.mean(points)


if __name__ == "__main__":
    main()
