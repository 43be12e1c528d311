/* The board as a grid of buttons: cells that can be clicked, and marks. */
import { useSignal } from "@preact/signals";
import { Scroll } from "../parts/scroll.tsx";
import type { Action } from "../server/protocol.ts";
import { clicked, type Grid, isTarget } from "./grid.ts";
import { play } from "./state.ts";

/** Othello's hints for possible moves and empty cells are no marks. */
const markOf = (cell: string) => (cell === "." || cell === "*" ? "" : cell);

/** Whose piece a mark is where the players are black and white: the first player's is X, the second's O. */
const colourOf = (cell: string, players: string[]) => (players[0] === "black" && players[1] === "white" ? { X: "black", O: "white" }[cell] : undefined);

function Mark({ cell, players }: { cell: string; players: string[] }) {
    const colour = colourOf(cell, players);
    return colour ? <span class={`piece ${colour}`} /> : <>{markOf(cell)}</>;
}

interface Shown {
    grid: Grid;
    player: number; // who chooses
    players: string[]; // what people call them
    actions: Action[];
    name: string;
}

export function ClickBoard({ grid, player, players, actions, name }: Shown) {
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
                                        aria-label={`${cell} ${colourOf(mark, players) ?? (markOf(mark) || "empty")}`}
                                        aria-pressed={from.value === cell}
                                        disabled={!isTarget(actions, from.value, cell)}
                                        onClick={() => click(cell)}
                                    >
                                        <Mark cell={mark} players={players} />
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
