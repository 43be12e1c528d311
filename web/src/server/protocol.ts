/* The messages between the page and `banyan web`, as types (docs/web.md has them in words).
 *
 * The C side reads requests in src/web/message.c and writes answers in src/web/session*.c. */

/** A game as `list` names it. */
export interface Game {
    name: string;
    title: string;
    players: string[];
    chance: boolean;
    simultaneous: boolean;
    hidden: boolean;
    zero_sum: boolean;
    return_min: number;
    return_max: number;
    max_legal: number;
    levels: number; // how many players of growing strength there are, "level:1" ...
    best: string; // the player that "best" stands for
}

/** A row of the table of search options; `value` is its default, as text. */
export interface Option {
    name: string;
    kind: "switch" | "choice" | "number" | "text";
    help: string;
    value: string;
    choices: string[];
}

export interface Evaluator {
    name: string;
    arguments: string;
    help: string;
}

export interface Action {
    action: string;
    words: string;
    note: string;
    cells: number[]; // clicks on the board that choose it; empty: it is not on the board
}

/** A board that people click: an entry of each array for each cell, row by row. */
export interface Cells {
    rows: number;
    cols: number;
    kind: "squares" | "hexagons" | "columns" | "rectangles";
    row_names: string[];
    col_names: string[];
    marks: string[];
    owners: number[]; // -1: nobody
    looks: number[]; // bits, see include/banyan/board.h
    guards: number[]; // bits: players whose pieces guard the cell
    notes: Record<string, string>; // by the number of the cell
}

/** What the seat knows of a Pokémon battle: an observation of banyan/observe.h; [0] is the own side, null is unknown. */
export interface Battle {
    species: (string | null)[][]; // [side][Pokémon], the active one first
    level: (number | null)[][];
    hp: (number | null)[][]; // 0..1
    "max-hp": (number | null)[][];
    status: (string | null)[][];
    item: (string | null)[][];
    ability: (string | null)[][];
    moves: (string | null)[][][];
    types: (string | null)[][]; // of the active ones
    boosts: number[][];
    turn: number;
    weather: string;
    terrain: string;
}

/** A position as one player sees it; members for which the game has no function are null. */
export interface Position {
    text: string;
    board: Cells | null;
    cards: Battle | null;
    drawing: string | null;
    svg: string | null;
    sheet: string | null;
    movers: number[];
    legal: { player: number; actions: Action[] }[];
    returns?: number[];
}

/** One action of the root, the keys of docs/json.md. */
export interface RootMove {
    player: number;
    action: string;
    visits: number;
    mean: number | null;
    prior: number | null;
    lo: number;
    hi: number;
    score: number | null;
}

/** Topic "root": the state of the search. */
export interface Root {
    t: "root";
    version: number;
    simulations: number;
    target: number;
    running: boolean;
    elapsed_ms: number;
    simulations_per_s: number;
    best: string | null;
    root: RootMove[];
    pv: string[];
    values: (number | null)[];
    nodes: number;
    max_depth: number;
    mean_depth: number;
    bytes_used: number;
    compactions: number;
}

/** Rows of a part of the tree, as columns of equal length; a parent stands before its children. */
export interface Columns {
    parent: number[]; // row number, -1: none
    label: string[];
    id: string[]; // "0", "/19", "@9f3c": its step of a path
    player: number[];
    visits: number[];
    mean: (number | null)[];
    prior: (number | null)[];
    flags: number[]; // 1: an outcome, 2: proven
    more: number[]; // how many children were left out
}

/** Topic "tree". */
export interface Tree {
    t: "tree";
    version: number;
    simulations: number;
    columns: Columns;
}

/** Topic "table": the game that is played. */
export interface Table {
    t: "table";
    version: number;
    position: Position; // with the actions of those persons who must choose
    waiting: number[]; // persons who must choose
    log: { ply: number; text: string; dice: string }[]; // dice: in words
    values: (number | null)[]; // what players of the program expect for themselves
    simulations: (number | null)[]; // how many they made for their last choice
    plies: number;
    can_undo: boolean;
    clocks: { left_ms: number[]; lost: number } | null; // lost: who has used up all time, -1: nobody; null: no clocks
    thinking: boolean; // a player of the program is about to choose
}

/** The answer to `inspect`. */
export interface TreeNode {
    player: number; // who decides here; -1: a leaf
    visits: number;
    svg: boolean;
    picture: string | null;
    actions: Omit<RootMove, "player">[];
}

/** A recorded game; arrays by ply. */
export interface Recorded {
    game: string;
    players: string[]; // the text that made each player
    moves: string[];
    values: (number | null)[][]; // [ply][player] what the player expected
    returns: number[]; // empty: the game is not finished
    log?: string; // of a battle on Pokémon Showdown; the only other member is then `expected`
    expected?: BotExpected | null; // what a bot expected in this battle, if the folder of the log has its decisions
}

export interface BotExpected {
    who: string;
    values: [number, number][]; // how many bytes of the log the bot knew, and the value
}

/** Topic "sweep": searches of the positions of the recorded game; arrays by ply and player, up to `done` plies. */
export interface Sweep {
    t: "sweep";
    version: number;
    plies: number;
    done: number; // plies that are searched
    running: boolean;
    simulations: number; // of each search
    values: (number | null)[][]; // what the player could expect with what they knew
    best: (string | null)[][]; // null: the player did not choose
    loss: (number | null)[][]; // how much less the player could expect after the choice
}

export type Interval = [number | null, number | null];

/** A player of a match: the keys of docs/json.md. */
export interface MatchPlayer {
    player: string;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null;
    ci95: [number, number];
    elo: number | null; // null: no games, or a score of 0 or 1
    elo_ci95: Interval;
    mean_return: number | null;
    overstepped: number;
    seats: { wins: number; draws: number; losses: number; score: number | null; ci95: [number, number] }[];
}

export interface Sprt {
    elo0: number;
    elo1: number;
    alpha: number;
    beta: number;
    llr: number;
    bounds: [number, number];
    answer: "undecided" | "elo0" | "elo1";
}

export interface MatchSettings {
    setup: string | null;
    openings: string | null;
    opening_plies: number;
    seed: string;
    move_ms: number;
    clock_ms: number;
    increment_ms: number;
}

export interface Match {
    match: number; // its number in the database
    game: string;
    state: "running" | "finished" | "decided" | "stopped" | "broken" | "unfinished";
    started: string;
    finished: string | null;
    games: number;
    games_wanted: number;
    plies: number;
    first_wins: number;
    first_draws: number;
    players: MatchPlayer[];
    pairs: number[]; // how many rounds gave 0, 1/2, 1, 3/2, 2 points to the first player; empty: no rounds yet
    ci95_pairs: [number, number] | null;
    sprt: Sprt | null;
    settings: MatchSettings;
}

/** Results between three or more players; scores[j] = [points, games] against player j. */
export interface CrossTable {
    game: string;
    setup: string | null;
    move_ms: number;
    players: { player: string; elo: number; points: number; games: number; scores: ([number, number] | null)[] }[];
}

/** Topic "matches": the newest matches, the newest first. */
export interface Matches {
    t: "matches";
    version: number;
    matches: Match[];
    tables: CrossTable[];
    can_start: boolean;
    playing: boolean; // a match that a page started is being played
    problem: string;
}

/** Topic "match": the match that the page follows. */
export interface OneMatch {
    t: "match";
    version: number;
    match: Match | null;
    problem: string;
}

export interface MatchGame {
    number: number;
    seats: number[]; // by seat: the player of the match
    returns: number[];
    plies: number;
    elapsed_ms: number;
}

export interface MatchQuestion {
    game: string;
    players: string; // a line for each
    games: number;
    seed: number;
    opening_plies: number;
    move_ms: number;
    sprt: string; // "ELO0,ELO1", or ""
}

/** A test of strength: generation, games, score with its 95 % interval, losses. */
export type TestScore = [number, number, number, number, number, number];

/** A run of training in one row. */
export interface RunRow {
    name: string;
    game: string;
    title: string;
    running: boolean;
    generations: number;
    games: number;
    elo: number | null; // of the best network minus that of the first one, measured by the gates
    games_per_s: number | null;
    tests: Record<string, TestScore>; // the last test against each opponent
}

export type Curves = { generation: number[]; games: number[]; policy: number[]; entropy: number[]; value: number[]; published: number[]; play_s: number[]; learn_s: number[] } & Partial<
    Record<"owner" | "score" | "held_policy" | "held_value" | "gate_games" | "gate_score" | "elo" | "elo_error", number[]>
>;

/** A run with its curves: arrays of equal length. */
export interface Run extends Omit<RunRow, "tests"> {
    curves: Curves;
    tests: Record<string, TestScore[]>;
    last: { generation: number; number: number; choices: number; resigned: boolean; returns: [number, number] }[];
    progress: { generation: number; games: number } | null;
}

/** Topic "runs". */
export interface Runs {
    t: "runs";
    version: number;
    runs: RunRow[];
    problem: string;
}

/** Topic "train": the runs that are followed. */
export interface Train {
    t: "train";
    version: number;
    runs: Run[];
    problem: string;
}

/** One event of a simulation (docs/json.md, "explain"). */
export interface Step {
    event: "select" | "expand" | "simulate" | "backup";
    path: string[];
    player: number;
    n: number; // select, expand: visits of the node
    count: number;
    rows: { action: string; visits: number; mean: number | null; term: number | null; rest: number; score: number | null; prior: number | null; chosen?: boolean }[];
    textbook: { action: string; visits: number; mean: number; term: number; score: number; same: boolean } | null;
    values: number[]; // simulate: by player
    action: string; // backup
    visits: number;
    mean: number | null;
    drawing: string | null;
}

export interface Simulation {
    simulation: number;
    events: Step[];
    rollout: { player: number; action: string; drawing: string | null }[] | null;
    after: { player: number; n: number; mean: number | null; moves: { action: string; visits: number; mean: number | null }[]; untried: number }[];
}

/** The answer to `explain`. */
export interface Explained {
    rule: "ucb1" | "puct" | "other";
    c: number;
    textbook_c: number;
    cpuct: number;
    simulations: Simulation[];
    columns: Columns;
    position: Position;
}

/** A battle of a bot, as `battles` names it. */
export interface BattleRow {
    room: string;
    decisions: number;
    turn: number;
    player: string;
}

/** A decision of a bot: a line of ROOM.jsonl; `detail` is null if the player did not search. */
export interface Decision {
    number: number; // 0, 1, ...
    turn: number;
    choice: string;
    time_ms: number;
    took_ms: number;
    detail: {
        action: string;
        value: number;
        simulations: number;
        settings: string;
        belief: string;
        differences: number;
        search_ms: number;
        table: { action: string; visits: number; mean: number; words: string; note: string }[];
    } | null;
    cards: Battle | null;
}

/** What the page may ask, and what it gets as answer. */
export interface Requests {
    hello: { ask: { token: string }; answer: object };
    list: { ask: object; answer: { version: string; games: Game[]; options: Option[]; runs: string[]; db: boolean } };
    open: {
        ask: { game: string; position: string; moves: string; options: string; evaluator: string };
        answer: { position: Position; evaluators: Evaluator[] };
    };
    explain: {
        ask: { game: string; position: string; moves: string; options: string; evaluator: string; n: number };
        answer: { explained: Explained };
    };
    battles: { ask: object; answer: { battles: BattleRow[] } };
    battle: { ask: { room: string; first: number }; answer: { decisions: Decision[] } };
    run: { ask: { simulations: number }; answer: object };
    pause: { ask: object; answer: object };
    step: { ask: { n: number }; answer: object };
    goto: { ask: { k: number }; answer: object };
    view: { ask: { path: string; depth: number; budget: number }; answer: object };
    sit: { ask: { game: string; seats: string; seed: number; position: string; record: string; clock_ms: number; increment_ms: number }; answer: object };
    play: { ask: { player: number; action: string }; answer: object };
    undo: { ask: object; answer: object };
    clock: { ask: object; answer: object };
    line: { ask: object; answer: { line: { action: string; position: Position }[] } };
    hint: { ask: { player: number }; answer: { hint: { action: string; value: number | null } } };
    save: { ask: object; answer: { record: string } };
    files: { ask: object; answer: { files: string[] } };
    replay: { ask: { name: string; game: number }; answer: { record: Recorded } };
    show: { ask: { ply: number; seat?: number }; answer: { position: Position } };
    sweep: { ask: { simulations: number }; answer: object };
    sweep_end: { ask: object; answer: object };
    matches: { ask: object; answer: object };
    match: { ask: { match: number }; answer: object };
    match_games: { ask: { match: number; first: number }; answer: { games: MatchGame[] } };
    match_game: { ask: { match: number; game: number }; answer: { record: Recorded } };
    start: { ask: MatchQuestion; answer: object };
    stop: { ask: object; answer: object };
    runs: { ask: object; answer: object };
    train: { ask: { runs: string }; answer: object };
    train_game: { ask: { run: string; generation: number; game: number }; answer: { record: Recorded } };
    leave: { ask: object; answer: object };
    inspect: { ask: { path: string }; answer: { node: TreeNode } };
}

export type Topic = Root | Tree | Table | Sweep | Matches | OneMatch | Runs | Train;
