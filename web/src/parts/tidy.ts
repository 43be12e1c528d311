/* A small tree drawn tidily: each leaf has a slot of its own, a parent stands above the middle of its children. */
import type { Columns } from "../server/protocol.ts";

export interface Place {
    row: number;
    x: number; // in slots
    level: number;
}

/** The places of all rows, parents before children. */
export function tidy(columns: Columns): { places: Place[]; slots: number; levels: number } {
    const below: number[][] = columns.parent.map(() => []);
    const roots: number[] = [];
    columns.parent.forEach((parent, row) => (parent < 0 ? roots : (below[parent] as number[])).push(row));
    const places: Place[] = columns.parent.map((_, row) => ({ row, x: 0, level: 0 }));
    let slots = 0;
    let levels = 0;
    const put = (row: number, level: number): number => {
        const place = places[row] as Place;
        const xs = (below[row] as number[]).map((child) => put(child, level + 1));
        place.level = level;
        levels = Math.max(levels, level + 1);
        place.x = xs.length ? ((xs[0] as number) + (xs[xs.length - 1] as number)) / 2 : slots++;
        return place.x;
    };
    for (const root of roots) put(root, 0);
    return { places, slots, levels };
}
