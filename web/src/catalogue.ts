/* The games and options that the program has: asked for once for each connection. */
import { signal } from "@preact/signals";
import { ask } from "./server/link.ts";
import type { Requests } from "./server/protocol.ts";

export const catalogue = signal<Requests["list"]["answer"] | null>(null);

export function load(): void {
    void ask("list", {}).then((answer) => (catalogue.value = answer));
}
