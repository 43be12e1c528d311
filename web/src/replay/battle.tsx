/* A battle on Pokémon Showdown, event by event: both sides, and what happened. */
import { useMemo } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import type { BotExpected } from "../server/protocol.ts";
import { pointsOf, readBattle, statName, type Happening, type Mon, type Scene, type Side } from "./battlelog.ts";
import { Curve, rangeOf } from "./curve.tsx";
import { useInView } from "./inview.ts";
import { Stepper } from "./stepper.tsx";

function notesOf(mon: Mon, side: Side): string {
    const boosts = Object.entries(mon.boosts).filter(([, by]) => by !== 0);
    return [mon.status, ...boosts.map(([stat, by]) => `${statName(stat)} ${by > 0 ? "+" : "−"}${Math.abs(by)}`), ...mon.effects, ...side.conditions.map((one) => `side: ${one}`)].filter(Boolean).join(", ");
}

function Team({ side }: { side: Side }) {
    const unseen = side.size - side.team.length;
    return (
        <ul class="team">
            {side.team.map((mon) => (
                <li key={mon.name}>
                    <span>{mon.species}</span> {mon.hp ? `${Math.ceil(100 * mon.hp)} %` : "fainted"} {mon.status}
                </li>
            ))}
            {unseen > 0 && <li>{unseen} not seen yet</li>}
        </ul>
    );
}

function Half({ side }: { side: Side }) {
    const mon = side.team[side.active];
    return (
        <section class="half" aria-label={`Side of ${side.name}`}>
            <div>
                <h2>{side.name}</h2>
                <h3>{mon ? mon.species : "nobody yet"}</h3>
                {mon && (
                    <p class="hp">
                        <meter min={0} max={1} low={0.2} high={0.5} optimum={1} value={mon.hp} aria-label={`HP of ${mon.species}`} /> {mon.health}, level {mon.level}
                    </p>
                )}
                <p>{mon && notesOf(mon, side)}</p>
            </div>
            <Team side={side} />
        </section>
    );
}

const sceneOf = (scene: Scene | undefined) => (scene ? [scene.sides["p2"], scene.sides["p1"]].filter((side) => side !== undefined) : []);

/** What the bot expected, from the file of its decisions in the same folder as the log. */
function Expectation({ expected, events, at, go }: { expected: BotExpected; events: Happening[]; at: number; go: (step: number) => void }) {
    const game = catalogue.value?.games.find(({ name }) => name === "pokemon");
    const points = pointsOf(events, expected.values);
    if (!game || points.length < 2) return null;
    return (
        <section aria-labelledby="expected-title">
            <h2 id="expected-title">What {expected.who} expected</h2>
            <Curve name="What the bot expected, event by event; the page of its battles has the numbers." lines={[{ label: rangeOf(game), points }]} losses={[]} game={game} plies={events.length - 1} ply={at} go={go} />
        </section>
    );
}

export function BattleReplay({ log, expected, step, go }: { log: string; expected: BotExpected | null; step: number; go: (step: number) => void }) {
    const battle = useMemo(() => readBattle(log), [log]);
    const { events } = battle;
    const list = useInView(step);
    if (!events.length) return <p>The log has no event that can be shown.</p>;
    const at = Math.min(step, events.length - 1);
    const scene = events[at]?.after;
    return (
        <>
            <p>
                {battle.tier}. {battle.result}.
            </p>
            <Stepper name="Event" at={at} last={events.length - 1} go={go} />
            <p class="help">
                Turn {scene?.turn}
                {scene?.field.map((one) => `, ${one}`)}
            </p>
            <div class="two">
                <div>
                    {sceneOf(scene).map((side) => (
                        <Half key={side.name} side={side} />
                    ))}
                </div>
                <ol class="log battle" aria-label="Events" start={0} ref={list}>
                    {events.map((event, i) => (
                        <li key={i} class={event.isTurn ? "turn" : event.minor ? "minor" : ""}>
                            <button type="button" class="plain" aria-current={i === at ? "step" : undefined} onClick={() => go(i)}>
                                {event.text}
                            </button>
                        </li>
                    ))}
                </ol>
            </div>
            {expected && <Expectation expected={expected} events={events} at={at} go={go} />}
        </>
    );
}
