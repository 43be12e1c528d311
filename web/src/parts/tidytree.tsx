/* A small tree as lines and labels.  Outcomes of dice and of the others' choices are dashed. */
import { few, percent, signed, whole } from "../numbers.ts";
import type { Columns, Game } from "../server/protocol.ts";
import { Scroll } from "./scroll.tsx";
import { tidy } from "./tidy.ts";

const slot = 116;
const step = 62;

function labelOf(columns: Columns, row: number, game: Game): string {
    const text = columns.parent[row] === -1 ? (game.players[columns.player[row] as number] ?? "") : columns.label[row] || "outcome";
    return text.length > 13 ? `${text.slice(0, 12)}…` : text;
}

function sentence(columns: Columns, row: number, game: Game): string {
    const parent = columns.parent[row] as number;
    const share = parent < 0 ? "" : ` (${percent((columns.visits[row] as number) / Math.max(1, columns.visits[parent] as number))})`;
    const name = parent < 0 ? `${game.players[columns.player[row] as number]} to move` : columns.label[row] || "an outcome";
    return `${name}: n ${whole(columns.visits[row] as number)}${share}, mean ${signed(columns.mean[row])}`;
}

export function TidyTree({ columns, game }: { columns: Columns; game: Game }) {
    const { places, slots, levels } = tidy(columns);
    const x = (at: number) => (at + 0.5) * slot;
    const y = (level: number) => level * step + 22;
    return (
        <>
            <Scroll name="Picture of the tree" middle={x(places[0]?.x ?? 0)}>
                <svg class="tidy" viewBox={`0 0 ${slots * slot} ${levels * step + 20}`} width={slots * slot} height={levels * step + 20} role="img" aria-label="The tree: each node has its action, visits and mean; the list below has the same numbers.">
                    {places.map(({ row, x: at, level }) => {
                        const parent = places[columns.parent[row] as number];
                        return parent && <path key={`l${row}`} class={(columns.flags[row] as number) & 1 ? "edge outcome" : "edge"} d={`M${x(parent.x)} ${y(parent.level) + 18}L${x(at)} ${y(level) - 16}`} />;
                    })}
                    {places.map(({ row, x: at, level }) => (
                        <text key={row} x={x(at)} y={y(level)} class={(columns.visits[row] as number) < few ? "few" : ""}>
                            <tspan class="label" x={x(at)}>
                                {labelOf(columns, row, game)}
                            </tspan>
                            <tspan x={x(at)} dy={14}>
                                {`${whole(columns.visits[row] as number)} · ${signed(columns.mean[row], 2)}`}
                            </tspan>
                        </text>
                    ))}
                </svg>
            </Scroll>
            <details class="rows">
                <summary>The tree as a list</summary>
                <ul class="nested">
                    {places.map(({ row, level }) => (
                        <li key={row} style={{ "--level": level }}>
                            {sentence(columns, row, game)}
                        </li>
                    ))}
                </ul>
            </details>
        </>
    );
}
