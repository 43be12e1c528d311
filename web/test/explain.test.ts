/* A search explained: the formula in words, its bars, the matrix of simultaneous choices, and where a small tree stands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixOf } from "../src/explain/matrix.ts";
import { bars, formula, nodeOf } from "../src/explain/phases.tsx";
import { tidy } from "../src/parts/tidy.ts";
import type { Columns, Simulation, Step } from "../src/server/protocol.ts";

const row = (mean: number | null, term: number | null, rest = 0) => ({ action: "a", visits: 2, mean, term, rest, score: mean === null || term === null ? null : mean + term + rest, prior: null });

test("the formula has its numbers in it", () => {
    const ucb1 = { rule: "ucb1" as const, c: 2 };
    assert.equal(formula(ucb1, 10, row(0.5, 2.146)), "0.5000 + 2.0000 · √(ln 10 / 2) = 2.6460");
    assert.equal(formula(ucb1, 10, row(0.5, 1, 0.25)), "0.5000 + 2.0000 · √(ln 10 / 2) = 1.5000 + 0.2500 = 1.7500");
    assert.equal(formula(ucb1, 10, row(null, null)), "not visited");
    assert.equal(formula({ rule: "puct", c: 2 }, 10, row(0.5, 0.25)), "0.5000 + 0.2500 = 0.7500");
    assert.equal(nodeOf(["d3", "c5"]), "root d3 c5");
});

test("bars have one scale, and a negative mean goes to the left", () => {
    const [first, second] = bars([row(-1, 3), row(1, 1)]);
    assert.deepEqual(first, { mean: [0, 100 / 3], term: [0, 100] });
    assert.deepEqual(second?.mean.map(Math.round), [33, 33]);
    assert.deepEqual(bars([row(null, null)])[0]?.mean, [0, 0]);
});

test("pairs of choices are counted, with the first player's mean", () => {
    const played = (joint: string, value: number) => ({ events: [{ event: "simulate", path: [joint], values: [value, -value] } as unknown as Step] }) as Simulation;
    const matrix = matrixOf([played("rock|paper", -1), played("rock|paper", -1), played("paper|rock", 1)]);
    assert.deepEqual(matrix?.rows, ["paper", "rock"]);
    assert.deepEqual(matrix?.cells.get("rock|paper"), { count: 2, sum: -2 });
    assert.equal(matrixOf([played("d3", 1)]), null);
});

test("a parent stands above the middle of its children, and leaves do not overlap", () => {
    const none = [null, null, null, null];
    const columns: Columns = { parent: [-1, 0, 0, 2], label: ["", "a", "b", "c"], id: [], player: [0, 0, 0, 1], visits: [3, 1, 2, 1], mean: none, prior: none, flags: [0, 0, 0, 0], more: [0, 0, 0, 0] };
    const { places, slots, levels } = tidy(columns);
    assert.deepEqual(places.map(({ x, level }) => [x, level]), [[0.5, 0], [0, 1], [1, 1], [1, 2]]);
    assert.deepEqual([slots, levels], [2, 3]);
});
