/* The table of root moves: the figures of `banyan search`, with standard errors. */
import type { Game, Root, RootMove } from "../server/protocol.ts";
import { Scroll } from "../parts/scroll.tsx";
import { errorAtMost, few, percent, plain, signed, whole } from "../numbers.ts";

function Mean({ move, game }: { move: RootMove; game: Game }) {
    if (move.mean === null) return <>–</>;
    const error = errorAtMost(move.mean, move.visits, game.return_min, game.return_max);
    return (
        <>
            {signed(move.mean)} <span class="error">± {error.toFixed(3)}</span>
        </>
    );
}

function proven(move: RootMove, game: Game): string {
    if (move.lo <= game.return_min && move.hi >= game.return_max) return "";
    return move.lo === move.hi ? `= ${move.lo}` : `${move.lo} to ${move.hi}`;
}

/** Columns that are left out where no move has anything in them. */
interface Columns {
    prior: boolean;
    proven: boolean;
}

function Row(props: { move: RootMove; game: Game; total: number; columns: Columns; play: ((action: string) => void) | null }) {
    const { move, game, total, columns, play } = props;
    const share = total ? move.visits / total : 0;
    return (
        <tr class={move.visits < few ? "few" : ""} data-action={move.action}>
            <th scope="row">
                {play ? (
                    <button type="button" class="plain" title={`Play ${move.action}, and search there`} onClick={() => play(move.action)}>
                        {move.action}
                    </button>
                ) : (
                    move.action
                )}
            </th>
            <td>{whole(move.visits)}</td>
            <td class="share">
                <meter min={0} max={1} value={share} aria-label={`Share of ${move.action}`} />
                <span>{percent(share)}</span>
            </td>
            <td>
                <Mean move={move} game={game} />
            </td>
            {columns.prior && <td>{move.prior === null ? "–" : move.prior.toFixed(3)}</td>}
            <td>{signed(move.score)}</td>
            {columns.proven && <td>{proven(move, game) || "–"}</td>}
        </tr>
    );
}

const most = 60;

/** The table of one player's moves. */
function PlayerTable(props: { root: Root; game: Game; player: number; play: ((action: string) => void) | null }) {
    const moves = props.root.root.filter((move) => move.player === props.player);
    const total = moves.reduce((sum, move) => sum + move.visits, 0);
    const columns = { prior: moves.some((move) => move.prior !== null), proven: moves.some((move) => proven(move, props.game) !== "") };
    return (
        <table class="moves">
            <caption>{props.game.players[props.player]}</caption>
            <thead>
                <tr>
                    <th scope="col">Move</th>
                    <th scope="col">Visits</th>
                    <th scope="col">Share</th>
                    <th scope="col">Mean ± s.e.</th>
                    {columns.prior && <th scope="col">Prior</th>}
                    <th scope="col">Score</th>
                    {columns.proven && <th scope="col">Proven</th>}
                </tr>
            </thead>
            <tbody>
                {moves.slice(0, most).map((move) => (
                    <Row key={move.action} move={move} game={props.game} total={total} columns={columns} play={props.play} />
                ))}
            </tbody>
            {moves.length > most && (
                <tfoot>
                    <tr>
                        <td colSpan={5 + Number(columns.prior) + Number(columns.proven)}>{moves.length - most} more with fewer visits</td>
                    </tr>
                </tfoot>
            )}
        </table>
    );
}

export function MoveTable(props: { root: Root; game: Game; movers: number[]; play: ((action: string) => void) | null }) {
    return (
        <section aria-labelledby="moves-title">
            <h2 id="moves-title">Moves</h2>
            <p class="help">
                Mean: expected result for the player, from {plain(props.game.return_min)} to {plain(props.game.return_max)}; the standard error
                is at most the one shown. A grey row has fewer than {few} visits: its mean says little. Score: decides where the
                search looks next. Click a move to play it and search there.
            </p>
            <Scroll name="Table of moves">
                {props.movers.map((player) => (
                    <PlayerTable key={player} root={props.root} game={props.game} player={player} play={props.play} />
                ))}
            </Scroll>
        </section>
    );
}
