/* How the search grew: samples of the root table, few enough to draw, however long it runs.
 *
 * When there are `most` samples, every second one is dropped, so that they stay spread over the whole run. */
import type { Root } from "../server/protocol.ts";

export interface Sample {
    k: number;
    moves: Map<string, { visits: number; mean: number | null }>;
}

export const most = 256;

/** The samples with one more; a search that went back loses the samples after the present simulation.  The last one is
 * replaced if it is so close to the one before it that nobody could see both. */
export function grow(samples: readonly Sample[], root: Root): Sample[] {
    let kept = samples.filter((sample) => sample.k < root.simulations);
    if (kept.length >= most) kept = kept.filter((_, i) => i % 2 === 0);
    const [before, last] = kept.slice(-2);
    if (before && last && last.k - before.k < root.simulations / most) kept.pop();
    if (!root.simulations) return kept;
    const moves = new Map(
        root.root.map((move) => [`${move.player} ${move.action}`, { visits: move.visits, mean: move.mean }]),
    );
    return [...kept, { k: root.simulations, moves }];
}
