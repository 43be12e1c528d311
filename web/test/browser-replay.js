/* Tests of the page of recorded games with files of other programs, for browser.js. */
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const data = join(dirname(fileURLToPath(import.meta.url)), "../../tests/data");

/** Puts a log of the judge, a recording of botbowl and the log of a battle into a folder. */
export function makeRecordings(program, folder) {
    execFileSync(program, ["judge", `--first=${program} nypc --player greedy`, `--second=${program} nypc --player random`, `--log=${join(folder, "judge.log")}`], { stdio: "ignore" });
    copyFileSync(join(data, "bloodbowl/path.jsonl.gz"), join(folder, "botbowl.jsonl.gz"));
    copyFileSync(join(data, "showdown/battle-gen8randombattle-156.log"), join(folder, "battle.log"));
}

export function replayTests({ tab, close }) {
    return {
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
            await page.getByRole("link", { name: "battle.log", exact: true }).click();
            await page.getByText("[Gen 8] Random Battle").waitFor();
            await page.getByRole("button", { name: "dora2 sends out Bisharp" }).first().click();
            await page.getByRole("heading", { name: "Bisharp" }).waitFor();
            await page.getByRole("button", { name: "End", exact: true }).click();
            await page.getByText(/^(\d+) of \1$/).waitFor();
            await close(page);
        },
    };
}
