/* Where the rectangles of the icicle stand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Columns } from "../src/server/protocol.ts";
import { children, layOut, pathOf, reach, rowAt } from "../src/search/layout.ts";

/** root 100 (a 60 (c 30, d 10), b 40) */
const columns: Columns = {
    parent: [-1, 0, 1, 1, 0],
    label: ["", "a", "c", "d", "b"],
    id: ["0", "/1", "/3", "@f", "/2"],
    player: [0, 0, 1, 1, 0],
    visits: [100, 60, 30, 10, 40],
    mean: [0, 0.5, null, -1, 0],
    prior: [null, null, null, null, null],
    flags: [0, 0, 0, 1, 2],
    more: [0, 0, 3, 0, 0],
};

test("a width is the share of the visits of the row above", () => {
    const boxes = layOut(columns, 0);
    assert.deepEqual(boxes.map((box) => Math.round(box.width * 1000)), [1000, 600, 300, 100, 400]);
    assert.deepEqual(boxes.map((box) => Math.round(box.x * 1000)), [0, 0, 0, 300, 600]);
    assert.deepEqual(boxes.map((box) => box.level), [0, 1, 2, 2, 1]);
});

test("children never reach beyond their parent", () => {
    for (const focus of [-1, 0, 1, 4])
        for (const box of layOut(columns, focus)) assert.ok(box.x >= 0 && box.x + box.width <= 1 + 1e-12);
});

test("the focus and all above it have the whole width, its siblings none", () => {
    const boxes = layOut(columns, 1);
    assert.deepEqual(boxes.map((box) => Math.round(box.width * 1000)), [1000, 1000, 500, 167, 0]);
});

test("several roots share the width", () => {
    const two: Columns = { ...columns, parent: [-1, 0, 1, 1, -1], visits: [60, 60, 30, 10, 40] };
    assert.deepEqual(layOut(two, -1).map((box) => Math.round(box.width * 1000)), [600, 600, 300, 100, 400]);
    assert.equal(rowAt(two, ""), -1);
});

test("paths lead to their rows, and back", () => {
    assert.equal(pathOf(columns, 3), "0/1@f");
    for (let row = 0; row < 5; ++row) assert.equal(rowAt(columns, pathOf(columns, row)), row);
    assert.equal(rowAt(columns, ""), 0);
    assert.equal(rowAt(columns, "0/9"), -1);
    assert.deepEqual(children(columns, 1), [2, 3]);
});

test("reach counts the visits of each level", () => {
    assert.deepEqual(reach(columns, layOut(columns, -1), -1), [100, 100, 40]);
    assert.deepEqual(reach(columns, layOut(columns, 1), 1), [60, 40]);
});
