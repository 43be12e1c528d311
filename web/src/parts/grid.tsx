/* The cells of a board as a table: what stands in each, and a button in each that the person may click. */
import type { Cells } from "../server/protocol.ts";
import { canFlip, order } from "./flip.tsx";
import { Scroll } from "./scroll.tsx";

/** The bits of `looks` (include/banyan/board.h). */
const looks = [
    [2, "piece"],
    [4, "dark"],
    [8, "ball"],
    [16, "down"],
    [32, "spent"],
    [64, "active"],
] as const;
const absent = 1;

/** What a cell looks like, as classes of the style sheet. */
function classes(cells: Cells, cell: number, players: string[]): string {
    const owner = cells.owners[cell] as number;
    const words: string[] = looks.flatMap(([bit, name]) => ((cells.looks[cell] as number) & bit ? [name] : []));
    const colours = players[0] === "black" && players[1] === "white" ? ["black", "white"] : [];
    if (owner >= 0) words.push(colours[owner] ?? `owner-${owner}`);
    for (let player = 0; player < 2; ++player) if (((cells.guards[cell] as number) >> player) & 1) words.push(`guard-${player}`);
    return words.join(" ");
}

export const nameOf = (cells: Cells, cell: number): string => {
    const row = cells.row_names[Math.floor(cell / cells.cols)] ?? "";
    const col = cells.col_names[cell % cells.cols] ?? "";
    return /\d$/.test(col) && row ? `${col},${row}` : col + row;
};

/** "b7 black", "12,5 home 7 ball: MA 6 ...": what a screen reader says of a cell. */
export function described(cells: Cells, cell: number, players: string[]): string {
    const owner = players[cells.owners[cell] as number] ?? "";
    const words = looks.flatMap(([bit, name]) => (bit > 4 && (cells.looks[cell] as number) & bit ? [name] : []));
    const what = [owner, cells.marks[cell], ...words].filter(Boolean).join(" ") || "empty";
    const note = cells.notes[cell];
    return `${nameOf(cells, cell)} ${what}${note ? `: ${note}` : ""}`;
}

export interface Clicks {
    targets: Set<number>; // cells that can be clicked
    chosen: Set<number>; // cells that were clicked, or lie under the rectangle that is dragged
    changed: Set<number>; // cells that the last ply changed
    click: (cell: number) => void;
    drag: ((cell: number, phase: "down" | "over" | "up") => void) | null;
}

/** Figures of the search to be written into a cell, in short lines. */
export interface Remark {
    lines: string[];
    share: number; // how much it stands out, 0..1
    best: boolean;
}

function Lines({ remark }: { remark: Remark }) {
    return (
        <span class="mark">
            {remark.lines.map((text) => (
                <span key={text}>{text} </span>
            ))}
        </span>
    );
}

function Inside({ cells, cell }: { cells: Cells; cell: number }) {
    const piece = (cells.looks[cell] as number) & 2;
    const ball = (cells.looks[cell] as number) & 8;
    return (
        <>
            {piece ? <span class="piece">{cells.marks[cell]}</span> : cells.marks[cell]}
            {ball ? <span class="ball-mark" /> : null}
        </>
    );
}

interface CellProps {
    cells: Cells;
    cell: number;
    players: string[];
    clicks: Clicks | null;
    remark: Remark | undefined;
}

function Cell({ cells, cell, players, clicks, remark }: CellProps) {
    const look = classes(cells, cell, players);
    const words = described(cells, cell, players);
    if ((cells.looks[cell] as number) & absent) return <td class="absent" />;
    if (!clicks)
        return (
            <td class={look} title={words}>
                <span class="cell">
                    <Inside cells={cells} cell={cell} />
                    <span class="unseen">{words}</span>
                </span>
            </td>
        );
    const { drag } = clicks;
    return (
        <td class={`${look}${clicks.changed.has(cell) ? " changed" : ""}${remark ? " marked" : ""}${remark?.best ? " best" : ""}`} style={remark ? { "--share": remark.share } : {}}>
            <button
                type="button"
                class="cell"
                title={cells.notes[cell]}
                aria-label={remark ? `${words}: ${remark.lines.join(" ")}` : words}
                aria-pressed={clicks.chosen.has(cell)}
                disabled={!clicks.targets.has(cell)}
                onClick={() => clicks.click(cell)}
                onPointerDown={drag ? (event) => (event.currentTarget.releasePointerCapture(event.pointerId), drag(cell, "down")) : undefined}
                onPointerEnter={drag ? () => drag(cell, "over") : undefined}
                onPointerUp={drag ? () => drag(cell, "up") : undefined}
            >
                <Inside cells={cells} cell={cell} />
                {remark && <Lines remark={remark} />}
            </button>
        </td>
    );
}

interface GridProps {
    cells: Cells;
    players: string[];
    name: string;
    flipped: boolean; // turned by half a turn, if the board can be flipped
    clicks?: Clicks | null; // null where the board is only looked at
    remarks?: Map<number, Remark> | undefined;
}

export function Grid({ cells, players, name, flipped, clicks = null, remarks }: GridProps) {
    const turned = flipped && canFlip(cells);
    const columns = order(cells.cols, turned);
    const rows = order(cells.rows, turned).map((r) => ({ row: cells.row_names[r], all: columns.map((c) => r * cells.cols + c) }));
    const there = (list: number[]) => list.some((cell) => !((cells.looks[cell] as number) & absent));
    return (
        <Scroll name={clicks ? `${name}, to be clicked` : `${name}, all of it`}>
            <table class={`clickboard ${cells.kind}`} aria-label={name} style={{ "--cols": cells.cols + (cells.kind === "hexagons" ? cells.rows / 2 : 0), "--rows": cells.rows }}>
                <thead>
                    <tr>
                        <td />
                        {columns.map((c, place) => (there(rows.map(({ all }) => all[place] as number)) ? <th key={c} scope="col">{cells.col_names[c]}</th> : <td key={c} />))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map(({ row, all }, place) =>
                        there(all) ? (
                            <tr key={all[0]} style={{ "--shift": cells.kind === "hexagons" ? place / 2 : 0 }}>
                                <th scope="row">{row}</th>
                                {all.map((cell) => (
                                    <Cell key={cell} cells={cells} cell={cell} players={players} clicks={clicks} remark={remarks?.get(cell)} />
                                ))}
                            </tr>
                        ) : null,
                    )}
                </tbody>
            </table>
        </Scroll>
    );
}
