/* Watching a search: board, controls, moves, charts, the tree. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Board } from "../parts/board.tsx";
import { go, route, setQuery } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { Game, Root } from "../server/protocol.ts";
import { Controls } from "../search/controls.tsx";
import { Depths } from "../search/depths.tsx";
import { Growth } from "../search/growth.tsx";
import { Icicle } from "../search/icicle.tsx";
import { Inspector } from "../search/node.tsx";
import { OptionsForm } from "../search/options.tsx";
import { addMove, commandLine, dropMove, fromQuery, type Question } from "../search/question.ts";
import { Scatter } from "../search/scatter.tsx";
import { error, open, position, root } from "../search/state.ts";
import { Strip } from "../search/strip.tsx";
import { MoveTable } from "../search/table.tsx";
import { signed } from "../numbers.ts";

/** A button that copies the command line of this very search. */
function Command({ question }: { question: Question }) {
    const text = commandLine(question, root.value?.simulations ?? 1);
    const copied = useSignal(false);
    const copy = () => void navigator.clipboard.writeText(text).then(() => (copied.value = true));
    return (
        <p class="command">
            <code tabIndex={0}>{text}</code>{" "}
            <button type="button" onClick={copy}>
                {copied.value ? "Copied" : "Copy as a command line"}
            </button>
        </p>
    );
}

function Line({ state, game }: { state: Root; game: Game }) {
    const values = state.values.map((value, player) => `${game.players[player]} ${signed(value)}`).join(", ");
    return (
        <dl class="line">
            <dt>Best</dt>
            <dd>{state.best ?? "–"}</dd>
            <dt>Principal variation</dt>
            <dd>{state.pv.join(" ") || "–"}</dd>
            <dt>Mean results</dt>
            <dd>{values}</dd>
        </dl>
    );
}

function Position({ game, question }: { game: Game; question: Question }) {
    const shown = position.value;
    if (!shown) return null;
    const movers = shown.movers.map((player) => game.players[player]).join(" and ");
    return (
        <section aria-labelledby="board-title" class="position">
            <h2 id="board-title">To move: {movers}</h2>
            <Board position={shown} players={game.players} name={`Board of ${game.title}`} />
            {question.moves && (
                <p>
                    Played: {question.moves}{" "}
                    <button type="button" onClick={() => setQuery({ moves: dropMove(question.moves), k: "" })}>
                        Take back
                    </button>
                </p>
            )}
        </section>
    );
}

/** The page of a question that stands in the address; another question is another search. */
export function Search({ game }: { game: Game }) {
    const { query } = route.value;
    const question = fromQuery(game.name, query);
    const asked = JSON.stringify(question);
    document.title = `${game.title} – a search – Banyan`;
    useEffect(() => whenOpen(() => void open(question, Number(route.value.query["k"]) || 0)), [asked]);
    const state = root.value;
    const alone = position.value?.movers.length === 1;
    const play = alone ? (action: string) => setQuery({ moves: addMove(question.moves, action), k: "" }) : null;
    const change = (evaluator: string, options: Record<string, string>) =>
        go({ page: "search", name: game.name, query: { position: question.position, moves: question.moves, evaluator, ...options } });
    return (
        <main class="search">
            <h1>{game.title}</h1>
            {error.value && (
                <p class="problem" role="alert">
                    {error.value}
                </p>
            )}
            <Controls />
            <div class="two">
                <Position game={game} question={question} />
                <div>
                    {state && <MoveTable root={state} game={game} movers={position.value?.movers ?? []} play={play} />}
                    {state && <Line state={state} game={game} />}
                    <Strip game={game} />
                </div>
            </div>
            <div class="two wide">
                <Icicle game={game} />
                <Inspector game={game} />
            </div>
            <div class="three">
                {state && state.simulations > 0 && <Scatter root={state} game={game} />}
                {state && state.simulations > 0 && <Growth root={state} />}
                <Depths />
            </div>
            <OptionsForm key={asked} question={question} change={change} />
            <Command question={question} />
        </main>
    );
}
