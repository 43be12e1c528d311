/* The clocks of the game that is played.  The server keeps them; between two of its messages the page counts down. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Game, Table } from "../server/protocol.ts";
import { lookAtClocks } from "./state.ts";

export interface Clock {
    minutes: number; // for the game; 0: no clocks
    seconds: number; // added after every move
}

/** "10+5": minutes for the game, and seconds for each move; any other text means no clocks. */
export function clockOf(text: string): Clock {
    const [, minutes = "", seconds = ""] = /^(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}))?$/.exec(text) ?? [];
    return { minutes: Number(minutes) || 0, seconds: Number(seconds) || 0 };
}

/** "4:59", "0:09.5": with tenths below ten seconds. */
export function timeOf(ms: number): string {
    const seconds = Math.max(0, ms) / 1000;
    const rest = seconds < 10 ? seconds.toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
    return `${seconds < 10 ? 0 : Math.floor(seconds / 60)}:${rest}`;
}

const tick_ms = 100;

export function Clocks({ game, now }: { game: Game; now: Table }) {
    const passed = useSignal(0);
    const asked = useRef(false);
    const clocks = now.clocks as NonNullable<Table["clocks"]>;
    const running = clocks.lost >= 0 || now.position.returns ? [] : now.position.movers;
    const left = clocks.left_ms.map((ms, player) => (running.includes(player) ? ms - passed.value : ms));
    useEffect(() => {
        const begin = performance.now();
        const timer = setInterval(() => (passed.value = performance.now() - begin), tick_ms);
        return () => clearInterval(timer);
    }, []);
    useEffect(() => {
        if (asked.current || !now.waiting.some((player) => (left[player] as number) < -tick_ms)) return;
        asked.current = true; /* the server decides whether the time is over */
        void lookAtClocks();
    });
    return (
        <p class="clocks" role="timer">
            {left.map((ms, player) => (
                <span key={player} class={running.includes(player) ? "running" : ""}>
                    {game.players[player]} {timeOf(ms)}{" "}
                </span>
            ))}
        </p>
    );
}
