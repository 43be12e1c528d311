/* A board that is looked at: the game's own picture where it has one, else its cells, else its text. */
import type { Position } from "../server/protocol.ts";
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

export function Board({ position, players, name }: { position: Position; players: string[]; name: string }) {
    if (!position.svg && position.board) return <Grid cells={position.board} players={players} name={name} />;
    return <Drawing svg={position.svg} text={position.drawing ?? position.text} name={name} />;
}
