/* The tree as an icicle: on a canvas, since it may have thousands of rectangles, with a table that has the same
 * numbers and can be used without a mouse. */
import { useEffect, useRef } from "preact/hooks";
import { useComputed, useSignal } from "@preact/signals";
import type { Columns, Game } from "../server/protocol.ts";
import { count, percent, signed, standing, whole } from "../numbers.ts";
import { TidyTree } from "../parts/tidytree.tsx";
import { colour, isDark } from "./colour.ts";
import { type Box, children, layOut, pathOf, rowAt } from "./layout.ts";
import { look, path, tree } from "./state.ts";

const rowHeight = 24; // pixels, high enough for a finger
const mostLevels = 40;
const small = 300; // a tree of at most this many rows is also drawn with lines

interface Picture {
    columns: Columns;
    boxes: Box[];
    focus: number;
    game: Game;
}

function nameOf({ columns, game }: Picture, row: number): string {
    if (columns.parent[row] === -1) return `${game.players[columns.player[row] as number]} to move`;
    return columns.label[row] || ((columns.flags[row] as number) & 1 ? "an outcome" : "?");
}

function standingOf({ columns, game }: Picture, row: number): number | null {
    const mean = columns.mean[row];
    return mean === null || mean === undefined ? null : standing(mean, game.return_min, game.return_max);
}

function drawBox(context: CanvasRenderingContext2D, picture: Picture, box: Box, size: number, dark: boolean): void {
    const x = box.x * size;
    const width = box.width * size;
    const y = box.level * rowHeight;
    if (width < 0.5) return;
    context.fillStyle = colour(standingOf(picture, box.row), dark);
    context.fillRect(x, y, Math.max(width - 0.75, 0.5), rowHeight - 1);
    if (width < 24) return;
    context.save();
    context.beginPath();
    context.rect(x, y, width - 3, rowHeight);
    context.clip();
    context.fillStyle = dark ? "#f2f2f2" : "#111";
    const proven = (picture.columns.flags[box.row] as number) & 2 ? " ✓" : "";
    const mean = width > 110 ? `  ${signed(picture.columns.mean[box.row], 2)}` : "";
    context.fillText(nameOf(picture, box.row) + proven + mean, x + 4, y + rowHeight / 2);
    context.restore();
}

function draw(canvas: HTMLCanvasElement, picture: Picture): void {
    const size = canvas.clientWidth;
    const levels = Math.min(mostLevels, 1 + picture.boxes.reduce((most, box) => Math.max(most, box.level), 0));
    const scale = devicePixelRatio;
    canvas.width = size * scale;
    canvas.height = levels * rowHeight * scale;
    canvas.style.height = `${levels * rowHeight}px`;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(scale, scale);
    context.font = "13px system-ui, sans-serif";
    context.textBaseline = "middle";
    const dark = isDark();
    for (const box of picture.boxes) if (box.level < levels) drawBox(context, picture, box, size, dark);
}

function boxAt(event: MouseEvent, { boxes }: Picture): Box | undefined {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const x = event.offsetX / canvas.clientWidth;
    const level = Math.floor(event.offsetY / rowHeight);
    return boxes.find((box) => box.level === level && x >= box.x && x < box.x + box.width);
}

function sentence(picture: Picture, row: number): string {
    const { columns } = picture;
    const parent = columns.parent[row] as number;
    const share = parent < 0 ? 1 : (columns.visits[row] as number) / (columns.visits[parent] as number);
    const narrow = columns.more[row] as number;
    const more = narrow ? `, ${count(narrow, "more action")} below ${narrow === 1 ? "is" : "are"} too narrow to be shown` : "";
    return `${nameOf(picture, row)}: ${count(columns.visits[row] as number, "visit")} (${percent(share)}), mean ${signed(columns.mean[row])}${more}`;
}

function Canvas({ picture }: { picture: Picture }) {
    const canvas = useRef<HTMLCanvasElement>(null);
    const pointed = useSignal("Point at a rectangle to read it; click to look below it.");
    useEffect(() => {
        const again = () => canvas.current && draw(canvas.current, picture);
        const shades = matchMedia("(prefers-color-scheme: dark)");
        again();
        window.addEventListener("resize", again);
        shades.addEventListener("change", again);
        return () => {
            window.removeEventListener("resize", again);
            shades.removeEventListener("change", again);
        };
    }, [picture]);
    return (
        <>
            <div class="icicle-frame" role="region" aria-label="Picture of the tree" tabIndex={0}>
                <canvas
                    ref={canvas}
                    class="icicle"
                    role="img"
                    aria-label="The tree: one rectangle for each action, as wide as its share of the visits. The table below has the same numbers."
                    data-boxes={picture.boxes.length}
                    onMouseMove={(event) => {
                        const box = boxAt(event, picture);
                        if (box) pointed.value = sentence(picture, box.row);
                    }}
                    onClick={(event) => {
                        const box = boxAt(event, picture);
                        if (box) void look(pathOf(picture.columns, box.row));
                    }}
                />
            </div>
            <p class="pointed">{pointed}</p>
        </>
    );
}

function Rows({ picture }: { picture: Picture }) {
    const { columns, focus } = picture;
    const rows = children(columns, focus).slice(0, 50);
    const total = focus < 0 ? 0 : (columns.visits[focus] as number);
    return (
        <details class="rows">
            <summary>The same as a table</summary>
            <table>
                <thead>
                    <tr>
                        <th scope="col">Below this node</th>
                        <th scope="col">Visits</th>
                        <th scope="col">Share</th>
                        <th scope="col">Mean</th>
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr key={row}>
                            <th scope="row">
                                <button type="button" class="plain" onClick={() => void look(pathOf(columns, row))}>
                                    {nameOf(picture, row)}
                                </button>
                            </th>
                            <td>{whole(columns.visits[row] as number)}</td>
                            <td>{total ? percent((columns.visits[row] as number) / total) : "–"}</td>
                            <td>{signed(columns.mean[row])}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </details>
    );
}

/** The path from the root to the node that is shown, and buttons that go back up. */
function Way({ picture }: { picture: Picture }) {
    const rows: number[] = [];
    for (let row = picture.focus; row >= 0; row = picture.columns.parent[row] ?? -1) rows.unshift(row);
    return (
        <nav class="way" aria-label="Way from the root">
            <button type="button" disabled={!path.value} onClick={() => void look("")}>
                Whole tree
            </button>
            <button type="button" disabled={rows.length < 2} onClick={() => void look(pathOf(picture.columns, rows[rows.length - 2] as number))}>
                Back up
            </button>
            <ol>
                {rows.map((row) => (
                    <li key={row}>{nameOf(picture, row)}</li>
                ))}
            </ol>
        </nav>
    );
}

export function Icicle({ game }: { game: Game }) {
    const picture = useComputed((): Picture | null => {
        const columns = tree.value?.columns;
        if (!columns) return null;
        const focus = rowAt(columns, path.value);
        return { columns, focus, game, boxes: layOut(columns, focus) };
    }).value;
    return (
        <section aria-labelledby="tree-title">
            <h2 id="tree-title">Tree</h2>
            <p class="help">
                Each rectangle is an action; its width is its share of the simulations that passed the row above it. Blue is
                good for the player who chose it, orange is bad.
            </p>
            {picture && picture.columns.parent.length > 0 ? (
                <>
                    <Way picture={picture} />
                    <Canvas picture={picture} />
                    <Rows picture={picture} />
                    {picture.columns.parent.length <= small && (
                        <details>
                            <summary>The same as a tree with lines</summary>
                            <TidyTree columns={picture.columns} game={game} />
                        </details>
                    )}
                </>
            ) : (
                <p>There is no tree yet.</p>
            )}
        </section>
    );
}
