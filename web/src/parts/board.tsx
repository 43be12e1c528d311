/* A board: the game's own picture where it has one, else its text. */

/** An SVG that the server drew, as an image: nothing in it can become a part of the page. */
function Picture({ svg, name }: { svg: string; name: string }) {
    return <img class="board" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={name} />;
}

export function Board(props: { svg: string | null; text: string | null; name: string }) {
    if (props.svg) return <Picture svg={props.svg} name={props.name} />;
    return (
        <pre class="board" role="img" aria-label={props.name} tabIndex={0}>
            {props.text}
        </pre>
    );
}
