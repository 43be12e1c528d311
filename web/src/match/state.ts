/* The matches of the database: what the server said last. */
import { batch, signal } from "@preact/signals";
import { ask, listen } from "../server/link.ts";
import type { Match, MatchGame, Matches, MatchQuestion } from "../server/protocol.ts";

export const list = signal<Matches | null>(null);
export const match = signal<Match | null>(null);
export const games = signal<MatchGame[]>([]);
export const error = signal("");

/** The most games that the server sends at once. */
export const page = 100;

listen((topic) => {
    if (topic.t === "matches") list.value = topic;
    if (topic.t !== "match") return;
    batch(() => {
        match.value = topic.match;
        error.value = topic.problem;
    });
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

export const followAll = () => void tell(ask("matches", {}));

/** Follows one match, and forgets the data of the match before. */
export function follow(id: number): void {
    if (match.value?.match !== id)
        batch(() => {
            match.value = null;
            games.value = [];
        });
    void tell(ask("match", { match: id }));
}

export const leave = () => void ask("leave", {}).catch(() => undefined);

export async function readGames(id: number, first: number): Promise<void> {
    games.value = (await tell(ask("match_games", { match: id, first })))?.games ?? [];
}

export const start = async (question: MatchQuestion) => (await tell(ask("start", question))) !== null;
export const stop = () => void tell(ask("stop", {}));
