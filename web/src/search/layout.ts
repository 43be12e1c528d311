/* Where the rectangles of the icicle stand.
 *
 *     +-----------------------------+   the root: all simulations
 *     | d3            | c5     |    |   its actions: width = share of the visits of the row above
 *     | c4    | e3 |  | c4 |   |    |
 *
 * All numbers are shares of the picture's width, so that the layout does not depend on the screen. */
import type { Columns } from "../server/protocol.ts";

export interface Box {
    row: number; // in the columns
    level: number;
    x: number; // 0..1
    width: number;
}

/** The boxes of all rows, parents before children.  On the way down to `focus` every box has the whole width. */
export function layOut(columns: Columns, focus: number): Box[] {
    const onWay = new Set<number>();
    for (let row = focus; row >= 0; row = columns.parent[row] ?? -1) onWay.add(row);
    const boxes: Box[] = [];
    const filled: number[] = []; // by row: the right end of its children so far
    const rootVisits = columns.visits.reduce((sum, n, row) => sum + (columns.parent[row] === -1 ? n : 0), 0);
    let rootFilled = 0;
    for (let row = 0; row < columns.parent.length; ++row) {
        const parent = columns.parent[row] as number;
        const above = parent < 0 ? null : (boxes[parent] as Box);
        const visits = columns.visits[row] as number;
        const whole = above ? (columns.visits[parent] as number) : rootVisits;
        const width = onWay.has(row) ? 1 : whole > 0 ? ((above ? above.width : 1) * visits) / whole : 0;
        const x = onWay.has(row) ? 0 : above ? (filled[parent] as number) : rootFilled;
        const hidden = focus >= 0 && !onWay.has(row) && parent !== focus && onWay.has(parent);
        boxes.push({ row, level: above ? above.level + 1 : 0, x, width: hidden ? 0 : width });
        filled[row] = x;
        if (above) filled[parent] = x + width;
        else rootFilled = x + width;
    }
    return boxes;
}

/** The path that leads to a row. */
export function pathOf(columns: Columns, row: number): string {
    const parent = columns.parent[row];
    const step = columns.id[row] ?? "";
    return parent === undefined || parent < 0 ? step : pathOf(columns, parent) + step;
}

/** The row at the end of a path, row 0 for the empty path; -1: there are several roots, or the tree does not reach so
 * far. */
export function rowAt(columns: Columns, path: string): number {
    if (!path) return columns.parent.filter((parent) => parent < 0).length === 1 ? 0 : -1;
    for (let row = 0; row < columns.parent.length; ++row) if (pathOf(columns, row) === path) return row;
    return -1;
}

/** The rows below a row. */
export function children(columns: Columns, row: number): number[] {
    const rows: number[] = [];
    for (let i = 0; i < columns.parent.length; ++i) if (columns.parent[i] === row) rows.push(i);
    return rows;
}

/** How many of the visits below `focus` reach each level below it, as far as the rows tell. */
export function reach(columns: Columns, boxes: Box[], focus: number): number[] {
    const top = focus < 0 ? 0 : (boxes[focus]?.level ?? 0);
    const visits: number[] = [];
    const inside = new Set<number>();
    for (const { row, level } of boxes) {
        const below = focus < 0 || row === focus || inside.has(columns.parent[row] as number);
        if (!below) continue;
        inside.add(row);
        visits[level - top] = (visits[level - top] ?? 0) + (columns.visits[row] as number);
    }
    return visits;
}
