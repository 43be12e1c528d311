/* Keeps the present entry of a list in view, without moving the page itself. */
import { useEffect, useRef } from "preact/hooks";

/** The `ref` of a list that scrolls: its entry with aria-current is in view after each change of `at`. */
export function useInView(at: number) {
    const list = useRef<HTMLOListElement>(null);
    useEffect(() => {
        const frame = list.current;
        const entry = frame?.querySelector<HTMLElement>("[aria-current]")?.closest("li");
        if (!frame || !entry) return;
        const top = entry.offsetTop - frame.offsetTop;
        if (top < frame.scrollTop || top + entry.offsetHeight > frame.scrollTop + frame.clientHeight) frame.scrollTop = top - frame.clientHeight / 2;
    }, [at]);
    return list;
}
