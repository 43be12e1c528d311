/* Results of three or more players against each other, best first. */
import { Scroll } from "../parts/scroll.tsx";
import { elo } from "../numbers.ts";
import type { CrossTable } from "../server/protocol.ts";

const points = (value: number) => String(Math.round(2 * value) / 2);

export function Cross({ table, title }: { table: CrossTable; title: string }) {
    const order = table.players.map((_, i) => i).sort((a, b) => (table.players[b]?.elo ?? 0) - (table.players[a]?.elo ?? 0));
    const about = [table.setup && `from ${table.setup.slice(0, 40)}`, table.move_ms && `${table.move_ms} ms for each move`].filter(Boolean).join(", ");
    return (
        <Scroll name={`Cross table of ${title}`}>
            <table class="cross">
                <caption>
                    {title}
                    {about && `, ${about}`}
                </caption>
                <thead>
                    <tr>
                        <th scope="col">Player</th>
                        <th scope="col">Elo</th>
                        <th scope="col">Points</th>
                        {order.map((_, place) => (
                            <th key={place} scope="col">
                                {place + 1}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {order.map((i, place) => {
                        const row = table.players[i];
                        if (!row) return null;
                        return (
                            <tr key={row.player}>
                                <th scope="row">
                                    {place + 1}. {row.player}
                                </th>
                                <td>{elo(row.elo, null)}</td>
                                <td>
                                    {points(row.points)}/{row.games}
                                </td>
                                {order.map((j) => {
                                    const score = row.scores[j];
                                    return <td key={j}>{score ? `${points(score[0])}/${score[1]}` : "–"}</td>;
                                })}
                            </tr>
                        );
                    })}
                </tbody>
            </table>
        </Scroll>
    );
}
