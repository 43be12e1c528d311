/* Tests of the page of recorded games with files of other programs, for browser.js. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const room = "battle-gen8randombattle-156";
const data = join(dirname(fileURLToPath(import.meta.url)), "../../tests/data");

/** Puts a log of the judge, a recording of botbowl and the log of a battle into a folder. */
export function makeRecordings(program, folder) {
    execFileSync(program, ["judge", `--first=${program} nypc --player greedy`, `--second=${program} nypc --player random`, `--log=${join(folder, "judge.log")}`], { stdio: "ignore" });
    writeFileSync(join(folder, "blunder.jsonl"), `${JSON.stringify(blunder)}\n`);
    writeFileSync(join(folder, "secret.jsonl"), `${JSON.stringify(secret)}\n`);
    copyFileSync(join(data, "bloodbowl/path.jsonl.gz"), join(folder, "botbowl.jsonl.gz"));
    copyFileSync(join(data, `showdown/${room}.log`), join(folder, "battle.log"));
    copyFileSync(join(data, `showdown/${room}.log`), join(folder, `${room}.log`));
    copyFileSync(join(data, `battles/${room}.jsonl`), join(folder, `${room}.jsonl`));
}

/* O's second move loses Tic-tac-toe; a game of Kuhn poker. */
const blunder = { game: "tictactoe", players: ["me", "you"], start: ".../.../... x", setup_seed: "1", dice_seed: "2", opening_plies: 0, plies: 7, actions: "b2 b1 a1 c3 a3 a2 c1", returns: [1, -1] };
const secret = { game: "kuhn", players: ["me", "you"], start: "deal=QK", setup_seed: "1", dice_seed: "2", opening_plies: 0, plies: 3, actions: "check bet call", returns: [-2, 2] };

export function replayTests({ tab, close }) {
    return {
        async "a search of every position names the worst move, and a click goes there"() {
            const page = await tab("/game/blunder.jsonl");
            await page.getByRole("spinbutton").fill("2000");
            await page.getByRole("button", { name: "Search all positions" }).click();
            await page.getByText("7 of 7", { exact: true }).waitFor();
            await page.locator(".worst li").nth(0).waitFor();
            assert.match(await page.locator(".worst li").allInnerTexts().then((all) => all.join("\n")), /^Ply 2, O: b1 cost 0\.\d\d; \w\d was best$/);
            await page.getByRole("button", { name: "Ply 2, O: b1" }).click();
            await page.getByText("1 of 7", { exact: true }).waitFor();
            const curve = page.locator("svg.chart.curve");
            const { width } = await curve.boundingBox();
            await curve.click({ position: { x: (width * 5) / 7, y: 20 } });
            await page.getByText("5 of 7", { exact: true }).waitFor();
            await close(page);
        },

        async "a long sweep is stopped, and what was found stays"() {
            const page = await tab("/game/othello.jsonl");
            await page.getByRole("spinbutton").fill("1000000");
            await page.getByRole("button", { name: "Search all positions" }).click();
            await page.getByRole("button", { name: "Stop", exact: true }).click();
            await page.getByRole("heading", { name: /cost/ }).waitFor();
            await page.getByRole("button", { name: "Next game" }).click();
            await page.getByRole("heading", { name: "game 2" }).waitFor();
            await page.getByRole("heading", { name: /cost/ }).waitFor({ state: "detached" });
            await close(page);
        },

        async "a recorded game of hidden cards is shown as one player sees it"() {
            const page = await tab("/game/secret.jsonl?ply=1");
            const board = page.locator("pre.board");
            await board.getByText("Q").waitFor();
            assert.match(await board.textContent(), /K/);
            await page.getByLabel("Shown").selectOption({ index: 1 });
            await board.getByText("?").waitFor();
            assert.doesNotMatch(await board.textContent(), /K/);
            await page.getByRole("button", { name: "Search all positions" }).click();
            await page.getByText("3 of 3", { exact: true }).waitFor();
            await close(page);
        },

        async "a judge's log and a recording of botbowl are shown ply by ply"() {
            for (const [file, title] of [["judge.log", "Mushroom"], ["botbowl.jsonl.gz", "Blood Bowl"]]) {
                const page = await tab("/game");
                await page.getByRole("link", { name: file, exact: true }).click();
                await page.getByText(title).first().waitFor();
                await page.getByRole("button", { name: "End", exact: true }).click();
                await page.getByText(/^(\d+) of \1$/).waitFor();
                await page.locator(".two > div > *").first().waitFor();
                await close(page);
            }
        },

        async "a battle of Pokemon Showdown is shown event by event"() {
            const page = await tab("/game");
            await page.getByRole("link", { name: `${room}.log`, exact: true }).click();
            await page.getByText("[Gen 8] Random Battle").waitFor();
            await page.getByRole("button", { name: "dora2 sends out Bisharp" }).first().click();
            await page.getByRole("heading", { name: "Bisharp" }).waitFor();
            await page.getByRole("heading", { name: "What carl2 expected" }).waitFor(); /* its decisions lie beside the log */
            await page.getByRole("button", { name: "End", exact: true }).click();
            await page.getByText(/^(\d+) of \1$/).waitFor();
            await page.locator("svg.chart.curve").click({ position: { x: 1, y: 20 } });
            await page.getByText(/^0 of /).waitFor();
            await close(page);
        },
    };
}
