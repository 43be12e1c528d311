/* Battles of a bot on the real Showdown server, followed in the page: node test/showdown-live.js BANYAN PORT FOLDER
 *
 * BANYAN is the program; a server of tools/showdown listens on PORT.  Two bots play three battles; what the first one saves in
 * FOLDER is shown by `banyan web --showdown FOLDER`.  The table of every decision must be the file's: while the battle goes on,
 * and once more from the last decision back to the first.  Exit status 77: there is no Chromium. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { candidatesOf, shownCandidates } from "./tables.js";

const [program, port, folder] = process.argv.slice(2);
const battles = 3;
const patience_ms = Number(process.env.PATIENCE_MS) || 300_000;

const executablePath = ["chromium", "chromium-browser", "google-chrome"]
    .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
    .find((path) => path);
if (!executablePath) {
    console.log("there is no Chromium here");
    process.exit(77);
}
mkdirSync(folder, { recursive: true });

/** A bot that plays all battles; resolves to its exit status. */
function bot(name, ...words) {
    const common = ["showdown", "--quiet", "--patience=1200s", "--silence=300s", "-s", `localhost:${port}`, `--name=${name}`, "-n", String(battles)];
    const child = spawn(program, [...common, ...words], { stdio: ["ignore", "ignore", "inherit"] });
    return new Promise((done) => child.once("exit", done));
}

const linesOf = (room) => {
    const text = existsSync(join(folder, `${room}.jsonl`)) ? readFileSync(join(folder, `${room}.jsonl`), "utf8") : "";
    return text.split("\n").slice(0, -1); /* the last one may be half written */
};
const rooms = () => readdirSync(folder).filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length));

/** The page's last decision: its number and its table, taken at the same moment. */
const lastShown = (page) =>
    page.evaluate(() => [
        Number(document.querySelector(".play").dataset.decisions),
        [...document.querySelectorAll("table.candidates tbody tr")].map((row) => [row.dataset.action, row.cells[1].textContent, row.cells[3].textContent]),
    ]);

/** Follows a battle until `isOver`; returns how many decisions were compared while the battle went on. */
async function follow(page, room, isOver) {
    let seen = 0;
    let compared = 0;
    for (;;) {
        const over = isOver(); /* before the file is read */
        const lines = linesOf(room);
        const [count, table] = await lastShown(page);
        if (count > seen) {
            assert.deepEqual(table, candidatesOf(linesOf(room)[count - 1]), `${room}, decision ${count}`);
            compared += 1;
            seen = count;
        }
        if (over && count === lines.length) return compared;
        await page.waitForTimeout(20);
    }
}

/** Goes back through all decisions of a battle. */
async function goBack(page, room) {
    const lines = linesOf(room);
    for (let at = lines.length; at >= 1; --at) {
        await page.getByText(new RegExp(`^${at} of ${lines.length}`)).waitFor();
        assert.deepEqual(await shownCandidates(page), candidatesOf(lines[at - 1]), `${room}, decision ${at} of ${lines.length}`);
        if (at > 1) await page.getByRole("button", { name: "Decision before" }).click();
    }
    return lines.length;
}

const web = spawn(program, ["web", `--showdown=${folder}`]);
const link = await new Promise((done) => web.stdout.once("data", (text) => done(new URL(String(text).split("\n")[0]))));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
const faults = [];
page.setDefaultTimeout(patience_ms);
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
page.on("pageerror", (error) => faults.push(error.message));
await page.goto(`${link.origin}/showdown${link.hash}`);

let ended = false;
const played = Promise.all([bot("gobanyan", "--accept=hobanyan", `--save=${folder}`, "--time=700ms"), bot("hobanyan", "--challenge=gobanyan", "--player=heuristic")]).then((codes) => {
    ended = true;
    return codes;
});
const live = new Map(); // by room: tables that were compared while the battle went on
while (live.size < battles) {
    let room;
    while (!(room = rooms().find((name) => !live.has(name)))) {
        assert.ok(!ended, `the bots ended after ${live.size} battles`);
        await page.waitForTimeout(20);
    }
    live.set(room, 0);
    await page.getByRole("link", { name: room, exact: true }).click();
    live.set(room, await follow(page, room, () => ended || rooms().length > live.size));
    await page.getByRole("link", { name: "All battles" }).click();
}
assert.deepEqual(await played, [0, 0]);
for (const [room, compared] of live) {
    await page.getByRole("link", { name: room, exact: true }).click();
    const all = await goBack(page, room);
    assert.ok(compared > 1, `only ${compared} decisions were seen while ${room} went on`);
    console.log(`ok      ${room}: ${compared} tables compared while it went on, ${all} of ${all} afterwards`);
    await page.getByRole("link", { name: "All battles" }).click();
}
assert.deepEqual(faults, []);
await browser.close();
web.kill();
process.exit(0);
