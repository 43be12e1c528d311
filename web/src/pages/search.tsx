/* Watching a search: board, controls, moves, charts, the tree. */
import { useLayoutEffect } from "preact/hooks";
import { Board } from "../parts/board.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FlipButton, isFlipped } from "../parts/flip.tsx";
import type { Remark } from "../parts/grid.tsx";
import { ClickBoard } from "../play/clickboard.tsx";
import { addressOf, go, route, setQuery } from "../route.ts";
import { whenOpen } from "../server/link.ts";
import type { Action, Cells, Game, Position as PositionOf, Root, RootMove } from "../server/protocol.ts";
import { candidates, isClickable } from "../search/candidates.ts";
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

/** Plays a move and searches there; null where several players choose at once. */
type Play = ((action: string) => void) | null;

/** A board with more columns has room for one line in each cell. */
const roomy = 9;

/** The command line of this very search, and a button that copies it. */
function Command({ question }: { question: Question }) {
    const text = commandLine(question, root.value?.simulations ?? 1);
    return (
        <p class="command">
            <code tabIndex={0}>{text}</code> <CopyButton text={text} label="Copy as a command line" />
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

/** The figures in the cells: their share of the simulations in percent and, if there is room, their means. */
function remarksOf(cells: Cells, actions: readonly Action[], moves: readonly RootMove[]): Map<number, Remark> {
    return new Map(
        [...candidates(actions, moves)].map(([cell, { share, mean, best }]) => {
            const percents = (100 * share).toFixed(0);
            return [cell, { lines: cells.cols <= roomy ? [`${percents} %`, signed(mean, 2)] : [percents], share, best }];
        }),
    );
}

/** The position: a board to click whose cells show figures of the search, if there can be one; else a picture. */
function SearchBoard({ game, shown, play }: { game: Game; shown: PositionOf; play: Play }) {
    const name = `Board of ${game.title}`;
    const actions = shown.legal[0]?.actions ?? [];
    if (!play || !shown.board || !isClickable(shown.board, actions)) return <Board position={shown} players={game.players} name={name} flipped={isFlipped()} />;
    return (
        <>
            <ClickBoard cells={shown.board} players={game.players} actions={actions} plies={0} name={name} choose={play} flipped={isFlipped()} remarks={remarksOf(shown.board, actions, root.value?.root ?? [])} />
            <p class="help">
                In the cells: percent of the simulations{shown.board.cols <= roomy && ", and the mean below"}; a frame marks the most visited move. A click plays a move and searches there.
            </p>
        </>
    );
}

function Position({ game, question, play }: { game: Game; question: Question; play: Play }) {
    const shown = position.value;
    if (!shown) return null;
    const movers = shown.movers.map((player) => game.players[player]).join(" and ");
    const playFrom = shown.movers.length > 0 && addressOf("play", game.name, shown.text);
    return (
        <section aria-labelledby="board-title" class="position">
            <h2 id="board-title">To move: {movers}</h2>
            <SearchBoard game={game} shown={shown} play={play} />
            {question.moves && (
                <p>
                    Played: {question.moves}{" "}
                    <button type="button" onClick={() => setQuery({ moves: dropMove(question.moves), k: "" })}>
                        Take back
                    </button>
                </p>
            )}
            <p class="buttons">
                <FlipButton cells={shown.board} />
                {shown.text && <CopyButton text={shown.text} label="Copy the position" />}
                {playFrom && <a href={playFrom}>Play from here</a>}
            </p>
        </section>
    );
}

/** The page of the question in the address; when the question changes, a new search begins. */
export function Search({ game }: { game: Game }) {
    const { query } = route.value;
    const question = fromQuery(game.name, query);
    const asked = JSON.stringify(question);
    document.title = `${game.title} – a search – Banyan`;
    /* a layout effect, which runs before the browser paints: an immediate click on Search starts this search, not the
     * one before */
    useLayoutEffect(() => whenOpen(() => void open(question, Number(route.value.query["k"]) || 0)), [asked]);
    const state = root.value;
    const alone = position.value?.movers.length === 1;
    const play = alone ? (action: string) => setQuery({ moves: addMove(question.moves, action), k: "" }) : null;
    const change = (evaluator: string, options: Record<string, string>) =>
        go({ page: "search", name: game.name, query: { position: question.position, moves: question.moves, evaluator, flip: route.value.query["flip"] ?? "", ...options } });
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
                <Position game={game} question={question} play={play} />
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
