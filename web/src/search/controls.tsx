/* Start, pause, step, and a slider that goes back and forth through the search. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { bytes, count, short, whole } from "../numbers.ts";
import { goTo, pause, root, run, step } from "./state.ts";

/** The farthest simulation that this search has reached: the end of the slider. */
function useFarthest() {
    const farthest = useSignal(0);
    useSignalEffect(() => {
        const reached = root.value?.simulations ?? 0;
        if (!root.value || reached > farthest.peek()) farthest.value = reached;
    });
    return farthest.value;
}

function Scrubber() {
    const farthest = useFarthest();
    const now = root.value?.simulations ?? 0;
    return (
        <label class="scrubber">
            Simulation
            <input
                type="range"
                min={1}
                max={Math.max(1, farthest)}
                value={Math.max(1, now)}
                disabled={farthest < 2 || root.value?.running}
                onChange={(event) => void goTo(Number(event.currentTarget.value))}
            />
            <output>{whole(now)}</output>
        </label>
    );
}

/** The state in words; a screen reader reads it when the search starts and ends, not ten times a second. */
function Status() {
    const state = root.value;
    const words = !state ? "" : state.running ? "Searching …" : state.simulations ? `Paused at ${count(state.simulations, "simulation")}.` : "Ready.";
    const figures = state ? `${short(state.simulations_per_s)} simulations/s, ${short(state.nodes)} nodes, ${bytes(state.bytes_used)}, depth ${state.max_depth} (mean ${state.mean_depth.toFixed(1)})` : "";
    return (
        <>
            <p role="status" class="state">
                {words}
            </p>
            <p class="figures">{figures}</p>
        </>
    );
}

export function Controls() {
    const wanted = useSignal("10000");
    const running = root.value?.running ?? false;
    const simulations = Math.max(1, Math.round(Number(wanted.value) || 1));
    return (
        <section class="controls" aria-label="The search">
            <div class="buttons">
                {running ? (
                    <button type="button" class="main" onClick={() => void pause()}>
                        Pause
                    </button>
                ) : (
                    <button type="button" class="main" onClick={() => void run(simulations)}>
                        Search
                    </button>
                )}
                <label>
                    <input type="number" min={1} step={1} value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} /> simulations
                </label>
                {[1, 10, 100].map((n) => (
                    <button key={n} type="button" disabled={running} onClick={() => void step(n)} aria-label={`Step ${n}`}>
                        +{n}
                    </button>
                ))}
            </div>
            <Scrubber />
            <Status />
        </section>
    );
}
