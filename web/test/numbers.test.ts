/* Numbers as people read them, and the samples of a growing search. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, capital, count, errorAtMost, short, signed, standing } from "../src/numbers.ts";
import { grow, most, type Sample } from "../src/search/history.ts";
import { colour } from "../src/search/colour.ts";
import type { Root } from "../src/server/protocol.ts";

test("numbers", () => {
    assert.equal(short(999), "999");
    assert.equal(short(1234), "1.23 k");
    assert.equal(short(45_600_000), "45.6 M");
    assert.equal(signed(0.12345), "+0.123");
    assert.equal(signed(-1, 1), "−1.0");
    assert.equal(signed(null), "–");
});

test("the error is that of a coin where results are -1 and 1", () => {
    assert.equal(errorAtMost(0, 100, -1, 1), 0.1);
    assert.equal(errorAtMost(1, 100, -1, 1), 0);
    assert.equal(standing(0.5, 0, 1), 0);
    assert.equal(standing(1, -1, 1), 1);
});

test("colours differ by sign and by strength", () => {
    for (const dark of [false, true])
        assert.equal(new Set([null, -1, -0.5, 0, 0.5, 1].map((value) => colour(value, dark))).size, 6);
});

const at = (k: number) => ({ simulations: k, root: [{ player: 0, action: "a", visits: k, mean: 0 }] }) as unknown as Root;

test("samples stay few, in order, and spread over the whole run", () => {
    let samples: Sample[] = [];
    for (let k = 1; k <= 20_000; ++k) samples = grow(samples, at(k));
    const ks = samples.map((sample) => sample.k);
    assert.ok(ks.length <= most && ks.length > most / 4);
    assert.deepEqual(ks, [...ks].sort((a, b) => a - b));
    assert.equal(ks[ks.length - 1], 20_000);
    assert.ok((ks[0] as number) < 2000);
});

test("going back drops the samples ahead", () => {
    const samples = grow(grow(grow([], at(10)), at(20)), at(15));
    assert.deepEqual(samples.map((sample) => sample.k), [10, 15]);
    assert.deepEqual(grow(samples, at(0)), []);
});

test("one of a thing is not many of them", () => {
    assert.deepEqual([0, 1, 2, 2000].map((n) => count(n, "game")), ["0 games", "1 game", "2 games", "2,000 games"]);
});

test("a sentence begins with a large letter, whatever the player's name", () => {
    assert.deepEqual(["black to choose.", "p1 to choose.", "X to choose.", ""].map(capital), ["Black to choose.", "P1 to choose.", "X to choose.", ""]);
});

test("a small search does not take 0.0 MiB", () => {
    assert.deepEqual([512, 1 << 20, 3 << 19].map(bytes), ["0.5 KiB", "1.0 MiB", "1.5 MiB"]);
});
