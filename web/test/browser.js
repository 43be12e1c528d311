/* The page in Chromium: node test/browser.js BANYAN FOLDER [all | WORDS]
 *
 * all: every game is played to its end, and every page is looked at in both sizes and schemes, which takes long.
 * WORDS: only tests with these words in their names, as long as with "all". BANYAN is the program; screenshots of all
 * pages go to FOLDER.  Exit status 77: there is no Chromium.  The tests wait for events, never for a fixed time. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { lookTests } from "./browser-looks.js";
import { matchTests } from "./browser-match.js";
import { playTests } from "./browser-play.js";
import { makeRecordings, replayTests } from "./browser-replay.js";
import { beginBattles, showdownTests } from "./browser-showdown.js";
import { makeRuns, trainTests } from "./browser-train.js";
import { searchedTable, shownTable as table, signed } from "./tables.js";

const [program, folder, which] = process.argv.slice(2);
const patience_ms = Number(process.env.PATIENCE_MS) || 120_000;
const long = Boolean(which);

/* --- the program and the browser --- */

const browserPath = ["chromium", "chromium-browser", "google-chrome"]
    .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
    .find((path) => path);
if (!browserPath) {
    console.log("there is no Chromium here");
    process.exit(77);
}
mkdirSync(folder, { recursive: true });

/** Starts `banyan web`; the address to open, and what ends it. */
async function serve(...words) {
    const child = spawn(program, ["web", ...words]);
    const link = await new Promise((resolve, reject) => {
        child.stdout.once("data", (text) => resolve(new URL(String(text).split("\n")[0])));
        child.once("exit", (code) => reject(new Error(`banyan web ended with ${code}`)));
    });
    return { link, end: () => new Promise((done) => child.once("exit", done) && child.kill("SIGTERM")) };
}

/* without a graphics card its process only adds waiting, now and then for minutes on a busy machine */
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"], timeout: patience_ms });
const games = join(folder, "games");
mkdirSync(games, { recursive: true });
for (const [game, player] of [["othello", "mcts:simulations=20"], ["mushroom", "greedy"], ["bloodbowl-1", "random"], ["pokemon", "random"]])
    if (!existsSync(join(games, `${game}.jsonl`)))
        execFileSync(program, ["match", game, player, "random", "--games=2", `--save=${join(games, `${game}.jsonl`)}`]);
writeFileSync(join(games, "garbage.jsonl"), "this is no game\n");
makeRecordings(program, games);
const db = join(folder, "matches.db");
for (const end of ["", "-wal", "-shm"]) rmSync(db + end, { force: true });
for (const pair of [["perfect", "random"], ["perfect", "first"], ["random", "first"]])
    execFileSync(program, ["match", "tictactoe", ...pair, "--games=10", "--sprt=0,50", `--db=${db}`]);
const runs = makeRuns(program, folder);
if (!runs) console.log("SKIPPED: no python3: the pages of training are not tested");
const battles = join(folder, "battles");
const rooms = beginBattles(battles);
const sources = [`--games=${games}`, `--showdown=${battles}`, `--db=${db}`, ...Object.values(runs ?? {}).map((run) => `--run=${run}`)];
let server = await serve(...sources);

const contexts = new Map(); // by settings
const idle = new Map(); // by settings: tabs that no test uses; to begin one costs more than most tests

/** A browser context with these settings and the same time limit as all others. */
async function newContext(settings = {}) {
    const context = await browser.newContext(settings);
    context.setDefaultTimeout(patience_ms);
    return context;
}

/** A tab with these settings, of a test before or a new one. */
async function anyTab(settings) {
    const key = JSON.stringify(settings);
    const used = idle.get(key)?.pop();
    if (used) return used;
    if (!contexts.has(key)) contexts.set(key, await newContext({ viewport: { width: 1280, height: 800 }, ...settings }));
    const page = await contexts.get(key).newPage();
    page.kind = key;
    page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
    page.on("pageerror", (error) => page.faults.push(error.message));
    page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.protocol !== "data:" && url.protocol !== "about:" && url.host !== page.host) page.faults.push(`asks ${url.host}`);
    });
    return page;
}

/** A tab that shows an address; its errors and its requests to other hosts fail the test that asked for it. */
async function tab(path = "/", settings = {}, at = server) {
    const page = await anyTab(settings);
    page.faults = [];
    page.host = at.link.host;
    await page.goto(at.link.origin + path + at.link.hash);
    return page;
}

/** Ends a test's use of a tab. */
async function close(page) {
    assert.deepEqual(page.faults, []);
    await page.goto("about:blank"); /* its connection ends */
    idle.set(page.kind, [...(idle.get(page.kind) ?? []), page]);
}

const reached = (page, k) => page.getByText(`Paused at ${k.toLocaleString("en-US")} simulation${k === 1 ? "" : "s"}.`).waitFor();
const expected = (game, n, ...words) => searchedTable(program, game, n, ...words);
const search = (page) => page.getByRole("button", { name: "Search", exact: true });

/* --- the tests --- */

/* These tests run at the same time as those of `tests`, because they often wait for other programs. */
const besides = {
    ...replayTests({ tab, close }),
    ...showdownTests({ tab, close, folder: battles, long }),
    ...(runs && trainTests({ tab, close, program, serve, folder, runs })),
    ...lookTests({ tab, close, folder, runs, rooms, long }),
};

const tests = {
    ...matchTests({ tab, close, program, folder, db }),
    ...playTests({ tab, close, program, folder, long }),

    async "the link opens the page and hides its token"() {
        const page = await tab("/");
        await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
        assert.equal(new URL(page.url()).hash, "");
        const games = JSON.parse(execFileSync(program, ["list", "--json"], { encoding: "utf8" })).games;
        const families = new Set(games.map(({ name }) => name.split("-")[0]));
        const cards = page.locator(".games .card");
        await cards.first().waitFor();
        assert.equal(await cards.count(), families.size);
        await page.getByRole("searchbox").fill("connect");
        await cards.nth(1).waitFor({ state: "detached" });
        assert.equal(await cards.count(), 1);
        await close(page);
    },

    async "a link without a token asks for one"() {
        const context = await newContext();
        const page = await context.newPage();
        await page.goto(server.link.origin);
        await page.getByText("this link has no token").waitFor();
        await context.close();
    },

    async "from home to a searched position in two clicks"() {
        const page = await tab("/");
        await page.getByRole("link", { name: "Watch a search of Tic-tac-toe" }).click();
        await search(page).click();
        await page.getByText(/Paused at/).waitFor(); /* at fewer than wanted: the result is proven */
        await close(page);
    },

    async "search, step and scrub give the tables of banyan search"() {
        const page = await tab("/search/othello?seed=3");
        await page.getByRole("spinbutton").fill("2000");
        await search(page).click();
        await reached(page, 2000);
        assert.deepEqual(await table(page), expected("othello", 2000, "--seed=3"));
        await page.getByRole("button", { name: "Step 10", exact: true }).click();
        await reached(page, 2010);
        await page.getByText("Visits as a table").click();
        const visits = await page.locator("tr", { has: page.getByRole("rowheader", { name: "2010", exact: true }) }).locator("td").allTextContents();
        assert.deepEqual(visits, expected("othello", 2010, "--seed=3").map((row) => row[1].replace(",", "")).slice(0, 5));
        assert.deepEqual(await table(page), expected("othello", 2010, "--seed=3"));
        await page.getByRole("slider").fill("100");
        await reached(page, 100);
        assert.deepEqual(await table(page), expected("othello", 100, "--seed=3"));
        assert.equal(new URL(page.url()).searchParams.get("k"), "100");
        await close(page);
    },

    /* if `long` is set: the same with many simulations, and after the page was opened anew */
    ...(long && {
        async "a search of a million simulations is gone back through"() {
            const most = 1_000_000;
            const same = async (page, k) => {
                await reached(page, k);
                assert.deepEqual(await table(page), expected("othello", k, "--seed=5", "--memory=1G"), `at ${k}`);
            };
            const page = await tab(`/search/othello?seed=5&memory=1G&k=${most}`);
            await same(page, most);
            for (const k of [1, 100, 10_000, 999_999]) {
                await page.getByRole("slider").fill(String(k));
                await same(page, k);
            }
            await page.getByText("The same as a table").click();
            const below = page.locator(".rows tbody button");
            const level = (n) => page.locator(".way").and(page.locator(`:has(li:nth-child(${n})):not(:has(li:nth-child(${n + 1})))`)).waitFor();
            let deepest = 1;
            for (; (await below.count()) > 0; await level(++deepest)) await below.first().click();
            assert.ok(deepest > 5, `a leaf ${deepest} levels down`);
            await page.getByRole("button", { name: "Whole tree" }).click();
            await level(1);
            let boxes = 0; /* the whole tree comes a moment later */
            while (boxes <= 1000) boxes = Number(await page.locator("canvas.icicle").getAttribute("data-boxes"));
            assert.ok(boxes <= 5000, `${boxes} rectangles`);
            for (let i = 0; i < 3; ++i) {
                const k = 1 + Math.floor(most * Math.random());
                await page.goto(`${new URL(page.url()).origin}/search/othello?seed=5&memory=1G&k=${k}`);
                await same(page, k);
            }
            await close(page);
        },
    }),

    async "the sizes of a game share a card, and all are played from there"() {
        const page = await tab("/");
        await page.getByLabel("Which Hex").selectOption("hex-5x5");
        await page.getByRole("link", { name: "Play Hex (5x5)" }).click();
        await page.getByRole("heading", { name: "Hex (5x5)" }).waitFor();
        await close(page);
    },

    async "the first page leads to matches, runs and recorded games"() {
        for (const [name, heading] of [[/, match \d+$/, /^Match \d+/], ["battle.log", "battle.log"], ...(runs ? [["long", "long"]] : [])]) {
            const page = await tab("/");
            await page.locator(".now").getByRole("link", { name, exact: true }).first().click();
            await page.getByRole("heading", { name: heading }).first().waitFor();
            await close(page);
        }
    },

    async "the principal variation is shown as boards when the search pauses"() {
        const page = await tab("/search/othello?k=2000&seed=3");
        await reached(page, 2000);
        await page.locator(".strip li").nth(1).waitFor();
        const { pv } = JSON.parse(execFileSync(program, ["search", "othello", "-n", "2000", "--seed=3", "--json"], { encoding: "utf8" }));
        const shown = await page.locator(".strip li").allTextContents();
        assert.deepEqual(shown.map((text) => text.trim().split(" ")[1]), pv.slice(0, 8));
        await close(page);
    },

    async "the address holds everything"() {
        const page = await tab("/search/othello?moves=f5+d6&rule=puct&seed=4&k=500");
        await reached(page, 500);
        assert.deepEqual(await table(page), expected("othello", 500, "--moves=f5 d6", "--rule=puct", "--seed=4"));
        const command = await page.locator(".command code").textContent();
        assert.equal(command, "banyan search othello -n 500 --moves='f5 d6' --rule=puct --seed=4");
        await close(page);
    },

    async "a long search pauses"() {
        const page = await tab("/search/hex");
        await page.getByRole("spinbutton").fill("1000000000");
        await search(page).click();
        await page.getByText("Searching …").waitFor();
        await page.getByRole("button", { name: "Pause", exact: true }).click();
        await page.getByText(/Paused at/).waitFor();
        await close(page);
    },

    async "the tree is zoomed by click and by keyboard, and back"() {
        const page = await tab("/search/othello?k=3000");
        await reached(page, 3000);
        await page.locator("canvas.icicle").click({ position: { x: 40, y: 33 } });
        await page.locator(".way li").nth(1).waitFor();
        await page.locator(".inspector .board").waitFor();
        await page.getByRole("button", { name: "Back up" }).click();
        await page.locator(".way li").nth(1).waitFor({ state: "detached" });
        await page.getByText("The same as a table").press("Enter");
        await page.locator(".rows tbody button").first().press("Enter");
        await page.locator(".way li").nth(1).waitFor();
        await page.getByRole("button", { name: "Whole tree" }).press("Enter");
        await page.locator(".way li").nth(1).waitFor({ state: "detached" });
        await close(page);
    },

    async "options of the form are searched with"() {
        const page = await tab("/search/tictactoe");
        await page.getByText("Options of the search").click();
        await page.getByLabel("rule", { exact: true }).selectOption("puct");
        await page.getByLabel("cpuct", { exact: true }).fill("nonsense");
        await page.getByRole("button", { name: "Search with these options" }).click();
        await page.getByRole("alert").waitFor();
        assert.match(await page.getByRole("alert").textContent(), /cpuct/);
        await close(page);
    },

    async "a move in the table is played, and taken back"() {
        const page = await tab("/search/othello?k=200");
        await reached(page, 200);
        await page.locator("table.moves tbody button").first().click();
        await page.getByText("To move: white").waitFor();
        await page.getByRole("button", { name: "Take back" }).click();
        await page.getByText("To move: black").waitFor();
        await close(page);
    },

    async "the cells of the board have the shares of the table, and a click plays"() {
        const page = await tab("/search/othello?k=2000&seed=3");
        await reached(page, 2000);
        const { root, best } = JSON.parse(execFileSync(program, ["search", "othello", "-n", "2000", "--seed=3", "--json"], { encoding: "utf8" }));
        const total = root.reduce((sum, { visits }) => sum + visits, 0);
        const cell = (action) => page.getByRole("button", { name: `${action} empty: ` });
        for (const { action, visits, mean } of root)
            assert.deepEqual(await cell(action).locator(".mark span").allInnerTexts(), [`${((100 * visits) / total).toFixed(0)} %`, signed(mean, 2)], action);
        await page.locator("td.best").and(page.locator("td", { has: cell(best) })).click();
        await page.getByText("To move: white").waitFor();
        assert.equal(new URL(page.url()).searchParams.get("moves"), best);
        await close(page);
    },

    async "from a search to a game from there, and back"() {
        const page = await tab("/search/othello?moves=f5+d6");
        await page.getByRole("link", { name: "Play from here" }).click();
        await page.getByRole("button", { name: "d6 white" }).waitFor();
        await page.getByRole("link", { name: "Search this position" }).click();
        await page.getByText("To move: black").waitFor();
        await page.getByRole("button", { name: "d6 white" }).waitFor();
        await close(page);
    },

    async "dice, hidden cards and simultaneous moves are searched, too"() {
        for (const game of ["pig", "kuhn", "rps", "pokemon", "bloodbowl-3"]) {
            const page = await tab(`/search/${game}?k=300`);
            await page.getByText(/Paused at/).waitFor();
            await page.locator("canvas.icicle").waitFor();
            await close(page);
        }
    },

    async "recorded games are shown ply by ply"() {
        for (const game of ["othello", "mushroom", "bloodbowl-1", "pokemon"]) {
            const page = await tab("/game");
            await page.getByRole("link", { name: `${game}.jsonl` }).click();
            await page.getByRole("button", { name: "End", exact: true }).click();
            const line = JSON.parse(readFileSync(join(games, `${game}.jsonl`), "utf8").split("\n")[0]);
            await page.getByText(`${line.plies} of ${line.plies}`, { exact: true }).waitFor();
            await page.getByRole("button", { name: "Back", exact: true }).click();
            await page.getByRole("button", { name: "Start", exact: true }).click();
            await page.getByText(/^0 of /).waitFor();
            await page.keyboard.press("ArrowRight");
            await page.getByText(/^1 of /).waitFor();
            await page.keyboard.press("ArrowLeft");
            await page.getByText(/^0 of /).waitFor();
            await page.getByRole("button", { name: "Next game" }).click();
            await page.getByRole("heading", { name: "game 2" }).waitFor();
            await close(page);
        }
    },

    async "a file that holds no game gets a sentence"() {
        const page = await tab("/game/garbage.jsonl");
        await page.getByRole("alert").waitFor();
        await page.getByRole("link", { name: "All files" }).click();
        await page.getByRole("link", { name: "othello.jsonl" }).waitFor();
        await close(page);
    },

    async "a simulation is explained with the numbers of banyan explain"() {
        const text = execFileSync(program, ["explain", "tictactoe", "-n", "20", "--seed=2"], { encoding: "utf8" });
        const page = await tab("/explain/tictactoe?n=20&seed=2&at=11");
        const lines = text.split("iteration 11\n")[1].split("iteration 12\n")[0].split("\n");
        await page.locator(".phase.backup li").first().waitFor();
        const shown = (await page.locator("main").innerText()).replaceAll("\u2212", "-");
        const scores = lines.flatMap((line) => /^ {6}\S+ +(\S+) \+ (\S+) \* sqrt\(ln (\d+) \/ (\d+)\) = (\S+)/.exec(line)?.slice(1).join(" ") ?? []);
        assert.ok(scores.length > 1);
        for (const score of scores) {
            const [mean, c, n, visits, sum] = score.split(" ");
            assert.ok(shown.includes(`${mean} + ${c} · √(ln ${n} / ${visits}) = ${sum}`), score);
        }
        for (const line of lines.filter((line) => line.startsWith("  backup")))
            assert.ok(shown.includes(line.split(": ")[1].trim()), line);
        await page.getByRole("button", { name: "Next move" }).click();
        await page.getByText(/^1 of /).waitFor();
        await page.getByRole("button", { name: "Next simulation" }).click();
        await page.getByText("12 of 20").waitFor();
        await page.getByLabel("Other options beside it").fill("exploration=2");
        await page.getByRole("button", { name: "Show" }).click();
        await page.locator(".halves .setting").nth(1).waitFor();
        await page.getByText("C = 8.0000").waitFor();
        await close(page);
    },

    async "without JavaScript the page names the terminal"() {
        const context = await newContext({ javaScriptEnabled: false });
        const page = await context.newPage();
        await page.goto(server.link.origin);
        assert.match(await page.locator("body").innerText(), /banyan search/);
        await context.close();
    },

    async "at 200 % nothing is wider than the screen"() {
        for (const path of ["/", "/search/othello?k=100", "/play/othello", "/match"]) {
            const page = await tab(path, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
            await page.locator("h1").waitFor();
            await page.locator(".card, canvas.icicle, .choices button, .cross").first().waitFor();
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640, path);
            await close(page);
        }
    },

    async "a slow tab shows the right table, and its reader is told only of start and end"() {
        const page = await tab("/search/othello?seed=3");
        await page.getByText("Ready.").waitFor();
        const session = await page.context().newCDPSession(page);
        await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
        await page.evaluate(() => {
            window.told = [];
            new MutationObserver(() => window.told.push(document.querySelector(".controls [role=status]").textContent)).observe(document.querySelector(".controls [role=status]"), { childList: true, characterData: true, subtree: true });
        });
        await page.getByRole("spinbutton").fill("200000");
        await search(page).click();
        await reached(page, 200_000);
        assert.deepEqual(await table(page), expected("othello", 200_000, "--seed=3"));
        assert.deepEqual(await page.evaluate(() => window.told), ["Searching …", "Paused at 200,000 simulations."]);
        await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
        await close(page);
    },

    async "two tabs have searches of their own"() {
        const one = await tab("/search/othello?seed=1&k=300");
        const two = await tab("/search/othello?seed=2&k=400");
        await reached(one, 300);
        await reached(two, 400);
        assert.deepEqual(await table(one), expected("othello", 300, "--seed=1"));
        assert.deepEqual(await table(two), expected("othello", 400, "--seed=2"));
        await close(one);
        await close(two);
    },

    async "a foreign page can neither connect nor read"() {
        const context = await newContext();
        const page = await context.newPage();
        const other = await serve();
        await page.goto(other.link.origin);
        const results = await page.evaluate(async (host) => {
            const open = (...words) =>
                new Promise((done) => {
                    try {
                        const socket = new WebSocket(`ws://${host}/`, ...words);
                        socket.onopen = () => done("open");
                        socket.onerror = () => done("refused");
                    } catch {
                        done("refused");
                    }
                });
            const read = fetch(`http://${host}/`).then(() => "read", () => "refused");
            return Promise.all([open(), open("banyan.1"), read]);
        }, server.link.host);
        assert.deepEqual(results, ["refused", "refused", "refused"]);
        await context.close();
        await other.end();
    },

};

/* This test stops the server of all others. */
const afterwards = {
    async "the page says that the server is gone, and asks for the new link"() {
        const page = await tab("/search/tictactoe?k=50");
        await reached(page, 50);
        const { port } = server.link;
        await server.end();
        await page.getByText("Disconnected").waitFor();
        const address = page.url();
        server = await serve(`--port=${port}`, ...sources);
        await page.getByText("Please open the link").waitFor();
        assert.equal(page.url(), address); /* the new link with this address shows the same again */
        await page.goto(address + server.link.hash);
        await reached(page, 50);
        await page.close();
    },
};

let [failed, passed] = [0, 0];

/** What a failed test may have seen: every tab's address and text, and its picture in the folder of screenshots. */
async function picturesOf(name) {
    const pages = browser.contexts().flatMap((context) => context.pages()).filter((page) => page.url() !== "about:blank");
    for (const [index, page] of pages.entries()) {
        const text = await page.locator("main").innerText({ timeout: 1000 }).catch(() => "no <main>");
        console.log(`        ${new URL(page.url()).pathname}: ${text.slice(0, 300).replace(/\s+/g, " ")}`);
        await page.screenshot({ path: join(folder, `failed-${name.replace(/\W+/g, "-")}-${index}.png`) }).catch(() => undefined);
    }
}

/** Runs those of the tests that were asked for, one after the other. */
async function runAll(tests) {
    for (const [name, run] of Object.entries(tests)) {
        if (which && which !== "all" && !name.includes(which)) continue;
        const begin = Date.now();
        try {
            await run();
            ++passed;
            console.log(`ok      ${name} (${Date.now() - begin} ms)`);
        } catch (error) {
            ++failed;
            console.log(`FAILED  ${name}\n${error.stack}`);
            await picturesOf(name);
        }
    }
}
await Promise.all([runAll(tests), runAll(besides)]);
await runAll(afterwards);
await browser.close();
await server.end();
console.log(`${passed} of ${passed + failed} tests passed`);
process.exit(failed ? 1 : 0);
