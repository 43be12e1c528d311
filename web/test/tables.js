/* Tables as the page shows them, and as the program has them. */
import { execFileSync } from "node:child_process";

/** A number with its sign, as the page writes it. */
export const signed = (value, digits = 3) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);

/** [action, visits, mean] of each row. */
export const shownTable = (page) =>
    page.locator("table.moves tbody tr").evaluateAll((rows) =>
        rows.map((row) => [row.dataset.action, row.cells[1].textContent, row.cells[3].textContent.split(" ")[0]]),
    );

/** The same of `banyan search GAME -n N`. */
export function searchedTable(program, game, n, ...words) {
    const text = execFileSync(program, ["search", game, "-n", String(n), "--json", ...words], { encoding: "utf8" });
    return JSON.parse(text).root.map(({ action, visits, mean }) => [action, visits.toLocaleString("en-US"), mean === null ? "–" : signed(mean)]);
}

/** The candidates of a decision on a Showdown server, [action, visits, mean] each: as a line of the bot's file has them. */
export const candidatesOf = (line) => JSON.parse(line).detail?.table.map(({ action, visits, mean }) => [action, visits.toLocaleString("en-US"), visits ? signed(mean) : "–"]) ?? [];

/** The same as the page shows them. */
export const shownCandidates = (page) =>
    page.locator("table.candidates tbody tr").evaluateAll((rows) => rows.map((row) => [row.dataset.action, row.cells[1].textContent, row.cells[3].textContent]));
