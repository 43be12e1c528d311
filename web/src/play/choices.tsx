/* The actions that a person may choose: buttons, and a field that filters them and plays by Enter. */
import { useSignal } from "@preact/signals";
import { capital } from "../numbers.ts";
import type { Action } from "../server/protocol.ts";
import { play } from "./state.ts";

const most = 120;

/** Actions whose text or words contain what was typed; an exact one stands first. */
export function matching(actions: readonly Action[], typed: string): Action[] {
    const wanted = typed.trim().toLowerCase();
    const found = actions.filter(({ action, words }) => `${action} ${words}`.toLowerCase().includes(wanted));
    const exact = found.filter(({ action }) => action.toLowerCase() === wanted);
    return [...exact, ...found.filter((one) => !exact.includes(one))];
}

/** A button for each action. */
export function ActionButtons(props: { actions: Action[]; name: string; choose: (action: string) => void }) {
    return (
        <ul class="choices" aria-label={props.name}>
            {props.actions.map(({ action, words, note }) => (
                <li key={action}>
                    <button type="button" onClick={() => props.choose(action)}>
                        {words || action}
                        {note && <small>{note}</small>}
                    </button>
                </li>
            ))}
        </ul>
    );
}

export function Choices(props: { name: string; player: number; actions: Action[]; }) {
    const typed = useSignal("");
    const found = matching(props.actions, typed.value);
    const choose = (action: string) => {
        typed.value = "";
        void play(props.player, action);
    };
    const submit = (event: SubmitEvent) => {
        event.preventDefault();
        if (found[0] && (typed.value || found.length === 1)) choose(found[0].action);
    };
    return (
        <section aria-label={`Choices of ${props.name}`}>
            <form onSubmit={submit}>
                <label class="filter">
                    {capital(props.name)} chooses; type a move, and Enter plays it{" "}
                    <input type="search" autocomplete="off" value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} />
                </label>
            </form>
            <ActionButtons actions={found.slice(0, most)} name={`Actions of ${props.name}`} choose={choose} />
            <p class="help">
                {found.length > most ? `${found.length - most} more: type a part of what you look for.` : found.length === 0 ? "No move has that in its name." : ""}
            </p>
        </section>
    );
}
