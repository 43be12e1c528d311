/* Tests of the pages of matches, for browser.js. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const plain = (text) => text.replaceAll("−", "-").replaceAll(",", "");

/** Runs `banyan match`; returns its process, and a promise of all that it prints. */
function play(program, ...words) {
    const child = spawn(program, ["match", ...words], { stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.on("data", (piece) => (text += piece));
    return { child, ended: new Promise((done) => child.once("close", () => done(text))) };
}

/** The figures of the players in the text of `banyan match`: wins, draws, losses, score, Elo. */
const printed = (text) =>
    [...text.matchAll(/^\S.{35} +(\d+) +(\d+) +(\d+)  (\S+ \[\S+ \S+\])  (\S+ \[\S+ \S+\])$/gm)].map((match) => match.slice(1).map(plain));

/** The same figures on the page. */
const shown = (page) =>
    page.locator(".result .player").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));

const lines = (file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);

const pause = () => new Promise((done) => setTimeout(done, 10));

export function matchTests({ tab, close, program, folder, db }) {
    return {
        async "a match of another process is followed to its end"() {
            const save = join(folder, "followed.jsonl");
            rmSync(save, { force: true });
            const page = await tab("/match");
            await page.locator(".matches tbody tr").first().waitFor(); /* browser.js made some matches */
            const before = await page.locator(".matches tbody tr").count();
            const match = play(program, "othello", "mcts:simulations=3000", "random", "--games=12", "--sprt=-50,50", `--db=${db}`, `--save=${save}`);
            while (lines(save) < 1) await pause();
            match.child.kill("SIGSTOP"); /* so that it is not over before the page shows it */
            await page.locator('.matches tr[data-state="running"] a').first().click();
            await page.getByText("The match is running.").waitFor();
            match.child.kill("SIGCONT");
            /* measures how long after its end a game is shown; the time is printed, but has no bound here */
            const reached = () => page.locator("progress").evaluateAll((bars) => bars[0]?.value ?? Infinity); /* over: no bar */
            let late_ms = 0;
            for (let games = lines(save); games < 6; games = lines(save)) {
                while (lines(save) === games) await pause();
                const begin = Date.now();
                const ended = lines(save);
                while ((await reached()) < ended) await pause();
                late_ms = Math.max(late_ms, Date.now() - begin);
            }
            console.log(`        a game is shown at most ${late_ms} ms after its end`);
            const text = await match.ended;
            await page.getByText(/The match is finished|The test has decided/).waitFor();
            assert.deepEqual((await shown(page)).map((row) => row.map(plain)), printed(text));
            const [, llr] = /LLR (\S+) in/.exec(text);
            assert.match(plain(await page.locator(".llr").textContent()), new RegExp(`LLR \\+?${llr} in`));
            await page.getByRole("link", { name: "All matches" }).click();
            await page.locator(`.matches tbody tr:nth-child(${before + 1})`).waitFor();
            await close(page);
        },

        async "on the first page nothing moves what somebody wants to click, not even a match that begins"() {
            const page = await tab("/");
            await page.addInitScript(() => {
                window.moved = [];
                const parts = ".games, .filter, .now > li";
                const note = ({ sources }) => moved.push(...sources.map(({ node }) => (node?.matches?.(parts) ? node : node?.closest?.(".games"))?.className).filter(Boolean));
                new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
            });
            await page.reload();
            await page.getByRole("link", { name: "Play Connect Four" }).waitFor();
            const running = page.locator(".now li li").filter({ hasText: "running" });
            const match = play(program, "othello", "random", "random", "--games=100000000", `--db=${db}`);
            await running.first().waitFor();
            match.child.kill("SIGINT");
            await match.ended;
            await running.first().waitFor({ state: "detached" });
            assert.deepEqual(await page.evaluate(() => window.moved), []);
            assert.deepEqual(page.faults, []);
            await page.close(); /* no other test gets it, because of the script */
        },

        async "a match whose process was killed is told, and one that was stopped"() {
            for (const [signal, said] of [["SIGKILL", /The match broke off after/], ["SIGINT", /The match was stopped after/]]) {
                const page = await tab("/match");
                const match = play(program, "othello", "random", "random", "--games=100000000", `--db=${db}`);
                await page.locator('.matches tr[data-state="running"] a').first().click();
                await page.getByText("The match is running.").waitFor();
                match.child.kill(signal);
                await match.ended;
                await page.getByText(said).waitFor();
                await close(page);
            }
        },

        async "a match is started with the last settings, and stopped"() {
            const page = await tab("/match?like=1");
            assert.equal(await page.getByLabel("Players").inputValue(), "perfect\nrandom");
            assert.equal(await page.getByLabel("Test").inputValue(), "0,50");
            await page.getByLabel("Players").fill("exec:cat\nrandom");
            await page.getByRole("button", { name: "Start", exact: true }).click();
            await page.getByRole("alert").waitFor();
            assert.match(await page.getByRole("alert").textContent(), /exec/);
            await page.getByLabel("Players").fill("random\nfirst");
            await page.getByLabel("Test").fill("");
            await page.getByLabel("Games").fill("100000000");
            await page.getByRole("button", { name: "Start", exact: true }).click();
            await page.locator('.matches tr[data-state="running"]').waitFor();
            await page.getByRole("button", { name: "Stop the match" }).click();
            await page.locator('.matches tr[data-state="running"]').waitFor({ state: "detached" });
            assert.equal(await page.getByLabel("Players").inputValue(), "random\nfirst"); /* the form keeps its fields */
            await close(page);
        },

        async "a game of a match is shown ply by ply"() {
            const page = await tab("/match/1");
            await page.getByRole("link", { name: "Game 3", exact: true }).click();
            await page.getByRole("button", { name: "End", exact: true }).click();
            await page.getByText(/^(\d+) of \1$/).waitFor();
            await page.getByRole("link", { name: "The match" }).click();
            await page.getByText("The test has decided").or(page.getByText("The match is finished")).waitFor();
            await close(page);
        },

        async "a match that is not there gets a sentence"() {
            const page = await tab("/match/999");
            await page.getByRole("alert").waitFor();
            assert.match(await page.getByRole("alert").textContent(), /there is no match 999/);
            await close(page);
        },
    };
}
