/* Training: all runs, and one run with its curves, with those of other runs if the person wants them. */
import { useEffect, useMemo } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { count, short, signed, whole } from "../numbers.ts";
import { Plot } from "../parts/plot.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { nameOfGeneration } from "../replay/state.ts";
import { route, setQuery } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { TestScore, Run, RunRow } from "../server/protocol.ts";
import * as curves from "../train/curves.ts";
import { error, followAll, followRuns, leave, list, runs } from "../train/state.ts";

/** "75.0 % [65.7, 82.5] in 100 games, after generation 30" */
export function testText([generation, games, score, lo, hi]: TestScore): string {
    return `${(100 * score).toFixed(1)} % [${(100 * lo).toFixed(1)}, ${(100 * hi).toFixed(1)}] in ${count(games, "game")}, after generation ${whole(generation)}`;
}

/** How far a run is, in one sentence. */
export function stateOf(run: Pick<Run, "running" | "generations" | "progress">): string {
    const finished = `${count(run.generations, "generation")} finished`;
    if (!run.running) return `Nobody works on this run. ${finished}.`;
    return run.progress ? `The run goes on with generation ${whole(run.progress.generation)}. ${finished}.` : `The run goes on. ${finished}.`;
}

function Problem({ text }: { text: string }) {
    if (!text) return null;
    return (
        <p class="problem" role="alert">
            {text}
        </p>
    );
}

function Row({ run }: { run: RunRow }) {
    return (
        <tr>
            <th scope="row">
                <a href={`/train/${encodeURIComponent(run.name)}`}>{run.name}</a>
            </th>
            <td class="text">{run.title}</td>
            <td>{run.running ? "running" : "not running"}</td>
            <td>{whole(run.generations)}</td>
            <td>{short(run.games)}</td>
            <td>{run.elo === null ? "–" : signed(run.elo, 0)}</td>
            <td class="text">
                {Object.entries(run.tests).map(([opponent, last]) => (
                    <div key={opponent}>
                        {opponent}: {testText(last)}
                    </div>
                ))}
            </td>
        </tr>
    );
}

/** All runs. */
export function RunList() {
    document.title = "Training – Banyan";
    useEffect(() => {
        const end = whenOpen(followAll);
        return () => {
            end();
            leave();
        };
    }, []);
    const now = list.value;
    if (!now) return <main aria-busy="true" />;
    return (
        <main>
            <h1>Training</h1>
            <p class="help">Networks that learn from games against themselves. Elo by gates: how much stronger the best network is than the first one.</p>
            <Problem text={now.problem} />
            {now.runs.length === 0 ? (
                <p>
                    No run is shown. <code>banyan train othello --run runs/one</code> trains a network, and{" "}
                    <code>banyan web --run runs/one --run runs/two</code> shows runs here.
                </p>
            ) : (
                <Scroll name="Table of runs">
                    <table class="matches">
                        <thead>
                            <tr>
                                <th scope="col">Run</th>
                                <th scope="col" class="text">
                                    Game
                                </th>
                                <th scope="col">State</th>
                                <th scope="col">Generations</th>
                                <th scope="col">Games</th>
                                <th scope="col">Elo by gates</th>
                                <th scope="col" class="text">
                                    Last tests: score [95 %]
                                </th>
                            </tr>
                        </thead>
                        <tbody>
                            {now.runs.map((run) => (
                                <Row key={run.name} run={run} />
                            ))}
                        </tbody>
                    </table>
                </Scroll>
            )}
        </main>
    );
}

/** The choice of other runs to draw in the same charts; the address keeps them. */
function Overlay({ name, others }: { name: string; others: string[] }) {
    const known = (catalogue.value?.runs ?? []).filter((one) => one !== name);
    if (!known.length) return null;
    const toggle = (other: string, on: boolean) => setQuery({ with: [...others.filter((one) => one !== other), ...(on ? [other] : [])].join("|") }, true);
    return (
        <fieldset class="overlay">
            <legend>Overlay: other runs in the same charts</legend>
            {known.map((other) => (
                <label key={other}>
                    <input type="checkbox" checked={others.includes(other)} onChange={(event) => toggle(other, event.currentTarget.checked)} /> {other}
                </label>
            ))}
        </fieldset>
    );
}

function Plots({ shown }: { shown: Run[] }) {
    const lines = useMemo(() => ({ losses: curves.losses(shown), tests: curves.tests(shown), elo: curves.elo(shown), gates: curves.gates(shown), speed: curves.speed(shown) }), [shown]);
    return (
        <div class="plots">
            <Plot title="Losses" help="What learning reduces; the policy's loss cannot fall below the entropy of its targets." across="Generation" lines={lines.losses} digits={4} />
            {lines.tests.length > 0 && <Plot title="Tests of strength" help="Score of the best network against fixed opponents in %, with 95 % intervals (Wilson)." across="Generation" lines={lines.tests} digits={1} />}
            {lines.elo.length > 0 && <Plot title="Elo by gates" help="How much stronger the best network is than the first one: the sum of the differences that its gates measured; their errors add up." across="Generation" lines={lines.elo} digits={0} />}
            {lines.gates.length > 0 && <Plot title="Gates" help="Share of points of each candidate against the best network in %." across="Generation" lines={lines.gates} digits={1} />}
            <Plot title="Speed" help="Games of self-play in each second." across="Generation" lines={lines.speed} digits={2} />
        </div>
    );
}

function LastGames({ run }: { run: Run }) {
    const names = catalogue.value?.games.find((game) => game.name === run.game)?.players ?? ["1", "2"];
    return (
        <section aria-labelledby="last-title">
            <h2 id="last-title">Last games</h2>
            <Scroll name="Table of the last games">
                <table class="result">
                    <thead>
                        <tr>
                            <th scope="col">Generation</th>
                            <th scope="col">Game</th>
                            <th scope="col">Choices</th>
                            {names.slice(0, 2).map((name) => (
                                <th key={name} scope="col">
                                    {name}
                                </th>
                            ))}
                            <th scope="col">Resigned</th>
                        </tr>
                    </thead>
                    <tbody>
                        {run.last.map((game) => (
                            <tr key={`${game.generation} ${game.number}`}>
                                <th scope="row">{whole(game.generation)}</th>
                                <td>
                                    <a href={`/game/${encodeURIComponent(nameOfGeneration(run.name, game.generation))}?number=${game.number}`} aria-label={`Game ${game.number} of generation ${game.generation}`}>
                                        {whole(game.number)}
                                    </a>
                                </td>
                                <td>{whole(game.choices)}</td>
                                {names.slice(0, 2).map((name, player) => (
                                    <td key={name}>{signed(game.returns[player], 2)}</td>
                                ))}
                                <td>{game.resigned ? "yes" : "no"}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            </Scroll>
        </section>
    );
}

function Shown({ run, shown }: { run: Run; shown: Run[] }) {
    return (
        <>
            <p role="status" class="state">
                {stateOf(run)}
            </p>
            <p class="help">
                {run.title}, {count(run.games, "game")}{run.progress && ` and ${whole(run.progress.games)} of generation ${whole(run.progress.generation)}`}.
                {Object.entries(run.tests).map(([opponent, scores]) => {
                    const last = scores[scores.length - 1];
                    return last ? ` Against ${opponent}: ${testText(last)}.` : "";
                })}
            </p>
            {run.generations > 0 && <Plots shown={shown} />}
            {run.last.length > 0 && <LastGames run={run} />}
        </>
    );
}

/** One run; it is followed while the page is open. */
export function OneRun({ name }: { name: string }) {
    const others = (route.value.query["with"] ?? "").split("|").filter((one) => one && one !== name);
    const asked = [name, ...others].join("\n");
    document.title = `${name} – Training – Banyan`;
    useEffect(() => {
        const end = whenOpen(() => followRuns(asked.split("\n")));
        return () => {
            end();
            leave();
        };
    }, [asked]);
    const shown = runs.value ?? [];
    const run = shown.find((one) => one.name === name);
    return (
        <main data-generations={run?.generations}>
            <h1>{name}</h1>
            <p class="links">
                <a href="/train">All runs</a>
            </p>
            <Problem text={error.value} />
            <Overlay name={name} others={others} />
            {run && <Shown run={run} shown={shown} />}
        </main>
    );
}
