/* The principal variation as a strip of small boards. */
import { Board } from "../parts/board.tsx";
import { isFlipped } from "../parts/flip.tsx";
import { Scroll } from "../parts/scroll.tsx";
import type { Game } from "../server/protocol.ts";
import { line } from "./state.ts";

export function Strip({ game }: { game: Game }) {
    if (!line.value.length) return null;
    return (
        <Scroll name="Principal variation as boards">
            <ol class="strip">
                {line.value.map(({ action, position }, i) => (
                    <li key={i}>
                        {i + 1}. {action}
                        <Board position={position} players={game.players} name={`The position after ${action}`} flipped={isFlipped()} />
                    </li>
                ))}
            </ol>
        </Scroll>
    );
}
