/* A board that is looked at: the game's own picture where it has one, else its cells, else its text.  A picture cannot be
 * flipped: its cells are shown instead. */
import type { Position } from "../server/protocol.ts";
import { canFlip } from "./flip.tsx";
import { Grid } from "./grid.tsx";

/** An SVG that the server drew, as an image: nothing in it can become a part of the page. */
function Picture({ svg, name }: { svg: string; name: string }) {
    return <img class="board" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={name} />;
}

export function Drawing(props: { svg: string | null; text: string | null; name: string }) {
    if (props.svg) return <Picture svg={props.svg} name={props.name} />;
    return (
        <pre class="board" role="img" aria-label={props.name} tabIndex={0}>
            {props.text}
        </pre>
    );
}

export function Board({ position, players, name, flipped }: { position: Position; players: string[]; name: string; flipped: boolean }) {
    const turned = flipped && canFlip(position.board);
    if (position.board && (turned || !position.svg)) return <Grid cells={position.board} players={players} name={name} flipped={turned} />;
    return <Drawing svg={position.svg} text={position.drawing ?? position.text} name={name} />;
}
