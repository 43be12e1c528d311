/* What the pages of matches say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../src/match/gauge.tsx";
import { questionOf } from "../src/match/form.tsx";
import { firstShown } from "../src/match/games.tsx";
import { stateOf } from "../src/match/result.tsx";
import { elo, interval } from "../src/numbers.ts";
import type { Match } from "../src/server/protocol.ts";

const sprt = { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05, llr: 3, bounds: [-2.94, 2.94], answer: "elo1" } as const;
const settings = { setup: null, openings: null, opening_plies: 4, seed: "7", move_ms: 0, clock_ms: 0, increment_ms: 0 };
const match = { match: 3, game: "othello", state: "stopped", games: 7, games_wanted: 1000, players: [{ player: "best" }, { player: "random" }], sprt, settings } as unknown as Match;

test("Elo is written as in the terminal", () => {
    assert.equal(elo(12.4, 0.51), "+12");
    assert.equal(elo(-12.6, 0.49), "−13");
    assert.equal(elo(-0.2, 0.5), "−0");
    assert.equal(elo(null, 1), "+inf");
    assert.equal(elo(null, 0), "−inf");
    assert.equal(elo(null, null), "?");
    assert.equal(interval(0.5, [0.25, 0.75]), "0.500 [0.250, 0.750]");
    assert.equal(interval(null, [0, 1]), "– [0.000, 1.000]");
});

test("every end of a match has its sentence", () => {
    assert.equal(stateOf(match), "The match was stopped after 7 of 1,000 games.");
    assert.equal(stateOf({ ...match, state: "decided", games: 30 }), "The test has decided after 30 games: elo1 holds.");
    assert.equal(stateOf({ ...match, state: "broken" }), "The match broke off after 7 of 1,000 games: its process is gone.");
    assert.equal(stateOf({ ...match, state: "finished", games: 1 }), "The match is finished: 1 game.");
    assert.equal(stateOf({ ...match, state: "running" }), "The match is running.");
});

test("the test says which difference holds", () => {
    assert.equal(verdict(sprt), "elo1 holds: the difference is 10 Elo rather than 0.");
    assert.equal(verdict({ ...sprt, answer: "elo0" }), "elo0 holds: the difference is 0 Elo rather than 10.");
    assert.equal(verdict({ ...sprt, answer: "undecided" }), "Undecided.");
});

test("the form begins with the last settings, and other games", () => {
    assert.deepEqual(questionOf(match), { game: "othello", players: "best\nrandom", games: 1000, seed: 8, opening_plies: 4, move_ms: 0, sprt: "0,10" });
    assert.equal(questionOf(undefined).players, "best\nrandom");
});

test("the last hundred games are shown", () => {
    assert.equal(firstShown(30, null), 1);
    assert.equal(firstShown(250, null), 151);
    assert.equal(firstShown(250, 51), 51);
});
