/* How deep the simulations go: for each level, how many passed it. */
import { useComputed } from "@preact/signals";
import { percent, whole } from "../numbers.ts";
import { layOut, reach } from "./layout.ts";
import { tree } from "./state.ts";

const most = 24;

export function Depths() {
    const levels = useComputed(() => {
        const columns = tree.value?.columns;
        return columns ? reach(columns, layOut(columns, -1), -1) : [];
    }).value;
    const all = levels[0] ?? 0;
    return (
        <section aria-labelledby="depths-title">
            <h2 id="depths-title">Depth</h2>
            <p class="help">How many simulations went at least this many rows deep, counted in the rows that the tree above shows.</p>
            <table class="depths">
                <thead>
                    <tr>
                        <th scope="col">Rows</th>
                        <th scope="col">Simulations</th>
                        <th scope="col">Share</th>
                    </tr>
                </thead>
                <tbody>
                    {levels.slice(1, most).map((visits, i) => (
                        <tr key={i}>
                            <th scope="row">{i + 1}</th>
                            <td>{whole(visits)}</td>
                            <td class="share">
                                <meter min={0} max={1} value={all ? visits / all : 0} aria-label={`Share at ${i + 1}`} /> <span>{percent(all ? visits / all : 0)}</span>
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}
