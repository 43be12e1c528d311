/* The search that the page watches: what the server said last, and what the buttons do. */
import { batch, signal } from "@preact/signals";
import { setQuery } from "../route.ts";
import { ask, listen } from "../server/link.ts";
import type { Evaluator, Position, Requests, Root, Tree, TreeNode } from "../server/protocol.ts";
import { grow, type Sample } from "./history.ts";
import { optionText, type Question } from "./question.ts";

export const position = signal<Position | null>(null);
export const evaluators = signal<Evaluator[]>([]);
export const root = signal<Root | null>(null);
export const tree = signal<Tree | null>(null);
export const samples = signal<readonly Sample[]>([]);
export const error = signal("");

/** The boards of the principal variation, when the search pauses. */
export const line = signal<Requests["line"]["answer"]["line"]>([]);

/** The path that the picture of the tree shows, and the node that is described beside it. */
export const path = signal("");
export const node = signal<TreeNode | null>(null);

/** The simulation at which the node was described. */
let describedAt = -1;

/** The most rectangles that the server sends. */
const budget = 5000;
const depth = 500;

listen((topic) => {
    if (topic.t === "root") receiveRoot(topic);
    else if (topic.t === "tree") tree.value = topic;
});

function receiveRoot(topic: Root): void {
    const ended = !topic.running && topic.simulations !== describedAt;
    batch(() => {
        root.value = topic;
        samples.value = grow(samples.value, topic);
    });
    if (!topic.running && topic.simulations) setQuery({ k: String(topic.simulations) }, true);
    if (topic.running) line.value = [];
    else if (topic.simulations) void lookAlong(topic.simulations);
    if (ended) void inspect(path.value);
}

/** Asks for the boards of the principal variation at this simulation. */
async function lookAlong(simulations: number): Promise<void> {
    const answer = await ask("line", {}).catch(() => null);
    if (answer && root.value?.simulations === simulations && !root.value.running) line.value = answer.line;
}

async function tell(promise: Promise<unknown>): Promise<boolean> {
    try {
        await promise;
        error.value = "";
        return true;
    } catch (reason) {
        error.value = (reason as Error).message;
        return false;
    }
}

/** Opens the search of a question, and runs it to simulation k, if k is above 0. */
export async function open(question: Question, k: number): Promise<void> {
    batch(() => {
        position.value = root.value = tree.value = node.value = null;
        line.value = [];
        samples.value = [];
        path.value = "";
    });
    const { game, position: setup, moves, evaluator, options } = question;
    const asked = ask("open", { game, position: setup, moves, evaluator, options: optionText(options) });
    if (!(await tell(asked))) return;
    const answer = await asked;
    position.value = answer.position;
    evaluators.value = answer.evaluators;
    await look("");
    if (k > 0) await tell(ask("goto", { k }));
}

export const run = (simulations: number) => tell(ask("run", { simulations }));
export const pause = () => tell(ask("pause", {}));
export const step = (n: number) => tell(ask("step", { n }));
export const goTo = (k: number) => tell(ask("goto", { k }));

/** Shows the tree below a path, and the node at its end. */
export async function look(to: string): Promise<void> {
    path.value = to;
    if (await tell(ask("view", { path: to, depth, budget }))) await inspect(to);
}

/** Describes the node at the end of a path; the empty path means the root of the first mover. */
export async function inspect(to: string): Promise<void> {
    const first = position.value?.movers[0];
    if (!to && first === undefined) return;
    describedAt = root.value?.simulations ?? -1;
    try {
        node.value = (await ask("inspect", { path: to || String(first) })).node;
    } catch {
        node.value = null;
    }
}
