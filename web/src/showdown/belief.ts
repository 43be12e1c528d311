/* The belief of a bot about the foe's team, from its text: "viewer=1 trapped=0 | 0 brought=lifeorb 3:0.02 4:0.02 | 1 ...".
 *
 * A part for each place of the team: the item that the Pokémon brought, if it was seen, and the weights of those sets that
 * are less likely than the others. */
export interface Place {
    place: number; // 0..5
    sets: number; // sets with a weight of their own
    brought: string; // "": not seen
}

export function beliefOf(text: string): Place[] {
    return text
        .split("|")
        .slice(1)
        .flatMap((part) => {
            const [place = "", ...words] = part.trim().split(/\s+/);
            if (!/^\d+$/.test(place)) return [];
            const brought = words.find((word) => word.startsWith("brought="))?.slice(8) ?? "";
            return [{ place: Number(place), sets: words.filter((word) => /^\d+:/.test(word)).length, brought }];
        });
}
