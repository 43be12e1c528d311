/* The cards of the first page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { familiesOf } from "../src/home/families.ts";
import { shownFirst } from "../src/home/now.tsx";
import type { Game, Match } from "../src/server/protocol.ts";

const game = (name: string, title: string) => ({ name, title }) as Game;

test("sizes of a game share a card, the usual one first", () => {
    const families = familiesOf([game("go-9x9", "Go (9x9)"), game("go", "Go (19x19)"), game("connect4", "Connect Four"), game("tree", "Written tree, 1 player"), game("tree-2", "Written tree, 2 players")]);
    assert.deepEqual(families.map(({ title }) => title), ["Go", "Connect Four", "Written tree"]);
    assert.deepEqual(families[0]?.games.map(({ name }) => name), ["go", "go-9x9"]);
});

test("a family of which one member is wanted has that member's title", () => {
    assert.deepEqual(familiesOf([game("hex-7x7", "Hex (7x7)")]).map(({ title }) => title), ["Hex (7x7)"]);
});

test("matches that are being played come first", () => {
    const matches = [5, 4, 3, 2, 1].map((match) => ({ match, state: match === 2 ? "running" : "finished" }) as Match);
    assert.deepEqual(shownFirst(matches).map(({ match }) => match), [2, 5, 4, 3]);
});
