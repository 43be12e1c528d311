"""Fits the network of Pokémon's evaluator "learned" and prints learned_data.c: see pokemon_learned.

    pokemon_learned.py FIRST SECOND > src/games/pokemon/players/learned_data.c

FIRST: rows of games by the priors; the target of each position is the result of its game.  SECOND: rows of games
by the search, to which the network is then fitted.  There the target is a mean of the result and of the values that
the search found at the n-th position after this one, weighted by 0.1 * 0.9^n.
One game in ten is kept back; the log loss on these games goes to standard error.  The network is that of learned.h.
The optimizer is Adam; all random numbers come from one seed.
"""
import re
import sys
import pathlib

import numpy as np

HEADER = pathlib.Path(__file__).parent.parent / "src/games/pokemon/players/learned.h"
NAMES = re.findall(r"^    INPUT_(\w+),", HEADER.read_text(), re.M)
INPUTS = NAMES.index("KINDS")
KINDS, HIDDEN, SECOND = 8, 32, 16
SPECIES = 477
ROW = np.dtype([("result", "f4"), ("value", "f4"), ("game", "f4"), ("inputs", "f4", (2, INPUTS)),
                ("share", "f4", (2, 6)), ("species", "u2", (2, 6))])


def log_loss(z, y):
    """The log loss of the probability 1 / (1 + e^-2z), which is the value tanh z, for the result y (0 or 1)."""
    return y * np.logaddexp(0, -2 * z) + (1 - y) * np.logaddexp(0, 2 * z)


def interval(losses, games):
    """The mean, and half of its 95 % interval, by a bootstrap over whole games."""
    _, index = np.unique(games, return_inverse=True)
    sums, counts = np.bincount(index, losses), np.bincount(index)
    rng = np.random.default_rng(0)
    means = []
    for _ in range(200):
        drawn = rng.integers(0, len(sums), len(sums))
        means.append(sums[drawn].sum() / counts[drawn].sum())
    return losses.mean(), 1.96 * np.std(means)


def start(rng):
    total = INPUTS + KINDS
    normal = lambda *shape, scale=0.2: rng.normal(0, scale, shape).astype("f4")
    weights = {"kinds": normal(SPECIES, KINDS, scale=0.05), "mine": normal(total, HIDDEN),
               "theirs": normal(total, HIDDEN), "bias": np.zeros(HIDDEN, "f4"),
               "second": normal(2, HIDDEN, SECOND), "second_bias": np.full(SECOND, 0.1, "f4"),
               "out": normal(SECOND, scale=0.1), "linear": np.zeros(total, "f4")}
    weights["linear"][INPUTS:] = 0.2
    return weights


def kinds(weights, rows):
    """Both sides' sums over their Pokémon, and the factors of the sums."""
    alive = (rows["share"] > 0).astype("f4")
    factors = np.stack([alive, alive, rows["share"], rows["share"]], -1)
    table = weights["kinds"][rows["species"]]
    sums = (table[..., :4] * factors).sum(2)
    return np.concatenate([sums, table[:, :, 0, 4:] * alive[:, :, :1]], -1), factors, alive


def forward(weights, rows):
    pooled, factors, alive = kinds(weights, rows)
    sides = np.concatenate([rows["inputs"], pooled], -1)
    own = [sides[:, side] for side in (0, 1)]
    hidden = [np.maximum(own[s] @ weights["mine"] + own[1 - s] @ weights["theirs"] + weights["bias"], 0)
              for s in (0, 1)]
    second = [np.maximum(hidden[s] @ weights["second"][0] + hidden[1 - s] @ weights["second"][1] +
                         weights["second_bias"], 0) for s in (0, 1)]
    z = (own[0] - own[1]) @ weights["linear"] + (second[0] - second[1]) @ weights["out"]
    return z, (own, hidden, second, factors, alive)


def kinds_gradient(rows, by_side, factors, alive):
    gradient = np.zeros((SPECIES, KINDS), "f4")
    for k in range(4):
        part = by_side[:, :, None, k] * factors[..., k]
        gradient[:, k] = np.bincount(rows["species"].ravel(), part.ravel(), SPECIES)
    for k in range(4, KINDS):
        part = by_side[:, :, k] * alive[:, :, 0]
        gradient[:, k] = np.bincount(rows["species"][:, :, 0].ravel(), part.ravel(), SPECIES)
    return gradient


def gradients(weights, rows, target):
    z, (own, hidden, second, factors, alive) = forward(weights, rows)
    dz = (2 * (1 / (1 + np.exp(-2 * z)) - target) / len(rows)).astype("f4")
    d_second = [sign * dz[:, None] * weights["out"] * (second[s] > 0) for s, sign in ((0, 1), (1, -1))]
    near, far = weights["second"]
    d_hidden = [(d_second[s] @ near.T + d_second[1 - s] @ far.T) * (hidden[s] > 0) for s in (0, 1)]
    kinds_of = slice(INPUTS, None)
    by_side = np.stack([d_hidden[s] @ weights["mine"][kinds_of].T + d_hidden[1 - s] @ weights["theirs"][kinds_of].T +
                        sign * dz[:, None] * weights["linear"][kinds_of] for s, sign in ((0, 1), (1, -1))], 1)
    both = lambda a, b: a[0].T @ b[0] + a[1].T @ b[1]
    return {"linear": (own[0] - own[1]).T @ dz, "out": (second[0] - second[1]).T @ dz,
            "second": np.stack([both(hidden, d_second), both(hidden[::-1], d_second)]),
            "second_bias": d_second[0].sum(0) + d_second[1].sum(0),
            "mine": both(own, d_hidden), "theirs": both(own[::-1], d_hidden),
            "bias": d_hidden[0].sum(0) + d_hidden[1].sum(0),
            "kinds": kinds_gradient(rows, by_side, factors, alive)}


def targets(rows, keep):
    """The targets of all rows.  keep: weight of the target of the next position against the value found here; 1: the
    result alone."""
    result = (rows["result"] + 1) / 2
    value = (np.clip(rows["value"], -1, 1) + 1) / 2
    out = result.astype("f4")
    run = 0.0
    for i in range(len(rows) - 1, -1, -1):
        if keep == 1:
            break
        if i == len(rows) - 1 or rows["game"][i] != rows["game"][i + 1]:
            run = result[i]
        if not np.isnan(value[i]):
            run = keep * run + (1 - keep) * value[i]
        out[i] = run
    return out


def report(weights, rows, what):
    held = rows[rows["game"].astype(int) % 10 == 9]
    z = np.concatenate([forward(weights, part)[0] for part in np.array_split(held, len(held) // 4000 + 1)])
    mean, half = interval(log_loss(z, (held["result"] + 1) / 2), held["game"])
    print(f"{what}: log loss of {len(held)} rows kept back {mean:.4f} +- {half:.4f}", file=sys.stderr)


def fit(weights, rows, rng, epochs, rate, keep, batch=2048):
    target = targets(rows, keep)
    learned = np.nonzero(rows["game"].astype(int) % 10 != 9)[0]
    first = {name: np.zeros_like(w) for name, w in weights.items()}
    second = {name: np.zeros_like(w) for name, w in weights.items()}
    steps = epochs * (len(learned) // batch)
    order = None
    for step in range(steps):
        at = step % (len(learned) // batch)
        order = rng.permutation(learned) if at == 0 else order
        chosen = np.sort(order[at * batch:(at + 1) * batch])
        now = rate * min(1, (step + 1) / 200) * (0.5 * (1 + np.cos(np.pi * (step + 1) / steps)) + 0.005)
        for name, gradient in gradients(weights, rows[chosen], target[chosen]).items():
            first[name] += 0.1 * (gradient - first[name])
            second[name] += 0.001 * (gradient ** 2 - second[name])
            mean, square = first[name] / (1 - 0.9 ** (step + 1)), second[name] / (1 - 0.999 ** (step + 1))
            decay = 0 if name.endswith("bias") else 1e-3
            weights[name] -= now * (mean / (np.sqrt(square) + 1e-8) + decay * weights[name])
    report(weights, rows, f"after {epochs} rounds")


def text(array):
    if array.ndim > 1:
        return "{" + ",\n".join(text(row) for row in array) + "}"
    words = [f"{x:.4g}" for x in array]
    words = [w + ("f" if "." in w or "e" in w else ".0f") for w in words]
    lines = [", ".join(words[i:i + 8]) for i in range(0, len(words), 8)]
    return "{" + ",\n ".join(lines) + "}"


def main():
    rng = np.random.default_rng(1)
    weights = start(rng)
    fit(weights, np.memmap(sys.argv[1], ROW, "r"), rng, 3, 3e-3, 1)
    rows = np.fromfile(sys.argv[2], ROW)
    report(weights, rows, "games of the search, before")
    fit(weights, rows, rng, 3, 5e-4, 0.9)
    shapes = {"kinds": "[SPECIES_COUNT][INPUT_COUNT - INPUT_KINDS]", "mine": "[INPUT_COUNT][LEARNED_HIDDEN]",
              "theirs": "[INPUT_COUNT][LEARNED_HIDDEN]", "bias": "[LEARNED_HIDDEN]",
              "second": "[2][LEARNED_HIDDEN][LEARNED_SECOND]", "second_bias": "[LEARNED_SECOND]",
              "out": "[LEARNED_SECOND]", "linear": "[INPUT_COUNT]"}
    print("/* Weights of the evaluator \"learned\".  Written by tools/pokemon_learned; do not edit. */\n"
          "/* clang-format off */\n#include \"games/pokemon/players/learned.h\"\n")
    for name, shape in shapes.items():
        print(f"const float learned_{name}{shape} =\n{text(weights[name])};")


if __name__ == "__main__":
    main()
