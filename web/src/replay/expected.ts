/* What the players could expect at each ply, as lines of a chart, and the moves that cost most. */
import type { Game, Recorded, Sweep } from "../server/protocol.ts";

export interface Point {
    ply: number;
    value: number;
}

export interface Expected {
    label: string;
    points: Point[];
}

const found = (points: (Point | null)[]) => points.filter((point) => point !== null);

/** One line for both players if their results are opposite (a value of the second player becomes that of the first); a
 * line for each player if players know different things. */
function linesOf(values: (number | null)[][], game: Game): Point[][] {
    const of = (player: number) => (row: (number | null)[], ply: number) => ({ ply, value: row[player] ?? null });
    const known = (player: number) => values.map(of(player)).map(({ ply, value }) => (value === null ? null : { ply, value }));
    if (game.players.length !== 2 || !game.zero_sum || game.hidden) return game.players.map((_, player) => found(known(player)));
    const second = known(1);
    return [found(known(0).map((point, ply) => point ?? (second[ply] ? { ply, value: game.return_min + game.return_max - second[ply].value } : null)))];
}

/** The lines of a chart: what the players said, and what the searches found. */
export function lines(recorded: Recorded, game: Game, sweep: Sweep | null): Expected[] {
    const named = (source: string, all: Point[][]) => all.map((points, player) => ({ label: `${game.players[player]}, ${source}`, points }));
    return [...named("as the player expected", linesOf(recorded.values, game)), ...named("by the searches", linesOf(sweep?.values ?? [], game))].filter((line) => line.points.length > 1);
}

export interface Loss {
    ply: number; // counted from 0: the move is number ply + 1
    player: number;
    best: string;
    loss: number;
}

/** The moves that gave most away, the worst first; losses below 5 % of the range of returns, which may be noise of the
 * search, are left out. */
export function worst(sweep: Sweep, game: Game, most = 5): Loss[] {
    const least = 0.05 * (game.return_max - game.return_min);
    const all = sweep.loss.flatMap((row, ply) => row.flatMap((loss, player) => (loss !== null && loss >= least ? [{ ply, player, best: sweep.best[ply]?.[player] ?? "", loss }] : [])));
    return all.sort((a, b) => b.loss - a.loss || a.ply - b.ply).slice(0, most);
}

/** The part of a recorded ply that one player chose: "a|b" holds the choices of all movers. */
export function moveOf(recorded: Recorded, sweep: Sweep, { ply, player }: Loss): string {
    const texts = (recorded.moves[ply] ?? "").split("|");
    const movers = (sweep.best[ply] ?? []).flatMap((best, one) => (best === null ? [] : [one]));
    return (movers.length === texts.length && texts[movers.indexOf(player)]) || texts.join("|");
}
