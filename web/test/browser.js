/* The page in Chromium: node test/browser.js BANYAN FOLDER [all | WORDS]
 *
 * all: every game is played to its end, which takes long; else the short ones.  WORDS: only tests with these words in
 * their names.
 * BANYAN is the program; screenshots of all pages go to FOLDER.  Exit status 77: there is no Chromium.  Everything
 * waits for what must come, never for a time. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { matchTests } from "./browser-match.js";
import { makeRecordings, replayTests } from "./browser-replay.js";
import { makeRuns, trainTests } from "./browser-train.js";

const [program, folder, which] = process.argv.slice(2);
const patience_ms = Number(process.env.PATIENCE_MS) || 60_000;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

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

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
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
const room = "battle-gen8randombattle-156";
mkdirSync(battles, { recursive: true });
const lines = readFileSync(new URL(`../../tests/data/battles/${room}.jsonl`, import.meta.url), "utf8").split("\n");
writeFileSync(join(battles, `${room}.jsonl`), `${lines.slice(0, 2).join("\n")}\n`);
const sources = [`--games=${games}`, `--showdown=${battles}`, `--db=${db}`, ...Object.values(runs ?? {}).map((run) => `--run=${run}`)];
let server = await serve(...sources);

/** A new tab; its errors and its requests to other hosts fail the test that made it. */
async function tab(path = "/", settings = {}, at = server) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
    context.setDefaultTimeout(patience_ms);
    const page = await context.newPage();
    page.faults = [];
    page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
    page.on("pageerror", (error) => page.faults.push(error.message));
    page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.protocol !== "data:" && url.host !== at.link.host) page.faults.push(`asks ${url.host}`);
    });
    await page.goto(at.link.origin + path + at.link.hash);
    return page;
}

async function close(page) {
    assert.deepEqual(page.faults, []);
    await page.context().close();
}

const reached = (page, k) => page.getByText(`Paused at ${k.toLocaleString("en-US")} simulations.`).waitFor();
const search = (page) => page.getByRole("button", { name: "Search", exact: true });

/** The root table as the page shows it: [action, visits, mean]. */
const table = (page) =>
    page.locator("table.moves tbody tr").evaluateAll((rows) =>
        rows.map((row) => [row.dataset.action, row.cells[1].textContent, row.cells[3].textContent.split(" ")[0]]),
    );

/** The same of `banyan search`. */
function expected(game, n, ...words) {
    const text = execFileSync(program, ["search", game, "-n", String(n), "--json", ...words], { encoding: "utf8" });
    return JSON.parse(text).root.map(({ action, visits, mean }) => [
        action,
        visits.toLocaleString("en-US"),
        mean === null ? "–" : (mean < 0 ? "−" : "+") + Math.abs(mean).toFixed(3),
    ]);
}

async function accessible(page, name) {
    await page.evaluate(axe).catch(() => undefined);
    /* evaluate runs in the page's world, which the policy does not restrict for the debugger */
    const result = await page.evaluate(() =>
        window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
    );
    const found = result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
    assert.deepEqual(found, [], `axe-core on ${name}`);
}

/** Waits until the person must choose or the game is over; whether it goes on. */
async function myTurn(page) {
    const over = page.getByText("The game is over:");
    await page.locator(".choices button").first().or(over).first().waitFor();
    return !(await over.isVisible());
}

/** Plays a game to its end by clicks on what is offered. */
async function playByClicks(game, players) {
    const page = await tab(`/play/${game}?seats=${["human", ...Array(players - 1).fill("random")].join("|")}&seed=1`);
    for (let ply = 0; await myTurn(page); ++ply) {
        const buttons = page.locator(".choices button");
        const before = await page.locator(".play").getAttribute("data-plies");
        await buttons.nth(ply % (await buttons.count())).click();
        await page.locator(`.play:not([data-plies="${before}"])`).waitFor();
    }
    await close(page);
}

/** Chooses on the board where it offers something, else from the list; whether it was the board. */
async function choose(page, turn) {
    const before = await page.locator(".play").getAttribute("data-plies");
    const done = page.locator(`.play:not([data-plies="${before}"])`);
    const cells = page.locator(".clickboard button:enabled");
    const here = page.locator('.choices[aria-label^="Choices on"] button');
    const nth = async (found, n) => found.nth(n % (await found.count())).click();
    const onBoard = (await cells.count()) > 0 && turn % 3 < 2;
    const list = page.locator(".choices button");
    if (!onBoard) await nth(list, turn);
    else {
        await nth(cells, turn * 7);
        await done.or(here.first()).or(page.locator('.clickboard [aria-pressed="true"]').first()).first().waitFor();
        if (!(await done.count())) await nth((await here.count()) ? here : list, turn);
    }
    await done.waitFor();
    return onBoard;
}

/* Every page, as it is looked at by axe-core and in screenshots. */
const pages = [
    ["home", "/"],
    ["search", "/search/othello?k=2000"],
    ["play", "/play/othello"],
    ["cards", "/play/pokemon"],
    ["pitch", "/play/bloodbowl"],
    ["replay", "/game/othello.jsonl?ply=9"],
    ["battle", "/game/battle.log?ply=40"],
    ["hidden", "/search/kuhn?k=300"],
    ["explain", "/explain/tictactoe?n=20"],
    ...(which === "all" ? [["outcomes", "/explain/pig?n=20&other=exploration%3D1"], ["matrix", "/explain/rps?n=30"], ["information", "/explain/kuhn?n=20"], ["worlds", "/explain/pokemon?n=20"]] : []),
    ["battles", "/showdown"],
    ["decision", `/showdown/${room}`],
    ["matches", "/match"],
    ["match", "/match/1"],
    ...(runs ? [["runs", "/train"], ["run", "/train/long?with=short"]] : []),
];

/* --- the tests --- */

const tests = {
    ...matchTests({ tab, close, program, folder, db }),
    ...replayTests({ tab, close }),
    ...(runs && trainTests({ tab, close, program, serve, folder, runs })),

    async "the link opens the page and hides its token"() {
        const page = await tab("/");
        await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
        assert.equal(new URL(page.url()).hash, "");
        const games = JSON.parse(execFileSync(program, ["list", "--json"], { encoding: "utf8" })).games;
        const families = new Set(games.map(({ name }) => name.split("-")[0]));
        assert.equal(await page.locator(".games .card").count(), families.size);
        await page.getByRole("searchbox").fill("connect");
        assert.equal(await page.locator(".games .card").count(), 1);
        await close(page);
    },

    async "a link without a token asks for one"() {
        const context = await browser.newContext();
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
        assert.deepEqual(await table(page), expected("othello", 2010, "--seed=3"));
        await page.getByRole("slider").fill("100");
        await reached(page, 100);
        assert.deepEqual(await table(page), expected("othello", 100, "--seed=3"));
        assert.equal(new URL(page.url()).searchParams.get("k"), "100");
        await close(page);
    },

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

    async "dice, hidden cards and simultaneous moves are searched, too"() {
        for (const game of ["pig", "kuhn", "rps", "pokemon", "bloodbowl-3"]) {
            const page = await tab(`/search/${game}?k=300`);
            await page.getByText(/Paused at/).waitFor();
            await page.locator("canvas.icicle").waitFor();
            await close(page);
        }
    },

    async "from home to a played move in two clicks"() {
        const page = await tab("/");
        await page.getByRole("link", { name: "Play Connect Four" }).click();
        await page.getByRole("button", { name: "4", exact: true }).click();
        await page.locator(".log li").nth(1).waitFor(); /* the other player has answered */
        await close(page);
    },

    async "a game is played by keyboard alone"() {
        const page = await tab("/play/tictactoe?seats=human|random&seed=4");
        while (await myTurn(page)) {
            const before = await page.locator(".play").getAttribute("data-plies");
            const move = await page.locator(".choices button").first().textContent();
            await page.getByRole("searchbox").press("Control+A");
            await page.keyboard.type(move);
            await page.keyboard.press("Enter");
            await page.locator(`.play:not([data-plies="${before}"])`).waitFor();
        }
        await close(page);
    },

    async "a cell of the board is clicked, or two"() {
        const page = await tab("/play/breakthrough?seats=human|random");
        await page.getByRole("button", { name: /^b7 / }).click();
        await page.getByRole("button", { name: /^b6 / }).click();
        await page.locator('.play[data-plies="2"]').waitFor();
        await close(page);
    },

    async "a click anywhere in a column drops a disc"() {
        const page = await tab("/play/connect4?seats=human|first");
        await page.locator('table[aria-label^="Board"] tbody tr').first().locator("button").nth(3).click();
        await page.locator('.play[data-plies="2"]').waitFor();
        assert.match(await page.locator("tbody tr").last().locator("button").nth(3).getAttribute("aria-label"), /X/);
        await close(page);
    },

    async "rectangles of mushrooms are dragged, or their corners clicked"() {
        const page = await tab("/play/mushroom?seats=human|human&seed=3");
        for (const drag of [true, false]) {
            const before = await page.locator(".play").getAttribute("data-plies");
            const offered = await page.locator(".choices button").allTextContents();
            const [r1, c1, r2, c2] = offered.find((text) => /^\d/.test(text)).split(",");
            const corner = (r, c) => page.getByRole("button", { name: new RegExp(`^${c},${r} `) });
            if (drag) {
                await corner(r1, c1).hover();
                await page.mouse.down();
                await corner(r2, c2).hover();
                await page.mouse.up();
            } else {
                await corner(r1, c2).click();
                await corner(r2, c1).click();
            }
            await page.locator(`.play:not([data-plies="${before}"])`).waitFor();
        }
        await close(page);
    },

    async "Blood Bowl is played by clicks on the pitch"() {
        for (const game of which === "all" ? ["bloodbowl-1", "bloodbowl-11"] : ["bloodbowl-1"]) {
            const page = await tab(`/play/${game}?seats=human|random&seed=2`);
            let onPitch = 0;
            const most = which === "all" ? Infinity : 25; /* a whole game has hundreds of choices */
            for (let turn = 0; turn < most && (await myTurn(page)); ++turn) onPitch += await choose(page, turn);
            assert.ok(onPitch > 3, `${onPitch} clicks on the pitch`);
            await page.screenshot({ path: join(folder, `${game}.png`), fullPage: true });
            await close(page);
        }
    },

    async "games of every kind end by clicks alone"() {
        const { games } = JSON.parse(execFileSync(program, ["list", "--json"], { encoding: "utf8" }));
        const short = ["tictactoe", "othello-4x4", "connect4", "hex-5x5", "bandit", "pig-3", "tree-4", "kuhn", "rps", "bimatrix", "pokemon"];
        for (const { name, players } of games)
            if (which === "all" || short.includes(name)) await playByClicks(name, players);
    },

    async "undo, hints, save and load"() {
        const page = await tab("/play/othello?seats=human|first");
        const plies = (n) => page.locator(`.play[data-plies="${n}"]`).waitFor();
        await page.getByRole("button", { name: "d3 empty" }).click();
        await plies(2);
        await page.getByRole("button", { name: "Undo" }).click();
        await plies(0);
        await page.getByLabel("Hints").check();
        await page.getByText(/The best player would choose/).waitFor();
        await page.getByLabel("Hints").uncheck();
        await page.getByRole("button", { name: "d3 empty" }).click();
        await plies(2);
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        const file = join(folder, "othello.jsonl");
        await (await download).saveAs(file);
        await page.getByRole("button", { name: "New game" }).click();
        await plies(0);
        await page.getByLabel("Go on with a saved game").setInputFiles(file);
        await plies(2);
        assert.match(execFileSync(program, ["verify", "othello", file], { encoding: "utf8" }), /1/);
        await close(page);
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

    async "a battle of a bot is followed, and its tables are those of the file"() {
        const page = await tab("/showdown");
        await page.getByRole("link", { name: room }).click();
        const decided = (n) => page.locator(`.play[data-decisions="${n}"]`).waitFor();
        const same = async (line) => {
            const { detail } = JSON.parse(line);
            const shown = await page.locator("table.candidates tbody tr").evaluateAll((rows) => rows.map((row) => [row.dataset.action, row.cells[1].textContent, row.cells[3].textContent]));
            const mean = ({ visits, mean }) => (visits ? (mean < 0 ? "−" : "+") + Math.abs(mean).toFixed(3) : "–");
            assert.deepEqual(shown, detail.table.map((row) => [row.action, row.visits.toLocaleString("en-US"), mean(row)]));
        };
        await decided(2);
        await same(lines[1]);
        appendFileSync(join(battles, `${room}.jsonl`), `${lines[2]}\n`); /* the bot decides again */
        await decided(3);
        await same(lines[2]);
        await page.getByRole("button", { name: "Decision before" }).click();
        await page.getByText("2 of 3").waitFor();
        await same(lines[1]);
        await page.getByText("damage").first().waitFor();
        await close(page);
    },

    async "who has used up all time has lost"() {
        const page = await tab("/play/othello?seats=human|human");
        await page.getByLabel("Clocks").selectOption("5");
        await page.getByRole("button", { name: "New game" }).click();
        await page.getByRole("timer").getByText("white 5:00").waitFor();
        await page.getByRole("button", { name: "d3 empty" }).click();
        await page.locator('.play[data-plies="1"]').waitFor();
        await page.goto(`${server.link.origin}/play/othello?seats=human|human&clock=0.005`);
        await page.getByText("black has lost on time").waitFor();
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
        const context = await browser.newContext();
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

    async "all pages are accessible, in both schemes and both sizes"() {
        for (const colorScheme of ["light", "dark"])
            for (const [width, height] of [[1280, 800], [390, 844]])
                for (const [name, path] of pages) {
                    /* the short suite: large pages light, small ones dark */
                    if (which !== "all" && (colorScheme === "light") !== (width === 1280)) continue;
                    const page = await tab(path, { colorScheme, viewport: { width, height }, reducedMotion: "reduce" });
                    if (path === "/") await page.locator(".card").first().waitFor();
                    else if (path.startsWith("/showdown")) await page.locator("tbody tr").first().waitFor();
                    else if (path.startsWith("/explain")) await page.locator(".phase.backup").first().waitFor();
                    else if (name === "battle") await page.locator(".half meter").first().waitFor();
                    else if (path.startsWith("/game")) await page.locator(".play img.board").waitFor();
                    else if (path.startsWith("/play")) await page.locator(".choices button").first().waitFor();
                    else if (path.startsWith("/match")) await page.locator(path === "/match" ? ".cross" : ".games tbody tr").first().waitFor();
                    else if (path.startsWith("/train")) await page.locator(path === "/train" ? ".matches" : ".plot canvas").first().waitFor();
                    else await page.locator("canvas.icicle").waitFor();
                    if (path.startsWith("/search")) await page.getByText(/Paused at/).waitFor();
                    await accessible(page, `${name}, ${colorScheme}, ${width}`);
                    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                    assert.ok(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
                    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
                    await close(page);
                }
    },

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
        await page.context().close();
    },
};

let failed = 0;
const chosen = Object.entries(tests).filter(([name]) => !which || which === "all" || name.includes(which));
for (const [name, run] of chosen) {
    const begin = Date.now();
    try {
        await run();
        console.log(`ok      ${name} (${Date.now() - begin} ms)`);
    } catch (error) {
        ++failed;
        console.log(`FAILED  ${name}\n${error.stack}`);
    }
}
await browser.close();
await server.end();
console.log(`${chosen.length - failed} of ${chosen.length} tests passed`);
process.exit(failed ? 1 : 0);
