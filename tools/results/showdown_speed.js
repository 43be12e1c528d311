#!/usr/bin/env node
'use strict';
/*
 * Turns per second of Pokemon Showdown's own simulator, in processor time, beside `banyan bench
 * pokemon`: whole battles of gen8randombattle between two players who choose at random among all
 * choices that their requests offer (moves, Dynamax, switches), as the rollout policy "random" does.
 *
 *   npm ci --prefix tools/showdown --ignore-scripts && tools/results/showdown_speed.js [SECONDS]
 *
 * PS_DIR: another place of the package; BANYAN: the program (build/banyan).  Teams are drawn before
 * the clock starts; the log of the battle, which the simulator always writes, is not read.
 */
const path = require('path');
const {execFileSync} = require('child_process');

const SECONDS = Number(process.argv[2] || 10);
const ROOT = path.resolve(__dirname, '../..');
const PS = process.env.PS_DIR || path.join(ROOT, 'tools/showdown/node_modules/pokemon-showdown');
const BANYAN = process.env.BANYAN || path.join(ROOT, 'build/banyan');
const {Battle, Teams} = require(path.join(PS, 'dist/sim'));
const VERSION = require(path.join(PS, 'package.json')).version;

const pick = list => list[Math.floor(Math.random() * list.length)];

function choices(request) {
  const bench = request.side.pokemon.map((p, i) => [p, i + 1])
    .filter(([p]) => !p.active && !p.condition.endsWith(' fnt')).map(([, i]) => `switch ${i}`);
  if (request.forceSwitch) return bench;
  const active = request.active[0];
  const moves = active.moves.map((m, i) => [m, i + 1]).filter(([m]) => !m.disabled).map(([, i]) => `move ${i}`);
  const max = active.canDynamax ? moves.map(m => `${m} dynamax`) : [];
  return [...moves, ...max, ...(active.trapped ? [] : bench)];
}

/* Plays one battle; returns its number of turns. */
function play(teams, seed) {
  const battle = new Battle({formatid: 'gen8randombattle', seed, p1: {name: 'a', team: teams[0]}, p2: {name: 'b', team: teams[1]}});
  while (!battle.ended) {
    for (const side of battle.sides) {
      const request = side.activeRequest;
      if (!request || request.wait || side.isChoiceDone()) continue;
      /* a refused choice (the Pokémon was trapped) is replaced by another one */
      for (let tries = 0; tries < 100 && !battle.choose(side.id, pick(choices(side.activeRequest))); ++tries);
    }
  }
  return battle.turn;
}

function measure(seconds) {
  const generator = Teams.getGenerator('gen8randombattle', '1,2,3,4');
  const teams = Array.from({length: 64}, () => [generator.getTeam(), generator.getTeam()]);
  const run = limit => {
    const begin = process.cpuUsage();
    let turns = 0, games = 0, spent = 0;
    for (; spent < limit; ++games) {
      turns += play(teams[games % 64], `${games + 1},2,3,4`);
      const now = process.cpuUsage(begin);
      spent = (now.user + now.system) / 1e6;
    }
    return {turns, games, spent};
  };
  run(seconds / 4); /* until the compiler has warmed up */
  return run(seconds);
}

const theirs = measure(SECONDS);
const rate = theirs.turns / theirs.spent;
console.log(`pokemon-showdown ${VERSION}, node ${process.version}: ${theirs.games} battles, ${theirs.turns} turns, ` +
  `${rate.toFixed(0)} turns/s of processor time`);
const ours = JSON.parse(execFileSync(BANYAN, ['bench', 'pokemon', '--json', '--time', '500ms'], {encoding: 'utf8'}));
console.log(`banyan bench pokemon: ${ours.turns_per_s.toFixed(0)} turns/s, ${(ours.turns_per_s / rate).toFixed(0)} times as many`);
