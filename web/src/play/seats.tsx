/* Who plays: a person or a player of the program at every seat. */
import type { Game } from "../server/protocol.ts";

function names(game: Game): [string, string][] {
    const levels = Array.from({ length: game.levels }, (_, i): [string, string] => [`level:${i + 1}`, `Level ${i + 1}`]);
    return [["human", "Me"], ...levels, ["best", "The best player"], ["random", "Random moves"]];
}

function Seat({ game, player, value }: { game: Game; player: number; value: string }) {
    const known = names(game);
    const all = known.some(([text]) => text === value) ? known : [...known, [value, value] as [string, string]];
    return (
        <label>
            {game.players[player]}
            <select name={`seat-${player}`}>
                {all.map(([text, words]) => (
                    <option key={text} value={text} selected={text === value}>
                        {words}
                    </option>
                ))}
            </select>
        </label>
    );
}

const times = [
    ["", "No clocks"],
    ["1", "1 minute each"],
    ["5", "5 minutes each"],
    ["10+5", "10 minutes, and 5 seconds a move"],
];

/** Calls `begin` with the text of every seat, and the clocks. */
export function Seats(props: { game: Game; seats: string[]; clock: string; begin: (seats: string[], clock: string) => void }) {
    const known = times.some(([text]) => text === props.clock) ? times : [...times, [props.clock, props.clock]];
    const submit = (event: SubmitEvent) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget as HTMLFormElement);
        props.begin(props.game.players.map((_, player) => String(values.get(`seat-${player}`))), String(values.get("clock")));
    };
    return (
        <form class="seats" onSubmit={submit} aria-label="Players">
            {props.game.players.map((_, player) => (
                <Seat key={player} game={props.game} player={player} value={props.seats[player] ?? "human"} />
            ))}
            <label>
                Clocks
                <select name="clock">
                    {known.map(([text, words]) => (
                        <option key={text} value={text} selected={text === props.clock}>
                            {words}
                        </option>
                    ))}
                </select>
            </label>
            <button type="submit" class="main">
                New game
            </button>
        </form>
    );
}
