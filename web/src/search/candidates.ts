/* What the search thinks of the cells of a board: a cell stands for the actions that end there. */
import type { Action, Cells, RootMove } from "../server/protocol.ts";

export interface Candidate {
    share: number; // of the simulations, 0..1
    mean: number | null; // null: no visits
    best: boolean; // the action with most visits ends here
}

/** A board with more columns is too wide for the place beside the table of moves. */
const widest = 19;

/** Whether the board of a search can be clicked: rectangles overlap, and cannot be told apart by their cells. */
export const isClickable = (cells: Cells, actions: readonly Action[]): boolean => cells.kind !== "rectangles" && cells.cols <= widest && actions.some((action) => action.cells.length > 0);

/** Visits and means by cell, of the actions whose last click is there. */
export function candidates(actions: readonly Action[], moves: readonly RootMove[]): Map<number, Candidate> {
    const total = moves.reduce((sum, { visits }) => sum + visits, 0);
    const most = Math.max(...moves.map(({ visits }) => visits));
    const lastOf = new Map(actions.map(({ action, cells }) => [action, cells[cells.length - 1]]));
    const found = new Map<number, Candidate & { visits: number; sum: number }>();
    for (const { action, visits, mean } of moves) {
        const cell = lastOf.get(action);
        if (cell === undefined || visits === 0) continue;
        const before = found.get(cell) ?? { visits: 0, sum: 0, best: false };
        const now = { visits: before.visits + visits, sum: before.sum + visits * (mean ?? 0) };
        found.set(cell, { ...now, best: before.best || visits === most, share: now.visits / total, mean: now.sum / now.visits });
    }
    return found;
}
