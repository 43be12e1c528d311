/* The connection to `banyan web`: one WebSocket, opened again when it breaks.
 *
 *     ask("step", {n: 1})  -->  {"t":"step","id":7,"n":1}  -->  {"t":"ok","id":7}   the promise's value
 *                          <--  {"t":"root", ...}                                    to listeners of the topic
 *
 * The token stands in the link's fragment.  It is moved to the tab's storage immediately, so that it is neither in the
 * history nor in a link that somebody copies. */
import { signal } from "@preact/signals";
import type { Requests, Topic } from "./protocol.ts";

export type State = "connecting" | "open" | "lost" | "refused";

/** What the page shows about the connection. */
export const state = signal<State>("connecting");

const key = "banyan-token";
const again_ms = [250, 500, 1000, 2000, 4000];

interface Waiting {
    resolve: (answer: never) => void;
    reject: (error: Error) => void;
}

let socket: WebSocket | null = null;
let attempts = 0;
let last = 0;
const waiting = new Map<number, Waiting>();
const listeners = new Set<(topic: Topic) => void>();
const openers = new Set<() => void>();

/** Calls `listener` with every topic that comes; returns a function that removes the listener. */
export function listen(listener: (topic: Topic) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
}

/* * Calls `opener` now, if the connection is open, and whenever it opens again; returns a function that removes the
 * opener. */
export function whenOpen(opener: () => void): () => void {
    openers.add(opener);
    if (state.value === "open") opener();
    return () => void openers.delete(opener);
}

/** Asks the server; the promise is rejected with the server's own message, or because there is no connection. */
export function ask<T extends keyof Requests>(
    type: T,
    fields: Requests[T]["ask"],
): Promise<Requests[T]["answer"]> {
    return new Promise((resolve, reject) => {
        if (socket?.readyState !== WebSocket.OPEN) {
            reject(new Error("There is no connection to banyan web."));
            return;
        }
        const id = ++last;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ t: type, id, ...fields }));
    });
}

/** Takes the token from the link, and connects. */
export function start(): void {
    const token = location.hash.slice(1);
    if (/^[0-9a-f]{32}$/.test(token)) {
        sessionStorage.setItem(key, token);
        history.replaceState(null, "", location.pathname + location.search);
    }
    window.addEventListener("hashchange", () => location.reload());
    connect();
}

function connect(): void {
    const token = sessionStorage.getItem(key);
    if (!token) {
        state.value = "refused";
        return;
    }
    const made = new WebSocket(`ws://${location.host}/`, "banyan.1");
    socket = made;
    made.onopen = () => void ask("hello", { token }).then(opened, () => undefined);
    made.onmessage = (event) => receive(JSON.parse(String(event.data)));
    made.onclose = (event) => closed(event.code);
}

function opened(): void {
    attempts = 0;
    state.value = "open";
    for (const opener of openers) opener();
}

function closed(code: number): void {
    for (const { reject } of waiting.values()) reject(new Error("The connection was lost."));
    waiting.clear();
    socket = null;
    /* 1008: the server has a new token, since it was started again */
    state.value = code === 1008 ? "refused" : "lost";
    const wait = again_ms[Math.min(attempts++, again_ms.length - 1)];
    if (state.value === "lost") setTimeout(connect, wait);
}

function receive(message: { t: string; id?: number; text?: string }): void {
    if (message.t !== "ok" && message.t !== "error") {
        for (const listener of listeners) listener(message as Topic);
        return;
    }
    const waiter = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.t === "ok") waiter?.resolve(message as never);
    else waiter?.reject(new Error(message.text));
}
