/* What the players expected at each ply, as a curve for the first player; a click goes there.  The list of moves has the
 * same numbers. */
import type { Game, Recorded } from "../server/protocol.ts";

const width = 600;
const height = 120;

interface Point {
    ply: number;
    value: number; // for the first player
}

/** In a game of two players whose results are opposite, what the second expects counts the other way round. */
export function points(recorded: Recorded, game: Game): Point[] {
    return recorded.values.flatMap((values, ply) => {
        const [first, second] = values;
        if (first !== null && first !== undefined) return [{ ply, value: first }];
        if (game.players.length === 2 && game.zero_sum && second !== null && second !== undefined) return [{ ply, value: game.return_min + game.return_max - second }];
        return [];
    });
}

export function Curve(props: { recorded: Recorded; game: Game; ply: number; go: (ply: number) => void }) {
    const { recorded, game, ply } = props;
    const plies = Math.max(1, recorded.moves.length);
    const x = (at: number) => (width * at) / plies;
    const y = (value: number) => height - (height * (value - game.return_min)) / (game.return_max - game.return_min);
    const line = points(recorded, game).map((point) => `${x(point.ply).toFixed(1)},${y(point.value).toFixed(1)}`);
    if (line.length < 2) return null;
    return (
        <svg
            class="chart curve"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`What ${game.players[0]} could expect, ply by ply; the list of moves has the numbers.`}
            onClick={(event) => props.go(Math.round((plies * event.offsetX) / event.currentTarget.clientWidth))}
        >
            <line class="axis" x1={0} x2={width} y1={height / 2} y2={height / 2} />
            <polyline class="value" points={line.join(" ")} />
            <line class="now" x1={x(ply)} x2={x(ply)} y1={0} y2={height} />
        </svg>
    );
}
