/* Home: every game as a card. */
import { useSignal } from "@preact/signals";
import { catalogue } from "../catalogue.ts";
import type { Game } from "../server/protocol.ts";

/** "dice, hidden cards, 3 players": what makes a game special. */
export function traits(game: Game): string {
    const words = [
        game.chance && "chance",
        game.hidden && "hidden information",
        game.simultaneous && "simultaneous moves",
        game.players.length !== 2 && `${game.players.length} player${game.players.length === 1 ? "" : "s"}`,
    ].filter((word) => word !== false);
    return words.length ? words.join(", ") : "alternate moves, open cards";
}

function Card({ game }: { game: Game }) {
    return (
        <li class="card">
            <h2>{game.title}</h2>
            <p>{traits(game)}</p>
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
    const games = (catalogue.value?.games ?? []).filter((game) =>
        `${game.title} ${game.name} ${traits(game)}`.toLowerCase().includes(wanted),
    );
    document.title = "Banyan";
    return (
        <main>
            <h1>Games</h1>
            <label class="filter">
                Find a game{" "}
                <input type="search" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
            </label>
            <ul class="cards">
                {games.map((game) => (
                    <Card key={game.name} game={game} />
                ))}
            </ul>
        </main>
    );
}
