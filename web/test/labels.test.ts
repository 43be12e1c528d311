/* Labels of the scatter do not cover each other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../src/search/labels.ts";

test("a label stands above its point where there is room", () => {
    assert.deepEqual(place([{ x: 50, y: 50, text: "d3" }]), [{ x: 50, y: 38, text: "d3", anchor: "middle" }]);
});

test("labels of points at one place go around it, and the rest is left out", () => {
    const same = ["d3", "c5", "e6", "f4", "b2", "g7"].map((text) => ({ x: 50, y: 50, text }));
    const labels = place(same);
    assert.equal(labels.length, 4);
    assert.equal(new Set(labels.map(({ x, y, anchor }) => `${x} ${y} ${anchor}`)).size, 4);
});

test("far points do not disturb each other", () => {
    assert.equal(place([0, 60, 120].map((x) => ({ x, y: 10, text: "a1" }))).every(({ anchor, y }) => anchor === "middle" && y === -2), true);
});
