/* Who plays: a person or a player of the program at every seat. */
import { useSignal } from "@preact/signals";
import type { Game } from "../server/protocol.ts";

function names(game: Game): [string, string][] {
    const levels = Array.from({ length: game.levels }, (_, i): [string, string] => [`level:${i + 1}`, `Level ${i + 1}`]);
    return [["human", "Me"], ...levels, ["best", "The best player"], ["random", "Random moves"]];
}

/** The value of the choice that is followed by a field for the text of a player. */
const other = "other";

function Seat({ game, player, value }: { game: Game; player: number; value: string }) {
    const typed = useSignal(false);
    const known = names(game);
    const all = known.some(([text]) => text === value) ? known : [...known, [value, value] as [string, string]];
    return (
        <>
            <label>
                {game.players[player]}
                <select name={`seat-${player}`} onChange={(event) => (typed.value = event.currentTarget.value === other)}>
                    {[...all, [other, "Other player …"] as [string, string]].map(([text, words]) => (
                        <option key={text} value={text} selected={text === value}>
                            {words}
                        </option>
                    ))}
                </select>
            </label>
            {typed.value && (
                <label>
                    Player for {game.players[player]}
                    <input name={`player-${player}`} required placeholder="mcts:simulations=1000" autocomplete="off" spellcheck={false} />
                </label>
            )}
        </>
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
        const seat = (player: number) => String(values.get(`player-${player}`) ?? values.get(`seat-${player}`));
        props.begin(props.game.players.map((_, player) => seat(player)), String(values.get("clock")));
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
