/* The result of a match: the figures that `banyan match` prints. */
import { Scroll } from "../parts/scroll.tsx";
import { count, elo, interval, whole } from "../numbers.ts";
import type { Game, Match, MatchPlayer } from "../server/protocol.ts";

/** How a match stands, in one word or two for lists. */
export const stateName: Record<Match["state"], string> = {
    running: "running",
    finished: "finished",
    decided: "decided by its test",
    stopped: "stopped early",
    broken: "broken off",
    unfinished: "not finished",
};

/** How a match stands, in one sentence. */
export function stateOf(match: Match): string {
    const part = `${whole(match.games)} of ${count(match.games_wanted, "game")}`;
    switch (match.state) {
        case "running":
            return "The match is running.";
        case "finished":
            return `The match is finished: ${count(match.games, "game")}.`;
        case "decided":
            return `The test has decided after ${count(match.games, "game")}: ${match.sprt?.answer} holds.`;
        case "stopped":
            return `The match was stopped after ${part}.`;
        case "broken":
            return `The match broke off after ${part}: its process is gone.`;
        default:
            return `The match is not finished: ${part}. Whether it is being played is not known.`;
    }
}

export function eloOf(player: MatchPlayer): string {
    const [lo, hi] = player.elo_ci95;
    return `${elo(player.elo, player.score)} [${elo(lo, player.ci95[0])}, ${elo(hi, player.ci95[1])}]`;
}

function SeatRows({ player, game }: { player: MatchPlayer; game: Game }) {
    return (
        <>
            {player.seats.map((seat, k) => (
                <tr key={k} class="seat">
                    <th scope="row">the first as {game.players[k]}</th>
                    <td>{whole(seat.wins)}</td>
                    <td>{whole(seat.draws)}</td>
                    <td>{whole(seat.losses)}</td>
                    <td>{interval(seat.score, seat.ci95)}</td>
                    <td />
                </tr>
            ))}
        </>
    );
}

function Duels({ match, game }: { match: Match; game: Game }) {
    const withElo = game.players.length === 2;
    const first = match.players[0];
    return (
        <table class="result">
            <thead>
                <tr>
                    <th scope="col">Player</th>
                    <th scope="col">Wins</th>
                    <th scope="col">Draws</th>
                    <th scope="col">Losses</th>
                    <th scope="col">Score [95 %]</th>
                    <th scope="col">{withElo ? "Elo [95 %]" : ""}</th>
                </tr>
            </thead>
            <tbody>
                {match.players.map((player, i) => (
                    <tr key={i} class="player">
                        <th scope="row">{player.player}</th>
                        <td>{whole(player.wins)}</td>
                        <td>{whole(player.draws)}</td>
                        <td>{whole(player.losses)}</td>
                        <td>{interval(player.score, player.ci95)}</td>
                        <td>{withElo ? eloOf(player) : ""}</td>
                    </tr>
                ))}
                {first && <SeatRows player={first} game={game} />}
            </tbody>
        </table>
    );
}

function Returns({ match }: { match: Match }) {
    return (
        <table class="result">
            <thead>
                <tr>
                    <th scope="col">Player</th>
                    <th scope="col">Games</th>
                    <th scope="col">Mean return</th>
                </tr>
            </thead>
            <tbody>
                {match.players.map((player, i) => (
                    <tr key={i} class="player">
                        <th scope="row">{player.player}</th>
                        <td>{whole(player.games)}</td>
                        <td>{player.mean_return?.toPrecision(4) ?? "–"}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

export function Result({ match, game }: { match: Match; game: Game }) {
    const ends = match.ci95_pairs;
    return (
        <section aria-labelledby="result-title">
            <h2 id="result-title">Result</h2>
            <Scroll name="Table of results">{game.players.length === 1 ? <Returns match={match} /> : <Duels match={match} game={game} />}</Scroll>
            <p class="help">
                Score: a win is 1, a draw ½; the interval is Wilson's, which takes all games as independent.
                {ends && ` By whole rounds (each opening once from either side) the interval is [${ends.map((end) => end.toFixed(3)).join(", ")}]; rounds in which the first player got 0, ½, 1, 1½, 2 points: ${match.pairs.map(whole).join(", ")}.`}
                {game.players.length > 1 && ` The side that moved first won ${whole(match.first_wins)} and drew ${whole(match.first_draws)}.`}
            </p>
        </section>
    );
}
