/* Boards turned by half a turn, as the other player sees them; the address says whether they are turned. */
import { route, setQuery } from "../route.ts";
import type { Cells } from "../server/protocol.ts";

export const isFlipped = (): boolean => route.value.query["flip"] === "1";

/** Discs fall down in the columns of a board, so it has only one way up. */
export const canFlip = (cells: Cells | null): cells is Cells => cells !== null && cells.kind !== "columns";

/** The numbers 0 to n - 1, the last one first if the board is flipped. */
export const order = (n: number, flipped: boolean): number[] => Array.from({ length: n }, (_, i) => (flipped ? n - 1 - i : i));

/** A button that flips the board; nothing if the position has no board that can be flipped. */
export function FlipButton({ cells }: { cells: Cells | null }) {
    if (!canFlip(cells)) return null;
    return (
        <button type="button" aria-pressed={isFlipped()} onClick={() => setQuery({ flip: isFlipped() ? "" : "1" }, true)}>
            Flip the board
        </button>
    );
}
