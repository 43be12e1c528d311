/* Tests of playing, for browser.js. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/* Games of every kind that end soon. */
const short = ["tictactoe", "othello-4x4", "connect4", "hex-5x5", "bandit", "pig-3", "tree-4", "kuhn", "rps", "bimatrix", "pokemon"];

const plies = (page, n) => page.locator(`.play[data-plies="${n}"]`).waitFor();

/** Chooses an empty cell of the board, and waits until so many plies are played. */
async function chooseOn(page, cell, then) {
    await page.getByRole("button", { name: `${cell} empty` }).click();
    await plies(page, then);
}

async function save(page, file) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await (await download).saveAs(file);
}

/** Waits until the person must choose or the game is over; returns whether the game goes on. */
async function myTurn(page) {
    const over = page.getByText("The game is over:");
    await page.locator(".choices button").first().or(over).first().waitFor();
    return !(await over.isVisible());
}

/** Chooses on the board if it offers something, else from the list; returns whether it was the board. */
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

export function playTests({ tab, close, program, folder, long }) {
    /** Plays a game to its end by clicks on what is offered. */
    async function playByClicks(game, players) {
        const page = await tab(`/play/${game}?seats=${["human", ...Array(players - 1).fill("random")].join("|")}&seed=1`);
        for (let ply = 0; await myTurn(page); ++ply) {
            const buttons = page.locator(".choices button");
            const before = await page.locator(".play").getAttribute("data-plies");
            const problem = page.getByRole("alert");
            await buttons.nth(ply % (await buttons.count())).click();
            await page.locator(`.play:not([data-plies="${before}"])`).or(problem).first().waitFor();
            assert.deepEqual(await problem.allTextContents(), []);
        }
        await close(page);
    }

    const { games } = JSON.parse(execFileSync(program, ["list", "--json"], { encoding: "utf8" }));
    const played = games.filter(({ name }) => long || short.includes(name));
    return {
        ...Object.fromEntries(played.map(({ name, players }) => [`a game of ${name} ends by clicks alone`, () => playByClicks(name, players)])),


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
                const offered = page.locator(".choices button").filter({ hasText: /^\d/ }).first();
                const [r1, c1, r2, c2] = (await offered.textContent()).split(",");
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
            for (const game of long ? ["bloodbowl-1", "bloodbowl-11"] : ["bloodbowl-1"]) {
                const page = await tab(`/play/${game}?seats=human|random&seed=2`);
                let onPitch = 0;
                const most = long ? Infinity : 25; /* a whole game has hundreds of choices */
                for (let turn = 0; turn < most && (await myTurn(page)); ++turn) onPitch += await choose(page, turn);
                assert.ok(onPitch > 3, `${onPitch} clicks on the pitch`);
                await page.screenshot({ path: join(folder, `${game}.png`), fullPage: true });
                await close(page);
            }
        },

        async "a choice is taken back"() {
            const page = await tab("/play/othello?seats=human|first");
            await chooseOn(page, "d3", 2);
            await page.getByRole("button", { name: "Undo" }).click();
            await plies(page, 0);
            await chooseOn(page, "d3", 2);
            await close(page);
        },

        async "a board is flipped by keyboard, and stays flipped from page to page"() {
            const page = await tab("/play/breakthrough?seats=human|random");
            const corner = page.locator(".clickboard tbody tr").first().locator("td button").first();
            const first = async (name) => assert.match(await corner.getAttribute("aria-label"), name);
            const names = (where) => page.locator(`.clickboard ${where} th`).allTextContents();
            const flip = page.getByRole("button", { name: "Flip the board" });
            const state = (pressed) => page.getByRole("button", { name: "Flip the board", pressed }).waitFor();
            await state(false);
            await first(/^a8 /);
            const [columns, rows] = [await names("thead"), await names("tbody")];
            await flip.press("Enter");
            await state(true);
            await first(/^h1 /);
            assert.deepEqual([await names("thead"), await names("tbody")], [columns.reverse(), rows.reverse()]);
            assert.equal(new URL(page.url()).searchParams.get("flip"), "1");
            await page.getByRole("button", { name: /^b7 / }).click();
            await page.getByRole("button", { name: /^b6 / }).click();
            await plies(page, 2);
            const position = new URL(await page.getByRole("link", { name: "Search this position" }).getAttribute("href"), page.url());
            await page.getByRole("button", { name: "New game" }).click();
            await plies(page, 0);
            await first(/^h1 /);
            await page.goto(position.href);
            await page.locator(".search .clickboard").waitFor();
            await first(/^h1 /);
            await flip.press(" ");
            await state(false);
            await first(/^a8 /);
            assert.equal(new URL(page.url()).searchParams.get("flip"), null);
            assert.match(await page.locator(".command code").textContent(), /^banyan search breakthrough -n \d+ --position=/);
            await close(page);
        },

        async "a board of hexagons keeps its neighbours when it is flipped, and columns stay as they are"() {
            const place = async (page, cell) => page.getByRole("button", { name: `${cell} empty` }).boundingBox();
            const away = async (page) => {
                const [a, b] = [await place(page, "b2"), await place(page, "b3")];
                return [Math.sign(b.y - a.y), Math.round(10 * Math.abs((b.x - a.x) / a.width))];
            };
            const page = await tab("/play/hex-5x5?seats=human|human");
            await page.getByRole("button", { name: "b2 empty" }).waitFor();
            assert.deepEqual(await away(page), [1, 5]);
            await page.getByRole("button", { name: "Flip the board" }).click();
            await page.getByRole("button", { name: "Flip the board", pressed: true }).waitFor();
            assert.deepEqual(await away(page), [-1, 5]);
            const [a1, e5] = [await place(page, "a1"), await place(page, "e5")];
            assert.ok(a1.x > e5.x && a1.y > e5.y);
            await page.goto(`${new URL(page.url()).origin}/play/connect4?flip=1&seats=human|human`);
            await page.locator(".clickboard.columns").waitFor();
            assert.equal(await page.getByRole("button", { name: "Flip the board" }).count(), 0);
            assert.match(await page.locator(".clickboard thead th").first().textContent(), /^1$/);
            await close(page);
        },

        async "a position is copied, and begins a game"() {
            const page = await tab("/play/othello?seats=human|first", { permissions: ["clipboard-read", "clipboard-write"] });
            await chooseOn(page, "d3", 2);
            await page.getByRole("button", { name: "Copy the position" }).click();
            await page.getByRole("button", { name: "Copied" }).waitFor();
            const position = await page.evaluate(() => navigator.clipboard.readText());
            await page.goto(`${new URL(page.url()).origin}/play/othello?seats=human|first&position=${encodeURIComponent(position)}`);
            await page.getByRole("button", { name: "d3 black" }).waitFor();
            await plies(page, 0);
            await close(page);
        },

        async "a board is flipped where its game has a picture of its own"() {
            const page = await tab("/game/othello.jsonl?ply=3");
            await page.locator("img.board").waitFor();
            await page.getByRole("button", { name: "Flip the board" }).click();
            assert.deepEqual((await page.locator(".clickboard tbody th").allTextContents()).join(""), "87654321");
            assert.equal(await page.locator("img.board").count(), 0);
            await close(page);
        },

        async "hints come when they are asked for"() {
            const page = await tab("/play/othello?seats=human|first");
            await plies(page, 0);
            await page.getByLabel("Hints").check();
            await page.getByText(/The best player would choose/).waitFor();
            await page.getByLabel("Hints").uncheck();
            await page.getByText(/The best player would choose/).waitFor({ state: "detached" });
            await close(page);
        },

        async "what the other player expects is shown as a bar"() {
            const page = await tab("/play/othello?seats=human|mcts:simulations=50");
            await chooseOn(page, "d3", 2);
            await page.getByRole("meter", { name: "What white expects" }).waitFor();
            await page.getByText(/white expects [+−]0\.\d\d after 50 simulations/).waitFor();
            await close(page);
        },

        async "a game is saved, and the program knows it"() {
            const page = await tab("/play/othello?seats=human|first");
            await chooseOn(page, "d3", 2);
            const file = join(folder, "saved.jsonl");
            await save(page, file);
            assert.match(execFileSync(program, ["verify", "othello", file], { encoding: "utf8" }), /1/);
            await close(page);
        },

        async "a saved game is gone on with"() {
            const file = join(folder, "loaded.jsonl");
            rmSync(file, { force: true }); /* of an earlier run */
            execFileSync(program, ["match", "othello", "first", "first", "--games=1", `--save=${file}`]);
            const line = JSON.parse(readFileSync(file, "utf8"));
            const actions = line.actions.split(" ").slice(0, 4).join(" ");
            writeFileSync(file, `${JSON.stringify({ ...line, actions, plies: 4, returns: null })}\n`);
            const page = await tab("/play/othello?seats=human|first");
            await plies(page, 0);
            await page.getByLabel("Go on with a saved game").setInputFiles(file);
            await plies(page, 4);
            await page.locator(".choices button").first().click();
            await plies(page, 6);
            await close(page);
        },

        async "a level is chosen, plays, and stands in the saved game"() {
            const page = await tab("/play/othello");
            for (const level of [1, 3]) {
                await page.locator("select[name=seat-1]").selectOption({ label: `Level ${level}` });
                await page.getByRole("button", { name: "New game" }).click();
                await page.waitForURL((url) => url.searchParams.get("seats") === `human|level:${level}`);
                await plies(page, 0);
                await chooseOn(page, "d3", 2);
                const file = join(folder, `level-${level}.jsonl`);
                await save(page, file);
                assert.equal(JSON.parse(readFileSync(file, "utf8")).players[1], `level:${level}`);
            }
            await close(page);
        },

        async "any player of the program is typed for a seat"() {
            const page = await tab("/play/othello");
            await page.locator("select[name=seat-1]").selectOption({ label: "Other player …" });
            await page.getByLabel("Player for white").fill("mcts:simulations=30");
            await page.getByLabel("Player for white").press("Enter");
            await page.waitForURL((url) => url.searchParams.get("seats") === "human|mcts:simulations=30");
            await plies(page, 0);
            assert.equal(await page.locator("select[name=seat-1]").inputValue(), "mcts:simulations=30");
            await chooseOn(page, "d3", 2);
            await page.locator("select[name=seat-1]").selectOption({ label: "Other player …" });
            await page.getByLabel("Player for white").fill("nobody");
            await page.getByRole("button", { name: "New game" }).click();
            await page.getByRole("alert").getByText("nobody").waitFor();
            await close(page);
        },

        async "a new game leaves nothing of the one before to click on"() {
            const page = await tab("/play/othello?seats=human|human");
            await chooseOn(page, "d3", 1);
            const shown = await page.evaluate(async () => {
                [...document.querySelectorAll("button")].find((button) => button.textContent === "New game").click();
                await new Promise((done) => setTimeout(done)); /* the page is made, and not yet painted */
                return document.querySelector(".play").dataset.plies;
            });
            assert.notEqual(shown, "1");
            await plies(page, 0);
            await close(page);
        },

        async "who has used up all time has lost"() {
            const page = await tab("/play/othello?seats=human|human");
            await page.getByLabel("Clocks").selectOption("5");
            await page.getByRole("button", { name: "New game" }).click();
            await page.getByRole("timer").getByText("white 5:00").waitFor();
            await page.getByRole("button", { name: "d3 empty" }).click();
            await page.locator('.play[data-plies="1"]').waitFor();
            await page.goto(`${new URL(page.url()).origin}/play/othello?seats=human|human&clock=0.005`);
            await page.getByText("black has lost on time").waitFor();
            await close(page);
        },
    };
}
