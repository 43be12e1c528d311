/* The cards of the first page for matches, runs of training and recorded games. */
import { useEffect } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { stateName } from "../match/result.tsx";
import { followAll, leave, list } from "../match/state.ts";
import { count, whole } from "../numbers.ts";
import { files, list as readFiles } from "../replay/state.ts";
import { whenOpen } from "../server/link.ts";
import type { Match } from "../server/protocol.ts";

const most = 4;

/** Matches that are being played first, then the newest ones. */
export function shownFirst(matches: Match[]): Match[] {
    const running = matches.filter((match) => match.state === "running");
    return [...running, ...matches.filter((match) => match.state !== "running")].slice(0, most);
}

const titleOf = (name: string) => catalogue.value?.games.find((game) => game.name === name)?.title ?? name;

function Matches() {
    const all = list.value?.matches ?? [];
    return (
        <li class="card live">
            <h2>
                <a href="/match">Matches</a>
            </h2>
            <ul>
                {shownFirst(all).map((match) => (
                    <li key={match.match}>
                        <a href={`/match/${match.match}`}>
                            {titleOf(match.game)}, match {match.match}
                        </a>
                        : {stateName[match.state]}, {whole(match.games)} of {count(match.games_wanted, "game")}
                    </li>
                ))}
            </ul>
            {all.length === 0 && <p>None yet; a form on the page starts one.</p>}
        </li>
    );
}

function Runs({ names }: { names: string[] }) {
    return (
        <li class="card">
            <h2>
                <a href="/train">Training</a>
            </h2>
            <ul>
                {names.slice(0, most).map((name) => (
                    <li key={name}>
                        <a href={`/train/${encodeURIComponent(name)}`}>{name}</a>
                    </li>
                ))}
            </ul>
        </li>
    );
}

function Files({ names }: { names: string[] }) {
    return (
        <li class="card">
            <h2>
                <a href="/game">Recorded games</a>
            </h2>
            <ul>
                {names.slice(0, most).map((name) => (
                    <li key={name}>
                        <a href={`/game/${encodeURIComponent(name)}`}>{name}</a>
                    </li>
                ))}
            </ul>
            {names.length > most && (
                <p>
                    <a href="/game">{names.length - most} more</a>
                </p>
            )}
        </li>
    );
}

/** Whether all that stands above the games has come: if it came later, it would move them away under somebody's pointer. */
export const isNowKnown = () => catalogue.value !== null && files.value !== null && (!catalogue.value.db || list.value !== null);

export function Now() {
    const known = catalogue.value;
    const db = known?.db ?? false;
    useEffect(() => {
        const end = whenOpen(() => {
            if (db) followAll();
            void readFiles();
        });
        return () => {
            end();
            if (db) leave();
        };
    }, [db]);
    const names = files.value ?? [];
    if (!isNowKnown() || (!db && !known?.runs.length && !names.length)) return null;
    return (
        <section aria-label="What goes on">
            <ul class="cards now">
                {db && <Matches />}
                {known && known.runs.length > 0 && <Runs names={known.runs} />}
                {names.length > 0 && <Files names={names} />}
            </ul>
        </section>
    );
}
