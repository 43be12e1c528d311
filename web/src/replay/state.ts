/* The recorded game that is shown, and the ply at which. */
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
    files.value = (await tell(ask("files", {})))?.files ?? null;
}

/** The name under which the games of a match are shown. */
export const nameOfMatch = (match: number) => `match:${match}`;

function askGame(name: string, game: number) {
    const match = /^match:(\d+)$/.exec(name);
    return match ? ask("match_game", { match: Number(match[1]), game }) : ask("replay", { name, game });
}

/** Opens a game of a file or of a match, and shows a ply of it. */
export async function open(name: string, game: number, ply: number, seat: number | null): Promise<void> {
    batch(() => {
        recorded.value = position.value = sweep.value = null;
    });
    const answer = await tell(askGame(name, game));
    if (!answer) return;
    recorded.value = answer.record;
    if (answer.record.log === undefined) await show(Math.min(ply, answer.record.moves.length), seat);
}

/** Shows the position as a seat sees it; null: with all that is hidden. */
export async function show(ply: number, seat: number | null): Promise<void> {
    const answer = await tell(ask("show", seat === null ? { ply } : { ply, seat }));
    if (answer) position.value = answer.position;
}

/** Searches every position, in the background. */
export async function startSweep(simulations: number): Promise<void> {
    await tell(ask("sweep", { simulations }));
}

export const endSweep = () => tell(ask("sweep_end", {}));
