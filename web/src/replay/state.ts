/* The recorded game that is shown, and the ply at which. */
import { batch, signal } from "@preact/signals";
import { ask } from "../server/link.ts";
import type { Position, Recorded } from "../server/protocol.ts";

export const files = signal<string[] | null>(null);
export const recorded = signal<Recorded | null>(null);
export const position = signal<Position | null>(null);
export const error = signal("");

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
export async function open(name: string, game: number, ply: number): Promise<void> {
    batch(() => {
        recorded.value = position.value = null;
    });
    const answer = await tell(askGame(name, game));
    if (!answer) return;
    recorded.value = answer.record;
    if (answer.record.log === undefined) await show(Math.min(ply, answer.record.moves.length));
}

export async function show(ply: number): Promise<void> {
    const answer = await tell(ask("show", { ply }));
    if (answer) position.value = answer.position;
}
