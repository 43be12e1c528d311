#!/usr/bin/env python3
"""Banyan against OpenSpiel's MCTS, both through Python: scores at equal simulations, and speeds in one run.

    tools/results/openspiel.py FILE [--games 400] [--simulations 1000] [--bots python,cpp] [--only othello]

Both sides use UCB with the same constant (OpenSpiel's uct_c=2 is exploration=0.5 here), one random rollout, the solver
and a new tree for each move, without decisive moves, which OpenSpiel does not have.  Seats alternate.  Every game is a
line of FILE, and a run goes on where it was stopped.  Speeds are medians of simulations per second of processor time;
each ratio compares the two speeds in the same game.  Needs open_spiel and the package banyan, and an idle machine.
"""

import argparse
import json
import math
import pathlib
import statistics
import time

import banyan
import numpy
import pyspiel
from open_spiel.python.algorithms import mcts

GAMES = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "othello": "othello"}
RATIOS = {"python": dict.fromkeys(GAMES, 50), "cpp": {"othello": 60, "connect4": 8, "tictactoe": 2}}


class Ours:
    def __init__(self, name, simulations, seed):
        self.game, self.simulations, self.seed, self.moves = banyan.game(name), simulations, seed, 0

    def choose(self, state, theirs):
        """The action, with the simulations and the seconds that it took."""
        self.moves += 1
        search = banyan.Search(
            self.game,
            "rollout",
            exploration=0.5,
            solver="on",
            decisive="off",
            seed=1000 * self.seed + self.moves,
            memory="64M",
        )
        search.set_root(state)
        begin = time.process_time()
        stats = search.run(simulations=self.simulations)
        return search.best(), stats.simulations, time.process_time() - begin


class Theirs:
    def __init__(self, kind, name, simulations, seed):
        game = pyspiel.load_game(GAMES[name])
        if kind == "python":
            random = numpy.random.RandomState(seed)
            rollout = mcts.RandomRolloutEvaluator(1, random)
            self.bot = mcts.MCTSBot(game, 2, simulations, rollout, solve=True, random_state=random)
            self.visits = lambda root: root.explore_count
        else:
            rollout = pyspiel.RandomRolloutEvaluator(1, seed)
            self.bot = pyspiel.MCTSBot(game, rollout, 2, simulations, 1000, True, seed, False)
            self.visits = lambda root: root.explore_count

    def choose(self, state, theirs):
        begin = time.process_time()
        root = self.bot.mcts_search(theirs)
        seconds = time.process_time() - begin
        return root.best_child().action, self.visits(root), seconds


def play(name, kind, number, simulations):
    """One game as a row of the file."""
    seat = number % 2
    players = [None, None]
    players[seat] = Ours(name, simulations, number)
    players[1 - seat] = Theirs(kind, name, simulations, number)
    state, theirs = banyan.game(name).new(), pyspiel.load_game(GAMES[name]).new_initial_state()
    work = [[0, 0.0], [0, 0.0]]  # simulations and seconds of Banyan, of OpenSpiel
    while not state.over:
        mover = state.player
        assert state.legal() == theirs.legal_actions(), (name, state.setup)
        action, done, seconds = players[mover].choose(state, theirs)
        side = work[0 if mover == seat else 1]
        side[0] += done
        side[1] += seconds
        state.apply(action)
        theirs.apply_action(action)
    assert list(state.returns) == theirs.returns()
    return {
        "game": name, "bot": kind, "number": number, "simulations": simulations,
        "score": (state.returns[seat] + 1) / 2, "ours": work[0], "theirs": work[1],
    }  # fmt: skip


def interval(rows):
    """Mean and 95 % interval of the scores; pairs of games with the seats changed are one sample."""
    scores = [row["score"] for row in sorted(rows, key=lambda row: row["number"])]
    pairs = [statistics.mean(scores[i : i + 2]) for i in range(0, len(scores), 2)]
    mean = statistics.mean(scores)
    spread = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else 0.5
    return mean, max(0, mean - spread), min(1, mean + spread)


def table(rows):
    print("| game | against | games | score | simulations/s | theirs | ratio | wanted |")
    print("|---|---|---|---|---|---|---|---|")
    for name in GAMES:
        for kind in RATIOS:
            those = [row for row in rows if (row["game"], row["bot"]) == (name, kind)]
            if not those:
                continue
            mean, low, high = interval(those)
            rates = [
                statistics.median(row[side][0] / row[side][1] for row in those if row[side][1] > 0)
                for side in ("ours", "theirs")
            ]
            print(
                f"| {name} | {kind} | {len(those)} | {mean:.3f} [{low:.3f}, {high:.3f}] | {rates[0]:,.0f} |"
                f" {rates[1]:,.0f} | {rates[0] / rates[1]:.1f} | {RATIOS[kind][name]} |"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--bots", default="python,cpp")
    parser.add_argument("--only", default=",".join(GAMES))
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    rows = [row for row in rows if row["simulations"] == options.simulations]
    played = {(row["game"], row["bot"], row["number"]) for row in rows}
    with options.file.open("a") as file:
        for number in range(options.games):
            for name in options.only.split(","):
                for kind in options.bots.split(","):
                    if (name, kind, number) in played:
                        continue
                    rows.append(play(name, kind, number, options.simulations))
                    file.write(json.dumps(rows[-1]) + "\n")
                    file.flush()
    table(rows)


if __name__ == "__main__":
    main()
