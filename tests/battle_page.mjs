// A battle's page keeps account of statuses, boosts and side conditions.  Its script runs without a browser, and the state
// after each event is compared:  node tests/battle_page.mjs PAGE
import assert from "node:assert";
import fs from "node:fs";
import vm from "node:vm";

const html = fs.readFileSync(process.argv[2], "utf8");
const texts = Object.fromEntries([...html.matchAll(/id="(data|decisions)">(.*?)<\/script>/gs)].map(m => [m[1], { textContent: m[2] }]));
const script = /<script>(.*?)<\/script>/s.exec(html)[1];

// An element that takes everything: the page's drawing is not tested here.
const anything = () => new Proxy(() => {}, {
  get: (_, name) => name === "children" ? new Proxy({}, { get: anything }) : name === Symbol.toPrimitive ? () => 0 : anything(),
  set: () => true,
  apply: anything,
});
const page = vm.createContext({
  document: { getElementById: id => texts[id] || anything(), createElement: anything },
  location: { hash: "" },
});
vm.runInContext(script, page);

// The state after the event whose line begins with this text.
const states = JSON.parse(vm.runInContext("JSON.stringify(events.map(e => [e.text, e.after]))", page));
function after(text) {
  const found = states.find(([line]) => line.startsWith(text));
  assert(found, `no event '${text}' among ${states.map(s => s[0]).join("; ")}`);
  return JSON.parse(found[1]).sides;
}
const status = (sides, id) => sides[id].team.map(m => m.status);
const boosts = (sides, id) => Object.fromEntries(Object.entries(sides[id].active.boosts).filter(b => b[1]));

assert.deepEqual(status(after("A's Two: status par"), "p1"), ["brn", "par"]);
assert.deepEqual(status(after("A's One: brn is over"), "p1"), ["", "par"]); // who is on the bench
assert.deepEqual(status(after("A's team is cured (Heal Bell)"), "p1"), ["", ""]);
assert.deepEqual(boosts(after("A's Two: lowered stats"), "p1"), { atk: 2 });
assert.deepEqual(boosts(after("A's Two: raised stats"), "p1"), {});
assert.deepEqual(boosts(after("A's Two copies"), "p1"), { spe: 3, def: -1 });
assert.deepEqual(boosts(after("A's Two: changes of stats are inverted"), "p1"), { spe: -3, def: 1 });
const one = after("A's Two and B's Foe exchange");
assert.deepEqual([boosts(one, "p1"), boosts(one, "p2")], [{ spe: 3, def: 1 }, { spe: -3, def: -1 }]);
const all = after("B's Foe and A's Two exchange");
assert.deepEqual([boosts(all, "p1"), boosts(all, "p2")], [{ spe: -3, def: -1 }, { spe: 3, def: 1 }]);
const sides = after("What lies on one side");
assert.deepEqual([sides.p1.conditions, sides.p2.conditions], [[], ["Spikes"]]);
