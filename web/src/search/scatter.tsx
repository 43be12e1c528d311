/* Moves compared: mean across, visits (logarithmic) upwards, one circle for each move, with the trail that it left
 * while the search grew.  The table of moves has the same numbers. */
import type { Game, Root } from "../server/protocol.ts";
import { count, few, short, signed } from "../numbers.ts";
import { place } from "./labels.ts";
import { samples } from "./state.ts";

const width = 420;
const height = 260;
const margin = 40;
const shown = 24;
const named = 12; // moves that get a label, if it has room

interface Scale {
    means: [number, number]; // the ends of the horizontal axis
    visits: number; // the upper end of the vertical axis
    x: (mean: number) => number;
    y: (visits: number) => number;
}

function scaleOf(root: Root, game: Game): Scale {
    const means = root.root.flatMap((move) => (move.mean === null || move.visits < few ? [] : [move.mean]));
    const lo = means.length ? Math.min(...means) : game.return_min;
    const hi = means.length ? Math.max(...means) : game.return_max;
    const pad = Math.max((hi - lo) * 0.1, (game.return_max - game.return_min) * 0.02);
    const visits = Math.max(2, ...root.root.map((move) => move.visits));
    const across = width - 2 * margin;
    return {
        means: [lo - pad, hi + pad],
        visits,
        x: (mean) => margin + (across * Math.min(1.05, Math.max(-0.05, (mean - lo + pad) / (hi - lo + 2 * pad)))),
        y: (of) => height - margin - ((height - 2 * margin) * Math.log(Math.max(1, of))) / Math.log(visits),
    };
}

function Trail({ id, scale }: { id: string; scale: Scale }) {
    const points = samples.value.flatMap((sample) => {
        const move = sample.moves.get(id);
        return move && move.mean !== null && move.visits >= few ? [`${scale.x(move.mean).toFixed(1)},${scale.y(move.visits).toFixed(1)}`] : [];
    });
    return points.length > 1 ? <polyline class="trail" points={points.join(" ")} /> : null;
}

export function Scatter({ root, game }: { root: Root; game: Game }) {
    const scale = scaleOf(root, game);
    const moves = root.root.filter((move) => move.mean !== null).slice(0, shown);
    return (
        <section aria-labelledby="scatter-title">
            <h2 id="scatter-title">Mean against visits</h2>
            <p class="help">A circle for each move: further right is better for the player. Its area shows the prior; its trail shows earlier means and visits.</p>
            <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Mean of each move against its visits; the table of moves has the same numbers.">
                <line class="axis" x1={margin} y1={height - margin} x2={width - margin} y2={height - margin} />
                <line class="axis" x1={margin} y1={margin} x2={margin} y2={height - margin} />
                <text x={width / 2} y={height - 8} text-anchor="middle">mean for the player</text>
                <text x={margin} y={margin - 12}>visits (log)</text>
                {scale.means.map((mean, i) => (
                    <text key={i} x={i ? width - margin : margin} y={height - margin + 16} text-anchor={i ? "end" : "start"}>
                        {signed(mean, 2)}
                    </text>
                ))}
                {[1, scale.visits].map((visits) => (
                    <text key={visits} x={margin - 4} y={scale.y(visits) + 4} text-anchor="end">
                        {short(visits)}
                    </text>
                ))}
                {moves.map((move) => (
                    <Trail key={`${move.player} ${move.action}`} id={`${move.player} ${move.action}`} scale={scale} />
                ))}
                {moves.map((move) => (
                    <g key={`${move.player} ${move.action}`} class={move.visits < few ? "few" : ""}>
                        <circle cx={scale.x(move.mean as number)} cy={scale.y(move.visits)} r={4 + 10 * Math.sqrt(move.prior ?? 0.05)}>
                            <title>{`${move.action}: mean ${signed(move.mean)}, ${count(move.visits, "visit")}`}</title>
                        </circle>
                    </g>
                ))}
                {place(moves.slice(0, named).map((move) => ({ x: scale.x(move.mean as number), y: scale.y(move.visits), text: move.action.slice(0, 14) }))).map((label, i) => (
                    <text key={i} class="label" x={label.x} y={label.y} text-anchor={label.anchor}>
                        {label.text}
                    </text>
                ))}
            </svg>
        </section>
    );
}
