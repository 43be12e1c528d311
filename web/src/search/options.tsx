/* The form of all options of the search, made from the program's own table. */
import { useSignal } from "@preact/signals";
import { catalogue } from "../catalogue.ts";
import type { Option } from "../server/protocol.ts";
import { evaluators } from "./state.ts";
import { type Question, valueOf } from "./question.ts";

function Field({ option, value }: { option: Option; value: string }) {
    const id = `option-${option.name}`;
    const common = { id, name: option.name, "aria-describedby": `${id}-help` };
    const choices = option.kind === "switch" ? ["on", "off"] : option.choices;
    return (
        <div class="field">
            <label for={id}>{option.name}</label>
            {choices.length ? (
                <select {...common}>
                    {choices.map((choice) => (
                        <option key={choice} value={choice} selected={choice === value}>
                            {choice}
                        </option>
                    ))}
                </select>
            ) : (
                <input {...common} type="text" autocomplete="off" defaultValue={value} />
            )}
            <small id={`${id}-help`}>{option.help}</small>
        </div>
    );
}

function EvaluatorField({ value }: { value: string }) {
    return (
        <div class="field">
            <label for="option-evaluator">evaluator</label>
            <input id="option-evaluator" name="evaluator" type="text" autocomplete="off" list="evaluators" defaultValue={value || "rollout"} aria-describedby="option-evaluator-help" />
            <datalist id="evaluators">
                {evaluators.value.map((one) => (
                    <option key={one.name} value={one.name}>
                        {one.help}
                    </option>
                ))}
            </datalist>
            <small id="option-evaluator-help">how a leaf gets its value: {evaluators.value.map((one) => one.name).join(", ")}</small>
        </div>
    );
}

/** Calls `change` with the evaluator and with the options that differ from their defaults. */
export function OptionsForm(props: { question: Question; change: (evaluator: string, options: Record<string, string>) => void }) {
    const filter = useSignal("");
    const options = catalogue.value?.options ?? [];
    const submit = (event: SubmitEvent) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget as HTMLFormElement);
        const evaluator = String(values.get("evaluator"));
        const changed = options.map((option) => [option.name, String(values.get(option.name)), option.value] as const).filter(([, value, usual]) => value !== usual);
        props.change(evaluator === "rollout" ? "" : evaluator, Object.fromEntries(changed.map(([name, value]) => [name, value])));
    };
    return (
        <details class="options">
            <summary>Options of the search</summary>
            <label class="filter">
                Find an option <input type="search" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
            </label>
            <form onSubmit={submit}>
                <div class="fields">
                    <EvaluatorField value={props.question.evaluator} />
                    {options.map((option) => (
                        <div key={option.name} hidden={!`${option.name} ${option.help}`.includes(filter.value)}>
                            <Field option={option} value={valueOf(props.question, option)} />
                        </div>
                    ))}
                </div>
                <button type="submit">Search with these options</button>
            </form>
        </details>
    );
}
