/* The form that starts a match.  It begins with the settings of a match that was played. */
import { useRef } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import type { Match, MatchQuestion } from "../server/protocol.ts";
import { start, stop } from "./state.ts";

/** The settings of this match, with the next seed, so that other games are played. */
export function questionOf(like: Match | undefined): MatchQuestion {
    const sprt = like?.sprt;
    return {
        game: like?.game ?? "tictactoe",
        players: (like?.players.map((player) => player.player) ?? ["best", "random"]).join("\n"),
        games: like?.games_wanted ?? 100,
        seed: like ? Number(like.settings.seed) + 1 : 1,
        opening_plies: like?.settings.opening_plies ?? 0,
        move_ms: like?.settings.move_ms ?? 0,
        sprt: sprt ? `${sprt.elo0},${sprt.elo1}` : "",
    };
}

function Field(props: { name: keyof MatchQuestion; label: string; help: string; value: string | number; max?: number }) {
    const { name, value, max } = props;
    const common = { id: `match-${name}`, name, autocomplete: "off", defaultValue: String(value), "aria-describedby": `match-${name}-help` } as const;
    return (
        <div class="field">
            <label for={common.id}>{props.label}</label>
            {max === undefined ? <input {...common} type="text" /> : <input {...common} type="number" min={name === "games" ? 1 : 0} max={max} required />}
            <small id={common["aria-describedby"]}>{props.help}</small>
        </div>
    );
}

function PlayersField({ value }: { value: string }) {
    return (
        <div class="field">
            <label for="match-players">Players</label>
            <textarea id="match-players" name="players" rows={3} required defaultValue={value} aria-describedby="match-players-help" />
            <small id="match-players-help">
                One on each line, as in the terminal: best, level:2, mcts:simulations=1000, random. A page starts no other programs
                (exec:).
            </small>
        </div>
    );
}

function GameField({ value }: { value: string }) {
    return (
        <div class="field">
            <label for="match-game">Game</label>
            <select id="match-game" name="game">
                {(catalogue.value?.games ?? []).map((game) => (
                    <option key={game.name} value={game.name} selected={game.name === value}>
                        {game.title}
                    </option>
                ))}
            </select>
        </div>
    );
}

function read(form: HTMLFormElement): MatchQuestion {
    const values = new FormData(form);
    const text = (name: string) => String(values.get(name) ?? "").trim();
    const number = (name: string) => Math.round(Number(text(name)));
    return {
        game: text("game"),
        players: text("players"),
        games: number("games"),
        seed: number("seed"),
        opening_plies: number("opening_plies"),
        move_ms: number("move_ms"),
        sprt: text("sprt"),
    };
}

/** The form keeps what the person has typed when the list of matches changes. */
export function StartForm({ like, playing }: { like: Match | undefined; playing: boolean }) {
    const question = useRef(questionOf(like)).current;
    const submit = (event: SubmitEvent) => {
        event.preventDefault();
        void start(read(event.currentTarget as HTMLFormElement));
    };
    return (
        <section aria-labelledby="start-title">
            <h2 id="start-title">Start a match</h2>
            <form onSubmit={submit} aria-labelledby="start-title">
                <div class="fields">
                    <GameField value={question.game} />
                    <PlayersField value={question.players} />
                    <Field name="games" label="Games" help="Every opening is played once in every seating." value={question.games} max={1e9} />
                    <Field name="seed" label="Seed" help="The same seed gives the same games." value={question.seed} max={2 ** 50} />
                    <Field name="opening_plies" label="Random plies" help="At the start of every round, so that games differ." value={question.opening_plies} max={1000} />
                    <Field name="move_ms" label="Milliseconds for each decision" help="0: no limit of time." value={question.move_ms} max={86400000} />
                    <Field name="sprt" label="Test" help="Two Elo differences such as 0,10: the match ends when it is clear which is more likely. Empty: all games." value={question.sprt} />
                </div>
                <div class="buttons">
                    <button type="submit" class="main" disabled={playing}>
                        Start
                    </button>
                    <button type="button" disabled={!playing} onClick={stop}>
                        Stop the match
                    </button>
                </div>
            </form>
        </section>
    );
}
