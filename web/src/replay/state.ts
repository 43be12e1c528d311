/* The recorded game that is shown, and its position at the ply that is shown. */
import { batch, signal } from "@preact/signals";
import { ask, listen } from "../server/link.ts";
import type { Position, Recorded, Sweep } from "../server/protocol.ts";

export const files = signal<string[] | null>(null);
export const recorded = signal<Recorded | null>(null);
export const position = signal<Position | null>(null);
export const sweep = signal<Sweep | null>(null);
export const error = signal("");

listen((topic) => {
    if (topic.t === "sweep" && recorded.value) sweep.value = topic;
});

async function tell<T>(promise: Promise<T>): Promise<T | null> {
    try {
        const answer = await promise;
        error.value = "";
        return answer;
    } catch (reason) {
        error.value = (reason as Error).message;
        return null;
    }
}

export async function list(): Promise<void> {
    files.value = (await tell(ask("files", {})))?.files ?? files.value ?? [];
}

/** Where a game comes from, by the name in the address: a file, a match of the database, or a generation of a run of training. */
export type Source = { file: string } | { match: number } | { run: string; generation: number };

export function sourceOf(name: string): Source {
    const match = /^match:(\d+)$/.exec(name);
    const run = /^train:(.+):(\d+)$/.exec(name);
    if (match) return { match: Number(match[1]) };
    return run ? { run: run[1] as string, generation: Number(run[2]) } : { file: name };
}

export const nameOfMatch = (match: number) => `match:${match}`;
export const nameOfGeneration = (run: string, generation: number) => `train:${run}:${generation}`;

function askGame(name: string, game: number) {
    const source = sourceOf(name);
    if ("match" in source) return ask("match_game", { ...source, game });
    return "run" in source ? ask("train_game", { ...source, game }) : ask("replay", { name, game });
}

/** Opens a game, and shows a ply of it. */
export async function open(name: string, game: number, ply: number, seat: number | null): Promise<void> {
    batch(() => {
        recorded.value = position.value = sweep.value = null;
    });
    const answer = await tell(askGame(name, game));
    if (!answer) return;
    recorded.value = answer.record;
    if (answer.record.log === undefined) await show(Math.min(ply, answer.record.moves.length), seat);
}

/** Shows the position as a seat sees it; null: with everything that is hidden from players. */
export async function show(ply: number, seat: number | null): Promise<void> {
    const answer = await tell(ask("show", seat === null ? { ply } : { ply, seat }));
    if (answer) position.value = answer.position;
}

/** Searches every position, in the background. */
export async function startSweep(simulations: number): Promise<void> {
    await tell(ask("sweep", { simulations }));
}

export const endSweep = () => tell(ask("sweep_end", {}));
