/* The board as a grid of buttons: cells that can be clicked, and marks. */
import { useSignal } from "@preact/signals";
import { Scroll } from "../parts/scroll.tsx";
import type { Action } from "../server/protocol.ts";
import { clicked, type Grid, isTarget } from "./grid.ts";
import { play } from "./state.ts";

/** Othello's hints for possible moves and empty cells are no marks. */
const markOf = (cell: string) => (cell === "." || cell === "*" ? "" : cell);

export function ClickBoard({ grid, player, actions, name }: { grid: Grid; player: number; actions: Action[]; name: string }) {
    const from = useSignal("");
    const click = (cell: string) => {
        const next = clicked(actions, from.value, cell);
        from.value = next.from;
        if (next.play) void play(player, next.play);
    };
    return (
        <Scroll name={`${name}, to be clicked`}>
        <table class="clickboard" aria-label={name}>
            <thead>
                <tr>
                    <td />
                    {grid.columns.map((column) => (
                        <th key={column} scope="col">
                            {column}
                        </th>
                    ))}
                </tr>
            </thead>
            <tbody>
                {grid.rows.map((row) => (
                    <tr key={row.name} style={{ "--shift": row.shift }}>
                        <th scope="row">{row.name}</th>
                        {row.cells.map((mark, i) => {
                            const cell = `${grid.columns[i]}${row.name}`;
                            return (
                                <td key={cell}>
                                    <button
                                        type="button"
                                        aria-label={`${cell} ${markOf(mark) || "empty"}`}
                                        aria-pressed={from.value === cell}
                                        disabled={!isTarget(actions, from.value, cell)}
                                        onClick={() => click(cell)}
                                    >
                                        {markOf(mark)}
                                    </button>
                                </td>
                            );
                        })}
                    </tr>
                ))}
            </tbody>
        </table>
        </Scroll>
    );
}
