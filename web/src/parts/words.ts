/* Names that come as words of a program ("none", "U-turn") for people. */

/** "" for what is not known and for "none". */
export const shown = (word: string | null | undefined): string => (word === null || word === undefined || word === "none" ? "" : word);
