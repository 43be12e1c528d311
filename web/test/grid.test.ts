/* What clicks on the cells of a board mean. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { described, nameOf } from "../src/parts/grid.tsx";
import { legend } from "../src/play/clickboard.tsx";
import { between, changes, clicked, meaning, shrink, targets } from "../src/play/grid.ts";
import type { Cells } from "../src/server/protocol.ts";

const action = (name: string, ...cells: number[]) => ({ action: name, words: "", note: "", cells });
const names = (found: { action: string }[]) => found.map((one) => one.action);

/** A board of 3 x 3 cells with these marks. */
function board(kind: Cells["kind"], marks = ".........", owners = [...marks].map(() => -1)): Cells {
    const zeros = [...marks].map(() => 0);
    return { rows: 3, cols: 3, kind, row_names: ["1", "2", "3"], col_names: ["a", "b", "c"], marks: [...marks].map((mark) => (mark === "." ? "" : mark)), owners, looks: zeros, guards: zeros, notes: {} };
}

test("one click plays a cell, two clicks play from and to", () => {
    const cells = board("squares");
    const actions = [action("a1", 0), action("b2c3", 4, 8), action("b2a3", 4, 6), action("pass")];
    assert.deepEqual(names(meaning(cells, actions, [0]).exact), ["a1"]);
    assert.deepEqual(names(meaning(cells, actions, [4]).open), ["b2c3", "b2a3"]);
    assert.deepEqual(names(meaning(cells, actions, [4, 6]).exact), ["b2a3"]);
    assert.deepEqual([...targets(cells, actions, [])].sort(), [0, 4]);
    assert.deepEqual([...targets(cells, actions, [4])].sort(), [0, 4, 6, 8]);
    assert.deepEqual(clicked(cells, actions, [4], 6), [4, 6]);
    assert.deepEqual(clicked(cells, actions, [4], 4), []); /* taken back */
    assert.deepEqual(clicked(cells, actions, [4], 0), [0]); /* another one */
});

test("several actions of the same cell are chosen from a list", () => {
    const actions = [action("move", 4), action("block", 4), action("place", 4, 5)];
    const { exact, open } = meaning(board("squares"), actions, [4]);
    assert.deepEqual([names(exact), names(open)], [["move", "block"], ["place"]]);
});

test("a whole column means its cell", () => {
    const cells = board("columns");
    const actions = [action("1", 6), action("3", 2)];
    assert.deepEqual(names(meaning(cells, actions, [0]).exact), ["1"]);
    assert.deepEqual([...targets(cells, actions, [])].sort(), [0, 2, 3, 5, 6, 8]);
});

test("a rectangle means the marks inside it, whichever corners were chosen", () => {
    const cells = board("rectangles", "...46....");
    const actions = [action("1,0,1,1", 3, 4)];
    assert.deepEqual(shrink(cells, 0, 8), [3, 4]);
    assert.deepEqual(shrink(cells, 7, 0), [3, 4]);
    assert.deepEqual(names(meaning(cells, actions, [1, 6]).exact), ["1,0,1,1"]);
    assert.deepEqual(names(meaning(cells, actions, [4, 8]).exact), []);
    assert.equal(meaning(cells, actions, [0]).open.length, 1);
    assert.equal(targets(cells, actions, []).size, 9);
    assert.deepEqual(between(cells, 4, 0), [0, 1, 3, 4]);
});

test("what the last ply changed", () => {
    assert.deepEqual([...changes(board("squares"), board("squares", "X.......O"))], [0, 8]);
    assert.equal(changes(null, board("squares")).size, 0);
});

test("a cell in words", () => {
    const cells = board("squares", "X........", [-1, 0, -1, -1, -1, -1, -1, -1, -1]);
    cells.looks[1] = 2 | 8;
    cells.notes[1] = "MA 6";
    assert.equal(described(cells, 0, ["black", "white"]), "a1 X");
    assert.equal(described(cells, 1, ["black", "white"]), "b1 black ball: MA 6");
    assert.equal(described(cells, 2, ["black", "white"]), "c1 empty");
    assert.equal(nameOf({ ...cells, col_names: ["0", "1", "2"] }, 5), "2,2");
});

test("a legend names the signs that are on the board, and no others", () => {
    const cells = board("squares", "7........");
    assert.equal(legend(cells, ["home", "away"], false), "");
    assert.equal(legend(cells, ["home", "away"], true), "Dashed frame: what the last ply changed.");
    cells.looks[0] = 2 | 16;
    cells.guards[1] = 2;
    assert.equal(legend(cells, ["home", "away"], false), "Frames inside squares: tackle zones (home red, away blue). Flat: lies on the ground.");
});
