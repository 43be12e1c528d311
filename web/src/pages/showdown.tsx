/* Battles of a running bot on a Showdown server, followed through the folder of its decisions: candidates, damage, belief. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { count, percent, signed, whole } from "../numbers.ts";
import { Scroll } from "../parts/scroll.tsx";
import { Cards } from "../play/cards.tsx";
import { Curve, rangeOf } from "../replay/curve.tsx";
import { route, setQuery } from "../route.ts";
import { ask, whenOpen } from "../server/link.ts";
import type { BattleRow, Decision } from "../server/protocol.ts";
import { beliefOf } from "../showdown/belief.ts";

const again_ms = 1000;

/** Asks about once a second, one question at a time, as long as the page is shown. */
function useFollowing(look: () => Promise<void>, key: string): void {
    useEffect(() => {
        let timer = 0;
        let shown = true;
        const round = () =>
            void look()
                .catch(() => undefined)
                .then(() => {
                    if (shown) timer = window.setTimeout(round, again_ms);
                });
        const end = whenOpen(() => {
            clearTimeout(timer);
            round();
        });
        return () => {
            shown = false;
            clearTimeout(timer);
            end();
        };
    }, [key]);
}

export function Battles() {
    const battles = useSignal<BattleRow[]>([]);
    document.title = "Battles – Banyan";
    useFollowing(async () => {
        battles.value = (await ask("battles", {})).battles;
    }, "");
    return (
        <main>
            <h1>Battles</h1>
            <p class="help">What a bot chose on a Pokémon Showdown server, and why: its candidates and what it believed, decision by decision.</p>
            {battles.value.length === 0 ? (
                <p>
                    There are none. <code>banyan showdown --name NAME --ladder --save DIR</code> records its decisions, and <code>banyan web --showdown DIR</code> follows them here.
                </p>
            ) : (
                <Scroll name="Table of battles">
                    <table class="battles">
                        <thead>
                            <tr>
                                <th scope="col">Battle</th>
                                <th scope="col">Player</th>
                                <th scope="col">Turn</th>
                                <th scope="col">Decisions</th>
                            </tr>
                        </thead>
                        <tbody>
                            {battles.value.map((one) => (
                                <tr key={one.room}>
                                    <th scope="row">
                                        <a href={`/showdown/${one.room}`}>{one.room}</a>
                                    </th>
                                    <td>{one.player}</td>
                                    <td>{one.turn}</td>
                                    <td>{one.decisions}</td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                </Scroll>
            )}
        </main>
    );
}

/** The table of a decision, as the file has it. */
function Candidates({ detail }: { detail: NonNullable<Decision["detail"]> }) {
    const total = detail.table.reduce((sum, row) => sum + row.visits, 0);
    return (
        <Scroll name="Candidates">
            <table class="candidates">
                <caption>
                    {count(detail.simulations, "simulation")}, {detail.search_ms.toFixed(0)} ms; expects {signed(detail.value)}
                </caption>
                <thead>
                    <tr>
                        <th scope="col">Action</th>
                        <th scope="col">Visits</th>
                        <th scope="col">Share</th>
                        <th scope="col">Mean</th>
                        <th scope="col" class="text">What it is</th>
                    </tr>
                </thead>
                <tbody>
                    {detail.table.map((row) => (
                        <tr key={row.action} class={row.action === detail.action ? "chosen" : ""} data-action={row.action}>
                            <th scope="row">{row.words || row.action}</th>
                            <td>{whole(row.visits)}</td>
                            <td>{percent(total ? row.visits / total : 0)}</td>
                            <td>{row.visits ? signed(row.mean) : "–"}</td>
                            <td class="text">{row.note}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </Scroll>
    );
}

/** For each Pokémon of the foe, how many of its sets are less likely than the others. */
function Belief({ text }: { text: string }) {
    const places = beliefOf(text);
    return (
        <details>
            <summary>What the player believes of the foe's sets</summary>
            <ul>
                {places.map(({ place, sets, brought }) => (
                    <li key={place}>
                        Pokémon {place + 1}: {sets ? `${count(sets, "set")} ${sets === 1 ? "is" : "are"} less likely than the others` : "nothing that was seen makes a set less likely"}
                        {brought && `; it brought ${brought}`}
                    </li>
                ))}
            </ul>
            <pre class="sheet" tabIndex={0} aria-label="The belief as the file has it">
                {text}
            </pre>
        </details>
    );
}

/** What the bot expected at each decision; a click shows that decision. */
function Values({ decisions, at, go }: { decisions: Decision[]; at: number; go: (to: number) => void }) {
    const game = catalogue.value?.games.find(({ name }) => name === "pokemon");
    const points = decisions.flatMap(({ detail }, ply) => (detail ? [{ ply, value: detail.value }] : []));
    if (!game || points.length < 2) return null;
    return (
        <section aria-labelledby="values-title">
            <h2 id="values-title">What the bot expected</h2>
            <Curve
                name="What the bot expected, decision by decision; above each table of candidates stands the number."
                lines={[{ label: rangeOf(game), points }]}
                losses={[]}
                game={game}
                plies={decisions.length - 1}
                ply={at - 1}
                go={(ply) => go(ply + 1)}
            />
        </section>
    );
}

/** What the bot chose, in the words of the decision's table, if it has one. */
function chosenBy({ detail, choice }: Decision): string {
    return detail?.table.find(({ action }) => action === detail.action)?.words || choice;
}

function Shown({ decision }: { decision: Decision }) {
    return (
        <>
            <p>
                The bot chose <strong>{chosenBy(decision)}</strong> in {whole(Math.round(decision.took_ms))} of {whole(Math.round(decision.time_ms))} ms.
            </p>
            <div class="two">
                <div>{decision.cards ? <Cards known={decision.cards} /> : <p class="help">The player did not say what it knew.</p>}</div>
                <div>
                    {decision.detail ? (
                        <>
                            <Candidates detail={decision.detail} />
                            <Belief text={decision.detail.belief} />
                        </>
                    ) : (
                        <p>This player does not search, so it has no candidates.</p>
                    )}
                </div>
            </div>
        </>
    );
}

/** The decisions of one battle; the address says which is shown, else it is the last one. */
export function OneBattle({ room }: { room: string }) {
    const decisions = useSignal<Decision[]>([]);
    const problem = useSignal("");
    const asked = Number(route.value.query["decision"]) || 0;
    document.title = `${room} – Banyan`;
    useFollowing(async () => {
        try {
            let more;
            do {
                const answer = await ask("battle", { room, first: decisions.value.length });
                problem.value = "";
                more = answer.decisions.filter(({ number }) => number >= decisions.value.length);
                if (more.length) decisions.value = [...decisions.value, ...more];
            } while (more.length); /* a long battle comes in several answers */
        } catch (reason) {
            problem.value = (reason as Error).message;
        }
    }, room);
    const last = decisions.value.length;
    const at = asked > 0 ? Math.min(asked, last) : last;
    const shown = decisions.value[at - 1];
    const go = (to: number) => setQuery({ decision: to >= last ? "" : String(Math.max(1, to)) }, true);
    return (
        <main class="play" data-decisions={last}>
            <h1>{room}</h1>
            <p>
                <a href="/showdown">All battles</a>
            </p>
            {problem.value && (
                <p class="problem" role="alert">
                    {problem.value}
                </p>
            )}
            <div class="buttons">
                <button type="button" disabled={at <= 1} onClick={() => go(at - 1)}>
                    Decision before
                </button>
                <button type="button" disabled={at >= last} onClick={() => go(at + 1)}>
                    Next decision
                </button>
                <output>
                    {at} of {last}
                    {at === last ? ", follows the battle" : ""}
                </output>
            </div>
            {shown && <Shown key={shown.number} decision={shown} />}
            <Values decisions={decisions.value} at={at} go={go} />
        </main>
    );
}
