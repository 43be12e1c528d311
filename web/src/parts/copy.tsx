/* A button that copies a text. */
import { useSignal } from "@preact/signals";

/** Shows nothing if the browser does not let the page copy, as over plain HTTP from another machine. */
export function CopyButton({ text, label }: { text: string; label: string }) {
    const copied = useSignal(""); // the text that was copied last; for another text the button shows its label again
    if (!navigator.clipboard) return null;
    const copy = () => void navigator.clipboard.writeText(text).then(() => (copied.value = text));
    return (
        <button type="button" onClick={copy}>
            {copied.value === text ? "Copied" : label}
        </button>
    );
}
