/* Clocks as people read and write them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockOf, timeOf } from "../src/play/clock.tsx";

test("clocks in an address", () => {
    assert.deepEqual(clockOf("10+5"), { minutes: 10, seconds: 5 });
    assert.deepEqual(clockOf("0.5"), { minutes: 0.5, seconds: 0 });
    for (const text of ["", "x", "5+", "-1", "1+2+3"]) assert.deepEqual(clockOf(text), { minutes: 0, seconds: 0 });
});

test("times", () => {
    assert.equal(timeOf(299_999), "4:59");
    assert.equal(timeOf(61_000), "1:01");
    assert.equal(timeOf(9_540), "0:09.5");
    assert.equal(timeOf(-1), "0:00.0");
});
