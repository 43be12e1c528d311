/* The lines of the charts of training, for one run or for several in the same charts. */
import type { Line } from "../parts/plot.tsx";
import type { Curves, Run } from "../server/protocol.ts";

type Column = Exclude<keyof Curves, "generation">;

/** The name of a line; if there are several runs, with the run's name before it. */
const labelOf = (runs: Run[], run: Run, what: string) => (runs.length > 1 ? `${run.name}: ${what}` : what);

function line(runs: Run[], run: Run, column: Column, what: string): Line[] {
    const y = run.curves[column];
    return y?.length ? [{ label: labelOf(runs, run, what), x: run.curves.generation, y }] : [];
}

const all: [Column, string][] = [
    ["policy", "policy"],
    ["entropy", "entropy of its targets"],
    ["value", "value"],
    ["held_policy", "policy, on held-out games"],
    ["held_value", "value, on held-out games"],
    ["owner", "owner"],
    ["score", "score"],
];

/** Losses; of several runs only those of policy and value, so that the chart can be read. */
export function losses(runs: Run[]): Line[] {
    const shown = runs.length > 1 ? all.filter(([column]) => column === "policy" || column === "value") : all;
    return runs.flatMap((run) => shown.flatMap(([column, what]) => line(runs, run, column, what)));
}

/** Scores of the tests against each opponent in %, with their intervals. */
export function tests(runs: Run[]): Line[] {
    return runs.flatMap((run) =>
        Object.entries(run.tests).map(([opponent, list]) => ({
            label: labelOf(runs, run, opponent),
            x: list.map(([generation]) => generation),
            y: list.map(([, , score]) => 100 * score),
            lo: list.map(([, , , lo]) => 100 * lo),
            hi: list.map(([, , , , hi]) => 100 * hi),
        })),
    );
}

/** Elo of the best network above the first one, with its interval. */
export function elo(runs: Run[]): Line[] {
    return runs.flatMap((run) => {
        const { generation, elo: y, elo_error: error } = run.curves;
        if (!y) return [];
        return [{ label: labelOf(runs, run, "best network"), x: generation, y, lo: y.map((value, i) => value - (error?.[i] ?? 0)), hi: y.map((value, i) => value + (error?.[i] ?? 0)) }];
    });
}

/** Shares of points of the candidates in their gates, in %. */
export function gates(runs: Run[]): Line[] {
    return runs.flatMap((run) => {
        const { generation, gate_games, gate_score } = run.curves;
        if (!gate_score) return [];
        return [{ label: labelOf(runs, run, "candidate"), x: generation, y: gate_score.map((score, i) => (gate_games?.[i] ? 100 * score : null)) }];
    });
}

export function speed(runs: Run[]): Line[] {
    return runs.map((run) => {
        const { generation, games, play_s } = run.curves;
        return { label: labelOf(runs, run, "self-play"), x: generation, y: games.map((count, i) => (play_s[i] ? count / (play_s[i] as number) : null)) };
    });
}
