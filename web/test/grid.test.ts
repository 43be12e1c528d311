/* Boards that can be clicked, read from what games draw. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, clicked, gridOf, isTarget } from "../src/play/grid.ts";

const actions = (...names: string[]) => names.map((action) => ({ action, words: "", note: "" }));

test("boards of several games", () => {
    const othello = gridOf("  a b c\n1 . * X\n2 O . .\nX 1, O 1: X to move\n");
    assert.deepEqual(othello?.columns, ["a", "b", "c"]);
    assert.deepEqual(othello?.rows, [
        { name: "1", cells: [".", "*", "X"], shift: 0 },
        { name: "2", cells: ["O", ".", "."], shift: 0 },
    ]);
    const tictactoe = gridOf("    a   b   c\n1   X |   |  \n   ---+---+---\n2     | O |  \n   ---+---+---\n3     |   |  \n");
    assert.deepEqual(tictactoe?.rows.map((row) => row.cells), [["X", "", ""], ["", "O", ""], ["", "", ""]]);
    const hex = gridOf("   a b c\n 1 . . .\n  2 . X .\n   3 . . .\nX links top and bottom.\n");
    assert.deepEqual(hex?.rows.map((row) => row.shift), [0, 0.5, 1]);
    const breakthrough = gridOf("2 B B\n1 W W\n  a b\nblack to move\n");
    assert.deepEqual(breakthrough?.rows.map((row) => row.name), ["2", "1"]);
});

test("what is no such board", () => {
    for (const text of ["", "turn 1\n1 Persian 244/244\n", "| . . |\n+-----+\n  1 2\n", "  a b c\n1 . .\n2 . .\n"]) assert.equal(gridOf(text), null);
    assert.equal(cellsOf("pass"), null);
    assert.equal(cellsOf("0,1,0,4"), null);
    assert.deepEqual(cellsOf("a10b11"), ["a10", "b11"]);
});

test("one click plays a cell, two clicks play from and to", () => {
    assert.deepEqual(clicked(actions("c2", "d3"), "", "c2"), { play: "c2", from: "" });
    assert.deepEqual(clicked(actions("a2a3", "a2b3"), "", "a2"), { from: "a2" });
    assert.deepEqual(clicked(actions("a2a3", "a2b3"), "a2", "b3"), { play: "a2b3", from: "" });
    assert.deepEqual(clicked(actions("a2a3"), "a2", "a2"), { from: "" });
    assert.equal(isTarget(actions("a2a3"), "", "a3"), false);
    assert.equal(isTarget(actions("a2a3"), "a2", "a3"), true);
    assert.equal(isTarget(actions("a2a3"), "a2", "a2"), true);
});
