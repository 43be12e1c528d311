/* A Pokémon battle as cards: the two active Pokémon, both teams, and the field. */
import { shown } from "../parts/words.ts";
import type { Battle } from "../server/protocol.ts";


const stats = ["Attack", "Defense", "Sp. Atk", "Sp. Def", "Speed", "accuracy", "evasion"];

/** "Attack +2, Speed -1"; "" where nothing is boosted. */
export const boostsOf = (boosts: readonly number[]): string => boosts.flatMap((n, i) => (n ? [`${stats[i]} ${n > 0 ? "+" : "−"}${Math.abs(n)}`] : [])).join(", ");

function Hp({ share, most, name }: { share: number; most: number | null; name: string }) {
    const percent = Math.round(100 * share);
    return (
        <span class="hp">
            <meter min={0} max={1} low={0.25} high={0.5} optimum={1} value={share} aria-label={`hp of ${name}`} /> {most === null ? `${percent} %` : `${Math.round(share * most)} of ${most}`}
        </span>
    );
}

function Active({ known, side }: { known: Battle; side: number }) {
    const name = shown(known.species[side]?.[0] ?? null) || "?";
    const boosts = boostsOf(known.boosts[side] ?? []);
    const moves = (known.moves[side]?.[0] ?? []).map(shown).filter(Boolean);
    const facts = [shown(known.status[side]?.[0] ?? null), shown(known.ability[side]?.[0] ?? null), shown(known.item[side]?.[0] ?? null)].filter(Boolean);
    return (
        <section class="fighter" aria-label={side ? "The foe's Pokémon" : "Your Pokémon"}>
            <h3>
                {name} <small>{side ? "the foe's" : "own"}, level {known.level[side]?.[0] ?? "?"}</small>
            </h3>
            <Hp share={known.hp[side]?.[0] ?? 0} most={known["max-hp"][side]?.[0] ?? null} name={name} />
            <p>{(known.types[side] ?? []).map(shown).filter(Boolean).join(", ")}</p>
            <p>{facts.join("; ") || "ability and item not seen yet"}</p>
            {boosts && <p class="boosts">{boosts}</p>}
            {moves.length > 0 && (
                <p class="help">
                    {side ? "Seen: " : "Moves: "}
                    {moves.join(", ")}
                </p>
            )}
        </section>
    );
}

function Team({ known, side }: { known: Battle; side: number }) {
    return (
        <ol class="team" aria-label={side ? "The foe's team" : "Your team"}>
            {(known.species[side] ?? []).map((species, i) => (
                <li key={i}>
                    {species === null ? (
                        "not seen yet"
                    ) : (
                        <>
                            <span>{shown(species)}</span> <Hp share={known.hp[side]?.[i] ?? 0} most={null} name={shown(species)} />
                            {shown(known.status[side]?.[i] ?? null)}
                        </>
                    )}
                </li>
            ))}
        </ol>
    );
}

export function Cards({ known }: { known: Battle }) {
    const field = [shown(known.weather), shown(known.terrain)].filter(Boolean).join(", ");
    return (
        <div class="cards-battle">
            <p>
                Turn {known.turn}
                {field && `; ${field}`}
            </p>
            {[1, 0].map((side) => (
                <div key={side} class="half">
                    <Active known={known} side={side} />
                    <Team known={known} side={side} />
                </div>
            ))}
            <p class="help">The damage beside an attack is a share of the foe's hp, over several sets that it may have.</p>
        </div>
    );
}
