/* Visits of the best moves while the search grew (uPlot), with a table of its numbers. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { across, type Line, NumberTable } from "../parts/plot.tsx";
import type { Root } from "../server/protocol.ts";
import { short, whole } from "../numbers.ts";
import type { Sample } from "./history.ts";
import { isDark } from "./colour.ts";
import { samples } from "./state.ts";

const lines = 5;
const colours = ["#2a6fbb", "#c2571a", "#3d8c40", "#8a4fae", "#7a6a1b"];
const dashes = [[], [6, 3], [2, 3], [10, 4, 2, 4], [1, 4]];

function columnsOf(history: readonly Sample[], ids: string[]): uPlot.AlignedData {
    return [
        [0, ...history.map((sample) => sample.k)],
        ...ids.map((id) => [0, ...history.map((sample) => sample.moves.get(id)?.visits ?? 0)]),
    ];
}

const nameOf = (id: string) => id.slice(id.indexOf(" ") + 1);

const linesOf = (history: readonly Sample[], ids: string[]): Line[] =>
    ids.map((id) => ({ label: nameOf(id), x: history.map(({ k }) => k), y: history.map(({ moves }) => moves.get(id)?.visits ?? 0) }));

function optionsOf(ids: string[], width: number): uPlot.Options {
    const ink = isDark() ? "#ddd" : "#333";
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: isDark() ? "#444" : "#ddd" }, values: (_, marks) => marks.map(short) };
    return {
        width,
        height: 220,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        axes: [{ ...axis, ...across("simulations") }, { ...axis, size: 60 }],
        series: [{}, ...ids.map((label, i) => ({ label, stroke: colours[i] ?? ink, width: 2, dash: dashes[i] ?? [], points: { show: false } }))],
    };
}

export function Growth({ root }: { root: Root }) {
    const place = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | null>(null);
    const ids = root.root.slice(0, lines).map((move) => `${move.player} ${move.action}`);
    const history = samples.value;
    const names = ids.join("\n");
    useEffect(() => {
        const frame = place.current as HTMLDivElement;
        plot.current = new uPlot(optionsOf(ids, frame.clientWidth || 400), columnsOf(history, ids), frame);
        const fit = () => plot.current?.setSize({ width: frame.clientWidth, height: 220 });
        window.addEventListener("resize", fit);
        return () => {
            window.removeEventListener("resize", fit);
            plot.current?.destroy();
        };
    }, [names]);
    useEffect(() => plot.current?.setData(columnsOf(history, ids)), [history]);
    const last = history[history.length - 1];
    return (
        <section aria-labelledby="growth-title">
            <h2 id="growth-title">Visits over time</h2>
            <p class="help">How often the best moves were visited while the search grew.</p>
            <div ref={place} class="growth" role="img" aria-label="Visits of the five best moves over the simulations; the table below has the numbers." />
            <ul class="legend">
                {ids.map((id, i) => (
                    <li key={id}>
                        <svg viewBox="0 0 24 8" aria-hidden="true">
                            <line x1="0" y1="4" x2="24" y2="4" stroke={colours[i]} stroke-width="2" stroke-dasharray={dashes[i]?.join(" ")} />
                        </svg>{" "}
                        {nameOf(id)}: {whole(last?.moves.get(id)?.visits ?? 0)}
                    </li>
                ))}
            </ul>
            <NumberTable name="visits over time" summary="Visits as a table" across="Simulations" lines={linesOf(history, ids)} digits={0} />
        </section>
    );
}
