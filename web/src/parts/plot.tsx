/* A line chart, drawn by uPlot, with intervals as bands, a legend, and a table of the same numbers. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { short } from "../numbers.ts";
import { isDark } from "../search/colour.ts";
import { Scroll } from "./scroll.tsx";

export interface Line {
    label: string;
    x: number[];
    y: (number | null)[];
    lo?: (number | null)[];
    hi?: (number | null)[];
}

const height = 240;
const light = ["#1f6fb4", "#b4531c", "#2b7a44", "#7d44a8", "#7a6410", "#b3174f", "#00727d", "#5d4037"];
const dark = ["#6db1f0", "#f09a63", "#6fce8d", "#c79be8", "#d8be52", "#f58bb0", "#5fd0da", "#c9a99c"];
const dashes = [[], [6, 3], [2, 3], [10, 4, 2, 4]];

const colourOf = (i: number) => (isDark() ? dark : light)[i % light.length] ?? "#888";
const dashOf = (i: number) => dashes[Math.floor(i / light.length + i) % dashes.length] ?? [];

/** All lines over the same x: their union, with null where a line has no value. */
export function align(lines: Line[]): { x: number[]; rows: (number | null)[][] } {
    const x = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
    const place = new Map(x.map((value, i) => [value, i]));
    const spread = (line: Line, values: (number | null)[] | undefined) => {
        const row: (number | null)[] = Array(x.length).fill(null);
        line.x.forEach((at, i) => (row[place.get(at) as number] = values?.[i] ?? null));
        return row;
    };
    return { x, rows: lines.flatMap((line) => (line.lo ? [spread(line, line.y), spread(line, line.hi), spread(line, line.lo)] : [spread(line, line.y)])) };
}

/** At most `most` of the numbers 0 to n - 1, evenly spaced, and the last one. */
export function places(n: number, most: number): number[] {
    const step = Math.max(1, Math.ceil((n - 1) / (most - 1)));
    const chosen = Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
    if (n > 0 && chosen[chosen.length - 1] !== n - 1) chosen.push(n - 1);
    return chosen;
}

/** The name of an axis, below its numbers. */
export const across = (label: string) => ({ label, labelSize: 20, labelFont: "12px system-ui, sans-serif" });

function optionsOf(lines: Line[], width: number, name: string): uPlot.Options {
    const ink = isDark() ? "#ccc" : "#333";
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: isDark() ? "#3c3e39" : "#ddd" } };
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    lines.forEach((line, i) => {
        const points = { show: line.x.length < 40, size: 5 };
        series.push({ label: line.label, stroke: colourOf(i), width: 2, dash: dashOf(i), spanGaps: true, points });
        if (!line.lo) return;
        bands.push({ series: [series.length, series.length + 1], fill: `${colourOf(i)}33` });
        for (let end = 0; end < 2; ++end) series.push({ width: 0, spanGaps: true, points: { show: false } });
    });
    return {
        width,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        axes: [{ ...axis, ...across(name.toLowerCase()), values: (_, marks) => marks.map(short) }, { ...axis, size: 60 }],
        series,
        bands,
    };
}

/** A table of the numbers of some lines, at most 25 rows; a click on the summary opens it. */
export function NumberTable({ name, summary, across, lines, digits }: { name: string; summary: string; across: string; lines: Line[]; digits: number }) {
    const { x, rows } = align(lines.map(({ label, x, y }) => ({ label, x, y })));
    return (
        <details>
            <summary>{summary}</summary>
            <Scroll name={`Table of ${name}`}>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{across}</th>
                            {lines.map((line, i) => (
                                <th key={i} scope="col">
                                    {line.label}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {places(x.length, 25).map((i) => (
                            <tr key={x[i]}>
                                <th scope="row">{x[i]}</th>
                                {rows.map((row, line) => (
                                    <td key={line}>{row[i]?.toFixed(digits) ?? "–"}</td>
                                ))}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </Scroll>
        </details>
    );
}

export function Plot(props: { title: string; help: string; across: string; lines: Line[]; digits: number }) {
    const { title, lines } = props;
    const place = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | null>(null);
    const { x, rows } = align(lines);
    const data = [x, ...rows] as uPlot.AlignedData;
    const names = lines.map((line) => `${line.label} ${line.lo ? 1 : 0} ${line.x.length < 40}`).join("\n");
    useEffect(() => {
        const frame = place.current as HTMLDivElement;
        plot.current = new uPlot(optionsOf(lines, frame.clientWidth || 400, props.across), data, frame);
        const fit = () => plot.current?.setSize({ width: frame.clientWidth, height });
        window.addEventListener("resize", fit);
        return () => {
            window.removeEventListener("resize", fit);
            plot.current?.destroy();
        };
    }, [names]);
    useEffect(() => plot.current?.setData(data), [lines]);
    return (
        <section class="plot" aria-label={title} data-points={x.length}>
            <h2>{title}</h2>
            <p class="help">{props.help}</p>
            <div ref={place} class="growth" role="img" aria-label={`${title}; the table below has the numbers.`} />
            <ul class="legend">
                {lines.map((line, i) => (
                    <li key={line.label}>
                        <svg viewBox="0 0 24 8" aria-hidden="true">
                            <line x1="0" y1="4" x2="24" y2="4" stroke={colourOf(i)} stroke-width="2" stroke-dasharray={dashOf(i).join(" ")} />
                        </svg>{" "}
                        {line.label}
                    </li>
                ))}
            </ul>
            <NumberTable name={title} summary="The same as a table" across={props.across} lines={lines} digits={props.digits} />
        </section>
    );
}
