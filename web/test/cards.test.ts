/* Numbers and words of a battle's cards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { boostsOf } from "../src/play/cards.tsx";

test("boosts have their signs and names", () => {
    assert.equal(boostsOf([0, 0, 0, 0, 0, 0, 0]), "");
    assert.equal(boostsOf([2, 0, 0, 0, -1, 0, 0]), "Attack +2, Speed −1");
});
