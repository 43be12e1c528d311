/* The address, the command line, the list of moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addMove, commandLine, dropMove, fromQuery, optionText } from "../src/search/question.ts";
import { read, write } from "../src/route.ts";

test("an address is read as it was written", () => {
    const routes = [
        { page: "", name: "", query: {} },
        { page: "search", name: "othello-6x6", query: { moves: "f5 d6; a|b", rule: "puct", k: "100" } },
    ];
    for (const route of routes) {
        const [path = "", search = ""] = write(route).split("?");
        assert.deepEqual(read(path, search), route);
    }
    assert.equal(write({ page: "search", name: "hex", query: { moves: "" } }), "/search/hex");
});

test("what is none of the page's own values is an option", () => {
    const question = fromQuery("othello", { moves: "f5", k: "9", evaluator: "heuristic", rule: "puct", cpuct: "2" });
    assert.deepEqual(question, {
        game: "othello",
        position: "",
        moves: "f5",
        evaluator: "heuristic",
        options: { rule: "puct", cpuct: "2" },
    });
    assert.equal(optionText(question.options), "rule=puct,cpuct=2");
    assert.equal(optionText({ a: "x,y" }), "a=(x,y)");
});

test("the command line quotes what a shell would read", () => {
    const question = fromQuery("othello", { moves: "f5 d6", rule: "puct", position: "it's" });
    assert.equal(
        commandLine(question, 500),
        "banyan search othello -n 500 --position='it'\\''s' --moves='f5 d6' --rule=puct",
    );
});

test("moves are added and taken back", () => {
    assert.equal(addMove("", "f5"), "f5");
    assert.equal(addMove("f5", "d6"), "f5 d6");
    assert.equal(dropMove("f5 d6"), "f5");
    assert.equal(dropMove("f5"), "");
    assert.equal(addMove("", "move 1"), "move 1;");
    assert.equal(addMove("move 1;", "switch 2"), "move 1; switch 2;");
    assert.equal(addMove("a b", "c d"), "a; b; c d;");
    assert.equal(dropMove("move 1; switch 2;"), "move 1;");
    assert.equal(dropMove("move 1;"), "");
});
