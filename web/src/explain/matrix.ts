/* Simultaneous choices at the root as a matrix: how often each pair of actions was played, and its mean result. */
import type { Simulation } from "../server/protocol.ts";

export interface Pair {
    count: number;
    sum: number; // results of the first player
}

export interface Matrix {
    rows: string[]; // actions of the first player
    cols: string[]; // of the second
    cells: Map<string, Pair>; // by "row|col"
}

/** The matrix of the simulations so far; null: the players do not choose at the same time at the root. */
export function matrixOf(simulations: readonly Simulation[]): Matrix | null {
    const matrix: Matrix = { rows: [], cols: [], cells: new Map() };
    for (const { events } of simulations) {
        const joint = events.find((one) => one.event === "simulate");
        const [row, col, more] = (joint?.path[0] ?? "").split("|");
        if (!joint || !row || !col || more) continue;
        if (!matrix.rows.includes(row)) matrix.rows.push(row);
        if (!matrix.cols.includes(col)) matrix.cols.push(col);
        const cell = matrix.cells.get(`${row}|${col}`) ?? { count: 0, sum: 0 };
        matrix.cells.set(`${row}|${col}`, { count: cell.count + 1, sum: cell.sum + (joint.values[0] ?? 0) });
    }
    matrix.rows.sort();
    matrix.cols.sort();
    return matrix.rows.length ? matrix : null;
}
