/* What the search thinks of the cells of a board. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, isClickable } from "../src/search/candidates.ts";
import type { Cells, RootMove } from "../src/server/protocol.ts";

const action = (name: string, ...cells: number[]) => ({ action: name, words: "", note: "", cells });
const move = (name: string, visits: number, mean: number | null): RootMove => ({ player: 0, action: name, visits, mean, prior: null, lo: -1, hi: 1, score: null });
const cells = { kind: "squares", rows: 3, cols: 3 } as Cells;

test("a cell has the share and the mean of the action that ends there", () => {
    const found = candidates([action("a1", 0), action("b2", 4), action("c3", 8), action("pass")], [move("a1", 30, 0.5), move("b2", 60, -0.25), move("c3", 0, null), move("pass", 10, 0)]);
    assert.deepEqual([...found.keys()], [0, 4]);
    assert.equal(found.get(0)?.share, 0.3);
    assert.equal(found.get(0)?.mean, 0.5);
    assert.deepEqual([...found].map(([, { best }]) => best), [false, true]);
});

test("actions that end in the same cell are counted together", () => {
    const found = candidates([action("a1b2", 0, 4), action("c3b2", 8, 4)], [move("a1b2", 10, 1), move("c3b2", 30, 0)]);
    const { share, mean, best } = found.get(4) ?? {};
    assert.deepEqual([found.size, share, mean, best], [1, 1, 0.25, true]);
});

test("boards are clicked whose cells tell their actions apart", () => {
    assert.ok(isClickable(cells, [action("a1", 0)]));
    assert.ok(!isClickable(cells, [action("pass")]));
    assert.ok(!isClickable({ ...cells, kind: "rectangles" }, [action("0,0,1,1", 0, 4)]));
    assert.ok(!isClickable({ ...cells, cols: 26 }, [action("a1", 0)]));
});
