/* The four phases of a simulation: selection with the formula, expansion, the value of the leaf, and the backup. */
import { useSignal } from "@preact/signals";
import { count } from "../numbers.ts";
import { Drawing } from "../parts/board.tsx";
import { Scroll } from "../parts/scroll.tsx";
import type { Explained, Game, Simulation, Step } from "../server/protocol.ts";

type Row = Step["rows"][number];

/** Four decimals, as `banyan explain` writes them. */
export const four = (value: number | null): string => (value === null ? "–" : value.toFixed(4).replace("-", "−"));

export const nodeOf = (path: readonly string[]): string => ["root", ...path].join(" ");

/** The score of a row with its numbers in the formula. */
export function formula(explained: Pick<Explained, "rule" | "c">, n: number, row: Row): string {
    if (row.mean === null || row.term === null) return row.score === null ? "not visited" : `not visited, score ${four(row.score)}`;
    const rest = Math.abs(row.rest) > 1e-6 ? ` ${row.rest < 0 ? "−" : "+"} ${Math.abs(row.rest).toFixed(4)} = ${four(row.score)}` : "";
    const sum = four(row.mean + row.term);
    if (explained.rule === "ucb1") return `${four(row.mean)} + ${explained.c.toFixed(4)} · √(ln ${n} / ${row.visits}) = ${sum}${rest}`;
    return `${four(row.mean)} + ${four(row.term)} = ${sum}${rest}`;
}

/** Where the bars of mean and term of each row begin and how long they are, in percent of a common scale. */
export function bars(rows: readonly Row[]): { mean: [number, number]; term: [number, number] }[] {
    const ends = rows.flatMap(({ mean, score }) => (mean === null || score === null ? [] : [mean, score]));
    const lo = Math.min(0, ...ends);
    const hi = Math.max(0, ...ends);
    const at = (value: number) => (hi > lo ? (100 * (value - lo)) / (hi - lo) : 0);
    const span = (from: number, to: number): [number, number] => [Math.min(at(from), at(to)), Math.abs(at(to) - at(from))];
    return rows.map(({ mean, term }) => (mean === null || term === null ? { mean: [0, 0], term: [0, 0] } : { mean: span(0, mean), term: span(mean, mean + term) }));
}

function Bar({ mean, term }: ReturnType<typeof bars>[number]) {
    return (
        <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar-mean" x={mean[0]} width={mean[1]} y={0} height={6} />
            <rect class="bar-term" x={term[0]} width={term[1]} y={4} height={6} />
        </svg>
    );
}

/** A square in the colour of a part of the bars, to stand before the part's name in the head of the table. */
function Colour({ of }: { of: "mean" | "term" }) {
    return (
        <svg class="colour" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`bar-${of}`} width={10} height={10} />
        </svg>
    );
}

function Select({ explained, step, game }: { explained: Explained; step: Step; game: Game }) {
    const all = bars(step.rows);
    const more = step.count - step.rows.length;
    const book = step.textbook;
    return (
        <>
            <h4>
                {nodeOf(step.path)} (n = {step.n}), {game.players[step.player]}
            </h4>
            {game.hidden && step.drawing && (
                <details>
                    <summary>What {game.players[step.player]} knows here</summary>
                    <Drawing svg={null} text={step.drawing} name={`The information set of ${game.players[step.player]}`} />
                </details>
            )}
            <Scroll name={`Scores at ${nodeOf(step.path)}`}>
                <table class="formula">
                    <thead>
                        <tr>
                            <th scope="col">Action</th>
                            <th scope="col">
                                <Colour of="mean" /> Mean + <Colour of="term" /> what the formula adds = score
                            </th>
                        </tr>
                    </thead>
                    <tbody>
                        {step.rows.map((row, i) => (
                            <tr key={row.action} class={row.chosen ? "chosen" : ""}>
                                <th scope="row">
                                    {row.action}
                                    {row.chosen && " ←"}
                                </th>
                                <td>
                                    <Bar {...(all[i] as ReturnType<typeof bars>[number])} />
                                    {formula(explained, step.n, row)}
                                    {row.prior !== null && `, P = ${row.prior.toFixed(4)}`}
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            </Scroll>
            {more > 0 && <p class="help">{count(more, "more action")}.</p>}
            {book && (
                <p class="help">
                    With the textbook's C: {book.action}, {four(book.mean)} + {explained.textbook_c.toFixed(4)} · √(ln {step.n} / {book.visits}) = {four(book.score)}: {book.same ? "the same choice" : "another choice"}.
                </p>
            )}
        </>
    );
}

function Rollout({ moves, game }: { moves: NonNullable<Simulation["rollout"]>; game: Game }) {
    const ply = useSignal(0);
    const shown = Math.min(ply.value, moves.length);
    const now = moves[shown - 1];
    return (
        <div class="rollout">
            <p>Played on at random, {count(moves.length, "move")}:</p>
            <div class="buttons">
                <button type="button" disabled={shown === 0} onClick={() => (ply.value = shown - 1)}>
                    Move back
                </button>
                <button type="button" disabled={shown >= moves.length} onClick={() => (ply.value = shown + 1)}>
                    Next move
                </button>
                <output>
                    {shown} of {moves.length}
                </output>
            </div>
            <p class="played">
                {moves.map(({ player, action }, i) => (
                    <span key={i} class={i === shown - 1 ? "now" : ""}>
                        {game.players[player]} {action}{" "}
                    </span>
                ))}
            </p>
            {now?.drawing && <Drawing svg={null} text={now.drawing} name={`The position after ${count(shown, "move")}`} />}
        </div>
    );
}

function Phase({ name, help, kind, children }: { name: string; help: string; kind: string; children: preact.ComponentChildren }) {
    return (
        <section class={`phase ${kind}`} aria-label={name}>
            <h3>{name}</h3>
            <p class="help">{help}</p>
            {children}
        </section>
    );
}

export function Phases({ explained, simulation, game }: { explained: Explained; simulation: Simulation; game: Game }) {
    const of = (event: Step["event"]) => simulation.events.filter((one) => one.event === event);
    const selects = of("select");
    const expands = of("expand");
    const leaf = of("simulate")[0];
    return (
        <div class="phases">
            <Phase kind="select" name="1. Selection" help="From the root, the action with the highest score is taken, as long as all actions of the node have been tried.">
                {selects.length ? selects.map((step, i) => <Select key={i} explained={explained} step={step} game={game} />) : <p>No selection: the root has an action that was not tried yet.</p>}
            </Phase>
            <Phase kind="expand" name="2. Expansion" help="An action that was never tried becomes a new node.">
                {expands.map((step, i) => (
                    <p key={i}>
                        {nodeOf(step.path)} (n = {step.n}), {game.players[step.player]}: {step.rows.map((row, k) => (
                            <span key={row.action}>
                                {k > 0 && ", "}
                                {row.chosen ? <strong>{row.action} ← new</strong> : `${row.action}${row.visits ? " (visited)" : ""}`}
                            </span>
                        ))}
                        {step.count > step.rows.length && ", …"}
                    </p>
                ))}
                {!expands.length && <p>None: the simulation ended at a node that existed already, or at the end of the game.</p>}
            </Phase>
            <Phase kind="simulate" name="3. Value of the leaf" help="How the game may end from here: a random game, or what the evaluator says.">
                {leaf && (
                    <>
                        <p>
                            {nodeOf(leaf.path)}: {leaf.values.map((value, player) => `${game.players[player]} ${value < 0 ? "−" : "+"}${Math.abs(value)}`).join(", ")}
                        </p>
                        {leaf.drawing && <Drawing svg={null} text={leaf.drawing} name="The position at the leaf" />}
                    </>
                )}
                {simulation.rollout && simulation.rollout.length > 0 && <Rollout key={simulation.simulation} moves={simulation.rollout} game={game} />}
            </Phase>
            <Phase kind="backup" name="4. Backup" help="Every action on the path from the root gets one more visit, and the result for the player who chose it.">
                <ol>
                    {of("backup").map((step, i) => (
                        <li key={i}>
                            {nodeOf(step.path)} <strong>{step.action}</strong> ({game.players[step.player]}): n = {step.visits}, mean = {four(step.mean)}
                        </li>
                    ))}
                </ol>
            </Phase>
        </div>
    );
}
