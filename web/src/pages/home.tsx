/* Home: every game as a card. */
import { useSignal } from "@preact/signals";
import { catalogue } from "../catalogue.ts";
import { familiesOf, type Family } from "../home/families.ts";
import { isNowKnown, Now } from "../home/now.tsx";
import type { Game } from "../server/protocol.ts";

/** "chance, hidden information, 3 players": what makes a game special. */
export function traits(game: Game): string {
    const words = [
        game.chance && "chance",
        game.hidden && "hidden information",
        game.simultaneous && "simultaneous moves",
        game.players.length !== 2 && `${game.players.length} player${game.players.length === 1 ? "" : "s"}`,
    ].filter((word) => word !== false);
    return words.length ? words.join(", ") : "alternate moves, nothing hidden";
}

/** The choice of a size; empty if the game has only one. */
function Sizes({ family, game, choose }: { family: Family; game: Game; choose: (name: string) => void }) {
    if (family.games.length < 2) return null;
    return (
        <p>
            <select aria-label={`Which ${family.title}`} onChange={(event) => choose(event.currentTarget.value)}>
                {family.games.map(({ name, title }) => (
                    <option key={name} value={name} selected={name === game.name}>
                        {title}
                    </option>
                ))}
            </select>
        </p>
    );
}

function Card({ family }: { family: Family }) {
    const chosen = useSignal("");
    const game = family.games.find(({ name }) => name === chosen.value) ?? (family.games[0] as Game);
    return (
        <li class="card">
            <h2>{family.title}</h2>
            <p>{traits(game)}</p>
            <Sizes family={family} game={game} choose={(name) => (chosen.value = name)} />
            <p class="links">
                <a href={`/play/${game.name}`} aria-label={`Play ${game.title}`}>
                    Play
                </a>{" "}
                <a href={`/search/${game.name}`} aria-label={`Watch a search of ${game.title}`}>
                    Watch a search
                </a>{" "}
                <a href={`/explain/${game.name}`} aria-label={`Explain a search of ${game.title}`}>
                    Explain
                </a>
            </p>
        </li>
    );
}

export function Home() {
    const filter = useSignal("");
    const wanted = filter.value.toLowerCase();
    const known = isNowKnown() ? (catalogue.value?.games ?? []) : [];
    const games = known.filter((game) => `${game.title} ${game.name} ${traits(game)}`.toLowerCase().includes(wanted));
    document.title = "Banyan";
    return (
        <main>
            <Now />
            <h1>Games</h1>
            <p class="help">Banyan chooses moves by Monte Carlo tree search. Play against it, watch a search as it grows, or have single simulations explained.</p>
            <label class="filter">
                Find a game{" "}
                <input type="search" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
            </label>
            <ul class="cards games">
                {familiesOf(games).map((family) => (
                    <Card key={family.games[0]?.name} family={family} />
                ))}
            </ul>
        </main>
    );
}
