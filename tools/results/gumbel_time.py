#!/usr/bin/env python3
"""Compares rule=gumbel under a time limit with rule=gumbel under a limit of as many simulations.

    tools/results/gumbel_time.py [BANYAN [GAME [POSITIONS [TIME_MS [EVALUATOR [OPTIONS]]]]]]

Positions come from random games, ten plies or more from their ends.  For each the search runs for TIME_MS, then with
that number of simulations as its limit ("planned"), then the same with another seed.  Prints how often the choices
agree, and the speeds (simulations per second of processor time).  Needs an idle machine.
"""
import json
import os
import subprocess
import sys
import tempfile

arguments = sys.argv[1:] + [None] * 6
banyan = arguments[0] or "build/banyan"
game = arguments[1] or "othello"
positions = int(arguments[2] or 200)
time_ms = arguments[3] or "100"
evaluator = arguments[4] or "rollout"
options = arguments[5] or "solver=off"


def lines():
    """The moves that lead to each position."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "games")
        subprocess.run([banyan, "match", game, "random", "random", "--games", str(positions), "-s", "1",
                        "--save", file], check=True, stdout=subprocess.DEVNULL)
        with open(file) as games:
            for number, text in enumerate(games):
                actions = json.loads(text)["actions"].split()
                yield " ".join(actions[:number % max(1, len(actions) - 10)])


def search(moves, limit, seed):
    words = [banyan, "search", game, "--moves", moves, limit, "-e", evaluator, "--json",
             "-o", f"rule=gumbel,seed={seed},{options}"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def visits(result, action):
    return next(row["visits"] for row in result["root"] if row["action"] == action)


count = same = chance = 0
ratios = []
for moves in lines():
    timed = search(moves, f"--time={time_ms}ms", 1)
    planned = search(moves, f"--simulations={timed['simulations']}", 1)
    other = search(moves, f"--simulations={timed['simulations']}", 2)
    count += 1
    same += timed["best"] == planned["best"]
    chance += other["best"] == planned["best"]
    ratios.append(timed["simulations"] / timed["cpu_ms"] * planned["cpu_ms"] / planned["simulations"])
ratios.sort()
print(f"{game} {evaluator} {time_ms} ms: {count} positions, by time and planned choose the same in {same}, "
      f"two seeds of planned in {chance}; speed by time / planned: median {ratios[count // 2]:.3f}, "
      f"{ratios[count // 10]:.3f}..{ratios[count * 9 // 10]:.3f} without the tenths at both ends")
