/* Games that differ in size or number of players only, such as the fifteen sizes of Hex, share a card. */
import type { Game } from "../server/protocol.ts";

export interface Family {
    title: string; // "Hex"
    games: Game[]; // the usual one first
}

/** What a game's name begins with: "hex" of "hex-5x5". */
const stem = (game: Game) => game.name.split("-")[0] ?? game.name;

/** "Hex" of "Hex (11x11)", "Written tree" of "Written tree, 1 player". */
const shared = (games: Game[]) => {
    const titles = games.map((game) => (game.title.split(/ \(|, /)[0] ?? game.title).trim());
    return titles.reduce((a, b) => (b.length < a.length ? b : a));
};

/** The families of games, in the order of their first games. */
export function familiesOf(games: Game[]): Family[] {
    const found = new Map<string, Game[]>();
    for (const game of games) found.set(stem(game), [...(found.get(stem(game)) ?? []), game]);
    return [...found.entries()].map(([name, members]) => {
        const usual = members.find((game) => game.name === name);
        const ordered = usual ? [usual, ...members.filter((game) => game !== usual)] : members;
        return { title: members.length > 1 ? shared(members) : (members[0]?.title ?? name), games: ordered };
    });
}
