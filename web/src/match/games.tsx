/* The games of a match, a hundred at once; each is shown ply by ply on the page of recorded games. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Scroll } from "../parts/scroll.tsx";
import { signed, whole } from "../numbers.ts";
import { nameOfMatch } from "../replay/state.ts";
import type { Game, Match } from "../server/protocol.ts";
import { games, page, readGames } from "./state.ts";

/** The number of the first game in the table: `wanted`, else the first of the last hundred games. */
export const firstShown = (played: number, wanted: number | null) => wanted ?? Math.max(1, played - page + 1);

export function Games({ match, game }: { match: Match; game: Game }) {
    const wanted = useSignal<number | null>(null);
    const first = firstShown(match.games, wanted.value);
    useEffect(() => void readGames(match.match, first), [match.match, match.games, first]);
    const shown = games.value;
    return (
        <section aria-labelledby="games-title">
            <h2 id="games-title">Games</h2>
            <p class="buttons">
                <button type="button" disabled={first <= 1} onClick={() => (wanted.value = Math.max(1, first - page))}>
                    Earlier games
                </button>
                <button type="button" disabled={wanted.value === null} onClick={() => (wanted.value = first + 2 * page > match.games ? null : first + page)}>
                    Later games
                </button>
            </p>
            <Scroll name="Table of games">
                <table class="games">
                    <thead>
                        <tr>
                            <th scope="col">Game</th>
                            {game.players.map((name) => (
                                <th key={name} scope="col">
                                    {name}
                                </th>
                            ))}
                            <th scope="col">Plies</th>
                            <th scope="col">Time</th>
                        </tr>
                    </thead>
                    <tbody>
                        {[...shown].reverse().map((one) => (
                            <tr key={one.number}>
                                <th scope="row">
                                    <a href={`/game/${encodeURIComponent(nameOfMatch(match.match))}?number=${one.number}`}>Game {whole(one.number)}</a>
                                </th>
                                {one.seats.map((player, seat) => (
                                    <td key={seat}>
                                        {match.players[player]?.player.slice(0, 30)} {signed(one.returns[seat], 2)}
                                    </td>
                                ))}
                                <td>{whole(one.plies)}</td>
                                <td>{(one.elapsed_ms / 1000).toFixed(2)} s</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            </Scroll>
        </section>
    );
}
