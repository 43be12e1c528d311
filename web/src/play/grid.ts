/* A board that can be clicked, read from the text that the game draws:
 *
 *       a b c        letters above or below the columns,
 *     1 . X .        a number at the left of each row,
 *     2 . . O        a mark in each cell, separated by blanks or bars
 *
 * An action that is the name of one cell ("c2") is played by one click, one that is two names ("a2b3") by two: from,
 * and to.  Games that draw something else are played by the list of choices alone. */
import type { Action } from "../server/protocol.ts";

export interface Grid {
    columns: string[];
    rows: { name: string; cells: string[]; shift: number }[]; // from the top; shift to the right, in cells
}

function marks(line: string): string[] {
    return line.includes("|") ? line.split("|").map((mark) => mark.trim()) : line.trim().split(/\s+/);
}

/** The grid in a text; null: there is none. */
export function gridOf(text: string): Grid | null {
    const lines = text.split("\n");
    const header = lines.map((line) => line.trim().split(/\s+/)).find((words) => words.length > 1 && words.every((word, i) => word === String.fromCharCode(97 + i)));
    if (!header) return null;
    const found = lines.flatMap((line) => {
        const [, start = "", name = "", rest = ""] = /^(\s*(\d+)\s)(.*)$/.exec(line) ?? [];
        return name ? [{ name, cells: marks(rest), start: start.length }] : [];
    });
    const first = Math.min(...found.map((row) => row.start));
    const rows = found.map(({ name, cells, start }) => ({ name, cells, shift: (start - first) / 2 }));
    return rows.length > 1 && rows.every((row) => row.cells.length === header.length) ? { columns: header, rows } : null;
}

/** The cells of an action: one, or two; null: it is no such action. */
export function cellsOf(action: string): string[] | null {
    return /^([a-z]\d+){1,2}$/.test(action) ? (action.match(/[a-z]\d+/g) as string[]) : null;
}

/** What a click on a cell means, when `from` (or "") was clicked before. */
export function clicked(actions: readonly Action[], from: string, cell: string): { play?: string; from: string } {
    const exact = actions.find(({ action }) => action === from + cell);
    if (exact) return { play: exact.action, from: "" };
    return { from: from !== cell && actions.some(({ action }) => cellsOf(action)?.length === 2 && action.startsWith(cell)) ? cell : "" };
}

/** Whether a click on a cell does something. */
export function isTarget(actions: readonly Action[], from: string, cell: string): boolean {
    const { play, from: next } = clicked(actions, from, cell);
    return play !== undefined || next !== "" || from === cell;
}
