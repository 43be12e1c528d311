/* A search of every position of a recorded game: what could be expected, and which moves gave most away. */
import { useSignal } from "@preact/signals";
import { signed } from "../numbers.ts";
import type { Game, Recorded, Sweep } from "../server/protocol.ts";
import { Curve } from "./curve.tsx";
import { lines, moveOf, worst, type Loss } from "./expected.ts";
import { endSweep, startSweep, sweep } from "./state.ts";

function Progress({ now }: { now: Sweep }) {
    return (
        <span>
            <progress max={now.plies} value={now.done} aria-label="Positions searched" /> {now.done} of {now.plies}
        </span>
    );
}

function Controls({ plies }: { plies: number }) {
    const wanted = useSignal("300");
    const now = sweep.value;
    const count = Math.min(1000000, Math.max(1, Math.round(Number(wanted.value) || 1)));
    return (
        <div class="buttons">
            {now?.running ? (
                <button type="button" class="main" onClick={() => void endSweep()}>
                    Stop
                </button>
            ) : (
                <button type="button" class="main" disabled={plies === 0} onClick={() => void startSweep(count)}>
                    Search all positions
                </button>
            )}
            <label>
                <input type="number" min={1} max={1000000} step={1} value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} /> simulations each
            </label>
            {now && <Progress now={now} />}
        </div>
    );
}

function Worst({ losses, recorded, game, now, go }: { losses: Loss[]; recorded: Recorded; game: Game; now: Sweep; go: (ply: number) => void }) {
    if (now.running) return null;
    return (
        <section aria-label="Worst moves">
            <h2>{losses.length ? "The moves that cost most" : "No move cost much"}</h2>
            <ol class="worst">
                {losses.map((loss) => (
                    <li key={`${loss.ply} ${loss.player}`}>
                        <button type="button" class="plain" onClick={() => go(loss.ply)}>
                            Ply {loss.ply + 1}, {game.players[loss.player]}: {moveOf(recorded, now, loss)}
                        </button>{" "}
                        cost {signed(loss.loss, 2).slice(1)}; {loss.best} was best
                    </li>
                ))}
            </ol>
        </section>
    );
}

export function SweepSection({ recorded, game, ply, go }: { recorded: Recorded; game: Game; ply: number; go: (ply: number) => void }) {
    const now = sweep.value;
    const losses = now ? worst(now, game) : [];
    const secret = game.hidden ? " Each player's searches know only what this player knew." : "";
    return (
        <section class="sweep" aria-label="What could be expected">
            <h2>What could be expected</h2>
            <p class="help">
                From {signed(game.return_min, 0)} (bottom) to {signed(game.return_max, 0)} (top). A search of every position shows which moves gave something away; bad luck counts as no loss.{secret} Click the curve to go there.
            </p>
            <Controls plies={recorded.moves.length} />
            <Curve name="What the players could expect, ply by ply; the list of moves has the numbers." lines={lines(recorded, game, now)} losses={losses} game={game} plies={recorded.moves.length} ply={ply} go={go} />
            {now && <Worst losses={losses} recorded={recorded} game={game} now={now} go={go} />}
        </section>
    );
}
