/* What the charts of runs show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { align, places } from "../src/parts/plot.tsx";
import type { Run } from "../src/server/protocol.ts";
import * as curves from "../src/train/curves.ts";
import { testText, stateOf } from "../src/pages/train.tsx";

const run = (name: string, generation: number[]): Run => ({
    name,
    game: "othello",
    title: "Othello",
    running: false,
    generations: generation.length,
    games: 100,
    elo: 10,
    games_per_s: 2,
    curves: {
        generation,
        games: generation.map(() => 20),
        policy: generation.map((i) => 2 - i / 10),
        entropy: generation.map(() => 1),
        value: generation.map(() => 0.5),
        published: generation.map(() => 1),
        play_s: generation.map((i) => (i === 1 ? 0 : 10)),
        learn_s: generation.map(() => 1),
        elo: generation.map((i) => 10 * i),
        elo_error: generation.map((i) => i),
    },
    tests: { random: [[2, 100, 0.75, 0.65, 0.82, 3]] },
    last: [],
    progress: null,
});

test("lines of different runs stand over the same generations", () => {
    const { x, rows } = align([
        { label: "a", x: [1, 2, 4], y: [10, 20, 40] },
        { label: "b", x: [2, 3], y: [5, 6], lo: [4, 5], hi: [6, 7] },
    ]);
    assert.deepEqual(x, [1, 2, 3, 4]);
    assert.deepEqual(rows, [[10, 20, null, 40], [null, 5, 6, null], [null, 6, 7, null], [null, 4, 5, null]]);
});

test("a table has the last row and few others", () => {
    assert.deepEqual(places(3, 25), [0, 1, 2]);
    const many = places(2000, 25);
    assert.ok(many.length <= 26);
    assert.equal(many[many.length - 1], 1999);
    assert.deepEqual(places(0, 25), []);
});

test("one run has all its losses, several are compared by name", () => {
    const one = run("one", [1, 2, 3]);
    assert.deepEqual(curves.losses([one]).map((line) => line.label), ["policy", "entropy of its targets", "value"]);
    const two = curves.losses([one, run("two", [1, 2])]);
    assert.deepEqual(two.map((line) => line.label), ["one: policy", "one: value", "two: policy", "two: value"]);
    assert.deepEqual(curves.tests([one])[0], { label: "random", x: [2], y: [75], lo: [65], hi: [82] });
    assert.deepEqual(curves.elo([one])[0]?.lo, [9, 18, 27]);
    assert.deepEqual(curves.gates([one]), []);
    assert.deepEqual(curves.speed([one])[0]?.y, [null, 2, 2]);
});

test("how a run stands is one sentence", () => {
    const one = run("one", [1, 2]);
    assert.equal(stateOf(one), "Nobody works on this run. 2 generations finished.");
    assert.equal(stateOf({ ...one, running: true, progress: { generation: 3, games: 7 } }), "The run goes on with generation 3. 2 generations finished.");
    assert.equal(testText([30, 100, 0.75, 0.657, 0.825, 3]), "75.0 % [65.7, 82.5] in 100 games, after generation 30");
});
