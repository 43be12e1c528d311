/* A part that is scrolled sideways where the screen is narrow, also with the keyboard; a shadow shows where it goes on. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

function shade({ scrollLeft, clientWidth, scrollWidth, classList }: HTMLElement): void {
    classList.toggle("left", scrollLeft > 1);
    classList.toggle("right", scrollLeft + clientWidth < scrollWidth - 1);
}

/** `middle`: distance in pixels from the left end to the place that is centred at first; 0: the left end is shown. */
export function Scroll({ name, middle = 0, children }: { name: string; middle?: number; children: ComponentChildren }) {
    const frame = useRef<HTMLDivElement>(null);
    const shaded = () => frame.current && shade(frame.current);
    useEffect(() => {
        const shown = frame.current as HTMLDivElement;
        const watch = new ResizeObserver(() => {
            if (!shown.clientWidth) return; /* inside something that is closed */
            shown.scrollLeft ||= middle - shown.clientWidth / 2;
            shade(shown);
        });
        watch.observe(shown);
        return () => watch.disconnect();
    }, [middle]);
    useEffect(() => void shaded());
    return (
        <div class="scroll" role="region" aria-label={name} tabIndex={0} ref={frame} onScroll={shaded}>
            {children}
        </div>
    );
}
