/* A part that is scrolled sideways where the screen is narrow, also with the keyboard. */
import type { ComponentChildren } from "preact";

export function Scroll({ name, children }: { name: string; children: ComponentChildren }) {
    return (
        <div class="scroll" role="region" aria-label={name} tabIndex={0}>
            {children}
        </div>
    );
}
