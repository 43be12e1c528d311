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

const counts = `|player|p1|A|1|
|player|p2|B|1|
|switch|p1a: One|Pidgey, L50|100/100
|switch|p2a: Foe|Rattata, L50|100/100
|-status|p1a: One|brn
|switch|p1a: Two|Pichu, L50|100/100
|-status|p1a: Two|par
|-curestatus|p1: One|brn|[msg]
|-cureteam|p1a: Two|[from] move: Heal Bell
|-boost|p1a: Two|atk|2
|-unboost|p1a: Two|def|1
|-clearnegativeboost|p1a: Two|[silent]
|-clearpositiveboost|p1a: Two|p2a: Foe|move: Spectral Thief
|-boost|p2a: Foe|spe|3
|-unboost|p2a: Foe|def|1
|-copyboost|p1a: Two|p2a: Foe|[from] move: Psych Up
|-invertboost|p1a: Two|[from] move: Topsy-Turvy
|-swapboost|p1a: Two|p2a: Foe|spe|[from] move: Speed Swap
|-swapboost|p2a: Foe|p1a: Two|[from] move: Heart Swap
|-sidestart|p1: A|Spikes
|-swapsideconditions`;

test("statuses, changes of stats and what lies on a side are kept account of", () => {
    const { events } = readBattle(counts);
    const after = (text: string) => {
        const sides = events.find((event) => event.text.startsWith(text))?.after.sides;
        assert.ok(sides?.["p1"] && sides["p2"], text);
        return [sides["p1"], sides["p2"]] as const;
    };
    const statuses = (text: string) => after(text)[0].team.map((mon) => mon.status);
    const boosts = (text: string, side: 0 | 1) =>
        Object.fromEntries(Object.entries(after(text)[side].team[after(text)[side].active]?.boosts ?? {}).filter(([, by]) => by));
    assert.deepEqual(statuses("A's Two: status par"), ["brn", "par"]);
    assert.deepEqual(statuses("A's One: brn is over"), ["", "par"]); // who is on the bench
    assert.deepEqual(statuses("A's team is cured (Heal Bell)"), ["", ""]);
    assert.deepEqual(boosts("A's Two: lowered stats", 0), { atk: 2 });
    assert.deepEqual(boosts("A's Two: raised stats", 0), {});
    assert.deepEqual(boosts("A's Two copies", 0), { spe: 3, def: -1 });
    assert.deepEqual(boosts("A's Two: changes of stats are inverted", 0), { spe: -3, def: 1 });
    assert.deepEqual([0, 1].map((side) => boosts("A's Two and B's Foe exchange", side as 0 | 1)), [{ spe: 3, def: 1 }, { spe: -3, def: -1 }]);
    assert.deepEqual([0, 1].map((side) => boosts("B's Foe and A's Two exchange", side as 0 | 1)), [{ spe: -3, def: -1 }, { spe: 3, def: 1 }]);
    assert.deepEqual(after("What lies on one side").map((side) => side.conditions), [[], ["Spikes"]]);
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
