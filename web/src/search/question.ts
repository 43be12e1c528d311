/* What is searched, as it stands in the address, in requests to the server, and in a command line. */
import type { Option } from "../server/protocol.ts";

export interface Question {
    game: string;
    position: string;
    moves: string;
    evaluator: string;
    options: Record<string, string>; // only those that differ from their defaults
}

const keys = new Set(["position", "moves", "evaluator", "k", "view", "n", "at", "other", "flip"]);

/** Values of the query that the page does not use itself are options of the search. */
export function fromQuery(game: string, query: Record<string, string>): Question {
    const options = Object.fromEntries(Object.entries(query).filter(([name]) => !keys.has(name)));
    const { position = "", moves = "", evaluator = "" } = query;
    return { game, position, moves, evaluator, options };
}

/** Options as the server reads them: "rule=puct,cpuct=2". */
export function optionText(options: Record<string, string>): string {
    return Object.entries(options)
        .map(([name, value]) => `${name}=${/[,()]/.test(value) ? `(${value})` : value}`)
        .join(",");
}

const quoted = (text: string) => (/^[\w.,:=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The same search in a terminal. */
export function commandLine(question: Question, simulations: number): string {
    const words = ["banyan", "search", question.game, "-n", String(Math.max(1, simulations))];
    if (question.position) words.push(`--position=${quoted(question.position)}`);
    if (question.moves) words.push(`--moves=${quoted(question.moves)}`);
    if (question.evaluator) words.push(`--evaluator=${quoted(question.evaluator)}`);
    for (const [name, value] of Object.entries(question.options)) words.push(`--${name}=${quoted(value)}`);
    return words.join(" ");
}

/** Adds a move to the moves before it; texts with blanks in them are separated by semicolons. */
export function addMove(moves: string, move: string): string {
    if (!moves && !/[\s,]/.test(move)) return move;
    if (!moves) return `${move};`;
    if (!moves.includes(";") && !/[\s,]/.test(move)) return `${moves} ${move}`;
    const before = moves.includes(";") ? moves.replace(/;\s*$/, "") : moves.trim().split(/[\s,]+/).join("; ");
    return `${before}; ${move};`;
}

/** Takes the last move back. */
export function dropMove(moves: string): string {
    if (!moves.includes(";")) return moves.trim().split(/[\s,]+/).slice(0, -1).join(" ");
    const left = moves.replace(/;\s*$/, "").split(";").slice(0, -1);
    return left.length ? `${left.join(";")};` : "";
}

/** The value of an option: the question's, else the default. */
export const valueOf = (question: Question, option: Option): string => question.options[option.name] ?? option.value;
