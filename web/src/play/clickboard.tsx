/* A board that is clicked: clicks, or a drag where actions are rectangles, choose actions. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Grid, type Remark, nameOf } from "../parts/grid.tsx";
import type { Action, Cells } from "../server/protocol.ts";
import { ActionButtons } from "./choices.tsx";
import { between, changes, clicked, meaning, targets } from "./grid.ts";

interface Shown {
    cells: Cells;
    players: string[]; // what people call them
    actions: Action[];
    plies: number;
    name: string;
    choose: (action: string) => void;
    flipped: boolean;
    remarks?: Map<number, Remark> | undefined; // figures of the search to be written into cells
}

/** The cells that the last ply changed. */
function useChanges(cells: Cells, plies: number): Set<number> {
    const last = useRef<{ plies: number; cells: Cells; changed: Set<number> } | null>(null);
    const before = last.current;
    if (!before || before.plies !== plies) last.current = { plies, cells, changed: before && plies > before.plies ? changes(before.cells, cells) : new Set() };
    return last.current?.changed ?? new Set();
}

/** Explains the signs on a board, but only those that the board shows. */
export function legend(cells: Cells, players: string[], changed: boolean): string {
    const has = (look: number) => cells.looks.some((bits) => bits & look);
    const lines = [
        cells.guards.some((bits) => bits) && `Frames inside squares: tackle zones (${players[0]} ${colours[0]}, ${players[1]} ${colours[1]}).`,
        has(looks.ball) && "Brown: the ball.",
        has(looks.down) && "Flat: lies on the ground.",
        has(looks.spent) && "Dashed edge: has acted.",
        changed && "Dashed frame: what the last ply changed.",
    ];
    return lines.filter(Boolean).join(" ");
}

const colours = ["red", "blue"]; // the style sheet's colours of players who are not called by a colour
const looks = { ball: 8, down: 16, spent: 32 }; // include/banyan/board.h

const help = {
    squares: "",
    hexagons: "",
    columns: "",
    rectangles: "Drag from one corner to the other, or click both corners.",
};

export function ClickBoard({ cells, players, actions, plies, name, choose, flipped, remarks }: Shown) {
    const clicks = useSignal<{ plies: number; path: number[] }>({ plies, path: [] });
    const over = useSignal(-1);
    const down = useRef(-1); // the cell where a drag began
    const changed = useChanges(cells, plies);
    const path = clicks.value.plies === plies ? clicks.value.path : []; /* clicks of an earlier ply mean nothing now */
    const { exact, open } = meaning(cells, actions, path);
    const take = (next: number[]) => {
        const { exact, open } = meaning(cells, actions, next);
        const only = exact.length === 1 && open.length === 0 ? exact[0] : undefined;
        clicks.value = { plies, path: only ? [] : next };
        if (only) choose(only.action);
    };
    const drag = (cell: number, phase: "down" | "over" | "up") => {
        if (phase === "down") down.current = cell;
        else if (phase === "over") over.value = cell;
        else if (down.current >= 0 && down.current !== cell) take([down.current, cell]);
        if (phase === "up") down.current = -1;
    };
    const from = down.current >= 0 ? down.current : (path[0] ?? -1);
    const dragged = cells.kind === "rectangles" && from >= 0 && over.value >= 0 && path.length < 2 ? between(cells, from, over.value) : [];
    const shown = {
        targets: targets(cells, actions, path),
        chosen: new Set([...path, ...dragged]),
        changed,
        click: (cell: number) => take(clicked(cells, actions, path, cell)),
        drag: cells.kind === "rectangles" ? drag : null,
    };
    const signs = legend(cells, players, changed.size > 0);
    const nothing = path.length === 2 && exact.length === 0;
    return (
        <div onPointerUp={() => (down.current = -1)}>
            <Grid cells={cells} players={players} name={name} flipped={flipped} clicks={shown} remarks={remarks} />
            <p class="help" role="status">
                {nothing ? "That is not possible. " : path.length && open.length ? `${nameOf(cells, path[0] as number)} is chosen: now the second cell. ` : ""}
                {actions.length ? help[cells.kind] : ""}
            </p>
            {signs && <p class="help">{signs}</p>}
            {path.length > 0 && exact.length > 0 && <ActionButtons actions={exact} name={`Choices on ${nameOf(cells, path[path.length - 1] as number)}`} choose={choose} />}
        </div>
    );
}
