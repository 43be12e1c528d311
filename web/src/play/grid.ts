/* What clicks on the cells of a board mean.
 *
 * An action has one cell (a square), two (from, and to; or two corners of a rectangle), or none.  Where the same clicks
 * mean several actions, the person chooses from a list.  In Connect Four a click anywhere in a
 * column means the action of that column. */
import type { Action, Cells } from "../server/protocol.ts";

/** The actions that fit the cells that were clicked so far. */
export interface Meaning {
    exact: Action[]; // all cells of these actions were clicked
    open: Action[]; // these actions need another click
}

/** The smallest rectangle that holds all marks between two corners: its own corners, upper left first. */
export function shrink(cells: Cells, a: number, b: number): number[] {
    const rows = [Math.floor(a / cells.cols), Math.floor(b / cells.cols)];
    const cols = [a % cells.cols, b % cells.cols];
    const inside: [number, number][] = [];
    for (let r = Math.min(...rows); r <= Math.max(...rows); ++r)
        for (let c = Math.min(...cols); c <= Math.max(...cols); ++c) if (cells.marks[r * cells.cols + c]) inside.push([r, c]);
    if (!inside.length) return [a, b];
    const corner = (best: (...values: number[]) => number) => best(...inside.map(([r]) => r)) * cells.cols + best(...inside.map(([, c]) => c));
    return [corner(Math.min), corner(Math.max)];
}

/** All cells of the rectangle between two corners. */
export function between(cells: Cells, a: number, b: number): number[] {
    const rows = [Math.floor(a / cells.cols), Math.floor(b / cells.cols)].sort((x, y) => x - y) as [number, number];
    const cols = [a % cells.cols, b % cells.cols].sort((x, y) => x - y) as [number, number];
    const all: number[] = [];
    for (let r = rows[0]; r <= rows[1]; ++r) for (let c = cols[0]; c <= cols[1]; ++c) all.push(r * cells.cols + c);
    return all;
}

function same(cells: Cells, wanted: number, clicked: number): boolean {
    return cells.kind === "columns" ? wanted % cells.cols === clicked % cells.cols : wanted === clicked;
}

export function meaning(cells: Cells, actions: readonly Action[], path: readonly number[]): Meaning {
    const [first, second] = path;
    const wanted = cells.kind === "rectangles" && first !== undefined && second !== undefined ? shrink(cells, first, second) : path;
    const found = actions.filter((action) => action.cells.length >= wanted.length && wanted.every((cell, i) => same(cells, action.cells[i] as number, cell)));
    if (cells.kind === "rectangles" && path.length === 1) return { exact: [], open: actions.filter((action) => action.cells.length === 2) };
    return { exact: found.filter((action) => action.cells.length === path.length), open: found.filter((action) => action.cells.length > path.length) };
}

/** The cells whose click does something after `path`. */
export function targets(cells: Cells, actions: readonly Action[], path: readonly number[]): Set<number> {
    const possible = actions.filter((action) => action.cells.length > 0);
    if (cells.kind === "rectangles") return new Set(possible.length ? cells.marks.keys() : []);
    const found = new Set(path);
    for (const action of possible)
        for (const start of path.length ? [path, []] : [[]]) {
            const next = action.cells[start.length];
            if (next !== undefined && start.every((cell, i) => action.cells[i] === cell)) found.add(next);
        }
    if (cells.kind === "columns") for (const cell of [...found]) for (let at = cell % cells.cols; at < cells.rows * cells.cols; at += cells.cols) found.add(at);
    return found;
}

/** The list of clicks after one more click.  A click on the only cell of the list takes it back, a click that no action
 * goes on with begins a new list, and every other click is added. */
export function clicked(cells: Cells, actions: readonly Action[], path: readonly number[], cell: number): number[] {
    if (path.length === 1 && path[0] === cell) return [];
    const longer = [...path, cell];
    const { exact, open } = meaning(cells, actions, longer);
    return path.length && exact.length + open.length === 0 ? [cell] : longer;
}

/** The cells that differ between two boards of the same game. */
export function changes(before: Cells | null, after: Cells): Set<number> {
    if (!before || before.marks.length !== after.marks.length) return new Set();
    const piece = (cells: Cells, cell: number) => `${cells.marks[cell]} ${cells.owners[cell]} ${(cells.looks[cell] as number) & 10}`;
    return new Set([...after.marks.keys()].filter((cell) => piece(before, cell) !== piece(after, cell)));
}
