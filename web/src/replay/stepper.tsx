/* Buttons and a slider that go through a game, forwards and back. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** `name`: what is counted, such as "Ply". */
export function Stepper({ name, at, last, go }: { name: string; at: number; last: number; go: (to: number) => void }) {
    const playing = useSignal(false);
    useEffect(() => {
        if (!playing.value || at >= last) {
            playing.value = false;
            return undefined;
        }
        const timer = setTimeout(() => go(at + 1), 700);
        return () => clearTimeout(timer);
    }, [playing.value, at]);
    return (
        <>
            <div class="buttons">
                <button type="button" disabled={at === 0} onClick={() => go(0)}>
                    Start
                </button>
                <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
                    Back
                </button>
                <button type="button" class="main" disabled={at >= last} onClick={() => (playing.value = !playing.value)}>
                    {playing.value ? "Stop" : "Play"}
                </button>
                <button type="button" disabled={at >= last} onClick={() => go(at + 1)}>
                    Next
                </button>
                <button type="button" disabled={at >= last} onClick={() => go(last)}>
                    End
                </button>
            </div>
            <label class="scrubber">
                {name}
                <input type="range" min={0} max={last} value={at} onInput={(event) => go(Number(event.currentTarget.value))} />
                <output>
                    {at} of {last}
                </output>
            </label>
        </>
    );
}
