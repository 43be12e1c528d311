/* Where labels stand beside their points so that none covers another: above the point, else below, right or left; a label that
 * finds no room is left out. */
export interface Point {
    x: number;
    y: number;
    text: string;
}

export interface Label extends Point {
    anchor: "middle" | "start" | "end";
}

const height = 13;
const letter = 6.6; // about the width of a letter of 12 px

interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

function boxOf({ x, y, text, anchor }: Label): Box {
    const width = text.length * letter;
    const left = anchor === "middle" ? x - width / 2 : anchor === "start" ? x : x - width;
    return { left, right: left + width, top: y - height, bottom: y };
}

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The labels that have room; earlier points choose first; gap: distance of a label from the middle of its point. */
export function place(points: readonly Point[], gap = 12): Label[] {
    const placed: { label: Label; box: Box }[] = [];
    for (const { x, y, text } of points) {
        const tries: Label[] = [
            { x, y: y - gap, text, anchor: "middle" },
            { x, y: y + gap + height, text, anchor: "middle" },
            { x: x + gap, y: y + height / 3, text, anchor: "start" },
            { x: x - gap, y: y + height / 3, text, anchor: "end" },
        ];
        const found = tries.map((label) => ({ label, box: boxOf(label) })).find(({ box }) => placed.every((other) => !meet(box, other.box)));
        if (found) placed.push(found);
    }
    return placed.map(({ label }) => label);
}
