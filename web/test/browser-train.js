/* Tests of the pages of training, for browser.js. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const settings = ["-o", "generations=4,games=20,gate-games=8,test=random,test-every=1,test-games=10,test-stop=off", "--play=simulations=8"];

/** Makes a run of 1,000 generations from a short one; the numbers have all their digits. */
const lengthen = `
import random, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
random.seed(7)
columns = [row[1] for row in db.execute("PRAGMA table_info(generations)")]
last = dict(zip(columns, db.execute("SELECT * FROM generations ORDER BY generation DESC").fetchone()))
for generation in range(last["generation"] + 1, 1001):
    row = dict(last, generation=generation)
    for name in ("policy", "entropy", "value", "held_policy", "held_value", "play_s", "learn_s"):
        row[name] = (1 + 30 / (generation + 10)) * random.uniform(0.95, 1.05)
    row["gate_score"] = random.uniform(0.45, 0.6)
    row["published"] = int(row["gate_score"] > 0.55)
    row["elo"] = 40 * generation ** 0.4 + 5 * random.random()
    db.execute("INSERT INTO generations VALUES (%s)" % ",".join("?" * len(columns)), [row[name] for name in columns])
    if generation % 10 == 0:
        db.execute("INSERT INTO exams VALUES (?, 'random', 100, 10, ?)", (generation, 1 - 10 / (generation + 20) * random.random()))
db.commit()
`;

/** Rows of a run's database. */
const rows = (folder, sql) => JSON.parse(execFileSync("python3", ["-c", "import json, sqlite3, sys; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))", join(folder, "run.db"), sql], { encoding: "utf8" }));

/** Makes the runs that the tests show: a short one and a long one; null: there is no python3. */
export function makeRuns(program, folder) {
    try {
        execFileSync("python3", ["-c", "import sqlite3"]);
    } catch {
        return null;
    }
    const [short, long] = [join(folder, "short"), join(folder, "long")];
    for (const run of [short, long]) rmSync(run, { recursive: true, force: true });
    execFileSync(program, ["train", "tictactoe", "--run", short, ...settings], { stdio: "ignore" });
    cpSync(short, long, { recursive: true });
    execFileSync("python3", ["-c", lengthen, join(long, "run.db")]);
    return { short, long };
}

export function trainTests({ tab, close, program, serve, folder, runs }) {
    const generations = (page, n) => page.locator(`main[data-generations="${n}"]`).waitFor();
    return {
        async "the last games of a run are shown ply by ply"() {
            const page = await tab("/train/short");
            const [[generation, number, choices]] = rows(runs.short, "SELECT generation, number + 1, choices FROM games ORDER BY generation DESC, number DESC LIMIT 1");
            await page.getByRole("link", { name: `Game ${number} of generation ${generation}` }).click();
            await page.getByRole("heading", { name: `short, generation ${generation}, game ${number}` }).waitFor();
            await page.getByRole("button", { name: "End", exact: true }).click();
            await page.getByText(`${choices} of ${choices}`, { exact: true }).waitFor();
            await page.getByText("self-play of generation").waitFor();
            await page.getByRole("button", { name: "Next game" }).click();
            await page.getByRole("alert").waitFor(); /* that was the last game */
            await page.getByRole("link", { name: "The run" }).click();
            await page.getByRole("heading", { name: "Last games" }).waitFor();
            await close(page);
        },

        async "a run of a thousand generations opens with few bytes, and its table has the database's numbers"() {
            const page = await tab("/");
            await page.locator(".card").first().waitFor(); /* the tab is connected already, so that message is not counted */
            let bytes = 0;
            const answers = [];
            page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => (bytes += payload.length)));
            const hear = (answer) => answers.push(answer.allHeaders());
            page.on("response", hear);
            await page.goto(`${new URL(page.url()).origin}/train/long`);
            await generations(page, 1000);
            page.off("response", hear);
            for (const headers of await Promise.all(answers)) bytes += Number(headers["content-length"] ?? 0);
            assert.ok(bytes <= 200_000, `${bytes} bytes`);
            const plot = page.getByRole("region", { name: "Losses", exact: true });
            assert.equal(await plot.getAttribute("data-points"), "1000");
            await plot.getByText("The same as a table").click();
            const shown = await plot.locator("tbody tr").evaluateAll((all) => all.map((row) => [Number(row.cells[0].textContent), row.cells[1].textContent]));
            assert.ok(shown.length >= 20);
            const stored = new Map(rows(runs.long, "SELECT generation, policy FROM generations"));
            for (const [generation, policy] of shown) assert.ok(Math.abs(stored.get(generation) - Number(policy)) < 0.00006, `policy of ${generation}`);
            await close(page);
        },

        async "two runs are laid over each other, and the address holds that"() {
            const page = await tab("/train");
            await page.getByRole("link", { name: "short", exact: true }).click();
            await generations(page, 4);
            await page.getByLabel("long").check();
            await page.getByText("long: policy").first().waitFor();
            await page.reload();
            await page.getByText("short: policy").first().waitFor();
            assert.ok(await page.getByLabel("long").isChecked());
            await close(page);
        },

        async "a run is followed while it is killed and goes on"() {
            const run = join(folder, "killed");
            rmSync(run, { recursive: true, force: true });
            execFileSync(program, ["train", "tictactoe", "--run", run, "-o", "generations=1,games=10,gate-games=0,test=", "--play=simulations=8"], { stdio: "ignore" });
            const server = await serve(`--run=${run}`);
            const page = await tab("/train/killed", {}, server);
            await generations(page, 1);
            const train = (n) => spawn(program, ["train", "tictactoe", "--run", run, "-o", `generations=${n}`], { stdio: "ignore" });
            const first = train(100000);
            await page.getByText("The run goes on").waitFor();
            await page.locator('main:not([data-generations="1"])').waitFor();
            const ended = new Promise((done) => first.once("close", done));
            first.kill("SIGKILL");
            await ended;
            await page.getByText("Nobody works on this run").waitFor();
            const reached = Number(await page.locator("main").getAttribute("data-generations"));
            const second = train(reached + 2);
            await generations(page, reached + 2);
            await new Promise((done) => (second.exitCode === null ? second.once("close", done) : done()));
            assert.equal(await page.evaluate(() => performance.getEntriesByType("navigation").length), 1); /* no reload */
            assert.ok(existsSync(run));
            await close(page);
            await server.end();
        },

        async "a run that is not there gets a sentence"() {
            const page = await tab("/train/nothing");
            await page.getByRole("alert").waitFor();
            assert.match(await page.getByRole("alert").textContent(), /no run is called 'nothing'/);
            await close(page);
        },
    };
}
