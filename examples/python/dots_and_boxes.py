#!/usr/bin/env python3
"""Dots and boxes, written in Python, solved: the first player's boxes minus the second's under best play.

    python dots_and_boxes.py 1x1 2x1 2x2 3x2              # -1, 0, +2, -2

Players draw the edges between dots in turn; whoever closes a box owns it and draws again.
"""

import argparse
from collections.abc import Sequence

import banyan

State = tuple[int, int, int]


class DotsAndBoxes:
    """A state: the drawn edges as bits, the player to move, and the first player's lead in boxes."""

    players = 2
    traits = {"zero-sum"}
    state_size = 32  # bytes of the largest state; the default is 1024, and less is faster

    def __init__(self, rows: int, columns: int) -> None:
        self.name = f"boxes-{rows}x{columns}"
        down = (rows + 1) * columns  # the number of the first vertical edge
        self.actions = self.max_legal = self.max_plies = down + rows * (columns + 1)
        self.return_max, self.return_min = rows * columns, -rows * columns
        self.boxes = []
        for r in range(rows):
            for c in range(columns):
                left = down + r * (columns + 1) + c
                edges = r * columns + c, (r + 1) * columns + c, left, left + 1
                self.boxes.append(sum(1 << edge for edge in edges))

    def new(self, random: banyan.Random) -> State:
        return 0, 0, 0

    def movers(self, state: State) -> int | tuple[int, ...]:
        return state[1] if state[0] + 1 < 1 << self.actions else ()

    def legal(self, state: State, player: int) -> list[int]:
        return [edge for edge in range(self.actions) if not state[0] >> edge & 1]

    def apply(self, state: State, edge: int, dice: banyan.Dice) -> State:
        before, player, lead = state
        after = before | 1 << edge
        closed = sum(after & box == box and before & box != box for box in self.boxes)
        return after, player if closed else 1 - player, lead + (closed if player == 0 else -closed)

    def returns(self, state: State) -> tuple[float, float]:
        return state[2], -state[2]


def main(words: Sequence[str] | None = None) -> dict[str, float | None]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("boards", nargs="*", default=["1x1", "2x1", "2x2", "3x2"], metavar="ROWSxCOLUMNS")
    values: dict[str, float | None] = {}
    for board in parser.parse_args(words).boards:
        game = banyan.define(DotsAndBoxes(*map(int, board.split("x"))))
        values[board] = banyan.player(game, "perfect").choose(game.new()).value
        print(f"dots and boxes {board}: {values[board]:+.0f}", flush=True)
    return values


if __name__ == "__main__":
    main()
