/* How numbers are written, everywhere on the page. */

/** "12.3 M", "456 k", "789": three digits. */
export function short(value: number): string {
    if (value < 1000) return String(Math.round(value));
    const [unit, size] = value < 1e6 ? ["k", 1e3] : value < 1e9 ? ["M", 1e6] : ["G", 1e9];
    return `${Number((value / Number(size)).toPrecision(3))} ${unit}`;
}

/** A number as it is, with the sign that prints as a minus. */
export const plain = (value: number): string => String(value).replace("-", "−");

/** "1,234,567" */
export const whole = (value: number): string => value.toLocaleString("en-US");

/** "1 game", "2,000 games" */
export const count = (n: number, one: string): string => `${whole(n)} ${one}${n === 1 ? "" : "s"}`;

/** The text as the beginning of a sentence: names of players may be written small. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "1.5 MiB"; small sizes in KiB */
export const bytes = (n: number): string => (n < 2 ** 20 ? `${(n / 2 ** 10).toFixed(1)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`);

/** "+0.123"; "–" where there is none. */
export function signed(value: number | null | undefined, digits = 3): string {
    if (value === null || value === undefined) return "–";
    return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Below this number of visits a mean is noise, and shown as such. */
export const few = 30;

/** The most that the standard error of a mean of n results in lo..hi can be: the variance of values in a range is at
 * most (hi - mean)(mean - lo), which two-valued results reach (Bhatia and Davis 2000). */
export function errorAtMost(mean: number, n: number, lo: number, hi: number): number {
    return Math.sqrt(Math.max(0, (hi - mean) * (mean - lo)) / n);
}

/** Where a mean stands in the range of returns: -1 worst, 0 middle, 1 best. */
export function standing(mean: number, lo: number, hi: number): number {
    return hi > lo ? (2 * (mean - lo)) / (hi - lo) - 1 : 0;
}

/** "0.512 [0.470, 0.553]" */
export function interval(value: number | null, ends: [number, number], digits = 3): string {
    return `${value === null ? "–" : value.toFixed(digits)} [${ends.map((end) => end.toFixed(digits)).join(", ")}]`;
}

/** An Elo difference as `banyan match` writes it; it is infinite if the score is 0 or 1. */
export function elo(value: number | null, score: number | null): string {
    if (value !== null) return (value < 0 || Object.is(value, -0) ? "−" : "+") + Math.abs(value).toFixed(0);
    return score === null ? "?" : score > 0.5 ? "+inf" : "−inf";
}
