/* A search explained: one simulation in four phases, with the numbers of `banyan explain`; two settings side by side. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { matrixOf } from "../explain/matrix.ts";
import { four, Phases } from "../explain/phases.tsx";
import { count, plain, signed, whole } from "../numbers.ts";
import { Board } from "../parts/board.tsx";
import { isFlipped } from "../parts/flip.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { TidyTree } from "../parts/tidytree.tsx";
import { go, route, setQuery } from "../route.ts";
import { fromQuery, optionText, type Question } from "../search/question.ts";
import { ask, whenOpen } from "../server/link.ts";
import type { Explained, Game, Simulation } from "../server/protocol.ts";

const usual = 20;
const most = 200;

function After({ simulation, game }: { simulation: Simulation; game: Game }) {
    return (
        <>
            {simulation.after.map(({ player, n, mean, moves, untried }) => (
                <Scroll key={player} name={`The root for ${game.players[player]}`}>
                    <table>
                        <caption>
                            {game.players[player]}: n = {n}, mean {signed(mean)}
                        </caption>
                        <thead>
                            <tr>
                                <th scope="col">Action</th>
                                <th scope="col">n</th>
                                <th scope="col">Mean</th>
                            </tr>
                        </thead>
                        <tbody>
                            {moves.map((move) => (
                                <tr key={move.action}>
                                    <th scope="row">{move.action}</th>
                                    <td>{whole(move.visits)}</td>
                                    <td>{four(move.mean)}</td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                    {untried > 0 && <p class="help">{untried} not tried yet.</p>}
                </Scroll>
            ))}
        </>
    );
}

function MatrixTable({ simulations, game }: { simulations: Simulation[]; game: Game }) {
    const matrix = matrixOf(simulations);
    if (!matrix) return null;
    return (
        <section aria-labelledby="matrix-title">
            <h2 id="matrix-title">Both choose at the same time</h2>
            <p class="help">
                How often each pair was played so far, and what {game.players[0]} got on average. Rows: {game.players[0]}; columns: {game.players[1]}.
            </p>
            <Scroll name="Matrix of the choices">
                <table class="matrix">
                    <thead>
                        <tr>
                            <td />
                            {matrix.cols.map((col) => (
                                <th key={col} scope="col">
                                    {col}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {matrix.rows.map((row) => (
                            <tr key={row}>
                                <th scope="row">{row}</th>
                                {matrix.cols.map((col) => {
                                    const cell = matrix.cells.get(`${row}|${col}`);
                                    return <td key={col}>{cell ? `${signed(cell.sum / cell.count, 2)} (${cell.count})` : "–"}</td>;
                                })}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </Scroll>
        </section>
    );
}

function Legend({ explained, game }: { explained: Explained; game: Game }) {
    return (
        <p class="help">
            n: simulations that passed a position, n_j: those that chose the action. mean: of their results for the side that chooses, from {plain(game.return_min)} to {plain(game.return_max)}.{" "}
            {explained.rule === "ucb1" && `score = mean + C · √(ln n / n_j), C = ${explained.c.toFixed(4)}; the textbook's UCB1 (Auer et al. 2002) has C = ${explained.textbook_c.toFixed(4)}.`}
            {explained.rule === "puct" && `score = reward + c · P · √n / (1 + n_j): reward is the mean scaled to 0..1, P is the prior, c = ${explained.cpuct} (cpuct).`}
        </p>
    );
}

/** One setting: everything about simulation `at`. */
function Column({ explained, at, game, name }: { explained: Explained; at: number; game: Game; name: string }) {
    const simulation = explained.simulations[at - 1];
    if (!simulation) return null;
    return (
        <section class="setting" aria-label={name}>
            <h2>{name}</h2>
            <Legend explained={explained} game={game} />
            <Phases explained={explained} simulation={simulation} game={game} />
            <h3>The root after simulation {at}</h3>
            <After simulation={simulation} game={game} />
            <MatrixTable simulations={explained.simulations.slice(0, at)} game={game} />
            <h3>The tree after {explained.simulations.length > 1 && "all "}{count(explained.simulations.length, "simulation")}</h3>
            {explained.columns.parent.length > 1 ? <TidyTree columns={explained.columns} game={game} /> : <p>There is no tree yet.</p>}
        </section>
    );
}

/** Asks for the steps of a question; null while they are on the way. */
function useExplained(question: Question, options: string | null, n: number, error: (text: string) => void): Explained | null {
    const shown = useSignal<Explained | null>(null);
    const { game, position, moves, evaluator } = question;
    const asked = JSON.stringify([question, options, n]);
    useEffect(() => {
        shown.value = null;
        if (options === null) return undefined;
        return whenOpen(() => {
            ask("explain", { game, position, moves, evaluator, options, n }).then(
                (answer) => {
                    error("");
                    shown.value = answer.explained;
                },
                (reason: Error) => error(reason.message),
            );
        });
    }, [asked]);
    return shown.value;
}

function Controls({ n, at, other }: { n: number; at: number; other: string }) {
    const move = (to: number) => setQuery({ at: String(Math.max(1, Math.min(n, to))) }, true);
    const submit = (event: SubmitEvent) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget as HTMLFormElement);
        setQuery({ n: String(Math.max(1, Math.min(most, Math.round(Number(values.get("n")) || usual)))), other: String(values.get("other")).trim() });
    };
    return (
        <section class="controls" aria-label="Which simulation">
            <div class="buttons">
                <button type="button" disabled={at <= 1} onClick={() => move(at - 1)}>
                    Simulation before
                </button>
                <button type="button" class="main" disabled={at >= n} onClick={() => move(at + 1)}>
                    Next simulation
                </button>
            </div>
            <label class="scrubber">
                Simulation
                <input type="range" min={1} max={n} value={at} onInput={(event) => move(Number(event.currentTarget.value))} />
                <output>
                    {at} of {n}
                </output>
            </label>
            <form class="buttons" key={`${n} ${other}`} onSubmit={submit}>
                <label>
                    Simulations <input type="number" name="n" min={1} max={most} defaultValue={String(n)} />
                </label>
                <label>
                    Other options beside it <input type="text" name="other" autocomplete="off" placeholder="exploration=1" defaultValue={other} />
                </label>
                <button type="submit">Show</button>
            </form>
        </section>
    );
}

export function Explain({ game }: { game: Game }) {
    const { query } = route.value;
    const question = fromQuery(game.name, query);
    const n = Math.max(1, Math.min(most, Number(query["n"]) || usual));
    const at = Math.max(1, Math.min(n, Number(query["at"]) || n));
    const other = query["other"] ?? "";
    const problem = useSignal("");
    const options = optionText(question.options);
    const seed = question.options["seed"] ? `seed=${question.options["seed"]},` : "";
    const one = useExplained(question, options, n, (text) => (problem.value = text));
    const two = useExplained(question, other ? seed + other : null, n, (text) => (problem.value = text));
    document.title = `${game.title} – explained – Banyan`;
    return (
        <main class="explain">
            <h1>{game.title}: a search step by step</h1>
            {problem.value && (
                <p class="problem" role="alert">
                    {problem.value}
                </p>
            )}
            <Controls n={n} at={at} other={other} />
            {one && (
                <details>
                    <summary>The position at the root</summary>
                    <Board position={one.position} players={game.players} name="The position at the root" flipped={isFlipped()} />
                </details>
            )}
            <div class={two ? "halves" : ""}>
                {one && <Column explained={one} at={at} game={game} name={options || "Usual options"} />}
                {two && <Column explained={two} at={at} game={game} name={other} />}
            </div>
            <p>
                <button type="button" class="plain" onClick={() => go({ page: "search", name: game.name, query: { position: question.position, moves: question.moves, evaluator: question.evaluator, ...question.options } })}>
                    Watch this search as it grows
                </button>
            </p>
        </main>
    );
}
