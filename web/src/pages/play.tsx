/* Playing a game: board, choices, what happened, and the other players. */
import { useLayoutEffect } from "preact/hooks";
import { Board } from "../parts/board.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FlipButton, isFlipped } from "../parts/flip.tsx";
import { Cards } from "../play/cards.tsx";
import { type Clock, clockOf, Clocks } from "../play/clock.tsx";
import { Choices } from "../play/choices.tsx";
import { ClickBoard } from "../play/clickboard.tsx";
import { Seats } from "../play/seats.tsx";
import { askHint, error, hint, hintsWanted, play, save, sit, table, undo, usualSeats } from "../play/state.ts";
import { addressOf, go, route } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { Game, Table } from "../server/protocol.ts";
import { capital, count, plain, signed } from "../numbers.ts";

const nameOf = (game: Game, player: number) => game.players[player] ?? "";

/** What the person must know now, in one sentence. */
export function situation(game: Game, now: Table): string {
    const { returns, movers } = now.position;
    if (now.clocks && now.clocks.lost >= 0) return `The game is over: ${nameOf(game, now.clocks.lost)} has lost on time.`;
    if (returns) return `The game is over: ${returns.map((value, player) => `${nameOf(game, player)} ${signed(value, 2)}`).join(", ")}.`;
    if (now.waiting.length) return `${capital(now.waiting.map((player) => nameOf(game, player)).join(" and "))} to choose.`;
    return `${capital(movers.map((player) => nameOf(game, player)).join(" and "))} ${movers.length > 1 ? "are" : "is"} thinking …`;
}

function Log({ now }: { now: Table }) {
    return (
        <section aria-labelledby="log-title">
            <h2 id="log-title">What happened</h2>
            {now.log.length === 0 && <p class="help">Nothing yet.</p>}
            <ol class="log" tabIndex={0} aria-label="Moves, the last one first">
                {[...now.log].reverse().map(({ ply, text, dice }) => (
                    <li key={ply} value={ply}>
                        {text.trim()}
                        {dice && <small class="dice">{dice}</small>}
                    </li>
                ))}
            </ol>
        </section>
    );
}

/** What the players of the program expected when they chose, as bars and numbers. */
function Expectations({ game, now }: { game: Game; now: Table }) {
    const told = now.values.flatMap((value, player) => (value === null ? [] : [{ name: nameOf(game, player), value, simulations: now.simulations[player] ?? 0 }]));
    return (
        <p class="help expected">
            {told.map(({ name, value, simulations }) => (
                <span key={name}>
                    <meter min={game.return_min} max={game.return_max} value={value} aria-label={`What ${name} expects`} /> {name} expects {signed(value, 2)} after {count(simulations, "simulation")}{" "}
                </span>
            ))}
            {told.length > 0 && `(from ${plain(game.return_min)} to ${plain(game.return_max)}).`}
        </p>
    );
}

function Buttons({ game, now, seats, clock }: { game: Game; now: Table; seats: string[]; clock: Clock }) {
    const load = async (input: HTMLInputElement) => {
        const file = input.files?.[0];
        if (file) await sit(game, seats, 1, clock, { record: (await file.text()).split("\n")[0] ?? "" });
        input.value = "";
    };
    const search = now.position.movers.length > 0 && addressOf("search", game.name, now.position.text);
    return (
        <div class="buttons">
            <button type="button" disabled={!now.can_undo} onClick={() => void undo()}>
                Undo
            </button>
            <FlipButton cells={now.position.board} />
            {now.position.text && <CopyButton text={now.position.text} label="Copy the position" />}
            <button type="button" onClick={() => void save(game)}>
                Save
            </button>
            <label class="file">
                Go on with a saved game
                <input type="file" accept=".jsonl,.json" onChange={(event) => void load(event.currentTarget)} />
            </label>
            <label>
                <input
                    type="checkbox"
                    checked={hintsWanted.value}
                    onChange={(event) => {
                        hintsWanted.value = event.currentTarget.checked;
                        hint.value = "";
                        if (hintsWanted.value) void askHint();
                    }}
                />{" "}
                Hints
            </label>
            {search && <a href={search}>Search this position</a>}
        </div>
    );
}

/** A board that can be clicked where the game has one, else its picture. */
function PlayBoard({ game, now }: { game: Game; now: Table }) {
    const { position } = now;
    const mine = position.legal.length === 1 ? position.legal[0] : undefined;
    const name = `Board of ${game.title}`;
    if (position.board) return <ClickBoard key={game.name} cells={position.board} players={game.players} actions={mine?.actions ?? []} plies={now.plies} name={name} flipped={isFlipped()} choose={(action) => void play(mine?.player ?? 0, action)} />;
    if (position.cards) return <Cards known={position.cards} />;
    return <Board position={position} players={game.players} name={name} flipped={isFlipped()} />;
}

function Game({ game, now, seats, clock }: { game: Game; now: Table; seats: string[]; clock: Clock }) {
    const { position } = now;
    return (
        <>
            <p role="status" class="state">
                {situation(game, now)}
            </p>
            {now.clocks && <Clocks key={now.version} game={game} now={now} />}
            <Buttons game={game} now={now} seats={seats} clock={clock} />
            {hint.value && <p role="status">{hint.value}</p>}
            <div class={(position.board?.cols ?? 0) > 20 ? "stacked" : "two"}>
                <div>
                    <PlayBoard game={game} now={now} />
                </div>
                <div class="beside">
                    {position.legal.map(({ player, actions }) => (
                        <Choices key={player} name={nameOf(game, player)} player={player} actions={actions} />
                    ))}
                    <Expectations game={game} now={now} />
                    <Log now={now} />
                </div>
                {position.sheet && !position.cards && (
                    <pre class="sheet" tabIndex={0} aria-label="Details of the position">
                        {position.sheet}
                    </pre>
                )}
            </div>
        </>
    );
}

/** The address keeps the seats; the person saves the game itself to a file. */
export function Play({ game }: { game: Game }) {
    const asked = route.value.query["seats"] ?? "";
    const seats = asked ? asked.split("|") : usualSeats(game);
    const seed = Number(route.value.query["seed"]) || 0;
    const time = route.value.query["clock"] ?? "";
    const position = route.value.query["position"] ?? "";
    const clock = clockOf(time);
    document.title = `${game.title} – a game – Banyan`;
    /* a layout effect, which runs before the browser paints: nobody can click on the board of the game before */
    useLayoutEffect(() => whenOpen(() => void sit(game, seats, seed, clock, { position })), [asked, seed, time, position]);
    const begin = (chosen: string[], wanted: string) => go({ page: "play", name: game.name, query: { seats: chosen.join("|"), clock: wanted, flip: route.value.query["flip"] ?? "", seed: String(Math.floor(Math.random() * 1e9)) } });
    return (
        <main class="play" data-plies={table.value?.plies}>
            <h1>{game.title}</h1>
            <Seats key={`${asked} ${time}`} game={game} seats={seats} clock={time} begin={begin} />
            {error.value && (
                <p class="problem" role="alert">
                    {error.value}
                </p>
            )}
            {table.value ? <Game game={game} now={table.value} seats={seats} clock={clock} /> : <p>The game begins …</p>}
        </main>
    );
}
