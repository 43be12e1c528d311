/* A button that copies a text. */
import { useSignal } from "@preact/signals";

/** Nothing where the browser lets no page copy: over plain HTTP from another machine. */
export function CopyButton({ text, label }: { text: string; label: string }) {
    const copied = useSignal(""); // what was copied last: the label comes back with another text
    if (!navigator.clipboard) return null;
    const copy = () => void navigator.clipboard.writeText(text).then(() => (copied.value = text));
    return (
        <button type="button" onClick={copy}>
            {copied.value === text ? "Copied" : label}
        </button>
    );
}
