/* Buttons, a slider and arrow keys that go through a game, forwards and back. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";

/**
 * Arrow keys go back and forth, unless something that needs them itself has the focus.  In a layout effect: a key
 * that is pressed as soon as a ply is shown goes on from this ply, not from the one before.
 */
function useArrows(go: (by: number) => void): void {
    useLayoutEffect(() => {
        const press = (event: KeyboardEvent) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!by || event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).closest("input, select, textarea")) return;
            event.preventDefault();
            go(by);
        };
        document.addEventListener("keydown", press);
        return () => document.removeEventListener("keydown", press);
    });
}

/** `name`: what is counted, such as "Ply". */
export function Stepper({ name, at, last, go }: { name: string; at: number; last: number; go: (to: number) => void }) {
    const playing = useSignal(false);
    useArrows((by) => at + by >= 0 && at + by <= last && go(at + by));
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
