/* The belief of a bot, from its text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { beliefOf } from "../src/showdown/belief.ts";

test("places, items and sets", () => {
    assert.deepEqual(beliefOf("viewer=1 trapped=0 | 0 brought=lifeorb 3:0.02 4:0.02 | 1 | 2"), [
        { place: 0, sets: 2, brought: "lifeorb" },
        { place: 1, sets: 0, brought: "" },
        { place: 2, sets: 0, brought: "" },
    ]);
    assert.deepEqual(beliefOf(""), []);
    assert.deepEqual(beliefOf("viewer=0 | nonsense"), []);
});
