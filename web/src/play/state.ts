/* The game that the page plays: what the server said last, and what the person does. */
import { batch, signal } from "@preact/signals";
import { ask, listen } from "../server/link.ts";
import type { Clock } from "./clock.tsx";
import type { Game, Table } from "../server/protocol.ts";

export const table = signal<Table | null>(null);
export const error = signal("");
export const hint = signal("");
export const hintsWanted = signal(false);

listen((topic) => {
    if (topic.t !== "table") return;
    batch(() => {
        table.value = topic;
        hint.value = "";
    });
    if (hintsWanted.value) void askHint();
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

/** The seats of somebody who just wants to play: a person first, players of the second level against them. */
export function usualSeats(game: Game): string[] {
    return game.players.map((_, player) => (player === 0 ? "human" : game.levels > 1 ? "level:2" : "best"));
}

/** Begins a game; `from`: a saved game to go on with, or another position to begin with. */
export async function sit(game: Game, seats: string[], seed: number, clock: Clock, from: { record?: string; position?: string } = {}): Promise<void> {
    table.value = null;
    await tell(ask("sit", { game: game.name, seats: seats.join("\n"), seed, position: from.position ?? "", record: from.record ?? "", clock_ms: clock.minutes * 60_000, increment_ms: clock.seconds * 1000 }));
}

export const play = (player: number, action: string) => tell(ask("play", { player, action }));
export const lookAtClocks = () => tell(ask("clock", {}));
export const undo = () => tell(ask("undo", {}));

/** Asks the best player what it would choose for the person who must choose. */
export async function askHint(): Promise<void> {
    const player = table.value?.waiting[0];
    if (player === undefined) return;
    const plies = table.value?.plies;
    hint.value = "Thinking …";
    const answer = await tell(ask("hint", { player }));
    if (table.value?.plies === plies) hint.value = answer ? `The best player would choose ${answer.hint.action}.` : "";
}

/** Offers the game as a file, which `banyan play --from` and the page can go on with. */
export async function save(game: Game): Promise<void> {
    const answer = await tell(ask("save", {}));
    if (!answer) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([answer.record], { type: "application/json" }));
    link.download = `${game.name}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
}
