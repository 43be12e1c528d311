/* What a battle's log says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pointsOf, readBattle } from "../src/replay/battlelog.ts";

const log = `|player|p1|dora|1|
|player|p2|carl|170|
|teamsize|p1|2
|tier|[Gen 8] Random Battle
|switch|p1a: Bisharp|Bisharp, L80, M|100/100
|switch|p2a: Rex|Morpeko, L85, F|237/237
|turn|1
|move|p2a: Rex|Aura Wheel|p1a: Bisharp
|-damage|p1a: Bisharp|45/100 par
|-boost|p2a: Rex|spe|1
|-damage|p1a
|faint|p1a: Bisharp
|-weather|RainDance|[from] ability: Drizzle|[of] p2a: Rex
|unknown|thing
|win|carl`;

test("events are told in words, with what is known after each", () => {
    const { tier, result, events } = readBattle(log);
    assert.equal(tier, "[Gen 8] Random Battle");
    assert.equal(result, "carl wins");
    assert.deepEqual(events.map((event) => event.text), [
        "dora sends out Bisharp",
        "carl sends out Morpeko",
        "Turn 1",
        "carl's Rex uses Aura Wheel on Bisharp",
        "dora's Bisharp loses HP: 100 % → 45 %",
        "carl's Rex: Speed +1",
        "dora's p1a loses HP: 45 % → 45 %",
        "dora's Bisharp faints",
        "Weather: RainDance (Drizzle)",
        "carl wins",
    ]);
    const hit = events[4]?.after.sides["p1"]?.team[0];
    assert.equal(hit?.hp, 0.45);
    assert.equal(hit?.status, "par");
    assert.equal(events[3]?.after.sides["p1"]?.team[0]?.hp, 1); /* what comes later does not change it */
    assert.equal(events[9]?.after.sides["p1"]?.team[0]?.health, "fainted");
    assert.deepEqual(events[9]?.after.field, ["weather: RainDance"]);
});

test("a bot's values stand behind the last event that it knew", () => {
    const { events } = readBattle(log);
    const bytes = (until: string) => new TextEncoder().encode(log.slice(0, log.indexOf(until))).length;
    assert.deepEqual(pointsOf(events, [[0, 0.1], [bytes("|move|"), 0.2], [bytes("|unknown|"), 0.3]]), [
        { ply: 0, value: 0.1 },
        { ply: 2, value: 0.2 },
        { ply: 8, value: 0.3 },
    ]);
});

test("garbage is no battle", () => {
    assert.deepEqual(readBattle("garbage\n|switch\n||\n").events.length, 1);
    assert.deepEqual(readBattle("").events, []);
});
