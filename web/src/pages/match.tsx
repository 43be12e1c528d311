/* Matches: all of the database, and one of them with its games, while they are played. */
import { useEffect } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { Cross } from "../match/crosstable.tsx";
import { StartForm } from "../match/form.tsx";
import { Games } from "../match/games.tsx";
import { Gauge } from "../match/gauge.tsx";
import { eloOf, Result, stateName, stateOf } from "../match/result.tsx";
import { error, follow, followAll, leave, list, match } from "../match/state.ts";
import { interval, whole } from "../numbers.ts";
import { Scroll } from "../parts/scroll.tsx";
import { route } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { Match, MatchSettings } from "../server/protocol.ts";

const gameOf = (name: string) => catalogue.value?.games.find((game) => game.name === name);
const titleOf = (name: string) => gameOf(name)?.title ?? name;

function Problem({ text }: { text: string }) {
    if (!text) return null;
    return (
        <p class="problem" role="alert">
            {text}
        </p>
    );
}

function Row({ one }: { one: Match }) {
    const first = one.players[0];
    return (
        <tr data-state={one.state}>
            <th scope="row">
                <a href={`/match/${one.match}`}>
                    {one.match}: {titleOf(one.game)}
                </a>
            </th>
            <td class="text">{one.players.map((player) => player.player).join(" – ")}</td>
            <td>{stateName[one.state]}</td>
            <td>
                {whole(one.games)} of {whole(one.games_wanted)}
            </td>
            <td>{first && one.players.length > 1 ? interval(first.score, first.ci95) : "–"}</td>
            <td>{first && one.players.length === 2 ? eloOf(first) : "–"}</td>
            <td>{one.started}</td>
        </tr>
    );
}

function Table({ rows }: { rows: Match[] }) {
    return (
        <Scroll name="Table of matches">
            <table class="matches">
                <thead>
                    <tr>
                        <th scope="col">Match</th>
                        <th scope="col" class="text">Players</th>
                        <th scope="col">State</th>
                        <th scope="col">Games</th>
                        <th scope="col">Score of the first [95 %]</th>
                        <th scope="col">Elo [95 %]</th>
                        <th scope="col">Started (UTC)</th>
                    </tr>
                </thead>
                <tbody>
                    {rows.map((one) => (
                        <Row key={one.match} one={one} />
                    ))}
                </tbody>
            </table>
        </Scroll>
    );
}

/** All matches, the newest first. */
export function MatchList() {
    document.title = "Matches – Banyan";
    useEffect(() => {
        const end = whenOpen(followAll);
        return () => {
            end();
            leave();
        };
    }, []);
    const now = list.value;
    if (!now) return <main aria-busy="true" />;
    const like = Number(route.value.query["like"]) || 0;
    return (
        <main>
            <h1>Matches</h1>
            <Problem text={now.problem} />
            {now.matches.length === 0 && (
                <p>
                    There are none. <code>banyan match othello best random --db matches.db</code> plays one, and{" "}
                    <code>banyan web --db matches.db</code> shows it here.
                </p>
            )}
            {now.matches.length > 0 && <Table rows={now.matches} />}
            {now.tables.length > 0 && <h2>Cross tables</h2>}
            {now.tables.map((table) => (
                <Cross key={`${table.game} ${table.setup} ${table.move_ms}`} table={table} title={titleOf(table.game)} />
            ))}
            <Problem text={error.value} />
            {now.can_start && <StartForm key={like} like={now.matches.find((one) => one.match === like) ?? now.matches[0]} playing={now.playing} />}
        </main>
    );
}

/** The seed, and the settings that differ from their defaults, in words. */
export function settingsOf(settings: MatchSettings): string {
    const { setup, openings, opening_plies, seed, move_ms, clock_ms, increment_ms } = settings;
    return [
        `Seed ${seed}`,
        setup && `from the position ${setup}`,
        openings && `openings of ${openings}`,
        opening_plies && `${opening_plies} random plies first`,
        move_ms && `${move_ms} ms for each decision`,
        clock_ms && `a clock of ${clock_ms / 1000} s`,
        increment_ms && `${increment_ms} ms added after each decision`,
    ]
        .filter(Boolean)
        .join(", ");
}

function Shown({ one }: { one: Match }) {
    const game = gameOf(one.game);
    return (
        <>
            <p role="status" class="state">
                {stateOf(one)}
            </p>
            <p class="played">
                <progress value={one.games} max={one.games_wanted} aria-label="Games played" /> {whole(one.games)} of {whole(one.games_wanted)}{" "}
                games, {one.games ? (one.plies / one.games).toFixed(1) : "–"} plies each
            </p>
            <p class="help">
                Started {one.started} UTC{one.finished && `, ended ${one.finished}`}. {settingsOf(one.settings)}.
            </p>
            {game ? <Result match={one} game={game} /> : <p>This program does not have the game {one.game}.</p>}
            {one.sprt && <Gauge sprt={one.sprt} />}
            {game && <Games match={one} game={game} />}
        </>
    );
}

/** One match; it is followed while the page is open. */
export function OneMatch({ id }: { id: number }) {
    useEffect(() => {
        const end = whenOpen(() => follow(id));
        return () => {
            end();
            leave();
        };
    }, [id]);
    const one = match.value;
    document.title = `Match ${id} – Banyan`;
    return (
        <main>
            <h1>
                Match {id}
                {one && `: ${titleOf(one.game)}`}
            </h1>
            <p class="links">
                <a href="/match">All matches</a> <a href={`/match?like=${id}`}>Start one like this</a>
            </p>
            <Problem text={error.value} />
            {one && <Shown one={one} />}
        </main>
    );
}
