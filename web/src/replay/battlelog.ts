/* Reads the log of a battle on Pokémon Showdown: what is known after each event.
 *
 *     "|move|p1a: Mew|Psychic|p2a: Morpeko"  -->  "dora2's Mew uses Psychic on Morpeko", and both sides after it
 *
 * docs of the protocol: sim/SIM-PROTOCOL.md of smogon/pokemon-showdown. */

export interface Mon {
    name: string;
    species: string;
    level: string;
    hp: number; // 0 to 1
    health: string; // "45 %", "120 of 237", "fainted"
    status: string;
    boosts: Record<string, number>;
    effects: string[];
}

export interface Side {
    name: string;
    size: number;
    team: Mon[];
    active: number; // place in team; -1: nobody
    conditions: string[];
}

export interface Scene {
    turn: number;
    field: string[];
    sides: Record<string, Side>; // "p1", "p2"
}

export interface Happening {
    text: string;
    minor: boolean; // a consequence of the event before
    isTurn: boolean;
    after: Scene;
    end: number; // bytes of the log up to here
}

export interface Battle {
    tier: string;
    result: string;
    events: Happening[];
}

const stats: Record<string, string> = { atk: "Attack", def: "Defence", spa: "Special Attack", spd: "Special Defence", spe: "Speed", accuracy: "accuracy", evasion: "evasion" };
export const statName = (short: string) => stats[short] ?? short;

const nick = (who: string) => who.replace(/^p[12][a-z]?: /, "");
const clean = (effect: string) => effect.replace(/^(move|ability|item): /, "");
const noMon = (): Mon => ({ name: "", species: "", level: "", hp: 0, health: "", status: "", boosts: {}, effects: [] });

class Reader {
    scene: Scene = { turn: 0, field: [], sides: {} };
    tier = "";
    result = "The battle is not finished";

    constructor() {
        for (const id of ["p1", "p2"]) this.scene.sides[id] = { name: id, size: 6, team: [], active: -1, conditions: [] };
    }
    side(who: string): Side {
        const side = this.scene.sides[who.slice(0, 2)];
        if (!side) throw new Error(`no side ${who}`);
        return side;
    }
    active(who: string): Mon {
        const side = this.side(who);
        return side.team[side.active] ?? noMon();
    }
    /** "p1a: Name" is in the battle, "p1: Name" may be another one of the team. */
    anyone(who: string): Mon {
        const named = /^p[12]: /.test(who) ? this.side(who).team.find((mon) => mon.name === nick(who)) : undefined;
        return named ?? this.active(who);
    }
    named = (who: string) => `${this.side(who).name}'s ${nick(who)}`;
}

/** The cause of an event, in brackets. */
function from(words: string[]): string {
    const cause = words.find((word) => word.startsWith("[from] "));
    return cause ? ` (${clean(cause.slice(7))})` : "";
}

function setHealth(mon: Mon, text: string | undefined): void {
    if (!text) return;
    const [hp = "", status = ""] = text.split(" ");
    const [left = 0, most = 0] = hp.split("/").map(Number);
    const fainted = status === "fnt";
    if (fainted) mon.hp = 0;
    else if (most) mon.hp = left / most;
    mon.health = fainted ? "fainted" : most === 100 ? `${left} %` : most ? `${left} of ${most}` : "";
    mon.status = fainted ? "" : status;
}

function enter(reader: Reader, words: string[]): string {
    const [verb = "", who = "", details = "", health] = words;
    const side = reader.side(who);
    const species = details.split(",")[0] ?? "";
    let place = side.team.findIndex((mon) => mon.name === nick(who));
    if (place < 0) place = side.team.push({ ...noMon(), name: nick(who), level: /, L(\d+)/.exec(details)?.[1] ?? "100" }) - 1;
    const mon = side.team[place] as Mon;
    Object.assign(mon, { species, boosts: {}, effects: [] });
    side.active = place;
    setHealth(mon, health);
    return `${side.name} ${verb === "drag" ? "is made to send" : "sends"} out ${species}`;
}

function boost(reader: Reader, words: string[], sign: number): string {
    const [, who = "", stat = "", amount = ""] = words;
    const mon = reader.active(who);
    const by = sign * Number(amount);
    mon.boosts[stat] = (mon.boosts[stat] ?? 0) + by;
    const change = by ? `${by > 0 ? "+" : "−"}${Math.abs(by)}` : "cannot change";
    return `${reader.named(who)}: ${statName(stat)} ${change}`;
}

/** Removes the changes of stats that are above 0 (sign 1), or below (sign -1). */
function clearBoosts(reader: Reader, who: string, sign: number): string {
    const boosts = reader.active(who).boosts;
    for (const stat in boosts) if (sign * (boosts[stat] ?? 0) > 0) boosts[stat] = 0;
    return `${reader.named(who)}: ${sign > 0 ? "raised" : "lowered"} stats are normal again`;
}

function invertBoosts(reader: Reader, who: string): string {
    const mon = reader.active(who);
    mon.boosts = Object.fromEntries(Object.entries(mon.boosts).map(([stat, by]) => [stat, by && -by]));
    return `${reader.named(who)}: changes of stats are inverted`;
}

function copyBoosts(reader: Reader, who: string, other: string): string {
    reader.active(who).boosts = { ...reader.active(other).boosts };
    return `${reader.named(who)} copies the changes of stats of ${reader.named(other)}`;
}

/** All stats, or those that are named: "atk, spa". */
function swapBoosts(reader: Reader, words: string[]): string {
    const [, who = "", other = "", named = ""] = words;
    const one = reader.active(who).boosts;
    const two = reader.active(other).boosts;
    for (const stat of named && !named.startsWith("[") ? named.split(", ") : Object.keys({ ...one, ...two }))
        [one[stat], two[stat]] = [two[stat] ?? 0, one[stat] ?? 0];
    return `${reader.named(who)} and ${reader.named(other)} exchange changes of stats`;
}

function cureTeam(reader: Reader, words: string[]): string {
    const side = reader.side(words[1] ?? "");
    for (const mon of side.team) mon.status = "";
    return `${side.name}'s team is cured${from(words)}`;
}

function swapConditions(reader: Reader): string {
    const one = reader.side("p1");
    const two = reader.side("p2");
    [one.conditions, two.conditions] = [two.conditions, one.conditions];
    return "What lies on one side changes to the other";
}

function changed(reader: Reader, words: string[], verb: string): string {
    const [, who = "", health] = words;
    const mon = reader.anyone(who);
    const before = mon.health;
    setHealth(mon, health);
    if (words.includes("[silent]")) return "";
    return `${reader.named(who)} ${verb}${before ? ` ${before} →` : ""} ${mon.health}${from(words)}`;
}

function become(reader: Reader, words: string[]): string {
    const [, who = "", details = ""] = words;
    reader.active(who).species = details.split(",")[0] ?? "";
    return `${reader.named(who)} becomes ${reader.active(who).species}${from(words)}`;
}

function weather(reader: Reader, words: string[]): string {
    const now = words[1] ?? "none";
    reader.scene.field = reader.scene.field.filter((one) => !one.startsWith("weather: "));
    if (now !== "none") reader.scene.field.push(`weather: ${now}`);
    if (words.includes("[upkeep]")) return "";
    return now === "none" ? "The weather is normal again" : `Weather: ${now}${from(words)}`;
}

function move(reader: Reader, words: string[]): string {
    const [, who = "", name = "", target = ""] = words;
    const at = target && target !== who && !target.startsWith("[") ? ` on ${nick(target)}` : "";
    return `${reader.named(who)} uses ${name}${at}${from(words)}`;
}

type Kind = (reader: Reader, words: string[]) => string;

/** Lines of the form "someone: something". */
const told = (what: (word: string) => string): Kind => (reader, [, who = "", word = ""]) => (who ? `${reader.named(who)}: ${what(clean(word))}` : clean(word));

const without = (list: string[], one: string) => list.filter((other) => other !== one);

/* Each function changes the scene and returns the text of an event; "": nothing to show. */
const kinds: Record<string, Kind> = {
    player: (reader, [, id = "", name = ""]) => ((name && (reader.side(id).name = name)), ""),
    teamsize: (reader, [, id = "", size]) => ((reader.side(id).size = Number(size) || 6), ""),
    tier: (reader, [, tier = ""]) => ((reader.tier = tier), ""),
    turn: (reader, [, turn]) => `Turn ${(reader.scene.turn = Number(turn))}`,
    switch: enter,
    drag: enter,
    replace: enter,
    move,
    cant: told((why) => `cannot move (${why})`),
    faint: (reader, [, who = ""]) => (setHealth(reader.active(who), "0 fnt"), `${reader.named(who)} faints`),
    detailschange: become,
    "-formechange": become,
    "-transform": (reader, [, who = "", other = ""]) => `${reader.named(who)} becomes a copy of ${nick(other)}`,
    win: (reader, [, name]) => (reader.result = `${name} wins`),
    tie: (reader) => (reader.result = "A draw"),
    "-damage": (reader, words) => changed(reader, words, "loses HP:"),
    "-heal": (reader, words) => changed(reader, words, "gains HP:"),
    "-sethp": (reader, words) => changed(reader, words, "has HP:"),
    "-status": (reader, words) => `${reader.named(words[1] ?? "")}: status ${(reader.active(words[1] ?? "").status = words[2] ?? "")}${from(words)}`,
    "-curestatus": (reader, [, who = "", status]) => ((reader.anyone(who).status = ""), `${reader.named(who)}: ${status} is over`),
    "-cureteam": cureTeam,
    "-boost": (reader, words) => boost(reader, words, 1),
    "-unboost": (reader, words) => boost(reader, words, -1),
    "-setboost": (reader, [, who = "", stat = "", to]) => ((reader.active(who).boosts[stat] = Number(to)), `${reader.named(who)}: ${statName(stat)} is now ${to}`),
    "-clearboost": (reader, [, who = ""]) => ((reader.active(who).boosts = {}), `${reader.named(who)}: changes of stats are over`),
    "-clearallboost": (reader) => {
        for (const id of ["p1", "p2"]) reader.active(id).boosts = {};
        return "All changes of stats are over";
    },
    "-clearpositiveboost": (reader, [, who = ""]) => clearBoosts(reader, who, 1),
    "-clearnegativeboost": (reader, [, who = ""]) => clearBoosts(reader, who, -1),
    "-invertboost": (reader, [, who = ""]) => invertBoosts(reader, who),
    "-copyboost": (reader, [, who = "", other = ""]) => copyBoosts(reader, who, other),
    "-swapboost": swapBoosts,
    "-start": (reader, [, who = "", effect = ""]) => (reader.active(who).effects.push(clean(effect)), `${reader.named(who)}: ${clean(effect)} begins`),
    "-end": (reader, [, who = "", effect = ""]) => {
        const mon = reader.active(who);
        mon.effects = without(mon.effects, clean(effect));
        return `${reader.named(who)}: ${clean(effect)} ends`;
    },
    "-sidestart": (reader, [, who = "", what = ""]) => (reader.side(who).conditions.push(clean(what)), `${reader.side(who).name}'s side: ${clean(what)}`),
    "-sideend": (reader, [, who = "", what = ""]) => {
        const side = reader.side(who);
        side.conditions = without(side.conditions, clean(what));
        return `${side.name}'s side: ${clean(what)} is gone`;
    },
    "-swapsideconditions": swapConditions,
    "-weather": weather,
    "-fieldstart": (reader, words) => (reader.scene.field.push(clean(words[1] ?? "")), clean(words[1] ?? "") + from(words)),
    "-fieldend": (reader, [, what = ""]) => ((reader.scene.field = without(reader.scene.field, clean(what))), `${clean(what)} is over`),
    "-crit": (_, [, who = ""]) => `a critical hit on ${nick(who)}`,
    "-supereffective": (_, [, who = ""]) => `very effective against ${nick(who)}`,
    "-resisted": (_, [, who = ""]) => `not very effective against ${nick(who)}`,
    "-immune": (reader, words) => `${reader.named(words[1] ?? "")} is immune${from(words)}`,
    "-miss": (reader, [, who = ""]) => `${reader.named(who)} misses`,
    "-fail": (reader, [, who = ""]) => `${reader.named(who)}: it fails`,
    "-hitcount": (_, words) => `${words[2]} hits`,
    "-ability": told((name) => `ability ${name}`),
    "-item": told((name) => `item ${name}`),
    "-enditem": told((name) => `no ${name} any more`),
    "-activate": told((what) => what),
    "-singleturn": told((what) => what),
    "-singlemove": told((what) => what),
    "-prepare": told((what) => `prepares ${what}`),
    "-mustrecharge": (reader, [, who = ""]) => `${reader.named(who)} must recharge`,
};

/** Gives each value of a bot the number of the last event that the bot knew. */
export function pointsOf(events: readonly Happening[], values: readonly [number, number][]): { ply: number; value: number }[] {
    return values.map(([bytes, value]) => ({ ply: Math.max(0, events.filter(({ end }) => end <= bytes).length - 1), value }));
}

/** The text of an event; a line that cannot be read, such as one that is cut off, is shown as it is. */
function textOf(reader: Reader, kind: Kind, words: string[], line: string): string {
    try {
        return kind(reader, words);
    } catch {
        return line;
    }
}

export function readBattle(log: string): Battle {
    const reader = new Reader();
    const events: Happening[] = [];
    const bytes = new TextEncoder();
    let end = 0;
    for (const line of log.split("\n")) {
        end += bytes.encode(line).length + 1;
        const words = line.split("|").slice(1);
        const name = words[0] ?? "";
        const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
        if (!kind) continue;
        const text = textOf(reader, kind, words, line);
        const after = structuredClone(reader.scene);
        const last = events[events.length - 1];
        if (text) events.push({ text, minor: name.startsWith("-"), isTurn: name === "turn", after, end });
        else if (last) last.after = after;
    }
    return { tier: reader.tier, result: reader.result, events };
}
