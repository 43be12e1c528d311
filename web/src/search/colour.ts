/* The colour of a mean: blue is good for the player who decided, orange is bad, and the farther from the middle the
 * stronger.  Colour never stands alone: signs and numbers are beside it. */

/** `standing` is -1..1, null where there is no mean. */
export function colour(standing: number | null, dark: boolean): string {
    if (standing === null) return dark ? "hsl(220 6% 26%)" : "hsl(220 10% 88%)";
    const strength = Math.min(1, Math.abs(standing));
    const hue = standing >= 0 ? 212 : 28;
    const lightness = dark ? 24 + 16 * strength : 92 - 34 * strength;
    return `hsl(${hue} ${20 + 60 * strength}% ${lightness}%)`;
}

export const isDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;
