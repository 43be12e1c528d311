/* Runs of training: what the server said last. */
import { batch, signal } from "@preact/signals";
import { ask, listen } from "../server/link.ts";
import type { Run, Runs } from "../server/protocol.ts";

export const list = signal<Runs | null>(null);
export const runs = signal<Run[] | null>(null);
export const error = signal("");

listen((topic) => {
    if (topic.t === "runs") list.value = topic;
    if (topic.t !== "train") return;
    batch(() => {
        runs.value = topic.runs;
        error.value = topic.problem;
    });
});

async function follow(answer: Promise<object>): Promise<void> {
    try {
        await answer;
        error.value = "";
    } catch (reason) {
        error.value = (reason as Error).message;
    }
}

export const followAll = () => void follow(ask("runs", {}));
export const followRuns = (names: string[]) => void follow(ask("train", { runs: names.join("\n") }));
export const leave = () => void ask("leave", {}).catch(() => undefined);
