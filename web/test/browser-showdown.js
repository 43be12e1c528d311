/* Tests of the page that follows a bot on a Showdown server, for browser.js. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { candidatesOf as tableOf, shownCandidates as shown } from "./tables.js";

/* What `banyan showdown --save` wrote in three battles on the real server, from their first to their last decision. */
const recorded = new URL("../../tests/data/battles/", import.meta.url);
const begun = 2; // decisions that are there when the page opens

/** The lines of each battle, by its room. */
const linesOf = Object.fromEntries(
    readdirSync(recorded)
        .filter((name) => name.endsWith(".jsonl.gz"))
        .map((name) => [name.slice(0, -".jsonl.gz".length), String(gunzipSync(readFileSync(new URL(name, recorded)))).trim().split("\n")]),
);
const rooms = Object.keys(linesOf);

/** Puts the first decisions of all battles into a folder; returns the names of the rooms. */
export function beginBattles(folder) {
    mkdirSync(folder, { recursive: true });
    for (const room of rooms) writeFileSync(join(folder, `${room}.jsonl`), `${linesOf[room].slice(0, begun).join("\n")}\n`);
    return rooms;
}

export function showdownTests({ tab, close, folder, long }) {
    const decided = (page, n) => page.locator(`.play[data-decisions="${n}"]`).waitFor();

    /** Goes back through the decisions, and compares their tables with the file. */
    async function compare(page, lines, last) {
        for (let at = lines.length; at >= last; --at) {
            await page.getByText(new RegExp(`^${at} of ${lines.length}`)).waitFor();
            assert.deepEqual(await shown(page), tableOf(lines[at - 1]), `decision ${at}`);
            if (at > last) await page.getByRole("button", { name: "Decision before" }).click();
        }
    }

    return {
        async "three battles of a bot are followed, and their tables are those of the files"() {
            assert.equal(rooms.length, 3);
            for (const room of rooms) {
                const lines = linesOf[room];
                const page = await tab("/showdown");
                await page.getByRole("link", { name: room }).click();
                await decided(page, begun);
                assert.deepEqual(await shown(page), tableOf(lines[begun - 1]));
                appendFileSync(join(folder, `${room}.jsonl`), `${lines.slice(begun).join("\n")}\n`); /* the bot decides again and again */
                await decided(page, lines.length);
                await compare(page, lines, long ? 1 : Math.max(1, lines.length - 3));
                await close(page);
            }
        },

        async "what a bot expected is drawn, and a click goes there"() {
            const [room] = rooms;
            beginBattles(folder);
            const page = await tab(`/showdown/${room}`);
            await decided(page, begun);
            await page.getByText("damage").first().waitFor();
            await page.locator("svg.chart.curve").click({ position: { x: 5, y: 20 } });
            await page.getByText(`1 of ${begun}`).waitFor();
            assert.equal(new URL(page.url()).searchParams.get("decision"), "1");
            await close(page);
        },
    };
}
