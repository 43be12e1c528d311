/* The inspector: the node that was clicked, its board and its actions. */
import type { Game, TreeNode } from "../server/protocol.ts";
import { Drawing } from "../parts/board.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { capital, count, few, signed, whole } from "../numbers.ts";
import { node } from "./state.ts";

function Actions({ shown }: { shown: TreeNode }) {
    return (
        <Scroll name="Actions of the node">
            <table>
                <thead>
                    <tr>
                        <th scope="col">Action</th>
                        <th scope="col">Visits</th>
                        <th scope="col">Mean</th>
                        <th scope="col">+ Exploration</th>
                        <th scope="col">= Score</th>
                    </tr>
                </thead>
                <tbody>
                    {shown.actions.slice(0, 30).map((action) => (
                        <tr key={action.action} class={action.visits < few ? "few" : ""}>
                            <th scope="row">{action.action}</th>
                            <td>{whole(action.visits)}</td>
                            <td>{signed(action.mean)}</td>
                            <td>{action.score === null || action.mean === null ? "–" : signed(action.score - action.mean)}</td>
                            <td>{signed(action.score)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </Scroll>
    );
}

export function Inspector({ game }: { game: Game }) {
    const shown = node.value;
    return (
        <section aria-labelledby="node-title" class="inspector">
            <h2 id="node-title">Node</h2>
            {shown ? (
                <>
                    <p>
                        {shown.player >= 0 ? `${capital(game.players[shown.player] ?? "")} decides here. ` : shown.visits ? "A leaf: it has no actions in the tree yet. " : "Not searched yet. "}
                        {count(shown.visits, "visit")}.
                    </p>
                    {shown.picture && <Drawing svg={shown.svg ? shown.picture : null} text={shown.picture} name="The position at this node" />}
                    {shown.actions.length > 0 && <Actions shown={shown} />}
                </>
            ) : (
                <p>Click a rectangle of the tree to see its position and its actions.</p>
            )}
        </section>
    );
}
