/* What the players could expect, ply by ply, as curves; a click goes to the nearest ply.  The list of moves has the
 * same numbers. */
import { plain } from "../numbers.ts";
import type { Game } from "../server/protocol.ts";
import type { Expected, Loss } from "./expected.ts";

const width = 600;
const height = 120;
const edge = 3; // above and below, so that lines at the ends of the range are whole

/** The legend of a single line: which values stand at its ends. */
export const rangeOf = (game: Game): string => `from ${plain(game.return_min)} (bottom) to ${plain(game.return_max)} (top)`;

interface Props {
    name: string; // what it shows, and where the numbers stand
    lines: Expected[];
    losses: Loss[]; // marked
    game: Game;
    plies: number;
    ply: number;
    go: (ply: number) => void;
}

export function Curve({ name, lines, losses, game, plies, ply, go }: Props) {
    const last = Math.max(1, plies);
    const x = (at: number) => (width * at) / last;
    const y = (value: number) => height - edge - ((height - 2 * edge) * (value - game.return_min)) / (game.return_max - game.return_min);
    if (!lines.length) return null;
    return (
        <>
            <svg
                class="chart curve"
                viewBox={`0 0 ${width} ${height}`}
                preserveAspectRatio="none"
                role="img"
                aria-label={name}
                onClick={(event) => go(Math.round((last * event.offsetX) / event.currentTarget.clientWidth))}
            >
                <line class="axis" x1={0} x2={width} y1={height / 2} y2={height / 2} />
                {losses.map((loss) => (
                    <line key={`${loss.ply} ${loss.player}`} class="loss" x1={x(loss.ply + 1)} x2={x(loss.ply + 1)} y1={0} y2={height} />
                ))}
                {lines.map(({ label, points }, i) => (
                    <polyline key={label} class={`value line-${i % 4}`} points={points.map((point) => `${x(point.ply).toFixed(1)},${y(point.value).toFixed(1)}`).join(" ")} />
                ))}
                <line class="now" x1={x(ply)} x2={x(ply)} y1={0} y2={height} />
            </svg>
            <ul class="legend curves">
                {lines.map(({ label }, i) => (
                    <li key={label}>
                        <svg class="curve" viewBox="0 0 24 8" aria-hidden="true">
                            <line class={`value line-${i % 4}`} x1="0" y1="4" x2="24" y2="4" />
                        </svg>{" "}
                        {label}
                    </li>
                ))}
                <li>
                    <svg class="curve" viewBox="0 0 24 8" aria-hidden="true">
                        <line class="now" x1="12" y1="0" x2="12" y2="8" />
                    </svg>{" "}
                    what is shown
                </li>
            </ul>
        </>
    );
}
