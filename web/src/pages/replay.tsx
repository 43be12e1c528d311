/* Recorded games: the files of the folder, and one game ply by ply. */
import { useEffect, useLayoutEffect } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { capital, signed } from "../numbers.ts";
import { Board } from "../parts/board.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FlipButton, isFlipped } from "../parts/flip.tsx";
import { useInView } from "../replay/inview.ts";
import { Stepper } from "../replay/stepper.tsx";
import { SweepSection } from "../replay/sweep.tsx";
import { BattleReplay } from "../replay/battle.tsx";
import { error, files, list, open, position, recorded, show, sourceOf, sweep } from "../replay/state.ts";
import { addressOf, route, setQuery } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { BotExpected, Game, Recorded } from "../server/protocol.ts";

/** All files of the folder. */
export function Files() {
    document.title = "Recorded games – Banyan";
    useEffect(() => whenOpen(() => void list()), []);
    const known = files.value ?? [];
    return (
        <main>
            <h1>Recorded games</h1>
            {known.length > 0 && <p class="help">The files of the folder. A file may hold many games; each is shown move by move.</p>}
            {known.length === 0 && (
                <p>
                    There are none. <code>banyan match othello best random --save games/one.jsonl</code> records games, and{" "}
                    <code>banyan web --games games</code> shows them here.
                </p>
            )}
            <ul>
                {known.map((name) => (
                    <li key={name}>
                        <a href={`/game/${encodeURIComponent(name)}`}>{name}</a>
                    </li>
                ))}
            </ul>
        </main>
    );
}

/** The values before a move, and the loss by the move, as the searches of its position found them. */
function numbersOf(shown: Recorded, ply: number): string {
    const numbers = (row: (number | null)[] | undefined) => (row ?? []).flatMap((value) => (value === null ? [] : [signed(value, 2)])).join(" ");
    const lost = (sweep.value?.loss[ply] ?? []).flatMap((loss) => (loss !== null && loss >= 0.005 ? [loss.toFixed(2)] : []));
    return [numbers(shown.values[ply]), numbers(sweep.value?.values[ply]), lost.length ? `cost ${lost.join(" ")}` : ""].filter(Boolean).join("; ");
}

/** From whose seat the position is shown, in games where the seats see different things. */
function SeatChoice({ game, seat }: { game: Game; seat: number | null }) {
    if (!game.hidden) return null;
    return (
        <label>
            Shown{" "}
            <select value={seat ?? ""} onChange={(event) => setQuery({ seat: event.currentTarget.value }, true)}>
                <option value="">with everything that is hidden from players</option>
                {game.players.map((player, i) => (
                    <option key={player} value={i}>
                        as {player} sees it
                    </option>
                ))}
            </select>
        </label>
    );
}

function Moves({ shown, ply, go }: { shown: Recorded; ply: number; go: (ply: number) => void }) {
    return (
        <ol class="log long" aria-label="Moves" ref={useInView(ply)}>
            {shown.moves.map((move, i) => (
                <li key={i}>
                    <button type="button" class="plain" aria-current={ply === i + 1 ? "step" : undefined} onClick={() => go(i + 1)}>
                        {move}
                    </button>{" "}
                    <small>{numbersOf(shown, i)}</small>
                </li>
            ))}
        </ol>
    );
}

/** A battle on Pokémon Showdown: the page reads its log. */
function ShownBattle({ log, expected, ply }: { log: string; expected: BotExpected | null; ply: number }) {
    return <BattleReplay log={log} expected={expected} step={ply} go={(to) => setQuery({ ply: String(Math.max(0, to)) }, true)} />;
}

function Shown({ shown, game, ply, seat }: { shown: Recorded; game: Game; ply: number; seat: number | null }) {
    const go = (to: number) => setQuery({ ply: String(Math.max(0, Math.min(shown.moves.length, to))) }, true);
    const now = position.value;
    const search = now && now.movers.length > 0 && addressOf("search", game.name, now.text);
    const players = shown.players.map((text, player) => `${game.players[player]}: ${text}`).join(", ");
    const result = shown.returns.map((value, player) => `${game.players[player]} ${signed(value, 2)}`).join(", ");
    return (
        <>
            <p>
                {game.title}. {capital(players)}. {result ? `Result: ${result}.` : "The game is not finished."}
            </p>
            <Stepper name="Ply" at={ply} last={shown.moves.length} go={go} />
            <SeatChoice game={game} seat={seat} />
            <div class="two">
                <div>
                    {now && <Board position={now} players={game.players} name={`Board after ${ply} plies`} flipped={isFlipped()} />}
                    {now && (
                        <p class="buttons">
                            <FlipButton cells={now.board} />
                            {now.text && <CopyButton text={now.text} label="Copy the position" />}
                            {search && <a href={search}>Search this position</a>}
                        </p>
                    )}
                </div>
                <Moves shown={shown} ply={ply} go={go} />
            </div>
            <SweepSection recorded={shown} game={game} ply={ply} go={go} />
        </>
    );
}

/** The title for games from this source, and a link to the page that lists them. */
function placeOf(name: string): { title: string; back: string; link: string } {
    const source = sourceOf(name);
    if ("match" in source) return { title: `Match ${source.match}`, back: "The match", link: `/match/${source.match}` };
    if ("run" in source) return { title: `${source.run}, generation ${source.generation}`, back: "The run", link: `/train/${encodeURIComponent(source.run)}` };
    return { title: name, back: "All files", link: "/game" };
}

/** One game of a file, a match or a run of training; its number and the ply stand in the address. */
export function Replay({ name }: { name: string }) {
    const game = Number(route.value.query["number"]) || 1;
    const asked = Number(route.value.query["ply"]) || 0;
    const seat = route.value.query["seat"] ? Number(route.value.query["seat"]) : null;
    const { title, back, link } = placeOf(name);
    document.title = `${title}, game ${game} – Banyan`;
    useLayoutEffect(() => whenOpen(() => void open(name, game, asked, seat)), [name, game]);
    const shown = recorded.value;
    const ply = Math.min(asked, shown?.moves?.length ?? asked);
    useEffect(() => void (recorded.value?.moves && show(ply, seat)), [ply, seat]);
    const rules = catalogue.value?.games.find((one) => one.name === shown?.game);
    return (
        <main class="play">
            <h1>
                {title}, game {game}
            </h1>
            <p class="buttons">
                <button type="button" disabled={game < 2} onClick={() => setQuery({ number: String(game - 1), ply: "" })}>
                    Game before
                </button>
                <button type="button" onClick={() => setQuery({ number: String(game + 1), ply: "" })}>
                    Next game
                </button>
                <a href={link}>{back}</a>
            </p>
            {error.value && (
                <p class="problem" role="alert">
                    {error.value}
                </p>
            )}
            {shown?.log !== undefined && <ShownBattle log={shown.log} expected={shown.expected ?? null} ply={ply} />}
            {shown && rules && <Shown shown={shown} game={rules} ply={ply} seat={seat} />}
        </main>
    );
}
